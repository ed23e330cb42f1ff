#include "revision.h"

#include "form.h"

#include <quiztutor/derive.h>
#include <quiztutor/number.h>

#include <stdlib.h>
#include <string.h>

struct entry {
    const char *text; /* the choice's id where it has one */
    bool correct;
};

static int entry_compare(const void *one, const void *other)
{
    return strcmp(((const struct entry *)one)->text, ((const struct entry *)other)->text);
}

static void add_choices(struct json *json, const struct question *question)
{
    struct entry entries[PACK_CHOICES];
    int count = question->key.choices.count;
    for (int i = 0; i < count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        entries[i].text = choice->id ? choice->id : choice->text;
        entries[i].correct = choice->correct;
    }
    qsort(entries, (size_t)count, sizeof *entries, entry_compare);
    json_key(json, "choices");
    json_open(json, '[');
    for (int i = 0; i < count; i++) {
        json_open(json, '[');
        json_text(json, entries[i].text);
        json_integer(json, entries[i].correct);
        json_close(json, ']');
    }
    json_close(json, ']');
}

static void add_number(struct json *json, const char *key, double value)
{
    char text[NUMBER_PLAIN];
    number_plain(text, value);
    json_key(json, key);
    json_text(json, text);
}

/* "0.5", or "5%" of a share. */
void revision_tolerance(struct json *json, const struct number_key *number)
{
    char text[NUMBER_PLAIN + 1];
    double percent = number->tolerance * 100;
    number_plain(text, number->relative ? number_round(percent, PACK_FIGURES) : number->tolerance);
    if (number->relative)
        strcat(text, "%");
    json_key(json, "tolerance");
    json_text(json, text);
}

static int text_compare(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Texts, sorted. False without memory. */
static bool add_sorted(struct json *json, const char *key, const struct text_list *list)
{
    const char **texts = memory_alloc(list->count * (ptrdiff_t)sizeof *texts);
    if (!texts)
        return false;
    for (int i = 0; i < list->count; i++)
        texts[i] = list->items[i];
    qsort(texts, (size_t)list->count, sizeof *texts, text_compare);
    json_key(json, key);
    json_open(json, '[');
    for (int i = 0; i < list->count; i++)
        json_text(json, texts[i]);
    json_close(json, ']');
    memory_free(texts);
    return true;
}

void revision_texts(struct json *json, const char *key, const struct text_list *list)
{
    json_key(json, key);
    json_open(json, '[');
    for (int i = 0; i < list->count; i++)
        json_text(json, list->items[i]);
    json_close(json, ']');
}

/* Bits of enum text_ignore in the order of their words. */
void revision_ignore(struct json *json, unsigned ignore)
{
    static const enum text_ignore bits[] = { IGNORE_ACCENTS, IGNORE_CASE, IGNORE_PUNCTUATION, IGNORE_SPACES };
    json_key(json, "ignore");
    json_open(json, '[');
    for (int i = 0; i < 4; i++)
        if (ignore & bits[i])
            json_text(json, text_ignore_name(bits[i]));
    json_close(json, ']');
}

struct pair {
    const char *left, *right;
};

static int pair_compare(const void *one, const void *other)
{
    return strcmp(((const struct pair *)one)->left, ((const struct pair *)other)->left);
}

void revision_pairs(struct json *json, const struct match_key *match, bool sorted)
{
    struct pair pairs[PACK_CHOICES];
    int count = match->lefts.count;
    for (int i = 0; i < count; i++)
        pairs[i] = (struct pair){ match->lefts.items[i], match->rights.items[match->pairs[i]] };
    if (sorted)
        qsort(pairs, (size_t)count, sizeof *pairs, pair_compare);
    json_key(json, "pairs");
    json_open(json, '[');
    for (int i = 0; i < count; i++) {
        json_open(json, '[');
        json_text(json, pairs[i].left);
        json_text(json, pairs[i].right);
        json_close(json, ']');
    }
    json_close(json, ']');
}

struct text_list revision_extras(const struct match_key *match)
{
    return (struct text_list){ match->rights.items + match->paired, match->rights.count - match->paired };
}

bool revision_has_rule(const struct question *question)
{
    return question->type == QUESTION_MULTIPLE_CHOICE || question->type == QUESTION_ORDER ||
           question->type == QUESTION_MATCH;
}

static void add_answer(struct json *json, const struct question *question)
{
    const struct number_key *number = &question->key.number;
    double value;
    json_key(json, "answer");
    if (question->type == QUESTION_TRUE_FALSE) {
        json_bool(json, question->key.truth);
    } else if (question->type == QUESTION_RECALL) {
        json_text(json, question->key.recall);
    } else if (form_number(number->answer, &value)) {
        char text[NUMBER_PLAIN];
        number_plain(text, value);
        json_text(json, text);
    } else {
        json_text(json, number->answer);
    }
}

/* One value of a name: as a number, or as it is. */
static void add_value(struct json *json, const struct parameter *parameter, int place)
{
    char text[NUMBER_PLAIN];
    if (!parameter->numeric) {
        json_text(json, parameter->texts[place]);
        return;
    }
    number_plain(text,
                 parameter->numbers ? parameter->numbers[place] : parameter->from + parameter->step * place);
    json_text(json, text);
}

/* Places of named things, sorted by their names. */
static void sort_names(int order[static DERIVE_NAMES], const char *const *names, int count)
{
    for (int i = 0; i < count; i++) {
        int at = i;
        for (; at > 0 && strcmp(names[order[at - 1]], names[i]) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void add_range(struct json *json, const struct parameter *parameter)
{
    json_open(json, '{');
    add_number(json, "from", parameter->from);
    add_number(json, "step", parameter->step);
    add_number(json, "to", parameter->from + parameter->step * (parameter->count - 1));
    json_close(json, '}');
}

static void add_rows(struct json *json, const struct parameters *parameters, const int *order)
{
    json_open(json, '{');
    json_key(json, "rows");
    json_open(json, '[');
    for (int row = 0; row < parameters->items[0].count; row++) {
        json_open(json, '{');
        for (int i = 0; i < parameters->count; i++) {
            const struct parameter *parameter = &parameters->items[order[i]];
            json_key(json, parameter->name);
            add_value(json, parameter, row);
        }
        json_close(json, '}');
    }
    json_close(json, ']');
    json_close(json, '}');
}

static void add_given(struct json *json, const struct parameters *parameters)
{
    const char *names[DERIVE_NAMES];
    int order[DERIVE_NAMES];
    for (int i = 0; i < parameters->count; i++)
        names[i] = parameters->items[i].name;
    sort_names(order, names, parameters->count);
    json_key(json, "given");
    if (parameters->rows) {
        add_rows(json, parameters, order);
        return;
    }
    json_open(json, '{');
    for (int i = 0; i < parameters->count; i++) {
        const struct parameter *parameter = &parameters->items[order[i]];
        json_key(json, parameter->name);
        if (parameter->numeric && !parameter->numbers) {
            add_range(json, parameter);
            continue;
        }
        json_open(json, '[');
        for (int k = 0; k < parameter->count; k++)
            add_value(json, parameter, k);
        json_close(json, ']');
    }
    json_close(json, '}');
}

static void add_derive(struct json *json, const struct parameters *parameters)
{
    const char *names[DERIVE_NAMES];
    int order[DERIVE_NAMES];
    for (int i = 0; i < parameters->derived_count; i++)
        names[i] = parameters->derived[i].name;
    sort_names(order, names, parameters->derived_count);
    json_key(json, "derive");
    json_open(json, '{');
    for (int i = 0; i < parameters->derived_count; i++) {
        json_key(json, names[order[i]]);
        json_text(json, parameters->derived[order[i]].expression);
    }
    json_close(json, '}');
}

/* What decides the mark, keys in the order of RFC 8785. False without memory. */
bool revision_write(struct json *json, const struct question *asked)
{
    const struct question *question = asked->origin ? asked->origin : asked;
    const struct parameters *parameters = question->parameters;
    const struct match_key *match = &question->key.match;
    enum question_type type = question->type;
    bool choices = type == QUESTION_SINGLE_CHOICE || type == QUESTION_MULTIPLE_CHOICE, done = true;
    json_open(json, '{');
    if (type == QUESTION_TEXT)
        done = add_sorted(json, "accept", &question->key.text.accept);
    else if (type == QUESTION_TRUE_FALSE || type == QUESTION_NUMBER || type == QUESTION_RECALL)
        add_answer(json, question);
    if (choices)
        add_choices(json, question);
    if (parameters && parameters->derived_count)
        add_derive(json, parameters);
    if (type == QUESTION_MATCH && match->rights.count > match->paired) {
        struct text_list extra = revision_extras(match);
        done = add_sorted(json, "extra", &extra);
    }
    if (parameters)
        add_given(json, parameters);
    if (type == QUESTION_TEXT)
        revision_ignore(json, question->key.text.ignore);
    if (type == QUESTION_ORDER)
        revision_texts(json, "items", &question->key.order);
    if (revision_has_rule(question)) {
        json_key(json, "marking");
        json_text(json, marking_rule_name(question->marking));
    }
    add_number(json, "marks", question->marks);
    if (type == QUESTION_MATCH)
        revision_pairs(json, match, true);
    if (type == QUESTION_NUMBER && question->key.number.significant_figures)
        add_number(json, "significant_figures", question->key.number.significant_figures);
    if (type == QUESTION_NUMBER)
        revision_tolerance(json, &question->key.number);
    json_key(json, "type");
    json_text(json, question_type_name(type));
    json_close(json, '}');
    return done;
}

bool question_revision(const struct question *question, char revision[static PACK_REVISION + 1])
{
    struct buffer text;
    struct json json;
    struct hash hash;
    buffer_init(&text);
    json_init(&json, &text);
    bool done = revision_write(&json, question) && !text.failed;
    if (done) {
        hash_of(&hash, buffer_get(&text), text.length);
        hash_hex(revision, hash.bytes, PACK_REVISION / 2);
    }
    buffer_finish(&text);
    return done;
}
