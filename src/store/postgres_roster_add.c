/* Learners taken in at the centre: a book for roster_book.h, and their groups. */
#include "postgres_array.h"
#include "postgres_roster.h"

#include <string.h>

static const char external_sql[] = "SELECT DISTINCT coalesce(merged_into, learner_id) FROM learner WHERE"
                                   " school = $1 AND external_id = $2 LIMIT 2";
static const char login_sql[] = "SELECT DISTINCT coalesce(merged_into, learner_id) FROM learner WHERE"
                                " school = $1 AND login = $2 LIMIT 2";
/* who has another login or external id is somebody else; those who were merged count where nobody else is */
#define NAMED                                                                                                \
    " FROM learner WHERE school = $1 AND name_key = $2 AND ($3::text IS NULL OR external_id IS NULL OR"      \
    " external_id = $3) AND ($4::text IS NULL OR login IS NULL OR login = $4) AND merged_into IS "
static const char name_sql[] = "SELECT learner_id" NAMED "NULL ORDER BY learner_id LIMIT 2";
static const char merged_name_sql[] = "SELECT DISTINCT merged_into" NAMED "NOT NULL LIMIT 2";

static int by_external(void *context, const char *external_id, struct uuid *id)
{
    struct uuid ids[2] = { { { 0 } } };
    int found = central_roster_ids(context, external_sql, &external_id, 1, ids);
    *id = ids[0];
    return found;
}

static int by_login(void *context, const char *login, struct uuid *id)
{
    struct uuid ids[2] = { { { 0 } } };
    int found = central_roster_ids(context, login_sql, &login, 1, ids);
    *id = ids[0];
    return found;
}

static int by_name(void *context, const struct roster_entry *entry, struct uuid *id)
{
    const char *const texts[] = { entry->key, entry->external_id, entry->login };
    struct roster_person person;
    struct uuid ids[2] = { { { 0 } } };
    int found = central_roster_ids(context, name_sql, texts, 3, ids);
    bool merged = found == 0;
    if (merged)
        found = central_roster_ids(context, merged_name_sql, texts, 3, ids);
    *id = ids[0];
    if (!merged || found != 1)
        return found;
    /* whom they were merged into, unless that is somebody else by login or external id */
    found = central_roster_person(context, id, &person);
    return found > 0 && (roster_differ(person.login, entry->login) ||
                         roster_differ(person.external_id, entry->external_id))
               ? 0
               : found;
}

static int read_person(void *context, const struct uuid *id, struct roster_person *person)
{
    return central_roster_person(context, id, person);
}

static bool write_person(void *context, const struct roster_person *person)
{
    return central_roster_write(context, person);
}

static int is_taken(void *context, const struct roster_person *person)
{
    return central_roster_is_taken(context, person);
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
static int settle_groups(void *context, const struct roster_entry *entry, const struct uuid *id)
{
    struct central_roster *roster = context;
    int changed = entry->only_these ? leave_others(roster, entry, id) : 0;
    for (int i = 0; changed >= 0 && i < entry->group_count; i++) {
        int joined = central_roster_join(roster, id, entry->groups[i].key, entry->groups[i].name);
        changed = joined < 0 ? -1 : changed + joined;
    }
    return changed;
}

static bool insert(void *context, const struct roster_person *person)
{
    struct central_roster *roster = context;
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

bool postgres_roster_add(struct store *base, const struct roster_entry *entries,
                         struct roster_result *results, ptrdiff_t count, struct error *error)
{
    struct central_roster roster;
    if (!central_roster_begin(&roster, base, error))
        return false;
    const struct roster_book book = {
        .context = &roster,
        .clock = &base->clock,
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
    return central_roster_end(&roster, done);
}
