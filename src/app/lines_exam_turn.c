/* The turns of an exam over lines: what each line that was typed does. */
#include "lines_exam.h"

#include <quiztutor/jsonl_exam.h>
#include <quiztutor/message.h>
#include <quiztutor/plain_exam.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

/* What was noted came too late, or was lost; then the question stays as it is. */
static bool examination_go_on(struct examination *exam)
{
    if (!exam->finishing && !exam->lines.json)
        buffer_text(out(exam), "\n> ");
    return true;
}

static bool examination_flag(struct examination *exam, struct error *error)
{
    int entry = exam->sitting.exam.current;
    bool late = false;
    if (!sitting_flag(&exam->sitting, entry, error) && !examination_store_again(exam, &late, error))
        return false;
    if (late)
        return examination_go_on(exam);
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
        return examination_go_on(exam);
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
    const struct question_model *question = &exam->lines.application->presenter.question;
    struct buffer help;
    buffer_init(&help);
    lines_help_commands(&exam->lines, &help, question, exam_help);
    if (exam->lines.json)
        jsonl_event(out(exam), "help", examination_number(exam), "text", buffer_get(&help));
    else
        buffer_print(out(exam), "%s\n%s\n> ", lines_help_answer(question, true), buffer_get(&help));
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

bool examination_ask(struct examination *exam, struct error *error)
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
        exam->lines.asking = true;
        const char *line = examination_read(exam, &length);
        exam->lines.asking = false;
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
