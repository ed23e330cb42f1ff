/* What the roster knows of learners; renaming. */
#include "sqlite_roster.h"

#include <quiztutor/message.h>
#include <string.h>

static const char *const statements[ROSTER_STATEMENTS] = {
    [ROSTER_PERSON] = "SELECT name, name_key, login, external_id, time_factor, plain FROM learner"
                      " WHERE learner_id = ?1",
    [ROSTER_BY_EXTERNAL] = "SELECT learner_id FROM learner WHERE external_id = ?1",
    [ROSTER_BY_LOGIN] = "SELECT learner_id FROM learner WHERE login = ?1",
    /* who has another login or external id is somebody else; those who were merged come last */
    [ROSTER_BY_NAME] = "SELECT learner_id, merged_into IS NULL FROM learner WHERE name_key = ?1"
                       " AND (?2 IS NULL OR external_id IS NULL OR external_id = ?2)"
                       " AND (?3 IS NULL OR login IS NULL OR login = ?3)"
                       " ORDER BY merged_into IS NOT NULL, learner_id LIMIT 2",
    [ROSTER_NAME_TAKEN] = "SELECT learner_id FROM learner WHERE name_key = ?1 AND merged_into IS NULL"
                          " AND external_id IS NULL AND learner_id <> ?2",
    [ROSTER_ADD] = "INSERT INTO learner(learner_id, name, name_key, login, external_id, created_at,"
                   " time_factor, plain) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    [ROSTER_UPDATE] = "UPDATE learner SET name = ?2, name_key = ?3, login = ?4, external_id = ?5,"
                      " time_factor = ?6, plain = ?7 WHERE learner_id = ?1",
    [ROSTER_UNNAME] = "UPDATE learner SET merged_into = ?2 WHERE learner_id = ?1 OR merged_into = ?1",
    [ROSTER_JOIN] = "INSERT INTO member(group_key, group_name, learner_id) VALUES(?1, coalesce((SELECT"
                    " group_name FROM member WHERE group_key = ?1 LIMIT 1), ?2), ?3) ON CONFLICT DO NOTHING",
    [ROSTER_GROUPS] = "SELECT group_key FROM member WHERE learner_id = ?1",
    [ROSTER_LEAVE] = "DELETE FROM member WHERE learner_id = ?1 AND group_key = ?2",
    [ROSTER_SESSIONS] = "SELECT session_id FROM session WHERE learner_id = ?1 ORDER BY started_at DESC",
};

void roster_begin(struct roster *roster, struct sqlite_store *store, struct error *error)
{
    memset(roster, 0, sizeof *roster);
    roster->store = store;
    roster->error = error;
    arena_init(&roster->arena);
}

void roster_end(struct roster *roster)
{
    for (int i = 0; i < ROSTER_STATEMENTS; i++)
        sqlite3_finalize(roster->statements[i]);
    arena_finish(&roster->arena);
}

sqlite3_stmt *roster_statement(struct roster *roster, enum roster_statement which)
{
    sqlite3_stmt **statement = &roster->statements[which];
    if (!*statement) {
        int result = sqlite3_prepare_v2(roster->store->db, statements[which], -1, statement, NULL);
        if (result != SQLITE_OK)
            sqlite_error(roster->store, result, roster->error);
    } else {
        sqlite3_reset(*statement);
        sqlite3_clear_bindings(*statement);
    }
    return *statement;
}

int64_t sqlite_run_once(struct sqlite_store *store, const char *sql, const struct uuid *one,
                        const struct uuid *other, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    int64_t before = sqlite3_total_changes64(store->db);
    if (result == SQLITE_OK) {
        if (one)
            sqlite_bind_uuid(statement, 1, one);
        if (other)
            sqlite_bind_uuid(statement, 2, other);
        while ((result = sqlite3_step(statement)) == SQLITE_ROW)
            continue;
    }
    bool done = result == SQLITE_DONE || sqlite_error(store, result, error);
    sqlite3_finalize(statement);
    return done ? sqlite3_total_changes64(store->db) - before : -1;
}

const char *roster_text(struct roster *roster, sqlite3_stmt *statement, int column, bool *failed)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    if (!text) {
        *failed = *failed || sqlite3_column_type(statement, column) != SQLITE_NULL;
        return NULL;
    }
    const char *kept = arena_text(&roster->arena, text, sqlite3_column_bytes(statement, column));
    *failed = *failed || !kept;
    return kept;
}

int roster_person(struct roster *roster, const struct uuid *id, struct roster_person *person)
{
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_PERSON);
    bool failed = false;
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, id);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    if (found > 0) {
        *person = (struct roster_person){
            .id = *id,
            .name = roster_text(roster, statement, 0, &failed),
            .key = roster_text(roster, statement, 1, &failed),
            .login = roster_text(roster, statement, 2, &failed),
            .external_id = roster_text(roster, statement, 3, &failed),
            .time_factor = sqlite3_column_double(statement, 4),
            .plain = roster_reading(sqlite3_column_int64(statement, 5)),
        };
    }
    sqlite3_reset(statement);
    if (failed)
        error_memory(roster->error);
    return failed ? -1 : found;
}

int roster_is_taken(struct roster *roster, const struct roster_person *person)
{
    if (person->external_id)
        return 0;
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_NAME_TAKEN);
    if (!statement)
        return -1;
    sqlite_bind_text(statement, 1, person->key);
    sqlite_bind_uuid(statement, 2, &person->id);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    sqlite3_reset(statement);
    return found;
}

bool roster_write(struct roster *roster, const struct roster_person *person)
{
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_UPDATE);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &person->id);
    sqlite_bind_text(statement, 2, person->name);
    sqlite_bind_text(statement, 3, person->key);
    sqlite_bind_text(statement, 4, person->login);
    sqlite_bind_text(statement, 5, person->external_id);
    sqlite3_bind_double(statement, 6, person->time_factor);
    sqlite3_bind_int(statement, 7, person->plain);
    return sqlite_run(roster->store, statement, NULL, roster->error);
}

static bool rename_person(struct roster *roster, const struct uuid *learner, const char *name,
                          const char *key)
{
    struct roster_person person;
    int found = roster_person(roster, learner, &person);
    if (found <= 0)
        return found == 0 && roster_unknown(roster->error);
    person.name = name;
    person.key = key;
    int taken = roster_is_taken(roster, &person);
    if (taken > 0)
        roster_name_taken(name, roster->error);
    return taken == 0 && roster_write(roster, &person);
}

static bool rename_learner(struct store *base, const struct uuid *learner, const char *name, const char *key,
                           struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    struct roster roster;
    if (!writing_begin(&writing, error))
        return false;
    roster_begin(&roster, writing.store, error);
    bool done = rename_person(&roster, learner, name, key);
    roster_end(&roster);
    if (!done)
        sqlite_rollback(writing.store);
    done = done && sqlite_commit(writing.store, error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}

bool roster_is_free(struct roster *roster, const struct roster_person *person)
{
    struct sqlite_store *store = roster->store;
    if (!lock_is_held(&store->lock, NULL))
        return true;
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_SESSIONS);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &person->id);
    int found;
    bool running = false;
    while (!running && (found = sqlite_look_up(store, statement, roster->error)) > 0) {
        struct uuid session;
        sqlite_read_uuid(statement, 0, &session);
        running = lock_is_held(&store->lock, &session);
    }
    sqlite3_reset(statement);
    return running ? roster_running(person->name, roster->error) : found == 0;
}

const struct roster_ops sqlite_roster_ops = {
    .add = sqlite_roster_add,
    .rename = rename_learner,
    .merge = sqlite_roster_merge,
    .erase = sqlite_roster_erase,
    .clean = sqlite_roster_clean,
    .is_erased = sqlite_roster_is_erased,
};
