/* Storing: an answer or an event, and what it needs of learner, session and question text, in one
 * transaction; the question's schedule with it. */
#include "sqlite_change.h"
#include "sqlite_writing.h"

#include <quiztutor/message.h>
#include <string.h>

/* Mostly the counter and all that schedules are kept up by are as this process left them; seeing that it is
 * so costs less than asking. */
bool writing_next_seq(struct writing *writing, int64_t *seq, struct error *error)
{
    struct sqlite_store *store = writing->store;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_TAKE_SEQ, error);
    for (int i = 0; statement && i < 2; i++) {
        sqlite3_bind_int64(statement, 1, store->seq);
        sqlite3_bind_int64(statement, 2, store->made.version);
        sqlite3_bind_int(statement, 3, store->made.day_starts);
        sqlite3_bind_int64(statement, 4, store->made.parameters);
        if (!sqlite_run(store, statement, &writing->result, error))
            return false;
        if (sqlite3_changes(store->db) == 1) {
            *seq = store->seq++;
            return true;
        }
        if (!sqlite_made_settle(store, error))
            return false;
    }
    return statement && sqlite_error(store, SQLITE_CORRUPT, error);
}

bool writing_add_session(struct writing *writing, struct error *error)
{
    const struct store_session *session = writing->session;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_SESSION, error);
    int64_t seq;
    if (!statement || !writing_next_seq(writing, &seq, error))
        return false;
    sqlite_bind_uuid(statement, 1, &session->id);
    sqlite3_bind_int64(statement, 2, seq);
    sqlite_bind_uuid(statement, 3, &writing->learner);
    sqlite_bind_uuid(statement, 4, &writing->device);
    sqlite_bind_text(statement, 5, session->kind);
    sqlite_bind_text(statement, 6, session->origin);
    sqlite3_bind_int64(statement, 7, session->seed);
    sqlite_bind_text(statement, 8, session->options);
    sqlite_bind_text(statement, 9, session->plan);
    sqlite3_bind_int64(statement, 10, session->started_at);
    sqlite3_bind_int(statement, 11, session->utc_offset_s);
    return sqlite_run(writing->store, statement, &writing->result, error);
}

bool writing_settle_session(struct writing *writing, struct error *error)
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
    sqlite_bind_uuid(statement, 1, &writing->session->id);
    int found = sqlite_look_up(store, statement, error);
    if (found > 0)
        sqlite_read_uuid(statement, 0, &writing->learner);
    sqlite3_reset(statement);
    if (found != 0)
        return found > 0;
    char *key = store_session_key(writing->session, error);
    bool done = key && writing_settle_learner(writing, key, error) && writing_add_session(writing, error);
    memory_free(key);
    return done;
}

bool writing_add_text(struct writing *writing, const struct store_text *text, struct error *error)
{
    if (known_has_content(&writing->store->known, &text->content))
        return true;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_TEXT, error);
    if (!statement)
        return false;
    sqlite_bind_hash(statement, 1, &text->content);
    sqlite_bind_text(statement, 2, text->pack_id);
    sqlite_bind_text(statement, 3, text->question_id);
    sqlite_bind_text(statement, 4, text->revision);
    sqlite_bind_text(statement, 5, text->body);
    return sqlite_run(writing->store, statement, &writing->result, error);
}

static bool insert_attempt(struct writing *writing, int64_t seq, struct error *error)
{
    static const struct hash unknown;
    const struct store_attempt *attempt = writing->attempt;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_ATTEMPT, error);
    if (!statement)
        return false;
    sqlite3_bind_int64(statement, 1, seq);
    sqlite_bind_uuid(statement, 2, &attempt->id);
    sqlite_bind_uuid(statement, 3, &writing->session->id);
    sqlite_bind_uuid(statement, 4, &writing->learner);
    sqlite_bind_uuid(statement, 5, &writing->device);
    sqlite_bind_uuid(statement, 6, &writing->boot);
    sqlite_bind_text(statement, 7, attempt->pack_id);
    sqlite_bind_text(statement, 8, attempt->question_id);
    sqlite_bind_text(statement, 9, attempt->revision);
    if (attempt->body || memcmp(&attempt->content, &unknown, sizeof unknown) != 0)
        sqlite_bind_hash(statement, 10, &attempt->content);
    else
        sqlite3_bind_null(statement, 10);
    sqlite3_bind_int64(statement, 11, attempt->seed);
    sqlite3_bind_int(statement, 12, attempt->showing);
    sqlite_bind_text(statement, 13, attempt->shown);
    sqlite_bind_text(statement, 14, attempt->response);
    sqlite_bind_text(statement, 15, outcome_name(attempt->verdict.outcome));
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
    sqlite_bind_text(statement, 23, attempt->origin);
    sqlite3_bind_int(statement, 24, attempt->retried);
    return sqlite_run(writing->store, statement, &writing->result, error);
}

/* Whether the attempt was taken back or regraded already: its event may have come first. */
static bool read_told(struct writing *writing, bool *told, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_TOLD, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &writing->attempt->id);
    int found = sqlite_look_up(writing->store, statement, error);
    *told = found > 0;
    sqlite3_reset(statement);
    return found >= 0;
}

static bool add_told_attempt(struct writing *writing, int64_t seq, struct error *error)
{
    const struct store_attempt *attempt = writing->attempt;
    struct sqlite_change change;
    bool done = sqlite_change_begin(&change, writing->store, &writing->learner, attempt->pack_id,
                                    attempt->question_id, error) &&
                insert_attempt(writing, seq, error) && sqlite_change_end(&change, error);
    sqlite_change_finish(&change);
    return done;
}

bool writing_add_attempt(struct writing *writing, struct error *error)
{
    const struct store_attempt *attempt = writing->attempt;
    const struct store_text text = { attempt->content, attempt->pack_id, attempt->question_id,
                                     attempt->revision, attempt->body };
    int64_t seq;
    bool told;
    if ((attempt->body && !writing_add_text(writing, &text, error)) ||
        !writing_next_seq(writing, &seq, error))
        return false;
    if (writing->later)
        return insert_attempt(writing, seq, error);
    if (!read_told(writing, &told, error))
        return false;
    if (told)
        return add_told_attempt(writing, seq, error);
    return insert_attempt(writing, seq, error) &&
           sqlite_schedule_attempt(writing->store, &writing->session->id, &writing->learner, attempt, seq,
                                   error);
}

static bool insert_event(struct writing *writing, int64_t seq, struct error *error)
{
    const struct store_event *event = writing->event;
    sqlite3_stmt *statement = sqlite_prepare(writing->store, SQL_ADD_EVENT, error);
    if (!statement)
        return false;
    sqlite3_bind_int64(statement, 1, seq);
    sqlite_bind_uuid(statement, 2, &event->id);
    sqlite_bind_text(statement, 3, event->kind);
    sqlite_bind_uuid(statement, 4, writing->session ? &writing->session->id : NULL);
    sqlite_bind_uuid(statement, 5, &event->attempt_id);
    sqlite_bind_uuid(statement, 6, &writing->learner);
    sqlite_bind_uuid(statement, 7, &writing->device);
    sqlite_bind_text(statement, 8, event->body);
    sqlite3_bind_int64(statement, 9, event->at);
    sqlite3_bind_int(statement, 10, event->utc_offset_s);
    return sqlite_run(writing->store, statement, &writing->result, error);
}

bool writing_add_event(struct writing *writing, struct error *error)
{
    struct sqlite_change change;
    int64_t seq;
    if (!writing_next_seq(writing, &seq, error))
        return false;
    if (writing->later)
        return insert_event(writing, seq, error);
    bool done = sqlite_change_begin_event(&change, writing->store, writing->event, error) &&
                insert_event(writing, seq, error) && sqlite_change_end(&change, error) &&
                sqlite_schedule_event(writing->store, &writing->learner, writing->event, error);
    sqlite_change_finish(&change);
    return done;
}

bool writing_begin(struct writing *writing, struct error *error)
{
    struct sqlite_store *store = writing->store;
    writing->created = false;
    writing->result = SQLITE_OK;
    memset(&writing->learner, 0, sizeof writing->learner);
    if (!sqlite_begin(store, error))
        return false;
    if (store->new_identity && !sqlite_identity_renew(store, error)) {
        sqlite_rollback(store);
        return false;
    }
    writing->device = store->base.device;
    writing->boot = store->base.has_boot ? store->base.boot : (struct uuid){ 0 };
    return true;
}

static bool write_rows(struct writing *writing, struct error *error)
{
    if (writing->session && !writing_settle_session(writing, error))
        return false;
    return writing->attempt ? writing_add_attempt(writing, error) : writing_add_event(writing, error);
}

static bool write_once(struct writing *writing, struct error *error)
{
    if (!writing_begin(writing, error))
        return false;
    if (write_rows(writing, error))
        return sqlite_commit(writing->store, error);
    sqlite_rollback(writing->store);
    return false;
}

/* True when the row is there already: an earlier call got through, although it may have seemed to fail. */
static bool is_stored(struct writing *writing)
{
    sqlite3_stmt *statement =
        sqlite_prepare(writing->store, writing->attempt ? SQL_ATTEMPT_BY_ID : SQL_EVENT_BY_ID, NULL);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, writing->attempt ? &writing->attempt->id : &writing->event->id);
    bool stored = sqlite_look_up(writing->store, statement, NULL) > 0;
    writing->created = false;
    if (stored)
        sqlite_read_uuid(statement, 0, &writing->learner);
    sqlite3_reset(statement);
    return stored;
}

void writing_done(struct writing *writing, struct store_session *session)
{
    struct sqlite_store *store = writing->store;
    store->new_identity = false;
    if (session) {
        session->learner.id = writing->learner;
        known_add_session(&store->known, &session->id, &writing->learner);
    }
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
    /* the exam may have been handed in since the earlier call got through */
    if (!done &&
        (writing.result == SQLITE_CONSTRAINT_UNIQUE || writing.result == SQLITE_CONSTRAINT_TRIGGER)) {
        done = is_stored(&writing);
        if (!done && writing.result == SQLITE_CONSTRAINT_TRIGGER)
            return error_set(error, ERROR_INPUT, tr("this exam is handed in: it takes no more answers"));
    }
    if (!done)
        return false;
    writing_done(&writing, session);
    if (attempt)
        known_add_content(&store->known, &attempt->content);
    *created = writing.created;
    return true;
}

static bool write_events(struct writing *writing, const struct store_event *events, ptrdiff_t count,
                         struct error *error)
{
    if (!writing_begin(writing, error))
        return false;
    for (ptrdiff_t i = 0; i < count; i++) {
        writing->event = &events[i];
        if (!writing_add_event(writing, error)) {
            sqlite_rollback(writing->store);
            return false;
        }
    }
    return sqlite_commit(writing->store, error);
}

bool sqlite_add_events(struct store *base, const struct store_event *events, ptrdiff_t count,
                       struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    bool done = write_events(&writing, events, count, error);
    writing.event = events; /* the first is there where all are */
    if (!done && writing.result == SQLITE_CONSTRAINT_UNIQUE)
        done = is_stored(&writing);
    if (done)
        writing_done(&writing, NULL);
    return done;
}
