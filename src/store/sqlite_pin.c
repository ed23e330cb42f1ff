/* PINs and the tries at them, each call one transaction. */
#include "pin_private.h"
#include "roster_private.h"
#include "sqlite_writing.h"

#include <limits.h>
#include <string.h>

static sqlite3_stmt *prepare(struct sqlite_store *store, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result != SQLITE_OK)
        sqlite_error(store, result, error);
    return statement;
}

/* Zero, the tutor's code, is a blob of its own here, not null. */
static void bind_who(sqlite3_stmt *statement, int place, const struct uuid *who)
{
    sqlite3_bind_blob(statement, place, who->bytes, sizeof who->bytes, SQLITE_STATIC);
}

/* Who was merged into another is that one. */
static bool settle(struct sqlite_store *store, struct uuid *who, struct error *error)
{
    int found = uuid_is_zero(who) ? 1 : learner_by_id(store, who, error);
    return found > 0 || (found == 0 && roster_unknown(error));
}

/* `kept` may be NULL: whether there is one is all that is asked. */
static bool read_pin(struct sqlite_store *store, const struct uuid *who, bool *set, char *kept,
                     struct error *error)
{
    *set = uuid_is_zero(who);
    if (*set)
        return true;
    sqlite3_stmt *statement = prepare(store, "SELECT kept FROM pin WHERE learner_id = ?1", error);
    if (!statement)
        return false;
    bind_who(statement, 1, who);
    int found = sqlite_look_up(store, statement, error);
    const char *text = found > 0 ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    bool done = found == 0 || text || (found > 0 && error_memory(error));
    if (done && text && kept && strlen(text) >= SECRET_TEXT)
        done = sqlite_error(store, SQLITE_CORRUPT, error);
    else if (done && text && kept)
        strcpy(kept, text);
    *set = text != NULL;
    sqlite3_finalize(statement);
    return done;
}

static bool read_count(struct sqlite_store *store, const struct uuid *who, struct pin_count *count,
                       struct error *error)
{
    *count = (struct pin_count){ 0 };
    sqlite3_stmt *statement = prepare(store,
                                      "SELECT failures, wait_ms, since_steady, at, device_id, boot_id"
                                      " FROM pin_try WHERE who = ?1",
                                      error);
    if (!statement)
        return false;
    bind_who(statement, 1, who);
    int found = sqlite_look_up(store, statement, error);
    if (found > 0) {
        int64_t failures = sqlite3_column_int64(statement, 0);
        *count = (struct pin_count){ .failures = failures < 0         ? 0
                                                 : failures > INT_MAX ? INT_MAX
                                                                      : (int)failures,
                                     .wait_ms = sqlite3_column_int64(statement, 1),
                                     .since_steady = sqlite3_column_int64(statement, 2),
                                     .at = sqlite3_column_int64(statement, 3) };
        sqlite_read_uuid(statement, 4, &count->device);
        sqlite_read_uuid(statement, 5, &count->boot);
    }
    sqlite3_finalize(statement);
    return found >= 0;
}

static bool write_count(struct sqlite_store *store, const struct uuid *who, const struct pin_count *count,
                        struct error *error)
{
    sqlite3_stmt *statement =
        prepare(store,
                "INSERT OR REPLACE INTO pin_try(who, failures, wait_ms, since_steady, at, device_id, boot_id)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                error);
    if (!statement)
        return false;
    bind_who(statement, 1, who);
    sqlite3_bind_int(statement, 2, count->failures);
    sqlite3_bind_int64(statement, 3, count->wait_ms);
    sqlite3_bind_int64(statement, 4, count->since_steady);
    sqlite3_bind_int64(statement, 5, count->at);
    sqlite_bind_uuid(statement, 6, &count->device);
    sqlite_bind_uuid(statement, 7, &count->boot);
    bool done = sqlite_run(store, statement, NULL, error);
    sqlite3_finalize(statement);
    return done;
}

static bool drop_count(struct sqlite_store *store, const struct uuid *who, struct error *error)
{
    sqlite3_stmt *statement = prepare(store, "DELETE FROM pin_try WHERE who = ?1", error);
    if (!statement)
        return false;
    bind_who(statement, 1, who);
    bool done = sqlite_run(store, statement, NULL, error);
    sqlite3_finalize(statement);
    return done;
}

/* kept NULL: none from now on. */
static bool write_pin(struct sqlite_store *store, const struct uuid *learner, const char *kept,
                      struct error *error)
{
    sqlite3_stmt *statement = prepare(store,
                                      kept ? "INSERT OR REPLACE INTO pin(learner_id, kept) VALUES(?1, ?2)"
                                           : "DELETE FROM pin WHERE learner_id = ?1",
                                      error);
    if (!statement)
        return false;
    bind_who(statement, 1, learner);
    if (kept)
        sqlite_bind_text(statement, 2, kept);
    bool done = sqlite_run(store, statement, NULL, error);
    sqlite3_finalize(statement);
    return done;
}

static bool end(struct sqlite_store *store, bool done, struct error *error)
{
    if (!done)
        sqlite_rollback(store);
    return done && sqlite_commit(store, error);
}

static bool set(struct store *base, const struct uuid *learner, const char *kept, bool *was,
                struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    struct uuid who = *learner;
    if (!writing_begin(&writing, error))
        return false;
    bool done = settle(writing.store, &who, error) && read_pin(writing.store, &who, was, NULL, error) &&
                write_pin(writing.store, &who, kept, error) && drop_count(writing.store, &who, error);
    done = end(writing.store, done, error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}

static bool look(struct store *base, const struct uuid *given, bool *is, struct pin_count *count,
                 struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct uuid who = *given;
    return settle(store, &who, error) && read_pin(store, &who, is, NULL, error) &&
           read_count(store, &who, count, error);
}

static bool add(struct sqlite_store *store, const struct uuid *given, bool *is, bool *taken,
                struct pin_count *count, char *kept, struct error *error)
{
    struct uuid who = *given;
    if (!settle(store, &who, error) || !read_pin(store, &who, is, kept, error) ||
        !read_count(store, &who, count, error))
        return false;
    *taken = *is && pin_count_left(count, &store->base.clock, &store->base.device) == 0;
    if (!*taken)
        return true;
    pin_count_add(count, &store->base.clock, &store->base.device, pin_longest(&who));
    return write_count(store, &who, count, error);
}

static bool count(struct store *base, const struct uuid *who, bool *is, bool *taken, struct pin_count *count,
                  char kept[static SECRET_TEXT], struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    if (!writing_begin(&writing, error))
        return false;
    bool done = end(writing.store, add(writing.store, who, is, taken, count, kept, error), error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}

static bool forget(struct store *base, const struct uuid *given, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    struct uuid who = *given;
    if (!writing_begin(&writing, error))
        return false;
    bool done = settle(writing.store, &who, error) && drop_count(writing.store, &who, error);
    done = end(writing.store, done, error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}

const struct pin_ops sqlite_pin_ops = { .set = set, .look = look, .count = count, .forget = forget };
