/*
 * A change of what the log says of answers that are there already: one is taken back, or graded anew. The
 * question is made anew from the log, and what differs is put into the sums. Between begin and end lies what
 * is added to the log; all in one transaction. Finish it whatever begin or end return.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_CHANGE_H
#define QUIZTUTOR_STORE_SQLITE_CHANGE_H

#include "sqlite_log.h"

struct sqlite_change {
    struct sqlite_store *store;
    bool active; /* there is such a question */
    struct sqlite_key key;
    struct fold old;
    struct summary_days days;    /* what its answers came to */
    struct summary_ids sessions; /* that they were given in */
};

bool sqlite_change_begin(struct sqlite_change *change, struct sqlite_store *store, const struct uuid *learner,
                         const char *pack_id, const char *question_id, struct error *error);
/* Of the event's attempt, where the event changes one that is there; else nothing will be done. */
bool sqlite_change_begin_event(struct sqlite_change *change, struct sqlite_store *store,
                               const struct store_event *event, struct error *error);
bool sqlite_change_end(struct sqlite_change *change, struct error *error);
void sqlite_change_finish(struct sqlite_change *change);

#endif
