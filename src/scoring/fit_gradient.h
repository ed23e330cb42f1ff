/*
 * The loss that a fit brings down, over one history, and its exact gradient by the 21 weights: one pass
 * forwards that keeps what it met on a tape, and one backwards along the tape (reverse-mode differentiation,
 * written out by hand). All answers of a history are predicted in the one pass.
 */
#ifndef QUIZTUTOR_FIT_GRADIENT_H
#define QUIZTUTOR_FIT_GRADIENT_H

#include <quiztutor/fit.h>

/* One answer, brought into order: grades 1 to 4, days 0 to FSRS_LONGEST. */
struct fit_step {
    int grade, days;
    double weight; /* of its loss; 0 where it is not predicted */
};

/* What the way back needs of a step. */
struct fit_mark {
    struct fsrs_memory before;
    double recall; /* R as predicted */
    double base;   /* R = base ^ −w20 */
    double gain;   /* how much the answer's formula multiplies by, see fit_gradient.c */
    bool stability_held, difficulty_held; /* at a bound: no gradient passes */
    bool capped; /* a lapse: S / e^(w17 · w18) was the smaller one; same day: the gain was raised to 1 */
};

/*
 * Returns the weighted loss of a history, Σ weight · −ln(chance given to what happened), and adds to
 * `gradient` its derivatives (NULL: the loss alone). `tape` has room for `count` marks.
 */
double fit_history_loss(const struct fsrs_parameters *parameters, const struct fit_step *steps, int count,
                        struct fit_mark *tape, double *gradient);

#endif
