/*
 * A kernel that can lock nobody in, for tests: what asks for Landlock or for a filter of system calls is told
 * that there is none, and whether a process can be looked into is none of its business. The program goes on
 * without a sandbox of its own, so what it does is its own doing, and the leak checker can run in it.
 */
#ifndef QUIZTUTOR_TESTS_BARE_H
#define QUIZTUTOR_TESTS_BARE_H

#include <stdbool.h>

/* For this process and what it becomes; false where that can't be had. */
bool bare_kernel(void);

#endif
