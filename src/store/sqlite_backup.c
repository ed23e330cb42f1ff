/* Backups: made, known, renewed. */
#include "sqlite_store.h"
#include "store_file.h"

#include <errno.h>
#include <quiztutor/backup.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool refuse(const char *path, enum error_code code, const char *why, struct error *error)
{
    char *shown = store_file_shown(path);
    error_set(error, code, tr("no backup could be written to %s: %s"), shown ? shown : "?", why);
    memory_free(shown);
    return false;
}

/* Where a file that need not be there lies, links followed; NULL with the error. memory_free. */
static char *whole_path(const char *path, struct error *error)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    struct buffer buffer;
    buffer_init(&buffer);
    buffer_add(&buffer, path, slash ? slash - path + (slash == path) : 0);
    char *folder = buffer.failed ? NULL : realpath(slash ? buffer_get(&buffer) : ".", NULL);
    if (!folder)
        refuse(path, ERROR_NOT_FOUND, tr("its folder is not there"), error);
    buffer_clear(&buffer);
    if (folder)
        buffer_print(&buffer, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name);
    char *whole = folder && !buffer.failed ? memory_text(buffer_get(&buffer)) : NULL;
    if (folder && !whole)
        error_memory(error);
    free(folder); /* by libc */
    buffer_finish(&buffer);
    return whole;
}

/* Runs a statement over `backup` with a path. The result of its step. */
static int step_path(struct sqlite_store *store, const char *sql, const char *path, int64_t at)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_blob(statement, 1, path, (int)strlen(path), SQLITE_STATIC);
        sqlite3_bind_int64(statement, 2, at);
        result = sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    return result;
}

static bool is_known(struct sqlite_store *store, const char *path, bool *known, struct error *error)
{
    int result = step_path(store, "SELECT 1 FROM backup WHERE path = ?1", path, 0);
    *known = result == SQLITE_ROW;
    return result == SQLITE_ROW || result == SQLITE_DONE || sqlite_error(store, result, error);
}

bool sqlite_backup_know(struct sqlite_store *store, const char *path, struct error *error)
{
    int result = step_path(store,
                           "INSERT INTO backup(path, made_at) VALUES(?1, ?2)"
                           " ON CONFLICT(path) DO UPDATE SET made_at = ?2",
                           path, clock_wall(&store->base.clock));
    return result == SQLITE_DONE || sqlite_error(store, result, error);
}

bool sqlite_backup_note(struct sqlite_store *store, const char *path, bool forget, struct error *error)
{
    if (!sqlite_begin(store, error))
        return false;
    bool done = forget ? step_path(store, "DELETE FROM backup WHERE path = ?1", path, 0) == SQLITE_DONE
                       : sqlite_backup_know(store, path, error);
    if (done)
        return sqlite_commit(store, error);
    sqlite_rollback(store);
    return false;
}

static bool copy(struct sqlite_store *store, const char *path, struct error *error)
{
    struct error why = { 0 };
    return sqlite_copy(store, path, &why) || refuse(path, why.code, why.message, error);
}

static bool is_there(const char *path)
{
    struct stat status;
    return lstat(path, &status) == 0;
}

/* Noted down before it is made: a backup that nobody knows of would keep who is erased. */
static bool write_known(struct sqlite_store *store, const char *path, bool *known, struct error *error)
{
    bool before = false, there = is_there(path);
    if (!is_known(store, path, &before, error))
        return false;
    if (there && !before)
        return refuse(path, ERROR_INPUT, tr("there is a file already, and it is no backup of this store"),
                      error);
    *known = store->read_only ? before : sqlite_backup_note(store, path, false, error);
    if (!*known && !store->read_only)
        return false;
    if (copy(store, path, error))
        return true;
    if (!before && !store->read_only)
        sqlite_backup_note(store, path, true, NULL);
    return false;
}

bool backup_write(struct store *base, const char *path, bool *known, struct error *error)
{
    bool own;
    if (base->ops != &sqlite_store_ops)
        return error_set(error, ERROR_INPUT, "%s", tr("this store is not in a file"));
    char *whole = whole_path(path, error);
    bool done = whole && write_known((struct sqlite_store *)base, whole, known ? known : &own, error);
    memory_free(whole);
    return done;
}

/* Copies from before migrations, beside the store. */
static bool visit_versions(struct sqlite_store *store, backup_visit *visit, void *context,
                           struct error *error)
{
    for (int version = 1; version < store->around->schema->version; version++) {
        struct buffer path;
        buffer_init(&path);
        buffer_print(&path, "%s-version-%d", store->path, version);
        bool failed = path.failed, goes_on = true;
        if (!failed && is_there(buffer_get(&path)))
            goes_on = visit(context, buffer_get(&path), true);
        buffer_finish(&path);
        if (failed)
            return error_memory(error);
        if (!goes_on)
            break;
    }
    return true;
}

bool backup_each(struct store *base, backup_visit *visit, void *context, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    if (base->ops != &sqlite_store_ops)
        return true;
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, "SELECT CAST(path AS TEXT) FROM backup ORDER BY path", -1,
                                    &statement, NULL);
    bool goes_on = true;
    while (result == SQLITE_OK && goes_on) {
        int step = sqlite3_step(statement);
        const char *path = step == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (path)
            goes_on = visit(context, path, is_there(path));
        else
            result = step == SQLITE_ROW ? SQLITE_NOMEM : step;
    }
    sqlite3_finalize(statement);
    if (result != SQLITE_OK && result != SQLITE_DONE)
        return sqlite_error(store, result, error);
    return !goes_on || visit_versions(store, visit, context, error);
}

/* Beside one that was set aside lies what belonged to it. */
bool backup_renew(struct store *store, const char *path, struct error *error)
{
    static const char *const endings[] = { "-wal", "-journal", SECOND_ENDING };
    if (!copy((struct sqlite_store *)store, path, error))
        return false;
    bool done = true;
    for (size_t i = 0; done && i < sizeof endings / sizeof *endings; i++) {
        struct buffer beside;
        buffer_init(&beside);
        buffer_print(&beside, "%s%s", path, endings[i]);
        done = beside.failed ? error_memory(error)
                             : unlink(buffer_get(&beside)) == 0 || errno == ENOENT ||
                                   refuse(path, ERROR_IO, strerror(errno), error);
        buffer_finish(&beside);
    }
    return done;
}
