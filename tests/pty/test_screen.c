/* What the screen shows: sizes, wide glyphs, colours, signs, the cursor, and which terminals can be driven.
 */
#include "probe_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* ── sizes ── */

static bool shows_size(struct pty *pty, const void *context)
{
    const int *size = context;
    char first[64], row[PTY_LINE];
    snprintf(first, sizeof first, "probe %dx%d signs=0", size[0], size[1]);
    if (size[1] < (int)strlen(first))
        first[size[1]] = '\0';
    for (size_t length = strlen(first); length > 0 && first[length - 1] == ' '; length--)
        first[length - 1] = '\0';
    pty_row(pty, 0, row);
    return strcmp(row, first) == 0;
}

static void require_size(struct pty *pty, int rows, int columns)
{
    int size[2] = { rows, columns };
    if (pty_wait(pty, shows_size, size))
        return;
    pty_print(pty);
    fail_msg("the size %dx%d is not shown", rows, columns);
}

static const int sizes[][2] = {
    { 1, 1 },     { 1, 300 },   { 2, 1 },     { 100, 1 },    { 2, 2 },   { 5, 20 },
    { 9, 39 },    { 10, 40 },   { 11, 8 },    { 12, 40 },    { 24, 80 }, { 1, 1 },
    { 100, 300 }, { 300, 100 }, { 24, 1000 }, { 400, 1000 }, { 3, 12 },  { 24, 80 },
};

static void test_every_size(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pty_resize(pty, sizes[i][0], sizes[i][1]);
        require_size(pty, sizes[i][0], sizes[i][1]);
        pty_type(pty, "W\033[B");
    }
    pty_require(pty, pty_wait_text(pty, "warning"), "the screen is not whole again");
    probe_quit(pty);
}

static void test_every_size_at_start(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct pty *pty = probe_launch((struct pty_options){ .rows = sizes[i][0], .columns = sizes[i][1] });
        require_size(pty, sizes[i][0], sizes[i][1]);
        probe_quit(pty);
    }
}

static void test_sizes_without_limits(void **state)
{
    (void)state;
    static const int large[][2] = {
        { 65535, 65535 }, { 65535, 1 }, { 1, 65535 }, { 401, 1001 }, { 32768, 32768 }
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        struct pty *pty = probe_launch((struct pty_options){ .rows = large[i][0], .columns = large[i][1] });
        require_size(pty, large[i][0] > 400 ? 400 : large[i][0], large[i][1] > 1000 ? 1000 : large[i][1]);
        probe_quit(pty);
        pty = probe_start((struct pty_options){ 0 });
        pty_resize(pty, large[i][0], large[i][1]);
        pty_type(pty, "z"); /* whatever is drawn at that size, the program goes on */
        pty_pump_for(pty, 50);
        pty_resize(pty, 24, 80);
        require_size(pty, 24, 80);
        probe_quit(pty);
    }
}

static void test_a_storm_of_sizes(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    unsigned seed = 7;
    for (int i = 0; i < 300 * probe_rounds; i++) {
        seed = seed * 1103515245u + 12345u;
        pty_resize(pty, 1 + (int)(seed >> 16) % 60, 1 + (int)(seed >> 8) % 200);
        pty_pump(pty, 0);
    }
    pty_resize(pty, 24, 80);
    require_size(pty, 24, 80);
    pty_require(pty, pty_wait_text(pty, "warning"), "the screen is not whole");
    probe_quit(pty);
}

static void test_the_environment_freezes_no_size(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ .environment = { "LINES=10", "COLUMNS=20" } });
    pty_resize(pty, 30, 90);
    require_size(pty, 30, 90);
    probe_quit(pty);
}

static void test_no_size_at_all(void **state)
{
    (void)state;
    /* a serial line does not know its size: terminfo's stands */
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_resize(pty, 0, 0);
    pty_type(pty, "z");
    probe_saw(pty, " z");
    probe_quit(pty);
    static const char *const terms[] = { "TERM=xterm", "TERM=linux", "TERM=vt100" };
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        pty = probe_launch((struct pty_options){ .rows = -1, .columns = -1, .environment = { terms[i] } });
        pty_require(pty, pty_wait_text(pty, "probe 24x80"), "it does not fall back on 24x80");
        probe_quit(pty);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    struct termios before, after;
    struct pty *pty = probe_launch((struct pty_options){ .arguments = { "starve" } });
    pty_first_modes(pty, &before);
    int status = pty_wait_exit(pty);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 1);
    pty_require(pty, pty_has(pty, "out of memory"), "it does not say why");
    pty_modes(pty, &after);
    assert_true(pty_modes_equal(&before, &after));
    pty_finish(pty);
}

/* ── glyphs ── */

static const struct {
    const char *text;
    int end; /* column of the `|` */
} wide_rows[] = {
    { "ab漢字かなe\u0301|end", 11 }, { "a漢b字|かなz|end", 12 },     { "漢abかな字e\u0301x|end", 12 },
    { "abcdefgh|end", 8 },           { "漢字漢字漢字漢字|end", 16 },
};
enum { WIDE_ROWS = sizeof wide_rows / sizeof *wide_rows };

static bool shows_wide_row(struct pty *pty, const void *context)
{
    const int *which = context;
    char row[PTY_LINE], last[32];
    pty_row(pty, 3, row);
    pty_cell_text(pty, 3, wide_rows[*which].end, last);
    return strcmp(row, wide_rows[*which].text) == 0 && strcmp(last, "|") == 0;
}

static void test_wide_glyphs_half_overwritten(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    for (int i = 0; i < 3 * WIDE_ROWS; i++) {
        int which = i % WIDE_ROWS;
        pty_require(pty, pty_wait(pty, shows_wide_row, &which), "the row is not what was drawn");
        pty_type(pty, "W");
    }
    probe_quit(pty);
}

static void test_a_wide_glyph_at_the_edge(void **state)
{
    (void)state;
    /* in columns 2 and 3 of the first row stands a glyph: whole in 4 columns, not at all in 3 */
    struct pty *pty = probe_launch((struct pty_options){ .rows = 6, .columns = 3 });
    require_size(pty, 6, 3);
    pty_require(pty, pty_wait_row(pty, 3, "ab"), "half a glyph is shown");
    pty_resize(pty, 6, 4);
    require_size(pty, 6, 4);
    pty_require(pty, pty_wait_row(pty, 3, "ab漢"), "the glyph is not shown");
    probe_quit(pty);
}

static void test_combining_marks_share_a_cell(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    char cell[32];
    pty_require(pty, pty_wait_text(pty, "|end"), "the row is not there");
    pty_cell_text(pty, 3, 10, cell);
    assert_string_equal(cell, "e\u0301");
    assert_int_equal(pty_cell_look(pty, 3, 2).columns, 2);
    probe_quit(pty);
}

static void test_only_differences_are_sent(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ .rows = 60, .columns = 200 });
    pty_require(pty, pty_wait_cursor(pty, 2, 5), "the cursor is not there");
    pty_log_clear(pty);
    pty_type(pty, "\033[C");
    probe_saw(pty, " Right");
    pty_require(pty, pty_wait_cursor(pty, 2, 6), "the cursor does not move");
    ptrdiff_t length;
    pty_log(pty, &length);
    assert_true(length < 60);
    probe_quit(pty);
}

static void test_redraw(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_scribble(pty, "\033[H\033[2Jwall: the machine goes down");
    assert_false(pty_has(pty, "warning"));
    pty_type(pty, "\014");
    pty_require(pty, pty_wait_text(pty, "warning"), "the screen is not sent again");
    pty_require(pty, pty_wait_gone(pty, "wall:"), "what did not belong there stays");
    probe_saw(pty, " ^L");
    probe_quit(pty);
}

/* ── cursor ── */

static void test_the_cursor_stands_on_the_focus(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_require(pty, pty_wait_cursor(pty, 2, 5), "the cursor is not on the focus");
    pty_type(pty, "\033[B\033[B\033[C");
    pty_require(pty, pty_wait_cursor(pty, 4, 6), "the cursor does not follow");
    pty_type(pty, "N");
    probe_saw(pty, " Down Down Right N");
    int row, column;
    bool visible;
    pty_cursor(pty, &row, &column, &visible);
    assert_false(visible);
    pty_type(pty, "N");
    pty_require(pty, pty_wait_cursor(pty, 4, 6), "the cursor does not come back");
    probe_quit(pty);
}

static void test_a_cursor_that_cannot_be_hidden(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ .environment = { "TERM=vt100" } });
    pty_type(pty, "N");
    probe_saw(pty, " N");
    pty_require(pty, pty_wait_cursor(pty, 23, 0), "the cursor does not rest in the corner");
    probe_quit(pty);
}

/* ── colours ── */

enum {
    FIRST_ROLE_ROW = 4,
    ROW_STRONG = 5,
    ROW_SELECTED = 9,
    ROW_RIGHT = 10,
    ROW_WRONG = 11,
    ROW_FIELD = 13,
    LAST_ROLE_ROW = 14
};

static void require_mono(struct pty *pty)
{
    pty_require(pty, pty_wait_text(pty, "warning"), "the screen is not there");
    assert_true(pty_cell_look(pty, ROW_STRONG, 2).bold);
    assert_true(pty_cell_look(pty, ROW_FIELD, 2).underline);
    pty_type(pty, "W\033[B");
    probe_saw(pty, " W Down");
    pty_type(pty, "q");
    assert_int_equal(pty_wait_exit(pty), 0);
    assert_false(pty_sent_colour(pty));
    pty_finish(pty);
}

static void test_no_colour(void **state)
{
    (void)state;
    require_mono(probe_start((struct pty_options){ .environment = { "NO_COLOR=1" } }));
    require_mono(
        probe_start((struct pty_options){ .environment = { "NO_COLOR=1" }, .arguments = { "dark" } }));
    require_mono(probe_start((struct pty_options){ .arguments = { "mono" } }));
    require_mono(probe_start((struct pty_options){ .environment = { "TERM=vt100" } }));
    require_mono(
        probe_start((struct pty_options){ .environment = { "TERM=vt220" }, .arguments = { "light" } }));
}

static void test_colours(void **state)
{
    (void)state;
    static const struct {
        const char *term, *theme, *sequence; /* that of right */
    } rows[] = {
        { "TERM=xterm-256color", "dark", "\033[38;5;114m" },
        { "TERM=xterm-256color", "light", "\033[38;5;28m" },
        { "TERM=xterm-256color", NULL, "\033[38;5;28m" },
        { "TERM=xterm", "dark", "\033[32m" },
        { "TERM=linux", NULL, "\033[32m" },
        { "TERM=screen-256color", "dark", "\033[38;5;114m" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct pty *pty = probe_launch((struct pty_options){ .environment = { rows[i].term, "NO_COLOR=" },
                                                             .arguments = { rows[i].theme } });
        pty_require(pty, pty_wait_text(pty, "warning"), "the screen is not there");
        struct pty_look right = pty_cell_look(pty, ROW_RIGHT, 2), wrong = pty_cell_look(pty, ROW_WRONG, 2);
        assert_true(right.coloured && wrong.coloured);
        assert_true(pty_log_has(pty, rows[i].sequence));
        for (int row = 0; row < LAST_ROLE_ROW; row++)
            for (int column = 0; column < 20; column++)
                assert_true(pty_cell_look(pty, row, column).default_background);
        assert_true(pty_cell_look(pty, ROW_STRONG, 2).bold);
        assert_false(pty_cell_look(pty, FIRST_ROLE_ROW, 2).coloured);
        probe_quit(pty);
    }
}

/* ── signs ── */

static void require_signs(struct pty_options options, int signs)
{
    struct pty *pty = probe_start(options);
    char text[32];
    snprintf(text, sizeof text, "signs=%d", signs);
    pty_require(pty, pty_wait_text(pty, text), "another set of signs");
    pty_pump_for(pty, 30);
    pty_require(pty, pty_has(pty, text), "the set of signs does not stay");
    probe_quit(pty);
}

static void test_signs(void **state)
{
    (void)state;
    require_signs((struct pty_options){ 0 }, 0);
    require_signs((struct pty_options){ .deaf = true }, 0);
    require_signs((struct pty_options){ .environment = { "TERM=linux" } }, 1);
    require_signs((struct pty_options){ .environment = { "LC_ALL=C" } }, 2);
    require_signs((struct pty_options){ .environment = { "LC_ALL=C", "TERM=linux" } }, 2);
    require_signs((struct pty_options){ .arguments = { "ascii" } }, 2);
}

/* Signs two columns wide: the report says so, wherever it comes among the keys and however split. */
static void test_wide_signs(void **state)
{
    (void)state;
    for (int split = 0; split < 2; split++) {
        struct pty *pty = probe_start((struct pty_options){ .deaf = true });
        pty_require(pty, pty_wait_output(pty, "\033[6n"), "the width is not asked for");
        if (split) {
            pty_type(pty, "a\033");
            pty_pump_for(pty, 60);
            pty_type(pty, "[2;13Rb");
        } else {
            pty_type(pty, "a\033[2;13Rb");
        }
        pty_require(pty, pty_wait_text(pty, "signs=2"), "the signs are still wide");
        probe_saw(pty, " a resize:24x80 b");
        probe_quit(pty);
    }
}

static void test_the_report_is_not_typed_at_the_shell(void **state)
{
    (void)state;
    /* the answer comes while the program is ending: it still takes it */
    struct pty *pty = probe_start((struct pty_options){ .deaf = true });
    pty_require(pty, pty_wait_output(pty, "\033[6n"), "the width is not asked for");
    pty_type(pty, "q");
    pty_pump_for(pty, 30);
    pty_type(pty, "\033[2;7R");
    assert_int_equal(pty_wait_exit(pty), 0);
    assert_false(pty_log_has(pty, "2;7R")); /* nor was it echoed */
    pty_finish(pty);
}

static void test_a_locale_without_unicode(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ .environment = { "LC_ALL=C" } });
    char row[PTY_LINE];
    pty_require(pty, pty_wait_text(pty, "|end"), "the row is not there");
    pty_row(pty, 3, row);
    for (const char *c = row; *c; c++)
        assert_true(*c >= 0x20 && *c < 0x7f);
    probe_quit(pty);
}

/* ── which terminals ── */

static void require_usable(const char *term, const char *said, int status)
{
    struct pty *pty =
        probe_launch((struct pty_options){ .arguments = { "usable" }, .environment = { term } });
    int ended = pty_wait_exit(pty);
    pty_require(pty, pty_has(pty, said), said);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), status);
    pty_finish(pty);
}

static void test_usable(void **state)
{
    (void)state;
    static const char *const able[] = { "TERM=xterm",     "TERM=vt100",        "TERM=linux",
                                        "TERM=xterm-foo", "TERM=xterm-kitty",  "TERM=foot",
                                        "TERM=wezterm",   "TERM=st-256color",  "TERM=alacritty",
                                        "TERM=ghostty",   "TERM=xterm-ghostty" };
    for (size_t i = 0; i < sizeof able / sizeof *able; i++)
        require_usable(able[i], "usable", 0);
    require_usable("TERM=dumb", "the terminal \"dumb\" can't place a cursor", 1);
    require_usable("TERM=strange", "nothing is known of a terminal \"strange\"", 1);
    require_usable("TERM=no\033[31m", "nothing is known of a terminal \"no\\x1b[31m\"", 1);
    require_usable("TERM=", "TERM is not set", 1);
    require_usable("TERM", "TERM is not set", 1);
}

static void test_an_unknown_terminal_works(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ .environment = { "TERM=xterm-foo" } });
    pty_require(pty, pty_wait_text(pty, "warning"), "the screen is not there");
    assert_true(pty_second_screen(pty));
    pty_type(pty, "\033[Az");
    probe_saw(pty, " Up z");
    probe_quit(pty);
}

int main(int count, char **arguments)
{
    probe_arguments(count, arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_size),
        cmocka_unit_test(test_every_size_at_start),
        cmocka_unit_test(test_sizes_without_limits),
        cmocka_unit_test(test_a_storm_of_sizes),
        cmocka_unit_test(test_the_environment_freezes_no_size),
        cmocka_unit_test(test_no_size_at_all),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_wide_glyphs_half_overwritten),
        cmocka_unit_test(test_a_wide_glyph_at_the_edge),
        cmocka_unit_test(test_combining_marks_share_a_cell),
        cmocka_unit_test(test_only_differences_are_sent),
        cmocka_unit_test(test_redraw),
        cmocka_unit_test(test_the_cursor_stands_on_the_focus),
        cmocka_unit_test(test_a_cursor_that_cannot_be_hidden),
        cmocka_unit_test(test_no_colour),
        cmocka_unit_test(test_colours),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_wide_signs),
        cmocka_unit_test(test_the_report_is_not_typed_at_the_shell),
        cmocka_unit_test(test_a_locale_without_unicode),
        cmocka_unit_test(test_usable),
        cmocka_unit_test(test_an_unknown_terminal_works),
    };
    return cmocka_run_group_tests_name("pty screen", tests, NULL, NULL);
}
