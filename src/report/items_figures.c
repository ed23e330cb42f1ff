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
    int *row_of;    /* of each sitting among the complete ones, −1: it is not complete */
    const struct item **columns;
    double *maxima;
    double *chosen, *rest; /* or shares, and the rest score of each */
    int32_t *times;
};

/* Where an item's entries are read. */
struct place {
    const struct item_chunk *chunk;
    int at;
    uint32_t sitting; /* of the entry before */
};

/* A sitting's entries of one item: several only where all attempts are used. */
struct run {
    struct place next, from; /* from: where they begin */
    int sitting, count;
    double share; /* their mean */
};

static void run_start(struct run *run, const struct item *item)
{
    *run = (struct run){ .next = { .chunk = item->first } };
}

static uint32_t get(struct place *place)
{
    uint32_t number = 0;
    for (int shift = 0;; shift += 7) {
        unsigned char byte = place->chunk->bytes[place->at++];
        number |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return number;
    }
}

/* Reads the next entry; false at the end. */
static bool entry_next(struct place *place, struct item_entry *entry)
{
    if (place->chunk && place->at == place->chunk->length) {
        place->chunk = place->chunk->next;
        place->at = 0;
    }
    if (!place->chunk)
        return false;
    entry->sitting = place->sitting += get(place);
    entry->value = get(place);
    entry->elapsed_ms = (int32_t)(get(place) - 1);
    return true;
}

static bool run_next(struct run *run, const struct items *items)
{
    struct item_entry entry;
    struct place ahead = run->next;
    if (!entry_next(&ahead, &entry))
        return false;
    run->from = run->next;
    run->sitting = (int)entry.sitting;
    run->count = 0;
    double sum = 0;
    do {
        sum += items->values[entry.value].share;
        run->count++;
        run->next = ahead;
    } while (entry_next(&ahead, &entry) && (int)entry.sitting == run->sitting);
    run->share = sum / run->count;
    return true;
}

/* What share of the run's answers were this one. */
static double run_chose(const struct run *run, const struct items *items, const struct item *item, int answer)
{
    struct place place = run->from;
    struct item_entry entry;
    int chose = 0;
    for (int i = 0; i < run->count && entry_next(&place, &entry); i++) {
        uint32_t given = items->values[entry.value].answer;
        chose += item->several ? (int)(given >> answer & 1) : given == (uint32_t)answer + 1;
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

/* Which rows the complete sittings are, which items the columns, and what each sitting's total is. */
static bool lay_out(struct figuring *is)
{
    struct items *items = is->items;
    ptrdiff_t columns = items->newest_count;
    is->row_of = memory_alloc((items->sitting_count + 1) * (ptrdiff_t)sizeof *is->row_of);
    is->columns = memory_alloc(columns * (ptrdiff_t)sizeof *is->columns);
    is->maxima = memory_alloc(columns * (ptrdiff_t)sizeof *is->maxima);
    is->totals = memory_zero((items->sitting_count + 1) * (ptrdiff_t)sizeof *is->totals);
    if (!is->row_of || !is->columns || !is->maxima || !is->totals)
        return false;
    for (int i = 0, row = 0; i < items->sitting_count; i++)
        is->row_of[i] = is->sittings[i].items == items->newest_count ? row++ : -1;
    for (int i = 0, column = 0; i < items->count; i++) {
        struct run run;
        const struct item *item = items->items[i];
        if (!item_is_newest(items, i))
            continue;
        for (run_start(&run, item); run_next(&run, items);)
            if (is->row_of[run.sitting] >= 0)
                is->totals[run.sitting] += run.share * item->marks;
        is->columns[column] = item;
        is->maxima[column++] = item->marks;
    }
    return true;
}

static void read_column(void *context, int column, double *marks)
{
    const struct figuring *is = context;
    const struct item *item = is->columns[column];
    struct run run;
    for (run_start(&run, item); run_next(&run, is->items);)
        if (is->row_of[run.sitting] >= 0)
            marks[is->row_of[run.sitting]] = run.share * item->marks;
}

static bool figure_complete(struct figuring *is)
{
    struct items *items = is->items;
    struct item_figures *figures = memory_alloc((ptrdiff_t)items->newest_count * (ptrdiff_t)sizeof *figures);
    bool done = figures && lay_out(is);
    if (done) {
        struct marks_table table = { .sittings = (int)items->complete_count,
                                     .items = items->newest_count,
                                     .maxima = is->maxima,
                                     .column = read_column,
                                     .context = is };
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

/* By the mean share of others. */
static bool figure_pairs(struct figuring *is, struct item *item)
{
    struct items *items = is->items;
    struct run run;
    int count = 0;
    for (run_start(&run, item); run_next(&run, items);) {
        double rest = rest_of(is, item, false, run.sitting, run.share);
        if (isnan(rest))
            continue;
        is->chosen[count] = run.share;
        is->rest[count++] = rest;
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
    return count < LEAST_SITTINGS ||
           statistics_item(is->chosen, is->rest, count, &item->figures.discrimination,
                           &item->figures.discriminative_efficiency);
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
            is->chosen[count] = run_chose(&run, is->items, item, i);
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
    struct place place = { .chunk = item->first };
    struct item_entry entry;
    int count = 0;
    while (entry_next(&place, &entry))
        if (entry.elapsed_ms >= 0)
            is->times[count++] = entry.elapsed_ms;
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
    is->chosen = memory_alloc(sittings * (ptrdiff_t)sizeof *is->chosen);
    is->rest = memory_alloc(sittings * (ptrdiff_t)sizeof *is->rest);
    is->times = memory_alloc(most * (ptrdiff_t)sizeof *is->times);
    return is->sittings && is->own && is->chosen && is->rest && is->times;
}

bool items_figure(struct items *items)
{
    struct figuring is = { .items = items };
    bool done = make_room(&is);
    if (done)
        sum_sittings(&is);
    if (done && items->complete)
        done = figure_complete(&is);
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
    memory_free(is.row_of);
    memory_free(is.columns);
    memory_free(is.maxima);
    memory_free(is.chosen);
    memory_free(is.rest);
    memory_free(is.times);
    arena_finish(&items->chunks); /* before the rows are made, which take as much */
    for (int i = 0; i < items->count; i++)
        items->items[i]->first = items->items[i]->last = NULL;
    return done;
}
