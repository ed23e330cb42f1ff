/* The store that a backup becomes, made beside the present one. */
#include "sqlite_restore.h"
#include "sqlite_roster.h"
#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void remove_beside(const struct restoring *restoring, const char *ending)
{
    struct buffer path;
    buffer_init(&path);
    buffer_print(&path, "%s%s", restoring->fresh, ending);
    if (!path.failed)
        unlink(buffer_get(&path));
    buffer_finish(&path);
}

void fresh_remove(const struct restoring *restoring, bool store_too)
{
    static const char *const endings[] = { "-wal", "-shm", "-journal", "-lock", "-reserve" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        remove_beside(restoring, endings[i]);
    for (int version = 1; version < schema_current.version; version++) {
        char ending[32];
        snprintf(ending, sizeof ending, "-version-%d", version);
        remove_beside(restoring, ending);
    }
    if (store_too)
        unlink(restoring->fresh);
}

/* The backup, only to be read: as if it could not change where nothing can be written beside it. */
static int open_backup(struct restoring *restoring, sqlite3 **db)
{
    const char *path = restoring->backup, *vfs = restoring->options->vfs;
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, tables = SQLITE_OK;
    int result = sqlite3_open_v2(path, db, flags, vfs);
    if (result == SQLITE_OK)
        tables = sqlite3_exec(*db, "SELECT count(*) FROM sqlite_schema", NULL, NULL, NULL);
    if (result != SQLITE_OK || (tables & 0xff) != SQLITE_CANTOPEN || !store_file_is_empty(path, "-wal"))
        return result;
    const char *uri = store_file_uri(&restoring->arena, path);
    sqlite3_close_v2(*db);
    *db = NULL;
    return uri ? sqlite3_open_v2(uri, db, flags | SQLITE_OPEN_URI, vfs) : SQLITE_NOMEM;
}

static bool copy_backup(struct restoring *restoring)
{
    int fd = open(restoring->fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0)
        return restoring_refuse(restoring, restoring->fresh, sqlite_error_code(SQLITE_CANTOPEN, errno),
                                strerror(errno));
    close(fd);
    sqlite3 *db = NULL;
    errno = 0;
    int result = open_backup(restoring, &db);
    if (result == SQLITE_OK)
        result = sqlite_copy_pages(db, restoring->options->vfs, restoring->fresh);
    int number = errno;
    sqlite3_close_v2(db);
    return result == SQLITE_OK || restoring_refuse(restoring, restoring->backup,
                                                   sqlite_error_code(result, number), sqlite3_errstr(result));
}

static int by_mark(const void *one, const void *other)
{
    const struct erased *a = one, *b = other;
    return memcmp(&a->mark, &b->mark, sizeof a->mark);
}

static bool was_erased(const struct restoring *restoring, const struct uuid *learner)
{
    struct erased wanted;
    roster_mark(&wanted.mark, learner);
    return restoring->erased_count &&
           bsearch(&wanted, restoring->erased, (size_t)restoring->erased_count, sizeof wanted, by_mark);
}

/* The learners of the backup who were erased since; memory_free. */
static bool find_erased(struct restoring *restoring, struct sqlite_store *store, struct uuid **ids,
                        ptrdiff_t *count)
{
    sqlite3_stmt *statement = NULL;
    ptrdiff_t capacity = 0;
    int result = sqlite3_prepare_v2(
        store->db, "SELECT learner_id FROM learner ORDER BY merged_into IS NOT NULL", -1, &statement, NULL);
    bool done = true;
    while (done && result == SQLITE_OK) {
        struct uuid id;
        int step = sqlite3_step(statement);
        if (step != SQLITE_ROW) {
            result = step;
            break;
        }
        sqlite_read_uuid(statement, 0, &id);
        if (!was_erased(restoring, &id))
            continue;
        done = memory_grow(ids, &capacity, *count + 1, sizeof **ids) || error_memory(restoring->error);
        if (done)
            (*ids)[(*count)++] = id;
    }
    sqlite3_finalize(statement);
    return done && (result == SQLITE_DONE || sqlite_error(store, result, restoring->error));
}

static bool erase_again(struct restoring *restoring, struct sqlite_store *store)
{
    struct uuid *ids = NULL;
    ptrdiff_t count = 0;
    bool done = find_erased(restoring, store, &ids, &count);
    for (ptrdiff_t i = 0; done && i < count; i++) {
        struct roster_count gone;
        struct error error = { 0 };
        done = sqlite_erase_learner(store, &ids[i], &gone, &error);
        restoring->restored->erased += done;
        if (!done && error.code == ERROR_NOT_FOUND) /* with who they were merged into */
            done = sqlite_exec(store, "UPDATE meta SET erasing = 0", restoring->error);
        else if (!done)
            *restoring->error = error;
    }
    memory_free(ids);
    return done;
}

/* The present store's events `erased`, that the next backup be held against them, too. */
static bool add_events(struct restoring *restoring, struct sqlite_store *store)
{
    for (ptrdiff_t i = 0; i < restoring->erased_count; i++) {
        const struct erased *erased = &restoring->erased[i];
        struct store_event event = {
            .id = erased->event, .kind = "erased", .at = erased->at, .utc_offset_s = erased->utc_offset_s
        };
        struct writing writing = {
            .store = store, .event = &event, .learner = erased->mark, .device = store->base.device
        };
        bool there;
        if (!sqlite_roster_is_erased(&store->base, &erased->mark, &there, restoring->error) ||
            (!there && !writing_add_event(&writing, restoring->error)))
            return false;
    }
    return true;
}

static bool know_backups(struct restoring *restoring, struct sqlite_store *store)
{
    sqlite3_stmt *statement = NULL;
    struct sqlite_store *present = restoring->present;
    if (restoring->kept && !sqlite_backup_know(store, restoring->kept, restoring->error))
        return false;
    int result = present ? sqlite3_prepare_v2(present->db, "SELECT CAST(path AS TEXT) FROM backup", -1,
                                              &statement, NULL)
                         : SQLITE_DONE;
    bool done = true;
    while (done && result == SQLITE_OK) {
        int step = sqlite3_step(statement);
        const char *path = step == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (path)
            done = sqlite_backup_know(store, path, restoring->error);
        else
            result = step == SQLITE_ROW ? SQLITE_NOMEM : step;
    }
    sqlite3_finalize(statement);
    return done && (result == SQLITE_DONE || sqlite_error(present, result, restoring->error));
}

static bool change(struct restoring *restoring, struct sqlite_store *store)
{
    struct error *error = restoring->error;
    if (!sqlite_exec(store, "PRAGMA foreign_keys = OFF", error) || !sqlite_begin(store, error))
        return false;
    store->new_identity = false; /* it gets one here and now */
    bool done = sqlite_identity_change(store, error) && erase_again(restoring, store) &&
                add_events(restoring, store) && know_backups(restoring, store);
    if (!done)
        sqlite_rollback(store);
    return done && sqlite_commit(store, error) && sqlite_exec(store, "PRAGMA foreign_keys = ON", error);
}

static bool settle(struct restoring *restoring, struct sqlite_store *store)
{
    struct error *error = restoring->error;
    bool needed;
    return sqlite_check(&store->base, error) && change(restoring, store) &&
           sqlite_roster_clean(&store->base, &needed, error) &&
           sqlite_integer(store, "SELECT count(*) FROM learner WHERE merged_into IS NULL",
                          &restoring->restored->learners, error) &&
           sqlite_integer(store, "SELECT count(*) FROM attempt", &restoring->restored->attempts, error) &&
           sqlite_exec(store, "PRAGMA journal_mode = DELETE", error); /* all of it in the one file */
}

bool fresh_make(struct restoring *restoring)
{
    struct store_options options = *restoring->options;
    struct store *store;
    options.existing_only = true;
    if (restoring->erased_count)
        qsort(restoring->erased, (size_t)restoring->erased_count, sizeof *restoring->erased, by_mark);
    fresh_remove(restoring, true);
    if (!copy_backup(restoring) ||
        !sqlite_store_open(&store, restoring->fresh, &options, &surroundings_system, restoring->error))
        return false;
    struct sqlite_store *made = (struct sqlite_store *)store;
    bool done = settle(restoring, made);
    made->wrote = false; /* nothing is left to be tidied */
    store_close(store);
    return done;
}
