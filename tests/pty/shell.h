/*
 * As much of a shell as job control needs: one foreground job, its stops noticed, the terminal taken
 * meanwhile with its modes as before, and given back when the test says so.
 */
#ifndef QUIZTUTOR_TESTS_SHELL_H
#define QUIZTUTOR_TESTS_SHELL_H

#include <stdbool.h>
#include <sys/types.h>

struct shell {
    int to[2], from[2];
    pid_t program;
};

bool shell_prepare(struct shell *shell);

/* In the session's leader: true in the process that is to become the program; in the shell itself it returns
 * false when the program has ended. */
bool shell_lead(struct shell *shell);

/* In the test. */
bool shell_begin(struct shell *shell);             /* waits until the program's process exists */
bool shell_hear(struct shell *shell, int *status); /* a wait status, without waiting; false: no news */
void shell_continue(struct shell *shell);
void shell_finish(struct shell *shell);

#endif
