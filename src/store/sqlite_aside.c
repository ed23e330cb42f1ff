/* An older store that is only to be read: a copy of it, without a name, is brought up to date. */
#include "sqlite_store.h"

#include <quiztutor/message.h>

/* Opens the copy: "" is a file that SQLite unlinks as soon as it has made it. */
static int copy_aside(struct sqlite_store *store, sqlite3 **copy)
{
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE |
                SQLITE_OPEN_EXRESCODE;
    int result = sqlite3_open_v2("", copy, flags, NULL);
    if (result != SQLITE_OK)
        return result;
    sqlite3_backup *backup = sqlite3_backup_init(*copy, "main", store->db, "main");
    if (!backup)
        return sqlite3_errcode(*copy);
    result = sqlite3_backup_step(backup, -1);
    int finish = sqlite3_backup_finish(backup);
    return finish != SQLITE_OK ? finish : result == SQLITE_DONE ? SQLITE_OK : result;
}

static bool schedule_all(struct sqlite_store *store, struct error *error)
{
    int64_t schedule_seq;
    if (!sqlite_made_read(store, &schedule_seq, error))
        return false;
    store->made.day_starts = store->base.scheduling.day_starts;
    return sqlite_exec(store, "BEGIN", error) && sqlite_schedule_all(store, error) &&
           sqlite_exec(store, "COMMIT", error);
}

bool sqlite_aside(struct sqlite_store *store, int version, struct error *error)
{
    sqlite3 *copy = NULL;
    int result = copy_aside(store, &copy);
    if (result != SQLITE_OK) {
        enum error_code code = sqlite_error_code(result, copy ? sqlite3_system_errno(copy) : 0);
        sqlite3_close_v2(copy);
        return error_set(error, code,
                         tr("%s: is of an older version, and could not be copied to be read: %s"),
                         store->shown, sqlite3_errstr(result));
    }
    sqlite_disconnect(store);
    store->db = copy;
    store->read_only = false; /* while it is brought up to date */
    bool done = sqlite_configure(store, error) && sqlite_exec(store, "PRAGMA synchronous = OFF", error) &&
                sqlite_migrate_copy(store, version, error) && schedule_all(store, error) &&
                sqlite_exec(store, "PRAGMA query_only = ON", error);
    store->read_only = true;
    return done;
}
