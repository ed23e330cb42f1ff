/*
 * Time as an argument: everything that needs the time is given a clock, the system's or a test's.
 */
#ifndef QUIZTUTOR_CLOCK_H
#define QUIZTUTOR_CLOCK_H

#include <quiztutor/hash.h>
#include <stdbool.h>
#include <stdint.h>

struct clock {
    void *context;
    int64_t (*wall)(void *context);                 /* ms since 1970-01-01 UTC */
    int64_t (*steady)(void *context);               /* ms, never goes back within a boot (CLOCK_BOOTTIME) */
    int (*offset)(void *context, int64_t wall);     /* seconds east of UTC in the local zone at that moment */
    bool (*boot)(void *context, struct uuid *boot); /* which boot `steady` counts in; NULL: not known */
};

struct clock clock_system(void);

/* A clock for tests: stands at *fake until the test moves it. The struct belongs to the caller. */
struct clock_fake {
    int64_t wall, steady;
    int offset;
    int boot;
};
struct clock clock_fake(struct clock_fake *fake);

int64_t clock_wall(const struct clock *clock);
int64_t clock_steady(const struct clock *clock);
int clock_offset(const struct clock *clock, int64_t wall);

/* The boot of the machine that the steady clock belongs to; false where it is not known. */
bool clock_boot(const struct clock *clock, struct uuid *boot);

/* Number of the local day (days since 1970-01-01) that a moment belongs to, days beginning `starts` minutes
 * after midnight: 03:59 with starts = 240 is still yesterday. */
int64_t clock_day(int64_t wall, int offset, int starts);

#endif
