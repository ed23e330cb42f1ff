/* The queries over lists in memory: slow and plain, so that they can be seen to be right. */
#include "memory_rows.h"

#include <stdlib.h>
#include <string.h>

bool memory_add_row(struct answering *of, const struct store_value *cells)
{
    struct memory_rows *rows = of->rows;
    int columns = rows->base.columns;
    if (!memory_grow(&rows->cells, &rows->capacity, (rows->count + 1) * columns, sizeof *cells))
        return error_memory(of->error);
    struct store_value *row = rows->cells + rows->count * columns;
    for (int i = 0; i < columns; i++) {
        row[i] = cells[i];
        if (cells[i].type != VALUE_BLOB)
            continue;
        void *copy =
            arena_alloc(&rows->arena, cells[i].length); /* ids lie in lists that move when they grow */
        if (!copy)
            return error_memory(of->error);
        row[i].data = memcpy(copy, cells[i].data, (size_t)cells[i].length);
    }
    rows->count++;
    return true;
}

bool memory_is_id(const struct store_value *value, const struct uuid *id)
{
    return value->length == sizeof id->bytes && memcmp(value->data, id->bytes, sizeof id->bytes) == 0;
}

struct store_value memory_real(double number)
{
    return (struct store_value){ .type = VALUE_REAL, .real = number };
}

static struct store_value uuid_or_null(const struct uuid *id)
{
    return uuid_is_zero(id) ? store_value_null() : store_value_uuid(id);
}

static bool take_element(void *context, const char *element)
{
    struct elements *elements = context;
    elements->failed = elements->failed || !memory_grow(&elements->items, &elements->capacity,
                                                        elements->count + 1, sizeof *elements->items);
    if (elements->failed)
        return false;
    const char *copy = element ? arena_text(elements->arena, element, (ptrdiff_t)strlen(element)) : NULL;
    elements->failed = element && !copy;
    elements->items[elements->count++] = copy;
    return !elements->failed;
}

bool memory_list(struct answering *of, struct elements *elements, const char *json, const char *path)
{
    *elements = (struct elements){ .arena = &of->rows->arena };
    if (!json_reader_each(&of->store->reader, json, path, take_element, elements, of->error))
        return false;
    return !elements->failed || error_memory(of->error);
}

static bool same_lists(const struct elements *one, const struct elements *other)
{
    bool same = one->count == other->count;
    for (ptrdiff_t i = 0; same && i < one->count; i++)
        same = one->items[i] && other->items[i] && strcmp(one->items[i], other->items[i]) == 0;
    return same;
}

static bool has_packs(struct answering *of, const struct memory_session *session, bool *has)
{
    struct elements wanted = { 0 }, packs = { 0 };
    *has = of->parameters[1].type == VALUE_NULL;
    bool done = *has || (memory_list(of, &wanted, of->parameters[1].data, "$") &&
                         memory_list(of, &packs, session->options, "$.packs"));
    if (done && !*has)
        *has = same_lists(&wanted, &packs);
    memory_free(wanted.items);
    memory_free(packs.items);
    return done;
}

static bool is_answered(const struct memory_store *store, const struct memory_session *session,
                        const struct elements *entry)
{
    for (ptrdiff_t i = 0; entry->count >= 2 && i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        if (uuid_equal(&attempt->session, &session->id) && strcmp(attempt->pack_id, entry->items[0]) == 0 &&
            strcmp(attempt->question_id, entry->items[1]) == 0 && memory_counts(store, attempt))
            return true;
    }
    return false;
}

static bool count_answered(struct answering *of, const struct memory_session *session, int64_t *questions,
                           int64_t *answered)
{
    struct elements plan;
    bool done = memory_list(of, &plan, session->plan, "$");
    *questions = plan.count;
    *answered = 0;
    for (ptrdiff_t i = 0; done && i < plan.count; i++) {
        struct elements entry;
        done = memory_list(of, &entry, plan.items[i], "$");
        *answered += done && is_answered(of->store, session, &entry);
        memory_free(entry.items);
    }
    memory_free(plan.items);
    return done;
}

static bool is_dropped(const struct memory_store *store, const struct memory_session *session)
{
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        if (uuid_equal(&store->events[i].session, &session->id) &&
            strcmp(store->events[i].kind, "dropped") == 0)
            return true;
    }
    return false;
}

static int by_start(const void *one, const void *other)
{
    int64_t a = ((const struct store_value *)one)[3].integer,
            b = ((const struct store_value *)other)[3].integer;
    return a < b ? 1 : a > b ? -1 : 0;
}

static bool unfinished(struct answering *of)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = store->session_count; i-- > 0;) {
        const struct memory_session *session = &store->sessions[i];
        bool wanted;
        int64_t questions, answered;
        if (!memory_is_id(&of->parameters[0], &session->learner) || strcmp(session->kind, "practice") != 0 ||
            is_dropped(store, session))
            continue;
        if (!has_packs(of, session, &wanted) || !count_answered(of, session, &questions, &answered))
            return false;
        struct store_value cells[] = { store_value_uuid(&session->id),
                                       store_value_integer(session->seed),
                                       store_value_text(session->options),
                                       store_value_integer(session->started_at),
                                       store_value_integer(session->utc_offset_s),
                                       store_value_text(session->origin),
                                       store_value_integer(questions),
                                       store_value_integer(answered) };
        if (wanted && questions > answered && !memory_add_row(of, cells))
            return false;
    }
    if (of->rows->count) /* made newest first by seq; glibc's qsort keeps that where the start is the same */
        qsort(of->rows->cells, (size_t)of->rows->count, sizeof *of->rows->cells * 8, by_start);
    return true;
}

static const struct memory_session *wanted_session(struct answering *of)
{
    for (ptrdiff_t i = 0; i < of->store->session_count; i++) {
        if (memory_is_id(&of->parameters[0], &of->store->sessions[i].id))
            return &of->store->sessions[i];
    }
    return NULL;
}

static bool one_session(struct answering *of)
{
    const struct memory_session *session = wanted_session(of);
    if (!session)
        return true;
    struct store_value cells[] = { store_value_integer(session->seed), store_value_text(session->options),
                                   store_value_integer(session->started_at),
                                   store_value_integer(session->utc_offset_s),
                                   store_value_text(session->origin) };
    return memory_add_row(of, cells);
}

/* Marks and section are numbers, all else in a plan is text. */
static struct store_value plan_value(const char *text, ptrdiff_t column)
{
    if (!text || (column != 3 && column != 5))
        return store_value_text(text);
    return strpbrk(text, ".eE") ? memory_real(strtod(text, NULL)) : store_value_integer(atoll(text));
}

static bool plan_rows(struct answering *of)
{
    const struct memory_session *session = wanted_session(of);
    struct elements plan = { 0 };
    bool done = !session || memory_list(of, &plan, session->plan, "$");
    for (ptrdiff_t i = 0; done && i < plan.count; i++) {
        struct elements entry;
        struct store_value cells[6] = { 0 };
        done = memory_list(of, &entry, plan.items[i], "$");
        for (ptrdiff_t j = 0; done && j < entry.count && j < 6; j++)
            cells[j] = plan_value(entry.items[j], j);
        done = done && memory_add_row(of, cells);
        memory_free(entry.items);
    }
    memory_free(plan.items);
    return done;
}

static bool log_rows(struct answering *of)
{
    const struct memory_store *store = of->store;
    ptrdiff_t a = 0, e = 0;
    while (a < store->attempt_count || e < store->event_count) {
        struct store_value cells[15] = { 0 };
        bool wanted;
        if (e == store->event_count ||
            (a < store->attempt_count && store->attempts[a].seq < store->events[e].seq)) {
            const struct memory_attempt *attempt = &store->attempts[a++];
            wanted = memory_is_id(&of->parameters[0], &attempt->session);
            cells[0] = store_value_text("attempt");
            cells[1] = store_value_uuid(&attempt->id);
            cells[2] = store_value_text(attempt->pack_id);
            cells[3] = store_value_text(attempt->question_id);
            cells[4] = store_value_text(attempt->response);
            cells[5] = store_value_text(outcome_name(attempt->outcome));
            cells[6] = memory_real(attempt->mark);
            cells[7] = memory_real(attempt->marks);
            cells[8] = store_value_integer(attempt->showing);
            cells[9] = store_value_integer(attempt->hints);
            if (attempt->certainty)
                cells[11] = store_value_integer(attempt->certainty);
            cells[12] = store_value_integer(attempt->answered_at);
            cells[13] = store_value_integer(attempt->seq);
            cells[14] = store_value_integer(attempt->retried);
        } else {
            const struct memory_event *event = &store->events[e++];
            wanted = memory_is_id(&of->parameters[0], &event->session);
            cells[0] = store_value_text(event->kind);
            cells[1] = uuid_or_null(&event->attempt);
            cells[10] = store_value_text(event->body);
            cells[12] = store_value_integer(event->at);
            cells[13] = store_value_integer(event->seq);
        }
        if (wanted && !memory_add_row(of, cells))
            return false;
    }
    return true;
}

static int by_key(const void *one, const void *other)
{
    const struct memory_learner *const *a = one, *const *b = other;
    return strcmp((*a)->key, (*b)->key);
}

/* All learners by name; `make` fills a row. */
static bool learner_rows(struct answering *of,
                         void (*make)(const struct memory_store *, const struct memory_learner *,
                                      struct store_value *))
{
    const struct memory_store *store = of->store;
    const struct memory_learner **sorted = arena_alloc(
        &of->rows->arena, (store->learner_count + 1) * (ptrdiff_t)sizeof(const struct memory_learner *));
    if (!sorted)
        return error_memory(of->error);
    for (ptrdiff_t i = 0; i < store->learner_count; i++)
        sorted[i] = &store->learners[i];
    qsort(sorted, (size_t)store->learner_count, sizeof(const struct memory_learner *), by_key);
    for (ptrdiff_t i = 0; i < store->learner_count; i++) {
        struct store_value cells[4] = { 0 };
        make(store, sorted[i], cells);
        if (!memory_add_row(of, cells))
            return false;
    }
    return true;
}

static void make_learner(const struct memory_store *store, const struct memory_learner *learner,
                         struct store_value *cells)
{
    int64_t answers = 0, last = INT64_MIN;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        if (!uuid_equal(&attempt->learner, &learner->id) || !memory_counts(store, attempt))
            continue;
        answers++;
        last = attempt->answered_at > last ? attempt->answered_at : last;
    }
    cells[0] = store_value_text(learner->name);
    cells[1] = store_value_text(learner->login);
    cells[2] = store_value_integer(answers);
    cells[3] = answers ? store_value_integer(last) : store_value_null();
}

static void make_name(const struct memory_store *store, const struct memory_learner *learner,
                      struct store_value *cells)
{
    (void)store;
    cells[0] = store_value_uuid(&learner->id);
    cells[1] = store_value_text(learner->name);
}

static bool answer(struct answering *of, int query)
{
    switch (query) {
    case QUERY_KNOWN:
        return memory_known(of);
    case QUERY_DUE:
        return memory_due(of);
    case QUERY_REVIEWED:
        return memory_count_reviewed(of);
    case QUERY_NEWEST:
        return memory_newest(of);
    case QUERY_LATER:
        return memory_later(of);
    case QUERY_COMING:
        return memory_coming(of);
    case QUERY_DAYS:
        return memory_days(of);
    case QUERY_PRACTISED:
        return memory_practised(of);
    case QUERY_QUESTIONS:
        return memory_all_questions(of);
    case QUERY_EXAMS:
        return memory_exams(of);
    case QUERY_NEW:
        return memory_count_new(of);
    case QUERY_UNFINISHED:
        return unfinished(of);
    case QUERY_SESSION:
        return one_session(of);
    case QUERY_HANDED_IN:
        return memory_handed_in(of);
    case QUERY_KIOSK:
        return memory_kiosk(of);
    case QUERY_PAPERS:
        return memory_papers(of);
    case QUERY_PLAN:
        return plan_rows(of);
    case QUERY_LOG:
        return log_rows(of);
    case QUERY_LEARNERS:
        return learner_rows(of, make_learner);
    case QUERY_TOTALS:
        return memory_totals(of);
    case QUERY_FITTED:
        return memory_fitted(of);
    case QUERY_ROSTER:
        return memory_roster_rows(of);
    case QUERY_RESPONSES:
        return memory_responses(of);
    case QUERY_NAMES:
        return learner_rows(of, make_name);
    default:
        return memory_report(of, query);
    }
}

bool memory_rows_open(struct rows **out, struct store *base, int query, const struct store_value *parameters,
                      int count, struct error *error)
{
    (void)count;
    struct memory_rows *rows = memory_zero(sizeof *rows);
    if (!rows)
        return error_memory(error);
    rows->base.store = base;
    rows->base.columns = query_rows[query].columns;
    rows->at = -1;
    arena_init(&rows->arena);
    struct answering of = { (struct memory_store *)base, rows, parameters, error };
    if (!answer(&of, query)) {
        memory_rows_close(&rows->base);
        return false;
    }
    *out = &rows->base;
    return true;
}

int memory_rows_step(struct rows *base, struct error *error)
{
    (void)error;
    struct memory_rows *rows = (struct memory_rows *)base;
    if (rows->at < rows->count)
        rows->at++;
    return rows->at < rows->count;
}

struct store_value memory_rows_value(struct rows *base, int column)
{
    const struct memory_rows *rows = (struct memory_rows *)base;
    if (rows->at < 0 || rows->at >= rows->count)
        return store_value_null();
    return rows->cells[rows->at * rows->base.columns + column];
}

void memory_rows_close(struct rows *base)
{
    struct memory_rows *rows = (struct memory_rows *)base;
    arena_finish(&rows->arena);
    memory_free(rows->cells);
    memory_free(rows);
}
