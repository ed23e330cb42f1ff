/*
 * The rules by which a line of a roster changes a store, whatever keeps it: whom it means, what of it is
 * taken over, and when it is refused. A book is what a store can look up and write inside the transaction
 * that is open; texts of a person live as long as that.
 */
#ifndef QUIZTUTOR_STORE_ROSTER_BOOK_H
#define QUIZTUTOR_STORE_ROSTER_BOOK_H

#include "roster_private.h"

/* A learner's row. */
struct roster_person {
    struct uuid id;
    const char *name, *key, *login, *external_id;
    double time_factor;
    int plain; /* enum roster_reading */
};

/* Several are found at a centre only. */
enum { ROSTER_SEVERAL = 2 };

/* Lookups: 1 found, 0 none, ROSTER_SEVERAL, −1 an error; *id is whom they were merged into, if they were. */
struct roster_book {
    void *context;
    const struct clock *clock;
    int (*by_external)(void *context, const char *external_id, struct uuid *id);
    int (*by_login)(void *context, const char *login, struct uuid *id);
    int (*by_name)(void *context, const struct roster_entry *entry, struct uuid *id); /* with a key */
    int (*read)(void *context, const struct uuid *id, struct roster_person *person);
    bool (*insert)(void *context, const struct roster_person *person);
    bool (*write)(void *context, const struct roster_person *person);
    /* Whether another learner bears the name, neither of them with an external id. −1: an error. */
    int (*is_taken)(void *context, const struct roster_person *person);
    /* Joins groups, and leaves the others (only_these): memberships that changed, −1 an error. */
    int (*settle_groups)(void *context, const struct roster_entry *entry, const struct uuid *id);
};

/* False: an error. Else *result says what became of the line. */
bool roster_book_take(const struct roster_book *book, const struct roster_entry *entry,
                      struct roster_result *result);

/* Both are said, and not the same. */
bool roster_differ(const char *one, const char *other);

#endif
