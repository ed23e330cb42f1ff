/*
 * Moments written in local time, as 2026-12-01 09:00. Where the clocks are set forward some of them do not
 * exist, where they are set back some come twice: neither is guessed. Private to content.
 */
#ifndef CONTENT_KIOSK_MOMENT_H
#define CONTENT_KIOSK_MOMENT_H

#include <quiztutor/clock.h>

enum moment {
    MOMENT_FINE,
    MOMENT_UNREADABLE,
    MOMENT_NEVER, /* the clocks are set forward over it */
    MOMENT_TWICE, /* the clocks are set back over it */
};

/* *wall in ms since 1970, by the clock's zone. */
enum moment moment_read(const char *text, const struct clock *clock, int64_t *wall);

#endif
