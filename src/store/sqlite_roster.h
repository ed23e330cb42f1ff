/*
 * The roster in SQLite: one call, its statements (prepared when first used), and what is known of a learner.
 * Each function is a part of a transaction.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_ROSTER_H
#define QUIZTUTOR_STORE_SQLITE_ROSTER_H

#include "roster_book.h"
#include "sqlite_writing.h"

enum roster_statement {
    ROSTER_PERSON,
    ROSTER_BY_EXTERNAL,
    ROSTER_BY_LOGIN,
    ROSTER_BY_NAME,
    ROSTER_NAME_TAKEN,
    ROSTER_ADD,
    ROSTER_UPDATE,
    ROSTER_UNNAME,
    ROSTER_JOIN,
    ROSTER_GROUPS,
    ROSTER_LEAVE,
    ROSTER_SESSIONS,
    ROSTER_STATEMENTS
};

struct roster {
    struct sqlite_store *store;
    struct error *error;
    sqlite3_stmt *statements[ROSTER_STATEMENTS];
    struct arena arena; /* of what is read */
};

void roster_begin(struct roster *roster, struct sqlite_store *store, struct error *error);
void roster_end(struct roster *roster);
sqlite3_stmt *roster_statement(struct roster *roster, enum roster_statement which);

/* 1 found, 0 none, −1 an error. Does not follow merges. */
int roster_person(struct roster *roster, const struct uuid *id, struct roster_person *person);

/* A column's text in the arena, NULL for null; *failed is set without memory. */
const char *roster_text(struct roster *roster, sqlite3_stmt *statement, int column, bool *failed);

/* Writes all of a row back; `key` decides what name it goes by. */
bool roster_write(struct roster *roster, const struct roster_person *person);

/* Whether another learner bears the name, neither of them with an external id. −1: an error. */
int roster_is_taken(struct roster *roster, const struct roster_person *person);

/* Whether a session of the learner, or of who was merged into them, is running; false with the error where it
 * is, or can't be found out. */
bool roster_is_free(struct roster *roster, const struct roster_person *person);

/* Joins the groups, and leaves the others (only_these); how many memberships changed, −1 on an error. */
int roster_settle_groups(struct roster *roster, const struct roster_entry *entry, const struct uuid *id);

/* One learner of two in the transaction that is open; the caller forgets what it knew of their sessions. */
bool sqlite_merge_learners(struct writing *writing, const struct uuid *from, const struct uuid *into,
                           struct roster_count *moved, struct error *error);

/* sqlite_roster_add.c, sqlite_merge.c, sqlite_erase.c */
bool sqlite_roster_add(struct store *store, const struct roster_entry *entries, struct roster_result *results,
                       ptrdiff_t count, struct error *error);
bool sqlite_roster_merge(struct store *store, const struct uuid *from, const struct uuid *into,
                         struct roster_count *moved, struct error *error);
bool sqlite_roster_erase(struct store *store, const struct uuid *learner, struct roster_count *gone,
                         struct error *error);
bool sqlite_roster_clean(struct store *store, bool *needed, struct error *error);
bool sqlite_roster_is_erased(struct store *store, const struct uuid *mark, bool *erased, struct error *error);

/* Erases by id in the transaction that is open; false with ERROR_NOT_FOUND where there is no such learner. */
bool sqlite_erase_learner(struct sqlite_store *store, const struct uuid *learner, struct roster_count *gone,
                          struct error *error);

/* A statement that is needed once: up to three ids bound, run to its end; the rows it changed, −1 on an
 * error. */
int64_t sqlite_run_once(struct sqlite_store *store, const char *sql, const struct uuid *one,
                        const struct uuid *other, struct error *error);

#endif
