/*
 * The store in SQLite: one connection to one file, the lock and the reserve beside it, and the statements
 * that were prepared so far. Only files named sqlite_… see SQLite.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_STORE_H
#define QUIZTUTOR_STORE_SQLITE_STORE_H

#include "known.h"
#include "lock.h"
#include "store_private.h"

#include <sqlite3.h>

enum sqlite_statement {
    SQL_BEGIN,
    SQL_COMMIT,
    SQL_ROLLBACK,
    SQL_SEQ,
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
    SQL_STATEMENTS,
};

struct sqlite_store {
    struct store base;
    const struct surroundings *around;
    sqlite3 *db;
    char *path;  /* the real one, absolute */
    char *shown; /* the path as given, fit to be shown in a message */
    const char *vfs;
    struct lock lock;
    bool read_only, network, wal;
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
};

/* sqlite_store.c */
extern const struct store_ops sqlite_store_ops;
void sqlite_store_close(struct store *store); /* also one that was opened half */
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

/* sqlite_migrate.c: brings the open store to today's version, or refuses. Needs no lock to be held. */
bool sqlite_migrate(struct sqlite_store *store, struct error *error);

/* sqlite_identity.c: device, store and machine in `meta`. */
bool sqlite_identity_make(struct sqlite_store *store, struct error *error); /* inside a transaction */
bool sqlite_identity_read(struct sqlite_store *store, struct error *error);
bool sqlite_identity_renew(struct sqlite_store *store, struct error *error); /* inside a transaction */

/* sqlite_write.c, sqlite_query.c: the operations. */
bool sqlite_add(struct store *store, struct store_session *session, const struct store_attempt *attempt,
                const struct store_event *event, bool *created, struct error *error);
int sqlite_find_learner(struct store *store, const char *login, const char *key, struct arena *arena,
                        struct store_learner *learner, struct error *error);
bool sqlite_rows_open(struct rows **rows, struct store *store, int query,
                      const struct store_value *parameters, int count, struct error *error);
int sqlite_rows_step(struct rows *rows, struct error *error);
struct store_value sqlite_rows_value(struct rows *rows, int column);
void sqlite_rows_close(struct rows *rows);
const char *sqlite_query_text(int query); /* for the test that looks at the plans */

/* sqlite_json.c */
bool sqlite_json_each(sqlite3 *db, const char *json, const char *path, store_visit *visit, void *context,
                      struct error *error);

/* sqlite_check.c */
bool sqlite_check(struct store *store, struct error *error);

#endif
