/* A question out of its body: the other way round from question_body. */
#include "json_walk.h"

#include <math.h>
#include <quiztutor/body.h>
#include <quiztutor/number.h>
#include <quiztutor/text.h>
#include <string.h>

struct reading {
    struct json_walk walk;
    struct buffer key;
    struct arena *arena;
    struct question *question;
    /* the types' keys, until the type is known */
    struct choice *choices;
    int choice_count;
    bool has_truth, truth, has_number;
    struct number_key number;
    struct text_key text;
    struct text_list order;
    struct match_key match;
    const char *type, *recall;
};

static void *allocate(struct reading *reading, ptrdiff_t size)
{
    void *block = arena_alloc(reading->arena, size);
    reading->walk.no_memory = reading->walk.no_memory || !block;
    return block;
}

/* Another member of the mapping: its key is in reading->key. */
static bool member(struct reading *reading)
{
    return !reading->walk.no_memory && json_walk_key(&reading->walk, &reading->key);
}

static bool element(struct reading *reading)
{
    return !reading->walk.no_memory && json_walk_next(&reading->walk);
}

static bool is(const struct reading *reading, const char *key)
{
    return strcmp(buffer_get(&reading->key), key) == 0;
}

static const char *text(struct reading *reading)
{
    return json_walk_text(&reading->walk, reading->arena);
}

/* Texts beyond the limit, and what is none, are passed over. */
static void read_list(struct reading *reading, struct text_list *list, int limit)
{
    const char **items = NULL;
    ptrdiff_t room = 0;
    int count = 0;
    if (!json_walk_open(&reading->walk, '['))
        return;
    while (element(reading)) {
        const char *item = text(reading);
        if (!item || count == limit)
            continue;
        if (count == room) {
            ptrdiff_t more = room ? room * 2 : 8;
            const char **grown = allocate(reading, more * (ptrdiff_t)sizeof *grown);
            if (!grown)
                return;
            if (count)
                memcpy(grown, items, (size_t)count * sizeof *grown);
            items = grown;
            room = more;
        }
        items[count++] = item;
    }
    *list = (struct text_list){ items, count };
}

static void read_choice(struct reading *reading, struct choice *choice)
{
    if (!json_walk_open(&reading->walk, '{'))
        return;
    while (member(reading)) {
        if (is(reading, "correct"))
            choice->correct = json_walk_true(&reading->walk);
        else if (is(reading, "id"))
            choice->id = text(reading);
        else if (is(reading, "misconception"))
            choice->misconception = text(reading);
        else if (is(reading, "text"))
            choice->text = text(reading);
        else
            json_walk_skip(&reading->walk);
    }
}

static void read_choices(struct reading *reading)
{
    struct choice *choices = allocate(reading, PACK_CHOICES * (ptrdiff_t)sizeof *choices);
    int count = 0;
    if (!choices || !json_walk_open(&reading->walk, '['))
        return;
    while (element(reading)) {
        struct choice choice = { 0 };
        read_choice(reading, &choice);
        if (!choice.text)
            choice.text = "";
        if (count < PACK_CHOICES)
            choices[count++] = choice;
    }
    reading->choices = choices;
    reading->choice_count = count;
}

static void read_wrong(struct reading *reading, struct known_wrong *wrong)
{
    if (!json_walk_open(&reading->walk, '{'))
        return;
    while (member(reading)) {
        if (is(reading, "misconception"))
            wrong->misconception = text(reading);
        else if (is(reading, "number"))
            wrong->number = json_walk_number(&reading->walk);
        else if (is(reading, "value"))
            wrong->value = text(reading);
        else
            json_walk_skip(&reading->walk);
    }
}

static void read_wrongs(struct reading *reading, const struct known_wrong **wrongs, int *wrong_count)
{
    struct known_wrong *made = NULL;
    int count = 0, room = 0;
    if (!json_walk_open(&reading->walk, '['))
        return;
    while (element(reading)) {
        struct known_wrong wrong = { 0 };
        read_wrong(reading, &wrong);
        if (!wrong.value || count == PACK_LISTED)
            continue;
        if (count == room) {
            int more = room ? room * 2 : 4;
            struct known_wrong *grown = allocate(reading, more * (ptrdiff_t)sizeof *grown);
            if (!grown)
                return;
            if (count)
                memcpy(grown, made, (size_t)count * sizeof *grown);
            made = grown;
            room = more;
        }
        made[count++] = wrong;
    }
    *wrongs = made;
    *wrong_count = count;
}

/* "0.5", "5%" */
static void read_tolerance(struct reading *reading, struct number_key *number)
{
    const char *said = text(reading);
    struct number read;
    ptrdiff_t length = said ? (ptrdiff_t)strlen(said) : 0;
    bool percent = length > 0 && said[length - 1] == '%';
    if (!length || number_read(&read, said, length - percent, false) != NUMBER_FINE || read.value < 0)
        return;
    number->relative = percent;
    number->tolerance = percent ? read.value / 100 : read.value;
}

static void read_number(struct reading *reading)
{
    struct number_key *number = &reading->number;
    if (!json_walk_open(&reading->walk, '{'))
        return;
    reading->has_number = true;
    while (member(reading)) {
        if (is(reading, "answer")) {
            number->answer = text(reading);
        } else if (is(reading, "significant_figures")) {
            double figures = json_walk_number(&reading->walk);
            number->significant_figures = figures >= 1 && figures <= PACK_FIGURES ? (int)figures : 0;
        } else if (is(reading, "tolerance")) {
            read_tolerance(reading, number);
        } else if (is(reading, "unit")) {
            number->unit = text(reading);
        } else if (is(reading, "value")) {
            number->value = json_walk_number(&reading->walk);
        } else if (is(reading, "wrong")) {
            read_wrongs(reading, &number->wrongs, &number->wrong_count);
        } else {
            json_walk_skip(&reading->walk);
        }
    }
}

static void read_ignore(struct reading *reading)
{
    struct text_list words = { 0 };
    read_list(reading, &words, PACK_CHOICES);
    for (int i = 0; i < words.count; i++)
        for (unsigned bit = 1; text_ignore_name((enum text_ignore)bit); bit <<= 1)
            if (strcmp(words.items[i], text_ignore_name((enum text_ignore)bit)) == 0)
                reading->text.ignore |= bit;
}

static void read_typed(struct reading *reading)
{
    if (!json_walk_open(&reading->walk, '{'))
        return;
    while (member(reading)) {
        if (is(reading, "accept"))
            read_list(reading, &reading->text.accept, PACK_LISTED);
        else if (is(reading, "ignore"))
            read_ignore(reading);
        else if (is(reading, "wrong"))
            read_wrongs(reading, &reading->text.wrongs, &reading->text.wrong_count);
        else
            json_walk_skip(&reading->walk);
    }
}

struct pairs {
    const char *lefts[PACK_CHOICES], *rights[PACK_CHOICES];
    int count;
};

static void read_pairs(struct reading *reading, struct pairs *pairs)
{
    if (!json_walk_open(&reading->walk, '['))
        return;
    while (element(reading)) {
        struct text_list pair = { 0 };
        read_list(reading, &pair, 2);
        if (pair.count < 2 || pairs->count == PACK_CHOICES)
            continue;
        pairs->lefts[pairs->count] = pair.items[0];
        pairs->rights[pairs->count++] = pair.items[1];
    }
}

/* Distinct right texts in the pairs' order, then the extra ones: the places that responses speak of. */
static void put_match(struct reading *reading, const struct pairs *pairs, const struct text_list *extra)
{
    int count = pairs->count, rights = 0;
    const char **texts = allocate(reading, (2 * count + extra->count + 1) * (ptrdiff_t)sizeof *texts);
    unsigned char *of = allocate(reading, count + 1);
    if (!texts || !of)
        return;
    for (int i = 0; i < count; i++) {
        int at = 0;
        while (at < rights && !text_same(texts[count + at], pairs->rights[i]))
            at++;
        if (at == rights)
            texts[count + rights++] = pairs->rights[i];
        texts[i] = pairs->lefts[i];
        of[i] = (unsigned char)at;
    }
    for (int i = 0; i < extra->count; i++)
        texts[count + rights + i] = extra->items[i];
    reading->match = (struct match_key){ .lefts = { texts, count },
                                         .rights = { texts + count, rights + extra->count },
                                         .pairs = of,
                                         .paired = rights };
}

static void read_match(struct reading *reading)
{
    struct pairs pairs = { .count = 0 };
    struct text_list extra = { 0 };
    if (!json_walk_open(&reading->walk, '{'))
        return;
    while (member(reading)) {
        if (is(reading, "pairs"))
            read_pairs(reading, &pairs);
        else if (is(reading, "extra"))
            read_list(reading, &extra, PACK_CHOICES);
        else
            json_walk_skip(&reading->walk);
    }
    put_match(reading, &pairs, &extra);
}

static void read_marking(struct reading *reading)
{
    const char *name = text(reading);
    for (int rule = 0; name && rule < MARKING_RULES; rule++)
        if (strcmp(name, marking_rule_name((enum marking_rule)rule)) == 0)
            reading->question->marking = (enum marking_rule)rule;
}

/* Members that stand for themselves. */
static bool read_text_member(struct reading *reading)
{
    struct question *question = reading->question;
    const struct {
        const char *key, **into;
    } rows[] = {
        { "explanation", &question->explanation },
        { "explanation_figure", &question->explanation_figure },
        { "feedback", &question->feedback },
        { "figure", &question->figure },
        { "misconception", &question->misconception },
        { "prompt", &question->prompt },
        { "recall", &reading->recall },
        { "source", &question->source },
        { "type", &reading->type },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (is(reading, rows[i].key)) {
            *rows[i].into = text(reading);
            return true;
        }
    }
    return false;
}

static void read_member(struct reading *reading)
{
    struct question *question = reading->question;
    if (read_text_member(reading))
        return;
    if (is(reading, "choices")) {
        read_choices(reading);
    } else if (is(reading, "given")) {
        question->given = json_walk_raw(&reading->walk, reading->arena);
    } else if (is(reading, "marking")) {
        read_marking(reading);
    } else if (is(reading, "marks")) {
        question->marks = json_walk_number(&reading->walk);
    } else if (is(reading, "match")) {
        read_match(reading);
    } else if (is(reading, "number")) {
        read_number(reading);
    } else if (is(reading, "order")) {
        read_list(reading, &reading->order, PACK_CHOICES);
    } else if (is(reading, "tags")) {
        read_list(reading, &question->tags, PACK_LISTED);
    } else if (is(reading, "text")) {
        read_typed(reading);
    } else if (is(reading, "truth")) {
        reading->has_truth = true;
        reading->truth = json_walk_true(&reading->walk);
    } else {
        json_walk_skip(&reading->walk);
    }
}

/* False where what its type needs is not there. */
static bool put_key(struct reading *reading)
{
    struct question *question = reading->question;
    enum question_type type = 0;
    while (type < QUESTION_TYPES && (!reading->type || strcmp(question_type_name(type), reading->type) != 0))
        type++;
    question->type = type;
    switch (type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        question->key.choices.items = reading->choices;
        question->key.choices.count = reading->choice_count;
        for (int i = 0; i < reading->choice_count; i++)
            question->key.choices.correct += reading->choices[i].correct;
        return reading->choice_count > 0;
    case QUESTION_TRUE_FALSE:
        question->key.truth = reading->truth;
        return reading->has_truth;
    case QUESTION_NUMBER:
        question->key.number = reading->number;
        return reading->has_number && reading->number.answer;
    case QUESTION_TEXT:
        question->key.text = reading->text;
        return reading->text.accept.count > 0;
    case QUESTION_ORDER:
        question->key.order = reading->order;
        return reading->order.count > 0;
    case QUESTION_MATCH:
        question->key.match = reading->match;
        return reading->match.lefts.count > 0;
    case QUESTION_RECALL:
        question->key.recall = reading->recall;
        return reading->recall != NULL;
    case QUESTION_TYPES:
        break;
    }
    return false;
}

bool body_read(struct question *question, const char *json, struct arena *arena, bool *known)
{
    struct reading reading = { .arena = arena, .question = question };
    *question = (struct question){ .marking = MARKING_ALL_OR_NOTHING, .comma = true };
    buffer_init(&reading.key);
    json_walk_init(&reading.walk, json);
    if (json_walk_open(&reading.walk, '{'))
        while (member(&reading))
            read_member(&reading);
    buffer_finish(&reading.key);
    *known = !reading.walk.bad && put_key(&reading) && question->prompt;
    if (!*known) {
        question->type = QUESTION_RECALL;
        question->key.recall = "";
    }
    if (question->marks <= 0)
        question->marks = 1;
    return !reading.walk.no_memory;
}
