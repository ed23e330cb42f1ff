#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/statistics.h>

#include <math.h>
#include <stdlib.h>

static struct figure known(double value)
{
    return (struct figure){ .known = true, .value = value };
}

static struct figure unknown(const char *why)
{
    return (struct figure){ .why = why };
}

static const char few[] = N_("fewer than 3 sittings");
static const char flat[] = N_("all marks are the same");

/* Sums of a variable are taken about its mean, so that large marks lose nothing. */
static double mean_of(const double *values, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum / count;
}

/* Sum of products of the deviations from the means. */
static double products(const double *one, const double *other, int count)
{
    double mean = mean_of(one, count), other_mean = mean_of(other, count), sum = 0;
    for (int i = 0; i < count; i++)
        sum += (one[i] - mean) * (other[i] - other_mean);
    return sum;
}

/* Marks are sums of a few decimals: what is left of equal ones is rounding. */
static bool varies(const double *values, int count)
{
    double least = values[0], most = values[0];
    for (int i = 1; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    return most - least > 1e-9 * fmax(fabs(least), fabs(most));
}

struct figure statistics_correlation(const double *one, const double *other, int count)
{
    if (count < 3)
        return unknown(few);
    if (!varies(one, count) || !varies(other, count))
        return unknown(flat);
    double scale = sqrt(products(one, one, count) * products(other, other, count));
    return known(100 * fmax(-1, fmin(1, products(one, other, count) / scale)));
}

/* 97.5 % quantile of the normal distribution. */
#define WILSON_Z 1.959963984540054

void statistics_wilson(double right, int count, double *low, double *high)
{
    double n = count, share = right / n, z2 = WILSON_Z * WILSON_Z;
    double middle = (share + z2 / (2 * n)) / (1 + z2 / n);
    double half = WILSON_Z * sqrt(share * (1 - share) / n + z2 / (4 * n * n)) / (1 + z2 / n);
    /* exact at the ends, where rounding would leave a trace */
    *low = right <= 0 ? 0 : fmax(0, middle - half);
    *high = right >= n ? 1 : fmin(1, middle + half);
}

static int ascending(const void *one, const void *other)
{
    double a = *(const double *)one, b = *(const double *)other;
    return (a > b) - (a < b);
}

/* Working room: the totals, one item's marks, the rest, and room for sorting two of them. */
struct work {
    const struct marks_table *table;
    double *totals, *marks, *rest, *sorted, *sorted_rest;
};

static void take_item(struct work *work, int item)
{
    const struct marks_table *table = work->table;
    if (table->column)
        table->column(table->context, item, work->marks);
    for (int i = 0; i < table->sittings; i++) {
        if (!table->column)
            work->marks[i] = table->marks[(ptrdiff_t)i * table->items + item];
        work->rest[i] = work->totals[i] - work->marks[i];
    }
}

/* Covariance with the rest against the largest that these marks could have had, were both in one order. */
static struct figure efficiency(const double *marks, const double *rest, double *sorted, double *sorted_rest,
                                int count)
{
    for (int i = 0; i < count; i++) {
        sorted[i] = marks[i];
        sorted_rest[i] = rest[i];
    }
    if (!varies(marks, count) || !varies(rest, count))
        return unknown(flat);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    qsort(sorted_rest, (size_t)count, sizeof *sorted_rest, ascending);
    double most = products(sorted, sorted_rest, count);
    return most > 0 ? known(100 * products(marks, rest, count) / most) : unknown(flat);
}

bool statistics_item(const double *marks, const double *rest, int count, struct figure *discrimination,
                     struct figure *discriminative_efficiency)
{
    *discrimination = *discriminative_efficiency = unknown(few);
    if (count < 3)
        return true;
    double *room = memory_alloc(2 * (ptrdiff_t)count * (ptrdiff_t)sizeof *room);
    if (!room)
        return false;
    *discrimination = statistics_correlation(marks, rest, count);
    *discriminative_efficiency = efficiency(marks, rest, room, room + count, count);
    memory_free(room);
    return true;
}

/* Cronbach's alpha of `items` items whose variances have this sum, with totals of this variance. */
static struct figure alpha_of(int items, double variances, double variance)
{
    if (items < 2)
        return unknown(N_("fewer than 2 questions"));
    if (variance <= 0)
        return unknown(flat);
    return known((double)items / (items - 1) * (1 - variances / variance));
}

static void item_figures(struct work *work, int item, double variances, struct item_figures *figures)
{
    const struct marks_table *table = work->table;
    int count = table->sittings;
    take_item(work, item);
    figures->facility = known(100 * mean_of(work->marks, count) / table->maxima[item]);
    figures->discrimination = table->items < 2 ? unknown(N_("fewer than 2 questions"))
                                               : statistics_correlation(work->marks, work->rest, count);
    figures->discriminative_efficiency =
        table->items < 2 ? unknown(N_("fewer than 2 questions"))
                         : efficiency(work->marks, work->rest, work->sorted, work->sorted_rest, count);
    double own = products(work->marks, work->marks, count) / (count - 1);
    double rest = products(work->rest, work->rest, count) / (count - 1);
    figures->alpha_if_deleted = table->items < 3 ? unknown(N_("fewer than 3 questions"))
                                : varies(work->rest, count)
                                    ? alpha_of(table->items - 1, variances - own, rest)
                                    : unknown(flat);
}

/* Moodle's effective weight: of the covariances with the total, the share of their roots. */
static void effective_weights(struct work *work, struct item_figures *figures)
{
    const struct marks_table *table = work->table;
    double sum = 0;
    for (int i = 0; i < table->items; i++) {
        take_item(work, i);
        double covariance = products(work->marks, work->totals, table->sittings) / (table->sittings - 1);
        figures[i].effective_weight =
            covariance < 0 ? unknown(N_("it goes against the total")) : known(sqrt(covariance));
        sum += covariance < 0 ? 0 : sqrt(covariance);
    }
    for (int i = 0; i < table->items; i++) {
        struct figure *weight = &figures[i].effective_weight;
        if (weight->known)
            *weight = sum > 0 ? known(100 * weight->value / sum) : unknown(flat);
    }
}

/* Unbiased third and fourth cumulants (Kenney and Keeping, "Mathematics of Statistics" 1, 1962, 7.10). */
static void shape(const double *totals, int count, struct test_figures *test)
{
    double mean = mean_of(totals, count), n = count, m2 = 0, m3 = 0, m4 = 0;
    for (int i = 0; i < count; i++) {
        double away = totals[i] - mean, square = away * away;
        m2 += square / n;
        m3 += square * away / n;
        m4 += square * square / n;
    }
    double k2 = n * m2 / (n - 1), k3 = n * n * m3 / ((n - 1) * (n - 2));
    test->skewness = known(k3 / pow(k2, 1.5));
    if (count < 4) {
        test->kurtosis = unknown(N_("fewer than 4 sittings"));
        return;
    }
    double k4 = n * n * ((n + 1) * m4 - 3 * (n - 1) * m2 * m2) / ((n - 1) * (n - 2) * (n - 3));
    test->kurtosis = known(k4 / (k2 * k2));
}

static void test_figures(struct work *work, double variances, struct test_figures *test)
{
    const struct marks_table *table = work->table;
    int count = table->sittings;
    double variance = products(work->totals, work->totals, count) / (count - 1);
    test->mean = known(mean_of(work->totals, count));
    for (int i = 0; i < count; i++)
        work->sorted[i] = work->totals[i];
    qsort(work->sorted, (size_t)count, sizeof *work->sorted, ascending);
    test->median = known((work->sorted[(count - 1) / 2] + work->sorted[count / 2]) / 2);
    test->deviation = known(sqrt(variance));
    if (!varies(work->totals, count)) {
        test->alpha = test->error_ratio = test->standard_error = test->skewness = test->kurtosis =
            unknown(flat);
        return;
    }
    struct figure alpha = alpha_of(table->items, variances, variance);
    test->alpha = alpha.known ? known(100 * alpha.value) : alpha;
    test->error_ratio = alpha.known ? known(100 * sqrt(1 - alpha.value)) : alpha;
    test->standard_error = alpha.known ? known(sqrt(1 - alpha.value) * sqrt(variance)) : alpha;
    shape(work->totals, count, test);
}

static void all_unknown(const struct marks_table *table, struct item_figures *figures,
                        struct test_figures *test)
{
    struct figure none = unknown(few);
    for (int i = 0; i < table->items; i++)
        figures[i] = (struct item_figures){ none, none, none, none, none };
    *test = (struct test_figures){ none, none, none, none, none, none, none, none };
}

bool statistics_items(const struct marks_table *table, struct item_figures *figures,
                      struct test_figures *test)
{
    ptrdiff_t count = table->sittings;
    if (count < 3 || table->items < 1) {
        all_unknown(table, figures, test);
        return true;
    }
    double *room = memory_alloc(5 * count * (ptrdiff_t)sizeof *room), variances = 0;
    if (!room)
        return false;
    struct work work = { table, room, room + count, room + 2 * count, room + 3 * count, room + 4 * count };
    for (ptrdiff_t i = 0; i < count; i++)
        work.totals[i] = 0;
    for (int k = 0; k < table->items; k++) {
        take_item(&work, k);
        for (ptrdiff_t i = 0; i < count; i++)
            work.totals[i] += work.marks[i];
    }
    for (int i = 0; i < table->items; i++) {
        take_item(&work, i);
        variances += products(work.marks, work.marks, table->sittings) / (table->sittings - 1);
    }
    for (int i = 0; i < table->items; i++)
        item_figures(&work, i, variances, &figures[i]);
    effective_weights(&work, figures);
    test_figures(&work, variances, test);
    memory_free(room);
    return true;
}
