/*
 * One call that stores something: what it found out on the way, which is only believed once it is on disk.
 * Each function is a part of its transaction.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_WRITING_H
#define QUIZTUTOR_STORE_SQLITE_WRITING_H

#include "sqlite_store.h"

struct writing {
    struct sqlite_store *store;
    const struct store_session *session;
    const struct store_attempt *attempt; /* being added, or NULL */
    const struct store_event *event;     /* likewise */
    struct uuid device, boot; /* where it was made: here, unless they are changed after writing_begin; zero
                               * boot: not known */
    struct uuid learner;
    bool created;
    bool later; /* schedules and sums are left to sqlite_schedule_again, which the caller owes the learner */
    int result; /* of the last statement that failed */
};

/* Forgets what an earlier try found out, and begins the transaction. */
bool writing_begin(struct writing *writing, struct error *error);

/* Makes sure that the session is there, and learns whose it is. */
bool writing_settle_session(struct writing *writing, struct error *error);

/* The session's learner, under this folded name where there is none with its id; made where there is none.
 */
bool writing_settle_learner(struct writing *writing, const char *key, struct error *error);

/* The learner of this id, or of this login or folded name (`which`: SQL_LEARNER_BY_…), or whom that one was
 * merged into. 1 found, 0 none, −1 an error. */
int learner_by_id(struct sqlite_store *store, struct uuid *id, struct error *error);
int learner_by_text(struct sqlite_store *store, enum sqlite_statement which, const char *text,
                    struct uuid *id, struct error *error);

/* Takes the counter's next number. */
bool writing_next_seq(struct writing *writing, int64_t *seq, struct error *error);

bool writing_add_session(struct writing *writing, struct error *error); /* of writing->learner */

bool writing_add_text(struct writing *writing, const struct store_text *text, struct error *error);

/* An attempt without a body is of a question whose text is not known, or there already: its content is what
 * question_text has, or zero. */
bool writing_add_attempt(struct writing *writing, struct error *error);
bool writing_add_attempts(struct writing *writing, const struct store_attempt *attempts, int count,
                          struct error *error);
bool writing_add_event(struct writing *writing, struct error *error);

/* What this process may take for granted from now on. */
void writing_done(struct writing *writing, struct store_session *session);

#endif
