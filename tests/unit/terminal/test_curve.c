/* The drawn curve: its size, its scale, and where its points stand, reckoned anew here. */
#include <quiztutor/curve.h>
#include <quiztutor/text.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* 0.9 to the power of days over those in *context */
static double chance(const void *context, double day)
{
    return pow(0.9, day / *(const double *)context);
}

static double broken(const void *context, double day)
{
    (void)context;
    return day < 1 ? NAN : day < 2 ? -INFINITY : 1e300;
}

enum { LINES = 24 };

struct drawn {
    struct buffer out;
    char copy[16384];
    char *lines[LINES];
    int count;
};

static void draw(struct drawn *drawn, const struct curve *curve)
{
    buffer_init(&drawn->out);
    curve_draw(&drawn->out, curve);
    assert_false(drawn->out.failed);
    snprintf(drawn->copy, sizeof drawn->copy, "%s", buffer_get(&drawn->out));
    buffer_finish(&drawn->out);
    drawn->count = 0;
    char *rest = drawn->copy;
    for (char *line; (line = strsep(&rest, "\n")) && rest;) {
        assert_true(drawn->count < LINES);
        drawn->lines[drawn->count++] = line;
    }
}

static const struct curve_mark marks[] = { { 0, "answered Mon 30 Nov" },
                                           { 4, "today" },
                                           { 12, "due Sat 12 Dec" } };

static struct curve falling(const double *stability, double days, int columns, bool ascii)
{
    return (struct curve){ chance, stability, days, 0.9, marks, 3, columns, ascii };
}

static void test_size(void **state)
{
    (void)state;
    static const int wanted[] = { -5, 0, 39, 40, 41, 77, 100, 101, 5000 };
    const double stability = 12;
    struct drawn drawn;
    for (int i = 0; i < 9; i++)
        for (int ascii = 0; ascii < 2; ascii++) {
            struct curve curve = falling(&stability, 17, wanted[i], ascii);
            int columns = wanted[i] < 40 ? 40 : wanted[i] > 100 ? 100 : wanted[i];
            draw(&drawn, &curve);
            assert_in_range(drawn.count, 13, 15);
            assert_int_equal(text_columns(drawn.lines[11]), columns);
            for (int k = 0; k < drawn.count; k++) {
                size_t length = strlen(drawn.lines[k]);
                assert_in_range(text_columns(drawn.lines[k]), 1, columns);
                assert_true(length && drawn.lines[k][length - 1] != ' ');
                for (size_t at = 0; ascii && at < length; at++)
                    assert_in_range((unsigned char)drawn.lines[k][at], 32, 126);
            }
        }
}

static void assert_scale(double stability, double days, const char *foot)
{
    struct drawn drawn;
    struct curve curve = falling(&stability, days, 80, true);
    draw(&drawn, &curve);
    assert_memory_equal(drawn.lines[0], "100% +", 6);
    assert_memory_equal(drawn.lines[10], foot, 6);
}

static void test_scale(void **state)
{
    (void)state;
    assert_scale(12, 17, " 80% +");
    assert_scale(12, 30, " 50% +"); /* 0.768 at its end */
    assert_scale(12, 90, "  0% +");
}

/* Each point of the curve in ASCII stands in the row that the formula says. */
static void test_points(void **state)
{
    (void)state;
    const double stability = 5;
    struct drawn drawn;
    struct curve curve = falling(&stability, 20, 80, true);
    draw(&drawn, &curve); /* ends at 0.656: the scale begins at 0.5 */
    for (int column = 0; column < 74; column++) {
        double expected = (1 - pow(0.9, 20.0 * column / 73 / 5)) / 0.5 * 10;
        int lowest = -1;
        for (int row = 0; row < 11; row++)
            if ((int)strlen(drawn.lines[row]) > 6 + column && drawn.lines[row][6 + column] == '*')
                lowest = row;
        assert_true(fabs(lowest - expected) <= 0.5 + 1e-9);
    }
}

/* The same in braille, dot by dot: the lowest dot of each column of the picture without any other lines. */
static void test_dots(void **state)
{
    (void)state;
    static const int bits[2][4] = { { 0x01, 0x02, 0x04, 0x40 }, { 0x08, 0x10, 0x20, 0x80 } };
    const double stability = 5;
    struct drawn drawn;
    struct curve curve = { chance, &stability, 20, 0, NULL, 0, 60, false };
    int lowest[108];
    memset(lowest, -1, sizeof lowest);
    draw(&drawn, &curve);
    assert_int_equal(drawn.count, 12);
    for (int row = 0; row < 11; row++) {
        const char *at = drawn.lines[row];
        for (int column = 0; *at; column++) {
            int32_t code;
            at += text_decode(at, (ptrdiff_t)strlen(at), &code);
            for (int bit = 0; column >= 6 && code >= 0x2800 && bit < 8; bit++)
                if ((code - 0x2800) & bits[bit / 4][bit % 4])
                    lowest[2 * (column - 6) + bit / 4] = 4 * row + bit % 4;
        }
    }
    for (int i = 0; i < 108; i++)
        assert_true(fabs(lowest[i] - (1 - pow(0.9, 20.0 * i / 107 / 5)) / 0.5 * 40) <= 0.5 + 1e-9);
}

/* Labels that would overlap get lines of their own; marks beyond the picture get none; all of them are told.
 */
static void test_labels(void **state)
{
    (void)state;
    const double stability = 12;
    const struct curve_mark same[] = { { 3, "first" }, { 3, "second" }, { 3, "third" }, { 99, "beyond" } };
    struct curve curve = { chance, &stability, 17, 0.9, same, 4, 40, true };
    struct drawn drawn;
    draw(&drawn, &curve);
    assert_int_equal(drawn.count, 15);
    assert_non_null(strstr(drawn.lines[12], "first"));
    assert_non_null(strstr(drawn.lines[13], "second"));
    assert_non_null(strstr(drawn.lines[14], "third"));
    const struct curve_mark end[] = { { 17, "at the very end" } };
    curve.marks = end;
    curve.mark_count = 1;
    draw(&drawn, &curve);
    assert_int_equal(strlen(drawn.lines[12]), 40);
}

static void test_odd_values(void **state)
{
    (void)state;
    struct drawn drawn;
    struct curve curve = { broken, NULL, 3, 2, marks, 3, 60, false };
    draw(&drawn, &curve);
    curve.wanted = 0;
    curve.days = 1e-9;
    draw(&drawn, &curve);
    const double stability = 0.001;
    curve = falling(&stability, 1e6, 60, false);
    draw(&drawn, &curve);
    assert_in_range(drawn.count, 13, 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size), cmocka_unit_test(test_scale),  cmocka_unit_test(test_points),
        cmocka_unit_test(test_dots), cmocka_unit_test(test_labels), cmocka_unit_test(test_odd_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
