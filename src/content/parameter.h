/*
 * Reading `given` and `derive`: what the handlers fill while a question is read, and the check at its end.
 * Names are resolved there, since `given` may come behind the texts that use it; where each text stood is
 * what the loader noted (loader_spot). Private to content.
 */
#ifndef CONTENT_PARAMETER_H
#define CONTENT_PARAMETER_H

#include "field.h"

#include <quiztutor/derive.h>

struct parameter_draft {
    struct parameter items[DERIVE_NAMES];
    struct derived derived[DERIVE_NAMES];
    struct place item_places[DERIVE_NAMES], derived_places[DERIVE_NAMES]; /* of the names */
    struct place expression_places[DERIVE_NAMES];
    int count, derived_count;
    bool rows;
    bool given, derive; /* the key was there: the question is parametrised */
    bool faulty;        /* something about them has been told */
    int errors;         /* told before the question began */
};

/* Before a question is read. */
void parameters_begin(struct loader *loader, struct parameter_draft *draft);

/* Rows of the question's table; the target is its struct parameter_draft. */
field_read given_read, derive_read;

static inline bool parameters_present(const struct parameter_draft *draft)
{
    return draft->given || draft->derive;
}

/*
 * At the end of a parametrised question, once its type is known and question->key holds its texts (choices,
 * items, pairs, accepted ones, known wrong ones); nothing happens for others. Refuses names, expressions and
 * braces that are wrong, then works out the first combination, so that a question that loads can be shown;
 * sets question->parameters, and of a number key's value and known wrong numbers those of the first
 * combination. A number key's answer and wrong values must be kept as written: a number or a name; a number
 * or an expression. `place` is the question's.
 */
void parameters_check(struct loader *loader, struct question *question, struct parameter_draft *draft,
                      const struct place *place);

#endif
