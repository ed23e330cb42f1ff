/* JSON: one object, numbers in full. */
#include "cell.h"
#include "feed.h"
#include "writer.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 128 };

struct page {
    struct writer *writer;
    struct json json;
    struct buffer text; /* one text, made sure to be UTF-8 */
};

static void put_text(struct page *page, const char *text)
{
    if (!text) {
        json_null(&page->json);
        return;
    }
    buffer_clear(&page->text);
    writer_text(&page->text, text);
    if (page->text.failed)
        page->writer->out.failed = true;
    json_text(&page->json, buffer_get(&page->text));
}

static void put_value(struct page *page, const struct report_cell *cell)
{
    struct json *json = &page->json;
    char stamp[CELL_STAMP];
    switch (cell_is_absent(cell) ? CELL_ABSENT : cell->kind) {
    case CELL_TEXT:
        put_text(page, cell->text ? cell->text : "");
        break;
    case CELL_WHOLE:
    case CELL_SPAN:
        json_integer(json, cell->whole);
        break;
    case CELL_REAL:
    case CELL_PERCENT:
    case CELL_SHARE:
        json_number(json, cell->real);
        break;
    case CELL_MOMENT:
        cell_moment(stamp, cell);
        json_text(json, stamp);
        break;
    case CELL_DAY:
        cell_day(stamp, cell->whole);
        json_text(json, stamp);
        break;
    case CELL_TRUTH:
        json_bool(json, cell->whole != 0);
        break;
    case CELL_ABSENT:
    case CELL_NOTHING:
        json_null(json);
        break;
    }
}

static void put_numbers(struct page *page, const double *values, int count)
{
    json_open(&page->json, '[');
    for (int i = 0; i < count; i++)
        json_number(&page->json, values[i]); /* null for NAN */
    json_close(&page->json, ']');
}

static void put_named(struct page *page, const char *name, const char *ending, double value)
{
    char key[NAME];
    snprintf(key, sizeof key, "%s_%s", name, ending);
    json_key(&page->json, key);
    json_number(&page->json, value);
}

/* "name":value, and what belongs to it. */
static void put_cell(struct page *page, const char *name, const struct report_cell *cell, bool interval)
{
    json_key(&page->json, name);
    put_value(page, cell);
    if (interval) {
        bool known = cell_has_interval(cell);
        put_named(page, name, "low", known ? cell->low : NAN);
        put_named(page, name, "high", known ? cell->high : NAN);
    }
    if (cell->trend_count > 0) {
        char key[NAME];
        snprintf(key, sizeof key, "%s_trend", name);
        json_key(&page->json, key);
        put_numbers(page, cell->trend, cell->trend_count);
    }
}

static void put_why(struct page *page, const char *name, const struct report_cell *cell)
{
    if (!cell_is_absent(cell))
        return;
    json_key(&page->json, name);
    put_text(page, cell_why(cell));
}

static void put_facts(struct page *page)
{
    const struct report *report = page->writer->report;
    for (int i = 0; i < report->fact_count; i++)
        put_cell(page, report->facts[i].name, &report->facts[i].cell, report->facts[i].cell.has_interval);
    json_key(&page->json, "not_available");
    json_open(&page->json, '{');
    for (int i = 0; i < report->fact_count; i++)
        put_why(page, report->facts[i].name, &report->facts[i].cell);
    json_close(&page->json, '}');
}

static void put_row(struct page *page, const struct report_table *table, const struct report_cell *row)
{
    bool absent = false;
    buffer_char(page->json.out, '\n');
    json_open(&page->json, '{');
    for (int i = 0; i < table->column_count; i++) {
        put_cell(page, table->columns[i].name, &row[i], table->columns[i].interval);
        absent = absent || cell_is_absent(&row[i]);
    }
    if (absent) {
        json_key(&page->json, "not_available");
        json_open(&page->json, '{');
        for (int i = 0; i < table->column_count; i++)
            put_why(page, table->columns[i].name, &row[i]);
        json_close(&page->json, '}');
    }
    json_close(&page->json, '}');
}

static bool is_same_list(const struct report *report, int table)
{
    const struct report_table *is = &report->tables[table];
    return table > 0 && is->continues && strcmp(is->name, is[-1].name) == 0;
}

static bool put_table(struct page *page, int place)
{
    const struct report *report = page->writer->report;
    const struct report_table *table = &report->tables[place];
    const struct report_cell *row;
    struct feed feed;
    int fed = -1;
    if (!feed_open(&feed, table, page->writer->error))
        goto out;
    if (!is_same_list(report, place)) {
        json_key(&page->json, table->name);
        json_open(&page->json, '[');
    }
    while ((fed = feed_next(&feed, &row, page->writer->error)) > 0) {
        put_row(page, table, row);
        if (!writer_pass(page->writer)) {
            fed = -1;
            break;
        }
    }
    if (place + 1 == report->table_count || !is_same_list(report, place + 1))
        json_close(&page->json, ']');
out:
    feed_close(&feed);
    return fed == 0;
}

static void put_charts(struct page *page)
{
    const struct report *report = page->writer->report;
    json_key(&page->json, "charts");
    json_open(&page->json, '[');
    for (int i = 0; i < report->chart_count; i++) {
        const struct report_chart *chart = &report->charts[i];
        json_open(&page->json, '{');
        json_key(&page->json, "name");
        put_text(page, chart->name);
        json_key(&page->json, "title");
        put_text(page, chart->title);
        json_key(&page->json, "unit");
        put_text(page, chart->unit);
        json_key(&page->json, "labels");
        json_open(&page->json, '[');
        for (int j = 0; j < chart->count; j++)
            put_text(page, chart->labels[j]);
        json_close(&page->json, ']');
        json_key(&page->json, "values");
        put_numbers(page, chart->values, chart->count);
        json_close(&page->json, '}');
    }
    json_close(&page->json, ']');
}

static void put_notes(struct page *page)
{
    const struct report *report = page->writer->report;
    json_key(&page->json, "notes");
    json_open(&page->json, '[');
    for (int i = 0; i < report->note_count; i++)
        put_text(page, report->notes[i]);
    json_close(&page->json, ']');
}

/* A reader keeps one of two members of the same name, and it would be left to chance which. */
static bool names_differ(const struct report *report, struct error *error)
{
    static const char *const taken[] = { "report", "title", "subtitle", "not_available", "charts", "notes" };
    enum { TAKEN = sizeof taken / sizeof *taken };
    int count = TAKEN + report->fact_count + report->table_count;
    for (int i = 0; i < count; i++)
        for (int j = i < TAKEN ? TAKEN : i + 1; j < count; j++) {
            int fact = i - TAKEN, other = j - TAKEN;
            const char *one = i < TAKEN                   ? taken[i]
                              : fact < report->fact_count ? report->facts[fact].name
                                                          : report->tables[fact - report->fact_count].name;
            const char *two = other < report->fact_count ? report->facts[other].name
                                                         : report->tables[other - report->fact_count].name;
            if (strcmp(one, two) == 0 && !(i >= TAKEN && fact >= report->fact_count &&
                                           is_same_list(report, other - report->fact_count)))
                return error_set(error, ERROR_INPUT, tr("two parts of the report are named %s"), two);
        }
    return true;
}

bool write_json(struct writer *writer)
{
    const struct report *report = writer->report;
    struct page page = { .writer = writer };
    bool written = false;
    if (!names_differ(report, writer->error))
        return false;
    json_init(&page.json, &writer->out);
    buffer_init(&page.text);
    json_open(&page.json, '{');
    json_key(&page.json, "report");
    json_text(&page.json, report_kind_name(report->kind));
    json_key(&page.json, "title");
    put_text(&page, report->title);
    json_key(&page.json, "subtitle");
    put_text(&page, report->subtitle);
    put_facts(&page);
    for (int i = 0; i < report->table_count; i++)
        if (!put_table(&page, i))
            goto out;
    put_charts(&page);
    put_notes(&page);
    json_close(&page.json, '}');
    buffer_char(&writer->out, '\n');
    written = true;
out:
    buffer_finish(&page.text);
    return written;
}
