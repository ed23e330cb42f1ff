#include "layout.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* The lines of a flow as text, each ended by a bar. */
static const char *lines_of(const struct flow *flow)
{
    static char text[8192];
    struct grid grid;
    struct buffer out;
    assert_true(grid_init(&grid, flow_height(flow), 100));
    flow_draw(flow, &grid, 0, 0, flow_height(flow), 0);
    buffer_init(&out);
    if (flow_height(flow) > 0)
        grid_print(&grid, &out, false);
    assert_true(out.length < (ptrdiff_t)sizeof text);
    strcpy(text, buffer_get(&out));
    buffer_finish(&out);
    grid_finish(&grid);
    return text;
}

static void assert_wrapped(int width, const char *text, const char *expected)
{
    struct flow flow;
    flow_init(&flow);
    flow_wrap(&flow, 0, width, ROLE_TEXT, text, false);
    assert_string_equal(lines_of(&flow), expected);
    for (ptrdiff_t i = 0; i < flow.span_count; i++)
        assert_true(flow.spans[i].width <= (width < 2 ? 2 : width));
    flow_finish(&flow);
}

static void test_words(void **state)
{
    (void)state;
    assert_wrapped(10, "one two three four", "one two\nthree four\n");
    assert_wrapped(10, "exactly 10", "exactly 10\n");
    assert_wrapped(9, "exactly 10", "exactly\n10\n");
    assert_wrapped(10, "a          b", "a\nb\n"); /* spaces at a break vanish */
    assert_wrapped(12, "a          b", "a          b\n");
    assert_wrapped(10, "ends in spaces     ", "ends in\nspaces\n");
    assert_wrapped(10, "a\tb", "a b\n");
}

static void test_paragraphs(void **state)
{
    (void)state;
    assert_wrapped(10, "one\ntwo\n\nthree", "one\ntwo\n\nthree\n");
    assert_wrapped(10, "one\n\n\n\ntwo", "one\n\ntwo\n");
    assert_wrapped(10, "  - kept", "  - kept\n"); /* what stands in of a line stays */
    assert_wrapped(10, "one\n", "one\n");
    assert_wrapped(3, "abc\ndef", "abc\ndef\n"); /* a full line and a break are one break */
}

static void test_long_word(void **state)
{
    (void)state;
    char word[301], expected[400];
    int used = 0;
    memset(word, 'x', 300);
    word[300] = '\0';
    for (int i = 0; i < 300; i++) {
        expected[used++] = 'x';
        if (i % 36 == 35 || i == 299)
            expected[used++] = '\n';
    }
    expected[used] = '\0';
    assert_wrapped(36, word, expected);
    assert_wrapped(5, "a xxxxxxx b", "a\nxxxxx\nxx b\n");
}

static void test_wide(void **state)
{
    (void)state;
    assert_wrapped(6, "日本語文章", "日本語\n文章\n");
    assert_wrapped(7, "日本語文章", "日本語\n文章\n"); /* no half in the seventh column */
    assert_wrapped(6, "日本語、文", "日本\n語、文\n"); /* a comma begins no line */
    assert_wrapped(6, "日本「文」", "日本\n「文」\n"); /* an opening bracket ends none */
    assert_wrapped(8, "GPU日本語", "GPU日本\n語\n");
    assert_wrapped(2,
                   "e\xcc\x81"
                   "e\xcc\x81"
                   "e\xcc\x81",
                   "e\xcc\x81"
                   "e\xcc\x81\n"
                   "e\xcc\x81\n");
    assert_wrapped(1, "日本", "日\n本\n"); /* too narrow for anything: still ends */
}

static void test_here_and_used(void **state)
{
    (void)state;
    struct flow flow;
    flow_init(&flow);
    flow_blank(&flow);
    flow_text(&flow, 0, ROLE_DIM, "1");
    assert_int_equal(flow_wrap(&flow, 3, 6, ROLE_TEXT, "one two three", true), 5);
    assert_string_equal(lines_of(&flow), "1  one\n   two\n   three\n");
    flow_finish(&flow);
}

static void assert_clipped(int width, const char *text, const char *expected)
{
    struct flow flow;
    flow_init(&flow);
    flow_blank(&flow);
    assert_true(flow_clip(&flow, 0, width, ROLE_TEXT, text, "…") <= width);
    assert_string_equal(lines_of(&flow), expected);
    flow_finish(&flow);
}

static void test_clip(void **state)
{
    (void)state;
    assert_clipped(5, "abcde", "abcde\n");
    assert_clipped(5, "abcdef", "abcd…\n");
    assert_clipped(5, "abc def", "abc…\n"); /* no space before the ellipsis */
    assert_clipped(6, "日本語文", "日本…\n");
    assert_clipped(20, "a\nb", "a b\n");
    assert_clipped(1, "abc", "…\n");
}

static void test_figure(void **state)
{
    (void)state;
    static const char figure[] = "a    b\n日本語x\n\n\tt";
    struct flow flow;
    flow_init(&flow);
    flow_figure(&flow, 2, 5, ROLE_TEXT, figure, 0);
    assert_string_equal(lines_of(&flow), "  a\n  日本\n\n\n");
    assert_int_equal(flow.widest, 4);
    flow_finish(&flow);
    flow_init(&flow);
    flow_figure(&flow, 2, 5, ROLE_TEXT, figure,
                3); /* half of a wide character is left out, the rest keeps its place */
    assert_string_equal(lines_of(&flow), "    b\n   語x\n\n\n");
    flow_finish(&flow);
    flow_init(&flow);
    flow_figure(&flow, 0, 5, ROLE_TEXT, figure, 4);
    assert_string_equal(lines_of(&flow), " b\n語x\n\n    t\n");
    flow_finish(&flow);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (long n = 1; n < 40; n++) {
        struct flow flow;
        memory_fail_after(n);
        flow_init(&flow);
        for (int i = 0; i < 20; i++) {
            flow_wrap(&flow, 0, 10, ROLE_TEXT, "one two three four five\tsix", false);
            flow_clip(&flow, 0, 4, ROLE_TEXT, "one\ntwo", "...");
            flow_figure(&flow, 0, 4, ROLE_TEXT, "a\tb", 0);
            flow_text(&flow, 0, ROLE_TEXT, flow_print(&flow, "%d", i));
        }
        memory_fail_after(0);
        struct grid grid;
        assert_true(grid_init(&grid, 10, 10));
        flow_draw(&flow, &grid, 0, 0, 10, 0);
        grid_finish(&grid);
        flow_finish(&flow);
    }
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),  cmocka_unit_test(test_paragraphs),    cmocka_unit_test(test_long_word),
        cmocka_unit_test(test_wide),   cmocka_unit_test(test_here_and_used), cmocka_unit_test(test_clip),
        cmocka_unit_test(test_figure), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
