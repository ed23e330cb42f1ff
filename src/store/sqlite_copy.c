/* A store copied while it is in use. */
#include "sqlite_store.h"

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/backup.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool sqlite_sync_folder(const char *path)
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

int sqlite_copy_pages(sqlite3 *from, const char *vfs, const char *to)
{
    sqlite3 *copy = NULL;
    int result = sqlite3_open_v2(to, &copy, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, vfs);
    if (result == SQLITE_OK)
        result = sqlite3_exec(copy, "PRAGMA synchronous = EXTRA", NULL, NULL, NULL);
    if (result == SQLITE_OK) {
        sqlite3_backup *backup = sqlite3_backup_init(copy, "main", from, "main");
        if (backup) {
            result = sqlite3_backup_step(backup, -1);
            int finish = sqlite3_backup_finish(backup);
            result = finish != SQLITE_OK ? finish : result == SQLITE_DONE ? SQLITE_OK : result;
        } else {
            result = sqlite3_errcode(copy);
        }
    }
    /* without a log of its own: one file, to be read where nothing can be written, too */
    if (result == SQLITE_OK)
        result = sqlite3_exec(copy, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL);
    sqlite3_close_v2(copy);
    return result;
}

static bool refuse(struct error *error, int result, int number)
{
    bool system = result == SQLITE_OK || (result == SQLITE_CANTOPEN && number);
    const char *why = system ? strerror(number) : sqlite3_errstr(result);
    return error_set(error, sqlite_error_code(result == SQLITE_OK ? SQLITE_IOERR : result, number), "%s",
                     why);
}

/* What an earlier try, or this one, left: SQLite may have begun a log beside it. */
static void remove_partial(const char *partial)
{
    static const char *const endings[] = { "", "-wal", "-shm", "-journal" };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        struct buffer path;
        buffer_init(&path);
        buffer_print(&path, "%s%s", partial, endings[i]);
        if (!path.failed)
            unlink(buffer_get(&path));
        buffer_finish(&path);
    }
}

/* Makes the copy under the name `partial`, then gives it its own. */
static bool copy_by(struct sqlite_store *store, const char *partial, const char *path, struct error *error)
{
    remove_partial(partial);
    int fd =
        open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600); /* SQLite's own could be read by all */
    if (fd < 0)
        return refuse(error, SQLITE_CANTOPEN, errno);
    close(fd);
    errno = 0;
    int result = sqlite_copy_pages(store->db, store->vfs, partial), number = errno;
    bool done = result == SQLITE_OK;
    if (done && rename(partial, path) != 0) {
        number = errno;
        done = false;
    }
    if (!done) {
        remove_partial(partial);
        return refuse(error, result, number);
    }
    return sqlite_sync_folder(path) || refuse(error, SQLITE_OK, errno);
}

void backup_tidy(const char *path)
{
    struct buffer partial;
    buffer_init(&partial);
    buffer_print(&partial, "%s.partial", path);
    if (!partial.failed)
        remove_partial(buffer_get(&partial));
    buffer_finish(&partial);
}

bool sqlite_copy(struct sqlite_store *store, const char *path, struct error *error)
{
    struct buffer partial;
    buffer_init(&partial);
    buffer_print(&partial, "%s.partial", path);
    bool done = partial.failed ? error_memory(error) : copy_by(store, buffer_get(&partial), path, error);
    buffer_finish(&partial);
    return done;
}
