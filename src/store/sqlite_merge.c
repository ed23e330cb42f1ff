/* One learner of two. The log's rows are given to who remains, so that nobody who reads them has to know of
 * it. */
#include "sqlite_roster.h"

#include <quiztutor/json.h>
#include <quiztutor/message.h>

/* In order; ?1 is given to ?2. Derived rows of both go: they are made anew. */
static const char *const moving[] = {
    "UPDATE meta SET erasing = 2, parameters_made = parameters_made + 1, log_changes = log_changes + 1",
    "UPDATE session SET learner_id = ?2 WHERE learner_id = ?1",
    "UPDATE attempt SET learner_id = ?2 WHERE learner_id = ?1",
    "UPDATE event SET learner_id = ?2 WHERE learner_id = ?1", "UPDATE meta SET erasing = 0",
    ("INSERT INTO member(group_key, group_name, learner_id) SELECT group_key, group_name, ?2 FROM member"
     " WHERE learner_id = ?1 ON CONFLICT DO NOTHING"),
    "DELETE FROM member WHERE learner_id = ?1",
    /* what was printed for both in the same way is one */
    ("UPDATE sheet SET printed_at = max(sheet.printed_at, other.printed_at) FROM sheet AS other"
     " WHERE sheet.learner_id = ?2 AND other.learner_id = ?1 AND other.id = sheet.id"
     " AND other.content = sheet.content AND other.size = sheet.size AND other.boxes = sheet.boxes"
     " AND other.large = sheet.large AND other.no_key = sheet.no_key AND other.key_only = sheet.key_only"
     " AND other.tag IS sheet.tag"),
    "UPDATE OR IGNORE sheet SET learner_id = ?2 WHERE learner_id = ?1",
    "DELETE FROM sheet WHERE learner_id = ?1",
    /* who remains keeps their own PIN; the tries are the worse of both */
    "UPDATE OR IGNORE pin SET learner_id = ?2 WHERE learner_id = ?1", "DELETE FROM pin WHERE learner_id = ?1",
    ("DELETE FROM pin_try WHERE who = ?2 AND failures < (SELECT other.failures FROM pin_try AS other"
     " WHERE other.who = ?1)"),
    "UPDATE OR IGNORE pin_try SET who = ?2 WHERE who = ?1", "DELETE FROM pin_try WHERE who = ?1",
    "DELETE FROM parameters WHERE learner_id = ?1", /* fitted to half of the answers */
};
enum { MOVING = sizeof moving / sizeof *moving, MOVE_SESSIONS = 1, MOVE_ATTEMPTS, MOVE_EVENTS };

struct merging {
    struct roster roster;
    struct roster_person from, into;
    struct buffer
        body; /* of the event: {"from":id,"sessions":[ids]}, so that it can be told what was moved */
    struct roster_count *moved;
};

static bool read_both(struct merging *merging, const struct uuid *from, const struct uuid *into)
{
    struct roster *roster = &merging->roster;
    int first = roster_person(roster, from, &merging->from);
    int second = first > 0 ? roster_person(roster, into, &merging->into) : first;
    if (second == 0)
        roster_unknown(roster->error);
    return second > 0 && roster_is_free(roster, &merging->from) && roster_is_free(roster, &merging->into);
}

static bool write_body(struct merging *merging)
{
    struct roster *roster = &merging->roster;
    struct json json;
    char id[37];
    json_init(&json, &merging->body);
    json_open(&json, '{');
    json_key(&json, "from");
    uuid_format(id, &merging->from.id);
    json_text(&json, id);
    json_key(&json, "sessions");
    json_open(&json, '[');
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_SESSIONS);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &merging->from.id);
    int found;
    while ((found = sqlite_look_up(roster->store, statement, roster->error)) > 0) {
        struct uuid session;
        sqlite_read_uuid(statement, 0, &session);
        uuid_format(id, &session);
        json_text(&json, id);
    }
    sqlite3_reset(statement);
    json_close(&json, ']');
    json_close(&json, '}');
    if (merging->body.failed)
        return error_memory(roster->error);
    return found == 0;
}

/* What `into` has not is taken over; the rest stays with `from`, as another way to find `into`. */
static bool settle_persons(struct merging *merging)
{
    struct roster *roster = &merging->roster;
    struct roster_person *from = &merging->from, *into = &merging->into;
    sqlite3_stmt *statement = roster_statement(roster, ROSTER_UNNAME);
    if (!statement)
        return false;
    sqlite_bind_uuid(statement, 1, &from->id);
    sqlite_bind_uuid(statement, 2, &into->id);
    if (!sqlite_run(roster->store, statement, NULL, roster->error))
        return false;
    if (!into->login) {
        into->login = from->login;
        from->login = NULL;
    }
    if (!into->external_id) {
        into->external_id = from->external_id;
        from->external_id = NULL;
    }
    if (from->time_factor > into->time_factor)
        into->time_factor = from->time_factor;
    into->plain = into->plain ? into->plain : from->plain;
    return roster_write(roster, from) && roster_write(roster, into);
}

static bool move(struct merging *merging)
{
    struct roster *roster = &merging->roster;
    int64_t changed[MOVING];
    for (int i = 0; i < MOVING; i++) {
        changed[i] =
            sqlite_run_once(roster->store, moving[i], &merging->from.id, &merging->into.id, roster->error);
        if (changed[i] < 0)
            return false;
    }
    *merging->moved = (struct roster_count){ .sessions = changed[MOVE_SESSIONS],
                                             .attempts = changed[MOVE_ATTEMPTS],
                                             .events = changed[MOVE_EVENTS] };
    return true;
}

static bool add_event(struct merging *merging, struct writing *writing)
{
    const struct clock *clock = &writing->store->base.clock;
    int64_t now = clock_wall(clock);
    struct store_event event = { .kind = "merged",
                                 .body = buffer_get(&merging->body),
                                 .at = now,
                                 .utc_offset_s = clock_offset(clock, now) };
    uuid_make(&event.id, now);
    writing->event = &event;
    writing->learner = merging->into.id;
    bool done = writing_add_event(writing, merging->roster.error);
    writing->event = NULL;
    return done;
}

static bool merge(struct merging *merging, struct writing *writing, const struct uuid *from,
                  const struct uuid *into)
{
    struct error *error = merging->roster.error;
    return read_both(merging, from, into) && write_body(merging) && move(merging) &&
           settle_persons(merging) && add_event(merging, writing) &&
           sqlite_schedule_again(writing->store, from, error) &&
           sqlite_schedule_again(writing->store, into, error);
}

bool sqlite_merge_learners(struct writing *writing, const struct uuid *from, const struct uuid *into,
                           struct roster_count *moved, struct error *error)
{
    struct merging merging = { .moved = moved };
    buffer_init(&merging.body);
    roster_begin(&merging.roster, writing->store, error);
    bool done = merge(&merging, writing, from, into);
    roster_end(&merging.roster);
    buffer_finish(&merging.body);
    return done;
}

bool sqlite_roster_merge(struct store *base, const struct uuid *from, const struct uuid *into,
                         struct roster_count *moved, struct error *error)
{
    struct writing writing = { .store = (struct sqlite_store *)base };
    if (!writing_begin(&writing, error))
        return false;
    bool done = sqlite_merge_learners(&writing, from, into, moved, error);
    known_forget(&writing.store->known); /* whose the sessions are */
    writing.store->parameters.valid = false;
    if (!done)
        sqlite_rollback(writing.store);
    done = done && sqlite_commit(writing.store, error);
    if (done)
        writing_done(&writing, NULL);
    return done;
}
