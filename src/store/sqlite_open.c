/* Opening a store: the file and its neighbours, the connection and every pragma, then version, journal and
 * identity. */
#include "sqlite_store.h"

#include "reserve.h"
#include "store_file.h"

#include <errno.h>
#include <quiztutor/message.h>
#include <string.h>

enum { BUSY_MS = 5000 };

bool sqlite_exec(struct sqlite_store *store, const char *sql, struct error *error)
{
    int result = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

bool sqlite_integer(struct sqlite_store *store, const char *sql, int64_t *value, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        *value = sqlite3_column_int64(statement, 0);
    else
        sqlite_error(store, result, error);
    sqlite3_finalize(statement);
    return result == SQLITE_ROW;
}

/* The journal's mode as SQLite names it, after `sql` has asked for it or set it. */
static int journal_is(struct sqlite_store *store, const char *sql, const char *mode, bool *is)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    const char *text = result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (result == SQLITE_ROW && !text)
        result = SQLITE_NOMEM;
    *is = text && strcmp(text, mode) == 0;
    sqlite3_finalize(statement);
    return result == SQLITE_ROW ? SQLITE_OK : result;
}

static bool switch_journal(struct sqlite_store *store, struct error *error)
{
    bool wal;
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    int result = journal_is(
        store, store->network ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL", "wal", &wal);
    lock_give(&store->lock);
    if (result == SQLITE_OK)
        store->wal = wal;
    else if ((result & 0xff) != SQLITE_BUSY)
        return sqlite_error(store, result, error);
    /* An open reader can hold the switch up. On a local disk the other journal is as safe; across a network
     * it is not. */
    return !store->network || !store->wal || sqlite_error(store, SQLITE_BUSY, error);
}

static bool settle_journal(struct sqlite_store *store, struct error *error)
{
    int result = journal_is(store, "PRAGMA journal_mode", "wal", &store->wal);
    if (result != SQLITE_OK)
        return sqlite_error(store, result, error);
    if (!store->read_only && store->wal == store->network && !switch_journal(store, error))
        return false;
    return !store->wal || sqlite_exec(store, "PRAGMA synchronous = FULL", error);
}

static int count_frames(void *context, sqlite3 *db, const char *name, int frames)
{
    (void)db, (void)name;
    ((struct sqlite_store *)context)->wal_frames = frames;
    return SQLITE_OK;
}

bool sqlite_configure(struct sqlite_store *store, struct error *error)
{
    static const struct {
        int option, value;
    } options[] = {
        { SQLITE_DBCONFIG_DEFENSIVE, 1 },       { SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1 },
        { SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0 },  { SQLITE_DBCONFIG_DQS_DML, 0 },
        { SQLITE_DBCONFIG_DQS_DDL, 0 },         { SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0 },
        { SQLITE_DBCONFIG_WRITABLE_SCHEMA, 0 }, { SQLITE_DBCONFIG_ENABLE_FKEY, 1 },
        { SQLITE_DBCONFIG_ENABLE_TRIGGER, 1 },  { SQLITE_DBCONFIG_ENABLE_VIEW, 1 },
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        int result = sqlite3_db_config(store->db, options[i].option, options[i].value, NULL);
        if (result != SQLITE_OK)
            return sqlite_error(store, result, error);
    }
    sqlite3_busy_timeout(store->db, BUSY_MS);
    sqlite3_wal_hook(store->db, count_frames, store);
    /* recursive_triggers: else REPLACE would delete rows past the triggers that keep them */
    return sqlite_exec(
               store,
               "PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;"
               "PRAGMA mmap_size = 0; PRAGMA recursive_triggers = ON; PRAGMA ignore_check_constraints = OFF;"
               "PRAGMA locking_mode = NORMAL; PRAGMA read_uncommitted = OFF; PRAGMA temp_store = MEMORY;"
               "PRAGMA secure_delete = ON; PRAGMA cache_size = -4096; PRAGMA journal_size_limit = 16777216;"
               "PRAGMA synchronous = EXTRA;",
               error) &&
           (!store->read_only || sqlite_exec(store, "PRAGMA query_only = ON", error));
}

static bool connect(struct sqlite_store *store, bool immutable, struct error *error)
{
    struct arena arena;
    arena_init(&arena);
    int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_EXRESCODE;
    flags |= store->read_only ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
    const char *path = store->path; /* absolute, so never taken for a URI or for ":memory:" */
    if (immutable) {
        path = store_file_uri(&arena, path);
        flags |= SQLITE_OPEN_URI;
    }
    bool done = false;
    errno = 0;
    int result = path ? sqlite3_open_v2(path, &store->db, flags, store->vfs) : SQLITE_NOMEM;
    if (result != SQLITE_OK)
        sqlite_error(store, result, error);
    else
        done = sqlite_configure(store, error) && sqlite_migrate(store, error) &&
               settle_journal(store, error) && sqlite_identity_read(store, error) &&
               sqlite_schedule_refresh(store, error);
    if (!done)
        sqlite_disconnect(store);
    arena_finish(&arena);
    return done;
}

/*
 * A store that may only be read: where nothing waits in its log and no one has it open, it can't change while
 * it is looked at, and needs no files beside it that can't be made.
 */
static bool connect_read_only(struct sqlite_store *store, struct error *error)
{
    /* of a store that somebody may be writing to at this moment, SQLite must know */
    if (store->reading) {
        if (connect(store, false, error))
            return true;
        if (error->code != ERROR_IO && error->code != ERROR_READ_ONLY)
            return false;
    }
    bool whole = store_file_is_empty(store->path, "-wal") && store_file_is_empty(store->path, "-journal");
    bool tried = whole && store_file_is_missing(store->path, "-shm");
    if (connect(store, tried, error))
        return true;
    bool beside = error->code == ERROR_IO || error->code == ERROR_READ_ONLY;
    if (whole && !tried && beside)
        return connect(store, true, error);
    if (!whole && beside)
        return error_set(
            error, ERROR_READ_ONLY,
            tr("%s: holds answers that can only be read by someone who may write to it and to its folder"),
            store->shown);
    return false;
}

static bool make_warning(struct sqlite_store *store, struct error *error)
{
    const char *text = NULL;
    if (store->reading)
        return true;
    if (store->read_only)
        text = tr("the store can't be written: answers will not be kept");
    else if (store->network)
        text = tr("the store is on a network file system: storing is slower, and only one machine should use "
                  "it at a time");
    if (!text)
        return true;
    store->base.warning = memory_text(text);
    return store->base.warning || error_memory(error);
}

static bool open_prepared(struct sqlite_store *store, struct error *error)
{
    if (store->read_only)
        return connect_read_only(store, error);
    return connect(store, false, error);
}

static bool open_file(struct sqlite_store *store, const char *path, bool existing_only, struct error *error)
{
    struct store_file file = { .lock_fd = -1, .read_only = store->reading };
    if (!store_file_find(&file, path, existing_only || store->reading, store->vfs,
                         store->around->schema->version, error))
        return false;
    store->path = file.path;
    store->lock.fd = file.lock_fd;
    store->read_only = file.read_only;
    store->lean = file.lean;
    store->network = !file.read_only && store->around->on_network(file.lock_fd);
    bool done = open_prepared(store, error);
    if (!done && error->code == ERROR_FULL && reserve_free(store->path)) {
        store->lean = true;
        done = open_prepared(store, error);
    }
    return done;
}

bool sqlite_store_open(struct store **out, const char *path, const struct store_options *options,
                       const struct surroundings *around, struct error *error)
{
    struct error own;
    error = error ? error : &own;
    *out = NULL;
    struct sqlite_store *store = memory_zero(sizeof *store);
    if (!store)
        return error_memory(error);
    store->base.ops = &sqlite_store_ops;
    store->base.clock = options && options->clock.wall ? options->clock : clock_system();
    store->base.has_boot = surroundings_boot(around, &store->base.boot);
    store->around = around;
    store->vfs = options ? options->vfs : NULL;
    store->reading = options && options->reading;
    store->lock.fd = -1;
    known_init(&store->known);
    store->shown = store_file_shown(path);
    bool copied = scheduling_init(&store->base.scheduling, options ? options->scheduling : NULL);
    if (!store->shown || !copied) {
        error_memory(error);
        goto fail;
    }
    if (!open_file(store, path, options && options->existing_only, error) || !make_warning(store, error))
        goto fail;
    if (!store->read_only && !store->lean)
        store->lean = !reserve_make(store->path, around->reserve);
    if (store->new_identity)
        uuid_make(&store->base.device, clock_wall(&store->base.clock));
    if (!sqlite_second_init(store, options && options->second_log, options && options->second_paused, error))
        goto fail;
    *out = &store->base;
    return true;
fail:
    sqlite_store_close(&store->base);
    return false;
}
