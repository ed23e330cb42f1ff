/* Text for terminals: lines that fit, whatever is in them, and what they say. */
#include "samples.h"
#include "text_page.h"

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <quiztutor/text.h>

#include <cmocka.h>

static struct buffer page;

static bool put(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    (void)context;
    (void)error;
    buffer_add(&page, text, length);
    return true;
}

static const char *page_of(const struct report *report, const struct report_look *look)
{
    struct report_sink sink = { put, NULL };
    struct error error;
    buffer_clear(&page);
    assert_true(report_write(report, TO_TEXT, look, &sink, &error));
    return buffer_get(&page);
}

static void test_break(void **state)
{
    static const struct {
        const char *text;
        int width;
        const char *lines; /* joined by | */
    } rows[] = {
        { "", 5, "" },
        { "one", 5, "one" },
        { "one two", 7, "one two" },
        { "one two", 6, "one|two" },
        { "one two", 3, "one|two" },
        { "one two", 2, "on|e|tw|o" },
        { "one  two ", 3, "one|two" },
        { "one\ntwo", 80, "one|two" },
        { "one\n\ntwo", 80, "one||two" },
        { "one two\nthree", 7, "one two|three" },
        { "a-very-long-word and", 6, "a-very|-long-|word|and" },
        { "\xe6\x9d\x8e\xe5\xb0\x8f\xe9\xbe\x99", 5, "\xe6\x9d\x8e\xe5\xb0\x8f|\xe9\xbe\x99" },
        { "\xe6\x9d\x8e", 1, "\xe6\x9d\x8e" }, /* no narrower than it is */
        { "e\xcc\x81"
          "e\xcc\x81",
          1, "e\xcc\x81|e\xcc\x81" },
        { "ab ", 2, "ab" },
        { "ab \nc", 2, "ab|c" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *rest = rows[i].text;
        ptrdiff_t length = (ptrdiff_t)strlen(rest), next;
        char lines[200] = "";
        for (bool first = true; length > 0; first = false) {
            ptrdiff_t bytes = text_break(rest, length, rows[i].width, &next);
            assert_true(next > 0 && next <= length && bytes <= next);
            snprintf(lines + strlen(lines), sizeof lines - strlen(lines), "%s%.*s", first ? "" : "|",
                     (int)bytes, rest);
            rest += next;
            length -= next;
        }
        assert_string_equal(lines, rows[i].lines);
    }
}

static void test_shown(void **state)
{
    struct buffer out;
    (void)state;
    buffer_init(&out);
    text_shown(&out, "a\tb\r\nc\rd\x1b[1m\xe2\x80\xae\xff");
    assert_string_equal(buffer_get(&out), "a b\nc\\x0dd\\x1b[1m\\u202e\\xff");
    buffer_finish(&out);
}

static void test_signs(void **state)
{
    static const double values[] = { 0, .5, 1, NAN, -1, 2 };
    struct buffer out;
    (void)state;
    buffer_init(&out);
    text_spark(&out, values, 6, true);
    assert_string_equal(buffer_get(&out), "059.09");
    buffer_clear(&out);
    text_spark(&out, values, 6, false);
    assert_string_equal(buffer_get(&out), "\xe2\x96\x81\xe2\x96\x85\xe2\x96\x88 \xe2\x96\x81\xe2\x96\x88");
    buffer_clear(&out);
    text_bar(&out, .34, 5, true);
    text_bar(&out, NAN, 2, true);
    text_bar(&out, 1, 2, true);
    assert_string_equal(buffer_get(&out), "##...  ##");
    buffer_finish(&out);
}

/* No line is wider than the terminal, none ends in a blank, nothing in it can drive a terminal. */
static void expect_fits(const char *text, int columns)
{
    while (*text) {
        const char *end = strchr(text, '\n');
        char line[4096];
        assert_non_null(end); /* the last line ends too */
        snprintf(line, sizeof line, "%.*s", (int)(end - text), text);
        if (text_columns(line) > columns)
            fail_msg("%d columns of %d: %s", text_columns(line), columns, line);
        assert_false(end > text && end[-1] == ' ');
        for (const char *at = line; *at;) {
            int32_t code;
            at += text_decode(at, (ptrdiff_t)strlen(at), &code);
            assert_false(text_forbidden(code));
        }
        text = end + 1;
    }
}

static void test_fits(void **state)
{
    (void)state;
    for (int columns = 20; columns <= 300; columns += columns < 130 ? 1 : 17)
        for (int i = 0; i < 5; i++) {
            struct report_look look = { .columns = columns, .ascii = i == 1 };
            struct sample_stream stream;
            struct report report;
            if (i < 3) {
                sample_full(&report);
                report.details = i == 2;
            } else if (i == 3) {
                sample_charts(&report);
            } else {
                sample_streaming(&stream, 1100, false);
                report = stream.report;
            }
            expect_fits(page_of(&report, &look), columns);
        }
}

static void expect_line(const char *text, const char *line)
{
    const char *at = strstr(text, line);
    if (!at || (at > text && at[-1] != '\n') || (at[strlen(line)] != '\n'))
        fail_msg("no line \"%s\" in\n%s", line, text);
}

static void test_page(void **state)
{
    struct report report;
    struct report_look look = { .columns = 80 };
    (void)state;
    sample_full(&report);
    const char *text = page_of(&report, &look);
    assert_true(strncmp(text, "Class of <2026> & \"friends\"\nTraining Across Many Devices\n\n", 57) == 0);
    expect_line(text, "Cronbach's alpha     36.4%");
    expect_line(text, "standard error       0.97 marks");
    expect_line(text, "median time          6 min 40 s");
    expect_line(text, "first try right      70% (50\xe2\x80\x93"
                      "85)");
    expect_line(text, "error ratio          \xe2\x80\x93\xc2\xb9");
    expect_line(text, "  \xc2\xb9 different items were shown");
    expect_line(text, "  \xc2\xb2 fewer than 3 attempts");
    expect_line(
        text,
        "pipeline                                80%  \xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
        "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
        "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88"
        "\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88\xe2\x96\x88");
    expect_line(text, "nobody has answered a question yet");
    expect_line(text, "not shown here, for want of room: last seen, time (min), slowest answer, joined,");
    assert_null(strstr(text, "kurtosis")); /* a detail */
    assert_null(strstr(text, "\x1b"));
    /* each reason once, and none of a column that was left out */
    const char *reason = strstr(text, "fewer than 3 attempts");
    assert_null(strstr(reason + 1, "fewer than 3 attempts"));
    assert_null(strstr(text, "never seen"));
    look.columns = 200;
    report.details = true;
    text = page_of(&report, &look);
    expect_line(text, "kurtosis               -1.549587");
    assert_non_null(strstr(text, "-15.62 !"));
    assert_non_null(strstr(text, "never seen"));
    assert_non_null(strstr(text, "\\x1b[31mred\\x1b[0m"));
    assert_null(strstr(text, "not shown here"));
}

static void test_look(void **state)
{
    struct report report;
    struct report_look look = { .columns = 200, .styles = true };
    (void)state;
    sample_full(&report);
    const char *text = page_of(&report, &look);
    assert_true(strncmp(text, "\x1b[1mClass", 9) == 0);
    assert_non_null(strstr(text, "\x1b[1m-15.62 !\x1b[0m"));
    sample_charts(&report);
    look = (struct report_look){ .columns = 60, .ascii = true };
    for (const char *at = page_of(&report, &look); *at; at++)
        assert_true((unsigned char)*at < 0x80);
    expect_line(buffer_get(&page), "d  -100.0  #######################");
    sample_full(&report);
    text = page_of(&report, &look);
    expect_line(text, "error ratio          -(1)");
    expect_line(text, "by week              50% .5.90");
    sample_bare(&report);
    assert_string_equal(page_of(&report, NULL), "Class\n");
}

/* Numbers that are longer than the first rows let expect push the rest aside rather than being broken. */
static void test_longer_later(void **state)
{
    struct report_look look = { .columns = 90 };
    struct sample_stream stream;
    (void)state;
    sample_streaming(&stream, 10000300, false);
    stream.at = 9999000; /* seven digits, as wide as the heading, in all rows that are looked at */
    const char *text = page_of(&stream.report, &look);
    assert_non_null(strstr(text, "\n9999001  learner "));
    assert_non_null(strstr(text, "\n10000001  learner "));
    look.columns = 29; /* no room: broken rather than too wide */
    sample_streaming(&stream, 10000300, false);
    stream.at = 9999000;
    expect_fits(page_of(&stream.report, &look), 29);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_break),        cmocka_unit_test(test_shown), cmocka_unit_test(test_signs),
        cmocka_unit_test(test_fits),         cmocka_unit_test(test_page),  cmocka_unit_test(test_look),
        cmocka_unit_test(test_longer_later),
    };
    setlocale(LC_CTYPE, "");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    buffer_finish(&page);
    return failed;
}
