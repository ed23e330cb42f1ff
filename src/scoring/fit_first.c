#include "fit_first.h"

#include <math.h>
#include <stdlib.h>

/* Figures of the reference optimiser (open-spaced-repetition/fsrs-rs, parameter initialisation). */
#define LEAST_FIRST 0.001
#define MOST_FIRST  100.0
#define PRIOR       16.0 /* days that a first stability is away from its default for one nat */

enum { SEARCH = 60 /* steps of the golden section: ln S to 1e-11 */ };

static int compare_firsts(const void *one, const void *other)
{
    const struct fit_first *a = one, *b = other;
    if (a->grade != b->grade)
        return a->grade < b->grade ? -1 : 1;
    return (a->days > b->days) - (a->days < b->days);
}

/* The loss of one grade's answers at first stability S: those after as many days count as one share recalled,
 * drawn towards the average as by one answer more, so that three answers out of three are no certainty. */
static double first_loss(const struct fit_first *firsts, ptrdiff_t count, double average, double s,
                         double usual)
{
    double loss = fabs(s - usual) / PRIOR;
    for (ptrdiff_t from = 0, to; from < count; from = to) {
        double recalled = 0;
        for (to = from; to < count && firsts[to].days == firsts[from].days; to++)
            recalled += firsts[to].recalled;
        double size = (double)(to - from), share = (recalled + average) / (size + 1);
        double r = fsrs_retrievability(&fsrs_defaults, s, firsts[from].days);
        loss -= size * (share * log(r) + (1 - share) * log1p(-r));
    }
    return loss;
}

/* Golden section over ln S. */
static double first_search(const struct fit_first *firsts, ptrdiff_t count, double average, double usual)
{
    const double golden = 0.61803398874989485;
    double low = log(LEAST_FIRST), high = log(MOST_FIRST);
    double left = high - golden * (high - low), right = low + golden * (high - low);
    double at_left = first_loss(firsts, count, average, exp(left), usual);
    double at_right = first_loss(firsts, count, average, exp(right), usual);
    for (int i = 0; i < SEARCH; i++) {
        if (at_left < at_right) {
            high = right;
            right = left;
            at_right = at_left;
            left = high - golden * (high - low);
            at_left = first_loss(firsts, count, average, exp(left), usual);
        } else {
            low = left;
            left = right;
            at_left = at_right;
            right = low + golden * (high - low);
            at_right = first_loss(firsts, count, average, exp(right), usual);
        }
    }
    return exp((low + high) / 2);
}

/* Grades that no history began with: as many times their default as those beside them, between two of them in
 * proportion. */
static void first_fill(struct fsrs_parameters *parameters, const struct fit_counts *counts)
{
    double *w = parameters->weights;
    const double *usual = fsrs_defaults.weights;
    for (int g = 0; g < 4; g++) {
        int below = g, above = g;
        while (below >= 0 && !counts->of[below])
            below--;
        while (above < 4 && !counts->of[above])
            above++;
        if (counts->of[g] || (below < 0 && above > 3))
            continue;
        double down = log(below < 0 ? w[above] / usual[above] : w[below] / usual[below]);
        double up = log(above > 3 ? w[below] / usual[below] : w[above] / usual[above]);
        double share = (double)(g - below) / (above - below);
        w[g] = fmin(fmax(usual[g] * exp(down + share * (up - down)), LEAST_FIRST), MOST_FIRST);
    }
}

void fit_first_in_order(struct fsrs_parameters *parameters, const struct fit_counts *counts)
{
    double level[4], weight[4];
    int size[4], blocks = 0;
    for (int g = 0; g < 4; g++) { /* pool adjacent violators, in ln S */
        level[blocks] = log(parameters->weights[g]);
        weight[blocks] = (double)counts->of[g] + 0.001;
        size[blocks++] = 1;
        while (blocks > 1 && level[blocks - 2] > level[blocks - 1]) {
            double both = weight[blocks - 2] + weight[blocks - 1];
            level[blocks - 2] =
                (level[blocks - 2] * weight[blocks - 2] + level[blocks - 1] * weight[blocks - 1]) / both;
            weight[blocks - 2] = both;
            size[blocks - 2] += size[blocks - 1];
            blocks--;
        }
    }
    for (int block = 0, g = 0; block < blocks; block++)
        for (int i = 0; i < size[block]; i++, g++)
            if (size[block] > 1)
                parameters->weights[g] = exp(level[block]);
}

void fit_first_stabilities(struct fsrs_parameters *parameters, struct fit_first *firsts, ptrdiff_t count,
                           struct fit_counts *counts)
{
    double average = 0;
    *counts = (struct fit_counts){ 0 };
    if (count)
        qsort(firsts, (size_t)count, sizeof *firsts, compare_firsts);
    for (ptrdiff_t i = 0; i < count; i++)
        average += firsts[i].recalled / (double)count;
    for (ptrdiff_t from = 0, to; from < count; from = to) {
        int grade = firsts[from].grade;
        for (to = from; to < count && firsts[to].grade == grade; to++)
            ;
        counts->of[grade - 1] = to - from;
        parameters->weights[grade - 1] =
            first_search(firsts + from, to - from, average, fsrs_defaults.weights[grade - 1]);
    }
    first_fill(parameters, counts);
    fit_first_in_order(parameters, counts);
}
