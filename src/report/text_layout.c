#include "text_layout.h"

#include "cell.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

bool text_layout_open(struct text_layout *layout, struct text_page *page, const struct report_table *table)
{
    *layout = (struct text_layout){ .page = page };
    arena_init(&layout->arena);
    buffer_init(&layout->part);
    layout->columns =
        arena_alloc(&layout->arena, (ptrdiff_t)sizeof *layout->columns * (table->column_count + 1));
    if (!layout->columns)
        return false;
    for (int i = 0; i < table->column_count; i++) {
        const struct report_column *column = &table->columns[i];
        if (column->detail && !page->writer->report->details)
            continue;
        struct text_column *mine = &layout->columns[layout->count++];
        const char *unit = cell_unit(column->kind, column->unit);
        mine->column = column;
        mine->index = i;
        mine->number = cell_is_number(column->kind);
        buffer_init(&mine->cell);
        buffer_clear(&layout->part);
        text_shown(&layout->part, tr(column->title));
        if (unit)
            buffer_print(&layout->part, " (%s)", unit);
        mine->title = arena_text(&layout->arena, buffer_get(&layout->part), layout->part.length);
        if (!mine->title || layout->part.failed)
            return false;
        mine->heading = text_widest_line(mine->title);
        mine->word = text_longest_word(mine->title);
    }
    return true;
}

void text_layout_close(struct text_layout *layout)
{
    for (int i = 0; i < layout->count; i++)
        buffer_finish(&layout->columns[i].cell);
    buffer_finish(&layout->part);
    arena_finish(&layout->arena);
}

/* ---- what a cell shows ---- */

static void say_value(struct text_layout *layout, struct text_column *column, const struct report_cell *cell)
{
    struct buffer *out = &layout->part;
    buffer_clear(out);
    if (cell_is_absent(cell) && layout->measuring) /* room for two digits: a column may yet be left out, and
                                                      its reasons with it, so none is numbered now */
        buffer_text(out, layout->page->ascii ? "-(99)" : "-99");
    else if (cell_is_absent(cell))
        text_absent(layout->page, out, cell_why(cell));
    else if (cell->kind == CELL_TEXT)
        text_shown(out, cell->text ? cell->text : "");
    else
        cell_say(out, cell, column->column->unit, column->column->decimals);
    if (cell->kind == CELL_TEXT && cell->note)
        buffer_print(out, " (%s)", cell->note);
}

static void say_interval(struct text_layout *layout, struct text_column *column,
                         const struct report_cell *cell)
{
    buffer_clear(&layout->part);
    if (!column->column->interval || !cell_has_interval(cell))
        return;
    buffer_char(&layout->part, '(');
    cell_say_interval(&layout->part, cell, column->column->decimals, layout->page->ascii);
    buffer_char(&layout->part, ')');
}

static void say_extra(struct text_layout *layout, struct text_column *column, const struct report_cell *cell)
{
    bool ascii = layout->page->ascii;
    buffer_clear(&layout->part);
    if (cell->trend_count > 0)
        text_spark(&layout->part, cell->trend, cell->trend_count, ascii);
    else if (column->column->bar && !cell_is_absent(cell) && cell->kind != CELL_NOTHING)
        text_bar(&layout->part, cell_share(cell), CELL_BAR, ascii);
}

static void widen(int *width, const struct buffer *part)
{
    int found = text_widest_line(buffer_get(part));
    *width = found > *width ? found : *width;
}

void text_layout_measure(struct text_layout *layout, const struct report_cell *row)
{
    layout->measuring = true;
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        const struct report_cell *cell = &row[column->index];
        say_value(layout, column, cell);
        widen(&column->value, &layout->part);
        say_interval(layout, column, cell);
        widen(&column->interval, &layout->part);
        say_extra(layout, column, cell);
        widen(&column->extra, &layout->part);
        column->marked = column->marked || cell->stands_out;
    }
    layout->measuring = false;
}

static void add_part(struct text_layout *layout, struct buffer *out, int width, bool right)
{
    int pad = width - text_columns(buffer_get(&layout->part));
    if (right)
        text_repeat(out, " ", pad);
    buffer_add(out, buffer_get(&layout->part), layout->part.length);
    if (!right)
        text_repeat(out, " ", pad);
}

void text_layout_cell(struct text_layout *layout, struct text_column *column, const struct report_cell *cell)
{
    struct buffer *out = &column->cell;
    bool parts = column->number && !layout->records;
    buffer_clear(out);
    column->bold = cell->stands_out && layout->page->styles;
    say_value(layout, column, cell);
    add_part(layout, out, parts ? column->value : 0, true);
    if (column->interval > 0) {
        say_interval(layout, column, cell);
        if (layout->part.length > 0 || parts)
            buffer_char(out, ' ');
        add_part(layout, out, parts ? column->interval : 0, true);
    }
    if (column->extra > 0 && layout->bars) {
        say_extra(layout, column, cell);
        if (layout->part.length > 0 || parts)
            buffer_char(out, ' ');
        add_part(layout, out, parts ? column->extra : 0, false);
    }
    if (cell->stands_out || (column->marked && parts))
        buffer_text(out, cell->stands_out ? " !" : "  ");
    out->failed = out->failed || layout->part.failed;
}

/* ---- how wide the columns are ---- */

static int content(const struct text_layout *layout, const struct text_column *column)
{
    return column->value + (column->interval ? column->interval + 1 : 0) +
           (column->extra && layout->bars ? column->extra + 1 : 0) + (column->marked ? TEXT_MARK : 0);
}

static int larger(int one, int other)
{
    return one > other ? one : other;
}

/* No narrower: texts can be wrapped down to `floor`, headings between words, numbers not at all. */
static int narrowest(const struct text_layout *layout, const struct text_column *column, int floor)
{
    int width = content(layout, column), word = column->word;
    if (!column->number && width > floor)
        width = floor;
    return larger(larger(width, word), 1);
}

static int total(struct text_layout *layout, int floor)
{
    int sum = 0;
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        if (column->hidden)
            continue;
        column->width = narrowest(layout, column, floor);
        sum += column->width + (sum ? TEXT_GAP : 0);
    }
    return sum;
}

static int taken(const struct text_layout *layout)
{
    int sum = 0;
    for (int i = 0; i < layout->count; i++)
        if (!layout->columns[i].hidden)
            sum += layout->columns[i].width + (sum ? TEXT_GAP : 0);
    return sum;
}

/* The column that goes first where there is no room: of the highest rank, the last of these. */
static struct text_column *least(struct text_layout *layout)
{
    struct text_column *found = NULL;
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        if (!column->hidden && column->column->rank > 0 &&
            (!found || column->column->rank >= found->column->rank))
            found = column;
    }
    return found;
}

/* Gives the room that is left to the columns, those first that need the least to have all they would like. */
static void share_out(struct text_layout *layout, int room, bool headings)
{
    while (room > 0) {
        struct text_column *next = NULL;
        int least_need = 0;
        for (int i = 0; i < layout->count; i++) {
            struct text_column *column = &layout->columns[i];
            int wanted = content(layout, column);
            wanted = headings ? larger(column->heading, wanted) : wanted;
            int need = column->hidden ? 0 : wanted - column->width;
            if (need > 0 && (!next || need < least_need)) {
                least_need = need;
                next = column;
            }
        }
        if (!next)
            return;
        least_need = least_need < room ? least_need : room;
        next->width += least_need;
        room -= least_need;
    }
}

void text_layout_fit(struct text_layout *layout)
{
    static const int floors[] = { 24, 16, 8 };
    enum { FLOORS = sizeof floors / sizeof *floors };
    int room = layout->page->columns, step = 0, sum;
    layout->bars = true;
    while ((sum = total(layout, floors[step])) > room) {
        struct text_column *column;
        if (layout->bars)
            layout->bars = false;
        else if ((column = least(layout)))
            column->hidden = true;
        else if (step + 1 < FLOORS)
            step++;
        else
            break;
    }
    layout->records = sum > room;
    if (layout->records) {
        for (int i = 0; i < layout->count; i++)
            layout->columns[i].hidden = false; /* a record has a line for each */
        return;
    }
    if (!layout->bars) { /* what was left out may have made room for them */
        layout->bars = true;
        layout->bars = total(layout, floors[step]) <= room;
        total(layout, floors[step]);
    }
    share_out(layout, room - taken(layout), false);
    share_out(layout, room - taken(layout), true);
}
