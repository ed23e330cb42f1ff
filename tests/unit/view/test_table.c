/*
 * A tutor's table: its order, its filter, the row that stays under the cursor when it is made anew, what its
 * columns do where there is no room, and how long a class of thousands takes.
 */
#include "samples.h"
#include "table.h"

#include <quiztutor/memory.h>
#include <quiztutor/text.h>

#include <locale.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { MANY = 5000, COLUMNS = 6, TEXT = 64 };

static struct view view;
static char shown[1 << 20];

static const char *draw(int rows, int columns)
{
    struct grid grid;
    struct buffer text;
    view.rows = rows;
    view.columns = columns;
    assert_true(grid_init(&grid, rows, columns));
    view_draw(&view, &grid);
    buffer_init(&text);
    grid_print(&grid, &text, false);
    assert_true(text.length < (ptrdiff_t)sizeof shown);
    strcpy(shown, buffer_get(&text));
    buffer_finish(&text);
    grid_finish(&grid);
    return shown;
}

static enum effect_kind press(int32_t key)
{
    struct input input = { .kind = INPUT_KEY, .key = key };
    struct effect effect;
    view_update(&view, &input, &effect);
    return effect.kind;
}

/* ---- a small one ---- */

static const struct table_column columns[] = {
    { .heading = "learner" },
    { .heading = "right (%)", .right = true },
    { .heading = "answers", .right = true, .largest_first = true, .rank = 1 },
};
#define T(words, folded)                                                                                     \
    {                                                                                                        \
        .text = (words), .key = (folded), .number = NAN, .bar = NAN                                          \
    }
#define N(words, n)                                                                                          \
    {                                                                                                        \
        .text = (words), .number = (n), .bar = NAN                                                           \
    }
#define ABSENT                                                                                               \
    {                                                                                                        \
        .why = "no answers yet", .number = NAN, .bar = NAN                                                   \
    }
static const struct table_cell cells[] = {
    T("Cid", "cid"),
    N("50", .5),
    N("4", 4),
    T("ana", "ana"),
    ABSENT,
    N("0", 0),
    T("Bea", "bea"),
    N("25", .25),
    N("8", 8),
    T("Eve", "eve"),
    N("50", .5),
    N("2", 2),
    T("Dan", "dan"),
    N("75", .75),
    N("4", 4),
    { .number = NAN, .bar = NAN },
    { .number = NAN, .bar = NAN },
    N("1", 1),
};
static const char *const ids[] = { "c", "a", "b", "e", "d", "x" };
static const char *const opens[] = { "c", "a", NULL, "e", "d", "x" };
static int order[8];
static struct table_width widths[3];
static struct table_work work = { order, 0, widths };
static struct table_model model = { .title = "T",
                                    .opens_what = "learner",
                                    .column_count = 3,
                                    .row_count = 6,
                                    .columns = columns,
                                    .cells = cells,
                                    .ids = ids,
                                    .opens = opens,
                                    .work = &work };

static void show(void)
{
    view_init(&view, SIGNS_UNICODE, 24, 80);
    view_table_measure(&model);
    view_show_table(&view, &model, &view_table_top, false);
}

/* The ids of the rows shown, one letter each. */
static const char *ids_shown(void)
{
    static char text[16];
    for (int i = 0; i < work.shown; i++)
        text[i] = *ids[order[i]];
    text[work.shown] = '\0';
    return text;
}

/* Equal ones stand as in the report, what has no value comes last, whichever way it is turned. */
static void test_sort(void **state)
{
    (void)state;
    show();
    assert_string_equal(ids_shown(), "cabedx");
    press('r');
    assert_string_equal(ids_shown(), "xdebac");
    press('>'); /* a text: from A on, whatever its case */
    assert_string_equal(ids_shown(), "abcdex");
    press('r');
    assert_string_equal(ids_shown(), "edcbax");
    press('>'); /* a share: the least first */
    assert_string_equal(ids_shown(), "bcedax");
    press('r');
    assert_string_equal(ids_shown(), "dcebax");
    press('>'); /* a count: the most first */
    assert_string_equal(ids_shown(), "bcdexa");
    assert_int_equal(view.place.column, 2);
    press('>'); /* there is no other */
    assert_string_equal(ids_shown(), "bcdexa");
    press('r');
    assert_string_equal(ids_shown(), "axecdb");
    press('<');
    press('<');
    press('<');
    assert_int_equal(view.place.sort, -1);
    assert_string_equal(ids_shown(), "cabedx");
    press('<');
    assert_int_equal(view.place.sort, -1);
}

static void test_filter(void **state)
{
    (void)state;
    show();
    press(KEY_CODE_DOWN);
    press(KEY_CODE_DOWN); /* Bea */
    press('/');
    assert_int_equal(view.overlay, OVERLAY_FILTER);
    press('E'); /* folded */
    assert_string_equal(ids_shown(), "be");
    assert_int_equal(view.place.cursor, 0); /* still Bea */
    press('v');
    assert_string_equal(ids_shown(), "e");
    press('z');
    assert_string_equal(ids_shown(), "");
    assert_int_equal(view_table_row(&model, &view.place), -1);
    assert_non_null(strstr(draw(24, 80), "No row holds that."));
    press(KEY_CODE_BACKSPACE);
    press(KEY_CODE_ENTER);
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_string_equal(ids_shown(), "e");
    assert_int_equal(press(KEY_CODE_ENTER), EFFECT_OPEN);
    press(KEY_CODE_ESCAPE); /* all again, the cursor on the same row */
    assert_string_equal(ids_shown(), "cabedx");
    assert_int_equal(view.place.cursor, 3);
    press('/');
    press('5'); /* figures are found as they read */
    assert_string_equal(ids_shown(), "cbed");
    press(KEY_CODE_ESCAPE);
    assert_string_equal(ids_shown(), "cabedx");
}

static void test_open(void **state)
{
    (void)state;
    struct input enter = { .kind = INPUT_KEY, .key = KEY_CODE_ENTER };
    struct effect effect;
    show();
    press('>');
    press(KEY_CODE_DOWN); /* Bea, whose row opens nothing */
    assert_int_equal(press(KEY_CODE_ENTER), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_ROW); /* all of it is shown */
    assert_int_equal(press(KEY_CODE_ESCAPE), EFFECT_NONE);
    assert_int_equal(view.overlay, OVERLAY_NONE);
    press('d');
    assert_int_equal(view.overlay, OVERLAY_ROW);
    press('q');
    assert_int_equal(view.overlay, OVERLAY_NONE);
    press(KEY_CODE_DOWN);
    view_update(&view, &enter, &effect);
    assert_int_equal(effect.kind, EFFECT_OPEN);
    assert_int_equal(effect.row, 0);                       /* the model's row, not the place */
    assert_int_equal(press(KEY_CODE_ESCAPE), EFFECT_NONE); /* nothing lies behind the first */
    assert_int_equal(press(KEY_CODE_BACKSPACE), EFFECT_NONE);
    assert_int_equal(press('R'), EFFECT_REFRESH);
    assert_int_equal(press(KEY_CODE_F1 + 4), EFFECT_REFRESH);
    assert_int_equal(press(KEY_CODE_TAB), EFFECT_NONE); /* there is no other table */
    assert_int_equal(press('1'), EFFECT_NONE);
    assert_int_equal(press('q'), EFFECT_QUIT);
    model.depth = 1;
    assert_int_equal(press(KEY_CODE_ESCAPE), EFFECT_BACK);
    assert_int_equal(press(KEY_CODE_BACKSPACE), EFFECT_BACK);
    table_filter(&view, "a");
    assert_int_equal(press(KEY_CODE_BACKSPACE), EFFECT_BACK);
    assert_int_equal(press(KEY_CODE_ESCAPE), EFFECT_NONE); /* shows all first */
    assert_int_equal(press(KEY_CODE_ESCAPE), EFFECT_BACK);
    model.depth = 0;
}

static void test_export(void **state)
{
    (void)state;
    struct input enter = { .kind = INPUT_KEY, .key = KEY_CODE_ENTER };
    struct effect effect;
    show();
    model.file = "t.csv";
    press('e');
    assert_int_equal(view.overlay, OVERLAY_EXPORT);
    assert_string_equal(view.field, "t.csv");
    press('x');
    view_update(&view, &enter, &effect);
    assert_int_equal(effect.kind, EFFECT_EXPORT);
    assert_string_equal(effect.text, "t.csvx");
    assert_int_equal(view.overlay, OVERLAY_NONE);
    press('e');
    press(KEY_CODE_CONTROL_A + 'U' - 'A');
    assert_int_equal(press(KEY_CODE_ENTER), EFFECT_NONE); /* a file has a name */
    assert_int_equal(view.overlay, OVERLAY_EXPORT);
    assert_non_null(view.flash);
    press(KEY_CODE_ESCAPE);
    assert_int_equal(view.overlay, OVERLAY_NONE);
    model.file = NULL;
}

/* The table made anew, with other rows before it: the cursor stays on its row and on its line. */
static void test_anew(void **state)
{
    (void)state;
    static const char *const fresh[] = { "n", "c", "a", "b", "e", "d" };
    static const struct table_cell more[] = {
        T("New", "new"), N("1", .01), N("9", 9), T("Cid", "cid"), N("50", .5),  N("4", 4),
        T("ana", "ana"), ABSENT,      N("0", 0), T("Bea", "bea"), N("25", .25), N("8", 8),
        T("Eve", "eve"), N("50", .5), N("2", 2), T("Dan", "dan"), N("75", .75), N("4", 4),
    };
    struct table_model anew = model;
    show();
    press(KEY_CODE_DOWN);
    press(KEY_CODE_DOWN);
    press('?');
    struct table_place place = view.place;
    anew.ids = fresh;
    anew.cells = more;
    view_table_find(&anew, &place, "b");
    assert_int_equal(place.cursor, 3);
    assert_int_equal(place.scroll, 1);
    view_show_table(&view, &anew, &place, true);
    assert_int_equal(view.overlay, OVERLAY_KEYS); /* what lies over it stays */
    view_table_find(&anew, &place, "x");          /* gone: where it was */
    assert_int_equal(place.cursor, 3);
    anew.row_count = 2;
    view_table_find(&anew, &place, "b");
    assert_int_equal(place.cursor, 1);
    anew.row_count = 0;
    view_table_find(&anew, &place, "b");
    assert_int_equal(view_table_row(&anew, &place), -1);
    view_show_table(&view, &anew, &place, false);
    assert_int_equal(view.overlay, OVERLAY_NONE);
    assert_non_null(strstr(draw(24, 80), "nothing"));
    press(KEY_CODE_DOWN); /* whatever is pressed there */
    press(KEY_CODE_RIGHT);
    press('>');
    press('r');
    assert_int_equal(press(KEY_CODE_ENTER), EFFECT_NONE);
    draw(12, 40);
}

/* Every column of every sample comes into sight in the narrowest window, and its figures whole. */
static void test_columns(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count; s++) {
        if (strncmp(scenes[s].name, "table-", 6) != 0)
            continue;
        scene_start(&scenes[s], &view, SIGNS_UNICODE, 12, 40);
        if (view.overlay != OVERLAY_NONE || view_table_row(view.table, &view.place) < 0)
            continue;
        int count = view.table->column_count;
        press(KEY_CODE_HOME);
        for (int i = 0; i < count; i++)
            press(KEY_CODE_LEFT);
        for (int i = 0; i < count; i++) {
            struct table_layout layout;
            table_lay_out(&layout, view.table, &view.place, 35);
            assert_int_equal(view.place.column, i);
            assert_false(layout.slots[i].hidden);
            assert_false(layout.slots[0].hidden);
            for (int k = 0; k < count; k++)
                assert_true(layout.slots[k].hidden || layout.slots[k].left + layout.slots[k].width <= 35);
            const struct table_width *width = &view.table->work->widths[i];
            if (view.table->columns[i].right)
                assert_true(layout.slots[i].width >= width->value + (width->marked ? 2 : 0));
            press(KEY_CODE_RIGHT);
        }
        assert_int_equal(view.place.column, count - 1); /* and no further */
    }
}

/* Cells of every script end in the same column: those of the column that follows begin in one. */
static void test_aligned(void **state)
{
    (void)state;
    const struct scene *scene = scenes;
    while (strcmp(scene->name, "table-class") != 0)
        scene++;
    struct grid grid;
    scene_start(scene, &view, SIGNS_UNICODE, 40, 120);
    assert_true(grid_init(&grid, 40, 120));
    view_draw(&view, &grid);
    int rows = 0;
    for (int row = 0; row < 40; row++) {
        int column = 0;
        for (; column + 10 < 120; column++) { /* "2026-" of when they were last seen */
            char text[8] = "";
            for (int i = 0; i < 5; i++)
                text[i] = grid_at(&grid, row, column + i)->text[0];
            if (strcmp(text, "2026-") == 0)
                break;
        }
        if (column + 10 >= 120)
            continue;
        assert_int_equal(column, 30);
        rows++;
    }
    assert_int_equal(rows, 8);
    grid_finish(&grid);
}

/* ---- a large one ---- */

static struct table_cell many[MANY * COLUMNS];
static char names[MANY][TEXT], folded[MANY][TEXT], figures[MANY][TEXT];
static const char *many_ids[MANY];
static int many_order[MANY];
static struct table_width many_widths[COLUMNS];
static struct table_work many_work = { many_order, 0, many_widths };
static const struct table_column many_columns[COLUMNS] = {
    { .heading = "learner" },
    { .heading = "login", .rank = 2 },
    { .heading = "right (%)", .right = true },
    { .heading = "answers", .right = true, .largest_first = true, .rank = 1 },
    { .heading = "time (min)", .right = true, .largest_first = true, .rank = 3 },
    { .heading = "stuck at", .right = true, .largest_first = true, .rank = 4 },
};
static const struct table_model many_model = { .title = "The class",
                                               .column_count = COLUMNS,
                                               .row_count = MANY,
                                               .columns = many_columns,
                                               .cells = many,
                                               .ids = many_ids,
                                               .opens = many_ids,
                                               .work = &many_work };

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1000 + (double)time.tv_nsec / 1e6;
}

static double least(double one, double other)
{
    return one < other ? one : other;
}

static void test_many(void **state)
{
    (void)state;
    static const char *const letters[] = { "a", "é", "ف", "山", "Z" };
    double drawn = 1e9, sorted = 0, found = 1e9, began;
    struct grid grid;
    for (int i = 0; i < MANY; i++) {
        int figure = (int)((long long)i * 7919 % 1000);
        snprintf(names[i], TEXT, "%s learner %d", letters[i % 5], (int)((long long)i * 104729 % MANY));
        char *fold = text_fold(names[i]);
        assert_non_null(fold);
        snprintf(folded[i], TEXT, "%s", fold);
        memory_free(fold);
        snprintf(figures[i], TEXT, "%d", figure);
        many_ids[i] = names[i];
        for (int k = 0; k < COLUMNS; k++)
            many[i * COLUMNS + k] =
                k < 2 ? (struct table_cell){ .text = names[i], .key = folded[i], .number = NAN, .bar = NAN }
                      : (struct table_cell){ .text = figures[i],
                                             .number = figure * k % 1000,
                                             .bar = k == 2 ? (float)figure / 1000 : NAN };
    }
    view_init(&view, SIGNS_UNICODE, 60, 200);
    view_table_measure(&many_model);
    view_show_table(&view, &many_model, &view_table_top, false);
    assert_true(grid_init(&grid, 60, 200));
    for (int round = 0; round < 20; round++) {
        began = now();
        view_draw(&view, &grid);
        drawn = least(drawn, now() - began);
        press(KEY_CODE_PAGE_DOWN);
        int before = view.place.sort;
        began = now();
        press(round % 12 > 5 ? '<' : '>');
        if (view.place.sort != before && view.place.sort >= 0)
            sorted = sorted > now() - began ? sorted : now() - began;
        press('/');
        began = now();
        press('1');
        found = least(found, now() - began);
        press(KEY_CODE_ESCAPE);
    }
    view.place.sort = 0;
    view.place.reversed = false;
    began = now();
    view_table_arrange(&many_model, &view.place);
    double by_name = now() - began;
    for (int i = 1; i < MANY; i++)
        assert_true(strcmp(folded[many_order[i - 1]], folded[many_order[i]]) <= 0);
    press(KEY_CODE_END);
    assert_int_equal(view.place.cursor, MANY - 1);
    view_draw(&view, &grid);
    assert_int_equal(view.place.scroll + view.scroll_page, MANY);
    grid_finish(&grid);
    printf("%d rows: drawn in %.2f ms, sorted in %.1f ms, by name in %.1f ms, filtered in %.1f ms\n", MANY,
           drawn, sorted, by_name, found);
#if !defined __SANITIZE_ADDRESS__ && !(defined __has_feature)
    assert_true(drawn < 1);
    assert_true(sorted < 50 && by_name < 50 && found < 50);
#endif
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sort),    cmocka_unit_test(test_filter), cmocka_unit_test(test_open),
        cmocka_unit_test(test_export),  cmocka_unit_test(test_anew),   cmocka_unit_test(test_columns),
        cmocka_unit_test(test_aligned), cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
