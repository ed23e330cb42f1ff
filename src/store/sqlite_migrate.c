/* From an empty file or an older version to today's: each step one transaction, and a copy kept before the
 * first. */
#include "sqlite_store.h"

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool sync_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = memory_text(slash && slash > path ? path : "/");
    if (!folder)
        return false;
    if (slash && slash > path)
        folder[slash - path] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool done = fd >= 0 && fsync(fd) == 0;
    if (fd >= 0)
        close(fd);
    memory_free(folder);
    return done;
}

static int copy_pages(struct sqlite_store *store, const char *to)
{
    sqlite3 *copy = NULL;
    int result = sqlite3_open_v2(to, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, store->vfs);
    if (result == SQLITE_OK)
        result = sqlite3_exec(copy, "PRAGMA synchronous = EXTRA", NULL, NULL, NULL);
    if (result == SQLITE_OK) {
        sqlite3_backup *backup = sqlite3_backup_init(copy, "main", store->db, "main");
        if (backup) {
            result = sqlite3_backup_step(backup, -1);
            int finish = sqlite3_backup_finish(backup);
            result = finish != SQLITE_OK ? finish : result == SQLITE_DONE ? SQLITE_OK : result;
        } else {
            result = sqlite3_errcode(copy);
        }
    }
    sqlite3_close_v2(copy);
    return result;
}

/* Copies the store to `store.db-version-3`, whole or not at all. */
static bool keep_backup(struct sqlite_store *store, int version, struct error *error)
{
    struct arena arena;
    arena_init(&arena);
    char *kept = arena_print(&arena, "%s-version-%d", store->path, version);
    char *partial = kept ? arena_print(&arena, "%s.partial", kept) : NULL;
    bool done = false;
    if (!partial) {
        error_memory(error);
        goto out;
    }
    unlink(partial);
    int fd = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                  0600); /* SQLite would make it readable by all */
    int result = fd < 0 ? SQLITE_CANTOPEN : SQLITE_OK;
    if (fd >= 0) {
        close(fd);
        result = copy_pages(store, partial);
    }
    if (result != SQLITE_OK || rename(partial, kept) != 0 || !sync_folder(kept)) {
        int number = errno;
        enum error_code code = sqlite_error_code(result == SQLITE_OK ? SQLITE_IOERR : result, number);
        error_set(error, code, tr("%s: no backup could be made before bringing it up to date: %s"),
                  store->shown, result == SQLITE_OK ? strerror(number) : sqlite3_errstr(result));
        unlink(partial);
        goto out;
    }
    done = true;
out:
    arena_finish(&arena);
    return done;
}

/* One step inside its transaction: version → version + 1. */
static bool migrate_step(struct sqlite_store *store, int version, struct error *error)
{
    const struct schema *schema = store->around->schema;
    char set_version[48];
    int64_t strays;
    snprintf(set_version, sizeof set_version, "PRAGMA user_version = %d", version + 1);
    if (!sqlite_exec(store, schema->migrations[version], error))
        return false;
    if (version == 0 && !sqlite_identity_make(store, error))
        return false;
    if (version + 1 == schema->version && !sqlite_exec(store, schema->views, error))
        return false;
    if (!sqlite_integer(store, "SELECT count(*) FROM pragma_foreign_key_check", &strays, error))
        return false;
    if (strays)
        return sqlite_error(store, SQLITE_CORRUPT, error);
    return sqlite_exec(store, set_version, error);
}

static bool migrate_from(struct sqlite_store *store, int version, struct error *error)
{
    for (; version < store->around->schema->version; version++) {
        if (!sqlite_exec(store, "BEGIN IMMEDIATE", error))
            return false;
        if (!migrate_step(store, version, error) || !sqlite_exec(store, "COMMIT", error)) {
            if (!sqlite3_get_autocommit(store->db))
                sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
            return false;
        }
    }
    return true;
}

bool sqlite_migrate_copy(struct sqlite_store *store, int version, struct error *error)
{
    /* foreign keys off: a step may have to make a table anew; migrate_step looks at them itself */
    return sqlite_exec(store, "PRAGMA foreign_keys = OFF", error) && migrate_from(store, version, error) &&
           sqlite_exec(store, "PRAGMA foreign_keys = ON", error);
}

static bool read_version(struct sqlite_store *store, int *version, struct error *error)
{
    int64_t number, application, objects;
    if (!sqlite_integer(store, "PRAGMA user_version", &number, error) ||
        !sqlite_integer(store, "PRAGMA application_id", &application, error) ||
        !sqlite_integer(store, "SELECT count(*) FROM sqlite_schema", &objects, error))
        return false;
    if (number > store->around->schema->version)
        return error_set(
            error, ERROR_NEWER,
            tr("%s: made by a later release of quiztutor (version %d, this one knows %d): left as it is"),
            store->shown, (int)number, store->around->schema->version);
    bool empty = number == 0 && application == 0 && objects == 0;
    if (!empty && (application != SCHEMA_APPLICATION || number < 1))
        return error_set(error, ERROR_DAMAGED, tr("%s: is not a quiztutor store"), store->shown);
    *version = (int)number;
    return true;
}

bool sqlite_migrate(struct sqlite_store *store, struct error *error)
{
    int version;
    if (!read_version(store, &version, error))
        return false;
    if (version == store->around->schema->version)
        return true;
    if (store->reading && version > 0)
        return sqlite_aside(store, version, error);
    if (store->read_only)
        return error_set(error, ERROR_READ_ONLY,
                         tr("%s: must be brought up to date before it is used, and can't be written"),
                         store->shown);
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    bool done = read_version(store, &version, error) &&
                (version == 0 || keep_backup(store, version, error)) &&
                sqlite_migrate_copy(store, version, error);
    lock_give(&store->lock);
    return done;
}
