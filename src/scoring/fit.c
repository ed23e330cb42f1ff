/*
 * The optimiser: first stabilities by themselves, then all weights by Adam in mini-batches, as the reference
 * optimiser of FSRS does it (open-spaced-repetition/fsrs-rs, "training"), with its objective: log loss, newer
 * answers weighing more, and a penalty for leaving the start. What differs: a batch is made of whole
 * histories, each gone through once, not of one item for each answer; and there are four times the epochs at
 * half the rate, which that saves the time for and simulated learners are predicted better by.
 */
#include "fit_first.h"
#include "fit_gradient.h"

#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/random.h>

#include <math.h>
#include <stdlib.h>

enum { EPOCHS = 20, BATCH = 512 /* predicted answers */ };

#define RATE     0.02 /* learning rate at the start; it falls to 0 along a cosine */
#define MOMENTUM 0.9  /* Adam's β1, β2 and ε (Kingma and Ba 2015) */
#define VARIANCE 0.999
#define TINY     1e-8
#define RECENT   0.75 /* the oldest answer weighs 1 − this, the newest 1, growing with the cube of its rank */
#define PENALTY  1.0 /* squared standard deviations away from the start, in nats */
#define SEED     6   /* of the order of the batches: any number, but always the same */

/* Spread of each weight between people (fsrs-rs, PARAMS_STDDEV of FSRS-6). */
static const double spread[FSRS_WEIGHTS] = { 6.43, 9.66, 17.58, 27.85, 0.57, 0.28, 0.6,
                                             0.12, 0.39, 0.18,  0.33,  0.3,  0.09, 0.16,
                                             0.57, 0.25, 1.03,  0.31,  0.32, 0.14, 0.27 };

/* All that is fitted to, brought into order. */
struct fit_set {
    struct fit_step *steps;
    struct fit_piece {
        ptrdiff_t start; /* in steps */
        int count, predicted;
    } * pieces; /* one for each history with a predicted answer, up to the last of them */
    struct fit_moment {
        int64_t at;
        ptrdiff_t step;
    } * moments; /* of the predicted answers */
    struct fit_first *firsts;
    struct fit_mark *tape;
    ptrdiff_t step_count, piece_count, predicted;
};

static bool is_graded(const struct fit_answer *answer)
{
    return answer->grade >= GRADE_AGAIN && answer->grade <= GRADE_EASY;
}

int64_t fit_usable(const struct fit_history *histories, ptrdiff_t count)
{
    int64_t usable = 0;
    for (ptrdiff_t h = 0; h < count; h++) {
        bool begun = false;
        for (int i = 0; i < histories[h].count; i++) {
            const struct fit_answer *answer = &histories[h].answers[i];
            usable += is_graded(answer) && begun && answer->days > 0;
            begun = begun || is_graded(answer);
        }
    }
    return usable;
}

static int compare_times(const void *one, const void *other)
{
    const int64_t *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

bool fit_split(const struct fit_history *histories, ptrdiff_t count, double share, int64_t *at)
{
    int64_t usable = fit_usable(histories, count);
    int64_t *times = usable ? memory_alloc((ptrdiff_t)sizeof *times * usable) : NULL;
    ptrdiff_t n = 0;
    if (!times)
        return false;
    for (ptrdiff_t h = 0; h < count; h++) {
        bool begun = false;
        for (int i = 0; i < histories[h].count; i++) {
            const struct fit_answer *answer = &histories[h].answers[i];
            if (is_graded(answer) && begun && answer->days > 0)
                times[n++] = answer->at;
            begun = begun || is_graded(answer);
        }
    }
    qsort(times, (size_t)n, sizeof *times, compare_times);
    double place = floor((share > 0 ? share : 0) * (double)n);
    if (place < (double)n)
        *at = times[(ptrdiff_t)place];
    else
        *at = times[n - 1] < INT64_MAX ? times[n - 1] + 1 : INT64_MAX;
    memory_free(times);
    return true;
}

static void set_finish(struct fit_set *set)
{
    memory_free(set->steps);
    memory_free(set->pieces);
    memory_free(set->moments);
    memory_free(set->firsts);
    memory_free(set->tape);
}

/* Takes a history's answers before `until`, up to the last that is predicted. */
static void set_take(struct fit_set *set, const struct fit_history *history, int64_t until)
{
    ptrdiff_t start = set->step_count;
    struct fit_piece piece = { .start = start };
    int taken = 0;
    for (int i = 0; i < history->count && history->answers[i].at < until; i++) {
        const struct fit_answer *answer = &history->answers[i];
        if (!is_graded(answer))
            continue;
        int days = taken == 0 || answer->days < 0 ? 0
                   : answer->days > FSRS_LONGEST  ? FSRS_LONGEST
                                                  : answer->days;
        set->steps[start + taken] = (struct fit_step){ (int)answer->grade, days, 0 };
        taken++;
        if (!days)
            continue;
        set->moments[set->predicted++] = (struct fit_moment){ answer->at, start + taken - 1 };
        if (!piece.predicted)
            set->firsts[set->piece_count] =
                (struct fit_first){ set->steps[start].grade, days, answer->grade > GRADE_AGAIN };
        piece.predicted++;
        piece.count = taken;
    }
    if (!piece.predicted)
        return;
    set->pieces[set->piece_count++] = piece;
    set->step_count += piece.count;
}

static int compare_moments(const void *one, const void *other)
{
    const struct fit_moment *a = one, *b = other;
    if (a->at != b->at)
        return a->at < b->at ? -1 : 1;
    return (a->step > b->step) - (a->step < b->step);
}

/* What somebody remembers changes: newer answers weigh more. */
static void set_weigh(struct fit_set *set)
{
    qsort(set->moments, (size_t)set->predicted, sizeof *set->moments, compare_moments);
    for (ptrdiff_t i = 0; i < set->predicted; i++) {
        double rank = set->predicted > 1 ? (double)i / (double)(set->predicted - 1) : 1;
        set->steps[set->moments[i].step].weight = 1 - RECENT + RECENT * rank * rank * rank;
    }
}

static bool set_make(struct fit_set *set, const struct fit_history *histories, ptrdiff_t count, int64_t until)
{
    ptrdiff_t answers = 0, longest = 0;
    for (ptrdiff_t h = 0; h < count; h++) {
        answers += histories[h].count;
        longest = histories[h].count > longest ? histories[h].count : longest;
    }
    set->steps = memory_alloc((ptrdiff_t)sizeof *set->steps * answers);
    set->pieces = memory_alloc((ptrdiff_t)sizeof *set->pieces * count);
    set->moments = memory_alloc((ptrdiff_t)sizeof *set->moments * answers);
    set->firsts = memory_alloc((ptrdiff_t)sizeof *set->firsts * count);
    set->tape = memory_alloc((ptrdiff_t)sizeof *set->tape * longest);
    if (!set->steps || !set->pieces || !set->moments || !set->firsts || !set->tape)
        return false;
    for (ptrdiff_t h = 0; h < count; h++)
        set_take(set, &histories[h], until);
    if (set->predicted)
        set_weigh(set);
    return true;
}

/* A descent on its way. */
struct descent {
    struct fsrs_parameters now, start, best;
    double least; /* loss of the best */
    double mean[FSRS_WEIGHTS], square[FSRS_WEIGHTS];
    int steps;
    ptrdiff_t done; /* predicted answers gone through, over all epochs */
};

/* How far the weights have gone from the start, for `size` of the set's answers; adds the gradient. */
static double penalty(const struct descent *descent, double share, double *gradient)
{
    double sum = 0;
    for (int i = 0; i < FSRS_WEIGHTS; i++) {
        double away = (descent->now.weights[i] - descent->start.weights[i]) / spread[i];
        sum += away * away;
        if (gradient)
            gradient[i] += PENALTY * share * 2 * away / spread[i];
    }
    return PENALTY * share * sum;
}

static void descent_step(struct descent *descent, const double *gradient, double progress)
{
    double rate = RATE * (1 + cos(3.14159265358979323846 * progress)) / 2;
    descent->steps++;
    for (int i = 0; i < FSRS_WEIGHTS; i++) {
        double slope = isfinite(gradient[i]) ? gradient[i] : 0;
        descent->mean[i] = MOMENTUM * descent->mean[i] + (1 - MOMENTUM) * slope;
        descent->square[i] = VARIANCE * descent->square[i] + (1 - VARIANCE) * slope * slope;
        double mean = descent->mean[i] / (1 - pow(MOMENTUM, descent->steps));
        double square = descent->square[i] / (1 - pow(VARIANCE, descent->steps));
        descent->now.weights[i] -= rate * mean / (sqrt(square) + TINY);
    }
    fsrs_clip(&descent->now);
}

static void descent_judge(struct descent *descent, const struct fit_set *set)
{
    double loss = penalty(descent, 1, NULL);
    for (ptrdiff_t i = 0; i < set->piece_count; i++) {
        const struct fit_piece *piece = &set->pieces[i];
        loss += fit_history_loss(&descent->now, set->steps + piece->start, piece->count, set->tape, NULL);
    }
    if (loss < descent->least) {
        descent->least = loss;
        descent->best = descent->now;
    }
}

static bool descent_epoch(struct descent *descent, struct fit_set *set, fit_progress *progress, void *context)
{
    double all = (double)set->predicted * EPOCHS;
    for (ptrdiff_t i = 0; i < set->piece_count;) {
        double gradient[FSRS_WEIGHTS] = { 0 };
        ptrdiff_t size = 0;
        for (; i < set->piece_count && size < BATCH; i++) {
            const struct fit_piece *piece = &set->pieces[i];
            size += piece->predicted;
            fit_history_loss(&descent->now, set->steps + piece->start, piece->count, set->tape, gradient);
        }
        penalty(descent, (double)size / (double)set->predicted, gradient);
        descent_step(descent, gradient, (double)descent->done / all);
        descent->done += size;
        if (progress && !progress(context, (double)descent->done / all))
            return false;
    }
    return true;
}

static void set_shuffle(struct fit_set *set, struct random_stream *stream)
{
    for (ptrdiff_t i = set->piece_count - 1; i > 0; i--) {
        ptrdiff_t other = (ptrdiff_t)random_below(stream, (uint64_t)i + 1);
        struct fit_piece piece = set->pieces[i];
        set->pieces[i] = set->pieces[other];
        set->pieces[other] = piece;
    }
}

static bool set_fit(struct fit_set *set, struct fsrs_parameters *parameters, fit_progress *progress,
                    void *context, struct error *error)
{
    struct random_stream stream = { SEED };
    struct fit_counts counts;
    struct descent descent = { .least = INFINITY, .now = fsrs_defaults };
    fit_first_stabilities(&descent.now, set->firsts, set->piece_count, &counts);
    fsrs_clip(&descent.now);
    descent.start = descent.best = descent.now;
    descent_judge(&descent, set);
    for (int epoch = 0; epoch < EPOCHS; epoch++) {
        set_shuffle(set, &stream);
        if (!descent_epoch(&descent, set, progress, context))
            return error_set(error, ERROR_INTERRUPTED, "%s", tr("stopped: nothing was changed"));
        descent_judge(&descent, set);
    }
    fit_first_in_order(&descent.best, &counts);
    fsrs_clip(&descent.best);
    *parameters = descent.best;
    return true;
}

bool fit_parameters(struct fsrs_parameters *parameters, const struct fit_history *histories, ptrdiff_t count,
                    int64_t until, fit_progress *progress, void *context, struct error *error)
{
    int64_t usable = fit_usable(histories, count);
    if (usable < FIT_LEAST)
        return error_set(
            error, ERROR_INPUT,
            ntr("%lld usable answer, a fit needs %d", "%lld usable answers, a fit needs %d", usable),
            (long long)usable, FIT_LEAST);
    struct fit_set set = { 0 };
    bool done = set_make(&set, histories, count, until) ? set_fit(&set, parameters, progress, context, error)
                                                        : error_memory(error);
    set_finish(&set);
    return done;
}
