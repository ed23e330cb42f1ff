/* All schedules and sums made anew from the log: when a store is opened whose schedules were made otherwise,
 * when parameters change, and for `store rebuild`, which compares. And the log as histories, for fitting. */
#include "sqlite_totals.h"

#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>

/* A statement whose first three columns are a question's key, in the order of the schedules. */
struct cursor {
    struct sqlite_store *store;
    sqlite3_stmt *statement;
    struct sqlite_key key;
    bool there; /* standing on a row */
};

static bool cursor_step(struct cursor *cursor, struct error *error)
{
    int result = sqlite3_step(cursor->statement);
    cursor->there = result == SQLITE_ROW;
    if (cursor->there && !sqlite_key_read(&cursor->key, cursor->statement))
        result = SQLITE_NOMEM;
    return result == SQLITE_ROW || result == SQLITE_DONE || sqlite_error(cursor->store, result, error);
}

static bool cursor_open(struct cursor *cursor, struct sqlite_store *store, const char *sql,
                        struct error *error)
{
    memset(cursor, 0, sizeof *cursor);
    cursor->store = store;
    sqlite_key_init(&cursor->key);
    int result = sqlite3_prepare_v2(store->db, sql, -1, &cursor->statement, NULL);
    return result == SQLITE_OK ? cursor_step(cursor, error) : sqlite_error(store, result, error);
}

static void cursor_close(struct cursor *cursor)
{
    sqlite3_finalize(cursor->statement);
    sqlite_key_finish(&cursor->key);
}

/* What the log says is starred and suspended: the newest of each kind for each question. */
static const char marks_sql[] =
    "SELECT learner_id, body ->> '$.question[0]', body ->> '$.question[1]', kind = 'starred', body ->> "
    "'$.on',"
    " max(seq) FROM event WHERE kind IN ('starred', 'suspended') AND learner_id IS NOT NULL"
    " AND " SQLITE_IS_MARK("body") " GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4";
enum { MARK_STAR = 3, MARK_ON };

static bool write_marks(struct sqlite_store *store, struct error *error)
{
    struct cursor marks;
    bool done = cursor_open(&marks, store, marks_sql, error);
    while (done && marks.there)
        done = sqlite_schedule_mark(store, &marks.key.learner, buffer_get(&marks.key.pack),
                                    buffer_get(&marks.key.question),
                                    sqlite3_column_int(marks.statement, MARK_STAR),
                                    sqlite3_column_int(marks.statement, MARK_ON), error) &&
               cursor_step(&marks, error);
    cursor_close(&marks);
    return done;
}

/* The schedule of the question that the log stands on, into *fold. */
static bool fold_question(struct sqlite_log *log, struct fold *fold, struct error *error)
{
    struct fold_rules rules;
    return sqlite_rules(log->store, &log->key.learner, buffer_get(&log->key.pack), &rules, error) &&
           sqlite_log_fold(log, &rules, fold, error);
}

static bool write_question(struct sqlite_log *log, const struct fold *fold, struct error *error)
{
    return sqlite_schedule_write(log->store, &log->key.learner, buffer_get(&log->key.pack),
                                 buffer_get(&log->key.question), fold, error);
}

/* Says in `meta` what the schedules are made of and with. */
static bool settle_made(struct sqlite_store *store, struct error *error)
{
    char sql[160];
    snprintf(sql, sizeof sql,
             "UPDATE meta SET schedule_seq = next_seq, schedule_version = %d, schedule_day_starts = %d",
             SCHEDULER_VERSION, store->made.day_starts);
    if (!sqlite_exec(store, sql, error))
        return false;
    store->made.version = SCHEDULER_VERSION;
    return true;
}

bool sqlite_schedule_all(struct sqlite_store *store, struct error *error)
{
    struct sqlite_log log;
    struct sqlite_totals totals;
    if (!sqlite_exec(store, "DELETE FROM schedule; DELETE FROM learner_pack; DELETE FROM learner_day", error))
        return false;
    sqlite_totals_init(&totals, store, NULL);
    bool done = sqlite_log_open(&log, store, NULL, error);
    int found = 0;
    while (done && (found = sqlite_log_question(&log, error)) > 0) {
        struct fold fold = { 0 };
        done = sqlite_totals_enter(&totals, &log, error) && fold_question(&log, &fold, error) &&
               (!fold_is_kept(&fold) || write_question(&log, &fold, error));
        sqlite_totals_add(&totals, &fold);
    }
    sqlite_log_close(&log);
    done = done && sqlite_totals_end(&totals, error);
    sqlite_totals_finish(&totals);
    return done && found == 0 && write_marks(store, error) && settle_made(store, error);
}

bool sqlite_schedule_learner(struct sqlite_store *store, const struct uuid *learner, struct error *error)
{
    bool everyone = uuid_is_zero(learner);
    struct sqlite_log log;
    bool done = sqlite_log_open(&log, store, everyone ? NULL : learner, error);
    int found = 0;
    while (done && (found = sqlite_log_question(&log, error)) > 0) {
        struct fold old, fold = { 0 };
        done = fold_question(&log, &fold, error);
        if (!done || (everyone && store->parameters.fitted > 1)) /* they have their own */
            continue;
        done = sqlite_schedule_read(store, &log.key.learner, buffer_get(&log.key.pack),
                                    buffer_get(&log.key.question), &old, error) >= 0;
        fold.is.starred = old.is.starred;
        fold.is.suspended = old.is.suspended;
        done =
            done && write_question(&log, &fold, error) &&
            sqlite_summary_pack(store, &log.key.learner, buffer_get(&log.key.pack), &old, &fold, 0, 0, error);
    }
    sqlite_log_close(&log);
    return done && found == 0;
}

static bool is_fresh(const struct sqlite_store *store, int64_t schedule_seq)
{
    return store->made.version == SCHEDULER_VERSION && schedule_seq == store->seq &&
           store->made.day_starts == store->base.scheduling.day_starts;
}

bool sqlite_schedule_refresh(struct sqlite_store *store, struct error *error)
{
    int64_t schedule_seq;
    if (!sqlite_made_read(store, &schedule_seq, error))
        return false;
    if (store->read_only || is_fresh(store, schedule_seq))
        return true;
    if (!sqlite_begin(store, error))
        return false;
    bool done = sqlite_made_read(store, &schedule_seq, error); /* another process may have been quicker */
    if (done && !is_fresh(store, schedule_seq)) {
        store->made.day_starts = store->base.scheduling.day_starts;
        done = sqlite_schedule_all(store, error);
    }
    if (done)
        return sqlite_commit(store, error);
    sqlite_rollback(store);
    return false;
}

/* A rebuild: the log and the marks on one side, the stored rows on the other, all in the same order. A row is
 * only written behind where its cursor stands. */
struct rebuild {
    struct sqlite_store *store;
    struct sqlite_log log;
    struct cursor marks, stored;
    struct uuid learner; /* of the last question */
    struct sqlite_totals totals;
    struct store_rebuild *report;
};

static bool name_first(struct rebuild *rebuild, const struct sqlite_key *key, struct error *error)
{
    return sqlite_name_difference(rebuild->store, rebuild->report, &key->learner, buffer_get(&key->pack),
                                  buffer_get(&key->question), error);
}

/* Takes the marks of the question, and goes past them. */
static bool take_marks(struct rebuild *rebuild, const struct sqlite_key *key, struct fold *fold,
                       struct error *error)
{
    struct cursor *marks = &rebuild->marks;
    while (marks->there && sqlite_key_compare(&marks->key, key) == 0) {
        bool star = sqlite3_column_int(marks->statement, MARK_STAR);
        *(star ? &fold->is.starred : &fold->is.suspended) = sqlite3_column_int(marks->statement, MARK_ON);
        if (!cursor_step(marks, error))
            return false;
    }
    return true;
}

/* The same answers under today's retention, where the row was made with another. */
static bool move(struct rebuild *rebuild, const struct sqlite_key *key, const struct fold_rules *rules,
                 struct fold *fold, struct error *error)
{
    struct sqlite_log log;
    struct fold today = { 0 };
    if (fold->retention == rules->retention || fold->is.schedule.phase == PHASE_NEW)
        return true;
    today.is.starred = fold->is.starred;
    today.is.suspended = fold->is.suspended;
    bool done = sqlite_log_open_question(&log, rebuild->store, &key->learner, buffer_get(&key->pack),
                                         buffer_get(&key->question), error) &&
                sqlite_log_question(&log, error) >= 0 && sqlite_log_fold(&log, rules, &today, error);
    sqlite_log_close(&log);
    if (!done)
        return false;
    rebuild->report->moved += today.is.schedule.due_day != fold->is.schedule.due_day;
    *fold = today;
    return true;
}

static bool is_retention(double retention)
{
    return retention >= 0.5 && retention < 1;
}

/* Stored rows that the log knows nothing of, before this key (NULL: all that are left). */
static bool drop_strays(struct rebuild *rebuild, const struct sqlite_key *key, struct error *error)
{
    static const struct fold nothing;
    struct cursor *stored = &rebuild->stored;
    while (stored->there && (!key || sqlite_key_compare(&stored->key, key) < 0)) {
        if (!name_first(rebuild, &stored->key, error) ||
            !sqlite_schedule_write(rebuild->store, &stored->key.learner, buffer_get(&stored->key.pack),
                                   buffer_get(&stored->key.question), &nothing, error) ||
            !cursor_step(stored, error))
            return false;
    }
    return true;
}

static void count_question(struct rebuild *rebuild, const struct sqlite_key *key, const struct fold *fold)
{
    struct store_rebuild *report = rebuild->report;
    report->questions++;
    report->answers += fold->is.counted;
    report->learners += !uuid_equal(&rebuild->learner, &key->learner);
    rebuild->learner = key->learner;
}

/* One question: `answers` when the log stands on its first, else it is only marked. */
static bool rebuild_question(struct rebuild *rebuild, const struct sqlite_key *key, bool answers,
                             struct error *error)
{
    struct cursor *stored = &rebuild->stored;
    struct fold_rules rules, as_made;
    struct fold fold = { 0 }, old = { 0 };
    if (!drop_strays(rebuild, key, error) ||
        !sqlite_rules(rebuild->store, &key->learner, buffer_get(&key->pack), &rules, error))
        return false;
    bool there = stored->there && sqlite_key_compare(&stored->key, key) == 0;
    if (there)
        sqlite_fold_read(stored->statement, 2, &old);
    as_made = rules;
    if (is_retention(old.retention))
        as_made.retention = old.retention;
    if ((answers && (!sqlite_totals_enter(&rebuild->totals, &rebuild->log, error) ||
                     !sqlite_log_fold(&rebuild->log, &as_made, &fold, error))) ||
        !take_marks(rebuild, key, &fold, error))
        return false;
    bool kept = fold_is_kept(&fold), same = kept == there && fold_equal(&fold, &old);
    if (kept)
        count_question(rebuild, key, &fold);
    sqlite_totals_add(&rebuild->totals, &fold);
    if (!same && !name_first(rebuild, key, error))
        return false;
    double made = fold.retention;
    if (!move(rebuild, key, &rules, &fold, error))
        return false;
    if ((!same || made != fold.retention) &&
        !sqlite_schedule_write(rebuild->store, &key->learner, buffer_get(&key->pack),
                               buffer_get(&key->question), &fold, error))
        return false;
    return !there || cursor_step(stored, error);
}

/* A question that is only marked. Its key is copied: going past the marks changes theirs. */
static bool rebuild_marked(struct rebuild *rebuild, struct error *error)
{
    const struct sqlite_key *marked = &rebuild->marks.key;
    struct sqlite_key key;
    sqlite_key_init(&key);
    key.learner = marked->learner;
    buffer_text(&key.pack, buffer_get(&marked->pack));
    buffer_text(&key.question, buffer_get(&marked->question));
    bool done = key.pack.failed || key.question.failed ? error_memory(error)
                                                       : rebuild_question(rebuild, &key, false, error);
    sqlite_key_finish(&key);
    return done;
}

static bool rebuild_all(struct rebuild *rebuild, struct error *error)
{
    struct sqlite_log *log = &rebuild->log;
    struct cursor *marks = &rebuild->marks;
    int found;
    while ((found = sqlite_log_question(log, error)) >= 0) {
        int order = !marks->there ? -1 : !found ? 1 : sqlite_key_compare(&log->key, &marks->key);
        if (!found && !marks->there)
            return drop_strays(rebuild, NULL, error);
        if (order <= 0 ? !rebuild_question(rebuild, &log->key, true, error) : !rebuild_marked(rebuild, error))
            return false;
    }
    return false;
}

bool sqlite_rebuild(struct store *base, struct store_rebuild *report, struct error *error)
{
    struct rebuild rebuild = { .store = (struct sqlite_store *)base, .report = report };
    struct sqlite_store *store = rebuild.store;
    int64_t schedule_seq;
    if (!sqlite_begin(store, error))
        return false;
    sqlite_totals_init(&rebuild.totals, store, report);
    bool done = sqlite_made_read(store, &schedule_seq, error) &&
                sqlite_log_open(&rebuild.log, store, NULL, error) &&
                cursor_open(&rebuild.marks, store, marks_sql, error) &&
                cursor_open(&rebuild.stored, store,
                            "SELECT learner_id, pack_id, " FOLD_COLUMNS
                            " FROM schedule ORDER BY learner_id, pack_id, question_id",
                            error) &&
                rebuild_all(&rebuild, error) && sqlite_totals_end(&rebuild.totals, error);
    sqlite_totals_finish(&rebuild.totals);
    sqlite_log_close(&rebuild.log);
    cursor_close(&rebuild.marks);
    cursor_close(&rebuild.stored);
    if (done && settle_made(store, error))
        return sqlite_commit(store, error);
    sqlite_rollback(store);
    return false;
}

/* Graded answers of one question, as they are handed out. */
struct history {
    struct store_answer *answers;
    ptrdiff_t count, capacity;
    store_history_visit *visit;
    void *context;
    bool stopped;
};

static void hand_out(struct history *history, const struct sqlite_key *key)
{
    if (history->count && !history->stopped)
        history->stopped = !history->visit(history->context, &key->learner, buffer_get(&key->pack),
                                           buffer_get(&key->question), history->answers, (int)history->count);
    history->count = 0;
}

static bool read_history(struct sqlite_log *log, struct history *history, struct error *error)
{
    const struct fold_rules rules = { fsrs_defaults, 0.9, log->store->made.day_starts };
    struct fold fold = { 0 };
    struct fold_answer answer;
    int found;
    while ((found = sqlite_log_answer(log, &answer, error)) > 0) {
        bool overturned = false;
        if (fold_must_compare(&fold, &answer) &&
            !sqlite_schedule_overturned(log->store, &fold, &answer, &overturned, error))
            return false;
        if (overturned)
            hand_out(history, &log->key);
        enum grade grade = fold_take(&fold, &rules, buffer_get(&log->key.pack),
                                     buffer_get(&log->key.question), &answer, overturned);
        if (grade == GRADE_NONE)
            continue;
        if (!memory_grow(&history->answers, &history->capacity, history->count + 1, sizeof *history->answers))
            return error_memory(error);
        history->answers[history->count++] =
            (struct store_answer){ grade, answer.at, fold.is.schedule.last_day };
    }
    hand_out(history, &log->key);
    return found == 0;
}

bool sqlite_histories(struct store *base, const struct uuid *learner, store_history_visit *visit,
                      void *context, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct history history = { .visit = visit, .context = context };
    struct sqlite_log log;
    bool done = sqlite_log_open(&log, store, learner, error);
    int found = 0;
    while (done && !history.stopped && (found = sqlite_log_question(&log, error)) > 0)
        done = read_history(&log, &history, error);
    sqlite_log_close(&log);
    memory_free(history.answers);
    return done && (found >= 0 || history.stopped);
}
