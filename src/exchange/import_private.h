/* What the files of import share. */
#ifndef EXCHANGE_IMPORT_PRIVATE_H
#define EXCHANGE_IMPORT_PRIVATE_H

#include "names.h"

#include <quiztutor/exchange.h>

enum {
    IMPORT_NAME = 60,
    IMPORT_STEM_ID = 40,
    IMPORT_CHANGES = 4000 /* bytes of changes told of a question */
};                        /* columns of a name in a report; bytes of an id made of a stem */

struct import_ids {
    struct names questions; /* ids in use; the value is how often one was wanted */
    struct names sections;  /* by title; the value is the section's number */
};

/* The name in letters, digits and dashes, at most `most` bytes, not cut within a word where that can be
 * helped; "" when nothing is left of it. In the arena; NULL without memory. */
const char *import_slug(struct import *import, const char *name, int most);

/* A text in one line, at most `columns` wide, "…" where it was cut. In the arena. */
const char *import_brief(struct import *import, const char *text, int columns);

/* Why the question would not load, translated; NULL when it will. Mends what can be mended, noted. */
const char *import_fault(struct import *import, struct question *question);

/* The key in words: what an explanation says that nobody wrote. NULL without memory. */
const char *import_key_in_words(struct import *import, const struct question *question);

/* Equal in NFC with white space run together, as text_same; faster where both are ASCII. */
bool import_same(const char *one, const char *other);

#endif
