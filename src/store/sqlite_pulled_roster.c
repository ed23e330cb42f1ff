/* The roster as the centre has it, taken over in one transaction with the note that it was. */
#include "sqlite_applying.h"

static bool settle_groups(struct taking *taking)
{
    for (ptrdiff_t i = 0; i < taking->count; i++) {
        struct pulled_learner *learner = &taking->learners[i];
        if (learner->state != LEARNER_SETTLED || !learner->here)
            continue;
        int changed = roster_settle_groups(&taking->roster, &learner->entry, &learner->id);
        if (changed < 0)
            return false;
        learner->changed |= changed > 0;
    }
    return true;
}

/* ---- PINs ---- */

static bool write_pin(struct taking *taking, const struct uuid *id, const char *kept)
{
    struct sqlite_store *store = taking->roster.store;
    struct error *error = taking->applying->error;
    sqlite3_stmt *statement = NULL;
    const char *sql = kept ? "INSERT INTO pin(learner_id, kept) VALUES(?1, ?2)"
                             " ON CONFLICT DO UPDATE SET kept = excluded.kept WHERE kept <> excluded.kept"
                           : "DELETE FROM pin WHERE learner_id = ?1";
    int result = sqlite3_prepare_v2(store->db, sql, -1, &statement, NULL);
    if (result != SQLITE_OK)
        return sqlite_error(store, result, error);
    sqlite_bind_uuid(statement, 1, id);
    if (kept)
        sqlite_bind_text(statement, 2, kept);
    bool done = sqlite_run(store, statement, NULL, error);
    taking->pins += done ? sqlite3_changes(store->db) : 0;
    sqlite3_finalize(statement);
    return done;
}

/* The tries stay counted: who guesses gains nothing by it. A text that keeps no PIN changes nothing. */
static bool take_pin(struct taking *taking, sqlite3_stmt *statement)
{
    struct uuid id, into;
    bool cleared = sqlite3_column_type(statement, 1) == SQLITE_NULL;
    const char *kept = (const char *)sqlite3_column_text(statement, 1);
    sqlite_read_uuid(statement, 0, &id);
    if (!cleared && !kept)
        return error_memory(taking->applying->error);
    int found = pulled_learner_row(taking->roster.store, &id, &into, taking->applying->error);
    if (found <= 0 || !uuid_is_zero(&into) || (kept && !secret_is_kept(kept)))
        return found >= 0;
    return write_pin(taking, &id, kept);
}

/* Those that changed, and those of who was left out before. */
static bool settle_pins(struct taking *taking)
{
    struct applying *applying = taking->applying;
    sqlite3_stmt *statement = applying_statement(applying, APPLYING_PINS);
    int found = -1;
    if (!statement)
        return false;
    sqlite3_bind_int64(statement, 1, applying->since);
    while ((found = applying_step(applying, statement)) > 0 && take_pin(taking, statement))
        continue;
    sqlite3_reset(statement);
    for (ptrdiff_t i = 0; found == 0 && i < applying->left_count; i++) {
        statement = applying_statement(applying, APPLYING_PIN);
        if (!statement)
            return false;
        sqlite_bind_uuid(statement, 1, &applying->left[i]);
        found = applying_step(applying, statement);
        if (found > 0 && take_pin(taking, statement))
            found = 0;
        sqlite3_reset(statement);
    }
    return found == 0;
}

/* ---- what is noted ---- */

static bool note_left(struct taking *taking)
{
    struct sqlite_store *store = taking->roster.store;
    struct error *error = taking->applying->error;
    sqlite3_stmt *statement = NULL;
    if (!sqlite_exec(store, "DELETE FROM pulled_left", error))
        return false;
    int result = sqlite3_prepare_v2(store->db, "INSERT INTO pulled_left(learner_id, why) VALUES(?1, ?2)", -1,
                                    &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(store, result, error);
    for (ptrdiff_t i = 0; done && i < taking->count; i++) {
        const struct pulled_learner *learner = &taking->learners[i];
        if (learner->state != LEARNER_LEFT || uuid_is_zero(&learner->id))
            continue;
        sqlite_bind_uuid(statement, 1, &learner->id);
        sqlite_bind_text(statement, 2, learner->why);
        done = sqlite_run(store, statement, NULL, error);
    }
    sqlite3_finalize(statement);
    return done;
}

/* Where erasures or merges wait, what they are of is not applied yet. */
static bool note_version(struct applying *applying)
{
    struct sqlite_store *store = applying->store;
    sqlite3_stmt *statement = NULL;
    if (applying->applied->waiting)
        return true;
    int result = sqlite3_prepare_v2(
        store->db, "INSERT OR REPLACE INTO pulled(one, server, version, at) VALUES(1, ?1, ?2, ?3)", -1,
        &statement, NULL);
    if (result != SQLITE_OK)
        return sqlite_error(store, result, applying->error);
    sqlite3_bind_blob(statement, 1, applying->mark.server.bytes, sizeof applying->mark.server.bytes,
                      SQLITE_STATIC);
    sqlite3_bind_int64(statement, 2, applying->mark.version);
    sqlite3_bind_int64(statement, 3, clock_wall(&store->base.clock));
    bool done = sqlite_run(store, statement, NULL, applying->error);
    sqlite3_finalize(statement);
    return done;
}

static void count(struct taking *taking)
{
    struct pulled_applied *applied = taking->applying->applied;
    for (ptrdiff_t i = 0; i < taking->count; i++) {
        applied->learners += taking->learners[i].changed && taking->learners[i].state != LEARNER_LEFT;
        applied->left_out += taking->learners[i].state == LEARNER_LEFT;
    }
    applied->pins = taking->pins;
    taking->applying->changed |= applied->learners > 0 || applied->pins > 0;
}

bool applying_roster(struct applying *applying)
{
    struct taking taking = { .applying = applying };
    struct writing writing = { .store = applying->store };
    if (!writing_begin(&writing, applying->error))
        return false;
    arena_init(&taking.arena);
    roster_begin(&taking.roster, applying->store, applying->error);
    bool done = taking_read(&taking) && taking_names(&taking) && settle_groups(&taking) &&
                settle_pins(&taking) && note_left(&taking) && note_version(applying);
    roster_end(&taking.roster);
    if (!done)
        sqlite_rollback(applying->store);
    done = done && sqlite_commit(applying->store, applying->error);
    if (done) {
        writing_done(&writing, NULL);
        count(&taking);
    }
    memory_free(taking.learners);
    arena_finish(&taking.arena);
    return done;
}
