/*
 * What the files that present a report share: the texts of its model, kept in its arena, and whether there
 * was memory for them. present_report.c is what is said as a whole, present_rows.c the columns and rows.
 * Private to app.
 */
#ifndef QUIZTUTOR_PRESENTING_H
#define QUIZTUTOR_PRESENTING_H

#include "present_report.h"

enum { PRESENTING_WHYS = 32 };

#define PRESENTING_PART "\x1f" /* between the parts of what a row opens, and of its id */

struct presenting {
    struct presented *out;
    const struct report *report;
    const struct report_table *table;
    const struct present_choices *choices;
    int columns[PRESENT_COLUMNS]; /* of the report's table, those that are shown */
    int count;
    bool ascii, failed;
    struct buffer part;
    const char *whys[PRESENTING_WHYS]; /* reasons are few, and many cells have them */
    int why_count;
};

/* Texts in the arena; without memory "", and `failed`. presenting_keep: what is in the buffer, which is empty
 * then; NULL for nothing. presenting_show: a text as it can be shown; NULL for NULL. presenting_why: a
 * reason, each once. presenting_interval: "(52–95)", NULL for none. */
const char *presenting_keep_bytes(struct presenting *presenting, const char *text, ptrdiff_t length);
const char *presenting_keep(struct presenting *presenting);
const char *presenting_show(struct presenting *presenting, const char *text);
const char *presenting_why(struct presenting *presenting, const char *why);
const char *presenting_interval(struct presenting *presenting, const struct report_cell *cell, int decimals);
const char *presenting_or_empty(const char *text);

/* The column of this name; −1: there is none. */
int presenting_column(const struct report_table *table, const char *name);

/* Whether a column says the same in all rows of the choices of one question; whether a row is one of its. */
bool presenting_knows(const struct presenting *presenting, const struct report_column *column);
bool presenting_wants(const struct presenting *presenting, const struct report_cell *row);

void presenting_columns(struct presenting *presenting);

/* *more: there were more than PRESENT_ROWS. False: the error of a table that is made row by row. */
bool presenting_rows(struct presenting *presenting, bool *more, struct error *error);

#endif
