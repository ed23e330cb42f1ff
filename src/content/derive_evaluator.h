/*
 * The evaluator: SQLite in memory, one connection for a pack, made when the first parametrised question is
 * read. Expressions reach it in the form that derive_expression.h makes of them, never as they were written;
 * an authorizer allows nothing but the listed functions, and a progress handler counts steps. Statements are
 * kept for the parameters that were evaluated last. Private to content.
 */
#ifndef CONTENT_DERIVE_EVALUATOR_H
#define CONTENT_DERIVE_EVALUATOR_H

#include "derive_expression.h"

/* NULL with *error set. `bare`: as if SQLite had no mathematical functions of its own; for tests. */
struct evaluator *evaluator_create(bool bare, struct error *error);
void evaluator_destroy(struct evaluator *evaluator); /* takes NULL */

struct evaluator_value {
    double number;
    const char *text; /* NULL: a number */
};

enum evaluation {
    EVALUATION_FINE,
    EVALUATION_BAD,      /* the expression can't be read */
    EVALUATION_NOTHING,  /* no number comes out: division by zero, the root of a negative number, … */
    EVALUATION_INFINITE, /* too large */
    EVALUATION_STEPS,    /* too many */
    EVALUATION_MEMORY,
};

/*
 * Works out one expression of `parameters`: those of `derived` by their place, known wrong numbers behind
 * them. values[parameters->count + parameters->derived_count] in the order of the names; those of an
 * expression that comes later are not looked at. With EVALUATION_BAD, *fault tells why (NULL is accepted).
 */
enum evaluation evaluator_work_out(struct evaluator *evaluator, const struct parameters *parameters,
                                   int place, const char *expression, const struct evaluator_value *values,
                                   double *result, struct expression_fault *fault);

/* Makes the statement of an expression, as working it out would: EVALUATION_FINE, _BAD or _MEMORY. */
enum evaluation evaluator_prepare(struct evaluator *evaluator, const struct parameters *parameters, int place,
                                  const char *expression, struct expression_fault *fault);

/* The names of parameters, the first `derived` of `derive` being usable. */
void evaluator_names(struct expression_names *names, const struct parameters *parameters, int derived);

/* Forgets the statements kept: the parameters are about to go or to change. */
void evaluator_forget(struct evaluator *evaluator);

/* For tests: what SQLite says of any SQL on this connection; true where it prepares and runs. */
bool evaluator_admits(struct evaluator *evaluator, const char *sql);

#endif
