/* A learner erased: every row that is theirs, then the file written anew. */
#include "sqlite_roster.h"

#include <quiztutor/intake.h>
#include <quiztutor/message.h>

/* In order; ?1 is the learner. Foreign keys are off meanwhile: SQLite would look through the whole log for
 * each text of a question. */
#define THEIRS "IN (SELECT learner_id FROM learner WHERE learner_id = ?1 OR merged_into = ?1)"
static const char *const erasing[] = {
    "UPDATE meta SET erasing = 2, unclean = 1, parameters_made = parameters_made + 1,"
    " log_changes = log_changes + 1",
    "CREATE TEMP TABLE IF NOT EXISTS gone(content BLOB PRIMARY KEY) WITHOUT ROWID",
    "DELETE FROM temp.gone",
    "INSERT OR IGNORE INTO temp.gone SELECT content FROM attempt WHERE learner_id " THEIRS
    " AND content IS NOT NULL",
    "INSERT OR IGNORE INTO temp.gone SELECT content FROM question_text WHERE lower(hex(content)) IN"
    " (SELECT entry.value ->> 4 FROM session, json_each(session.plan) AS entry"
    "   WHERE session.learner_id " THEIRS " AND session.kind = 'exam')",
    /* what they did about answers of others, who still have them, stays without them */
    "UPDATE event SET learner_id = NULL, session_id = NULL WHERE (learner_id " THEIRS " OR session_id IN"
    " (SELECT session_id FROM session WHERE learner_id " THEIRS ")) AND EXISTS(SELECT 1 FROM attempt"
    " WHERE attempt.attempt_id = event.attempt_id AND NOT attempt.learner_id " THEIRS ")",
    "DELETE FROM event WHERE learner_id " THEIRS " OR session_id IN"
    " (SELECT session_id FROM session WHERE learner_id " THEIRS ")"
    " OR attempt_id IN (SELECT attempt_id FROM attempt WHERE learner_id " THEIRS ")",
    "DELETE FROM attempt WHERE learner_id " THEIRS,
    "DELETE FROM session WHERE learner_id " THEIRS,
    "DELETE FROM temp.gone WHERE content IN (SELECT content FROM attempt WHERE content IN"
    " (SELECT content FROM temp.gone))",
    "DELETE FROM temp.gone WHERE lower(hex(content)) IN (SELECT entry.value ->> 4"
    " FROM session, json_each(session.plan) AS entry WHERE session.kind = 'exam')",
    "DELETE FROM question_text WHERE content IN (SELECT content FROM temp.gone)",
    "DELETE FROM member WHERE learner_id " THEIRS,
    "DELETE FROM parameters WHERE learner_id " THEIRS,
    "DELETE FROM schedule WHERE learner_id " THEIRS,
    "DELETE FROM learner_pack WHERE learner_id " THEIRS,
    "DELETE FROM learner_day WHERE learner_id " THEIRS,
    "DELETE FROM pin WHERE learner_id " THEIRS,
    "DELETE FROM pin_try WHERE who " THEIRS,
    "DELETE FROM sheet WHERE learner_id " THEIRS,
    "DELETE FROM sheet_content WHERE content NOT IN (SELECT content FROM sheet)",
    "DROP TABLE temp.gone",
};
enum { ERASING = sizeof erasing / sizeof *erasing, ERASE_EVENTS = 6, ERASE_ATTEMPTS, ERASE_SESSIONS };
enum { ERASE_TEXTS = 11 };

/* An event that tells nothing but that whoever this is an id of was erased. */
static bool add_event(struct sqlite_store *store, const struct uuid *id, struct error *error)
{
    int64_t now = clock_wall(&store->base.clock);
    struct store_event event = { .kind = "erased",
                                 .at = now,
                                 .utc_offset_s = clock_offset(&store->base.clock, now) };
    struct writing writing = { .store = store, .event = &event, .device = store->base.device };
    bool there;
    uuid_make(&event.id, now);
    roster_mark(&writing.learner, id);
    return sqlite_roster_is_erased(&store->base, &writing.learner, &there, error) &&
           (there || writing_add_event(&writing, error));
}

enum { MARKS = 4 };

/* The ids by which somebody could come in again: their own, and those that a table without ids leads to. */
static int read_ids(sqlite3_stmt *statement, struct uuid ids[static MARKS])
{
    static const char *const kinds[] = { "name", "login", "external" };
    int count = 1;
    sqlite_read_uuid(statement, 0, &ids[0]);
    for (int i = 0; i < MARKS - 1; i++) {
        const char *text = (const char *)sqlite3_column_text(statement, 1 + i);
        if (text)
            intake_learner_id(&ids[count++], kinds[i], text);
        else if (sqlite3_column_type(statement, 1 + i) != SQLITE_NULL)
            return -1;
    }
    return count;
}

/* The learner's row and those of who was merged into them, each with its events. */
static bool erase_persons(struct sqlite_store *store, const struct uuid *learner, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db,
                                    "DELETE FROM learner WHERE learner_id " THEIRS
                                    " RETURNING learner_id, name_key, login, external_id",
                                    -1, &statement, NULL);
    struct uuid *ids = NULL;
    ptrdiff_t count = 0, capacity = 0;
    bool done = true;
    if (result == SQLITE_OK) {
        sqlite_bind_uuid(statement, 1, learner);
        while (done && (result = sqlite3_step(statement)) == SQLITE_ROW) {
            int more = memory_grow(&ids, &capacity, count + MARKS, sizeof *ids)
                           ? read_ids(statement, ids + count)
                           : -1;
            done = more > 0 || error_memory(error);
            count += done ? more : 0;
        }
    }
    if (done && result != SQLITE_DONE)
        done = sqlite_error(store, result, error);
    sqlite3_finalize(statement);
    for (ptrdiff_t i = 0; done && i < count; i++)
        done = add_event(store, &ids[i], error);
    memory_free(ids);
    return done && (count || roster_unknown(error));
}

bool sqlite_erase_learner(struct sqlite_store *store, const struct uuid *learner, struct roster_count *gone,
                          struct error *error)
{
    int64_t changed[ERASING];
    for (int i = 0; i < ERASING; i++) {
        changed[i] = sqlite_run_once(store, erasing[i], learner, NULL, error);
        if (changed[i] < 0)
            return false;
    }
    *gone = (struct roster_count){ .sessions = changed[ERASE_SESSIONS],
                                   .attempts = changed[ERASE_ATTEMPTS],
                                   .events = changed[ERASE_EVENTS],
                                   .questions = changed[ERASE_TEXTS] };
    return erase_persons(store, learner, error) && sqlite_exec(store, "UPDATE meta SET erasing = 0", error);
}

static bool erase_free(struct sqlite_store *store, const struct uuid *learner, struct roster_count *gone,
                       struct error *error)
{
    struct roster roster;
    struct roster_person person;
    roster_begin(&roster, store, error);
    int found = roster_person(&roster, learner, &person);
    bool done = found > 0 ? roster_is_free(&roster, &person) : found == 0 && roster_unknown(error);
    roster_end(&roster);
    return done && sqlite_erase_learner(store, learner, gone, error);
}

bool sqlite_roster_erase(struct store *base, const struct uuid *learner, struct roster_count *gone,
                         struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct writing writing = { .store = store };
    if (!sqlite_exec(store, "PRAGMA foreign_keys = OFF", error))
        return false;
    bool done = false;
    if (writing_begin(&writing, error)) {
        /* the second log before the store: cut off in between, nobody is in one and not in the other for good
         */
        done = erase_free(store, learner, gone, error) && sqlite_second_erase(store, learner, error);
        if (!done)
            sqlite_rollback(store);
        done = done && sqlite_commit(store, error);
    }
    known_forget(&store->known);
    store->parameters.valid = false;
    if (done)
        writing_done(&writing, NULL);
    else
        sqlite_second_withdraw(store);
    return sqlite_exec(store, "PRAGMA foreign_keys = ON", done ? error : NULL) && done;
}

/* All of the log into the file, and the log emptied. A reader can hold that up. */
static bool empty_log(struct sqlite_store *store, struct error *error)
{
    int left = 0, moved = 0;
    int result = store->wal
                     ? sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_TRUNCATE, &left, &moved)
                     : SQLITE_OK;
    return result == SQLITE_OK || sqlite_error(store, result, error);
}

/* VACUUM makes its copy in a file: memory might not hold it. */
static bool write_anew(struct sqlite_store *store, struct error *error)
{
    return sqlite_exec(store, "PRAGMA temp_store = FILE", error) && sqlite_exec(store, "VACUUM", error) &&
           sqlite_exec(store, "PRAGMA temp_store = MEMORY", error) && empty_log(store, error) &&
           sqlite_second_clean(store, error) && sqlite_exec(store, "UPDATE meta SET unclean = 0", error) &&
           empty_log(store, error);
}

bool sqlite_roster_clean(struct store *base, bool *needed, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    int64_t unclean;
    if (!sqlite_integer(store, "SELECT unclean FROM meta", &unclean, error))
        return false;
    *needed = unclean != 0;
    if (!unclean)
        return true;
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    bool done = write_anew(store, error);
    lock_give(&store->lock);
    return done;
}

bool sqlite_roster_is_erased(struct store *base, const struct uuid *mark, bool *erased, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_ERASED, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, mark);
    int found = sqlite_look_up(store, statement, error);
    *erased = found > 0;
    sqlite3_reset(statement);
    return found >= 0;
}
