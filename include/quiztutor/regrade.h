/*
 * Marking stored answers anew, after a key was corrected: what would change, and the change as events of the
 * log. Nothing is overwritten; reports use the newest grading. A regrading borrows store and pack.
 */
#ifndef QUIZTUTOR_REGRADE_H
#define QUIZTUTOR_REGRADE_H

#include <quiztutor/store.h>

enum regrade_what {
    REGRADE_KEY,    /* by today's key */
    REGRADE_VOID,   /* a question counts for nobody any more */
    REGRADE_ACCEPT, /* one more answer to a question earns all marks */
};

struct regrade_options {
    enum regrade_what what;
    const struct pack *pack;
    const char *question; /* of REGRADE_VOID and REGRADE_ACCEPT: its id */
    const char *accept;   /* REGRADE_ACCEPT: as a learner would type it, or the text of a choice */
};

/* An answer whose mark changes. */
struct regrade_change {
    struct uuid attempt, learner;
    const char *name, *question;
    const char *response; /* in words; "" for one left out */
    int64_t answered_at;
    int utc_offset_s;
    struct verdict before, after;
    bool void_before, void_after;
};

struct regrade {
    struct regrade_options options;
    struct regrade_change *changes; /* by learner, question, time */
    ptrdiff_t count, capacity;
    int looked_at; /* answers to questions of the pack that stand */
    int learners;  /* with a change */
    int unknown;   /* not marked anew: there is no response on record */
    int gone; /* not marked anew: what was answered is in today's question no more, or it has another type */
    struct arena arena;
};

/* Finds what would change. ERROR_NOT_FOUND for a question that the pack does not have, ERROR_INPUT for an
 * answer that it can't take. regrade_finish in any case. */
bool regrade_plan(struct regrade *regrade, struct store *store, const struct regrade_options *options,
                  struct error *error);
void regrade_finish(struct regrade *regrade);

/* Stores the changes, an event each, in one transaction: body {"outcome","mark","marks","reason","by"}. After
 * an error none is stored. */
bool regrade_apply(const struct regrade *regrade, struct store *store, const struct clock *clock,
                   const char *reason, const char *by, struct error *error);

/* The answer to a question as it was asked, as one to today's: choices and items by their texts (or ids).
 * False where something answered is not there any more. */
bool regrade_answer(struct answer *now, const struct question *today, const struct question *then,
                    const struct answer *given);

#endif
