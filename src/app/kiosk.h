/*
 * One run of a kiosk. kiosk.c goes from learner to learner, kiosk_load.c reads what it is told, kiosk_store.c
 * opens the store, kiosk_people.c knows who may sign in, kiosk_sign_in.c is the sign-in, kiosk_serve.c the
 * guard of who is signed in, kiosk_menu.h the tutor's menu, kiosk_lines.h all of it in lines; kiosk_flow.h
 * says what comes next. Private to app.
 */
#ifndef QUIZTUTOR_APP_KIOSK_H
#define QUIZTUTOR_APP_KIOSK_H

#include "kiosk_flow.h"
#include "kiosk_journal.h"

#include <quiztutor/heal.h>
#include <quiztutor/kiosk.h>
#include <quiztutor/lock.h>
#include <quiztutor/roster.h>
#include <quiztutor/run.h>
#include <quiztutor/terminal.h>
#include <quiztutor/view.h>

enum { KIOSK_TEXT = 700, KIOSK_OFFERS = KIOSK_LISTED * 2, KIOSK_VISIT_MS = 60000 };

/* A line on all screens, and the same for narrow ones (NULL: it is clipped). */
struct kiosk_banner {
    const char *whole, *brief;
};

/* Who may sign in, as the roster had it last. */
struct kiosk_learner {
    struct uuid id;
    const char *name, *external_id;
    const char **groups;
    int group_count;
    ptrdiff_t group_room;
    int plain; /* enum roster_reading */
    bool admitted;
};
struct kiosk_people {
    struct arena arena;
    struct kiosk_learner *items; /* by name */
    ptrdiff_t count, room;
    struct kiosk_person *names; /* of those who are admitted */
    ptrdiff_t name_count, name_room;
};

struct talk;

/* The file of what a sync pulled, as it was when it was last taken over, and what came of it. */
struct kiosk_pulled {
    uint64_t device, inode;
    int64_t size, seconds, nanoseconds;
    int64_t left_out, waiting;
    enum error_code refused;
    int64_t again_at; /* steady ms; 0: once there is another */
};

struct kiosk {
    struct kiosk_setup setup;
    struct kiosk_flow flow;
    struct kiosk_journal journal;
    struct kiosk_config *config;
    struct kiosk_watch *config_watch, *packs_watch;
    struct kiosk_packs *packs;
    int64_t looked_at;     /* steady ms of the last look at the files */
    int64_t back_up_at;    /* steady ms: not before that is a backup thought of */
    struct buffer trouble; /* KIOSK_CALL: why */
    struct lock_report lock;
    bool locked; /* lock_start was called */
    struct store *store;
    struct store_scheduling scheduling;
    struct heal_report healed;
    struct run run;
    bool running; /* its beginning is noted */
    struct kiosk_pulled pulled;

    struct terminal *terminal;
    struct grid grid;
    struct view view; /* of its own screens */
    struct kiosk_model model;
    char clock[16], banner[KIOSK_TEXT], note[KIOSK_TEXT], remark[KIOSK_TEXT];
    bool hung_up, again;
    bool unstored; /* the journal knows of an answer that is not */
    bool waited;   /* the note told of a wait */

    struct kiosk_people people;
    struct uuid learner;        /* who has said a name, zero: somebody new */
    char name[VIEW_FIELD];      /* as the roster has it */
    char called[VIEW_FIELD];    /* what led to them */
    char asked_new[VIEW_FIELD]; /* said once, and nobody has it */
    const char **groups;        /* of who is signed in: the people's */
    int group_count;
    int plain;       /* enum roster_reading: of the learner */
    int wanted;      /* and of whoever is at the sign-in, if they asked for it: it comes first */
    bool signed_out; /* a tutor has ended it */

    struct application application;
    struct guard guard;
    struct guard_offer *offers;
    ptrdiff_t offer_room;
    struct arena offers_arena;
    struct pin_count code_count;
    struct talk *talk; /* the conversation, while there is one */
};

int64_t kiosk_now(const struct kiosk *kiosk); /* steady ms */

/* Configuration, store, lock, packs and people, where something is missing or has changed; *changed: it was.
 * Only while nobody is signed in. What can't be had is in kiosk->trouble, and the flow knows. False: it is to
 * be started anew (kiosk->again). */
bool kiosk_load(struct kiosk *kiosk, bool *changed);
void kiosk_unload(struct kiosk *kiosk);

bool kiosk_store_open(struct kiosk *kiosk, struct error *error);
void kiosk_store_close(struct kiosk *kiosk);
/* What is to be told of it on all screens. */
struct kiosk_banner kiosk_store_banner(struct kiosk *kiosk);

/* Takes over what a sync pulled, where there is something new; true: who may sign in has changed. Only while
 * nobody is signed in. What can't be taken over is told in the journal, and tried again. */
bool kiosk_pulled_apply(struct kiosk *kiosk);

/* kiosk_backup.c: makes a backup where one is overdue and nobody is there. */
void kiosk_back_up(struct kiosk *kiosk);

bool kiosk_people_read(struct kiosk *kiosk, struct error *error);
void kiosk_people_finish(struct kiosk_people *people);
/* Before the next one signs in: the people anew, and exams whose time has run out are handed in. */
void kiosk_between(struct kiosk *kiosk);
const struct kiosk_learner *kiosk_people_find(const struct kiosk_people *people, const struct uuid *id);

/* How what is shown now is to be read, enum roster_reading: as was asked for at the sign-in, else as the
 * roster says of who has said their name. */
int kiosk_reads(const struct kiosk *kiosk);

/* Somebody is in, or out again; the journal knows. */
void kiosk_signed_in(struct kiosk *kiosk);
void kiosk_signed_out(struct kiosk *kiosk);

/* What stands on all screens follows the time. */
void kiosk_follow(struct kiosk *kiosk, bool unstored);

/* A name, as it was typed: who it is, and what comes next. A remark says why not. */
enum kiosk_answer kiosk_say_name(struct kiosk *kiosk, const char *typed, struct error *error);
/* A PIN: true when they are in; else kiosk->note says what to do, where they are still asked. */
bool kiosk_try_pin(struct kiosk *kiosk, const char *typed, struct error *error);
/* Says in kiosk->note how long the next try has to wait; "" where it need not. */
void kiosk_note_wait(struct kiosk *kiosk, int seconds);

/* Until somebody is signed in, or it ends. */
bool kiosk_sign_in(struct kiosk *kiosk, struct error *error);

/* Fills in application and guard for who is signed in. */
void kiosk_serve_set(struct kiosk *kiosk);
bool kiosk_serve(struct kiosk *kiosk, struct error *error);
bool kiosk_offers(void *context, const struct guard_offer **offers, int *count, struct error *error);

/* What a tutor said of the exam on this store: 1 open, −1 locked, 0 nothing; −2: an error. It counts from
 * some time before the exam on. */
int64_t kiosk_exam_since(const struct kiosk *kiosk, const struct kiosk_exam *exam);
int kiosk_opened(const struct kiosk *kiosk, const struct kiosk_exam *exam, struct error *error);

/* A code typed over a view: the menu, when it is right. Says whether who is signed in stays so. */
enum guard_says kiosk_code(void *context, struct view *view);
/* The menu itself, for a tutor, over the terminal, until they go back. Says the same. `stake`: what is lost
 * by who is signed out, or NULL. */
enum guard_says kiosk_menu(struct kiosk *kiosk, const char *stake);

bool kiosk_open_terminal(struct kiosk *kiosk, struct error *error);

/* All in lines, for a kiosk without screens. */
bool kiosk_lines(struct kiosk *kiosk, struct error *error);
/* In lines what comes next for one learner, who may be signed in already; then the screens are back. False
 * where they can't be. */
bool kiosk_lines_visit(struct kiosk *kiosk, struct error *error);
/* What a guard needs for lines. */
void kiosk_lines_guard(struct kiosk *kiosk);

/* Draws the view and waits for one input, at most a second; false: it is passed over. */
bool kiosk_input(struct kiosk *kiosk, struct view *view, struct input *input);

#endif
