/* Rules about answers that are typed: accepted texts that contain each other, and those that the prompt says.
 */
#include "review_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

/* So many accepted texts are looked at; they take the room of choices. */
static int take_accepted(struct review *review)
{
    const struct text_list *accept = &review->question->key.text.accept;
    int count = accept->count < PACK_CHOICES ? accept->count : PACK_CHOICES;
    for (int i = 0; i < count; i++)
        if (!words_take(&review->choices[i], accept->items[i])) {
            review->failed = true;
            return 0;
        }
    return count;
}

/* Whether the words of one stand in the other, one behind the other. */
static bool stands_in(const struct words *one, const struct words *other)
{
    for (ptrdiff_t from = 0; from + one->count <= other->count; from++) {
        ptrdiff_t same = 0;
        while (same < one->count && words_equal(one, same, other, from + same))
            same++;
        if (same == one->count)
            return true;
    }
    return false;
}

/* Whether the bytes between two places in the file are a whole text: with what parts items at both ends. */
static bool is_whole(const char *data, ptrdiff_t from, ptrdiff_t until, ptrdiff_t end)
{
    ptrdiff_t before = from - 1;
    while (before > 0 && data[before] == ' ')
        before--;
    return strchr(",-:[{\"'\n", data[before]) && (until >= end || strchr(",]}\"'\r\n", data[until]));
}

/* Where a text of the answer key stands: in front of the next question. */
static struct place place_of(struct review *review, const char *text)
{
    const struct source *source = review->source;
    const struct place *from = review->spots->key.line ? &review->spots->key : &review->spots->start;
    ptrdiff_t end = source->checked, length = (ptrdiff_t)strlen(text);
    if (review->number + 1 < review->outline.count) {
        const struct place *next = &review->outline.questions[review->number + 1].start;
        end = source_offset(review->source, next->line, next->column);
    }
    ptrdiff_t at = source_offset(review->source, from->line, from->column);
    for (const char *found; at > 0 && end - at >= length; at++) {
        found = memmem(source->data + at, (size_t)(end - at), text, (size_t)length);
        if (!found)
            break;
        at = found - source->data;
        int line, column, columns = 0;
        if (!is_whole(source->data, at, at + length, end))
            continue;
        source_place(review->source, at, &line, &column);
        for (const char *c = text; *c; c++)
            columns += (*c & 0xc0) != 0x80;
        return place_at(line, column, columns);
    }
    return *from;
}

static void tell(struct review *review, const char *text, const char *other, const char *hint,
                 const char *message)
{
    char quote[REPORT_QUOTE], within[REPORT_QUOTE];
    struct place place = place_of(review, text);
    report_quote(quote, text, (ptrdiff_t)strlen(text));
    report_quote(within, other, (ptrdiff_t)strlen(other));
    review_tell(review, REVIEW_CONTAINED_ANSWERS, &place, hint, "%s: %s, %s", message, quote, within);
}

/* Texts that are one where case does not count. False without memory, too. */
static bool is_same(struct review *review, const char *one, const char *other)
{
    if (!(review->question->key.text.ignore & IGNORE_CASE))
        return false;
    char *folded = text_fold(one), *folded_other = text_fold(other);
    bool same = folded && folded_other && strcmp(folded, folded_other) == 0;
    review->failed = review->failed || !folded || !folded_other;
    memory_free(folded);
    memory_free(folded_other);
    return same;
}

/* What is wrong with one accepted text beside the others; told once. */
static void look_at_accepted(struct review *review, int place, int count)
{
    const struct text_list *accept = &review->question->key.text.accept;
    const struct words *words = &review->choices[place];
    for (int i = 0; i < count; i++) {
        bool same = i < place && is_same(review, accept->items[place], accept->items[i]);
        bool within = i != place && words->count > 0 && words->count < review->choices[i].count &&
                      stands_in(words, &review->choices[i]);
        if (same)
            tell(review, accept->items[place], accept->items[i], tr("delete one of them"),
                 tr("two accepted answers are one, since case is ignored"));
        else if (within)
            tell(review, accept->items[place], accept->items[i],
                 tr("make sure that the short one is enough, or delete it"),
                 tr("an accepted answer stands within another"));
        if (same || within)
            return;
    }
}

void contained_answers(struct review *review)
{
    const struct text_key *key = &review->question->key.text;
    int count = take_accepted(review);
    for (int i = 0; i < count && !review->failed; i++) {
        const char *text = key->accept.items[i];
        look_at_accepted(review, i, count);
        for (int k = 0; k < key->wrong_count && k < PACK_CHOICES; k++)
            if (is_same(review, text, key->wrongs[k].value))
                tell(review, key->wrongs[k].value, text, tr("delete it from one of the two lists"),
                     tr("a wrong response is accepted, since case is ignored"));
    }
}

static bool says_something(const struct review *review, const struct words *words)
{
    for (ptrdiff_t i = 0; i < words->count; i++)
        if (!review_has_word(review, LIST_COMMON, words, i) &&
            !review_has_word(review, LIST_ARTICLE, words, i))
            return true;
    return false;
}

void typed_in_prompt(struct review *review)
{
    int count = take_accepted(review);
    for (int i = 0; i < count && !review->failed; i++) {
        const char *text = review->question->key.text.accept.items[i];
        char quote[REPORT_QUOTE];
        if (!says_something(review, &review->choices[i]) || !stands_in(&review->choices[i], &review->prompt))
            continue;
        review_tell(review, REVIEW_ANSWER_IN_PROMPT, &review->spots->prompt,
                    tr("put it in other words, or make it a question with choices"),
                    tr("the prompt says %s, which is accepted as the answer"),
                    report_quote(quote, text, (ptrdiff_t)strlen(text)));
        return;
    }
}
