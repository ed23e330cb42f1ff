/* A backup in the place of a store: nobody may be using that, and what is there is kept. */
#include "sqlite_restore.h"
#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 10000, NAMES = 100 /* of what is kept, in one second */ };

bool restoring_refuse(struct restoring *restoring, const char *path, enum error_code code, const char *why)
{
    char *shown = store_file_shown(path);
    error_set(restoring->error, code, "%s: %s", shown ? shown : "?", why);
    memory_free(shown);
    return false;
}

/* The backup must be a whole store of a version that is known, before anything is touched. */
static bool judge_backup(struct restoring *restoring)
{
    struct stat backup, present;
    int version = 0;
    if (stat(restoring->backup, &backup) != 0)
        return restoring_refuse(restoring, restoring->backup, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO,
                                strerror(errno));
    if (!S_ISREG(backup.st_mode))
        return restoring_refuse(restoring, restoring->backup, ERROR_DAMAGED,
                                tr("is not a file, so not a store"));
    if (stat(restoring->path, &present) == 0 && present.st_dev == backup.st_dev &&
        present.st_ino == backup.st_ino)
        return restoring_refuse(restoring, restoring->backup, ERROR_INPUT, tr("is the store itself"));
    enum header header =
        sqlite_header_read(restoring->backup, restoring->options->vfs, &version, restoring->error);
    if (header == HEADER_FAILED)
        return false;
    if (header != HEADER_STORE)
        return restoring_refuse(restoring, restoring->backup, ERROR_DAMAGED, tr("is not a quiztutor store"));
    return version <= schema_current.version || restoring_refuse(restoring, restoring->backup, ERROR_NEWER,
                                                                 tr("made by a later release of quiztutor"));
}

/* Where the store is, or would be. */
static bool find_path(struct restoring *restoring, const char *path)
{
    char *real = realpath(path, NULL);
    if (real) {
        restoring->path = arena_text(&restoring->arena, real, (ptrdiff_t)strlen(real));
        free(real); /* by libc */
    } else {
        restoring->path = arena_text(&restoring->arena, path, (ptrdiff_t)strlen(path));
    }
    restoring->fresh =
        restoring->path ? arena_print(&restoring->arena, "%s-restoring", restoring->path) : NULL;
    return restoring->fresh || error_memory(restoring->error);
}

/* What was there goes by the moment that it was replaced. */
static bool name_kept(struct restoring *restoring)
{
    time_t now = (time_t)(clock_wall(&restoring->options->clock) / 1000);
    struct stat status;
    struct tm utc;
    char moment[32];
    if (!gmtime_r(&now, &utc) || !strftime(moment, sizeof moment, "%Y%m%dT%H%M%SZ", &utc))
        snprintf(moment, sizeof moment, "%lld", (long long)now);
    for (int i = 1; i < NAMES; i++) {
        char more[16] = "";
        if (i > 1)
            snprintf(more, sizeof more, "-%d", i);
        restoring->kept = arena_print(&restoring->arena, "%s-before-%s%s", restoring->path, moment, more);
        if (!restoring->kept)
            return error_memory(restoring->error);
        if (lstat(restoring->kept, &status) != 0)
            return true;
    }
    return restoring_refuse(restoring, restoring->kept, ERROR_IO, strerror(EEXIST));
}

/* Opens the store that is to be replaced. One that is damaged is kept as it is. */
static bool open_present(struct restoring *restoring)
{
    struct store_options options = *restoring->options;
    struct store *store;
    struct stat status;
    struct error why = { 0 };
    options.existing_only = true;
    if (lstat(restoring->path, &status) != 0 || status.st_size == 0)
        return true;
    if (!name_kept(restoring))
        return false;
    if (sqlite_store_open(&store, restoring->path, &options, &surroundings_system, &why)) {
        restoring->present = (struct sqlite_store *)store;
        if (!restoring->present->read_only)
            return true;
        return restoring_refuse(restoring, restoring->path, ERROR_READ_ONLY, tr("can't be written"));
    }
    restoring->restored->damaged = why.code == ERROR_DAMAGED;
    if (!restoring->restored->damaged)
        *restoring->error = why;
    return restoring->restored->damaged;
}

static bool read_erased(struct restoring *restoring)
{
    struct sqlite_store *store = restoring->present;
    sqlite3_stmt *statement = NULL;
    int result = store ? sqlite3_prepare_v2(store->db,
                                            "SELECT event_id, learner_id, at, utc_offset_s FROM event"
                                            " WHERE kind = 'erased'",
                                            -1, &statement, NULL)
                       : SQLITE_DONE;
    while (result == SQLITE_OK) {
        result = sqlite3_step(statement);
        if (result != SQLITE_ROW)
            break;
        result = SQLITE_NOMEM;
        if (!memory_grow(&restoring->erased, &restoring->erased_capacity, restoring->erased_count + 1,
                         sizeof *restoring->erased))
            break;
        struct erased *erased = &restoring->erased[restoring->erased_count++];
        sqlite_read_uuid(statement, 0, &erased->event);
        sqlite_read_uuid(statement, 1, &erased->mark);
        erased->at = sqlite3_column_int64(statement, 2);
        erased->utc_offset_s = sqlite3_column_int(statement, 3);
        result = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    if (result == SQLITE_DONE)
        return true;
    restoring->restored->damaged = sqlite_error_code(result, 0) == ERROR_DAMAGED;
    return restoring->restored->damaged || sqlite_error(store, result, restoring->error);
}

/* A file beside the store; `to` NULL: it goes, else it is kept beside what was there. */
static bool move_beside(struct restoring *restoring, const char *ending, bool keep)
{
    const char *from = arena_print(&restoring->arena, "%s%s", restoring->path, ending);
    const char *to = from && keep ? arena_print(&restoring->arena, "%s%s", restoring->kept, ending) : NULL;
    if (!from || (keep && !to))
        return error_memory(restoring->error);
    if ((keep ? rename(from, to) : unlink(from)) == 0 || errno == ENOENT)
        return true;
    return restoring_refuse(restoring, from, ERROR_IO, strerror(errno));
}

/* Keeps what is there, and takes away what lies beside it: a log of another store would be taken for that of
 * the new one. The store itself stays until the new one takes its name. */
static bool keep_present(struct restoring *restoring)
{
    struct sqlite_store *store = restoring->present;
    bool raw = restoring->restored->damaged;
    if (store && !raw) {
        struct error why = { 0 };
        if (!sqlite_copy(store, restoring->kept, &why))
            return restoring_refuse(restoring, restoring->kept, why.code, why.message);
        int result =
            store->wal ? sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL)
                       : SQLITE_OK;
        if (result != SQLITE_OK)
            return sqlite_error(store, result, restoring->error);
    }
    if (raw && rename(restoring->path, restoring->kept) != 0)
        return restoring_refuse(restoring, restoring->path, ERROR_IO, strerror(errno));
    return move_beside(restoring, "-wal", raw) && move_beside(restoring, "-journal", raw) &&
           move_beside(restoring, "-shm", false);
}

static bool take_place(struct restoring *restoring)
{
    if (!keep_present(restoring))
        return false;
    if (rename(restoring->fresh, restoring->path) != 0)
        return restoring_refuse(restoring, restoring->path, ERROR_IO, strerror(errno));
    sqlite_sync_folder(restoring->path);
    return true;
}

/* What is done while nobody else may write. */
static bool restore_locked(struct restoring *restoring)
{
    bool done = read_erased(restoring) && fresh_make(restoring) && take_place(restoring);
    fresh_remove(restoring, !done);
    return done;
}

/* Holds off who runs a session, and who writes, for as long as it takes. */
static bool restore_held(struct restoring *restoring)
{
    const char *path = arena_print(&restoring->arena, "%s-lock", restoring->path);
    if (!path)
        return error_memory(restoring->error);
    struct lock lock = { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) };
    if (lock.fd < 0)
        return restoring_refuse(restoring, path, sqlite_error_code(SQLITE_CANTOPEN, errno), strerror(errno));
    int number = lock_hold_sessions(&lock);
    bool done = false;
    if (number == EAGAIN)
        error_set(restoring->error, ERROR_BUSY, "%s",
                  tr("somebody is practising with this store right now: try again when that has ended"));
    else if (number)
        restoring_refuse(restoring, path, ERROR_IO, strerror(number));
    else if (open_present(restoring)) {
        number = lock_take(&lock, LOCK_WAIT_MS);
        done = number ? restoring_refuse(restoring, path, number == EAGAIN ? ERROR_BUSY : ERROR_IO,
                                         strerror(number))
                      : restore_locked(restoring);
    }
    if (restoring->present)
        store_close(&restoring->present->base);
    close(lock.fd);
    return done;
}

bool backup_restore(const char *path, const char *backup, const struct store_options *options,
                    struct backup_restored *restored, struct error *error)
{
    struct error own;
    struct restoring restoring = {
        .options = options, .backup = backup, .restored = restored, .error = error ? error : &own
    };
    memset(restored, 0, sizeof *restored);
    arena_init(&restoring.arena);
    bool done = store_file_is_here(path, restoring.error) && find_path(&restoring, path) &&
                judge_backup(&restoring) && restore_held(&restoring);
    if (done && restoring.kept) {
        restored->kept = memory_text(restoring.kept);
        done = restored->kept || error_memory(restoring.error);
    }
    memory_free(restoring.erased);
    arena_finish(&restoring.arena);
    return done;
}
