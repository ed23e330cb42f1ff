#include "review_chance.h"

#include <quiztutor/memory.h>

#include <math.h>

/* Probabilities below this are left out at both ends, so that large counts take little time: the mass lies
 * within some nine standard deviations. */
static const double nothing = 1e-20;

/* Adds a trial to the distribution: mass[first…last] is the probability of so many successes. */
static void chance_add(double *mass, ptrdiff_t *first, ptrdiff_t *last, double p)
{
    mass[*last + 1] = mass[*last] * p;
    for (ptrdiff_t k = *last; k > *first; k--)
        mass[k] = mass[k] * (1 - p) + mass[k - 1] * p;
    mass[*first] *= 1 - p;
    ++*last;
    while (*first < *last && mass[*first] < nothing)
        ++*first;
    while (*last > *first && mass[*last] < nothing)
        --*last;
}

bool chance_of(const double *chances, ptrdiff_t count, ptrdiff_t successes, struct chance *chance)
{
    double *mass = memory_alloc((count + 2) * (ptrdiff_t)sizeof *mass);
    if (!mass)
        return false;
    ptrdiff_t first = 0, last = 0;
    mass[0] = 1;
    chance->expected = chance->upper = chance->lower = 0;
    for (ptrdiff_t i = 0; i < count; i++) {
        chance_add(mass, &first, &last, chances[i]);
        chance->expected += chances[i];
    }
    for (ptrdiff_t k = last; k >= first && k >= successes; k--)
        chance->upper += mass[k];
    for (ptrdiff_t k = first; k <= last && k <= successes; k++)
        chance->lower += mass[k];
    memory_free(mass);
    return true;
}

/* Boole's inequality: the sum over all places where the run may begin. */
double chance_of_run(const double *chances, ptrdiff_t count, ptrdiff_t length)
{
    double sum = 0;
    for (ptrdiff_t start = 0; start + length <= count; start++) {
        double product = 1;
        for (ptrdiff_t i = start + 1; i < start + length && product > nothing; i++)
            product *= chances[i];
        sum += product;
    }
    return fmin(sum, 1);
}
