#include <quiztutor/grid.h>
#include <quiztutor/memory.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct grid grid;

static int setup(void **state)
{
    (void)state;
    return grid_init(&grid, 3, 10) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    grid_finish(&grid);
    return 0;
}

static int put(int row, int column, int width, const char *text)
{
    return grid_put(&grid, row, column, width, ROLE_TEXT, text, (ptrdiff_t)strlen(text));
}

static void assert_rows(const char *expected)
{
    struct buffer out;
    buffer_init(&out);
    grid_print(&grid, &out, false);
    assert_string_equal(buffer_get(&out), expected);
    buffer_finish(&out);
}

static void test_put(void **state)
{
    (void)state;
    assert_int_equal(put(0, 1, 10, "abc"), 3);
    assert_int_equal(put(1, 8, 10, "abc"), 2);
    assert_int_equal(put(2, 0, 4, "abcdef"), 4);
    assert_rows(" abc\n        ab\nabcd\n");
}

static void test_outside(void **state)
{
    (void)state;
    assert_int_equal(put(-1, 0, 9, "x"), 0);
    assert_int_equal(put(3, 0, 9, "x"), 0);
    assert_int_equal(put(0, -1, 9, "x"), 0);
    assert_int_equal(put(0, 10, 9, "x"), 0);
    assert_int_equal(put(0, 0, 0, "x"), 0);
    assert_int_equal(put(0, 0, -3, "x"), 0);
    assert_int_equal(put(0, 0, 2147483647, "x"), 1);
    grid_fill(&grid, 9, 0, 5, ROLE_RULE, "-");
    grid_fill(&grid, 1, -2, 4, ROLE_RULE, "-");
    grid_fill(&grid, 2, 8, 400, ROLE_RULE, "-");
    assert_rows("x\n--\n        --\n");
}

static void test_wide_is_whole(void **state)
{
    (void)state;
    assert_int_equal(put(0, 7, 10, "日本"), 2); /* the second would be cut by the edge */
    assert_int_equal(put(1, 0, 3, "日本"), 2);  /* by the width */
    assert_int_equal(put(2, 9, 10, "日"), 0);
    assert_rows("       日\n日\n\n");
    assert_int_equal(grid_at(&grid, 0, 7)->columns, 2);
    assert_int_equal(grid_at(&grid, 0, 8)->columns, 0);
    assert_string_equal(grid_at(&grid, 0, 8)->text, "");
}

static void test_half_overwritten(void **state)
{
    (void)state;
    put(0, 0, 10, "日本語");
    put(0, 1, 1, "x"); /* right half of the first */
    put(0, 4, 1, "y"); /* left half of the third */
    assert_rows(" x本y\n\n\n");
    put(1, 0, 10, "日本");
    put(1, 1, 2, "語"); /* takes a half of each */
    assert_rows(" x本y\n 語\n\n");
    for (int column = 0; column < 10; column++)
        assert_true(grid_at(&grid, 1, column)->columns == (column == 1 ? 2 : column == 2 ? 0 : 1));
}

static void test_combining(void **state)
{
    (void)state;
    assert_int_equal(put(0, 0, 10, "e\xcc\x81x"), 2);
    assert_string_equal(grid_at(&grid, 0, 0)->text, "e\xcc\x81");
    assert_int_equal(put(1, 0, 10, "\xcc\x81x"), 2); /* with nothing to stand on */
    assert_string_equal(grid_at(&grid, 1, 0)->text, " \xcc\x81");
    /* more marks than a cell holds are cut, never half a code point */
    assert_int_equal(put(2, 0, 10, "a\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xcc\x86z"), 2);
    assert_string_equal(grid_at(&grid, 2, 0)->text, "a\xcc\x81\xcc\x82\xcc\x83\xcc\x84");
    assert_string_equal(grid_at(&grid, 2, 1)->text, "z");
}

/* The same columns whether a terminal joins emoji or not. */
static void test_emoji(void **state)
{
    (void)state;
    static const struct {
        const char *text, *shown;
        int columns;
    } rows[] = {
        { "👨\u200d👩\u200d👧!", "👨👩👧!", 7 },
        { "👍🏽!", "👍!", 3 },
        { "👍🏽🏿!", "👍!", 3 },
        { "👩🏽\u200d🚀!", "👩🚀!", 5 },
        { "☝🏽!", "☝!", 2 },
        { "☝\ufe0f🏽!", "☝!", 2 },
        { "❤\ufe0f!", "❤!", 2 },
        { "❤\ufe0e!", "❤!", 2 },
        { "1\ufe0f\u20e3!", "1\u20e3!", 2 },
        { "🇩🇪!", "DE!", 3 },
        { "🇩!", "D!", 2 },
        { "🏽!", "🏽!", 3 }, /* a tone with nothing to tint is a swatch */
        { "a🏽!", "a🏽!", 4 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct buffer out;
        grid_clear(&grid);
        assert_int_equal(put(0, 0, 10, rows[i].text), rows[i].columns);
        assert_int_equal(grid_columns(rows[i].text, (ptrdiff_t)strlen(rows[i].text)), rows[i].columns);
        assert_string_equal(grid_at(&grid, 0, rows[i].columns - 1)->text, "!");
        buffer_init(&out);
        grid_print(&grid, &out, false);
        assert_memory_equal(buffer_get(&out), rows[i].shown, strlen(rows[i].shown));
        buffer_finish(&out);
    }
}

static void test_nothing_dangerous(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "\x1b",
        "\x07",
        "\t",
        "\n",
        "\x7f",
        "\xc2\x9b", /* CSI as one character */
        "\xff",
        "\xe2\x80",
        "\xed\xa0\x80", /* not UTF-8 */
        "\xe2\x80\xae",
        "\xe2\x81\xa6",
        "\xef\xbb\xbf",     /* deceivers */
        "\xf4\x8f\xbf\xbf", /* a noncharacter */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        grid_clear(&grid);
        assert_true(put(0, 0, 10, bad[i]) >= 1);
        assert_string_equal(grid_at(&grid, 0, 0)->text, "\xef\xbf\xbd");
    }
    /* a deceiver of no width hides in no cell either */
    grid_clear(&grid);
    put(0, 0, 10,
        "a\xe2\x80\x8b"
        "b");
    struct buffer out;
    buffer_init(&out);
    grid_print(&grid, &out, false);
    assert_null(strstr(buffer_get(&out), "\xe2\x80\x8b"));
    buffer_finish(&out);
}

static void test_columns_agree(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "", "abc", "日本", "e\xcc\x81x", "\xcc\x81", "a\xff\xfe", "\xf0\x9f\x98\x80!"
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ptrdiff_t length = (ptrdiff_t)strlen(texts[i]);
        assert_int_equal(grid_columns(texts[i], length), put(0, 0, 10, texts[i]));
    }
}

static void test_focus(void **state)
{
    (void)state;
    assert_int_equal(grid.focus_row, -1);
    grid_focus(&grid, 99, -4);
    assert_int_equal(grid.focus_row, 2);
    assert_int_equal(grid.focus_column, 0);
    put(0, 2, 10, "日");
    grid_focus(&grid, 0, 3);
    assert_int_equal(grid.focus_column, 2);
    grid_clear(&grid);
    assert_int_equal(grid.focus_row, -1);
}

static void test_sizes(void **state)
{
    (void)state;
    static const int sizes[][4] = { { 0, 0, 1, 1 },
                                    { -5, 3, 1, 3 },
                                    { 65535, 65535, GRID_ROWS, GRID_COLUMNS } };
    for (size_t i = 0; i < 3; i++) {
        struct grid other;
        assert_true(grid_init(&other, sizes[i][0], sizes[i][1]));
        assert_int_equal(other.rows, sizes[i][2]);
        assert_int_equal(other.columns, sizes[i][3]);
        grid_finish(&other);
        grid_finish(&other);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    struct grid other;
    memory_fail_after(1);
    bool made = grid_init(&other, 24, 80);
    memory_fail_after(0);
    assert_false(made);
    assert_int_equal(grid_put(&other, 0, 0, 5, ROLE_TEXT, "abc", 3), 0);
    grid_clear(&other);
    grid_focus(&other, 0, 0);
    grid_finish(&other);
}

static void test_print_roles(void **state)
{
    (void)state;
    grid_put(&grid, 0, 1, 5, ROLE_STRONG, "a b", 3);
    grid_fill(&grid, 1, 0, 3, ROLE_FIELD, " ");
    grid_focus(&grid, 1, 2);
    struct buffer out;
    buffer_init(&out);
    grid_print(&grid, &out, true);
    assert_string_equal(buffer_get(&out), " a b\n\n\n--- roles\n S S\nfff\n\n--- focus row 1, column 2\n");
    buffer_finish(&out);
}

static void test_svg(void **state)
{
    (void)state;
    put(0, 0, 10, "a<b & c  d");
    put(1, 0, 10, "日✓ x");
    grid_fill(&grid, 2, 0, 10, ROLE_RULE, "─");
    struct buffer dark, light;
    buffer_init(&dark);
    buffer_init(&light);
    grid_svg(&grid, &dark, false);
    grid_svg(&grid, &light, true);
    const char *svg = buffer_get(&dark);
    assert_non_null(strstr(svg, "textLength=\"63\" class=\"a\">a&lt;b &amp; c</text>"));
    assert_non_null(strstr(svg, "textLength=\"9\" class=\"a\">d</text>"));
    assert_non_null(strstr(svg, "textLength=\"18\" class=\"a\">日</text>"));
    assert_non_null(strstr(svg, "textLength=\"9\" class=\"a\">✓</text>"));
    assert_non_null(strstr(svg, "width=\"90\" height=\"1\" class=\"d\"/>"));
    assert_null(strstr(svg, "─"));
    assert_string_not_equal(svg, buffer_get(&light));
    buffer_finish(&dark);
    buffer_finish(&light);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_put, setup, teardown),
        cmocka_unit_test_setup_teardown(test_outside, setup, teardown),
        cmocka_unit_test_setup_teardown(test_wide_is_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(test_half_overwritten, setup, teardown),
        cmocka_unit_test_setup_teardown(test_combining, setup, teardown),
        cmocka_unit_test_setup_teardown(test_emoji, setup, teardown),
        cmocka_unit_test_setup_teardown(test_nothing_dangerous, setup, teardown),
        cmocka_unit_test_setup_teardown(test_columns_agree, setup, teardown),
        cmocka_unit_test_setup_teardown(test_focus, setup, teardown),
        cmocka_unit_test_setup_teardown(test_sizes, setup, teardown),
        cmocka_unit_test_setup_teardown(test_no_memory, setup, teardown),
        cmocka_unit_test_setup_teardown(test_print_roles, setup, teardown),
        cmocka_unit_test_setup_teardown(test_svg, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
