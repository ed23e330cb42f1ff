/*
 * How a table is laid out in the columns of a terminal: how wide each of its columns is, which are left out,
 * and whether its rows are shown as records (a line for each cell) since nothing else has room.
 */
#ifndef REPORT_TEXT_LAYOUT_H
#define REPORT_TEXT_LAYOUT_H

#include "feed.h"
#include "room.h"
#include "text_page.h"

enum { TEXT_GAP = 2, TEXT_MARK = 2 };

struct text_column {
    const struct report_column *column;
    int index;                  /* of its cells in a row */
    bool number;                /* aligned to the right, in parts: value, interval, bar or sparkline, mark */
    bool hidden;                /* no room */
    bool marked;                /* some cell stands out */
    int value, interval, extra; /* the widest of each part */
    int heading, word;          /* columns of the heading, and of its longest word */
    int width;
    const char *title; /* the heading */
    /* of the row that is being written */
    struct buffer cell;
    bool bold;
    ptrdiff_t at; /* bytes that are written */
    int wide;     /* its width in this row */
    int skip;     /* lines before its first */
};

struct text_layout {
    struct text_page *page;
    struct text_column *columns;
    struct room_column *room; /* of each column */
    int count;
    bool measuring;
    bool bars;    /* there is room for bars and sparklines */
    bool records; /* rows as records */
    struct buffer part;
    struct arena arena;
};

bool text_layout_open(struct text_layout *layout, struct text_page *page, const struct report_table *table);
void text_layout_close(struct text_layout *layout);

/* Takes a row into account; then finds the widths. */
void text_layout_measure(struct text_layout *layout, const struct report_cell *row);
void text_layout_fit(struct text_layout *layout);

/* Composes what a cell shows, into column->cell. */
void text_layout_cell(struct text_layout *layout, struct text_column *column, const struct report_cell *cell);

#endif
