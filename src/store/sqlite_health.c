/* What monitoring asks of a store. */
#include "sqlite_store.h"

#include <quiztutor/health.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { STEPS = 1000 /* of SQLite's machine between two looks at the clock */, NOTES = 5000 };

/* Runs that were noted: each newest first, with what else was noted of it. */
static const char runs_sql[] =
    "WITH told AS MATERIALIZED (SELECT seq, at, body ->> '$.what' AS what, body ->> '$.run' AS run"
    " FROM event WHERE kind = 'kiosk' ORDER BY seq DESC LIMIT ?1)"
    " SELECT what, run, at FROM told WHERE what = 'unclean' OR (what = 'begun' AND run IS NOT NULL"
    " AND run NOT IN (SELECT run FROM told WHERE what IN ('ended', 'unclean') AND run IS NOT NULL))"
    " ORDER BY seq DESC";

static const char attempt_sql[] =
    "SELECT coalesce((SELECT answered_at FROM attempt ORDER BY seq DESC LIMIT 1), 0)";
static const char newest_sql[] =
    "SELECT at FROM (SELECT * FROM (SELECT seq, answered_at AS at FROM attempt ORDER BY seq DESC LIMIT 1)"
    " UNION ALL SELECT * FROM (SELECT seq, at FROM event ORDER BY seq DESC LIMIT 1)"
    " UNION ALL SELECT 0, 0) ORDER BY seq DESC LIMIT 1";

struct bound {
    const struct clock *clock;
    int64_t until; /* ms of the steady clock */
};

static int is_over(void *context)
{
    const struct bound *bound = context;
    return clock_steady(bound->clock) >= bound->until;
}

/* The lock file to ask who holds what: a store that is only read has none open. −1: it can't be read. */
static int open_lock(const struct sqlite_store *store, bool *missing)
{
    struct buffer name;
    buffer_init(&name);
    buffer_print(&name, "%s-lock", store->path);
    int fd = name.failed ? -1 : open(buffer_get(&name), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    *missing = fd < 0 && !name.failed && errno == ENOENT;
    buffer_finish(&name);
    return fd;
}

static void note_unclean(struct health *health, int64_t at)
{
    health->unclean++;
    if (!health->unclean_at)
        health->unclean_at = at;
}

static bool read_runs(struct health *health, struct sqlite_store *store, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool missing;
    struct lock lock = { .fd = open_lock(store, &missing) };
    int result = sqlite3_prepare_v2(store->db, runs_sql, -1, &statement, NULL);
    if (result == SQLITE_OK)
        sqlite3_bind_int(statement, 1, NOTES);
    health->running = lock.fd < 0 && !missing ? HEALTH_NOT_TOLD : HEALTH_STOPPED;
    while (result == SQLITE_OK && (result = sqlite3_step(statement)) == SQLITE_ROW) {
        const char *what = (const char *)sqlite3_column_text(statement, 0);
        const char *run = (const char *)sqlite3_column_text(statement, 1);
        int64_t at = sqlite3_column_int64(statement, 2);
        struct uuid id;
        result = SQLITE_OK;
        if (what && strcmp(what, "unclean") == 0)
            note_unclean(health, at);
        else if (run && uuid_read(&id, run) && lock_is_held(&lock, &id))
            health->running = HEALTH_RUNNING;
        else if (health->running != HEALTH_NOT_TOLD)
            note_unclean(health, at);
    }
    sqlite3_finalize(statement);
    if (lock.fd >= 0)
        close(lock.fd);
    return result == SQLITE_DONE || sqlite_error(store, result, error);
}

static bool look_through(struct health *health, struct sqlite_store *store, int milliseconds,
                         struct error *error)
{
    const struct clock *clock = &store->base.clock;
    struct bound bound = { clock, clock_steady(clock) + milliseconds };
    sqlite3_stmt *statement = NULL;
    sqlite3_progress_handler(store->db, STEPS, is_over, &bound);
    int result = sqlite3_prepare_v2(store->db, "PRAGMA quick_check(1)", -1, &statement, NULL);
    if (result == SQLITE_OK)
        result = sqlite3_step(statement);
    const char *found = result == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (found && strcmp(found, "ok") != 0) {
        static const char heading[] = "*** in database main ***\n";
        found += strncmp(found, heading, sizeof heading - 1) == 0 ? sizeof heading - 1 : 0;
        snprintf(health->damage, sizeof health->damage, "%.*s", (int)strcspn(found, "\n"), found);
    }
    health->whole = result == SQLITE_ROW;
    sqlite3_finalize(statement);
    sqlite3_progress_handler(store->db, 0, NULL, NULL);
    return result == SQLITE_ROW || (result & 0xff) == SQLITE_INTERRUPT || sqlite_error(store, result, error);
}

bool health_look(struct health *health, struct store *base, int milliseconds, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct error own = { .code = ERROR_NONE };
    memset(health, 0, sizeof *health);
    if (base->ops != &sqlite_store_ops) {
        health->whole = true;
        return true;
    }
    bool done = sqlite_integer(store, "PRAGMA user_version", &health->schema, &own) &&
                look_through(health, store, milliseconds, &own) &&
                sqlite_integer(store, attempt_sql, &health->last_attempt_at, &own) &&
                sqlite_integer(store, newest_sql, &health->newest_at, &own) && read_runs(health, store, &own);
    if (!done && own.code == ERROR_DAMAGED) {
        if (!*health->damage)
            snprintf(health->damage, sizeof health->damage, "%.*s", (int)sizeof health->damage - 1,
                     own.message);
        return true;
    }
    if (!done && error)
        *error = own;
    return done;
}

bool health_network(unsigned long type)
{
    return surroundings_network_type(type);
}
