/*
 * A table in a text: records of cells parted by a separator, as spreadsheets and Anki write them (RFC 4180).
 * A cell in quotation marks may hold separators, line ends and doubled quotation marks. Memory is that of one
 * record; the time is linear in the text.
 */
#ifndef QUIZTUTOR_TABLE_H
#define QUIZTUTOR_TABLE_H

#include <quiztutor/buffer.h>

enum { TABLE_COLUMNS = 1000 };

struct table {
    const char *at, *end;
    char separator;
    bool blanks; /* spaces around a quoted cell don't belong to it (people put them there; Anki keeps them) */
    int line;    /* where the next record begins, from 1 */
    /* the record read last */
    int first_line;
    int count;
    bool too_wide;     /* it has more than TABLE_COLUMNS cells */
    bool stray;        /* a quotation mark stands where none may: kept as text */
    int unclosed;      /* the line where a quotation mark opens that is never closed; 0 */
    ptrdiff_t *starts; /* of its cells, in text */
    ptrdiff_t capacity;
    struct buffer text;
    bool failed; /* no memory */
};

void table_init(struct table *table, const char *text, ptrdiff_t length, char separator);
void table_finish(struct table *table);

/* The next record; false at the end, and without memory. A blank line is a record of one empty cell. */
bool table_next(struct table *table);

/* Cell from 0, NUL-terminated, valid until the next record; "" beyond the last. */
const char *table_cell(const struct table *table, int cell, ptrdiff_t *length);

/* Whether all cells are empty or blank. */
bool table_blank(const struct table *table);

#endif
