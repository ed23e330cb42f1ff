/* The end of a parametrised question: names, expressions and braces, and its first combination. */
#include "derive_instance.h"
#include "derive_template.h"
#include "pack_loader.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <stdio.h>
#include <string.h>

struct checking {
    struct loader *loader;
    struct question *question;
    const struct parameters *parameters;
    struct expression_names names;
    const struct place *place; /* of the question */
};

/* Where text[start..start+length) stands in the file: the place of the text itself where it is written in
 * another way there (escapes, line breaks). */
static struct place spot(const struct checking *checking, const char *text, ptrdiff_t start, ptrdiff_t length)
{
    struct source *source = checking->loader->report->source;
    const struct place *whole = loader_spot(checking->loader, text);
    struct place place = whole ? *whole : *checking->place;
    ptrdiff_t from = source ? source_offset(source, place.line, place.column) : -1;
    ptrdiff_t until = from < 0 ? -1 : source_offset(source, place.end_line, place.end_column);
    ptrdiff_t all = (ptrdiff_t)strlen(text);
    if (!whole || until < from || length <= 0)
        return place;
    const char *found = memmem(source->data + from, (size_t)(until - from), text, (size_t)all);
    if (found)
        found += start;
    else
        found = memmem(source->data + from, (size_t)(until - from), text + start, (size_t)length);
    if (!found)
        return place;
    int columns = 0;
    for (ptrdiff_t at = 0; at < length; columns++) {
        int32_t code;
        at += text_decode(text + start + at, length - at, &code);
    }
    source_place(source, found - source->data, &place.line, &place.column);
    return place_at(place.line, place.column, columns);
}

/* One expression, prepared for what follows. `place` is its place among those of the parameters. */
static void check_expression(struct checking *checking, int place, const char *expression)
{
    struct expression_fault fault;
    enum evaluation found =
        evaluator_prepare(checking->parameters->evaluator, checking->parameters, place, expression, &fault);
    if (found == EVALUATION_MEMORY)
        reader_out_of_memory(checking->loader->reader);
    if (found != EVALUATION_BAD)
        return;
    struct place where = spot(checking, expression, fault.start, fault.length);
    report_error(checking->loader->report, &where, "expression", *fault.hint ? fault.hint : NULL, "%s",
                 fault.message);
}

/* A number, or the name of one. */
static void check_answer(struct checking *checking, const char *answer)
{
    const char *names[DERIVE_NAMES];
    char quote[REPORT_QUOTE];
    double value;
    struct report *report = checking->loader->report;
    if (!answer || form_number(answer, &value))
        return;
    struct place where = spot(checking, answer, 0, (ptrdiff_t)strlen(answer));
    for (int i = 0; i < checking->names.count; i++) {
        names[i] = checking->names.items[i].name;
        if (strcmp(names[i], answer) != 0)
            continue;
        if (checking->names.items[i].text)
            report_error(report, &where, "number", tr("write the name of a number"),
                         tr("number: \"%s\" stands for texts"), answer);
        return;
    }
    const char *near = text_nearest(answer, names, checking->names.count);
    report_error(report, &where, "number",
                 near ? report_hint(report, tr("did you mean \"%s\"?"), near)
                      : tr("give the expression a name under \"derive\", and write that name"),
                 tr("number: %s is neither a number nor a name of \"given\" or \"derive\""),
                 report_quote(quote, answer, (ptrdiff_t)strlen(answer)));
}

/* What may have been meant; a name of one letter is near to any other, so then all are named. */
static const char *name_hint(const struct checking *checking, const char *name)
{
    const char *names[DERIVE_NAMES];
    char all[DERIVE_NAMES * (DERIVE_NAME + 2) + 1] = "";
    int at = 0;
    for (int i = 0; i < checking->names.count; i++) {
        names[i] = checking->names.items[i].name;
        at += snprintf(all + at, sizeof all - (size_t)at, "%s%s", i ? ", " : "", names[i]);
    }
    const char *near = strlen(name) > 1 ? text_nearest(name, names, checking->names.count) : NULL;
    if (near)
        return report_hint(checking->loader->report, tr("did you mean \"%s\"?"), near);
    return report_hint(checking->loader->report, tr("known here: %s; for a brace write {{ or }}"), all);
}

static void report_template(struct checking *checking, const char *text, enum template_fault fault,
                            const struct template_spot *at)
{
    char quote[REPORT_QUOTE], name[REPORT_QUOTE];
    struct report *report = checking->loader->report;
    struct place where = spot(checking, text, at->start, at->length);
    report_quote(quote, text + at->start, at->length);
    snprintf(name, sizeof name, "%.*s", (int)(at->name_length < 40 ? at->name_length : 40),
             text + at->name_start);
    switch (fault) {
    case TEMPLATE_NAME:
        report_error(report, &where, "braces", name_hint(checking, name), tr("there is no name \"%s\""),
                     name);
        break;
    case TEMPLATE_TEXT:
        report_error(report, &where, "braces", report_hint(report, tr("write {%s}"), name),
                     tr("\"%s\" stands for texts, which have no decimals and no groups"), name);
        break;
    case TEMPLATE_DECIMAL:
        report_error(report, &where, "braces", NULL, tr("%s: at most %d decimals"), quote, TEMPLATE_DECIMALS);
        break;
    case TEMPLATE_SINGLE:
        report_error(report, &where, "braces", tr("write }} for a brace"),
                     tr("a closing brace without an opening one"));
        break;
    case TEMPLATE_FORM:
        report_error(report, &where, "braces",
                     tr("write {name}, {name:.2f} or {name:,}; for a brace write {{ or }}"),
                     tr("%s is not how a value is put into a text"), quote);
        break;
    case TEMPLATE_FINE:
    case TEMPLATE_TOO_LONG:
        break;
    }
}

/* One report a text: what follows the first fault is often a consequence. */
static void check_text(struct checking *checking, const char *text)
{
    struct template_spot at;
    if (!text)
        return;
    enum template_fault fault = template_check(text, &checking->names, &at);
    if (fault != TEMPLATE_FINE)
        report_template(checking, text, fault, &at);
}

static void check_list(struct checking *checking, const struct text_list *list)
{
    for (int i = 0; i < list->count; i++)
        check_text(checking, list->items[i]);
}

static void check_wrongs(struct checking *checking, const struct known_wrong *wrongs, int count, bool number)
{
    double value;
    for (int i = 0; i < count; i++) {
        if (!number)
            check_text(checking, wrongs[i].value);
        else if (!form_number(wrongs[i].value, &value))
            check_expression(checking, checking->parameters->derived_count + i, wrongs[i].value);
        check_text(checking, wrongs[i].feedback);
    }
}

static void check_key(struct checking *checking)
{
    const struct question *question = checking->question;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        for (int i = 0; i < question->key.choices.count; i++) {
            check_text(checking, question->key.choices.items[i].text);
            check_text(checking, question->key.choices.items[i].feedback);
        }
        break;
    case QUESTION_NUMBER:
        check_answer(checking, question->key.number.answer);
        check_text(checking, question->key.number.unit);
        check_wrongs(checking, question->key.number.wrongs, question->key.number.wrong_count, true);
        break;
    case QUESTION_TEXT:
        check_list(checking, &question->key.text.accept);
        check_wrongs(checking, question->key.text.wrongs, question->key.text.wrong_count, false);
        break;
    case QUESTION_ORDER:
        check_list(checking, &question->key.order);
        break;
    case QUESTION_MATCH:
        check_list(checking, &question->key.match.lefts);
        check_list(checking, &question->key.match.rights);
        break;
    case QUESTION_RECALL:
        check_text(checking, question->key.recall);
        break;
    case QUESTION_TRUE_FALSE:
    case QUESTION_TYPES:
        break;
    }
}

static void check_texts(struct checking *checking)
{
    const struct question *question = checking->question;
    check_text(checking, question->prompt);
    check_text(checking, question->figure);
    check_text(checking, question->explanation);
    check_text(checking, question->explanation_figure);
    check_text(checking, question->feedback);
    check_list(checking, &question->hints);
}

/* A number's value and known wrong ones, as the first combination has them. */
static void take_numbers(struct checking *checking, const struct number_key *from)
{
    struct number_key *key = &checking->question->key.number;
    struct known_wrong *wrongs =
        loader_keep(checking->loader, key->wrongs, key->wrong_count, sizeof *key->wrongs);
    key->value = from->value;
    for (int i = 0; wrongs && i < key->wrong_count; i++)
        wrongs[i].number = from->wrongs[i].number;
    if (wrongs)
        key->wrongs = wrongs;
}

static void try_first(struct checking *checking)
{
    static const int picks[DERIVE_NAMES];
    struct question instance;
    struct instance_report report;
    struct arena arena;
    arena_init(&arena);
    bool made = instance_make(&instance, checking->question, picks, &arena, true, &report);
    const char *values = made ? "" : parameters_say(checking->parameters, picks, &arena);
    if (report.fault == INSTANCE_MEMORY || !values) {
        reader_out_of_memory(checking->loader->reader);
    } else if (made && instance.type == QUESTION_NUMBER) {
        take_numbers(checking, &instance.key.number);
    } else if (!made) {
        struct place where = spot(checking, report.subject, 0, (ptrdiff_t)strlen(report.subject));
        const char *hint = tr("the first values must do: they are shown where others can't be worked out");
        if (*values)
            report_error(checking->loader->report, &where, "first-values", hint, tr("%s, with %s"),
                         report.message, values);
        else
            report_error(checking->loader->report, &where, "first-values", hint, "%s", report.message);
    }
    arena_finish(&arena);
}

/* The parameters as the pack keeps them; NULL without memory. */
static struct parameters *keep(struct loader *loader, const struct parameter_draft *draft)
{
    struct pack_draft *owner = loader->owner;
    struct parameters parameters = {
        .items = loader_keep(loader, draft->items, draft->count, sizeof *draft->items),
        .count = draft->count,
        .rows = draft->rows,
        .derived = loader_keep(loader, draft->derived, draft->derived_count, sizeof *draft->derived),
        .derived_count = draft->derived_count,
    };
    if (!owner->pack.evaluator)
        owner->pack.evaluator = evaluator_create(false, NULL);
    parameters.evaluator = owner->pack.evaluator;
    if (!parameters.evaluator)
        reader_out_of_memory(loader->reader);
    if (!parameters.items || !parameters.derived || !parameters.evaluator)
        return NULL;
    return loader_keep(loader, &parameters, 1, sizeof parameters);
}

void parameters_check(struct loader *loader, struct question *question, struct parameter_draft *draft,
                      const struct place *place)
{
    struct checking checking = { .loader = loader, .question = question, .place = place };
    /* a name that was misread would be missed wherever it is used */
    if (!parameters_present(draft) || draft->faulty || reader_stopped(loader->reader))
        return;
    struct parameters *parameters = keep(loader, draft);
    if (!parameters)
        return;
    question->parameters = checking.parameters = parameters;
    evaluator_names(&checking.names, parameters, parameters->derived_count);
    for (int i = 0; i < parameters->derived_count; i++)
        check_expression(&checking, i, parameters->derived[i].expression);
    check_texts(&checking);
    check_key(&checking);
    if (loader->report->errors == draft->errors && !reader_stopped(loader->reader))
        try_first(&checking);
}
