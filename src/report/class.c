/* A line a learner. By the summaries that the store keeps, unless the filter asks for what they can't tell.
 */
#include "class.h"

#include <quiztutor/message.h>

#include <stdlib.h>
#include <string.h>

int class_learner(struct class *class, const struct uuid *id)
{
    bool fresh;
    int place = places_add(&class->ids, id, sizeof *id, &fresh);
    if (place < 0 || !fresh)
        return place;
    if (!memory_grow(&class->learners, &class->learner_capacity, place + 1, sizeof *class->learners))
        return -1;
    class->learners[place] = (struct class_learner){ .id = *id, .last_at = INT64_MIN };
    class->learner_count = place + 1;
    return place;
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

static bool is_wanted(const struct class *class, const struct uuid *id)
{
    const struct build_people *people = class->build->people;
    return people->learner.type == VALUE_NULL || uuid_equal(&people->learner_id, id);
}

static bool take_row(struct class *class, struct rows *rows)
{
    struct build *build = class->build;
    struct uuid id;
    rows_uuid(rows, CLASS_LEARNER, &id);
    if (!is_wanted(class, &id))
        return true;
    int place = class_learner(class, &id);
    if (place < 0)
        return error_memory(build->error);
    struct class_learner *learner = &class->learners[place];
    learner->name = build_copy(build, rows_text(rows, CLASS_NAME));
    learner->login = build_copy(build, rows_text(rows, CLASS_LOGIN));
    learner->external_id = build_copy(build, rows_text(rows, CLASS_EXTERNAL_ID));
    return true;
}

static void take_summary(struct class *class, struct rows *rows)
{
    struct build *build = class->build;
    struct class_learner *learner = &class->learners[class->learner_count - 1];
    struct work_sum *sum = &learner->sum;
    if (rows_is_null(rows, CLASS_LAST_AT))
        return;
    learner->last_at = rows_integer(rows, CLASS_LAST_AT);
    learner->last_offset_s = build->utc_offset_s; /* the summaries keep none */
    learner->sessions = rows_integer(rows, CLASS_SESSIONS);
    sum->questions = rows_integer(rows, CLASS_QUESTIONS);
    sum->answers = rows_integer(rows, CLASS_ATTEMPTS);
    sum->tries.count[OUTCOME_RIGHT] = rows_integer(rows, CLASS_RIGHT);
    sum->tries.count[OUTCOME_PARTLY] = rows_integer(rows, CLASS_PARTLY);
    sum->tries.count[OUTCOME_WRONG] = rows_integer(rows, CLASS_WRONG);
    sum->tries.count[OUTCOME_OMITTED] = rows_integer(rows, CLASS_OMITTED);
    sum->tries.shares = rows_real(rows, CLASS_SHARES);
    sum->elapsed_ms = rows_integer(rows, CLASS_ELAPSED_MS);
    sum->mastered = rows_integer(rows, CLASS_MASTERED);
    sum->stuck = rows_integer(rows, CLASS_STUCK);
    build_made_day(&class->made, build_day_of(build, learner->last_at, build->utc_offset_s));
    if (!rows_is_null(rows, CLASS_FIRST_AT))
        build_made_day(&class->made,
                       build_day_of(build, rows_integer(rows, CLASS_FIRST_AT), build->utc_offset_s));
    class->made.attempts += work_count(&sum->tries);
    class->made.learners++;
}

/* Everybody of the group, and with `summaries` what they did. */
static bool read_class(struct class *class, bool summaries)
{
    struct build *build = class->build;
    const struct store_value parameters[] = { build->people->group, store_value_text(build->filter->pack) };
    struct rows *rows;
    int found;
    bool done = true;
    if (!rows_open(&rows, build->stores[0], QUERY_CLASS, parameters, 2, build->error))
        return false;
    while (done && (found = rows_step(rows, build->error)) != 0) {
        int before = class->learner_count;
        done = found > 0 && take_row(class, rows);
        if (done && summaries && class->learner_count > before)
            take_summary(class, rows);
    }
    rows_close(rows);
    return done;
}

/* Of everybody; of a group the summaries don't tell. */
static bool read_undone(struct class *class)
{
    struct build *build = class->build;
    const struct store_value pack = store_value_text(build->filter->pack);
    struct rows *rows;
    int found;
    if (build->people->group.type != VALUE_NULL || build->people->learner.type != VALUE_NULL)
        return true;
    if (!rows_open(&rows, build->stores[0], QUERY_UNDONE_COUNTS, &pack, 1, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0)
        class->made.undone += rows_integer(rows, 2);
    rows_close(rows);
    return found == 0;
}

static bool read_stuck(struct class *class)
{
    struct build *build = class->build;
    const struct store_value parameters[] = { build->people->learner, build->people->group,
                                              store_value_text(build->filter->pack) };
    struct rows *rows;
    int found;
    bool done = true;
    if (!rows_open(&rows, build->stores[0], QUERY_STUCK, parameters, 3, build->error))
        return false;
    while (done && class->stuck_count < CLASS_STUCK_MOST && (found = rows_step(rows, build->error)) != 0) {
        struct class_stuck stuck = { .pack = rows_text(rows, 2), .question = rows_text(rows, 3) };
        struct uuid id;
        done = found > 0;
        if (!done)
            break;
        rows_uuid(rows, 0, &id);
        stuck.learner = places_find(&class->ids, &id, sizeof id);
        stuck.misses = (int)rows_integer(rows, 4);
        if (!outcome_read(&stuck.last, rows_text(rows, 6)))
            stuck.last = OUTCOME_OMITTED;
        rows_hash(rows, 8, &stuck.content);
        if (stuck.learner >= 0)
            done = class_add_stuck(class, &stuck);
    }
    rows_close(rows);
    return done;
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

bool build_class(struct build *build)
{
    struct class class = { .build = build };
    bool log = work_needs_log(build), done;
    asked_init(&class.asked, build);
    places_init(&class.ids);
    places_init(&class.texts);
    build_made_start(&class.made);
    class.made.revisions = -1;
    build->report->title = tr("Class");
    build->report->subtitle = build->filter->group && !build->filter->pack
                                  ? build_copy(build, build->people->group_name)
                                  : work_subtitle(build);
    if (build->store_count > 1)
        done = read_people(&class);
    else
        done = read_class(&class, !log);
    if (done)
        done = log ? class_read_log(&class) : read_stuck(&class) && read_undone(&class);
    done = done && class_write(&class);
    places_finish(&class.texts);
    places_finish(&class.ids);
    asked_finish(&class.asked);
    memory_free(class.learners);
    memory_free(class.stuck);
    return done;
}
