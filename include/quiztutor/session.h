/*
 * A session of practice as a pure state machine: a plan of questions, and the turns taken so far. It knows
 * which question comes next, what returns, what was skipped and what undo takes back; it knows neither store
 * nor terminal, and the same turns always lead to the same state, which is how a session is resumed. Rules:
 * COMMANDS "Practise".
 *
 * The session owns its arrays (session_init / session_finish); packs are the caller's and must outlive it.
 */
#ifndef QUIZTUTOR_SESSION_H
#define QUIZTUTOR_SESSION_H

#include <quiztutor/marking.h>

enum { SESSION_RETURN_AFTER = 3 }; /* other showings before a missed question comes back */

struct session_entry {
    const struct pack *pack;
    const struct question *question;
    bool gone;      /* left the plan on resume: no longer in the pack, or its key changed */
    bool dropped;   /* a return that was skipped */
    bool suspended; /* a miss does not return while it is */
    int showings;   /* counted ones: answered or skipped */
    int skips;      /* first skips: 1 once it was put off */
    int hints;      /* hints given so far, over all showings: they stay used */
    bool retried;   /* the spelling of the showing that is on was to be checked: what comes next is final */
    bool undone;    /* an answer to it was taken back once: no first try any more */
    int answer;     /* index of its newest standing answer in session->answers, -1 for none */
    int first;      /* index of its first standing answer, -1 for none */
    int missed_at;  /* session->showings when it was last missed */
};

/* What helped with an answer: a certainty earns its mark only for an answer that nothing helped with, since
 * certainty-based marking rests on questions not seen before (Gardner-Medwin 1995). */
enum session_aid {
    AID_NONE,
    AID_HINT,     /* a hint was given */
    AID_SEEN,     /* the answer was shown before: the question returns, or undo took an answer to it back */
    AID_SPELLING, /* the learner was told to check the spelling */
};

struct session_answer {
    int entry;
    int before;        /* the entry's newest standing answer before this one, or -1 */
    int was_missed_at; /* the entry's missed_at before it */
    struct answer answer;
    struct verdict verdict;
    int certainty; /* 1 to 3, 0: not asked */
    int showing;   /* of its question, from 1: with the session's seed it says how it was shown */
    enum session_aid aid;
    struct uuid attempt;
};

struct session {
    uint32_t seed;
    struct session_entry *entries;
    int count;
    struct session_answer *answers; /* standing ones, in order */
    ptrdiff_t answer_count, answer_capacity;
    struct arena texts; /* of the answers */
    int *forced;        /* entries to ask at once (undo), the last one first */
    ptrdiff_t forced_count, forced_capacity;
    int missed;   /* entries whose newest standing answer is a miss that may return */
    int showings; /* counted ones, of all questions */
    int fresh;    /* entries before this one are answered, skipped or gone */
    int current;  /* entry on show, -1 when nothing is left to ask */
};

struct session_summary {
    int asked, right, partly, wrong, skipped; /* by each question's first answer that stands */
    int first_try;                            /* right at the first try, nothing undone */
    double mark, marks;
    int sure;               /* first answers given with a certainty, and without aid */
    double certainty_marks; /* their sum (grade_certainty_mark), beside the marks */
    bool finished;          /* every question of the plan has a stored answer */
};

/* Takes `count` entries (pack and question filled in); copies them. False without memory. */
bool session_init(struct session *session, uint32_t seed, const struct session_entry *entries, int count);
void session_finish(struct session *session);

/* The entry on show (index), or -1; whether this showing is a missed question's return; its number from 1;
 * seed. */
int session_current(const struct session *session);
bool session_is_return(const struct session *session);
int session_showing(const struct session *session);
uint32_t session_showing_seed(const struct session *session);

/* Turns. Each needs a current entry, but undo. They only change memory: the caller stores first, then takes
 * the turn. session_answer and session_undo return false without memory (nothing changed). */
bool session_answer(struct session *session, const struct answer *answer, const struct verdict *verdict,
                    int certainty, const struct uuid *attempt);
void session_skip(struct session *session); /* a first skip, or a return dropped */
void session_hint(struct session *session);

/* The learner was told to check the spelling of what was typed: no turn, but what is answered or skipped next
 * ends it. session_answer copies an answer's text. */
void session_retry(struct session *session);
bool session_retried(const struct session *session);

/* The newest standing answer, which undo takes back, or NULL when there is none. */
const struct session_answer *session_newest(const struct session *session);
bool session_undo(struct session *session);

/* A suspended question that was missed does not return, until that is taken back. The one on show still wants
 * its answer; session_settle chooses anew where none is on show yet. */
void session_suspend(struct session *session, int entry, bool on);

/* Whether a missed question is still to come back. */
bool session_returns(const struct session *session, int entry);

/* What skipping the current question means now. */
enum session_skip { SKIP_LATER, SKIP_OMITS, SKIP_DROPS };
enum session_skip session_skip_means(const struct session *session);

/*
 * Replaying a stored log: session_show makes `entry` the question on show whatever the rules say, a turn
 * follows, and session_settle lets the rules choose again at the end.
 */
void session_show(struct session *session, int entry);
void session_settle(struct session *session);

/* An entry leaves the plan (its question is gone, or its key changed); session_settle must follow. */
void session_leave(struct session *session, int entry);

/* What has helped with an answer to the question on show, were it given now. */
enum session_aid session_aid(const struct session *session);

/* Whether a question was answered right at the first try, nothing undone. */
bool session_first_try(const struct session *session, int entry);

/* Questions with a standing answer, for the progress bar. */
int session_answered(const struct session *session);
void session_summarise(const struct session *session, struct session_summary *summary);

#endif
