/* What learners reported of questions: it stands with the newest revision. */
#include "item.h"
#include "people.h"

#include <string.h>

/* The newest item of each question. */
struct newest {
    struct places questions;
    struct item **items;
    struct places members; /* of the filter's group, of one store */
};

static bool find_newest(struct newest *newest, const struct items *items)
{
    newest->items = memory_alloc((items->count + 1) * (ptrdiff_t)sizeof *newest->items);
    for (int i = 0; newest->items && i < items->count; i++) {
        struct item *item = items->items[i];
        int place = places_add(&newest->questions, item->question, (ptrdiff_t)strlen(item->question), NULL);
        if (place < 0)
            return false;
        newest->items[place] = items->items[item->newest];
    }
    return newest->items != NULL;
}

static struct item *newest_of(const struct newest *newest, const char *id)
{
    int place = id ? places_find(&newest->questions, id, (ptrdiff_t)strlen(id)) : -1;
    return place < 0 ? NULL : newest->items[place];
}

static bool wants(const struct build *build, const struct newest *newest, int store,
                  const struct uuid *learner)
{
    const struct build_people *people = build->people;
    if (build->store_count == 1)
        return (people->learner.type == VALUE_NULL || uuid_equal(learner, &people->learner_id)) &&
               (people->group.type == VALUE_NULL ||
                places_find(&newest->members, learner, sizeof *learner) >= 0);
    int person = people_of(people, store, learner);
    return person >= 0 && people->persons[person].wanted;
}

static bool find_members(struct newest *newest, struct build *build)
{
    const struct store_value *group = &build->people->group;
    struct rows *rows;
    int found;
    if (build->store_count > 1 || group->type == VALUE_NULL)
        return true;
    if (!rows_open(&rows, build->stores[0], QUERY_GROUP_MEMBERS, group, 1, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        struct uuid learner;
        rows_uuid(rows, 0, &learner);
        if (places_add(&newest->members, &learner, sizeof learner, NULL) < 0) {
            error_memory(build->error);
            found = -1;
            break;
        }
    }
    rows_close(rows);
    return found == 0;
}

/* Reports of the same moment, learner and question in two stores are one. */
static bool count_reports(struct items *items, const struct newest *newest, int store, struct places *seen)
{
    struct build *build = items->build;
    struct store_value pack = store_value_text(items->pack);
    struct rows *rows;
    int found;
    if (!rows_open(&rows, build->stores[store], QUERY_REPORTED, &pack, 1, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        struct {
            int64_t at, item;
            struct uuid learner;
        } key;
        memset(&key, 0, sizeof key);
        struct item *item = newest_of(newest, rows_text(rows, 1));
        int64_t day = build_day_of(build, rows_integer(rows, 5), (int)rows_integer(rows, 6));
        key.at = rows_integer(rows, 5);
        rows_uuid(rows, 3, &key.learner);
        if (!item || !build_in_days(build, day) || !wants(build, newest, store, &key.learner))
            continue;
        key.item = item->newest;
        bool fresh;
        if (places_add(seen, &key, sizeof key, &fresh) < 0) {
            error_memory(build->error);
            found = -1;
            break;
        }
        item->reported += fresh;
    }
    rows_close(rows);
    return found == 0;
}

bool items_count_reports(struct items *items)
{
    struct build *build = items->build;
    struct newest newest;
    struct places seen;
    places_init(&seen);
    places_init(&newest.questions);
    places_init(&newest.members);
    bool done = (find_newest(&newest, items) || error_memory(build->error)) && find_members(&newest, build);
    for (int i = 0; done && i < build->store_count; i++)
        done = count_reports(items, &newest, i, &seen);
    places_finish(&seen);
    places_finish(&newest.questions);
    places_finish(&newest.members);
    memory_free(newest.items);
    return done;
}
