#include "sqlite_totals.h"

#include <inttypes.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>

void sqlite_totals_finish(struct sqlite_totals *totals)
{
    tally_finish(&totals->tally);
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
static bool write_pack(void *context, const struct uuid *learner, const char *pack,
                       const struct summary_sums *sums, int64_t sessions, const struct summary_span *span,
                       struct error *error)
{
    struct sqlite_totals *totals = context;
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

static bool write_day(void *context, const struct uuid *learner, const struct summary_day *day,
                      struct error *error)
{
    struct sqlite_totals *totals = context;
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

static const struct tally_sink sink = { write_pack, write_day };

void sqlite_totals_init(struct sqlite_totals *totals, struct sqlite_store *store,
                        struct store_rebuild *report)
{
    memset(totals, 0, sizeof *totals);
    totals->store = store;
    totals->report = report;
    tally_init(&totals->tally, &sink, totals);
}

bool sqlite_totals_enter(struct sqlite_totals *totals, struct sqlite_log *log, struct error *error)
{
    log->tally = &totals->tally;
    return tally_enter(&totals->tally, &log->key.learner, buffer_get(&log->key.pack), error);
}

void sqlite_totals_add(struct sqlite_totals *totals, const struct fold *fold)
{
    tally_add(&totals->tally, fold);
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
    if (!tally_end(&totals->tally, error))
        return false;
    if (!totals->report)
        return true;
    return sqlite_integer(totals->store,
                          "SELECT (SELECT count(*) FROM learner_pack) + (SELECT count(*) FROM learner_day)",
                          &there, error) &&
           (there == totals->wanted || drop_strays(totals, error));
}
