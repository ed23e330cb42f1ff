/* Learners whose sums are behind the log: brought up in batches, each a transaction in which their rows of
 * `behind` are held, so that what arrives meanwhile waits, and makes them behind again. */
#include "postgres_fold.h"

#include <stdio.h>
#include <string.h>

enum { BATCH = 200, RETRIES = 10 }; /* learners; after two that waited for one another */

/* In the order in which whoever notes them does: nobody waits in a circle. */
static const char *lock_sql(const struct postgres_scope *scope, bool skip)
{
    if (!uuid_is_zero(&scope->learner))
        return "SELECT learner_id FROM behind WHERE school = $1 AND learner_id = $3 LIMIT $2 FOR UPDATE";
    if (scope->group)
        return "SELECT behind.learner_id FROM behind WHERE school = $1 AND EXISTS(SELECT FROM member WHERE"
               " member.school = $1 AND group_key = $3 AND member.learner_id = behind.learner_id)"
               " ORDER BY learner_id LIMIT $2 FOR UPDATE OF behind";
    return skip ? "SELECT learner_id FROM behind WHERE school = $1 ORDER BY learner_id LIMIT $2 FOR UPDATE"
                  " SKIP LOCKED"
                : "SELECT learner_id FROM behind WHERE school = $1 ORDER BY learner_id LIMIT $2 FOR UPDATE";
}

static bool lock(struct postgres_store *store, const struct postgres_scope *scope, bool skip,
                 struct postgres_array *learners, struct error *error)
{
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_integer(&values, store->school);
    postgres_put_integer(&values, BATCH);
    if (!uuid_is_zero(&scope->learner))
        postgres_put_uuid(&values, &scope->learner);
    else if (scope->group)
        postgres_put_text(&values, scope->group);
    postgres_array_clear(learners);
    int found = postgres_query(&rows, store->postgres, lock_sql(scope, skip), &values, error)
                    ? postgres_step(&rows, error)
                    : -1;
    for (; found > 0; found = postgres_step(&rows, error)) {
        struct uuid learner;
        postgres_uuid(&rows, 0, &learner);
        postgres_array_uuid(learners, &learner);
    }
    postgres_rows_close(&rows);
    return found == 0;
}

static bool drop(struct postgres_store *store, const char *table, struct postgres_array *learners,
                 struct error *error)
{
    char sql[120];
    struct postgres_values values = { 0 };
    snprintf(sql, sizeof sql, "DELETE FROM %s WHERE school = $1 AND learner_id = ANY($2)", table);
    postgres_put_integer(&values, store->school);
    return postgres_put_array(&values, learners, error) &&
           postgres_run(store->postgres, sql, &values, NULL, error);
}

/* Those that were locked, in the transaction that is open. */
static bool bring_up(struct folding *folding, struct postgres_array *learners, struct error *error)
{
    struct postgres_store *store = folding->store;
    return drop(store, "schedule", learners, error) && drop(store, "learner_pack", learners, error) &&
           drop(store, "learner_day", learners, error) && postgres_folding_run(folding, learners, error) &&
           drop(store, "behind", learners, error);
}

/* Whether another try can help: two transactions waited for one another, or one was faster. */
static bool is_passing(const struct postgres_store *store)
{
    const char *state = store->postgres->state;
    return strcmp(state, "40P01") == 0 || strcmp(state, "40001") == 0 || strcmp(state, "23505") == 0;
}

/* One batch: *learners are those that it brought up. */
static bool run_batch(struct postgres_store *store, const struct postgres_scope *scope, bool skip,
                      struct postgres_array *learners, struct error *error)
{
    struct folding folding;
    if (!postgres_write_begin(store, error))
        return false;
    bool done = lock(store, scope, skip, learners, error);
    if (done && learners->count) {
        done = postgres_folding_init(&folding, store, error) && bring_up(&folding, learners, error);
        postgres_folding_finish(&folding);
    }
    return postgres_write_end(store, done, error);
}

/* Schedules that an earlier release's scheduler made are made anew. */
static bool settle_made(struct postgres_store *store, struct error *error)
{
    struct postgres_values values = { 0 };
    if (store->made == SCHEDULER_VERSION)
        return true;
    postgres_put_integer(&values, SCHEDULER_VERSION);
    if (!postgres_run(store->postgres, "SELECT outdate($1::integer)", &values, NULL, error))
        return false;
    store->made = SCHEDULER_VERSION;
    return true;
}

bool postgres_fold(struct postgres_store *store, const struct postgres_scope *scope, bool skip,
                   int64_t *count, struct error *error)
{
    struct postgres_array learners;
    int tries = 0;
    bool done = settle_made(store, error), more = true;
    postgres_array_init(&learners, POSTGRES_ID);
    while (done && more) {
        done = run_batch(store, scope, skip, &learners, error);
        if (!done && tries++ < RETRIES && is_passing(store)) {
            done = true;
            continue;
        }
        more = learners.count > 0;
        *count += done ? learners.count : 0;
    }
    postgres_array_finish(&learners);
    return done;
}

bool postgres_summaries(const char *address, int64_t *count, struct error *error)
{
    static const struct postgres_scope everybody;
    struct store *store;
    *count = 0;
    if (!postgres_store_open(&store, address, NULL, error))
        return false;
    bool done = postgres_fold((struct postgres_store *)store, &everybody, true, count, error);
    store_close(store);
    return done;
}
