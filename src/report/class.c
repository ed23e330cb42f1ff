/* A line a learner: by the summaries that the store keeps, unless the filter asks for what they can't tell;
 * and the list of them that both ways fill. */
#include "class.h"

#include <quiztutor/message.h>

#include <string.h>

int class_learner(struct class *class, const struct uuid *id)
{
    bool fresh;
    int place = places_add(&class->ids, id, sizeof *id, &fresh);
    if (place < 0 || !fresh)
        return place;
    if (!memory_grow(&class->learners, &class->learner_capacity, place + 1, sizeof *class->learners))
        return -1;
    class->learners[place] = (struct class_learner){ .id = *id, .last_at = INT64_MIN, .first_at = INT64_MIN };
    class->learner_count = place + 1;
    return place;
}

struct class_learner *class_part_learner(struct class_part *part, int place)
{
    if (!memory_grow(&part->learners, &part->capacity, place + 1, sizeof *part->learners))
        return NULL;
    for (; part->count <= place; part->count++)
        part->learners[part->count] = (struct class_learner){ .last_at = INT64_MIN, .first_at = INT64_MIN };
    return &part->learners[place];
}

static const char *keep(struct class *class, const char *text)
{
    int place = places_add(&class->texts, text, (ptrdiff_t)strlen(text) + 1, NULL);
    return place < 0 ? NULL : class->texts.keys[place].bytes;
}

bool class_add_stuck(struct class *class, const struct class_stuck *stuck)
{
    const char *pack = keep(class, stuck->pack), *question = keep(class, stuck->question);
    if (!pack || !question ||
        !memory_grow(&class->stuck, &class->stuck_capacity, class->stuck_count + 1, sizeof *class->stuck))
        return error_memory(class->build->error);
    struct class_stuck *added = &class->stuck[class->stuck_count++];
    *added = *stuck;
    added->pack = pack;
    added->question = question;
    return true;
}

/* Of several stores: those whom the filter wants. */
static bool read_people(struct class *class)
{
    struct build *build = class->build;
    const struct build_people *people = build->people;
    for (int i = 0; i < people->count; i++) {
        const struct uuid *ids = &people->ids[(ptrdiff_t)i * build->store_count];
        int store = 0;
        if (!people->persons[i].wanted)
            continue;
        while (store + 1 < build->store_count && uuid_is_zero(&ids[store]))
            store++;
        int place = class_learner(class, &ids[store]);
        if (place < 0)
            return error_memory(build->error);
        class->learners[place].name = people->persons[i].name;
        class->learners[place].login = people->persons[i].login;
        class->learners[place].external_id = people->persons[i].external_id;
    }
    return true;
}

static bool start(struct class *class, struct build *build)
{
    const struct report_filter *filter = build->filter;
    *class = (struct class){ .build = build };
    asked_init(&class->asked, build);
    places_init(&class->ids);
    places_init(&class->texts);
    build_made_start(&class->made);
    class->made.revisions = -1;
    if (filter->pack_count)
        class->parts = memory_zero(filter->pack_count * (ptrdiff_t)sizeof *class->parts);
    if (filter->pack_count && !class->parts)
        return error_memory(build->error);
    class->part_count = filter->pack_count;
    for (int i = 0; i < class->part_count; i++)
        class->parts[i].pack = filter->packs[i];
    return true;
}

static void finish(struct class *class)
{
    for (int i = 0; i < class->part_count; i++)
        memory_free(class->parts[i].learners);
    memory_free(class->parts);
    places_finish(&class->texts);
    places_finish(&class->ids);
    asked_finish(&class->asked);
    memory_free(class->learners);
    memory_free(class->stuck);
}

bool build_class(struct build *build)
{
    struct class class;
    bool done = start(&class, build);
    build->report->title = tr("Class");
    build->report->subtitle = build->filter->group && !build->filter->pack && !build->filter->pack_count
                                  ? build_copy(build, build->people->group_name)
                                  : work_subtitle(build);
    if (done && build->store_count > 1)
        done = read_people(&class);
    if (done)
        done = work_needs_log(build) ? class_read_log(&class) : class_read_kept(&class);
    done = done && class_write(&class);
    finish(&class);
    return done;
}
