/*
 * Slips: what people get wrong when they write YAML by hand, told in their own terms. Takes the parser's
 * complaint and looks at the raw line; the parser's own words are used only for what nobody has met yet.
 */
#ifndef CONTENT_SLIP_H
#define CONTENT_SLIP_H

#include "reader.h"

struct slip_case {
    const char *problem, *context; /* the parser's words; either may be NULL */
    struct place problem_place, context_place;
    /* what was read last before the complaint: a text that is likely to be the real culprit */
    bool have_text;
    enum node_style style;
    struct place text_place;
    struct place key_place; /* of the key that the text belongs to; line 0: there is none */
};

void slip_report(struct report *report, const struct slip_case *slip);

#endif
