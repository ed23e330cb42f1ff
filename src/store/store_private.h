/*
 * What the implementations of store.h share: the table of operations, and the bases they extend. store.c
 * checks all arguments before it calls an operation.
 */
#ifndef QUIZTUTOR_STORE_PRIVATE_H
#define QUIZTUTOR_STORE_PRIVATE_H

#include "scheduling.h"
#include "surroundings.h"

#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>
#include <quiztutor/store.h>

/* Beyond the public ones: QUERY_NAMES () learner_id, name, by name: what an unknown name is compared with.
 * And in SQLite the same queries asked otherwise, each by its own index. */
enum {
    QUERY_NAMES = STORE_QUERIES,
    QUERY_CLASS_GROUP,
    QUERY_STUCK_GROUP,
    QUERY_STUCK_LEARNER,
    QUERY_ATTEMPTS_PACK,
    QUERY_ATTEMPTS_GROUP,
    QUERY_ATTEMPTS_LEARNER,
    QUERY_LOG_PACK,
    QUERY_LOG_GROUP,
    QUERY_LOG_LEARNER,
    QUERY_ANSWERS_PACK,
    QUERY_ANSWERS_GROUP,
    QUERY_ANSWERS_LEARNER,
    QUERY_UNDONE_GROUP,
    QUERY_UNDONE_LEARNER,
    QUERIES
};

struct intake;
struct intake_count;
typedef bool store_visit(void *context, const char *element);

struct store_ops {
    void (*close)(struct store *store);
    /* `key` is the folded name. 1: found, 0: none, −1: an error. */
    int (*find_learner)(struct store *store, const char *login, const char *key, struct arena *arena,
                        struct store_learner *learner, struct error *error);
    /* One of attempt and event is NULL; session may be NULL with an event. A session met for the first time
     * must pass store_session_key. */
    bool (*add)(struct store *store, struct store_session *session, const struct store_attempt *attempt,
                const struct store_event *event, bool *created, struct error *error);
    bool (*rows_open)(struct rows **rows, struct store *store, int query,
                      const struct store_value *parameters, int count, struct error *error);
    int (*rows_step)(struct rows *rows, struct error *error);
    struct store_value (*rows_value)(struct rows *rows, int column);
    void (*rows_close)(struct rows *rows);
    bool (*json_each)(struct store *store, const char *json, const char *path, store_visit *visit,
                      void *context, struct error *error);
    bool (*hold)(struct store *store, const struct uuid *session_id, struct error *error);
    void (*release)(struct store *store, const struct uuid *session_id);
    bool (*check)(struct store *store, struct error *error);
    bool (*add_session)(struct store *store, struct store_session *session, const struct store_text *texts,
                        int count, bool *created, struct error *error);
    bool (*hand_in)(struct store *store, struct store_session *session, const struct store_attempt *attempts,
                    int count, const struct store_event *event, int64_t last_seq, bool *already,
                    struct error *error);
    bool (*reopen)(struct store *store, const struct store_reopening *reopening, struct error *error);
    bool (*add_events)(struct store *store, const struct store_event *events, ptrdiff_t count,
                       struct error *error);
    int (*schedule)(struct store *store, const struct uuid *learner, const char *pack_id,
                    const char *question_id, struct store_schedule *out, struct error *error);
    bool (*overturned)(struct store *store, const struct hash *content, const char *body, bool *overturned,
                       struct error *error);
    bool (*parameters)(struct store *store, const struct uuid *learner, struct fsrs_parameters *parameters,
                       int *fitted, struct error *error);
    /* learner: zero for everyone */
    bool (*set_parameters)(struct store *store, const struct uuid *learner,
                           const struct fsrs_parameters *parameters, const char *report, struct error *error);
    /* learner NULL: everyone's */
    bool (*histories)(struct store *store, const struct uuid *learner, store_history_visit *visit,
                      void *context, struct error *error);
    bool (*rebuild)(struct store *store, struct store_rebuild *report, struct error *error);
    bool (*set_member)(struct store *store, const struct uuid *learner, const char *key, const char *name,
                       bool in, struct error *error);
    /* intake.h; NULL where nothing can be taken in */
    bool (*intake_begin)(struct intake **intake, struct store *store, struct error *error);
    bool (*submission)(struct buffer *out, struct store *store, const struct uuid *learner,
                       struct intake_count *count, struct error *error);
    /* By its key: 1 with *group, 0, −1; NULL where all groups are looked through. */
    int (*find_group)(struct store *store, const char *key, struct arena *arena, struct store_group *group,
                      struct error *error);
    /* store_state_begin and _end; NULL where nothing is needed for it */
    bool (*state_begin)(struct store *store, const struct uuid *learner, const char *group,
                        struct error *error);
    void (*state_end)(struct store *store);
    const struct roster_ops *roster; /* roster_private.h */
    const struct sheet_ops *sheets;  /* sheet_private.h */
    const struct pin_ops *pins;      /* pin_private.h */
};

struct store {
    const struct store_ops *ops;
    struct clock clock;
    struct uuid device, boot;
    bool has_boot;
    struct scheduling scheduling;
    char *warning;
};

struct rows {
    struct store *store;
    int columns;
};

/* One row for each query: its parameters, a letter each (u uuid, v uuid or null, h hash, i integer, n integer
 * or null, t text, s text or null, o JSON or null), and its columns. */
struct query_row {
    const char *parameters;
    int columns;
    uint64_t texts; /* columns that are texts, a bit each; 0: any may be */
};
extern const struct query_row query_rows[QUERIES];

/* Columns of QUERY_KNOWN and QUERY_DUE, which rows_schedule reads. */
enum known_column {
    KNOWN_QUESTION,
    KNOWN_REVISION,
    KNOWN_CONTENT,
    KNOWN_PHASE,
    KNOWN_STEP,
    KNOWN_STABILITY,
    KNOWN_DIFFICULTY,
    KNOWN_ANSWERS,
    KNOWN_LAPSES,
    KNOWN_RUN,
    KNOWN_RUN_DAY,
    KNOWN_LAST_AT,
    KNOWN_LAST_DAY,
    KNOWN_DUE_DAY,
    KNOWN_DUE_AT,
    KNOWN_INTERVAL,
    KNOWN_OUTCOME,
    KNOWN_ANSWERED_AT,
    KNOWN_COUNTED,
    KNOWN_RIGHT,
    KNOWN_STARRED,
    KNOWN_SUSPENDED,
    KNOWN_COLUMNS
};

/* Validates a session and gives the folded name of its learner (memory_free), the key that names are compared
 * by; NULL with the reason. */
char *store_session_key(const struct store_session *session, struct error *error);

/* What both implementations refuse: ERROR_INPUT with what is wrong. */
bool store_validate_session(const struct store_session *session, struct error *error);
bool store_validate_attempt(const struct store_attempt *attempt, struct error *error);
bool store_validate_event(const struct store_event *event, struct error *error);
bool store_validate_text(const struct store_text *text, struct error *error);

/* True for UTF-8 and not NULL. */
bool store_is_text(const char *text);

/* True when the text is one JSON value (RFC 8259) and nests at most JSON_DEPTH deep. */
enum { JSON_DEPTH = 100 };
bool json_valid(const char *text);

/* store_open with other surroundings, and the implementation behind it. */
bool sqlite_store_open(struct store **store, const char *path, const struct store_options *options,
                       const struct surroundings *around, struct error *error);

/* JSON reading on any connection to SQLite; `reader` NULL until first used. */
struct grading;
struct json_reader;
bool json_reader_each(struct json_reader **reader, const char *json, const char *path, store_visit *visit,
                      void *context, struct error *error);
bool json_reader_overturned(struct json_reader **reader, const char *old_body, const char *body,
                            bool *overturned, struct error *error);
/* What a `starred` or `suspended` event says; *is false where its body says nothing of the kind. */
bool json_reader_mark(struct json_reader **reader, const char *body, bool *is, struct buffer *pack,
                      struct buffer *question, bool *on, struct error *error);
/* What a `regraded`, `voided` or `accepted` event says: what it does not say stays as it is in *grading. */
bool json_reader_grading(struct json_reader **reader, const char *body, struct grading *grading,
                         struct error *error);
/* The text at a path; empty where there is none (*is false). */
bool json_reader_text(struct json_reader **reader, const char *body, const char *path, bool *is,
                      struct buffer *text, struct error *error);
void json_reader_destroy(struct json_reader *reader);

#endif
