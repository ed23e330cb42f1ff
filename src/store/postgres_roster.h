/*
 * The roster of the central store: one call, and what is known of a learner. Each function is a part of a
 * transaction, and ends with all that it read closed. Machines may have brought several learners of one name,
 * login or external id: then it is said that a clearer word is needed, and nobody is guessed.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_ROSTER_H
#define QUIZTUTOR_STORE_POSTGRES_ROSTER_H

#include "postgres_store.h"
#include "roster_book.h"

struct central_roster {
    struct postgres_store *store;
    struct arena arena; /* of what is read */
    struct error *error;
};

/* Begins a transaction in which no other tutor changes the school's roster, and ends it. */
bool central_roster_begin(struct central_roster *roster, struct store *store, struct error *error);
bool central_roster_end(struct central_roster *roster, bool done);

/* 1 found, 0 none, −1 an error. Does not follow merges. */
int central_roster_person(struct central_roster *roster, const struct uuid *id, struct roster_person *person);
bool central_roster_write(struct central_roster *roster, const struct roster_person *person);

/* Whether another learner bears the name, neither of them with an external id. −1: an error. */
int central_roster_is_taken(struct central_roster *roster, const struct roster_person *person);

/* The first two ids that a statement finds: how many, −1 an error. Its values are the school and those given.
 */
int central_roster_ids(struct central_roster *roster, const char *sql, const char *const *texts, int count,
                       struct uuid ids[static 2]);

/* Takes into a group, or out of it; memberships that changed, −1 an error. */
int central_roster_join(struct central_roster *roster, const struct uuid *learner, const char *key,
                        const char *name);
int central_roster_leave(struct central_roster *roster, const struct uuid *learner, const char *key);

extern const struct roster_ops postgres_roster_ops;
bool postgres_set_member(struct store *store, const struct uuid *learner, const char *key, const char *name,
                         bool in, struct error *error);

/* postgres_roster_add.c */
bool postgres_roster_add(struct store *store, const struct roster_entry *entries,
                         struct roster_result *results, ptrdiff_t count, struct error *error);

#endif
