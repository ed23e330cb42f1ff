/* Binding, stepping and reading, as all that writes or reads single rows does it. */
#include "sqlite_store.h"

#include <string.h>

void sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC); /* NULL binds null */
}

void sqlite_bind_uuid(sqlite3_stmt *statement, int place, const struct uuid *uuid)
{
    if (uuid && !uuid_is_zero(uuid))
        sqlite3_bind_blob(statement, place, uuid->bytes, sizeof uuid->bytes, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, place);
}

void sqlite_bind_hash(sqlite3_stmt *statement, int place, const struct hash *hash)
{
    sqlite3_bind_blob(statement, place, hash->bytes, sizeof hash->bytes, SQLITE_STATIC);
}

void sqlite_read_uuid(sqlite3_stmt *statement, int column, struct uuid *uuid)
{
    const void *blob = sqlite3_column_blob(statement, column);
    memset(uuid, 0, sizeof *uuid);
    if (blob && sqlite3_column_bytes(statement, column) == sizeof uuid->bytes)
        memcpy(uuid->bytes, blob, sizeof uuid->bytes);
}

void sqlite_read_hash(sqlite3_stmt *statement, int column, struct hash *hash)
{
    const void *blob = sqlite3_column_blob(statement, column);
    memset(hash, 0, sizeof *hash);
    if (blob && sqlite3_column_bytes(statement, column) == sizeof hash->bytes)
        memcpy(hash->bytes, blob, sizeof hash->bytes);
}

bool sqlite_step(struct sqlite_store *store, sqlite3_stmt *statement, int *result, struct error *error)
{
    *result = sqlite3_step(statement);
    if (*result == SQLITE_ROW || *result == SQLITE_DONE)
        return true;
    return sqlite_error(store, *result, error);
}

int sqlite_look_up(struct sqlite_store *store, sqlite3_stmt *statement, struct error *error)
{
    int result;
    if (!sqlite_step(store, statement, &result, error))
        return -1;
    return result == SQLITE_ROW;
}

bool sqlite_run(struct sqlite_store *store, sqlite3_stmt *statement, int *failed, struct error *error)
{
    int result;
    bool done = sqlite_step(store, statement, &result, error);
    if (!done && failed)
        *failed = result;
    sqlite3_reset(statement);
    return done;
}
