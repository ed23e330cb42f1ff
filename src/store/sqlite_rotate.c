/* Rotating backups: one more, then the oldest go. */
#include "backups.h"
#include "sqlite_store.h"
#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/heal.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBERS = 99 /* backups of one second */ };

static bool refuse(const char *path, enum error_code code, const char *why, struct error *error)
{
    char *shown = store_file_shown(path);
    error_set(error, code, tr("no backup could be written to %s: %s"), shown ? shown : "?", why);
    memory_free(shown);
    return false;
}

static bool refuse_result(const char *path, int result, int number, struct error *error)
{
    return refuse(path, sqlite_error_code(result, number), number ? strerror(number) : sqlite3_errstr(result),
                  error);
}

/* Looks through the copy, as nobody else has it. */
static int quick_check(struct sqlite_store *store, const char *path, bool *sound)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_open_v2(
        path, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, store->vfs);
    if (result == SQLITE_OK)
        result = sqlite3_prepare_v2(db, "PRAGMA quick_check(1)", -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    const char *found = result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    *sound = found && strcmp(found, "ok") == 0;
    sqlite3_finalize(statement);
    sqlite3_close_v2(db);
    return result == SQLITE_ROW ? SQLITE_OK : result;
}

static int vacuum_into(struct sqlite_store *store, const char *path)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, "VACUUM INTO ?1", -1, &statement, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_text(statement, 1, path, -1, SQLITE_STATIC);
        result = sqlite3_step(statement);
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

/* The copy under the name `partial`: whole, looked through, and on the disk. */
static bool copy(struct sqlite_store *store, const char *partial, struct error *error)
{
    bool sound = false;
    unlink(partial);
    int fd =
        open(partial, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* SQLite's own could be read by all */
    if (fd < 0)
        return refuse_result(partial, SQLITE_CANTOPEN, errno, error);
    errno = 0;
    int result = vacuum_into(store, partial), number = errno;
    if (result == SQLITE_OK && fsync(fd) != 0) {
        result = SQLITE_IOERR_FSYNC;
        number = errno;
    }
    close(fd);
    if (result == SQLITE_OK)
        result = quick_check(store, partial, &sound);
    if (result != SQLITE_OK)
        return refuse_result(partial, result, sqlite_error_code(result, number) == ERROR_DAMAGED ? 0 : number,
                             error);
    return sound || refuse(partial, ERROR_DAMAGED, tr("what was copied is damaged"), error);
}

static bool note(struct sqlite_store *store, const char *path, bool forget, struct error *error)
{
    return store->read_only || sqlite_backup_note(store, path, forget, error);
}

/* Noted down before it is made: a backup that nobody knows of would keep who is erased. */
static bool make(struct sqlite_store *store, const char *path, struct error *error)
{
    struct buffer partial;
    buffer_init(&partial);
    buffer_print(&partial, "%s.partial", path);
    bool done = partial.failed ? error_memory(error) : note(store, path, false, error);
    if (done) {
        done = copy(store, buffer_get(&partial), error);
        if (done && (rename(buffer_get(&partial), path) != 0 || !sqlite_sync_folder(path)))
            done = refuse_result(path, SQLITE_CANTOPEN, errno, error);
        if (!done) {
            unlink(buffer_get(&partial));
            note(store, path, true, NULL);
        }
    }
    buffer_finish(&partial);
    return done;
}

/* Behind those of the same second, so that their numbers tell which is newer. */
static bool find_name(struct sqlite_store *store, const char *folder, struct buffer *name,
                      struct error *error)
{
    struct backups backups;
    int64_t now = clock_wall(&store->base.clock), second = now / 1000 * 1000;
    int number = 1;
    bool done = backups_read(&backups, store->path, folder, error);
    for (ptrdiff_t i = 0; i < backups.count; i++) {
        if (backups.files[i].at == second && backups.files[i].number >= number)
            number = backups.files[i].number + 1;
    }
    backups_finish(&backups);
    backups_name(name, store->path, folder, now, number);
    if (done && name->failed)
        return error_memory(error);
    return done && (number <= NUMBERS || refuse(buffer_get(name), ERROR_IO, strerror(EEXIST), error));
}

/* All but the newest; the one just made stays, whatever the clock says. */
static bool remove_old(struct sqlite_store *store, const char *folder, const char *made, int keep,
                       int *removed, struct error *error)
{
    struct backups backups;
    bool done = backups_read(&backups, store->path, folder, error);
    int kept = 1;
    for (ptrdiff_t i = 0; done && i < backups.count; i++) {
        const char *path = backups.files[i].path;
        if (strcmp(path, made) == 0 || kept++ < keep)
            continue;
        if (unlink(path) != 0 && errno != ENOENT) {
            char *shown = store_file_shown(path);
            done = error_set(error, ERROR_IO, tr("the old backup %s could not be removed: %s"),
                             shown ? shown : "?", strerror(errno));
            memory_free(shown);
        } else {
            done = note(store, path, true, error);
            ++*removed;
        }
    }
    backups_finish(&backups);
    return done;
}

static bool rotate(struct sqlite_store *store, const char *folder, int keep, char **made, int *removed,
                   struct error *error)
{
    struct buffer name;
    buffer_init(&name);
    bool done = find_name(store, folder, &name, error) && make(store, buffer_get(&name), error);
    if (done) {
        *made = memory_text(buffer_get(&name));
        done = *made ? remove_old(store, folder, *made, keep, removed, error) : error_memory(error);
    }
    buffer_finish(&name);
    return done;
}

bool backup_rotate(struct store *base, const char *folder, int keep, char **made, int *removed,
                   struct error *error)
{
    *made = NULL;
    *removed = 0;
    if (base->ops != &sqlite_store_ops)
        return error_set(error, ERROR_INPUT, "%s", tr("this store is not in a file"));
    if (keep < 1 || keep > BACKUPS_MOST)
        return error_set(error, ERROR_INPUT, tr("between 1 and %d backups can be kept"), BACKUPS_MOST);
    if (mkdir(folder, 0700) != 0 && errno != EEXIST)
        return refuse(folder, sqlite_error_code(SQLITE_CANTOPEN, errno), strerror(errno), error);
    char *whole = realpath(folder, NULL);
    if (!whole)
        return refuse(folder, ERROR_NOT_FOUND, strerror(errno), error);
    bool done = rotate((struct sqlite_store *)base, whole, keep, made, removed, error);
    free(whole); /* by libc */
    if (!done) {
        memory_free(*made);
        *made = NULL;
    }
    return done;
}
