/* Tables: as wide as they must be, over as many pages as it takes, each of which repeats the headings. */
#include "pdf_layout.h"

#include "cell.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

enum { MEASURED = 1000 /* rows that tell how wide columns are; what is wider further down is wrapped */ };

#define LIGHT     .8
#define ROW_GAP   1.6
#define DENSE_GAP .8
#define TABLE_GAP 8.0

struct pdf_rows {
    struct pdf_layout layout;
    const struct report_table *table;
    struct pdf_piece *pieces; /* room for a row */
    struct pdf_piece *heads;  /* another, since the headings may be put while a row is under way */
};

static double row_gap(const struct pdf *pdf)
{
    return pdf->dense ? DENSE_GAP : ROW_GAP;
}

enum { PARTS = 3 }; /* of a column: value, interval, drawing */

bool pdf_is_misses(const struct report *report, const struct report_table *table)
{
    return report->kind == REPORT_PROGRESS && strcmp(table->name, "misses") == 0;
}

/* How many rows of it are shown; −1: all. */
static int most_rows(const struct pdf *pdf, const struct report_table *table)
{
    if (pdf_is_misses(pdf->writer->report, table))
        return pdf->most_misses;
    return strcmp(table->name, "misconceptions") == 0 ? pdf->most_misconceptions : -1;
}

/* Numbers stand at the far end of their column; with a bar beside them at the near one, in parts. */
static bool is_apart(const struct pdf_layout *layout, const struct pdf_column *column)
{
    return column->interval > 0 || pdf_layout_extra(layout, column) > 0;
}

static int set_headings(struct pdf_rows *rows)
{
    struct pdf_layout *layout = &rows->layout;
    int count = 0;
    for (int i = 0; i < layout->count; i++) {
        const struct pdf_column *column = &layout->columns[i];
        if (column->hidden)
            continue;
        rows->heads[count++] = (struct pdf_piece){ .text = column->title,
                                                   .size = PDF_HEAD,
                                                   .x = column->x,
                                                   .width = column->width,
                                                   .far_side = column->number && !is_apart(layout, column),
                                                   .foot = true,
                                                   .tag = "TH",
                                                   .untag = "TH" };
    }
    return count;
}

static bool put_headings(struct pdf *pdf, void *context)
{
    struct pdf_rows *rows = context;
    if (rows->layout.records)
        return true;
    if (!pdf_row(pdf, rows->heads, set_headings(rows), "TR", row_gap(pdf)))
        return false;
    pdf_rule(pdf, 0, pdf->y - row_gap(pdf) / 2, pdf->width, pdf->y - row_gap(pdf) / 2, 0);
    return true;
}

/* The parts of one cell; NULL pieces without memory. */
static bool set_cell(struct pdf_rows *rows, const struct pdf_column *column, const struct report_cell *cell,
                     struct pdf_piece *pieces, int *count)
{
    struct pdf *pdf = rows->layout.pdf;
    struct pdf_layout *layout = &rows->layout;
    bool apart = is_apart(layout, column);
    double value = apart && column->number ? column->value + 1 : column->width, x = column->x;
    pdf_say(pdf, cell, column->column->unit, column->column->decimals, false);
    if (cell->stands_out)
        buffer_text(&pdf->text, " !");
    int first = *count;
    pieces[(*count)++] = (struct pdf_piece){ .text = pdf_keep(pdf),
                                             .size = cell->stands_out ? PDF_STRONG : PDF_TEXT,
                                             .x = x,
                                             .width = value,
                                             .far_side = column->number,
                                             .tag = "TD" };
    if (!pieces[first].text)
        return false;
    x += column->value + 1 + PDF_BETWEEN;
    if (column->interval > 0) {
        pdf_layout_interval(pdf, column->column, cell);
        pieces[*count] = (struct pdf_piece){
            .text = pdf_keep(pdf), .size = PDF_TEXT, .x = x, .width = column->interval + 1, .far_side = true
        };
        if (!pieces[(*count)++].text)
            return false;
        x += column->interval + 1 + PDF_BETWEEN;
    }
    if (pdf_layout_extra(layout, column) > 0)
        pieces[(*count)++] = (struct pdf_piece){ .size = PDF_TEXT,
                                                 .x = x,
                                                 .width = PDF_EXTRA,
                                                 .share = column->column->bar ? cell_share(cell) : NAN,
                                                 .trend = cell->trend,
                                                 .trend_count = cell->trend_count };
    pieces[*count - 1].untag = "TD";
    return true;
}

static bool set_row(struct pdf_rows *rows, const struct report_cell *row, int *count)
{
    struct pdf *pdf = rows->layout.pdf;
    int lines = pdf_is_misses(pdf->writer->report, rows->table) ? pdf->most_lines : 0;
    *count = 0;
    pdf_new_row(pdf);
    for (int i = 0; i < rows->layout.count; i++) {
        const struct pdf_column *column = &rows->layout.columns[i];
        if (!column->hidden && !set_cell(rows, column, &row[column->index], rows->pieces, count))
            return false;
    }
    for (int i = 0; lines > 0 && i < *count; i++)
        if (rows->pieces[i].text && !pdf_shorten(pdf, &rows->pieces[i], lines))
            return false;
    return true;
}

static bool put_row(struct pdf_rows *rows, const struct report_cell *row)
{
    struct pdf *pdf = rows->layout.pdf;
    int count;
    if (!set_row(rows, row, &count) || !pdf_row(pdf, rows->pieces, count, "TR", row_gap(pdf)))
        return false;
    pdf_rule(pdf, 0, pdf->y - row_gap(pdf) / 2, pdf->width, pdf->y - row_gap(pdf) / 2, LIGHT);
    return true;
}

/* A line for each cell that has something to say. */
static bool put_record(struct pdf_rows *rows, const struct report_cell *row)
{
    struct pdf *pdf = rows->layout.pdf;
    double half = pdf->width / 3;
    for (int i = 0; i < rows->layout.count; i++) {
        const struct pdf_column *column = &rows->layout.columns[i];
        const struct report_cell *cell = &row[column->index];
        struct pdf_piece pieces[] = {
            { .text = column->title, .size = PDF_HEAD, .width = half - PDF_GAP, .tag = "TH", .untag = "TH" },
            { .size = PDF_TEXT, .x = half, .width = pdf->width - half, .tag = "TD", .untag = "TD" },
        };
        if (cell->kind == CELL_NOTHING)
            continue;
        pdf_new_row(pdf);
        pdf_say(pdf, cell, column->column->unit, column->column->decimals, false);
        if (column->column->interval && cell_has_interval(cell)) {
            buffer_text(&pdf->text, " (");
            cell_say_interval(&pdf->text, cell, column->column->decimals, false);
            buffer_char(&pdf->text, ')');
        }
        if (cell->stands_out)
            buffer_text(&pdf->text, " !");
        pieces[1].text = pdf_keep(pdf);
        if (!pieces[1].text || !pdf_row(pdf, pieces, 2, "TR", 0))
            return false;
    }
    pdf->y += 2 * row_gap(pdf);
    pdf_rule(pdf, 0, pdf->y - row_gap(pdf), pdf->width, pdf->y - row_gap(pdf), LIGHT);
    return true;
}

static bool put_rows(struct pdf_rows *rows, struct feed *feed)
{
    struct pdf *pdf = rows->layout.pdf;
    const struct report_cell *row;
    int most = most_rows(pdf, rows->table), fed;
    while ((fed = feed_next(feed, &row, pdf->writer->error)) > 0) {
        if (most >= 0 && most-- == 0)
            break;
        if (!(rows->layout.records ? put_record(rows, row) : put_row(rows, row)))
            return false;
    }
    return fed >= 0;
}

static bool put_remark(struct pdf *pdf)
{
    pdf_new_row(pdf);
    struct pdf_piece piece = { .text = pdf_keep(pdf), .size = PDF_NOTE, .width = pdf->width };
    return piece.text && pdf_row(pdf, &piece, 1, "P", 0);
}

/* What was left out so that all stands on one page. */
static bool put_cut(struct pdf *pdf, const struct report_table *table)
{
    int most = most_rows(pdf, table), cut = most < 0 ? 0 : table->row_count - most;
    buffer_clear(&pdf->text);
    if (cut > 0)
        buffer_print(
            &pdf->text,
            ntr("\xe2\x80\xa6 and %d more, which has no room on this page; the report as text or HTML "
                "has it.",
                "\xe2\x80\xa6 and %d more, which have no room on this page; the report as text or "
                "HTML has them.",
                cut),
            cut);
    if (pdf->text.length && !put_remark(pdf))
        return false;
    buffer_clear(&pdf->text);
    buffer_text(&pdf->text, tr("Texts that end in \xe2\x80\xa6 are shortened to have room on this page."));
    return !pdf->shortened || put_remark(pdf);
}

static bool keep_hidden(struct pdf *pdf, const struct pdf_layout *layout)
{
    for (int i = 0; i < layout->count; i++)
        if (layout->columns[i].hidden && reasons_number(&pdf->left_out, layout->columns[i].title) < 0)
            return error_memory(pdf->writer->error);
    return true;
}

static bool lay_out(struct pdf_rows *rows, struct feed *feed, int sample)
{
    struct pdf_layout *layout = &rows->layout;
    for (int i = 0; i < sample && i < MEASURED; i++)
        if (!pdf_layout_measure(layout, feed_row(feed, i)))
            return false;
    layout->roomy = pdf_is_misses(layout->pdf->writer->report, rows->table);
    if (sample > 0)
        pdf_layout_fit(layout);
    ptrdiff_t size = (ptrdiff_t)sizeof *rows->pieces * (layout->count + 1);
    rows->pieces = memory_zero(size * PARTS);
    rows->heads = memory_zero(size);
    if (!rows->pieces || !rows->heads)
        return error_memory(layout->pdf->writer->error);
    return keep_hidden(layout->pdf, layout);
}

/* Room for the title, the headings, and the first row. */
static bool put_title(struct pdf_rows *rows, const struct report_cell *first)
{
    struct pdf *pdf = rows->layout.pdf;
    const char *title = rows->table->title;
    double height = 3 * pdf_line(pdf, PDF_TEXT), head = 2 * pdf_line(pdf, PDF_HEAD);
    int count;
    if (first && !rows->layout.records) {
        if (!set_row(rows, first, &count) || !pdf_row_height(pdf, rows->pieces, count, &height))
            return false;
        count = set_headings(rows);
        if (!pdf_row_height(pdf, rows->heads, count, &head))
            return false;
    }
    head += 2 * pdf_line(pdf, PDF_CAPTION);
    if (head + height <= pdf->bottom && !pdf_need(pdf, head + height))
        return false;
    return !title || pdf_paragraph(pdf, title, PDF_CAPTION, "H2", 2);
}

static bool put_table(struct pdf_rows *rows, struct feed *feed)
{
    struct pdf *pdf = rows->layout.pdf;
    pdf->in_table = true;
    pdf_tag(pdf, "Table");
    bool done = put_headings(pdf, rows);
    pdf->head = put_headings;
    pdf->head_context = rows;
    done = done && put_rows(rows, feed);
    pdf->head = NULL;
    pdf->in_table = false;
    if (done)
        pdf_untag(pdf, "Table");
    return done;
}

bool pdf_table(struct pdf *pdf, const struct report_table *table)
{
    struct pdf_rows rows = { .table = table };
    struct feed feed;
    int sample = -1;
    bool done = false;
    pdf->shortened = false;
    if (!feed_open(&feed, table, pdf->writer->error) || !pdf_layout_open(&rows.layout, pdf, table) ||
        (sample = feed_sample(&feed, pdf->writer->error)) < 0 || !lay_out(&rows, &feed, sample) ||
        !put_title(&rows, sample > 0 ? feed_row(&feed, 0) : NULL))
        goto out;
    if (sample == 0)
        done = pdf_paragraph(pdf, table->empty ? table->empty : tr("nothing"), PDF_TEXT, "P", 0);
    else
        done = put_table(&rows, &feed) && put_cut(pdf, table);
    pdf->y += TABLE_GAP;
out:
    memory_free(rows.heads);
    memory_free(rows.pieces);
    pdf_layout_close(&rows.layout);
    feed_close(&feed);
    return done;
}
