/* What all writers share: the sink, its errors, those of streaming tables; names of kinds; cells in words. */
#include "cell.h"
#include "reasons.h"
#include "samples.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <quiztutor/text.h>

#include <cmocka.h>

struct collect {
    struct buffer text;
    int pieces, refuse; /* refuse: the piece that can't be written, from 1 */
    ptrdiff_t largest;
};

static bool put(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    struct collect *collect = context;
    assert_true(length > 0);
    if (++collect->pieces == collect->refuse)
        return error_set(error, ERROR_FULL, "no room for piece %d", collect->pieces);
    assert_true(collect->refuse == 0 || collect->pieces < collect->refuse); /* none after one was refused */
    buffer_add(&collect->text, text, length);
    collect->largest = length > collect->largest ? length : collect->largest;
    return true;
}

static bool write_to(struct collect *collect, const struct report *report, enum report_to to,
                     struct error *error)
{
    struct report_sink sink = { put, collect };
    error->code = ERROR_NONE;
    return report_write(report, to, NULL, &sink, error);
}

static void test_kinds(void **state)
{
    (void)state;
    for (int i = 0; i < REPORTS; i++) {
        enum report_kind kind = REPORTS;
        assert_true(report_kind_read(&kind, report_kind_name((enum report_kind)i)));
        assert_int_equal(kind, i);
    }
    for (int i = ATTEMPTS_FIRST; i <= ATTEMPTS_ALL; i++) {
        enum report_attempts attempts = ATTEMPTS_ALL;
        assert_true(report_attempts_read(&attempts, report_attempts_name((enum report_attempts)i)));
        assert_int_equal(attempts, i);
    }
    enum report_kind kind = REPORT_ITEMS;
    enum report_attempts attempts = ATTEMPTS_BEST;
    assert_false(report_kind_read(&kind, "item"));
    assert_false(report_attempts_read(&attempts, ""));
    assert_int_equal(kind, REPORT_ITEMS);
    assert_int_equal(attempts, ATTEMPTS_BEST);
}

static void test_no_pdf(void **state)
{
    struct collect collect = { .pieces = 0 };
    struct report report;
    struct error error;
    (void)state;
    sample_full(&report);
    assert_false(write_to(&collect, &report, TO_PDF, &error));
    assert_int_equal(error.code, ERROR_USAGE);
    assert_int_equal(collect.pieces, 0);
}

/* Whatever piece is refused, the sink's error comes back and nothing more is written. */
static void test_refused(void **state)
{
    (void)state;
    for (int to = TO_TEXT; to < TO_PDF; to++) {
        struct collect whole = { .pieces = 0 };
        struct sample_stream stream;
        struct error error;
        sample_streaming(&stream, 3000, false);
        assert_true(write_to(&whole, &stream.report, (enum report_to)to, &error));
        assert_true(whole.pieces > 5);
        assert_true(whole.largest < 32768);
        for (int refuse = 1; refuse <= whole.pieces; refuse++) {
            struct collect collect = { .refuse = refuse };
            char expected[64];
            sample_streaming(&stream, 3000, false);
            assert_false(write_to(&collect, &stream.report, (enum report_to)to, &error));
            snprintf(expected, sizeof expected, "no room for piece %d", refuse);
            assert_int_equal(error.code, ERROR_FULL);
            assert_string_equal(error.message, expected);
            assert_int_equal(collect.pieces, refuse);
            /* and what came before is the beginning of the whole */
            assert_true(collect.text.length < whole.text.length);
            assert_memory_equal(buffer_get(&collect.text), buffer_get(&whole.text),
                                (size_t)collect.text.length);
            buffer_finish(&collect.text);
        }
        buffer_finish(&whole.text);
    }
}

/* Rows that can't be read, among those that are looked at first and after them. */
static void test_broken_rows(void **state)
{
    static const int lengths[] = { 0, 5, 256, 257, 2000 };
    (void)state;
    for (int to = TO_TEXT; to < TO_PDF; to++)
        for (int i = 0; i < 5; i++) {
            struct collect collect = { .pieces = 0 };
            struct sample_stream stream;
            struct error error;
            char expected[64];
            sample_streaming(&stream, lengths[i], true);
            assert_false(write_to(&collect, &stream.report, (enum report_to)to, &error));
            snprintf(expected, sizeof expected, "row %d can't be read", lengths[i]);
            assert_int_equal(error.code, ERROR_DAMAGED);
            assert_string_equal(error.message, expected);
            assert_int_equal(stream.at, lengths[i] + 1); /* not asked again */
            buffer_finish(&collect.text);
        }
}

/* A streaming table is asked for each row once, and never after its end. */
static void test_asked_once(void **state)
{
    static const int lengths[] = { 0, 1, 255, 256, 257, 1000 };
    (void)state;
    for (int to = TO_TEXT; to < TO_PDF; to++)
        for (int i = 0; i < 6; i++) {
            struct collect collect = { .pieces = 0 };
            struct sample_stream stream;
            struct error error;
            sample_streaming(&stream, lengths[i], false);
            assert_true(write_to(&collect, &stream.report, (enum report_to)to, &error));
            assert_int_equal(stream.at, lengths[i] + 1);
            buffer_finish(&collect.text);
        }
}

static void test_same_names(void **state)
{
    static const struct report_fact twice[] = { { .name = "alpha", .title = "one" },
                                                { .name = "alpha", .title = "two" } };
    static const struct report_fact taken[] = { { .name = "notes", .title = "one" } };
    struct collect collect = { .pieces = 0 };
    struct report report = { .title = "x", .facts = twice, .fact_count = 2 };
    struct error error;
    (void)state;
    assert_false(write_to(&collect, &report, TO_JSON, &error));
    assert_string_equal(error.message, "two parts of the report are named alpha");
    report.facts = taken;
    report.fact_count = 1;
    assert_false(write_to(&collect, &report, TO_JSON, &error));
    assert_string_equal(error.message, "two parts of the report are named notes");
    assert_int_equal(collect.pieces, 0);
}

static void expect_said(const struct report_cell *cell, const char *unit, int decimals, const char *expected)
{
    struct buffer out;
    buffer_init(&out);
    cell_say_unit(&out, cell, unit, decimals);
    assert_string_equal(buffer_get(&out), expected);
    buffer_finish(&out);
}

static void test_cells(void **state)
{
    static const struct {
        enum cell_kind kind;
        double real;
        const char *unit;
        int decimals;
        const char *expected;
    } reals[] = {
        { CELL_REAL, 2.5, NULL, 0, "2" }, /* half to even, as C's printf has it */
        { CELL_REAL, -0.4, NULL, 0, "0" },
        { CELL_REAL, -0.04, "marks", 1, "0.0 marks" },
        { CELL_REAL, -15.617376, NULL, 2, "-15.62" },
        { CELL_REAL, 1. / 3, NULL, 99, "0.333333333" },
        { CELL_REAL, 1e300, NULL, 2, "1e+300" },
        { CELL_REAL, NAN, NULL, 2, "" },
        { CELL_REAL, INFINITY, NULL, 2, "" },
        { CELL_PERCENT, 83.333333, NULL, 1, "83.3%" },
        { CELL_PERCENT, 83.333333, "%", -1, "83%" },
        { CELL_SHARE, .995, NULL, 0, "100%" },
        { CELL_SHARE, .995, NULL, 1, "99.5%" },
    };
    static const struct {
        int64_t ms;
        const char *unit;
        int decimals;
        const char *expected;
    } spans[] = {
        { 0, NULL, 0, "0.0 s" },
        { 449, NULL, 0, "0.4 s" },
        { 1000, NULL, 0, "1 s" },
        { 59499, NULL, 0, "59 s" },
        { 59500, NULL, 0, "1 min 0 s" },
        { 400000, NULL, 0, "6 min 40 s" },
        { 3599499, NULL, 0, "59 min 59 s" },
        { 3599500, NULL, 0, "1 h 0 min" },
        { 100 * 3600000LL + 60000, NULL, 0, "100 h 1 min" },
        { -5, NULL, 0, "-5 ms" },
        { INT64_MAX, NULL, 0, "9223372036854775807 ms" },
        { 90000, "min", 1, "1.5 min" },
        { 90000, "s", 0, "90 s" },
        { 5400000, "h", 2, "1.50 h" },
        { 250, "ms", 0, "250 ms" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof reals / sizeof *reals; i++) {
        struct report_cell cell = { .kind = reals[i].kind, .real = reals[i].real };
        expect_said(&cell, reals[i].unit, reals[i].decimals, reals[i].expected);
    }
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        struct report_cell cell = { .kind = CELL_SPAN, .whole = spans[i].ms };
        expect_said(&cell, spans[i].unit, spans[i].decimals, spans[i].expected);
    }
    expect_said(&(struct report_cell){ .kind = CELL_TRUTH, .whole = 2 }, NULL, 0, "yes");
    expect_said(&(struct report_cell){ .kind = CELL_TRUTH }, NULL, 0, "no");
    expect_said(&(struct report_cell){ .kind = CELL_WHOLE, .whole = INT64_MIN }, NULL, 0,
                "-9223372036854775808");
    expect_said(&(struct report_cell){ .kind = CELL_NOTHING }, "min", 0, "");
    expect_said(&(struct report_cell){ .kind = CELL_ABSENT }, "min", 0, "");
}

static void test_moments(void **state)
{
    static const struct {
        int64_t ms;
        int offset;
        const char *expected, *said;
    } moments[] = {
        { 0, 0, "1970-01-01T00:00:00.000+00:00", "1970-01-01 00:00" },
        { -1, 0, "1969-12-31T23:59:59.999+00:00", "1969-12-31 23:59" },
        { 1796036154321, 3600, "2026-11-30T11:55:54.321+01:00", "2026-11-30 11:55" },
        { 1796036154321, -34200, "2026-11-30T01:25:54.321-09:30", "2026-11-30 01:25" },
        { 1796036154321, 50400, "2026-12-01T00:55:54.321+14:00", "2026-12-01 00:55" },
        { 1796036154321, 999999, "2026-11-30T10:55:54.321+00:00", "2026-11-30 10:55" }, /* no such zone */
        { 0, -1, "1970-01-01T00:00:00.000+00:00", "1970-01-01 00:00" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        struct report_cell cell = { .kind = CELL_MOMENT,
                                    .whole = moments[i].ms,
                                    .utc_offset_s = moments[i].offset };
        char stamp[CELL_STAMP];
        cell_moment(stamp, &cell);
        assert_string_equal(stamp, moments[i].expected);
        expect_said(&cell, NULL, 0, moments[i].said);
    }
    for (int i = 0; i < 2; i++) { /* the ends of what an integer holds */
        struct report_cell cell = { .kind = CELL_MOMENT,
                                    .whole = i ? INT64_MAX : INT64_MIN,
                                    .utc_offset_s = 86399 };
        char stamp[CELL_STAMP];
        cell_moment(stamp, &cell);
        assert_non_null(strchr(stamp, 'T'));
        cell_day(stamp, cell.whole);
        assert_non_null(strchr(stamp, '-'));
    }
}

static void expect_interval(const struct report_cell *cell, int decimals, bool ascii, const char *expected)
{
    struct buffer out;
    buffer_init(&out);
    cell_say_interval(&out, cell, decimals, ascii);
    assert_string_equal(buffer_get(&out), expected);
    buffer_finish(&out);
}

static void test_intervals(void **state)
{
    struct report_cell cell = {
        .kind = CELL_SHARE, .real = .83, .has_interval = true, .low = .52, .high = .95
    };
    (void)state;
    expect_interval(&cell, 0, false,
                    "52\xe2\x80\x93"
                    "95");
    expect_interval(&cell, 1, true, "52.0-95.0");
    cell.kind = CELL_REAL;
    cell.low = -.5;
    expect_interval(&cell, 1, true, "-0.5..0.9");
    cell.high = NAN;
    expect_interval(&cell, 1, true, "");
    cell.high = 1;
    cell.real = NAN;
    expect_interval(&cell, 1, true, "");
    cell.kind = CELL_ABSENT;
    expect_interval(&cell, 1, true, "");
}

static void test_reasons(void **state)
{
    struct reasons reasons;
    char why[32];
    (void)state;
    reasons_init(&reasons);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < 120; i++) {
            snprintf(why, sizeof why, "fewer than %d attempts", i);
            assert_int_equal(reasons_number(&reasons, why), i < REASONS_MOST ? i + 1 : 0);
        }
    assert_int_equal(reasons.count, REASONS_MOST);
    assert_true(reasons.more);
    assert_string_equal(reasons.texts[98], "fewer than 98 attempts");
    reasons_finish(&reasons);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kinds),      cmocka_unit_test(test_no_pdf),
        cmocka_unit_test(test_refused),    cmocka_unit_test(test_broken_rows),
        cmocka_unit_test(test_asked_once), cmocka_unit_test(test_same_names),
        cmocka_unit_test(test_cells),      cmocka_unit_test(test_moments),
        cmocka_unit_test(test_intervals),  cmocka_unit_test(test_reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
