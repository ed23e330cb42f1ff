#include "shape.h"

#include <quiztutor/derive.h>
#include <quiztutor/number.h>

#include <stdio.h>
#include <string.h>

void shape_text(struct shape *shape, const char *key, const char *text)
{
    if (!text)
        return;
    shape->rows->key(shape, key);
    shape->rows->text(shape, text, false);
}

void shape_figure(struct shape *shape, const char *key, const char *text)
{
    if (!text)
        return;
    shape->rows->key(shape, key);
    shape->rows->text(shape, text, true);
}

void shape_word(struct shape *shape, const char *key, const char *word)
{
    shape->rows->key(shape, key);
    shape->rows->word(shape, word);
}

void shape_number(struct shape *shape, const char *key, double number)
{
    char digits[NUMBER_PLAIN];
    number_plain(digits, number);
    shape_word(shape, key, digits);
}

void shape_open(struct shape *shape, const char *key, bool list)
{
    shape->rows->key(shape, key);
    shape->rows->open(shape, list, false);
}

/* Words that stand together in one line. */
static bool is_short(const struct text_list *list)
{
    ptrdiff_t all = 0;
    for (int i = 0; i < list->count; i++) {
        const char *at = list->items[i];
        bool letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z');
        for (; letter && *at; at++)
            letter = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || (*at >= '0' && *at <= '9') ||
                     *at == '-' || (*at == ' ' && at[1] != ' ');
        if (!letter)
            return false;
        all += at - list->items[i] + 2;
    }
    return all < 80;
}

static void put_list(struct shape *shape, const char *key, const struct text_list *list)
{
    shape->rows->key(shape, key);
    shape->rows->open(shape, true, is_short(list));
    for (int i = 0; i < list->count; i++)
        shape->rows->text(shape, list->items[i], false);
    shape->rows->close(shape);
}

void shape_list(struct shape *shape, const char *key, const struct text_list *list)
{
    if (list->count == 1)
        shape_text(shape, key, list->items[0]);
    else if (list->count > 1)
        put_list(shape, key, list);
}

/* ---- parameters ---- */

static void put_values(struct shape *shape, const struct parameter *parameter)
{
    shape->rows->key(shape, parameter->name);
    if (!parameter->texts) {
        shape->rows->open(shape, false, true);
        shape_number(shape, "from", parameter->from);
        shape_number(shape, "to", parameter->from + (parameter->count - 1) * parameter->step);
        shape_number(shape, "step", parameter->step);
        shape->rows->close(shape);
        return;
    }
    shape->rows->open(shape, true, parameter->numeric);
    for (int i = 0; i < parameter->count; i++)
        shape->rows->text(shape, parameter->texts[i], false);
    shape->rows->close(shape);
}

static void put_rows(struct shape *shape, const struct parameters *parameters)
{
    shape_open(shape, "rows", true);
    for (int row = 0; row < parameters->items[0].count; row++) {
        shape->rows->open(shape, false, false);
        for (int i = 0; i < parameters->count; i++)
            shape_text(shape, parameters->items[i].name, parameters->items[i].texts[row]);
        shape->rows->close(shape);
    }
    shape->rows->close(shape);
}

static void put_parameters(struct shape *shape, const struct parameters *parameters)
{
    shape_open(shape, "given", false);
    if (parameters->rows)
        put_rows(shape, parameters);
    for (int i = 0; i < parameters->count && !parameters->rows; i++)
        put_values(shape, &parameters->items[i]);
    shape->rows->close(shape);
    if (!parameters->derived_count)
        return;
    shape_open(shape, "derive", false);
    for (int i = 0; i < parameters->derived_count; i++)
        shape_text(shape, parameters->derived[i].name, parameters->derived[i].expression);
    shape->rows->close(shape);
}

/* ---- questions ---- */

static void put_question(struct shape *shape, const struct pack *pack, const struct question *question)
{
    shape->rows->open(shape, false, false);
    shape_text(shape, "id", question->id);
    if (question->parameters)
        put_parameters(shape, question->parameters);
    shape_text(shape, "prompt", question->prompt);
    shape_figure(shape, "figure", question->figure);
    shape_key(shape, question, pack->marking == MARKING_DEFAULT ? MARKING_ALL_OR_NOTHING : pack->marking);
    shape_text(shape, "feedback", question->feedback);
    shape_text(shape, "misconception", question->misconception);
    shape_list(shape, "hint", &question->hints);
    shape_text(shape, "explanation", question->explanation);
    shape_figure(shape, "explanation_figure", question->explanation_figure);
    if (question->tags.count)
        put_list(shape, "tags", &question->tags);
    if (question->marks != 1)
        shape_number(shape, "marks", question->marks);
    if (!question->shuffle && pack->shuffle != SHUFFLE_NONE)
        shape_word(shape, "shuffle", "false");
    shape_text(shape, "source", question->source);
    shape->rows->close(shape);
}

static void put_questions(struct shape *shape, const struct pack *pack, int first, int count)
{
    shape_open(shape, "questions", true);
    for (int i = first; i < first + count; i++)
        put_question(shape, pack, &pack->questions[i]);
    shape->rows->close(shape);
}

static void put_sections(struct shape *shape, const struct pack *pack)
{
    shape_open(shape, "sections", true);
    for (int i = 0; i < pack->section_count; i++) {
        const struct section *section = &pack->sections[i];
        shape->rows->open(shape, false, false);
        shape_text(shape, "title", section->title);
        shape_text(shape, "intro", section->intro);
        shape_figure(shape, "figure", section->intro_figure);
        if (section->pick != section->count)
            shape_number(shape, "pick", section->pick);
        put_questions(shape, pack, section->first, section->count);
        shape->rows->close(shape);
    }
    shape->rows->close(shape);
}

/* ---- the head ---- */

static void put_head(struct shape *shape, const struct pack *pack)
{
    static const char *const shuffles[] = { "all", "choices", "none" };
    shape_text(shape, "format", "quiztutor/1");
    shape_text(shape, "id", pack->id);
    shape_text(shape, "title", pack->title);
    shape_text(shape, "strapline", pack->strapline);
    shape_text(shape, "subject", pack->subject);
    shape_text(shape, "topic", pack->topic);
    shape_text(shape, "ages", pack->ages);
    if (pack->language && strcmp(pack->language, "en") != 0)
        shape_text(shape, "language", pack->language);
    shape_list(shape, "authors", &pack->authors);
    shape_list(shape, "licence", &pack->licence);
    shape_list(shape, "source", &pack->source);
    if (pack->publisher_name || pack->publisher_site) {
        shape_open(shape, "publisher", false);
        shape_text(shape, "name", pack->publisher_name);
        shape_text(shape, "site", pack->publisher_site);
        shape->rows->close(shape);
    }
    if (pack->key_reader && strcmp(pack->key_reader, "tutors") != 0)
        shape_text(shape, "key_reader", pack->key_reader);
    shape_text(shape, "description", pack->description);
    if (pack->markup)
        shape_text(shape, "markup", "light");
    if (pack->shuffle != SHUFFLE_ALL)
        shape_text(shape, "shuffle", shuffles[pack->shuffle]);
    if (pack->marking != MARKING_DEFAULT)
        shape_text(shape, "marking", marking_rule_name(pack->marking));
    if (pack->exam_minutes > 0 || pack->exam_pass > 0) {
        shape_open(shape, "exam", false);
        if (pack->exam_minutes > 0)
            shape_number(shape, "minutes", pack->exam_minutes);
        if (pack->exam_pass > 0)
            shape_number(shape, "pass", pack->exam_pass);
        shape->rows->close(shape);
    }
}

void shape_pack(struct shape *shape, const struct pack *pack)
{
    shape->rows->open(shape, false, false);
    put_head(shape, pack);
    if (pack->section_count)
        put_sections(shape, pack);
    else
        put_questions(shape, pack, 0, pack->question_count);
    shape->rows->close(shape);
}
