/*
 * Tables of a page: with a caption, headings that name their columns and rows, and, where a table is held,
 * its details in a second table that opens on demand.
 */
#include "html_page.h"

#include "cell.h"
#include "feed.h"

#include <quiztutor/message.h>

enum {
    WIDE = 8, /* columns: a table of more is printed across the sheet */
    FAR = 2   /* rank: on a phone these stand among the details */
};

enum part { PART_ALL, PART_MAIN, PART_DETAILS };

static bool is_far(const struct report_table *table, int column)
{
    return column > 0 && !table->columns[column].detail && table->columns[column].rank >= FAR;
}

/* Details stand beside what names the row: its first column. */
static bool shown(const struct report_table *table, int column, enum part part)
{
    bool detail = table->columns[column].detail;
    return part == PART_ALL || (part == PART_MAIN ? !detail : detail || column == 0 || is_far(table, column));
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
    for (int i = 0; i < table->column_count; i++) {
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
    for (int i = 0; i < table->column_count; i++) {
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
    for (int i = 0; i < table->column_count; i++) {
        bool detail = table->columns[i].detail && !table->next;
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
    return fed == 0;
}
