/* FSRS-6 against figures that its authors' test suites publish, and against its own bounds. */
#include "fixture.h"

#include <quiztutor/fsrs.h>
#include <quiztutor/random.h>

#include <math.h>

static void assert_near(double found, double wanted, double relative)
{
    if (fabs(found - wanted) > fabs(wanted) * relative)
        fail_msg("%.10g is not %.10g", found, wanted);
}

/* fsrs-rs, model tests: retrievability by the published decay. */
static void test_published_curve(void **state)
{
    static const double stability[] = { 1, 2, 3, 4, 4, 2 };
    static const double wanted[] = { 1.0, 0.9403443, 0.9253786, 0.9185229, 0.9, 0.8261359 };
    (void)state;
    for (int days = 0; days < 6; days++)
        assert_near(fsrs_retrievability(&fsrs_defaults, stability[days], days), wanted[days], 1e-6);
}

/* ts-fsrs, "next_interval": stability 1, retention 0.1 to 1; ours ends at FSRS_LONGEST. */
static void test_published_intervals(void **state)
{
    static const int wanted[] = { FSRS_LONGEST, 34793, 2508, 387, 90, 27, 9, 3, 1, 1 };
    (void)state;
    for (int i = 0; i < 10; i++)
        assert_int_equal(fsrs_interval(&fsrs_defaults, 1, (i + 1) / 10.0), wanted[i]);
}

/* fsrs-rs (inference.rs) and ts-fsrs (FSRS-6.test.ts): 1, 3, 3, 3, 3, 3 at gaps of 0, 0, 1, 3, 8, 21 days.
 * Published in single precision. */
static void test_published_memory(void **state)
{
    static const int grades[] = { 1, 3, 3, 3, 3, 3 }, gaps[] = { 0, 0, 1, 3, 8, 21 };
    (void)state;
    struct fsrs_memory memory = fsrs_first(&fsrs_defaults, (enum grade)grades[0]);
    for (int i = 1; i < 6; i++)
        memory = fsrs_next(&fsrs_defaults, memory, (enum grade)grades[i], gaps[i]);
    assert_near(memory.stability, 53.62691, 1e-6);
    assert_near(memory.difficulty, 6.3574867, 1e-6);
}

/* fsrs-rs, model_v6.rs, test_forward: a grade, and the same once more after some days. */
static void test_published_pairs(void **state)
{
    static const struct {
        enum grade grade;
        int days;
        double stability, difficulty;
    } rows[] = {
        { GRADE_AGAIN, 1, 0.10088589, 8.806304 },  { GRADE_HARD, 1, 3.2494123, 6.7404594 },
        { GRADE_GOOD, 1, 7.3153, 2.1112142 },      { GRADE_EASY, 1, 18.014914, 1.0 },
        { GRADE_AGAIN, 2, 0.112798266, 8.806304 }, { GRADE_HARD, 2, 4.4694576, 6.7404594 },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct fsrs_memory memory = fsrs_first(&fsrs_defaults, rows[i].grade);
        memory = fsrs_next(&fsrs_defaults, memory, rows[i].grade, rows[i].days);
        assert_near(memory.stability, rows[i].stability, 2e-6);
        assert_near(memory.difficulty, rows[i].difficulty, 1e-6);
    }
}

/* ts-fsrs, FSRS-6.test.ts ("first repeat") and algorithm.test.ts ("next_ds"), to 8 decimals. */
static void test_published_steps(void **state)
{
    static const double first[] = { 6.4133, 5.11217071, 2.11810397, 1 };
    static const double difficulty[] = { 8.34176237, 6.66599536, 4.99022837, 3.31446137 };
    static const double same_day[] = { 1.596818, 5, 5, 8.12960956 };
    (void)state;
    for (int i = 0; i < 4; i++) {
        enum grade grade = (enum grade)(i + 1);
        assert_near(fsrs_first(&fsrs_defaults, grade).difficulty, first[i], 1e-8);
        assert_true(fsrs_first(&fsrs_defaults, grade).stability == fsrs_defaults.weights[i]);
        struct fsrs_memory memory = fsrs_next(&fsrs_defaults, (struct fsrs_memory){ 5, 5 }, grade, 0);
        assert_near(memory.difficulty, difficulty[i], 1e-8);
        assert_near(memory.stability, same_day[i], 1e-8);
    }
}

/* A fail can't leave more than there was, whatever the parameters: S / e^(w17 · w18) bounds it. */
static void test_forgotten_bound(void **state)
{
    (void)state;
    struct fsrs_parameters generous = fsrs_defaults;
    generous.weights[11] = 5;
    struct fsrs_memory memory = fsrs_next(&generous, (struct fsrs_memory){ 2, 1 }, GRADE_AGAIN, 30);
    assert_near(memory.stability, 2 / exp(0.5425 * 0.0912), 1e-12);
}

/* An interval is where the curve meets the retention, to half a day; it grows as less is wanted. */
static void test_interval_is_the_curve(void **state)
{
    (void)state;
    for (int stability = 1; stability <= 3000; stability += 7) {
        int before = FSRS_LONGEST;
        for (int i = 70; i <= 99; i++) {
            double retention = i / 100.0;
            int days = fsrs_interval(&fsrs_defaults, stability, retention);
            assert_true(days <= before);
            before = days;
            if (days < FSRS_LONGEST)
                assert_true(fsrs_retrievability(&fsrs_defaults, stability, days + 0.5) <= retention + 1e-12);
            if (days > 1)
                assert_true(fsrs_retrievability(&fsrs_defaults, stability, days - 0.5) >= retention - 1e-12);
        }
        assert_int_equal(fsrs_interval(&fsrs_defaults, stability, 0.9), stability);
    }
}

static void test_clip(void **state)
{
    (void)state;
    struct fsrs_parameters parameters = fsrs_defaults;
    fsrs_clip(&parameters);
    assert_memory_equal(&parameters, &fsrs_defaults, sizeof parameters);
    for (int i = 0; i < FSRS_WEIGHTS; i++) {
        assert_true(fsrs_bounds[i].low < fsrs_bounds[i].high);
        parameters.weights[i] = i % 3 == 0 ? NAN : i % 3 == 1 ? -1e9 : 1e9;
    }
    fsrs_clip(&parameters);
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        assert_true(parameters.weights[i] == (i % 3 == 0   ? fsrs_defaults.weights[i]
                                              : i % 3 == 1 ? fsrs_bounds[i].low
                                                           : fsrs_bounds[i].high));
}

/* A first stability may be as small as its bound, below the 0.1 of ts-fsrs. */
static void test_first_floor(void **state)
{
    (void)state;
    struct fsrs_parameters parameters = fsrs_defaults;
    parameters.weights[0] = 0.001;
    assert_true(fsrs_first(&parameters, GRADE_AGAIN).stability == 0.001);
}

static void test_same_day(void **state)
{
    (void)state;
    struct fsrs_memory memory = { 30, 5 };
    /* at a high stability the formula alone would lower it: Hard and Good may not, Again does */
    assert_true(fsrs_next(&fsrs_defaults, memory, GRADE_HARD, 0).stability == 30);
    assert_true(fsrs_next(&fsrs_defaults, memory, GRADE_GOOD, 0).stability == 30);
    assert_true(fsrs_next(&fsrs_defaults, memory, GRADE_AGAIN, 0).stability < 30);
}

static void test_fuzz(void **state)
{
    int least, most;
    (void)state;
    fsrs_fuzz(3, 0, &least, &most);
    assert_int_equal(least, 2);
    assert_int_equal(most, 4);
    fsrs_fuzz(100, 0, &least, &most); /* 1 + 4.5 · 0.15 + 13 · 0.1 + 80 · 0.05 = 6.975 */
    assert_int_equal(least, 93);
    assert_int_equal(most, 107);
    fsrs_fuzz(10, 9, &least, &most); /* never before one day after those gone by */
    assert_int_equal(least, 10);
    fsrs_fuzz(FSRS_LONGEST, 0, &least, &most);
    assert_int_equal(most, FSRS_LONGEST);
    assert_true(least <= most);
}

/* Whatever the parameters within their bounds and whatever the answers: memory stays in its range. */
static void test_ranges(void **state)
{
    (void)state;
    struct random_stream stream = { 20261130 };
    for (int history = 0; history < 2000; history++) {
        struct fsrs_parameters parameters;
        for (int i = 0; i < FSRS_WEIGHTS; i++) {
            double share = (double)random_below(&stream, 5) / 4;
            parameters.weights[i] = fsrs_bounds[i].low + share * (fsrs_bounds[i].high - fsrs_bounds[i].low);
        }
        struct fsrs_memory memory = fsrs_first(&parameters, (enum grade)(1 + random_below(&stream, 4)));
        for (int i = 0; i < 50; i++) {
            double days = (double)random_below(&stream, i % 7 ? 100 : 40000);
            double chance = fsrs_retrievability(&parameters, memory.stability, days);
            assert_true(chance >= 0 && chance <= 1);
            memory = fsrs_next(&parameters, memory, (enum grade)(1 + random_below(&stream, 4)), days);
            assert_true(memory.stability >= 0.001 && memory.stability <= FSRS_LONGEST);
            assert_true(memory.difficulty >= 1 && memory.difficulty <= 10);
            int interval = fsrs_interval(&parameters, memory.stability, 0.7 + 0.29 * chance);
            assert_in_range(interval, 1, FSRS_LONGEST);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_published_curve),
        cmocka_unit_test(test_published_intervals),
        cmocka_unit_test(test_published_memory),
        cmocka_unit_test(test_published_pairs),
        cmocka_unit_test(test_published_steps),
        cmocka_unit_test(test_forgotten_bound),
        cmocka_unit_test(test_interval_is_the_curve),
        cmocka_unit_test(test_clip),
        cmocka_unit_test(test_first_floor),
        cmocka_unit_test(test_same_day),
        cmocka_unit_test(test_fuzz),
        cmocka_unit_test(test_ranges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
