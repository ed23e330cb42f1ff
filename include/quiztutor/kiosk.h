/*
 * The kiosk: one machine, one learner after the other. Somebody signs in, practises or sits an exam as the
 * configuration allows, signs out or is signed out, and the next one signs in. What it is told by its files
 * is read anew between learners.
 */
#ifndef QUIZTUTOR_KIOSK_H
#define QUIZTUTOR_KIOSK_H

#include <quiztutor/clock.h>
#include <quiztutor/error.h>

#include <stdbool.h>

struct kiosk_setup {
    const char *config; /* path of kiosk.yaml, from / on */
    struct clock clock;
    bool screens; /* the terminal can show them; else all is said in lines */
};

enum kiosk_end {
    KIOSK_END_LEFT,    /* a tutor left it */
    KIOSK_END_STOPPED, /* the machine goes down, or the terminal is gone */
    KIOSK_END_AGAIN,   /* the configuration names another store, folder or look: it takes a new start */
};

/*
 * Runs until it ends; everything that was answered is stored then. lock_signals, lock_process and
 * lock_environment come before it; the rest of the locking is done in it, once the configuration says which
 * folders are its own. False with *error where not even a call for a tutor can be shown.
 */
bool kiosk_run(const struct kiosk_setup *setup, enum kiosk_end *end, struct error *error);

#endif
