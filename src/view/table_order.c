/*
 * Which rows of a table are shown, in which order: filtered by what was typed, sorted by a column, and the
 * row under the cursor found again when the table is made anew.
 */
#include "table.h"

#include <quiztutor/memory.h>
#include <quiztutor/text.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct table_place view_table_top = { .sort = -1 };

const struct table_cell *table_cell_at(const struct table_model *model, int row, int column)
{
    return &model->cells[(ptrdiff_t)row * model->column_count + column];
}

/* A number or a day; not the yes or no that half of all rows have. */
static bool is_figure(const char *text)
{
    return *text == '-' || (*text >= '0' && *text <= '9');
}

static bool holds(const struct table_model *model, int row, const char *folded)
{
    for (int i = 0; i < model->column_count; i++) {
        const struct table_cell *cell = table_cell_at(model, row, i);
        const char *text = cell->key ? cell->key : cell->text;
        if (text && (cell->key || is_figure(text)) && strstr(text, folded))
            return true;
    }
    return false;
}

struct order {
    const struct table_model *model;
    int column;
    bool largest; /* comes first */
};

/* −1: the first comes before the second, whichever way it is sorted; 2: that is for their values to say. */
static int compare_presence(bool one, bool other)
{
    return one && other ? 2 : one ? -1 : other ? 1 : 0;
}

static int compare_values(const struct order *order, const struct table_cell *one,
                          const struct table_cell *other)
{
    if (one->key || other->key) {
        int found = compare_presence(one->key != NULL, other->key != NULL);
        if (found == 2)
            found = strcmp(one->key, other->key) * (order->largest ? -1 : 1);
        return found;
    }
    int found = compare_presence(!isnan(one->number), !isnan(other->number));
    if (found == 2)
        found = ((one->number > other->number) - (one->number < other->number)) * (order->largest ? -1 : 1);
    return found;
}

static int compare_rows(const void *one, const void *other, void *context)
{
    const struct order *order = context;
    int row = *(const int *)one, rival = *(const int *)other;
    int found = compare_values(order, table_cell_at(order->model, row, order->column),
                               table_cell_at(order->model, rival, order->column));
    return found ? found : (row > rival) - (row < rival);
}

static void reverse(int *rows, int count)
{
    for (int i = 0; i < count / 2; i++) {
        int row = rows[i];
        rows[i] = rows[count - 1 - i];
        rows[count - 1 - i] = row;
    }
}

static int clamp(int value, int least, int most)
{
    return value > most ? (most < least ? least : most) : value < least ? least : value;
}

void view_table_arrange(const struct table_model *model, struct table_place *place)
{
    struct table_work *work = model->work;
    char *folded = place->filter[0] ? text_fold(place->filter) : NULL; /* without memory all are shown */
    work->shown = 0;
    for (int row = 0; row < model->row_count; row++)
        if (!folded || holds(model, row, folded))
            work->order[work->shown++] = row;
    memory_free(folded);
    if (place->sort >= model->column_count)
        place->sort = -1;
    if (place->sort >= 0) {
        struct order order = { model, place->sort,
                               model->columns[place->sort].largest_first != place->reversed };
        qsort_r(work->order, (size_t)work->shown, sizeof *work->order, compare_rows, &order);
    } else if (place->reversed) {
        reverse(work->order, work->shown);
    }
    place->cursor = clamp(place->cursor, 0, work->shown - 1);
    place->column = clamp(place->column, 0, model->column_count - 1);
}

int view_table_row(const struct table_model *model, const struct table_place *place)
{
    const struct table_work *work = model->work;
    return place->cursor >= 0 && place->cursor < work->shown ? work->order[place->cursor] : -1;
}

void view_table_find(const struct table_model *model, struct table_place *place, const char *id)
{
    view_table_arrange(model, place);
    const struct table_work *work = model->work;
    for (int i = 0; id && i < work->shown; i++) {
        if (strcmp(model->ids[work->order[i]], id) == 0) {
            place->scroll += i - place->cursor; /* drawing clamps it */
            place->cursor = i;
            return;
        }
    }
}

/* ---- what is measured once ---- */

static int columns_of(const char *text)
{
    return text ? grid_columns(text, (ptrdiff_t)strlen(text)) : 0;
}

static void widen(int *width, int columns)
{
    *width = columns > *width ? columns : *width;
}

void view_table_measure(const struct table_model *model)
{
    for (int i = 0; i < model->column_count; i++) {
        struct table_width *width = &model->work->widths[i];
        *width = (struct table_width){ .heading = table_heading(model->columns[i].heading) };
        for (int row = 0; row < model->row_count; row++) {
            const struct table_cell *cell = table_cell_at(model, row, i);
            widen(&width->value, cell->why ? 1 : columns_of(cell->text));
            widen(&width->beside, columns_of(cell->beside));
            widen(&width->trend, cell->trend_count);
            width->bar = width->bar || !isnan(cell->bar);
            width->marked = width->marked || cell->stands_out;
        }
    }
}
