/*
 * All sums made anew while the log is read question by question, in the order of schedules: a pack's row is
 * written when the next pack begins, a learner's when the next learner does. Where rows are there already
 * they are compared first. Finish it whatever anything returns.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_TOTALS_H
#define QUIZTUTOR_STORE_SQLITE_TOTALS_H

#include "sqlite_log.h"

struct sqlite_totals {
    struct sqlite_store *store;
    struct store_rebuild *report; /* where differences are told; NULL: the tables were emptied before */
    struct tally tally;
    int64_t wanted; /* rows that there should be */
};

void sqlite_totals_init(struct sqlite_totals *totals, struct sqlite_store *store,
                        struct store_rebuild *report);
/* Before the question's answers are folded; what they come to is collected from the log. */
bool sqlite_totals_enter(struct sqlite_totals *totals, struct sqlite_log *log, struct error *error);
void sqlite_totals_add(struct sqlite_totals *totals, const struct fold *fold); /* after that */
bool sqlite_totals_end(struct sqlite_totals *totals, struct error *error);
void sqlite_totals_finish(struct sqlite_totals *totals);

/* Counts a difference of the learner's, and names the first. */
bool sqlite_name_difference(struct sqlite_store *store, struct store_rebuild *report,
                            const struct uuid *learner, const char *pack, const char *question,
                            struct error *error);

#endif
