/*
 * How a table is laid out on paper: how wide each of its columns is, which are left out, and whether its rows
 * are shown as records (a line for each cell) since nothing else has room.
 */
#ifndef REPORT_PDF_LAYOUT_H
#define REPORT_PDF_LAYOUT_H

#include "feed.h"
#include "pdf_page.h"
#include "room.h"

struct pdf_column {
    const struct report_column *column;
    int index;   /* of its cells in a row */
    bool number; /* aligned to the far side, in parts: value, interval, bar or small line */
    bool fixed;  /* never wrapped */
    bool hidden; /* no room */
    bool has_extra;
    double value, interval; /* the widest */
    double heading, word;   /* the heading, and its longest word */
    double x, width;
    const char *title; /* the heading, with its unit */
};

struct pdf_layout {
    struct pdf *pdf;
    struct pdf_column *columns;
    struct room_column *room; /* of each column */
    int count;
    bool roomy;   /* texts are long: rather fewer columns than narrow ones */
    bool bars;    /* there is room for bars and small lines */
    bool records; /* rows as records */
    struct arena arena;
};

#define PDF_EXTRA   32.0 /* a bar's width */
#define PDF_BETWEEN 3.0  /* a column's parts */

/* pdf_layout_close in any case. */
bool pdf_layout_open(struct pdf_layout *layout, struct pdf *pdf, const struct report_table *table);
void pdf_layout_close(struct pdf_layout *layout);

/* Takes a row into account; then finds the widths. */
bool pdf_layout_measure(struct pdf_layout *layout, const struct report_cell *row);
void pdf_layout_fit(struct pdf_layout *layout);

/* Into pdf->text: "(52–95)", or nothing. */
void pdf_layout_interval(struct pdf *pdf, const struct report_column *column, const struct report_cell *cell);
double pdf_layout_extra(const struct pdf_layout *layout, const struct pdf_column *column);

#endif
