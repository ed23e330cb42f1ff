/* The turns of a conversation: what each line that was typed does. */
#include "begin.h"
#include "lines.h"

#include <quiztutor/jsonl.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>

#include <stdio.h>
#include <string.h>

/* The turn is pending: tell, and try again with every line, until it is stored or the input ends. */
static bool lines_try_again(struct lines *lines, struct error *error)
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

static bool lines_store_again(struct lines *lines, struct error *error)
{
    lines->stake = begin_stake();
    bool stored = lines_try_again(lines, error);
    lines->stake = NULL;
    return stored;
}

/* What became of a turn. */
enum lines_kept {
    LINES_KEPT, /* it is stored */
    LINES_LOST, /* there was no memory even to keep it until it is: it is to be made again, and this was said
                 */
    LINES_LEFT, /* they left, or the output is gone */
};

static enum lines_kept lines_keep(struct lines *lines, bool stored, struct error *error)
{
    if (stored)
        return LINES_KEPT;
    if (lines->practice.pending.turn != TURN_NONE)
        return lines_store_again(lines, error) ? LINES_KEPT : LINES_LEFT;
    if (lines->json) {
        jsonl_event(&lines->out, "unreadable", lines_number(lines), "reason", error->message);
    } else {
        buffer_print(&lines->out, tr("Not stored: %s."), error->message);
        buffer_char(&lines->out, '\n');
    }
    return LINES_LOST;
}

/* After what was lost, while the question stays as it is. */
static bool lines_go_on(struct lines *lines, enum lines_kept kept)
{
    if (kept == LINES_LOST && !lines->json)
        buffer_text(&lines->out, "\n> ");
    return kept == LINES_LOST;
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
    lines_warn(lines);
    if (lines->json)
        jsonl_result(&lines->out, &presenter->result);
    else
        plain_result(&lines->out, &presenter->result);
    return true;
}

bool lines_question(struct lines *lines, struct error *error)
{
    struct presenter *presenter = &lines->application->presenter;
    if (!presenter_question(presenter, &lines->practice))
        return error_memory(error);
    if (lines->json)
        jsonl_question(&lines->out, &presenter->question);
    else
        plain_question(&lines->out, &presenter->question);
    return true;
}

/* A line without white space at its ends, in `word`; what is longer than any word known here becomes "-". */
static void lines_word(const char *line, ptrdiff_t length, char word[static 16])
{
    while (length > 0 && (*line == ' ' || *line == '\t'))
        line++, length--;
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    bool known = length < 16 && !memchr(line, '\0', (size_t)length);
    snprintf(word, 16, "%.*s", known ? (int)length : 1, known ? line : "-");
}

/* How sure the learner is, before the answer is stored: 1 to 3 in *certainty, 0 where the answer is dropped,
 * since it was taken back or the input is over. */
static bool lines_certainty(struct lines *lines, int *certainty, struct error *error)
{
    *certainty = 0;
    if (lines->json)
        jsonl_event(&lines->out, "certainty", lines_number(lines), NULL, NULL);
    else
        plain_certainty(&lines->out);
    for (;;) {
        if (!lines_flush(lines, error))
            return false;
        char word[16] = "";
        ptrdiff_t length;
        const char *line = lines_read(lines, &length);
        if (line)
            lines_word(line, length, word);
        if (!line || strcmp(word, ":finish") == 0 || strcmp(word, "q") == 0) {
            lines->ended = true;
            return true;
        }
        if (*word >= '1' && *word <= '3' && !word[1]) {
            *certainty = *word - '0';
            return true;
        }
        if (strcmp(word, ":undo") == 0 || strcmp(word, "u") == 0)
            return true;
        const char *help =
            tr("type 1 for a guess, 2 for think so, 3 for certain; :undo goes back to the choices");
        if (strcmp(word, ":help") != 0 && strcmp(word, "?") != 0)
            lines_unreadable(lines, help);
        else if (lines->json)
            jsonl_event(&lines->out, "help", lines_number(lines), "text", help);
        else
            buffer_print(&lines->out, "%s\n\n> ", help);
    }
}

/* A near miss: nothing is stored, and the next answer is final. */
static void lines_retry(struct lines *lines)
{
    if (lines->json)
        jsonl_event(&lines->out, "retry", lines_number(lines), "reason", tr("check the spelling"));
    else
        buffer_print(&lines->out, "%s\n\n> ", tr("Nearly. Check the spelling; what you type next counts."));
}

static bool lines_answer(struct lines *lines, const struct answer *answer, bool *over, struct error *error)
{
    int certainty = 0;
    if (practice_spelling(&lines->practice, answer)) {
        lines_retry(lines);
        return true;
    }
    if (lines->application->presenter.question.certainty) {
        if (!lines_certainty(lines, &certainty, error))
            return false;
        *over = certainty || lines->ended;
        if (!certainty)
            return lines->ended || lines_question(lines, error);
    }
    *over = true; /* lost, it is asked again */
    enum lines_kept kept =
        lines_keep(lines, practice_answer(&lines->practice, answer, certainty, error), error);
    return kept == LINES_KEPT ? lines_result(lines, error) : kept == LINES_LOST;
}

static bool lines_skip(struct lines *lines, struct error *error)
{
    enum session_skip means = session_skip_means(&lines->practice.session);
    int number = lines_number(lines);
    enum lines_kept kept = lines_keep(lines, practice_skip(&lines->practice, error), error);
    if (kept != LINES_KEPT)
        return kept == LINES_LOST;
    if (means == SKIP_OMITS)
        return lines_result(lines, error);
    if (lines->json)
        jsonl_event(&lines->out, "skipped", number, NULL, NULL);
    else
        buffer_print(&lines->out, "%s\n", means == SKIP_LATER ? tr("Later.") : tr("Skipped."));
    return true;
}

bool lines_undo(struct lines *lines, struct error *error)
{
    const struct session_answer *newest = practice_newest(&lines->practice);
    if (!newest) {
        lines_unreadable(lines, tr("there is no answer to take back"));
        return true;
    }
    char attempt[37];
    int number = newest->entry + 1;
    uuid_format(attempt, &newest->attempt);
    enum lines_kept kept = lines_keep(lines, practice_undo(&lines->practice, error), error);
    if (kept != LINES_KEPT)
        return kept == LINES_LOST;
    if (lines->json)
        jsonl_undone(&lines->out, number, attempt);
    else
        buffer_print(&lines->out, "%s\n", tr("Taken back."));
    return true;
}

static bool lines_hint(struct lines *lines, struct error *error)
{
    const struct question_model *question = &lines->application->presenter.question;
    bool any = practice_hints_left(&lines->practice) > 0;
    if (any) {
        enum lines_kept kept = lines_keep(lines, practice_hint(&lines->practice, error), error);
        if (kept != LINES_KEPT)
            return lines_go_on(lines, kept);
        if (!presenter_question(&lines->application->presenter, &lines->practice))
            return error_memory(error);
    }
    const char *hint = any ? question->hints[question->hint_count - 1] : NULL;
    if (lines->json) {
        jsonl_hint(&lines->out, lines_number(lines), hint, question->hints_left);
    } else {
        plain_hint(&lines->out, hint, question->hints_left);
        buffer_text(&lines->out, "\n> ");
    }
    return true;
}

static void lines_help(struct lines *lines)
{
    const struct question_model *question = &lines->application->presenter.question;
    const char *rows[RESPONSE_COMMANDS];
    struct buffer help;
    buffer_init(&help);
    for (int i = 0; i < RESPONSE_COMMANDS; i++)
        rows[i] = response_rows[i].help;
    lines_help_commands(lines, &help, question, rows);
    if (lines->json)
        jsonl_event(&lines->out, "help", lines_number(lines), "text", buffer_get(&help));
    else
        buffer_print(&lines->out, "%s\n%s\n> ", lines_help_answer(question, false), buffer_get(&help));
    buffer_finish(&help);
}

/* An empty line: turns a card over, and is no answer. */
static void lines_empty(struct lines *lines)
{
    const struct question_model *question = &lines->application->presenter.question;
    if (question->way != WAY_RECALL || lines->json) {
        lines_unreadable(lines, tr("an empty line is no answer; :skip puts the question off"));
    } else if (lines->revealed) {
        lines_unreadable(lines, tr("type 1 for again, 2 for hard, 3 for good, 4 for easy"));
    } else {
        lines->revealed = true;
        plain_back(&lines->out, question);
    }
}

/* Something was noted about the question, which stays open. */
static bool lines_note(struct lines *lines, const struct response *response, struct error *error)
{
    bool report = response->command == COMMAND_REPORT;
    bool stored = report ? practice_report(&lines->practice, session_current(&lines->practice.session),
                                           response->argument, error)
                         : practice_flag(&lines->practice, error);
    enum lines_kept kept = lines_keep(lines, stored, error);
    if (kept != LINES_KEPT)
        return lines_go_on(lines, kept);
    lines_say(lines, report ? "reported" : "flagged", NULL, NULL,
              report ? tr("Reported, with thanks.") : tr("Flagged."));
    if (!lines->json)
        buffer_text(&lines->out, "\n> ");
    return true;
}

bool lines_star(struct lines *lines, bool star, int entry, struct error *error)
{
    struct practice *practice = &lines->practice;
    bool stored = star ? practice_star(practice, entry, error) : practice_suspend(practice, entry, error);
    enum lines_kept kept = lines_keep(lines, stored, error);
    if (kept != LINES_KEPT)
        return kept == LINES_LOST;
    const struct store_schedule *known = practice_known(practice, entry);
    bool on = star ? known->starred : known->suspended;
    if (lines->json)
        jsonl_mark(&lines->out, star ? "starred" : "suspended", entry + 1, on);
    else if (star)
        buffer_print(&lines->out, "%s\n", on ? tr("Starred.") : tr("The star is off."));
    else
        buffer_print(&lines->out, "%s\n",
                     on ? tr("Suspended: it is not asked again when it is due.")
                        : tr("No longer suspended."));
    return true;
}

/* `:star`, `:suspend`: the question on show, or with `last` the one answered before it. */
static bool lines_mark(struct lines *lines, const struct response *response, struct error *error)
{
    int entry = session_current(&lines->practice.session);
    if (response->last) {
        entry = lines->practice.last.entry;
        if (entry < 0) {
            lines_unreadable(lines, tr("nothing was answered yet"));
            return true;
        }
    }
    if (!lines_star(lines, response->command == COMMAND_STAR, entry, error))
        return false;
    if (!lines->json)
        buffer_text(&lines->out, "\n> ");
    return true;
}

bool lines_handle(struct lines *lines, const struct response *response, bool *over, struct error *error)
{
    *over = false;
    switch (response->kind) {
    case RESPONSE_UNREADABLE:
        lines_unreadable(lines, response->reason);
        return true;
    case RESPONSE_BLANK:
        lines_empty(lines);
        return true;
    case RESPONSE_ANSWER:
        return lines_answer(lines, &response->answer, over, error);
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
    case COMMAND_STAR:
    case COMMAND_SUSPEND:
        return lines_mark(lines, response, error);
    case COMMAND_OVERVIEW:
    case COMMAND_GO:
        lines_unreadable(lines, tr("only in an exam"));
        break;
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
