/* One learner as the centre has them, held against who is here. */
#include "sqlite_applying.h"

#include <string.h>

/* ---- what is there ---- */

int pulled_learner_row(struct sqlite_store *store, const struct uuid *id, struct uuid *into,
                       struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_LEARNER_BY_ID, error);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, id);
    int found = sqlite_look_up(store, statement, error);
    if (found > 0)
        sqlite_read_uuid(statement, 3, into);
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return found;
}

/* Another row with this login or external id. */
static int find_owner(struct roster *roster, enum roster_statement which, const char *text,
                      const struct uuid *id, struct uuid *owner)
{
    sqlite3_stmt *statement = text ? roster_statement(roster, which) : NULL;
    if (!statement)
        return text ? -1 : 0;
    sqlite_bind_text(statement, 1, text);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    if (found > 0)
        sqlite_read_uuid(statement, 0, owner);
    sqlite3_reset(statement);
    return found > 0 && uuid_equal(owner, id) ? 0 : found;
}

/* The same, but for one who was merged into this learner: theirs is this learner's. */
static int find_other(struct roster *roster, enum roster_statement which, const char *text,
                      const struct uuid *id, bool taking, struct uuid *owner)
{
    struct sqlite_store *store = roster->store;
    int found = find_owner(roster, which, text, id, owner);
    if (found <= 0)
        return found;
    struct uuid who = *owner;
    found = learner_by_id(store, &who, roster->error);
    if (found <= 0 || !uuid_equal(&who, id))
        return found < 0 ? -1 : 1;
    const char *sql = which == ROSTER_BY_LOGIN
                          ? "UPDATE learner SET login = NULL WHERE learner_id = ?1"
                          : "UPDATE learner SET external_id = NULL WHERE learner_id = ?1";
    return taking && sqlite_run_once(store, sql, owner, NULL, roster->error) < 0 ? -1 : 0;
}

static int find_namesake(struct roster *roster, const struct roster_person *person, struct uuid *owner)
{
    sqlite3_stmt *statement = person->external_id ? NULL : roster_statement(roster, ROSTER_NAME_TAKEN);
    if (!statement)
        return person->external_id ? 0 : -1;
    sqlite_bind_text(statement, 1, person->key);
    sqlite_bind_uuid(statement, 2, &person->id);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    if (found > 0)
        sqlite_read_uuid(statement, 0, owner);
    sqlite3_reset(statement);
    return found;
}

int pulled_learner_clash(struct roster *roster, const struct roster_person *person, bool taking,
                         struct uuid *owner, const char **why)
{
    *why = LEFT_LOGIN;
    int found = find_other(roster, ROSTER_BY_LOGIN, person->login, &person->id, taking, owner);
    if (found == 0) {
        *why = LEFT_EXTERNAL;
        found = find_other(roster, ROSTER_BY_EXTERNAL, person->external_id, &person->id, taking, owner);
    }
    if (found == 0) {
        *why = LEFT_NAME;
        found = find_namesake(roster, person, owner);
    }
    return found;
}

/* ---- one learner ---- */

struct roster_person pulled_learner_person(const struct pulled_learner *learner)
{
    const struct roster_entry *entry = &learner->entry;
    return (struct roster_person){ .id = learner->id,
                                   .name = entry->name,
                                   .key = entry->key,
                                   .login = entry->login,
                                   .external_id = entry->external_id,
                                   .time_factor = entry->time_factor >= 1 ? entry->time_factor : 1,
                                   .plain = entry->plain };
}

static bool insert(struct roster *roster, const struct roster_person *person, int64_t created_at)
{
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_ADD);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &person->id);
    sqlite_bind_text(statement, 2, person->name);
    sqlite_bind_text(statement, 3, person->key);
    sqlite_bind_text(statement, 4, person->login);
    sqlite_bind_text(statement, 5, person->external_id);
    sqlite3_bind_int64(statement, 6, created_at > 0 ? created_at : clock_wall(&roster->store->base.clock));
    sqlite3_bind_double(statement, 7, person->time_factor);
    sqlite3_bind_int(statement, 8, person->plain);
    return sqlite_run(roster->store, statement, NULL, roster->error);
}

bool pulled_learner_write(struct roster *roster, const struct pulled_learner *learner)
{
    struct roster_person person = pulled_learner_person(learner);
    return learner->here ? roster_write(roster, &person) : insert(roster, &person, learner->created_at);
}

int applying_left_can(struct applying *applying)
{
    enum { LOOKED_AT = 1000 };
    struct roster roster;
    struct arena arena;
    int can = 0;
    arena_init(&arena);
    roster_begin(&roster, applying->store, applying->error);
    for (ptrdiff_t i = 0; can == 0 && i < applying->left_count && i < LOOKED_AT; i++) {
        struct pulled_learner learner;
        struct uuid into = { { 0 } };
        const char *why;
        can = pulled_learner_find(applying, &applying->left[i], &arena, &learner);
        if (can <= 0 || learner.state == LEARNER_LEFT) {
            can = can < 0 ? -1 : 0;
            continue;
        }
        struct roster_person person = pulled_learner_person(&learner);
        int found = pulled_learner_row(applying->store, &learner.id, &into, applying->error);
        int clash =
            found < 0 ? -1 : pulled_learner_clash(&roster, &person, false, &(struct uuid){ { 0 } }, &why);
        can = clash < 0 ? -1 : clash == 0 && uuid_is_zero(&into);
    }
    roster_end(&roster);
    arena_finish(&arena);
    return can;
}
