/* A central store is made, or brought up to date, and told its schools and roles: by its owner, all in one
 * transaction. What is done with names of schools and roles is SQL's (db/postgres/who.sql). */
#include "postgres_init.h"

#include "postgres_connection.h"
#include "schema.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <string.h>

/* One number, of a query without values. */
static bool ask(struct postgres *postgres, const char *sql, int64_t *number, struct error *error)
{
    struct postgres_rows rows = { 0 };
    bool done = postgres_query(&rows, postgres, sql, NULL, error) && postgres_step(&rows, error) > 0;
    if (done)
        *number = postgres_integer(&rows, 0);
    postgres_rows_close(&rows);
    return done;
}

/* Texts are kept and compared as UTF-8. */
static bool check_database(struct postgres *postgres, struct error *error)
{
    int64_t utf8;
    if (!ask(postgres, "SELECT (getdatabaseencoding() = 'UTF8')::integer::bigint", &utf8, error))
        return false;
    if (!utf8)
        error_set(error, ERROR_INPUT,
                  tr("the database of the central store %s is not in UTF-8: make another one, with ENCODING "
                     "'UTF8' TEMPLATE template0"),
                  postgres->shown);
    return utf8 != 0;
}

/* Functions that machines call run with the rights of who made them: those are to be no greater than it
 * takes. */
static bool check_owner(struct postgres *postgres, struct error *error)
{
    int64_t good;
    if (!ask(postgres,
             "SELECT (nspowner = pg_roles.oid AND NOT rolsuper)::integer::bigint FROM pg_namespace, pg_roles"
             " WHERE nspname = 'quiztutor' AND rolname = current_user",
             &good, error))
        return false;
    if (!good)
        error_set(
            error, ERROR_INPUT,
            tr("the tables of the central store %s are made by the role that owns them, which is to be no "
               "superuser: see quiztutor-central(7)"),
            postgres->shown);
    return good != 0;
}

/* Makes the schema where there is none, and waits for whoever is about the same. *version: 0 of a new one. */
static bool begin(struct postgres *postgres, int64_t *version, struct error *error)
{
    int64_t there;
    *version = 0;
    /* two that make it at once: the second waits here, and finds it made the next time */
    for (int i = 0;; i++) {
        if (!postgres_exec(postgres, "BEGIN", error))
            return false;
        if (postgres_exec(postgres, "CREATE SCHEMA IF NOT EXISTS quiztutor", error))
            break;
        if (i > 0 || strcmp(postgres->state, "23505") != 0 || !postgres_exec(postgres, "ROLLBACK", error))
            return false;
    }
    if (!check_owner(postgres, error) ||
        !ask(postgres, "SELECT count(*) FROM pg_class WHERE oid = to_regclass('quiztutor.meta')", &there,
             error))
        return false;
    return !there || (postgres_exec(postgres, "LOCK TABLE meta IN ACCESS EXCLUSIVE MODE", error) &&
                      ask(postgres, "SELECT version::bigint FROM meta", version, error));
}

static bool migrate(struct postgres *postgres, int64_t version, struct error *error)
{
    const struct schema *schema = &schema_central;
    if (version > schema->version)
        return error_set(
            error, ERROR_NEWER,
            tr("the central store %s was made by a newer release of quiztutor (version %lld of its "
               "tables, this one knows %d): update this one"),
            postgres->shown, (long long)version, schema->version);
    if (version == schema->version) /* perhaps brought back from a backup, into another database */
        return postgres_exec(postgres, "SELECT quiztutor.close_database()", error);
    for (int64_t next = version; next < schema->version; next++)
        if (!postgres_exec(postgres, schema->migrations[next], error))
            return false;
    return postgres_exec(postgres, schema->views, error);
}

static bool call(struct postgres *postgres, const char *sql, const char *first, const char *second,
                 const char *third, struct error *error)
{
    struct postgres_values values = { 0 };
    const char *texts[] = { first, second, third };
    for (size_t i = 0; i < sizeof texts / sizeof *texts && texts[i]; i++)
        postgres_put_text(&values, texts[i]);
    return postgres_run(postgres, sql, &values, NULL, error);
}

static bool set_roles(struct postgres *postgres, const char *school, const char *duty,
                      const char *const *roles, int count, struct error *error)
{
    for (int i = 0; i < count; i++)
        if (!call(postgres, "SELECT set_role($1, $2, $3)", roles[i], school, duty, error))
            return false;
    return true;
}

static bool set_scheduling(struct postgres *postgres, const char *school,
                           const struct store_scheduling *scheduling, struct error *error)
{
    struct postgres_values values = { 0 };
    struct buffer text;
    struct json json;
    buffer_init(&text);
    json_init(&json, &text);
    json_open(&json, '{');
    for (int i = 0; i < scheduling->by_pack_count; i++) {
        json_key(&json, scheduling->by_pack[i].pack);
        json_number(&json, scheduling->by_pack[i].retention);
    }
    json_close(&json, '}');
    postgres_put_text(&values, school);
    postgres_put_integer(&values, scheduling->day_starts);
    postgres_put_real(&values, scheduling->retention);
    postgres_put_text(&values, buffer_get(&text));
    bool done = text.failed ? error_memory(error)
                            : postgres_run(postgres, "SELECT set_scheduling($1, $2::integer, $3, $4::jsonb)",
                                           &values, NULL, error);
    buffer_finish(&text);
    return done;
}

static bool set_school(struct postgres *postgres, const struct central_setup *setup, struct error *error)
{
    if (!setup->school)
        return true;
    return call(postgres, "SELECT set_school($1)", setup->school, NULL, NULL, error) &&
           (!setup->scheduling || set_scheduling(postgres, setup->school, setup->scheduling, error)) &&
           set_roles(postgres, setup->school, "machine", setup->machines, setup->machine_count, error) &&
           set_roles(postgres, setup->school, "tutor", setup->tutors, setup->tutor_count, error);
}

bool postgres_init(const char *address, const struct central_setup *setup, struct error *error)
{
    const struct postgres_options options = { .statement_s = 0 }; /* a migration takes its time */
    struct postgres *postgres;
    int64_t version;
    if (!postgres_open(&postgres, address, &options, error))
        return false;
    bool done = check_database(postgres, error) && begin(postgres, &version, error) &&
                migrate(postgres, version, error) && set_school(postgres, setup, error) &&
                postgres_exec(postgres, "COMMIT", error);
    postgres_close(postgres);
    return done;
}
