/* Tries in a row, and the wait after them, by a clock that nobody can set. */
#include "pin_private.h"

enum { FAILURES_MOST = 1000000 };

static int64_t clamp(int64_t value, int64_t least, int64_t most)
{
    return value < least ? least : value > most ? most : value;
}

/*
 * ms that passed since the newest failure, or fewer. The clock that runs since the machine's start says it
 * within one start; after another one at least that clock's time has passed. On another machine, where the
 * store was brought, neither is known: both clocks must say so, and the wall clock may be behind there.
 */
static int64_t passed(const struct pin_count *count, const struct clock *clock, const struct uuid *device)
{
    const int64_t most = INT64_MAX / 4;
    struct uuid boot;
    bool known = clock_boot(clock, &boot) && !uuid_is_zero(&count->boot);
    int64_t steady = clamp(clock_steady(clock), 0, most), since = clamp(count->since_steady, 0, most);
    if (steady >= since && (!known || uuid_equal(&boot, &count->boot)))
        return steady - since;
    if (uuid_equal(device, &count->device))
        return steady;
    int64_t wall = clamp(clock_wall(clock), 0, most), at = clamp(count->at, 0, most);
    int64_t apart = wall > at ? wall - at : at - wall;
    return steady < apart ? steady : apart;
}

int64_t pin_count_left(const struct pin_count *count, const struct clock *clock, const struct uuid *device)
{
    if (count->wait_ms <= 0)
        return 0;
    int64_t wait = clamp(count->wait_ms, 0, PIN_WAIT_LONGEST);
    return clamp(wait - passed(count, clock, device), 0, wait);
}

void pin_count_add(struct pin_count *count, const struct clock *clock, const struct uuid *device,
                   int64_t longest)
{
    int failures = (int)clamp(count->failures, 0, FAILURES_MOST) + 1;
    *count = (struct pin_count){
        .failures = failures, .since_steady = clock_steady(clock), .at = clock_wall(clock), .device = *device
    };
    clock_boot(clock, &count->boot);
    if (failures < PIN_TRIES)
        return;
    count->wait_ms = PIN_WAIT_FIRST;
    for (int i = PIN_TRIES; i < failures && count->wait_ms < longest; i++)
        count->wait_ms *= 2;
    count->wait_ms = clamp(count->wait_ms, 0, longest);
}

int64_t pin_longest(const struct uuid *who)
{
    return uuid_is_zero(who) ? PIN_CODE_WAIT_LONGEST : PIN_WAIT_LONGEST;
}

bool pin_count_worse(const struct pin_count *one, const struct pin_count *other)
{
    return one->failures > other->failures;
}
