/*
 * One row of a table of questions, and what its cells say. A cell that is read is marked as used: what stays
 * unused is told, so that nothing is dropped in silence. The texts live in the import's arena.
 */
#ifndef QUIZTUTOR_EXCHANGE_CSV_ROW_H
#define QUIZTUTOR_EXCHANGE_CSV_ROW_H

#include "csv_column.h"

#include <quiztutor/exchange.h>

struct csv_row {
    struct import *import;
    struct table table;
    struct csv_columns columns;
    struct buffer item; /* of a list */
    bool marked;        /* its texts are in light markup */
    bool comma;         /* cells are parted by ; so numbers may have a decimal comma */
    bool used[TABLE_COLUMNS];
};

enum { CSV_WORD = 64 };

/* The cell as it stands, "" for one that is not there; *length without the NUL. */
const char *csv_row_cell(struct csv_row *row, enum csv_column column, int number, ptrdiff_t *length);
bool csv_row_has(struct csv_row *row, enum csv_column column, int number); /* not blank; not used by it */

/* NULL where it is empty. `marked`: of prompts, choices, feedback, hints, explanations. */
const char *csv_row_text(struct csv_row *row, enum csv_column column, int number);
const char *csv_row_marked(struct csv_row *row, enum csv_column column, int number);
const char *csv_row_line(struct csv_row *row, enum csv_column column, int number);
const char *csv_row_figure(struct csv_row *row, enum csv_column column);
struct text_list csv_row_list(struct csv_row *row, enum csv_column column, bool lines);

/* In small letters, with "-" for blanks and "_"; cut where it is longer than any word. */
void csv_row_word(struct csv_row *row, enum csv_column column, int number, char word[static CSV_WORD]);

/* "" leaves *value as it is. False: the row was left out, since the cell holds no number. */
bool csv_row_number(struct csv_row *row, enum csv_column column, double *value);

/* The digits of a number, with a decimal point, in the arena; NULL: the row was left out. A comma that became
 * a point is noted. */
const char *csv_row_digits(struct csv_row *row, enum csv_column column, int number, double *value);

/* What the key's cells say, by type. False: the row was left out. */
bool csv_key_read(struct csv_row *row, struct question *question);

#endif
