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
    layout->room = arena_alloc(&layout->arena, (ptrdiff_t)sizeof *layout->room * (table->column_count + 1));
    if (!layout->columns || !layout->room)
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

static void want(const struct text_column *column, struct room_column *wanted)
{
    *wanted = (struct room_column){
        .content =
            column->value + (column->interval ? column->interval + 1 : 0) + (column->marked ? TEXT_MARK : 0),
        .extra = column->extra ? column->extra + 1 : 0,
        .heading = column->heading,
        .word = column->word > 1 ? column->word : 1,
        .fixed = column->number,
        .rank = column->column->rank,
    };
}

void text_layout_fit(struct text_layout *layout)
{
    static const double floors[] = { 24, 16, 8 };
    struct room room = {
        .columns = layout->room,
        .count = layout->count,
        .width = layout->page->columns,
        .gap = TEXT_GAP,
        .floors = floors,
        .floor_count = (int)(sizeof floors / sizeof *floors),
    };
    for (int i = 0; i < layout->count; i++)
        want(&layout->columns[i], &layout->room[i]);
    room_share(&room);
    layout->bars = room.bars;
    layout->records = room.records;
    for (int i = 0; i < layout->count; i++) {
        layout->columns[i].hidden = room.columns[i].hidden;
        layout->columns[i].width = (int)room.columns[i].width; /* whole ones, as all that they are made of */
    }
}
