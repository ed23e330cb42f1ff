/* One intake: a transaction of a store, and what its parts share. */
#ifndef QUIZTUTOR_STORE_SQLITE_INTAKE_H
#define QUIZTUTOR_STORE_SQLITE_INTAKE_H

#include "id_map.h"
#include "intake_private.h"
#include "sqlite_writing.h"

enum intake_statement {
    INTAKE_BY_EXTERNAL,
    INTAKE_BY_NAME,
    INTAKE_LEARNER,
    INTAKE_NAME,
    INTAKE_ADD_LEARNER,
    INTAKE_SESSION,
    INTAKE_ATTEMPT,
    INTAKE_TEXT,
    INTAKE_GRADED,
    INTAKE_HANDED_IN,
    INTAKE_EVENT,
    INTAKE_JOIN,
    INTAKE_STATEMENTS
};

struct intake {
    struct writing writing;
    sqlite3_stmt *statements[INTAKE_STATEMENTS];
    struct id_map touched;     /* learners: `count` of rows taken in */
    struct intake_mark *marks; /* of who was erased elsewhere, as far as that was not known here */
    ptrdiff_t mark_count, mark_capacity;
    bool own; /* this store's own log: an id is who bears it, whoever has got the login since */
};

/* NULL with the reason. It is the intake's. */
sqlite3_stmt *intake_prepare(struct intake *intake, enum intake_statement which, struct error *error);

/* Someone who did something elsewhere. */
struct intake_who {
    struct uuid id;                         /* zero: not said */
    const char *name, *login, *external_id; /* the last two may be NULL */
    int plain;                              /* enum roster_reading */
    double time_factor;                     /* 0: 1 */
    bool elsewhere; /* of another store: by name only where there is nothing else to know either by */
};

/* result->fate is set only where it is refused. Finds or makes the learner: into writing.learner. Refused:
 * *result says why. */
bool intake_learner(struct intake *intake, const struct intake_who *who, struct intake_result *result,
                    struct error *error);

/* Before a row of writing.learner is added: where there are many, what follows from them is made at the end.
 */
bool intake_touch(struct intake *intake, struct error *error);

/* Whether a row is there by this id: 1, 0, −1 an error. Its first column, a uuid, into *found (may be NULL).
 */
int intake_is_there(struct intake *intake, enum intake_statement which, const struct uuid *id,
                    struct uuid *found, struct error *error);

/* A content whose text the store does not have is made zero. */
bool intake_content(struct intake *intake, struct hash *content, struct error *error);

/* Adds an event of writing.learner, unless there is one with this id; *added may be NULL. */
bool intake_event(struct intake *intake, const struct store_event *event, bool *added, struct error *error);

/* sqlite_intake_store.c: takes in the log of another store, or of one of its learners. *mine: the error is
 * this store's. */
struct elsewhere;
bool intake_log(struct intake *intake, struct elsewhere *elsewhere, struct intake_count *count,
                intake_tell *tell, void *context, bool *mine, struct error *error);

#endif
