/*
 * An error is a value: what kind of failure, and one sentence for a person. Functions that can fail return
 * false (or an enum) and fill the caller's struct error; nothing below app prints, nothing below cli exits.
 * The struct owns its text, so it can be copied and kept; a NULL pointer is accepted everywhere and means
 * "not interested".
 */
#ifndef QUIZTUTOR_ERROR_H
#define QUIZTUTOR_ERROR_H

#include <stdarg.h>
#include <stdbool.h>

enum error_code {
    ERROR_NONE = 0,
    ERROR_MEMORY,      /* no memory */
    ERROR_NOT_FOUND,   /* a file, pack, learner or row that is not there */
    ERROR_INPUT,       /* content or text that breaks a rule */
    ERROR_IO,          /* the operating system said no */
    ERROR_FULL,        /* no room on the disk */
    ERROR_READ_ONLY,   /* may be read, may not be written */
    ERROR_BUSY,        /* somebody else holds it, for longer than we wait */
    ERROR_NEWER,       /* made by a later release: left untouched */
    ERROR_DAMAGED,     /* not what it claims to be, or broken */
    ERROR_USAGE,       /* the command line is wrong */
    ERROR_INTERRUPTED, /* a signal or a hang-up */
    ERROR_CLOSED,      /* nobody reads the output any more: ends without a word */
};

struct error {
    enum error_code code;
    char message[640]; /* UTF-8, lower case, no full stop; ready to stand after "quiztutor: " */
};

/* Fills *error (when not NULL) and returns false, so that `return error_set(…)` reads well. */
bool error_set(struct error *error, enum error_code code, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));

/* The same with a va_list. */
bool error_setv(struct error *error, enum error_code code, const char *format, va_list arguments)
    __attribute__((format(printf, 3, 0), cold));

/* "out of memory", the one message that needs no formatting. Returns false. */
bool error_memory(struct error *error) __attribute__((cold));

/* Puts `prefix: ` before a message already set. Returns false. */
bool error_prefix(struct error *error, const char *prefix);

#endif
