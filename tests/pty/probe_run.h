/*
 * What the tests that drive the probe share: its start, and asking what inputs it has seen.
 */
#ifndef QUIZTUTOR_TESTS_PROBE_RUN_H
#define QUIZTUTOR_TESTS_PROBE_RUN_H

#include "pty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>

/* The first argument is the probe's path, a second one multiplies the rounds of tests that have rounds. */
void probe_arguments(int count, char **arguments);
extern int probe_rounds;

/* Starts it (the program is filled in) and waits until its first screen is there. */
struct pty *probe_start(struct pty_options options);
struct pty *probe_launch(struct pty_options options); /* without waiting */

/* Until its second row shows just these inputs, as the probe names them: " Up 1 Enter". */
void probe_saw(struct pty *pty, const char *inputs);

/* Ends it by `q` and looks at its status. */
void probe_quit(struct pty *pty);

#endif
