/*
 * PINs: what a learner types at a kiosk beside their name, and the tries at it. A try is counted, durably,
 * before it is looked at, so that pulling the plug gives none back. After PIN_TRIES wrong ones in a row each
 * further wrong one makes the learner wait: PIN_WAIT_FIRST, then twice as long each time, up to
 * PIN_WAIT_LONGEST. The wait is measured by the clock that runs since the machine was started, never by the
 * wall clock: setting that makes it neither shorter nor longer. After a restart it counts on from the new
 * start, so it may take longer, never shorter.
 *
 * What was typed is passed as bytes and length, may hold anything, and is only read during the call; wipe it
 * with secret_wipe. A kept PIN never leaves the store but in whole copies of it (backups): no report, export,
 * submission or merge of stores holds it.
 */
#ifndef QUIZTUTOR_PIN_H
#define QUIZTUTOR_PIN_H

#include <quiztutor/store.h>

enum {
    PIN_SHORTEST = 4,      /* characters; SECRET_LONGEST at most */
    PIN_CODE_SHORTEST = 8, /* of a tutor's code, which opens the machine */
    PIN_TRIES = 5,         /* wrong ones before the first wait */
};
enum {
    PIN_WAIT_FIRST = 30000,     /* ms */
    PIN_WAIT_LONGEST = 3600000, /* ms, for a learner */
    PIN_CODE_WAIT_LONGEST =
        300000, /* ms, for the tutor's code: learners must not lock a tutor out for long */
};

enum pin_outcome {
    PIN_OUTCOME_RIGHT, /* failures are forgotten */
    PIN_OUTCOME_WRONG,
    PIN_OUTCOME_WAIT,  /* too early: not looked at, and not counted */
    PIN_OUTCOME_UNSET, /* there is none: not counted */
};

/* How it stands with a learner's PIN, or a tutor's code. */
struct pin_state {
    bool set;        /* of a code always */
    int failures;    /* wrong in a row */
    int left;        /* tries before the next wait begins: 1 … PIN_TRIES; 1 once there was a wait */
    int64_t wait_ms; /* until the next try is taken, 0: now */
};

/* ERROR_INPUT as secret_make says; ERROR_NOT_FOUND where no such learner is there. Forgets failures. */
bool pin_set(struct store *store, const struct uuid *learner, const char *typed, ptrdiff_t length,
             struct error *error);
/* *was (may be NULL): there was one. Forgets failures. */
bool pin_clear(struct store *store, const struct uuid *learner, bool *was, struct error *error);

/* Reads only. Whom the learner was merged into counts, as everywhere. */
bool pin_look(struct store *store, const struct uuid *learner, struct pin_state *state, struct error *error);

/*
 * A try. *state (may be NULL) is how it stands after it. False where it could not be counted (a full disk, a
 * store that can't be written): nobody is let in then, and nothing was looked at. Takes about 30 ms of one
 * core and 19 MiB.
 */
bool pin_try(struct store *store, const struct uuid *learner, const char *typed, ptrdiff_t length,
             enum pin_outcome *outcome, struct pin_state *state, struct error *error);

/* A tutor's code as the line `tutor_code:` of kiosk.yaml keeps it; as secret_make, PIN_CODE_SHORTEST. */
bool pin_code_make(char text[static SECRET_TEXT], const char *typed, ptrdiff_t length, struct error *error);

/*
 * Tries at the code that `kept` keeps, counted in the store like a learner's. A tutor must get in where the
 * disk is full or the store is damaged, too (`store` may be NULL): tries that the store can't count are
 * counted in *here, which begins zeroed and lives as long as the process.
 */
struct pin_count {
    int failures;
    int64_t wait_ms, since_steady; /* ms */
    int64_t at;                    /* ms since 1970 */
    struct uuid device, boot;      /* zero: not known */
};
bool pin_look_code(struct store *store, const struct clock *clock, const struct pin_count *here,
                   struct pin_state *state, struct error *error);
bool pin_try_code(struct store *store, const struct clock *clock, struct pin_count *here, const char *kept,
                  const char *typed, ptrdiff_t length, enum pin_outcome *outcome, struct pin_state *state,
                  struct error *error);

#endif
