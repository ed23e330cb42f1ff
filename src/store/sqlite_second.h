/*
 * The second log of a store (heal.h): what of it is known, and the parts that keep it up and take it in. Its
 * first frame says whose it is; the log's rows follow in their order, each frame numbered by the newest row
 * that was in the store when it was written. Between them stands what changes without being a row of the log
 * (the table `changed`): learners with their groups and PINs, sheets, parameters, as they were after each
 * change, in the order of its number.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_SECOND_H
#define QUIZTUTOR_STORE_SQLITE_SECOND_H

#include "id_map.h"
#include "sqlite_frames.h"

#include <quiztutor/heal.h>

struct sqlite_store;

#define SECOND_ENDING "-attempts"

enum second_statement {
    SECOND_META,
    SECOND_SESSIONS,
    SECOND_ATTEMPTS,
    SECOND_EVENTS,
    SECOND_LEARNER,
    SECOND_TEXT,
    SECOND_PLAN,
    SECOND_CHANGED,
    SECOND_PERSON,
    SECOND_SHEET,
    SECOND_SOURCE,
    SECOND_PARAMETERS,
    SECOND_STATEMENTS
};

struct second_owner {
    struct uuid store_id;
    int64_t changes, version;
};
/* How far a store is: its newest row, its newest change of what is no row. */
struct second_mark {
    struct second_owner owner;
    int64_t seq, change;
};

struct second {
    bool kept;               /* there is one, or is to be one */
    bool wanted;             /* begin one where there is none */
    bool ready;              /* it was looked at before this process stored anything */
    bool paused;             /* it is being taken in: not to be added to */
    bool behind;             /* lacks rows of the store */
    bool erasing;            /* it says that somebody is to be erased, and no more whether they were */
    int64_t taken, attempts; /* rows that came back from it, and those that are attempts */
    struct frames frames;
    int64_t end;             /* of the whole frames from its beginning */
    struct second_mark mark; /* of these */
    struct id_map texts;     /* contents that it holds, by their first half */
    sqlite3_stmt *statements[SECOND_STATEMENTS];
};

/* When a store is opened and closed; the statements go with each connection. */
bool sqlite_second_init(struct sqlite_store *store, bool wanted, bool paused, struct error *error);
/* The log as the store is now, whatever there was; from now on it is kept up. */
bool sqlite_second_renew(struct sqlite_store *store, struct error *error);
void sqlite_second_disconnect(struct sqlite_store *store);
void sqlite_second_finish(struct sqlite_store *store);

/* Before this process stores its first row: rows that the store has lost come back. */
void sqlite_second_ready(struct sqlite_store *store);

/* With the lock held, after rows were stored: adds what it lacks. What goes wrong is noted in `behind`. */
void sqlite_second_follow(struct sqlite_store *store);

/* With the lock held: nothing is in it that is not in the store. */
bool sqlite_second_clean(struct sqlite_store *store, struct error *error);

/* How far the store is; false: there is no second log to hold it against, or one can't be read. Opens the log
 * where it is not. */
bool sqlite_second_look(struct sqlite_store *store, struct second_mark *here);

/* Within the transaction that erases a learner, before its end: the log says so first, durably. So whatever
 * happens in between, nobody comes back out of it. Where the transaction did not get through:
 * sqlite_second_withdraw. */
bool sqlite_second_erase(struct sqlite_store *store, const struct uuid *learner, struct error *error);
void sqlite_second_withdraw(struct sqlite_store *store);

/* Whose the second log at `path` is: 1; 0: nobody's, or there is none; −1: there was no memory to look. */
int sqlite_second_owner(const char *vfs, const char *path, struct second_owner *owner);

/* sqlite_second_rows.c: adds the frames of what is behind these numbers, and moves *end. A result of SQLite;
 * after an error it is not known what was written. */
int second_add_changes(struct sqlite_store *store, struct frames *frames, int64_t *end, int64_t change);
int second_add_rows(struct sqlite_store *store, struct frames *frames, int64_t *end, int64_t seq);
int second_statement(struct sqlite_store *store, enum second_statement which, sqlite3_stmt **statement);
/* The content is in the log from here on; *there: it was before. False without memory. */
bool second_note_text(struct second *second, const void *content, bool *there);

/* sqlite_second_check.c: holds each row of the store against it. ERROR_DAMAGED: one is another than it was.
 * *lost: rows that are not in the store. */
bool sqlite_second_check(struct sqlite_store *store, int64_t *lost, struct error *error);

/* sqlite_second_take.c: takes in what the second log at `path` has, and this store has not. */
bool sqlite_second_take(struct sqlite_store *store, const char *path, struct heal_report *report,
                        struct error *error);

#endif
