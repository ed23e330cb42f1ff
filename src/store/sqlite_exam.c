/* Exams: on record from their start, and handed in once, as a whole. */
#include "sqlite_writing.h"

#include <quiztutor/message.h>
#include <string.h>

static bool add_texts(struct writing *writing, const struct store_text *texts, int count, struct error *error)
{
    for (int i = 0; i < count; i++) {
        if (!writing_add_text(writing, &texts[i], error))
            return false;
    }
    return true;
}

bool sqlite_add_session(struct store *base, struct store_session *session, const struct store_text *texts,
                        int count, bool *created, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base, .session = session };
    if (!writing_begin(&writing, error))
        return false;
    if (!writing_settle_session(&writing, error) || !add_texts(&writing, texts, count, error)) {
        sqlite_rollback(writing.store);
        return false;
    }
    if (!sqlite_commit(writing.store, error))
        return false;
    writing_done(&writing, session);
    for (int i = 0; i < count; i++)
        known_add_content(&writing.store->known, &texts[i].content);
    *created = writing.created;
    return true;
}

/* The newest row of the session's log, and whether it is handed in. */
static bool look_at_log(struct writing *writing, int64_t *newest, bool *handed_in, struct error *error)
{
    struct sqlite_store *store = writing->store;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_EXAM_LOG, error);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &writing->session->id);
    int found = sqlite_look_up(store, statement, error);
    *newest = sqlite3_column_int64(statement, 0);
    *handed_in = sqlite3_column_int(statement, 1);
    sqlite3_reset(statement);
    return found > 0;
}

bool writing_add_attempts(struct writing *writing, const struct store_attempt *attempts, int count,
                          struct error *error)
{
    for (int i = 0; i < count; i++) {
        writing->attempt = &attempts[i];
        if (!writing_add_attempt(writing, error))
            return false;
    }
    writing->attempt = NULL;
    return true;
}

static bool hand_in(struct writing *writing, const struct store_attempt *attempts, int count,
                    const struct store_event *event, int64_t last_seq, bool *already, struct error *error)
{
    int64_t newest;
    if (!writing_settle_session(writing, error) || !look_at_log(writing, &newest, already, error))
        return false;
    if (*already)
        return true;
    if (newest > last_seq)
        return error_set(error, ERROR_BUSY, tr("this exam was gone on with elsewhere: look at it again"));
    writing->event = event;
    return writing_add_attempts(writing, attempts, count, error) && writing_add_event(writing, error);
}

bool sqlite_hand_in(struct store *base, struct store_session *session, const struct store_attempt *attempts,
                    int count, const struct store_event *event, int64_t last_seq, bool *already,
                    struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct writing writing = { .store = store, .session = session };
    if (!writing_begin(&writing, error))
        return false;
    bool done = hand_in(&writing, attempts, count, event, last_seq, already, error);
    if (done && *already) {
        sqlite_rollback(store); /* there is nothing to store */
        session->learner.id = writing.learner;
        return true;
    }
    if (!done) {
        known_forget(&store->known); /* should another process have taken away what was thought to be there */
        sqlite_rollback(store);
        return false;
    }
    if (!sqlite_commit(store, error))
        return false;
    writing_done(&writing, session);
    for (int i = 0; i < count; i++)
        known_add_content(&store->known, &attempts[i].content);
    return true;
}

static bool add_all(struct writing *writing, struct store_session *session, const struct store_event *events,
                    int count, struct error *error)
{
    writing->session = session;
    if (!writing_settle_session(writing, error))
        return false;
    for (int i = 0; i < count; i++) {
        writing->event = &events[i];
        if (!writing_add_event(writing, error))
            return false;
    }
    return true;
}

/* 1: it is there, 0: it is not, −1: an error. */
static int is_there(struct sqlite_store *store, enum sqlite_statement which, const struct uuid *id,
                    struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, which, error);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, id);
    int found = sqlite_look_up(store, statement, error);
    sqlite3_reset(statement);
    return found;
}

/* 1: it was reopened before, 0: it was not and is now, −1: an error. */
static int reopen(struct writing *writing, const struct store_reopening *reopening, struct error *error)
{
    int found = is_there(writing->store, SQL_EVENT_BY_ID, &reopening->events[0].id, error);
    if (found != 0)
        return found;
    found = is_there(writing->store, SQL_HAS_SESSION, &reopening->was->id, error);
    if (found == 0) /* erased meanwhile */
        error_set(error, ERROR_NOT_FOUND, "%s", tr("the exam is not in the store"));
    if (found <= 0 || !add_all(writing, reopening->was, reopening->events, reopening->event_count, error))
        return -1;
    return add_all(writing, reopening->session, reopening->answers, reopening->answer_count, error) ? 0 : -1;
}

bool sqlite_reopen(struct store *base, const struct store_reopening *reopening, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    if (!writing_begin(&writing, error))
        return false;
    int before = reopen(&writing, reopening, error);
    if (before != 0) {
        known_forget(&writing.store->known);
        sqlite_rollback(writing.store);
        return before > 0;
    }
    if (!sqlite_commit(writing.store, error))
        return false;
    writing_done(&writing, reopening->session);
    return true;
}
