/*
 * Numbers as people type them, and as packs write them: an optional sign (+ - or U+2212), digits, optionally
 * a decimal sign and digits, optionally e, a sign and digits; at most NUMBER_LONGEST characters, no grouping.
 */
#ifndef QUIZTUTOR_NUMBER_H
#define QUIZTUTOR_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

enum { NUMBER_LONGEST = 40 };

enum number_fault {
    NUMBER_FINE,
    NUMBER_EMPTY,
    NUMBER_LONG,
    NUMBER_COMMA,     /* a decimal comma where only a point is taken */
    NUMBER_GROUPED,   /* 1 000, 1,000,000 */
    NUMBER_NO_NUMBER, /* nan, inf, 0x10, anything else */
    NUMBER_TOO_LARGE, /* beyond what a double holds */
};

struct number {
    double value;
    int figures; /* significant figures as written: 2 of "0.050", 3 of "1.20e4" */
};

/* Reads all of `text` (no white space at its ends). `comma`: a decimal comma is taken beside the point. */
enum number_fault number_read(struct number *number, const char *text, ptrdiff_t length, bool comma);

/* Rounded to n significant figures (n >= 1), halves away from zero, as decimal digits do. */
double number_round(double value, int figures);

/* Whether the language (BCP 47) writes a decimal comma. */
bool number_comma(const char *language);

enum { NUMBER_PLAIN = 400 };

/* Without exponent or needless zeros: the shortest digits that read back equal. */
void number_plain(char text[static NUMBER_PLAIN], double value);

#endif
