/* A class by what the store keeps up with each answer: no walk through the log. */
#include "class.h"

#include <quiztutor/message.h>

#include <stdlib.h>

static bool is_wanted(const struct class *class, const struct uuid *id)
{
    const struct build_people *people = class->build->people;
    return people->learner.type == VALUE_NULL || uuid_equal(&people->learner_id, id);
}

/* The row's learner, made where there was none; −1 without memory. */
static int learner_of(struct class *class, struct rows *rows, const struct uuid *id)
{
    struct build *build = class->build;
    int before = class->learner_count, place = class_learner(class, id);
    if (place < before)
        return place;
    struct class_learner *learner = &class->learners[place];
    learner->name = build_copy(build, rows_text(rows, CLASS_NAME));
    learner->login = build_copy(build, rows_text(rows, CLASS_LOGIN));
    learner->external_id = build_copy(build, rows_text(rows, CLASS_EXTERNAL_ID));
    return place;
}

static void take_summary(struct class_learner *learner, struct rows *rows)
{
    struct work_sum *sum = &learner->sum;
    if (rows_is_null(rows, CLASS_LAST_AT))
        return;
    learner->last_at = rows_integer(rows, CLASS_LAST_AT);
    learner->last_offset_s = (int)rows_integer(rows, CLASS_LAST_OFFSET);
    if (!rows_is_null(rows, CLASS_FIRST_AT))
        learner->first_at = rows_integer(rows, CLASS_FIRST_AT);
    learner->first_offset_s = (int)rows_integer(rows, CLASS_FIRST_OFFSET);
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
}

bool class_read_rows(struct class *class, const char *pack, struct class_part *part, bool summaries)
{
    struct build *build = class->build;
    const struct store_value parameters[] = { build->people->group, store_value_text(pack) };
    struct rows *rows;
    int found;
    if (!rows_open(&rows, build->stores[0], QUERY_CLASS, parameters, 2, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        struct uuid id;
        rows_uuid(rows, CLASS_LEARNER, &id);
        if (!is_wanted(class, &id))
            continue;
        int place = learner_of(class, rows, &id);
        struct class_learner *learner = place < 0 ? NULL
                                        : part    ? class_part_learner(part, place)
                                                  : &class->learners[place];
        if (!learner) {
            error_memory(build->error);
            found = -1;
            break;
        }
        if (summaries)
            take_summary(learner, rows);
    }
    rows_close(rows);
    return found == 0;
}

/* ---- several packs taken together ---- */

/* Sessions with answers to several of the packs, by the log: a session counts once. */
static bool count_sessions(struct class *class, const struct class_learner *learner, int64_t *sessions)
{
    struct build *build = class->build;
    struct places ids;
    bool done = true;
    places_init(&ids);
    for (int i = 0; done && i < class->part_count; i++) {
        const struct store_value null = store_value_null();
        const struct store_value parameters[] = { store_value_text(class->parts[i].pack),
                                                  store_value_uuid(&learner->id),
                                                  null,
                                                  null,
                                                  null,
                                                  null,
                                                  null };
        struct rows *rows;
        int found;
        if (!rows_open(&rows, build->stores[0], QUERY_ATTEMPTS, parameters, 7, build->error)) {
            done = false;
            break;
        }
        while ((found = rows_step(rows, build->error)) > 0) {
            struct uuid session;
            rows_uuid(rows, ATTEMPT_SESSION, &session);
            if (places_add(&ids, &session, sizeof session, NULL) < 0) {
                found = error_memory(build->error) - 1;
                break;
            }
        }
        rows_close(rows);
        done = found == 0;
    }
    *sessions = ids.count;
    places_finish(&ids);
    return done;
}

/* Puts in place of what was done in all packs what was done in those asked for. */
static bool add_up(struct class *class, int place)
{
    struct class_learner *learner = &class->learners[place];
    struct class_learner all = *learner;
    int with = 0;
    learner->sum = (struct work_sum){ 0 };
    learner->sessions = 0;
    learner->last_at = learner->first_at = INT64_MIN;
    for (int i = 0; i < class->part_count; i++) {
        const struct class_learner *part = class_part_learner(&class->parts[i], place);
        if (!part)
            return error_memory(class->build->error);
        if (part->last_at == INT64_MIN)
            continue;
        with++;
        work_sum_add(&learner->sum, &part->sum);
        learner->sessions += part->sessions;
        if (part->last_at > learner->last_at) {
            learner->last_at = part->last_at;
            learner->last_offset_s = part->last_offset_s;
        }
        if (learner->first_at == INT64_MIN || part->first_at < learner->first_at) {
            learner->first_at = part->first_at;
            learner->first_offset_s = part->first_offset_s;
        }
    }
    if (with < 2)
        return true;
    if (learner->sum.questions == all.sum.questions) { /* there are no other packs */
        learner->sessions = all.sessions;
        return true;
    }
    return count_sessions(class, learner, &learner->sessions);
}

static bool read_parts(struct class *class)
{
    bool done = class_read_rows(class, NULL, NULL, true);
    for (int i = 0; done && i < class->part_count; i++)
        done = class_read_rows(class, class->parts[i].pack, &class->parts[i], true);
    for (int place = 0; done && place < class->learner_count; place++)
        done = add_up(class, place);
    return done;
}

static void count_made(struct class *class)
{
    const struct build *build = class->build;
    for (int i = 0; i < class->learner_count; i++) {
        const struct class_learner *learner = &class->learners[i];
        if (learner->last_at == INT64_MIN)
            continue;
        build_made_day(&class->made, build_day_of(build, learner->last_at, learner->last_offset_s));
        if (learner->first_at != INT64_MIN)
            build_made_day(&class->made, build_day_of(build, learner->first_at, learner->first_offset_s));
        class->made.attempts += work_count(&learner->sum.tries);
        class->made.learners++;
    }
}

/* ---- who is stuck ---- */

static bool take_stuck(struct class *class, struct rows *rows)
{
    struct class_stuck stuck = { .pack = rows_text(rows, 2), .question = rows_text(rows, 3) };
    struct uuid id;
    rows_uuid(rows, 0, &id);
    stuck.learner = places_find(&class->ids, &id, sizeof id);
    stuck.misses = (int)rows_integer(rows, 4);
    if (!outcome_read(&stuck.last, rows_text(rows, 6)))
        stuck.last = OUTCOME_OMITTED;
    rows_hash(rows, 8, &stuck.content);
    return stuck.learner < 0 || !build_wants_pack(class->build, stuck.pack) || class_add_stuck(class, &stuck);
}

static bool read_stuck(struct class *class)
{
    struct build *build = class->build;
    const struct store_value parameters[] = { build->people->learner, build->people->group,
                                              store_value_text(build->filter->pack) };
    struct rows *rows;
    int found = 0;
    bool done = true;
    if (!rows_open(&rows, build->stores[0], QUERY_STUCK, parameters, 3, build->error))
        return false;
    while (done && class->stuck_count < CLASS_STUCK_MOST && (found = rows_step(rows, build->error)) != 0)
        done = found > 0 && take_stuck(class, rows);
    rows_close(rows);
    return done;
}

bool class_read_kept(struct class *class)
{
    struct build *build = class->build;
    bool done =
        class->part_count ? read_parts(class) : class_read_rows(class, build->filter->pack, NULL, true);
    if (done)
        count_made(class);
    return done && read_stuck(class) && work_told_kept(build, &class->made);
}
