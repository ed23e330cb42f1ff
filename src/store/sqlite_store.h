/*
 * The store in SQLite: one connection to one file, the lock and the reserve beside it, and the statements
 * that were prepared so far. Only files named sqlite_… see SQLite.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_STORE_H
#define QUIZTUTOR_STORE_SQLITE_STORE_H

#include "fold.h"
#include "known.h"
#include "lock.h"
#include "sqlite_second.h"
#include "store_private.h"
#include "summary.h"

#include <sqlite3.h>

enum sqlite_statement {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_TAKE_SEQ,
    SQL_HAS_SESSION,
    SQL_ADD_SESSION,
    SQL_LEARNER_BY_ID,
    SQL_LEARNER_BY_LOGIN,
    SQL_LEARNER_BY_KEY,
    SQL_ADD_LEARNER,
    SQL_ADD_TEXT,
    SQL_ADD_ATTEMPT,
    SQL_ADD_EVENT,
    SQL_ATTEMPT_BY_ID,
    SQL_EVENT_BY_ID,
    SQL_MADE,
    SQL_MIXED,
    SQL_SCHEDULE,
    SQL_PUT_SCHEDULE,
    SQL_DROP_SCHEDULE,
    SQL_TOLD,
    SQL_HELPED,
    SQL_QUESTION_OF,
    SQL_ANSWERS,
    SQL_BODY,
    SQL_MARK,
    SQL_PARAMETERS,
    SQL_EXAM_LOG,
    SQL_ERASED,
    SQL_ADD_PACK,
    SQL_DROP_PACK,
    SQL_PACK,
    SQL_SPAN_PACK,
    SQL_ADD_DAY,
    SQL_DROP_DAY,
    SQL_DAY,
    SQL_EMPTY_DAY,
    SQL_IN_SESSION,
    SQL_STATEMENTS,
};

/* The columns that rows_schedule reads (enum known_column), and all that a fold is. */
#define SCHEDULE_COLUMNS                                                                                     \
    "question_id, revision, content, phase, step, stability, difficulty, answers, lapses, run, run_day,"     \
    " last_at, last_day, due_day, due_at, interval_days, outcome, answered_at, counted, right_answers,"      \
    " starred, suspended"
#define FOLD_COLUMNS                                                                                         \
    SCHEDULE_COLUMNS ", retention, last_seq, first_outcome, first_share, first_at, first_revision,"          \
                     " best_share, misses, elapsed_ms, given, mastered"

/* All but the keys. */
#define PACK_COLUMNS                                                                                         \
    "questions, attempts, first_right, first_partly, first_wrong, first_omitted, first_shares, elapsed_ms,"  \
    " mastered, stuck, sessions, first_at, last_at"
#define DAY_COLUMNS "attempts, given, right_answers, firsts, first_shares, elapsed_ms, fresh"

/* What schedules are kept up by, as this process last saw it in `meta`. */
struct sqlite_made {
    int64_t version;
    int day_starts;
    int64_t parameters; /* parameters_made */
};

/* Parameters of the learner they were last needed for; good as long as made.parameters stands. */
struct sqlite_parameters {
    bool valid;
    struct uuid learner;
    int fitted;
    struct fsrs_parameters parameters;
};

/* Two texts of a question whose keys were compared. */
struct sqlite_pair {
    struct hash old, now;
    bool known, overturned;
};
enum { SQLITE_PAIRS = 256 };

/* The chance of a guess at a question as it was asked. */
struct sqlite_guess {
    struct hash content;
    bool known;
    double guess;
};
enum { SQLITE_GUESSES = 256 };

struct sqlite_store {
    struct store base;
    const struct surroundings *around;
    sqlite3 *db;
    char *path;  /* the real one, absolute */
    char *shown; /* the path as given, fit to be shown in a message */
    const char *vfs;
    struct lock lock;
    bool read_only, network, wal;
    bool reading;      /* store_options */
    bool wrote;        /* this process has put something into the log */
    bool lean;         /* the reserve was given up: make it again when there is room */
    bool new_identity; /* this is another machine: the next transaction writes base.device and store_id to
                          `meta` */
    struct uuid store_id;
    int64_t seq;    /* what next_seq will be, unless another process stores something in between */
    int wal_frames; /* in the log since SQLite last began it anew */
    int checkpoint_at;
    sqlite3_stmt *statements[SQL_STATEMENTS];
    sqlite3_stmt *queries[QUERIES];
    bool query_open[QUERIES];
    struct known known;
    struct second second;
    struct sqlite_made made;
    struct sqlite_parameters parameters;
    struct sqlite_pair pairs[SQLITE_PAIRS]; /* by their hashes */
    struct sqlite_guess guesses[SQLITE_GUESSES];
};

/* sqlite_store.c */
extern const struct store_ops sqlite_store_ops;
void sqlite_store_close(struct store *store);       /* also one that was opened half */
void sqlite_disconnect(struct sqlite_store *store); /* ends the connection and its statements */
sqlite3_stmt *sqlite_prepare(struct sqlite_store *store, enum sqlite_statement which, struct error *error);
bool sqlite_begin(struct sqlite_store *store, struct error *error); /* takes the lock, too */
bool sqlite_commit(struct sqlite_store *store, struct error *error);
void sqlite_rollback(struct sqlite_store *store);

/* Fills *error from a result of SQLite, or from an errno of the lock file, in words. Both return false. */
bool sqlite_error(struct sqlite_store *store, int result, struct error *error);
bool sqlite_lock_error(struct sqlite_store *store, int number, struct error *error);
enum error_code sqlite_error_code(int result, int system_error);

/* sqlite_open.c */
bool sqlite_exec(struct sqlite_store *store, const char *sql, struct error *error);
bool sqlite_integer(struct sqlite_store *store, const char *sql, int64_t *value, struct error *error);

bool sqlite_configure(struct sqlite_store *store, struct error *error); /* a connection just made */

/* sqlite_migrate.c: brings the open store to today's version, or refuses. Needs no lock to be held. */
bool sqlite_migrate(struct sqlite_store *store, struct error *error);
/* The same without a backup, of a copy that nobody else sees. */
bool sqlite_migrate_copy(struct sqlite_store *store, int version, struct error *error);

/* sqlite_aside.c: puts a copy in the place of a store of an older version that is only to be read, and brings
 * that up to date. It has no name, and is gone with the connection. */
bool sqlite_aside(struct sqlite_store *store, int version, struct error *error);

/* sqlite_copy.c: the whole store into one file that only its owner can read, whole or not at all, in place of
 * what is there. */
bool sqlite_copy(struct sqlite_store *store, const char *path, struct error *error);
int sqlite_copy_pages(sqlite3 *from, const char *vfs, const char *to); /* a result of SQLite; `to` is there */
bool sqlite_backup_know(struct sqlite_store *store, const char *path,
                        struct error *error); /* in a transaction */
/* sqlite_backup.c: notes a backup down, or (`forget`) that it was not made after all. */
bool sqlite_backup_note(struct sqlite_store *store, const char *path, bool forget, struct error *error);
bool sqlite_sync_folder(const char *path); /* the one that holds the file */

/* sqlite_identity.c: device, store and machine in `meta`. */
bool sqlite_identity_make(struct sqlite_store *store, struct error *error); /* inside a transaction */
bool sqlite_identity_read(struct sqlite_store *store, struct error *error);
bool sqlite_identity_change(struct sqlite_store *store, struct error *error); /* likewise: another store */
bool sqlite_identity_renew(struct sqlite_store *store, struct error *error);  /* inside a transaction */

/* sqlite_statement.c */
void sqlite_bind_text(sqlite3_stmt *statement, int place, const char *text);
void sqlite_bind_uuid(sqlite3_stmt *statement, int place, const struct uuid *uuid); /* zero is null */
void sqlite_bind_hash(sqlite3_stmt *statement, int place, const struct hash *hash);
void sqlite_read_uuid(sqlite3_stmt *statement, int column, struct uuid *uuid); /* zero where it is none */
void sqlite_read_hash(sqlite3_stmt *statement, int column, struct hash *hash);
/* Steps once and fills *result; errors are put into words here. True on a row or the end. */
bool sqlite_step(struct sqlite_store *store, sqlite3_stmt *statement, int *result, struct error *error);
/* 1: a row, that the statement is left on; 0: none; −1: an error. */
int sqlite_look_up(struct sqlite_store *store, sqlite3_stmt *statement, struct error *error);
/* Steps and resets; *failed (may be NULL) is the result that was none. */
bool sqlite_run(struct sqlite_store *store, sqlite3_stmt *statement, int *failed, struct error *error);

/*
 * sqlite_schedule.c: schedules are kept up in the transaction that adds to the log. sqlite_made_settle reads
 * what they are made with, and makes them anew where the log has grown without them.
 */
bool sqlite_made_read(struct sqlite_store *store, int64_t *schedule_seq, struct error *error);
bool sqlite_made_settle(struct sqlite_store *store, struct error *error);
bool sqlite_schedule_attempt(struct sqlite_store *store, const struct uuid *session,
                             const struct uuid *learner, const struct store_attempt *attempt, int64_t seq,
                             struct error *error);
bool sqlite_schedule_event(struct sqlite_store *store, const struct uuid *learner,
                           const struct store_event *event, struct error *error);
/* A row; 1 there, 0 none (*fold zeroed), −1 an error. */
int sqlite_schedule_read(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                         const char *question_id, struct fold *fold, struct error *error);
/* From FOLD_COLUMNS, beginning at column `first`. */
void sqlite_fold_read(sqlite3_stmt *statement, int first, struct fold *fold);
/* Stars or suspends a question, or takes that back. */
bool sqlite_schedule_mark(struct sqlite_store *store, const struct uuid *learner, const char *pack,
                          const char *question, bool star, bool on, struct error *error);
/* Writes the row, or deletes it where there is nothing to keep. */
bool sqlite_schedule_write(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                           const char *question_id, const struct fold *fold, struct error *error);
bool sqlite_schedule_overturned(struct sqlite_store *store, const struct fold *fold,
                                const struct fold_answer *answer, bool *overturned, struct error *error);

/* Whether the question is mastered, once all its answers are taken. */
bool sqlite_settle_mastered(struct sqlite_store *store, struct fold *fold, struct error *error);

/*
 * sqlite_summary.c: sums that reports read, kept up in the same transaction. After the schedule's row is
 * written: a question's change from *old to *now.
 */
bool sqlite_summary_attempt(struct sqlite_store *store, const struct uuid *session,
                            const struct uuid *learner, const struct store_attempt *attempt,
                            const struct fold *old, const struct fold *now, const struct summary_day *day,
                            struct error *error);
/* `sessions` more (or fewer) have a counted answer in the pack, `all` of all packs. */
bool sqlite_summary_pack(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                         const struct fold *old, const struct fold *now, int64_t sessions, int64_t all,
                         struct error *error);
/* Adds, making the row where there is none; does nothing where nothing changes. */
bool sqlite_add_pack(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                     const struct summary_sums *sums, int64_t sessions, const struct summary_span *span,
                     struct error *error);
bool sqlite_add_day(struct sqlite_store *store, const struct uuid *learner, const struct summary_day *day,
                    struct error *error);
/* 1 there is one more, 0 none, −1 an error: a counted answer of the session, in the pack (NULL: any), other
 * than the attempt (NULL) or than those to the question (NULL) of `of_pack`. */
int sqlite_in_session(struct sqlite_store *store, const struct uuid *session, const struct uuid *learner,
                      const char *pack_id, const struct uuid *attempt, const char *of_pack,
                      const char *question_id, struct error *error);

/* sqlite_rebuild.c: in a transaction, all schedules from the log; those of a learner, or (zero) of everyone
 * without parameters of their own. */
bool sqlite_schedule_learner(struct sqlite_store *store, const struct uuid *learner, struct error *error);
bool sqlite_schedule_all(struct sqlite_store *store, struct error *error);
/* sqlite_again.c: those of one learner, whatever was there before. */
bool sqlite_schedule_again(struct sqlite_store *store, const struct uuid *learner, struct error *error);
/* When the store is opened: the same where they were not made with what is wanted today. */
bool sqlite_schedule_refresh(struct sqlite_store *store, struct error *error);

/* sqlite_parameters.c */
/* What a question's schedule is made by. The parameters are read again when sqlite_made_read was called, or
 * another learner's were read in between. */
bool sqlite_rules(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                  struct fold_rules *rules, struct error *error);

/* sqlite_key.c: a result of SQLite. */
int sqlite_key_overturned(sqlite3 *db, const char *old_body, const char *body, bool *overturned);

/* sqlite_write.c, sqlite_learner.c, sqlite_query.c, …: the operations. */
bool sqlite_add(struct store *store, struct store_session *session, const struct store_attempt *attempt,
                const struct store_event *event, bool *created, struct error *error);
int sqlite_find_learner(struct store *store, const char *login, const char *key, struct arena *arena,
                        struct store_learner *learner, struct error *error);
bool sqlite_rows_open(struct rows **rows, struct store *store, int query,
                      const struct store_value *parameters, int count, struct error *error);
int sqlite_rows_step(struct rows *rows, struct error *error);
struct store_value sqlite_rows_value(struct rows *rows, int column);
void sqlite_rows_close(struct rows *rows);
const char *sqlite_query_text(int query);  /* for the test that looks at the plans, too */
const char *sqlite_report_text(int query); /* NULL: none of a report */
/* The statement for these parameters: the query's own number or one of those beyond the public ones. */
int sqlite_report_variant(int query, const struct store_value *parameters);
bool sqlite_set_member(struct store *store, const struct uuid *learner, const char *key, const char *name,
                       bool in, struct error *error);
bool sqlite_add_session(struct store *store, struct store_session *session, const struct store_text *texts,
                        int count, bool *created, struct error *error);
bool sqlite_add_events(struct store *store, const struct store_event *events, ptrdiff_t count,
                       struct error *error);
bool sqlite_hand_in(struct store *store, struct store_session *session, const struct store_attempt *attempts,
                    int count, const struct store_event *event, int64_t last_seq, bool *already,
                    struct error *error);
bool sqlite_reopen(struct store *store, const struct store_reopening *reopening, struct error *error);
int sqlite_schedule(struct store *store, const struct uuid *learner, const char *pack_id,
                    const char *question_id, struct store_schedule *out, struct error *error);
bool sqlite_overturned(struct store *store, const struct hash *content, const char *body, bool *overturned,
                       struct error *error);
bool sqlite_parameters(struct store *store, const struct uuid *learner, struct fsrs_parameters *parameters,
                       int *fitted, struct error *error);
bool sqlite_set_parameters(struct store *store, const struct uuid *learner,
                           const struct fsrs_parameters *parameters, const char *report, struct error *error);
bool sqlite_histories(struct store *store, const struct uuid *learner, store_history_visit *visit,
                      void *context, struct error *error);
bool sqlite_rebuild(struct store *store, struct store_rebuild *report, struct error *error);
bool sqlite_intake_begin(struct intake **intake, struct store *store, struct error *error);
bool sqlite_submission(struct buffer *out, struct store *store, const struct uuid *learner,
                       struct intake_count *count, struct error *error);

/* sqlite_json.c */
bool sqlite_json_each(sqlite3 *db, const char *json, const char *path, store_visit *visit, void *context,
                      struct error *error);

/* sqlite_check.c */
bool sqlite_check(struct store *store, struct error *error);

#endif
