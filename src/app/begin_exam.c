/* What is said of exams that are open, and of those whose time ran out while nobody was there. */
#include "begin.h"

#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <time.h>

enum { MINUTE = 60000 };

/* A local moment by a strftime format. */
static void write_moment(char *text, size_t size, const char *format, int64_t at, int utc_offset_s)
{
    time_t seconds = (time_t)(at / 1000 + utc_offset_s);
    struct tm then;
    *text = '\0';
    if (gmtime_r(&seconds, &then) && strftime(text, size, format, &then) == 0)
        *text = '\0';
}

void begin_describe_exam(const struct sitting_open *open, char *text, int size)
{
    char day[16], hour[8];
    write_moment(day, sizeof day, "%Y-%m-%d", open->started_at, open->utc_offset_s);
    write_moment(hour, sizeof hour, "%H:%M", open->started_at, open->utc_offset_s);
    int minutes = (int)((open->left_ms + MINUTE / 2) / MINUTE);
    if (open->left_ms < 0)
        snprintf(text, (size_t)size, tr("%d of %d answered, begun on %s at %s, no time limit"),
                 open->answered, open->questions, day, hour);
    else
        snprintf(text, (size_t)size,
                 ntr("%d of %d answered, begun on %s at %s, %d min left",
                     "%d of %d answered, begun on %s at %s, %d min left", minutes),
                 open->answered, open->questions, day, hour, minutes);
}

void begin_leave_exam(const struct sitting *sitting, char *text, int size)
{
    int64_t left = sitting_left(sitting), now = clock_wall(&sitting->clock);
    char moment[24];
    int offset = clock_offset(&sitting->clock, now + left);
    bool today = clock_day(now, offset, 0) == clock_day(now + left, offset, 0);
    write_moment(moment, sizeof moment, today ? "%H:%M" : "%Y-%m-%d %H:%M", now + left, offset);
    if (left < 0)
        snprintf(text, (size_t)size, "%s",
                 tr("The exam stays open; the same command with --resume goes on with it."));
    else
        snprintf(text, (size_t)size,
                 tr("The exam stays open until %s; the same command with --resume goes on with it."), moment);
}

void begin_tell_exam(const struct sitting *sitting)
{
    if (sitting->learner_created)
        fprintf(stderr, tr("quiztutor: new learner \"%s\"\n"), sitting->record.learner.name);
    if (sitting->left_out)
        fprintf(stderr,
                ntr("quiztutor: %d question is gone or was changed; it left this exam\n",
                    "quiztutor: %d questions are gone or were changed; they left this exam\n",
                    sitting->left_out),
                sitting->left_out);
}

void application_hand_in(struct application *application)
{
    struct sitting_overdue overdue;
    struct error error = { .code = ERROR_NONE };
    if (!application->store)
        return;
    bool done = sitting_hand_in_overdue(application->store, application->clock, &overdue, &error);
    for (int i = 0; i < overdue.count && i < SITTING_TOLD; i++) {
        char day[DAY_TEXT];
        day_short(day, clock_day(overdue.told[i].started_at, overdue.told[i].utc_offset_s, 0));
        fprintf(stderr, tr("quiztutor: the exam of %s (%s) was handed in when its time was up\n"), day,
                overdue.told[i].learner);
    }
    if (overdue.count > SITTING_TOLD)
        fprintf(stderr, tr("quiztutor: and %d more\n"), overdue.count - SITTING_TOLD);
    if (!done && error.code != ERROR_READ_ONLY)
        fprintf(stderr, tr("quiztutor: an exam whose time is up could not be handed in: %s\n"),
                error.message);
}
