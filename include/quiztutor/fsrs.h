/*
 * FSRS-6: what is remembered of one question, as stability and difficulty, and how answers and days change
 * it. Pure functions of (memory, grade, elapsed days). The formulas are those of the Free Spaced Repetition
 * Scheduler, version 6 (open-spaced-repetition, fsrs4anki's wiki, "The Algorithm", section FSRS-6), with its
 * parameters w0 … w20 and the grade G from 1 (Again) to 4 (Easy).
 * Where implementations differ, this one follows ts-fsrs 5.4.2: Hard on the same day never lowers the
 * stability, as Good does not. One difference is meant: a first stability is at least 0.001 days, as in the
 * Rust library, not 0.1.
 *
 * Stability S: days until the chance of recall has fallen to 0.9; 0.001 to 36,500. Difficulty D: 1 (easy) to
 * 10. Retrievability R: the chance of recall now, 0 to 1.
 */
#ifndef QUIZTUTOR_FSRS_H
#define QUIZTUTOR_FSRS_H

#include <stdbool.h>

enum { FSRS_WEIGHTS = 21, FSRS_LONGEST = 36500 /* days: the longest interval */ };

/* How well an answer was remembered. GRADE_NONE: the answer says nothing (it was left out). */
enum grade { GRADE_NONE, GRADE_AGAIN, GRADE_HARD, GRADE_GOOD, GRADE_EASY };

struct fsrs_parameters {
    double weights[FSRS_WEIGHTS]; /* w0 … w20 */
};
struct fsrs_bound {
    double low, high;
};
struct fsrs_memory {
    double stability, difficulty;
};

extern const struct fsrs_parameters fsrs_defaults;        /* the published ones */
extern const struct fsrs_bound fsrs_bounds[FSRS_WEIGHTS]; /* the published ranges */

/* Brings every weight into its range; one that is not finite becomes the default. */
void fsrs_clip(struct fsrs_parameters *parameters);

/*
 * After the very first answer (grade AGAIN to EASY):
 *   S0(G) = w[G − 1]
 *   D0(G) = w4 − e^(w5 · (G − 1)) + 1
 */
struct fsrs_memory fsrs_first(const struct fsrs_parameters *parameters, enum grade grade);

/*
 * After an answer `days` whole days (0 or more) since the one before, R being the chance of recall then:
 *
 *   the same day  S' = S · g, g = S^−w19 · e^(w17 · (G − 3 + w18)), from Hard on at least 1
 *   recalled      S' = S · (1 + b · e^w8 · (11 − D) · S^−w9 · (e^(w10 · (1 − R)) − 1)),
 *                 b = w15 for Hard, 1 for Good, w16 for Easy
 *   forgotten     S' = w11 · D^−w12 · ((S + 1)^w13 − 1) · e^(w14 · (1 − R)), at most S / e^(w17 · w18)
 *   always        D' = w7 · D0(4) + (1 − w7) · (D − w6 · (G − 3) · (10 − D) / 9),
 *                 D0(4) as it is, not held to its range
 */
struct fsrs_memory fsrs_next(const struct fsrs_parameters *parameters, struct fsrs_memory memory,
                             enum grade grade, double days);

/* R(days, S) = (1 + factor · days / S) ^ −w20, factor = 0.9 ^ (−1 / w20) − 1. */
double fsrs_retrievability(const struct fsrs_parameters *parameters, double stability, double days);

/* Days until R has fallen to `retention` (above 0, at most 1): S · (retention ^ (−1 / w20) − 1) / factor, to
 * the nearest whole day, halves up, 1 to FSRS_LONGEST. */
int fsrs_interval(const struct fsrs_parameters *parameters, double stability, double retention);

/*
 * The range of whole days that an interval I of at least 2.5 days is drawn from, that questions learnt
 * together don't come back together: I ± (1 + 0.15 of what of I is between 2.5 and 7 + 0.1 between 7 and 20 +
 * 0.05 above 20), rounded; at least 2, after the `elapsed` days where I is, at most FSRS_LONGEST. As
 * ts-fsrs's get_fuzz_range.
 */
void fsrs_fuzz(int interval, int elapsed, int *least, int *most);

#endif
