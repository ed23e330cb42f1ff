#include "pdf_layout.h"

#include "cell.h"
#include "text_page.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

static bool find_word(struct pdf *pdf, struct pdf_column *column)
{
    buffer_clear(&pdf->text);
    for (const char *at = column->title; *at;) {
        size_t length = strcspn(at, " \n");
        double width;
        struct buffer word;
        buffer_init(&word);
        buffer_add(&word, at, (ptrdiff_t)length);
        bool done = word.failed ? error_memory(pdf->writer->error)
                                : pdf_natural(pdf, buffer_get(&word), PDF_HEAD, &width);
        buffer_finish(&word);
        if (!done)
            return false;
        column->word = fmax(column->word, width);
        at += length;
        at += strspn(at, " \n");
    }
    return true;
}

static bool open_column(struct pdf_layout *layout, struct pdf_column *column, const struct report_column *of)
{
    struct pdf *pdf = layout->pdf;
    const char *unit = cell_unit(of->kind, of->unit);
    column->column = of;
    column->number = cell_is_number(of->kind);
    column->fixed = of->kind != CELL_TEXT;
    pdf_new_row(pdf);
    if (!pdf_shown(pdf, tr(of->title)))
        return false;
    if (unit)
        buffer_print(&pdf->text, " (%s)", unit);
    const char *title = pdf_keep(pdf);
    if (!title)
        return false;
    column->title = arena_text(&layout->arena, title, (ptrdiff_t)strlen(title));
    if (!column->title)
        return error_memory(pdf->writer->error);
    return pdf_natural(pdf, column->title, PDF_HEAD, &column->heading) && find_word(pdf, column);
}

bool pdf_layout_open(struct pdf_layout *layout, struct pdf *pdf, const struct report_table *table)
{
    *layout = (struct pdf_layout){ .pdf = pdf };
    arena_init(&layout->arena);
    layout->columns =
        arena_alloc(&layout->arena, (ptrdiff_t)sizeof *layout->columns * (table->column_count + 1));
    layout->room = arena_alloc(&layout->arena, (ptrdiff_t)sizeof *layout->room * (table->column_count + 1));
    if (!layout->columns || !layout->room)
        return error_memory(pdf->writer->error);
    for (int i = 0; i < table->column_count; i++) {
        if (table->columns[i].detail && !pdf->writer->report->details)
            continue;
        struct pdf_column *column = &layout->columns[layout->count++];
        column->index = i;
        if (!open_column(layout, column, &table->columns[i]))
            return false;
    }
    return true;
}

void pdf_layout_close(struct pdf_layout *layout)
{
    arena_finish(&layout->arena);
}

void pdf_layout_interval(struct pdf *pdf, const struct report_column *column, const struct report_cell *cell)
{
    buffer_clear(&pdf->text);
    if (!column->interval || !cell_has_interval(cell))
        return;
    buffer_char(&pdf->text, '(');
    cell_say_interval(&pdf->text, cell, column->decimals, false);
    buffer_char(&pdf->text, ')');
}

static bool widen(struct pdf *pdf, double *width, enum pdf_size size)
{
    double one;
    const char *text = pdf_keep(pdf);
    if (!text || !pdf_natural(pdf, text, size, &one))
        return false;
    *width = fmax(*width, one);
    return true;
}

bool pdf_layout_measure(struct pdf_layout *layout, const struct report_cell *row)
{
    struct pdf *pdf = layout->pdf;
    for (int i = 0; i < layout->count; i++) {
        struct pdf_column *column = &layout->columns[i];
        const struct report_cell *cell = &row[column->index];
        pdf_new_row(pdf);
        if (cell_is_absent(cell)) {
            buffer_clear(&pdf->text);
            buffer_text(&pdf->text, "\xe2\x80\x93");
            pdf_footnote(pdf, 88); /* none is numbered before it is known which columns have room */
        } else {
            pdf_say(pdf, cell, column->column->unit, column->column->decimals, false);
        }
        if (cell->stands_out)
            buffer_text(&pdf->text, " !");
        if (!widen(pdf, &column->value, cell->stands_out ? PDF_STRONG : PDF_TEXT))
            return false;
        pdf_layout_interval(pdf, column->column, cell);
        if (!widen(pdf, &column->interval, PDF_TEXT))
            return false;
        column->has_extra =
            column->has_extra || cell->trend_count > 0 || (column->column->bar && !isnan(cell_share(cell)));
    }
    return true;
}

/* ---- how wide the columns are ---- */

double pdf_layout_extra(const struct pdf_layout *layout, const struct pdf_column *column)
{
    return layout->bars && column->has_extra ? PDF_EXTRA + PDF_BETWEEN : 0;
}

static void place(struct pdf_layout *layout)
{
    double x = 0;
    for (int i = 0; i < layout->count; i++) {
        struct pdf_column *column = &layout->columns[i];
        if (column->hidden)
            continue;
        column->x = x;
        x += column->width + PDF_GAP;
    }
}

/* A little more than was measured, since sizes are not summed up to the last bit. */
static void want(const struct pdf_column *column, struct room_column *wanted)
{
    double interval = column->interval > 0 ? column->interval + PDF_BETWEEN + 1 : 0;
    *wanted = (struct room_column){
        .content = column->value + 1 + interval,
        .extra = column->has_extra ? PDF_EXTRA + PDF_BETWEEN : 0,
        .heading = column->heading + 1,
        .word = column->word + 1,
        .fixed = column->fixed,
        .rank = column->column->rank,
    };
}

void pdf_layout_fit(struct pdf_layout *layout)
{
    static const double floors[] = { 120, 90, 64, 40 };
    int first = layout->roomy ? 0 : 1;
    struct room room = {
        .columns = layout->room,
        .count = layout->count,
        .width = layout->pdf->width,
        .gap = PDF_GAP,
        .floors = floors + first,
        .floor_count = (int)(sizeof floors / sizeof *floors) - first,
        .even = true,
    };
    for (int i = 0; i < layout->count; i++)
        want(&layout->columns[i], &layout->room[i]);
    room_share(&room);
    layout->bars = room.bars;
    layout->records = room.records;
    for (int i = 0; i < layout->count; i++) {
        layout->columns[i].hidden = room.columns[i].hidden;
        layout->columns[i].width = room.columns[i].width;
    }
    if (!layout->records)
        place(layout);
}
