/*
 * A kiosk's conversation in lines. kiosk_lines.c is a learner's, from sign-in to sign-out, kiosk_lines_menu.c
 * a tutor's. Private to app.
 */
#ifndef QUIZTUTOR_APP_KIOSK_LINES_H
#define QUIZTUTOR_APP_KIOSK_LINES_H

#include "kiosk.h"
#include "lines.h"

#include <termios.h>

/* Over the terminal, whose keys mean nothing but themselves while it lasts. */
struct talk {
    struct kiosk *kiosk;
    struct line_reader own, *in; /* in: the one that lines come from now */
    struct buffer out;
    struct termios before;
    bool restores;
    bool visit;         /* the screens have made room for it */
    bool leaves;        /* the visitor wants them back */
    struct lines lines; /* for what a guard tells who is idle */
};

/* Sends what is in talk->out; false: nobody is there any more. */
bool talk_say(struct talk *talk);

/* The next line, "" for one that is too long; NULL: `over` said so, or it is over (kiosk->hung_up). A secret
 * is not shown while it is typed, from before its prompt is sent on; talk_forget leaves nothing of it in
 * memory. */
const char *talk_hear(struct talk *talk, bool (*over)(void *));
const char *talk_hear_secret(struct talk *talk, bool (*over)(void *));
void talk_forget(struct talk *talk);

/* The tutor's code, and the menu behind it, over lines from `in`. Says whether who is signed in stays so. */
enum guard_says talk_tutor(struct talk *talk, struct line_reader *in, const char *stake);

#endif
