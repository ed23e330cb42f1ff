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
    int day_starts; /* minutes after midnight */
    bool certainty; /* ask how sure before the verdict */
    int64_t until;  /* day to plan towards (until_read), 0: none */
};

enum practice_turn { TURN_NONE, TURN_ANSWER, TURN_SKIP, TURN_HINT, TURN_UNDO, TURN_NOTE };

/* The last answer, as it was shown and marked: what the explanation pane is about. */
struct practice_last {
    int entry;
    struct showing showing;
    bool again;
    struct answer answer;
    struct verdict verdict;
    struct uuid attempt;
};

struct practice_pending {
    enum practice_turn turn;
    struct store_attempt attempt;
    struct store_event event;
    struct answer answer;
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
    bool begun, resumed, learner_known, learner_created;
    int left_out; /* questions that left the plan on resume */
    int undone;   /* answers taken back in this session */
    int shown_entry, shown_showing;
    int64_t shown_at;   /* steady ms of the question on show */
    int64_t elapsed_ms; /* spent on questions in this run */
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

/* The question on show as a showing; false when nothing is left to ask. Starts its clock at the first call.
 */
bool practice_current(struct practice *practice, struct showing *showing);

/* Turns. False: not stored (error says why), pending. */
bool practice_answer(struct practice *practice, const struct answer *answer, struct error *error);
bool practice_skip(struct practice *practice,
                   struct error *error); /* see session_skip_means first; a SKIP_OMITS is an answer */
bool practice_undo(struct practice *practice, struct error *error); /* only with something to undo */
bool practice_hint(struct practice *practice, struct error *error); /* only with a hint left */
bool practice_flag(struct practice *practice, struct error *error);
bool practice_report(struct practice *practice, int entry, const char *text,
                     struct error *error); /* entry: of the plan */
bool practice_retry(struct practice *practice, struct error *error);
void practice_abandon(struct practice *practice);

/* The answer that undo takes back: the newest one, or NULL when there is none, or when its question has left
 * the plan and could not be asked again. */
const struct session_answer *practice_newest(const struct practice *practice);

/* The hint given last for the current question is hints.items[count − 1]. */
int practice_hints_left(const struct practice *practice);

/* What is known of each question of a pack for this learner: a row for each question, in the arena; NULL
 * without memory or with an error. */
struct plan_history *practice_history(struct store *store, const struct uuid *learner,
                                      const struct pack *pack, struct arena *arena, struct error *error);

#endif
