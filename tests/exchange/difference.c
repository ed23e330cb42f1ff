/* Two packs compared by hand, field by field: what is equal here is equal to everyone who reads a pack. */
#include "generate.h"

#include <quiztutor/buffer.h>
#include <quiztutor/markup.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static char told[2000];

static bool tell(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Keeps what differs first. False, so that comparisons read well. */
static bool tell(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!*told)
        vsnprintf(told, sizeof told, format, arguments);
    va_end(arguments);
    return false;
}

static bool text(const char *what, const char *one, const char *other)
{
    if (!one && !other)
        return true;
    if (one && other && strcmp(one, other) == 0)
        return true;
    return tell("%s: \"%s\" / \"%s\"", what, one ? one : "(none)", other ? other : "(none)");
}

static bool one_marked, other_marked; /* the packs are in light markup */

/* Texts that may carry light markup are equal where they are shown alike. */
static bool shown(const char *what, const char *one, const char *other)
{
    struct buffer a, b;
    if ((!one_marked && !other_marked) || !one || !other || strcmp(one, other) == 0)
        return text(what, one, other);
    buffer_init(&a);
    buffer_init(&b);
    if (one_marked)
        markup_render(&a, one, true);
    else
        buffer_text(&a, one);
    if (other_marked)
        markup_render(&b, other, true);
    else
        buffer_text(&b, other);
    bool same = strcmp(buffer_get(&a), buffer_get(&b)) == 0 || text(what, one, other);
    buffer_finish(&a);
    buffer_finish(&b);
    return same;
}

static bool number(const char *what, double one, double other)
{
    return one == other || tell("%s: %.17g / %.17g", what, one, other);
}

static bool texts(const char *what, const struct text_list *one, const struct text_list *other)
{
    if (!number(what, one->count, other->count))
        return false;
    for (int i = 0; i < one->count; i++)
        if (!text(what, one->items[i], other->items[i]))
            return false;
    return true;
}

static bool hints(const struct text_list *one, const struct text_list *other)
{
    if (!number("hints", one->count, other->count))
        return false;
    for (int i = 0; i < one->count; i++)
        if (!shown("hint", one->items[i], other->items[i]))
            return false;
    return true;
}

static bool choices(const struct question *one, const struct question *other, unsigned parts)
{
    int count = one->key.choices.count;
    if (!number("choices", count, other->key.choices.count) ||
        !number("right choices", one->key.choices.correct, other->key.choices.correct))
        return false;
    for (int i = 0; i < count; i++) {
        const struct choice *a = &one->key.choices.items[i], *b = &other->key.choices.items[i];
        unsigned feedback = a->correct ? GENERATE_RIGHT_FEEDBACK : GENERATE_FEEDBACK;
        if (!shown("choice", a->text, b->text) || !number("correct", a->correct, b->correct) ||
            ((parts & feedback) && !shown("feedback of a choice", a->feedback, b->feedback)) ||
            ((parts & GENERATE_MISCONCEPTIONS) &&
             !text("misconception of a choice", a->misconception, b->misconception)) ||
            ((parts & GENERATE_CHOICE_IDS) && !text("id of a choice", a->id, b->id)) ||
            ((parts & GENERATE_PINS) && !number("pin", a->pin, b->pin)))
            return false;
    }
    return true;
}

static bool wrongs(const struct known_wrong *one, int one_count, const struct known_wrong *other,
                   int other_count, unsigned parts)
{
    if (!(parts & GENERATE_FEEDBACK))
        return true;
    if (!number("known wrong responses", one_count, other_count))
        return false;
    for (int i = 0; i < one_count; i++)
        if (!text("wrong value", one[i].value, other[i].value) ||
            !shown("feedback", one[i].feedback, other[i].feedback) ||
            ((parts & GENERATE_MISCONCEPTIONS) &&
             !text("misconception", one[i].misconception, other[i].misconception)))
            return false;
    return true;
}

static bool numbers(const struct number_key *one, const struct number_key *other, bool parametrised,
                    unsigned parts)
{
    if (!text("answer", one->answer, other->answer) ||
        (!parametrised && !number("value", one->value, other->value)))
        return false;
    if ((parts & (GENERATE_TOLERANCE | GENERATE_RELATIVE)) &&
        (!number("tolerance", one->tolerance, other->tolerance) ||
         !number("relative", one->relative, other->relative)))
        return false;
    if ((parts & GENERATE_UNIT) && (!text("unit", one->unit, other->unit) ||
                                    !number("figures", one->significant_figures, other->significant_figures)))
        return false;
    return wrongs(one->wrongs, one->wrong_count, other->wrongs, other->wrong_count, parts);
}

static bool matches(const struct match_key *one, const struct match_key *other, unsigned parts)
{
    if (!texts("left texts", &one->lefts, &other->lefts) ||
        !number("right texts in pairs", one->paired, other->paired))
        return false;
    struct text_list a = one->rights, b = other->rights;
    if (!(parts & GENERATE_EXTRA))
        a.count = b.count = one->paired;
    if (!texts("right texts", &a, &b))
        return false;
    for (int i = 0; i < one->lefts.count; i++)
        if (!number("pair", one->pairs[i], other->pairs[i]))
            return false;
    return true;
}

static bool keys(const struct question *one, const struct question *other, unsigned parts)
{
    switch (one->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        return choices(one, other, parts);
    case QUESTION_TRUE_FALSE:
        return number("true_false", one->key.truth, other->key.truth);
    case QUESTION_NUMBER:
        return numbers(&one->key.number, &other->key.number, one->parameters != NULL, parts);
    case QUESTION_TEXT:
        return texts("accept", &one->key.text.accept, &other->key.text.accept) &&
               (!(parts & GENERATE_IGNORE) ||
                number("ignore", one->key.text.ignore, other->key.text.ignore)) &&
               wrongs(one->key.text.wrongs, one->key.text.wrong_count, other->key.text.wrongs,
                      other->key.text.wrong_count, parts);
    case QUESTION_ORDER:
        return texts("order", &one->key.order, &other->key.order);
    case QUESTION_MATCH:
        return matches(&one->key.match, &other->key.match, parts);
    case QUESTION_RECALL:
        return text("recall", one->key.recall, other->key.recall);
    case QUESTION_TYPES:
        break;
    }
    return tell("no such type");
}

static bool parameters(const struct parameters *one, const struct parameters *other)
{
    if (!one && !other)
        return true;
    if (!one || !other)
        return tell("parameters");
    if (!number("names", one->count, other->count) || !number("rows", one->rows, other->rows) ||
        !number("derived", one->derived_count, other->derived_count))
        return false;
    for (int i = 0; i < one->count; i++) {
        const struct parameter *a = &one->items[i], *b = &other->items[i];
        if (!text("name", a->name, b->name) || !number("numeric", a->numeric, b->numeric) ||
            !number("values", a->count, b->count) || !number("list", a->texts != NULL, b->texts != NULL) ||
            !number("from", a->from, b->from) || !number("step", a->step, b->step))
            return false;
        for (int k = 0; a->texts && k < a->count; k++)
            if (!text("value", a->texts[k], b->texts[k]))
                return false;
    }
    for (int i = 0; i < one->derived_count; i++)
        if (!text("derived name", one->derived[i].name, other->derived[i].name) ||
            !text("expression", one->derived[i].expression, other->derived[i].expression))
            return false;
    return true;
}

static bool questions(const struct question *one, const struct question *other, unsigned parts)
{
    return number("type", one->type, other->type) && text("id", one->id, other->id) &&
           shown("prompt", one->prompt, other->prompt) &&
           shown("explanation", one->explanation, other->explanation) &&
           (!(parts & GENERATE_FIGURES) ||
            (text("figure", one->figure, other->figure) &&
             text("explanation_figure", one->explanation_figure, other->explanation_figure))) &&
           (!(parts & GENERATE_SOURCE) || text("source", one->source, other->source)) &&
           (!(parts & GENERATE_QUESTION_FEEDBACK) || shown("feedback", one->feedback, other->feedback)) &&
           (!(parts & GENERATE_MISCONCEPTIONS) ||
            text("misconception", one->misconception, other->misconception)) &&
           (!(parts & GENERATE_HINTS) || hints(&one->hints, &other->hints)) &&
           (!(parts & GENERATE_TAGS) || texts("tags", &one->tags, &other->tags)) &&
           (!(parts & GENERATE_MARKS) || number("marks", one->marks, other->marks)) &&
           (!(parts & (GENERATE_MARKING | GENERATE_NET_CORRECT)) ||
            number("marking", one->marking, other->marking)) &&
           (!(parts & GENERATE_SHUFFLE) || number("shuffle", one->shuffle, other->shuffle)) &&
           (!(parts & GENERATE_SECTIONS) || number("section", one->section, other->section)) &&
           (!(parts & GENERATE_PARAMETERS) || parameters(one->parameters, other->parameters)) &&
           keys(one, other, parts);
}

static bool sections(const struct pack *one, const struct pack *other, unsigned parts)
{
    if (!(parts & GENERATE_SECTIONS))
        return true;
    if (!number("sections", one->section_count, other->section_count))
        return false;
    for (int i = 0; i < one->section_count; i++) {
        const struct section *a = &one->sections[i], *b = &other->sections[i];
        if (!text("section", a->title, b->title) || !number("first", a->first, b->first) ||
            !number("count", a->count, b->count))
            return false;
        if ((parts & GENERATE_INTRO) &&
            (!shown("intro", a->intro, b->intro) || !number("pick", a->pick, b->pick) ||
             !text("figure", a->intro_figure, b->intro_figure)))
            return false;
    }
    return true;
}

static bool heads(const struct pack *one, const struct pack *other, unsigned parts)
{
    if (!(parts & GENERATE_HEAD))
        return true;
    return text("id", one->id, other->id) && text("title", one->title, other->title) &&
           text("strapline", one->strapline, other->strapline) &&
           text("subject", one->subject, other->subject) && text("topic", one->topic, other->topic) &&
           text("ages", one->ages, other->ages) && text("language", one->language, other->language) &&
           texts("authors", &one->authors, &other->authors) &&
           texts("licence", &one->licence, &other->licence) &&
           texts("source", &one->source, &other->source) &&
           text("publisher", one->publisher_name, other->publisher_name) &&
           text("site", one->publisher_site, other->publisher_site) &&
           text("key_reader", one->key_reader, other->key_reader) &&
           text("description", one->description, other->description) &&
           number("markup", one->markup, other->markup) && number("shuffle", one->shuffle, other->shuffle) &&
           number("marking", one->marking, other->marking) &&
           number("minutes", one->exam_minutes, other->exam_minutes) &&
           number("pass", one->exam_pass, other->exam_pass);
}

const char *generate_difference(const struct pack *one, const struct pack *other, unsigned parts)
{
    *told = '\0';
    one_marked = one->markup;
    other_marked = other->markup;
    bool same = heads(one, other, parts) && sections(one, other, parts) &&
                number("questions", one->question_count, other->question_count);
    for (int i = 0; same && i < one->question_count; i++)
        if (!questions(&one->questions[i], &other->questions[i], parts)) {
            char first[sizeof told];
            memcpy(first, told, sizeof first);
            snprintf(told, sizeof told, "question %.40s: %.1800s", one->questions[i].id, first);
            same = false;
        }
    return same ? NULL : told;
}
