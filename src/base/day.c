#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <stdio.h>

static const char *const weekdays[] = { N_("Sunday"),   N_("Monday"), N_("Tuesday"), N_("Wednesday"),
                                        N_("Thursday"), N_("Friday"), N_("Saturday") };
static const char *const short_weekdays[] = { N_("Sun"), N_("Mon"), N_("Tue"), N_("Wed"),
                                              N_("Thu"), N_("Fri"), N_("Sat") };
static const char *const months[] = { N_("January"),   N_("February"), N_("March"),    N_("April"),
                                      N_("May"),       N_("June"),     N_("July"),     N_("August"),
                                      N_("September"), N_("October"),  N_("November"), N_("December") };
static const char *const short_months[] = {
    N_("Jan"), N_("Feb"), N_("Mar"), N_("Apr"), N_("May"), N_("Jun"),
    N_("Jul"), N_("Aug"), N_("Sep"), N_("Oct"), N_("Nov"), N_("Dec")
};

enum {
    DAYS_OF_ERA = 146097,  /* of 400 years */
    DAYS_TO_1970 = 719468, /* since 0000-03-01 */
    FARTHEST = 365242500,  /* a million years */
    NEAR = 330             /* days within which a date needs no year */
};

/* Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days: years begin in March, so
 * that the leap day is the last. */
struct day_date day_date(int64_t day)
{
    if (day > FARTHEST)
        day = FARTHEST;
    if (day < -FARTHEST)
        day = -FARTHEST;
    int64_t since = day + DAYS_TO_1970;
    int64_t era = (since >= 0 ? since : since - (DAYS_OF_ERA - 1)) / DAYS_OF_ERA;
    int of_era = (int)(since - era * DAYS_OF_ERA);
    int year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int of_year = of_era - (365 * year + year / 4 - year / 100);
    int month = (5 * of_year + 2) / 153; /* 0: March */
    struct day_date date;
    date.day = of_year - (153 * month + 2) / 5 + 1;
    date.month = month < 10 ? month + 3 : month - 9;
    date.year = era * 400 + year + (date.month <= 2);
    date.weekday = (int)(((day + 4) % 7 + 7) % 7); /* 1970-01-01 was a Thursday */
    return date;
}

void day_short(char text[static DAY_TEXT], int64_t day)
{
    struct day_date date = day_date(day);
    /* weekday, day of the month, month */
    snprintf(text, DAY_TEXT, tr("%s %d %s"), tr(short_weekdays[date.weekday]), date.day,
             tr(short_months[date.month - 1]));
}

void day_words(char text[static DAY_TEXT], int64_t day, int64_t today)
{
    struct day_date date = day_date(day);
    const char *month = tr(months[date.month - 1]);
    if (day >= today - 1 && day <= today + 1)
        snprintf(text, DAY_TEXT, "%s",
                 day < today   ? tr("yesterday")
                 : day > today ? tr("tomorrow")
                               : tr("today"));
    else if (day > today && day < today + 7)
        snprintf(text, DAY_TEXT, "%s", tr(weekdays[date.weekday]));
    else if (day > today - NEAR && day < today + NEAR)
        snprintf(text, DAY_TEXT, tr("%d %s"), date.day, month); /* day of the month, month */
    else
        snprintf(text, DAY_TEXT, tr("%d %s %lld"), date.day, month, (long long)date.year);
}
