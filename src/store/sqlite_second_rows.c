/* What the second log gets: the log's rows with all that belongs to them, and what changes beside them. */
#include "sqlite_record.h"
#include "sqlite_store.h"

#include <string.h>

enum { BATCH = 262144 /* bytes of rows in one frame */ };

static const char *const statements[SECOND_STATEMENTS] = {
    [SECOND_META] = ("SELECT store_id, log_changes, next_seq, (SELECT max(change) FROM changed) FROM meta"
                     " WHERE one = 1"),
    [SECOND_SESSIONS] = "SELECT seq, %s FROM session WHERE seq > ?1 ORDER BY seq",
    [SECOND_ATTEMPTS] = "SELECT seq, %s FROM attempt WHERE seq > ?1 ORDER BY seq",
    [SECOND_EVENTS] = "SELECT seq, %s FROM event WHERE seq > ?1 ORDER BY seq",
    [SECOND_LEARNER] = "SELECT %s FROM learner WHERE learner_id = ?1",
    [SECOND_TEXT] = "SELECT %s FROM question_text WHERE content = ?1",
    [SECOND_PLAN] =
        "SELECT entry.value ->> 4 FROM json_each(?1) AS entry WHERE json_type(entry.value) = 'array'",
    [SECOND_CHANGED] = "SELECT change, what FROM changed WHERE change > ?1 ORDER BY change",
    [SECOND_PERSON] = "SELECT %s FROM changed JOIN learner ON learner_id = changed.id WHERE change = ?1",
    [SECOND_SHEET] = "SELECT %s FROM changed JOIN sheet ON printed = changed.id WHERE change = ?1",
    [SECOND_SOURCE] = "SELECT %s FROM sheet_content WHERE content = ?1",
    [SECOND_PARAMETERS] = "SELECT %s FROM changed LEFT JOIN parameters ON learner_id = id WHERE change = ?1",
};
static const enum record_kind kinds[SECOND_STATEMENTS] = {
    [SECOND_META] = RECORD_LOG,         [SECOND_SESSIONS] = RECORD_SESSION,
    [SECOND_ATTEMPTS] = RECORD_ATTEMPT, [SECOND_EVENTS] = RECORD_EVENT,
    [SECOND_LEARNER] = RECORD_LEARNER,  [SECOND_TEXT] = RECORD_TEXT,
    [SECOND_PLAN] = RECORD_LOG,         [SECOND_CHANGED] = RECORD_LOG,
    [SECOND_PERSON] = RECORD_PERSON,    [SECOND_SHEET] = RECORD_SHEET,
    [SECOND_SOURCE] = RECORD_SOURCE,    [SECOND_PARAMETERS] = RECORD_PARAMETERS,
};

int second_statement(struct sqlite_store *store, enum second_statement which, sqlite3_stmt **statement)
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

bool second_note_text(struct second *second, const void *content, bool *there)
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
    int result = place ? second_statement(adding->store, SECOND_LEARNER, &statement) : SQLITE_NOMEM;
    if (result != SQLITE_OK || place->count++)
        return result;
    sqlite_bind_uuid(statement, 1, &id);
    result = sqlite3_step(statement); /* none: the mark of who was erased */
    if (result == SQLITE_ROW)
        record_add(&adding->rows, RECORD_LEARNER, statement, 0);
    sqlite3_reset(statement);
    return result == SQLITE_ROW || result == SQLITE_DONE ? SQLITE_OK : result;
}

/* A text, or a sheet's pack, where the log has it not yet. */
static int add_content(struct adding *adding, enum second_statement which, const void *content)
{
    sqlite3_stmt *statement;
    bool there = false;
    if (!second_note_text(&adding->store->second, content, &there))
        return SQLITE_NOMEM;
    int result = there ? SQLITE_OK : second_statement(adding->store, which, &statement);
    if (there || result != SQLITE_OK)
        return result;
    sqlite3_bind_blob(statement, 1, content, sizeof(struct hash), SQLITE_STATIC);
    result = sqlite3_step(statement);
    if (result == SQLITE_ROW)
        record_add(&adding->rows, kinds[which], statement, 0);
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
    result = second_statement(adding->store, SECOND_PLAN, &statement);
    if (result != SQLITE_OK)
        return result;
    sqlite_bind_text(statement, 1, plan);
    while ((result = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *hex = (const char *)sqlite3_column_text(statement, 0);
        if (hex && hash_read(&content, hex) &&
            (result = add_content(adding, SECOND_TEXT, content.bytes)) != SQLITE_OK)
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
        result = add_content(adding, SECOND_TEXT, sqlite3_column_blob(statement, 1 + row->content));
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

static void adding_init(struct adding *adding, struct sqlite_store *store, struct frames *frames, int64_t end)
{
    *adding = (struct adding){ .store = store, .frames = frames, .end = end };
    buffer_init(&adding->rows);
}

static void adding_finish(struct adding *adding)
{
    buffer_finish(&adding->rows);
    id_map_finish(&adding->learners);
}

/* All rows behind `seq`, in the order of the log. */
int second_add_rows(struct sqlite_store *store, struct frames *frames, int64_t *end, int64_t seq)
{
    struct adding adding;
    sqlite3_stmt *streams[STREAMS];
    int results[STREAMS], result = SQLITE_OK;
    adding_init(&adding, store, frames, *end);
    for (int i = 0; i < STREAMS && result == SQLITE_OK; i++) {
        result = second_statement(store, (enum second_statement)(SECOND_SESSIONS + i), &streams[i]);
        if (result == SQLITE_OK) {
            sqlite3_bind_int64(streams[i], 1, seq);
            results[i] = sqlite3_step(streams[i]);
        }
    }
    if (result == SQLITE_OK)
        result = add_streams(&adding, streams, results);
    for (int i = 0; i < STREAMS; i++)
        sqlite3_reset(store->second.statements[SECOND_SESSIONS + i]);
    *end = adding.end;
    adding_finish(&adding);
    return result;
}

/* ---- what is no row of the log ---- */

/* As it is now: what was changed once more since is under another number. */
static int add_change(struct adding *adding, int64_t change, enum second_statement which)
{
    sqlite3_stmt *statement;
    int result = second_statement(adding->store, which, &statement);
    if (result != SQLITE_OK)
        return result;
    sqlite3_bind_int64(statement, 1, change);
    int found = sqlite3_step(statement), content = record_rows[kinds[which]].content;
    if (found == SQLITE_ROW && content >= 0 &&
        sqlite3_column_bytes(statement, content) == (int)sizeof(struct hash))
        result = add_content(adding, SECOND_SOURCE, sqlite3_column_blob(statement, content));
    if (found == SQLITE_ROW && result == SQLITE_OK)
        record_add(&adding->rows, kinds[which], statement, 0);
    sqlite3_reset(statement);
    if (found != SQLITE_ROW && found != SQLITE_DONE)
        return found;
    return adding->rows.failed ? SQLITE_NOMEM : result;
}

/* In frames of the number that the log's rows have reached. */
static int add_changes(struct adding *adding, sqlite3_stmt *changed)
{
    int64_t seq = adding->store->second.mark.seq;
    int result = SQLITE_OK, step;
    while (result == SQLITE_OK && (step = sqlite3_step(changed)) == SQLITE_ROW) {
        const char *what = (const char *)sqlite3_column_text(changed, 1);
        if (!what)
            return SQLITE_NOMEM;
        result = add_change(adding, sqlite3_column_int64(changed, 0),
                            *what == 'l'   ? SECOND_PERSON
                            : *what == 's' ? SECOND_SHEET
                                           : SECOND_PARAMETERS);
        if (result == SQLITE_OK && adding->rows.length > BATCH)
            result = write_frame(adding, seq);
    }
    if (result == SQLITE_OK && step != SQLITE_DONE)
        return step;
    return result == SQLITE_OK && adding->rows.length ? write_frame(adding, seq) : result;
}

int second_add_changes(struct sqlite_store *store, struct frames *frames, int64_t *end, int64_t change)
{
    struct adding adding;
    sqlite3_stmt *changed;
    int result = second_statement(store, SECOND_CHANGED, &changed);
    if (result != SQLITE_OK)
        return result;
    adding_init(&adding, store, frames, *end);
    sqlite3_bind_int64(changed, 1, change);
    result = add_changes(&adding, changed);
    sqlite3_reset(changed);
    *end = adding.end;
    adding_finish(&adding);
    return result;
}
