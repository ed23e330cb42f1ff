#include "sqlite_log.h"

#include <string.h>

enum { LEARNER, PACK, QUESTION, SEQ, SESSION, OUTCOME, CERTAINTY, HINTS, SHOWING, SEED, AT, OFFSET };
enum { REVISION = OFFSET + 1, CONTENT, RETRIED, SELF_GRADE, UNDONE, ELAPSED };
enum { GRADED = ELAPSED + 1, GRADED_OUTCOME, GRADED_MARK, GRADED_MARKS };

void sqlite_key_init(struct sqlite_key *key)
{
    memset(key, 0, sizeof *key);
    buffer_init(&key->pack);
    buffer_init(&key->question);
}

void sqlite_key_finish(struct sqlite_key *key)
{
    buffer_finish(&key->pack);
    buffer_finish(&key->question);
}

static bool read_text(struct buffer *text, sqlite3_stmt *statement, int column)
{
    const char *read = (const char *)sqlite3_column_text(statement, column);
    buffer_clear(text);
    buffer_text(text, read ? read : "");
    return read && !text->failed;
}

bool sqlite_key_read(struct sqlite_key *key, sqlite3_stmt *statement)
{
    sqlite_read_uuid(statement, LEARNER, &key->learner);
    return read_text(&key->pack, statement, PACK) && read_text(&key->question, statement, QUESTION);
}

int sqlite_key_compare(const struct sqlite_key *one, const struct sqlite_key *other)
{
    int order = memcmp(&one->learner, &other->learner, sizeof one->learner);
    if (order == 0)
        order = strcmp(buffer_get(&one->pack), buffer_get(&other->pack));
    return order ? order : strcmp(buffer_get(&one->question), buffer_get(&other->question));
}

static bool stepped(struct sqlite_log *log, struct error *error)
{
    log->result = sqlite3_step(log->statement);
    return log->result == SQLITE_ROW || log->result == SQLITE_DONE ||
           sqlite_error(log->store, log->result, error);
}

static void begin(struct sqlite_log *log, struct sqlite_store *store)
{
    memset(log, 0, sizeof *log);
    log->store = store;
    sqlite_key_init(&log->key);
}

bool sqlite_log_open(struct sqlite_log *log, struct sqlite_store *store, const struct uuid *learner,
                     struct error *error)
{
    /* by the index's own order, which is that of the schedules: nothing is sorted */
    static const char *const all =
        SQLITE_ANSWERS " ORDER BY attempt.learner_id, pack_id, question_id, attempt.seq";
    static const char *const one = SQLITE_ANSWERS
        " WHERE attempt.learner_id = ?1 ORDER BY attempt.learner_id, pack_id, question_id, attempt.seq";
    begin(log, store);
    int result = sqlite3_prepare_v2(store->db, learner ? one : all, -1, &log->statement, NULL);
    if (result != SQLITE_OK)
        return sqlite_error(store, result, error);
    if (learner)
        sqlite_bind_uuid(log->statement, 1, learner);
    return stepped(log, error);
}

bool sqlite_log_open_question(struct sqlite_log *log, struct sqlite_store *store, const struct uuid *learner,
                              const char *pack_id, const char *question_id, struct error *error)
{
    begin(log, store);
    log->kept = true;
    log->statement = sqlite_prepare(store, SQL_ANSWERS, error);
    if (!log->statement)
        return false;
    sqlite_bind_uuid(log->statement, 1, learner);
    sqlite_bind_text(log->statement, 2, pack_id);
    sqlite_bind_text(log->statement, 3, question_id);
    return stepped(log, error);
}

void sqlite_log_close(struct sqlite_log *log)
{
    if (log->kept && log->statement) {
        sqlite3_reset(log->statement);
        sqlite3_clear_bindings(log->statement);
    } else {
        sqlite3_finalize(log->statement); /* NULL when it could not even be prepared */
    }
    sqlite_key_finish(&log->key);
    memory_free(log->undone);
    memset(log, 0, sizeof *log);
}

/* Whether the row stood on is of the question being read. */
static bool same_question(const struct sqlite_log *log)
{
    const char *pack = (const char *)sqlite3_column_text(log->statement, PACK);
    const char *question = (const char *)sqlite3_column_text(log->statement, QUESTION);
    struct uuid learner;
    sqlite_read_uuid(log->statement, LEARNER, &learner);
    return pack && question && strcmp(question, buffer_get(&log->key.question)) == 0 &&
           strcmp(pack, buffer_get(&log->key.pack)) == 0 && uuid_equal(&learner, &log->key.learner);
}

int sqlite_log_question(struct sqlite_log *log, struct error *error)
{
    log->undone_count = 0;
    if (log->result != SQLITE_ROW)
        return log->result == SQLITE_DONE ? 0 : -1;
    if (sqlite_key_read(&log->key, log->statement))
        return 1;
    error_memory(error);
    return -1;
}

static bool had_undone(const struct sqlite_log *log, const struct uuid *session)
{
    for (ptrdiff_t i = 0; i < log->undone_count; i++) {
        if (uuid_equal(&log->undone[i], session))
            return true;
    }
    return false;
}

static bool add_undone(struct sqlite_log *log, const struct uuid *session)
{
    if (had_undone(log, session))
        return true;
    if (!memory_grow(&log->undone, &log->undone_capacity, log->undone_count + 1, sizeof *log->undone))
        return false;
    log->undone[log->undone_count++] = *session;
    return true;
}

static bool read_grading(sqlite3_stmt *statement, struct grading *graded)
{
    const char *kind = (const char *)sqlite3_column_text(statement, GRADED);
    const char *outcome = (const char *)sqlite3_column_text(statement, GRADED_OUTCOME);
    graded->voided = kind && strcmp(kind, "voided") == 0;
    graded->mark = sqlite3_column_double(statement, GRADED_MARK);
    graded->marks = sqlite3_column_double(statement, GRADED_MARKS);
    return outcome && outcome_read(&graded->outcome, outcome);
}

static bool read_answer(struct sqlite_log *log, struct fold_answer *answer)
{
    sqlite3_stmt *statement = log->statement;
    struct uuid session;
    const char *outcome = (const char *)sqlite3_column_text(statement, OUTCOME);
    const char *revision = (const char *)sqlite3_column_text(statement, REVISION);
    if (!outcome || !revision)
        return false;
    memset(answer, 0, sizeof *answer);
    sqlite_read_uuid(statement, SESSION, &session);
    outcome_read(&answer->outcome, outcome);
    answer->seq = sqlite3_column_int64(statement, SEQ);
    answer->certainty = sqlite3_column_int(statement, CERTAINTY);
    answer->hints = sqlite3_column_int(statement, HINTS);
    answer->showing = sqlite3_column_int(statement, SHOWING);
    answer->helped = answer->showing > 1 && had_undone(log, &session);
    answer->retried = sqlite3_column_int(statement, RETRIED) != 0;
    answer->self_grade = sqlite3_column_int(statement, SELF_GRADE);
    answer->seed = (uint32_t)sqlite3_column_int64(statement, SEED);
    answer->at = sqlite3_column_int64(statement, AT);
    answer->utc_offset_s = sqlite3_column_int(statement, OFFSET);
    answer->revision = revision;
    sqlite_read_hash(statement, CONTENT, &answer->content);
    bool timed = sqlite3_column_type(statement, ELAPSED) != SQLITE_NULL;
    answer->elapsed_ms = timed ? sqlite3_column_int64(statement, ELAPSED) : -1;
    return read_grading(statement, &answer->graded);
}

int sqlite_log_answer(struct sqlite_log *log, struct fold_answer *answer, struct error *error)
{
    if (log->taken && !stepped(log, error))
        return -1;
    log->taken = false;
    while (log->result == SQLITE_ROW && same_question(log)) {
        if (sqlite3_column_int(log->statement, UNDONE)) {
            struct uuid session;
            sqlite_read_uuid(log->statement, SESSION, &session);
            if (!add_undone(log, &session))
                break;
            if (!stepped(log, error))
                return -1;
            continue;
        }
        if (!read_answer(log, answer))
            break;
        log->taken = true;
        return 1;
    }
    if (log->result == SQLITE_DONE || !same_question(log))
        return 0;
    error_memory(error);
    return -1;
}

/* What the answer stood on comes to, before it is taken. */
static bool collect(struct sqlite_log *log, const struct fold_rules *rules, const struct fold *fold,
                    const struct fold_answer *answer, struct error *error)
{
    struct summary_day day;
    struct uuid session;
    if (log->days) {
        day_of(&day, fold, answer, rules->day_starts);
        if (!days_add(log->days, &day, 1))
            return error_memory(error);
    }
    sqlite_read_uuid(log->statement, SESSION, &session);
    if (log->tally)
        return tally_answer(log->tally, fold, answer, &session, rules->day_starts, error);
    return !log->sessions || ids_add(log->sessions, &session) || error_memory(error);
}

bool sqlite_log_fold(struct sqlite_log *log, const struct fold_rules *rules, struct fold *fold,
                     struct error *error)
{
    struct fold_answer answer;
    int found;
    while ((found = sqlite_log_answer(log, &answer, error)) > 0) {
        bool overturned = false;
        if (fold_must_compare(fold, &answer) &&
            !sqlite_schedule_overturned(log->store, fold, &answer, &overturned, error))
            return false;
        if (!collect(log, rules, fold, &answer, error))
            return false;
        fold_take(fold, rules, buffer_get(&log->key.pack), buffer_get(&log->key.question), &answer,
                  overturned);
    }
    return found == 0 && sqlite_settle_mastered(log->store, fold, error);
}
