/* The answer keys of a pack, and what goes with each. */
#include "shape.h"

#include <quiztutor/number.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_choice(struct shape *shape, const struct choice *choice)
{
    bool more = choice->correct || choice->feedback || choice->misconception || choice->id || choice->pin;
    if (!more) {
        shape->rows->text(shape, choice->text, false);
        return;
    }
    shape->rows->open(shape, false, false);
    shape_text(shape, choice->correct ? "correct" : "wrong", choice->text);
    shape_text(shape, "feedback", choice->feedback);
    shape_text(shape, "misconception", choice->misconception);
    shape_text(shape, "id", choice->id);
    if (choice->pin != PIN_NONE)
        shape_text(shape, "pin", choice->pin == PIN_FIRST ? "first" : "last");
    shape->rows->close(shape);
}

static void put_choices(struct shape *shape, const struct question *question)
{
    shape_open(shape, "choices", true);
    for (int i = 0; i < question->key.choices.count; i++)
        put_choice(shape, &question->key.choices.items[i]);
    shape->rows->close(shape);
    if (question->type == QUESTION_MULTIPLE_CHOICE && question->key.choices.correct == 1)
        shape_text(shape, "select", "many");
}

static void put_wrongs(struct shape *shape, const struct known_wrong *wrongs, int count)
{
    if (!count)
        return;
    shape_open(shape, "wrong", true);
    for (int i = 0; i < count; i++) {
        shape->rows->open(shape, false, false);
        shape_text(shape, "value", wrongs[i].value);
        shape_text(shape, "feedback", wrongs[i].feedback);
        shape_text(shape, "misconception", wrongs[i].misconception);
        shape->rows->close(shape);
    }
    shape->rows->close(shape);
}

/* Per cent that, read again and divided by 100, give this share exactly. */
static void put_share(struct shape *shape, double share)
{
    char digits[NUMBER_PLAIN], text[NUMBER_PLAIN + 1];
    double cent = share * 100, tries[] = { cent, nextafter(cent, 0), nextafter(cent, INFINITY) };
    size_t best = 0;
    for (size_t i = sizeof tries / sizeof *tries; i-- > 0;)
        if (tries[i] / 100 == share)
            best = i;
    number_plain(digits, tries[best]);
    snprintf(text, sizeof text, "%s%%", digits);
    shape_text(shape, "tolerance", text);
}

static void put_number(struct shape *shape, const struct number_key *key)
{
    bool exact = !(key->tolerance > 0) && !key->relative;
    if (exact && !key->unit && !key->significant_figures && !key->wrong_count) {
        shape_text(shape, "number", key->answer);
        return;
    }
    shape_open(shape, "number", false);
    shape_text(shape, "answer", key->answer);
    if (key->relative)
        put_share(shape, key->tolerance);
    else if (key->tolerance > 0)
        shape_number(shape, "tolerance", key->tolerance);
    shape_text(shape, "unit", key->unit);
    if (key->significant_figures)
        shape_number(shape, "significant_figures", key->significant_figures);
    put_wrongs(shape, key->wrongs, key->wrong_count);
    shape->rows->close(shape);
}

static void put_text(struct shape *shape, const struct text_key *key)
{
    const char *words[4];
    struct text_list ignore = { words, 0 };
    bool usual = key->ignore == (IGNORE_CASE | IGNORE_SPACES);
    if (usual && !key->wrong_count) {
        shape_list(shape, "text", &key->accept);
        return;
    }
    shape_open(shape, "text", false);
    shape_list(shape, "accept", &key->accept);
    for (unsigned bit = IGNORE_CASE; bit <= IGNORE_SPACES && !usual; bit <<= 1)
        if (key->ignore & bit)
            words[ignore.count++] = text_ignore_name((enum text_ignore)bit);
    if (!usual) {
        shape->rows->key(shape, "ignore");
        shape->rows->open(shape, true, true);
        for (int i = 0; i < ignore.count; i++)
            shape->rows->text(shape, words[i], false);
        shape->rows->close(shape);
    }
    put_wrongs(shape, key->wrongs, key->wrong_count);
    shape->rows->close(shape);
}

static void put_items(struct shape *shape, const char *key, const char *const *items, int count)
{
    if (!count)
        return;
    shape_open(shape, key, true);
    for (int i = 0; i < count; i++)
        shape->rows->text(shape, items[i], false);
    shape->rows->close(shape);
}

static void put_match(struct shape *shape, const struct match_key *key)
{
    shape_open(shape, "match", false);
    for (int i = 0; i < key->lefts.count; i++)
        shape_text(shape, key->lefts.items[i], key->rights.items[key->pairs[i]]);
    shape->rows->close(shape);
    put_items(shape, "extra", key->rights.items + key->paired, key->rights.count - key->paired);
}

void shape_key(struct shape *shape, const struct question *question, enum marking_rule marking)
{
    bool many = false;
    switch (question->type) {
    case QUESTION_MULTIPLE_CHOICE:
        many = true;
        put_choices(shape, question);
        break;
    case QUESTION_SINGLE_CHOICE:
        put_choices(shape, question);
        break;
    case QUESTION_TRUE_FALSE:
        shape_word(shape, "true_false", question->key.truth ? "true" : "false");
        break;
    case QUESTION_NUMBER:
        put_number(shape, &question->key.number);
        break;
    case QUESTION_TEXT:
        put_text(shape, &question->key.text);
        break;
    case QUESTION_ORDER:
        many = true;
        put_items(shape, "order", question->key.order.items, question->key.order.count);
        break;
    case QUESTION_MATCH:
        many = true;
        put_match(shape, &question->key.match);
        break;
    case QUESTION_RECALL:
        shape_text(shape, "recall", question->key.recall);
        break;
    case QUESTION_TYPES:
        break;
    }
    if (many && question->marking != marking)
        shape_text(shape, "marking", marking_rule_name(question->marking));
}
