/* Themes, signs, glyphs and the table of keys: what of the terminal is constant. */
#include "curses_glyph.h"
#include "curses_keys.h"
#include "curses_signs.h"
#include "curses_theme.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static void test_theme_choice(void **state)
{
    (void)state;
    assert_int_equal(theme_choose(THEME_DARK, "1", NULL, NULL), THEME_MONO);
    assert_int_equal(theme_choose(THEME_DARK, "", NULL, NULL), THEME_DARK); /* empty is absent */
    assert_int_equal(theme_choose(THEME_AUTO, NULL, NULL, "xterm"), THEME_AUTO);
    assert_int_equal(theme_choose(THEME_AUTO, NULL, NULL, "linux"), THEME_DARK);
    assert_int_equal(theme_choose(THEME_AUTO, NULL, "0;15", "xterm"), THEME_LIGHT);
    assert_int_equal(theme_choose(THEME_AUTO, NULL, "15;0", "xterm"), THEME_DARK);
    assert_int_equal(theme_choose(THEME_AUTO, NULL, "12;default;7", "rxvt"), THEME_LIGHT);
    assert_int_equal(theme_choose(THEME_AUTO, NULL, "0;default", "rxvt"), THEME_AUTO);
    assert_int_equal(theme_choose(THEME_AUTO, NULL, "nonsense", "rxvt"), THEME_AUTO);
    assert_int_equal(theme_choose(THEME_AUTO, NULL, "0;99", "rxvt"), THEME_AUTO);
    assert_int_equal(theme_choose(THEME_LIGHT, NULL, "15;0", "linux"), THEME_LIGHT);
}

static void test_colours_exist(void **state)
{
    (void)state;
    static const int counts[] = { 0, 2, 8, 16, 88, 256, 16777216 };
    for (int theme = THEME_AUTO; theme <= THEME_MONO; theme++)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            for (int role = 0; role < GRID_ROLES; role++) {
                struct look look = theme_look((enum terminal_theme)theme, counts[i], (enum grid_role)role);
                assert_true(look.colour >= -1 && look.colour < 256);
                if (counts[i] < 8 || theme == THEME_MONO)
                    assert_int_equal(look.colour, -1);
                else
                    assert_true(look.colour < counts[i]);
                /* in direct colour a number above 7 is an RGB value, nearly black */
                if (counts[i] > 256)
                    assert_true(look.colour < 8);
            }
    assert_int_equal(theme_look(THEME_DARK, 256, (enum grid_role)99).colour, -1);
    assert_true(theme_look(THEME_MONO, 256, ROLE_STRONG).bold);
}

static double channel(int level)
{
    double value = level / 255.0;
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* Relative luminance (WCAG 2) of a colour of the 256 above the first 16. */
static double luminance(int colour)
{
    if (colour >= 232) {
        double grey = channel(8 + 10 * (colour - 232));
        return grey;
    }
    static const int levels[] = { 0, 95, 135, 175, 215, 255 };
    int cube = colour - 16;
    return 0.2126 * channel(levels[cube / 36]) + 0.7152 * channel(levels[cube / 6 % 6]) +
           0.0722 * channel(levels[cube % 6]);
}

static void test_contrast(void **state)
{
    (void)state;
    for (int role = 0; role < GRID_ROLES; role++) {
        if (role == ROLE_RULE)
            continue; /* decoration: carries no meaning */
        int dark = theme_look(THEME_DARK, 256, (enum grid_role)role).colour;
        int light = theme_look(THEME_LIGHT, 256, (enum grid_role)role).colour;
        int either = theme_look(THEME_AUTO, 256, (enum grid_role)role).colour;
        if (dark >= 0)
            assert_true((luminance(dark) + 0.05) / 0.05 >= 4.5);
        if (light >= 0)
            assert_true(1.05 / (luminance(light) + 0.05) >= 4.5);
        if (either >= 0) {
            assert_true((luminance(either) + 0.05) / 0.05 >= 3.7);
            assert_true(1.05 / (luminance(either) + 0.05) >= 3.7);
        }
    }
}

static void test_sign_choice(void **state)
{
    (void)state;
    assert_int_equal(signs_choose("UTF-8", "xterm-256color"), SIGNS_UNICODE);
    assert_int_equal(signs_choose("UTF-8", "linux"), SIGNS_CONSOLE);
    assert_int_equal(signs_choose("UTF-8", "linux-16color"), SIGNS_CONSOLE);
    assert_int_equal(signs_choose("UTF-8", NULL), SIGNS_UNICODE);
    assert_int_equal(signs_choose("ANSI_X3.4-1968", "xterm"), SIGNS_ASCII);
    assert_int_equal(signs_choose("ISO-8859-1", "linux"), SIGNS_ASCII);
    assert_int_equal(signs_choose(NULL, "xterm"), SIGNS_ASCII);
    assert_int_equal(signs_reported(SIGNS_UNICODE, 7), SIGNS_UNICODE);
    assert_int_equal(signs_reported(SIGNS_UNICODE, 13), SIGNS_ASCII);
    assert_int_equal(signs_reported(SIGNS_UNICODE, 8), SIGNS_ASCII);
    assert_int_equal(signs_reported(SIGNS_CONSOLE, 13), SIGNS_CONSOLE);
    assert_true(signs_wide_likely("ja_JP.UTF-8") && signs_wide_likely("zh_TW") && signs_wide_likely("ko"));
    assert_false(signs_wide_likely("de_DE.UTF-8") || signs_wide_likely("C") || signs_wide_likely(NULL));
}

static void test_plain_characters(void **state)
{
    (void)state;
    for (int32_t code = -1; code < 0x30000; code++) {
        char plain = signs_plain(code);
        assert_true(plain >= 0x20 && plain < 0x7f);
        if (code >= 0x20 && code < 0x7f)
            assert_int_equal(plain, code);
    }
    assert_int_equal(signs_plain(0x2019), '\'');
    assert_int_equal(signs_plain(0x2014), '-');
    assert_int_equal(signs_plain(0x6f22), '?');
}

static struct grid_cell cell_of(const char *text, int columns)
{
    struct grid_cell cell = { .columns = (uint8_t)columns };
    strncpy(cell.text, text, GRID_CELL);
    return cell;
}

static void test_glyphs(void **state)
{
    (void)state;
    wchar_t glyph[GLYPH_CHARACTERS + 1];
    struct grid_cell cell = cell_of("a", 1);
    assert_int_equal(glyph_make(glyph, &cell, true), 1);
    assert_true(wcscmp(glyph, L"a") == 0);
    cell = cell_of("漢", 2);
    assert_int_equal(glyph_make(glyph, &cell, true), 2);
    assert_true(wcscmp(glyph, L"漢") == 0);
    cell = cell_of("e\u0301\u0302\u0303\u0304", 1);
    assert_int_equal(glyph_make(glyph, &cell, true), 1);
    assert_true(wcscmp(glyph, L"e\u0301\u0302\u0303\u0304") == 0);
    cell = cell_of("", 1);
    assert_int_equal(glyph_make(glyph, &cell, true), 1);
    assert_true(wcscmp(glyph, L" ") == 0);
    /* what the terminal would show in other columns, or obey */
    static const char *const bad[] = { "\033", "\xff", "\u0301", "\xc2\x85", "漢" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        cell = cell_of(bad[i], 1);
        assert_int_equal(glyph_make(glyph, &cell, true), 1);
        assert_true(wcscmp(glyph, L"\ufffd") == 0);
    }
    cell = cell_of("a", 2);
    assert_int_equal(glyph_make(glyph, &cell, true), 1);
}

static void test_glyphs_without_unicode(void **state)
{
    (void)state;
    wchar_t glyph[GLYPH_CHARACTERS + 1];
    struct grid_cell cell = cell_of("é", 1);
    assert_int_equal(glyph_make(glyph, &cell, false), 1);
    assert_true(wcscmp(glyph, L"?") == 0);
    cell = cell_of("\u2019", 1);
    glyph_make(glyph, &cell, false);
    assert_true(wcscmp(glyph, L"'") == 0);
    cell = cell_of("e\u0301", 1);
    glyph_make(glyph, &cell, false);
    assert_true(wcscmp(glyph, L"e") == 0);
    cell = cell_of("漢", 2);
    assert_int_equal(glyph_make(glyph, &cell, false), 1);
    assert_true(wcscmp(glyph, L"?") == 0);
}

static void test_emulators(void **state)
{
    (void)state;
    assert_true(keys_is_emulator("xterm") && keys_is_emulator("xterm-foo") && keys_is_emulator("xtermish"));
    assert_true(keys_is_emulator("foot-extra") && keys_is_emulator("st-256color") &&
                keys_is_emulator("kitty"));
    assert_true(keys_is_emulator("screen.xterm-new") && keys_is_emulator("tmux"));
    assert_false(keys_is_emulator("strange") || keys_is_emulator("footpedal") || keys_is_emulator("dumb"));
    assert_false(keys_is_emulator("") || keys_is_emulator("vt100") || keys_is_emulator("riotous"));
}

static void test_key_table(void **state)
{
    (void)state;
    for (int i = 0; i < keys_row_count; i++) {
        assert_int_equal(keys_rows[i].sequence[0], 033);
        for (int j = 0; j < i; j++) {
            /* none is another one's beginning, which ncurses would never let through */
            size_t one = strlen(keys_rows[i].sequence), other = strlen(keys_rows[j].sequence);
            size_t shorter = one < other ? one : other;
            assert_true(strncmp(keys_rows[i].sequence, keys_rows[j].sequence, shorter) != 0);
        }
    }
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theme_choice),
        cmocka_unit_test(test_colours_exist),
        cmocka_unit_test(test_contrast),
        cmocka_unit_test(test_sign_choice),
        cmocka_unit_test(test_plain_characters),
        cmocka_unit_test(test_glyphs),
        cmocka_unit_test(test_glyphs_without_unicode),
        cmocka_unit_test(test_emulators),
        cmocka_unit_test(test_key_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
