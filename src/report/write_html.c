/* HTML: the page around facts, charts and tables, and its foot: reasons and notes. */
#include "html_page.h"

#include "cell.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

static void put_head(struct html_page *page)
{
    const struct report *report = page->writer->report;
    char language[MESSAGE_LANGUAGE];
    message_language(language);
    buffer_print(page->out,
                 "<!DOCTYPE html>\n<html lang=\"%s\" dir=\"%s\">\n<head>\n<meta charset=\"utf-8\">\n",
                 language, message_right_to_left(language) ? "rtl" : "ltr");
    buffer_text(page->out,
                "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
                "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src &#39;none&#39;; "
                "style-src &#39;unsafe-inline&#39;\">\n<title>");
    html_escape(page, report->title, false);
    buffer_text(page->out, "</title>\n<style>\n");
    buffer_text(page->out, report_page_css);
    buffer_text(page->out, "</style>\n</head>\n<body>\n<header>\n<h1>");
    html_isolated(page, report->title);
    buffer_text(page->out, "</h1>\n");
    if (report->subtitle) {
        buffer_text(page->out, "<p>");
        html_isolated(page, report->subtitle);
        buffer_text(page->out, "</p>\n");
    }
    buffer_text(page->out, "</header>\n<main>\n");
}

static void put_facts(struct html_page *page, bool details)
{
    const struct report *report = page->writer->report;
    int count = 0;
    for (int i = 0; i < report->fact_count; i++) {
        const struct report_fact *fact = &report->facts[i];
        struct html_form form = { .unit = fact->unit, .decimals = fact->decimals, .interval = true };
        if (fact->detail != details)
            continue;
        if (count++ == 0) {
            if (details) {
                buffer_text(page->out, report->details ? "<details open><summary>" : "<details><summary>");
                html_escape(page, tr("Details"), false);
                buffer_text(page->out, "</summary>\n");
            }
            buffer_text(page->out, "<dl class=\"facts\">\n");
        }
        buffer_text(page->out, "<div><dt>");
        html_isolated(page, fact->title);
        buffer_text(page->out, "</dt><dd>");
        html_cell(page, &fact->cell, &form);
        buffer_text(page->out, "</dd></div>\n");
    }
    if (count)
        buffer_text(page->out, details ? "</dl>\n</details>\n" : "</dl>\n");
}

static void put_foot(struct html_page *page)
{
    const struct report *report = page->writer->report;
    buffer_text(page->out, "</main>\n");
    if (page->reasons.count || report->note_count)
        buffer_text(page->out, "<footer>\n");
    if (page->reasons.count) {
        buffer_text(page->out, "<section class=\"notes\">\n<h2>");
        html_escape(page, tr("Not available"), false);
        buffer_text(page->out, "</h2>\n<ol>\n");
        for (int i = 0; i < page->reasons.count; i++) {
            buffer_print(page->out, "<li id=\"why-%d\">", i + 1);
            html_isolated(page, page->reasons.texts[i]);
            buffer_text(page->out, "</li>\n");
        }
        buffer_text(page->out, "</ol>\n</section>\n");
    }
    if (report->note_count) {
        buffer_text(page->out, "<section class=\"notes\">\n<ul>\n");
        for (int i = 0; i < report->note_count; i++) {
            buffer_text(page->out, "<li>");
            html_isolated(page, report->notes[i]);
            buffer_text(page->out, "</li>\n");
        }
        buffer_text(page->out, "</ul>\n</section>\n");
    }
    if (page->reasons.count || report->note_count)
        buffer_text(page->out, "</footer>\n");
    buffer_text(page->out, "</body>\n</html>\n");
}

static bool put_parts(struct html_page *page)
{
    const struct report *report = page->writer->report;
    put_head(page);
    put_facts(page, false);
    put_facts(page, true);
    if (report->chart_count)
        buffer_text(page->out, "<div class=\"charts\">\n");
    for (int i = 0; i < report->chart_count; i++)
        if (!html_chart(page, &report->charts[i]))
            return false;
    if (report->chart_count)
        buffer_text(page->out, "</div>\n");
    for (int i = 0; i < report->table_count; i++)
        if (!html_table(page, &report->tables[i]))
            return false;
    put_foot(page);
    return true;
}

bool write_html(struct writer *writer)
{
    struct html_page page = { .writer = writer, .out = &writer->out };
    reasons_init(&page.reasons);
    buffer_init(&page.text);
    bool written = put_parts(&page);
    reasons_finish(&page.reasons);
    buffer_finish(&page.text);
    return written;
}
