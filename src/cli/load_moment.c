/* Moments as tables have them (ISO 8601). */
#include "load_row.h"

#include <quiztutor/day.h>

#include <string.h>

enum { MS_OF_DAY = 86400000, NOON = MS_OF_DAY / 2 };

/* So many digits, and past them; −1: they are not there. */
static int digits(const char **at, int count)
{
    int value = 0;
    for (int i = 0; i < count; i++, ++*at) {
        if (**at < '0' || **at > '9')
            return -1;
        value = value * 10 + (**at - '0');
    }
    return value;
}

/* A fraction of a second in ms, digits beyond those passed over. */
static bool fraction(const char **at, int64_t *ms)
{
    int scale = 100;
    if (**at != '.' && **at != ',')
        return true;
    ++*at;
    if (**at < '0' || **at > '9')
        return false;
    for (; **at >= '0' && **at <= '9'; ++*at, scale /= 10)
        *ms += (**at - '0') * scale;
    return true;
}

/* 10:55, 10:55:00, 10:55:00.000 as ms of the day. */
static bool time_read(const char **at, int64_t *ms)
{
    int hour = digits(at, 2), minute = -1, second = 0;
    if (hour < 0 || **at != ':')
        return false;
    ++*at;
    minute = digits(at, 2);
    if (minute < 0)
        return false;
    *ms = 0;
    if (**at == ':') {
        ++*at;
        second = digits(at, 2);
        if (second < 0 || !fraction(at, ms))
            return false;
    }
    *ms += ((int64_t)hour * 60 + minute) * 60000 + (int64_t)second * 1000;
    return hour < 24 && minute < 60 && second < 60;
}

/* Z, +01:00, +0100, −05; nothing: *there false. */
static bool offset_read(const char *at, int *seconds, bool *there)
{
    *there = *at != '\0';
    *seconds = 0;
    if (!*at || strcmp(at, "Z") == 0)
        return true;
    int sign = *at == '-' ? -1 : 1;
    if (*at != '-' && *at != '+')
        return false;
    at++;
    int hours = digits(&at, 2), minutes = 0;
    if (hours < 0)
        return false;
    if (*at) {
        at += *at == ':';
        minutes = digits(&at, 2);
    }
    *seconds = sign * (hours * 3600 + minutes * 60);
    return minutes >= 0 && minutes < 60 && hours <= 18 && !*at;
}

bool load_moment_read(const struct clock *clock, const char *text, int64_t *ms, int *utc_offset_s)
{
    char date[11];
    int64_t day, time = NOON;
    bool told = false;
    if (strlen(text) < sizeof date - 1)
        return false;
    memcpy(date, text, sizeof date - 1);
    date[sizeof date - 1] = '\0';
    if (!day_read(&day, date))
        return false;
    const char *at = text + sizeof date - 1;
    if (*at) {
        if (*at != 'T' && *at != ' ')
            return false;
        at++;
        if (!time_read(&at, &time) || !offset_read(at, utc_offset_s, &told))
            return false;
    }
    *ms = day * MS_OF_DAY + time;
    if (!told) {
        /* twice: where the clocks are changed, the first guess can be on the wrong side */
        *utc_offset_s = clock_offset(clock, *ms);
        *utc_offset_s = clock_offset(clock, *ms - (int64_t)*utc_offset_s * 1000);
    }
    *ms -= (int64_t)*utc_offset_s * 1000;
    return true;
}
