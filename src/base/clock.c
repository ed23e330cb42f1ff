#include <quiztutor/clock.h>

#include <time.h>

static int64_t clock_read(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t system_wall(void *context)
{
    (void)context;
    return clock_read(CLOCK_REALTIME);
}

static int64_t system_steady(void *context)
{
    (void)context;
    return clock_read(CLOCK_BOOTTIME);
}

static int system_offset(void *context, int64_t wall)
{
    (void)context;
    time_t seconds = (time_t)(wall / 1000);
    struct tm local;
    return localtime_r(&seconds, &local) ? (int)local.tm_gmtoff : 0;
}

struct clock clock_system(void)
{
    return (struct clock){ NULL, system_wall, system_steady, system_offset };
}

static int64_t fake_wall(void *context)
{
    return ((struct clock_fake *)context)->wall;
}

static int64_t fake_steady(void *context)
{
    return ((struct clock_fake *)context)->steady;
}

static int fake_offset(void *context, int64_t wall)
{
    (void)wall;
    return ((struct clock_fake *)context)->offset;
}

struct clock clock_fake(struct clock_fake *fake)
{
    return (struct clock){ fake, fake_wall, fake_steady, fake_offset };
}

int64_t clock_wall(const struct clock *clock)
{
    return clock->wall(clock->context);
}

int64_t clock_steady(const struct clock *clock)
{
    return clock->steady(clock->context);
}

int clock_offset(const struct clock *clock, int64_t wall)
{
    return clock->offset(clock->context, wall);
}

int64_t clock_day(int64_t wall, int offset, int starts)
{
    const int64_t day = 86400000;
    int64_t local = wall + (int64_t)offset * 1000 - (int64_t)starts * 60000;
    return local >= 0 ? local / day : -((-local + day - 1) / day);
}
