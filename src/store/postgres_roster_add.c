/* Learners taken in at the centre: found, made, changed; their groups. By the rules of sqlite_roster_add.c,
 * but where several learners may be meant. */
#include "postgres_array.h"
#include "postgres_roster.h"

#include <quiztutor/message.h>
#include <string.h>

static const char by_external[] = "SELECT DISTINCT coalesce(merged_into, learner_id) FROM learner WHERE"
                                  " school = $1 AND external_id = $2 LIMIT 2";
static const char by_login[] = "SELECT DISTINCT coalesce(merged_into, learner_id) FROM learner WHERE"
                               " school = $1 AND login = $2 LIMIT 2";
/* who has another login or external id is somebody else; those who were merged count where nobody else is */
#define NAMED                                                                                                \
    " FROM learner WHERE school = $1 AND name_key = $2 AND ($3::text IS NULL OR external_id IS NULL OR"      \
    " external_id = $3) AND ($4::text IS NULL OR login IS NULL OR login = $4) AND merged_into IS "
static const char by_name[] = "SELECT learner_id" NAMED "NULL ORDER BY learner_id LIMIT 2";
static const char by_merged_name[] = "SELECT DISTINCT merged_into" NAMED "NOT NULL LIMIT 2";

enum { FOUND_SEVERAL = 2 };

static int find_by(struct central_roster *roster, const char *sql, const char *text,
                   struct uuid ids[static 2])
{
    return text ? central_roster_ids(roster, sql, &text, 1, ids) : 0;
}

static bool differs(const char *one, const char *other)
{
    return one && other && strcmp(one, other) != 0;
}

static int find_by_name(struct central_roster *roster, const struct roster_entry *entry,
                        struct uuid ids[static 2])
{
    const char *const texts[] = { entry->key, entry->external_id, entry->login };
    struct central_person person;
    if (!entry->key)
        return 0;
    int found = central_roster_ids(roster, by_name, texts, 3, ids);
    if (found != 0)
        return found;
    found = central_roster_ids(roster, by_merged_name, texts, 3, ids);
    if (found != 1)
        return found;
    /* whom they were merged into, unless that is somebody else by login or external id */
    found = central_roster_person(roster, &ids[0], &person);
    return found > 0 &&
                   (differs(person.login, entry->login) || differs(person.external_id, entry->external_id))
               ? 0
               : found;
}

/* Whom the line means. What several have is no way to tell: the line is refused. */
static int find(struct central_roster *roster, const struct roster_entry *entry, struct uuid *id,
                bool *by_name_alone, struct roster_result *result)
{
    struct uuid ids[2];
    int found = find_by(roster, by_external, entry->external_id, ids);
    *by_name_alone = false;
    if (found == FOUND_SEVERAL)
        roster_refuse(result, tr("several learners there have the external_id \"%s\": make them one first"),
                      entry->external_id);
    if (found == 0 && (found = find_by(roster, by_login, entry->login, ids)) == FOUND_SEVERAL)
        roster_refuse(result, tr("several learners there have the login \"%s\": make them one first"),
                      entry->login);
    if (found == 0) {
        *by_name_alone = true;
        if ((found = find_by_name(roster, entry, ids)) == FOUND_SEVERAL)
            roster_refuse(result,
                          tr("there are several learners \"%s\": tell them apart by login or external_id"),
                          entry->name);
    }
    *id = ids[0];
    return found;
}

/* As in sqlite_roster_add.c: theirs already, taken over from nobody, or another's. */
static bool take_over(struct central_roster *roster, bool login, const char *given,
                      struct central_person *person, struct roster_result *result)
{
    struct uuid ids[2];
    const char **kept = login ? &person->login : &person->external_id;
    int found = find_by(roster, login ? by_login : by_external, given, ids);
    if (found == 0 && given)
        *kept = given;
    if (found == FOUND_SEVERAL || (found > 0 && !uuid_equal(&ids[0], &person->id)))
        roster_refuse(result,
                      login ? tr("another learner has the login \"%s\"")
                            : tr("another learner has the external_id \"%s\""),
                      given);
    return found >= 0;
}

/* What the line changes of a row; false on an error. */
static bool change(struct central_roster *roster, const struct roster_entry *entry, bool by_name_alone,
                   struct central_person *person, struct roster_result *result)
{
    if (differs(person->external_id, entry->external_id)) {
        struct uuid ids[2]; /* that of somebody who was merged into them is theirs, too */
        int found = find_by(roster, by_external, entry->external_id, ids);
        if (found == 0)
            roster_refuse(result, tr("the login \"%s\" is of a learner with another external_id"),
                          entry->login);
        if (found < 0)
            return false;
    } else if (!take_over(roster, false, entry->external_id, person, result)) {
        return false;
    }
    if (result->outcome == ROSTER_REFUSED || !take_over(roster, true, entry->login, person, result))
        return result->outcome == ROSTER_REFUSED;
    if (entry->name && !by_name_alone) {
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

static bool equal(const struct central_person *one, const struct central_person *other)
{
    return same(one->name, other->name) && same(one->login, other->login) &&
           same(one->external_id, other->external_id) && one->plain == other->plain &&
           memcmp(&one->time_factor, &other->time_factor, sizeof one->time_factor) == 0;
}

/* Refuses a name that would be another's; `before` NULL: of who is new. */
static bool settle_name(struct central_roster *roster, const struct central_person *person,
                        const struct central_person *before, struct roster_result *result)
{
    if (before && same(before->key, person->key) && same(before->external_id, person->external_id))
        return true;
    int taken = central_roster_is_taken(roster, person);
    if (taken > 0)
        roster_refuse(result, tr("there is another learner \"%s\": one of them needs an external_id"),
                      person->name);
    return taken >= 0;
}

/* Leaves the groups that the line does not name; how many, −1 on an error. */
static int leave_others(struct central_roster *roster, const struct roster_entry *entry,
                        const struct uuid *id)
{
    static const char sql[] =
        "DELETE FROM member WHERE school = $1 AND learner_id = $2 AND group_key <> ALL($3)";
    struct postgres_values values = { 0 };
    struct postgres_array keys;
    int64_t changed = 0;
    postgres_array_init(&keys, POSTGRES_TEXT);
    for (int i = 0; i < entry->group_count; i++)
        postgres_array_text(&keys, entry->groups[i].key);
    postgres_put_integer(&values, roster->store->school);
    postgres_put_uuid(&values, id);
    bool done = postgres_put_array(&values, &keys, roster->error) &&
                postgres_run(roster->store->postgres, sql, &values, &changed, roster->error);
    postgres_array_finish(&keys);
    return done ? (int)changed : -1;
}

/* Joins the groups; how many memberships changed, −1 on an error. */
static int settle_groups(struct central_roster *roster, const struct roster_entry *entry,
                         const struct uuid *id)
{
    int changed = entry->only_these ? leave_others(roster, entry, id) : 0;
    for (int i = 0; changed >= 0 && i < entry->group_count; i++) {
        int joined = central_roster_join(roster, id, entry->groups[i].key, entry->groups[i].name);
        changed = joined < 0 ? -1 : changed + joined;
    }
    return changed;
}

static bool insert(struct central_roster *roster, const struct central_person *person)
{
    static const char sql[] = "INSERT INTO learner(school, learner_id, name, name_key, login, external_id,"
                              " created_at, time_factor, plain) VALUES($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    struct postgres_values values = { 0 };
    postgres_put_integer(&values, roster->store->school);
    postgres_put_uuid(&values, &person->id);
    postgres_put_text(&values, person->name);
    postgres_put_text(&values, person->key);
    postgres_put_text(&values, person->login);
    postgres_put_text(&values, person->external_id);
    postgres_put_integer(&values, clock_wall(&roster->store->base.clock));
    postgres_put_real(&values, person->time_factor);
    postgres_put_integer(&values, person->plain);
    return postgres_run(roster->store->postgres, sql, &values, NULL, roster->error);
}

static bool add_new(struct central_roster *roster, const struct roster_entry *entry,
                    struct roster_result *result)
{
    struct central_person person = {
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
    if (!settle_name(roster, &person, NULL, result) || result->outcome == ROSTER_REFUSED)
        return result->outcome == ROSTER_REFUSED;
    result->outcome = ROSTER_ADDED;
    result->learner = person.id;
    return insert(roster, &person) && settle_groups(roster, entry, &person.id) >= 0;
}

static bool add_line(struct central_roster *roster, const struct roster_entry *entry,
                     struct roster_result *result)
{
    struct central_person person, before;
    bool by_name_alone;
    int found = find(roster, entry, &result->learner, &by_name_alone, result);
    if (found == 0)
        return add_new(roster, entry, result);
    if (found < 0 || result->outcome == ROSTER_REFUSED)
        return found > 0;
    if (central_roster_person(roster, &result->learner, &person) <= 0)
        return false;
    before = person;
    if (!change(roster, entry, by_name_alone, &person, result) ||
        (result->outcome != ROSTER_REFUSED && !settle_name(roster, &person, &before, result)))
        return false;
    if (result->outcome == ROSTER_REFUSED)
        return true;
    if (!equal(&person, &before)) {
        result->outcome = ROSTER_CHANGED;
        if (!central_roster_write(roster, &person))
            return false;
    }
    int changed = settle_groups(roster, entry, &person.id);
    if (changed > 0)
        result->outcome = ROSTER_CHANGED;
    return changed >= 0;
}

bool postgres_roster_add(struct store *base, const struct roster_entry *entries,
                         struct roster_result *results, ptrdiff_t count, struct error *error)
{
    struct central_roster roster;
    if (!central_roster_begin(&roster, base, error))
        return false;
    bool done = true;
    for (ptrdiff_t i = 0; done && i < count; i++)
        done = results[i].outcome == ROSTER_REFUSED || add_line(&roster, &entries[i], &results[i]);
    return central_roster_end(&roster, done);
}
