/* The second log, kept up: it follows the store. */
#include "sqlite_record.h"
#include "sqlite_store.h"
#include "store_file.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BATCH = 262144 /* bytes of rows in one frame */ };

static const char *const statements[SECOND_STATEMENTS] = {
    [SECOND_META] = "SELECT store_id, log_changes, next_seq FROM meta WHERE one = 1",
    [SECOND_SESSIONS] = "SELECT seq, %s FROM session WHERE seq > ?1 ORDER BY seq",
    [SECOND_ATTEMPTS] = "SELECT seq, %s FROM attempt WHERE seq > ?1 ORDER BY seq",
    [SECOND_EVENTS] = "SELECT seq, %s FROM event WHERE seq > ?1 ORDER BY seq",
    [SECOND_LEARNER] = "SELECT %s FROM learner WHERE learner_id = ?1",
    [SECOND_TEXT] = "SELECT %s FROM question_text WHERE content = ?1",
    [SECOND_PLAN] =
        "SELECT entry.value ->> 4 FROM json_each(?1) AS entry WHERE json_type(entry.value) = 'array'",
};
static const enum record_kind kinds[SECOND_STATEMENTS] = {
    [SECOND_META] = RECORD_LOG,     [SECOND_SESSIONS] = RECORD_SESSION, [SECOND_ATTEMPTS] = RECORD_ATTEMPT,
    [SECOND_EVENTS] = RECORD_EVENT, [SECOND_LEARNER] = RECORD_LEARNER,  [SECOND_TEXT] = RECORD_TEXT,
    [SECOND_PLAN] = RECORD_LOG,
};

/* A result of SQLite. */
static int statement_of(struct sqlite_store *store, enum second_statement which, sqlite3_stmt **statement)
{
    sqlite3_stmt **kept = &store->second.statements[which];
    int result = SQLITE_OK;
    if (!*kept) {
        char sql[700];
        const char *columns = record_rows[kinds[which]].columns;
        sqlite3_snprintf(sizeof sql, sql, statements[which], columns ? columns : "");
        result = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, kept, NULL);
    }
    *statement = *kept;
    return result;
}

void sqlite_second_disconnect(struct sqlite_store *store)
{
    for (int i = 0; i < SECOND_STATEMENTS; i++)
        sqlite3_finalize(store->second.statements[i]);
    memset(store->second.statements, 0, sizeof store->second.statements);
}

static void forget(struct second *second)
{
    frames_close(&second->frames);
    id_map_finish(&second->texts);
    second->end = second->seq = 0;
    memset(&second->owner, 0, sizeof second->owner);
}

void sqlite_second_finish(struct sqlite_store *store)
{
    forget(&store->second);
}

/* The store's own half of what the first frame says, and its newest row. */
static int read_meta(struct sqlite_store *store, struct second_owner *here, int64_t *newest)
{
    sqlite3_stmt *statement;
    int result = statement_of(store, SECOND_META, &statement);
    if (result != SQLITE_OK)
        return result;
    result = sqlite3_step(statement);
    if (result == SQLITE_ROW) {
        sqlite_read_uuid(statement, 0, &here->store_id);
        here->changes = sqlite3_column_int64(statement, 1);
        here->version = store->around->schema->version;
        *newest = sqlite3_column_int64(statement, 2) - 1;
    }
    sqlite3_reset(statement);
    return result == SQLITE_ROW ? SQLITE_OK : result == SQLITE_DONE ? SQLITE_CORRUPT : result;
}

static bool is_same(const struct second_owner *one, const struct second_owner *other)
{
    return uuid_equal(&one->store_id, &other->store_id) && one->changes == other->changes &&
           one->version == other->version;
}

/* ---- what the file holds ---- */

static bool note_text(struct second *second, const void *content, bool *there)
{
    struct uuid half;
    memcpy(half.bytes, content, sizeof half.bytes);
    struct id_place *place = id_map_place(&second->texts, &half);
    if (!place)
        return false;
    *there = place->fate != 0;
    place->fate = 1;
    return true;
}

static int note_frame(struct second *second, const struct frame *frame)
{
    struct record record;
    bool there;
    for (ptrdiff_t at = 0; record_next(frame->data, frame->length, &at, &record);) {
        if (record.kind == RECORD_LOG && frame->at == 0) {
            record_uuid(&record, 0, &second->owner.store_id);
            second->owner.changes = record.values[1].integer;
            second->owner.version = record.values[2].integer;
        }
        if (record.kind == RECORD_TEXT && record.values[0].length == sizeof(struct hash) &&
            !note_text(second, record.values[0].data, &there))
            return SQLITE_NOMEM;
    }
    second->end = frame->next;
    second->seq = frame->seq;
    return SQLITE_OK;
}

/* Goes on behind what is known: another process may have added to it. */
static int scan(struct second *second)
{
    struct buffer buffer;
    struct frame frame;
    int result;
    buffer_init(&buffer);
    while ((result = frames_read(&second->frames, second->end, &buffer, &frame)) == SQLITE_ROW) {
        result = note_frame(second, &frame);
        if (result != SQLITE_OK)
            break;
    }
    buffer_finish(&buffer);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

static const char *path_of(struct sqlite_store *store, const char *ending, struct buffer *buffer)
{
    buffer_clear(buffer);
    buffer_print(buffer, "%s%s", store->path, ending);
    return buffer->failed ? NULL : buffer_get(buffer);
}

/* Opens it where it is not open, or is no longer what is under its name. SQLITE_CANTOPEN: there is none. */
static int open_it(struct sqlite_store *store)
{
    struct second *second = &store->second;
    struct buffer buffer;
    if (second->frames.file && !frames_replaced(&second->frames))
        return scan(second);
    forget(second);
    if (store_file_is_missing(store->path, SECOND_ENDING))
        return SQLITE_CANTOPEN;
    buffer_init(&buffer);
    const char *path = path_of(store, SECOND_ENDING, &buffer);
    int result = path ? frames_open(&second->frames, store->vfs, path, false) : SQLITE_NOMEM;
    buffer_finish(&buffer);
    return result == SQLITE_OK ? scan(second) : result == SQLITE_CANTOPEN ? SQLITE_IOERR : result;
}

/* ---- rows ---- */

struct adding {
    struct sqlite_store *store;
    struct frames *frames;
    int64_t end;
    struct buffer rows;
    struct id_map learners; /* that this frame holds already */
};

static int add_learner(struct adding *adding, sqlite3_stmt *row, int column)
{
    struct uuid id;
    sqlite3_stmt *statement;
    sqlite_read_uuid(row, column, &id);
    if (uuid_is_zero(&id))
        return SQLITE_OK;
    struct id_place *place = id_map_place(&adding->learners, &id);
    int result = place ? statement_of(adding->store, SECOND_LEARNER, &statement) : SQLITE_NOMEM;
    if (result != SQLITE_OK || place->count++)
        return result;
    sqlite_bind_uuid(statement, 1, &id);
    result = sqlite3_step(statement); /* none: the mark of who was erased */
    if (result == SQLITE_ROW)
        record_add(&adding->rows, RECORD_LEARNER, statement, 0);
    sqlite3_reset(statement);
    return result == SQLITE_ROW || result == SQLITE_DONE ? SQLITE_OK : result;
}

static int add_text(struct adding *adding, const void *content)
{
    sqlite3_stmt *statement;
    bool there = false;
    if (!note_text(&adding->store->second, content, &there))
        return SQLITE_NOMEM;
    int result = there ? SQLITE_OK : statement_of(adding->store, SECOND_TEXT, &statement);
    if (there || result != SQLITE_OK)
        return result;
    sqlite3_bind_blob(statement, 1, content, sizeof(struct hash), SQLITE_STATIC);
    result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        record_add(&adding->rows, RECORD_TEXT, statement, 0);
    sqlite3_reset(statement);
    return result == SQLITE_ROW || result == SQLITE_DONE ? SQLITE_OK : result;
}

/* An exam's texts are stored with its session. */
static int add_plan(struct adding *adding, sqlite3_stmt *session)
{
    sqlite3_stmt *statement;
    struct hash content;
    const char *kind = (const char *)sqlite3_column_text(session, 1 + 3);
    const char *plan = (const char *)sqlite3_column_text(session, 1 + 7);
    int result = SQLITE_OK;
    if (!kind || !plan || strcmp(kind, "exam") != 0)
        return kind && plan ? SQLITE_OK : SQLITE_NOMEM;
    result = statement_of(adding->store, SECOND_PLAN, &statement);
    if (result != SQLITE_OK)
        return result;
    sqlite_bind_text(statement, 1, plan);
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *hex = (const char *)sqlite3_column_text(statement, 0);
        if (hex && hash_read(&content, hex) && (result = add_text(adding, content.bytes)) != SQLITE_OK)
            break;
    }
    sqlite3_reset(statement);
    return result == SQLITE_DONE ? SQLITE_OK : result;
}

static int add_row(struct adding *adding, enum record_kind kind, sqlite3_stmt *statement)
{
    const struct record_row *row = &record_rows[kind];
    int result = add_learner(adding, statement, 1 + row->learner);
    if (result == SQLITE_OK && kind == RECORD_SESSION)
        result = add_plan(adding, statement);
    if (result == SQLITE_OK && row->content >= 0 &&
        sqlite3_column_bytes(statement, 1 + row->content) == (int)sizeof(struct hash))
        result = add_text(adding, sqlite3_column_blob(statement, 1 + row->content));
    if (result == SQLITE_OK)
        record_add(&adding->rows, kind, statement, 1);
    return adding->rows.failed ? SQLITE_NOMEM : result;
}

static int write_frame(struct adding *adding, int64_t seq)
{
    int result =
        frames_write(adding->frames, &adding->end, seq, buffer_get(&adding->rows), adding->rows.length);
    buffer_clear(&adding->rows);
    id_map_finish(&adding->learners);
    return result;
}

enum { STREAMS = 3 };

/* Which of the streams stands on the lowest number; −1: none stands on a row. */
static int lowest(sqlite3_stmt *const streams[static STREAMS], const int results[static STREAMS])
{
    int next = -1;
    for (int i = 0; i < STREAMS; i++)
        if (results[i] == SQLITE_ROW &&
            (next < 0 || sqlite3_column_int64(streams[i], 0) < sqlite3_column_int64(streams[next], 0)))
            next = i;
    return next;
}

/* What has failed of the steps. */
static int failed(const int results[static STREAMS])
{
    for (int i = 0; i < STREAMS; i++)
        if (results[i] != SQLITE_ROW && results[i] != SQLITE_DONE)
            return results[i];
    return SQLITE_OK;
}

/* A frame says that all rows up to its number are there: none is written behind a stream that has failed. */
static int add_streams(struct adding *adding, sqlite3_stmt *const streams[static STREAMS],
                       int results[static STREAMS])
{
    int next, result = failed(results);
    while (result == SQLITE_OK && (next = lowest(streams, results)) >= 0) {
        int64_t seq = sqlite3_column_int64(streams[next], 0);
        result = add_row(adding, kinds[SECOND_SESSIONS + next], streams[next]);
        results[next] = sqlite3_step(streams[next]);
        if (result == SQLITE_OK)
            result = failed(results);
        if (result == SQLITE_OK && (adding->rows.length > BATCH || lowest(streams, results) < 0))
            result = write_frame(adding, seq);
    }
    return result;
}

/* All rows behind `seq`, in the order of the log. */
static int add_rows(struct adding *adding, int64_t seq)
{
    sqlite3_stmt *streams[STREAMS];
    int results[STREAMS], result = SQLITE_OK;
    for (int i = 0; i < STREAMS && result == SQLITE_OK; i++) {
        result = statement_of(adding->store, (enum second_statement)(SECOND_SESSIONS + i), &streams[i]);
        if (result == SQLITE_OK) {
            sqlite3_bind_int64(streams[i], 1, seq);
            results[i] = sqlite3_step(streams[i]);
        }
    }
    if (result == SQLITE_OK)
        result = add_streams(adding, streams, results);
    for (int i = 0; i < STREAMS; i++)
        sqlite3_reset(adding->store->second.statements[SECOND_SESSIONS + i]);
    return result;
}

static void adding_finish(struct adding *adding)
{
    buffer_finish(&adding->rows);
    id_map_finish(&adding->learners);
}

/* ---- the file made anew ---- */

static int fill_anew(struct sqlite_store *store, struct frames *frames, const struct second_owner *here,
                     int64_t *end)
{
    struct adding adding = { .store = store, .frames = frames };
    buffer_init(&adding.rows);
    id_map_finish(&store->second.texts);
    record_add_log(&adding.rows, &here->store_id, here->changes, here->version);
    int result = adding.rows.failed ? SQLITE_NOMEM : write_frame(&adding, 0);
    if (result == SQLITE_OK)
        result = add_rows(&adding, 0);
    if (result == SQLITE_OK)
        result = frames_sync(frames);
    *end = adding.end;
    adding_finish(&adding);
    return result;
}

/* Made beside, then named: there always is a whole one. */
static int make_anew(struct sqlite_store *store, const struct second_owner *here)
{
    struct buffer from, to;
    struct frames frames = { 0 };
    int64_t end = 0;
    buffer_init(&from);
    buffer_init(&to);
    const char *fresh = path_of(store, "-rewriting", &from), *path = path_of(store, SECOND_ENDING, &to);
    forget(&store->second);
    int result = fresh && path ? frames_open(&frames, store->vfs, fresh, true) : SQLITE_NOMEM;
    bool made = result == SQLITE_OK;
    if (made)
        result = fill_anew(store, &frames, here, &end);
    frames_close(&frames);
    if (result == SQLITE_OK && (rename(fresh, path) != 0 || !sqlite_sync_folder(path)))
        result = SQLITE_IOERR;
    if (made && result != SQLITE_OK)
        unlink(fresh);
    id_map_finish(&store->second.texts);
    if (result == SQLITE_OK)
        result = open_it(store);
    buffer_finish(&from);
    buffer_finish(&to);
    return result;
}

/* ---- following ---- */

static int add_behind(struct sqlite_store *store, int64_t newest)
{
    struct second *second = &store->second;
    struct adding adding = { .store = store, .frames = &second->frames, .end = second->end };
    if (second->seq >= newest)
        return second->seq > newest ? SQLITE_CORRUPT : SQLITE_OK;
    buffer_init(&adding.rows);
    int result = add_rows(&adding, second->seq);
    if (result == SQLITE_OK)
        result = frames_sync(&second->frames);
    if (result == SQLITE_OK) {
        second->end = adding.end;
        second->seq = newest;
    } else {
        forget(second); /* what it holds of this is not known */
    }
    adding_finish(&adding);
    return result;
}

static int follow(struct sqlite_store *store)
{
    struct second *second = &store->second;
    struct second_owner here = { 0 };
    int64_t newest = 0;
    int result = open_it(store);
    if (result == SQLITE_CANTOPEN && !second->wanted) {
        second->kept = false; /* it was taken away */
        return SQLITE_OK;
    }
    if (result != SQLITE_OK && result != SQLITE_CANTOPEN)
        return result;
    result = read_meta(store, &here, &newest);
    if (result != SQLITE_OK)
        return result;
    return second->frames.file && is_same(&second->owner, &here) ? add_behind(store, newest)
                                                                 : make_anew(store, &here);
}

void sqlite_second_follow(struct sqlite_store *store)
{
    if (store->second.kept && !store->second.paused)
        store->second.behind = follow(store) != SQLITE_OK;
}

bool sqlite_second_clean(struct sqlite_store *store, struct error *error)
{
    if (!store->second.kept)
        return true;
    int result = follow(store);
    store->second.behind = result != SQLITE_OK;
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

bool sqlite_second_look(struct sqlite_store *store, struct second_owner *here)
{
    int64_t newest;
    return open_it(store) == SQLITE_OK && store->second.end > 0 &&
           read_meta(store, here, &newest) == SQLITE_OK;
}

/* The store has lost rows where the newest one is older than that of its second log. */
static bool has_lost(struct sqlite_store *store)
{
    struct second *second = &store->second;
    struct second_owner here = { 0 };
    int64_t newest = 0;
    return open_it(store) == SQLITE_OK && read_meta(store, &here, &newest) == SQLITE_OK && second->end > 0 &&
           uuid_equal(&here.store_id, &second->owner.store_id) && here.version == second->owner.version &&
           (second->owner.changes > here.changes ||
            (second->owner.changes == here.changes && second->seq > newest));
}

void sqlite_second_ready(struct sqlite_store *store)
{
    struct second *second = &store->second;
    struct heal_report report = { 0 };
    struct buffer buffer;
    if (!second->kept || second->ready || second->paused)
        return;
    second->ready = true;
    if (!has_lost(store))
        return;
    buffer_init(&buffer);
    const char *path = path_of(store, SECOND_ENDING, &buffer);
    if (path && sqlite_second_take(store, path, &report, NULL)) {
        second->taken = report.taken;
        second->attempts = report.attempts;
        bool wanted = second->wanted;
        sqlite_second_renew(store, NULL);
        second->wanted = wanted;
    }
    heal_report_finish(&report);
    buffer_finish(&buffer);
}

bool sqlite_second_renew(struct sqlite_store *store, struct error *error)
{
    struct second *second = &store->second;
    struct second_owner here = { 0 };
    int64_t newest;
    second->kept = second->wanted = second->ready = true;
    second->paused = false;
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    int result = read_meta(store, &here, &newest);
    if (result == SQLITE_OK)
        result = make_anew(store, &here);
    second->behind = result != SQLITE_OK;
    lock_give(&store->lock);
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

int sqlite_second_owner(const char *vfs, const char *path, struct second_owner *owner)
{
    struct second second = { .kept = true };
    struct buffer buffer;
    struct frame frame;
    buffer_init(&buffer);
    int result = frames_open(&second.frames, vfs, path, false);
    if (result == SQLITE_OK)
        result = frames_read(&second.frames, 0, &buffer, &frame);
    if (result == SQLITE_ROW)
        result = note_frame(&second, &frame);
    *owner = second.owner;
    forget(&second);
    buffer_finish(&buffer);
    if (sqlite_error_code(result, 0) == ERROR_MEMORY)
        return -1;
    return result == SQLITE_OK && !uuid_is_zero(&owner->store_id);
}

bool sqlite_second_init(struct sqlite_store *store, bool wanted, bool paused, struct error *error)
{
    struct second *second = &store->second;
    if (store->read_only)
        return true;
    second->wanted = wanted;
    second->paused = paused;
    second->kept = wanted || !store_file_is_missing(store->path, SECOND_ENDING);
    if (!wanted || paused)
        return true;
    sqlite_second_ready(store);
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    sqlite_second_follow(store);
    lock_give(&store->lock);
    return true;
}

void heal_log_look(struct store *base, struct heal_log *log)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct stat status;
    struct buffer buffer;
    memset(log, 0, sizeof *log);
    if (base->ops != &sqlite_store_ops || store->read_only)
        return;
    buffer_init(&buffer);
    const char *path = path_of(store, SECOND_ENDING, &buffer);
    log->kept = store->second.kept;
    log->behind = store->second.behind;
    if (path && stat(path, &status) == 0)
        log->size = status.st_size;
    buffer_finish(&buffer);
}
