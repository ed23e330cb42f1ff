/*
 * Attempts to get out of a kiosk, or into what is another learner's: each has a name, is made against the
 * real program on a terminal of its own, in a room of its own, and comes to an outcome that is checked.
 *
 * A room is a desk with a configuration, and a store in which Bertolt, who has a PIN, has answered already:
 * nothing of theirs may be on the screen at any time. The program is watched from before its first
 * instruction on (watch.h).
 */
#ifndef QUIZTUTOR_TESTS_ESCAPE_H
#define QUIZTUTOR_TESTS_ESCAPE_H

#include "desk.h"

#include <stdint.h>

enum outcome {
    STAYS, /* still runs, in front; it never made a process; a learner signs in and answers */
    ENDS,  /* ends within a second, the terminal as it was; the next start is at sign-in; nothing was lost */
};

struct attempt {
    const char *name;
    void (*make)(const struct attempt *attempt);
    enum outcome outcome;
    const char *text; /* what `make` makes something of */
    int number, other;
};

/* The tables, one a file; each ends with a row without a name. */
extern const struct attempt attempts_keys[], attempts_signals[], attempts_sequences[], attempts_pastes[],
    attempts_sizes[], attempts_environment[], attempts_files[], attempts_disk[], attempts_clock[],
    attempts_names[], attempts_ends[];

struct room {
    struct desk desk;
    char config[DESK_PATH + 64], etc[DESK_PATH + 32];
    struct pty_options options;       /* of the next start */
    const char *given[PTY_ARGUMENTS]; /* environment of the next start */
    int answers;                      /* whose results were on the screen */
    bool sanitized,
        bare;      /* the program is; without a sandbox of its own: it starts where the kernel has none */
    bool hung_up;  /* the terminal is gone */
    int kept_open; /* a descriptor, closed with the room; 0: none */
    const char *mounted; /* a file system, unmounted with the room */
    const char *clock;   /* the library that moves the clock; NULL: there is none */
};
extern struct room room;

/* Before each attempt; `more` is added to the configuration, whose completion is off. */
void room_set(void);
void room_configure(const char *more);
void room_clear(void);
void room_command(const char *arguments, const char *line); /* quiztutor on its store, to its end */

void room_start(void);    /* without waiting for a screen */
void room_enter(void);    /* and at sign-in */
void room_question(void); /* and Ana, signed in, at the first question */
void room_answer(void);   /* and answered, with the explanation on the screen */
void room_again(void);    /* a new start in the same room, the terminal as a starter makes it */

/* For pty_options.prepare: what a starter does that wants nothing to come through before the program can tell
 * what is to become of it. */
void room_block_signals(const void *context);

void see(const char *text);
void gone(const char *text);
void type(const char *keys);
bool sees(const char *text);
void sign_in(const char *name);

/* Leads back to the sign-in by keys alone, wherever it is; fails when that takes too long. */
void come_home(void);

/* Reads until the program has taken what was sent, and drawn what it makes of it. */
void settle(void);

/* Checks the outcome, and prints what was amiss. */
void stays(void);
void ends(void);

#endif
