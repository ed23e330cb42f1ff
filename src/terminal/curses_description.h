/*
 * What terminfo knows of the terminal: by which name to open it, and the bytes that give it back in a hurry.
 */
#ifndef QUIZTUTOR_CURSES_DESCRIPTION_H
#define QUIZTUTOR_CURSES_DESCRIPTION_H

#include <quiztutor/error.h>

/* The name to open the terminal by, $TERM or xterm-256color in its stead; NULL with the reason when it can't
 * place a cursor or nothing is known of it. */
const char *description_name(struct error *error);

/* Of the terminal that is open: its control sequences begin with ESC [, so that some that terminfo does not
 * name can be sent as well. */
bool description_is_ansi(void);

/* Of the terminal that is open: what leaves attributes, hidden cursor, keypad mode and the second screen.
 * Returns the bytes written, at most size. */
int description_restore(char *bytes, int size);

#endif
