/*
 * Attempts in a table: what its columns are called, and what the cells of a row say. Columns are those of
 * `report attempts --to csv`, in any order; learner, pack, question, mark and marks must be there.
 */
#ifndef QUIZTUTOR_LOAD_ROW_H
#define QUIZTUTOR_LOAD_ROW_H

#include <quiztutor/intake.h>
#include <quiztutor/table.h>

enum load_column {
    LOAD_ATTEMPT,
    LOAD_SESSION,
    LOAD_LEARNER,
    LOAD_LEARNER_ID,
    LOAD_LOGIN,
    LOAD_EXTERNAL_ID,
    LOAD_DEVICE,
    LOAD_PACK,
    LOAD_QUESTION,
    LOAD_REVISION,
    LOAD_CONTENT,
    LOAD_SEED,
    LOAD_SHOWING,
    LOAD_SHOWN,
    LOAD_RESPONSE,
    LOAD_OUTCOME,
    LOAD_MARK,
    LOAD_MARKS,
    LOAD_GRADED,
    LOAD_CERTAINTY,
    LOAD_HINTS,
    LOAD_RETRIED,
    LOAD_HELPED,
    LOAD_ELAPSED_MS,
    LOAD_ANSWERED_AT,
    LOAD_ORIGIN,
    LOAD_KIND,
    LOAD_SEQ,
    LOAD_UNDONE,
    LOAD_COLUMNS
};

struct load_table {
    struct table table;
    int cells[LOAD_COLUMNS]; /* the cell of each column, −1: there is none */
    int last;                /* the last cell that a row can't do without */
    bool comma;              /* cells are parted by ; so numbers may have a decimal comma */
    struct clock clock;
    int64_t now;
    struct hash source;
    struct load_count *counts; /* how often an equal row was met: private */
    ptrdiff_t count, capacity;
    struct arena arena; /* of the row read last */
};

/* Over bytes that are UTF-8; reads the head row. False: what is wrong with it. load_table_finish in any case.
 */
bool load_table_start(struct load_table *load, const char *bytes, ptrdiff_t length, struct error *error);
void load_table_finish(struct load_table *load);

/* The next row that is not blank: 1 *row is filled, valid until the next; 0 the end; 2: it is refused,
 * *result says why; −1 an error. table.first_line is its line. */
int load_table_next(struct load_table *load, struct intake_row *row, struct intake_result *result,
                    struct error *error);

/* load_row.c, private: from the cells of the record read last. False: refused, or (error->code) an error. */
bool load_row_read(struct load_table *load, struct intake_row *row, struct intake_result *result,
                   struct error *error);

/* The cell of a column in the arena, "" for none: no white space at its ends, and without the ' that keeps
 * spreadsheets from taking it for a formula. NULL without memory. */
const char *load_table_cell(struct load_table *load, enum load_column column);
const char *load_column_name(enum load_column column);

/* load_moment.c: 2026-11-30T10:55:00.000+01:00, seconds and offset or all of the time left out; local time
 * without an offset, noon without a time. False: it is no such moment. */
bool load_moment_read(const struct clock *clock, const char *text, int64_t *ms, int *utc_offset_s);

#endif
