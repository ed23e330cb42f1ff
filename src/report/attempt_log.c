#include "attempt_log.h"

#include <string.h>

enum { DAY_MS = 86400000, FURTHEST_MS = 97200000 /* 27 hours: no offset moves a moment by more */ };

/* Moments that may belong to the filter's days; which do is known of each row, whose offset counts. */
static void set_parameters(struct attempt_log *log)
{
    const struct build *build = log->build;
    const struct report_filter *filter = build->filter;
    struct store_value *is = log->parameters;
    const struct build_people *people = build->people;
    bool one = build->store_count == 1;
    is[0] = store_value_text(log->pack);
    is[1] = one ? people->learner : store_value_null();
    is[2] = one ? people->group : store_value_null();
    is[3] =
        filter->has_since ? store_value_integer(filter->since * DAY_MS - FURTHEST_MS) : store_value_null();
    is[4] = filter->has_until ? store_value_integer((filter->until + 2) * DAY_MS + FURTHEST_MS)
                              : store_value_null();
    is[5] = store_value_text(filter->session);
    is[6] = store_value_text(filter->revision);
}

void attempt_log_open(struct attempt_log *log, struct build *build, enum store_query query, const char *pack)
{
    *log = (struct attempt_log){ .build = build, .query = query, .pack = pack, .person = -1 };
    places_init(&log->seen);
    places_init(&log->undone);
    places_init(&log->tagged);
    asked_init(&log->asked, build);
    set_parameters(log);
}

static void close_rows(struct attempt_log *log)
{
    for (int i = 0; i < LOG_STORES; i++) {
        if (log->rows[i])
            rows_close(log->rows[i]);
        log->rows[i] = NULL;
        log->there[i] = log->used[i] = false;
    }
}

void attempt_log_close(struct attempt_log *log)
{
    close_rows(log);
    if (log->learners)
        rows_close(log->learners);
    log->learners = NULL;
    places_finish(&log->seen);
    places_finish(&log->undone);
    places_finish(&log->tagged);
    memory_free(log->has_tag);
    log->has_tag = NULL;
    asked_finish(&log->asked);
}

int64_t attempt_log_day(const struct attempt_log *log, struct rows *rows)
{
    return build_day_of(log->build, rows_integer(rows, ATTEMPT_ANSWERED_AT),
                        (int)rows_integer(rows, ATTEMPT_UTC_OFFSET_S));
}

/* ---- tags ---- */

static bool has(const struct text_list *tags, const char *tag)
{
    for (int i = 0; i < tags->count; i++)
        if (strcmp(tags->items[i], tag) == 0)
            return true;
    return false;
}

/* By the library's question, else by its text in the store; asked once for each question. */
static int has_tag(struct attempt_log *log, int store, struct rows *rows)
{
    char key[2 * PACK_ID + 2];
    const char *pack = rows_text(rows, ATTEMPT_PACK), *id = rows_text(rows, ATTEMPT_QUESTION);
    size_t first = strnlen(pack, PACK_ID), second = strnlen(id, PACK_ID);
    memcpy(key, pack, first);
    key[first] = '\0';
    memcpy(key + first + 1, id, second);
    bool fresh, tagged = false;
    int place = places_add(&log->tagged, key, (ptrdiff_t)(first + 1 + second), &fresh);
    if (place < 0 || !memory_grow(&log->has_tag, &log->tag_capacity, place + 1, sizeof *log->has_tag))
        return error_memory(log->build->error) - 1;
    if (!fresh)
        return log->has_tag[place];
    const struct question *question = asked_today(log->build, pack, id);
    struct hash content;
    rows_hash(rows, ATTEMPT_CONTENT, &content);
    if (!question && !asked_find(&log->asked, log->build->stores[store], &content, pack, id, &question))
        return -1;
    tagged = question && has(&question->tags, log->build->filter->tag);
    log->has_tag[place] = tagged;
    return tagged;
}

/* Whether the filter takes it in; −1: an error. */
static int takes(struct attempt_log *log, int store, struct rows *rows)
{
    if (!build_wants_pack(log->build, rows_text(rows, ATTEMPT_PACK)) ||
        !build_in_days(log->build, attempt_log_day(log, rows)))
        return 0;
    return log->build->filter->tag ? has_tag(log, store, rows) : 1;
}

/* ---- one store ---- */

/* A cursor over all that is asked for: 1, its row; 0: the end; −1. */
static int next_of_cursor(struct attempt_log *log)
{
    struct build *build = log->build;
    if (!log->rows[0] &&
        !rows_open(&log->rows[0], build->stores[0], log->query, log->parameters, 7, build->error))
        return -1;
    int found;
    while ((found = rows_step(log->rows[0], build->error)) > 0) {
        int taken = takes(log, 0, log->rows[0]);
        if (taken)
            return taken;
    }
    return found;
}

static bool by_learner(const struct attempt_log *log)
{
    const struct build_people *people = log->build->people;
    return log->query == QUERY_ATTEMPT_LOG && people->learner.type == VALUE_NULL &&
           (log->pack || people->group.type != VALUE_NULL);
}

/* The next learner whose log is read: 1, 0, −1. */
static int next_learner(struct attempt_log *log)
{
    struct build *build = log->build;
    struct store_value parameters[] = { build->people->group, store_value_null() };
    if (!log->learners &&
        !rows_open(&log->learners, build->stores[0], QUERY_CLASS, parameters, 2, build->error))
        return -1;
    int found = rows_step(log->learners, build->error);
    if (found > 0) {
        rows_uuid(log->learners, CLASS_LEARNER, &log->learner);
        log->parameters[1] = store_value_uuid(&log->learner);
    }
    return found;
}

static int next_of_one(struct attempt_log *log, struct rows **rows)
{
    int found = 0;
    if (!by_learner(log))
        found = next_of_cursor(log);
    while (by_learner(log)) {
        found = log->rows[0] ? next_of_cursor(log) : 0;
        if (found)
            break;
        close_rows(log);
        found = next_learner(log);
        if (found <= 0)
            break;
        found = next_of_cursor(log);
        if (found)
            break;
    }
    *rows = log->rows[0];
    return found;
}

/* ---- several ---- */

static void forget_ids(struct attempt_log *log)
{
    places_finish(&log->seen);
    places_finish(&log->undone);
    places_init(&log->seen);
    places_init(&log->undone);
}

/* What any store has taken back of this person's answers. */
static bool gather_undone(struct attempt_log *log, int store)
{
    struct build *build = log->build;
    struct rows *rows;
    int found;
    if (!rows_open(&rows, build->stores[store], QUERY_ATTEMPT_LOG, log->parameters, 7, build->error))
        return false;
    while ((found = rows_step(rows, build->error)) > 0) {
        struct uuid id;
        rows_uuid(rows, ATTEMPT_ID, &id);
        if (rows_integer(rows, ATTEMPT_UNDONE) && places_add(&log->undone, &id, sizeof id, NULL) < 0) {
            error_memory(build->error);
            found = -1;
            break;
        }
    }
    rows_close(rows);
    return found == 0;
}

/* Opens the cursors of the next person wanted: 1, 0 where there is none, −1. */
static int next_person(struct attempt_log *log)
{
    struct build *build = log->build;
    const struct build_people *people = build->people;
    close_rows(log);
    forget_ids(log);
    do
        log->person++;
    while (log->person < people->count && !people->persons[log->person].wanted);
    if (log->person >= people->count)
        return 0;
    for (int i = 0; i < build->store_count; i++) {
        const struct uuid *id = &people->ids[(ptrdiff_t)log->person * build->store_count + i];
        if (uuid_is_zero(id))
            continue;
        log->parameters[1] = store_value_uuid(id);
        if (!gather_undone(log, i) ||
            !rows_open(&log->rows[i], build->stores[i], log->query, log->parameters, 7, build->error))
            return -1;
        log->used[i] = true;
    }
    return 1;
}

/* Has each cursor stand on a row of its own that the filter takes in. */
static bool step_all(struct attempt_log *log)
{
    struct build *build = log->build;
    for (int i = 0; i < build->store_count; i++) {
        while (log->used[i]) {
            int found = rows_step(log->rows[i], build->error), taken = 1;
            log->there[i] = found > 0;
            log->used[i] = false;
            if (found > 0)
                taken = takes(log, i, log->rows[i]);
            if (found < 0 || taken < 0)
                return false;
            log->used[i] = !taken;
        }
    }
    return true;
}

static int text_order(struct rows *one, struct rows *other, int column)
{
    const char *a = rows_text(one, column), *b = rows_text(other, column);
    return strcmp(a ? a : "", b ? b : "");
}

static bool same_id(struct rows *one, struct rows *other)
{
    struct uuid a, b;
    rows_uuid(one, ATTEMPT_ID, &a);
    rows_uuid(other, ATTEMPT_ID, &b);
    return uuid_equal(&a, &b);
}

/* Which of two comes first. Within one store the order stays what its log says. */
static int order(const struct attempt_log *log, struct rows *one, struct rows *other)
{
    int by = 0;
    if (log->query == QUERY_ANSWERS)
        by = text_order(one, other, ATTEMPT_PACK);
    if (!by && log->query == QUERY_ANSWERS)
        by = text_order(one, other, ATTEMPT_QUESTION);
    int64_t a = rows_integer(one, ATTEMPT_ANSWERED_AT), b = rows_integer(other, ATTEMPT_ANSWERED_AT);
    if (!by)
        by = (a > b) - (a < b);
    return by;
}

/* The first of the rows that the cursors stand on; of one attempt the one that was graded anew. −1: none. */
static int first_of(struct attempt_log *log)
{
    int best = -1;
    for (int i = 0; i < log->build->store_count; i++) {
        if (!log->there[i])
            continue;
        if (best < 0 || order(log, log->rows[i], log->rows[best]) < 0) {
            best = i;
        } else if (same_id(log->rows[i], log->rows[best])) {
            bool better =
                rows_is_null(log->rows[best], ATTEMPT_GRADED) && !rows_is_null(log->rows[i], ATTEMPT_GRADED);
            log->used[better ? best : i] = true;
            best = better ? i : best;
        }
    }
    if (best >= 0)
        log->used[best] = true;
    return best;
}

static int next_of_several(struct attempt_log *log, struct rows **rows, int *store)
{
    for (;;) {
        int best = -1, more = 1;
        if (log->person >= 0) {
            if (!step_all(log))
                return -1;
            best = first_of(log);
        }
        if (best < 0) {
            more = next_person(log);
            if (more <= 0)
                return more;
            continue;
        }
        struct uuid id;
        bool fresh;
        rows_uuid(log->rows[best], ATTEMPT_ID, &id);
        if (places_add(&log->seen, &id, sizeof id, &fresh) < 0)
            return error_memory(log->build->error) - 1;
        *rows = log->rows[best];
        *store = best;
        if (fresh)
            return 1;
    }
}

int attempt_log_next(struct attempt_log *log, struct rows **rows, int *store)
{
    *store = 0;
    return log->build->store_count == 1 ? next_of_one(log, rows) : next_of_several(log, rows, store);
}

bool attempt_log_undone(const struct attempt_log *log, struct rows *rows)
{
    struct uuid id;
    if (log->build->store_count == 1)
        return rows_integer(rows, ATTEMPT_UNDONE) != 0;
    rows_uuid(rows, ATTEMPT_ID, &id);
    return places_find(&log->undone, &id, sizeof id) >= 0;
}
