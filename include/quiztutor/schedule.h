/*
 * The schedule of one question for one learner: what is remembered (FSRS), which step it is on, and when it
 * is due. It is a fold over the answers that count, in the order of the log: the same answers always lead to
 * the same schedule, which is how undo and `store rebuild` work. Pure.
 *
 * Days are local days that begin at `day_starts`, numbered from 1970-01-01 (clock_day), by the offset that
 * each answer was stored with; so no day moves when the zone or daylight saving does. Steps are 1 and 10
 * minutes while learning, 10 minutes while relearning; after them intervals are whole days.
 */
#ifndef QUIZTUTOR_SCHEDULE_H
#define QUIZTUTOR_SCHEDULE_H

#include <quiztutor/fsrs.h>
#include <stdint.h>

#define SCHEDULE_LATEST INT64_C(8640000000000000) /* ms: some 270,000 years, beyond which no date is one */

enum schedule_phase { PHASE_NEW, PHASE_LEARNING, PHASE_REVIEW, PHASE_RELEARNING };

enum {
    SCHEDULE_LEECH = 8,    /* lapses after which help is offered */
    SCHEDULE_MASTERED = 21 /* days of stability that mastery takes, at least */
};

struct schedule {
    enum schedule_phase phase; /* PHASE_NEW: no graded answer yet (or the key was overturned) */
    int step;                  /* of the steps, from 0, while learning or relearning */
    struct fsrs_memory memory;
    int answers;      /* graded ones */
    int lapses;       /* Again while in PHASE_REVIEW */
    int run;          /* days with a right answer (Good or Easy) since the last Again, one a day */
    int64_t run_day;  /* local day that `run` was last raised on */
    int64_t last_at;  /* ms since 1970 of the last graded answer */
    int64_t last_day; /* its local day; never goes back, though the clock may */
    int64_t due_day;  /* the local day it is due on */
    int64_t due_at;   /* ms since 1970 while a step is running, else 0: due as due_day begins */
    /* Whole days to due_day, 0 while a step is running. In review Hard < Good < Easy always, as in ts-fsrs,
     * so that at the longest interval Good and Easy are one and two days above FSRS_LONGEST. */
    int interval;
};

struct schedule_rules {
    const struct fsrs_parameters *parameters;
    double retention; /* wanted chance of recall when due, 0.7 to 0.99 */
    int day_starts;   /* minutes after midnight */
    bool fuzz;
};

struct schedule_answer {
    enum grade grade; /* GRADE_NONE changes nothing */
    int64_t at;       /* ms since 1970 UTC; beyond SCHEDULE_LATEST, either way, it counts as that */
    int utc_offset_s;
    double draw; /* for the fuzz, 0 ≤ draw < 1: schedule_draw */
};

/* The draw of an answer: of the stream of "fuzz:" and the question's id (showing_stream) under the seed of
 * the showing, so that it is the same whenever the log is read again. */
double schedule_draw(const char *pack_id, const char *question_id, uint32_t seed);

/* Takes one more answer; a zeroed schedule is a new question's. An answer dated before the last one counts
 * as given on the last one's day (elapsed days are never negative). */
void schedule_answer(struct schedule *schedule, const struct schedule_rules *rules,
                     const struct schedule_answer *answer);

/* Whether it is due: at a moment, on its local day `today`. A new one is not. */
bool schedule_is_due(const struct schedule *schedule, int64_t now, int64_t today);

/* The chance of recall on `today`; 0 for a new one. */
double schedule_retrievability(const struct schedule *schedule, const struct fsrs_parameters *parameters,
                               int64_t today);

/*
 * Whether a question is mastered: its stability is at least SCHEDULE_MASTERED days, it is in PHASE_REVIEW,
 * and guessing is ruled out: that all of `run` days' right answers were guessed is no likelier than 1 in 20
 * (guess ^ run ≤ 0.05, and run ≥ 1). `guess`: grade_guess. So a question with three choices needs right
 * answers on three days, true or false on five.
 */
bool schedule_mastered(const struct schedule *schedule, double guess);

#endif
