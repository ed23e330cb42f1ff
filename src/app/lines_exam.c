/* An exam over lines: plain words, or JSON. */
#include "begin.h"
#include "lines.h"

#include <quiztutor/jsonl_exam.h>
#include <quiztutor/message.h>
#include <quiztutor/plain_exam.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* `lines` is what a practice talks by; its own practice stays unused. */
struct examination {
    struct lines lines;
    struct sitting sitting;
    bool on_terminal; /* somebody sits there, and is asked */
    bool finishing;   /* to be handed in */
    bool left;        /* to be left open */
};

static struct buffer *out(struct examination *exam)
{
    return &exam->lines.out;
}

static bool examination_is_over(void *context)
{
    return sitting_is_over(&((struct examination *)context)->sitting);
}

/* The next line. NULL: the time is up, or the input is over; then what follows is settled. */
static const char *examination_read(struct examination *exam, ptrdiff_t *length)
{
    struct lines *lines = &exam->lines;
    const char *line =
        examination_is_over(exam) ? NULL : line_read_before(&lines->in, length, examination_is_over, exam);
    bool late = !line && !lines->in.ended;
    if (!lines->json && !lines->from_terminal && line) {
        text_visible(&lines->out, line, *length);
        buffer_char(&lines->out, '\n');
    } else if (!lines->json && !line) {
        buffer_char(&lines->out, '\n');
    }
    exam->finishing = exam->finishing || late || (!line && !lines->from_terminal);
    exam->left = !line && !exam->finishing;
    return line;
}

static int examination_number(const struct examination *exam)
{
    return exam->sitting.exam.current + 1;
}

static void examination_say(struct examination *exam, const char *event, int number, const char *words)
{
    if (exam->lines.json)
        jsonl_event(out(exam), event, number, NULL, NULL);
    else
        buffer_print(out(exam), "%s\n", words);
}

static void examination_unreadable(struct examination *exam, const char *reason)
{
    if (exam->lines.json)
        jsonl_event(out(exam), "unreadable", examination_number(exam), "reason", reason);
    else
        buffer_print(out(exam), "%s: %s.\n\n> ", tr("Not understood"), reason);
}

/* Something could not be stored: tell, and wait for a line to try again. False when it is given up. */
static bool examination_wait(struct examination *exam, const struct error *why, struct error *error)
{
    struct lines *lines = &exam->lines;
    if (lines->json)
        jsonl_event(out(exam), "not-stored", examination_number(exam), "reason", why->message);
    else
        buffer_print(
            out(exam), "%s\n> ",
            sitting_left(&exam->sitting) == 0
                ? tr("Enter tries again, :finish leaves; what is stored is handed in at the next start.")
                : tr("Enter tries again, :finish leaves; the exam stays open until its time is up."));
    if (!lines_flush(lines, error))
        return false;
    ptrdiff_t length;
    const char *line = lines_read(lines, &length);
    if (line && (lines->json || (strcmp(line, ":finish") != 0 && strcmp(line, "q") != 0)))
        return true;
    sitting_abandon(&exam->sitting);
    lines->failed = true;
    *error = *why;
    return false;
}

static void examination_not_stored(struct examination *exam, const struct error *why)
{
    if (!exam->lines.json)
        buffer_print(out(exam), tr("Not stored: %s."), why->message);
    if (!exam->lines.json)
        buffer_char(out(exam), '\n');
}

/* A turn was not stored. It is tried again until it is, or given up; *late where it came too late. */
static bool examination_store_again(struct examination *exam, bool *late, struct error *error)
{
    struct error why = *error;
    *late = false;
    for (;;) {
        if (sitting_is_over(&exam->sitting) &&
            (exam->sitting.pending.turn == SITTING_NONE || exam->sitting.handed_in)) {
            sitting_abandon(&exam->sitting);
            *late = exam->finishing = true;
            return true;
        }
        examination_not_stored(exam, &why);
        if (!examination_wait(exam, &why, error))
            return false;
        if (sitting_retry(&exam->sitting, &why))
            return true;
    }
}

/* How sure the learner is: 1 to 3 in *certainty, 0 where the answer is dropped; *finish where that is for
 * handing in. */
static bool examination_certainty(struct examination *exam, int *certainty, bool *finish, struct error *error)
{
    *certainty = 0;
    *finish = false;
    if (exam->lines.json)
        jsonl_event(out(exam), "certainty", examination_number(exam), NULL, NULL);
    else
        plain_certainty(out(exam));
    for (;;) {
        ptrdiff_t length;
        if (!lines_flush(&exam->lines, error))
            return false;
        const char *line = examination_read(exam, &length);
        if (!line)
            return true;
        if (length == 1 && *line >= '1' && *line <= '3') {
            *certainty = *line - '0';
            return true;
        }
        *finish = strcmp(line, ":finish") == 0 || strcmp(line, "q") == 0;
        if (*finish || strcmp(line, ":undo") == 0 || strcmp(line, "u") == 0)
            return true;
        examination_unreadable(
            exam, tr("type 1 for a guess, 2 for think so, 3 for certain; :undo goes back to the choices"));
    }
}

/* The number of a question in a text, 0 where there is none such. */
static int examination_place(const struct examination *exam, const char *text)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    bool whole = text && end != text && strspn(end, " \t") == strlen(end);
    return whole && number >= 1 && number <= exam->sitting.exam.count ? (int)number : 0;
}

/* On a terminal: hand in, or go on. Elsewhere it is handed in at once. */
static bool examination_ask_hand_in(struct examination *exam, struct error *error)
{
    struct presenter *presenter = &exam->lines.application->presenter;
    if (!exam->on_terminal) {
        exam->finishing = true;
        return true;
    }
    for (;;) {
        ptrdiff_t length;
        sitting_refresh(&exam->sitting, NULL); /* a tutor may have given more time */
        if (!presenter_exam_overview(presenter, &exam->sitting))
            return error_memory(error);
        plain_hand_in(out(exam), &presenter->overview);
        if (!lines_flush(&exam->lines, error))
            return false;
        const char *line = examination_read(exam, &length);
        if (!line)
            return true;
        if (!*line || *line == 'y' || *line == 'Y') {
            exam->finishing = true;
            return true;
        }
        if (*line == 'l' || *line == 'L') {
            exam->left = true;
            return true;
        }
        if (strncmp(line, ":go ", 4) == 0 && examination_place(exam, line + 4)) {
            sitting_show(&exam->sitting, examination_place(exam, line + 4) - 1);
            return true;
        }
        if (*line == 'n' || *line == 'N') {
            if (exam->sitting.exam.current < 0)
                sitting_show(&exam->sitting, 0);
            return true;
        }
        plain_overview(out(exam), &presenter->overview);
    }
}

static bool examination_answer(struct examination *exam, const struct answer *answer, bool *over,
                               struct error *error)
{
    int number = examination_number(exam), certainty = 0;
    bool late = false, finish;
    *over = true;
    if (exam->sitting.certainty && !answer->blank) {
        if (!examination_certainty(exam, &certainty, &finish, error))
            return false;
        if (finish)
            return examination_ask_hand_in(exam, error);
        if (!certainty) /* shown again, unless it is over */
            return true;
    }
    if (!sitting_answer(&exam->sitting, answer, certainty, error) &&
        !examination_store_again(exam, &late, error))
        return false;
    if (!late)
        examination_say(exam, "noted", number, answer->blank ? tr("Left blank.") : tr("Noted."));
    return true;
}

static bool examination_flag(struct examination *exam, struct error *error)
{
    int entry = exam->sitting.exam.current;
    bool late = false;
    if (!sitting_flag(&exam->sitting, entry, error) && !examination_store_again(exam, &late, error))
        return false;
    if (late)
        return true;
    bool on = exam->sitting.exam.entries[entry].flagged;
    if (exam->lines.json)
        jsonl_mark(out(exam), "flagged", entry + 1, on);
    else
        buffer_print(out(exam), "%s\n\n> ", on ? tr("Flagged.") : tr("No longer flagged."));
    return true;
}

static bool examination_report(struct examination *exam, const char *text, struct error *error)
{
    int entry = exam->sitting.exam.current;
    bool late = false;
    if (!sitting_report(&exam->sitting, entry, text, error) && !examination_store_again(exam, &late, error))
        return false;
    if (late)
        return true;
    examination_say(exam, "reported", entry + 1, tr("Reported, with thanks."));
    if (!exam->lines.json)
        buffer_text(out(exam), "\n> ");
    return true;
}

static void examination_go(struct examination *exam, const char *text, bool *over)
{
    char reason[120];
    int place = examination_place(exam, text);
    if (place) {
        sitting_show(&exam->sitting, place - 1);
        *over = true;
        return;
    }
    snprintf(reason, sizeof reason, tr("type the number of a question from 1 to %d, as in :go 3"),
             exam->sitting.exam.count);
    examination_unreadable(exam, reason);
}

static bool examination_overview(struct examination *exam, struct error *error)
{
    struct presenter *presenter = &exam->lines.application->presenter;
    sitting_refresh(&exam->sitting, NULL);
    if (!presenter_exam_overview(presenter, &exam->sitting))
        return error_memory(error);
    if (exam->lines.json)
        jsonl_overview(out(exam), &presenter->overview);
    else
        plain_overview(out(exam), &presenter->overview);
    return true;
}

/* What a command does in an exam; NULL where there is none such. */
static const char *const exam_help[RESPONSE_COMMANDS] = {
    [COMMAND_SKIP] = N_("go to the next open question; this one can be answered later"),
    [COMMAND_FLAG] = N_("flag the question, to look at it again; once more takes the flag off"),
    [COMMAND_REPORT] = N_("report the question as wrong or unclear; a few words may follow"),
    [COMMAND_OVERVIEW] = N_("the questions at a glance: answered, open, flagged"),
    [COMMAND_GO] = N_("go to question N, as in :go 3, answered or not; a new answer replaces the old"),
    [COMMAND_FINISH] = N_("hand the exam in"),
    [COMMAND_HELP] = N_("what can be typed here"),
};

static void examination_help(struct examination *exam)
{
    struct buffer help;
    buffer_init(&help);
    for (int i = 0; i < RESPONSE_COMMANDS; i++) {
        const struct response_row *row = &response_rows[i];
        char letter[2] = { row->letter, '\0' };
        if (exam_help[i])
            buffer_print(&help, "  %-9s %1s  %s\n", i == COMMAND_GO ? ":go N" : row->word, letter,
                         tr(exam_help[i]));
    }
    if (exam->lines.json)
        jsonl_event(out(exam), "help", examination_number(exam), "text", buffer_get(&help));
    else
        buffer_print(
            out(exam), "%s\n%s\n> ",
            tr("The number or letter of a choice, several parted by commas or spaces, an empty line to "
               "leave the question blank, or:"),
            buffer_get(&help));
    buffer_finish(&help);
}

static bool examination_command(struct examination *exam, const struct response *response, bool *over,
                                struct error *error)
{
    switch (response->command) {
    case COMMAND_SKIP:
        examination_say(exam, "skipped", examination_number(exam), tr("Later."));
        sitting_skip(&exam->sitting);
        *over = true;
        return true;
    case COMMAND_FLAG:
        return examination_flag(exam, error);
    case COMMAND_REPORT:
        return examination_report(exam, response->argument, error);
    case COMMAND_OVERVIEW:
        if (!examination_overview(exam, error))
            return false;
        if (!exam->lines.json)
            buffer_text(out(exam), "\n> ");
        return true;
    case COMMAND_GO:
        examination_go(exam, response->argument, over);
        return true;
    case COMMAND_FINISH:
        *over = true;
        return examination_ask_hand_in(exam, error);
    case COMMAND_HELP:
        examination_help(exam);
        return true;
    case COMMAND_HINT:
    case COMMAND_UNDO:
    case COMMAND_STAR:
    case COMMAND_SUSPEND:
    case RESPONSE_COMMANDS:
        break;
    }
    examination_unreadable(exam, tr("not in an exam"));
    return true;
}

/* Asks the question on show until another one comes on show, or it is over. */
static bool examination_ask(struct examination *exam, struct error *error)
{
    struct presenter *presenter = &exam->lines.application->presenter;
    struct showing showing;
    bool over = false;
    sitting_follow(&exam->sitting);
    if (!presenter_exam_question(presenter, &exam->sitting) || !sitting_current(&exam->sitting, &showing))
        return error_memory(error);
    if (exam->lines.json)
        jsonl_question(out(exam), &presenter->question);
    else
        plain_question(out(exam), &presenter->question);
    while (!over && !exam->finishing && !exam->left) {
        struct response response;
        ptrdiff_t length;
        if (!lines_flush(&exam->lines, error))
            return false;
        const char *line = examination_read(exam, &length);
        if (!line)
            return true;
        response_read(&response, &showing, line, length);
        bool done = true;
        if (response.kind == RESPONSE_UNREADABLE)
            examination_unreadable(exam, response.reason);
        else if (response.kind == RESPONSE_COMMAND)
            done = examination_command(exam, &response, &over, error);
        else if (response.kind == RESPONSE_BLANK)
            done = examination_answer(exam, &(struct answer){ .blank = true }, &over, error);
        else
            done = examination_answer(exam, &response.answer, &over, error);
        if (!done)
            return false;
    }
    return true;
}

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
    begin_tell_exam(sitting);
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
    if (application->wish == WISH_RESUME && !resumes)
        fprintf(stderr, "%s\n", tr("quiztutor: no open exam of these packs; starting anew"));
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
    line_catch_interrupt();
    buffer_init(&exam.lines.out);
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
