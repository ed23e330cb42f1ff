/* Tables of a page of text: a heading, a line or more a row, and what was left out for want of room. */
#include "text_layout.h"

#include "cell.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

static const char bold_on[] = "\x1b[1m", styles_off[] = "\x1b[0m";

/* Writes one line of a row: what each column's text has for it. False: there was nothing left to write. */
static bool put_line(struct text_layout *layout, int line)
{
    struct buffer *out = layout->page->out;
    int gap = 0; /* blanks that are written only before something else */
    bool left = false;
    for (int i = 0; i < layout->count; i++)
        left = left || (!layout->columns[i].hidden && layout->columns[i].at < layout->columns[i].cell.length);
    if (!left)
        return false;
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        if (column->hidden)
            continue;
        const char *rest = buffer_get(&column->cell) + column->at;
        ptrdiff_t length = line < column->skip ? 0 : column->cell.length - column->at, next = 0;
        ptrdiff_t bytes = length > 0 ? text_break(rest, length, column->wide, &next) : 0;
        int pad = column->wide - text_width(rest, bytes);
        if (bytes > 0) {
            text_repeat(out, " ", gap + (column->number ? pad : 0));
            buffer_text(out, column->bold ? bold_on : "");
            buffer_add(out, rest, bytes);
            buffer_text(out, column->bold ? styles_off : "");
            gap = column->number ? 0 : pad;
        } else {
            gap += column->wide;
        }
        gap += TEXT_GAP;
        column->at += next;
    }
    buffer_char(out, '\n');
    return true;
}

static void put_lines(struct text_layout *layout)
{
    for (int line = 0; put_line(layout, line);)
        line++;
}

static void put_heading(struct text_layout *layout)
{
    int most = 0;
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        const char *rest = column->title;
        ptrdiff_t length = (ptrdiff_t)strlen(rest), next;
        buffer_clear(&column->cell);
        buffer_text(&column->cell, rest);
        column->at = 0;
        column->wide = column->width;
        column->bold = layout->page->styles;
        for (column->skip = 0; length > 0 && !column->hidden; column->skip++) {
            text_break(rest, length, column->width, &next);
            rest += next;
            length -= next;
        }
        most = column->skip > most ? column->skip : most;
    }
    for (int i = 0; i < layout->count; i++)
        layout->columns[i].skip = most - layout->columns[i].skip; /* their last lines stand side by side */
    put_lines(layout);
    bool first = true;
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        column->skip = 0;
        if (column->hidden)
            continue;
        text_repeat(layout->page->out, " ", first ? 0 : TEXT_GAP);
        text_repeat(layout->page->out, layout->page->ascii ? "-" : "\xe2\x94\x80", column->width);
        first = false;
    }
    buffer_char(layout->page->out, '\n');
}

/* A number of a streaming table may be longer than those of the first rows: it pushes the others to the right
 * where the line has room, else it is wrapped. */
static void widen_row(struct text_layout *layout)
{
    int sum = 0;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < layout->count; i++) {
            struct text_column *column = &layout->columns[i];
            if (column->hidden)
                continue;
            column->wide = column->width;
            int needed = column->number ? text_columns(buffer_get(&column->cell)) : 0;
            if (pass == 0 && needed > column->width)
                column->wide = needed;
            sum += column->wide + (sum ? TEXT_GAP : 0);
        }
        if (sum <= layout->page->columns)
            return;
    }
}

static void put_row(struct text_layout *layout, const struct report_cell *row)
{
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        column->at = 0;
        if (!column->hidden)
            text_layout_cell(layout, column, &row[column->index]);
        layout->page->out->failed = layout->page->out->failed || column->cell.failed;
    }
    widen_row(layout);
    put_lines(layout);
}

static void put_record(struct text_layout *layout, const struct report_cell *row)
{
    struct text_page *page = layout->page;
    int width = 0;
    for (int i = 0; i < layout->count; i++)
        width = layout->columns[i].heading > width ? layout->columns[i].heading : width;
    width = width + TEXT_GAP > page->columns / 2 ? page->columns / 2 : width + TEXT_GAP;
    for (int i = 0; i < layout->count; i++) {
        struct text_column *column = &layout->columns[i];
        text_layout_cell(layout, column, &row[column->index]);
        page->out->failed = page->out->failed || column->cell.failed;
        if (column->cell.length > 0)
            text_pair(page, column->title, buffer_get(&column->cell), width);
    }
}

static void tell_hidden(struct text_layout *layout)
{
    struct buffer names;
    buffer_init(&names);
    for (int i = 0; i < layout->count; i++)
        if (layout->columns[i].hidden)
            buffer_print(&names, "%s%s", names.length ? ", " : "", layout->columns[i].title);
    if (names.length) {
        buffer_clear(&layout->part);
        buffer_print(&layout->part, tr("not shown here, for want of room: %s"), buffer_get(&names));
        text_paragraph(layout->page, buffer_get(&layout->part), TEXT_GAP, false);
    }
    layout->page->out->failed = layout->page->out->failed || names.failed || layout->part.failed;
    buffer_finish(&names);
}

static int put_rows(struct text_layout *layout, struct feed *feed)
{
    struct writer *writer = layout->page->writer;
    const struct report_cell *row;
    int fed;
    for (bool first = true; (fed = feed_next(feed, &row, writer->error)) > 0; first = false) {
        if (!layout->records) {
            put_row(layout, row);
        } else {
            buffer_text(&writer->out, first ? "" : "\n");
            put_record(layout, row);
        }
        if (!writer_pass(writer))
            return -1;
    }
    return fed;
}

bool text_table(struct text_page *page, const struct report_table *table)
{
    struct writer *writer = page->writer;
    struct text_layout layout = { .count = 0 };
    struct feed feed;
    int fed = -1;
    if (table->title) {
        text_paragraph(page, table->title, 0, true);
        buffer_char(page->out, '\n');
    }
    if (!feed_open(&feed, table, writer->error) || (fed = feed_sample(&feed, writer->error)) < 0)
        goto out;
    if (fed == 0) {
        text_paragraph(page, table->empty ? table->empty : tr("nothing"), 0, false);
        goto out;
    }
    if (!text_layout_open(&layout, page, table)) {
        error_memory(writer->error);
        fed = -1;
        goto out;
    }
    for (int i = 0; i < fed; i++)
        text_layout_measure(&layout, feed_row(&feed, i));
    text_layout_fit(&layout);
    if (!layout.records)
        put_heading(&layout);
    fed = put_rows(&layout, &feed);
    if (fed == 0)
        tell_hidden(&layout);
out:
    text_layout_close(&layout);
    feed_close(&feed);
    return fed == 0;
}
