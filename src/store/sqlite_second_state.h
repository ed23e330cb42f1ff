/*
 * What of a second log is no row of the store's log, taken in: learners as they were last, with their groups
 * and PINs, printed sheets, fitted parameters. It is gathered while the frames go by, in tables of SQLite's
 * own memory, and settled at once behind them; so whoever changed a login with another is no trouble. All of
 * it is within the one transaction.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_SECOND_STATE_H
#define QUIZTUTOR_STORE_SQLITE_SECOND_STATE_H

#include "sqlite_record.h"
#include "sqlite_store.h"

struct second_state {
    struct sqlite_store *store;
    struct error *error;
    sqlite3_stmt *keep[RECORD_KINDS]; /* a record, until it is settled */
};

/* Each false: the error says why. second_state_finish is due in any case, after the transaction at the
 * latest.
 */
bool second_state_begin(struct second_state *state, struct sqlite_store *store, struct error *error);
bool second_state_note(struct second_state *state, const struct record *record);
/* *settled: how many learners, sheets and parameters came back as they were last. */
bool second_state_settle(struct second_state *state, int64_t *settled);
void second_state_reset(struct second_state *state); /* a commit would wait for its statements */
void second_state_finish(struct second_state *state);

#endif
