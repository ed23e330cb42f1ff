/*
 * The application: store, library and presenter of one run, and the front ends over them. cli fills the
 * struct from settings and the command line and owns what it points to.
 */
#ifndef QUIZTUTOR_APPLICATION_H
#define QUIZTUTOR_APPLICATION_H

#include <quiztutor/library.h>
#include <quiztutor/practice.h>
#include <quiztutor/presenter.h>

/* What to do with an unfinished session. */
enum resume_wish { WISH_ASK, WISH_RESUME, WISH_RESTART, WISH_ANEW };

struct application {
    struct store *store;
    struct library *library;
    struct clock clock;
    struct presenter presenter;
    struct practice_options options; /* packs, learner and wishes of the next session */
    enum resume_wish wish;
    bool exam;        /* an exam of options' packs, in the place of a practice */
    int exam_minutes; /* 0: what the packs say */
    int theme, signs; /* enum terminal_theme; enum sign_set or −1 */
};

/*
 * Plain lines and JSON lines: the same loop with other words. False: *error says why (ERROR_IO when the
 * output is gone, or the store's reason when input ended with an answer unstored). Starts a practice of
 * application->options.
 */
bool lines_run(struct application *application, bool json, struct error *error);

/* The library as plain text, for a run without a terminal or in plain mode. On a terminal it asks which to
 * practise. */
bool lines_library(struct application *application, struct error *error);

/*
 * The ncurses screens: straight into a practice of application->options when packs are named, else the home
 * screen. *signal gets the signal that ended the run, for the caller to raise again after its clean-up (0:
 * none).
 */
bool screens_run(struct application *application, int *signal, struct error *error);

/* Says on standard error, once, what a practice has to tell besides its screens: a new learner, questions
 * left out. */
void application_tell(const struct practice *practice);

/* Exams of anybody whose time is up are handed in, and this is said on standard error: for whoever has just
 * opened the store to write in it. */
void application_hand_in(struct store *store, struct clock clock);

#endif
