/* Learners taken in: found, made, changed; their groups. */
#include "sqlite_roster.h"

#include <quiztutor/message.h>
#include <string.h>

/* The learner of an external id or login, or whom that one was merged into. 1, 0 or −1. */
static int find_by(struct roster *roster, enum roster_statement which, const char *text, struct uuid *id)
{
    sqlite3_stmt *statement = text ? roster_statement(roster, which) : NULL;
    if (!statement)
        return text ? -1 : 0;
    sqlite_bind_text(statement, 1, text);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    if (found > 0)
        sqlite_read_uuid(statement, 0, id);
    sqlite3_reset(statement);
    return found > 0 ? learner_by_id(roster->store, id, roster->error) : found;
}

static bool differs(const char *one, const char *other)
{
    return one && other && strcmp(one, other) != 0;
}

/* Whom somebody was merged into, unless that is somebody else by login or external id. */
static int follow_name(struct roster *roster, const struct roster_entry *entry, struct uuid *id)
{
    struct person person;
    int found = learner_by_id(roster->store, id, roster->error);
    if (found > 0)
        found = roster_person(roster, id, &person);
    if (found > 0 && (differs(person.login, entry->login) || differs(person.external_id, entry->external_id)))
        return 0;
    return found;
}

/* The one learner of this name who may be meant; 2: there are several. */
static int find_by_name(struct roster *roster, const struct roster_entry *entry, struct uuid *id)
{
    sqlite3_stmt *statement = entry->key ? roster_statement(roster, ROSTER_BY_NAME) : NULL;
    if (!statement)
        return entry->key ? -1 : 0;
    sqlite_bind_text(statement, 1, entry->key);
    sqlite_bind_text(statement, 2, entry->external_id);
    sqlite_bind_text(statement, 3, entry->login);
    int found = sqlite_look_up(roster->store, statement, roster->error);
    bool stands = found > 0 && sqlite3_column_int(statement, 1);
    if (found > 0)
        sqlite_read_uuid(statement, 0, id);
    int more = stands ? sqlite_look_up(roster->store, statement, roster->error) : 0;
    if (more > 0 && sqlite3_column_int(statement, 1))
        found = 2;
    sqlite3_reset(statement);
    if (found == 1 && !stands)
        found = follow_name(roster, entry, id);
    return more < 0 ? -1 : found;
}

static bool insert(struct roster *roster, const struct person *person)
{
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

/* The login or external id that the line gives to a person who was found otherwise: theirs already, taken
 * over from nobody, or another's, and then the line is refused. False on an error. */
static bool take_over(struct roster *roster, enum roster_statement which, const char *given,
                      struct person *person, const char **kept, struct roster_result *result)
{
    struct uuid owner;
    int found = find_by(roster, which, given, &owner);
    if (found == 0 && given)
        *kept = given;
    if (found > 0 && !uuid_equal(&owner, &person->id))
        roster_refuse(result,
                      which == ROSTER_BY_LOGIN ? tr("another learner has the login \"%s\"")
                                               : tr("another learner has the external_id \"%s\""),
                      given);
    return found >= 0;
}

/* Whom the line means; `found` as find_by_name. */
static int find(struct roster *roster, const struct roster_entry *entry, struct uuid *id, bool *by_name)
{
    int found = find_by(roster, ROSTER_BY_EXTERNAL, entry->external_id, id);
    if (found == 0)
        found = find_by(roster, ROSTER_BY_LOGIN, entry->login, id);
    *by_name = found == 0;
    return found == 0 ? find_by_name(roster, entry, id) : found;
}

/* What the line changes of a row; false on an error. */
static bool change(struct roster *roster, const struct roster_entry *entry, bool by_name,
                   struct person *person, struct roster_result *result)
{
    if (differs(person->external_id, entry->external_id)) {
        struct uuid owner; /* that of somebody who was merged into them is theirs, too */
        int found = find_by(roster, ROSTER_BY_EXTERNAL, entry->external_id, &owner);
        if (found == 0)
            roster_refuse(result, tr("the login \"%s\" is of a learner with another external_id"),
                          entry->login);
        if (found < 0)
            return false;
    } else if (!take_over(roster, ROSTER_BY_EXTERNAL, entry->external_id, person, &person->external_id,
                          result)) {
        return false;
    }
    if (result->outcome == ROSTER_REFUSED ||
        !take_over(roster, ROSTER_BY_LOGIN, entry->login, person, &person->login, result))
        return result->outcome == ROSTER_REFUSED;
    if (entry->name && !by_name) {
        person->name = entry->name;
        person->key = entry->key;
    }
    if (entry->time_factor >= 1)
        person->time_factor = entry->time_factor;
    if (entry->plain != ROSTER_UNSAID)
        person->plain = entry->plain;
    return true;
}

static bool same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

static bool equal(const struct person *one, const struct person *other)
{
    return same(one->name, other->name) && same(one->login, other->login) &&
           same(one->external_id, other->external_id) && one->plain == other->plain &&
           memcmp(&one->time_factor, &other->time_factor, sizeof one->time_factor) == 0;
}

/* Refuses a name that would be another's. */
static bool settle_name(struct roster *roster, const struct person *person, struct roster_result *result)
{
    int taken = roster_is_taken(roster, person);
    if (taken > 0)
        roster_refuse(result, tr("there is another learner \"%s\": one of them needs an external_id"),
                      person->name);
    return taken >= 0;
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

static bool add_new(struct roster *roster, const struct roster_entry *entry, struct roster_result *result)
{
    struct person person = {
        .name = entry->name,
        .key = entry->key,
        .login = entry->login,
        .external_id = entry->external_id,
        .time_factor = entry->time_factor >= 1 ? entry->time_factor : 1,
        .plain = entry->plain > ROSTER_UNSAID ? entry->plain : ROSTER_SCREENS,
    };
    if (!entry->name) {
        roster_refuse(result, "%s", tr("nobody has this login or external_id, and there is no name"));
        return true;
    }
    uuid_make(&person.id, clock_wall(&roster->store->base.clock));
    if (!settle_name(roster, &person, result) || result->outcome == ROSTER_REFUSED)
        return result->outcome == ROSTER_REFUSED;
    result->outcome = ROSTER_ADDED;
    result->learner = person.id;
    return insert(roster, &person) && roster_settle_groups(roster, entry, &person.id) >= 0;
}

static bool add_line(struct roster *roster, const struct roster_entry *entry, struct roster_result *result)
{
    struct person person, before;
    bool by_name;
    int found = find(roster, entry, &result->learner, &by_name);
    if (found == 0)
        return add_new(roster, entry, result);
    if (found == 2) {
        roster_refuse(result,
                      tr("there are several learners \"%s\": tell them apart by login or external_id"),
                      entry->name);
        return true;
    }
    if (found < 0 || roster_person(roster, &result->learner, &person) < 0)
        return false;
    before = person;
    if (!change(roster, entry, by_name, &person, result) ||
        (result->outcome != ROSTER_REFUSED && !settle_name(roster, &person, result)))
        return false;
    if (result->outcome == ROSTER_REFUSED)
        return true;
    if (!equal(&person, &before)) {
        result->outcome = ROSTER_CHANGED;
        if (!roster_write(roster, &person))
            return false;
    }
    int changed = roster_settle_groups(roster, entry, &person.id);
    if (changed > 0)
        result->outcome = ROSTER_CHANGED;
    return changed >= 0;
}

bool sqlite_roster_add(struct store *base, const struct roster_entry *entries, struct roster_result *results,
                       ptrdiff_t count, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    struct roster roster;
    if (!writing_begin(&writing, error))
        return false;
    roster_begin(&roster, writing.store, error);
    bool done = true;
    for (ptrdiff_t i = 0; done && i < count; i++)
        done = results[i].outcome == ROSTER_REFUSED || add_line(&roster, &entries[i], &results[i]);
    roster_end(&roster);
    if (!done)
        sqlite_rollback(writing.store);
    done = done && sqlite_commit(writing.store, error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}
