/*
 * What one learner did at one question, and what is remembered of it: from the summaries of the store, or
 * from the attempts that a filter takes in. And the sum over questions, which is what learners, packs and
 * topics are compared by.
 */
#ifndef REPORT_WORK_H
#define REPORT_WORK_H

#include "asked.h"
#include "attempt.h"

enum { WORK_STUCK = 3 /* misses of one question, from which on a learner is stuck at it */ };

/* Of chosen attempts; one a question but where all are chosen. */
struct work_tries {
    int64_t count[OUTCOMES]; /* by outcome */
    double shares;           /* summed */
};

struct work {
    const char *pack, *question; /* in the report's arena, or the attempt's */
    int store;                   /* that its newest answer is in */
    struct hash content;         /* of that answer */
    int answers, misses;
    struct work_tries tries;
    int64_t tried_at; /* ms: the first chosen attempt; INT64_MIN: none */
    int tried_offset_s;
    int64_t elapsed_ms;
    enum outcome last; /* of the newest answer */
    int64_t last_at;
    int last_offset_s;
    /* remembered: as of today, whatever the filter takes in */
    bool graded, mastered, suspended, due;
    int64_t today; /* of the learner, where they answered last; where something is remembered */
    double recall; /* predicted for today, where it is graded */
    int64_t due_day;
    int64_t remembered_at; /* private: of the newest answer that was remembered */
};

void work_start(struct work *work, const struct attempt *attempt);
void work_take(struct work *work, const struct attempt *attempt);

/*
 * Reads the log by the report's filter: `attempt` is called for each counted attempt (may be NULL), `work`
 * for each question of each learner, with the learner's id as in struct attempt, and what is remembered.
 * False: the build's error says why; also where one of them answers false.
 */
struct work_visitor {
    void *context;
    bool (*attempt)(void *context, const struct attempt *attempt);
    bool (*work)(void *context, const struct work *work, const struct uuid *learner);
    int64_t *undone; /* how many answers that the filter would take in were taken back */
};
bool work_read_log(struct build *build, struct asked *asked, const struct work_visitor *visitor);

/* The same as the store has counted them, where summaries are read; and how many were graded anew. */
bool work_told_kept(struct build *build, struct build_made *made);

/* The learner's id in that store, zero where it is not known there; `learner` is as in struct attempt. */
struct uuid work_learner_in(const struct build *build, const struct uuid *learner, int store);

/* A row of QUERY_LEARNER_SCHEDULES of store 0; *is is false where nothing was answered. `utc_offset_s`:
 * where the learner answered last. Ids are the rows' own. */
void work_of_kept(struct work *work, const struct build *build, struct rows *rows,
                  const struct fsrs_parameters *parameters, int utc_offset_s, bool *is);

struct work_sum {
    int64_t questions, answers, mastered, stuck, recalled;
    struct work_tries tries;
    double recall; /* summed over `recalled` questions */
    int64_t elapsed_ms;
};

void work_add(struct work_sum *sum, const struct work *work);
void work_sum_add(struct work_sum *sum, const struct work_sum *other);

int64_t work_count(const struct work_tries *tries); /* of any outcome */

/* Cells that several reports have. Absent where there is nothing to tell. */
struct report_cell work_share_cell(const struct work_tries *tries); /* right ones, with Wilson's interval */
struct report_cell work_mastery_cell(const struct work_sum *sum);
struct report_cell work_recall_cell(const struct work_sum *sum);
struct report_cell work_minutes_cell(int64_t elapsed_ms);

/* How the column of that share is called: "first_try_share", "last_try_share", … */
const char *work_share_name(enum report_attempts attempts);
const char *work_share_title(enum report_attempts attempts); /* N_() */

/* Whether the filter asks for what summaries can't tell: days, kinds of session, a revision, a tag, other
 * attempts than the first, or several stores. */
bool work_needs_log(const struct build *build);

/* How figures by the summaries differ from those by the log. */
void work_note_summaries(struct build *build);

/* The titles of the filter's packs, NULL without one. */
const char *work_subtitle(struct build *build);

/* "right", "wrong", … translated. */
const char *work_outcome(enum outcome outcome);

#endif
