/*
 * The stores' attempts as rows, through the filter: of one store a cursor's, of several those of one person
 * after the other, merged, each id once. The log of one pack or group comes learner by learner too: in the
 * order of the whole log all of it would have to be sorted in memory. Of an id that several stores hold the
 * one graded anew counts, and what one of them has taken back is taken back.
 */
#ifndef REPORT_ATTEMPT_LOG_H
#define REPORT_ATTEMPT_LOG_H

#include "asked.h"
#include "people.h"

enum { LOG_STORES = 64 };

struct attempt_log {
    struct build *build;
    enum store_query query; /* QUERY_ANSWERS, or QUERY_ATTEMPT_LOG */
    const char *pack;       /* NULL: all */
    struct store_value parameters[7];
    struct rows *rows[LOG_STORES];
    bool there[LOG_STORES]; /* the cursor stands on a row */
    bool used[LOG_STORES];  /* … which was handed out, and is to be stepped over */
    struct rows *learners;  /* of one store, where its log is read learner by learner */
    struct uuid learner;
    int person;                 /* of build->people; −1 before the first */
    struct places seen, undone; /* ids of this person's */
    struct places tagged;       /* questions looked at, and whether they have the filter's tag */
    bool *has_tag;
    ptrdiff_t tag_capacity;
    struct asked asked;
};

void attempt_log_open(struct attempt_log *log, struct build *build, enum store_query query, const char *pack);
/* 1: *rows stands on the next row, of store *store; 0: the end; −1: an error (build->error). */
int attempt_log_next(struct attempt_log *log, struct rows **rows, int *store);
void attempt_log_close(struct attempt_log *log);

/* Of the row handed out last. */
bool attempt_log_undone(const struct attempt_log *log, struct rows *rows);
int64_t attempt_log_day(const struct attempt_log *log, struct rows *rows);

#endif
