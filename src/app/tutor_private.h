/*
 * The two ways to walk through reports. Private to app.
 */
#ifndef QUIZTUTOR_TUTOR_PRIVATE_H
#define QUIZTUTOR_TUTOR_PRIVATE_H

#include <quiztutor/tutor.h>

/* As tutor_run. */
bool tutor_screens(const struct tutor *tutor, int *signal, struct error *error);
bool tutor_lines(const struct tutor *tutor, struct error *error);

#endif
