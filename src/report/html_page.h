/*
 * A report as one HTML page that needs nothing else: no script, no address, its style and its drawings
 * inline. Every text goes through here and comes out escaped.
 */
#ifndef REPORT_HTML_PAGE_H
#define REPORT_HTML_PAGE_H

#include "reasons.h"
#include "writer.h"

extern const char report_page_css[];

struct html_page {
    struct writer *writer;
    struct buffer *out;
    struct reasons reasons;
    struct buffer text;
    int *order; /* of the columns of the table that is written */
    int ids;    /* numbers given so far, so that no two things of the page have one name */
};

/* Escaped for text and for attributes in double quotes; characters that could deceive are written visibly.
 * `lines`: newlines become <br>, else a blank. */
void html_escape(struct html_page *page, const char *text, bool lines);

/* In an element of its own, whose direction is that of the text and no one else's. */
void html_isolated(struct html_page *page, const char *text);

/* What a cell shows, wherever it stands. `unit`: NULL where a heading tells it. */
struct html_form {
    const char *unit;
    int decimals;
    bool told;     /* the unit stands in the heading */
    bool interval; /* shows it */
    bool bar;
};
void html_cell(struct html_page *page, const struct report_cell *cell, const struct html_form *form);

bool html_table(struct html_page *page, const struct report_table *table);
bool html_chart(struct html_page *page, const struct report_chart *chart);

#endif
