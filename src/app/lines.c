#include "lines.h"

#include "begin.h"

#include <quiztutor/input.h>
#include <quiztutor/jsonl.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>
#include <quiztutor/view_model.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct buffer *lines_aside(struct lines *lines)
{
    return lines->application->guard ? &lines->out : NULL;
}

bool lines_flush(struct lines *lines, struct error *error)
{
    if (lines->practice.learner_created && !lines->told_created) {
        begin_tell(&lines->practice, lines_aside(lines));
        lines->told_created = true;
    }
    return line_write(STDOUT_FILENO, &lines->out, error);
}

int lines_number(const struct lines *lines)
{
    return session_current(&lines->practice.session) + 1;
}

bool lines_guard_over(struct lines *lines)
{
    const struct guard *guard = lines->application->guard;
    const struct input nothing = { .kind = INPUT_NONE };
    if (!guard)
        return false;
    lines->signed_out =
        lines->signed_out || guard->look(guard->context, NULL, lines->stake, &nothing) == GUARD_END;
    int seconds = guard->model->countdown;
    if (!lines->signed_out && seconds > 0 && !lines->told_idle) {
        struct buffer said;
        buffer_init(&said);
        buffer_print(&said,
                     ntr("\nStill there? You are signed out in %d second. Press Enter to go on.\n> ",
                         "\nStill there? You are signed out in %d seconds. Press Enter to go on.\n> ",
                         seconds),
                     seconds);
        line_write(STDOUT_FILENO, &said, NULL);
        buffer_finish(&said);
    }
    lines->told_idle = seconds > 0;
    return lines->signed_out;
}

void lines_guard_heard(struct lines *lines)
{
    const struct guard *guard = lines->application->guard;
    const struct input key = { .kind = INPUT_KEY, .key = KEY_CODE_ENTER };
    if (guard)
        guard->look(guard->context, NULL, lines->stake, &key);
}

static bool lines_over(void *context)
{
    return lines_guard_over(context);
}

bool lines_guard_tutor(struct lines *lines, const char *line, ptrdiff_t length)
{
    static const char command[] = ":tutor";
    const struct guard *guard = lines->application->guard;
    text_trim(&line, &length);
    if (!guard || length != (ptrdiff_t)sizeof command - 1 || memcmp(line, command, sizeof command - 1) != 0)
        return false;
    lines->signed_out =
        lines->signed_out || guard->tutor(guard->context, &lines->in, lines->stake) == GUARD_END;
    return true;
}

/* The next line typed; where input is no terminal, plain echoes it after its prompt. */
static const char *lines_next(struct lines *lines, ptrdiff_t *length)
{
    const char *line = lines->application->guard ? line_read_before(&lines->in, length, lines_over, lines)
                                                 : line_read(&lines->in, length);
    if (line)
        lines_guard_heard(lines);
    if (!lines->json && !lines->from_terminal && line) {
        text_visible(&lines->out, line, *length);
        buffer_char(&lines->out, '\n');
    } else if (!lines->json && !line) {
        buffer_char(&lines->out, '\n');
    }
    return line;
}

/* A tutor was here: what was asked before is asked again. */
static bool lines_again(struct lines *lines)
{
    struct error error;
    const struct question_model *question = &lines->application->presenter.question;
    if (!lines->asking)
        buffer_text(&lines->out, "\n> ");
    else if (!lines_question(lines, &error))
        return false;
    if (lines->asking && lines->revealed)
        plain_back(&lines->out, question);
    return lines_flush(lines, &error);
}

const char *lines_read(struct lines *lines, ptrdiff_t *length)
{
    const char *line = lines_next(lines, length);
    while (line && lines_guard_tutor(lines, line, *length)) {
        if (lines->signed_out || !lines_again(lines))
            return NULL;
        line = lines_next(lines, length);
    }
    return line;
}

/* Asks the current question until its showing is over. */
static bool lines_ask(struct lines *lines, struct error *error)
{
    struct showing showing;
    bool over = false;
    lines->revealed = false;
    if (!practice_current(&lines->practice, &showing))
        return error_memory(error);
    if (!lines_question(lines, error))
        return false;
    while (!over) {
        if (!lines_flush(lines, error))
            return false;
        ptrdiff_t length;
        lines->asking = true;
        const char *line = lines_read(lines, &length);
        lines->asking = false;
        if (!line) {
            lines->ended = true;
            return true;
        }
        struct response response;
        response_read(&response, &showing, line, length);
        if (!lines_handle(lines, &response, &over, error))
            return false;
    }
    return true;
}

/* After the last answer, on a terminal: the summary, or one more undo. */
static bool lines_last_call(struct lines *lines, struct error *error)
{
    if (lines->json || !lines->from_terminal || !isatty(STDOUT_FILENO) || !practice_newest(&lines->practice))
        return true;
    for (;;) {
        buffer_print(&lines->out, "\n%s> ", tr("Enter for the summary, u to undo "));
        if (!lines_flush(lines, error))
            return false;
        ptrdiff_t length;
        const char *line = lines_read(lines, &length);
        if (!line || !*line) {
            lines->ended = true;
            return true;
        }
        if (strcmp(line, "u") == 0 || strcmp(line, ":undo") == 0)
            return lines_undo(lines, error);
        bool star = strcmp(line, ":star") == 0 || strcmp(line, ":star last") == 0 || strcmp(line, "*") == 0;
        if (star || strcmp(line, ":suspend") == 0 || strcmp(line, ":suspend last") == 0) {
            if (!lines_star(lines, star, lines->practice.last.entry, error))
                return false;
            if (session_current(&lines->practice.session) >= 0)
                return true;
        }
        if (strcmp(line, "q") == 0 || strcmp(line, ":finish") == 0) {
            lines->ended = true;
            return true;
        }
    }
}

static bool lines_summary(struct lines *lines, struct error *error)
{
    struct presenter *presenter = &lines->application->presenter;
    if (!presenter_summary(presenter, &lines->practice))
        return error_memory(error);
    if (lines->json)
        jsonl_summary(&lines->out, &presenter->summary);
    else if (lines->practice.session.count)
        plain_summary(&lines->out, &presenter->summary);
    return lines_flush(lines, error);
}

/* Asks on the terminal whether to go on with what is unfinished. */
static bool lines_wish(struct lines *lines, enum resume_wish *wish, struct error *error)
{
    struct practice_unfinished unfinished;
    if (*wish != WISH_ASK)
        return true;
    *wish = WISH_ANEW;
    if (lines->json || !lines->from_terminal || !isatty(STDOUT_FILENO))
        return true;
    if (!practice_find_unfinished(&lines->practice, &unfinished, error))
        return false;
    if (!unfinished.found)
        return true;
    char text[160];
    begin_describe(&unfinished, text, sizeof text);
    buffer_print(&lines->out, tr("An unfinished session: %s."), text);
    buffer_print(&lines->out, "\n%s> ", tr("Enter goes on with it, n starts anew "));
    if (!lines_flush(lines, error))
        return false;
    ptrdiff_t length;
    const char *line = lines_read(lines, &length);
    *wish = line && (*line == 'n' || *line == 'N') ? WISH_RESTART : WISH_RESUME;
    return true;
}

void lines_warn(struct lines *lines)
{
    char text[BEGIN_TEXT];
    while (begin_clock(&lines->practice, text, sizeof text))
        begin_say(lines_aside(lines), text);
}

static void lines_tell(struct lines *lines, const char *text)
{
    if (*text)
        buffer_print(&lines->out, "%s\n", text);
}

static void lines_welcome(struct lines *lines)
{
    const struct session_model *session = &lines->application->presenter.session;
    char text[BEGIN_TEXT];
    begin_resets(session, text, sizeof text);
    if (*text)
        begin_say(lines_aside(lines), text);
    if (lines->json) {
        jsonl_session(&lines->out, session);
        return;
    }
    if (session->questions) {
        plain_welcome(&lines->out, session);
        begin_waiting(session, text, sizeof text);
    } else {
        begin_nothing(&lines->practice, BEGIN_LINES, text, sizeof text);
    }
    lines_tell(lines, text);
    begin_until(session, BEGIN_LINES, text, sizeof text);
    lines_tell(lines, text);
}

static bool lines_begin(struct lines *lines, struct error *error)
{
    struct application *application = lines->application;
    enum resume_wish wish = application->wish;
    bool anew;
    if (!lines_wish(lines, &wish, error) || !begin_practice(&lines->practice, wish, &anew, error))
        return false;
    if (anew)
        begin_say(lines_aside(lines), tr("no unfinished session of these packs; starting anew"));
    if (lines->practice.left_out)
        begin_tell(&lines->practice, lines_aside(lines));
    if (!presenter_session(&application->presenter, &lines->practice))
        return error_memory(error);
    lines_warn(lines);
    lines_welcome(lines);
    return true;
}

bool lines_run(struct application *application, bool json, struct error *error)
{
    if (application->exam)
        return lines_exam_run(application, json, error);
    struct lines lines = { .application = application, .json = json, .from_terminal = isatty(STDIN_FILENO) };
    bool done = false;
    line_init(&lines.in, STDIN_FILENO);
    if (!application->guard)
        line_catch_interrupt();
    buffer_init(&lines.out);
    application->presenter.bare = json;
    if (!practice_init(&lines.practice, application->store, application->clock, &application->options,
                       error) ||
        !lines_begin(&lines, error))
        goto out;
    while (!lines.ended) {
        if (session_current(&lines.practice.session) < 0) {
            if (!lines_last_call(&lines, error))
                goto out;
            if (session_current(&lines.practice.session) < 0)
                break;
            continue;
        }
        if (!lines_ask(&lines, error))
            goto out;
    }
    done = lines_summary(&lines, error);
out:
    if (lines.failed) {
        struct error output;
        lines_summary(&lines, &output);
    }
    practice_finish(&lines.practice);
    line_finish(&lines.in);
    buffer_finish(&lines.out);
    return done;
}
