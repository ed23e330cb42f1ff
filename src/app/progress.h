/*
 * What the learner's own screen is made of, gathered from the library's packs and the store; and the sentence
 * that says what to do next. Private to app.
 */
#ifndef QUIZTUTOR_PROGRESS_H
#define QUIZTUTOR_PROGRESS_H

#include "presenter_private.h"

enum { PROGRESS_PACE_MS = 20000 /* an answer, until the learner's own pace is known */ };

struct progress {
    struct arena *arena; /* the model's */
    struct progress_model *model;
    struct store *store;
    const struct store_learner *learner;
    struct present_now now;
    int packs;     /* that load */
    int seen;      /* questions of theirs with an answer that counts */
    int missed;    /* of those, the last answer not right; suspended ones left out */
    int left;      /* due ones that today has still room for (QUEUE_MOST a day) */
    int64_t next;  /* when the next will be due, of those that are not; INT64_MAX: none */
    int64_t pace;  /* ms an answer */
    int fresh;     /* new questions of the pack to go on or begin with */
    int met_there; /* and how many of it are known */
    const struct pack *go_on;
};

/* One sentence. False without memory. */
bool progress_next(struct progress *progress);

/* Topics of the library, least mastered first, those not begun last. */
struct progress_mark {
    const char *name;
    bool seen, mastered;
};
bool progress_topics(struct progress *progress, struct progress_mark *marks, ptrdiff_t count);

#endif
