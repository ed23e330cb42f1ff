#include <quiztutor/day.h>
#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

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

/* Days since 1970-01-01 of a day of the Gregorian calendar, by counting from 1 March of year 0 (Hinnant,
 * "chrono-Compatible Low-Level Date Algorithms", days_from_civil). */
static int64_t days_from(int year, int month, int day)
{
    int64_t from = month <= 2 ? year - 1 : year;
    int64_t era = from / 400, of_era = from % 400;
    int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

static int read_digits(const char *text, int digits)
{
    int number = 0;
    for (int i = 0; i < digits; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

bool day_read(int64_t *day, const char *text)
{
    static const int longest[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    if (strlen(text) != 10 || text[4] != '-' || text[7] != '-')
        return false;
    int year = read_digits(text, 4), month = read_digits(text + 5, 2), of_month = read_digits(text + 8, 2);
    if (year < 1 || month < 1 || month > 12 || of_month < 1)
        return false;
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    if (of_month > longest[month - 1] + (month == 2 && leap))
        return false;
    *day = days_from(year, month, of_month);
    return true;
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
