/* Schedules: steps, days, and what clocks do to them. Moments are of 2026; the zones' offsets are theirs
 * then. */
#include "fixture.h"

#include <quiztutor/clock.h>
#include <quiztutor/random.h>
#include <quiztutor/schedule.h>
#include <quiztutor/showing.h>

#include <math.h>

enum { BERLIN_WINTER = 3600, BERLIN_SUMMER = 7200, JAPAN = 32400 };
static const int64_t minute = 60000, hour = 3600000, day = 86400000;
static const struct schedule_rules rules = { &fsrs_defaults, 0.9, 240, false };

/* UTC of a local time in 2026: month and day from 1. */
static int64_t moment(int month, int date, int hours, int minutes, int offset)
{
    static const int before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334 };
    int64_t days = 20454 + before[month - 1] + date - 1; /* 2026-01-01 is day 20,454 */
    return days * day + hours * hour + minutes * minute - offset * (int64_t)1000;
}

static void take(struct schedule *schedule, enum grade grade, int64_t at, int offset)
{
    schedule_answer(schedule, &rules, &(struct schedule_answer){ grade, at, offset, 0.5 });
}

/* A question learnt by two right answers ten minutes apart: in review, due in two days. */
static struct schedule learnt(int64_t at, int offset)
{
    struct schedule schedule = { 0 };
    take(&schedule, GRADE_GOOD, at, offset);
    take(&schedule, GRADE_GOOD, at + 10 * minute, offset);
    assert_int_equal(schedule.phase, PHASE_REVIEW);
    return schedule;
}

/* ts-fsrs, FSRS-6.test.ts ("ivl_history"): each answer at its due time. */
static void test_published(void **state)
{
    static const int wanted[] = { 0, 2, 11, 46, 163, 498, 0, 0, 2, 4, 7, 12, 21 };
    (void)state;
    struct schedule schedule = { 0 };
    int64_t at = moment(11, 30, 12, 0, 0);
    for (int i = 0; i < 13; i++) {
        take(&schedule, (enum grade)("3333331133333"[i] - '0'), at, 0);
        assert_int_equal(schedule.interval, wanted[i]);
        at = schedule.due_at ? schedule.due_at : at + schedule.interval * day;
    }
    assert_int_equal(schedule.lapses, 1); /* the second Again came while relearning */
    assert_int_equal(schedule.answers, 13);
}

static void test_steps(void **state)
{
    static const struct {
        const char *grades;
        enum schedule_phase phase;
        int step, minutes;
    } wanted[] = {
        { "1", PHASE_LEARNING, 0, 1 },       { "2", PHASE_LEARNING, 0, 6 },
        { "3", PHASE_LEARNING, 1, 10 },      { "4", PHASE_REVIEW, 0, 0 },
        { "33", PHASE_REVIEW, 0, 0 },        { "31", PHASE_LEARNING, 0, 1 },
        { "32", PHASE_LEARNING, 1, 6 },      { "331", PHASE_RELEARNING, 0, 10 },
        { "3312", PHASE_RELEARNING, 0, 15 }, { "3313", PHASE_REVIEW, 0, 0 },
        { "3314", PHASE_REVIEW, 0, 0 },      { "332", PHASE_REVIEW, 0, 0 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        struct schedule schedule = { 0 };
        int64_t at = moment(6, 1, 12, 0, 0);
        for (const char *grade = wanted[i].grades; *grade; grade++)
            take(&schedule, (enum grade)(*grade - '0'), at += minute, 0);
        assert_int_equal(schedule.phase, wanted[i].phase);
        assert_int_equal(schedule.step, wanted[i].step);
        assert_int_equal(schedule.due_at, wanted[i].minutes ? at + wanted[i].minutes * minute : 0);
        assert_int_equal(schedule.interval > 0, wanted[i].minutes == 0);
    }
}

static void test_no_grade(void **state)
{
    (void)state;
    struct schedule schedule = learnt(moment(6, 1, 12, 0, 0), 0), before = schedule;
    take(&schedule, GRADE_NONE, moment(6, 9, 12, 0, 0), 0);
    assert_memory_equal(&schedule, &before, sizeof schedule);
}

/* 03:59 is still the day before. */
static void test_boundary(void **state)
{
    (void)state;
    struct schedule schedule = learnt(moment(6, 1, 3, 40, BERLIN_SUMMER), BERLIN_SUMMER);
    struct schedule late = learnt(moment(6, 1, 4, 1, BERLIN_SUMMER), BERLIN_SUMMER);
    assert_int_equal(late.last_day - schedule.last_day, 1);
    assert_int_equal(late.due_day - schedule.due_day, 1);

    int64_t due = schedule.due_day; /* 3 June at 03:59 is 2 June */
    int64_t early = moment(6, 3, 3, 59, BERLIN_SUMMER), sharp = moment(6, 3, 4, 0, BERLIN_SUMMER);
    assert_int_equal(due, clock_day(early, BERLIN_SUMMER, 240));
    assert_false(schedule_is_due(&late, early, clock_day(early, BERLIN_SUMMER, 240)));
    assert_true(schedule_is_due(&late, sharp, clock_day(sharp, BERLIN_SUMMER, 240)));

    struct schedule same = schedule; /* one minute apart over the boundary is a day gone by */
    take(&same, GRADE_GOOD, moment(6, 1, 4, 0, BERLIN_SUMMER), BERLIN_SUMMER);
    assert_int_equal(same.last_day, schedule.last_day + 1);
    assert_true(same.memory.stability > schedule.memory.stability);
}

/* A step over the boundary is due on its own day. */
static void test_step_over_boundary(void **state)
{
    (void)state;
    struct schedule schedule = { 0 };
    take(&schedule, GRADE_GOOD, moment(6, 1, 3, 55, 0), 0);
    assert_int_equal(schedule.due_day, schedule.last_day + 1);
    assert_false(schedule_is_due(&schedule, moment(6, 1, 4, 1, 0), schedule.due_day));
    assert_true(schedule_is_due(&schedule, moment(6, 1, 4, 5, 0), schedule.due_day));
}

/* 29 March and 25 October 2026: the night has 23 or 25 hours, the day is still the next one. */
static void test_daylight_saving(void **state)
{
    (void)state;
    struct schedule spring = learnt(moment(3, 28, 23, 0, BERLIN_WINTER), BERLIN_WINTER), autumn = { 0 };
    int64_t next = moment(3, 29, 9, 0, BERLIN_SUMMER);
    struct fsrs_memory one = fsrs_next(&fsrs_defaults, spring.memory, GRADE_GOOD, 1);
    take(&spring, GRADE_GOOD, next, BERLIN_SUMMER);
    assert_true(spring.memory.stability == one.stability);

    autumn = learnt(moment(10, 24, 23, 0, BERLIN_SUMMER), BERLIN_SUMMER);
    one = fsrs_next(&fsrs_defaults, autumn.memory, GRADE_GOOD, 1);
    take(&autumn, GRADE_GOOD, moment(10, 25, 22, 0, BERLIN_WINTER), BERLIN_WINTER);
    assert_true(autumn.memory.stability == one.stability);

    /* the hour that comes twice, and the one that never does, are of the night before */
    assert_int_equal(clock_day(moment(10, 25, 2, 30, BERLIN_SUMMER), BERLIN_SUMMER, 240),
                     clock_day(moment(10, 25, 2, 30, BERLIN_WINTER), BERLIN_WINTER, 240));
}

/* From Germany to Japan: the local day of each answer counts, and what is stored does not move. */
static void test_travel(void **state)
{
    (void)state;
    struct schedule schedule = learnt(moment(6, 1, 20, 0, BERLIN_SUMMER), BERLIN_SUMMER);
    int64_t due = schedule.due_day, arrival = moment(6, 2, 18, 0, JAPAN);
    struct fsrs_memory one = fsrs_next(&fsrs_defaults, schedule.memory, GRADE_GOOD, 1);
    take(&schedule, GRADE_GOOD, arrival, JAPAN);
    assert_true(schedule.memory.stability == one.stability);
    assert_int_equal(schedule.last_day, due - 1);

    /* and back within hours: the local day is an earlier one, no day is gone by */
    struct schedule before = schedule;
    take(&schedule, GRADE_GOOD, arrival + hour, -36000); /* Hawaii */
    assert_int_equal(schedule.last_day, before.last_day);
    assert_true(schedule.memory.stability ==
                fsrs_next(&fsrs_defaults, before.memory, GRADE_GOOD, 0).stability);
}

static void test_clock_back(void **state)
{
    (void)state;
    int64_t at = moment(6, 10, 12, 0, 0);
    struct schedule schedule = learnt(at, 0);
    int64_t last = schedule.last_day;
    for (int i = 0; i < 20; i++) {
        take(&schedule, i % 5 ? GRADE_GOOD : GRADE_AGAIN, at - (i + 1) * day, 0);
        assert_true(schedule.interval >= 0);
        assert_int_equal(schedule.last_day, last);
        assert_true(schedule.due_day >= last);
    }
    take(&schedule, GRADE_GOOD, at + 7 * day, 0); /* the clock is right again */
    assert_int_equal(schedule.last_day, last + 7);
    assert_true(schedule.due_day > last + 7);
}

/* A clock set ahead by days and back again: days gone by are counted once, none is negative. */
static void test_clock_forward(void **state)
{
    (void)state;
    int64_t at = moment(6, 10, 12, 0, 0);
    struct schedule schedule = learnt(at, 0);
    int64_t last = schedule.last_day;
    take(&schedule, GRADE_GOOD, at + 30 * day, 0);
    assert_int_equal(schedule.last_day, last + 30);
    struct fsrs_memory memory = schedule.memory;
    take(&schedule, GRADE_GOOD, at + day, 0); /* right again: as on the day it had reached */
    assert_true(schedule.memory.stability == fsrs_next(&fsrs_defaults, memory, GRADE_GOOD, 0).stability);
    assert_int_equal(schedule.last_day, last + 30);
    memory = schedule.memory;
    take(&schedule, GRADE_AGAIN, at + 33 * day, 0);
    assert_true(schedule.memory.stability == fsrs_next(&fsrs_defaults, memory, GRADE_AGAIN, 3).stability);
    assert_int_equal(schedule.due_at, at + 33 * day + 10 * minute);
}

/* Moments that no clock shows, as a damaged or foreign store may hold them. */
static void test_odd_moments(void **state)
{
    static const int64_t moments[] = { INT64_MIN, -1, 0, INT64_MAX, INT64_MAX - 1, INT64_MIN + 1, 1 };
    (void)state;
    for (int first = 0; first < 7; first++) {
        struct schedule schedule = { 0 };
        for (int i = 0; i < 7; i++) {
            int64_t last = schedule.last_day;
            take(&schedule, (enum grade)(1 + (first + i) % 4), moments[(first + i * 3) % 7],
                 i % 2 ? INT32_MAX : INT32_MIN);
            assert_true(isfinite(schedule.memory.stability) && schedule.memory.stability >= 0.001);
            assert_true(i == 0 || schedule.last_day >= last);
            assert_true(schedule.due_day >= schedule.last_day);
            assert_in_range(schedule.interval, 0, FSRS_LONGEST + 2);
        }
    }
}

/* More wanted means sooner, down to every day; less wanted later. The memory is the same. */
static void test_retention(void **state)
{
    (void)state;
    int before = 0;
    double stability = 0;
    for (int i = 99; i >= 70; i--) {
        struct schedule_rules wanted = rules;
        struct schedule schedule = { 0 };
        wanted.retention = i / 100.0;
        for (int k = 0; k < 5; k++) {
            int64_t at = moment(1, 5, 12, 0, 0) + k * 7 * day;
            schedule_answer(&schedule, &wanted, &(struct schedule_answer){ GRADE_GOOD, at, 0, 0 });
        }
        assert_true(i == 99 || schedule.memory.stability == stability);
        assert_true(schedule.interval >= before && schedule.interval >= 1);
        before = schedule.interval;
        stability = schedule.memory.stability;
    }
    assert_true(before > 9 * stability); /* (0.7^−6.485 − 1) / (0.9^−6.485 − 1) = 9.2 */
}

/* With fuzz an interval is drawn from its range: the ends are reached, and nothing beyond. */
static void test_fuzzed(void **state)
{
    (void)state;
    struct schedule_rules fuzzy = rules;
    fuzzy.fuzz = true;
    int64_t at = moment(1, 5, 12, 0, 0);
    struct schedule before = learnt(at, 0), plain = before;
    before.memory.stability = plain.memory.stability = 40;
    take(&plain, GRADE_HARD, at + 40 * day, 0);
    int least, most, low = FSRS_LONGEST, high = 0;
    fsrs_fuzz(plain.interval, 40, &least, &most);
    for (int i = 0; i < 1000; i++) {
        struct schedule schedule = before;
        schedule_answer(&schedule, &fuzzy,
                        &(struct schedule_answer){ GRADE_HARD, at + 40 * day, 0, i / 1000.0 });
        assert_in_range(schedule.interval, least, most);
        low = schedule.interval < low ? schedule.interval : low;
        high = schedule.interval > high ? schedule.interval : high;
    }
    assert_int_equal(low, least);
    assert_int_equal(high, most);
    assert_true(most - least > 4);

    /* from three days on */
    struct schedule early = before, late = before;
    early.memory.stability = late.memory.stability = 2.6;
    schedule_answer(&early, &fuzzy, &(struct schedule_answer){ GRADE_HARD, at + hour, 0, 0 });
    schedule_answer(&late, &fuzzy, &(struct schedule_answer){ GRADE_HARD, at + hour, 0, 0.999 });
    assert_int_equal(early.interval, 2);
    assert_int_equal(late.interval, 4);
    early.memory.stability = late.memory.stability = 2.4;
    early.phase = late.phase = PHASE_REVIEW;
    schedule_answer(&early, &fuzzy, &(struct schedule_answer){ GRADE_HARD, at + hour, 0, 0 });
    schedule_answer(&late, &fuzzy, &(struct schedule_answer){ GRADE_HARD, at + hour, 0, 0.999 });
    assert_int_equal(early.interval, 2);
    assert_int_equal(late.interval, 2);
}

/* One evidence a day, none for Hard, and Again begins anew. */
static void test_run_and_mastery(void **state)
{
    (void)state;
    struct schedule schedule = { 0 };
    int64_t at = moment(1, 5, 12, 0, 0);
    for (int i = 0; i < 3; i++)
        take(&schedule, GRADE_GOOD, at + i * 10 * minute, 0);
    assert_int_equal(schedule.run, 1);
    assert_false(schedule_mastered(&schedule, 0));
    for (int i = 1; i < 6; i++)
        take(&schedule, GRADE_GOOD, at += schedule.interval * day, 0);
    assert_int_equal(schedule.run, 6);
    assert_true(schedule.memory.stability > SCHEDULE_MASTERED);
    assert_true(schedule_mastered(&schedule, 0.5)); /* 1/64 */
    schedule.run = 4;
    assert_false(schedule_mastered(&schedule, 0.5)); /* 1/16 */
    schedule.run = 2;
    assert_false(schedule_mastered(&schedule, 1.0 / 3)); /* 1/9 */
    schedule.run = 3;
    assert_true(schedule_mastered(&schedule, 1.0 / 3)); /* 1/27 */
    take(&schedule, GRADE_HARD, at += schedule.interval * day, 0);
    assert_int_equal(schedule.run, 3);
    take(&schedule, GRADE_AGAIN, at += schedule.interval * day, 0);
    assert_int_equal(schedule.run, 0);
    assert_false(schedule_mastered(&schedule, 0));
}

/* Hard < Good < Easy, also where all would be one day, and where stability is so large that all three end at
 * the longest interval. */
static void test_order(void **state)
{
    (void)state;
    for (int stability = 1; stability < 40000; stability = stability * 3 + 1) {
        int interval[5] = { 0 };
        for (int grade = GRADE_HARD; grade <= GRADE_EASY; grade++) {
            struct schedule schedule = learnt(moment(1, 5, 12, 0, 0), 0);
            schedule.memory.stability = stability < FSRS_LONGEST ? stability : FSRS_LONGEST;
            /* on the same day nothing grows, and they have to be kept apart */
            take(&schedule, (enum grade)grade, moment(stability % 2 ? 1 : 2, 5, 13, 0, 0), 0);
            interval[grade] = schedule.interval;
        }
        assert_true(interval[GRADE_HARD] < interval[GRADE_GOOD]);
        assert_true(interval[GRADE_GOOD] < interval[GRADE_EASY]);
    }
}

/* The draw is the same whenever it is made, differs by question and seed, and spreads over 0 to 1. */
static void test_draw(void **state)
{
    (void)state;
    double sum = 0, least = 1, most = 0;
    assert_true(schedule_draw("tour", "select", 7) == schedule_draw("tour", "select", 7));
    assert_true(schedule_draw("tour", "select", 7) != schedule_draw("tour", "mark", 7));
    assert_true(schedule_draw("tour", "select", 7) != schedule_draw("tours", "select", 7));
    /* a stream of its own: what shuffles the choices does not draw the days */
    struct random_stream own = showing_stream("tour", "fuzz:select", 7);
    assert_true(schedule_draw("tour", "select", 7) == ldexp((double)(random_next(&own) >> 11), -53));
    for (uint32_t seed = 1; seed <= 2000; seed++) {
        double draw = schedule_draw("tour", "select", seed);
        assert_true(draw >= 0 && draw < 1);
        sum += draw;
        least = draw < least ? draw : least;
        most = draw > most ? draw : most;
    }
    assert_true(fabs(sum / 2000 - 0.5) < 0.05 && least < 0.01 && most > 0.99);
}

/* Random lives, fuzz on, clocks that jump: nothing is negative or out of range, and the same log gives the
 * same. */
static void test_random(void **state)
{
    (void)state;
    struct random_stream stream = { 42 };
    for (int life = 0; life < 2000; life++) {
        struct schedule schedule = { 0 }, twin = { 0 };
        struct schedule_rules fuzzy = { &fsrs_defaults, 0.7 + (double)random_below(&stream, 30) / 100, 240,
                                        true };
        int64_t at = moment(1, 1, 0, 0, 0);
        for (int i = 0; i < 50; i++) {
            int64_t jump = (int64_t)random_below(&stream, 40 * (uint64_t)day) - 5 * day;
            struct schedule_answer answer = { (enum grade)random_below(&stream, 5), at += jump,
                                              (int)random_below(&stream, 93600) - 43200,
                                              (double)random_below(&stream, 1000) / 1000 };
            int64_t last = schedule.last_day;
            schedule_answer(&schedule, &fuzzy, &answer);
            schedule_answer(&twin, &fuzzy, &answer);
            assert_memory_equal(&schedule, &twin, sizeof schedule);
            assert_true(schedule.last_day >= last);
            assert_in_range(schedule.interval, 0, FSRS_LONGEST + 2);
            assert_true(schedule.due_day >= schedule.last_day);
            assert_int_equal(schedule.phase == PHASE_REVIEW, schedule.interval > 0);
            double chance = schedule_retrievability(&schedule, &fsrs_defaults, schedule.due_day);
            assert_true(chance >= 0 && chance <= 1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_no_grade),
        cmocka_unit_test(test_boundary),
        cmocka_unit_test(test_step_over_boundary),
        cmocka_unit_test(test_daylight_saving),
        cmocka_unit_test(test_travel),
        cmocka_unit_test(test_clock_back),
        cmocka_unit_test(test_clock_forward),
        cmocka_unit_test(test_odd_moments),
        cmocka_unit_test(test_retention),
        cmocka_unit_test(test_fuzzed),
        cmocka_unit_test(test_run_and_mastery),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_draw),
        cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
