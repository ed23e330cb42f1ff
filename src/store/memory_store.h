/*
 * The store in memory, for tests: what SQLite keeps in tables is kept in lists here. It must answer exactly
 * as the other does; one suite of tests runs over both.
 */
#ifndef QUIZTUTOR_STORE_MEMORY_STORE_H
#define QUIZTUTOR_STORE_MEMORY_STORE_H

#include "store_private.h"

struct memory_learner {
    struct uuid id;
    const char *name, *key, *login;
};

struct memory_session {
    struct uuid id, learner;
    int64_t seq;
    const char *kind, *origin, *options, *plan;
    uint32_t seed;
    int64_t started_at;
    int utc_offset_s;
};

struct memory_attempt {
    struct uuid id, session, learner;
    int64_t seq;
    const char *pack_id, *question_id, *response;
    enum outcome outcome;
    double mark, marks;
    int showing, hints;
    int64_t answered_at;
};

struct memory_event {
    struct uuid id, session, attempt;
    int64_t seq;
    const char *kind, *body;
};

struct memory_store {
    struct store base;
    struct arena texts; /* of all lists */
    struct memory_learner *learners;
    struct memory_session *sessions;
    struct memory_attempt *attempts;
    struct memory_event *events;
    ptrdiff_t learner_count, learner_capacity, session_count, session_capacity;
    ptrdiff_t attempt_count, attempt_capacity, event_count, event_capacity;
    int64_t next_seq;
    struct json_reader *reader;
};

/* True unless the attempt was taken back. */
bool memory_counts(const struct memory_store *store, const struct memory_attempt *attempt);

/* memory_query.c: rows are all made at once, when a query is opened. */
bool memory_rows_open(struct rows **rows, struct store *store, int query,
                      const struct store_value *parameters, int count, struct error *error);
int memory_rows_step(struct rows *rows, struct error *error);
struct store_value memory_rows_value(struct rows *rows, int column);
void memory_rows_close(struct rows *rows);

#endif
