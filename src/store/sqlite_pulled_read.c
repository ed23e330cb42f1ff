/* What a sync keeps, read: what a file says it is, whether it is whole, and what others ask of it. */
#include "sqlite_pulled.h"
#include "sqlite_store.h"
#include "store_file.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ITEM_TABLE                                                                                           \
    "CREATE TABLE item(kind INTEGER NOT NULL, id BLOB NOT NULL, version INTEGER NOT NULL, body TEXT NOT "    \
    "NULL, digest BLOB NOT NULL, PRIMARY KEY(kind, id)) STRICT, WITHOUT ROWID"
#define MARK_TABLE                                                                                           \
    "CREATE TABLE mark(one INTEGER PRIMARY KEY CHECK(one = 1), server BLOB NOT NULL, store_id BLOB NOT "     \
    "NULL, seq INTEGER NOT NULL, changes INTEGER NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL, "  \
    "items INTEGER NOT NULL, digest BLOB NOT NULL) STRICT"

/* 0x51547379 and the version, as PULLED_APPLICATION and PULLED_VERSION have them */
const char pulled_schema[] = "PRAGMA application_id = 1364489081; PRAGMA user_version = 1;"
                             "PRAGMA journal_mode = OFF;" ITEM_TABLE ";" MARK_TABLE ";";
_Static_assert(PULLED_APPLICATION == 1364489081 && PULLED_VERSION == 1, "the schema says so in words");

char *pulled_path(const char *store_path, const char *ending)
{
    struct buffer path;
    char *real = realpath(store_path, NULL);
    buffer_init(&path);
    buffer_print(&path, "%s%s", real ? real : store_path, ending);
    free(real); /* by libc */
    char *text = path.failed ? NULL : memory_text(buffer_get(&path));
    buffer_finish(&path);
    return text;
}

bool pulled_refuse(const char *store_path, int result, int number, struct error *error)
{
    char *shown = store_file_shown(store_path);
    enum error_code code = result == SQLITE_NOMEM || number == ENOMEM               ? ERROR_MEMORY
                           : result == SQLITE_NOTADB                                ? ERROR_NEWER
                           : result == SQLITE_CORRUPT                               ? ERROR_DAMAGED
                           : number == ENOSPC || number == EDQUOT                   ? ERROR_FULL
                           : number == EFBIG                                        ? ERROR_FULL
                           : number == EBUSY                                        ? ERROR_BUSY
                           : number == EACCES || number == EPERM || number == EROFS ? ERROR_READ_ONLY
                                                                                    : ERROR_IO;
    const char *name = shown ? shown : "?";
    if (code == ERROR_MEMORY)
        error_memory(error);
    else if (code == ERROR_NEWER)
        error_set(error, code, tr("%s-sync: made by a later release of quiztutor: left as it is"), name);
    else if (code == ERROR_DAMAGED)
        error_set(error, code, tr("%s-sync: is damaged: the next sync makes it anew"), name);
    else if (code == ERROR_BUSY)
        error_set(error, code, tr("%s: another sync of this store is running"), name);
    else
        error_set(error, code, "%s-sync: %s", name,
                  result != SQLITE_OK ? sqlite3_errstr(result) : strerror(number));
    memory_free(shown);
    return false;
}

static int64_t big_endian(const unsigned char *bytes)
{
    return (int64_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

enum pulled_header pulled_header_judge(const unsigned char *bytes, ptrdiff_t length)
{
    enum { VERSION_AT = 60, APPLICATION_AT = 68 };
    if (length < PULLED_HEADER || memcmp(bytes, "SQLite format 3", 16) != 0 ||
        big_endian(bytes + APPLICATION_AT) != PULLED_APPLICATION)
        return PULLED_FOREIGN;
    int64_t version = big_endian(bytes + VERSION_AT);
    return version == PULLED_VERSION ? PULLED_OURS : version > PULLED_VERSION ? PULLED_NEWER : PULLED_FOREIGN;
}

int pulled_configure(sqlite3 *db)
{
    sqlite3_extended_result_codes(db, 0);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    return sqlite3_exec(db,
                        "PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA secure_delete = ON;"
                        "PRAGMA temp_store = MEMORY",
                        NULL, NULL, NULL);
}

/* ---- digests ---- */

static void put_integer(unsigned char **to, int64_t value)
{
    for (int i = 0; i < 8; i++)
        *(*to)++ = (unsigned char)((uint64_t)value >> (8 * i));
}

static void put_uuid(unsigned char **to, const struct uuid *uuid)
{
    memcpy(*to, uuid->bytes, sizeof uuid->bytes);
    *to += sizeof uuid->bytes;
}

void pulled_mark_digest(struct uuid *digest, const struct pulled_mark *mark, int64_t items)
{
    unsigned char said[2 * sizeof(struct uuid) + 5 * 8], *to = said;
    struct hash hash;
    put_uuid(&to, &mark->server);
    put_uuid(&to, &mark->store_id);
    put_integer(&to, mark->seq);
    put_integer(&to, mark->changes);
    put_integer(&to, mark->version);
    put_integer(&to, mark->at);
    put_integer(&to, items);
    hash_of(&hash, said, sizeof said);
    memcpy(digest->bytes, hash.bytes, sizeof digest->bytes);
}

void pulled_item_digest(struct uuid *digest, int kind, int64_t version, const struct uuid *id,
                        const char *body, ptrdiff_t length)
{
    struct hash hash;
    unsigned char said[sizeof(struct uuid) + 2 * 8 + sizeof hash], *to = said;
    hash_of(&hash, body, length);
    put_uuid(&to, id);
    put_integer(&to, kind);
    put_integer(&to, version);
    memcpy(to, hash.bytes, sizeof hash.bytes);
    hash_of(&hash, said, sizeof said);
    memcpy(digest->bytes, hash.bytes, sizeof digest->bytes);
}

/* ---- is it whole ---- */

int pulled_read_mark(sqlite3 *db, struct pulled_mark *mark, int64_t *items)
{
    sqlite3_stmt *statement = NULL;
    struct uuid kept, digest;
    int result = sqlite3_prepare_v2(db,
                                    "SELECT server, store_id, seq, changes, version, at, items, digest"
                                    " FROM mark WHERE one = 1",
                                    -1, &statement, NULL);
    *mark = (struct pulled_mark){ 0 };
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        sqlite_read_uuid(statement, 0, &mark->server);
        sqlite_read_uuid(statement, 1, &mark->store_id);
        mark->seq = sqlite3_column_int64(statement, 2);
        mark->changes = sqlite3_column_int64(statement, 3);
        mark->version = sqlite3_column_int64(statement, 4);
        mark->at = sqlite3_column_int64(statement, 5);
        *items = sqlite3_column_int64(statement, 6);
        sqlite_read_uuid(statement, 7, &kept);
        pulled_mark_digest(&digest, mark, *items);
        result = uuid_equal(&kept, &digest) ? SQLITE_OK : SQLITE_CORRUPT;
    } else if (result == SQLITE_DONE || result == SQLITE_ERROR) {
        result = SQLITE_CORRUPT;
    }
    sqlite3_finalize(statement);
    return result;
}

/* Nothing but the two tables is in it: a trigger would run. */
static int check_schema(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    int found = 0, others = 0, result;
    result = sqlite3_prepare_v2(db, "SELECT sql FROM sqlite_schema", -1, &statement, NULL);
    while (result == SQLITE_OK || result == SQLITE_ROW) {
        result = sqlite3_step(statement);
        const char *sql = result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        if (sql && (strcmp(sql, ITEM_TABLE) == 0 || strcmp(sql, MARK_TABLE) == 0))
            found++;
        else if (result == SQLITE_ROW)
            others++;
    }
    sqlite3_finalize(statement);
    if (result == SQLITE_NOMEM || result == SQLITE_IOERR)
        return result;
    return result == SQLITE_DONE && found == 2 && others == 0 ? SQLITE_OK : SQLITE_CORRUPT;
}

/* SQLite's own words for a whole file are "ok". */
static int check_pages(sqlite3 *db)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(db, "PRAGMA integrity_check(1)", -1, &statement, NULL);
    if (result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *said = (const char *)sqlite3_column_text(statement, 0);
        result = !said ? SQLITE_NOMEM : strcmp(said, "ok") == 0 ? SQLITE_OK : SQLITE_CORRUPT;
    }
    sqlite3_finalize(statement);
    return result;
}

static int check_items(sqlite3 *db, int64_t items)
{
    sqlite3_stmt *statement = NULL;
    int64_t found = 0;
    int result =
        sqlite3_prepare_v2(db, "SELECT kind, version, id, body, digest FROM item", -1, &statement, NULL);
    if (result != SQLITE_OK)
        return result;
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        struct uuid id, kept, digest;
        const char *body = (const char *)sqlite3_column_text(statement, 3);
        sqlite_read_uuid(statement, 2, &id);
        sqlite_read_uuid(statement, 4, &kept);
        if (!body) {
            result = SQLITE_NOMEM;
            break;
        }
        pulled_item_digest(&digest, sqlite3_column_int(statement, 0), sqlite3_column_int64(statement, 1), &id,
                           body, sqlite3_column_bytes(statement, 3));
        if (!uuid_equal(&kept, &digest)) {
            result = SQLITE_CORRUPT;
            break;
        }
        found++;
    }
    sqlite3_finalize(statement);
    return result == SQLITE_DONE ? found == items ? SQLITE_OK : SQLITE_CORRUPT : result;
}

int pulled_check(sqlite3 *db)
{
    struct pulled_mark mark;
    int64_t items = 0;
    int result = check_schema(db);
    if (result == SQLITE_OK)
        result = check_pages(db);
    if (result == SQLITE_OK)
        result = pulled_read_mark(db, &mark, &items);
    if (result == SQLITE_OK)
        result = check_items(db, items);
    return result == SQLITE_ERROR ? SQLITE_CORRUPT : result;
}

/* ---- in place ---- */

/* What it says it is, before SQLite touches it. 1, 0: there is none, −1. */
static int judge(const char *store_path, const char *path, struct error *error)
{
    unsigned char bytes[PULLED_HEADER];
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
    if (fd < 0) {
        if (errno != ENOENT)
            pulled_refuse(store_path, SQLITE_OK, errno, error);
        return errno == ENOENT ? 0 : -1;
    }
    ssize_t got = pread(fd, bytes, sizeof bytes, 0);
    int number = errno;
    close(fd);
    if (got < 0) {
        pulled_refuse(store_path, SQLITE_OK, number, error);
        return -1;
    }
    enum pulled_header header = pulled_header_judge(bytes, got);
    if (header != PULLED_OURS)
        pulled_refuse(store_path, header == PULLED_NEWER ? SQLITE_NOTADB : SQLITE_CORRUPT, 0, error);
    return header == PULLED_OURS ? 1 : -1;
}

int pulled_reader_open(sqlite3 **db, const char *store_path, struct error *error)
{
    struct arena arena;
    char *path = pulled_path(store_path, PULLED_ENDING);
    int found = path ? judge(store_path, path, error) : -1;
    *db = NULL;
    if (!path)
        error_memory(error);
    if (found <= 0) {
        memory_free(path);
        return found;
    }
    arena_init(&arena);
    char *uri = store_file_uri(&arena, path);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX;
    int result = uri ? sqlite3_open_v2(uri, db, flags, NULL) : SQLITE_NOMEM;
    if (result == SQLITE_OK)
        result = pulled_configure(*db);
    arena_finish(&arena);
    memory_free(path);
    if (result == SQLITE_OK)
        return 1;
    pulled_refuse(store_path, result == SQLITE_ERROR ? SQLITE_CORRUPT : result, 0, error);
    sqlite3_close_v2(*db);
    *db = NULL;
    return -1;
}

bool pulled_look(const char *store_path, struct pulled_mark *mark, bool *is, struct error *error)
{
    sqlite3 *db;
    int64_t items;
    *mark = (struct pulled_mark){ 0 };
    int found = pulled_reader_open(&db, store_path, error);
    *is = found > 0;
    if (found <= 0)
        return found == 0;
    int result = pulled_read_mark(db, mark, &items);
    sqlite3_close_v2(db);
    return result == SQLITE_OK || pulled_refuse(store_path, result, 0, error);
}

/* What a row says of a pack; false: it is not what the centre sends. */
static bool read_pack(sqlite3_stmt *statement, const char **pack, struct hash *hash)
{
    const char *hex = (const char *)sqlite3_column_text(statement, 1);
    *pack = (const char *)sqlite3_column_text(statement, 0);
    return *pack && hex && hash_read(hash, hex);
}

bool pulled_packs(const char *store_path, pulled_pack_visit *visit, void *context, struct error *error)
{
    sqlite3 *db;
    sqlite3_stmt *statement = NULL;
    int found = pulled_reader_open(&db, store_path, error);
    if (found <= 0)
        return found == 0;
    int result = sqlite3_prepare_v2(db,
                                    "SELECT json_extract(body, '$.pack'), json_extract(body, '$.hash')"
                                    " FROM item WHERE kind = ?1",
                                    -1, &statement, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_int(statement, 1, CENTRAL_PACK);
        while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
            const char *pack;
            struct hash hash;
            if (read_pack(statement, &pack, &hash) && !visit(context, pack, &hash))
                break;
        }
    }
    sqlite3_finalize(statement);
    sqlite3_close_v2(db);
    return result == SQLITE_DONE || result == SQLITE_ROW ||
           pulled_refuse(store_path, result == SQLITE_ERROR ? SQLITE_CORRUPT : result, 0, error);
}
