/*
 * A sitting joins an exam, the store and the clock, as a practice does a session: every turn is stored first
 * and taken then, and a turn that could not be stored stays pending until sitting_retry gets it through or
 * sitting_abandon gives it up. An exam is on record, with its deadline, before its first question is shown.
 * Its time runs on while nobody sits at it; whoever opens the store after its deadline hands it in from the
 * log alone.
 *
 * The sitting borrows store and packs, which must outlive it; it owns everything else.
 */
#ifndef QUIZTUTOR_SITTING_H
#define QUIZTUTOR_SITTING_H

#include <quiztutor/exam.h>
#include <quiztutor/practice.h>

enum sitting_turn { SITTING_NONE, SITTING_ANSWER, SITTING_FLAG, SITTING_NOTE };

/* The turn on hand: its record is made once, so that storing can be tried again and again. */
struct sitting_pending {
    enum sitting_turn turn;
    int entry;
    bool on; /* SITTING_FLAG */
    struct answer answer;
    int certainty;
    int64_t elapsed_ms;  /* exam time of the answer */
    struct buffer typed; /* what answer.text points to */
    struct store_event event;
    struct buffer body;
};

/* One question as it was handed in: what its attempt says. */
struct sitting_result {
    struct uuid attempt;
    struct answer answer;
    struct verdict verdict;
    int certainty;
};

/* Questions that left the paper, as they were handed in: they count, but there is nothing to show of them. */
struct sitting_gone {
    int count, outcomes[OUTCOMES], sure;
    double mark, marks, certainty_marks;
};

/* How the learner's own time came to be. */
struct sitting_allowance {
    double minutes;  /* as the pack says or the command line asked; 0: no limit */
    double factor;   /* the learner's */
    double extended; /* minutes that a tutor added */
};

struct sitting {
    struct practice_options options; /* mode, until and new_per_day mean nothing to an exam */
    double minutes;                  /* asked for, 0: what the packs say */
    struct store *store;
    struct clock clock;
    struct arena arena;
    struct exam exam;
    struct showing *showings;    /* of each entry */
    struct arena showings_arena; /* instances that they borrow */
    struct exam_time time;
    struct sitting_allowance allowance;
    struct store_session record;
    struct sitting_pending pending;
    struct sitting_result *results; /* of each entry, once handed in */
    struct sitting_gone gone;       /* then, too */
    int64_t *spent;                 /* ms that each entry was on show */
    bool begun, resumed, learner_known, learner_created;
    bool certainty;  /* ask how sure, with each answer */
    bool handed_in;  /* and exam.handed_in: the log says so */
    bool time_up;    /* it was handed in because its time was up */
    int left_out;    /* questions that left the paper on resume */
    double pass;     /* per cent of all marks, where every pack has a pass mark; else 0 */
    int64_t used_ms; /* exam time at hand-in */
    int64_t over_at; /* ms since 1970: when its time was up */
    int shown_entry;
    int64_t followed_at; /* steady ms of the last sitting_follow */
    int64_t shown_at;    /* steady ms that the question on show came on show */
};

/* An exam of the same packs that is still open, and that nobody sits at. */
struct sitting_open {
    bool found;
    bool elsewhere; /* one of the same packs is open, but runs in another process */
    struct uuid session;
    int questions, answered;
    int64_t started_at;
    int utc_offset_s;
    int64_t left_ms; /* −1: no limit */
};

/* Finds the learner. `minutes` 0: what the packs say. ERROR_NOT_FOUND: unknown and the roster is closed.
 * sitting_finish is due either way. */
bool sitting_init(struct sitting *sitting, struct store *store, struct clock clock,
                  const struct practice_options *options, double minutes, struct error *error);
void sitting_finish(struct sitting *sitting);

/* The newest exam of this learner with the same packs that is open and runs nowhere else. */
bool sitting_find_open(struct sitting *sitting, struct sitting_open *open, struct error *error);

/* What would be begun, before time runs: fills exam and allowance. */
bool sitting_prepare(struct sitting *sitting, struct error *error);

/* Begins: the exam is on record when this is true. After sitting_prepare or without it. An exam without
 * questions (exam.count 0) is not begun. */
bool sitting_begin(struct sitting *sitting, struct error *error);

/* Goes on with an open exam; or hands it in. */
bool sitting_resume(struct sitting *sitting, const struct sitting_open *open, struct error *error);
bool sitting_hand_in_open(struct sitting *sitting, const struct sitting_open *open, struct error *error);

/* The question on show as a showing, which lives as long as the exam; false in the overview. Starts its
 * clock.
 */
bool sitting_current(struct sitting *sitting, struct showing *showing);
void sitting_showing(const struct sitting *sitting, int entry, struct showing *showing);

/* Moves: to a question, to the overview (−1), to the next one that is open. */
void sitting_show(struct sitting *sitting, int entry);
void sitting_skip(struct sitting *sitting);

/* Turns, of the question on show or of any. False: not stored (error says why), pending; or, where
 * pending.turn is SITTING_NONE, there was no memory even to keep it: then it is to be made again. An answer
 * is taken only before the deadline: look at sitting_is_over first. */
bool sitting_answer(struct sitting *sitting, const struct answer *answer, int certainty, struct error *error);
bool sitting_flag(struct sitting *sitting, int entry, struct error *error); /* on, or off again */
bool sitting_report(struct sitting *sitting, int entry, const char *text, struct error *error);
bool sitting_retry(struct sitting *sitting, struct error *error);
void sitting_abandon(struct sitting *sitting);

/* ms left, −1 without a limit. */
int64_t sitting_left(const struct sitting *sitting);

/* Reads what others did with the exam: more minutes, or that it was handed in. */
bool sitting_refresh(struct sitting *sitting, struct error *error);

/* The same where its time is on show, at most every few seconds; what can't be read is left for later. */
void sitting_follow(struct sitting *sitting);

/* Whether the exam takes no more answers: its time is up, and nobody has extended it; or it was handed in
 * elsewhere. What is left to do is sitting_hand_in. */
bool sitting_is_over(struct sitting *sitting);

/* Hands in, in one transaction: the last answer of each question becomes its attempt, others are omitted.
 * Then reads what the log says now into results. Can be tried again. */
bool sitting_hand_in(struct sitting *sitting, struct error *error);

/* Exams of anybody whose time is up are handed in. Up to SITTING_TOLD of them are told. */
enum { SITTING_TOLD = 8 };
struct sitting_overdue {
    int count;
    struct {
        char learner[300];
        int64_t started_at;
        int utc_offset_s;
    } told[SITTING_TOLD];
};
bool sitting_hand_in_overdue(struct store *store, struct clock clock, struct sitting_overdue *overdue,
                             struct error *error);

#endif
