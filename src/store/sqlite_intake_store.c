/* Another store taken in: the whole of its log, or nothing. */
#include "sqlite_merging.h"

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
