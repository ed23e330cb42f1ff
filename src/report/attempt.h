/*
 * The attempts that a report is about, one at a time: counted ones (none taken back) that its filter takes
 * in, by learner, pack and question, and within a question in the order of the log; of several stores each id
 * once. Attempts at one question by one learner are read together, so that each knows whether it is chosen
 * (first, last, best or all); all else streams.
 *
 * Chosen as `first` is the first that the filter takes in, unless it was given after an answer of its session
 * had been taken back (`helped`) or was voided: then there is none. A voided one is never chosen.
 */
#ifndef REPORT_ATTEMPT_H
#define REPORT_ATTEMPT_H

#include "places.h"

#include "build.h"

struct attempt {
    int store;  /* that it was read from: where its content's text is */
    int person; /* counts from 0 in the order of the stream: a new number for each learner */
    struct uuid session, learner;
    const char *name, *login; /* login may be NULL */
    const char *pack, *question, *revision;
    struct hash content;  /* zero: not known */
    const char *response; /* JSON; NULL: left out */
    enum outcome outcome;
    bool voided;  /* then without share and marks */
    bool graded;  /* anew: outcome and mark are not the first it was given */
    double share; /* 0 to 1 */
    double mark, marks;
    int certainty; /* 0: none */
    bool helped;
    int64_t elapsed_ms; /* −1: not known */
    int64_t answered_at, day;
    int utc_offset_s;
    int64_t seq;
    bool chosen;
};

struct attempt_log; /* attempt.c */
struct attempt_group;

struct attempts {
    struct build *build;
    struct attempt_log *log;
    struct attempt_group *group;
    bool by_revision; /* choose among those of each revision: statistics start anew with it */
    bool chosen_only;
    int64_t undone;           /* answers that the filter would take in, and that were taken back: so far */
    struct places *undone_of; /* counted by question too, where the caller wants that (NULL: not) */
    int64_t *undone_counts;   /* by their places */
    ptrdiff_t undone_capacity;
};

/* All of this pack (NULL: the filter's, or all), by the report's filter. attempts_close in any case. */
bool attempts_open(struct attempts *attempts, struct build *build, const char *pack, bool by_revision,
                   bool chosen_only);
/* 1: *row is the next, its texts valid until the next call; 0: the end; −1: an error (build->error). */
int attempts_next(struct attempts *attempts, struct attempt *row);
void attempts_close(struct attempts *attempts);

#endif
