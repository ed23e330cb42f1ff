/*
 * The lines of a text that is UTF-8 already: they end in LF, CRLF or a bare CR, whatever wrote the file. The
 * lines point into the text and don't hold their end.
 */
#ifndef QUIZTUTOR_EXCHANGE_LINE_READER_H
#define QUIZTUTOR_EXCHANGE_LINE_READER_H

#include <stdbool.h>
#include <stddef.h>

struct text_line {
    const char *text;
    ptrdiff_t length;
    int number; /* from 1 */
};

struct line_reader {
    const char *at, *end;
    int number; /* of the line read last */
};

void line_reader_init(struct line_reader *reader, const char *text, ptrdiff_t length);

/* The next line; false at the end. */
bool line_reader_next(struct line_reader *reader, struct text_line *line);

/* Past the end of line that stands at `at`; `at` itself where none does. */
const char *line_end(const char *at, const char *end);

/* The line without white space at its ends. */
struct text_line line_trim(struct text_line line);

/* Where the word stands at the start of the text, whatever the case of its letters (ASCII): its length. Else
 * 0. */
ptrdiff_t line_word(const char *text, ptrdiff_t length, const char *word);

#endif
