/* Item statistics against figures worked out elsewhere: by Moodle's formulas, by hand and with a calculator.
 */
#include <quiztutor/statistics.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <quiztutor/memory.h>

#include <cmocka.h>

enum { ITEMS = 8 };

static struct item_figures items[ITEMS];
static struct test_figures test;

static void work_out(int sittings, int count, const double *marks, const double *maxima)
{
    struct marks_table table = { .sittings = sittings, .items = count, .marks = marks, .maxima = maxima };
    assert_true(statistics_items(&table, items, &test));
}

static void expect(const struct figure *figure, double value)
{
    if (!figure->known)
        fail_msg("not available: %s, but %f", figure->why, value);
    if (!(fabs(figure->value - value) < 5e-7))
        fail_msg("%.9f, not %.9f", figure->value, value);
}

static void expect_unknown(const struct figure *figure, const char *why)
{
    assert_false(figure->known);
    assert_string_equal(figure->why, why);
}

static const double ones[ITEMS] = { 1, 1, 1, 1, 1, 1, 1, 1 };

/* A 1111, B 1110, C 1101, D 1010, E 1000, F 0001 */
static void test_six(void **state)
{
    static const double marks[] = { 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0, 1 };
    static const double facility[] = { 83.333333333, 50, 50, 50 };
    static const double discrimination[] = { 23.354968, 72.760688, 18.569534, -15.617376 };
    static const double efficiency[] = { 33.333333333, 100, 20, -20 };
    static const double weight[] = { 21.782837, 32.674255, 26.678418, 18.864490 };
    static const double deleted[] = { .272727273, -.529411765, .310344828, .658536585 };
    (void)state;
    work_out(6, 4, marks, ones);
    for (int i = 0; i < 4; i++) {
        expect(&items[i].facility, facility[i]);
        expect(&items[i].discrimination, discrimination[i]);
        expect(&items[i].discriminative_efficiency, efficiency[i]);
        expect(&items[i].effective_weight, weight[i]);
        expect(&items[i].alpha_if_deleted, deleted[i]);
    }
    expect(&test.alpha, 36.363636364);
    expect(&test.error_ratio, 79.772404);
    expect(&test.standard_error, 0.966092);
    expect(&test.skewness, 0.075066);
    expect(&test.kurtosis, -1.549587);
    expect(&test.mean, 14.0 / 6);
    expect(&test.median, 2.5);
}

static void test_constant_item(void **state)
{
    static const double marks[] = { 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1,
                                    1, 0, 1, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1 };
    (void)state;
    work_out(6, 5, marks, ones);
    expect_unknown(&items[4].discrimination, "all marks are the same");
    expect_unknown(&items[4].discriminative_efficiency, "all marks are the same");
    expect(&items[4].facility, 100);
    expect(&test.alpha, 34.090909091);
}

static void test_partial_marks(void **state)
{
    static const double marks[] = { 2, 1, .5, 2, .5, 1, 1, 1, 0, 1, 0, .5, 0, 0, 0 }, maxima[] = { 2, 1, 1 };
    static const double discrimination[] = { 96.253342, 41.885391, 54.592083 };
    (void)state;
    work_out(5, 3, marks, maxima);
    for (int i = 0; i < 3; i++) {
        expect(&items[i].facility, 60 - 10 * i);
        expect(&items[i].discrimination, discrimination[i]);
    }
    expect(&test.alpha, 72.413793103);
    expect(&test.standard_error, 0.774597);
}

/* Rows 10 01 10 01 11: alpha far below zero, which is shown as it is. */
static void test_negative_alpha(void **state)
{
    static const double marks[] = { 1, 0, 0, 1, 1, 0, 0, 1, 1, 1 };
    (void)state;
    work_out(5, 2, marks, ones);
    expect(&test.alpha, -400);
    expect(&test.error_ratio, 223.606798);
    expect_unknown(&items[0].alpha_if_deleted, "fewer than 3 questions");
}

static void test_not_available(void **state)
{
    static const double marks[] = { 1, 0, 1, 0, 1, 0 };
    (void)state;
    work_out(2, 3, marks, ones);
    expect_unknown(&items[1].facility, "fewer than 3 sittings");
    expect_unknown(&test.alpha, "fewer than 3 sittings");
    work_out(3, 2, marks, ones); /* everyone the same */
    expect(&items[0].facility, 100);
    expect_unknown(&items[0].discrimination, "all marks are the same");
    expect_unknown(&test.alpha, "all marks are the same");
    expect_unknown(&test.skewness, "all marks are the same");
    static const double three[] = { 1, 0, 0, 1, 1, 1 };
    work_out(3, 2, three, ones);
    expect_unknown(&test.kurtosis, "fewer than 4 sittings");
    work_out(6, 1, marks, ones);
    expect_unknown(&items[0].discrimination, "fewer than 2 questions");
    expect_unknown(&test.alpha, "fewer than 2 questions");
    expect(&test.mean, .5);
}

/* Marks around a million: nothing is lost by large numbers, and thirds are equal although sums are not. */
static void test_numerics(void **state)
{
    double marks[12], small[12], maxima[] = { 1e6, 1e6, 1e6 };
    struct figure discrimination[3];
    (void)state;
    for (int i = 0; i < 12; i++) {
        small[i] = (i * 7) % 5;
        marks[i] = 999990 + small[i];
    }
    work_out(4, 3, small, maxima);
    for (int i = 0; i < 3; i++)
        discrimination[i] = items[i].discrimination;
    work_out(4, 3, marks, maxima);
    for (int i = 0; i < 3; i++)
        expect(&items[i].discrimination, discrimination[i].value);
    static const double thirds[] = { 1.0 / 3, 0.1 + 0.2, 1.0 / 3, 0.3, 1.0 / 3, 0.3 };
    work_out(3, 2, thirds, ones);
    expect_unknown(&items[1].discrimination, "all marks are the same");
}

/* Published: 15 of 20 gives 0.531 to 0.888 (Newcombe 1998, and any table of Wilson intervals). */
static void test_wilson(void **state)
{
    double low, high;
    (void)state;
    statistics_wilson(15, 20, &low, &high);
    assert_true(fabs(low - 0.5313) < 5e-5 && fabs(high - 0.8881) < 5e-5);
    statistics_wilson(0, 10, &low, &high);
    assert_true(low == 0 && fabs(high - 0.2775) < 5e-5);
    statistics_wilson(1, 1, &low, &high);
    assert_true(fabs(low - 0.2065) < 5e-5 && high == 1);
    for (int n = 1; n < 2000; n++) { /* 5.6e-17 of three would be told in full */
        statistics_wilson(0, n, &low, &high);
        assert_true(low == 0 && high > 0 && high < 1);
        statistics_wilson(n, n, &low, &high);
        assert_true(low > 0 && low < 1 && high == 1);
    }
}

static void test_memory(void **state)
{
    static const double marks[] = { 1, 0, 0, 1, 1, 0 };
    struct marks_table table = { .sittings = 3, .items = 2, .marks = marks, .maxima = ones };
    (void)state;
    memory_fail_after(1);
    bool done = statistics_items(&table, items, &test);
    memory_fail_after(0);
    assert_false(done);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_six),           cmocka_unit_test(test_constant_item),
        cmocka_unit_test(test_partial_marks), cmocka_unit_test(test_negative_alpha),
        cmocka_unit_test(test_not_available), cmocka_unit_test(test_numerics),
        cmocka_unit_test(test_wilson),        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
