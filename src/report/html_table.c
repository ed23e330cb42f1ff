/*
 * Tables of a page: with a caption, headings that name their columns and rows, and, where a table is held,
 * its details in a second table that opens on demand.
 */
#include "html_page.h"

#include "cell.h"
#include "feed.h"

#include <quiztutor/message.h>

#include <limits.h>

enum {
    WIDE = 8, /* columns: a table of more is printed across the sheet */
    FAR = 2,  /* rank: on a phone these stand among the details */
    LEAST = 9 /* rank: of a table that is held these always do */
};

enum part { PART_ALL, PART_MAIN, PART_DETAILS };

static bool is_detail(const struct report_table *table, int column)
{
    const struct report_column *its = &table->columns[column];
    return its->detail || (column > 0 && !table->next && its->rank >= LEAST);
}

static bool is_far(const struct report_table *table, int column)
{
    return column > 0 && !is_detail(table, column) && table->columns[column].rank >= FAR;
}

/* Details stand beside what names the row: its first column. */
static bool shown(const struct report_table *table, int column, enum part part)
{
    bool detail = is_detail(table, column);
    return part == PART_ALL || (part == PART_MAIN ? !detail : detail || column == 0 || is_far(table, column));
}

/* What matters most stands first, where it is in sight: the name of the row, what leads, then by rank;
 * details are behind all others, and so is a first column that is no name but a number of the machine's. */
static int weight(const struct report_table *table, int column)
{
    const struct report_column *its = &table->columns[column];
    return its->detail ? INT_MAX : column == 0 && its->rank < LEAST ? -2 : its->leads ? -1 : its->rank;
}

/* NULL without memory. */
static int *make_order(const struct report_table *table)
{
    int *order = memory_alloc((table->column_count + 1) * (ptrdiff_t)sizeof *order);
    for (int i = 0; order && i < table->column_count; i++) {
        int at = i;
        for (; at > 0 && weight(table, order[at - 1]) > weight(table, i); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

/* The attribute; what is far is shown in one of the two parts, which one is for the width of the window. */
static void put_class(struct html_page *page, const struct report_table *table, int column, enum part part)
{
    enum cell_kind kind = table->columns[column].kind;
    const char *name = cell_is_number(kind)                      ? "number"
                       : kind == CELL_MOMENT || kind == CELL_DAY ? "when"
                       : kind == CELL_TEXT                       ? "text"
                                                                 : "";
    const char *place = part == PART_ALL || !is_far(table, column) ? ""
                        : part == PART_MAIN                        ? "far"
                                                                   : "brought";
    if (*name || *place)
        buffer_print(page->out, " class=\"%s%s%s\"", name, *name && *place ? " " : "", place);
}

static void put_head(struct html_page *page, const struct report_table *table, enum part part)
{
    buffer_text(page->out, "<thead><tr>");
    for (int k = 0; k < table->column_count; k++) {
        int i = page->order[k];
        const struct report_column *column = &table->columns[i];
        if (!shown(table, i, part))
            continue;
        const char *unit = cell_unit(column->kind, column->unit);
        buffer_text(page->out, "<th scope=\"col\"");
        put_class(page, table, i, part);
        buffer_char(page->out, '>');
        html_escape(page, tr(column->title), true);
        if (unit) {
            buffer_text(page->out, " <span class=\"unit\">(");
            html_escape(page, unit, false);
            buffer_text(page->out, ")</span>");
        }
        buffer_text(page->out, "</th>");
    }
    buffer_text(page->out, "</tr></thead>\n<tbody>\n");
}

static void put_row(struct html_page *page, const struct report_table *table, const struct report_cell *row,
                    enum part part)
{
    bool first = true;
    buffer_text(page->out, "<tr>");
    for (int k = 0; k < table->column_count; k++) {
        int i = page->order[k];
        const struct report_column *column = &table->columns[i];
        struct html_form form = { .unit = column->unit,
                                  .decimals = column->decimals,
                                  .told = true,
                                  .interval = column->interval,
                                  .bar = column->bar };
        if (!shown(table, i, part))
            continue;
        buffer_text(page->out, first ? "<th scope=\"row\"" : "<td");
        put_class(page, table, i, part);
        buffer_char(page->out, '>');
        html_cell(page, &row[i], &form);
        buffer_text(page->out, first ? "</th>" : "</td>");
        first = false;
    }
    buffer_text(page->out, "</tr>\n");
}

/* One <table>, of the rows of `feed`. */
static int put_part(struct html_page *page, struct feed *feed, enum part part)
{
    const struct report_table *table = feed->table;
    const struct report_cell *row;
    int id = ++page->ids, fed;
    buffer_print(page->out,
                 "<div class=\"scroll\" role=\"region\" aria-labelledby=\"table-%d\" tabindex=\"0\">\n"
                 "<table><caption><h2 id=\"table-%d\">",
                 id, id);
    html_escape(page, table->title ? table->title : page->writer->report->title, true);
    if (part == PART_DETAILS) {
        buffer_text(page->out, ": ");
        html_escape(page, tr("details"), false);
    }
    buffer_text(page->out, "</h2></caption>\n");
    put_head(page, table, part);
    while ((fed = feed_next(feed, &row, page->writer->error)) > 0) {
        put_row(page, table, row, part);
        if (!writer_pass(page->writer))
            return -1;
    }
    buffer_text(page->out, "</tbody></table>\n</div>\n");
    return fed;
}

static bool put_details(struct html_page *page, const struct report_table *table)
{
    struct feed feed;
    int fed = -1;
    buffer_text(page->out, page->writer->report->details ? "<details open><summary>" : "<details><summary>");
    html_escape(page, tr("Details"), false);
    buffer_text(page->out, "</summary>\n");
    if (feed_open(&feed, table, page->writer->error))
        fed = put_part(page, &feed, PART_DETAILS);
    feed_close(&feed);
    buffer_text(page->out, "</details>\n");
    return fed == 0;
}

static void put_empty(struct html_page *page, const struct report_table *table)
{
    buffer_text(page->out, "<h2>");
    html_escape(page, table->title ? table->title : page->writer->report->title, true);
    buffer_text(page->out, "</h2>\n<p>");
    html_escape(page, table->empty ? table->empty : tr("nothing"), true);
    buffer_text(page->out, "</p>\n");
}

bool html_table(struct html_page *page, const struct report_table *table)
{
    struct feed feed;
    bool details = false;
    int fed = -1, main = 0;
    page->order = make_order(table);
    if (!page->order)
        return error_memory(page->writer->error);
    for (int i = 0; i < table->column_count; i++) {
        bool detail = is_detail(table, i) && !table->next;
        details = details || detail;
        main += !detail;
    }
    buffer_text(page->out, main > WIDE ? "<section class=\"wide\">\n" : "<section>\n");
    if (!feed_open(&feed, table, page->writer->error) || (fed = feed_sample(&feed, page->writer->error)) < 0)
        goto out;
    if (fed == 0) {
        put_empty(page, table);
    } else {
        fed = put_part(page, &feed, details ? PART_MAIN : PART_ALL);
        if (fed == 0 && details && !put_details(page, table))
            fed = -1;
    }
    buffer_text(page->out, "</section>\n");
out:
    feed_close(&feed);
    memory_free(page->order);
    return fed == 0;
}
