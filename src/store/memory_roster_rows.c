/* The roster of the store in memory, as rows. */
#include "memory_rows.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *one, const void *other)
{
    const struct memory_learner *const *a = one, *const *b = other;
    int order = strcmp((*a)->key, (*b)->key);
    return order ? order : memcmp(&(*a)->id, &(*b)->id, sizeof(struct uuid));
}

static int by_group(const void *one, const void *other)
{
    const struct memory_member *const *a = one, *const *b = other;
    return strcmp((*a)->key, (*b)->key);
}

static struct store_value last_at(const struct memory_store *store, const struct uuid *learner)
{
    struct store_value last = store_value_null();
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        if (uuid_equal(&attempt->learner, learner) &&
            (last.type == VALUE_NULL || attempt->answered_at > last.integer))
            last = store_value_integer(attempt->answered_at);
    }
    return last;
}

/* A row for each of the learner's groups, one where there is none. */
static bool add_rows(struct answering *of, const struct memory_learner *learner,
                     const struct memory_member **members)
{
    const struct memory_store *store = of->store;
    ptrdiff_t count = 0;
    for (ptrdiff_t i = 0; i < store->member_count; i++)
        if (uuid_equal(&store->members[i].learner, &learner->id))
            members[count++] = &store->members[i];
    qsort(members, (size_t)count, sizeof(const struct memory_member *), by_group);
    for (ptrdiff_t i = 0; i < (count ? count : 1); i++) {
        struct store_value cells[] = { store_value_uuid(&learner->id),
                                       store_value_text(learner->name),
                                       store_value_text(learner->login),
                                       store_value_text(learner->external_id),
                                       memory_real(learner->time_factor),
                                       store_value_integer(learner->plain),
                                       store_value_text(count ? members[i]->name : NULL),
                                       last_at(store, &learner->id) };
        if (!memory_add_row(of, cells))
            return false;
    }
    return true;
}

bool memory_roster_rows(struct answering *of)
{
    const struct memory_store *store = of->store;
    const struct memory_learner **learners = arena_alloc(
        &of->rows->arena, (store->learner_count + 1) * (ptrdiff_t)sizeof(const struct memory_learner *));
    const struct memory_member **members = arena_alloc(
        &of->rows->arena, (store->member_count + 1) * (ptrdiff_t)sizeof(const struct memory_member *));
    if (!learners || !members)
        return error_memory(of->error);
    for (ptrdiff_t i = 0; i < store->learner_count; i++)
        learners[i] = &store->learners[i];
    qsort(learners, (size_t)store->learner_count, sizeof(const struct memory_learner *), by_name);
    for (ptrdiff_t i = 0; i < store->learner_count; i++)
        if (!add_rows(of, learners[i], members))
            return false;
    return true;
}
