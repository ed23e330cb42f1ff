/*
 * One run of the screens: the view's state, and what stands behind it. screens.c is the home screen and
 * a practice from beginning to end, screens_turn.c its turns, screens_exam.c exams, screens_guard.c what is
 * otherwise in a kiosk. Each function that
 * returns false has ended the run, with the reason in screens->error. Private to app.
 */
#ifndef QUIZTUTOR_SCREENS_H
#define QUIZTUTOR_SCREENS_H

#include "reply.h"

#include <quiztutor/application.h>
#include <quiztutor/terminal.h>

struct screens {
    struct application *application;
    struct terminal *terminal;
    struct grid grid;
    struct view view;
    struct practice practice;
    struct practice_unfinished unfinished;
    const struct pack *chosen[1]; /* the pack practised from the home screen */
    const char *learner;          /* typed on the home screen; in name */
    char name[VIEW_FIELD];
    char notice[700], resume_note[1000];
    char remark[REPLY_REMARK];    /* beside what is typed */
    char created[VIEW_FIELD * 2]; /* a learner made in this run, told once the terminal is restored */
    enum screen came_from;        /* SCREEN_PROGRESS was opened from there */
    bool practising;              /* practice is initialised */
    bool examining;               /* an exam is on hand: screens_exam.c performs what belongs to it */
    struct sitting sitting;       /* while examining */
    struct sitting_open open;
    bool handing_in; /* it could not be stored, and is tried again */
    bool done, hung_up;
    struct error error; /* what ended the run, if it failed */
};

bool screens_fail(struct screens *screens);
void screens_notice(struct screens *screens, const char *text);
/* What was to be stored is not, nor is it kept until it can be: so it is told, and made again. True. */
bool screens_lost(struct screens *screens, const struct error *error);

/* Goes to a screen; what was typed before it appeared is no answer to it. */
void screens_show(struct screens *screens, enum screen screen);

/* Learner and options are taken anew for what is to be practised. */
bool screens_init_practice(struct screens *screens);

/* Starts a practice of the application's packs; asks first where something is unfinished. */
bool screens_practise(struct screens *screens, enum resume_wish wish);

/* In a kiosk (screens_guard.c): the offers in the place of the library; one of them is chosen; what was left
 * unfinished is gone on with; each input, and what was typed as a tutor's code. */
bool screens_guard_home(struct screens *screens, const struct store_learner *learner);
bool screens_guard_choose(struct screens *screens, int row);
bool screens_guard_begin(struct screens *screens);
bool screens_guard_takes(struct screens *screens, struct input *input);
bool screens_guard_code(struct screens *screens);

/* Ends the practice or exam on hand and goes to the library. */
bool screens_home(struct screens *screens);

/* The question on show, or the summary when nothing is left; the result of the last answer; the summary. */
bool screens_question(struct screens *screens);
bool screens_result(struct screens *screens);
bool screens_summary(struct screens *screens);

/* Effects that are turns of the practice (screens_turn.c). */
bool screens_take_turn(struct screens *screens, const struct effect *effect);

/*
 * Exams (screens_exam.c). screens_exam_begin takes application->options' packs, asks first (OVERLAY_EXAM) or
 * goes on with an open one, and sets `examining`. While that is set, screens_exam_perform gets every effect
 * but those that end the run, change learner or library, or belong to the terminal; EFFECT_BEGIN_EXAM and
 * what else only exams have, always. screens_exam_tick is called before each draw while `examining`, once a
 * second where nothing is typed. screens_exam_end lets go of the exam, and clears it.
 */
bool screens_exam_begin(struct screens *screens);
bool screens_exam_perform(struct screens *screens, const struct effect *effect);
void screens_exam_tick(struct screens *screens);
void screens_exam_end(struct screens *screens);

#endif
