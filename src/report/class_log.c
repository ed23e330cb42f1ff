/* A class by the log: what happened on some days, in exams, with one revision, or in several stores. */
#include "class.h"

#include <string.h>

struct class_reading {
    struct class *class;
    int learner;            /* whose attempts are read; −1: none yet */
    struct places sessions; /* theirs */
    int part;               /* of several packs the one that is read; −1: none */
    struct places part_sessions;
    struct places questions, revisions;
};

/* Attempts come pack by pack. */
static void end_part(struct class_reading *reading)
{
    if (reading->part >= 0)
        reading->class->parts[reading->part].learners[reading->learner].sessions =
            reading->part_sessions.count;
    reading->part = -1;
    places_finish(&reading->part_sessions);
    places_init(&reading->part_sessions);
}

static void end_learner(struct class_reading *reading)
{
    end_part(reading);
    if (reading->learner >= 0)
        reading->class->learners[reading->learner].sessions = reading->sessions.count;
    places_finish(&reading->sessions);
    places_init(&reading->sessions);
}

/* A learner that the class does not know is one whom the roster lost: still named by their attempts. */
static bool begin_learner(struct class_reading *reading, const struct attempt *attempt)
{
    struct class *class = reading->class;
    int place = class_learner(class, &attempt->learner);
    if (place < 0)
        return false;
    if (place == reading->learner)
        return true;
    end_learner(reading);
    reading->learner = place;
    if (!class->learners[place].name) {
        class->learners[place].name = build_copy(class->build, attempt->name);
        class->learners[place].login = build_copy(class->build, attempt->login);
    }
    return true;
}

static bool add_names(struct class_reading *reading, const struct attempt *attempt)
{
    struct buffer key;
    buffer_init(&key);
    buffer_add(&key, attempt->pack, (ptrdiff_t)strlen(attempt->pack) + 1);
    buffer_text(&key, attempt->question);
    bool added = !key.failed && places_add(&reading->questions, buffer_get(&key), key.length, NULL) >= 0;
    buffer_add(&key, "", 1);
    buffer_text(&key, attempt->revision);
    added = added && !key.failed && places_add(&reading->revisions, buffer_get(&key), key.length, NULL) >= 0;
    buffer_finish(&key);
    return added;
}

static void see(struct class_learner *learner, const struct attempt *attempt)
{
    if (attempt->answered_at < learner->last_at)
        return;
    learner->last_at = attempt->answered_at;
    learner->last_offset_s = attempt->utc_offset_s;
}

static bool take_part(struct class_reading *reading, const struct attempt *attempt)
{
    struct class *class = reading->class;
    int part = build_pack_place(class->build, attempt->pack);
    if (part < 0)
        return true;
    if (part != reading->part)
        end_part(reading);
    struct class_learner *learner = class_part_learner(&class->parts[part], reading->learner);
    if (!learner || places_add(&reading->part_sessions, &attempt->session, sizeof attempt->session, NULL) < 0)
        return false;
    reading->part = part;
    see(learner, attempt);
    return true;
}

static bool take_attempt(void *context, const struct attempt *attempt)
{
    struct class_reading *reading = context;
    struct class *class = reading->class;
    if (!begin_learner(reading, attempt) || (attempt->chosen && !add_names(reading, attempt)) ||
        places_add(&reading->sessions, &attempt->session, sizeof attempt->session, NULL) < 0 ||
        !take_part(reading, attempt))
        return error_memory(class->build->error);
    see(&class->learners[reading->learner], attempt);
    build_made_day(&class->made, attempt->day);
    class->made.attempts += attempt->chosen;
    class->made.regraded += attempt->graded;
    return true;
}

static bool take_work(void *context, const struct work *work, const struct uuid *id)
{
    struct class_reading *reading = context;
    struct class *class = reading->class;
    int place = places_find(&class->ids, id, sizeof *id);
    if (place < 0)
        return true;
    work_add(&class->learners[place].sum, work);
    int part = build_pack_place(class->build, work->pack);
    struct class_learner *learner = part < 0 ? NULL : class_part_learner(&class->parts[part], place);
    if (part >= 0 && !learner)
        return error_memory(class->build->error);
    if (learner)
        work_add(&learner->sum, work);
    if (work->misses < WORK_STUCK)
        return true;
    const struct class_stuck stuck = { place,       work->pack,   work->question, work->content,
                                       work->store, work->misses, work->last };
    return class_add_stuck(class, &stuck);
}

bool class_read_log(struct class *class)
{
    struct class_reading reading = { .class = class, .learner = -1, .part = -1 };
    if (class->build->store_count == 1 && !class_read_rows(class, NULL, NULL, false))
        return false;
    const struct work_visitor visitor = { &reading, take_attempt, take_work, &class->made.undone };
    places_init(&reading.sessions);
    places_init(&reading.part_sessions);
    places_init(&reading.questions);
    places_init(&reading.revisions);
    bool done = work_read_log(class->build, &class->asked, &visitor);
    end_learner(&reading);
    class->made.questions = reading.questions.count;
    class->made.revisions = reading.revisions.count;
    for (int i = 0; i < class->learner_count; i++)
        class->made.learners += class->learners[i].last_at != INT64_MIN;
    places_finish(&reading.sessions);
    places_finish(&reading.part_sessions);
    places_finish(&reading.questions);
    places_finish(&reading.revisions);
    return done;
}
