/* The record of printed sheets, and the marks of filled-in ones, each call one transaction. */
#include "sqlite_sheet.h"
#include "sheet_private.h"

#include <quiztutor/message.h>
#include <string.h>

static sqlite3_stmt *prepare(struct sqlite_store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result != SQLITE_OK)
        sqlite_error(store, result, error);
    return statement;
}

bool sheet_put_source(struct sqlite_store *store, const struct sheet_source *source, struct error *error)
{
    sqlite3_stmt *statement = prepare(
        store, "INSERT INTO sheet_content(content, name, pack) VALUES(?1, ?2, ?3) ON CONFLICT DO NOTHING",
        error);
    if (!statement)
        return false;
    sqlite_bind_hash(statement, 1, &source->content);
    sqlite_bind_text(statement, 2, source->name);
    sqlite3_bind_blob64(statement, 3, source->length ? source->bytes : "", (sqlite3_uint64)source->length,
                        SQLITE_STATIC);
    bool done = sqlite_run(store, statement, NULL, error);
    sqlite3_finalize(statement);
    return done;
}

sqlite3_stmt *sheet_prepare_put(struct sqlite_store *store, struct error *error)
{
    return prepare(store,
                   "INSERT INTO sheet(id, body, content, learner_id, size, boxes, large, no_key, key_only,"
                   " tag, printed_at) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
                   " ON CONFLICT DO UPDATE SET printed_at = max(printed_at, excluded.printed_at)",
                   error);
}

bool sheet_put(struct sqlite_store *store, sqlite3_stmt *put, const struct sheet_record *record,
               struct error *error)
{
    sqlite_bind_text(put, 1, record->id);
    sqlite_bind_text(put, 2, record->body);
    sqlite_bind_hash(put, 3, &record->content);
    sqlite_bind_uuid(put, 4, &record->learner);
    sqlite_bind_text(put, 5, record->size);
    sqlite3_bind_int(put, 6, record->boxes);
    sqlite3_bind_int(put, 7, record->large);
    sqlite3_bind_int(put, 8, record->no_key);
    sqlite3_bind_int(put, 9, record->key_only);
    sqlite_bind_text(put, 10, record->tag);
    sqlite3_bind_int64(put, 11, record->printed_at);
    return sqlite_run(store, put, NULL, error);
}

/* Who was merged into another is that one. */
static bool put_for_learner(struct sqlite_store *store, sqlite3_stmt *put, const struct sheet_record *given,
                            struct error *error)
{
    struct sheet_record record = *given;
    int found = uuid_is_zero(&record.learner) ? 1 : learner_by_id(store, &record.learner, error);
    if (found == 0)
        return sheet_unknown_learner(error);
    return found > 0 && sheet_put(store, put, &record, error);
}

static bool keep_all(struct sqlite_store *store, const struct sheet_source *source,
                     const struct sheet_record *records, int count, struct error *error)
{
    sqlite3_stmt *put = NULL;
    bool done = sheet_put_source(store, source, error) && (put = sheet_prepare_put(store, error));
    for (int i = 0; done && i < count; i++)
        done = put_for_learner(store, put, &records[i], error);
    sqlite3_finalize(put);
    return done;
}

static bool keep(struct store *base, const struct sheet_source *source, const struct sheet_record *records,
                 int count, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    if (!writing_begin(&writing, error))
        return false;
    if (!keep_all(writing.store, source, records, count, error)) {
        sqlite_rollback(writing.store);
        return false;
    }
    if (!sqlite_commit(writing.store, error))
        return false;
    writing_done(&writing, NULL);
    return true;
}

void sheet_read(sqlite3_stmt *statement, struct sheet_record *record)
{
    *record = (struct sheet_record){ .id = (const char *)sqlite3_column_text(statement, 0),
                                     .body = (const char *)sqlite3_column_text(statement, 1),
                                     .size = (const char *)sqlite3_column_text(statement, 4),
                                     .boxes = sqlite3_column_int(statement, 5) != 0,
                                     .large = sqlite3_column_int(statement, 6) != 0,
                                     .no_key = sqlite3_column_int(statement, 7) != 0,
                                     .key_only = sqlite3_column_int(statement, 8) != 0,
                                     .tag = (const char *)sqlite3_column_text(statement, 9),
                                     .printed_at = sqlite3_column_int64(statement, 10) };
    sqlite_read_hash(statement, 2, &record->content);
    sqlite_read_uuid(statement, 3, &record->learner);
}

static bool read_found(struct sqlite_store *store, sqlite3_stmt *statement, struct arena *arena,
                       struct sheet_record *record, struct sheet_source *source, struct error *error)
{
    const char *name = (const char *)sqlite3_column_text(statement, 11);
    const void *pack = sqlite3_column_blob(statement, 12);
    sheet_read(statement, record);
    if (sqlite3_errcode(store->db) == SQLITE_NOMEM)
        return error_memory(error);
    struct hash is;
    ptrdiff_t length = sqlite3_column_bytes(statement, 12);
    if (!record->id || !record->body || !record->size || !name)
        return sqlite_error(store, SQLITE_CORRUPT, error);
    hash_of(&is, pack, length);
    if (memcmp(&is, &record->content, sizeof is) != 0)
        return sqlite_error(store, SQLITE_CORRUPT, error);
    return sheet_copy_record(record, arena, error) &&
           sheet_copy_source(source, arena, &record->content, name, pack, length, error);
}

/* The file is joined to the one row that is wanted, lest it be sorted with all. */
static int find(struct store *base, const char *id, const char *body, const struct uuid *learner,
                struct arena *arena, struct sheet_record *record, struct sheet_source *source,
                struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    sqlite3_stmt *statement = prepare(
        store,
        "SELECT " SHEET_COLUMNS ", name, pack FROM sheet JOIN sheet_content USING(content) WHERE printed ="
        " (SELECT printed FROM sheet WHERE body = ?2 ORDER BY id <> ?1,"
        "  CASE WHEN id <> ?1 OR ?3 IS NULL OR learner_id = ?3 THEN 0 WHEN learner_id IS NULL THEN 1 ELSE 2 "
        "END,"
        "  printed_at DESC, printed DESC LIMIT 1)",
        error);
    if (!statement)
        return -1;
    sqlite_bind_text(statement, 1, id);
    sqlite_bind_text(statement, 2, body);
    sqlite_bind_uuid(statement, 3, learner);
    int found = sqlite_look_up(store, statement, error);
    if (found > 0 && !read_found(store, statement, arena, record, source, error))
        found = -1;
    sqlite3_finalize(statement);
    return found;
}

static int is_stored(struct sqlite_store *store, const struct uuid *attempt, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_ATTEMPT_BY_ID, error);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, attempt);
    int found = sqlite_look_up(store, statement, error);
    sqlite3_reset(statement);
    return found;
}

static bool write_papers(struct writing *writing, const struct sheet_paper *papers, int count,
                         struct error *error)
{
    for (int i = 0; i < count; i++) {
        writing->session = papers[i].session;
        if (!sheet_is_new(&writing->store->base, &papers[i], error) ||
            !writing_settle_session(writing, error) ||
            !writing_add_attempts(writing, papers[i].attempts, papers[i].count, error))
            return false;
        if (writing->created)
            return sheet_unknown_learner(error);
    }
    return true;
}

/* *stored: an earlier call got through. */
static bool write_once(struct writing *writing, const struct sheet_paper *papers, int count, bool *stored,
                       struct error *error)
{
    if (!writing_begin(writing, error))
        return false;
    int found = is_stored(writing->store, &papers[0].attempts[0].id, error);
    *stored = found > 0;
    if (found == 0 && write_papers(writing, papers, count, error))
        return sqlite_commit(writing->store, error);
    known_forget(&writing->store->known);
    sqlite_rollback(writing->store);
    return *stored;
}

static bool add_papers(struct store *base, const struct sheet_paper *papers, int count, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    bool stored;
    bool done = write_once(&writing, papers, count, &stored, error);
    if (!done && writing.result == SQLITE_CONSTRAINT_FOREIGNKEY)
        done = write_once(&writing, papers, count, &stored, error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}

const struct sheet_ops sqlite_sheet_ops = { .keep = keep, .find = find, .add_papers = add_papers };
