/*
 * The store keeps learners and the log: sessions, attempts, events, append-only. Every store_add_… is one
 * transaction that is on disk when it returns true, and has changed nothing when it returns false: the same
 * call can simply be made again. Two implementations stand behind this interface: SQLite, and one in memory
 * for tests.
 *
 * A store belongs to one thread of one process. Texts and ids passed in are only read during the call. Rows
 * that are still open keep the store as it was when their first row was read: close them before something is
 * stored.
 *
 * Beside a store file lie, with its name and an ending: -wal and -shm (SQLite's log), -lock (held while
 * storing), -reserve (room given up when the disk is full, so that the store still can be read), -version-N
 * (a copy from before it was brought from version N to a later one).
 */
#ifndef QUIZTUTOR_STORE_H
#define QUIZTUTOR_STORE_H

#include <quiztutor/clock.h>
#include <quiztutor/error.h>
#include <quiztutor/hash.h>
#include <quiztutor/marking.h>

struct store;

struct store_options {
    struct clock clock;
    bool existing_only; /* never make a new store: ERROR_NOT_FOUND instead */
    const char *vfs;    /* tests: name of an SQLite VFS; NULL the default */
};

/*
 * Opens the store file at `path`, making folders (0700) and file (0600) on first use, migrating an older one
 * after a backup beside it. ERROR_NEWER, ERROR_DAMAGED ("not a quiztutor store", "damaged"), ERROR_READ_ONLY
 * only when it can't even be read, ERROR_FULL, ERROR_IO; the file is then as it was. A store that can be read
 * but not written opens: writing fails with ERROR_READ_ONLY. Any bytes are allowed in `path`.
 */
bool store_open(struct store **store, const char *path, const struct store_options *options,
                struct error *error);

/* The store in memory, gone with the process: same interface, log only. For tests, and where there is no
 * store to read. */
bool store_open_memory(struct store **store, const struct store_options *options, struct error *error);
void store_close(struct store *store);

/* A warning to tell once at the start (a network file system, a read-only file), translated, or NULL. */
const char *store_warning(const struct store *store);
void store_device(const struct store *store, struct uuid *device_id);

/* Learners. Texts of a found learner live in the caller's arena. */
struct store_learner {
    struct uuid id;
    const char *name, *login; /* login may be NULL */
};

/* `name` matches a login exactly, else a name under folding (text_fold). False with ERROR_NOT_FOUND when
 * there is none: `nearest`, when not NULL, then gets the nearest known name (in the arena) or NULL. */
bool store_find_learner(struct store *store, const char *name, struct arena *arena,
                        struct store_learner *learner, const char **nearest, struct error *error);

/* What a session's row holds. It is written in the transaction of its first answer or event. */
struct store_session {
    struct uuid id;
    struct store_learner
        learner;        /* made in the same transaction when no learner has this id or this folded name */
    const char *kind;   /* "practice" */
    const char *origin; /* "screen", "plain", "jsonl" */
    uint32_t seed;
    const char *options; /* JSON: {"limit":null,"mode":"due","packs":["tour"],"tag":null} */
    const char *plan;    /* JSON: [["tour","select","<revision>"],…] in plan order */
    int64_t started_at;  /* ms since 1970 UTC */
    int utc_offset_s;
};

struct store_attempt {
    struct uuid id;
    const char *pack_id, *question_id, *revision;
    struct hash content;
    const char *body;     /* the question as asked (question_body), kept once per content hash */
    uint32_t seed;        /* of this showing */
    int showing;          /* from 1 */
    const char *shown;    /* JSON {"choices":[3,1,2]} or NULL */
    const char *response; /* JSON [1,3] or true; NULL when omitted */
    struct verdict verdict;
    int certainty; /* 0: not asked */
    int hints;
    int64_t elapsed_ms; /* −1: not known */
    int64_t answered_at;
    int utc_offset_s;
    const char *origin;
};

struct store_event {
    struct uuid id;
    const char *kind;       /* one of event.kind's words, DESIGN "The store" */
    struct uuid attempt_id; /* zero: none */
    const char *body;       /* JSON or NULL: {"question":["tour","select"],"showing":1,…} */
    int64_t at;
    int utc_offset_s;
};

/*
 * Durable when true. session->learner.id may change: to that of a learner of this name whom another process
 * made in the meantime. *created (may be NULL) tells whether this call made the learner. Repeating a call
 * whose transaction did get through (same ids) succeeds and stores nothing twice. Attempts are of questions
 * in the session's plan; an event may be of no session (NULL). ERROR_INPUT for what is no JSON where JSON
 * belongs, an unknown kind, a zero id.
 */
bool store_add_attempt(struct store *store, struct store_session *session,
                       const struct store_attempt *attempt, bool *created, struct error *error);
bool store_add_event(struct store *store, struct store_session *session, const struct store_event *event,
                     bool *created, struct error *error);

/*
 * Reading: a query is a row of a table with named columns; rows are stepped one at a time. Undone answers are
 * not counted anywhere but in QUERY_LOG.
 *
 * - QUERY_HISTORY (learner id, pack id): question_id, outcome (last counted), answered_at, answers (counted),
 *   right_answers
 *
 * - QUERY_NEW (learner id, since ms): count of questions whose first counted answer is at or after `since`
 *
 * - QUERY_UNFINISHED (learner id, packs JSON or NULL for any): newest first, session_id, seed, options,
 * started_at, utc_offset_s, origin, questions, answered; practice sessions not dropped, with unanswered
 * questions
 *
 * - QUERY_SESSION (session id): seed, options, started_at, utc_offset_s, origin
 *
 * - QUERY_PLAN (session id): pack_id, question_id, revision
 *
 * - QUERY_LOG (session id): in seq order, kind ("attempt" or event.kind), attempt_id, pack_id, question_id,
 * response, outcome, mark, marks, showing, hints, body
 *
 * - QUERY_LEARNERS (): name, login, answers, last_at; by name
 */
enum store_query {
    QUERY_HISTORY,
    QUERY_NEW,
    QUERY_UNFINISHED,
    QUERY_SESSION,
    QUERY_PLAN,
    QUERY_LOG,
    QUERY_LEARNERS,
    STORE_QUERIES
};

struct store_value {
    enum { VALUE_NULL, VALUE_INTEGER, VALUE_REAL, VALUE_TEXT, VALUE_BLOB } type;
    int64_t integer;
    double real;
    const void *data; /* text (NUL-terminated) or blob */
    ptrdiff_t length;
};
struct store_value store_value_null(void);
struct store_value store_value_integer(int64_t integer);
struct store_value store_value_text(const char *text); /* NULL is null */
struct store_value store_value_uuid(const struct uuid *uuid);

struct rows;
bool rows_open(struct rows **rows, struct store *store, enum store_query query,
               const struct store_value *parameters, int count, struct error *error);
/* 1: a row; 0: the end; −1: an error. */
int rows_step(struct rows *rows, struct error *error);
/* Column by place; a text or blob is valid until the next step. NULL reads as 0, NULL or a zero uuid. */
int64_t rows_integer(struct rows *rows, int column);
double rows_real(struct rows *rows, int column);
const char *rows_text(struct rows *rows, int column);
bool rows_is_null(struct rows *rows, int column);
void rows_uuid(struct rows *rows, int column, struct uuid *uuid);
void rows_close(struct rows *rows);

/* JSON kept in the store, read by SQLite: calls visit for each element of the list at `path` ("$",
 * "$.packs"), until it answers false. A list that holds lists gives the inner list as JSON text, null gives
 * NULL. False when the text is not JSON. */
bool store_json_each(struct store *store, const char *json, const char *path,
                     bool (*visit)(void *context, const char *element), void *context, struct error *error);

/* Holds the session as running in this process until the store closes or store_release_session. False with
 * ERROR_BUSY when another store holds it. A store that can't be written has nothing to keep apart: always
 * true. */
bool store_hold_session(struct store *store, const struct uuid *session_id, struct error *error);
void store_release_session(struct store *store, const struct uuid *session_id);

/* PRAGMA integrity_check and foreign keys: false with what was found. */
bool store_check(struct store *store, struct error *error);

#endif
