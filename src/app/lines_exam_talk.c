/* What an exam over lines says and asks, beside its questions. */
#include "begin.h"
#include "lines_exam.h"

#include <quiztutor/jsonl_exam.h>
#include <quiztutor/message.h>
#include <quiztutor/plain.h>
#include <quiztutor/plain_exam.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool examination_is_over(void *context)
{
    struct examination *exam = context;
    return sitting_is_over(&exam->sitting) || lines_guard_over(&exam->lines);
}

static const char *examination_next(struct examination *exam, ptrdiff_t *length)
{
    struct lines *lines = &exam->lines;
    const char *line =
        examination_is_over(exam) ? NULL : line_read_before(&lines->in, length, examination_is_over, exam);
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

/* A tutor was here, and may have given more time: what was asked before is asked again. */
static bool examination_again(struct examination *exam)
{
    struct presenter *presenter = &exam->lines.application->presenter;
    struct error error;
    sitting_refresh(&exam->sitting, NULL);
    if (!exam->lines.asking)
        buffer_text(out(exam), "\n> ");
    else if (!presenter_exam_question(presenter, &exam->sitting))
        return false;
    else
        plain_question(out(exam), &presenter->question);
    return lines_flush(&exam->lines, &error);
}

const char *examination_read(struct examination *exam, ptrdiff_t *length)
{
    struct lines *lines = &exam->lines;
    const char *line = examination_next(exam, length);
    while (line && lines_guard_tutor(lines, line, *length))
        line = !lines->signed_out && examination_again(exam) ? examination_next(exam, length) : NULL;
    bool late = !line && !lines->in.ended && !lines->signed_out;
    exam->finishing = exam->finishing || late || (!line && !lines->from_terminal);
    exam->left = !line && !exam->finishing;
    return line;
}

int examination_number(const struct examination *exam)
{
    return exam->sitting.exam.current + 1;
}

void examination_say(struct examination *exam, const char *event, int number, const char *words)
{
    if (exam->lines.json)
        jsonl_event(out(exam), event, number, NULL, NULL);
    else
        buffer_print(out(exam), "%s\n", words);
}

void examination_unreadable(struct examination *exam, const char *reason)
{
    if (exam->lines.json)
        jsonl_event(out(exam), "unreadable", examination_number(exam), "reason", reason);
    else
        buffer_print(out(exam), "%s: %s.\n\n> ", tr("Not understood"), reason);
}

bool examination_wait(struct examination *exam, const struct error *why, struct error *error)
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
    bool answer = exam->sitting.pending.turn == SITTING_ANSWER;
    lines->stake = answer ? begin_stake()
                          : tr("Every answer is stored. The exam stays open, and can be handed in later.");
    const char *line = lines_read(lines, &length);
    lines->stake = NULL;
    if (line && (lines->json || (strcmp(line, ":finish") != 0 && strcmp(line, "q") != 0)))
        return true;
    sitting_abandon(&exam->sitting);
    lines->failed = true;
    *error = *why;
    return false;
}

void examination_not_stored(struct examination *exam, const struct error *why)
{
    if (!exam->lines.json)
        buffer_print(out(exam), tr("Not stored: %s."), why->message);
    if (!exam->lines.json)
        buffer_char(out(exam), '\n');
}

/* There was no memory even to keep it until it is stored. */
static void examination_lost(struct examination *exam, const struct error *why)
{
    if (exam->lines.json)
        jsonl_event(out(exam), "unreadable", examination_number(exam), "reason", why->message);
    else
        examination_not_stored(exam, why);
}

bool examination_store_again(struct examination *exam, bool *late, struct error *error)
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
        if (exam->sitting.pending.turn == SITTING_NONE) { /* not even kept: it is to be made again */
            examination_lost(exam, &why);
            *late = true;
            return true;
        }
        examination_not_stored(exam, &why);
        if (!examination_wait(exam, &why, error))
            return false;
        if (sitting_retry(&exam->sitting, &why))
            return true;
    }
}

bool examination_certainty(struct examination *exam, int *certainty, bool *finish, struct error *error)
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

int examination_place(const struct examination *exam, const char *text)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    bool whole = text && end != text && strspn(end, " \t") == strlen(end);
    return whole && number >= 1 && number <= exam->sitting.exam.count ? (int)number : 0;
}

bool examination_ask_hand_in(struct examination *exam, struct error *error)
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
