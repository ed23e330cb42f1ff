/*
 * One log being taken into a store: what was found out on the way. Each function returns false for an error:
 * of this store, which ends the intake (*mine), or of the other one, which is then left out.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_MERGING_H
#define QUIZTUTOR_STORE_SQLITE_MERGING_H

#include "sqlite_elsewhere.h"
#include "sqlite_intake.h"

/* What was found out of a learner or session of the other store; `here`: the learner's own id here. */
enum fate { FATE_UNKNOWN, FATE_TAKEN, FATE_REFUSED, FATE_RUNNING, FATE_CLOSED };

struct merge {
    struct intake *intake;
    struct elsewhere *elsewhere;
    struct intake_count *count;
    struct id_map learners, sessions;
    intake_tell *tell;
    void *context;
    bool *mine;
    struct error *error;
};

/* Says that the error is this store's, or of memory. Always false. */
bool merge_failed(struct merge *merge);

/* Tells a line: what, which, why. */
void merge_tell(struct merge *merge, const char *what, const struct uuid *id, const char *why);

/* Refuses one row, and says why. Always true. */
bool merge_refuse(struct merge *merge, const struct elsewhere_row *row, const char *why);

/* sqlite_merging_learner.c: whose the row is here, into writing.learner. Of a refused learner it is told
 * once. */
bool merge_learner(struct merge *merge, const struct elsewhere_row *row, bool *refused);

/* sqlite_merging_sheet.c: takes the record of what was printed, after the log. */
bool merge_sheets(struct merge *merge);

/* sqlite_merging.c: takes one row, or refuses it. */
bool merge_row(struct merge *merge, const struct elsewhere_row *row);

#endif
