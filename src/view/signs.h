/*
 * The signs a screen is drawn with, one set a kind of terminal: all are text of known width, none means
 * anything by colour. A sign of one set is as wide as its partner (on as off), so that nothing moves when it
 * changes.
 */
#ifndef VIEW_SIGNS_H
#define VIEW_SIGNS_H

#include <quiztutor/view.h>

struct signs {
    const char *off, *on, *box_off, *box_on; /* a choice, of one or of many */
    const char *right, *wrong, *cursor;
    const char *lifted;              /* an item that moves with the cursor */
    const char *blank, *star, *flag; /* left out on purpose; marks of a question */
    const char *minus;
    const char *more, *less;  /* the text goes on below, above */
    const char *done, *rest;  /* the progress bar */
    const char *full, *empty; /* bars of shares */
    const char *rule, *upright;
    const char *dot, *ellipsis;
    const char *up, *down, *left, *right_arrow; /* names of the arrow keys */
};

const struct signs *signs_of(enum sign_set set);

#endif
