/* Statements, transactions, results in words, and the end of a store. */
#include "pin_private.h"
#include "sqlite_log.h"

#include "reserve.h"
#include "roster_private.h"
#include "sheet_private.h"

#include <errno.h>
#include <quiztutor/message.h>
#include <string.h>
#include <unistd.h>

/* Frames in the write-ahead log after which they are put into the store file: 4 MB, as SQLite does by itself.
 */
enum { CHECKPOINT_FRAMES = 1000, CLOSING_WAIT_MS = 100 };

static const char *const statements[SQL_STATEMENTS] = {
    [SQL_BEGIN] = "BEGIN IMMEDIATE",
    [SQL_COMMIT] = "COMMIT",
    [SQL_ROLLBACK] = "ROLLBACK",
    [SQL_TAKE_SEQ] = "UPDATE meta SET next_seq = ?1 + 1, schedule_seq = ?1 + 1 WHERE one = 1 AND"
                     " next_seq = ?1 AND schedule_seq = ?1 AND schedule_version = ?2 AND"
                     " schedule_day_starts = ?3 AND parameters_made = ?4",
    [SQL_HAS_SESSION] = "SELECT learner_id FROM session WHERE session_id = ?1",
    [SQL_ADD_SESSION] =
        "INSERT INTO session(session_id, seq, learner_id, device_id, kind, origin, seed, options, plan,"
        " started_at, utc_offset_s) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
    [SQL_LEARNER_BY_ID] = "SELECT learner_id, name, login, merged_into, time_factor, plain FROM learner"
                          " WHERE learner_id = ?1",
    [SQL_LEARNER_BY_LOGIN] = "SELECT learner_id, name, login, merged_into FROM learner WHERE login = ?1",
    /* who was merged into another stays known by name, unless there is somebody else of that name */
    [SQL_LEARNER_BY_KEY] = "SELECT learner_id, name, login, merged_into FROM learner WHERE name_key = ?1"
                           " ORDER BY merged_into IS NOT NULL, external_id IS NOT NULL, learner_id LIMIT 1",
    [SQL_ADD_LEARNER] =
        "INSERT INTO learner(learner_id, name, name_key, login, created_at, time_factor) VALUES(?1, ?2, ?3,"
        " CASE WHEN EXISTS(SELECT 1 FROM learner WHERE login = ?4) THEN NULL ELSE ?4 END, ?5, ?6)",
    [SQL_ADD_TEXT] = "INSERT INTO question_text(content, pack_id, question_id, revision, body)"
                     " VALUES(?1, ?2, ?3, ?4, ?5) ON CONFLICT(content) DO NOTHING",
    [SQL_ADD_ATTEMPT] =
        "INSERT INTO attempt(seq, attempt_id, session_id, learner_id, device_id, boot_id, "
        "pack_id, question_id,"
        " revision, content, seed, showing, shown, response, outcome, mark, marks, "
        "certainty, hints, elapsed_ms,"
        " answered_at, utc_offset_s, origin, retried) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, "
        "?11, ?12, ?13, ?14, ?15,"
        " ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24)",
    [SQL_ADD_EVENT] =
        "INSERT INTO event(seq, event_id, kind, session_id, attempt_id, learner_id, device_id, body, at,"
        " utc_offset_s) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
    [SQL_ATTEMPT_BY_ID] = "SELECT learner_id FROM attempt WHERE attempt_id = ?1",
    [SQL_EVENT_BY_ID] = "SELECT learner_id FROM event WHERE event_id = ?1",
    [SQL_MADE] = "SELECT next_seq, schedule_seq, schedule_version, schedule_day_starts, parameters_made"
                 " FROM meta WHERE one = 1",
    [SQL_MIXED] = "UPDATE meta SET schedule_version = 0",
    [SQL_SCHEDULE] = "SELECT " FOLD_COLUMNS " FROM schedule"
                     " WHERE learner_id = ?1 AND pack_id = ?2 AND question_id = ?3",
    [SQL_PUT_SCHEDULE] =
        "INSERT INTO schedule(learner_id, pack_id, " FOLD_COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8,"
        " ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28,"
        " ?29, ?30, ?31, ?32, ?33, ?34, ?35)"
        " ON CONFLICT(learner_id, pack_id, question_id) DO UPDATE SET revision = ?4, content = ?5,"
        " phase = ?6, step = ?7, stability = ?8, difficulty = ?9, answers = ?10, lapses = ?11, run = ?12,"
        " run_day = ?13, last_at = ?14, last_day = ?15, due_day = ?16, due_at = ?17, interval_days = ?18,"
        " outcome = ?19, answered_at = ?20, counted = ?21, right_answers = ?22, starred = ?23,"
        " suspended = ?24, retention = ?25, last_seq = ?26, first_outcome = ?27, first_share = ?28,"
        " first_at = ?29, first_revision = ?30, best_share = ?31, misses = ?32, elapsed_ms = ?33,"
        " given = ?34, mastered = ?35",
    [SQL_DROP_SCHEDULE] = "DELETE FROM schedule WHERE learner_id = ?1 AND pack_id = ?2 AND question_id = ?3",
    [SQL_TOLD] = "SELECT 1 FROM event WHERE attempt_id = ?1 AND kind IN ('undone', 'regraded', 'voided',"
                 " 'accepted')",
    [SQL_HELPED] = "SELECT 1 FROM attempt INDEXED BY attempt_history WHERE learner_id = ?1 AND pack_id = ?2"
                   " AND question_id = ?3 AND session_id = ?4 AND seq < ?5 AND EXISTS(SELECT 1 FROM event"
                   " WHERE event.attempt_id = attempt.attempt_id AND event.kind = 'undone')",
    [SQL_QUESTION_OF] = "SELECT learner_id, pack_id, question_id FROM attempt WHERE attempt_id = ?1",
    [SQL_ANSWERS] = SQLITE_ANSWERS " WHERE attempt.learner_id = ?1 AND pack_id = ?2 AND question_id = ?3"
                                   " ORDER BY attempt.seq",
    [SQL_BODY] = "SELECT body FROM question_text WHERE content = ?1",
    [SQL_MARK] = SQLITE_MARK,
    [SQL_EXAM_LOG] = "SELECT max(coalesce((SELECT max(seq) FROM attempt WHERE session_id = ?1), 0),"
                     " coalesce((SELECT max(seq) FROM event WHERE session_id = ?1), 0)),"
                     " EXISTS(SELECT 1 FROM event WHERE session_id = ?1 AND kind = 'handed-in')",
    [SQL_ERASED] = "SELECT 1 FROM event WHERE kind = 'erased' AND learner_id = ?1",
    [SQL_PARAMETERS] = "SELECT weights, learner_id <> zeroblob(16) FROM parameters"
                       " WHERE learner_id IN (?1, zeroblob(16)) ORDER BY learner_id DESC LIMIT 1",
    [SQL_ADD_PACK] =
        "INSERT INTO learner_pack(learner_id, pack_id, " PACK_COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7,"
        " ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15) ON CONFLICT(learner_id, pack_id) DO UPDATE SET"
        " questions = questions + ?3, attempts = attempts + ?4, first_right = first_right + ?5,"
        " first_partly = first_partly + ?6, first_wrong = first_wrong + ?7,"
        " first_omitted = first_omitted + ?8, first_shares = first_shares + ?9,"
        " elapsed_ms = elapsed_ms + ?10, mastered = mastered + ?11, stuck = stuck + ?12,"
        " sessions = sessions + ?13, first_at = min(first_at, ?14), last_at = max(last_at, ?15)",
    [SQL_DROP_PACK] = "DELETE FROM learner_pack WHERE learner_id = ?1 AND pack_id = ?2",
    [SQL_PACK] = "SELECT " PACK_COLUMNS " FROM learner_pack WHERE learner_id = ?1 AND pack_id = ?2",
    [SQL_SPAN_PACK] = "UPDATE learner_pack SET (first_at, last_at) = (SELECT min(schedule.first_at),"
                      " max(answered_at) FROM schedule WHERE schedule.learner_id = ?1 AND counted > 0"
                      " AND (?2 = '' OR schedule.pack_id = ?2)) WHERE learner_id = ?1 AND pack_id = ?2",
    [SQL_ADD_DAY] =
        "INSERT INTO learner_day(learner_id, day, " DAY_COLUMNS ") VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)"
        " ON CONFLICT(learner_id, day) DO UPDATE SET attempts = attempts + ?3, given = given + ?4,"
        " right_answers = right_answers + ?5, firsts = firsts + ?6, first_shares = first_shares + ?7,"
        " elapsed_ms = elapsed_ms + ?8, fresh = fresh + ?9",
    [SQL_DROP_DAY] = "DELETE FROM learner_day WHERE learner_id = ?1 AND day = ?2",
    [SQL_EMPTY_DAY] = "DELETE FROM learner_day WHERE learner_id = ?1 AND day = ?2 AND attempts = 0",
    [SQL_DAY] = "SELECT " DAY_COLUMNS " FROM learner_day WHERE learner_id = ?1 AND day = ?2",
    [SQL_IN_SESSION] = "SELECT 1 FROM attempt INDEXED BY attempt_session WHERE session_id = ?1"
                       " AND learner_id = ?2 AND (?3 IS NULL OR pack_id = ?3) AND attempt_id IS NOT ?4"
                       " AND NOT (pack_id IS ?5 AND question_id IS ?6) AND NOT " SQLITE_UNDONE,
};

enum error_code sqlite_error_code(int result, int system_error)
{
    if (result == SQLITE_IOERR_SHMSIZE)
        return ERROR_FULL; /* the log's index could not grow; no errno is kept of this */
    if (result == SQLITE_IOERR_NOMEM)
        return ERROR_MEMORY;
    switch (result & 0xff) {
    case SQLITE_FULL:
        return ERROR_FULL;
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return ERROR_READ_ONLY;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return ERROR_BUSY;
    case SQLITE_NOMEM:
        return ERROR_MEMORY;
    case SQLITE_CONSTRAINT:
    case SQLITE_MISMATCH:
    case SQLITE_TOOBIG:
        return ERROR_INPUT;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        if (system_error == ENOSPC || system_error == EDQUOT)
            return ERROR_FULL;
        if (system_error == EROFS || system_error == EACCES || system_error == EPERM)
            return ERROR_READ_ONLY;
        return ERROR_IO;
    default: /* CORRUPT, NOTADB; and ERROR: a table or column that is not there */
        return ERROR_DAMAGED;
    }
}

static bool store_error(struct sqlite_store *store, enum error_code code, const char *detail,
                        struct error *error)
{
    const char *path = store->shown;
    switch (code) {
    case ERROR_MEMORY:
        return error_memory(error);
    case ERROR_FULL:
        return error_set(error, code, tr("%s: the disk is full: free some space, then try again"), path);
    case ERROR_READ_ONLY:
        return error_set(error, code, tr("%s: can't be written: it or its folder is read-only for you"),
                         path);
    case ERROR_BUSY:
        return error_set(error, code, tr("%s: another program is using it: try again in a moment"), path);
    case ERROR_DAMAGED:
        return error_set(error, code, tr("%s: the store is damaged (%s): put a backup in its place"), path,
                         detail);
    case ERROR_INPUT:
        return error_set(error, code, tr("%s: the store refused what it was given (%s)"), path, detail);
    default:
        return error_set(error, code, tr("%s: the store could not be read or written (%s)"), path, detail);
    }
}

bool sqlite_error(struct sqlite_store *store, int result, struct error *error)
{
    int number = store->db ? sqlite3_system_errno(store->db) : errno;
    if (number == 0 && (errno == ENOSPC || errno == EDQUOT))
        number = errno; /* SQLite does not keep what a COMMIT stumbled over */
    enum error_code code = sqlite_error_code(result, number);
    bool told = store->db && (sqlite3_errcode(store->db) & 0xff) == (result & 0xff);
    const char *detail = told ? sqlite3_errmsg(store->db) : sqlite3_errstr(result);
    if (code == ERROR_IO && number)
        detail = strerror(number);
    return store_error(store, code, detail, error);
}

bool sqlite_lock_error(struct sqlite_store *store, int number, struct error *error)
{
    enum error_code code = number == EAGAIN ? ERROR_BUSY : ERROR_IO;
    return store_error(store, code, strerror(number), error);
}

sqlite3_stmt *sqlite_prepare(struct sqlite_store *store, enum sqlite_statement which, struct error *error)
{
    sqlite3_stmt **statement = &store->statements[which];
    if (!*statement) {
        int result =
            sqlite3_prepare_v3(store->db, statements[which], -1, SQLITE_PREPARE_PERSISTENT, statement, NULL);
        if (result != SQLITE_OK)
            sqlite_error(store, result, error);
    }
    return *statement;
}

/* Runs a statement that has neither parameters nor rows. */
static int run(struct sqlite_store *store, enum sqlite_statement which, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, which, error);
    if (!statement)
        return SQLITE_ERROR;
    int result = sqlite3_step(statement);
    if (result != SQLITE_DONE)
        sqlite_error(store, result, error);
    sqlite3_reset(statement);
    return result;
}

/* What is written to a file that is no longer under its name is lost with the process. */
static bool still_there(struct sqlite_store *store, struct error *error)
{
    int moved = 0;
    sqlite3_file_control(store->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
    return !moved ||
           error_set(error, ERROR_IO,
                     tr("%s: the store's file was deleted, moved or replaced: put it back and try again"),
                     store->shown);
}

bool sqlite_begin(struct sqlite_store *store, struct error *error)
{
    if (store->read_only)
        return store_error(store, ERROR_READ_ONLY, NULL, error);
    errno = 0; /* so that sqlite_error reads none from an earlier day */
    sqlite_second_ready(store);
    int number = lock_take(&store->lock, store->around->lock_wait_ms);
    if (number)
        return sqlite_lock_error(store, number, error);
    /* what ends a transaction must be at hand before one begins: later there may be no memory to prepare it
     */
    bool begun = still_there(store, error) && sqlite_prepare(store, SQL_COMMIT, error) &&
                 sqlite_prepare(store, SQL_ROLLBACK, error) &&
                 (sqlite3_get_autocommit(store->db) || run(store, SQL_ROLLBACK, error) == SQLITE_DONE) &&
                 run(store, SQL_BEGIN, error) == SQLITE_DONE;
    if (!begun)
        lock_give(&store->lock);
    return begun;
}

/* Only with the lock held. What goes wrong here loses nothing: it all still is in the log. */
static void checkpoint(struct sqlite_store *store, int mode)
{
    sqlite3_wal_checkpoint_v2(store->db, "main", mode, NULL, NULL);
}

static void after_commit(struct sqlite_store *store)
{
    store->wrote = true;
    if (store->wal_frames < store->checkpoint_at - CHECKPOINT_FRAMES)
        store->checkpoint_at = CHECKPOINT_FRAMES; /* the log was begun anew */
    if (store->wal_frames >= store->checkpoint_at && store->wal_frames >= CHECKPOINT_FRAMES) {
        checkpoint(store, SQLITE_CHECKPOINT_PASSIVE);
        store->checkpoint_at = store->wal_frames + CHECKPOINT_FRAMES; /* a reader may have held it up */
    }
    if (store->lean && reserve_make(store->path, store->around->reserve))
        store->lean = false;
}

bool sqlite_commit(struct sqlite_store *store, struct error *error)
{
    if (run(store, SQL_COMMIT, error) != SQLITE_DONE) {
        sqlite_rollback(store);
        return false;
    }
    after_commit(store);
    sqlite_second_follow(store);
    lock_give(&store->lock);
    return true;
}

void sqlite_rollback(struct sqlite_store *store)
{
    /* After some failures SQLite has rolled back already. Should this fail, too, the next sqlite_begin tries
     * again. */
    if (!sqlite3_get_autocommit(store->db))
        run(store, SQL_ROLLBACK, NULL);
    lock_give(&store->lock);
}

static void leave_tidy(struct sqlite_store *store)
{
    if (!store->wrote || !store->wal || lock_take(&store->lock, CLOSING_WAIT_MS) != 0)
        return;
    sqlite3_busy_timeout(store->db, 0);
    checkpoint(store, SQLITE_CHECKPOINT_TRUNCATE);
    lock_give(&store->lock);
}

void sqlite_disconnect(struct sqlite_store *store)
{
    for (int i = 0; i < SQL_STATEMENTS; i++)
        sqlite3_finalize(store->statements[i]);
    for (int i = 0; i < QUERIES; i++)
        sqlite3_finalize(store->queries[i]);
    memset(store->statements, 0, sizeof store->statements);
    memset(store->queries, 0, sizeof store->queries);
    sqlite_second_disconnect(store);
    sqlite3_close_v2(store->db);
    store->db = NULL;
}

void sqlite_store_close(struct store *base)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    if (store->db) {
        leave_tidy(store);
        sqlite_disconnect(store);
    }
    if (store->lock.fd >= 0)
        close(store->lock.fd);
    sqlite_second_finish(store);
    known_finish(&store->known);
    memory_free(store->path);
    memory_free(store->shown);
    memory_free(store->base.warning);
    scheduling_finish(&store->base.scheduling);
    memory_free(store);
}

static bool hold(struct store *base, const struct uuid *session_id, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    if (store->lock.fd < 0)
        return true; /* nothing of a session can be stored here, so there is nothing to keep apart */
    int number = lock_hold_session(&store->lock, session_id);
    if (number == EAGAIN)
        return error_set(error, ERROR_BUSY, tr("this session is running elsewhere"));
    return number == 0 || sqlite_lock_error(store, number, error);
}

static void release(struct store *base, const struct uuid *session_id)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    if (store->lock.fd >= 0)
        lock_release_session(&store->lock, session_id);
}

static bool json_each(struct store *base, const char *json, const char *path, store_visit *visit,
                      void *context, struct error *error)
{
    return sqlite_json_each(((struct sqlite_store *)base)->db, json, path, visit, context, error);
}

const struct store_ops sqlite_store_ops = {
    .close = sqlite_store_close,
    .find_learner = sqlite_find_learner,
    .add = sqlite_add,
    .rows_open = sqlite_rows_open,
    .rows_step = sqlite_rows_step,
    .rows_value = sqlite_rows_value,
    .rows_close = sqlite_rows_close,
    .json_each = json_each,
    .hold = hold,
    .release = release,
    .check = sqlite_check,
    .add_session = sqlite_add_session,
    .hand_in = sqlite_hand_in,
    .reopen = sqlite_reopen,
    .add_events = sqlite_add_events,
    .schedule = sqlite_schedule,
    .overturned = sqlite_overturned,
    .parameters = sqlite_parameters,
    .set_parameters = sqlite_set_parameters,
    .intake_begin = sqlite_intake_begin,
    .submission = sqlite_submission,
    .histories = sqlite_histories,
    .rebuild = sqlite_rebuild,
    .roster = &sqlite_roster_ops,
    .sheets = &sqlite_sheet_ops,
    .pins = &sqlite_pin_ops,
    .set_member = sqlite_set_member,
};
