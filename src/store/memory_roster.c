/* The roster of the store in memory: lists gone through from end to end. */
#include "memory_pin.h"
#include "memory_sheet.h"
#include "roster_private.h"

#include <quiztutor/message.h>
#include <string.h>

static struct memory_learner *by_id(struct memory_store *store, const struct uuid *id)
{
    for (ptrdiff_t i = 0; i < store->learner_count; i++)
        if (uuid_equal(&store->learners[i].id, id))
            return &store->learners[i];
    return NULL;
}

static bool bears(const struct memory_learner *learner, bool login, const char *text)
{
    const char *its = login ? learner->login : learner->external_id;
    return its && strcmp(its, text) == 0;
}

/* The learner of a login or external id, or whom that one was merged into. */
static struct memory_learner *by_text(struct memory_store *store, bool login, const char *text)
{
    for (ptrdiff_t i = 0; text && i < store->learner_count; i++)
        if (bears(&store->learners[i], login, text))
            return &store->learners[i];
    for (ptrdiff_t i = 0; text && i < store->merged_count; i++)
        if (bears(&store->merged[i].was, login, text))
            return by_id(store, &store->merged[i].into);
    return NULL;
}

static bool agree(const char *one, const char *other)
{
    return !one || !other || strcmp(one, other) == 0;
}

static bool may_be_meant(const struct memory_learner *learner, const struct roster_entry *entry)
{
    return strcmp(learner->key, entry->key) == 0 && agree(learner->login, entry->login) &&
           agree(learner->external_id, entry->external_id);
}

/* Who may be meant by a name; *several: more than one. */
static struct memory_learner *by_name(struct memory_store *store, const struct roster_entry *entry,
                                      bool *several)
{
    struct memory_learner *found = NULL;
    for (ptrdiff_t i = 0; entry->key && i < store->learner_count; i++)
        if (may_be_meant(&store->learners[i], entry)) {
            *several = found != NULL;
            found = &store->learners[i];
        }
    for (ptrdiff_t i = 0; entry->key && !found && i < store->merged_count; i++)
        if (may_be_meant(&store->merged[i].was, entry))
            found = by_id(store, &store->merged[i].into);
    bool other =
        found && (!agree(found->login, entry->login) || !agree(found->external_id, entry->external_id));
    return other ? NULL : found;
}

static bool is_taken(const struct memory_store *store, const struct memory_learner *person)
{
    for (ptrdiff_t i = 0; !person->external_id && i < store->learner_count; i++) {
        const struct memory_learner *other = &store->learners[i];
        if (!uuid_equal(&other->id, &person->id) && !other->external_id &&
            strcmp(other->key, person->key) == 0)
            return true;
    }
    return false;
}

static bool keep(struct memory_store *store, const char **place, const char *text)
{
    const char *kept = text ? arena_text(&store->texts, text, (ptrdiff_t)strlen(text)) : NULL;
    if (text && kept)
        *place = kept;
    return !text || kept;
}

/* A login or external id of the line, unless it is another's. */
static void take_over(struct memory_store *store, bool login, const char *given,
                      struct memory_learner *person, struct roster_result *result)
{
    const struct memory_learner *owner = by_text(store, login, given);
    const char **place = login ? &person->login : &person->external_id;
    if (result->outcome == ROSTER_REFUSED || !given)
        return;
    if (!owner)
        *place = given;
    else if (!uuid_equal(&owner->id, &person->id))
        roster_refuse(result,
                      login ? tr("another learner has the login \"%s\"")
                            : tr("another learner has the external_id \"%s\""),
                      given);
}

/* The row as the line would have it, its texts still the line's. */
static struct memory_learner changed(struct memory_store *store, const struct roster_entry *entry,
                                     const struct memory_learner *found, bool named,
                                     struct roster_result *result)
{
    struct memory_learner person = *found;
    if (person.external_id && entry->external_id && strcmp(person.external_id, entry->external_id) != 0 &&
        !by_text(store, false, entry->external_id))
        roster_refuse(result, tr("the login \"%s\" is of a learner with another external_id"), entry->login);
    else
        take_over(store, false, entry->external_id, &person, result);
    take_over(store, true, entry->login, &person, result);
    if (entry->name && !named) {
        person.name = entry->name;
        person.key = entry->key;
    }
    if (entry->time_factor >= 1)
        person.time_factor = entry->time_factor;
    if (entry->plain != ROSTER_UNSAID)
        person.plain = entry->plain;
    if (result->outcome != ROSTER_REFUSED && is_taken(store, &person))
        roster_refuse(result, tr("there is another learner \"%s\": one of them needs an external_id"),
                      person.name);
    return person;
}

static bool equal(const struct memory_learner *one, const struct memory_learner *other)
{
    return strcmp(one->name, other->name) == 0 && agree(one->login, other->login) &&
           !one->login == !other->login && agree(one->external_id, other->external_id) &&
           !one->external_id == !other->external_id && one->plain == other->plain &&
           memcmp(&one->time_factor, &other->time_factor, sizeof one->time_factor) == 0;
}

static bool put(struct memory_store *store, const struct memory_learner *person, struct memory_learner *place)
{
    struct memory_learner kept = *person;
    bool done = keep(store, &kept.name, person->name) && keep(store, &kept.key, person->key) &&
                keep(store, &kept.login, person->login) &&
                keep(store, &kept.external_id, person->external_id);
    if (done)
        *place = kept;
    return done;
}

/* Memberships that change; −1 without memory. */
static int settle_groups(struct memory_store *store, const struct roster_entry *entry, const struct uuid *id,
                         struct error *error)
{
    int changes = 0;
    for (ptrdiff_t i = store->member_count; entry->only_these && i-- > 0;) {
        bool named = !uuid_equal(&store->members[i].learner, id);
        for (int k = 0; !named && k < entry->group_count; k++)
            named = strcmp(entry->groups[k].key, store->members[i].key) == 0;
        if (named)
            continue;
        store->members[i] = store->members[--store->member_count];
        changes++;
    }
    for (int i = 0; i < entry->group_count; i++) {
        ptrdiff_t before = store->member_count;
        if (!store_set_member(&store->base, id, entry->groups[i].name, true, error))
            return -1;
        changes += store->member_count > before;
    }
    return changes;
}

static bool add_line(struct memory_store *store, const struct roster_entry *entry,
                     struct roster_result *result, struct error *error)
{
    bool several = false, named = false;
    struct memory_learner fresh = { .time_factor = 1 };
    struct memory_learner *found = by_text(store, false, entry->external_id);
    found = found ? found : by_text(store, true, entry->login);
    if (!found) {
        found = by_name(store, entry, &several);
        named = true;
    }
    if (several)
        roster_refuse(result,
                      tr("there are several learners \"%s\": tell them apart by login or external_id"),
                      entry->name);
    else if (!found && !entry->name)
        roster_refuse(result, "%s", tr("nobody has this login or external_id, and there is no name"));
    if (result->outcome == ROSTER_REFUSED)
        return true;
    if (!found)
        uuid_make(&fresh.id, clock_wall(&store->base.clock));
    struct memory_learner person = changed(store, entry, found ? found : &fresh, found && named, result);
    if (result->outcome == ROSTER_REFUSED)
        return true;
    result->learner = person.id;
    result->outcome = !found ? ROSTER_ADDED : equal(&person, found) ? ROSTER_SAME : ROSTER_CHANGED;
    if (!found) {
        if (!memory_grow(&store->learners, &store->learner_capacity, store->learner_count + 1,
                         sizeof *store->learners))
            return error_memory(error);
        found = &store->learners[store->learner_count];
    }
    if (result->outcome != ROSTER_SAME && !put(store, &person, found))
        return error_memory(error);
    store->learner_count += result->outcome == ROSTER_ADDED;
    int changes = settle_groups(store, entry, &person.id, error);
    if (changes > 0 && result->outcome == ROSTER_SAME)
        result->outcome = ROSTER_CHANGED;
    return changes >= 0;
}

static bool memory_add(struct store *base, const struct roster_entry *entries, struct roster_result *results,
                       ptrdiff_t count, struct error *error)
{
    for (ptrdiff_t i = 0; i < count; i++)
        if (results[i].outcome != ROSTER_REFUSED &&
            !add_line((struct memory_store *)base, &entries[i], &results[i], error))
            return false;
    return true;
}

static bool memory_rename(struct store *base, const struct uuid *learner, const char *name, const char *key,
                          struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct memory_learner *found = by_id(store, learner);
    if (!found)
        return roster_unknown(error);
    struct memory_learner person = *found;
    person.name = name;
    person.key = key;
    if (is_taken(store, &person))
        return roster_name_taken(name, error);
    return put(store, &person, found) || error_memory(error);
}

/* An event of the store's own, without a session. */
static bool add_event(struct memory_store *store, const char *kind, const struct uuid *learner)
{
    if (!memory_grow(&store->events, &store->event_capacity, store->event_count + 1, sizeof *store->events))
        return false;
    struct memory_event *event = &store->events[store->event_count++];
    *event = (struct memory_event){
        .learner = *learner, .seq = store->next_seq++, .at = clock_wall(&store->base.clock), .kind = kind
    };
    uuid_make(&event->id, event->at);
    return true;
}

static void move_rows(struct memory_store *store, const struct uuid *from, const struct uuid *into,
                      struct roster_count *moved)
{
    for (ptrdiff_t i = 0; i < store->session_count; i++)
        if (uuid_equal(&store->sessions[i].learner, from)) {
            store->sessions[i].learner = *into;
            moved->sessions++;
        }
    for (ptrdiff_t i = 0; i < store->attempt_count; i++)
        if (uuid_equal(&store->attempts[i].learner, from)) {
            store->attempts[i].learner = *into;
            moved->attempts++;
        }
    for (ptrdiff_t i = 0; i < store->event_count; i++)
        if (uuid_equal(&store->events[i].learner, from)) {
            store->events[i].learner = *into;
            moved->events++;
        }
}

/* Who is in the group `key` twice is in it once. */
static void move_members(struct memory_store *store, const struct uuid *from, const struct uuid *into)
{
    for (ptrdiff_t i = store->member_count; i-- > 0;) {
        bool there = false;
        if (!uuid_equal(&store->members[i].learner, from))
            continue;
        for (ptrdiff_t k = 0; !there && k < store->member_count; k++)
            there = uuid_equal(&store->members[k].learner, into) &&
                    strcmp(store->members[k].key, store->members[i].key) == 0;
        if (there)
            store->members[i] = store->members[--store->member_count];
        else
            store->members[i].learner = *into;
    }
}

static void drop_parameters(struct memory_store *store, const struct uuid *learner)
{
    for (ptrdiff_t i = store->parameters_count; i-- > 0;)
        if (uuid_equal(&store->parameters[i].learner, learner))
            store->parameters[i] = store->parameters[--store->parameters_count];
}

/* The lists' end takes the place of who is merged. */
static void retire(struct memory_store *store, struct memory_learner *from, const struct uuid *into)
{
    for (ptrdiff_t i = 0; i < store->merged_count; i++)
        if (uuid_equal(&store->merged[i].into, &from->id))
            store->merged[i].into = *into;
    store->merged[store->merged_count++] = (struct memory_merged){ *from, *into };
    *from = store->learners[--store->learner_count];
}

static bool memory_merge(struct store *base, const struct uuid *from_id, const struct uuid *into_id,
                         struct roster_count *moved, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    struct memory_learner *from = by_id(store, from_id), *into = by_id(store, into_id);
    if (!from || !into)
        return roster_unknown(error);
    if (!memory_grow(&store->merged, &store->merged_capacity, store->merged_count + 1,
                     sizeof *store->merged) ||
        !add_event(store, "merged", into_id))
        return error_memory(error);
    move_rows(store, from_id, into_id, moved);
    move_members(store, from_id, into_id);
    memory_move_sheets(store, from_id, into_id);
    memory_move_pin(store, from_id, into_id);
    drop_parameters(store, from_id);
    if (!into->login) {
        into->login = from->login;
        from->login = NULL;
    }
    if (!into->external_id) {
        into->external_id = from->external_id;
        from->external_id = NULL;
    }
    into->time_factor = from->time_factor > into->time_factor ? from->time_factor : into->time_factor;
    into->plain = into->plain ? into->plain : from->plain;
    retire(store, from, into_id);
    return true;
}

/* Texts that only this learner was asked; the plan of an exam is gone with its session. */
static int64_t drop_bodies(struct memory_store *store, const struct uuid *learner)
{
    int64_t gone = 0;
    for (ptrdiff_t i = store->body_count; i-- > 0;) {
        bool theirs = false, anyones = false;
        for (ptrdiff_t k = 0; k < store->attempt_count; k++)
            if (memcmp(&store->attempts[k].content, &store->bodies[i].content,
                       sizeof store->bodies[i].content) == 0)
                *(uuid_equal(&store->attempts[k].learner, learner) ? &theirs : &anyones) = true;
        if (!theirs || anyones)
            continue;
        memmove(&store->bodies[i], &store->bodies[i + 1],
                (size_t)(store->body_count - i - 1) * sizeof *store->bodies);
        store->body_count--;
        gone++;
    }
    return gone;
}

/* Closes the gaps in a list where `learner` stands at an offset of its items; how many went. */
static int64_t drop_rows(void *list, ptrdiff_t *count, ptrdiff_t size, ptrdiff_t offset,
                         const struct uuid *learner)
{
    char *items = list;
    ptrdiff_t kept = 0, before = *count;
    for (ptrdiff_t i = 0; i < before; i++) {
        if (memcmp(items + i * size + offset, learner, sizeof *learner) == 0)
            continue;
        memmove(items + kept * size, items + i * size, (size_t)size);
        kept++;
    }
    *count = kept;
    return before - kept;
}
#define DROP(items, count, member)                                                                           \
    drop_rows(store->items, &store->count, (ptrdiff_t)sizeof *store->items,                                  \
              (ptrdiff_t)((char *)&store->items->member - (char *)store->items), learner)

/* What they did about answers of others stays, without them. */
static void let_go(struct memory_store *store, const struct uuid *learner)
{
    static const struct uuid nobody;
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        struct memory_event *event = &store->events[i];
        bool others = false;
        for (ptrdiff_t k = 0; !others && k < store->attempt_count; k++)
            others = uuid_equal(&store->attempts[k].id, &event->attempt) &&
                     !uuid_equal(&store->attempts[k].learner, learner);
        if (others && uuid_equal(&event->learner, learner))
            event->learner = event->session = nobody;
    }
}

static void drop_one(struct memory_store *store, const struct uuid *learner, struct roster_count *gone)
{
    let_go(store, learner);
    if (store->body_count)
        gone->questions += drop_bodies(store, learner);
    if (store->event_count)
        gone->events += DROP(events, event_count, learner);
    if (store->attempt_count)
        gone->attempts += DROP(attempts, attempt_count, learner);
    if (store->session_count)
        gone->sessions += DROP(sessions, session_count, learner);
    if (store->member_count)
        DROP(members, member_count, learner);
    drop_parameters(store, learner);
    memory_drop_sheets(store, learner);
    memory_drop_pin(store, learner);
    DROP(learners, learner_count, id);
}

static bool mark_erased(struct memory_store *store, const struct uuid *id)
{
    struct uuid mark;
    roster_mark(&mark, id);
    return add_event(store, "erased", &mark);
}

static bool memory_erase(struct store *base, const struct uuid *learner, struct roster_count *gone,
                         struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    const struct uuid id = *learner;
    if (!by_id(store, &id))
        return roster_unknown(error);
    if (!mark_erased(store, &id))
        return error_memory(error);
    for (ptrdiff_t i = store->merged_count; i-- > 0;) {
        if (!uuid_equal(&store->merged[i].into, &id))
            continue;
        if (!mark_erased(store, &store->merged[i].was.id))
            return error_memory(error);
        store->merged[i] = store->merged[--store->merged_count];
    }
    drop_one(store, &id, gone);
    return true;
}

static bool memory_clean(struct store *store, bool *needed, struct error *error)
{
    (void)store, (void)error;
    *needed = false; /* what is gone from memory is gone */
    return true;
}

static bool memory_is_erased(struct store *base, const struct uuid *mark, bool *erased, struct error *error)
{
    struct memory_store *store = (struct memory_store *)base;
    (void)error;
    for (ptrdiff_t i = 0; i < store->event_count; i++)
        *erased = *erased || (strcmp(store->events[i].kind, "erased") == 0 &&
                              uuid_equal(&store->events[i].learner, mark));
    return true;
}

const struct roster_ops memory_roster_ops = {
    .add = memory_add,
    .rename = memory_rename,
    .merge = memory_merge,
    .erase = memory_erase,
    .clean = memory_clean,
    .is_erased = memory_is_erased,
};
