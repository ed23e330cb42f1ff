/* What keys do in a table, and when they can. */
#include "table.h"

#include "action_when.h"
#include "update.h"

#include <quiztutor/message.h>

#include <string.h>

/* ---- when ---- */

bool when_table(const struct view *view)
{
    return view->screen == SCREEN_TABLE && view->table;
}

bool when_table_rows(const struct view *view)
{
    return when_table(view) && view->table->row_count > 0;
}

bool when_table_row(const struct view *view)
{
    return when_table(view) && view_table_row(view->table, &view->place) >= 0;
}

bool when_table_sorts(const struct view *view)
{
    return when_table(view) && view->table->row_count > 1;
}

bool when_table_moves(const struct view *view)
{
    return when_table(view) && view->table->work->shown > 1;
}

bool when_table_filters(const struct view *view)
{
    return when_table_moves(view);
}

bool when_table_columns(const struct view *view)
{
    return when_table_rows(view) && view->table->column_count > 1;
}

bool when_table_filtered(const struct view *view)
{
    return when_table(view) && view->place.filter[0];
}

bool when_opens(const struct view *view)
{
    int row = when_table(view) ? view_table_row(view->table, &view->place) : -1;
    return row >= 0 && view->table->opens_what && view->table->opens[row];
}

bool when_inside(const struct view *view)
{
    return when_table(view) && view->table->depth > 0 && !view->place.filter[0];
}

bool when_inside_filtered(const struct view *view)
{
    return when_table(view) && view->table->depth > 0 && view->place.filter[0];
}

bool when_tables(const struct view *view)
{
    return when_table(view) && view->table->tables > 1;
}

bool when_others(const struct view *view)
{
    return when_table(view) && view->table->other_count > 0;
}

/* ---- what ---- */

/* The id of the row under the cursor; NULL: there is none. */
static const char *here(const struct view *view)
{
    int row = view_table_row(view->table, &view->place);
    return row >= 0 ? view->table->ids[row] : NULL;
}

void table_filter(struct view *view, const char *filter)
{
    if (!view->table)
        return;
    const char *id = here(view);
    size_t length = strnlen(filter, VIEW_FIELD - 1);
    memmove(view->place.filter, filter, length);
    view->place.filter[length] = '\0';
    view_table_find(view->table, &view->place, id);
}

/* The order is another one: it is read from its top. */
static void sort(struct view *view)
{
    struct table_place *place = &view->place;
    place->cursor = place->scroll = 0;
    if (place->sort >= 0)
        place->column = place->sort; /* and that column is in sight */
    view_table_arrange(view->table, place);
}

static void sort_by(struct view *view, int step)
{
    int to = view->place.sort + step;
    if (to < -1 || to >= view->table->column_count)
        return;
    view->place.sort = to;
    view->place.reversed = false;
    sort(view);
}

static void move_column(struct view *view, int step)
{
    int to = view->place.column + step;
    if (to >= 0 && to < view->table->column_count)
        view->place.column = to;
}

bool table_update(struct view *view, enum action action, int32_t key, struct effect *effect)
{
    if (!view->table) /* the common ones work: leaving is one of them */
        return false;
    switch (action) {
    case ACTION_NONE:
        if (key == KEY_CODE_ENTER && when_table_row(view))
            view_open(view, OVERLAY_ROW);
        return true;
    case ACTION_OPEN:
        effect->kind = EFFECT_OPEN;
        effect->row = view_table_row(view->table, &view->place);
        return true;
    case ACTION_NEXT_TABLE:
        effect->kind = EFFECT_TABLE;
        effect->row = (view->table->table + 1) % view->table->tables;
        return true;
    case ACTION_SEE:
        if (key - '1' >= view->table->other_count)
            return true;
        effect->kind = EFFECT_SEE;
        effect->row = (int)(key - '1');
        return true;
    case ACTION_REFRESH:
        effect->kind = EFFECT_REFRESH;
        return true;
    case ACTION_SORT_LEFT:
    case ACTION_SORT_RIGHT:
        sort_by(view, action == ACTION_SORT_LEFT ? -1 : 1);
        return true;
    case ACTION_REVERSE:
        view->place.reversed = !view->place.reversed;
        sort(view);
        return true;
    case ACTION_LEFT:
    case ACTION_RIGHT:
        move_column(view, action == ACTION_LEFT ? -1 : 1);
        return true;
    case ACTION_FILTER:
        view_open(view, OVERLAY_FILTER);
        return true;
    case ACTION_CLEAR:
        table_filter(view, "");
        return true;
    case ACTION_EXPORT:
        view_open(view, OVERLAY_EXPORT);
        return true;
    case ACTION_ROW:
        view_open(view, OVERLAY_ROW);
        return true;
    case ACTION_NOTES:
        view_open(view, OVERLAY_NOTES);
        return true;
    case ACTION_UP:
    case ACTION_DOWN:
    case ACTION_PAGE_UP:
    case ACTION_PAGE_DOWN:
    case ACTION_FIRST:
    case ACTION_LAST: {
        int last = view->table->work->shown - 1;
        update_scroll(&view->place.cursor, last < 0 ? 0 : last, view->scroll_page, action);
        return true;
    }
    default:
        return false;
    }
}
