/* Learners: found by id, login or folded name, through those they were merged into; and made. */
#include "roster_private.h"
#include "sqlite_writing.h"

#include <quiztutor/message.h>

enum { MERGES = 100 }; /* learners merged one into the other that are followed */

int learner_by_id(struct sqlite_store *store, struct uuid *id, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_LEARNER_BY_ID, error);
    if (!statement)
        return -1;
    int found = 0;
    for (int i = 0; i < MERGES; i++) {
        struct uuid into;
        sqlite_bind_uuid(statement, 1, id);
        found = sqlite_look_up(store, statement, error);
        sqlite_read_uuid(statement, 3, &into);
        sqlite3_reset(statement);
        if (found <= 0 || uuid_is_zero(&into))
            break;
        *id = into;
    }
    sqlite3_clear_bindings(statement);
    return found;
}

int learner_by_text(struct sqlite_store *store, enum sqlite_statement which, const char *text,
                    struct uuid *id, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, which, error);
    if (!statement)
        return -1;
    sqlite_bind_text(statement, 1, text);
    int found = sqlite_look_up(store, statement, error);
    struct uuid into;
    if (found > 0) {
        sqlite_read_uuid(statement, 0, id);
        sqlite_read_uuid(statement, 3, &into);
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    if (found > 0 && !uuid_is_zero(&into)) {
        *id = into;
        found = learner_by_id(store, id, error);
    }
    return found;
}

/* 0 reads as 1; no factor is beyond what the table allows. */
static double time_factor(double factor)
{
    if (!(factor > 1))
        return 1;
    return factor < 10 ? factor : 10;
}

/* A practice that went on while its learner was erased must not bring them back. */
static bool was_erased(struct sqlite_store *store, const struct uuid *id, struct error *error)
{
    struct uuid mark;
    bool erased = false;
    roster_mark(&mark, id);
    return !store->base.ops->roster->is_erased(&store->base, &mark, &erased, error) ||
           (erased && !error_set(error, ERROR_INPUT, "%s", tr("this learner was erased from the store")));
}

bool writing_settle_learner(struct writing *writing, const char *key, struct error *error)
{
    struct sqlite_store *store = writing->store;
    const struct store_learner *learner = &writing->session->learner;
    writing->learner = learner->id;
    int found = learner_by_id(store, &writing->learner, error);
    if (found == 0)
        found = learner_by_text(store, SQL_LEARNER_BY_KEY, key, &writing->learner, error);
    if (found != 0)
        return found > 0;
    if (was_erased(store, &learner->id, error))
        return false;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_ADD_LEARNER, error);
    if (!statement)
        return false;
    writing->learner = learner->id;
    writing->created = true;
    sqlite_bind_uuid(statement, 1, &writing->learner);
    sqlite_bind_text(statement, 2, learner->name);
    sqlite_bind_text(statement, 3, key);
    sqlite_bind_text(statement, 4, learner->login);
    sqlite3_bind_int64(statement, 5, clock_wall(&store->base.clock));
    sqlite3_bind_double(statement, 6, time_factor(learner->time_factor));
    return sqlite_run(store, statement, &writing->result, error);
}

/* Fills *learner from the statement's row, its texts into the arena. */
static bool read_learner(sqlite3_stmt *statement, const struct uuid *id, struct arena *arena,
                         struct store_learner *learner)
{
    const char *name = (const char *)sqlite3_column_text(statement, 1);
    const char *login = (const char *)sqlite3_column_text(statement, 2);
    learner->id = *id;
    learner->name = name ? arena_text(arena, name, sqlite3_column_bytes(statement, 1)) : NULL;
    learner->login = login ? arena_text(arena, login, sqlite3_column_bytes(statement, 2)) : NULL;
    learner->time_factor = sqlite3_column_double(statement, 4);
    learner->plain = roster_reading(sqlite3_column_int64(statement, 5));
    return learner->name && (learner->login || !login);
}

int sqlite_find_learner(struct store *base, const char *login, const char *key, struct arena *arena,
                        struct store_learner *learner, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct uuid id;
    int found = learner_by_text(store, SQL_LEARNER_BY_LOGIN, login, &id, error);
    if (found == 0)
        found = learner_by_text(store, SQL_LEARNER_BY_KEY, key, &id, error);
    if (found <= 0)
        return found;
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_LEARNER_BY_ID, error);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, &id);
    found = sqlite_look_up(store, statement, error);
    if (found > 0 && !read_learner(statement, &id, arena, learner)) {
        error_memory(error);
        found = -1;
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return found;
}
