/*
 * Random keys, pastes and sizes on every screen: whatever comes, the grid is whole, the focus inside it, and
 * no answer is given without Enter. The seed is fixed; another one may be the first argument.
 */
#include "../../slice.h"
#include "samples.h"

#include <quiztutor/random.h>
#include <quiztutor/text.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROUNDS = 1200, INPUTS = 60 };

static struct random_stream stream;

static int below(int limit)
{
    return (int)random_below(&stream, (uint64_t)limit);
}

static void assert_grid(const struct grid *grid, const char *name)
{
    assert_in_range(grid->focus_row, 0, grid->rows - 1);
    assert_in_range(grid->focus_column, 0, grid->columns - 1);
    assert_true(grid_at(grid, grid->focus_row, grid->focus_column)->columns != 0);
    for (int row = 0; row < grid->rows; row++) {
        for (int column = 0; column < grid->columns; column++) {
            const struct grid_cell *cell = grid_at(grid, row, column), *next = grid_at(grid, row, column + 1);
            assert_true(cell->role < GRID_ROLES);
            if (cell->columns == 0) { /* the right half of the one before, and nothing else */
                assert_string_equal(cell->text, "");
                assert_true(column > 0 && grid_at(grid, row, column - 1)->columns == 2);
                continue;
            }
            if (cell->columns == 2)
                assert_true(next && next->columns == 0);
            struct grid_cell again;
            ptrdiff_t length = (ptrdiff_t)strlen(cell->text);
            assert_int_equal(grid_cell_next(&again, cell->text, length), length);
            assert_string_equal(again.text, cell->text); /* one cell's worth, nothing a terminal would mind */
            assert_int_equal(again.columns, cell->columns);
            /* what says that a text goes on covers nothing of it: it stands in a margin of its own */
            bool mark =
                cell->role == ROLE_KEY && (strcmp(cell->text, "▲") == 0 || strcmp(cell->text, "▼") == 0);
            if (mark && column > 0 && strcmp(grid_at(grid, row, column - 1)->text, " ") != 0)
                fail_msg("%s at %dx%d: the mark in row %d touches a text", name, grid->columns, grid->rows,
                         row);
        }
    }
}

static struct input random_input(void)
{
    static const int32_t common[] = { '1', '2', '6', 'j', 'k', ' ', '?', 'q',
                                      'h', '/', 'i', 'l', '!', 'n', 'y', 'r',
                                      '3', 'p', 'o', 'm', 't', '*', '-', 'J',
                                      'K', '0', '4', '<', '>', 'e', 'R', KEY_CODE_DELETE };
    static const int32_t texts[] = { 'e',      0x301, 0x65e5, 0x1f600, 0x202e, 0xd800,
                                     0x10ffff, '\n',  '\t',   0x1b,    -1 };
    struct input input = { .kind = INPUT_KEY };
    switch (below(12)) {
    case 0:
        input.kind = INPUT_RESIZE;
        input.rows = 1 + below(below(2) ? 40 : 300);
        input.columns = 1 + below(below(2) ? 140 : 100);
        break;
    case 1:
        input.kind = INPUT_PASTE;
        input.key = texts[below(sizeof texts / sizeof *texts)];
        break;
    case 2:
        input.key = texts[below(sizeof texts / sizeof *texts)];
        break;
    case 3:
        input.key = (int32_t)random_below(&stream, 0x120000);
        break;
    case 4:
    case 5:
    case 6:
    case 7:
        input.key = KEY_CODE_ENTER + below(KEY_CODE_CONTROL_Z - KEY_CODE_ENTER + 1);
        break;
    default:
        input.key = common[below(sizeof common / sizeof *common)];
    }
    return input;
}

/* Whether the question on the screen is tried by its author. */
static bool is_tried(const struct view *view)
{
    return (view->screen == SCREEN_QUESTION && view->question->tried) ||
           (view->screen == SCREEN_RESULT && view->result->question.tried);
}

/* A preview goes to questions that are there, and keeps nothing of what is tried. */
static void check_preview(const struct view *view, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_GO:
        if (view->screen == SCREEN_PREVIEW)
            assert_in_range(effect->row, 0, view->preview->question.of - 1);
        break;
    case EFFECT_SKIP:
    case EFFECT_UNDO:
    case EFFECT_REPORT:
    case EFFECT_FINISH:
    case EFFECT_STAR:
    case EFFECT_SUSPEND_QUESTION:
        assert_false(is_tried(view));
        break;
    case EFFECT_TRY:
        assert_int_equal(view->screen, SCREEN_PREVIEW);
        assert_int_equal(view->preview->fault_count, 0);
        break;
    case EFFECT_BACK:
        assert_true(view->screen == SCREEN_PROGRESS || view->screen == SCREEN_MENU || is_tried(view) ||
                    (view->screen == SCREEN_TABLE && view->table->depth > 0));
        break;
    default:
        break;
    }
}

/* Nothing of a practice in an exam, nothing of an exam elsewhere, and no place that is not there. */
static void check_exam(const struct view *view, const struct effect *effect)
{
    bool asked = view->screen == SCREEN_QUESTION;
    bool exam = view->screen == SCREEN_OVERVIEW || (asked && view->question->exam);
    switch (effect->kind) {
    case EFFECT_HINT:
    case EFFECT_SKIP:
    case EFFECT_UNDO:
    case EFFECT_REPORT:
    case EFFECT_FINISH:
    case EFFECT_STAR:
    case EFFECT_SUSPEND_QUESTION:
        assert_false(exam);
        break;
    case EFFECT_GO:
    case EFFECT_FLAG:
        if (view->screen == SCREEN_PREVIEW)
            break;
        assert_in_range(effect->row, 0, (asked ? view->question->of : view->overview->count) - 1);
        assert_true(exam);
        break;
    case EFFECT_BLANK:
        for (int i = 0; i < VIEW_CHOICES; i++)
            assert_false(view->picked[i]);
        assert_true(exam);
        break;
    case EFFECT_OVERVIEW:
    case EFFECT_HAND_IN:
    case EFFECT_LEAVE_EXAM:
        assert_true(exam);
        break;
    default:
        break;
    }
}

/* An answer is whole, by places that are there. */
static void check_answer(const struct view *view, const struct effect *effect)
{
    const struct question_model *question = view->question;
    unsigned items = 0;
    bool any = false;
    switch (question->way) {
    case WAY_CHOICES:
        for (int i = 0; i < VIEW_CHOICES; i++) {
            assert_true(!effect->picked[i] || i < question->choice_count);
            any = any || effect->picked[i];
        }
        assert_true(any);
        break;
    case WAY_FIELD:
        assert_ptr_equal(effect->text, view->field);
        assert_true(strlen(effect->text) < VIEW_FIELD);
        assert_true(effect->text[strspn(effect->text, " ")] != '\0');
        break;
    case WAY_ORDER:
        for (int i = 0; i < question->choice_count; i++) {
            assert_in_range(effect->at[i], 0, question->choice_count - 1);
            items |= 1u << effect->at[i];
        }
        assert_int_equal(items, (1u << question->choice_count) - 1);
        break;
    case WAY_MATCH:
        for (int i = 0; i < question->choice_count; i++) {
            assert_true(effect->at[i] >= -1 && effect->at[i] < question->target_count);
            any = any || effect->at[i] >= 0;
        }
        assert_true(any);
        break;
    case WAY_RECALL:
        assert_true(view->revealed);
        assert_in_range(effect->grade, 1, 4);
        break;
    }
    assert_true(question->certainty ? effect->certainty >= 1 && effect->certainty <= 3
                                    : effect->certainty == 0);
}

/* A table opens what is there, and names what it is written to. */
static void check_table(const struct view *view, const struct effect *effect)
{
    switch (effect->kind) {
    case EFFECT_OPEN:
        assert_in_range(effect->row, 0, view->table->row_count - 1);
        assert_non_null(view->table->opens[effect->row]);
        break;
    case EFFECT_TABLE:
        assert_in_range(effect->row, 0, view->table->tables - 1);
        assert_int_not_equal(effect->row, view->table->table);
        break;
    case EFFECT_SEE:
        assert_in_range(effect->row, 0, view->table->other_count - 1);
        break;
    case EFFECT_EXPORT:
        assert_true(*effect->text && strlen(effect->text) < VIEW_FIELD);
        break;
    default:
        break;
    }
    if (view->screen == SCREEN_TABLE) {
        int shown = view->table->work->shown;
        assert_in_range(view->place.cursor, 0, shown > 0 ? shown - 1 : 0);
        assert_in_range(view->place.column, 0, view->table->column_count - 1);
        for (int i = 1; i < shown; i++)
            assert_int_not_equal(view->table->work->order[i], view->table->work->order[i - 1]);
    }
}

/* Nothing that could lead out of a kiosk, or to somebody else's name. */
static void check_kiosk(const struct effect *effect)
{
    assert_int_not_equal(effect->kind, EFFECT_SUSPEND);
    assert_int_not_equal(effect->kind, EFFECT_LEARNER);
    assert_int_not_equal(effect->kind, EFFECT_EXPORT);
    assert_int_not_equal(effect->kind, EFFECT_PROGRESS);
    if (effect->kind == EFFECT_SIGN_IN || effect->kind == EFFECT_PIN || effect->kind == EFFECT_CODE)
        assert_true(*effect->text && strlen(effect->text) < VIEW_FIELD);
}

static void check_effect(const struct view *view, const struct input *input, const struct effect *effect)
{
    if (effect->kind == EFFECT_READ) {
        assert_int_equal(view->question->way, WAY_FIELD);
        assert_true(view->question->certainty && effect->text[strspn(effect->text, " ")] != '\0');
    }
    if (effect->kind == EFFECT_ANSWER) {
        assert_int_equal(input->kind, INPUT_KEY);
        assert_int_equal(input->key, KEY_CODE_ENTER);
        check_answer(view, effect);
    }
    check_exam(view, effect);
    check_preview(view, effect);
    check_table(view, effect);
    if (effect->kind == EFFECT_PRACTISE)
        assert_null(view->library->rows[effect->row].problem);
    if (effect->kind == EFFECT_CHOOSE) {
        assert_in_range(effect->row, 0, view->kiosk->choice_count - 1);
        assert_non_null(view->kiosk->choices[effect->row].does);
    }
    if (view->kiosk)
        check_kiosk(effect);
    if (effect->kind == EFFECT_REPORT || effect->kind == EFFECT_LEARNER)
        assert_true(effect->text && strlen(effect->text) < VIEW_FIELD);
    if (input->kind == INPUT_PASTE || input->kind == INPUT_RESIZE)
        assert_int_equal(effect->kind, EFFECT_NONE);
}

static void test_random(void **state)
{
    (void)state;
    for (int round = 0; round < slice_of(ROUNDS); round++) {
        struct view view;
        struct effect effect;
        struct grid grid;
        const struct scene *scene = &scenes[round % scene_count];
        scene_start(scene, &view, (enum sign_set)below(3), 24, 80);
        for (int i = 0; i < INPUTS; i++) {
            struct input input = random_input();
            view_update(&view, &input, &effect);
            check_effect(&view, &input, &effect);
            if (effect.kind == EFFECT_READ && below(2)) /* it can be read, or it can't */
                view_open(&view, OVERLAY_CERTAINTY);
            if (below(3) == 0) { /* keys may come faster than drawings */
                assert_true(grid_init(&grid, view.rows, view.columns));
                view_draw(&view, &grid);
                assert_grid(&grid, scene->name);
                grid_finish(&grid);
            }
        }
    }
}

/* Every scene at every size up to a little beyond where layouts change, and a few large ones. */
static void test_sizes(void **state)
{
    (void)state;
    for (int s = 0; s < scene_count; s++) {
        struct view view;
        struct grid grid;
        scene_start(&scenes[s], &view, SIGNS_UNICODE, 24, 80);
        for (int i = 0; i < slice_of(120); i++) {
            view.rows = i < 4 ? 1 + i * 99 : 1 + below(30);
            view.columns = i < 4 ? 1 + i * 99 : 1 + below(110);
            assert_true(grid_init(&grid, view.rows, view.columns));
            view_draw(&view, &grid);
            assert_grid(&grid, scenes[s].name);
            struct grid twice; /* drawing again changes nothing */
            assert_true(grid_init(&twice, view.rows, view.columns));
            view_draw(&view, &twice);
            assert_memory_equal(&grid.focus_row, &twice.focus_row, 2 * sizeof(int));
            for (int row = 0; row < grid.rows; row++)
                for (int column = 0; column < grid.columns; column++)
                    if (strcmp(grid_at(&grid, row, column)->text, grid_at(&twice, row, column)->text) != 0)
                        fail_msg("%s at %dx%d: row %d differs when drawn again", scenes[s].name, view.columns,
                                 view.rows, row);
            grid_finish(&twice);
            grid_finish(&grid);
        }
    }
}

int main(int count, char **arguments)
{
    setlocale(LC_ALL, "C.UTF-8");
    stream.state = count > 1 ? strtoull(arguments[1], NULL, 10) : 20261130;
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random), cmocka_unit_test(test_sizes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
