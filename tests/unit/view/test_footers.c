/*
 * In the smallest window, in the language that is set: footers keep what can't be done without, and no title
 * or word in a rule is cut. With an argument that language must not be English.
 */
#include "samples.h"

#include "action.h"
#include <quiztutor/message.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct view view;
static struct buffer shown;

static int setup(void **state)
{
    (void)state;
    buffer_init(&shown);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    buffer_finish(&shown);
    return 0;
}

static const char *draw(const struct scene *scene)
{
    struct grid grid;
    scene_start(scene, &view, SIGNS_UNICODE, VIEW_SMALLEST_ROWS, VIEW_SMALLEST_COLUMNS);
    assert_true(grid_init(&grid, view.rows, view.columns));
    view_draw(&view, &grid);
    buffer_finish(&shown);
    buffer_init(&shown);
    grid_print(&grid, &shown, false);
    grid_finish(&grid);
    return buffer_get(&shown);
}

/* All that is of the two first ranks; a summary's keys are too long for the page of keys to be named too. */
static void test_useful_keys_stay(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count; s++) {
        const char *screen = draw(&scenes[s]);
        for (int i = 0; i < action_row_count; i++) {
            const struct action_row *row = &action_rows[i];
            if (row->rank < 1 || row->rank > 2 || !action_here(row, &view))
                continue;
            if (strcmp(row->name, "keys") == 0 && view.screen == SCREEN_SUMMARY)
                continue;
            const char *brief = action_brief(row, &view);
            struct buffer item, other;
            buffer_init(&item);
            buffer_init(&other);
            action_keys(row, &view, &item);
            buffer_print(&other, "%s %s", buffer_get(&item), brief ? brief : action_help(row, &view));
            buffer_print(&item, " %s", action_help(row, &view));
            if (!strstr(screen, buffer_get(&item)) && !strstr(screen, buffer_get(&other)))
                fail_msg("%s: no \"%s\" in\n%s", scenes[s].name, buffer_get(&item), screen);
            buffer_finish(&item);
            buffer_finish(&other);
        }
    }
}

static void test_rules_are_whole(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count; s++) {
        for (const char *line = draw(&scenes[s]), *end; (end = strchr(line, '\n')); line = end + 1) {
            const char *rule = strstr(line, "──"), *cut = strstr(line, "…");
            if (rule && rule < end && cut && cut < end)
                fail_msg("%s: cut: %.*s", scenes[s].name, (int)(end - line), line);
        }
    }
}

/* What the too-small screen says fits the windows that it is for. */
static void test_too_small(void **state)
{
    (void)state;
    struct grid grid;
    draw(&scenes[0]);
    assert_true(grid_init(&grid, VIEW_SMALLEST_ROWS - 1, VIEW_SMALLEST_COLUMNS - 20));
    view_draw(&view, &grid);
    buffer_finish(&shown);
    buffer_init(&shown);
    grid_print(&grid, &shown, false);
    grid_finish(&grid);
    const char *leaves = tr("Ctrl-C leaves");
    assert_non_null(strstr(buffer_get(&shown), leaves));
    assert_non_null(strstr(buffer_get(&shown), "40x12"));
}

static bool translated;

static void test_language(void **state)
{
    (void)state;
    assert_true((strcmp(tr("all keys"), "all keys") != 0) == translated);
}

int main(int count, char **arguments)
{
    (void)arguments;
    translated = count > 1;
    assert_true(message_start());
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_language),
        cmocka_unit_test_setup_teardown(test_useful_keys_stay, setup, teardown),
        cmocka_unit_test_setup_teardown(test_rules_are_whole, setup, teardown),
        cmocka_unit_test_setup_teardown(test_too_small, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
