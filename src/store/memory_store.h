/*
 * The store in memory, for tests: what SQLite keeps in tables is kept in lists here. It must answer exactly
 * as the other does; one suite of tests runs over both.
 */
#ifndef QUIZTUTOR_STORE_MEMORY_STORE_H
#define QUIZTUTOR_STORE_MEMORY_STORE_H

#include "fold.h"
#include "store_private.h"

#include <quiztutor/pin.h>
#include <quiztutor/sheet_record.h>

struct memory_learner {
    struct uuid id;
    const char *name, *key, *login, *external_id;
    double time_factor;
    int plain; /* enum roster_reading */
};

/* Who was merged into another: still known by id, name, login and external id. */
struct memory_merged {
    struct memory_learner was;
    struct uuid into; /* who is there */
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
    const char *pack_id, *question_id, *revision, *response, *shown, *origin;
    struct hash content;
    enum outcome outcome;
    double mark, marks;
    uint32_t seed;
    int showing, hints, certainty;
    bool retried;
    int64_t elapsed_ms, answered_at;
    int utc_offset_s;
};

struct memory_event {
    struct uuid id, session, attempt, learner;
    int64_t seq, at;
    const char *kind, *body;
    int utc_offset_s;
    const char *pack_id, *question_id; /* what is starred or suspended; NULL: nothing */
    bool on;
};

struct memory_member {
    const char *key, *name;
    struct uuid learner;
};

struct memory_text {
    struct hash content;
    const char *pack_id, *question_id, *revision, *body;
};

struct memory_parameters {
    struct uuid learner; /* zero: everyone */
    struct fsrs_parameters parameters;
    int64_t made_at;
};

struct memory_pin {
    struct uuid who; /* zero: the tutor's code */
    bool set;
    char kept[SECRET_TEXT];
    struct pin_count count;
};

struct memory_store {
    struct store base;
    struct arena texts; /* of all lists */
    struct memory_learner *learners;
    struct memory_merged *merged;
    ptrdiff_t merged_count, merged_capacity;
    struct memory_session *sessions;
    struct memory_attempt *attempts;
    struct memory_event *events;
    struct memory_text *bodies;
    struct memory_parameters *parameters;
    struct memory_member *members;
    struct sheet_record *sheets;
    struct sheet_source *sources; /* each used by a sheet */
    ptrdiff_t sheet_count, sheet_capacity, source_count, source_capacity;
    struct memory_pin *pins;
    ptrdiff_t pin_count, pin_capacity;
    ptrdiff_t member_count, member_capacity;
    ptrdiff_t body_count, body_capacity, parameters_count, parameters_capacity;
    ptrdiff_t learner_count, learner_capacity, session_count, session_capacity;
    ptrdiff_t attempt_count, attempt_capacity, event_count, event_capacity;
    int64_t next_seq;
    struct json_reader *reader;
};

/* True unless the attempt was taken back. */
bool memory_counts(const struct memory_store *store, const struct memory_attempt *attempt);

const char *memory_body(const struct memory_store *store, const struct hash *content); /* NULL: not known */

/* Whether an earlier answer to the question in its session was taken back. */
bool memory_is_helped(const struct memory_store *store, const struct memory_attempt *attempt);

/* The newest grading of an attempt: the event's kind, NULL: as it was answered. */
bool memory_grading(struct memory_store *store, const struct memory_attempt *attempt, struct grading *grading,
                    const char **kind, struct error *error);

/* memory_schedule.c: every schedule is folded from the log whenever it is asked for, so that it checks the
 * store that keeps them up. */
struct memory_question {
    struct uuid learner;
    const char *pack_id, *question_id;
};
bool memory_fold(struct memory_store *store, const struct memory_question *question, struct fold *fold,
                 struct error *error);
/* The questions that a learner (NULL: anyone) answered or marked, of a pack (NULL: any), in the order of
 * their keys. memory_free. */
bool memory_questions(struct memory_store *store, const struct uuid *learner, const char *pack_id,
                      struct memory_question **questions, ptrdiff_t *count, struct error *error);
int memory_schedule(struct store *store, const struct uuid *learner, const char *pack_id,
                    const char *question_id, struct store_schedule *out, struct error *error);
bool memory_overturned(struct store *store, const struct hash *content, const char *body, bool *overturned,
                       struct error *error);
bool memory_parameters(struct store *store, const struct uuid *learner, struct fsrs_parameters *parameters,
                       int *fitted, struct error *error);
bool memory_set_parameters(struct store *store, const struct uuid *learner,
                           const struct fsrs_parameters *parameters, const char *report, struct error *error);
bool memory_histories(struct store *store, const struct uuid *learner, store_history_visit *visit,
                      void *context, struct error *error);
bool memory_rebuild(struct store *store, struct store_rebuild *report, struct error *error);

/* memory_query.c: rows are all made at once, when a query is opened. */
bool memory_rows_open(struct rows **rows, struct store *store, int query,
                      const struct store_value *parameters, int count, struct error *error);
int memory_rows_step(struct rows *rows, struct error *error);
struct store_value memory_rows_value(struct rows *rows, int column);
void memory_rows_close(struct rows *rows);

#endif
