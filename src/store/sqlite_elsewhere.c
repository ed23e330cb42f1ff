/* The log of another store, read with care. */
#include "sqlite_elsewhere.h"

#include <math.h>
#include <quiztutor/message.h>
#include <quiztutor/roster.h>
#include <string.h>

enum { MOST_HINTS = 1000000, OFFSET_LIMIT = 86400 };

/* %s: which of them. Each begins with its seq and its id. */
static const char *const streams[ELSEWHERE_KINDS] = {
    [ELSEWHERE_SESSION] =
        "SELECT seq, session_id, learner_id, device_id, kind, origin, seed, options, plan, started_at,"
        " utc_offset_s, (SELECT event_id FROM event WHERE event.session_id = session.session_id"
        "  AND event.kind = 'handed-in') FROM session %s ORDER BY seq",
    [ELSEWHERE_ATTEMPT] =
        "SELECT seq, attempt_id, learner_id, device_id, session_id, boot_id, pack_id, question_id, revision,"
        " content, seed, showing, shown, response, outcome, mark, marks, certainty, hints, elapsed_ms,"
        " answered_at, utc_offset_s, origin, retried FROM attempt %s ORDER BY seq",
    [ELSEWHERE_EVENT] =
        /* a tutor's grading names no learner: it is told of the answer's own */
    ("SELECT seq, event_id, coalesce(learner_id, (SELECT attempt.learner_id FROM attempt WHERE"
     " attempt.attempt_id = event.attempt_id)), device_id, session_id, attempt_id, kind, body, at,"
     " utc_offset_s FROM event %s ORDER BY seq"),
};
/* What is of one learner alone. */
static const char *const narrow[ELSEWHERE_KINDS] = {
    [ELSEWHERE_SESSION] = "WHERE learner_id = ?1",
    [ELSEWHERE_ATTEMPT] = "WHERE learner_id = ?1",
    [ELSEWHERE_EVENT] = ("WHERE learner_id = ?1 OR (learner_id IS NULL AND attempt_id IN"
                         " (SELECT attempt.attempt_id FROM attempt WHERE attempt.learner_id = ?1))"),
};

static bool prepare(struct elsewhere *elsewhere, const char *sql, sqlite3_stmt **statement,
                    struct error *error)
{
    int result = sqlite3_prepare_v2(elsewhere->store->db, sql, -1, statement, NULL);
    return result == SQLITE_OK || sqlite_error(elsewhere->store, result, error);
}

static bool step(struct elsewhere *elsewhere, int kind, struct error *error)
{
    return sqlite_step(elsewhere->store, elsewhere->streams[kind], &elsewhere->results[kind], error);
}

/* A view in the place of a table could have no end. */
static bool check_tables(struct sqlite_store *store, struct error *error)
{
    int64_t tables;
    if (!sqlite_integer(store,
                        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%virtual%'"
                        " AND name IN ('learner', 'session', 'attempt', 'event', 'question_text', 'member',"
                        " 'sheet', 'sheet_content')",
                        &tables, error))
        return false;
    return tables == 8 || sqlite_error(store, SQLITE_CORRUPT, error);
}

bool elsewhere_open(struct elsewhere *elsewhere, struct sqlite_store *store, const struct uuid *learner,
                    struct error *error)
{
    memset(elsewhere, 0, sizeof *elsewhere);
    elsewhere->store = store;
    elsewhere->one_learner = learner != NULL;
    if (sqlite3_get_autocommit(store->db)) {
        /* so that all is read as it was at one moment, while others write */
        if (!sqlite_exec(store, "BEGIN", error))
            return false;
        elsewhere->transaction = true;
    }
    if (!check_tables(store, error))
        return false;
    for (int i = 0; i < ELSEWHERE_KINDS; i++) {
        char sql[900];
        sqlite3_snprintf(sizeof sql, sql, streams[i], learner ? narrow[i] : "");
        if (!prepare(elsewhere, sql, &elsewhere->streams[i], error))
            return false;
        if (learner)
            sqlite_bind_uuid(elsewhere->streams[i], 1, learner);
        if (!step(elsewhere, i, error))
            return false;
    }
    return prepare(elsewhere,
                   "SELECT name, login, external_id, time_factor, merged_into, plain FROM learner"
                   " WHERE learner_id = ?1",
                   &elsewhere->learner, error) &&
           prepare(elsewhere,
                   "SELECT pack_id, question_id, revision, body FROM question_text WHERE content = ?1",
                   &elsewhere->text, error) &&
           prepare(elsewhere, "SELECT group_name FROM member WHERE learner_id = ?1", &elsewhere->groups,
                   error);
}

void elsewhere_close(struct elsewhere *elsewhere)
{
    for (int i = 0; i < ELSEWHERE_KINDS; i++)
        sqlite3_finalize(elsewhere->streams[i]);
    sqlite3_finalize(elsewhere->learner);
    sqlite3_finalize(elsewhere->text);
    sqlite3_finalize(elsewhere->groups);
    if (elsewhere->transaction)
        sqlite3_exec(elsewhere->store->db, "COMMIT", NULL, NULL, NULL);
    memset(elsewhere, 0, sizeof *elsewhere);
}

/* ---- columns ---- */

static const char *text_of(sqlite3_stmt *statement, int column)
{
    return (const char *)sqlite3_column_text(statement, column);
}

/* A whole number within bounds; *fits turns false beyond them. */
static int64_t whole_of(sqlite3_stmt *statement, int column, int64_t least, int64_t most, bool *fits)
{
    int64_t value = sqlite3_column_int64(statement, column);
    *fits = *fits && value >= least && value <= most;
    return value;
}

static void read_session(sqlite3_stmt *statement, struct elsewhere_row *row)
{
    bool fits = true;
    struct store_session *session = &row->is_session;
    *session = (struct store_session){
        .id = row->id,
        .kind = text_of(statement, 4),
        .origin = text_of(statement, 5),
        .seed = (uint32_t)whole_of(statement, 6, 0, UINT32_MAX, &fits),
        .options = text_of(statement, 7),
        .plan = text_of(statement, 8),
        .started_at = whole_of(statement, 9, 0, INT64_MAX, &fits),
        .utc_offset_s = (int)whole_of(statement, 10, -OFFSET_LIMIT, OFFSET_LIMIT, &fits),
    };
    sqlite_read_uuid(statement, 11, &row->event);
    row->open = session->kind && strcmp(session->kind, "exam") == 0 && uuid_is_zero(&row->event);
    row->fault = fits ? NULL : "session";
}

static void read_attempt(sqlite3_stmt *statement, struct elsewhere_row *row)
{
    bool fits = true, known = sqlite3_column_type(statement, 19) != SQLITE_NULL;
    const char *outcome = text_of(statement, 14);
    struct store_attempt *attempt = &row->is_attempt;
    sqlite_read_uuid(statement, 4, &row->session);
    sqlite_read_uuid(statement, 5, &row->boot);
    *attempt = (struct store_attempt){
        .id = row->id,
        .pack_id = text_of(statement, 6),
        .question_id = text_of(statement, 7),
        .revision = text_of(statement, 8),
        .seed = (uint32_t)whole_of(statement, 10, 0, UINT32_MAX, &fits),
        .showing = (int)whole_of(statement, 11, 1, INT32_MAX, &fits),
        .shown = text_of(statement, 12),
        .response = text_of(statement, 13),
        .verdict = { .mark = sqlite3_column_double(statement, 15),
                     .marks = sqlite3_column_double(statement, 16) },
        .certainty = (int)whole_of(statement, 17, 0, 3, &fits),
        .hints = (int)whole_of(statement, 18, 0, MOST_HINTS, &fits),
        .elapsed_ms = known ? sqlite3_column_int64(statement, 19) : -1,
        .answered_at = whole_of(statement, 20, 0, INT64_MAX, &fits),
        .utc_offset_s = (int)whole_of(statement, 21, -OFFSET_LIMIT, OFFSET_LIMIT, &fits),
        .origin = text_of(statement, 22),
        .retried = whole_of(statement, 23, 0, 1, &fits) == 1,
    };
    sqlite_read_hash(statement, 9, &attempt->content);
    struct verdict *verdict = &attempt->verdict;
    fits = fits && outcome && outcome_read(&verdict->outcome, outcome) && isfinite(verdict->mark) &&
           isfinite(verdict->marks) && verdict->marks >= 0 && verdict->marks <= PACK_MARKS &&
           verdict->mark >= 0 && verdict->mark <= verdict->marks * (1 + 1e-9);
    verdict->share = fits && verdict->marks > 0 ? verdict->mark / verdict->marks : 0;
    row->fault = fits ? NULL : "attempt";
}

static void read_event(sqlite3_stmt *statement, struct elsewhere_row *row)
{
    bool fits = true;
    struct store_event *event = &row->is_event;
    sqlite_read_uuid(statement, 4, &row->session);
    *event = (struct store_event){
        .id = row->id,
        .kind = text_of(statement, 6),
        .body = text_of(statement, 7),
        .at = whole_of(statement, 8, 0, INT64_MAX, &fits),
        .utc_offset_s = (int)whole_of(statement, 9, -OFFSET_LIMIT, OFFSET_LIMIT, &fits),
    };
    sqlite_read_uuid(statement, 5, &event->attempt_id);
    row->fault = fits ? NULL : "event";
}

int elsewhere_next(struct elsewhere *elsewhere, struct elsewhere_row *row, struct error *error)
{
    static void (*const readers[ELSEWHERE_KINDS])(sqlite3_stmt *, struct elsewhere_row *) = {
        [ELSEWHERE_SESSION] = read_session,
        [ELSEWHERE_ATTEMPT] = read_attempt,
        [ELSEWHERE_EVENT] = read_event,
    };
    int next = -1;
    /* the row handed out last is left only now: its texts were still needed */
    if (row->kind != ELSEWHERE_KINDS && !step(elsewhere, (int)row->kind, error))
        return -1;
    for (int i = 0; i < ELSEWHERE_KINDS; i++)
        if (elsewhere->results[i] == SQLITE_ROW &&
            (next < 0 || sqlite3_column_int64(elsewhere->streams[i], 0) <
                             sqlite3_column_int64(elsewhere->streams[next], 0)))
            next = i;
    if (next < 0)
        return 0;
    sqlite3_stmt *statement = elsewhere->streams[next];
    memset(row, 0, sizeof *row);
    row->kind = (enum elsewhere_kind)next;
    sqlite_read_uuid(statement, 1, &row->id);
    sqlite_read_uuid(statement, 2, &row->learner);
    sqlite_read_uuid(statement, 3, &row->device);
    readers[next](statement, row);
    if (sqlite3_errcode(elsewhere->store->db) == SQLITE_NOMEM) {
        error_memory(error);
        return -1;
    }
    return 1;
}

int elsewhere_learner(struct elsewhere *elsewhere, const struct uuid *id, struct elsewhere_learner *learner,
                      struct error *error)
{
    sqlite3_stmt *statement = elsewhere->learner;
    sqlite3_reset(statement);
    sqlite_bind_uuid(statement, 1, id);
    int found = sqlite_look_up(elsewhere->store, statement, error);
    if (found <= 0)
        return found;
    *learner = (struct elsewhere_learner){ .name = text_of(statement, 0),
                                           .login = text_of(statement, 1),
                                           .external_id = text_of(statement, 2),
                                           .time_factor = sqlite3_column_double(statement, 3),
                                           .plain = roster_reading(sqlite3_column_int64(statement, 5)) };
    sqlite_read_uuid(statement, 4, &learner->into);
    return 1;
}

int elsewhere_group(struct elsewhere *elsewhere, const struct uuid *id, const char **name,
                    struct error *error)
{
    sqlite3_stmt *statement = elsewhere->groups;
    if (id) {
        sqlite3_reset(statement);
        sqlite_bind_uuid(statement, 1, id);
    }
    int found = sqlite_look_up(elsewhere->store, statement, error);
    *name = found > 0 ? text_of(statement, 0) : NULL;
    return found;
}

int elsewhere_text(struct elsewhere *elsewhere, const struct hash *content, struct store_text *text,
                   struct error *error)
{
    sqlite3_stmt *statement = elsewhere->text;
    sqlite3_reset(statement);
    sqlite_bind_hash(statement, 1, content);
    int found = sqlite_look_up(elsewhere->store, statement, error);
    if (found <= 0)
        return found;
    *text = (struct store_text){ .content = *content,
                                 .pack_id = text_of(statement, 0),
                                 .question_id = text_of(statement, 1),
                                 .revision = text_of(statement, 2),
                                 .body = text_of(statement, 3) };
    return 1;
}
