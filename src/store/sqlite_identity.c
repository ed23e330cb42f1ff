/*
 * Who a store is: its own id, and the id of the device that adds to it. A store found on another machine than
 * the one it was made on has been copied, and what is added from now on must not be taken for the original's.
 */
#include "sqlite_store.h"

#include <string.h>

static void bind_machine(struct sqlite_store *store, sqlite3_stmt *statement, int place)
{
    struct uuid machine;
    if (surroundings_machine(store->around, &machine))
        sqlite3_bind_blob(statement, place, machine.bytes, sizeof machine.bytes, SQLITE_TRANSIENT);
}

static bool write_identity(struct sqlite_store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_blob(statement, 1, store->store_id.bytes, sizeof store->store_id.bytes, SQLITE_STATIC);
        sqlite3_bind_blob(statement, 2, store->base.device.bytes, sizeof store->base.device.bytes,
                          SQLITE_STATIC);
        bind_machine(store, statement, 3);
        result = sqlite3_step(statement);
        if (result == SQLITE_DONE)
            result = SQLITE_OK;
    }
    if (result != SQLITE_OK)
        sqlite_error(store, result, error);
    sqlite3_finalize(statement);
    return result == SQLITE_OK;
}

static void make_ids(struct sqlite_store *store)
{
    int64_t now = clock_wall(&store->base.clock);
    uuid_make(&store->store_id, now);
    uuid_make(&store->base.device, now);
}

bool sqlite_identity_make(struct sqlite_store *store, struct error *error)
{
    make_ids(store);
    return write_identity(
        store, "INSERT INTO meta(one, store_id, device_id, machine, next_seq) VALUES(1, ?1, ?2, ?3, 1)",
        error);
}

static bool column_uuid(sqlite3_stmt *statement, int column, struct uuid *uuid)
{
    const void *blob = sqlite3_column_blob(statement, column);
    if (!blob || sqlite3_column_bytes(statement, column) != sizeof uuid->bytes)
        return false;
    memcpy(uuid->bytes, blob, sizeof uuid->bytes);
    return true;
}

bool sqlite_identity_read(struct sqlite_store *store, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, "SELECT store_id, device_id, machine FROM meta WHERE one = 1",
                                    -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result != SQLITE_ROW) {
        sqlite_error(store, result == SQLITE_DONE ? SQLITE_CORRUPT : result, error);
        sqlite3_finalize(statement);
        return false;
    }
    struct uuid here, made_on;
    bool good = column_uuid(statement, 0, &store->store_id) && column_uuid(statement, 1, &store->base.device);
    bool moved = surroundings_machine(store->around, &here) && column_uuid(statement, 2, &made_on) &&
                 !uuid_equal(&here, &made_on);
    sqlite3_finalize(statement);
    if (!good)
        return sqlite_error(store, SQLITE_CORRUPT, error);
    store->new_identity = moved && !store->read_only;
    return true;
}

/* Another process of this machine may have been quicker: then its ids are taken. */
bool sqlite_identity_renew(struct sqlite_store *store, struct error *error)
{
    struct uuid fresh = store->base.device; /* told to the caller already */
    if (!sqlite_identity_read(store, error))
        return false;
    if (!store->new_identity)
        return true;
    make_ids(store);
    store->base.device = fresh;
    return write_identity(store, "UPDATE meta SET store_id = ?1, device_id = ?2, machine = ?3", error);
}

bool sqlite_identity_change(struct sqlite_store *store, struct error *error)
{
    make_ids(store);
    return write_identity(store, "UPDATE meta SET store_id = ?1, device_id = ?2, machine = ?3", error);
}
