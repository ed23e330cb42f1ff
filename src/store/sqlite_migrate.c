/* From an empty file or an older version to today's: each step one transaction, and a copy kept before the
 * first. */
#include "sqlite_store.h"

#include <quiztutor/message.h>
#include <stdio.h>

/* Copies the store to `store.db-version-3`. */
static bool keep_backup(struct sqlite_store *store, int version, struct error *error)
{
    struct buffer kept;
    struct error why;
    buffer_init(&kept);
    buffer_print(&kept, "%s-version-%d", store->path, version);
    bool done = kept.failed ? error_memory(&why) : sqlite_copy(store, buffer_get(&kept), &why);
    if (!done)
        error_set(error, why.code, tr("%s: no backup could be made before bringing it up to date: %s"),
                  store->shown, why.message);
    buffer_finish(&kept);
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
