/*
 * The second log of a store (heal.h): what of it is known, and the parts that keep it up and take it in. Its
 * first frame says whose it is; the log's rows follow in their order, each frame numbered by the newest row
 * that was in the store when it was written.
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
    SECOND_STATEMENTS
};

struct second_owner {
    struct uuid store_id;
    int64_t changes, version;
};

struct second {
    bool kept;               /* there is one, or is to be one */
    bool wanted;             /* begin one where there is none */
    bool ready;              /* it was looked at before this process stored anything */
    bool paused;             /* it is being taken in: not to be added to */
    bool behind;             /* lacks rows of the store */
    int64_t taken, attempts; /* rows that came back from it, and those that are attempts */
    struct frames frames;
    struct second_owner owner;
    int64_t end, seq;    /* of the whole frames from its beginning */
    struct id_map texts; /* contents that it holds, by their first half */
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

/* Whose it is by its first whole frame; false: it has none, or can't be read. Opens it where it is not. */
bool sqlite_second_look(struct sqlite_store *store, struct second_owner *here);

/* Whose the second log at `path` is: 1; 0: nobody's, or there is none; −1: there was no memory to look. */
int sqlite_second_owner(const char *vfs, const char *path, struct second_owner *owner);

/* sqlite_second_check.c: holds each row of the store against it. ERROR_DAMAGED: one is another than it was.
 * *lost: rows that are not in the store. */
bool sqlite_second_check(struct sqlite_store *store, int64_t *lost, struct error *error);

/* sqlite_second_take.c: takes in what the second log at `path` has, and this store has not. */
bool sqlite_second_take(struct sqlite_store *store, const char *path, struct heal_report *report,
                        struct error *error);

#endif
