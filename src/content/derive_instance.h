/*
 * Instances of parametrised questions, and what is wrong with a combination of values: for the loader, which
 * tries the first one, and for the reviewer, which tries all. Private to content.
 */
#ifndef CONTENT_DERIVE_INSTANCE_H
#define CONTENT_DERIVE_INSTANCE_H

#include "derive_evaluator.h"

enum instance_fault {
    INSTANCE_FINE,
    INSTANCE_FAILS, /* an expression, or a text that gets too long */
    INSTANCE_SAME,  /* two choices, items, lefts or right texts */
    INSTANCE_WRONG, /* a known wrong response is right */
    INSTANCE_MEMORY,
};

struct instance_report {
    enum instance_fault fault;
    const char *subject; /* the text of the pack that it is about (an expression, a choice); never a copy */
    char message[300];   /* without the values */
};

/* As question_instantiate; `texts`: else only what can be wrong is worked out (choices, items, pairs, typed
 * answers, numbers), and other texts stay as they are. */
bool instance_make(struct question *instance, const struct question *question, const int *picks,
                   struct arena *arena, bool texts, struct instance_report *report);

/* The value that a draw picks, for one name. */
struct evaluator_value instance_value(const struct parameters *parameters, int name, const int *picks);

#endif
