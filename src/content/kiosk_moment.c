#include "kiosk_moment.h"

#include "settings_file.h"

#include <quiztutor/day.h>

#include <stdio.h>
#include <string.h>

enum { DATE = 10, DAY_MS = 86400000, MINUTE_MS = 60000 };

/* A moment whose local time is `local`, under the offset that holds around `near`; false when it is none. */
static bool moment_under(const struct clock *clock, int64_t local, int64_t near, int64_t *wall)
{
    int64_t offset = (int64_t)clock_offset(clock, near) * 1000;
    *wall = local - offset;
    return (int64_t)clock_offset(clock, *wall) * 1000 == offset;
}

enum moment moment_read(const char *text, const struct clock *clock, int64_t *wall)
{
    static const struct setting_row time_row = { .kind = SETTING_TIME };
    char date[DATE + 1], belongs[200];
    double minutes;
    int64_t day, after;
    if (strnlen(text, DATE + 1) <= DATE || text[DATE] != ' ')
        return MOMENT_UNREADABLE;
    memcpy(date, text, DATE);
    date[DATE] = '\0';
    if (!day_read(&day, date) ||
        !settings_judge(&time_row, text + DATE + 1, &minutes, belongs, sizeof belongs))
        return MOMENT_UNREADABLE;
    /* offsets are less than a day: a day to either side lies before and behind a change of the clocks */
    int64_t local = day * DAY_MS + (int64_t)minutes * MINUTE_MS;
    bool early = moment_under(clock, local, local - DAY_MS, wall);
    bool late = moment_under(clock, local, local + DAY_MS, &after);
    if (early && late && *wall != after)
        return MOMENT_TWICE;
    if (!early && late)
        *wall = after;
    return early || late ? MOMENT_FINE : MOMENT_NEVER;
}
