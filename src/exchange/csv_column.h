/*
 * The columns of a table of questions (CSV): one row a question, the head row names the columns, in any
 * order. Some columns are numbered: "choice 1", "choice 2", … Names are taken whatever the case of their
 * letters; blanks, "_" and "-" in them are the same.
 *
 * What a cell holds is the text itself, line breaks included; nothing is put before it or escaped, so that
 * texts come out of a table as they went in. Lists in one cell are parted by "|"; "\|" and "\\" stand for the
 * signs themselves.
 *
 *   id section intro "intro figure" pick     the section's title: as in the row above where empty; the other
 *                                            three belong to the section, in any of its rows
 *   type         single-choice, multiple-choice, true-false, number, text, order, match, recall; may be left
 *                out where the row has choices and `correct` says which of them are right
 *   prompt figure explanation "explanation figure" "hint n" tags marks marking shuffle source markup
 *   correct      choices: their numbers (2 or 1|3) or letters; true or false; the number; the texts that are
 *                accepted; the card's back. Empty for order and match
 *   "choice n"   the choices; of order the items in the right order; of match the left texts; of number and
 *                text known wrong answers
 *   "match n"    of match the right text that belongs to choice n; one without its choice is an extra
 *   "feedback n" "misconception n" "pin n" "choice id n"   of choice n
 *   feedback misconception                   for who got true-false, order or match wrong
 *   tolerance unit "significant figures" ignore             of number and text
 */
#ifndef QUIZTUTOR_EXCHANGE_CSV_COLUMN_H
#define QUIZTUTOR_EXCHANGE_CSV_COLUMN_H

#include <quiztutor/pack.h>
#include <quiztutor/table.h>

enum csv_column {
    CSV_ID,
    CSV_SECTION,
    CSV_INTRO,
    CSV_INTRO_FIGURE,
    CSV_PICK,
    CSV_TYPE,
    CSV_PROMPT,
    CSV_FIGURE,
    CSV_CHOICE, /* the first numbered one */
    CSV_MATCH,
    CSV_FEEDBACK,
    CSV_MISCONCEPTION,
    CSV_PIN,
    CSV_CHOICE_ID,
    CSV_CORRECT,
    CSV_TOLERANCE,
    CSV_UNIT,
    CSV_SIGNIFICANT_FIGURES,
    CSV_IGNORE,
    CSV_EXPLANATION,
    CSV_EXPLANATION_FIGURE,
    CSV_HINT, /* numbered, too */
    CSV_TAGS,
    CSV_MARKS,
    CSV_MARKING,
    CSV_SHUFFLE,
    CSV_SOURCE,
    CSV_MARKUP,
    CSV_COLUMNS
};

enum { CSV_NUMBERED = 99 }; /* the highest number of a column */

/* Where each column stands in the table: cell + 1, 0 where the table has none. Number 0: without number. */
struct csv_columns {
    short cell[CSV_COLUMNS][CSV_NUMBERED + 1];
    int numbers; /* the highest number of a column */
    int count;   /* cells of the head row; what each of them is called, where it has a name: */
    bool named[TABLE_COLUMNS];
    unsigned char column[TABLE_COLUMNS], number[TABLE_COLUMNS];
};

const char *csv_column_name(enum csv_column column);
bool csv_column_numbered(enum csv_column column);

/* The column that a cell of the head row names; false for none. *number is 0 where the name has none. */
bool csv_column_find(const char *name, enum csv_column *column, int *number);

/* Reads the head row; false with an error that names the first cell that is no column, or stands there twice.
 */
bool csv_columns_read(struct csv_columns *columns, const struct table *table, struct error *error);

/* ',', ';' or a tab: with which of them the head row names the most columns. A line "sep=;" that spreadsheets
 * write before it decides; *text is moved past it, *lines by how many lines. 0: no head row. */
char csv_separator(const char **text, ptrdiff_t *length, int *lines);

/* The next text of a list in a cell, from *at on, unescaped, in `out`; false at the end. */
bool csv_list_next(const char **at, struct buffer *out);
void csv_list_add(struct buffer *list, const char *text);

#endif
