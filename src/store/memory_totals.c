/* What the store in memory holds, counted, and the days it grew on. */
#include "memory_rows.h"

#include <stdlib.h>
#include <string.h>

static int64_t count_scheduled(struct answering *of, bool *done)
{
    struct memory_question *questions;
    ptrdiff_t count;
    int64_t scheduled = 0;
    *done = memory_questions(of->store, NULL, NULL, &questions, &count, of->error);
    for (ptrdiff_t i = 0; *done && i < count; i++) {
        struct fold fold;
        *done = memory_fold(of->store, &questions[i], &fold, of->error);
        scheduled += *done && fold.is.seen;
    }
    memory_free(questions);
    return scheduled;
}

bool memory_totals(struct answering *of)
{
    const struct memory_store *store = of->store;
    struct store_value first = store_value_null(), newest = store_value_null();
    int64_t undone = 0;
    bool done;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        int64_t at = store->attempts[i].answered_at;
        undone += !memory_counts(store, &store->attempts[i]);
        if (i == 0 || at < first.integer)
            first = store_value_integer(at);
        if (i == 0 || at > newest.integer)
            newest = store_value_integer(at);
    }
    int64_t scheduled = count_scheduled(of, &done);
    struct store_value cells[] = { store_value_integer(store->learner_count),
                                   store_value_integer(store->session_count),
                                   store_value_integer(store->attempt_count),
                                   store_value_integer(undone),
                                   store_value_integer(store->event_count),
                                   store_value_integer(scheduled),
                                   first,
                                   newest,
                                   store_value_integer(store->sheet_count),
                                   store_value_null() };
    return done && memory_add_row(of, cells);
}

/* By the key of the name, everyone's first. */
struct fitted {
    const char *key, *name;
    int64_t made_at;
};

static int by_key(const void *one, const void *other)
{
    const struct fitted *a = one, *b = other;
    if (!a->key || !b->key)
        return (a->key != NULL) - (b->key != NULL);
    return strcmp(a->key, b->key);
}

bool memory_fitted(struct answering *of)
{
    const struct memory_store *store = of->store;
    ptrdiff_t count = store->parameters_count;
    struct fitted *fitted = arena_alloc(&of->rows->arena, (count + 1) * (ptrdiff_t)sizeof *fitted);
    if (!fitted)
        return error_memory(of->error);
    for (ptrdiff_t i = 0; i < count; i++) {
        fitted[i].made_at = store->parameters[i].made_at;
        for (ptrdiff_t k = 0; k < store->learner_count; k++)
            if (uuid_equal(&store->learners[k].id, &store->parameters[i].learner)) {
                fitted[i].key = store->learners[k].key;
                fitted[i].name = store->learners[k].name;
            }
    }
    qsort(fitted, (size_t)count, sizeof *fitted, by_key);
    for (ptrdiff_t i = 0; i < count; i++) {
        struct store_value cells[] = { store_value_text(fitted[i].name),
                                       store_value_integer(fitted[i].made_at) };
        if (!memory_add_row(of, cells))
            return false;
    }
    return true;
}

static int by_day(const void *one, const void *other)
{
    int64_t a = ((const struct store_value *)one)->integer, b = ((const struct store_value *)other)->integer;
    return a < b ? -1 : a > b;
}

bool memory_practised(struct answering *of)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        if (!memory_is_id(&of->parameters[0], &attempt->learner) || attempt->outcome == OUTCOME_OMITTED ||
            !memory_counts(store, attempt))
            continue;
        struct store_value cell = store_value_integer(
            clock_day(attempt->answered_at, attempt->utc_offset_s, store->base.scheduling.day_starts));
        bool known = false;
        for (ptrdiff_t k = 0; k < of->rows->count && !known; k++)
            known = of->rows->cells[k].integer == cell.integer;
        if (!known && !memory_add_row(of, &cell))
            return false;
    }
    if (of->rows->count)
        qsort(of->rows->cells, (size_t)of->rows->count, sizeof *of->rows->cells, by_day);
    return true;
}
