/*
 * Summaries that reports read instead of the log: of a learner's questions in a pack, and of a learner's
 * days. They are sums over what folds say, so one more answer, or one taken back, is a difference added. All
 * whole numbers: what they come to does not depend on the order. Pure.
 */
#ifndef QUIZTUTOR_STORE_SUMMARY_H
#define QUIZTUTOR_STORE_SUMMARY_H

#include "fold.h"

#include <quiztutor/memory.h>

#define SUMMARY_WHOLE (INT64_C(1) << 40) /* a share of 1 */

enum { SUMMARY_STUCK = 3 }; /* misses */

struct summary_sums {
    int64_t questions, attempts;
    int64_t firsts[OUTCOMES];
    int64_t shares; /* in 1 / SUMMARY_WHOLE */
    int64_t elapsed_ms, mastered, stuck;
};

/* Adds what a question comes to, `sign` times: 1 or −1. */
void sums_add(struct summary_sums *sums, const struct fold *fold, int sign);
bool sums_are_zero(const struct summary_sums *sums);

/* When: of each question's first answer the earliest, of each one's newest the latest. */
struct summary_span {
    int64_t first, last;
};
void span_start(struct summary_span *span);
void span_add(struct summary_span *span, const struct fold *fold);

/* What an answer, or all of a day, comes to. */
struct summary_day {
    int64_t day, attempts, given, right, firsts, shares, elapsed_ms, fresh;
};

/* The answer's, before it is taken into *fold. */
void day_of(struct summary_day *day, const struct fold *fold, const struct fold_answer *answer,
            int day_starts);

/* Days in their order, each once. Zeroed: none. */
struct summary_days {
    struct summary_day *items;
    ptrdiff_t count, capacity;
};
bool days_add(struct summary_days *days, const struct summary_day *change, int sign); /* false: no memory */
void days_finish(struct summary_days *days);

/* Ids, each once after ids_settle, which sorts them. Zeroed: none. */
struct summary_ids {
    struct uuid *items;
    ptrdiff_t count, capacity;
};
bool ids_add(struct summary_ids *ids, const struct uuid *id); /* false: no memory */
void ids_settle(struct summary_ids *ids);
void ids_finish(struct summary_ids *ids);

#endif
