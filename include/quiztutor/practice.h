/*
 * Practice joins a session, the store and the clock: the one engine that the screens, the plain lines and
 * JSON lines drive. Every turn is stored first and taken then, so what a learner is told about is on disk. A
 * turn that could not be stored stays pending, and practice_retry makes it again; nothing else may be asked
 * of the practice until it got through or practice_abandon gave it up.
 *
 * The practice borrows store and packs, which must outlive it; it owns everything else.
 */
#ifndef QUIZTUTOR_PRACTICE_H
#define QUIZTUTOR_PRACTICE_H

#include <quiztutor/plan.h>
#include <quiztutor/store.h>
#include <quiztutor/until.h>

struct practice_options {
    const struct pack *const *packs;
    int pack_count;
    const char *learner;   /* a login or a name, as given */
    bool learner_is_login; /* taken from the system, not typed: a learner made now keeps it as login */
    bool roster_closed;    /* unknown learners are refused */
    enum plan_mode mode;
    int limit;     /* 0: none */
    uint32_t seed; /* 0: drawn at random */
    const char *tag;
    const char *origin; /* "screen", "plain", "jsonl" */
    int new_per_day;
    int day_starts;                            /* minutes after midnight */
    bool certainty;                            /* ask how sure before the verdict */
    int64_t until;                             /* day to plan towards (day_read), 0: none */
    const struct store_scheduling *scheduling; /* what the store was opened with; NULL: its defaults */
};

enum practice_turn {
    TURN_NONE,
    TURN_ANSWER,
    TURN_SKIP,
    TURN_HINT,
    TURN_UNDO,
    TURN_NOTE,
    TURN_STAR,
    TURN_SUSPEND
};

enum {
    PRACTICE_SCAN = 5000,        /* questions of all packs up to which all that is known of them is read */
    PRACTICE_COUNTED = 1000,     /* due ones that are counted in packs beyond that */
    PRACTICE_CLOCK_MS = 3600000, /* what a clock may be off before it is told */
    PRACTICE_LEECH_AGAIN = 4     /* lapses after which help is offered once more (first: SCHEDULE_LEECH) */
};

/* What was planned, and what has to be said of it. */
struct practice_planned {
    struct plan_count count;
    bool more_due; /* there are more than were counted */
    int reset;     /* questions of the plan whose key was overturned: their schedules start anew */
    int questions; /* planned towards a day: those counted in `until`, suspended ones left out */
    struct until_plan until;
};

/* The last answer, as it was shown and marked: what the explanation pane is about. */
struct practice_last {
    int entry;
    struct showing showing;
    bool again;
    struct answer answer;
    struct verdict verdict;
    int certainty; /* 1 to 3, 0: not asked */
    enum session_aid aid;
    struct uuid attempt;
    bool scheduled; /* `after` is known */
    struct store_schedule after;
    int lapses; /* where this answer makes help due: times forgotten; else 0 */
};

struct practice_pending {
    enum practice_turn turn;
    int entry; /* TURN_STAR, TURN_SUSPEND: what is marked, and how */
    bool on;
    struct store_attempt attempt;
    struct store_event event;
    struct answer answer;
    struct buffer typed;                 /* what answer.text points to */
    struct buffer shown, response, body; /* texts the two records point into */
    char revision[PACK_REVISION + 1];
};

struct practice {
    struct practice_options options;
    struct store *store;
    struct clock clock;
    struct arena arena; /* learner, plan and options texts, packs of a resumed session */
    struct session session;
    struct store_session record;
    struct practice_pending pending;
    struct practice_last last;
    struct arena last_arena; /* an instance that last.showing borrows, and the answer's text */
    bool begun, resumed, learner_known, learner_created;
    struct practice_planned planned;
    int left_out; /* questions that left the plan on resume */
    int undone;   /* answers taken back in this session */
    int shown_entry, shown_showing;
    struct showing showing;      /* of the question on show, while shown_entry names it */
    struct arena showing_arena;  /* an instance that it borrows */
    struct store_schedule shown; /* of the question on show, as it came on show */
    int64_t shown_at;            /* steady ms of the question on show */
    int64_t elapsed_ms;          /* spent on questions in this run */
    int64_t begun_wall, begun_steady;
    int64_t clock_behind; /* ms that the clock was behind the newest answer at the start, if over an hour */
    int64_t clock_moved;  /* ms that it was set forward (or back) by since, likewise */
    bool told_behind, told_moved; /* a front end has said so */
};

/* An unfinished session that could be resumed. */
struct practice_unfinished {
    bool found;
    struct uuid session;
    int questions, answered;
    int64_t started_at;
    int utc_offset_s;
};

/* Finds the learner. ERROR_NOT_FOUND: unknown and the roster is closed. practice_finish is due either way. */
bool practice_init(struct practice *practice, struct store *store, struct clock clock,
                   const struct practice_options *options, struct error *error);
void practice_finish(struct practice *practice);

/* The newest unfinished session of this learner with the same packs that runs nowhere else. */
bool practice_find_unfinished(struct practice *practice, struct practice_unfinished *unfinished,
                              struct error *error);

/* Makes a plan and starts; or goes on with a stored session; or drops one for good (an event). */
bool practice_begin(struct practice *practice, struct error *error);
bool practice_resume(struct practice *practice, const struct practice_unfinished *unfinished,
                     struct error *error);
bool practice_drop(struct practice *practice, const struct practice_unfinished *unfinished,
                   struct error *error);

/* A new session of the questions missed in this one. The old one ends; *count says how many there are. */
bool practice_begin_misses(struct practice *practice, int *count, struct error *error);

/* The question on show as a showing, which lives until the next turn; false when nothing is left to ask, or
 * there is no memory. Starts its clock at the first call. */
bool practice_current(struct practice *practice, struct showing *showing);

/* Whether the answer is to be checked for its spelling first (marking_near_miss): true once for a showing at
 * most; what is answered next is final. Stores nothing. */
bool practice_spelling(struct practice *practice, const struct answer *answer);

/* Whether it asks how sure the learner is of an answer to the question: never of a card, which learners grade
 * themselves. */
bool practice_asks_certainty(const struct practice *practice, const struct question *question);

/* Turns. False: not stored (error says why), pending; or, where pending.turn is TURN_NONE, there was no
 * memory even to keep it: then it is to be made again. */
bool practice_answer(struct practice *practice, const struct answer *answer, int certainty,
                     struct error *error); /* certainty: 0 where it was not asked */
bool practice_skip(struct practice *practice,
                   struct error *error); /* see session_skip_means first; a SKIP_OMITS is an answer */
bool practice_undo(struct practice *practice, struct error *error); /* only with something to undo */
bool practice_hint(struct practice *practice, struct error *error); /* only with a hint left */
bool practice_flag(struct practice *practice, struct error *error);
bool practice_report(struct practice *practice, int entry, const char *text,
                     struct error *error); /* entry: of the plan */
/* Star or suspend a question, or take that back: of the one on show, or of the last answer. */
bool practice_star(struct practice *practice, int entry, struct error *error);
bool practice_suspend(struct practice *practice, int entry, struct error *error);
bool practice_retry(struct practice *practice, struct error *error);
void practice_abandon(struct practice *practice);

/* The answer that undo takes back: the newest one, or NULL when there is none, or when its question has left
 * the plan and could not be asked again. */
const struct session_answer *practice_newest(const struct practice *practice);

/* The hint given last for the current question is hints.items[count − 1]. */
int practice_hints_left(const struct practice *practice);

/* What this learner's schedule says of the question on show or of the last answer; nothing for others. */
const struct store_schedule *practice_known(const struct practice *practice, int entry);

/* The local day of now, and the moment it began (ms since 1970). */
int64_t practice_today(const struct practice *practice, int64_t *began);

#endif
