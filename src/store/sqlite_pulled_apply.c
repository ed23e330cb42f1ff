/* What was pulled, taken over into the store. */
#include "sqlite_applying.h"
#include "store_file.h"

#include <string.h>

/* Up to which change of which server the store has it. */
static bool read_noted(struct sqlite_store *store, struct uuid *server, int64_t *version, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, "SELECT server, version FROM pulled WHERE one = 1", -1,
                                    &statement, NULL);
    *version = 0;
    memset(server, 0, sizeof *server);
    int found = result == SQLITE_OK ? sqlite_look_up(store, statement, error) : -1;
    if (result != SQLITE_OK)
        sqlite_error(store, result, error);
    if (found > 0) {
        sqlite_read_uuid(statement, 0, server);
        *version = sqlite3_column_int64(statement, 1);
    }
    sqlite3_finalize(statement);
    return found >= 0;
}

static bool read_left(struct applying *applying)
{
    struct sqlite_store *store = applying->store;
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, "SELECT learner_id FROM pulled_left ORDER BY learner_id", -1,
                                    &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(store, result, applying->error);
    int found = 0;
    while (done && (found = sqlite_look_up(store, statement, applying->error)) > 0) {
        done = memory_grow(&applying->left, &applying->left_room, applying->left_count + 1,
                           sizeof *applying->left) ||
               error_memory(applying->error);
        if (done)
            sqlite_read_uuid(statement, 0, &applying->left[applying->left_count++]);
    }
    sqlite3_finalize(statement);
    return done && found >= 0;
}

/* Whether there is anything to do. 1, 0, −1. */
static int is_behind(struct applying *applying)
{
    struct uuid server;
    int64_t version, items;
    int result = pulled_read_mark(applying->db, &applying->mark, &items);
    if (result != SQLITE_OK) {
        pulled_refuse(applying->store_path, result, 0, applying->error);
        return -1;
    }
    if (!read_noted(applying->store, &server, &version, applying->error) || !read_left(applying))
        return -1;
    applying->applied->version = version;
    applying->applied->left_out = applying->left_count;
    bool same = uuid_equal(&server, &applying->mark.server);
    /* what another server said, or the same one before it was set back, is no beginning */
    applying->since = same && version <= applying->mark.version ? version : 0;
    if (same && version == applying->mark.version)
        return applying->left_count ? applying_left_can(applying) : 0;
    return same || applying->mark.version > 0;
}

static bool apply(struct applying *applying)
{
    int behind = is_behind(applying);
    if (behind <= 0)
        return behind == 0;
    int result = pulled_check(applying->db);
    if (result != SQLITE_OK)
        return pulled_refuse(applying->store_path, result, 0, applying->error);
    applying->applied->left_out = 0;
    if (!applying_erase(applying) || !applying_merge(applying) || !applying_roster(applying))
        return false;
    if (!applying->applied->waiting)
        applying->applied->version = applying->mark.version;
    return true;
}

bool pulled_apply(struct store *base, const char *store_path, struct pulled_applied *applied, bool *changed,
                  struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct error own;
    struct applying applying = {
        .store = store, .store_path = store_path, .applied = applied, .error = error ? error : &own
    };
    *applied = (struct pulled_applied){ 0 };
    *changed = false;
    if (base->ops != &sqlite_store_ops || store->read_only ||
        store_file_is_missing(store->path, PULLED_ENDING))
        return true;
    int found = pulled_reader_open(&applying.db, store_path, applying.error);
    bool done = found > 0 ? apply(&applying) : found == 0;
    *changed = applying.changed;
    applying_finish(&applying);
    return done;
}

bool pulled_left(struct store *base, const char *store_path, pulled_left_visit *visit, void *context,
                 struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct pulled_applied applied = { 0 };
    struct applying applying = {
        .store = store, .store_path = store_path, .applied = &applied, .error = error
    };
    sqlite3_stmt *statement = NULL;
    struct arena arena;
    if (base->ops != &sqlite_store_ops)
        return true;
    int found = pulled_reader_open(&applying.db, store_path, error);
    if (found <= 0)
        return found == 0;
    arena_init(&arena);
    int result = sqlite3_prepare_v2(store->db, "SELECT learner_id, why FROM pulled_left ORDER BY learner_id",
                                    -1, &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(store, result, error), going = true;
    found = 0;
    while (done && going && (found = sqlite_look_up(store, statement, error)) > 0) {
        struct pulled_learner learner = { .entry = { .name = NULL } };
        struct uuid id;
        const char *why = (const char *)sqlite3_column_text(statement, 1);
        sqlite_read_uuid(statement, 0, &id);
        done = why ? pulled_learner_find(&applying, &id, &arena, &learner) >= 0 : error_memory(error);
        going = done && visit(context, &id, learner.entry.name, why);
    }
    sqlite3_finalize(statement);
    applying_finish(&applying);
    arena_finish(&arena);
    return done && found >= 0;
}
