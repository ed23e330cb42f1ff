/* What the central roster knows of learners; renaming, groups, merging and erasing. */
#include "postgres_roster.h"

#include <string.h>

enum { ROSTER_LOCK = 1364485493 /* pg_advisory_xact_lock(this, school) */ };

bool central_roster_begin(struct central_roster *roster, struct store *base, struct error *error)
{
    struct postgres_values values = { 0 };
    *roster = (struct central_roster){ .store = (struct postgres_store *)base, .error = error };
    arena_init(&roster->arena);
    postgres_put_integer(&values, ROSTER_LOCK);
    postgres_put_integer(&values, roster->store->school);
    if (!postgres_write_begin(roster->store, error))
        return false;
    return postgres_run(roster->store->postgres, "SELECT pg_advisory_xact_lock($1::integer, $2::integer)",
                        &values, NULL, error) ||
           postgres_write_end(roster->store, false, error);
}

bool central_roster_end(struct central_roster *roster, bool done)
{
    arena_finish(&roster->arena);
    return postgres_write_end(roster->store, done, roster->error);
}

static const char *keep(struct central_roster *roster, const struct postgres_rows *rows, int column,
                        bool *done)
{
    const char *text = postgres_is_null(rows, column) ? NULL : postgres_text(rows, column);
    const char *kept = text ? arena_text(&roster->arena, text, (ptrdiff_t)strlen(text)) : NULL;
    *done = *done && (kept || !text);
    return kept;
}

int central_roster_person(struct central_roster *roster, const struct uuid *id, struct roster_person *person)
{
    static const char sql[] = "SELECT name, name_key, login, external_id, time_factor, plain FROM learner"
                              " WHERE school = $1 AND learner_id = $2";
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_integer(&values, roster->store->school);
    postgres_put_uuid(&values, id);
    int found = postgres_query(&rows, roster->store->postgres, sql, &values, roster->error)
                    ? postgres_step(&rows, roster->error)
                    : -1;
    if (found > 0) {
        bool done = true;
        *person = (struct roster_person){ .id = *id,
                                          .name = keep(roster, &rows, 0, &done),
                                          .key = keep(roster, &rows, 1, &done),
                                          .login = keep(roster, &rows, 2, &done),
                                          .external_id = keep(roster, &rows, 3, &done),
                                          .time_factor = postgres_real(&rows, 4),
                                          .plain = roster_reading(postgres_integer(&rows, 5)) };
        if (!done)
            found = error_memory(roster->error) - 1;
    }
    postgres_rows_close(&rows);
    return found;
}

bool central_roster_write(struct central_roster *roster, const struct roster_person *person)
{
    static const char sql[] = "UPDATE learner SET name = $3, name_key = $4, login = $5, external_id = $6,"
                              " time_factor = $7, plain = $8 WHERE school = $1 AND learner_id = $2";
    struct postgres_values values = { 0 };
    postgres_put_integer(&values, roster->store->school);
    postgres_put_uuid(&values, &person->id);
    postgres_put_text(&values, person->name);
    postgres_put_text(&values, person->key);
    postgres_put_text(&values, person->login);
    postgres_put_text(&values, person->external_id);
    postgres_put_real(&values, person->time_factor);
    postgres_put_integer(&values, person->plain);
    return postgres_run(roster->store->postgres, sql, &values, NULL, roster->error);
}

int central_roster_ids(struct central_roster *roster, const char *sql, const char *const *texts, int count,
                       struct uuid ids[static 2])
{
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    int found = 0, step;
    postgres_put_integer(&values, roster->store->school);
    for (int i = 0; i < count; i++)
        postgres_put_text(&values, texts[i]);
    if (!postgres_query(&rows, roster->store->postgres, sql, &values, roster->error))
        return -1;
    while (found < 2 && (step = postgres_step(&rows, roster->error)) != 0) {
        if (step < 0) {
            found = -1;
            break;
        }
        postgres_uuid(&rows, 0, &ids[found++]);
    }
    postgres_rows_close(&rows);
    return found;
}

int central_roster_is_taken(struct central_roster *roster, const struct roster_person *person)
{
    static const char sql[] =
        "SELECT learner_id FROM learner WHERE school = $1 AND name_key = $2 AND"
        " merged_into IS NULL AND external_id IS NULL AND learner_id <> $3::uuid LIMIT 1";
    struct uuid ids[2];
    char id[37];
    if (person->external_id)
        return 0;
    uuid_format(id, &person->id);
    return central_roster_ids(roster, sql, (const char *[]){ person->key, id }, 2, ids);
}

/* ---- groups ---- */

int central_roster_join(struct central_roster *roster, const struct uuid *learner, const char *key,
                        const char *name)
{
    static const char sql[] =
        "INSERT INTO member(school, learner_id, group_key, group_name) SELECT $1, $2, $3, coalesce((SELECT"
        " group_name FROM member WHERE school = $1 AND group_key = $3 LIMIT 1), $4)"
        " ON CONFLICT(school, group_key, learner_id) DO NOTHING";
    struct postgres_values values = { 0 };
    int64_t changed = 0;
    postgres_put_integer(&values, roster->store->school);
    postgres_put_uuid(&values, learner);
    postgres_put_text(&values, key);
    postgres_put_text(&values, name);
    return postgres_run(roster->store->postgres, sql, &values, &changed, roster->error) ? (int)changed : -1;
}

int central_roster_leave(struct central_roster *roster, const struct uuid *learner, const char *key)
{
    static const char sql[] = "DELETE FROM member WHERE school = $1 AND learner_id = $2 AND group_key = $3";
    struct postgres_values values = { 0 };
    int64_t changed = 0;
    postgres_put_integer(&values, roster->store->school);
    postgres_put_uuid(&values, learner);
    postgres_put_text(&values, key);
    return postgres_run(roster->store->postgres, sql, &values, &changed, roster->error) ? (int)changed : -1;
}

bool postgres_set_member(struct store *base, const struct uuid *learner, const char *key, const char *name,
                         bool in, struct error *error)
{
    struct central_roster roster;
    struct roster_person person;
    if (!central_roster_begin(&roster, base, error))
        return false;
    int found = central_roster_person(&roster, learner, &person);
    if (found == 0)
        roster_unknown(error);
    bool done = found > 0 && (in ? central_roster_join(&roster, learner, key, name)
                                 : central_roster_leave(&roster, learner, key)) >= 0;
    return central_roster_end(&roster, done);
}

/* ---- changes ---- */

static bool rename_learner(struct store *base, const struct uuid *learner, const char *name, const char *key,
                           struct error *error)
{
    struct central_roster roster;
    struct roster_person person;
    if (!central_roster_begin(&roster, base, error))
        return false;
    int found = central_roster_person(&roster, learner, &person), taken = 0;
    if (found == 0)
        roster_unknown(error);
    if (found > 0) {
        bool other = strcmp(person.key, key) != 0; /* two of one name may already be there */
        person.name = name;
        person.key = key;
        taken = other ? central_roster_is_taken(&roster, &person) : 0;
    }
    if (taken > 0)
        roster_name_taken(name, error);
    return central_roster_end(&roster, found > 0 && taken == 0 && central_roster_write(&roster, &person));
}

/* What a function of the centre says it did. */
static bool call(struct store *base, const char *sql, const struct uuid *one, const struct uuid *other,
                 struct roster_count *count, struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)base;
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_uuid(&values, one);
    if (other)
        postgres_put_uuid(&values, other);
    if (!postgres_write_begin(store, error))
        return false;
    bool done =
        postgres_query(&rows, store->postgres, sql, &values, error) && postgres_step(&rows, error) > 0;
    if (done)
        *count = (struct roster_count){ .sessions = postgres_integer(&rows, 0),
                                        .attempts = postgres_integer(&rows, 1),
                                        .events = postgres_integer(&rows, 2),
                                        .questions = postgres_integer(&rows, 3) };
    postgres_rows_close(&rows);
    return postgres_write_end(store, done, error);
}

static bool merge(struct store *store, const struct uuid *from, const struct uuid *into,
                  struct roster_count *moved, struct error *error)
{
    return call(store, "SELECT sessions, attempts, events, 0::bigint FROM merge_learner($1, $2)", from, into,
                moved, error);
}

static bool erase(struct store *store, const struct uuid *learner, struct roster_count *gone,
                  struct error *error)
{
    return call(store, "SELECT sessions, attempts, events, questions FROM erase_learner($1)", learner, NULL,
                gone, error);
}

/* What is given free there is the server's to fill again (VACUUM). */
static bool clean(struct store *store, bool *needed, struct error *error)
{
    (void)store, (void)error;
    *needed = false;
    return true;
}

static bool is_erased(struct store *base, const struct uuid *mark, bool *erased, struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)base;
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_integer(&values, store->school);
    postgres_put_uuid(&values, mark);
    bool done = postgres_query(&rows, store->postgres,
                               "SELECT EXISTS(SELECT FROM tombstone WHERE school = $1 AND mark = $2)",
                               &values, error) &&
                postgres_step(&rows, error) > 0;
    *erased = done && postgres_integer(&rows, 0) != 0;
    postgres_rows_close(&rows);
    return done;
}

const struct roster_ops postgres_roster_ops = {
    .add = postgres_roster_add,
    .rename = rename_learner,
    .merge = merge,
    .erase = erase,
    .clean = clean,
    .is_erased = is_erased,
};
