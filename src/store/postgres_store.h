/*
 * The central store behind the interface of store.h: reading what reports ask for, bringing the sums and
 * schedules up that they are made of, and storing gradings. Roster and PINs are files of their own. What a
 * learner's practice needs it refuses.
 *
 * All that is read between store_state_begin and _end is one state of the store: a transaction that only
 * reads. Without, it begins with the first query.
 */
#ifndef QUIZTUTOR_STORE_POSTGRES_STORE_H
#define QUIZTUTOR_STORE_POSTGRES_STORE_H

#include "fold.h"
#include "postgres_connection.h"
#include "store_private.h"

#include <quiztutor/central.h>

/* Whose sums are wanted: a learner's (not zero), those of the members of a group (not NULL), else all. */
struct postgres_scope {
    struct uuid learner;
    const char *group;
};

struct postgres_store {
    struct store base; /* its scheduling is the school's; its device the centre itself */
    struct postgres *postgres;
    int64_t school;
    int64_t made;  /* the scheduler that made its sums, 0: none yet */
    bool state;    /* the transaction is there */
    int open_rows; /* in it */
    struct json_reader *reader;
};

/* postgres_store.c */
extern const struct store_ops postgres_store_ops;
bool postgres_store_open(struct store **store, const char *address, const struct store_options *options,
                         struct error *error);

/* postgres_query.c: the statement for these parameters; false where the central store has none. */
bool postgres_statement(struct buffer *sql, int query, const struct store_value *parameters);

/* postgres_state.c */
bool postgres_state_begin(struct store *store, const struct uuid *learner, const char *group,
                          struct error *error);
void postgres_state_end(struct store *store);
bool postgres_state_settle(struct postgres_store *store,
                           struct error *error); /* opens it where there is none */
/* For writing: ends the state. */
bool postgres_write_begin(struct postgres_store *store, struct error *error);
bool postgres_write_end(struct postgres_store *store, bool done, struct error *error); /* done */

extern const struct sheet_ops postgres_sheet_ops; /* postgres_sheet.c */

/* postgres_event.c */
bool postgres_add_events(struct store *store, const struct store_event *events, ptrdiff_t count,
                         struct error *error);

/* postgres_reading.c */
bool postgres_rows_open(struct rows **rows, struct store *store, int query,
                        const struct store_value *parameters, int count, struct error *error);
int postgres_rows_step(struct rows *rows, struct error *error);
struct store_value postgres_rows_value(struct rows *rows, int column);
void postgres_rows_end(struct rows *rows);

/* postgres_fold.c: brings up those of the scope that are behind, in transactions of their own. `skip`: not
 * those whom somebody else brings up just now. Adds to *count. */
bool postgres_fold(struct postgres_store *store, const struct postgres_scope *scope, bool skip,
                   int64_t *count, struct error *error);
/* central_summaries */
bool postgres_summaries(const char *address, int64_t *count, struct error *error);

#endif
