/* Light markup on the screen: the letters stand as they would without it, each in the look of its style. */
#include "layout.h"
#include "styled.h"

#include <quiztutor/markup.h>
#include <quiztutor/random.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define E     "\x0e"
#define C     "\x0f"
#define END   "\x10"
#define BLOCK "\x11"

enum { COLUMNS = 60, ROWS = 60 };

/* A flow as text and roles. */
static const char *drawn(const struct flow *flow, bool roles)
{
    static char text[ROWS * COLUMNS * 8];
    struct grid grid;
    struct buffer out;
    assert_true(grid_init(&grid, flow_height(flow) > 0 ? flow_height(flow) : 1, COLUMNS));
    flow_draw(flow, &grid, 0, 0, flow_height(flow), 0);
    buffer_init(&out);
    grid_print(&grid, &out, roles);
    assert_true(out.length < (ptrdiff_t)sizeof text);
    strcpy(text, buffer_get(&out));
    buffer_finish(&out);
    grid_finish(&grid);
    return text;
}

static const char *wrapped(int width, enum grid_role role, const char *text, bool roles)
{
    struct flow flow;
    flow_init(&flow);
    flow_wrap(&flow, 0, width, role, text, false);
    const char *result = drawn(&flow, roles);
    flow_finish(&flow);
    return result;
}

#define TAIL "--- focus row -1, column -1\n"

static void test_styles(void **state)
{
    (void)state;
    assert_string_equal(wrapped(20, ROLE_TEXT, "is " E "not" END " " C "f()" END ".", true),
                        "is not f().\n--- roles\n.. eee ccc.\n" TAIL);
    assert_string_equal(wrapped(20, ROLE_STRONG, "is " E "not" END, true),
                        "is not\n--- roles\nSS EEE\n" TAIL);
    assert_string_equal(wrapped(20, ROLE_TEXT, E "not ended", true),
                        "not ended\n--- roles\neee eeeee\n" TAIL);
}

/* A style goes on in the next line, and no line is shorter for it. */
static void test_over_lines(void **state)
{
    (void)state;
    assert_string_equal(wrapped(7, ROLE_TEXT, "ab " E "cde fgh ijk" END " l", true),
                        "ab cde\nfgh ijk\nl\n--- roles\n.. eee\neee eee\n.\n" TAIL);
    assert_string_equal(wrapped(6, ROLE_TEXT, "ab" C "cdefgh" END "ij", true),
                        "abcdef\nghij\n--- roles\n..cccc\ncc..\n" TAIL);
}

/* A style that ends inside a cell ends after it. */
static void test_cells(void **state)
{
    (void)state;
    assert_string_equal(wrapped(9, ROLE_TEXT, "a" E "e" END "\xcc\x81z日" C "本" END, true),
                        "ae\xcc\x81z日本\n--- roles\n.e...cc\n" TAIL);
}

static void test_columns(void **state)
{
    (void)state;
    const char *text = "is " E "not" END " " C END END;
    struct grid grid;
    assert_int_equal(grid_columns(text, (ptrdiff_t)strlen(text)), 7);
    assert_int_equal(grid_columns(E END, 2), 0);
    assert_true(grid_init(&grid, 1, 10));
    assert_int_equal(grid_put(&grid, 0, 0, 10, ROLE_TEXT, text, (ptrdiff_t)strlen(text)), 7);
    assert_string_equal(grid_at(&grid, 0, 3)->text, "n");
    grid_finish(&grid);
}

static void test_block(void **state)
{
    (void)state;
    static const char text[] = "One two three:\n\n" BLOCK "for a in b:\n" BLOCK "\n" BLOCK "\n" BLOCK
                               "    long_name(a)\t# b\nand on";
    struct flow flow;
    assert_string_equal(wrapped(20, ROLE_TEXT, text, false), "One two three:\n\n   for a in b:\n\n\n"
                                                             "       long_name(a)\nand on\n");
    flow_init(&flow);
    flow.side = 4;
    flow_wrap(&flow, 0, 20, ROLE_TEXT, text, false);
    assert_string_equal(drawn(&flow, false), "One two three:\n\n   a in b:\n\n\n   long_name(a)\nand on\n");
    assert_int_equal(flow.widest, 4 + 12 + 8 + 3 - 17); /* its columns, the tab set, and the room there is */
    flow_finish(&flow);
}

static void test_clip(void **state)
{
    (void)state;
    struct flow flow;
    flow_init(&flow);
    flow_blank(&flow);
    assert_int_equal(flow_clip(&flow, 0, 8, ROLE_TEXT, "a " E "b\nc d" END " e " C "f" END, "…"), 8);
    assert_string_equal(drawn(&flow, true), "a b c d…\n--- roles\n. e e e.\n" TAIL);
    flow_finish(&flow);
    flow_init(&flow);
    flow_wrap_lines(&flow, 0, 5, ROLE_TEXT, "one two " E "three four" END, false, 2, "…");
    assert_string_equal(drawn(&flow, true), "one\ntwo…\n--- roles\n...\n....\n" TAIL);
    flow_finish(&flow);
    flow_init(&flow);
    flow_wrap_lines(&flow, 0, 9, ROLE_TEXT, "one two " E "three four" END, false, 2, "…");
    assert_string_equal(drawn(&flow, true), "one two\nthree fo…\n--- roles\n... ...\neeeee ee.\n" TAIL);
    flow_finish(&flow);
}

static void test_pair(void **state)
{
    (void)state;
    struct flow left, right, flow;
    flow_init(&left);
    flow_init(&right);
    flow_init(&flow);
    flow.shift = 1;
    flow_wrap(&left, 0, 6, ROLE_TEXT, "one two three", false);
    flow_wrap(&right, 0, 6, ROLE_TEXT, E "four" END, false);
    flow_pair(&flow, &left, &right, 10);
    flow_finish(&left); /* its texts are copied */
    flow_finish(&right);
    assert_string_equal(drawn(&flow, true),
                        " one       four\n two\n three\n--- roles\n ...       eeee\n ...\n "
                        ".....\n" TAIL);
    flow_finish(&flow);
}

/* Whatever styles stand where: the letters stand as without them, and every cell has the style it is in. */
static void test_random(void **state)
{
    (void)state;
    static const char *const parts[] = { "a", "b", "word", " ", "  ", "\n", "\n\n", "日本", "e\xcc\x81",
                                         "-", E,   C,      END, E,    C,    END,    "x",    "(" };
    struct random_stream stream = { .state = 20261203 };
    for (int round = 0; round < 3000; round++) {
        char marked[400] = "", plain[400] = "", one[ROWS * COLUMNS * 8];
        char style = '.', styles[400];
        int used = 0, width = 2 + (int)random_below(&stream, 40);
        for (uint64_t i = random_below(&stream, 60); i > 0; i--) {
            const char *part = parts[random_below(&stream, sizeof parts / sizeof *parts)];
            strcat(marked, part);
            if (*part >= MARKUP_EMPHASIS && *part <= MARKUP_BLOCK) {
                style = *part == MARKUP_EMPHASIS ? 'e' : *part == MARKUP_CODE ? 'c' : '.';
                continue;
            }
            strcat(plain, part);
            for (const char *at = part; *at; at++)
                styles[used++] = style;
        }
        struct arena arena;
        arena_init(&arena);
        struct styled styled = styled_take(&arena, marked);
        assert_string_equal(styled.text, plain);
        for (int i = 0; i < used; i++)
            assert_int_equal(styled_role(ROLE_TEXT, styled_at(&styled, i)), styles[i] == 'e'   ? ROLE_EMPHASIS
                                                                            : styles[i] == 'c' ? ROLE_CODE
                                                                                               : ROLE_TEXT);
        arena_finish(&arena);
        strcpy(one, wrapped(width, ROLE_TEXT, plain, false));
        assert_string_equal(wrapped(width, ROLE_TEXT, marked, false), one);
    }
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_styles),  cmocka_unit_test(test_over_lines), cmocka_unit_test(test_cells),
        cmocka_unit_test(test_columns), cmocka_unit_test(test_block),      cmocka_unit_test(test_clip),
        cmocka_unit_test(test_pair),    cmocka_unit_test(test_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
