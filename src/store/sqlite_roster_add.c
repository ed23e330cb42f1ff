/* Learners taken in: a book for roster_book.h, and their groups. */
#include "sqlite_roster.h"

#include <string.h>

/* The learner of an external id or login, or whom that one was merged into. 1, 0 or −1. */
static int find_by(struct roster *roster, enum roster_statement which, const char *text, struct uuid *id)
{
    sqlite3_stmt *statement = roster_statement(roster, which);
    if (!statement)
        return -1;
    sqlite_bind_text(statement, 1, text);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    if (found > 0)
        sqlite_read_uuid(statement, 0, id);
    sqlite3_reset(statement);
    return found > 0 ? learner_by_id(roster->store, id, roster->error) : found;
}

/* Whom somebody was merged into, unless that is somebody else by login or external id. */
static int follow_name(struct roster *roster, const struct roster_entry *entry, struct uuid *id)
{
    struct roster_person person;
    int found = learner_by_id(roster->store, id, roster->error);
    if (found > 0)
        found = roster_person(roster, id, &person);
    if (found > 0 &&
        (roster_differ(person.login, entry->login) || roster_differ(person.external_id, entry->external_id)))
        return 0;
    return found;
}

/* The one learner of this name who may be meant. */
static int by_name(void *context, const struct roster_entry *entry, struct uuid *id)
{
    struct roster *roster = context;
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_BY_NAME);
    if (!statement)
        return -1;
    sqlite_bind_text(statement, 1, entry->key);
    sqlite_bind_text(statement, 2, entry->external_id);
    sqlite_bind_text(statement, 3, entry->login);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    bool stands = found > 0 && sqlite3_column_int(statement, 1);
    if (found > 0)
        sqlite_read_uuid(statement, 0, id);
    int more = stands ? sqlite_look_up(roster->store, statement, roster->error) : 0;
    if (more > 0 && sqlite3_column_int(statement, 1))
        found = ROSTER_SEVERAL;
    sqlite3_reset(statement);
    if (found == 1 && !stands)
        found = follow_name(roster, entry, id);
    return more < 0 ? -1 : found;
}

static bool insert(void *context, const struct roster_person *person)
{
    struct roster *roster = context;
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_ADD);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &person->id);
    sqlite_bind_text(statement, 2, person->name);
    sqlite_bind_text(statement, 3, person->key);
    sqlite_bind_text(statement, 4, person->login);
    sqlite_bind_text(statement, 5, person->external_id);
    sqlite3_bind_int64(statement, 6, clock_wall(&roster->store->base.clock));
    sqlite3_bind_double(statement, 7, person->time_factor);
    sqlite3_bind_int(statement, 8, person->plain);
    return sqlite_run(roster->store, statement, NULL, roster->error);
}

static bool is_named(const struct roster_entry *entry, const char *key)
{
    for (int i = 0; i < entry->group_count; i++)
        if (strcmp(entry->groups[i].key, key) == 0)
            return true;
    return false;
}

/* Leaves the groups that the line does not name; how many, −1 on an error. */
static int leave_others(struct roster *roster, const struct roster_entry *entry, const struct uuid *id)
{
    enum { GROUPS = 1000 }; /* of one learner, at once */
    const char *left[GROUPS];
    int count = 0, found;
    bool failed = false;
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_GROUPS);
    if (!statement)
        return -1;
    sqlite_bind_uuid(statement, 1, id);
    while (count < GROUPS && (found = sqlite_look_up(roster->store, statement, roster->error)) > 0) {
        const char *key = roster_text(roster, statement, 0, &failed);
        if (key && !is_named(entry, key))
            left[count++] = key;
    }
    sqlite3_reset(statement);
    if (failed)
        error_memory(roster->error);
    for (int i = 0; !failed && i < count; i++) {
        statement = roster_statement(roster, ROSTER_LEAVE);
        if (!statement)
            return -1;
        sqlite_bind_uuid(statement, 1, id);
        sqlite_bind_text(statement, 2, left[i]);
        if (!sqlite_run(roster->store, statement, NULL, roster->error))
            return -1;
    }
    return failed || found < 0 ? -1 : count;
}

int roster_settle_groups(struct roster *roster, const struct roster_entry *entry, const struct uuid *id)
{
    int changed = entry->only_these ? leave_others(roster, entry, id) : 0;
    for (int i = 0; changed >= 0 && i < entry->group_count; i++) {
        sqlite3_stmt *statement = roster_statement(roster, ROSTER_JOIN);
        if (!statement)
            return -1;
        sqlite_bind_text(statement, 1, entry->groups[i].key);
        sqlite_bind_text(statement, 2, entry->groups[i].name);
        sqlite_bind_uuid(statement, 3, id);
        if (!sqlite_run(roster->store, statement, NULL, roster->error))
            return -1;
        changed += sqlite3_changes(roster->store->db);
    }
    return changed;
}

static int by_external(void *context, const char *external_id, struct uuid *id)
{
    return find_by(context, ROSTER_BY_EXTERNAL, external_id, id);
}

static int by_login(void *context, const char *login, struct uuid *id)
{
    return find_by(context, ROSTER_BY_LOGIN, login, id);
}

static int read_person(void *context, const struct uuid *id, struct roster_person *person)
{
    return roster_person(context, id, person);
}

static bool write_person(void *context, const struct roster_person *person)
{
    return roster_write(context, person);
}

static int is_taken(void *context, const struct roster_person *person)
{
    return roster_is_taken(context, person);
}

static int settle_groups(void *context, const struct roster_entry *entry, const struct uuid *id)
{
    return roster_settle_groups(context, entry, id);
}

bool sqlite_roster_add(struct store *base, const struct roster_entry *entries, struct roster_result *results,
                       ptrdiff_t count, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    struct roster roster;
    if (!writing_begin(&writing, error))
        return false;
    roster_begin(&roster, writing.store, error);
    const struct roster_book book = {
        .context = &roster,
        .clock = &writing.store->base.clock,
        .by_external = by_external,
        .by_login = by_login,
        .by_name = by_name,
        .read = read_person,
        .insert = insert,
        .write = write_person,
        .is_taken = is_taken,
        .settle_groups = settle_groups,
    };
    bool done = true;
    for (ptrdiff_t i = 0; done && i < count; i++)
        done = results[i].outcome == ROSTER_REFUSED || roster_book_take(&book, &entries[i], &results[i]);
    roster_end(&roster);
    if (!done)
        sqlite_rollback(writing.store);
    done = done && sqlite_commit(writing.store, error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}
