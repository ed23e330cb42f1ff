/*
 * What was pulled, on its way into a store: the file that is read, the store, and what came of it so far. The
 * parts run in this order: erasures, merges, then the roster with its PINs and what was applied, so that a
 * name is free by the time somebody else bears it. Each can be done again.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_APPLYING_H
#define QUIZTUTOR_STORE_SQLITE_APPLYING_H

#include "sqlite_pulled.h"
#include "sqlite_roster.h"

enum applying_statement {
    APPLYING_LEARNERS, /* what changed since ?1 */
    APPLYING_LEARNER,  /* one by id */
    APPLYING_GROUPS,
    APPLYING_PINS,
    APPLYING_PIN,
    APPLYING_MERGED,
    APPLYING_INTO,
    APPLYING_ERASED, /* how many since ?1 */
    APPLYING_IS_ERASED,
    APPLYING_STATEMENTS
};

struct applying {
    struct sqlite_store *store;
    const char *store_path;
    sqlite3 *db; /* the file */
    sqlite3_stmt *statements[APPLYING_STATEMENTS];
    struct pulled_mark mark;
    int64_t since; /* changes up to this one are in the store */
    struct pulled_applied *applied;
    struct error *error;
    struct uuid *left; /* who was left out before, by id */
    ptrdiff_t left_count, left_room;
    bool changed;
};

/* Why somebody is left out, as the table pulled_left has it. */
#define LEFT_NAME     "name"
#define LEFT_LOGIN    "login"
#define LEFT_EXTERNAL "external_id"
#define LEFT_MERGED   "merged"
#define LEFT_UNFIT    "unfit"

/* A statement of the file, reset. NULL with the error. */
sqlite3_stmt *applying_statement(struct applying *applying, enum applying_statement which);
/* 1: a row, 0: none, −1: an error. */
int applying_step(struct applying *applying, sqlite3_stmt *statement);
void applying_finish(struct applying *applying);

/* A learner as the centre has them. */
struct pulled_learner {
    struct uuid id;
    struct roster_entry entry;
    int64_t created_at;
    enum { LEARNER_PENDING, LEARNER_TRIED, LEARNER_SETTLED, LEARNER_LEFT } state;
    bool here, fresh; /* there is a row; it was made now */
    bool changed;
    const char *why; /* left out */
};

/* The row of the file that the statement stands on (APPLYING_LEARNERS, APPLYING_LEARNER); what the centre
 * says can be unfit for a store: left out. False without memory. */
bool pulled_learner_read(struct applying *applying, sqlite3_stmt *statement, struct arena *arena,
                         struct pulled_learner *learner);
/* The one of this id: 1, 0, −1. */
int pulled_learner_find(struct applying *applying, const struct uuid *id, struct arena *arena,
                        struct pulled_learner *learner);

struct roster_person pulled_learner_person(const struct pulled_learner *learner);

/* Whose name, login or external id it is here. 1: another's (*owner, *why), 0: nobody's, −1. What is left
 * with somebody who was merged into this learner is taken from them, if `taking`. */
int pulled_learner_clash(struct roster *roster, const struct roster_person *person, bool taking,
                         struct uuid *owner, const char **why);

/* Writes what the centre says into a row that is there, or makes it. */
bool pulled_learner_write(struct roster *roster, const struct pulled_learner *learner);

/* Whom a row was merged into; 1: there is a row, 0, −1. Zero: it stands for itself. */
int pulled_learner_row(struct sqlite_store *store, const struct uuid *id, struct uuid *into,
                       struct error *error);

/* All who are taken over in one transaction. */
struct taking {
    struct applying *applying;
    struct roster roster;
    struct arena arena;
    struct pulled_learner *learners; /* by id */
    ptrdiff_t count, room;
    int64_t pins;
};
bool taking_read(struct taking *taking);  /* those that changed, and those that were left out before */
bool taking_names(struct taking *taking); /* settles each, or leaves them out */

/* The parts. False: an error, and the rest waits. */
bool applying_erase(struct applying *applying);
bool applying_merge(struct applying *applying);
bool applying_roster(struct applying *applying); /* with what is noted as applied */

/* Whether somebody who was left out need not be any more. 1, 0, −1. */
int applying_left_can(struct applying *applying);

#endif
