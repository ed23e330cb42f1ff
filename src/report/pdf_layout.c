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
    if (!layout->columns)
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

/* What its cells would like to have; a little more, since sizes are not summed up to the last bit. */
static double content(const struct pdf_layout *layout, const struct pdf_column *column)
{
    double interval = column->interval > 0 ? column->interval + PDF_BETWEEN + 1 : 0;
    return column->value + 1 + interval + pdf_layout_extra(layout, column);
}

/* No narrower: texts can be wrapped down to `floor`, headings between words, numbers not at all. */
static double narrowest(const struct pdf_layout *layout, const struct pdf_column *column, double floor)
{
    double width = content(layout, column);
    if (!column->fixed && width > floor)
        width = floor;
    return fmax(width, column->word + 1);
}

static double taken(const struct pdf_layout *layout)
{
    double sum = 0;
    for (int i = 0; i < layout->count; i++)
        if (!layout->columns[i].hidden)
            sum += layout->columns[i].width + (sum > 0 ? PDF_GAP : 0);
    return sum;
}

static double narrow(struct pdf_layout *layout, double floor)
{
    for (int i = 0; i < layout->count; i++)
        layout->columns[i].width = narrowest(layout, &layout->columns[i], floor);
    return taken(layout);
}

/* The column that goes first where there is no room: of the highest rank, the last of these. */
static struct pdf_column *least(struct pdf_layout *layout)
{
    struct pdf_column *found = NULL;
    for (int i = 0; i < layout->count; i++) {
        struct pdf_column *column = &layout->columns[i];
        if (!column->hidden && column->column->rank > 0 &&
            (!found || column->column->rank >= found->column->rank))
            found = column;
    }
    return found;
}

/* Gives the room that is left to the columns, those first that need the least to have all they would like. */
static void share_out(struct pdf_layout *layout, double room, bool headings)
{
    while (room > 0) {
        struct pdf_column *next = NULL;
        double least_need = 0;
        for (int i = 0; i < layout->count; i++) {
            struct pdf_column *column = &layout->columns[i];
            double wanted = content(layout, column);
            wanted = headings ? fmax(column->heading + 1, wanted) : wanted;
            double need = column->hidden ? 0 : wanted - column->width;
            if (need > 0 && (!next || need < least_need)) {
                least_need = need;
                next = column;
            }
        }
        if (!next)
            return;
        if (least_need <= room)
            next->width += least_need;
        else /* what is left is shared by all that want it: none is so narrow that it makes the row high */
            break;
        room -= least_need;
    }
    int wanting = 0;
    for (int i = 0; i < layout->count; i++)
        wanting +=
            !layout->columns[i].hidden && content(layout, &layout->columns[i]) > layout->columns[i].width;
    for (int i = 0; i < layout->count && room > 0 && wanting && !headings; i++) {
        struct pdf_column *column = &layout->columns[i];
        if (!column->hidden && content(layout, column) > column->width)
            column->width += room / wanting;
    }
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

void pdf_layout_fit(struct pdf_layout *layout)
{
    static const double floors[] = { 120, 90, 64, 40 };
    enum { FLOORS = sizeof floors / sizeof *floors };
    double room = layout->pdf->width;
    int step = layout->roomy ? 0 : 1;
    layout->bars = true;
    while (narrow(layout, floors[step]) > room) {
        struct pdf_column *column;
        if (layout->bars)
            layout->bars = false;
        else if ((column = least(layout)))
            column->hidden = true;
        else if (step + 1 < FLOORS)
            step++;
        else
            break;
    }
    layout->records = taken(layout) > room;
    if (layout->records) {
        for (int i = 0; i < layout->count; i++)
            layout->columns[i].hidden = false; /* a record has a line for each */
        return;
    }
    if (!layout->bars) { /* what was left out may have made room for them */
        layout->bars = true;
        layout->bars = narrow(layout, floors[step]) <= room;
        narrow(layout, floors[step]);
    }
    share_out(layout, room - taken(layout), false);
    share_out(layout, room - taken(layout), true);
    place(layout);
}
