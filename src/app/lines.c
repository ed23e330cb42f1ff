#include "lines.h"

#include "begin.h"

#include <quiztutor/jsonl.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool lines_flush(struct lines *lines, struct error *error)
{
    if (lines->practice.learner_created && !lines->told_created) {
        application_tell(&lines->practice);
        lines->told_created = true;
    }
    return line_write(STDOUT_FILENO, &lines->out, error);
}

static int lines_number(const struct lines *lines)
{
    return session_current(&lines->practice.session) + 1;
}

/* The next line typed; where input is no terminal, plain echoes it after its prompt. */
const char *lines_read(struct lines *lines, ptrdiff_t *length)
{
    const char *line = line_read(&lines->in, length);
    if (!lines->json && !lines->from_terminal && line) {
        text_visible(&lines->out, line, *length);
        buffer_char(&lines->out, '\n');
    } else if (!lines->json && !line) {
        buffer_char(&lines->out, '\n');
    }
    return line;
}

/* The turn is pending: tell, and try again with every line, until it is stored or the input ends. */
static bool lines_store_again(struct lines *lines, struct error *error)
{
    for (;;) {
        if (lines->json) {
            jsonl_event(&lines->out, "not-stored", lines_number(lines), "reason", error->message);
        } else {
            buffer_print(&lines->out, tr("Not stored: %s."), error->message);
            buffer_print(&lines->out, "\n%s\n> ",
                         tr("Your answer is kept. Enter tries again, :finish leaves without it."));
        }
        struct error output;
        if (!lines_flush(lines, &output)) {
            *error = output;
            return false;
        }
        ptrdiff_t length;
        const char *line = lines_read(lines, &length);
        bool leaves = !line || (!lines->json && (strcmp(line, ":finish") == 0 || strcmp(line, "q") == 0));
        if (leaves) {
            practice_abandon(&lines->practice);
            lines->failed = lines->ended = true;
            return false;
        }
        if (practice_retry(&lines->practice, error))
            return true;
    }
}

static void lines_say(struct lines *lines, const char *event, const char *member, const char *text,
                      const char *words)
{
    if (lines->json)
        jsonl_event(&lines->out, event, lines_number(lines), member, text);
    else
        buffer_print(&lines->out, "%s\n", words);
}

static void lines_unreadable(struct lines *lines, const char *reason)
{
    if (lines->json)
        jsonl_event(&lines->out, "unreadable", lines_number(lines), "reason", reason);
    else
        buffer_print(&lines->out, "%s: %s.\n\n> ", tr("Not understood"), reason);
}

static bool lines_result(struct lines *lines, struct error *error)
{
    struct presenter *presenter = &lines->application->presenter;
    if (!presenter_result(presenter, &lines->practice))
        return error_memory(error);
    if (lines->json)
        jsonl_result(&lines->out, &presenter->result);
    else
        plain_result(&lines->out, &presenter->result);
    return true;
}

static bool lines_answer(struct lines *lines, const struct answer *answer, struct error *error)
{
    return (practice_answer(&lines->practice, answer, error) || lines_store_again(lines, error)) &&
           lines_result(lines, error);
}

static bool lines_skip(struct lines *lines, struct error *error)
{
    enum session_skip means = session_skip_means(&lines->practice.session);
    int number = lines_number(lines);
    if (!practice_skip(&lines->practice, error) && !lines_store_again(lines, error))
        return false;
    if (means == SKIP_OMITS)
        return lines_result(lines, error);
    if (lines->json)
        jsonl_event(&lines->out, "skipped", number, NULL, NULL);
    else
        buffer_print(&lines->out, "%s\n", means == SKIP_LATER ? tr("Later.") : tr("Skipped."));
    return true;
}

static bool lines_undo(struct lines *lines, struct error *error)
{
    const struct session_answer *newest = practice_newest(&lines->practice);
    if (!newest) {
        lines_unreadable(lines, tr("there is no answer to take back"));
        return true;
    }
    char attempt[37];
    int number = newest->entry + 1;
    uuid_format(attempt, &newest->attempt);
    if (!practice_undo(&lines->practice, error) && !lines_store_again(lines, error))
        return false;
    if (lines->json)
        jsonl_undone(&lines->out, number, attempt);
    else
        buffer_print(&lines->out, "%s\n", tr("Taken back."));
    return true;
}

static bool lines_hint(struct lines *lines, struct error *error)
{
    struct session_entry *entry = &lines->practice.session.entries[session_current(&lines->practice.session)];
    const char *hint = NULL;
    if (practice_hints_left(&lines->practice) > 0) {
        if (!practice_hint(&lines->practice, error) && !lines_store_again(lines, error))
            return false;
        hint = entry->question->hints.items[entry->hints - 1];
    }
    int left = practice_hints_left(&lines->practice);
    if (lines->json)
        jsonl_hint(&lines->out, lines_number(lines), hint, left);
    else {
        plain_hint(&lines->out, hint, left);
        buffer_text(&lines->out, "\n> ");
    }
    return true;
}

static void lines_help(struct lines *lines)
{
    struct buffer help;
    buffer_init(&help);
    for (int i = 0; i < RESPONSE_COMMANDS; i++) {
        const struct response_row *row = &response_rows[i];
        char letter[2] = { row->letter, '\0' };
        buffer_print(&help, "  %-8s %1s  %s\n", row->word, letter, tr(row->help));
    }
    if (lines->json) {
        jsonl_event(&lines->out, "help", lines_number(lines), "text", buffer_get(&help));
    } else {
        buffer_print(&lines->out, "%s\n%s\n> ",
                     tr("The number or letter of a choice, several parted by commas or spaces, or:"),
                     buffer_get(&help));
    }
    buffer_finish(&help);
}

/* Something was noted about the question, which stays open. */
static bool lines_note(struct lines *lines, const struct response *response, struct error *error)
{
    bool report = response->command == COMMAND_REPORT;
    bool stored = report ? practice_report(&lines->practice, session_current(&lines->practice.session),
                                           response->argument, error)
                         : practice_flag(&lines->practice, error);
    if (!stored && !lines_store_again(lines, error))
        return false;
    lines_say(lines, report ? "reported" : "flagged", NULL, NULL,
              report ? tr("Reported, with thanks.") : tr("Flagged."));
    if (!lines->json)
        buffer_text(&lines->out, "\n> ");
    return true;
}

/* Handles one line. *over tells whether this showing is over. */
static bool lines_handle(struct lines *lines, const struct response *response, bool *over,
                         struct error *error)
{
    *over = false;
    switch (response->kind) {
    case RESPONSE_UNREADABLE:
        lines_unreadable(lines, response->reason);
        return true;
    case RESPONSE_BLANK:
        lines_unreadable(lines, tr("an empty line is no answer; :skip puts the question off"));
        return true;
    case RESPONSE_ANSWER:
        *over = true;
        return lines_answer(lines, &response->answer, error);
    case RESPONSE_COMMAND:
        break;
    }
    switch (response->command) {
    case COMMAND_HINT:
        return lines_hint(lines, error);
    case COMMAND_SKIP:
        *over = true;
        return lines_skip(lines, error);
    case COMMAND_UNDO:
        *over = practice_newest(&lines->practice) != NULL;
        return lines_undo(lines, error);
    case COMMAND_FLAG:
    case COMMAND_REPORT:
        return lines_note(lines, response, error);
    case COMMAND_FINISH:
        *over = lines->ended = true;
        return true;
    case COMMAND_HELP:
    case RESPONSE_COMMANDS:
        lines_help(lines);
        break;
    }
    return true;
}

/* Asks the current question until its showing is over. */
static bool lines_ask(struct lines *lines, struct error *error)
{
    struct presenter *presenter = &lines->application->presenter;
    struct showing showing;
    bool over = false;
    if (!presenter_question(presenter, &lines->practice) || !practice_current(&lines->practice, &showing))
        return error_memory(error);
    if (lines->json)
        jsonl_question(&lines->out, &presenter->question);
    else
        plain_question(&lines->out, &presenter->question);
    while (!over) {
        if (!lines_flush(lines, error))
            return false;
        ptrdiff_t length;
        const char *line = lines_read(lines, &length);
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

static bool lines_begin(struct lines *lines, struct error *error)
{
    struct application *application = lines->application;
    enum resume_wish wish = application->wish;
    bool anew;
    if (!lines_wish(lines, &wish, error) || !begin_practice(&lines->practice, wish, &anew, error))
        return false;
    if (anew)
        fprintf(stderr, "%s\n", tr("quiztutor: no unfinished session of these packs; starting anew"));
    if (lines->practice.left_out)
        application_tell(&lines->practice);
    if (!presenter_session(&application->presenter, &lines->practice))
        return error_memory(error);
    if (lines->json)
        jsonl_session(&lines->out, &application->presenter.session);
    else if (!lines->practice.session.count)
        buffer_print(&lines->out, "%s\n", begin_nothing(&lines->practice));
    else
        plain_welcome(&lines->out, &application->presenter.session);
    return true;
}

#pragma weak lines_exam_run

bool lines_run(struct application *application, bool json, struct error *error)
{
    if (application->exam && lines_exam_run)
        return lines_exam_run(application, json, error);
    struct lines lines = { .application = application, .json = json, .from_terminal = isatty(STDIN_FILENO) };
    bool done = false;
    line_init(&lines.in, STDIN_FILENO);
    line_catch_interrupt();
    buffer_init(&lines.out);
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
