/*
 * How likely chance alone does so much: the tails of a number of independent trials that each have a chance
 * of their own (the Poisson binomial distribution, binomial where all chances are equal), and the longest
 * run.
 */
#ifndef CONTENT_REVIEW_CHANCE_H
#define CONTENT_REVIEW_CHANCE_H

#include <stdbool.h>
#include <stddef.h>

struct chance {
    double expected;     /* successes */
    double upper, lower; /* of at least, of at most so many successes */
};

/* Exact to about 1e-15, by adding one trial after the other; false without memory. */
bool chance_of(const double *chances, ptrdiff_t count, ptrdiff_t successes, struct chance *chance);

/* At most this likely: a run of `length` equal outcomes begins somewhere, where chances[i] is that trial i
 * comes out as the one before. */
double chance_of_run(const double *chances, ptrdiff_t count, ptrdiff_t length);

#endif
