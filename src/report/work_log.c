/* Work out of the log. */
#include "attempt_log.h"
#include "people.h"
#include "work_private.h"

#include <string.h>

/* Who was read last, and with what their recall is predicted in each store. */
struct whose {
    struct uuid canonical;
    bool known;
    struct uuid ids[LOG_STORES]; /* zero: not there */
    struct fsrs_parameters parameters[LOG_STORES];
    int64_t last_at; /* of all that they answered, whatever the filter takes in; and where */
    int utc_offset_s;
};

struct work_reading {
    struct build *build;
    struct asked *asked;
    const struct work_visitor *visitor;
    struct whose whose;
    struct places names; /* "pack", "question": texts that outlast the rows */
    struct buffer key;
    struct work work;
    bool any;
    struct uuid learner;           /* of `work` */
    struct rows *kept[LOG_STORES]; /* QUERY_KNOWN of kept_learner in kept_pack, a store each */
    bool kept_there[LOG_STORES];
    const char *kept_pack; /* interned */
    struct uuid kept_learner;
};

struct uuid work_learner_in(const struct build *build, const struct uuid *learner, int store)
{
    const struct build_people *people = build->people;
    if (build->store_count < 2)
        return *learner;
    for (int i = 0; i < build->store_count; i++) {
        int person = people_of(people, i, learner);
        if (person >= 0)
            return people->ids[(ptrdiff_t)person * build->store_count + store];
    }
    return (struct uuid){ 0 };
}

static bool find_last(struct whose *whose, struct build *build, int store)
{
    enum { BEFORE = CLASS_LAST_AT - 1 }; /* the row begins with the pack */
    const struct store_value learner = store_value_uuid(&whose->ids[store]);
    struct rows *rows;
    if (!rows_open(&rows, build->stores[store], QUERY_PROGRESS_PACKS, &learner, 1, build->error))
        return false;
    int found = rows_step(rows, build->error);
    int64_t at = rows_integer(rows, CLASS_LAST_AT - BEFORE);
    if (found > 0 && at > whose->last_at) {
        whose->last_at = at;
        whose->utc_offset_s = (int)rows_integer(rows, CLASS_LAST_OFFSET - BEFORE);
    }
    rows_close(rows);
    return found >= 0;
}

static bool find_whose(struct work_reading *reading, const struct uuid *learner)
{
    struct build *build = reading->build;
    struct whose *whose = &reading->whose;
    if (whose->known && uuid_equal(&whose->canonical, learner))
        return true;
    whose->known = true;
    whose->canonical = *learner;
    whose->last_at = INT64_MIN;
    whose->utc_offset_s = build->utc_offset_s;
    for (int i = 0; i < build->store_count; i++) {
        whose->ids[i] = work_learner_in(build, learner, i);
        if (!uuid_is_zero(&whose->ids[i]) &&
            !(store_parameters(build->stores[i], &whose->ids[i], &whose->parameters[i], NULL, build->error) &&
              find_last(whose, build, i)))
            return false;
    }
    return true;
}

static void close_kept(struct work_reading *reading)
{
    for (int i = 0; i < LOG_STORES; i++) {
        if (reading->kept[i])
            rows_close(reading->kept[i]);
        reading->kept[i] = NULL;
        reading->kept_there[i] = false;
    }
}

/* What each store remembers of this learner's questions of this pack. Attempts come by pack and question, and
 * so do these rows: both are read side by side. */
static bool open_kept(struct work_reading *reading)
{
    struct build *build = reading->build;
    const struct whose *whose = &reading->whose;
    if (reading->kept_pack && strcmp(reading->kept_pack, reading->work.pack) == 0 &&
        uuid_equal(&reading->kept_learner, &reading->learner))
        return true;
    close_kept(reading);
    reading->kept_pack = reading->work.pack;
    reading->kept_learner = reading->learner;
    for (int i = 0; i < build->store_count; i++) {
        const struct store_value parameters[] = { store_value_uuid(&whose->ids[i]),
                                                  store_value_text(reading->work.pack) };
        if (uuid_is_zero(&whose->ids[i]))
            continue;
        if (!rows_open(&reading->kept[i], build->stores[i], QUERY_KNOWN, parameters, 2, build->error))
            return false;
        int found = rows_step(reading->kept[i], build->error);
        reading->kept_there[i] = found > 0;
        if (found < 0)
            return false;
    }
    return true;
}

/* Whether the store remembers the question of `work`: 1, 0, −1. Questions before it are passed over. */
static int find_kept(struct work_reading *reading, int store, struct store_schedule *known)
{
    while (reading->kept_there[store]) {
        const char *question = rows_text(reading->kept[store], 0);
        int order = strcmp(question ? question : "", reading->work.question);
        if (order == 0)
            rows_schedule(reading->kept[store], known);
        if (order >= 0)
            return order == 0;
        int found = rows_step(reading->kept[store], reading->build->error);
        reading->kept_there[store] = found > 0;
        if (found < 0)
            return -1;
    }
    return 0;
}

/* Of several stores the newest that is remembered counts. */
static bool remember_everywhere(struct work_reading *reading)
{
    struct build *build = reading->build;
    struct work *work = &reading->work;
    if (!open_kept(reading))
        return false;
    for (int i = 0; i < build->store_count; i++) {
        struct store_schedule known;
        int found = find_kept(reading, i, &known);
        if (found < 0)
            return false;
        if (found == 0 || known.answered_at < work->remembered_at)
            continue;
        work->remembered_at = known.answered_at;
        if (!work_remember(work, reading->asked, i, &known, &reading->whose.parameters[i],
                           reading->whose.utc_offset_s))
            return false;
    }
    return true;
}

static bool end_work(struct work_reading *reading)
{
    if (!reading->any)
        return true;
    reading->any = false;
    return find_whose(reading, &reading->learner) && remember_everywhere(reading) &&
           reading->visitor->work(reading->visitor->context, &reading->work, &reading->learner);
}

/* "pack\0question\0" as one key that lasts: its place gives both. */
static bool intern(struct work_reading *reading, struct attempt *attempt)
{
    ptrdiff_t pack = (ptrdiff_t)strlen(attempt->pack) + 1,
              question = (ptrdiff_t)strlen(attempt->question) + 1;
    buffer_clear(&reading->key);
    buffer_add(&reading->key, attempt->pack, pack);
    buffer_add(&reading->key, attempt->question, question);
    int place = reading->key.failed
                    ? -1
                    : places_add(&reading->names, buffer_get(&reading->key), pack + question, NULL);
    if (place < 0)
        return error_memory(reading->build->error);
    attempt->pack = reading->names.keys[place].bytes;
    attempt->question = attempt->pack + pack;
    return true;
}

static bool take(struct work_reading *reading, struct attempt *attempt)
{
    const struct work_visitor *visitor = reading->visitor;
    if (!intern(reading, attempt))
        return false;
    /* interned: the same text is the same address */
    bool same = reading->any && reading->work.question == attempt->question &&
                uuid_equal(&reading->learner, &attempt->learner);
    if (!same) {
        if (!end_work(reading))
            return false;
        work_start(&reading->work, attempt);
        reading->learner = attempt->learner;
        reading->any = true;
    }
    work_take(&reading->work, attempt);
    return !visitor->attempt || visitor->attempt(visitor->context, attempt);
}

bool work_read_log(struct build *build, struct asked *asked, const struct work_visitor *visitor)
{
    struct work_reading *reading = memory_zero(sizeof *reading);
    struct attempts attempts;
    struct attempt attempt;
    int found = -1;
    if (!reading)
        return error_memory(build->error);
    *reading = (struct work_reading){ .build = build, .asked = asked, .visitor = visitor };
    places_init(&reading->names);
    buffer_init(&reading->key);
    if (attempts_open(&attempts, build, NULL, false, false)) {
        while ((found = attempts_next(&attempts, &attempt)) > 0)
            if (!take(reading, &attempt)) {
                found = -1;
                break;
            }
    }
    bool done = found == 0 && end_work(reading);
    *visitor->undone = attempts.undone;
    attempts_close(&attempts);
    close_kept(reading);
    places_finish(&reading->names);
    buffer_finish(&reading->key);
    memory_free(reading);
    return done;
}

static bool count_told(struct build *build, enum store_query query, int64_t *count)
{
    const struct store_value parameters[] = { store_value_text(build->filter->pack), build->people->learner,
                                              build->people->group };
    struct rows *rows;
    int found;
    *count = 0;
    if (!rows_open(&rows, build->stores[0], query, parameters, 3, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0)
        if (build_wants_pack(build, rows_text(rows, 0)))
            *count += rows_integer(rows, 2);
    rows_close(rows);
    return found == 0;
}

bool work_told_kept(struct build *build, struct build_made *made)
{
    return count_told(build, QUERY_UNDONE_COUNTS, &made->undone) &&
           count_told(build, QUERY_GRADED_COUNTS, &made->regraded);
}
