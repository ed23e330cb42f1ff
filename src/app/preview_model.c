/* Questions with their keys, and faults of a file, as view models for authors. */
#include "presenter_private.h"

#include <quiztutor/message.h>
#include <quiztutor/preview.h>

#include <limits.h>
#include <stdio.h>
#include <string.h>

/* ---- faults and warnings ---- */

/* The source line as it can be shown, and the column of the caret under it. */
static const char *present_source(struct arena *arena, const struct diagnostic *diagnostic, int *caret)
{
    struct buffer shown;
    const char *at = diagnostic->source, *end = at + strlen(at), *kept = NULL;
    int column = diagnostic->source_column > 0 ? diagnostic->source_column : 1;
    buffer_init(&shown);
    *caret = -1;
    for (int32_t code; at < end; column++) {
        int bytes = text_decode(at, end - at, &code);
        if (column == diagnostic->column)
            *caret = text_columns(buffer_get(&shown));
        if (code == '\t')
            buffer_char(&shown, ' ');
        else
            text_visible(&shown, at, bytes);
        at += bytes;
    }
    if (*caret < 0)
        *caret = text_columns(buffer_get(&shown));
    if (!shown.failed)
        kept = arena_text(arena, buffer_get(&shown), shown.length);
    buffer_finish(&shown);
    return kept;
}

static const char *present_copy(struct arena *arena, const char *text)
{
    return text ? arena_text(arena, text, (ptrdiff_t)strlen(text)) : NULL;
}

static bool present_fault(struct arena *arena, struct preview_fault *fault,
                          const struct diagnostic *diagnostic)
{
    fault->place = arena_print(arena, tr("line %d, column %d"), diagnostic->line, diagnostic->column);
    fault->message = arena_print(arena, "%s [%s]", diagnostic->message, diagnostic->rule);
    fault->hint = present_copy(arena, diagnostic->hint);
    if (diagnostic->source && *diagnostic->source)
        fault->source = present_source(arena, diagnostic, &fault->column);
    return fault->place && fault->message && (fault->hint || !diagnostic->hint) &&
           (fault->source || !diagnostic->source || !*diagnostic->source);
}

/* Those of one severity in the lines from … below `end`. */
static bool present_faults(struct arena *arena, const struct diagnostics *list, enum severity severity,
                           int from, int end, const struct preview_fault **faults, int *count)
{
    struct preview_fault *kept = arena_alloc(arena, (list->count + 1) * (ptrdiff_t)sizeof *kept);
    *count = 0;
    if (!kept)
        return false;
    for (ptrdiff_t i = 0; i < list->count; i++) {
        const struct diagnostic *diagnostic = &list->items[i];
        if (diagnostic->severity != severity || diagnostic->line < from || diagnostic->line >= end)
            continue;
        if (!present_fault(arena, &kept[(*count)++], diagnostic))
            return false;
    }
    *faults = kept;
    return true;
}

bool preview_faults(struct preview_model *model, struct arena *arena, const struct diagnostics *list,
                    const struct error *error)
{
    if (list->errors) {
        model->faults_more = list->errors_left_out;
        return present_faults(arena, list, SEVERITY_ERROR, 0, INT_MAX, &model->faults, &model->fault_count);
    }
    struct preview_fault *fault = arena_alloc(arena, sizeof *fault);
    struct buffer message;
    if (!fault)
        return false;
    buffer_init(&message);
    text_visible(&message, error->message, (ptrdiff_t)strlen(error->message));
    fault->message = message.failed ? NULL : arena_text(arena, buffer_get(&message), message.length);
    buffer_finish(&message);
    model->faults = fault;
    model->fault_count = 1;
    return fault->message != NULL;
}

/* ---- a question ---- */

static void add_fact(struct buffer *facts, const char *text)
{
    buffer_print(facts, "%s%s", facts->length ? "; " : "", text);
}

/* What else is said of a question, in one line. */
static const char *present_facts(struct arena *arena, const struct pack *pack,
                                 const struct question *question)
{
    struct buffer facts;
    char marks[TEXT_NUMBER], part[80];
    const char *kept = NULL;
    buffer_init(&facts);
    buffer_print(&facts, tr("%s, line %d"), question->id, question->line);
    if (question->marks < 1 || question->marks > 1) {
        text_number(marks, question->marks);
        snprintf(part, sizeof part, tr("%s marks"), marks);
        add_fact(&facts, part);
    }
    if (question->type == QUESTION_MULTIPLE_CHOICE)
        add_fact(&facts, marking_rule_name(question->marking));
    if (!question->shuffle && pack->shuffle != SHUFFLE_NONE && question->type != QUESTION_TRUE_FALSE)
        add_fact(&facts, tr("choices keep their order"));
    for (int i = 0; i < question->tags.count; i++) {
        if (i == 0)
            add_fact(&facts, tr("tags: "));
        buffer_print(&facts, "%s%s", i ? ", " : "", question->tags.items[i]);
    }
    if (!facts.failed)
        kept = arena_text(arena, buffer_get(&facts), facts.length);
    buffer_finish(&facts);
    return kept;
}

/* What is told of each choice. */
static void present_key(struct preview_model *model, const struct question *question)
{
    static const char *const pins[] = {
        [PIN_NONE] = NULL, [PIN_FIRST] = N_("first"), [PIN_LAST] = N_("last")
    };
    for (int i = 0; question->type != QUESTION_TRUE_FALSE && i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        model->feedback[i] = choice->feedback;
        model->misconception[i] = choice->misconception;
        model->pin[i] = pins[choice->pin] ? tr(pins[choice->pin]) : NULL;
    }
    model->wrong_feedback = question->feedback;
    model->wrong_misconception = question->misconception;
}

/* The lines that belong to a question: up to the next one; those before the first are its. */
static bool present_warnings(struct preview_model *model, struct arena *arena, const struct pack *pack,
                             int place, const struct diagnostics *list)
{
    int from = place ? pack->questions[place].line : 0;
    int end = place + 1 < pack->question_count ? pack->questions[place + 1].line : INT_MAX;
    return present_faults(arena, list, SEVERITY_WARNING, from, end, &model->warnings, &model->warning_count);
}

bool preview_question(struct preview_model *model, struct arena *arena, const struct pack *pack, int place,
                      const struct diagnostics *list)
{
    const struct question *question = &pack->questions[place];
    const struct section *section = question->section ? &pack->sections[question->section - 1] : NULL;
    struct showing showing;
    showing_init(&showing, pack, question, 1, arena); /* seed 1: the author's order */
    *model = (struct preview_model){
        .file = pack->path,
        .question = { .pack = pack->id,
                      .pack_title = pack->title,
                      .question = question->id,
                      .type = question_type_name(question->type),
                      .number = place + 1,
                      .of = pack->question_count,
                      .prompt = question->prompt,
                      .figure = question->figure,
                      .choice_count = showing.count,
                      .many = question->type == QUESTION_MULTIPLE_CHOICE,
                      .truth = question->type == QUESTION_TRUE_FALSE,
                      .hint_count = question->hints.count,
                      .hints = question->hints.items,
                      .section = section ? section->title : NULL,
                      .intro = section ? section->intro : NULL,
                      .intro_figure = section ? section->intro_figure : NULL },
        .explanation = question->explanation,
        .explanation_figure = question->explanation_figure,
        .source = question->source,
        .facts = present_facts(arena, pack, question),
    };
    const char **answers = arena_alloc(arena, (showing.count + 1) * (ptrdiff_t)sizeof *answers);
    if (!answers)
        return false;
    model->answer = answers;
    for (int i = 0; i < showing.count; i++) {
        model->question.choices[i] = present_choice(&showing, i);
        model->right[i] = present_choice_right(&showing, i);
        if (model->right[i])
            answers[model->answer_count++] = present_choice(&showing, i);
    }
    present_key(model, question);
    return model->facts && present_warnings(model, arena, pack, place, list);
}
