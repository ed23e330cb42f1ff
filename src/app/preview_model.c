/* Questions with their keys, and faults of a file, as view models for authors. */
#include "presenter_private.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>
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

/* What makes no difference in a typed answer, where the author chose it. */
static void add_ignored(struct buffer *facts, const struct text_key *key)
{
    bool any = false;
    if (key->ignore == (IGNORE_CASE | IGNORE_SPACES))
        return;
    add_fact(facts, key->ignore ? tr("makes no difference: ") : tr("every character counts"));
    for (unsigned bit = IGNORE_CASE; bit <= IGNORE_SPACES; bit <<= 1)
        if (key->ignore & bit) {
            buffer_print(facts, "%s%s", any ? ", " : "", text_ignore_name((enum text_ignore)bit));
            any = true;
        }
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
    bool choices = question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
    if (question->type == QUESTION_MULTIPLE_CHOICE || question->type == QUESTION_ORDER ||
        question->type == QUESTION_MATCH)
        add_fact(&facts, marking_rule_name(question->marking));
    if (choices && !question->shuffle && pack->shuffle != SHUFFLE_NONE)
        add_fact(&facts, tr("choices keep their order"));
    if (question->type == QUESTION_TEXT)
        add_ignored(&facts, &question->key.text);
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
static void present_key(struct present *present, struct preview_model *model, const struct question *question)
{
    static const char *const pins[] = {
        [PIN_NONE] = NULL, [PIN_FIRST] = N_("first"), [PIN_LAST] = N_("last")
    };
    bool choices = question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
    for (int i = 0; choices && i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        model->feedback[i] = present_words(present, question, choice->feedback);
        model->misconception[i] = choice->misconception;
        model->pin[i] = pins[choice->pin] ? tr(pins[choice->pin]) : NULL;
    }
    model->wrong_feedback = present_words(present, question, question->feedback);
    model->wrong_misconception = question->misconception;
}

/* "0.1875 = (p - 1) / m: That is the bubble over the ideal time. (misconception: bubble-denominator)" */
static const char *present_wrong(struct present *present, const struct question *question,
                                 const struct known_wrong *template, const struct known_wrong *wrong)
{
    const char *value = wrong->value, *feedback = present_words(present, question, wrong->feedback), *kept;
    char number[40];
    struct buffer out;
    buffer_init(&out);
    if (question->type == QUESTION_NUMBER && question->origin) {
        snprintf(number, sizeof number, "%.6g", wrong->number);
        buffer_print(&out, "%s = ", number);
        value = template->value;
    }
    buffer_text(&out, value);
    if (feedback)
        buffer_print(&out, ": %s", feedback);
    if (wrong->misconception) {
        buffer_char(&out, ' ');
        buffer_print(&out, tr("(misconception: %s)"), wrong->misconception);
    }
    present->failed |= !present_text(present->arena, &out, &kept);
    buffer_finish(&out);
    return kept;
}

static bool present_wrongs(struct present *present, struct preview_model *model,
                           const struct question *question)
{
    const struct question *origin = question->origin ? question->origin : question;
    bool number = question->type == QUESTION_NUMBER;
    if (!number && question->type != QUESTION_TEXT)
        return true;
    const struct known_wrong *wrongs = number ? question->key.number.wrongs : question->key.text.wrongs;
    const struct known_wrong *templates = number ? origin->key.number.wrongs : origin->key.text.wrongs;
    int count = number ? question->key.number.wrong_count : question->key.text.wrong_count;
    const char **texts = arena_alloc(present->arena, (count + 1) * (ptrdiff_t)sizeof *texts);
    if (!texts)
        return false;
    for (int i = 0; i < count; i++)
        texts[i] = present_wrong(present, question, &templates[i], &wrongs[i]);
    model->wrong = texts;
    model->wrong_count = count;
    return !present->failed;
}

/* "0.27 GB, within 5%": how near an answer must come, in words. */
static const char *present_tolerance(struct present *present, const char *answer,
                                     const struct number_key *key)
{
    char tolerance[NUMBER_PLAIN], figures[80] = "";
    const char *words = answer;
    if (key->significant_figures)
        snprintf(figures, sizeof figures,
                 ntr(", to %d significant figure", ", to %d significant figures", key->significant_figures),
                 key->significant_figures);
    number_plain(tolerance, key->relative ? key->tolerance * 100 : key->tolerance);
    if (key->tolerance > 0)
        words = arena_print(present->arena, tr("%s, within %s%s%s"), answer, tolerance,
                            key->relative ? "%" : "", figures);
    else if (*figures)
        words = arena_print(present->arena, "%s%s", answer, figures);
    present->failed |= !words;
    return words;
}

/* The right answers in words; a number with how near one must come. */
static bool present_right(struct present *present, struct preview_model *model, const struct showing *showing)
{
    const struct question *question = showing->question;
    if (!present_answers(present, showing, &model->answer, &model->answer_count))
        return false;
    if (question->type != QUESTION_NUMBER)
        return true;
    const char **words = arena_alloc(present->arena, (ptrdiff_t)sizeof *words);
    if (!words)
        return false;
    *words = present_tolerance(present, *model->answer, &question->key.number);
    model->answer = words;
    return !present->failed;
}

/* "p = 4, m = 16 (1 of 12)": of the first combination, which seed 1 shows. */
static bool present_values(struct present *present, struct preview_model *model,
                           const struct question *question)
{
    static const int first[DERIVE_NAMES];
    if (!question->parameters)
        return true;
    int64_t count = parameters_combinations(question->parameters);
    const char *values = parameters_say(question->parameters, first, present->arena);
    if (values)
        values = arena_print(present->arena, tr("%s (1 of %lld)"), values, (long long)count);
    model->values = values;
    return values != NULL;
}

/* The lines that belong to a question: up to the next one; those before the first are its. */
static bool present_warnings(struct preview_model *model, struct arena *arena, const struct pack *pack,
                             int place, const struct diagnostics *list)
{
    int from = place ? pack->questions[place].line : 0;
    int end = place + 1 < pack->question_count ? pack->questions[place + 1].line : INT_MAX;
    return present_faults(arena, list, SEVERITY_WARNING, from, end, &model->warnings, &model->warning_count);
}

/* As its author wrote it: nothing is shuffled, not even an order. */
static bool show_as_written(struct showing *showing, const struct pack *pack, const struct question *question,
                            struct arena *arena)
{
    if (!showing_init(showing, pack, question, 1, arena))
        return false;
    for (int i = 0; i < showing->count; i++)
        showing->places[i] = (unsigned char)i;
    for (int i = 0; i < showing->target_count; i++)
        showing->targets[i] = (unsigned char)i;
    return true;
}

bool preview_question(struct preview_model *model, struct arena *arena, bool styled, const struct pack *pack,
                      int place, const struct diagnostics *list)
{
    const struct question *written = &pack->questions[place];
    struct present present = { .arena = arena, .styled = styled };
    struct showing showing;
    *model = (struct preview_model){ .file = pack->path };
    if (!show_as_written(&showing, pack, written, arena) ||
        !present_asked(&present, &model->question, pack, &showing))
        return false;
    const struct question *question = showing.question; /* with its first values */
    model->question.number = place + 1;
    model->question.of = pack->question_count;
    model->question.hint_count = question->hints.count;
    model->explanation = present_words(&present, question, question->explanation);
    model->explanation_figure = present_copied(&present, question, question->explanation_figure);
    model->source = present_copied(&present, question, question->source);
    model->facts = present_facts(arena, pack, question);
    for (int i = 0; i < showing.count; i++) {
        model->right[i] = present_choice_right(&showing, i);
        if (question->type == QUESTION_MATCH)
            model->question.given_at[i] = (signed char)question->key.match.pairs[i];
    }
    present_key(&present, model, question);
    return present_right(&present, model, &showing) && present_wrongs(&present, model, question) &&
           present_values(&present, model, written) && model->facts && !present.failed &&
           present_warnings(model, arena, pack, place, list);
}
