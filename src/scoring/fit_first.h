/*
 * Where a fit begins: the four first stabilities (weights 0 to 3), each fitted by itself to the answers that
 * are predicted first in their history, by the grade that the history began with.
 */
#ifndef QUIZTUTOR_FIT_FIRST_H
#define QUIZTUTOR_FIT_FIRST_H

#include <quiztutor/fit.h>

/* The first predicted answer of a history. */
struct fit_first {
    int grade; /* that the history began with */
    int days;  /* since the answer before */
    bool recalled;
};

/* How many histories began with each grade, by grade − 1. */
struct fit_counts {
    ptrdiff_t of[4];
};

/* Sets weights 0 to 3; sorts `firsts`. A grade that none began with moves as those beside it do. */
void fit_first_stabilities(struct fsrs_parameters *parameters, struct fit_first *firsts, ptrdiff_t count,
                           struct fit_counts *counts);

/* A better first grade never begins with a lower stability: where it would, both get their weighted mean. */
void fit_first_in_order(struct fsrs_parameters *parameters, const struct fit_counts *counts);

#endif
