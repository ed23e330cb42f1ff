/* CSV by RFC 4180: the first table, every column. */
#include "cell.h"
#include "feed.h"
#include "writer.h"

#include <quiztutor/json.h>

#include <inttypes.h>
#include <string.h>

/* A text in its cell, never taken for a formula by a spreadsheet. */
static void put_text(struct buffer *out, const char *text)
{
    const char *guard = *text && strchr("=+-@\t'", *text) ? "'" : "";
    if (!strpbrk(text, ",\"\r\n") && *text != ' ' && (!*text || text[strlen(text) - 1] != ' ')) {
        buffer_text(out, guard);
        writer_text(out, text);
        return;
    }
    buffer_char(out, '"');
    buffer_text(out, guard);
    ptrdiff_t start = out->length;
    writer_text(out, text);
    /* quotation marks are doubled from behind, in place: few texts have any */
    ptrdiff_t marks = 0;
    for (ptrdiff_t i = start; i < out->length; i++)
        marks += out->data[i] == '"';
    ptrdiff_t from = out->length;
    for (ptrdiff_t i = 0; i < marks; i++)
        buffer_char(out, '"');
    for (ptrdiff_t to = out->length; !out->failed && from > start && to > from;) {
        char c = out->data[--from];
        out->data[--to] = c;
        if (c == '"')
            out->data[--to] = '"';
    }
    buffer_char(out, '"');
}

static void put_number(struct buffer *out, double value)
{
    char text[32];
    json_format_number(text, value);
    buffer_text(out, text);
}

static void put_cell(struct buffer *out, const struct report_cell *cell)
{
    char stamp[CELL_STAMP];
    if (cell_is_absent(cell))
        return;
    switch (cell->kind) {
    case CELL_TEXT:
        put_text(out, cell->text ? cell->text : "");
        break;
    case CELL_WHOLE:
    case CELL_SPAN:
        buffer_print(out, "%" PRId64, cell->whole);
        break;
    case CELL_REAL:
    case CELL_PERCENT:
    case CELL_SHARE:
        put_number(out, cell->real);
        break;
    case CELL_MOMENT:
        cell_moment(stamp, cell);
        buffer_text(out, stamp);
        break;
    case CELL_DAY:
        cell_day(stamp, cell->whole);
        buffer_text(out, stamp);
        break;
    case CELL_TRUTH:
        buffer_text(out, cell->whole ? "true" : "false");
        break;
    case CELL_ABSENT:
    case CELL_NOTHING:
        break;
    }
}

static void put_head(struct buffer *out, const struct report_table *table)
{
    for (int i = 0; i < table->column_count; i++) {
        const struct report_column *column = &table->columns[i];
        if (i > 0)
            buffer_char(out, ',');
        put_text(out, column->name);
        if (column->interval)
            buffer_print(out, ",%s_low,%s_high", column->name, column->name);
    }
    buffer_text(out, "\r\n");
}

static void put_row(struct buffer *out, const struct report_table *table, const struct report_cell *row)
{
    for (int i = 0; i < table->column_count; i++) {
        if (i > 0)
            buffer_char(out, ',');
        put_cell(out, &row[i]);
        if (!table->columns[i].interval)
            continue;
        bool known = cell_has_interval(&row[i]);
        buffer_char(out, ',');
        if (known)
            put_number(out, row[i].low);
        buffer_char(out, ',');
        if (known)
            put_number(out, row[i].high);
    }
    buffer_text(out, "\r\n");
}

static bool put_table(struct writer *writer, const struct report_table *table)
{
    const struct report_cell *row;
    struct feed feed;
    int fed = -1;
    if (!feed_open(&feed, table, writer->error))
        goto out;
    if (!table->continues)
        put_head(&writer->out, table);
    while ((fed = feed_next(&feed, &row, writer->error)) > 0) {
        put_row(&writer->out, table, row);
        if (!writer_pass(writer)) {
            fed = -1;
            break;
        }
    }
out:
    feed_close(&feed);
    return fed == 0;
}

bool write_csv(struct writer *writer)
{
    const struct report *report = writer->report;
    bool written = true;
    for (int i = 0; written && i < report->table_count && (i == 0 || report->tables[i].continues); i++)
        written = put_table(writer, &report->tables[i]);
    return written;
}
