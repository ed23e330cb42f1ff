/* A secret that somebody types: twice and without an echo on a terminal, as one line from anywhere else. It
 * is never an argument, and what was read is wiped as soon as it is not needed. */
#ifndef QUIZTUTOR_TYPED_H
#define QUIZTUTOR_TYPED_H

#include <quiztutor/error.h>
#include <stddef.h>

enum { TYPED_BYTES = 4100 }; /* more than any secret has; of a longer line these */

struct typed {
    char bytes[TYPED_BYTES]; /* any, without the line's end */
    ptrdiff_t length;
};

/* `prompt` is shown on standard error. False with nothing in *typed: the two differ, nothing came, or a
 * signal asked to end (ERROR_CLOSED, without a word). typed_wipe either way. */
bool typed_read(struct typed *typed, const char *prompt, struct error *error);
void typed_wipe(struct typed *typed);

/* Asks for a tutor's code and prints the line `tutor_code: …` of kiosk.yaml on standard output: what
 * `kiosk --code` and `learner pin --code` do. */
bool typed_code_line(struct error *error);

#endif
