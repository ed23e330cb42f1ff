/*
 * What the tests of the store share: a folder of their own, and sessions, answers and events to store. Ids
 * come from a counter, so that a test can name them again.
 */
#ifndef QUIZTUTOR_TESTS_STORE_FIXTURE_H
#define QUIZTUTOR_TESTS_STORE_FIXTURE_H

#include "store_private.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
/* after the above */
#include <cmocka.h>

enum { FIXTURE_PATH = 400 };

struct fixture {
    char folder[FIXTURE_PATH]; /* made by fixture_start, gone with fixture_end */
    char path[FIXTURE_PATH + 16];
    struct clock_fake time;
    struct store_options options;
    struct surroundings around; /* the system's, unless a test changes it */
    struct error error;
};

void fixture_start(struct fixture *fixture);
void fixture_end(struct fixture *fixture);

/* For tests that make thousands of stores: from now on in a file system in memory, where there is one. */
void fixture_in_memory(void);

/* Opens fixture->path with fixture's options and surroundings; fails the test when that fails. */
struct store *fixture_open(struct fixture *fixture);

struct uuid fixture_id(int number); /* the same number, the same id; 0 is the zero id */
struct store_session fixture_session(int number, int learner, const char *name);
struct store_attempt fixture_attempt(int number, const char *question, enum outcome outcome);
struct store_event fixture_event(int number, const char *kind, int attempt);

/* Stores and fails the test when that fails. */
void fixture_add(struct store *store, struct store_session *session, const struct store_attempt *attempt);
void fixture_tell(struct store *store, struct store_session *session, const struct store_event *event);

/* All rows of a query as text: columns parted by `|`, rows by newlines, null as `-`, a fixture's id as
 * #number. The caller frees it with memory_free. NULL on an error. */
char *fixture_query(struct store *store, enum store_query query, const struct store_value *parameters,
                    int count, struct error *error);

/* Runs SQL on the file through a connection of its own, as a stranger would; the first column of the first
 * row, -1 for none. Fails the test on an error. */
int64_t fixture_sql(const char *path, const char *sql);

/* Makes a store as the release left it that knew versions up to `version`, which no function of today's can:
 * one right answer (10) to tour/q1, in session 1 of Anna (2). */
void fixture_make_old(const char *path, int version);

/* Rebuilds all schedules; fails the test unless they were as the log says. */
void fixture_expect_in_step(struct store *store);

/* The bytes of a file; the caller frees them. NULL with *length -1 where there is none. */
unsigned char *fixture_read(const char *path, ptrdiff_t *length);
void fixture_write(const char *path, const void *bytes, ptrdiff_t length);

/* `path` with an ending, in a static buffer good for the next call only. */
const char *fixture_beside(const char *path, const char *ending);

#endif
