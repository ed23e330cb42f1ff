/* Runs of programs that stay up: begun, ended, or neither. */
#include "sqlite_store.h"

#include <quiztutor/json.h>
#include <quiztutor/run.h>

#include <string.h>

enum { LOOKED_AT = 5000 /* of the newest events of this kind */, UNCLEAN = 100 /* runs told at once */ };

static const char begun_sql[] =
    "WITH told AS MATERIALIZED (SELECT seq, body ->> '$.what' AS what, body ->> '$.run' AS run,"
    " body ->> '$.boot' AS boot FROM event INDEXED BY event_kiosk WHERE kind = 'kiosk' ORDER BY seq DESC"
    " LIMIT ?1)"
    " SELECT run, boot FROM told WHERE what = 'begun' AND run IS NOT NULL AND run NOT IN"
    " (SELECT run FROM told WHERE what IN ('ended', 'unclean') AND run IS NOT NULL) ORDER BY seq";
static const char newest_sql[] =
    "SELECT at FROM (SELECT * FROM (SELECT seq, answered_at AS at FROM attempt ORDER BY seq DESC LIMIT 1)"
    " UNION ALL SELECT * FROM (SELECT seq, at FROM event ORDER BY seq DESC LIMIT 1)"
    " UNION ALL SELECT 0, 0) ORDER BY seq DESC LIMIT 1";

static void make_event(struct store *store, struct store_event *event, struct buffer *body, const char *what,
                       const struct uuid *run)
{
    struct json json;
    char id[37];
    int64_t now = clock_wall(&store->clock);
    json_init(&json, body);
    json_open(&json, '{');
    json_key(&json, "what");
    json_text(&json, what);
    json_key(&json, "run");
    uuid_format(id, run);
    json_text(&json, id);
    if (store->has_boot) {
        json_key(&json, "boot");
        uuid_format(id, &store->boot);
        json_text(&json, id);
    }
    json_close(&json, '}');
    *event =
        (struct store_event){ .kind = "kiosk", .at = now, .utc_offset_s = clock_offset(&store->clock, now) };
    uuid_make(&event->id, now);
    event->body = buffer_get(body);
}

struct runs {
    struct uuid ids[UNCLEAN];
    int count;
    bool rebooted;
};

/* Those that began, did not end, and are not running. */
static bool find_unclean(struct sqlite_store *store, struct runs *runs, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(store->db, begun_sql, -1, &statement, NULL), found = 0;
    bool done = result == SQLITE_OK || sqlite_error(store, result, error);
    if (done)
        sqlite3_bind_int(statement, 1, LOOKED_AT);
    while (done && runs->count < UNCLEAN && (found = sqlite_look_up(store, statement, error)) > 0) {
        const char *run = (const char *)sqlite3_column_text(statement, 0);
        const char *text = (const char *)sqlite3_column_text(statement, 1);
        struct uuid id, boot;
        if (!run || !uuid_read(&id, run) || lock_is_held(&store->lock, &id))
            continue;
        runs->ids[runs->count++] = id;
        runs->rebooted =
            store->base.has_boot && text && uuid_read(&boot, text) && !uuid_equal(&boot, &store->base.boot);
    }
    sqlite3_finalize(statement);
    return done && found >= 0;
}

static bool note_begin(struct run *run, struct store *store, const struct runs *runs, struct error *error)
{
    struct store_event events[UNCLEAN + 1];
    struct buffer bodies[UNCLEAN + 1];
    bool failed = false;
    for (int i = 0; i <= runs->count; i++) {
        bool own = i == runs->count;
        buffer_init(&bodies[i]);
        make_event(store, &events[i], &bodies[i], own ? "begun" : "unclean", own ? &run->id : &runs->ids[i]);
        failed = failed || bodies[i].failed;
    }
    bool done = failed ? error_memory(error) : store_add_events(store, events, runs->count + 1, error);
    for (int i = 0; i <= runs->count; i++)
        buffer_finish(&bodies[i]);
    return done;
}

bool run_begin(struct run *run, struct store *base, struct error *error)
{
    struct sqlite_store *store = (struct sqlite_store *)base;
    struct runs runs = { .count = 0 };
    memset(run, 0, sizeof *run);
    if (base->ops != &sqlite_store_ops) {
        run->clock = clock_judge(clock_wall(&base->clock), 0);
        return true;
    }
    uuid_make(&run->id, clock_wall(&base->clock));
    if (!sqlite_integer(store, newest_sql, &run->last_at, error) || !find_unclean(store, &runs, error) ||
        !store_hold_session(base, &run->id, error))
        return false;
    run->clock = clock_judge(clock_wall(&base->clock), run->last_at);
    run->unclean = runs.count;
    run->rebooted = runs.rebooted;
    return note_begin(run, base, &runs, error);
}

bool run_end(const struct run *run, struct store *store, struct error *error)
{
    struct store_event event;
    struct buffer body;
    if (store->ops != &sqlite_store_ops)
        return true;
    buffer_init(&body);
    make_event(store, &event, &body, "ended", &run->id);
    bool done = body.failed ? error_memory(error) : store_add_events(store, &event, 1, error);
    buffer_finish(&body);
    store_release_session(store, &run->id);
    return done;
}
