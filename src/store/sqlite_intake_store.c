/* Another store taken in: the whole of its log, or nothing. */
#include "sqlite_merging.h"
#include "sqlite_roster.h"

#include <stdlib.h>
#include <string.h>

bool intake_log(struct intake *intake, struct elsewhere *elsewhere, struct intake_count *count,
                intake_tell *tell, void *context, bool *mine, struct error *error)
{
    struct merge merge = { .intake = intake,
                           .elsewhere = elsewhere,
                           .count = count,
                           .tell = tell,
                           .context = context,
                           .mine = mine,
                           .error = error };
    struct elsewhere_row row = { .kind = ELSEWHERE_KINDS };
    int found;
    bool done = true;
    *mine = false;
    while (done && (found = elsewhere_next(elsewhere, &row, error)) != 0)
        done = found > 0 && merge_row(&merge, &row);
    done = done && (elsewhere->one_learner || merge_sheets(&merge));
    id_map_finish(&merge.learners);
    id_map_finish(&merge.sessions);
    return done;
}

/* Looks through it first: of a damaged one nothing is taken. */
static bool take_file(struct intake *intake, const char *path, struct intake_count *count, intake_tell *tell,
                      void *context, bool *mine, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    const struct store_options options = { .clock = store->base.clock, .reading = true };
    struct store *other = NULL;
    struct elsewhere elsewhere = { 0 };
    *mine = false;
    bool done = sqlite_store_open(&other, path, &options, store->around, error) &&
                elsewhere_open(&elsewhere, (struct sqlite_store *)other, NULL, error) &&
                sqlite_check(other, error) &&
                intake_log(intake, &elsewhere, count, tell, context, mine, error);
    elsewhere_close(&elsewhere);
    if (other)
        store_close(other);
    return done;
}

enum intake_file intake_store(struct intake *intake, const char *path, struct intake_count *count,
                              intake_tell *tell, void *context, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    ptrdiff_t marks = intake->mark_count;
    bool mine = false;
    memset(count, 0, sizeof *count);
    if (!sqlite_exec(store, "SAVEPOINT file", error))
        return INTAKE_FAILED;
    bool done = take_file(intake, path, count, tell, context, &mine, error);
    if (mine)
        return INTAKE_FAILED;
    if (!done) {
        memset(count, 0, sizeof *count);
        intake->mark_count = marks;
        if (!sqlite_exec(store, "ROLLBACK TO file", NULL))
            return INTAKE_FAILED;
    }
    if (!sqlite_exec(store, "RELEASE file", done ? error : NULL))
        return INTAKE_FAILED;
    return done ? INTAKE_FILE_TAKEN : INTAKE_FILE_REFUSED;
}

static int compare_ids(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct uuid));
}

bool intake_erased(struct intake *intake, struct uuid **ids, ptrdiff_t *count, struct error *error)
{
    struct sqlite_store *store = intake->writing.store;
    sqlite3_stmt *statement = NULL;
    ptrdiff_t capacity = 0;
    int found = 0;
    *ids = NULL;
    *count = 0;
    if (!intake->mark_count)
        return true;
    qsort(intake->marks, (size_t)intake->mark_count, sizeof *intake->marks, compare_ids);
    int result = sqlite3_prepare_v2(store->db, "SELECT learner_id FROM learner WHERE merged_into IS NULL", -1,
                                    &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(store, result, error);
    while (done && (found = sqlite_look_up(store, statement, error)) > 0) {
        struct uuid id, mark;
        sqlite_read_uuid(statement, 0, &id);
        roster_mark(&mark, &id);
        if (!bsearch(&mark, intake->marks, (size_t)intake->mark_count, sizeof mark, compare_ids))
            continue;
        done = memory_grow(ids, &capacity, *count + 1, sizeof **ids) || error_memory(error);
        if (done)
            (*ids)[(*count)++] = id;
    }
    sqlite3_finalize(statement);
    return done && found == 0;
}
