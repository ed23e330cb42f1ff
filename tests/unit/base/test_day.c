/* Days in words, and the calendar behind them against the system's own. */
#include <quiztutor/day.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

static void assert_as_system(int64_t day)
{
    time_t seconds = (time_t)(day * 86400);
    struct tm system;
    assert_non_null(gmtime_r(&seconds, &system));
    struct day_date date = day_date(day);
    assert_int_equal(date.year, system.tm_year + 1900);
    assert_int_equal(date.month, system.tm_mon + 1);
    assert_int_equal(date.day, system.tm_mday);
    assert_int_equal(date.weekday, system.tm_wday);
}

static void test_calendar(void **state)
{
    (void)state;
    for (int64_t day = -150000; day < 150000; day++) /* 1559 to 2380: every rule of leap years */
        assert_as_system(day);
    for (int64_t day = -365242500; day <= 365242500; day += 99991)
        assert_as_system(day);
    assert_int_equal(day_date(INT64_MAX).year, day_date(365242500).year);
    assert_int_equal(day_date(INT64_MIN).year, day_date(-365242500).year);
}

static void assert_words(int64_t day, int64_t today, const char *words)
{
    char text[DAY_TEXT];
    day_words(text, day, today);
    assert_string_equal(text, words);
}

static void test_words(void **state)
{
    (void)state;
    const int64_t monday = 20787; /* 2026-11-30 */
    char text[DAY_TEXT];
    day_short(text, monday);
    assert_string_equal(text, "Mon 30 Nov");
    day_short(text, monday + 1);
    assert_string_equal(text, "Tue 1 Dec");
    assert_words(monday, monday, "today");
    assert_words(monday + 1, monday, "tomorrow");
    assert_words(monday - 1, monday, "yesterday");
    assert_words(monday + 2, monday, "Wednesday");
    assert_words(monday + 6, monday, "Sunday");
    assert_words(monday + 7, monday, "7 December");
    assert_words(monday - 2, monday, "28 November");
    assert_words(monday + 34, monday, "3 January");
    assert_words(monday + 329, monday, "25 October");
    assert_words(monday + 330, monday, "26 October 2027");
    assert_words(monday - 330, monday, "4 January 2026");
    assert_words(0, monday, "1 January 1970");
    day_words(text, INT64_MAX, monday); /* no overflow, and no place to break */
    day_words(text, INT64_MIN, monday);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_calendar), cmocka_unit_test(test_words) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
