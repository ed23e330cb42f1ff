#include "field.h"
#include "samples.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct view view;

static int setup(void **state)
{
    (void)state;
    view_init(&view, SIGNS_UNICODE, 24, 80);
    view_show(&view, SCREEN_HOME);
    view_open(&view, OVERLAY_LEARNER);
    return 0;
}

static void type(const char *keys)
{
    struct effect effect;
    scene_type(&view, keys, &effect);
}

static void control(char letter)
{
    struct input input = { .kind = INPUT_KEY, .key = KEY_CODE_CONTROL_A + letter - 'A' };
    assert_true(field_input(&view, &input));
}

static void paste(int32_t code)
{
    struct input input = { .kind = INPUT_PASTE, .key = code };
    struct effect effect;
    view_update(&view, &input, &effect);
    assert_int_equal(effect.kind, EFFECT_NONE);
}

static void test_typing(void **state)
{
    (void)state;
    type("abd^Lc");
    assert_string_equal(view.field, "abcd");
    assert_int_equal(view.field_cursor, 3);
    type("^Hx^Ty");
    assert_string_equal(view.field, "xabcdy");
    type("^B^B");
    assert_string_equal(view.field, "xabc");
    type("^R^R^R^L^L^L^L^L^L");
    assert_int_equal(view.field_cursor, 0);
    type("^B");
    assert_string_equal(view.field, "xabc");
    struct input input = { .kind = INPUT_KEY, .key = KEY_CODE_DELETE };
    field_input(&view, &input);
    assert_string_equal(view.field, "abc");
    type("?hqsu!/");
    assert_string_equal(view.field, "?hqsu!/abc"); /* letters are text */
}

static void test_controls(void **state)
{
    (void)state;
    type("one two  three");
    control('W');
    assert_string_equal(view.field, "one two  ");
    control('W');
    assert_string_equal(view.field, "one ");
    control('A');
    type("x");
    control('E');
    type("y");
    assert_string_equal(view.field, "xone y");
    type("^L^L");
    control('U');
    assert_string_equal(view.field, " y");
    assert_int_equal(view.field_cursor, 0);
    control('K');
    assert_string_equal(view.field, "");
    control('W');
    control('U');
    assert_string_equal(view.field, "");
}

static void test_cells(void **state)
{
    (void)state;
    type("e\xcc\x81日");
    assert_int_equal(view.field_cursor, 6);
    type("^L");
    assert_int_equal(view.field_cursor, 3);
    type("^B"); /* a letter and its mark go together */
    assert_string_equal(view.field, "日");
}

/* What stands in one cell is passed, and taken away, in one step. */
static void test_tint(void **state)
{
    (void)state;
    type("a👍🏽b^L^L");
    assert_int_equal(view.field_cursor, 1);
    type("^R^B");
    assert_string_equal(view.field, "ab");
}

static void test_paste(void **state)
{
    (void)state;
    paste('1');
    paste('\n');
    paste('\t');
    paste('2');
    paste(0x1b);
    paste(0x202e);
    paste(0x9b);
    assert_string_equal(view.field, "1  2");
    view_open(&view, OVERLAY_FINISH);
    paste('y');
    paste('\n');
    assert_int_equal(view.overlay, OVERLAY_FINISH); /* dropped outside a field */
}

static void test_full(void **state)
{
    (void)state;
    for (int i = 0; i < VIEW_FIELD + 50; i++)
        paste(0x65e5);
    assert_int_equal(view.field_length, (VIEW_FIELD - 1) / 3 * 3);
    assert_int_equal(strlen(view.field), view.field_length);
    paste('x');
    paste('x');
    assert_true(view.field_length < VIEW_FIELD);
}

static void test_scrolls_sideways(void **state)
{
    (void)state;
    struct grid grid;
    assert_true(grid_init(&grid, 1, 20));
    for (int i = 0; i < 60; i++) {
        paste(i % 3 ? 'a' + i % 26 : 0x65e5);
        grid_clear(&grid);
        field_draw(&view, &grid, 0, 2, 10);
        assert_in_range(grid.focus_column, 2, 11);
        assert_int_equal(grid_at(&grid, 0, 12)->role, ROLE_TEXT);
        assert_int_equal(grid_at(&grid, 0, 2)->role, ROLE_FIELD);
    }
    for (int i = 0; i < 70; i++) {
        type("^L");
        field_draw(&view, &grid, 0, 2, 10);
        assert_in_range(grid.focus_column, 2, 11);
    }
    assert_int_equal(grid.focus_column, 2);
    grid_finish(&grid);
}

static void test_set(void **state)
{
    (void)state;
    char longer[VIEW_FIELD + 40];
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    memcpy(longer + VIEW_FIELD - 2, "\xe6\x97\xa5", 3);
    field_set(&view, longer); /* cut before what does not fit whole */
    assert_int_equal(view.field_length, VIEW_FIELD - 2);
    field_set(&view, "");
    assert_int_equal(view.field_length, 0);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_typing, setup),
        cmocka_unit_test_setup(test_controls, setup),
        cmocka_unit_test_setup(test_cells, setup),
        cmocka_unit_test_setup(test_tint, setup),
        cmocka_unit_test_setup(test_paste, setup),
        cmocka_unit_test_setup(test_full, setup),
        cmocka_unit_test_setup(test_scrolls_sideways, setup),
        cmocka_unit_test_setup(test_set, setup),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
