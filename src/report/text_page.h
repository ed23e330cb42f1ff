/*
 * A report as a page of text: lines of at most `columns` columns, with wrapping, padding and the signs that
 * the terminal can show. Texts in it can't drive the terminal.
 */
#ifndef REPORT_TEXT_PAGE_H
#define REPORT_TEXT_PAGE_H

#include "reasons.h"
#include "writer.h"

struct text_page {
    struct writer *writer;
    struct buffer *out;
    int columns;
    bool ascii, styles;
    struct reasons reasons;
    struct buffer text; /* one text made visible */
};

/* Appends to *out as it can be shown: control characters written visibly, newlines kept, tabs made spaces. */
void text_shown(struct buffer *out, const char *text);

/*
 * Where the first line of text[0..length) ends when it may fill `width` columns: its bytes, and in *next
 * where the line after it begins (length at the end). Breaks at blanks and newlines; a word that is too long
 * is broken between cells.
 */
ptrdiff_t text_break(const char *text, ptrdiff_t length, int width, ptrdiff_t *next);

/* Columns of text[0..length), and of its widest line and longest word. */
int text_width(const char *text, ptrdiff_t length);
int text_widest_line(const char *text);
int text_longest_word(const char *text);

/* Appends a byte or a sign so many times. */
void text_repeat(struct buffer *out, const char *sign, int times);

/* A text by itself, wrapped, each line after the first indented. */
void text_paragraph(struct text_page *page, const char *text, int indent, bool bold);

/* "name   value": the value wrapped in its own column, which begins at `width`. */
void text_pair(struct text_page *page, const char *name, const char *value, int width);

/* The sign of what is not available: "–¹", "-(1)". */
void text_absent(struct text_page *page, struct buffer *out, const char *why);
void text_footnote(struct text_page *page, struct buffer *out, int number);

/* Ten columns of bar; a line of small bars, from 0 to 1. */
void text_bar(struct buffer *out, double share, int width, bool ascii);
void text_spark(struct buffer *out, const double *values, int count, bool ascii);

bool text_table(struct text_page *page, const struct report_table *table);
bool text_chart(struct text_page *page, const struct report_chart *chart);

#endif
