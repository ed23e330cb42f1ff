/*
 * The application: store, library and presenter of one run, and the front ends over them. cli fills the
 * struct from settings and the command line and owns what it points to.
 */
#ifndef QUIZTUTOR_APPLICATION_H
#define QUIZTUTOR_APPLICATION_H

#include <quiztutor/library.h>
#include <quiztutor/practice.h>
#include <quiztutor/presenter.h>

struct input;
struct kiosk_model;
struct line_reader;
struct terminal;
struct view;

/*
 * What a kiosk is asked while somebody is signed in: by the screens, or by the lines. It owns the terminal,
 * the model of what stands on all screens, and the offers, which live until they are asked for again.
 */
struct guard_offer {
    const struct pack *pack;
    const char *exam; /* "exam until 10:30"; NULL: to practise */
    int minutes;      /* of the exam, 0: as the pack says */
};
enum guard_says {
    GUARD_GO_ON,
    GUARD_LOOK, /* this input only shows that somebody is there */
    GUARD_DROP, /* this input is passed over, and nothing is drawn for it */
    GUARD_END,  /* the learner is signed out; everything is kept */
};
struct guard {
    void *context;
    struct terminal *terminal; /* of the screens: open, and left open */
    const struct kiosk_model *model;
    bool (*offers)(void *context, const struct guard_offer **offers, int *count, struct error *error);
    /* Each input of the screens over this view (lines have none), and INPUT_NONE once a second while there is
     * none. `unstored`: an answer is kept in memory only. */
    enum guard_says (*look)(void *context, const struct view *view, bool unstored, const struct input *input);
    /* A tutor's code was typed: says whether the learner stays signed in. The overlay is the caller's to
     * leave open, where the code was not the right one. */
    enum guard_says (*code)(void *context, struct view *view);
    /* `:tutor` was typed in the place of a line: the rest is talked over lines from the same reader. `stake`:
     * what would be lost by who is signed out now, or NULL. */
    enum guard_says (*tutor)(void *context, struct line_reader *in, const char *stake);
};

/* What to do with an unfinished session. */
enum resume_wish { WISH_ASK, WISH_RESUME, WISH_RESTART, WISH_ANEW };

struct application {
    struct store *store;
    struct library *library;
    struct clock clock;
    struct presenter presenter;
    struct practice_options options; /* packs, learner and wishes of the next session */
    enum resume_wish wish;
    bool exam;                 /* an exam of options' packs, in the place of a practice */
    int exam_minutes;          /* 0: what the packs say */
    int theme, signs;          /* enum terminal_theme; enum sign_set or −1 */
    bool large;                /* the screens, for who can't read small print */
    const struct guard *guard; /* NULL: no kiosk */
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

/*
 * The same for one who signed in at a kiosk, on the guard's terminal: first what they left unfinished, if
 * anything, then the guard's offers, until they sign out or the guard says so. *hung_up: the terminal is
 * gone.
 */
bool screens_serve(struct application *application, bool *hung_up, struct error *error);

/* Exams of anybody whose time is up are handed in, and this is said on standard error: for whoever has just
 * opened the store to write in it. */
void application_hand_in(struct store *store, struct clock clock);

#endif
