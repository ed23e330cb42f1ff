/*
 * Statistics of items and tests: from a table of marks, sittings by items, to facility, discrimination and
 * reliability, by the formulas of Moodle's quiz statistics. Pure. A figure that can't be computed says why.
 */
#ifndef QUIZTUTOR_STATISTICS_H
#define QUIZTUTOR_STATISTICS_H

#include <stdbool.h>

struct figure {
    bool known;
    double value;
    const char *why; /* N_(): "no variance"; where it is not known */
};

/* Marks of complete sittings: marks[sitting * items + item], of at most maxima[item] (> 0). Where they are
 * too many to be held, `column` writes those of one item, a mark for each sitting, and is called some times.
 */
struct marks_table {
    int sittings, items;
    const double *marks, *maxima; /* marks: NULL where there is `column` */
    void (*column)(void *context, int item, double *marks);
    void *context;
};

struct item_figures {
    struct figure facility;                  /* per cent: mean mark of the maximum */
    struct figure discrimination;            /* item-rest correlation, times 100 */
    struct figure discriminative_efficiency; /* per cent */
    struct figure effective_weight;          /* per cent */
    struct figure alpha_if_deleted;          /* as a share: .272727 */
};

struct test_figures {
    struct figure mean, median, deviation; /* of totals, in marks */
    struct figure alpha;                   /* coefficient of internal consistency, per cent */
    struct figure error_ratio;             /* per cent */
    struct figure standard_error;          /* marks */
    struct figure skewness, kurtosis;
};

/* figures[table->items]. False only without memory. */
bool statistics_items(const struct marks_table *table, struct item_figures *figures,
                      struct test_figures *test);

/* Pearson's correlation, times 100, of n pairs. */
struct figure statistics_correlation(const double *one, const double *other, int count);

/* Discrimination and efficiency of one item by rest scores that are known, one for each of its marks. False
 * only without memory. */
bool statistics_item(const double *marks, const double *rest, int count, struct figure *discrimination,
                     struct figure *discriminative_efficiency);

/* Wilson's 95 % interval of a share of `right` among `count` (Wilson 1927). count >= 1. `right` may be a sum
 * of shares. */
void statistics_wilson(double right, int count, double *low, double *high);

#endif
