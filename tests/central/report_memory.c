/* report_memory ADDRESS ROUNDS: reads the central store as reports do while the n-th allocation fails, for so
 * many n: what does not get through says that memory ran out, and leaves nothing half made. */
#include "postgres_store.h"

#include <quiztutor/central.h>
#include <quiztutor/memory.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEARNERS = 3 }; /* whose sums are to be made in each round */

static bool read_all(struct store *store, enum store_query query, const struct store_value *values, int count,
                     struct uuid *first, struct error *error)
{
    struct rows *rows;
    int found;
    if (!rows_open(&rows, store, query, values, count, error))
        return false;
    for (bool any = false; (found = rows_step(rows, error)) > 0; any = true) {
        if (first && !any)
            rows_uuid(rows, 0, first);
        for (int i = 0; i < rows->columns; i++)
            (void)rows_text(rows, i);
    }
    rows_close(rows);
    return found == 0;
}

static bool read_store(struct store *store, struct error *error)
{
    const struct store_value null = store_value_null();
    const struct store_value nulls[7] = { null, null, null, null, null, null, null };
    struct uuid learner = { { 0 } };
    struct store_learner found;
    struct store_group group;
    struct arena arena;
    const char *nearest;
    arena_init(&arena);
    bool done = (store_find_learner(store, "Nobody", &arena, &found, &nearest, error) ||
                 error->code == ERROR_NOT_FOUND) &&
                (store_find_group(store, "Lab A", &arena, &group, &nearest, error) ||
                 error->code == ERROR_NOT_FOUND) &&
                store_state_begin(store, NULL, NULL, error) &&
                read_all(store, QUERY_CLASS, nulls, 2, &learner, error);
    const struct store_value one[3] = { store_value_uuid(&learner), null, store_value_integer(20) };
    done = done && read_all(store, QUERY_STUCK, nulls, 3, NULL, error) &&
           read_all(store, QUERY_PROGRESS_PACKS, one, 1, NULL, error) &&
           read_all(store, QUERY_LEARNER_SCHEDULES, one, 1, NULL, error) &&
           read_all(store, QUERY_TEXTS_KEPT, one, 1, NULL, error) &&
           read_all(store, QUERY_MISSES, one, 3, NULL, error) &&
           read_all(store, QUERY_ATTEMPTS, nulls, 7, NULL, error) &&
           read_all(store, QUERY_ANSWERS, nulls, 7, NULL, error) &&
           read_all(store, QUERY_REPORTED, nulls, 1, NULL, error) &&
           read_all(store, QUERY_GRADED_COUNTS, nulls, 3, NULL, error) &&
           read_all(store, QUERY_PACKS, NULL, 0, NULL, error);
    store_state_end(store);
    arena_finish(&arena);
    return done;
}

/* False: all of it was done without the n-th allocation. */
static bool round_of(const char *address, struct postgres_store *other, long n, bool lone)
{
    char sql[200];
    struct error error = { .code = ERROR_NONE };
    struct store *store = NULL;
    snprintf(sql, sizeof sql,
             "INSERT INTO behind SELECT school, learner_id, 0 FROM learner_pack WHERE pack_id = ''"
             " ORDER BY learner_id LIMIT %d ON CONFLICT DO NOTHING",
             LEARNERS);
    if (!postgres_exec(other->postgres, sql, &error)) {
        fprintf(stderr, "%s\n", error.message);
        exit(1);
    }
    (lone ? memory_fail_once : memory_fail_after)(n);
    bool done = central_store_open(&store, address, NULL, &error) && read_store(store, &error);
    bool failed = memory_failed();
    memory_fail_after(0);
    if (store)
        store_close(store);
    if (!done && (!failed || error.code != ERROR_MEMORY)) {
        fprintf(stderr, "allocation %ld: %s\n", n, error.message);
        exit(1);
    }
    return failed;
}

int main(int argc, char **argv)
{
    struct error error = { .code = ERROR_NONE };
    struct store *other;
    long last = 1, rounds = argc == 3 ? atol(argv[2]) : 0;
    central_add_postgres();
    if (rounds < 1 || !hash_start() || !central_store_open(&other, argv[1], NULL, &error)) {
        fprintf(stderr, "%s\n", rounds < 1 ? "report_memory ADDRESS ROUNDS" : error.message);
        return 1;
    }
    while (round_of(argv[1], (struct postgres_store *)other, last, false))
        last *= 2;
    for (long i = 0; i < rounds; i++) { /* each of the first ones, then ever further apart */
        long n = i < rounds / 2 ? i + 1 : i + last * (i - rounds / 2) / rounds * 2;
        round_of(argv[1], (struct postgres_store *)other, n, i % 2);
    }
    store_close(other);
    printf("%ld rounds of up to %ld allocations\n", rounds, last);
    return 0;
}
