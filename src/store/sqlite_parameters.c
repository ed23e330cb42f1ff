/* The scheduler's parameters: a learner's own, everyone's, or the defaults. */
#include "sqlite_store.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <stdlib.h>
#include <string.h>

/* 21 numbers as json_number writes them: strtod gives back each to the last bit, which SQLite does not
 * promise. */
static bool read_weights(const char *text, struct fsrs_parameters *parameters)
{
    for (int i = 0; i < FSRS_WEIGHTS; i++) {
        char *end;
        if (*text != (i ? ',' : '['))
            return false;
        parameters->weights[i] = strtod(text + 1, &end);
        if (end == text + 1)
            return false;
        text = end;
    }
    fsrs_clip(parameters);
    return strcmp(text, "]") == 0;
}

/* Own (2), everyone's (1) or none (0); −1 is an error. */
static int read_parameters(struct sqlite_store *store, const struct uuid *learner,
                           struct fsrs_parameters *parameters, struct error *error)
{
    sqlite3_stmt *statement = sqlite_prepare(store, SQL_PARAMETERS, error);
    if (!statement)
        return -1;
    *parameters = fsrs_defaults;
    sqlite3_bind_blob(statement, 1, learner->bytes, sizeof learner->bytes, SQLITE_STATIC);
    int found = sqlite_look_up(store, statement, error);
    if (found > 0) {
        const char *weights = (const char *)sqlite3_column_text(statement, 0);
        found = 1 + (sqlite3_column_int(statement, 1) != 0);
        if (!weights || !read_weights(weights, parameters)) {
            found = -1;
            if (weights)
                error_set(error, ERROR_DAMAGED,
                          tr("%s: the scheduler's parameters in it can't be read: fit them anew"),
                          store->shown);
            else
                error_memory(error);
        }
    }
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return found;
}

bool sqlite_rules(struct sqlite_store *store, const struct uuid *learner, const char *pack_id,
                  struct fold_rules *rules, struct error *error)
{
    struct sqlite_parameters *last = &store->parameters;
    if (!last->valid || !uuid_equal(&last->learner, learner)) {
        last->valid = false;
        last->fitted = read_parameters(store, learner, &last->parameters, error);
        if (last->fitted < 0)
            return false;
        last->learner = *learner;
        last->valid = true;
    }
    rules->parameters = last->parameters;
    rules->retention = scheduling_retention(&store->base.scheduling, pack_id);
    rules->day_starts = store->made.day_starts;
    return true;
}

bool sqlite_parameters(struct store *base, const struct uuid *learner, struct fsrs_parameters *parameters,
                       int *fitted, struct error *error)
{
    /* from the table: another process may have stored new ones since this one last did anything */
    int found = read_parameters((struct sqlite_store *)base, learner, parameters, error);
    *fitted = found > 0 ? found : 0;
    return found >= 0;
}

static bool write_weights(struct buffer *text, const struct fsrs_parameters *parameters, struct error *error)
{
    struct json json;
    json_init(&json, text);
    json_open(&json, '[');
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        json_number(&json, parameters->weights[i]);
    json_close(&json, ']');
    return !text->failed || error_memory(error);
}

static bool put_parameters(struct sqlite_store *store, const struct uuid *learner, const char *weights,
                           const char *report, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(
        store->db,
        "INSERT INTO parameters(learner_id, weights, report, made_at) VALUES(?1, ?2, ?3, ?4)"
        " ON CONFLICT(learner_id) DO UPDATE SET weights = ?2, report = ?3, made_at = ?4",
        -1, &statement, NULL);
    if (result == SQLITE_OK) {
        sqlite3_bind_blob(statement, 1, learner->bytes, sizeof learner->bytes, SQLITE_STATIC);
        sqlite_bind_text(statement, 2, weights);
        sqlite_bind_text(statement, 3, report);
        sqlite3_bind_int64(statement, 4, clock_wall(&store->base.clock));
        result = sqlite3_step(statement);
    }
    bool done = result == SQLITE_DONE || sqlite_error(store, result, error);
    sqlite3_finalize(statement);
    return done && sqlite_exec(store, "UPDATE meta SET parameters_made = parameters_made + 1", error);
}

bool sqlite_set_parameters(struct store *base, const struct uuid *learner,
                           const struct fsrs_parameters *parameters, const char *report, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct buffer weights;
    int64_t schedule_seq;
    bool done = false;
    buffer_init(&weights);
    if (!write_weights(&weights, parameters, error) || !sqlite_begin(store, error))
        goto out;
    done = sqlite_made_settle(store, error) &&
           put_parameters(store, learner, buffer_get(&weights), report, error) &&
           sqlite_made_read(store, &schedule_seq, error) && sqlite_schedule_learner(store, learner, error);
    if (done)
        done = sqlite_commit(store, error);
    else
        sqlite_rollback(store);
    store->parameters.valid = false;
out:
    buffer_finish(&weights);
    return done;
}
