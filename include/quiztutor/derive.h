/*
 * Parametrised questions: what `given` may pick and `derive` makes of it. Expressions are evaluated by SQLite
 * on a connection in memory whose authorizer allows nothing else, under a limit of steps; names are bound as
 * REAL, and whole numbers in an expression count as REAL, so `/` never truncates. `%` is fmod, where SQLite's
 * own would make whole numbers of its sides; a comparison is 1 or 0, and one may not follow another (1 < p <
 * 3); texts can be compared, with texts only. A result must be a finite number. The parameters belong to the
 * pack.
 */
#ifndef QUIZTUTOR_DERIVE_H
#define QUIZTUTOR_DERIVE_H

#include <quiztutor/pack.h>

enum {
    DERIVE_NAMES = 26,           /* names in `given` and `derive` together */
    DERIVE_NAME = 32,            /* bytes of one: a letter, then letters, digits, _ */
    DERIVE_VALUES = 10000,       /* values of a list, a range or rows */
    DERIVE_EXPRESSION = 1000,    /* bytes */
    DERIVE_STEPS = 100000,       /* of SQLite's machine, for one expression */
    DERIVE_COMBINATIONS = 10000, /* tried one by one; beyond that a sample of as many */
};

/* One name of `given`. */
struct parameter {
    const char *name;
    bool numeric;
    int count;
    const char *const *texts; /* as written; NULL for a range */
    const double *numbers;    /* where numeric; NULL for a range */
    double from, step;        /* of a range: value i is from + i * step */
};

struct derived {
    const char *name, *expression;
    int line, column; /* of the expression */
};

struct evaluator; /* private to content: the pack's connection */

struct parameters {
    const struct parameter *items; /* in the file's order */
    int count;
    bool rows; /* one row is picked for all names together */
    const struct derived *derived;
    int derived_count;
    struct evaluator *evaluator;
};

/* Draws: one for each name, or a single one for rows; and how many values each picks from. */
int parameters_draws(const struct parameters *parameters);
int parameters_ways(const struct parameters *parameters, int draw);

/* All combinations, at most INT64_MAX. */
int64_t parameters_combinations(const struct parameters *parameters);

/*
 * The question with the values picked (picks[draw], from 0) put into its texts, its number and its known
 * wrong values (their `value` stays as the pack writes it, `answer` becomes digits, %.15g); all of it in the
 * arena. False with ERROR_INPUT where an expression fails or is not finite,
 * two choices (items, right texts) come out the same, or a known wrong value lies inside the tolerance: the
 * message says which, and with what values.
 */
bool question_instantiate(struct question *instance, const struct question *question, const int *picks,
                          struct arena *arena, struct error *error);

/* For a message: "p = 4, m = 16". In the arena; NULL without memory. */
const char *parameters_say(const struct parameters *parameters, const int *picks, struct arena *arena);

#endif
