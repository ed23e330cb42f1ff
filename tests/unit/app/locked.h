/*
 * Processes that lock themselves in, for tests: each job runs in a child of its own, which is the test build
 * that calls what a kiosk never does. A place is a small machine: a data folder, packs, a configuration and
 * somebody else's home, all of it writable by anybody, so that only the lock can be what refuses.
 */
#ifndef QUIZTUTOR_TESTS_LOCKED_H
#define QUIZTUTOR_TESTS_LOCKED_H

#include "lock_private.h"

#include <stdbool.h>
#include <sys/types.h>

struct place {
    char root[64], data[96], packs[96], config[96], home[96];
};
void place_make(struct place *place);
void place_remove(const struct place *place);
/* Writes a file below the root; place_put is for steps of jobs, place_write fails the test. */
bool place_put(const struct place *place, const char *name, const char *text);
void place_write(const struct place *place, const char *name, const char *text);

struct locked_way {
    bool locked;
    int abi;            /* of Landlock at most */
    int landlock_error; /* the kernel answers this to Landlock; 0: what it does answer */
    int filter_error;   /* likewise to seccomp */
    bool ordinary;      /* as an ordinary user, where the test runs as root */
};

/* What a job sees. `fd` is what it opened before the lock. */
struct job {
    const struct place *place;
    struct lock_report report;
    int fd;
};
typedef int job_step(struct job *job);

enum { ENDED_BY_SIGNAL = 256, JOB_BROKEN = 250, NOT_HERE = 249 };

/* Runs `before` (may be NULL), the lock, and `step`, in a child. What `step` returned, 0 to 255, or
 * ENDED_BY_SIGNAL and the signal. JOB_BROKEN: the lock could not be set up. */
int locked_run(const struct place *place, const struct locked_way *way, job_step *before, job_step *step);

/* In a step: says what does not hold, and where, and ends the child with 1. */
void job_check(bool holds, const char *what, int line);
#define job_expect(holds) job_check((holds), #holds, __LINE__)

#endif
