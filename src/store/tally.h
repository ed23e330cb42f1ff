/*
 * Sums made anew while a log is folded question by question, in the order of schedules (learner, pack,
 * question): a pack's are handed out when the next pack begins, a learner's when the next learner does. What
 * is done with them is for who reads the log: every store that keeps sums makes them here. Finish it whatever
 * anything returns.
 */
#ifndef QUIZTUTOR_STORE_TALLY_H
#define QUIZTUTOR_STORE_TALLY_H

#include "summary.h"

#include <quiztutor/buffer.h>

struct tally_sink {
    /* `pack` "": all packs together; after those of each. Never with no question in it. */
    bool (*pack)(void *context, const struct uuid *learner, const char *pack, const struct summary_sums *sums,
                 int64_t sessions, const struct summary_span *span, struct error *error);
    bool (*day)(void *context, const struct uuid *learner, const struct summary_day *day,
                struct error *error);
};

struct tally {
    const struct tally_sink *sink;
    void *context;
    bool begun;
    struct uuid learner; /* of the last question, and its pack */
    struct buffer pack_id;
    struct summary_sums pack, all;
    struct summary_span pack_span, all_span;
    struct summary_ids pack_sessions, all_sessions;
    struct summary_days days;
};

void tally_init(struct tally *tally, const struct tally_sink *sink, void *context);
void tally_finish(struct tally *tally);
/* Before a question's answers are folded. */
bool tally_enter(struct tally *tally, const struct uuid *learner, const char *pack, struct error *error);
/* What each of them comes to, before it is taken. */
bool tally_answer(struct tally *tally, const struct fold *fold, const struct fold_answer *answer,
                  const struct uuid *session, int day_starts, struct error *error);
void tally_add(struct tally *tally, const struct fold *fold); /* after that */
/* The last learner's are handed out; another may follow. */
bool tally_end(struct tally *tally, struct error *error);

#endif
