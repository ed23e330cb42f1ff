/* What a sync keeps, written: all of it is in memory meanwhile, and takes its place by rename. */
#include "sqlite_pulled.h"
#include "roster_private.h"
#include "sqlite_store.h"
#include "store_file.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

struct pulled {
    char *store_path, *path, *partial;
    sqlite3 *db; /* in memory */
    sqlite3_stmt *put, *forget;
    struct pulled_mark mark;
    bool erased; /* somebody was since it was last saved */
};

/* ---- what is there ---- */

/* Reads all of an open file. An errno, EFBIG for one that is no such file by its size. */
static int read_all(int fd, unsigned char **bytes, ptrdiff_t *length)
{
    struct stat status;
    if (fstat(fd, &status) != 0)
        return errno;
    if (!S_ISREG(status.st_mode) || status.st_size > PULLED_LARGEST)
        return EFBIG;
    *bytes = sqlite3_malloc64((sqlite3_uint64)status.st_size + 1);
    if (!*bytes)
        return ENOMEM;
    for (*length = 0; *length < status.st_size;) {
        ssize_t got = read(fd, *bytes + *length, (size_t)(status.st_size - *length));
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno;
        if (got == 0)
            break;
        *length += got;
    }
    return 0;
}

/* The file's bytes, ours to change. SQLITE_NOTFOUND: there is nothing to go on with. */
static int take_bytes(struct pulled *pulled, unsigned char *bytes, ptrdiff_t length)
{
    int result = sqlite3_open_v2(":memory:", &pulled->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (result != SQLITE_OK) {
        sqlite3_free(bytes);
        return result;
    }
    result = sqlite3_deserialize(pulled->db, "main", bytes, length, length,
                                 SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
    int64_t items;
    if (result == SQLITE_OK)
        result = pulled_configure(pulled->db);
    if (result == SQLITE_OK)
        result = pulled_check(pulled->db);
    if (result == SQLITE_OK)
        result = pulled_read_mark(pulled->db, &pulled->mark, &items);
    if (result == SQLITE_OK || result == SQLITE_NOMEM)
        return result;
    sqlite3_close_v2(pulled->db);
    pulled->db = NULL;
    pulled->mark = (struct pulled_mark){ 0 };
    return SQLITE_NOTFOUND;
}

static int begin_anew(struct pulled *pulled)
{
    int result = sqlite3_open_v2(":memory:", &pulled->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_exec(pulled->db, pulled_schema, NULL, NULL, NULL);
    return result == SQLITE_OK ? pulled_configure(pulled->db) : result;
}

static bool load(struct pulled *pulled, struct error *error)
{
    unsigned char *bytes = NULL;
    ptrdiff_t length = 0;
    int fd = open(pulled->path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW);
    int number = fd >= 0 ? read_all(fd, &bytes, &length) : errno, result = SQLITE_NOTFOUND;
    if (fd >= 0)
        close(fd);
    if (number == ENOENT || number == EFBIG || number == ELOOP)
        number = 0;
    enum pulled_header header = number || !bytes ? PULLED_FOREIGN : pulled_header_judge(bytes, length);
    if (header == PULLED_OURS)
        result = take_bytes(pulled, bytes, length);
    else
        sqlite3_free(bytes);
    if (header == PULLED_NEWER)
        return pulled_refuse(pulled->store_path, SQLITE_NOTADB, 0, error);
    if (number)
        return pulled_refuse(pulled->store_path, SQLITE_OK, number, error);
    if (result == SQLITE_NOTFOUND)
        result = begin_anew(pulled);
    return result == SQLITE_OK || pulled_refuse(pulled->store_path, result, 0, error);
}

bool pulled_open(struct pulled **out, const char *store_path, struct error *error)
{
    struct pulled *pulled = memory_zero(sizeof *pulled);
    *out = NULL;
    if (!pulled)
        return error_memory(error);
    pulled->store_path = memory_text(store_path);
    pulled->path = pulled_path(store_path, PULLED_ENDING);
    pulled->partial = pulled_path(store_path, PULLED_ENDING ".partial");
    bool done = (pulled->store_path && pulled->path && pulled->partial) || error_memory(error);
    if (!done || !load(pulled, error)) {
        pulled_close(pulled);
        return false;
    }
    *out = pulled;
    return true;
}

void pulled_close(struct pulled *pulled)
{
    if (!pulled)
        return;
    sqlite3_finalize(pulled->put);
    sqlite3_finalize(pulled->forget);
    sqlite3_close_v2(pulled->db);
    memory_free(pulled->store_path);
    memory_free(pulled->path);
    memory_free(pulled->partial);
    memory_free(pulled);
}

/* ---- what changes ---- */

void pulled_mark(const struct pulled *pulled, struct pulled_mark *mark)
{
    *mark = pulled->mark;
}

bool pulled_set_mark(struct pulled *pulled, const struct pulled_mark *mark, struct error *error)
{
    const struct uuid *was = &pulled->mark.server;
    int result = SQLITE_OK;
    if (!uuid_is_zero(was) && !uuid_equal(was, &mark->server))
        result = sqlite3_exec(pulled->db, "DELETE FROM item", NULL, NULL, NULL);
    if (result != SQLITE_OK)
        return pulled_refuse(pulled->store_path, result, 0, error);
    pulled->mark = *mark;
    return true;
}

static int statement_of(struct pulled *pulled, sqlite3_stmt **statement, const char *sql)
{
    return *statement ? SQLITE_OK : sqlite3_prepare_v2(pulled->db, sql, -1, statement, NULL);
}

static int run(sqlite3_stmt *statement)
{
    int result = sqlite3_step(statement);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

/* An id is a blob here, zero too: a null would be no key. */
static void bind_id(sqlite3_stmt *statement, int place, const struct uuid *id)
{
    sqlite3_bind_blob(statement, place, id->bytes, sizeof id->bytes, SQLITE_STATIC);
}

static int write_item(struct pulled *pulled, int kind, int64_t version, const struct uuid *id,
                      const char *body)
{
    struct uuid digest;
    int result = statement_of(pulled, &pulled->put,
                              "INSERT OR REPLACE INTO item(kind, id, version, body, digest)"
                              " VALUES(?1, ?2, ?3, ?4, ?5)");
    if (result != SQLITE_OK)
        return result;
    pulled_item_digest(&digest, kind, version, id, body, (ptrdiff_t)strlen(body));
    sqlite3_bind_int(pulled->put, 1, kind);
    bind_id(pulled->put, 2, id);
    sqlite3_bind_int64(pulled->put, 3, version);
    sqlite_bind_text(pulled->put, 4, body);
    bind_id(pulled->put, 5, &digest);
    return run(pulled->put);
}

static int forget_item(struct pulled *pulled, int kind, const struct uuid *id)
{
    int result = statement_of(pulled, &pulled->forget, "DELETE FROM item WHERE kind = ?1 AND id = ?2");
    if (result != SQLITE_OK)
        return result;
    sqlite3_bind_int(pulled->forget, 1, kind);
    bind_id(pulled->forget, 2, id);
    return run(pulled->forget);
}

/* Packs are told apart by their name. */
static bool pack_key(struct pulled *pulled, const char *body, struct uuid *key, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    struct hash hash;
    int result = sqlite3_prepare_v2(pulled->db, "SELECT json_extract(?1, '$.pack')", -1, &statement, NULL);
    if (result == SQLITE_OK) {
        sqlite_bind_text(statement, 1, body);
        result = sqlite3_step(statement);
    }
    bool is = result == SQLITE_ROW && sqlite3_column_type(statement, 0) == SQLITE_TEXT;
    if (is) {
        const void *name = sqlite3_column_text(statement, 0);
        hash_of(&hash, name ? name : "", name ? sqlite3_column_bytes(statement, 0) : 0);
        memcpy(key->bytes, hash.bytes, sizeof key->bytes);
    }
    sqlite3_finalize(statement);
    if (result != SQLITE_ROW)
        return pulled_refuse(pulled->store_path, result, 0, error);
    return is || error_set(error, ERROR_INPUT, "%s", tr("the central store names a pack without a name"));
}

bool pulled_put(struct pulled *pulled, int kind, int64_t version, const struct uuid *id, const char *body,
                struct error *error)
{
    struct uuid key = { { 0 } };
    if (id)
        key = *id;
    if (kind < 0 || kind >= PULLED_KINDS || !json_valid(body))
        return error_set(error, ERROR_INPUT, "%s",
                         tr("the central store sent something that is not understood here: it may be of a "
                            "later release"));
    if (kind == CENTRAL_PACK && !pack_key(pulled, body, &key, error))
        return false;
    int result = write_item(pulled, kind, version, &key, body);
    if (result == SQLITE_OK && kind == CENTRAL_MERGED)
        result = forget_item(pulled, CENTRAL_LEARNER, &key);
    if (result == SQLITE_OK && kind == CENTRAL_MERGED)
        result = forget_item(pulled, CENTRAL_PIN, &key);
    pulled->erased |= kind == CENTRAL_ERASED;
    return result == SQLITE_OK || pulled_refuse(pulled->store_path, result, 0, error);
}

/* roster_mark for SQL. */
static void mark_of(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct uuid id, mark;
    if (count != 1 || sqlite3_value_bytes(values[0]) != (int)sizeof id.bytes)
        return;
    memcpy(id.bytes, sqlite3_value_blob(values[0]), sizeof id.bytes);
    roster_mark(&mark, &id);
    sqlite3_result_blob(context, mark.bytes, sizeof mark.bytes, SQLITE_TRANSIENT);
}

/* Nothing of who was erased stays here; secure_delete writes zeros over it. */
static int forget_erased(struct pulled *pulled)
{
    char sql[200];
    int result = sqlite3_create_function(pulled->db, "mark_of", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                         mark_of, NULL, NULL);
    sqlite3_snprintf(sizeof sql, sql,
                     "DELETE FROM item WHERE kind IN (%d, %d, %d) AND mark_of(id) IN"
                     " (SELECT erased.id FROM item AS erased WHERE erased.kind = %d)",
                     CENTRAL_LEARNER, CENTRAL_MERGED, CENTRAL_PIN, CENTRAL_ERASED);
    return result == SQLITE_OK ? sqlite3_exec(pulled->db, sql, NULL, NULL, NULL) : result;
}

static int write_mark(struct pulled *pulled)
{
    sqlite3_stmt *statement = NULL;
    struct uuid digest;
    int64_t items = 0;
    int result = sqlite3_prepare_v2(pulled->db, "SELECT count(*) FROM item", -1, &statement, NULL);
    if (result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        items = sqlite3_column_int64(statement, 0);
        result = SQLITE_OK;
    }
    sqlite3_finalize(statement);
    if (result != SQLITE_OK)
        return result;
    result = sqlite3_prepare_v2(pulled->db,
                                "INSERT OR REPLACE INTO mark(one, server, store_id, seq, changes, version,"
                                " at, items, digest) VALUES(1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
                                -1, &statement, NULL);
    if (result != SQLITE_OK)
        return result;
    pulled_mark_digest(&digest, &pulled->mark, items);
    bind_id(statement, 1, &pulled->mark.server);
    bind_id(statement, 2, &pulled->mark.store_id);
    sqlite3_bind_int64(statement, 3, pulled->mark.seq);
    sqlite3_bind_int64(statement, 4, pulled->mark.changes);
    sqlite3_bind_int64(statement, 5, pulled->mark.version);
    sqlite3_bind_int64(statement, 6, pulled->mark.at);
    sqlite3_bind_int64(statement, 7, items);
    bind_id(statement, 8, &digest);
    result = run(statement);
    sqlite3_finalize(statement);
    return result;
}

/* ---- on the disk ---- */

static int write_all(int fd, const unsigned char *bytes, ptrdiff_t length)
{
    for (ptrdiff_t at = 0; at < length;) {
        ssize_t put = write(fd, bytes + at, (size_t)(length - at));
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return errno;
        at += put;
    }
    return fsync(fd) == 0 ? 0 : errno;
}

/* Run as root, say: the store's owner is to read it. */
static void give(const struct pulled *pulled, int fd)
{
    struct stat store, own;
    if (stat(pulled->store_path, &store) == 0 && fstat(fd, &own) == 0 &&
        (store.st_uid != own.st_uid || store.st_gid != own.st_gid) &&
        fchown(fd, store.st_uid, store.st_gid) != 0)
        return; /* it stays ours: who can't read it says so */
}

/* Opens the file that takes its place; nobody else has it open for that. An errno. */
static int open_partial(const struct pulled *pulled, int *fd)
{
    enum { TRIES = 10 };
    struct stat here, there;
    for (int i = 0; i < TRIES; i++) {
        *fd =
            open(pulled->partial, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | O_NOFOLLOW, 0600);
        if (*fd < 0)
            return errno;
        if (flock(*fd, LOCK_EX | LOCK_NB) != 0)
            return errno == EWOULDBLOCK ? EBUSY : errno;
        /* what another sync has just renamed or removed is not ours to write */
        if (fstat(*fd, &here) == 0 && stat(pulled->partial, &there) == 0 && here.st_ino == there.st_ino &&
            here.st_dev == there.st_dev)
            return S_ISREG(here.st_mode) && fchmod(*fd, 0600) == 0 && ftruncate(*fd, 0) == 0 ? 0 : EACCES;
        close(*fd);
    }
    *fd = -1;
    return EBUSY;
}

static int write_file(const struct pulled *pulled, const unsigned char *bytes, ptrdiff_t length)
{
    int fd = -1, number = open_partial(pulled, &fd);
    if (!number) {
        number = write_all(fd, bytes, length);
        if (!number) {
            give(pulled, fd);
            number = rename(pulled->partial, pulled->path) == 0 ? 0 : errno;
        }
        if (number)
            unlink(pulled->partial);
        else if (errno = ENOMEM, !sqlite_sync_folder(pulled->path)) /* unless it says what else */
            number = errno;
    }
    if (fd >= 0)
        close(fd);
    return number;
}

bool pulled_save(struct pulled *pulled, struct error *error)
{
    sqlite3_int64 length = 0;
    int result = pulled->erased ? forget_erased(pulled) : SQLITE_OK, number = 0;
    if (result == SQLITE_OK)
        result = write_mark(pulled);
    if (result == SQLITE_OK) {
        unsigned char *bytes = sqlite3_serialize(pulled->db, "main", &length, 0);
        if (bytes)
            number = write_file(pulled, bytes, length);
        else
            result = SQLITE_NOMEM;
        sqlite3_free(bytes);
    }
    if (result != SQLITE_OK || number)
        return pulled_refuse(pulled->store_path, result, number, error);
    pulled->erased = false;
    return true;
}
