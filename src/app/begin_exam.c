/* What is said of exams that are open, and of those whose time ran out while nobody was there. */
#include "begin.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

enum { MINUTE = 60000 };

struct moment {
    char day[16], hour[8];
};

/* A moment in local time: "2026-11-30", "14:05". */
static void write_moment(struct moment *moment, int64_t at, int utc_offset_s)
{
    time_t seconds = (time_t)(at / 1000 + utc_offset_s);
    struct tm then;
    *moment = (struct moment){ 0 };
    if (!gmtime_r(&seconds, &then))
        return;
    strftime(moment->day, sizeof moment->day, "%Y-%m-%d", &then);
    strftime(moment->hour, sizeof moment->hour, "%H:%M", &then);
}

void begin_describe_exam(const struct sitting_open *open, char *text, int size)
{
    struct moment begun;
    write_moment(&begun, open->started_at, open->utc_offset_s);
    int minutes = (int)((open->left_ms + MINUTE / 2) / MINUTE);
    if (open->left_ms < 0)
        snprintf(text, (size_t)size, tr("%d of %d answered, begun on %s at %s, no time limit"),
                 open->answered, open->questions, begun.day, begun.hour);
    else
        snprintf(text, (size_t)size,
                 ntr("%d of %d answered, begun on %s at %s, %d min left",
                     "%d of %d answered, begun on %s at %s, %d min left", minutes),
                 open->answered, open->questions, begun.day, begun.hour, minutes);
}

const char *begin_exam_elsewhere(void)
{
    return tr("An exam of these packs runs in another terminal. This is a second one beside it.");
}

bool begin_fail_elsewhere(struct error *error)
{
    return error_set(error, ERROR_BUSY, "%s",
                     tr("the exam of these packs runs in another terminal: go on with it there, or leave it "
                        "there first"));
}

void begin_leave_exam(const struct sitting *sitting, char *text, int size)
{
    int64_t left = sitting_left(sitting), now = clock_wall(&sitting->clock);
    int offset = clock_offset(&sitting->clock, now + left);
    bool today = clock_day(now, offset, 0) == clock_day(now + left, offset, 0);
    struct moment end;
    write_moment(&end, now + left, offset);
    if (left < 0)
        snprintf(text, (size_t)size, "%s",
                 tr("The exam stays open; the same command with --resume goes on with it."));
    else if (left == 0)
        snprintf(text, (size_t)size, "%s",
                 tr("The time of this exam is up. It is handed in, as far as it was stored, when quiztutor "
                    "is next started."));
    else
        snprintf(text, (size_t)size,
                 tr("The exam stays open until %s%s%s; the same command with --resume goes on with it."),
                 today ? "" : end.day, today ? "" : " ", end.hour);
}

void begin_tell_exam(const struct sitting *sitting, struct buffer *out)
{
    char text[BEGIN_TEXT];
    if (sitting->learner_created && !out)
        fprintf(stderr, tr("quiztutor: new learner \"%s\"\n"), sitting->record.learner.name);
    if (sitting->left_out) {
        snprintf(
            text, sizeof text,
            ntr("%d question is gone or was changed; it left this exam, but counts as it was left",
                "%d questions are gone or were changed; they left this exam, but count as they were left",
                sitting->left_out),
            sitting->left_out);
        begin_say(out, text);
    }
    if (sitting->resumed && sitting_left(sitting) == 0)
        begin_say(out, tr("the time of this exam is up; it is handed in as it was left"));
}

void application_hand_in(struct store *store, struct clock clock)
{
    struct sitting_overdue overdue;
    struct error error = { .code = ERROR_NONE };
    bool done = sitting_hand_in_overdue(store, clock, &overdue, &error);
    for (int i = 0; i < overdue.count && i < SITTING_TOLD; i++) {
        char day[DAY_TEXT];
        struct buffer name; /* in a store it may hold anything */
        buffer_init(&name);
        text_visible(&name, overdue.told[i].learner, (ptrdiff_t)strlen(overdue.told[i].learner));
        day_short(day, clock_day(overdue.told[i].started_at, overdue.told[i].utc_offset_s, 0));
        fprintf(stderr, tr("quiztutor: the exam of %s (%s) was handed in when its time was up\n"), day,
                buffer_get(&name));
        buffer_finish(&name);
    }
    if (overdue.count > SITTING_TOLD)
        fprintf(stderr, tr("quiztutor: and %d more\n"), overdue.count - SITTING_TOLD);
    if (!done && error.code != ERROR_READ_ONLY)
        fprintf(stderr, tr("quiztutor: an exam whose time is up could not be handed in: %s\n"),
                error.message);
}
