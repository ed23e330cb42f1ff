#include "people.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

enum { KEY_LONGEST = 1024 };

/* Keys of people->keys lead to persons by `owners`: a letter for what kind of name it is, and the name. */
static ptrdiff_t key_of(char key[static KEY_LONGEST], char kind, int store, const void *name,
                        ptrdiff_t length)
{
    key[0] = kind;
    memcpy(key + 1, &store, sizeof store);
    ptrdiff_t start = 1 + (ptrdiff_t)sizeof store, room = KEY_LONGEST - start;
    length = length > room ? room : length;
    memcpy(key + start, name, (size_t)length);
    return start + length;
}

static int owner_of(const struct build_people *people, char kind, int store, const void *name,
                    ptrdiff_t length)
{
    char key[KEY_LONGEST];
    int place = places_find(&people->keys, key, key_of(key, kind, store, name, length));
    return place < 0 ? -1 : people->owners[place];
}

static bool own(struct build_people *people, char kind, int store, const void *name, ptrdiff_t length,
                int person)
{
    char key[KEY_LONGEST];
    bool fresh;
    int place = places_add(&people->keys, key, key_of(key, kind, store, name, length), &fresh);
    if (place < 0 ||
        !memory_grow(&people->owners, &people->owner_capacity, place + 1, sizeof *people->owners))
        return false;
    if (fresh)
        people->owners[place] = person;
    return true;
}

int people_of(const struct build_people *people, int store, const struct uuid *id)
{
    return owner_of(people, 'i', store, id, sizeof *id);
}

enum { ANY_STORE = -1 };

static bool contradict(const char *one, const char *other)
{
    return one && other && strcmp(one, other) != 0;
}

/* Somebody of another store who is the same; not where this store has two of them. */
static int same_person(const struct build *build, int store, const char *external_id, const char *login,
                       const struct uuid *id, const char *folded)
{
    const struct build_people *people = build->people;
    int found = -1;
    if (external_id)
        found = owner_of(people, 'e', ANY_STORE, external_id, (ptrdiff_t)strlen(external_id));
    if (found < 0 && login)
        found = owner_of(people, 'l', ANY_STORE, login, (ptrdiff_t)strlen(login));
    if (found < 0)
        found = owner_of(people, 'u', ANY_STORE, id, sizeof *id);
    if (found < 0) {
        found = owner_of(people, 'n', ANY_STORE, folded, (ptrdiff_t)strlen(folded));
        if (found >= 0 && (contradict(people->persons[found].login, login) ||
                           contradict(people->persons[found].external_id, external_id)))
            found = -1;
    }
    bool taken = found >= 0 && !uuid_is_zero(&people->ids[found * build->store_count + store]);
    return taken ? -1 : found;
}

static bool add_person(struct build *build, int store, struct rows *rows, const char *folded)
{
    struct build_people *people = build->people;
    const char *login = rows_text(rows, CLASS_LOGIN), *external_id = rows_text(rows, CLASS_EXTERNAL_ID);
    struct uuid id;
    rows_uuid(rows, CLASS_LEARNER, &id);
    int person = same_person(build, store, external_id, login, &id, folded), stores = build->store_count;
    if (person < 0) {
        person = people->count;
        if (!memory_grow(&people->persons, &people->capacity, person + 1, sizeof *people->persons) ||
            !memory_grow(&people->ids, &people->id_capacity, (ptrdiff_t)(person + 1) * stores,
                         sizeof *people->ids))
            return false;
        people->count++;
        people->persons[person] = (struct person){ .name = build_copy(build, rows_text(rows, CLASS_NAME)) };
        memset(&people->ids[person * stores], 0, (size_t)stores * sizeof *people->ids);
    }
    struct person *is = &people->persons[person];
    is->login = is->login ? is->login : build_copy(build, login);
    is->external_id = is->external_id ? is->external_id : build_copy(build, external_id);
    people->ids[person * stores + store] = id;
    return own(people, 'i', store, &id, sizeof id, person) &&
           own(people, 'u', ANY_STORE, &id, sizeof id, person) &&
           own(people, 'n', ANY_STORE, folded, (ptrdiff_t)strlen(folded), person) &&
           (!external_id ||
            own(people, 'e', ANY_STORE, external_id, (ptrdiff_t)strlen(external_id), person)) &&
           (!login || own(people, 'l', ANY_STORE, login, (ptrdiff_t)strlen(login), person));
}

static bool add_everybody(struct build *build, int store)
{
    struct store_value parameters[] = { store_value_null(), store_value_null() };
    struct rows *rows;
    int found;
    if (!rows_open(&rows, build->stores[store], QUERY_CLASS, parameters, 2, build->error))
        return false;
    bool done = true;
    while (done && (found = rows_step(rows, build->error)) != 0) {
        const char *name = found > 0 ? rows_text(rows, CLASS_NAME) : NULL;
        char *folded = found > 0 ? text_fold(name ? name : "") : NULL;
        done =
            found > 0 && ((folded && add_person(build, store, rows, folded)) || error_memory(build->error));
        memory_free(folded);
    }
    rows_close(rows);
    return done;
}

/* By an id, as the rows of a class have it: names may be equal. 1, 0 where there is none, −1. */
static int find_id(struct build *build, int store, const struct uuid *id)
{
    struct store_value parameters[] = { store_value_null(), store_value_null() };
    struct build_people *people = build->people;
    struct rows *rows;
    struct uuid learner;
    int found;
    if (build->store_count > 1)
        return people_of(people, store, id) >= 0;
    if (!rows_open(&rows, build->stores[store], QUERY_CLASS, parameters, 2, build->error))
        return -1;
    while ((found = rows_step(rows, build->error)) > 0) {
        rows_uuid(rows, CLASS_LEARNER, &learner);
        if (uuid_equal(&learner, id)) {
            people->learner_name = build_copy(build, rows_text(rows, CLASS_NAME));
            break;
        }
    }
    rows_close(rows);
    return found;
}

static void want(struct build *build, int store, const struct uuid *id)
{
    struct build_people *people = build->people;
    int person = build->store_count > 1 ? people_of(people, store, id) : -1;
    people->learner_id = *id;
    if (person < 0)
        return;
    people->persons[person].wanted = true;
    if (!people->learner_name)
        people->learner_name = people->persons[person].name;
}

/* In each store that knows the filter's learner; tells the nearest where none does. */
static bool find_learner(struct build *build, const char *name)
{
    struct build_people *people = build->people;
    const char *nearest = NULL, *near;
    struct uuid id;
    bool known = false, is_id = uuid_read(&id, name);
    for (int i = 0; i < build->store_count; i++) {
        struct store_learner learner;
        int found = is_id ? find_id(build, i, &id) : 0;
        if (found < 0)
            return false;
        if (found > 0) {
            known = true;
            want(build, i, &id);
            continue;
        }
        if (store_find_learner(build->stores[i], name, &people->arena, &learner, &near, build->error)) {
            known = true;
            people->learner_name = people->learner_name ? people->learner_name : learner.name;
            want(build, i, &learner.id);
        } else if (!build->error || build->error->code != ERROR_NOT_FOUND) {
            return false;
        } else {
            nearest = nearest ? nearest : near;
        }
    }
    if (known) {
        people->learner = store_value_uuid(&people->learner_id);
        return true;
    }
    return nearest ? error_set(build->error, ERROR_NOT_FOUND,
                               tr("no learner \"%s\" in the store; did you mean \"%s\"?"), name, nearest)
                   : error_set(build->error, ERROR_NOT_FOUND, tr("no learner \"%s\" in the store"), name);
}

static bool want_members(struct build *build, int store, const char *key)
{
    struct store_value parameter = store_value_text(key);
    struct rows *rows;
    int found;
    if (!rows_open(&rows, build->stores[store], QUERY_GROUP_MEMBERS, &parameter, 1, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        struct uuid id;
        rows_uuid(rows, 0, &id);
        int person = people_of(build->people, store, &id);
        if (person >= 0)
            build->people->persons[person].wanted = true;
    }
    rows_close(rows);
    return found == 0;
}

static bool find_group(struct build *build, const char *name)
{
    struct build_people *people = build->people;
    const char *nearest = NULL, *near;
    bool known = false;
    for (int i = 0; i < build->store_count; i++) {
        struct store_group group;
        if (store_find_group(build->stores[i], name, &people->arena, &group, &near, build->error)) {
            known = true;
            people->group_name = people->group_name ? people->group_name : group.name;
            people->group = store_value_text(group.key);
            if (build->store_count > 1 && !want_members(build, i, group.key))
                return false;
        } else if (!build->error || build->error->code != ERROR_NOT_FOUND) {
            return false;
        } else {
            nearest = nearest ? nearest : near;
        }
    }
    if (known)
        return true;
    return nearest ? error_set(build->error, ERROR_NOT_FOUND,
                               tr("no group \"%s\" in the store; did you mean \"%s\"?"), name, nearest)
                   : error_set(build->error, ERROR_NOT_FOUND, tr("no group \"%s\" in the store"), name);
}

/* Where both a learner and a group are asked for, the learner must be of the group. */
static bool find_wanted(struct build *build)
{
    const struct report_filter *filter = build->filter;
    struct build_people *people = build->people;
    bool *kept = arena_alloc(&people->arena, people->count + 1);
    if (!kept)
        return error_memory(build->error);
    for (int i = 0; i < people->count; i++)
        people->persons[i].wanted = !filter->learner;
    if (filter->learner && !find_learner(build, filter->learner))
        return false;
    if (!filter->group)
        return true;
    for (int i = 0; i < people->count; i++) {
        kept[i] = people->persons[i].wanted;
        people->persons[i].wanted = false;
    }
    if (!find_group(build, filter->group))
        return false;
    for (int i = 0; i < people->count; i++)
        people->persons[i].wanted = people->persons[i].wanted && kept[i];
    return true;
}

bool people_find(struct build *build)
{
    struct build_people *people = memory_zero(sizeof *people);
    if (!people)
        return error_memory(build->error);
    build->people = people;
    people->learner = people->group = store_value_null();
    arena_init(&people->arena);
    places_init(&people->keys);
    for (int i = 0; build->store_count > 1 && i < build->store_count; i++)
        if (!add_everybody(build, i))
            return false;
    return find_wanted(build);
}

void people_finish(struct build_people *people)
{
    if (!people)
        return;
    memory_free(people->persons);
    memory_free(people->ids);
    memory_free(people->owners);
    places_finish(&people->keys);
    arena_finish(&people->arena);
    memory_free(people);
}
