/* Storing: an answer or an event, and what it needs of learner, session and question text, in one
 * transaction. */
#include "sqlite_store.h"

#include <quiztutor/message.h>
#include <string.h>

/* One call's work: what it found out, which is only believed once it is on disk. */
struct writing {
    struct sqlite_store *store;
    const struct store_session *session;
    const struct store_attempt *attempt;
    const struct store_event *event;
    struct uuid learner;
    bool created;
    int result; /* of the last statement that failed */
};

static void bind_text(sqlite3_stmt *statement, int place, const char *text)
{
    sqlite3_bind_text(statement, place, text, -1, SQLITE_STATIC); /* NULL binds null */
}

static void bind_uuid(sqlite3_stmt *statement, int place, const struct uuid *uuid)
{
    if (uuid && !uuid_is_zero(uuid))
        sqlite3_bind_blob(statement, place, uuid->bytes, sizeof uuid->bytes, SQLITE_STATIC);
    else
        sqlite3_bind_null(statement, place);
}

static void read_uuid(sqlite3_stmt *statement, int column, struct uuid *uuid)
{
    const void *blob = sqlite3_column_blob(statement, column);
    memset(uuid, 0, sizeof *uuid);
    if (blob && sqlite3_column_bytes(statement, column) == sizeof uuid->bytes)
        memcpy(uuid->bytes, blob, sizeof uuid->bytes);
}

/* Steps once and fills *result; errors are put into words here. True on a row or the end. */
static bool step(struct sqlite_store *store, sqlite3_stmt *statement, int *result, struct error *error)
{
    *result = sqlite3_step(statement);
    if (*result == SQLITE_ROW || *result == SQLITE_DONE)
        return true;
    return sqlite_error(store, *result, error);
}

static bool run(struct writing *writing, sqlite3_stmt *statement, struct error *error)
{
    int result;
    bool done = step(writing->store, statement, &result, error);
    if (!done)
        writing->result = result;
    sqlite3_reset(statement);
    return done;
}

static bool read_seq(struct sqlite_store *store, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_SEQ, error);
    int result;
    if (!statement || !step(store, statement, &result, error)) {
        sqlite3_reset(statement);
        return false;
    }
    store->seq = sqlite3_column_int64(statement, 0);
    sqlite3_reset(statement);
    return result == SQLITE_ROW || sqlite_error(store, SQLITE_CORRUPT, error);
}

/* Takes the counter's next number. It mostly is the one expected; seeing that it is costs less than asking
 * for it. */
static bool next_seq(struct writing *writing, int64_t *seq, struct error *error)
{
    struct sqlite_store *store = writing->store;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_TAKE_SEQ, error);
    for (int i = 0; statement && i < 2; i++) {
        sqlite3_bind_int64(statement, 1, store->seq);
        if (!run(writing, statement, error))
            return false;
        if (sqlite3_changes(store->db) == 1) {
            *seq = store->seq++;
            return true;
        }
        if (!read_seq(store, error))
            return false;
    }
    return statement && sqlite_error(store, SQLITE_CORRUPT, error);
}

/* One learner by whatever the statement looks for; 1 found, 0 none, −1 an error. The statement is left on its
 * row. */
static int look_up(struct sqlite_store *store, sqlite3_stmt *statement, struct error *error)
{
    int result;
    if (!step(store, statement, &result, error))
        return -1;
    return result == SQLITE_ROW;
}

enum { MERGES = 100 }; /* learners merged one into the other that are followed */

/* The learner with this id, or whom that one was merged into. */
static int find_by_id(struct sqlite_store *store, struct uuid *id, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_LEARNER_BY_ID, error);
    if (!statement)
        return -1;
    int found = 0;
    for (int i = 0; i < MERGES; i++) {
        struct uuid into;
        bind_uuid(statement, 1, id);
        found = look_up(store, statement, error);
        read_uuid(statement, 3, &into);
        sqlite3_reset(statement);
        if (found <= 0 || uuid_is_zero(&into))
            break;
        *id = into;
    }
    sqlite3_clear_bindings(statement);
    return found;
}

static int find_by_text(struct sqlite_store *store, enum sqlite_statement which, const char *text,
                        struct uuid *id, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, which, error);
    if (!statement)
        return -1;
    bind_text(statement, 1, text);
    int found = look_up(store, statement, error);
    struct uuid into;
    if (found > 0) {
        read_uuid(statement, 0, id);
        read_uuid(statement, 3, &into);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (found > 0 && !uuid_is_zero(&into)) {
        *id = into;
        found = find_by_id(store, id, error);
    }
    return found;
}

static bool settle_learner(struct writing *writing, const char *key, struct error *error)
{
    struct sqlite_store *store = writing->store;
    const struct store_learner *learner = &writing->session->learner;
    writing->learner = learner->id;
    int found = find_by_id(store, &writing->learner, error);
    if (found == 0)
        found = find_by_text(store, SQL_LEARNER_BY_KEY, key, &writing->learner, error);
    if (found != 0)
        return found > 0;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_ADD_LEARNER, error);
    if (!statement)
        return false;
    writing->learner = learner->id;
    writing->created = true;
    bind_uuid(statement, 1, &writing->learner);
    bind_text(statement, 2, learner->name);
    bind_text(statement, 3, key);
    bind_text(statement, 4, learner->login);
    sqlite3_bind_int64(statement, 5, clock_wall(&store->base.clock));
    return run(writing, statement, error);
}

static bool add_session(struct writing *writing, struct error *error)
{
    const struct store_session *session = writing->session;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_SESSION, error);
    int64_t seq;
    if (!statement || !next_seq(writing, &seq, error))
        return false;
    bind_uuid(statement, 1, &session->id);
    sqlite3_bind_int64(statement, 2, seq);
    bind_uuid(statement, 3, &writing->learner);
    bind_uuid(statement, 4, &writing->store->base.device);
    bind_text(statement, 5, session->kind);
    bind_text(statement, 6, session->origin);
    sqlite3_bind_int64(statement, 7, session->seed);
    bind_text(statement, 8, session->options);
    bind_text(statement, 9, session->plan);
    sqlite3_bind_int64(statement, 10, session->started_at);
    sqlite3_bind_int(statement, 11, session->utc_offset_s);
    return run(writing, statement, error);
}

/* Makes sure that the session is there, and learns whose it is. */
static bool settle_session(struct writing *writing, struct error *error)
{
    struct sqlite_store *store = writing->store;
    const struct known_session *known = known_find_session(&store->known, &writing->session->id);
    if (known) {
        writing->learner = known->learner;
        return true;
    }
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_HAS_SESSION, error);
    if (!statement)
        return false;
    bind_uuid(statement, 1, &writing->session->id);
    int found = look_up(store, statement, error);
    if (found > 0)
        read_uuid(statement, 0, &writing->learner);
    sqlite3_reset(statement);
    if (found != 0)
        return found > 0;
    char *key = store_session_key(writing->session, error);
    bool done = key && settle_learner(writing, key, error) && add_session(writing, error);
    memory_free(key);
    return done;
}

static bool settle_text(struct writing *writing, struct error *error)
{
    const struct store_attempt *attempt = writing->attempt;
    if (known_has_content(&writing->store->known, &attempt->content))
        return true;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_TEXT, error);
    if (!statement)
        return false;
    sqlite3_bind_blob(statement, 1, attempt->content.bytes, sizeof attempt->content.bytes, SQLITE_STATIC);
    bind_text(statement, 2, attempt->pack_id);
    bind_text(statement, 3, attempt->question_id);
    bind_text(statement, 4, attempt->revision);
    bind_text(statement, 5, attempt->body);
    return run(writing, statement, error);
}

static bool add_attempt(struct writing *writing, struct error *error)
{
    const struct store_attempt *attempt = writing->attempt;
    const struct store *base = &writing->store->base;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_ATTEMPT, error);
    int64_t seq;
    if (!statement || !settle_text(writing, error) || !next_seq(writing, &seq, error))
        return false;
    sqlite3_bind_int64(statement, 1, seq);
    bind_uuid(statement, 2, &attempt->id);
    bind_uuid(statement, 3, &writing->session->id);
    bind_uuid(statement, 4, &writing->learner);
    bind_uuid(statement, 5, &base->device);
    bind_uuid(statement, 6, base->has_boot ? &base->boot : NULL);
    bind_text(statement, 7, attempt->pack_id);
    bind_text(statement, 8, attempt->question_id);
    bind_text(statement, 9, attempt->revision);
    sqlite3_bind_blob(statement, 10, attempt->content.bytes, sizeof attempt->content.bytes, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 11, attempt->seed);
    sqlite3_bind_int(statement, 12, attempt->showing);
    bind_text(statement, 13, attempt->shown);
    bind_text(statement, 14, attempt->response);
    bind_text(statement, 15, outcome_name(attempt->verdict.outcome));
    sqlite3_bind_double(statement, 16, attempt->verdict.mark);
    sqlite3_bind_double(statement, 17, attempt->verdict.marks);
    if (attempt->certainty)
        sqlite3_bind_int(statement, 18, attempt->certainty);
    else
        sqlite3_bind_null(statement, 18);
    sqlite3_bind_int(statement, 19, attempt->hints);
    if (attempt->elapsed_ms >= 0)
        sqlite3_bind_int64(statement, 20, attempt->elapsed_ms);
    else
        sqlite3_bind_null(statement, 20);
    sqlite3_bind_int64(statement, 21, attempt->answered_at);
    sqlite3_bind_int(statement, 22, attempt->utc_offset_s);
    bind_text(statement, 23, attempt->origin);
    return run(writing, statement, error);
}

static bool add_event(struct writing *writing, struct error *error)
{
    const struct store_event *event = writing->event;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_EVENT, error);
    int64_t seq;
    if (!statement || !next_seq(writing, &seq, error))
        return false;
    sqlite3_bind_int64(statement, 1, seq);
    bind_uuid(statement, 2, &event->id);
    bind_text(statement, 3, event->kind);
    bind_uuid(statement, 4, writing->session ? &writing->session->id : NULL);
    bind_uuid(statement, 5, &event->attempt_id);
    bind_uuid(statement, 6, &writing->learner);
    bind_uuid(statement, 7, &writing->store->base.device);
    bind_text(statement, 8, event->body);
    sqlite3_bind_int64(statement, 9, event->at);
    sqlite3_bind_int(statement, 10, event->utc_offset_s);
    return run(writing, statement, error);
}

static bool write_rows(struct writing *writing, struct error *error)
{
    struct sqlite_store *store = writing->store;
    if (store->new_identity && !sqlite_identity_renew(store, error))
        return false;
    if (writing->session && !settle_session(writing, error))
        return false;
    return writing->attempt ? add_attempt(writing, error) : add_event(writing, error);
}

static bool write_once(struct writing *writing, struct error *error)
{
    struct sqlite_store *store = writing->store;
    writing->created = false;
    writing->result = SQLITE_OK;
    memset(&writing->learner, 0, sizeof writing->learner);
    if (!sqlite_begin(store, error))
        return false;
    if (!write_rows(writing, error)) {
        sqlite_rollback(store);
        return false;
    }
    return sqlite_commit(store, error);
}

/* True when the row is there already: an earlier call got through, although it may have seemed to fail. */
static bool is_stored(struct writing *writing)
{
    sqlite3_stmt *statement =
        sqlite_prepare(writing->store, writing->attempt ? SQL_ATTEMPT_BY_ID : SQL_EVENT_BY_ID, NULL);
    if (!statement)
        return false;
    bind_uuid(statement, 1, writing->attempt ? &writing->attempt->id : &writing->event->id);
    bool stored = look_up(writing->store, statement, NULL) > 0;
    writing->created = false;
    if (stored)
        read_uuid(statement, 0, &writing->learner);
    sqlite3_reset(statement);
    return stored;
}

bool sqlite_add(struct store *base, struct store_session *session, const struct store_attempt *attempt,
                const struct store_event *event, bool *created, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct writing writing = { .store = store, .session = session, .attempt = attempt, .event = event };
    bool done = write_once(&writing, error);
    if (!done && writing.result == SQLITE_CONSTRAINT_FOREIGNKEY) {
        known_forget(&store->known); /* another process has taken away what we knew to be there */
        done = write_once(&writing, error);
    }
    if (!done && writing.result == SQLITE_CONSTRAINT_UNIQUE)
        done = is_stored(&writing);
    if (!done)
        return false;
    store->new_identity = false;
    if (session) {
        session->learner.id = writing.learner;
        known_add_session(&store->known, &session->id, &writing.learner);
    }
    if (attempt)
        known_add_content(&store->known, &attempt->content);
    *created = writing.created;
    return true;
}

int sqlite_find_learner(struct store *base, const char *login, const char *key, struct arena *arena,
                        struct store_learner *learner, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct uuid id;
    int found = find_by_text(store, SQL_LEARNER_BY_LOGIN, login, &id, error);
    if (found == 0)
        found = find_by_text(store, SQL_LEARNER_BY_KEY, key, &id, error);
    if (found <= 0)
        return found;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_LEARNER_BY_ID, error);
    if (!statement)
        return -1;
    bind_uuid(statement, 1, &id);
    found = look_up(store, statement, error);
    if (found > 0) {
        const char *name = (const char *)sqlite3_column_text(statement, 1);
        const char *known_login = (const char *)sqlite3_column_text(statement, 2);
        learner->id = id;
        learner->name = name ? arena_text(arena, name, sqlite3_column_bytes(statement, 1)) : NULL;
        learner->login =
            known_login ? arena_text(arena, known_login, sqlite3_column_bytes(statement, 2)) : NULL;
        if (!learner->name || (known_login && !learner->login)) {
            error_memory(error);
            found = -1;
        }
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return found;
}
