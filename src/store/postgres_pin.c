/* PINs at the centre: set and taken away there, pulled by machines, and tried there only. */
#include "pin_private.h"
#include "postgres_roster.h"

#include <quiztutor/message.h>

/* Who was merged into another is that one. */
static bool settle(struct central_roster *roster, struct uuid *who)
{
    static const char sql[] = "SELECT coalesce(merged_into, learner_id) FROM learner WHERE school = $1 AND"
                              " learner_id = $2::uuid";
    struct uuid ids[2];
    char id[37];
    uuid_format(id, who);
    const char *text = id;
    int found = central_roster_ids(roster, sql, &text, 1, ids);
    if (found == 0)
        roster_unknown(roster->error);
    if (found > 0)
        *who = ids[0];
    return found > 0;
}

static bool read_pin(struct postgres_store *store, const struct uuid *who, bool *set, struct error *error)
{
    struct postgres_values values = { 0 };
    struct postgres_rows rows = { 0 };
    postgres_put_integer(&values, store->school);
    postgres_put_uuid(&values, who);
    bool done = postgres_query(&rows, store->postgres,
                               "SELECT EXISTS(SELECT FROM pin WHERE school = $1 AND learner_id = $2 AND kept"
                               " IS NOT NULL)",
                               &values, error) &&
                postgres_step(&rows, error) > 0;
    *set = done && postgres_integer(&rows, 0) != 0;
    postgres_rows_close(&rows);
    return done;
}

/* A row without a PIN says to machines that it was taken away. */
static bool write_pin(struct postgres_store *store, const struct uuid *who, const char *kept,
                      struct error *error)
{
    struct postgres_values values = { 0 };
    const char *sql = kept
                          ? "INSERT INTO pin(school, learner_id, kept) VALUES($1, $2, $3)"
                            " ON CONFLICT(school, learner_id) DO UPDATE SET kept = EXCLUDED.kept"
                          : "UPDATE pin SET kept = NULL WHERE school = $1 AND learner_id = $2 AND kept IS NOT"
                            " NULL";
    postgres_put_integer(&values, store->school);
    postgres_put_uuid(&values, who);
    if (kept)
        postgres_put_text(&values, kept);
    return postgres_run(store->postgres, sql, &values, NULL, error);
}

static bool set(struct store *base, const struct uuid *learner, const char *kept, bool *was,
                struct error *error)
{
    struct central_roster roster;
    struct uuid who = *learner;
    if (!central_roster_begin(&roster, base, error))
        return false;
    bool done = settle(&roster, &who) && read_pin(roster.store, &who, was, error) &&
                write_pin(roster.store, &who, kept, error);
    return central_roster_end(&roster, done);
}

static bool look(struct store *base, const struct uuid *who, bool *is, struct pin_count *count,
                 struct error *error)
{
    *count = (struct pin_count){ 0 };
    return read_pin((struct postgres_store *)base, who, is, error);
}

static bool refuse(struct error *error)
{
    return error_set(error, ERROR_INPUT, "%s",
                     tr("PINs are tried where learners sign in, not at the centre"));
}

static bool count(struct store *store, const struct uuid *who, bool *is, bool *taken, struct pin_count *count,
                  char kept[static SECRET_TEXT], struct error *error)
{
    (void)store, (void)who, (void)is, (void)taken, (void)count, (void)kept;
    return refuse(error);
}

static bool forget(struct store *store, const struct uuid *who, struct error *error)
{
    (void)store, (void)who;
    return refuse(error);
}

const struct pin_ops postgres_pin_ops = { .set = set, .look = look, .count = count, .forget = forget };
