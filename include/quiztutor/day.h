/*
 * Local days in words. A day is a number, counted from 1970-01-01 (clock_day). The words come from the
 * message catalogue rather than from the locale's own tables, so that they are always of one language and one
 * encoding with the sentence around them. Pure.
 */
#ifndef QUIZTUTOR_DAY_H
#define QUIZTUTOR_DAY_H

#include <stdbool.h>
#include <stdint.h>

enum { DAY_TEXT = 80 };

/* Of the proleptic Gregorian calendar; days more than a million years away are those a million years away. */
struct day_date {
    int64_t year;
    int month, day; /* from 1 */
    int weekday;    /* 0: Sunday */
};
struct day_date day_date(int64_t day);

/* Reads YYYY-MM-DD; false for what is no day of the calendar. */
bool day_read(int64_t *day, const char *text);

/* "Mon 30 Nov" */
void day_short(char text[static DAY_TEXT], int64_t day);

/*
 * A day as seen from today, to stand after "until": "today", "tomorrow", "yesterday", "Thursday" for the
 * next six days, "3 January" within eleven months, else "3 January 2028".
 */
void day_words(char text[static DAY_TEXT], int64_t day, int64_t today);

#endif
