/*
 * Slips: what people get wrong when they write YAML by hand, told in their own terms. Takes the parser's
 * complaint and looks at the raw line; the parser's own words are used only for what nobody has met yet.
 */
#ifndef CONTENT_SLIP_H
#define CONTENT_SLIP_H

#include "reader.h"

/* Where keys of the innermost mapping that knows this one begin: the place of its newest; line 0: nowhere. */
typedef struct place slip_home(const void *home_of, const char *key, ptrdiff_t length);

struct slip_case {
    const char *problem, *context; /* the parser's words; either may be NULL */
    struct place problem_place, context_place;
    /* what was read last before the complaint: a text that is likely to be the real culprit */
    bool have_text;
    enum node_style style;
    struct place text_place;
    struct place key_place; /* of the key that the text belongs to; line 0: there is none */
    /* an empty text after | or > that nothing has followed, and its key; line 0: there is none */
    struct place hollow, hollow_key;
    /* what the loader knows of a key where it was read: the tables are its own */
    slip_home *home;
    const void *home_of;
};

void slip_report(struct report *report, const struct slip_case *slip);

#endif
