/*
 * What a locked process tries, by name: a step says 0 where it worked, else the error it met.
 */
#ifndef QUIZTUTOR_TESTS_ESCAPE_H
#define QUIZTUTOR_TESTS_ESCAPE_H

#include "locked.h"

/* Which half of the lock refuses it, alone if need be. */
enum by { BY_FOLDERS = 1, BY_CALLS = 2, BY_BOTH = 3 };

struct attempt {
    const char *name;
    enum by by;
    job_step *before, *step; /* before the lock (may be NULL), and behind it */
};

/* A row without a name ends each. */
extern const struct attempt escape_files[], escape_calls[], escape_terminal[];

int escape_outcome(bool done); /* 0, else errno */
int escape_opened(int fd);     /* the same for a descriptor, which is closed */

#endif
