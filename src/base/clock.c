#include <quiztutor/clock.h>

#include <fcntl.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

/* 32 hex digits, hyphens among them. */
static bool system_boot(void *context, struct uuid *boot)
{
    static const char hex[] = "0123456789abcdef";
    char text[64];
    int digits = 0, file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
    (void)context;
    if (file < 0)
        return false;
    ssize_t length = read(file, text, sizeof text);
    close(file);
    for (ssize_t i = 0; i < length && digits < 32; i++) {
        const char *digit = memchr(hex, text[i], 16);
        if (!digit)
            continue;
        int value = (int)(digit - hex);
        unsigned char *byte = &boot->bytes[digits / 2];
        *byte = (unsigned char)(digits % 2 ? *byte | value : value << 4);
        digits++;
    }
    return digits == 32;
}

struct clock clock_system(void)
{
    return (struct clock){ NULL, system_wall, system_steady, system_offset, system_boot };
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

static bool fake_boot(void *context, struct uuid *boot)
{
    *boot = (struct uuid){ { 0xb0, (unsigned char)((struct clock_fake *)context)->boot } };
    return true;
}

struct clock clock_fake(struct clock_fake *fake)
{
    return (struct clock){ fake, fake_wall, fake_steady, fake_offset, fake_boot };
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

bool clock_boot(const struct clock *clock, struct uuid *boot)
{
    *boot = (struct uuid){ { 0 } };
    return clock->boot && clock->boot(clock->context, boot);
}

int64_t clock_day(int64_t wall, int offset, int starts)
{
    const int64_t day = 86400000;
    int64_t local = wall + (int64_t)offset * 1000 - (int64_t)starts * 60000;
    return local >= 0 ? local / day : -((-local + day - 1) / day);
}
