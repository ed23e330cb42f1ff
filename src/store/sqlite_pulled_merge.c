/* Learners whom the centre erased, or made one of two: the same here. */
#include "sqlite_applying.h"

#include <stdio.h>
#include <string.h>

enum { CHAIN = 100 }; /* merges one into the other that are followed */

/* Ids, read before anything is changed. */
struct ids {
    struct uuid *items;
    ptrdiff_t count, room;
};

static bool add_id(struct applying *applying, struct ids *ids, const struct uuid *id)
{
    if (!memory_grow(&ids->items, &ids->room, ids->count + 1, sizeof *ids->items))
        return error_memory(applying->error);
    ids->items[ids->count++] = *id;
    return true;
}

/* ---- erased ---- */

/* Whether the centre erased who has this id. 1, 0, −1. */
static int is_erased(struct applying *applying, const struct uuid *id)
{
    struct uuid mark;
    sqlite3_stmt *statement = applying_statement(applying, APPLYING_IS_ERASED);
    if (!statement)
        return -1;
    roster_mark(&mark, id);
    sqlite_bind_uuid(statement, 1, &mark);
    int found = applying_step(applying, statement);
    sqlite3_reset(statement);
    return found;
}

/* Whoever was merged into another here goes with that one only: what was theirs can't be told from the rest.
 */
static bool note_erased(struct applying *applying, struct ids *ids, const struct uuid *id, struct uuid *into)
{
    int erased = is_erased(applying, id);
    if (erased <= 0)
        return erased == 0;
    if (uuid_is_zero(into))
        return add_id(applying, ids, id);
    if (learner_by_id(applying->store, into, applying->error) < 0)
        return false;
    erased = is_erased(applying, into);
    applying->applied->left_out += erased == 0;
    return erased >= 0;
}

/* Those here whom the centre erased. */
static bool find_erased(struct applying *applying, struct ids *ids)
{
    sqlite3_stmt *statement = NULL;
    int result = sqlite3_prepare_v2(applying->store->db, "SELECT learner_id, merged_into FROM learner", -1,
                                    &statement, NULL);
    bool done = result == SQLITE_OK || sqlite_error(applying->store, result, applying->error);
    int found = 0;
    while (done && (found = sqlite_look_up(applying->store, statement, applying->error)) > 0) {
        struct uuid id, into;
        sqlite_read_uuid(statement, 0, &id);
        sqlite_read_uuid(statement, 1, &into);
        done = note_erased(applying, ids, &id, &into);
    }
    sqlite3_finalize(statement);
    return done && found >= 0;
}

bool applying_erase(struct applying *applying)
{
    struct ids ids = { 0 };
    struct error *error = applying->error;
    struct pulled_applied *applied = applying->applied;
    sqlite3_stmt *statement = applying_statement(applying, APPLYING_ERASED);
    if (!statement)
        return false;
    sqlite3_bind_int64(statement, 1, applying->since);
    int found = applying_step(applying, statement);
    bool any = found > 0 && sqlite3_column_int64(statement, 0) > 0;
    sqlite3_reset(statement);
    bool done = found > 0 && (!any || find_erased(applying, &ids));
    for (ptrdiff_t i = 0; done && i < ids.count; i++) {
        struct roster_count gone;
        bool erased = roster_erase(&applying->store->base, &ids.items[i], &gone, error);
        applied->erased += erased;
        applied->waiting += !erased && error->code == ERROR_BUSY;
        done = erased || error->code == ERROR_BUSY || error->code == ERROR_NOT_FOUND;
        applying->changed |= erased;
    }
    memory_free(ids.items);
    /* also what a process that was killed right here has left */
    if (done && any && !roster_clean(&applying->store->base, NULL, error)) {
        done = error->code == ERROR_BUSY; /* somebody reads it: once more, later */
        applied->waiting++;
    }
    return done;
}

/* ---- merged ---- */

struct pair {
    struct uuid from, into;
};

/* Follows the centre's merges to who remained. */
static int follow(struct applying *applying, struct uuid *into)
{
    for (int i = 0; i < CHAIN; i++) {
        sqlite3_stmt *statement = applying_statement(applying, APPLYING_INTO);
        if (!statement)
            return -1;
        sqlite_bind_uuid(statement, 1, into);
        int found = applying_step(applying, statement);
        const char *text = found > 0 ? (const char *)sqlite3_column_text(statement, 0) : NULL;
        struct uuid next = *into;
        bool is = text && uuid_read(&next, text);
        sqlite3_reset(statement);
        if (found < 0 || !is || uuid_equal(&next, into))
            return found < 0 ? -1 : found == 0 || is;
        *into = next;
    }
    return 0;
}

static bool read_pairs(struct applying *applying, struct ids *from, struct ids *into)
{
    sqlite3_stmt *statement = applying_statement(applying, APPLYING_MERGED);
    int found = -1;
    bool done = statement != NULL;
    if (!done)
        return false;
    sqlite3_bind_int64(statement, 1, applying->since);
    while (done && (found = applying_step(applying, statement)) > 0) {
        struct uuid one, other;
        const char *text = (const char *)sqlite3_column_text(statement, 1);
        sqlite_read_uuid(statement, 0, &one);
        if (!text || !uuid_read(&other, text))
            continue;
        int right = follow(applying, &other);
        done = right == 0 || (right > 0 && add_id(applying, from, &one) && add_id(applying, into, &other));
    }
    sqlite3_reset(statement);
    return done && found >= 0;
}

/* Makes the one who remains, who is not here yet, under a name that nobody has. */
static bool make_into(struct roster *roster, struct pulled_learner *learner)
{
    char id[37], key[48];
    struct pulled_learner bare = *learner;
    uuid_format(id, &learner->id);
    snprintf(key, sizeof key, "\001%s", id);
    bare.entry.key = key;
    bare.entry.login = bare.entry.external_id = NULL;
    learner->here = pulled_learner_write(roster, &bare);
    return learner->here;
}

/* Gives the one who remains the centre's name; where that is another's here, the name of who was merged. */
static bool name_into(struct roster *roster, const struct pulled_learner *learner,
                      const struct roster_person *from)
{
    struct roster_person person = pulled_learner_person(learner);
    struct uuid owner;
    const char *why;
    int clash = pulled_learner_clash(roster, &person, true, &owner, &why);
    if (clash < 0)
        return false;
    if (clash > 0) {
        if (roster_person(roster, &learner->id, &person) <= 0)
            return false;
        person.name = from->name;
        person.key = from->key;
    }
    return roster_write(roster, &person);
}

/* In the transaction that is open. *moved_any: it was done. */
static bool merge_pair(struct applying *applying, struct writing *writing, const struct pair *pair,
                       struct arena *arena, bool *done)
{
    struct uuid stands = { { 0 } };
    struct roster roster;
    struct roster_person from;
    struct pulled_learner learner;
    struct roster_count moved;
    struct error *error = applying->error;
    *done = false;
    int here = pulled_learner_row(applying->store, &pair->into, &stands, error);
    if (here < 0 || (here && !uuid_is_zero(&stands)))
        return here >= 0; /* a tutor of this machine made them another's */
    int known = here ? 1 : pulled_learner_find(applying, &pair->into, arena, &learner);
    if (known <= 0 || (!here && learner.state == LEARNER_LEFT))
        return known >= 0;
    roster_begin(&roster, applying->store, error);
    bool fine = roster_person(&roster, &pair->from, &from) > 0 && (here || make_into(&roster, &learner)) &&
                sqlite_merge_learners(writing, &pair->from, &pair->into, &moved, error) &&
                (here || name_into(&roster, &learner, &from));
    roster_end(&roster);
    *done = fine;
    return fine;
}

/* One transaction. */
static bool merge(struct applying *applying, const struct pair *pair)
{
    struct sqlite_store *store = applying->store;
    struct writing writing = { .store = store };
    struct arena arena;
    bool merged;
    if (!writing_begin(&writing, applying->error))
        return false;
    arena_init(&arena);
    bool done = merge_pair(applying, &writing, pair, &arena, &merged);
    arena_finish(&arena);
    known_forget(&store->known); /* whose the sessions are */
    store->parameters.valid = false;
    if (!done || !merged)
        sqlite_rollback(store);
    done = done && (!merged || sqlite_commit(store, applying->error));
    if (done && merged) {
        writing_done(&writing, NULL);
        applying->applied->merged++;
        applying->changed = true;
    }
    return done;
}

bool applying_merge(struct applying *applying)
{
    struct ids from = { 0 }, into = { 0 };
    struct error *error = applying->error;
    bool done = read_pairs(applying, &from, &into);
    for (ptrdiff_t i = 0; done && i < from.count; i++) {
        const struct pair pair = { from.items[i], into.items[i] };
        struct uuid stands;
        int here = pulled_learner_row(applying->store, &pair.from, &stands, error);
        if (here <= 0 || !uuid_is_zero(&stands) || uuid_equal(&pair.from, &pair.into)) {
            done = here >= 0; /* nobody here, or somebody's already */
            continue;
        }
        bool merged = merge(applying, &pair);
        applying->applied->waiting += !merged && error->code == ERROR_BUSY;
        done = merged || error->code == ERROR_BUSY;
    }
    memory_free(from.items);
    memory_free(into.items);
    return done;
}
