/* Reading: each query is one statement (a report's one of several, sqlite_report.c), its parameters and
 * columns as store.h names them. */
#include "sqlite_store.h"

#include <quiztutor/message.h>

static const char *const texts[QUERIES] = {
    [QUERY_KNOWN] = "SELECT " SCHEDULE_COLUMNS " FROM schedule WHERE learner_id = ?1 AND pack_id = ?2"
                    " ORDER BY question_id",

    [QUERY_DUE] = "SELECT " SCHEDULE_COLUMNS " FROM schedule WHERE learner_id = ?1 AND pack_id = ?2"
                  " AND suspended = 0 AND phase > 0 AND due_day <= ?3"
                  " AND (due_day < ?3 OR due_at <= ?4)"
                  " ORDER BY due_day, due_at, question_id",

    [QUERY_NEW] =
        "SELECT count(*) FROM"
        " (SELECT DISTINCT pack_id, question_id FROM counted_attempt WHERE learner_id = ?1 AND answered_at "
        ">= ?2)"
        " AS late WHERE NOT EXISTS(SELECT 1 FROM counted_attempt AS early WHERE early.learner_id = ?1"
        " AND early.pack_id = late.pack_id AND early.question_id = late.question_id"
        " AND +early.answered_at < ?2)", /* + : by question, not through all that was answered before */

    [QUERY_REVIEWED] =
        "SELECT count(*) FROM"
        " (SELECT DISTINCT pack_id, question_id FROM counted_attempt WHERE learner_id = ?1 AND answered_at "
        ">= ?2)"
        " AS late WHERE EXISTS(SELECT 1 FROM counted_attempt AS early WHERE early.learner_id = ?1"
        " AND early.pack_id = late.pack_id AND early.question_id = late.question_id"
        " AND +early.answered_at < ?2)",

    [QUERY_NEWEST] = "SELECT max(answered_at) FROM attempt WHERE learner_id = ?1",

    [QUERY_LATER] = "SELECT EXISTS(SELECT 1 FROM attempt INDEXED BY attempt_recent"
                    " WHERE learner_id = ?1 AND answered_at <= ?2 AND seq > (SELECT seq FROM attempt"
                    "  WHERE learner_id = ?1 ORDER BY answered_at DESC, seq DESC LIMIT 1))",

    [QUERY_COMING] = "SELECT due_day, count(*) FROM schedule INDEXED BY schedule_due"
                     " WHERE learner_id = ?1 AND pack_id = ?2 AND suspended = 0 AND phase > 0"
                     " AND due_day >= ?3 AND due_day < ?4 GROUP BY due_day ORDER BY due_day",

    /* a moment's local day as clock_day has it, rounded down; no offset moves it by more than 27 hours */
    [QUERY_DAYS] =
        "SELECT day, count(*), sum(outcome = 'right'), sum(coalesce(elapsed_ms, 0)), sum(is_first) FROM"
        " (SELECT (local - ((local % 86400000) + 86400000) % 86400000) / 86400000 AS day, outcome,"
        "   elapsed_ms, NOT EXISTS(SELECT 1 FROM counted_attempt AS early WHERE early.learner_id = ?1"
        "    AND early.pack_id = one.pack_id AND early.question_id = one.question_id"
        "    AND early.seq < one.seq AND early.outcome <> 'omitted') AS is_first FROM"
        "  (SELECT *, answered_at + utc_offset_s * 1000"
        "    - (SELECT schedule_day_starts FROM meta) * 60000 AS local FROM counted_attempt"
        "    WHERE learner_id = ?1 AND answered_at >= ?2 * 86400000 - 97200000 AND outcome <> 'omitted') AS "
        "one)"
        " WHERE day >= ?2 GROUP BY day ORDER BY day",

    [QUERY_PRACTISED] =
        "SELECT DISTINCT (local - ((local % 86400000) + 86400000) % 86400000) / 86400000 AS day"
        " FROM (SELECT answered_at + utc_offset_s * 1000"
        "  - (SELECT schedule_day_starts FROM meta) * 60000 AS local"
        "  FROM counted_attempt WHERE learner_id = ?1 AND outcome <> 'omitted') ORDER BY day",

    [QUERY_QUESTIONS] = "SELECT pack_id, question_id, count(*), count(DISTINCT learner_id), max(answered_at)"
                        " FROM counted_attempt GROUP BY pack_id, question_id ORDER BY pack_id, question_id",

    [QUERY_EXAMS] =
        "SELECT session_id, session.learner_id, learner.name, options, started_at, utc_offset_s, seed,"
        " origin, json_array_length(plan),"
        " (SELECT count(*) FROM (SELECT body ->> '$.response' AS response, max(seq) FROM event"
        "   WHERE event.session_id = session.session_id AND kind = 'answered'"
        "   GROUP BY body ->> '$.question') WHERE response IS NOT NULL),"
        " (SELECT coalesce(sum(body ->> '$.minutes'), 0) FROM event"
        "   WHERE event.session_id = session.session_id AND kind = 'extended'),"
        " max(coalesce((SELECT max(seq) FROM attempt WHERE attempt.session_id = session.session_id), 0),"
        "  coalesce((SELECT max(seq) FROM event WHERE event.session_id = session.session_id), 0))"
        " FROM session JOIN learner USING(learner_id)"
        " WHERE session.kind = 'exam' AND (?1 IS NULL OR session.learner_id = ?1)"
        " AND NOT EXISTS(SELECT 1 FROM event WHERE event.session_id = session.session_id"
        "  AND event.kind = 'handed-in') ORDER BY started_at DESC, session.seq DESC",

    [QUERY_HANDED_IN] =
        "SELECT session_id, session.learner_id, learner.name, options, started_at, session.utc_offset_s,"
        " event.at FROM session JOIN learner USING(learner_id) JOIN event USING(session_id)"
        " WHERE session.kind = 'exam' AND event.kind = 'handed-in'"
        " AND (?1 IS NULL OR session.learner_id = ?1)"
        " AND NOT EXISTS(SELECT 1 FROM event AS later WHERE later.session_id = session.session_id"
        "  AND later.kind = 'kiosk' AND later.body ->> '$.what' = 'reopened')"
        " ORDER BY event.at DESC, event.seq DESC",
    [QUERY_KIOSK] = "SELECT body, at FROM event WHERE kind = 'kiosk' AND body ->> '$.what' = ?1"
                    " ORDER BY seq DESC",

    /* by distinct answers alone: all answers of a session are to questions of its plan, and reading every
     * plan of a long history would be felt at each start */
    [QUERY_UNFINISHED] =
        "SELECT session_id, seed, options, started_at, utc_offset_s, origin, questions, answered FROM"
        " (SELECT *, json_array_length(plan) AS questions,"
        "   (SELECT count(*) FROM (SELECT DISTINCT pack_id, question_id FROM counted_attempt"
        "     WHERE counted_attempt.session_id = session.session_id)) AS answered"
        "  FROM session WHERE learner_id = ?1 AND kind = 'practice'"
        "  AND (?2 IS NULL OR options -> '$.packs' = json(?2))"
        "  AND NOT EXISTS(SELECT 1 FROM event WHERE event.session_id = session.session_id AND event.kind = "
        "'dropped'))"
        " WHERE questions > answered ORDER BY started_at DESC, seq DESC",

    [QUERY_SESSION] =
        "SELECT seed, options, started_at, utc_offset_s, origin FROM session WHERE session_id = ?1",

    [QUERY_PAPERS] = "SELECT session_id, options, started_at, utc_offset_s FROM session"
                     " WHERE learner_id = ?1 AND kind = 'paper' ORDER BY started_at DESC, seq DESC",

    [QUERY_PLAN] = "SELECT entry.value ->> 0, entry.value ->> 1, entry.value ->> 2,"
                   " entry.value ->> 3, entry.value ->> 4, entry.value ->> 5"
                   " FROM session, json_each(session.plan) AS entry WHERE session_id = ?1 ORDER BY entry.key",

    [QUERY_LOG] =
        "SELECT 'attempt', attempt_id, pack_id, question_id, response, outcome, mark, marks, showing, hints,"
        " NULL AS body, certainty, answered_at AS at, seq, retried FROM attempt WHERE session_id = ?1"
        " UNION ALL SELECT kind, attempt_id, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, body, NULL, at,"
        " seq, NULL FROM event WHERE session_id = ?1 ORDER BY seq",

    [QUERY_LEARNERS] =
        "SELECT name, login,"
        " (SELECT count(*) FROM counted_attempt WHERE counted_attempt.learner_id = learner.learner_id),"
        " (SELECT max(answered_at) FROM counted_attempt"
        "   WHERE counted_attempt.learner_id = learner.learner_id)"
        " FROM learner WHERE merged_into IS NULL ORDER BY name_key, learner_id",

    [QUERY_TOTALS] =
        "SELECT (SELECT count(*) FROM learner WHERE merged_into IS NULL), (SELECT count(*) FROM session),"
        " (SELECT count(*) FROM attempt),"
        " (SELECT count(DISTINCT attempt_id) FROM event WHERE kind = 'undone'"
        "   AND EXISTS(SELECT 1 FROM attempt WHERE attempt.attempt_id = event.attempt_id)),"
        " (SELECT count(*) FROM event), (SELECT count(*) FROM schedule WHERE counted > 0),"
        " (SELECT min(answered_at) FROM attempt), (SELECT max(answered_at) FROM attempt),"
        " (SELECT count(*) FROM sheet), (SELECT user_version FROM pragma_user_version)",

    /* everyone's have a learner_id of zeroes */
    [QUERY_FITTED] = "SELECT name, made_at FROM parameters LEFT JOIN learner USING(learner_id)"
                     " ORDER BY name IS NOT NULL, name_key, learner_id",

    [QUERY_RESPONSES] =
        "SELECT question_id, lower(hex(content)), revision, response, times,"
        " (SELECT body FROM question_text WHERE question_text.content = given.content) FROM"
        " (SELECT question_id, content, revision, response, count(*) AS times FROM counted_attempt"
        "   WHERE pack_id = ?1 AND response IS NOT NULL GROUP BY question_id, content, revision, response)"
        " AS given ORDER BY times DESC, question_id, content, response, revision",

    [QUERY_ROSTER] = "SELECT learner.learner_id, name, login, external_id, time_factor, plain, group_name,"
                     " (SELECT max(answered_at) FROM attempt WHERE attempt.learner_id = learner.learner_id)"
                     " FROM learner LEFT JOIN member ON member.learner_id = learner.learner_id"
                     " WHERE merged_into IS NULL ORDER BY name_key, learner.learner_id, group_key",

    [QUERY_NAMES] = "SELECT learner_id, name FROM learner WHERE merged_into IS NULL ORDER BY name_key",
};

struct sqlite_rows {
    struct rows base;
    sqlite3_stmt *statement;
    bool there; /* on a row */
    uint64_t texts;
    int query; /* whose kept statement this is, −1 for one of its own */
};

const char *sqlite_query_text(int query)
{
    return texts[query] ? texts[query] : sqlite_report_text(query);
}

static int bind(sqlite3_stmt *statement, int place, const struct store_value *value)
{
    switch (value->type) {
    case VALUE_INTEGER:
        return sqlite3_bind_int64(statement, place, value->integer);
    case VALUE_REAL:
        return sqlite3_bind_double(statement, place, value->real);
    case VALUE_TEXT:
        return sqlite3_bind_text(statement, place, value->data, (int)value->length, SQLITE_TRANSIENT);
    case VALUE_BLOB:
        return sqlite3_bind_blob(statement, place, value->data, (int)value->length, SQLITE_TRANSIENT);
    default:
        return sqlite3_bind_null(statement, place);
    }
}

/* The query's kept statement, or one of its own where that is being stepped. */
static int take_statement(struct sqlite_store *store, struct sqlite_rows *rows, int query)
{
    if (!store->queries[query]) {
        int result = sqlite3_prepare_v3(store->db, sqlite_query_text(query), -1, SQLITE_PREPARE_PERSISTENT,
                                        &store->queries[query], NULL);
        if (result != SQLITE_OK)
            return result;
    }
    if (store->query_open[query]) {
        rows->query = -1;
        return sqlite3_prepare_v2(store->db, sqlite_query_text(query), -1, &rows->statement, NULL);
    }
    store->query_open[query] = true;
    rows->query = query;
    rows->statement = store->queries[query];
    return SQLITE_OK;
}

bool sqlite_rows_open(struct rows **out, struct store *base, int query, const struct store_value *parameters,
                      int count, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct sqlite_rows *rows = memory_zero(sizeof *rows);
    if (!rows)
        return error_memory(error);
    rows->base.store = base;
    rows->base.columns = query_rows[query].columns;
    rows->texts = query_rows[query].texts;
    rows->query = -1;
    int result = take_statement(store, rows, sqlite_report_variant(query, parameters));
    for (int i = 0; result == SQLITE_OK && i < count; i++)
        result = bind(rows->statement, i + 1, &parameters[i]);
    if (result != SQLITE_OK) {
        sqlite_error(store, result, error);
        sqlite_rows_close(&rows->base);
        return false;
    }
    *out = &rows->base;
    return true;
}

/* Has every text of the row made ready, which may need memory: once stepped, reading a column can't fail. */
static bool texts_ready(const struct sqlite_rows *rows)
{
    for (int i = 0; i < rows->base.columns; i++) {
        if (rows->texts && !(rows->texts >> i & 1))
            continue;
        sqlite3_value *cell = sqlite3_column_value(rows->statement, i);
        if (sqlite3_value_type(cell) == SQLITE_TEXT && !sqlite3_value_text(cell))
            return false;
    }
    return true;
}

int sqlite_rows_step(struct rows *base, struct error *error)
{
    struct sqlite_rows *rows = (struct sqlite_rows *)base;
    struct sqlite_store *store = (struct sqlite_store *)base->store;
    int result = sqlite3_step(rows->statement);
    if (result == SQLITE_ROW && !texts_ready(rows))
        result = SQLITE_NOMEM;
    rows->there = result == SQLITE_ROW;
    if (result == SQLITE_ROW)
        return 1;
    if (result == SQLITE_DONE)
        return 0;
    sqlite_error(store, result, error);
    return -1;
}

struct store_value sqlite_rows_value(struct rows *base, int column)
{
    const struct sqlite_rows *rows = (struct sqlite_rows *)base;
    struct store_value value = { .type = VALUE_NULL };
    if (!rows->there)
        return value;
    /* one look at the column: many rows are read, and connections are not shared by threads */
    sqlite3_value *cell = sqlite3_column_value(rows->statement, column);
    switch (sqlite3_value_type(cell)) {
    case SQLITE_INTEGER:
        value.type = VALUE_INTEGER;
        value.integer = sqlite3_value_int64(cell);
        break;
    case SQLITE_FLOAT:
        value.type = VALUE_REAL;
        value.real = sqlite3_value_double(cell);
        break;
    case SQLITE_TEXT:
        value.type = VALUE_TEXT;
        value.data = sqlite3_value_text(cell);
        value.length = sqlite3_value_bytes(cell);
        break;
    case SQLITE_BLOB:
        value.type = VALUE_BLOB;
        value.data = sqlite3_value_blob(cell);
        value.length = sqlite3_value_bytes(cell);
        break;
    default:
        break;
    }
    return value;
}

void sqlite_rows_close(struct rows *base)
{
    struct sqlite_rows *rows = (struct sqlite_rows *)base;
    struct sqlite_store *store = (struct sqlite_store *)base->store;
    if (rows->query >= 0) {
        sqlite3_reset(rows->statement);
        sqlite3_clear_bindings(rows->statement);
        store->query_open[rows->query] = false;
    } else {
        sqlite3_finalize(rows->statement);
    }
    memory_free(rows);
}
