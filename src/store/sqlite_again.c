/* Schedules and sums of one learner made anew, where more has changed than answers: somebody was merged into
 * them.
 */
#include "sqlite_roster.h"
#include "sqlite_totals.h"

/* What is starred and suspended: the newest event of each kind for each question. */
static const char marks_sql[] =
    "SELECT body ->> '$.question[0]', body ->> '$.question[1]', kind = 'starred', body ->> '$.on', max(seq)"
    " FROM event WHERE learner_id = ?1 AND kind IN ('starred', 'suspended') AND " SQLITE_IS_MARK(
        "body") " GROUP BY 1, 2, 3";

static bool write_mark(struct sqlite_store *store, sqlite3_stmt *marks, const struct uuid *learner,
                       struct error *error)
{
    const char *pack = (const char *)sqlite3_column_text(marks, 0),
               *question = (const char *)sqlite3_column_text(marks, 1);
    if (!pack || !question)
        return error_memory(error);
    return sqlite_schedule_mark(store, learner, pack, question, sqlite3_column_int(marks, 2),
                                sqlite3_column_int(marks, 3), error);
}

static bool write_marks(struct sqlite_store *store, const struct uuid *learner, struct error *error)
{
    sqlite3_stmt *marks = NULL;
    int result = sqlite3_prepare_v2(store->db, marks_sql, -1, &marks, NULL);
    bool done = true;
    if (result == SQLITE_OK)
        sqlite_bind_uuid(marks, 1, learner);
    while (done && result == SQLITE_OK) {
        int step = sqlite3_step(marks);
        if (step == SQLITE_ROW)
            done = write_mark(store, marks, learner, error);
        else
            result = step;
    }
    sqlite3_finalize(marks);
    return done && (result == SQLITE_DONE || sqlite_error(store, result, error));
}

static bool drop_all(struct sqlite_store *store, const struct uuid *learner, struct error *error)
{
    static const char *const tables[] = { "DELETE FROM schedule WHERE learner_id = ?1",
                                          "DELETE FROM learner_pack WHERE learner_id = ?1",
                                          "DELETE FROM learner_day WHERE learner_id = ?1" };
    bool done = true;
    for (size_t i = 0; done && i < sizeof tables / sizeof *tables; i++)
        done = sqlite_run_once(store, tables[i], learner, NULL, error) >= 0;
    return done;
}

/* The question that the log stands on: its schedule, and what it adds to the sums. */
static bool make_question(struct sqlite_totals *totals, struct sqlite_log *log, struct error *error)
{
    const struct sqlite_key *key = &log->key;
    const char *pack = buffer_get(&key->pack), *question = buffer_get(&key->question);
    struct fold_rules rules;
    struct fold fold = { 0 };
    bool done = sqlite_totals_enter(totals, log, error) &&
                sqlite_rules(log->store, &key->learner, pack, &rules, error) &&
                sqlite_log_fold(log, &rules, &fold, error) &&
                (!fold_is_kept(&fold) ||
                 sqlite_schedule_write(log->store, &key->learner, pack, question, &fold, error));
    sqlite_totals_add(totals, &fold);
    return done;
}

bool sqlite_schedule_again(struct sqlite_store *store, const struct uuid *learner, struct error *error)
{
    struct sqlite_log log;
    struct sqlite_totals totals;
    if (!drop_all(store, learner, error))
        return false;
    sqlite_totals_init(&totals, store, NULL);
    bool done = sqlite_log_open(&log, store, learner, error);
    int found = 0;
    while (done && (found = sqlite_log_question(&log, error)) > 0)
        done = make_question(&totals, &log, error);
    sqlite_log_close(&log);
    done = done && found == 0 && sqlite_totals_end(&totals, error);
    sqlite_totals_finish(&totals);
    return done && write_marks(store, learner, error);
}
