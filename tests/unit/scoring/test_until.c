/*
 * Planning towards a day against a simulation that goes day by day over all questions at once, where the
 * planner goes question by question; and dates against the C library's calendar.
 */
#include <quiztutor/day.h>
#include <quiztutor/memory.h>
#include <quiztutor/random.h>
#include <quiztutor/until.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { MOST = 60, DAY = 86400000 };

static const struct schedule_rules rules = {
    .parameters = &fsrs_defaults, .retention = 0.9, .day_starts = 240, .fuzz = true
};

static void answer(struct schedule *schedule, enum grade grade, int64_t day, double draw)
{
    struct schedule_rules plain = rules;
    plain.fuzz = false;
    struct schedule_answer given = { .grade = grade, .at = day * DAY + 16 * 3600000, .draw = draw };
    schedule_answer(schedule, &plain, &given);
}

/* Every day from today to the one before `day`: each question that is due is answered right, then new ones
 * are met. */
static double simulate(struct until_question *questions, int count, int64_t today, int64_t day, int new_a_day,
                       int *reached)
{
    bool met[MOST] = { false };
    for (int i = 0; i < count; i++)
        met[i] = questions[i].schedule.phase != PHASE_NEW;
    for (int64_t at = today; at < day; at++) {
        int left = new_a_day;
        for (int i = 0; i < count; i++) {
            struct schedule *schedule = &questions[i].schedule;
            if (met[i] ? schedule->due_day <= at : left > 0) {
                left -= !met[i];
                met[i] = true;
                answer(schedule, GRADE_GOOD, at, 0);
            }
        }
    }
    double sum = 0;
    *reached = 0;
    for (int i = 0; i < count; i++) {
        *reached += met[i];
        const struct schedule *schedule = &questions[i].schedule;
        double days = (double)(day - schedule->last_day);
        if (met[i])
            sum += fsrs_retrievability(&fsrs_defaults, schedule->memory.stability, days);
    }
    return sum;
}

static void test_against_simulation(void **state)
{
    (void)state;
    struct random_stream random = { 3 };
    for (int turn = 0; turn < 400; turn++) {
        struct until_question questions[MOST], copy[MOST];
        int count = (int)random_below(&random, MOST + 1), fresh = 0;
        int64_t today = 20787, days = 1 + (int64_t)random_below(&random, 60);
        int limit = (int)random_below(&random, 12);
        for (int i = 0; i < count; i++) {
            questions[i] = (struct until_question){ .rules = &rules };
            int answers = (int)random_below(&random, 4);
            for (int k = 0; k < answers; k++)
                answer(&questions[i].schedule, (enum grade)(1 + random_below(&random, 4)),
                       today - 40 + 10 * k + (int64_t)random_below(&random, 9), 0);
            fresh += answers == 0;
        }
        memcpy(copy, questions, sizeof copy);
        struct until_plan plan;
        until_make(&plan, questions, count, today, today + days, limit);
        assert_int_equal(memcmp(copy, questions, sizeof *copy * (size_t)count), 0);
        assert_int_equal(plan.days, days);
        assert_int_equal(plan.unmet, fresh);
        assert_in_range(plan.new_a_day, 0, limit);
        /* the fewest a day that do: one less leaves some unmet */
        assert_true((int64_t)plan.needed_a_day * days >= fresh);
        assert_true(fresh == 0 || (int64_t)(plan.needed_a_day - 1) * days < fresh);
        /* with that many a day all are met in seven tenths of the days, and with one less they are not */
        double most = 0.7 * (double)days;
        if (plan.new_a_day < limit && plan.new_a_day < fresh) {
            assert_true((double)plan.new_a_day * most >= fresh - 1e-9);
            assert_true((double)(plan.new_a_day - 1) * most < fresh);
        }
        int reached;
        double remembered = simulate(copy, count, today, today + days, plan.new_a_day, &reached);
        assert_int_equal(plan.reached, reached);
        assert_true(fabs(plan.remembered - remembered) < 1e-9 * (1 + remembered));
        assert_true(plan.remembered >= 0 && plan.remembered <= count);
    }
}

static void test_sentences(void **state)
{
    (void)state;
    static struct until_question questions[500];
    struct until_plan plan;
    for (int i = 0; i < 500; i++)
        questions[i] = (struct until_question){ .rules = &rules };
    until_make(&plan, questions, 37, 20787, 20787 + 18, 20);
    assert_int_equal(plan.new_a_day, 3);
    assert_int_equal(plan.reached, 37);
    assert_true(plan.remembered > 0.85 * 37);
    until_make(&plan, questions, 500, 20787, 20787 + 18, 20);
    assert_int_equal(plan.new_a_day, 20);
    assert_int_equal(plan.reached, 360);
    assert_int_equal(plan.needed_a_day, 28);
    /* the day itself, and one that is over: one session is left */
    until_make(&plan, questions, 10, 20787, 20787, 20);
    assert_int_equal(plan.days, 1);
    assert_int_equal(plan.reached, 10);
    until_make(&plan, questions, 10, 20787, 20700, 5);
    assert_int_equal(plan.reached, 5);
    until_make(&plan, questions, 10, 20787, 20800, 0);
    assert_int_equal(plan.reached, 0);
    assert_true(plan.remembered == 0); /* nobody remembers what they never met, whatever they guess */
    until_make(&plan, questions, 0, 20787, 20800, 20);
    assert_int_equal(plan.new_a_day + plan.reached + plan.needed_a_day, 0);
}

static void test_dates(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "2026-02-30", "2026-02-29", "1900-02-29", "2026-00-10", "2026-13-01",  "2026-04-31",  "2026-01-00",
        "2026-1-01",  "26-01-01",   "2026-01-1",  "2026/01/01", "2026-01-01 ", " 2026-01-01", "",
        "0000-01-01", "2026-01-32", "-026-01-01", "2026-01-0x", "today",       "20260101",    "+026-01-01",
    };
    int64_t day;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (day_read(&day, bad[i]))
            fail_msg("%s is no day", bad[i]);
    assert_true(day_read(&day, "1970-01-01") && day == 0);
    assert_true(day_read(&day, "2024-02-29") && day == 19782);
    assert_true(day_read(&day, "2000-02-29"));
    /* every day from 1600 to 2500, against the C library */
    for (int64_t at = -135140; at < 193600; at++) {
        time_t seconds = (time_t)(at * 86400);
        struct tm then;
        char expected[16], text[16];
        assert_non_null(gmtime_r(&seconds, &then));
        strftime(expected, sizeof expected, "%Y-%m-%d", &then);
        until_write(text, at);
        assert_string_equal(text, expected);
        assert_true(day_read(&day, text));
        assert_true(day == at);
    }
    char text[16];
    until_write(text, INT64_C(4000000));
    assert_string_equal(text, "9999-12-31");
    until_write(text, INT64_C(-4000000));
    assert_string_equal(text, "0001-01-01");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_simulation),
        cmocka_unit_test(test_sentences),
        cmocka_unit_test(test_dates),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
