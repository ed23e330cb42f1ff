/*
 * Fitting the 21 parameters of FSRS-6 to what a learner, or everyone, answered; and measuring how well
 * parameters predict answers. Pure: histories in, parameters and figures out.
 */
#ifndef QUIZTUTOR_FIT_H
#define QUIZTUTOR_FIT_H

#include <quiztutor/error.h>
#include <quiztutor/schedule.h>

#include <stddef.h>

enum { FIT_LEAST = 64 /* usable answers that a fit needs */ };

struct fit_answer {
    enum grade grade;
    int days;   /* whole days since the answer before it in its history; 0 for the first */
    int64_t at; /* ms since 1970, for the split in time */
};

/* All graded answers to one question by one learner, oldest first. The arrays are the caller's. */
struct fit_history {
    const struct fit_answer *answers;
    int count;
};

/*
 * An answer can be predicted when at least one day went by since the one before it: same-day answers change
 * the memory, but are not predicted. Recalled is any grade above Again.
 */
int64_t fit_usable(const struct fit_history *histories, ptrdiff_t count);

struct fit_figures {
    int64_t answers;  /* predicted ones */
    double log_loss;  /* mean of −ln(chance given to what happened); lower is better */
    double rmse_bins; /* root mean square of predicted minus observed recall over bins of days, answers so far
                         and lapses, weighted by size, as the srs-benchmark bins them */
    double auc;       /* area under the ROC curve; 0.5 where only one outcome was seen */
};

/* The moment (ms) that parts the first `share` (0 to 1) of the usable answers in time from the rest: the time
 * of the first of the rest. False without usable answers or memory. */
bool fit_split(const struct fit_history *histories, ptrdiff_t count, double share, int64_t *at);

/* Figures over the predicted answers from `since` on and before `until` (INT64_MIN, INT64_MAX: all). False
 * without memory. */
bool fit_measure(struct fit_figures *figures, const struct fsrs_parameters *parameters,
                 const struct fit_history *histories, ptrdiff_t count, int64_t since, int64_t until);

/* Called now and then with the share done, 0 to 1; false stops the fit. */
typedef bool fit_progress(void *context, double done);

/*
 * Fits to the answers before `until`, starting from and drawn towards the defaults. False, with *parameters
 * as they were: ERROR_INPUT when fewer than FIT_LEAST are usable in all (before `until` and after it),
 * ERROR_INTERRUPTED when progress stopped it, ERROR_MEMORY. Deterministic. The weights are within
 * fsrs_bounds, and a better first grade never begins with a lower stability.
 */
bool fit_parameters(struct fsrs_parameters *parameters, const struct fit_history *histories, ptrdiff_t count,
                    int64_t until, fit_progress *progress, void *context, struct error *error);

#endif
