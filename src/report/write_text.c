/* Text for a terminal: title, facts, charts, tables, what the signs mean, how the numbers were made. */
#include "cell.h"
#include "text_page.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

enum { GAP = 2 };

static void put_facts(struct text_page *page)
{
    const struct report *report = page->writer->report;
    struct buffer value;
    int width = 0;
    buffer_init(&value);
    for (int i = 0; i < report->fact_count; i++) {
        buffer_clear(&page->text);
        text_shown(&page->text, report->facts[i].title);
        int columns = text_widest_line(buffer_get(&page->text));
        if (report->details || !report->facts[i].detail)
            width = columns > width ? columns : width;
    }
    width = width + GAP > page->columns / 2 ? page->columns / 2 : width + GAP;
    for (int i = 0; i < report->fact_count; i++) {
        const struct report_fact *fact = &report->facts[i];
        const struct report_cell *cell = &fact->cell;
        if (fact->detail && !report->details)
            continue;
        buffer_clear(&value);
        if (cell_is_absent(cell))
            text_absent(page, &value, cell_why(cell));
        else if (cell->kind == CELL_TEXT)
            buffer_text(&value, cell->text ? cell->text : "");
        else
            cell_say_unit(&value, cell, fact->unit, fact->decimals);
        if (cell_has_interval(cell)) {
            buffer_text(&value, " (");
            cell_say_interval(&value, cell, fact->decimals, page->ascii);
            buffer_char(&value, ')');
        }
        if (cell->trend_count > 0) {
            buffer_char(&value, ' ');
            text_spark(&value, cell->trend, cell->trend_count, page->ascii);
        }
        buffer_text(&value, cell->stands_out ? " !" : "");
        text_pair(page, fact->title, buffer_get(&value), width);
        page->out->failed = page->out->failed || value.failed;
    }
    buffer_finish(&value);
}

static void put_reasons(struct text_page *page)
{
    struct buffer line;
    if (!page->reasons.count)
        return;
    buffer_char(page->out, '\n');
    text_paragraph(page, tr("Not available"), 0, true);
    buffer_init(&line);
    for (int i = 0; i < page->reasons.count; i++) {
        buffer_clear(&line);
        buffer_text(&line, "  ");
        text_footnote(page, &line, i + 1);
        buffer_char(&line, ' ');
        buffer_text(&line, page->reasons.texts[i]);
        text_paragraph(page, buffer_get(&line), 4, false);
    }
    if (page->reasons.more)
        text_paragraph(page,
                       tr("  and for more reasons than have room here: they are all in the JSON report"), 4,
                       false);
    page->out->failed = page->out->failed || line.failed;
    buffer_finish(&line);
}

static bool put_parts(struct text_page *page)
{
    const struct report *report = page->writer->report;
    text_paragraph(page, report->title, 0, true);
    if (report->subtitle)
        text_paragraph(page, report->subtitle, 0, false);
    if (report->fact_count) {
        buffer_char(page->out, '\n');
        put_facts(page);
    }
    for (int i = 0; i < report->chart_count; i++) {
        buffer_char(page->out, '\n');
        if (!text_chart(page, &report->charts[i]))
            return false;
    }
    for (int i = 0; i < report->table_count; i++) {
        buffer_char(page->out, '\n');
        if (!text_table(page, &report->tables[i]))
            return false;
    }
    put_reasons(page);
    if (report->note_count)
        buffer_char(page->out, '\n');
    for (int i = 0; i < report->note_count; i++)
        text_paragraph(page, report->notes[i], GAP, false);
    return true;
}

bool write_text(struct writer *writer)
{
    struct text_page page = { .writer = writer,
                              .out = &writer->out,
                              .columns = writer->look.columns,
                              .ascii = writer->look.ascii,
                              .styles = writer->look.styles };
    reasons_init(&page.reasons);
    buffer_init(&page.text);
    bool written = put_parts(&page);
    reasons_finish(&page.reasons);
    buffer_finish(&page.text);
    return written;
}
