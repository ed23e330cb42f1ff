/*
 * What the implementations of store.h share: the table of operations, and the bases they extend. store.c
 * checks all arguments before it calls an operation.
 */
#ifndef QUIZTUTOR_STORE_PRIVATE_H
#define QUIZTUTOR_STORE_PRIVATE_H

#include "surroundings.h"

#include <quiztutor/memory.h>
#include <quiztutor/store.h>

/* Beyond the public ones: QUERY_NAMES () learner_id, name, by name: what an unknown name is compared with. */
enum { QUERY_NAMES = STORE_QUERIES, QUERIES };

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
};

struct store {
    const struct store_ops *ops;
    struct clock clock;
    struct uuid device, boot;
    bool has_boot;
    char *warning;
};

struct rows {
    struct store *store;
    int columns;
};

/* One row for each query: its parameters, a letter each (u uuid, i integer, t text, o text or null), and its
 * columns. */
struct query_row {
    const char *parameters;
    int columns;
};
extern const struct query_row query_rows[QUERIES];

/* Validates a session and gives the folded name of its learner (memory_free), the key that names are compared
 * by; NULL with the reason. */
char *store_session_key(const struct store_session *session, struct error *error);

/* What both implementations refuse: ERROR_INPUT with what is wrong. */
bool store_validate_session(const struct store_session *session, struct error *error);
bool store_validate_attempt(const struct store_attempt *attempt, struct error *error);
bool store_validate_event(const struct store_event *event, struct error *error);

/* True for UTF-8 and not NULL. */
bool store_is_text(const char *text);

/* True when the text is one JSON value (RFC 8259) and nests at most JSON_DEPTH deep. */
enum { JSON_DEPTH = 100 };
bool json_valid(const char *text);

/* store_open with other surroundings, and the implementation behind it. */
bool sqlite_store_open(struct store **store, const char *path, const struct store_options *options,
                       const struct surroundings *around, struct error *error);

/* JSON reading on any connection to SQLite; `reader` NULL until first used. */
struct json_reader;
bool json_reader_each(struct json_reader **reader, const char *json, const char *path, store_visit *visit,
                      void *context, struct error *error);
void json_reader_destroy(struct json_reader *reader);

#endif
