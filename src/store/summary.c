#include "summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int64_t whole(double share)
{
    return llround(share * (double)SUMMARY_WHOLE);
}

void sums_add(struct summary_sums *sums, const struct fold *fold, int sign)
{
    const struct summary *summary = &fold->summary;
    if (!fold->is.seen)
        return;
    sums->questions += sign;
    sums->attempts += sign * (int64_t)fold->is.counted;
    if (summary->first) {
        sums->firsts[summary->first_outcome] += sign;
        sums->shares += sign * whole(summary->first_share);
    }
    sums->elapsed_ms += sign * summary->elapsed_ms;
    sums->mastered += sign * (int64_t)summary->mastered;
    sums->stuck += sign * (int64_t)(summary->misses >= SUMMARY_STUCK);
}

bool sums_are_zero(const struct summary_sums *sums)
{
    static const struct summary_sums zero;
    return memcmp(sums, &zero, sizeof zero) == 0;
}

void span_start(struct summary_span *span)
{
    *span = (struct summary_span){ INT64_MAX, INT64_MIN };
}

void span_add(struct summary_span *span, const struct fold *fold)
{
    if (!fold->is.seen)
        return;
    span->first = fold->summary.first_at < span->first ? fold->summary.first_at : span->first;
    span->last = fold->is.answered_at > span->last ? fold->is.answered_at : span->last;
}

void day_of(struct summary_day *day, const struct fold *fold, const struct fold_answer *answer,
            int day_starts)
{
    const struct grading *graded = &answer->graded;
    int64_t at = answer->at < -SCHEDULE_LATEST  ? -SCHEDULE_LATEST
                 : answer->at > SCHEDULE_LATEST ? SCHEDULE_LATEST
                                                : answer->at;
    bool given = answer->outcome != OUTCOME_OMITTED;
    bool first = !fold->is.seen && !answer->helped && !graded->voided;
    *day = (struct summary_day){
        .day = clock_day(at, answer->utc_offset_s, day_starts),
        .attempts = 1,
        .given = given,
        .right = given && !graded->voided && graded->outcome == OUTCOME_RIGHT,
        .firsts = first,
        .shares = first ? whole(grading_share(graded)) : 0,
        .elapsed_ms = answer->elapsed_ms > 0 ? answer->elapsed_ms : 0,
        .fresh = given && fold->summary.given == 0,
    };
}

bool days_add(struct summary_days *days, const struct summary_day *change, int sign)
{
    ptrdiff_t low = 0, high = days->count;
    while (low < high) {
        ptrdiff_t middle = low + (high - low) / 2;
        if (days->items[middle].day < change->day)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == days->count || days->items[low].day != change->day) {
        if (!memory_grow(&days->items, &days->capacity, days->count + 1, sizeof *days->items))
            return false;
        memmove(days->items + low + 1, days->items + low, (size_t)(days->count - low) * sizeof *days->items);
        days->items[low] = (struct summary_day){ .day = change->day };
        days->count++;
    }
    struct summary_day *day = &days->items[low];
    day->attempts += sign * change->attempts;
    day->given += sign * change->given;
    day->right += sign * change->right;
    day->firsts += sign * change->firsts;
    day->shares += sign * change->shares;
    day->elapsed_ms += sign * change->elapsed_ms;
    day->fresh += sign * change->fresh;
    return true;
}

void days_finish(struct summary_days *days)
{
    memory_free(days->items);
    memset(days, 0, sizeof *days);
}

bool ids_add(struct summary_ids *ids, const struct uuid *id)
{
    if (ids->count && uuid_equal(&ids->items[ids->count - 1], id))
        return true;
    if (!memory_grow(&ids->items, &ids->capacity, ids->count + 1, sizeof *ids->items))
        return false;
    ids->items[ids->count++] = *id;
    return true;
}

static int compare_ids(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct uuid));
}

void ids_settle(struct summary_ids *ids)
{
    ptrdiff_t kept = 0;
    if (ids->count)
        qsort(ids->items, (size_t)ids->count, sizeof *ids->items, compare_ids);
    for (ptrdiff_t i = 0; i < ids->count; i++) {
        if (i == 0 || !uuid_equal(&ids->items[i], &ids->items[kept - 1]))
            ids->items[kept++] = ids->items[i];
    }
    ids->count = kept;
}

void ids_finish(struct summary_ids *ids)
{
    memory_free(ids->items);
    memset(ids, 0, sizeof *ids);
}
