/* An exam over lines: plain words, or JSON. */
#include "lines_exam.h"
#include "begin.h"

#include <quiztutor/jsonl_exam.h>
#include <quiztutor/message.h>
#include <quiztutor/plain_exam.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Hands in, and shows the paper. */
static bool examination_hand_in(struct examination *exam, struct error *error)
{
    struct presenter *presenter = &exam->lines.application->presenter;
    struct error why = { .code = ERROR_NONE };
    while (!sitting_hand_in(&exam->sitting, &why)) {
        examination_not_stored(exam, &why);
        if (!examination_wait(exam, &why, error))
            return false;
    }
    if (!presenter_exam_paper(presenter, &exam->sitting))
        return error_memory(error);
    const struct paper_model *paper = &presenter->paper;
    if (!exam->lines.json) {
        plain_paper(out(exam), paper);
        return lines_flush(&exam->lines, error);
    }
    if (exam->sitting.time_up)
        jsonl_time_up(out(exam));
    for (int i = 0; i < paper->count; i++)
        jsonl_result(out(exam), &paper->results[i]);
    jsonl_paper(out(exam), paper);
    return lines_flush(&exam->lines, error);
}

/* On a terminal, where an exam of these packs is open: go on with it, or hand it in. */
static bool examination_wish(struct examination *exam, const struct sitting_open *open,
                             enum resume_wish *wish, struct error *error)
{
    char text[BEGIN_TEXT];
    ptrdiff_t length;
    if (*wish != WISH_ASK)
        return true;
    *wish = exam->on_terminal ? WISH_RESUME : WISH_ANEW;
    if (!exam->on_terminal || !open->found)
        return true;
    begin_describe_exam(open, text, sizeof text);
    buffer_print(out(exam), tr("An exam of these packs is open: %s."), text);
    buffer_print(out(exam), "\n%s> ", tr("Enter goes on with it, n hands it in and begins anew "));
    if (!lines_flush(&exam->lines, error))
        return false;
    const char *line = lines_read(&exam->lines, &length);
    exam->left = !line;
    if (line && (*line == 'n' || *line == 'N'))
        *wish = WISH_RESTART;
    return true;
}

/* On a terminal: what is about to begin, before time runs. exam->left where it is not begun. */
static bool examination_announce(struct examination *exam, const struct sitting_open *open,
                                 struct error *error)
{
    struct presenter *presenter = &exam->lines.application->presenter;
    ptrdiff_t length;
    if (!sitting_prepare(&exam->sitting, error))
        return false;
    if (!exam->sitting.exam.count)
        return true;
    if (!presenter_exam_session(presenter, &exam->sitting))
        return error_memory(error);
    presenter_exam_note(presenter, &exam->sitting);
    if (open->elsewhere)
        buffer_print(out(exam), "%s\n", begin_exam_elsewhere());
    plain_exam_welcome(out(exam), &presenter->session, presenter->exam_note);
    buffer_print(out(exam), "\n%s> ", tr("Enter begins, q leaves "));
    if (!lines_flush(&exam->lines, error))
        return false;
    const char *line = lines_read(&exam->lines, &length);
    exam->left = !line || *line == 'q' || *line == 'n' || strcmp(line, ":finish") == 0;
    return true;
}

/* What is said once it has begun, or where there is nothing to ask. */
static bool examination_welcome(struct examination *exam, bool announced, struct error *error)
{
    struct presenter *presenter = &exam->lines.application->presenter;
    const struct sitting *sitting = &exam->sitting;
    begin_tell_exam(sitting, lines_aside(&exam->lines));
    if (!presenter_exam_session(presenter, sitting))
        return error_memory(error);
    presenter_exam_note(presenter, sitting);
    if (exam->lines.json)
        jsonl_session(out(exam), &presenter->session);
    else if (!sitting->begun)
        buffer_print(out(exam), "%s\n", tr("There is no question to ask: --tag leaves none."));
    else if (!announced)
        plain_exam_welcome(out(exam), &presenter->session, presenter->exam_note);
    return true;
}

static bool examination_begin(struct examination *exam, struct error *error)
{
    struct application *application = exam->lines.application;
    struct sitting *sitting = &exam->sitting;
    enum resume_wish wish = application->wish;
    struct sitting_open open;
    if (!sitting_find_open(sitting, &open, error) || !examination_wish(exam, &open, &wish, error))
        return false;
    if (exam->left)
        return true;
    bool resumes = wish == WISH_RESUME && open.found;
    if (application->wish == WISH_RESUME && !resumes && open.elsewhere)
        return begin_fail_elsewhere(error);
    if (application->wish == WISH_RESUME && !resumes && !application->guard)
        begin_say(NULL, tr("no open exam of these packs; starting anew"));
    if (wish == WISH_RESTART && open.found && !sitting_hand_in_open(sitting, &open, error))
        return false;
    bool announced = exam->on_terminal && !resumes;
    if (announced && !examination_announce(exam, &open, error))
        return false;
    if (exam->left)
        return true;
    return (resumes ? sitting_resume(sitting, &open, error) : sitting_begin(sitting, error)) &&
           examination_welcome(exam, announced, error);
}

/* Question after question, until it is handed in or left. */
static bool examination_run(struct examination *exam, struct error *error)
{
    while (!exam->finishing && !exam->left) {
        bool done = true;
        if (sitting_is_over(&exam->sitting))
            exam->finishing = true;
        else if (exam->sitting.exam.current < 0)
            done = examination_ask_hand_in(exam, error);
        else
            done = examination_ask(exam, error);
        if (!done)
            return false;
    }
    if (!exam->left)
        return examination_hand_in(exam, error);
    char text[BEGIN_TEXT];
    begin_leave_exam(&exam->sitting, text, sizeof text);
    buffer_print(out(exam), "%s\n", text);
    return lines_flush(&exam->lines, error);
}

bool lines_exam_run(struct application *application, bool json, struct error *error)
{
    struct examination exam = {
        .lines = { .application = application, .json = json, .from_terminal = isatty(STDIN_FILENO) }
    };
    exam.on_terminal = !json && exam.lines.from_terminal && isatty(STDOUT_FILENO);
    line_init(&exam.lines.in, STDIN_FILENO);
    if (!application->guard)
        line_catch_interrupt();
    buffer_init(&exam.lines.out);
    application->presenter.bare = json;
    bool done = sitting_init(&exam.sitting, application->store, application->clock, &application->options,
                             application->exam_minutes, error) &&
                examination_begin(&exam, error);
    if (done && exam.sitting.begun)
        done = examination_run(&exam, error);
    else if (done && json && !exam.left) /* nothing to ask */
        done = presenter_exam_paper(&application->presenter, &exam.sitting) || error_memory(error);
    if (done && !exam.sitting.begun && json && !exam.left)
        jsonl_paper(&exam.lines.out, &application->presenter.paper);
    done = done && lines_flush(&exam.lines, error);
    sitting_finish(&exam.sitting);
    line_finish(&exam.lines.in);
    buffer_finish(&exam.lines.out);
    return done;
}
