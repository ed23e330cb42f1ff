/*
 * A row of an answer that is told: a number, a text, and what belongs to it beside or below, each with the
 * sign of its verdict.
 */
#ifndef VIEW_ROW_H
#define VIEW_ROW_H

#include "way.h"

enum row_sign { ROW_NONE, ROW_RIGHT, ROW_WRONG, ROW_BLANK };

struct row_cell {
    const char *text;
    enum row_sign sign;
};

struct row {
    int number, of; /* the number, of that many rows */
    int lines;      /* 1: every text is cut to a line */
    const struct way_columns *columns;
    struct row_cell first, second[2];
    int count; /* of second */
};

/* Columns before the first text's sign. */
int row_indent(int of);

/* Columns of a row whose texts take so many; `sign`: the first text has one. */
int row_columns(const struct page *page, int of, int first, int second, bool sign);

/* The larger of a width and a text's, which may be NULL. */
int row_widest(int widest, const char *text);

/* Columns of the longer of "your answer" and "right answer". */
int row_words(void);

void row_lay(struct flow *flow, const struct page *page, const struct pane *pane, const struct row *row);

#endif
