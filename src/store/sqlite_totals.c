#include "sqlite_totals.h"

#include <inttypes.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>

void sqlite_totals_init(struct sqlite_totals *totals, struct sqlite_store *store,
                        struct store_rebuild *report)
{
    memset(totals, 0, sizeof *totals);
    totals->store = store;
    totals->report = report;
    sqlite_key_init(&totals->key);
}

void sqlite_totals_finish(struct sqlite_totals *totals)
{
    sqlite_key_finish(&totals->key);
    ids_finish(&totals->pack_sessions);
    ids_finish(&totals->all_sessions);
    days_finish(&totals->days);
}

bool sqlite_name_difference(struct sqlite_store *store, struct store_rebuild *report,
                            const struct uuid *learner, const char *pack, const char *question,
                            struct error *error)
{
    if (report->different++)
        return true;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_LEARNER_BY_ID, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, learner);
    int found = sqlite_look_up(store, statement, error);
    const char *name = found > 0 ? (const char *)sqlite3_column_text(statement, 1) : NULL;
    snprintf(report->first, sizeof report->first, tr("%.60s/%.60s of %.60s"), pack, question,
             name ? name : "?");
    sqlite3_reset(statement);
    return found >= 0;
}

/* Compares the row that the statement looks up with what it should be: 1 the same, 0 another or none, −1 an
 * error. */
static int compare_row(struct sqlite_totals *totals, sqlite3_stmt *statement, const int64_t *wanted,
                       int count, struct error *error)
{
    int found = sqlite_look_up(totals->store, statement, error);
    bool same = found > 0;
    for (int i = 0; same && i < count; i++)
        same = sqlite3_column_int64(statement, i) == wanted[i];
    sqlite3_reset(statement);
    return found < 0 ? -1 : same;
}

/* A row of one pack, or of all (""): written unless it is there as it should be. */
static bool write_pack(struct sqlite_totals *totals, const char *pack, const struct summary_sums *sums,
                       int64_t sessions, const struct summary_span *span, struct error *error)
{
    const struct uuid *learner = &totals->key.learner;
    struct sqlite_store *store = totals->store;
    const int64_t *firsts = sums->firsts;
    const int64_t wanted[] = { sums->questions,
                               sums->attempts,
                               firsts[OUTCOME_RIGHT],
                               firsts[OUTCOME_PARTLY],
                               firsts[OUTCOME_WRONG],
                               firsts[OUTCOME_OMITTED],
                               sums->shares,
                               sums->elapsed_ms,
                               sums->mastered,
                               sums->stuck,
                               sessions,
                               span->first,
                               span->last };
    if (sums->questions == 0)
        return true;
    totals->wanted++;
    if (totals->report) {
        sqlite3_stmt *look = sqlite_prepare(store, SQL_PACK, error),
                     *drop = sqlite_prepare(store, SQL_DROP_PACK, error);
        if (!look || !drop)
            return false;
        sqlite_bind_uuid(look, 1, learner);
        sqlite_bind_text(look, 2, pack);
        int same = compare_row(totals, look, wanted, sizeof wanted / sizeof *wanted, error);
        if (same != 0)
            return same > 0;
        sqlite_bind_uuid(drop, 1, learner);
        sqlite_bind_text(drop, 2, pack);
        if (!sqlite_run(store, drop, NULL, error) ||
            !sqlite_name_difference(store, totals->report, learner, pack, "", error))
            return false;
    }
    return sqlite_add_pack(store, learner, pack, sums, sessions, span, error);
}

static bool write_day(struct sqlite_totals *totals, const struct summary_day *day, struct error *error)
{
    const struct uuid *learner = &totals->key.learner;
    struct sqlite_store *store = totals->store;
    const int64_t wanted[] = { day->attempts, day->given,      day->right, day->firsts,
                               day->shares,   day->elapsed_ms, day->fresh };
    totals->wanted++;
    if (totals->report) {
        char name[32];
        sqlite3_stmt *look = sqlite_prepare(store, SQL_DAY, error),
                     *drop = sqlite_prepare(store, SQL_DROP_DAY, error);
        if (!look || !drop)
            return false;
        sqlite_bind_uuid(look, 1, learner);
        sqlite3_bind_int64(look, 2, day->day);
        int same = compare_row(totals, look, wanted, sizeof wanted / sizeof *wanted, error);
        if (same != 0)
            return same > 0;
        snprintf(name, sizeof name, "%" PRId64, day->day);
        sqlite_bind_uuid(drop, 1, learner);
        sqlite3_bind_int64(drop, 2, day->day);
        if (!sqlite_run(store, drop, NULL, error) ||
            !sqlite_name_difference(store, totals->report, learner, "", name, error))
            return false;
    }
    return sqlite_add_day(store, learner, day, error);
}

static bool end_pack(struct sqlite_totals *totals, struct error *error)
{
    struct summary_ids *sessions = &totals->pack_sessions;
    ids_settle(sessions);
    for (ptrdiff_t i = 0; i < sessions->count; i++) {
        if (!ids_add(&totals->all_sessions, &sessions->items[i]))
            return error_memory(error);
    }
    bool done = write_pack(totals, buffer_get(&totals->key.pack), &totals->pack, sessions->count,
                           &totals->pack_span, error);
    sessions->count = 0;
    memset(&totals->pack, 0, sizeof totals->pack);
    span_start(&totals->pack_span);
    return done;
}

static bool end_learner(struct sqlite_totals *totals, struct error *error)
{
    ids_settle(&totals->all_sessions);
    bool done = write_pack(totals, "", &totals->all, totals->all_sessions.count, &totals->all_span, error);
    for (ptrdiff_t i = 0; done && i < totals->days.count; i++)
        done = write_day(totals, &totals->days.items[i], error);
    totals->all_sessions.count = totals->days.count = 0;
    memset(&totals->all, 0, sizeof totals->all);
    span_start(&totals->all_span);
    return done;
}

bool sqlite_totals_enter(struct sqlite_totals *totals, struct sqlite_log *log, struct error *error)
{
    struct sqlite_key *last = &totals->key;
    const struct sqlite_key *key = &log->key;
    bool learner = totals->begun && uuid_equal(&last->learner, &key->learner);
    bool pack = learner && strcmp(buffer_get(&last->pack), buffer_get(&key->pack)) == 0;
    if (totals->begun && !pack && !end_pack(totals, error))
        return false;
    if (totals->begun && !learner && !end_learner(totals, error))
        return false;
    if (!totals->begun) {
        span_start(&totals->pack_span);
        span_start(&totals->all_span);
    }
    totals->begun = true;
    last->learner = key->learner;
    if (!pack) {
        buffer_clear(&last->pack);
        buffer_text(&last->pack, buffer_get(&key->pack));
    }
    log->days = &totals->days;
    log->sessions = &totals->pack_sessions;
    return !last->pack.failed || error_memory(error);
}

void sqlite_totals_add(struct sqlite_totals *totals, const struct fold *fold)
{
    sums_add(&totals->pack, fold, 1);
    sums_add(&totals->all, fold, 1);
    span_add(&totals->pack_span, fold);
    span_add(&totals->all_span, fold);
}

/* Rows that the log knows nothing of; the schedules were made anew before. */
static bool drop_strays(struct sqlite_totals *totals, struct error *error)
{
    static const char sql[] =
        "SELECT learner_id, pack_id, '' FROM learner_pack WHERE NOT EXISTS(SELECT 1 FROM schedule WHERE"
        " schedule.learner_id = learner_pack.learner_id AND counted > 0"
        " AND (learner_pack.pack_id = '' OR schedule.pack_id = learner_pack.pack_id))"
        " UNION ALL SELECT learner_id, '', day FROM learner_day WHERE NOT EXISTS(SELECT 1 FROM"
        " counted_attempt, meta WHERE counted_attempt.learner_id = learner_day.learner_id AND"
        " answered_at + utc_offset_s * 1000 - schedule_day_starts * 60000 >= day * 86400000 AND"
        " answered_at + utc_offset_s * 1000 - schedule_day_starts * 60000 < (day + 1) * 86400000)";
    struct sqlite_store *store = totals->store;
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(store, result, error);
    while (done && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        bool day = sqlite3_column_type(statement, 2) == SQLITE_INTEGER;
        struct uuid learner;
        const char *pack = (const char *)sqlite3_column_text(statement, 1);
        sqlite_read_uuid(statement, 0, &learner);
        sqlite3_stmt *drop = sqlite_prepare(store, day ? SQL_DROP_DAY : SQL_DROP_PACK, error);
        if (drop) {
            sqlite_bind_uuid(drop, 1, &learner);
            sqlite3_bind_value(drop, 2, sqlite3_column_value(statement, day ? 2 : 1));
        }
        done = drop && pack && sqlite_run(store, drop, NULL, error) &&
               sqlite_name_difference(store, totals->report, &learner, pack, "", error);
        if (drop && !pack)
            error_memory(error);
    }
    if (done && result != SQLITE_DONE)
        done = sqlite_error(store, result, error);
    sqlite3_finalize(statement);
    return done;
}

bool sqlite_totals_end(struct sqlite_totals *totals, struct error *error)
{
    int64_t there;
    if (totals->begun && (!end_pack(totals, error) || !end_learner(totals, error)))
        return false;
    if (!totals->report)
        return true;
    return sqlite_integer(totals->store,
                          "SELECT (SELECT count(*) FROM learner_pack) + (SELECT count(*) FROM learner_day)",
                          &there, error) &&
           (there == totals->wanted || drop_strays(totals, error));
}
