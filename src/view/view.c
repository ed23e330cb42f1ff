#include <quiztutor/view.h>

#include "field.h"
#include "page.h"
#include "way.h"

#include <string.h>

void view_init(struct view *view, enum sign_set signs, int rows, int columns)
{
    *view = (struct view){
        .signs = signs, .rows = rows, .columns = columns, .lifted = -1, .place = { .sort = -1 }
    };
}

/* What is kept of an exam's question is chosen already. */
static void show_question(struct view *view, const struct question_model *question)
{
    if (question->exam)
        view->exam_row = question->number > 0 ? question->number - 1 : 0;
    way_of(question)->show(view, question);
}

void view_show(struct view *view, enum screen screen)
{
    if (view->screen == SCREEN_HOME)
        view->home_cursor = view->cursor;
    int cursor = screen == SCREEN_HOME ? view->home_cursor : screen == SCREEN_OVERVIEW ? view->exam_row : 0;
    view->screen = screen;
    view->overlay = view->below = OVERLAY_NONE;
    view->cursor = cursor;
    memset(view->picked, 0, sizeof view->picked);
    view->certainty = 0;
    view->typed_digit = view->confirm = view->warned = view->placed = view->reading = false;
    view->scroll = view->side_scroll = view->choice_scroll = view->overlay_scroll = view->hints_shown = 0;
    view->scroll_range = view->side_range = view->choice_above = view->choice_below = view->overlay_range = 0;
    view->flash = view->remark = NULL;
    view->lifted = -1;
    view->put = view->doubted = view->revealed = view->left_field = view->keeps = false;
    if (screen == SCREEN_QUESTION && view->question)
        show_question(view, view->question);
}

void view_show_table(struct view *view, const struct table_model *model, const struct table_place *place,
                     bool anew)
{
    enum overlay overlay = anew ? view->overlay : OVERLAY_NONE;
    int scroll = view->overlay_scroll;
    view->table = model;
    view_show(view, SCREEN_TABLE);
    view->overlay = overlay;
    view->overlay_scroll = anew ? scroll : 0;
    view->place = *place;
    if (model)
        view_table_arrange(model, &view->place);
}

void view_remark(struct view *view, const char *remark)
{
    view->remark = remark;
    view->left_field = false;
}

/* What stands in a field before anything is typed into it. */
static const char *first_typed(const struct view *view)
{
    if (view->overlay == OVERLAY_FILTER)
        return view->screen == SCREEN_TABLE ? view->place.filter : view->filter;
    if (view->overlay == OVERLAY_EXPORT && view->table && view->table->file)
        return view->table->file;
    return "";
}

void view_open(struct view *view, enum overlay overlay)
{
    view->below = overlay == OVERLAY_CODE ? view->overlay : OVERLAY_NONE;
    view->overlay = overlay;
    view->overlay_scroll = view->overlay_range = 0;
    view->confirm = view->typed_digit = view->warned = view->doubted = false;
    view->certainty = 0;
    view->flash = NULL;
    if (overlay == OVERLAY_REPORT || overlay == OVERLAY_LEARNER || overlay == OVERLAY_FILTER ||
        overlay == OVERLAY_EXPORT || overlay == OVERLAY_PIN || overlay == OVERLAY_CODE) {
        field_keep(view);
        field_set(view, first_typed(view));
    } else {
        field_bring_back(view);
    }
}

void view_close(struct view *view)
{
    if (view->overlay == OVERLAY_PIN || view->overlay == OVERLAY_CODE)
        view_wipe(view);
    view->overlay = view->below;
    view->below = OVERLAY_NONE;
    view->confirm = false;
    field_bring_back(view);
}

bool view_unstored(const struct view *view)
{
    return view->overlay == OVERLAY_NOT_STORED || view->below == OVERLAY_NOT_STORED;
}

void view_wipe(struct view *view)
{
    explicit_bzero(view->field, sizeof view->field);
    view->field_length = view->field_cursor = 0;
}

static void draw_screen(struct view *view, struct grid *grid)
{
    switch (view->screen) {
    case SCREEN_HOME:
        home_draw(view, grid);
        return;
    case SCREEN_QUESTION:
        question_draw(view, grid);
        return;
    case SCREEN_RESULT:
        result_draw(view, grid);
        return;
    case SCREEN_SUMMARY:
        summary_draw(view, grid);
        return;
    case SCREEN_OVERVIEW:
        overview_draw(view, grid);
        return;
    case SCREEN_PAPER:
        paper_draw(view, grid);
        return;
    case SCREEN_PROGRESS:
        progress_draw(view, grid);
        return;
    case SCREEN_PREVIEW:
        preview_draw(view, grid);
        return;
    case SCREEN_TABLE:
        table_draw(view, grid);
        return;
    case SCREEN_SIGN_IN:
        sign_in_draw(view, grid);
        return;
    case SCREEN_CALL:
        call_draw(view, grid);
        return;
    case SCREEN_MENU:
        menu_draw(view, grid);
        return;
    }
}

/* Over whatever is shown, which stays as it is. */
static void draw_idle(struct view *view, struct grid *grid)
{
    struct view above = *view;
    above.overlay = OVERLAY_IDLE;
    above.overlay_scroll = 0;
    panel_draw(&above, grid);
}

static void draw_all(struct view *view, struct grid *grid)
{
    switch (view->overlay) {
    case OVERLAY_KEYS:
        keys_draw(view, grid);
        return;
    case OVERLAY_ABOUT:
        about_draw(view, grid);
        return;
    case OVERLAY_ROW:
        whole_row_draw(view, grid);
        return;
    case OVERLAY_NOTES:
        notes_draw(view, grid);
        return;
    case OVERLAY_NONE:
    case OVERLAY_FILTER: /* a line of the screen itself */
        draw_screen(view, grid);
        return;
    case OVERLAY_CERTAINTY:
        draw_screen(view, grid);
        certainty_draw(view, grid);
        return;
    default:
        draw_screen(view, grid);
        panel_draw(view, grid);
    }
}

static void draw(struct view *view, struct grid *grid)
{
    grid_clear(grid);
    if (grid->rows < VIEW_SMALLEST_ROWS || grid->columns < VIEW_SMALLEST_COLUMNS) {
        small_draw(view, grid);
        return;
    }
    draw_all(view, grid);
    if (view->kiosk && view->kiosk->countdown > 0)
        draw_idle(view, grid);
}

/* Cells as they are when nothing may be faint: what is read at all is strong. */
static void strengthen(struct grid_cell *cell)
{
    if (strcmp(cell->text, " ") == 0)
        return; /* nothing to be read, and less to be sent */
    if (cell->role == ROLE_TEXT)
        cell->role = ROLE_STRONG;
    else if (cell->role == ROLE_DIM)
        cell->role = ROLE_TEXT;
    else if (cell->role == ROLE_EMPHASIS)
        cell->role = ROLE_STRONG_EMPHASIS;
}

/* A grid drawn with fewer rows, its body spread over every second row of the window. */
static void spread(const struct grid *dense, struct grid *grid)
{
    int frame = PAGE_FRAME / 2;
    grid_clear(grid);
    for (int row = 0; row < dense->rows; row++) {
        int to = row < frame                  ? row
                 : row >= dense->rows - frame ? grid->rows - dense->rows + row
                                              : frame + 2 * (row - frame);
        memcpy(grid_at(grid, to, 0), grid_at(dense, row, 0), (size_t)grid->columns * sizeof *grid->cells);
        if (dense->focus_row == row)
            grid_focus(grid, to, dense->focus_column);
    }
}

void view_draw(struct view *view, struct grid *grid)
{
    struct grid dense;
    int rows = page_rows(view, grid->rows);
    bool apart = rows < grid->rows && grid_init(&dense, rows, grid->columns);
    draw(view, apart ? &dense : grid);
    if (apart) {
        spread(&dense, grid);
        grid_finish(&dense);
    }
    for (int i = 0; view->large && i < grid->rows * grid->columns; i++)
        strengthen(&grid->cells[i]);
}
