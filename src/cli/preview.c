/* `quiztutor preview`: a pack with its keys, on the screens while it is written, or once as text. */
#include "front.h"
#include "output.h"

#include <quiztutor/message.h>
#include <quiztutor/preview.h>
#include <quiztutor/review.h>
#include <quiztutor/terminal.h>

#include <signal.h>
#include <stdio.h>
#include <string.h>

/* ---- as text ---- */

/* Figures are not wrapped: line by line, indented. */
static void print_figure(struct output *output, const char *figure)
{
    if (!figure)
        return;
    buffer_char(&output->text, '\n');
    for (const char *end; *figure; figure = *end ? end + 1 : end) {
        end = strchrnul(figure, '\n');
        buffer_text(&output->text, end > figure ? "   " : "");
        buffer_add(&output->text, figure, end - figure);
        buffer_char(&output->text, '\n');
    }
    buffer_char(&output->text, '\n');
}

/* "Why: the text", indented as a whole behind its word. */
static void print_labelled(struct output *output, int indent, const char *label, const char *text)
{
    char word[80];
    if (!text)
        return;
    snprintf(word, sizeof word, "%*s%.60s", indent, "", label);
    output_field(output, text_columns(word) + 1, word, text);
}

static int columns_of_verdicts(void)
{
    int right = text_columns(tr("right:")), wrong = text_columns(tr("wrong:"));
    return right > wrong ? right : wrong;
}

static void print_choices(struct output *output, const struct preview_model *model)
{
    enum { INDENT = 6 }; /* "   1) " */
    if (model->question.many)
        output_text(output, tr("Choose all that apply"));
    for (int i = 0; i < model->question.choice_count; i++) {
        char word[80];
        snprintf(word, sizeof word, "  %2d) %.60s", i + 1, model->right[i] ? tr("right:") : tr("wrong:"));
        output_field(output, INDENT + columns_of_verdicts() + 1, word, model->question.choices[i]);
        print_labelled(output, INDENT, tr("Feedback:"), model->feedback[i]);
        print_labelled(output, INDENT, tr("Misconception:"), model->misconception[i]);
        print_labelled(output, INDENT, tr("Keeps its place:"), model->pin[i]);
    }
}

/* Items in their order; right texts that belong to no left. */
static void print_places(struct output *output, const struct preview_model *model)
{
    const struct question_model *question = &model->question;
    char word[24];
    if (question->way == WAY_ORDER)
        output_text(output, tr("In this order:"));
    for (int i = 0; question->way == WAY_ORDER && i < question->choice_count; i++) {
        snprintf(word, sizeof word, "  %2d)", i + 1);
        output_field(output, 6, word, question->choices[i]);
    }
    if (question->way == WAY_MATCH)
        output_text(output, tr("These belong together:"));
    for (int i = 0; question->way == WAY_MATCH && i < model->answer_count; i++) {
        struct buffer pair;
        buffer_init(&pair);
        buffer_print(&pair, "%s: %s", question->choices[i], model->answer[i]);
        output_field(output, 5, "   -", buffer_get(&pair));
        output->text.failed |= pair.failed;
        buffer_finish(&pair);
    }
    for (int i = 0; i < question->target_count; i++) {
        bool extra = true;
        for (int k = 0; k < question->choice_count; k++)
            extra &= question->given_at[k] != i;
        print_labelled(output, 0, tr("Belongs to none:"), extra ? question->targets[i] : NULL);
    }
}

/* The key, by how the question is answered. */
static void print_key(struct output *output, const struct preview_model *model)
{
    print_labelled(output, 0, tr("Values:"), model->values);
    if (model->question.way == WAY_CHOICES)
        print_choices(output, model);
    else if (model->question.choice_count)
        print_places(output, model);
    else
        for (int i = 0; i < model->answer_count; i++)
            print_labelled(output, 0, model->question.way == WAY_RECALL ? tr("Back:") : tr("Answer:"),
                           model->answer[i]);
    for (int i = 0; i < model->wrong_count; i++)
        print_labelled(output, 0, tr("Wrong:"), model->wrong[i]);
}

static void print_question(struct output *output, const struct preview_model *model, const char *section)
{
    const struct question_model *question = &model->question;
    char line[60];
    if (question->section && (!section || strcmp(section, question->section) != 0)) {
        output_text(output, question->section);
        if (question->intro)
            output_text(output, question->intro);
        print_figure(output, question->intro_figure);
        buffer_char(&output->text, '\n');
    }
    snprintf(line, sizeof line, tr("Question %d of %d:"), question->number, question->of);
    print_labelled(output, 0, line, model->facts);
    output_text(output, question->prompt);
    if (!question->figure)
        buffer_char(&output->text, '\n');
    print_figure(output, question->figure);
    print_key(output, model);
    print_labelled(output, 0, tr("If it is wrong:"), model->wrong_feedback);
    print_labelled(output, 0, tr("Misconception:"), model->wrong_misconception);
    for (int i = 0; i < question->hint_count; i++) {
        snprintf(line, sizeof line, tr("Hint %d:"), i + 1);
        print_labelled(output, 0, line, question->hints[i]);
    }
    print_labelled(output, 0, tr("Why:"), model->explanation);
    print_figure(output, model->explanation_figure);
    print_labelled(output, 0, tr("Source:"), model->source);
}

static bool print_pack(struct output *output, const struct pack *pack, const struct diagnostics *list,
                       struct error *error)
{
    const char *section = NULL;
    bool done = true;
    output_text(output, pack->title);
    buffer_char(&output->text, '\n');
    for (int i = 0; done && i < pack->question_count; i++) {
        struct preview_model model;
        struct arena arena;
        arena_init(&arena);
        done = preview_question(&model, &arena, false, pack, i, list);
        if (i)
            buffer_char(&output->text, '\n');
        if (done)
            print_question(output, &model, section);
        section = done ? model.question.section : NULL;
        arena_finish(&arena);
    }
    return done || error_memory(error);
}

/* What is wrong with the file goes to standard error. */
static void print_diagnostics(const struct diagnostics *list)
{
    struct buffer out;
    buffer_init(&out);
    diagnostics_print(list, &out);
    fputs(buffer_get(&out), stderr);
    buffer_finish(&out);
}

static int preview_text(const struct invocation *invocation, const char *path)
{
    struct output output;
    struct diagnostics list;
    struct error error = { 0 };
    struct pack *pack;
    diagnostics_init(&list);
    output_init(&output, invocation->settings);
    bool done = pack_load(&pack, path, &list, &error);
    done = done && review_pack(pack, &list, &error);
    print_diagnostics(&list);
    done = done && print_pack(&output, pack, &list, &error) && output_finish(&output, &error);
    if (!done && error.code)
        command_fail(&error);
    buffer_finish(&output.text);
    pack_destroy(pack);
    diagnostics_finish(&list);
    return done ? STATUS_DONE : STATUS_FAILED;
}

/* ---- which ---- */

static int preview_path(const struct invocation *invocation, const char *path)
{
    struct error error = { 0 };
    int ending_signal = 0, status = STATUS_DONE;
    if (!front_has_screens(invocation))
        return preview_text(invocation, path);
    terminal_expect();
    if (!preview_run(path, front_theme(invocation->settings), front_signs(invocation->settings),
                     &ending_signal, &error))
        status = command_fail(&error);
    if (ending_signal) { /* the terminal is restored: now end as the signal asked */
        signal(ending_signal, SIG_DFL);
        raise(ending_signal);
    }
    return status;
}

int command_preview(const struct invocation *invocation)
{
    const char *path = NULL;
    struct library *library = NULL;
    struct error error = { 0 };
    struct arena arena;
    arena_init(&arena);
    if (command_library(invocation, &library, &error))
        path = command_path(library, invocation->arguments[0], &arena, &error);
    int status = path ? preview_path(invocation, path) : command_fail(&error);
    arena_finish(&arena);
    library_destroy(library);
    return status;
}
