/*
 * Rows of a store as they are sent to a central one. They are read some at a time into memory, and nothing of
 * the store is held while those are sent: whoever practises meanwhile never waits for a network.
 */
#include "sqlite_store.h"

#include <quiztutor/message.h>
#include <quiztutor/outgoing.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum {
    WINDOW = 512,           /* rows that are read at a time, */
    WINDOW_BYTES = 1 << 20, /* and their texts, unless one row has more */
    TEXT_LONGEST = 8 << 20, /* what is longer was never written by this program: the server gets its
                             * beginning, and sets the row aside */
    CACHE = 1 << 15,        /* contents whose text was sent lately */
};

enum form { FORM_ID, FORM_BYTES, FORM_INTEGER, FORM_REAL, FORM_MAYBE_CERTAINTY, FORM_MAYBE_ELAPSED };

struct field {
    const char *column;
    enum form form;
    size_t at;
};
#define AT(member) offsetof(struct outgoing_row, member)

static const struct field learner_fields[] = {
    { "learner_id", FORM_ID, AT(id) },
    { "merged_into", FORM_ID, AT(merged_into) },
    { "name", FORM_BYTES, AT(name) },
    { "name_key", FORM_BYTES, AT(name_key) },
    { "login", FORM_BYTES, AT(login) },
    { "external_id", FORM_BYTES, AT(external_id) },
    { "created_at", FORM_INTEGER, AT(at) },
    { "time_factor", FORM_REAL, AT(time_factor) },
    { "plain", FORM_INTEGER, AT(plain) },
    { "(SELECT json_group_array(json_array(group_key, group_name)) FROM member"
      " WHERE member.learner_id = learner.learner_id)",
      FORM_BYTES, AT(groups) },
    { NULL, FORM_ID, 0 },
};
static const struct field text_fields[] = {
    { "content", FORM_BYTES, AT(content) },
    { "pack_id", FORM_BYTES, AT(pack) },
    { "question_id", FORM_BYTES, AT(question) },
    { "revision", FORM_BYTES, AT(revision) },
    { "body", FORM_BYTES, AT(body) },
    { NULL, FORM_ID, 0 },
};
static const struct field session_fields[] = {
    { "seq", FORM_INTEGER, AT(seq) },
    { "session_id", FORM_ID, AT(id) },
    { "learner_id", FORM_ID, AT(learner) },
    { "device_id", FORM_ID, AT(device) },
    { "kind", FORM_BYTES, AT(word) },
    { "origin", FORM_BYTES, AT(origin) },
    { "seed", FORM_INTEGER, AT(seed) },
    { "options", FORM_BYTES, AT(options) },
    { "plan", FORM_BYTES, AT(plan) },
    { "started_at", FORM_INTEGER, AT(at) },
    { "utc_offset_s", FORM_INTEGER, AT(utc_offset_s) },
    { NULL, FORM_ID, 0 },
};
static const struct field attempt_fields[] = {
    { "seq", FORM_INTEGER, AT(seq) },
    { "attempt_id", FORM_ID, AT(id) },
    { "session_id", FORM_ID, AT(session) },
    { "learner_id", FORM_ID, AT(learner) },
    { "device_id", FORM_ID, AT(device) },
    { "boot_id", FORM_ID, AT(boot) },
    { "pack_id", FORM_BYTES, AT(pack) },
    { "question_id", FORM_BYTES, AT(question) },
    { "revision", FORM_BYTES, AT(revision) },
    { "content", FORM_BYTES, AT(content) },
    { "seed", FORM_INTEGER, AT(seed) },
    { "showing", FORM_INTEGER, AT(showing) },
    { "shown", FORM_BYTES, AT(shown) },
    { "response", FORM_BYTES, AT(response) },
    { "outcome", FORM_BYTES, AT(outcome) },
    { "mark", FORM_REAL, AT(mark) },
    { "marks", FORM_REAL, AT(marks) },
    { "certainty", FORM_MAYBE_CERTAINTY, AT(certainty) },
    { "hints", FORM_INTEGER, AT(hints) },
    { "retried", FORM_INTEGER, AT(retried) },
    { "elapsed_ms", FORM_MAYBE_ELAPSED, AT(elapsed_ms) },
    { "answered_at", FORM_INTEGER, AT(at) },
    { "utc_offset_s", FORM_INTEGER, AT(utc_offset_s) },
    { "origin", FORM_BYTES, AT(origin) },
    { NULL, FORM_ID, 0 },
};
static const struct field event_fields[] = {
    { "seq", FORM_INTEGER, AT(seq) },
    { "event_id", FORM_ID, AT(id) },
    { "kind", FORM_BYTES, AT(word) },
    { "session_id", FORM_ID, AT(session) },
    { "attempt_id", FORM_ID, AT(attempt) },
    { "learner_id", FORM_ID, AT(learner) },
    { "device_id", FORM_ID, AT(device) },
    { "body", FORM_BYTES, AT(body) },
    { "at", FORM_INTEGER, AT(at) },
    { "utc_offset_s", FORM_INTEGER, AT(utc_offset_s) },
    { NULL, FORM_ID, 0 },
};

#define LOG_END " WHERE seq > ?1 ORDER BY seq LIMIT ?2"
static const struct {
    const struct field *fields;
    const char *from;
} sources[] = {
    /* those who are someone else now come after whom they are */
    [OUTGOING_LEARNER] = { learner_fields,
                           " FROM learner WHERE (merged_into IS NOT NULL, learner_id) > (?3, ?1)"
                           " ORDER BY merged_into IS NOT NULL, learner_id LIMIT ?2" },
    [OUTGOING_TEXT] = { text_fields, " FROM question_text WHERE content = ?1" },
    [OUTGOING_SESSION] = { session_fields, " FROM session" LOG_END },
    [OUTGOING_ATTEMPT] = { attempt_fields, " FROM attempt" LOG_END },
    [OUTGOING_EVENT] = { event_fields, " FROM event" LOG_END },
};
enum { KINDS = sizeof sources / sizeof *sources };

struct outgoing {
    struct store *base;
    struct sqlite_store *store;
    sqlite3_stmt *statements[KINDS];
    int64_t changes;     /* meta.log_changes when the reading began */
    int64_t last;        /* seq of the newest row that was read */
    struct uuid learner; /* likewise */
    bool merged, learners_read;
    struct outgoing_row *rows; /* the window */
    int count, next;
    char *texts;
    ptrdiff_t text_room, text_used;
    struct hash *sent; /* CACHE of them, each at the place that its first bytes say */
};

/* ---- reading one row ---- */

static ptrdiff_t text_length(sqlite3_stmt *statement, int column)
{
    int length = sqlite3_column_bytes(statement, column);
    return length > TEXT_LONGEST ? TEXT_LONGEST : length;
}

/* Text or blob as it is. SQLite's own conversions never apply: numbers have no such columns. */
static void read_bytes(struct outgoing *outgoing, sqlite3_stmt *statement, int column,
                       struct outgoing_bytes *bytes)
{
    const void *data = sqlite3_column_blob(statement, column);
    ptrdiff_t length = text_length(statement, column);
    char *to = outgoing->texts + outgoing->text_used;
    *bytes = (struct outgoing_bytes){ NULL, 0 };
    if (sqlite3_column_type(statement, column) == SQLITE_NULL)
        return;
    if (data && length > 0)
        memcpy(to, data, (size_t)length);
    *bytes = (struct outgoing_bytes){ to, data ? length : 0 };
    outgoing->text_used += bytes->length;
}

static void read_field(struct outgoing *outgoing, sqlite3_stmt *statement, int column,
                       const struct field *field, struct outgoing_row *row)
{
    void *member = (char *)row + field->at;
    switch (field->form) {
    case FORM_ID:
        sqlite_read_uuid(statement, column, member);
        return;
    case FORM_BYTES:
        read_bytes(outgoing, statement, column, member);
        return;
    case FORM_REAL:
        *(double *)member = sqlite3_column_double(statement, column);
        return;
    case FORM_MAYBE_CERTAINTY:
        row->has_certainty = sqlite3_column_type(statement, column) != SQLITE_NULL;
        break;
    case FORM_MAYBE_ELAPSED:
        row->has_elapsed = sqlite3_column_type(statement, column) != SQLITE_NULL;
        break;
    case FORM_INTEGER:
        break;
    }
    *(int64_t *)member = sqlite3_column_int64(statement, column);
}

/* 1: the row is in the window; 0: it has no room left, and is read again for the next one; −1: no memory. */
static int take_row(struct outgoing *outgoing, enum outgoing_kind kind, struct error *error)
{
    sqlite3_stmt *statement = outgoing->statements[kind];
    const struct field *fields = sources[kind].fields;
    ptrdiff_t size = 0;
    for (int i = 0; fields[i].column; i++)
        if (fields[i].form == FORM_BYTES)
            size += text_length(statement, i);
    if (outgoing->count == WINDOW ||
        (outgoing->count > 0 && size > outgoing->text_room - outgoing->text_used))
        return 0;
    if (!memory_grow(&outgoing->texts, &outgoing->text_room, size, 1)) /* nothing points there yet */
        return error_memory(error) - 1;
    struct outgoing_row *row = &outgoing->rows[outgoing->count++];
    memset(row, 0, sizeof *row);
    row->kind = kind;
    for (int i = 0; fields[i].column; i++)
        read_field(outgoing, statement, i, &fields[i], row);
    return 1;
}

/* ---- a window ---- */

static bool fail(struct outgoing *outgoing, int result, struct error *error)
{
    return sqlite_error(outgoing->store, result, error);
}

/* 1: on a row; 0: at the end; −1: an error. */
static int step(struct outgoing *outgoing, enum outgoing_kind kind, struct error *error)
{
    int result = sqlite3_step(outgoing->statements[kind]);
    if (result == SQLITE_ROW || result == SQLITE_DONE)
        return result == SQLITE_ROW;
    fail(outgoing, result, error);
    return -1;
}

static int read_learners(struct outgoing *outgoing, struct error *error)
{
    sqlite3_stmt *statement = outgoing->statements[OUTGOING_LEARNER];
    sqlite3_bind_blob(statement, 1, outgoing->learner.bytes, sizeof outgoing->learner.bytes, SQLITE_STATIC);
    sqlite3_bind_int(statement, 2, WINDOW);
    sqlite3_bind_int(statement, 3, outgoing->merged);
    int found, taken = 1;
    struct uuid last = outgoing->learner;
    bool merged = outgoing->merged;
    while ((found = step(outgoing, OUTGOING_LEARNER, error)) > 0 &&
           (taken = take_row(outgoing, OUTGOING_LEARNER, error)) > 0) {
        last = outgoing->rows[outgoing->count - 1].id;
        merged = !uuid_is_zero(&outgoing->rows[outgoing->count - 1].merged_into);
    }
    sqlite3_reset(statement);
    outgoing->learner = last;
    outgoing->merged = merged;
    outgoing->learners_read = found == 0 && outgoing->count == 0;
    return found < 0 || taken < 0 ? -1 : 1;
}

/* Whether the text of this content is to be sent: it was not lately. */
static bool is_new(struct outgoing *outgoing, const struct hash *content)
{
    struct hash *place = &outgoing->sent[(content->bytes[0] | content->bytes[1] << 8) % CACHE];
    if (memcmp(place, content, sizeof *place) == 0)
        return false;
    *place = *content;
    return true;
}

/* The text that the attempt refers to, where it was not sent yet. As take_row. */
static int take_text(struct outgoing *outgoing, int column, struct error *error)
{
    struct hash content;
    sqlite_read_hash(outgoing->statements[OUTGOING_ATTEMPT], column, &content);
    static const struct hash none;
    if (memcmp(&content, &none, sizeof none) == 0)
        return 1;
    if (outgoing->count > WINDOW - 2)
        return 0;
    if (!is_new(outgoing, &content))
        return 1;
    sqlite3_stmt *statement = outgoing->statements[OUTGOING_TEXT];
    sqlite_bind_hash(statement, 1, &content);
    int found = step(outgoing, OUTGOING_TEXT, error);
    int taken = found > 0 ? take_row(outgoing, OUTGOING_TEXT, error) : found == 0 ? 1 : -1;
    sqlite3_reset(statement);
    if (taken == 0)
        memset(&outgoing->sent[(content.bytes[0] | content.bytes[1] << 8) % CACHE], 0, sizeof content);
    return taken;
}

static int place_of(const struct field *fields, size_t at)
{
    int i = 0;
    while (fields[i].at != at)
        i++;
    return i;
}

/* As take_row; the row's text before it. */
static int take_log_row(struct outgoing *outgoing, enum outgoing_kind kind, struct error *error)
{
    int taken = 1;
    if (kind == OUTGOING_ATTEMPT)
        taken = take_text(outgoing, place_of(attempt_fields, AT(content)), error);
    return taken > 0 ? take_row(outgoing, kind, error) : taken;
}

/* Rows of three tables in the order of the one number that they share. */
static int read_log(struct outgoing *outgoing, struct error *error)
{
    int there[KINDS] = { 0 }, taken = 1;
    for (int kind = OUTGOING_SESSION; kind < KINDS; kind++) {
        sqlite3_bind_int64(outgoing->statements[kind], 1, outgoing->last);
        sqlite3_bind_int(outgoing->statements[kind], 2, WINDOW);
        if ((there[kind] = step(outgoing, (enum outgoing_kind)kind, error)) < 0)
            taken = -1;
    }
    while (taken > 0) {
        int next = -1;
        int64_t least = INT64_MAX;
        for (int kind = OUTGOING_SESSION; kind < KINDS; kind++) {
            int64_t seq = there[kind] ? sqlite3_column_int64(outgoing->statements[kind], 0) : INT64_MAX;
            if (there[kind] && seq <= least) {
                next = kind;
                least = seq;
            }
        }
        if (next < 0)
            break;
        taken = take_log_row(outgoing, (enum outgoing_kind)next, error);
        if (taken > 0) {
            outgoing->last = least;
            there[next] = step(outgoing, (enum outgoing_kind)next, error);
            taken = there[next] < 0 ? -1 : 1;
        }
    }
    for (int kind = OUTGOING_SESSION; kind < KINDS; kind++)
        sqlite3_reset(outgoing->statements[kind]);
    return taken;
}

/* One state of the store, held only while the window is filled. */
static bool fill(struct outgoing *outgoing, struct error *error)
{
    outgoing->count = outgoing->next = 0;
    outgoing->text_used = 0;
    if (!sqlite_exec(outgoing->store, "BEGIN", error))
        return false;
    int taken = 1;
    if (!outgoing->learners_read)
        taken = read_learners(outgoing, error);
    if (taken >= 0 && outgoing->learners_read)
        taken = read_log(outgoing, error);
    return sqlite_exec(outgoing->store, "COMMIT", taken < 0 ? NULL : error) && taken >= 0;
}

int outgoing_step(struct outgoing *outgoing, struct outgoing_row *row, struct error *error)
{
    if (outgoing->next == outgoing->count && !fill(outgoing, error))
        return -1;
    if (outgoing->next == outgoing->count)
        return 0;
    *row = outgoing->rows[outgoing->next++];
    return 1;
}

/* ---- opening ---- */

static bool prepare(struct outgoing *outgoing, struct error *error)
{
    for (int kind = 0; kind < KINDS; kind++) {
        struct buffer sql;
        buffer_init(&sql);
        for (const struct field *field = sources[kind].fields; field->column; field++)
            buffer_print(&sql, "%s%s", field == sources[kind].fields ? "SELECT " : ", ", field->column);
        buffer_text(&sql, sources[kind].from);
        int result = sql.failed
                         ? SQLITE_NOMEM
                         : sqlite3_prepare_v3(outgoing->store->db, buffer_get(&sql), -1,
                                              SQLITE_PREPARE_PERSISTENT, &outgoing->statements[kind], NULL);
        buffer_finish(&sql);
        if (result != SQLITE_OK)
            return fail(outgoing, result, error);
    }
    return true;
}

bool outgoing_open(struct outgoing **out, const char *path, int64_t since, struct error *error)
{
    const struct store_options options = { .reading = true };
    *out = NULL;
    struct outgoing *outgoing = memory_zero(sizeof *outgoing);
    if (!outgoing)
        return error_memory(error);
    outgoing->last = since;
    outgoing->rows = memory_alloc(WINDOW * (ptrdiff_t)sizeof *outgoing->rows);
    outgoing->sent = memory_zero(CACHE * (ptrdiff_t)sizeof *outgoing->sent);
    bool done = outgoing->rows && outgoing->sent &&
                memory_grow(&outgoing->texts, &outgoing->text_room, WINDOW_BYTES, 1);
    if (!done)
        error_memory(error);
    done = done && store_open(&outgoing->base, path, &options, error);
    if (done) {
        outgoing->store = (struct sqlite_store *)outgoing->base;
        done = prepare(outgoing, error) &&
               sqlite_integer(outgoing->store, "SELECT log_changes FROM meta WHERE one = 1",
                              &outgoing->changes, error);
    }
    if (!done) {
        outgoing_close(outgoing);
        return false;
    }
    *out = outgoing;
    return true;
}

void outgoing_close(struct outgoing *outgoing)
{
    if (!outgoing)
        return;
    for (int kind = 0; kind < KINDS; kind++)
        sqlite3_finalize(outgoing->statements[kind]);
    if (outgoing->base)
        store_close(outgoing->base);
    memory_free(outgoing->rows);
    memory_free(outgoing->sent);
    memory_free(outgoing->texts);
    memory_free(outgoing);
}

void outgoing_start(struct outgoing *outgoing, int64_t since)
{
    outgoing->last = since;
    outgoing->learners_read = outgoing->merged = false;
    outgoing->count = outgoing->next = 0;
    memset(&outgoing->learner, 0, sizeof outgoing->learner);
    memset(outgoing->sent, 0, CACHE * sizeof *outgoing->sent);
}

void outgoing_store_id(const struct outgoing *outgoing, struct uuid *store_id)
{
    *store_id = outgoing->store->store_id;
}

/* ---- about the log ---- */

bool outgoing_changes(struct outgoing *outgoing, int64_t seq, int64_t *changes, struct error *error)
{
    static const char sql[] =
        "SELECT coalesce((SELECT attempt_id FROM attempt WHERE seq = ?1), (SELECT event_id "
        "FROM event WHERE seq = ?1),"
        " (SELECT session_id FROM session WHERE seq = ?1))";
    sqlite3_stmt *statement = NULL;
    struct {
        int64_t changes;
        struct uuid id;
    } state = { 0 };
    int result = sqlite3_prepare_v2(outgoing->store->db, sql, -1, &statement, NULL);
    if (result != SQLITE_OK)
        return fail(outgoing, result, error);
    sqlite3_bind_int64(statement, 1, seq);
    bool done = sqlite_look_up(outgoing->store, statement, error) > 0;
    if (done) {
        struct hash hash;
        state.changes = outgoing->changes;
        sqlite_read_uuid(statement, 0, &state.id);
        hash_of(&hash, &state, sizeof state);
        memcpy(changes, hash.bytes, sizeof *changes);
    }
    sqlite3_finalize(statement);
    return done;
}

bool outgoing_count(struct outgoing *outgoing, int64_t since, int64_t *count, struct error *error)
{
    char sql[240];
    snprintf(
        sql, sizeof sql,
        "SELECT (SELECT count(*) FROM session WHERE seq > %lld) + (SELECT count(*) FROM attempt WHERE seq >"
        " %lld) + (SELECT count(*) FROM event WHERE seq > %lld)",
        (long long)since, (long long)since, (long long)since);
    return sqlite_integer(outgoing->store, sql, count, error);
}

bool outgoing_waiting(const char *path, int64_t since, int64_t *count, struct error *error)
{
    struct outgoing *outgoing;
    bool done = outgoing_open(&outgoing, path, since, error) && outgoing_count(outgoing, since, count, error);
    outgoing_close(outgoing);
    return done;
}
