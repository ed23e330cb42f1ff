/*
 * Learners as the centre has them, taken over by id alone. Names may have been swapped, so who stands in
 * another's way is waited for as long as that one is still to change; whoever else bears a name here keeps
 * it, and the centre's learner is left out.
 */
#include "sqlite_applying.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool same(const char *one, const char *other)
{
    return one == other || (one && other && strcmp(one, other) == 0);
}

static bool is_same(const struct roster_person *one, const struct roster_person *other)
{
    return same(one->name, other->name) && same(one->key, other->key) && same(one->login, other->login) &&
           same(one->external_id, other->external_id) && one->plain == other->plain &&
           memcmp(&one->time_factor, &other->time_factor, sizeof one->time_factor) == 0;
}

/* Takes the learner over, unless somebody is in the way: 1 it is done, 0 not, −1 an error. */
static int take(struct taking *taking, struct pulled_learner *learner, struct uuid *owner)
{
    struct roster_person person = pulled_learner_person(learner);
    int clash = pulled_learner_clash(&taking->roster, &person, false, owner, &learner->why);
    if (clash == 0)
        clash = pulled_learner_clash(&taking->roster, &person, true, owner, &learner->why);
    if (clash != 0)
        return clash < 0 ? -1 : 0;
    if (!pulled_learner_write(&taking->roster, learner))
        return -1;
    learner->fresh = !learner->here;
    learner->here = learner->changed = true;
    learner->state = LEARNER_TRIED;
    return 1;
}

static int by_id(const void *one, const void *other)
{
    return memcmp(one, other, sizeof(struct uuid)); /* which a learner begins with */
}

static struct pulled_learner *find(struct taking *taking, const struct uuid *id)
{
    return bsearch(id, taking->learners, (size_t)taking->count, sizeof *taking->learners, by_id);
}

static bool add(struct taking *taking, const struct pulled_learner *learner)
{
    if (!memory_grow(&taking->learners, &taking->room, taking->count + 1, sizeof *taking->learners))
        return error_memory(taking->applying->error);
    taking->learners[taking->count++] = *learner;
    return true;
}

bool taking_read(struct taking *taking)
{
    struct applying *applying = taking->applying;
    struct pulled_learner learner;
    sqlite3_stmt *statement = applying_statement(applying, APPLYING_LEARNERS);
    int found = -1;
    if (!statement)
        return false;
    sqlite3_bind_int64(statement, 1, applying->since);
    while ((found = applying_step(applying, statement)) > 0)
        if (!pulled_learner_read(applying, statement, &taking->arena, &learner) || !add(taking, &learner)) {
            found = -1;
            break;
        }
    sqlite3_reset(statement);
    ptrdiff_t changed = taking->count;
    for (ptrdiff_t i = 0; found >= 0 && i < applying->left_count; i++) {
        const struct uuid *id = &applying->left[i];
        if (changed && bsearch(id, taking->learners, (size_t)changed, sizeof *taking->learners, by_id))
            continue;
        found = pulled_learner_find(applying, id, &taking->arena, &learner);
        if (found > 0 && !add(taking, &learner))
            found = -1;
    }
    if (taking->count)
        qsort(taking->learners, (size_t)taking->count, sizeof *taking->learners, by_id);
    return found >= 0;
}

/* Who need not change, or can't: erased here, or made another's by a tutor of this machine. */
static bool sort_out(struct taking *taking, struct pulled_learner *learner)
{
    struct error *error = taking->applying->error;
    struct uuid into;
    int found = pulled_learner_row(taking->roster.store, &learner->id, &into, error);
    bool erased = false;
    learner->here = found > 0;
    if (found < 0 || learner->state == LEARNER_LEFT)
        return found >= 0;
    if (found == 0) {
        if (!roster_is_erased(&taking->roster.store->base, &learner->id, &erased, error))
            return false;
        if (erased)
            learner->state = LEARNER_SETTLED;
    } else if (!uuid_is_zero(&into)) {
        learner->state = LEARNER_LEFT;
        learner->why = LEFT_MERGED;
    } else {
        struct roster_person is, wanted = pulled_learner_person(learner);
        if (roster_person(&taking->roster, &learner->id, &is) < 0)
            return false;
        if (is_same(&is, &wanted))
            learner->state = LEARNER_SETTLED;
    }
    return true;
}

/* One round over those who are still to change; −1 an error, else how many are left to change. *moved:
 * somebody has. */
static ptrdiff_t go_round(struct taking *taking, bool *moved)
{
    ptrdiff_t left = 0;
    *moved = false;
    for (ptrdiff_t i = 0; i < taking->count; i++) {
        struct pulled_learner *learner = &taking->learners[i], *other;
        struct uuid owner;
        if (learner->state != LEARNER_PENDING)
            continue;
        int done = take(taking, learner, &owner);
        if (done < 0)
            return -1;
        other = done ? NULL : find(taking, &owner);
        if (!done && !(other && other->here && other->state == LEARNER_PENDING))
            learner->state = LEARNER_LEFT;
        *moved |= learner->state != LEARNER_PENDING;
        left += learner->state == LEARNER_PENDING;
    }
    return left;
}

/* Sets aside what those who are still to change have here. */
static bool put_aside(struct taking *taking)
{
    struct roster *roster = &taking->roster;
    for (ptrdiff_t i = 0; i < taking->count; i++) {
        const struct pulled_learner *learner = &taking->learners[i];
        struct roster_person person = pulled_learner_person(learner);
        char id[37], key[48];
        if (learner->state != LEARNER_PENDING || !learner->here)
            continue;
        uuid_format(id, &learner->id);
        snprintf(key, sizeof key, "\001%s", id); /* no name has such a key */
        person.key = key;
        person.login = person.external_id = NULL;
        if (!roster_write(roster, &person))
            return false;
    }
    return true;
}

/* Takes those over who were set aside; *stuck: the first who can't be, even so. */
static bool take_aside(struct taking *taking, struct pulled_learner **stuck)
{
    *stuck = NULL;
    for (ptrdiff_t i = 0; !*stuck && i < taking->count; i++) {
        struct uuid owner;
        struct pulled_learner *learner = &taking->learners[i];
        int done = learner->state == LEARNER_PENDING ? take(taking, learner, &owner) : 1;
        if (done < 0)
            return false;
        *stuck = done ? NULL : learner;
    }
    return true;
}

/* As they were before it was tried. */
static bool put_back(struct taking *taking)
{
    struct sqlite_store *store = taking->roster.store;
    for (ptrdiff_t i = 0; i < taking->count; i++) {
        struct pulled_learner *learner = &taking->learners[i];
        if (learner->state != LEARNER_TRIED)
            continue;
        learner->state = LEARNER_PENDING;
        learner->here = !learner->fresh;
        learner->fresh = learner->changed = false;
    }
    return sqlite_exec(store, "ROLLBACK TO aside", taking->applying->error) &&
           sqlite_exec(store, "RELEASE aside", taking->applying->error);
}

static void settle_tried(struct taking *taking)
{
    for (ptrdiff_t i = 0; i < taking->count; i++)
        if (taking->learners[i].state == LEARNER_TRIED)
            taking->learners[i].state = LEARNER_SETTLED;
}

/* Who stand in each other's way: all of them at once, or, where one can't be taken over even so, without that
 * one. */
static bool swap(struct taking *taking)
{
    enum { TRIES = 20 };
    struct pulled_learner *stuck;
    for (int i = 0; i < TRIES; i++) {
        if (!sqlite_exec(taking->roster.store, "SAVEPOINT aside", taking->applying->error) ||
            !put_aside(taking) || !take_aside(taking, &stuck))
            return false;
        if (!stuck) {
            settle_tried(taking);
            return sqlite_exec(taking->roster.store, "RELEASE aside", taking->applying->error);
        }
        if (!put_back(taking))
            return false;
        stuck->state = LEARNER_LEFT;
    }
    return true;
}

bool taking_names(struct taking *taking)
{
    enum { ROUNDS = 4 };
    bool moved = true;
    ptrdiff_t left = taking->count;
    for (ptrdiff_t i = 0; i < taking->count; i++)
        if (!sort_out(taking, &taking->learners[i]))
            return false;
    for (int i = 0; i < ROUNDS && left > 0 && moved; i++)
        left = go_round(taking, &moved);
    settle_tried(taking);
    if (left > 0 && !swap(taking))
        return false;
    for (ptrdiff_t i = 0; left > 0 && i < taking->count; i++)
        if (taking->learners[i].state == LEARNER_PENDING)
            taking->learners[i].state = LEARNER_LEFT;
    return left >= 0;
}
