/* A number's tolerance as people write it: "0.01", "5%". */
#ifndef EXCHANGE_TOLERANCE_H
#define EXCHANGE_TOLERANCE_H

#include <quiztutor/number.h>
#include <quiztutor/pack.h>

enum { TOLERANCE_TEXT = NUMBER_PLAIN + 2 };

/* False where the number has none. */
bool tolerance_write(char text[static TOLERANCE_TEXT], const struct number_key *key);

/* Reads it (no white space at its ends); false for what is none. */
bool tolerance_read(struct number_key *key, const char *text, ptrdiff_t length, bool comma);

#endif
