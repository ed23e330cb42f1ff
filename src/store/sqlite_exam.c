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
