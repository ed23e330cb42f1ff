/*
 * The way back to a kiosk's sign-in, by keys alone, from whatever is on the screen.
 */
#ifndef QUIZTUTOR_TESTS_HOME_H
#define QUIZTUTOR_TESTS_HOME_H

#include "pty.h"

bool home_reached(struct pty *pty);

/* What to type next; `step` counts, since from a screen that is not known different keys are tried. */
const char *home_keys(struct pty *pty, int step);

#endif
