/* Groups of learners. */
#include "sqlite_writing.h"

#include <quiztutor/message.h>

static const char join[] =
    "INSERT INTO member(group_key, learner_id, group_name) VALUES(?1, ?2, coalesce((SELECT group_name FROM"
    " member WHERE group_key = ?1 LIMIT 1), ?3)) ON CONFLICT(group_key, learner_id) DO NOTHING";
static const char leave[] = "DELETE FROM member WHERE group_key = ?1 AND learner_id = ?2";

bool sqlite_set_member(struct store *base, const struct uuid *learner, const char *key, const char *name,
                       bool in, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    sqlite3_stmt *statement = NULL;
    struct uuid id = *learner; /* or whom that one was merged into */
    if (!sqlite_begin(store, error))
        return false;
    if (learner_by_id(store, &id, error) < 0) {
        sqlite_rollback(store);
        return false;
    }
    int result = sqlite3_prepare_v2(store->db, in ? join : leave, -1, &statement, NULL);
    if (result == SQLITE_OK) {
        sqlite_bind_text(statement, 1, key);
        sqlite_bind_uuid(statement, 2, &id);
        if (in)
            sqlite_bind_text(statement, 3, name);
        result = sqlite3_step(statement);
    }
    bool done = result == SQLITE_DONE;
    if ((result & 0xff) == SQLITE_CONSTRAINT)
        error_set(error, ERROR_NOT_FOUND, tr("no such learner in the store"));
    else if (!done)
        sqlite_error(store, result, error);
    sqlite3_finalize(statement);
    if (done)
        return sqlite_commit(store, error);
    sqlite_rollback(store);
    return false;
}
