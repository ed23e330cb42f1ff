/*
 * The figures of items. With at least 3 sittings complete over the newest items: Moodle's formulas on those
 * (statistics.h). Otherwise the rest score of an answer is the mean share over the learner's other items, at
 * least ITEM_OTHERS of them; items of older revisions always have that one.
 */
#include "item.h"

#include <quiztutor/message.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAST_SITTINGS = 3 };

struct sitting {
    double shares; /* sum over newest items */
    int items;
};

struct figuring {
    struct items *items;
    struct sitting *sittings;
    double *own;    /* of one question: its newest item's share in each sitting, NAN: not presented */
    double *totals; /* of complete sittings, in marks */
    double *table;  /* marks of complete sittings */
    double *maxima;
    double *pairs; /* share and rest score, one pair behind the other */
    double *chosen, *rest;
    int32_t *times;
};

/* A sitting's entries of one item: several only where all attempts are used. */
struct run {
    const struct item_chunk *chunk;
    int at;
    int sitting, count;
    double share;                  /* their mean */
    const struct item_chunk *from; /* where they begin */
    int from_at;
};

static void run_start(struct run *run, const struct item *item)
{
    *run = (struct run){ .chunk = item->first };
}

static const struct item_entry *entry_at(const struct item_chunk **chunk, int *at)
{
    while (*chunk && *at >= (*chunk)->count) {
        *chunk = (*chunk)->next;
        *at = 0;
    }
    return *chunk ? &(*chunk)->entries[*at] : NULL;
}

static bool run_next(struct run *run, const struct items *items)
{
    const struct item_entry *entry = entry_at(&run->chunk, &run->at);
    if (!entry)
        return false;
    run->from = run->chunk;
    run->from_at = run->at;
    run->sitting = (int)entry->sitting;
    run->count = 0;
    double sum = 0;
    while (entry && (int)entry->sitting == run->sitting) {
        sum += items->values[entry->value];
        run->count++;
        run->at++;
        entry = entry_at(&run->chunk, &run->at);
    }
    run->share = sum / run->count;
    return true;
}

/* What share of the run's answers were this one. */
static double run_chose(const struct run *run, const struct item *item, int answer)
{
    const struct item_chunk *chunk = run->from;
    int at = run->from_at, chose = 0;
    for (int i = 0; i < run->count; i++, at++) {
        const struct item_entry *entry = entry_at(&chunk, &at);
        chose += item->several ? (int)(entry->answer >> answer & 1) : entry->answer == (uint32_t)answer + 1;
    }
    return (double)chose / run->count;
}

static void sum_sittings(struct figuring *is)
{
    struct items *items = is->items;
    struct run run;
    for (int i = 0; i < items->count; i++) {
        if (!item_is_newest(items, i))
            continue;
        for (run_start(&run, items->items[i]); run_next(&run, items);) {
            is->sittings[run.sitting].shares += run.share;
            is->sittings[run.sitting].items++;
        }
    }
    for (int i = 0; i < items->sitting_count; i++)
        items->complete_count += is->sittings[i].items == items->newest_count;
    items->complete = items->newest_count > 0 && items->complete_count >= LEAST_SITTINGS;
}

/* ---- complete sittings ---- */

static bool fill_table(struct figuring *is)
{
    struct items *items = is->items;
    ptrdiff_t rows = items->complete_count, columns = items->newest_count;
    int *row_of = memory_alloc((items->sitting_count + 1) * (ptrdiff_t)sizeof *row_of);
    is->table = rows > PTRDIFF_MAX / 16 / columns
                    ? NULL
                    : memory_alloc(rows * columns * (ptrdiff_t)sizeof *is->table);
    is->maxima = memory_alloc(columns * (ptrdiff_t)sizeof *is->maxima);
    is->totals = memory_zero((items->sitting_count + 1) * (ptrdiff_t)sizeof *is->totals);
    bool done = row_of && is->table && is->maxima && is->totals;
    for (int i = 0, row = 0; done && i < items->sitting_count; i++)
        row_of[i] = is->sittings[i].items == items->newest_count ? row++ : -1;
    for (int i = 0, column = 0; done && i < items->count; i++) {
        struct run run;
        const struct item *item = items->items[i];
        if (!item_is_newest(items, i))
            continue;
        for (run_start(&run, item); run_next(&run, items);) {
            if (row_of[run.sitting] < 0)
                continue;
            is->table[row_of[run.sitting] * columns + column] = run.share * item->marks;
            is->totals[run.sitting] += run.share * item->marks;
        }
        is->maxima[column++] = item->marks;
    }
    memory_free(row_of);
    return done;
}

static bool figure_complete(struct figuring *is)
{
    struct items *items = is->items;
    struct item_figures *figures = memory_alloc((ptrdiff_t)items->newest_count * (ptrdiff_t)sizeof *figures);
    bool done = figures && fill_table(is);
    if (done) {
        struct marks_table table = { (int)items->complete_count, items->newest_count, is->table, is->maxima };
        done = statistics_items(&table, figures, &items->test);
    }
    for (int i = 0, column = 0; done && i < items->count; i++)
        if (item_is_newest(items, i)) {
            items->items[i]->figures = figures[column++];
            items->items[i]->sittings = items->complete_count;
        }
    memory_free(figures);
    return done;
}

/* ---- rest scores ---- */

static void take_own(struct figuring *is, const struct item *item)
{
    struct items *items = is->items;
    struct run run;
    for (int i = 0; i < items->sitting_count; i++)
        is->own[i] = NAN;
    for (run_start(&run, items->items[item->newest]); run_next(&run, items);)
        is->own[run.sitting] = run.share;
}

/* Rest score of a sitting for the item that take_own was told of; NAN: it has none. */
static double rest_of(const struct figuring *is, const struct item *item, bool complete, int sitting,
                      double share)
{
    const struct sitting *sums = &is->sittings[sitting];
    double own = is->own[sitting];
    if (complete)
        return sums->items == is->items->newest_count ? is->totals[sitting] - share * item->marks : NAN;
    int others = sums->items - !isnan(own);
    return others < ITEM_OTHERS ? NAN : (sums->shares - (isnan(own) ? 0 : own)) / others;
}

static struct figure unavailable(const char *why)
{
    return (struct figure){ .why = why };
}

/* By the mean share of others: a table of two columns, whose second is the rest score. */
static bool figure_pairs(struct figuring *is, struct item *item)
{
    struct items *items = is->items;
    struct item_figures figures[2];
    struct test_figures test;
    struct run run;
    int count = 0;
    static const double maxima[2] = { 1, 1 };
    for (run_start(&run, item); run_next(&run, items);) {
        double rest = rest_of(is, item, false, run.sitting, run.share);
        if (isnan(rest))
            continue;
        is->pairs[2 * count] = run.share;
        is->pairs[2 * count++ + 1] = rest;
    }
    item->sittings = count;
    struct figure none = unavailable(item->count < LEAST_SITTINGS
                                         ? N_("fewer than 3 attempts")
                                         : N_("fewer than 3 learners answered it and 3 other questions")),
                  other =
                      unavailable(items->sitting_count < LEAST_SITTINGS
                                      ? N_("fewer than 3 sittings")
                                      : N_("different items were shown: fewer than 3 sittings are complete"));
    if (items->complete)
        other = unavailable(N_("an older revision: it is in no complete sitting"));
    item->figures = (struct item_figures){ none, none, none, other, other };
    if (count < LEAST_SITTINGS)
        return true;
    struct marks_table table = { count, 2, is->pairs, maxima };
    if (!statistics_items(&table, figures, &test))
        return false;
    item->figures.discrimination = figures[0].discrimination;
    item->figures.discriminative_efficiency = figures[0].discriminative_efficiency;
    return true;
}

static void correlate_answers(struct figuring *is, struct item *item, bool complete)
{
    for (int i = 0; i < item->answer_count; i++) {
        struct run run;
        int count = 0;
        for (run_start(&run, item); run_next(&run, is->items);) {
            double rest = rest_of(is, item, complete, run.sitting, run.share);
            if (isnan(rest))
                continue;
            is->chosen[count] = run_chose(&run, item, i);
            is->rest[count++] = rest;
        }
        item->answers[i].correlation = item->answers[i].chosen == 0 ? unavailable(N_("nobody chose it"))
                                       : complete && is->items->newest_count < 2
                                           ? unavailable(N_("fewer than 2 questions"))
                                           : statistics_correlation(is->chosen, is->rest, count);
    }
}

static int earlier(const void *one, const void *other)
{
    int32_t a = *(const int32_t *)one, b = *(const int32_t *)other;
    return (a > b) - (a < b);
}

static void median_time(struct figuring *is, struct item *item)
{
    const struct item_chunk *chunk = item->first;
    int at = 0, count = 0;
    for (const struct item_entry *entry; (entry = entry_at(&chunk, &at)); at++)
        if (entry->elapsed_ms >= 0)
            is->times[count++] = entry->elapsed_ms;
    if (!count)
        return;
    qsort(is->times, (size_t)count, sizeof *is->times, earlier);
    item->median_ms = ((int64_t)is->times[(count - 1) / 2] + is->times[count / 2]) / 2;
}

static bool make_room(struct figuring *is)
{
    ptrdiff_t sittings = is->items->sitting_count + 1, most = 1;
    for (int i = 0; i < is->items->count; i++)
        most = is->items->items[i]->count > most ? is->items->items[i]->count : most;
    is->sittings = memory_zero(sittings * (ptrdiff_t)sizeof *is->sittings);
    is->own = memory_alloc(sittings * (ptrdiff_t)sizeof *is->own);
    is->pairs = memory_alloc(2 * sittings * (ptrdiff_t)sizeof *is->pairs);
    is->chosen = memory_alloc(sittings * (ptrdiff_t)sizeof *is->chosen);
    is->rest = memory_alloc(sittings * (ptrdiff_t)sizeof *is->rest);
    is->times = memory_alloc(most * (ptrdiff_t)sizeof *is->times);
    return is->sittings && is->own && is->pairs && is->chosen && is->rest && is->times;
}

bool items_figure(struct items *items)
{
    struct figuring is = { .items = items };
    bool done = make_room(&is);
    if (done)
        sum_sittings(&is);
    if (done && items->complete)
        done = figure_complete(&is);
    memory_free(is.table); /* the largest by far */
    is.table = NULL;
    for (int i = 0; done && i < items->count; i++) {
        struct item *item = items->items[i];
        bool complete = items->complete && item_is_newest(items, i);
        take_own(&is, item);
        done = complete || figure_pairs(&is, item);
        if (!done)
            break;
        correlate_answers(&is, item, complete);
        median_time(&is, item);
        item_raise_flags(items, item);
    }
    memory_free(is.sittings);
    memory_free(is.own);
    memory_free(is.totals);
    memory_free(is.maxima);
    memory_free(is.pairs);
    memory_free(is.chosen);
    memory_free(is.rest);
    memory_free(is.times);
    return done;
}
