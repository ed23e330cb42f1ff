/* One state of the central store for all that a report reads, with the sums of whom it is about brought up
 * before. */
#include "postgres_store.h"

#include <quiztutor/message.h>
#include <string.h>

/* Rows that arrive between the sums and the state are met by another try; each is a matter of milliseconds.
 */
enum { STATE_TRIES = 30 };

static bool begin(struct postgres_store *store, struct error *error)
{
    store->state = postgres_exec(
        store->postgres, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL jit = off", error);
    return store->state;
}

void postgres_state_end(struct store *base)
{
    struct postgres_store *store = (struct postgres_store *)base;
    if (!store->state || store->open_rows > 0)
        return;
    store->state = false;
    if (!store->postgres->broken)
        postgres_exec(store->postgres, "ROLLBACK", NULL);
}

bool postgres_state_settle(struct postgres_store *store, struct error *error)
{
    return store->state || begin(store, error);
}

/* Whether any of the scope are behind in the state that is read; −1 an error. */
static int look(struct postgres_store *store, const struct postgres_scope *scope, struct error *error)
{
    struct postgres_rows rows = { 0 };
    struct postgres_values values = { 0 };
    const char *sql = "SELECT EXISTS(SELECT FROM behind WHERE school = $1)";
    postgres_put_integer(&values, store->school);
    if (!uuid_is_zero(&scope->learner)) {
        sql = "SELECT EXISTS(SELECT FROM behind WHERE school = $1 AND learner_id = $2)";
        postgres_put_uuid(&values, &scope->learner);
    } else if (scope->group) {
        sql = "SELECT EXISTS(SELECT FROM behind JOIN member ON member.school = $1 AND member.learner_id ="
              " behind.learner_id AND group_key = $2 WHERE behind.school = $1)";
        postgres_put_text(&values, scope->group);
    }
    int found = -1;
    if (postgres_query(&rows, store->postgres, sql, &values, error) && postgres_step(&rows, error) > 0)
        found = postgres_integer(&rows, 0) != 0;
    postgres_rows_close(&rows);
    return found;
}

/* A role that may not write them, or a server that only follows another. */
static bool cant_bring_up(const struct postgres_store *store)
{
    const char *state = store->postgres->state;
    return strcmp(state, "25006") == 0 || strcmp(state, "42501") == 0;
}

bool postgres_state_begin(struct store *base, const struct uuid *learner, const char *group,
                          struct error *error)
{
    struct postgres_store *store = (struct postgres_store *)base;
    const struct postgres_scope scope = { .learner = learner ? *learner : (struct uuid){ { 0 } },
                                          .group = group };
    int64_t count = 0;
    for (int i = 0; i < STATE_TRIES; i++) {
        postgres_state_end(base);
        if (!postgres_state_settle(store, error))
            return false;
        int behind = look(store, &scope, error);
        if (behind <= 0)
            return behind == 0;
        postgres_state_end(base);
        if (store->state) /* rows are open: they keep it */
            break;
        if (!postgres_fold(store, &scope, false, &count, error))
            return cant_bring_up(store) &&
                   error_set(
                       error, ERROR_READ_ONLY, "%s",
                       tr("answers have arrived at the central store that are not summed up yet, and this "
                          "role or server can't: run quiztutor sync --summaries where it can"));
    }
    return error_set(error, ERROR_BUSY, "%s",
                     tr("answers keep arriving at the central store faster than they can be summed up; try "
                        "again in a while"));
}

bool postgres_write_begin(struct postgres_store *store, struct error *error)
{
    postgres_state_end(&store->base);
    if (store->state)
        return error_set(error, ERROR_INPUT, "%s", tr("rows of the store are still being read"));
    return postgres_exec(store->postgres, "BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL jit = off", error);
}

bool postgres_write_end(struct postgres_store *store, bool done, struct error *error)
{
    if (done)
        return postgres_exec(store->postgres, "COMMIT", error);
    if (!store->postgres->broken)
        postgres_exec(store->postgres, "ROLLBACK", NULL);
    return false;
}
