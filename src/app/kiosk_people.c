/* Who may sign in: the roster's learners with their groups, and the names that may be completed. */
#include "kiosk.h"

#include <quiztutor/sitting.h>
#include <quiztutor/text.h>

#include <stdlib.h>
#include <string.h>

enum { PEOPLE_MOST = 100000 };

/* Of QUERY_ROSTER. */
enum { COLUMN_ID, COLUMN_NAME, COLUMN_LOGIN, COLUMN_EXTERNAL, COLUMN_FACTOR, COLUMN_PLAIN, COLUMN_GROUP };

static const char *keep(struct arena *arena, const char *text, bool *failed)
{
    const char *kept = text ? arena_text(arena, text, (ptrdiff_t)strlen(text)) : NULL;
    *failed |= text && !kept;
    return kept;
}

/* The row's learner: the one before it, or a new one. NULL without memory. */
static struct kiosk_learner *of_row(struct kiosk_people *people, struct rows *rows)
{
    struct uuid id;
    bool failed = false;
    rows_uuid(rows, COLUMN_ID, &id);
    struct kiosk_learner *last = people->count ? &people->items[people->count - 1] : NULL;
    if (last && memcmp(&last->id, &id, sizeof id) == 0)
        return last;
    if (!memory_grow(&people->items, &people->room, people->count + 1, sizeof *people->items))
        return NULL;
    last = &people->items[people->count++];
    *last = (struct kiosk_learner){ .id = id, .plain = roster_reading(rows_integer(rows, COLUMN_PLAIN)) };
    last->name = keep(&people->arena, rows_text(rows, COLUMN_NAME), &failed);
    last->external_id = keep(&people->arena, rows_text(rows, COLUMN_EXTERNAL), &failed);
    return failed || !last->name ? NULL : last;
}

static bool take_row(struct kiosk_people *people, struct rows *rows)
{
    struct kiosk_learner *learner = of_row(people, rows);
    bool failed = false;
    if (!learner)
        return false;
    const char *group = keep(&people->arena, rows_text(rows, COLUMN_GROUP), &failed);
    if (!group)
        return !failed;
    if (!memory_grow(&learner->groups, &learner->group_room, learner->group_count + 1,
                     sizeof *learner->groups))
        return false;
    learner->groups[learner->group_count++] = group;
    return true;
}

static bool take_name(struct kiosk_people *people, const struct kiosk_learner *learner)
{
    bool failed = false;
    char *folded = text_fold(learner->name);
    const char *key = keep(&people->arena, folded, &failed);
    memory_free(folded);
    if (!key ||
        !memory_grow(&people->names, &people->name_room, people->name_count + 1, sizeof *people->names))
        return false;
    people->names[people->name_count++] = (struct kiosk_person){ learner->name, key };
    return true;
}

bool kiosk_people_read(struct kiosk *kiosk, struct error *error)
{
    struct kiosk_people *people = &kiosk->people;
    struct rows *rows;
    int step;
    kiosk->model.names = NULL;
    kiosk->model.name_count = 0;
    kiosk_people_finish(people);
    arena_init(&people->arena);
    if (!rows_open(&rows, kiosk->store, QUERY_ROSTER, NULL, 0, error))
        return false;
    bool done = true;
    while (done && (step = rows_step(rows, error)) == 1 && people->count < PEOPLE_MOST)
        done = take_row(people, rows) || error_memory(error);
    done = done && step >= 0;
    rows_close(rows);
    for (ptrdiff_t i = 0; done && i < people->count; i++) {
        struct kiosk_learner *learner = &people->items[i];
        learner->admitted = kiosk_config_admits(kiosk->config, learner->groups, learner->group_count);
        if (learner->admitted && kiosk->config->completion)
            done = take_name(people, learner) || error_memory(error);
    }
    if (!done) { /* half of it would refuse who is in the other half */
        kiosk_people_finish(people);
        return false;
    }
    kiosk->model.names = people->names;
    kiosk->model.name_count = (int)people->name_count;
    return true;
}

void kiosk_between(struct kiosk *kiosk)
{
    struct sitting_overdue overdue;
    struct error unnoted; /* what fails here is tried again after the next one */
    if (!kiosk->store || !kiosk->config || kiosk->flow.state != KIOSK_SIGN_IN)
        return;
    if (!kiosk_people_read(kiosk, &unnoted)) /* a name that is typed is looked for all the same */
        kiosk->model.name_count = 0;
    sitting_hand_in_overdue(kiosk->store, kiosk->setup.clock, &overdue, &unnoted);
}

void kiosk_people_finish(struct kiosk_people *people)
{
    for (ptrdiff_t i = 0; i < people->count; i++)
        memory_free(people->items[i].groups);
    memory_free(people->items);
    memory_free(people->names);
    arena_finish(&people->arena);
    memset(people, 0, sizeof *people);
}

const struct kiosk_learner *kiosk_people_find(const struct kiosk_people *people, const struct uuid *id)
{
    for (ptrdiff_t i = 0; i < people->count; i++)
        if (memcmp(&people->items[i].id, id, sizeof *id) == 0)
            return &people->items[i];
    return NULL;
}
