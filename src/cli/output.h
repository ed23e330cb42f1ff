/* What commands print for people: lines of a word and a text beside it, tables, and how wide all that may be.
 */
#ifndef QUIZTUTOR_OUTPUT_H
#define QUIZTUTOR_OUTPUT_H

#include "command.h"

struct output {
    struct buffer text;
    int columns;  /* of the terminal, OUTPUT_NARROWEST at least; 0: it is none, and lines may be of any length
                   */
    bool ascii;   /* nothing but ASCII can be shown, or is wanted */
    bool figures; /* drawings are of use: no screen reader is told of */
};

enum { OUTPUT_NARROWEST = 20, OUTPUT_WIDTH = 80 /* of text where there is no terminal */ };

void output_init(struct output *output, const struct settings *settings);

/* Prints all of it, unless the memory for it ran out, and ends the output. */
bool output_finish(struct output *output, struct error *error);

/* A text, wrapped by words. */
void output_text(struct output *output, const char *text);

/* "word   text", the text wrapped in its own column, which begins `width` columns from the left. */
void output_field(struct output *output, int width, const char *word, const char *text);

/*
 * A table of texts, row by row: the first is its head. Columns are as wide as they must be. Where the
 * terminal is too narrow, columns are left out, those of the highest rank first, and then the first column is
 * cut.
 */
struct output_column {
    bool right; /* aligned */
    int rank;   /* 0: always shown */
};
enum { OUTPUT_COLUMNS = 8 };
void output_table(struct output *output, const struct output_column *columns, int count,
                  const char *const *cells, ptrdiff_t rows);

#endif
