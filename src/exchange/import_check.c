/* Whether a question that was read is one that loads, and what its explanation says where nobody wrote one.
 */
#include "import_private.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <string.h>

/* The place of an earlier text that is the same as texts[place]; -1 for none. */
static int same_before(const char *const *texts, int place)
{
    for (int i = 0; i < place; i++)
        if (import_same(texts[i], texts[place]))
            return i;
    return -1;
}

static const char *choices_fault(struct question *question)
{
    const struct choice *choices = question->key.choices.items;
    int count = question->key.choices.count, correct = 0, leading = 0, trailing = count;
    if (count > PACK_CHOICES)
        return tr("it has more than 26 choices");
    const char *texts[PACK_CHOICES];
    for (int i = 0; i < count; i++) {
        texts[i] = choices[i].text;
        if (!texts[i])
            return tr("one of its choices has no text");
        if (same_before(texts, i) >= 0)
            return tr("two of its choices are the same");
        for (int k = 0; k < i && choices[i].id; k++)
            if (choices[k].id && strcmp(choices[k].id, choices[i].id) == 0)
                return tr("two of its choices have one id");
        correct += choices[i].correct;
    }
    if (!correct)
        return tr("none of its choices is right");
    while (leading < count && choices[leading].pin == PIN_FIRST)
        leading++;
    while (trailing > 0 && choices[trailing - 1].pin == PIN_LAST)
        trailing--;
    for (int i = leading; i < trailing; i++)
        if (choices[i].pin != PIN_NONE)
            return tr("a choice in the middle keeps its place while others are shuffled");
    question->key.choices.correct = correct;
    if (question->type == QUESTION_SINGLE_CHOICE && correct > 1)
        question->type = QUESTION_MULTIPLE_CHOICE;
    return NULL;
}

static const char *items_fault(const struct text_list *list)
{
    if (list->count < 2)
        return tr("there is nothing to put in order");
    if (list->count > PACK_CHOICES)
        return tr("it has more than 26 items");
    for (int i = 0; i < list->count; i++)
        if (!list->items[i] || same_before(list->items, i) >= 0)
            return tr("two of its items are the same");
    return NULL;
}

static const char *match_fault(const struct match_key *key)
{
    if (key->lefts.count < 2)
        return tr("it has fewer than two pairs");
    if (key->lefts.count > PACK_CHOICES || key->rights.count > PACK_CHOICES)
        return tr("it has more than 26 items");
    for (int i = 0; i < key->lefts.count; i++) {
        if (same_before(key->lefts.items, i) >= 0)
            return tr("two of its left texts are the same");
        if (strlen(key->lefts.items[i]) > PACK_RESPONSE)
            return tr("one of its left texts is longer than 1,000 bytes");
    }
    for (int i = 0; i < key->rights.count; i++)
        if (same_before(key->rights.items, i) >= 0)
            return tr("two of its right texts are the same");
    return NULL;
}

/* Drops the known wrong responses that are right, stand there twice, or have no text. */
static void tidy_wrongs(struct import *import, struct question *question)
{
    bool number = question->type == QUESTION_NUMBER;
    struct number_key *of_number = &question->key.number;
    struct text_key *of_text = &question->key.text;
    const struct known_wrong *from = number ? of_number->wrongs : of_text->wrongs;
    int count = number ? of_number->wrong_count : of_text->wrong_count, kept = 0;
    if (!count)
        return;
    struct known_wrong *to = arena_alloc(&import->arena, count * (ptrdiff_t)sizeof *to);
    for (int i = 0; to && i < count; i++) {
        if (!from[i].value || !*from[i].value) {
            import_change(import, "%s", tr("a wrong answer without a text is left out"));
            continue;
        }
        bool drop = strlen(from[i].value) > PACK_RESPONSE || kept == PACK_LISTED;
        for (int k = 0; k < kept && k < 100 && !drop; k++)
            drop = import_same(to[k].value, from[i].value);
        for (int k = 0; !number && k < of_text->accept.count && k < 100 && !drop; k++)
            drop = import_same(of_text->accept.items[k], from[i].value);
        if (number && !drop) {
            double tolerance = of_number->tolerance * (of_number->relative ? fabs(of_number->value) : 1);
            double larger = fmax(fabs(of_number->value), tolerance);
            drop = fabs(from[i].number - of_number->value) <= tolerance + 1e-9 * larger;
        }
        if (drop)
            import_change(import, tr("what was told for \"%s\" is left out: it stands there already"),
                          import_brief(import, from[i].value, 30));
        else
            to[kept++] = from[i];
    }
    import->failed = import->failed || !to;
    if (number)
        of_number->wrongs = to, of_number->wrong_count = kept;
    else
        of_text->wrongs = to, of_text->wrong_count = kept;
}

static const char *text_fault(struct import *import, struct question *question)
{
    struct text_list *accept = &question->key.text.accept;
    if (!accept->count)
        return tr("no answer is right");
    if (accept->count > PACK_LISTED)
        return tr("it accepts more than 1,000 answers");
    for (int i = 0; i < accept->count; i++) {
        if (!accept->items[i])
            return tr("one of its answers has no text");
        if (strlen(accept->items[i]) > PACK_RESPONSE)
            return tr("one of its answers is longer than 1,000 bytes");
        if (i < 100 && same_before(accept->items, i) >= 0)
            return tr("one of its answers is there twice");
    }
    tidy_wrongs(import, question);
    return NULL;
}

static const char *number_fault(struct import *import, struct question *question)
{
    struct number_key *key = &question->key.number;
    struct number number;
    if (!key->answer || number_read(&number, key->answer, (ptrdiff_t)strlen(key->answer), false))
        return tr("its answer is no number");
    if (!isfinite(key->tolerance) || key->tolerance < 0)
        return tr("its tolerance is no number");
    key->value = number.value;
    tidy_wrongs(import, question);
    return NULL;
}

/* What belongs to the type, and to nothing else. */
static void drop_misplaced(struct import *import, struct question *question)
{
    bool own = question->type == QUESTION_TRUE_FALSE || question->type == QUESTION_ORDER ||
               question->type == QUESTION_MATCH;
    if (!own && question->feedback)
        import_change(import, "%s", tr("feedback for any wrong answer is left out"));
    if (!own)
        question->feedback = question->misconception = NULL;
    if (!(question->marks > 0) || question->marks > PACK_MARKS) {
        import_change(import, "%s", tr("it counted nothing; here it is worth 1 mark"));
        question->marks = 1;
    }
    bool many = question->type == QUESTION_MULTIPLE_CHOICE || question->type == QUESTION_ORDER ||
                question->type == QUESTION_MATCH;
    if (!many || question->marking == MARKING_DEFAULT)
        question->marking = MARKING_ALL_OR_NOTHING;
}

/* Tags that stand there once. */
static void tidy_tags(struct import *import, struct question *question)
{
    struct text_list *tags = &question->tags;
    int kept = 0;
    if (!tags->count)
        return;
    const char **items = arena_alloc(&import->arena, tags->count * (ptrdiff_t)sizeof *items);
    for (int i = 0; items && i < tags->count; i++) {
        bool again = !tags->items[i];
        for (int k = 0; k < kept && k < 100 && !again; k++)
            again = import_same(items[k], tags->items[i]);
        if (!again)
            items[kept++] = tags->items[i];
    }
    import->failed = import->failed || !items;
    *tags = (struct text_list){ items, kept };
}

const char *import_fault(struct import *import, struct question *question)
{
    const char *fault = NULL;
    if (!question->prompt)
        return tr("it has no text");
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        fault = choices_fault(question);
        break;
    case QUESTION_NUMBER:
        fault = number_fault(import, question);
        break;
    case QUESTION_TEXT:
        fault = text_fault(import, question);
        break;
    case QUESTION_ORDER:
        fault = items_fault(&question->key.order);
        break;
    case QUESTION_MATCH:
        fault = match_fault(&question->key.match);
        break;
    case QUESTION_RECALL:
        fault = question->key.recall ? NULL : tr("the card has no back");
        break;
    case QUESTION_TRUE_FALSE:
    case QUESTION_TYPES:
        break;
    }
    if (fault)
        return fault;
    drop_misplaced(import, question);
    tidy_tags(import, question);
    return NULL;
}

/* ---- the key in words ---- */

/* A text in a sentence: its line breaks become blanks. */
static void put(struct buffer *out, bool *begun, const char *between, const char *text)
{
    if (*begun)
        buffer_text(out, between);
    *begun = true;
    for (; *text; text++)
        buffer_char(out, *text == '\n' ? ' ' : *text);
}

static void put_key(struct buffer *out, const struct question *question)
{
    bool begun = false;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        for (int i = 0; i < question->key.choices.count; i++)
            if (question->key.choices.items[i].correct)
                put(out, &begun, "; ", question->key.choices.items[i].text);
        break;
    case QUESTION_TRUE_FALSE:
        put(out, &begun, "", question->key.truth ? tr("True") : tr("False"));
        break;
    case QUESTION_NUMBER:
        put(out, &begun, "", question->key.number.answer);
        if (question->key.number.unit)
            put(out, &begun, " ", question->key.number.unit);
        break;
    case QUESTION_TEXT:
        put(out, &begun, "", question->key.text.accept.items[0]);
        break;
    case QUESTION_ORDER:
        for (int i = 0; i < question->key.order.count; i++)
            put(out, &begun, "; ", question->key.order.items[i]);
        break;
    case QUESTION_MATCH:
        for (int i = 0; i < question->key.match.lefts.count; i++) {
            put(out, &begun, "; ", question->key.match.lefts.items[i]);
            put(out, &begun, " → ", question->key.match.rights.items[question->key.match.pairs[i]]);
        }
        break;
    case QUESTION_RECALL:
        put(out, &begun, "", question->key.recall);
        break;
    case QUESTION_TYPES:
        break;
    }
}

enum { WORDS = 2000 }; /* bytes of a key in words, beyond which it is cut */

const char *import_key_in_words(struct import *import, const struct question *question)
{
    struct buffer key, text;
    buffer_init(&key);
    buffer_init(&text);
    put_key(&key, question);
    buffer_print(&text, tr("The answer: %s"), import_brief(import, buffer_get(&key), WORDS));
    bool failed = key.failed || text.failed;
    const char *words = failed ? NULL : import_text(import, buffer_get(&text), text.length);
    buffer_finish(&key);
    buffer_finish(&text);
    return words;
}
