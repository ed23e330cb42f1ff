/*
 * How a store is doing, for monitoring: looked at while others use it, by a store opened with `reading`, and
 * never written to.
 */
#ifndef QUIZTUTOR_HEALTH_H
#define QUIZTUTOR_HEALTH_H

#include <quiztutor/store.h>

/* Whether one long-running program (run.h) is up on the store now. */
enum health_running {
    HEALTH_STOPPED,
    HEALTH_RUNNING,
    HEALTH_NOT_TOLD, /* the lock file may not be read by this user */
};

struct health {
    int64_t schema;          /* version of the file, as it was opened */
    int64_t last_attempt_at; /* ms since 1970: of the attempt stored last; 0: there is none */
    int64_t newest_at;       /* ms since 1970: of the attempt or event stored last; 0: there is none */
    enum health_running running;
    int unclean;        /* runs, of the newest thousands of notes, that did not end as they should */
    int64_t unclean_at; /* ms since 1970: when the newest of them was noticed, or began; 0: there is none */
    bool whole;         /* all of the store was looked through within the time given */
    char damage[200];   /* what was found; "" nothing */
};

/*
 * Looks through the store (PRAGMA quick_check) for at most so many milliseconds, and reads the rest, which
 * takes a moment whatever its size. What is damaged is no error but a finding, also where it keeps the rest
 * from being read. False with ERROR_BUSY, ERROR_IO, ERROR_MEMORY.
 */
bool health_look(struct health *health, struct store *store, int milliseconds, struct error *error);

/* Whether this is a type (statfs.f_type) of file systems that other machines may write to. */
bool health_network(unsigned long type);

#endif
