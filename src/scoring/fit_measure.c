/* How well parameters predict answers: log loss, RMSE over bins, area under the ROC curve. */
#include <quiztutor/fit.h>
#include <quiztutor/memory.h>

#include <math.h>
#include <stdlib.h>

#define SURE 1e-9 /* no chance is told as 0 or 1, whatever the parameters */

struct prediction {
    double chance;
    bool recalled;
};

/* The bins of the srs-benchmark's RMSE(bins): by days in powers of 3.62, by the number of the answer among
 * those a day or more apart in powers of 1.89, by lapses so far in powers of 1.73. */
enum { BINS_DAYS = 10, BINS_NUMBER = 35, BINS_LAPSES = 41, BINS = BINS_DAYS * BINS_NUMBER * BINS_LAPSES };

struct bin {
    double chances;
    int64_t recalled, count;
};

static int power_of(double value, double base, int most)
{
    int power = (int)floor(log(value) / log(base));
    return power < most ? power : most;
}

static int bin_place(int days, int number, int lapses)
{
    int by_days = power_of(days, 3.62, BINS_DAYS - 1);
    int by_number = power_of(number, 1.89, BINS_NUMBER - 1);
    int by_lapses = lapses ? 1 + power_of(lapses, 1.73, BINS_LAPSES - 2) : 0;
    return (by_days * BINS_NUMBER + by_number) * BINS_LAPSES + by_lapses;
}

struct measure {
    const struct fsrs_parameters *parameters;
    int64_t since, until;
    struct prediction *predictions;
    int64_t count;
    struct bin *bins;
    double loss;
};

static void measure_take(struct measure *measure, double chance, bool recalled, int place)
{
    chance = chance > SURE ? chance : SURE; /* not a number as well */
    chance = chance < 1 - SURE ? chance : 1 - SURE;
    measure->predictions[measure->count++] = (struct prediction){ chance, recalled };
    measure->loss -= recalled ? log(chance) : log1p(-chance);
    measure->bins[place].chances += chance;
    measure->bins[place].recalled += recalled;
    measure->bins[place].count++;
}

static void measure_history(struct measure *measure, const struct fit_history *history)
{
    struct fsrs_memory memory = { 0 };
    bool begun = false;
    int number = 1, lapses = 0;
    for (int i = 0; i < history->count; i++) {
        const struct fit_answer *answer = &history->answers[i];
        int days = answer->days < 0 ? 0 : answer->days > FSRS_LONGEST ? FSRS_LONGEST : answer->days;
        if (answer->grade < GRADE_AGAIN || answer->grade > GRADE_EASY)
            continue;
        if (begun && days > 0) {
            number++;
            if (answer->at >= measure->since && answer->at < measure->until)
                measure_take(measure, fsrs_retrievability(measure->parameters, memory.stability, days),
                             answer->grade > GRADE_AGAIN, bin_place(days, number, lapses));
            lapses += answer->grade == GRADE_AGAIN;
        }
        memory = begun ? fsrs_next(measure->parameters, memory, answer->grade, days)
                       : fsrs_first(measure->parameters, answer->grade);
        begun = true;
    }
}

static int compare_predictions(const void *one, const void *other)
{
    const struct prediction *a = one, *b = other;
    return (a->chance > b->chance) - (a->chance < b->chance);
}

/* The chance that a recalled answer was given a higher chance than a forgotten one, ties counting half (Mann
 * and Whitney's U over the number of pairs). */
static double area(struct prediction *predictions, int64_t count)
{
    double recalled = 0, forgotten = 0, above = 0;
    qsort(predictions, (size_t)count, sizeof *predictions, compare_predictions);
    for (int64_t from = 0, to; from < count; from = to) {
        double equal[2] = { 0 };
        for (to = from; to < count && predictions[to].chance <= predictions[from].chance; to++)
            equal[predictions[to].recalled]++;
        above += equal[1] * (forgotten + equal[0] / 2);
        recalled += equal[1];
        forgotten += equal[0];
    }
    return recalled > 0 && forgotten > 0 ? above / (recalled * forgotten) : 0.5;
}

static double bins_error(const struct bin *bins, int64_t count)
{
    double sum = 0;
    for (int i = 0; i < BINS; i++) {
        double size = (double)bins[i].count;
        double away = size > 0 ? (bins[i].chances - (double)bins[i].recalled) / size : 0;
        sum += size * away * away;
    }
    return sqrt(sum / (double)count);
}

bool fit_measure(struct fit_figures *figures, const struct fsrs_parameters *parameters,
                 const struct fit_history *histories, ptrdiff_t count, int64_t since, int64_t until)
{
    struct measure measure = { .parameters = parameters, .since = since, .until = until };
    measure.predictions = memory_alloc((ptrdiff_t)sizeof *measure.predictions * fit_usable(histories, count));
    measure.bins = memory_zero((ptrdiff_t)sizeof *measure.bins * BINS);
    bool done = measure.predictions && measure.bins;
    for (ptrdiff_t h = 0; done && h < count; h++)
        measure_history(&measure, &histories[h]);
    *figures = (struct fit_figures){ .answers = measure.count, .auc = 0.5 };
    if (done && measure.count) {
        figures->log_loss = measure.loss / (double)measure.count;
        figures->rmse_bins = bins_error(measure.bins, measure.count);
        figures->auc = area(measure.predictions, measure.count);
    }
    memory_free(measure.predictions);
    memory_free(measure.bins);
    return done;
}
