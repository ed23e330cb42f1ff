#include "derive_instance.h"

#include "derive_template.h"
#include "form.h"
#include "pack_loader.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int parameters_draws(const struct parameters *parameters)
{
    return parameters->rows ? 1 : parameters->count;
}

int parameters_ways(const struct parameters *parameters, int draw)
{
    return parameters->items[draw].count; /* of rows all names have as many */
}

int64_t parameters_combinations(const struct parameters *parameters)
{
    int64_t product = 1;
    for (int i = 0; i < parameters_draws(parameters); i++)
        if (__builtin_mul_overflow(product, (int64_t)parameters_ways(parameters, i), &product))
            return INT64_MAX;
    return product;
}

struct evaluator_value instance_value(const struct parameters *parameters, int name, const int *picks)
{
    const struct parameter *parameter = &parameters->items[name];
    int pick = picks[parameters->rows ? 0 : name];
    if (!parameter->numeric)
        return (struct evaluator_value){ .text = parameter->texts[pick] };
    if (parameter->numbers)
        return (struct evaluator_value){ .number = parameter->numbers[pick] };
    return (struct evaluator_value){ .number = parameter->from + pick * parameter->step };
}

static void say_value(struct buffer *out, const struct evaluator_value *value)
{
    char number[TEMPLATE_NUMBER], quote[REPORT_QUOTE];
    template_number(number, value->number);
    buffer_text(out, value->text ? report_quote(quote, value->text, (ptrdiff_t)strlen(value->text)) : number);
}

const char *parameters_say(const struct parameters *parameters, const int *picks, struct arena *arena)
{
    struct buffer out;
    buffer_init(&out);
    for (int i = 0; i < parameters->count; i++) {
        struct evaluator_value value = instance_value(parameters, i, picks);
        buffer_print(&out, "%s%s = ", i ? ", " : "", parameters->items[i].name);
        say_value(&out, &value);
    }
    const char *text = out.failed ? NULL : arena_text(arena, buffer_get(&out), out.length);
    buffer_finish(&out);
    return text;
}

/* An instance being made. */
struct making {
    const struct parameters *parameters;
    struct expression_names names;
    struct evaluator_value values[DERIVE_NAMES];
    struct arena *arena;
    struct buffer scratch;
    struct instance_report *report;
};

static void tell(struct making *making, enum instance_fault fault, const char *subject, const char *format,
                 ...) __attribute__((format(printf, 4, 5)));

/* The first fault counts, but for memory, which always does. */
static void tell(struct making *making, enum instance_fault fault, const char *subject, const char *format,
                 ...)
{
    struct instance_report *report = making->report;
    va_list arguments;
    if (report->fault != INSTANCE_FINE && fault != INSTANCE_MEMORY)
        return;
    report->fault = fault;
    report->subject = subject;
    va_start(arguments, format);
    vsnprintf(report->message, sizeof report->message, format, arguments);
    va_end(arguments);
}

static void no_memory(struct making *making)
{
    tell(making, INSTANCE_MEMORY, NULL, "%s", tr("out of memory"));
}

static void *room(struct making *making, ptrdiff_t count, ptrdiff_t size)
{
    void *items = arena_alloc(making->arena, count * size);
    if (!items)
        no_memory(making);
    return items;
}

/* One expression; `name` is what to call it. */
static double work_out(struct making *making, int place, const char *name, const char *expression)
{
    struct expression_fault fault;
    double result = 0;
    char quote[REPORT_QUOTE];
    enum evaluation found = evaluator_work_out(making->parameters->evaluator, making->parameters, place,
                                               expression, making->values, &result, &fault);
    if (found == EVALUATION_FINE)
        return result;
    if (!name)
        name = report_quote(quote, expression, (ptrdiff_t)strlen(expression));
    if (found == EVALUATION_MEMORY)
        no_memory(making);
    else if (found == EVALUATION_BAD)
        tell(making, INSTANCE_FAILS, expression, "%s: %s", name, fault.message);
    else if (found == EVALUATION_NOTHING)
        tell(making, INSTANCE_FAILS, expression, tr("%s: no number comes out"), name);
    else if (found == EVALUATION_INFINITE)
        tell(making, INSTANCE_FAILS, expression, tr("%s: what comes out is too large"), name);
    else
        tell(making, INSTANCE_FAILS, expression, tr("%s: it takes too many steps"), name);
    return 0;
}

static void work_out_all(struct making *making, const int *picks)
{
    const struct parameters *parameters = making->parameters;
    evaluator_names(&making->names, parameters, parameters->derived_count);
    for (int i = 0; i < parameters->count; i++)
        making->values[i] = instance_value(parameters, i, picks);
    for (int i = 0; i < parameters->derived_count; i++) {
        const struct derived *derived = &parameters->derived[i];
        struct evaluator_value value = { .number = work_out(making, i, derived->name, derived->expression) };
        making->values[parameters->count + i] = value;
    }
}

/* A text with its values; the same pointer where it has no braces. */
static const char *put(struct making *making, const char *text)
{
    if (!text || !text[strcspn(text, "{}")] || making->report->fault == INSTANCE_MEMORY)
        return text;
    buffer_clear(&making->scratch);
    if (template_fill(&making->scratch, text, &making->names, making->values) == TEMPLATE_TOO_LONG)
        tell(making, INSTANCE_FAILS, text, tr("with its values a text has more than %d bytes"), PACK_TEXT);
    const char *filled = making->scratch.failed ? NULL
                                                : arena_text(making->arena, buffer_get(&making->scratch),
                                                             making->scratch.length);
    if (!filled)
        no_memory(making);
    return filled ? filled : text;
}

static struct text_list put_list(struct making *making, const struct text_list *list)
{
    const char **items = room(making, list->count, sizeof *items);
    if (!items)
        return *list;
    for (int i = 0; i < list->count; i++)
        items[i] = put(making, list->items[i]);
    return (struct text_list){ items, list->count };
}

/* No two of a list may come out the same; `what` is N_(), with %s. */
static void need_different(struct making *making, const struct text_list *list, const struct text_list *from,
                           const char *what)
{
    char quote[REPORT_QUOTE];
    for (int i = 1; i < list->count; i++)
        for (int k = 0; k < i && making->report->fault == INSTANCE_FINE; k++)
            if (form_same(list->items[i], list->items[k]))
                tell(making, INSTANCE_SAME, from->items[i], "%s: %s", tr(what),
                     report_quote(quote, list->items[i], (ptrdiff_t)strlen(list->items[i])));
}

static void make_choices(struct making *making, struct question *instance, bool texts)
{
    const char *old[PACK_CHOICES], *new[PACK_CHOICES];
    int count = instance->key.choices.count;
    struct choice *items = room(making, count, sizeof *items);
    for (int i = 0; items && i < count; i++) {
        items[i] = instance->key.choices.items[i];
        old[i] = items[i].text;
        new[i] = items[i].text = put(making, items[i].text);
        if (texts)
            items[i].feedback = put(making, items[i].feedback);
    }
    if (!items)
        return;
    instance->key.choices.items = items;
    need_different(making, &(struct text_list){ new, count }, &(struct text_list){ old, count },
                   N_("two choices come out the same"));
}

/* The known wrong ones of a number (worked out) or of a text (their values put in). */
static const struct known_wrong *make_wrongs(struct making *making, const struct known_wrong *from, int count,
                                             bool number, bool texts)
{
    struct known_wrong *items = room(making, count, sizeof *items);
    for (int i = 0; items && i < count; i++) {
        items[i] = from[i];
        if (number && !form_number(from[i].value, &items[i].number))
            items[i].number = work_out(making, making->parameters->derived_count + i, NULL, from[i].value);
        else if (!number)
            items[i].value = put(making, from[i].value);
        if (texts)
            items[i].feedback = put(making, from[i].feedback);
    }
    return items ? items : from;
}

static void make_number(struct making *making, struct question *instance, bool texts)
{
    struct number_key *key = &instance->key.number;
    const struct known_wrong *origin = key->wrongs;
    char number[TEMPLATE_NUMBER], quote[REPORT_QUOTE];
    if (!form_number(key->answer, &key->value))
        for (int i = 0; i < making->names.count; i++)
            if (strcmp(making->names.items[i].name, key->answer) == 0)
                key->value = making->values[i].number;
    template_number(number, key->value);
    if (texts) {
        key->answer = arena_text(making->arena, number, (ptrdiff_t)strlen(number));
        const char *unit = key->unit;
        key->unit = put(making, unit);
        if (unit && strchr(key->unit, '\n'))
            tell(making, INSTANCE_FAILS, unit, tr("with its values the unit has several lines"));
        if (!key->answer)
            no_memory(making);
    }
    key->wrongs = make_wrongs(making, origin, key->wrong_count, true, texts);
    for (int i = 0; i < key->wrong_count && making->report->fault == INSTANCE_FINE; i++)
        if (number_key_accepts(key, key->wrongs[i].number)) {
            char wrong[TEMPLATE_NUMBER];
            template_number(wrong, key->wrongs[i].number);
            tell(making, INSTANCE_WRONG, origin[i].value,
                 tr("the wrong value %s comes to %s, which is right, since the answer is %s"),
                 report_quote(quote, origin[i].value, (ptrdiff_t)strlen(origin[i].value)), wrong, number);
        }
}

/* What is given as a response, or stands for one: as short as where it is written out. */
static void need_short(struct making *making, const char *text, const char *from)
{
    if (strlen(text) > PACK_RESPONSE)
        tell(making, INSTANCE_FAILS, from, tr("with its values a response has more than %d bytes"),
             PACK_RESPONSE);
}

enum { COMPARED = 100 }; /* typed answers with each other, as when they are loaded */

static void make_text(struct making *making, struct question *instance, bool texts)
{
    struct text_key *key = &instance->key.text;
    const struct known_wrong *origin = key->wrongs;
    char quote[REPORT_QUOTE];
    struct text_list accept = put_list(making, &key->accept);
    for (int i = 0; i < accept.count; i++)
        need_short(making, accept.items[i], key->accept.items[i]);
    key->accept = accept;
    key->wrongs = make_wrongs(making, origin, key->wrong_count, false, texts);
    for (int i = 0; i < key->wrong_count; i++)
        need_short(making, key->wrongs[i].value, origin[i].value);
    for (int i = 0; i < key->accept.count && i < COMPARED; i++)
        for (int k = 0; k < key->wrong_count && k < COMPARED; k++)
            if (form_same(key->accept.items[i], key->wrongs[k].value))
                tell(making, INSTANCE_WRONG, origin[k].value, tr("%s comes out both accepted and wrong"),
                     report_quote(quote, key->accept.items[i], (ptrdiff_t)strlen(key->accept.items[i])));
}

static void make_match(struct making *making, struct question *instance)
{
    struct match_key *key = &instance->key.match;
    struct text_list lefts = put_list(making, &key->lefts), rights = put_list(making, &key->rights);
    for (int i = 0; i < lefts.count; i++)
        need_short(making, lefts.items[i], key->lefts.items[i]);
    need_different(making, &lefts, &key->lefts, N_("two left texts come out the same"));
    need_different(making, &rights, &key->rights, N_("two right texts come out the same"));
    key->lefts = lefts;
    key->rights = rights;
}

static void make_key(struct making *making, struct question *instance, bool texts)
{
    struct text_list items;
    switch (instance->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        make_choices(making, instance, texts);
        break;
    case QUESTION_NUMBER:
        make_number(making, instance, texts);
        break;
    case QUESTION_TEXT:
        make_text(making, instance, texts);
        break;
    case QUESTION_ORDER:
        items = put_list(making, &instance->key.order);
        need_different(making, &items, &instance->key.order, N_("two items come out the same"));
        instance->key.order = items;
        break;
    case QUESTION_MATCH:
        make_match(making, instance);
        break;
    case QUESTION_RECALL:
        instance->key.recall = put(making, instance->key.recall);
        break;
    case QUESTION_TRUE_FALSE:
    case QUESTION_TYPES:
        break;
    }
}

static void make_texts(struct making *making, struct question *instance)
{
    instance->prompt = put(making, instance->prompt);
    instance->figure = put(making, instance->figure);
    instance->explanation = put(making, instance->explanation);
    instance->explanation_figure = put(making, instance->explanation_figure);
    instance->feedback = put(making, instance->feedback);
    instance->hints = put_list(making, &instance->hints);
}

static void write_given(struct making *making, struct json *json)
{
    const struct parameters *parameters = making->parameters;
    int order[DERIVE_NAMES];
    char number[TEMPLATE_NUMBER];
    for (int i = 0; i < parameters->count; i++) {
        int at = i;
        for (; at > 0 && strcmp(parameters->items[order[at - 1]].name, parameters->items[i].name) > 0; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    json_open(json, '{');
    for (int i = 0; i < parameters->count; i++) {
        const struct evaluator_value *value = &making->values[order[i]];
        json_key(json, parameters->items[order[i]].name);
        if (value->text) {
            json_text(json, value->text);
        } else {
            template_number(number, value->number); /* as it is shown: 0.3, not 0.30000000000000004 */
            json_number(json, strtod(number, NULL));
        }
    }
    json_close(json, '}');
}

static const char *make_given(struct making *making)
{
    struct json json;
    buffer_clear(&making->scratch);
    json_init(&json, &making->scratch);
    write_given(making, &json);
    const char *given = making->scratch.failed
                            ? NULL
                            : arena_text(making->arena, buffer_get(&making->scratch), making->scratch.length);
    if (!given)
        no_memory(making);
    return given;
}

bool instance_make(struct question *instance, const struct question *question, const int *picks,
                   struct arena *arena, bool texts, struct instance_report *report)
{
    struct making making = { .parameters = question->parameters, .arena = arena, .report = report };
    *report = (struct instance_report){ .fault = INSTANCE_FINE };
    *instance = *question;
    instance->origin = question;
    buffer_init(&making.scratch);
    work_out_all(&making, picks);
    if (report->fault == INSTANCE_FINE)
        make_key(&making, instance, texts);
    if (texts && report->fault == INSTANCE_FINE) {
        make_texts(&making, instance);
        instance->given = make_given(&making);
    }
    buffer_finish(&making.scratch);
    return report->fault == INSTANCE_FINE;
}

bool question_instantiate(struct question *instance, const struct question *question, const int *picks,
                          struct arena *arena, struct error *error)
{
    struct instance_report report;
    if (instance_make(instance, question, picks, arena, true, &report))
        return true;
    const char *values =
        report.fault == INSTANCE_MEMORY ? NULL : parameters_say(question->parameters, picks, arena);
    if (!values)
        return error_memory(error);
    if (!*values)
        return error_set(error, ERROR_INPUT, "%s: %s", question->id, report.message);
    return error_set(error, ERROR_INPUT, tr("%s: %s, with %s"), question->id, report.message, values);
}
