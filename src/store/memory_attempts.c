/* Attempts and events for reports, over lists in memory. */
#include "memory_rows.h"

#include <stdlib.h>
#include <string.h>

static const struct memory_session *session_of(const struct memory_store *store, const struct uuid *id)
{
    for (ptrdiff_t i = 0; i < store->session_count; i++) {
        if (uuid_equal(&store->sessions[i].id, id))
            return &store->sessions[i];
    }
    return NULL;
}

/* The columns of an attempt, and what it is graded as. */
static bool attempt_cells(struct answering *of, const struct memory_attempt *attempt,
                          struct store_value *cells, struct grading *graded)
{
    static const struct hash unknown;
    struct memory_store *store = of->store;
    const struct memory_learner *learner = memory_learner_of(store, &attempt->learner);
    const struct memory_session *session = session_of(store, &attempt->session);
    const char *kind;
    if (!memory_grading(store, attempt, graded, &kind, of->error))
        return false;
    memset(cells, 0, ATTEMPT_COLUMNS * sizeof *cells);
    cells[ATTEMPT_ID] = store_value_uuid(&attempt->id);
    cells[ATTEMPT_SESSION] = store_value_uuid(&attempt->session);
    cells[ATTEMPT_LEARNER] = store_value_uuid(&attempt->learner);
    cells[ATTEMPT_NAME] = store_value_text(learner->name);
    cells[ATTEMPT_LOGIN] = store_value_text(learner->login);
    cells[ATTEMPT_DEVICE] = store_value_uuid(&store->base.device);
    cells[ATTEMPT_PACK] = store_value_text(attempt->pack_id);
    cells[ATTEMPT_QUESTION] = store_value_text(attempt->question_id);
    cells[ATTEMPT_REVISION] = store_value_text(attempt->revision);
    if (memcmp(&attempt->content, &unknown, sizeof unknown) != 0)
        cells[ATTEMPT_CONTENT] = store_value_hash(&attempt->content);
    cells[ATTEMPT_SEED] = store_value_integer(attempt->seed);
    cells[ATTEMPT_SHOWING] = store_value_integer(attempt->showing);
    cells[ATTEMPT_SHOWN] = store_value_text(attempt->shown);
    cells[ATTEMPT_RESPONSE] = store_value_text(attempt->response);
    cells[ATTEMPT_OUTCOME] = store_value_text(outcome_name(graded->outcome));
    cells[ATTEMPT_MARK] = memory_real(graded->mark);
    cells[ATTEMPT_MARKS] = memory_real(graded->marks);
    cells[ATTEMPT_GRADED] = store_value_text(kind);
    if (attempt->certainty)
        cells[ATTEMPT_CERTAINTY] = store_value_integer(attempt->certainty);
    cells[ATTEMPT_HINTS] = store_value_integer(attempt->hints);
    cells[ATTEMPT_RETRIED] = store_value_integer(attempt->retried);
    cells[ATTEMPT_HELPED] = store_value_integer(memory_is_helped(store, attempt));
    if (attempt->elapsed_ms >= 0)
        cells[ATTEMPT_ELAPSED_MS] = store_value_integer(attempt->elapsed_ms);
    cells[ATTEMPT_ANSWERED_AT] = store_value_integer(attempt->answered_at);
    cells[ATTEMPT_UTC_OFFSET_S] = store_value_integer(attempt->utc_offset_s);
    cells[ATTEMPT_ORIGIN] = store_value_text(attempt->origin);
    cells[ATTEMPT_KIND] = store_value_text(session->kind);
    cells[ATTEMPT_SEQ] = store_value_integer(attempt->seq);
    cells[ATTEMPT_UNDONE] = store_value_integer(!memory_counts(store, attempt));
    return true;
}

static int by_question(const void *one, const void *other)
{
    const struct store_value *a = one, *b = other;
    int order = memcmp(a[ATTEMPT_LEARNER].data, b[ATTEMPT_LEARNER].data, sizeof(struct uuid));
    if (order == 0)
        order = strcmp(a[ATTEMPT_PACK].data, b[ATTEMPT_PACK].data);
    if (order == 0)
        order = strcmp(a[ATTEMPT_QUESTION].data, b[ATTEMPT_QUESTION].data);
    if (order == 0)
        order = a[ATTEMPT_SEQ].integer < b[ATTEMPT_SEQ].integer ? -1 : 1;
    return order;
}

/* What QUERY_ANSWERS leaves out. */
static void narrow(struct store_value *cells, const struct store_value *parameters,
                   const struct memory_attempt *attempt)
{
    static const int left_out[] = { ATTEMPT_DEVICE,  ATTEMPT_SEED,   ATTEMPT_SHOWN, ATTEMPT_HINTS,
                                    ATTEMPT_RETRIED, ATTEMPT_ORIGIN, ATTEMPT_KIND };
    for (size_t i = 0; i < sizeof left_out / sizeof *left_out; i++)
        cells[left_out[i]] = store_value_null();
    if (cells[ATTEMPT_UNDONE].integer) {
        cells[ATTEMPT_OUTCOME] = store_value_text(outcome_name(attempt->outcome));
        cells[ATTEMPT_MARK] = memory_real(attempt->mark);
        cells[ATTEMPT_MARKS] = memory_real(attempt->marks);
        cells[ATTEMPT_GRADED] = store_value_null();
    }
    if (parameters[3].type == VALUE_NULL && parameters[4].type == VALUE_NULL &&
        parameters[6].type == VALUE_NULL)
        cells[ATTEMPT_HELPED] = store_value_integer(0);
}

static bool attempts(struct answering *of, int query)
{
    bool log = query == QUERY_ATTEMPT_LOG, counted = query == QUERY_ATTEMPTS;
    const struct memory_store *store = of->store;
    const struct store_value *parameters = of->parameters;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        struct store_value cells[ATTEMPT_COLUMNS];
        struct grading graded;
        if (!memory_fits_text(&parameters[0], attempt->pack_id) ||
            !memory_fits_id(&parameters[1], &attempt->learner) ||
            !memory_is_member(store, &parameters[2], &attempt->learner) ||
            (parameters[3].type != VALUE_NULL && attempt->answered_at < parameters[3].integer) ||
            (parameters[4].type != VALUE_NULL && attempt->answered_at >= parameters[4].integer) ||
            !memory_fits_text(&parameters[5], session_of(store, &attempt->session)->kind) ||
            !memory_fits_text(&parameters[6], attempt->revision) ||
            (counted && !memory_counts(store, attempt)))
            continue;
        if (!attempt_cells(of, attempt, cells, &graded))
            return false;
        if (query == QUERY_ANSWERS)
            narrow(cells, parameters, attempt);
        if (counted && parameters[5].type == VALUE_NULL)
            cells[ATTEMPT_KIND] = store_value_null();
        if (!memory_add_row(of, cells))
            return false;
    }
    if (!log && of->rows->count)
        qsort(of->rows->cells, (size_t)of->rows->count, ATTEMPT_COLUMNS * sizeof *of->rows->cells,
              by_question);
    return true;
}

static int by_newest(const void *one, const void *other)
{
    const struct store_value *a = one, *b = other;
    if (a[ATTEMPT_ANSWERED_AT].integer != b[ATTEMPT_ANSWERED_AT].integer)
        return a[ATTEMPT_ANSWERED_AT].integer > b[ATTEMPT_ANSWERED_AT].integer ? -1 : 1;
    return a[ATTEMPT_SEQ].integer > b[ATTEMPT_SEQ].integer ? -1 : 1;
}

static bool misses(struct answering *of)
{
    const struct memory_store *store = of->store;
    struct memory_rows *rows = of->rows;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        struct store_value cells[ATTEMPT_COLUMNS + 1];
        struct grading graded;
        if (!memory_is_id(&of->parameters[0], &attempt->learner) ||
            !memory_fits_text(&of->parameters[1], attempt->pack_id) || !memory_counts(store, attempt))
            continue;
        if (!attempt_cells(of, attempt, cells, &graded))
            return false;
        cells[ATTEMPT_COLUMNS] = store_value_text(memory_body(store, &attempt->content));
        if (!graded.voided && (graded.outcome == OUTCOME_WRONG || graded.outcome == OUTCOME_PARTLY) &&
            !memory_add_row(of, cells))
            return false;
    }
    if (rows->count)
        qsort(rows->cells, (size_t)rows->count, (ATTEMPT_COLUMNS + 1) * sizeof *rows->cells, by_newest);
    int64_t limit = of->parameters[2].integer;
    if (limit >= 0 && rows->count > limit)
        rows->count = (ptrdiff_t)limit;
    return true;
}

static int by_pack(const void *one, const void *other)
{
    const struct store_value *a = one, *b = other;
    int order = strcmp(a[0].data, b[0].data);
    return order ? order : strcmp(a[1].data, b[1].data);
}

/* By whom it is asked for. */
static bool taken_back(struct answering *of, const struct memory_attempt *attempt)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = 0; i < store->event_count; i++) {
        const struct memory_event *event = &store->events[i];
        if (strcmp(event->kind, "undone") == 0 && uuid_equal(&event->attempt, &attempt->id) &&
            memory_fits_id(&of->parameters[1], &event->learner) &&
            memory_is_member(store, &of->parameters[2], &event->learner))
            return true;
    }
    return false;
}

/* Of whom it is asked for, and counted. */
static bool graded_anew(struct answering *of, const struct memory_attempt *attempt)
{
    static const char *const kinds[] = { "regraded", "accepted", "voided" };
    const struct memory_store *store = of->store;
    if (!memory_counts(store, attempt) || !memory_fits_id(&of->parameters[1], &attempt->learner) ||
        !memory_is_member(store, &of->parameters[2], &attempt->learner))
        return false;
    for (ptrdiff_t i = 0; i < store->event_count; i++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            if (uuid_equal(&store->events[i].attempt, &attempt->id) &&
                strcmp(store->events[i].kind, kinds[k]) == 0)
                return true;
    return false;
}

static bool told_counts(struct answering *of, int query)
{
    const struct memory_store *store = of->store;
    struct memory_rows *rows = of->rows;
    for (ptrdiff_t i = 0; i < store->attempt_count; i++) {
        const struct memory_attempt *attempt = &store->attempts[i];
        struct store_value cells[] = { store_value_text(attempt->pack_id),
                                       store_value_text(attempt->question_id), store_value_integer(1) };
        ptrdiff_t at = 0;
        if (!memory_fits_text(&of->parameters[0], attempt->pack_id) ||
            !(query == QUERY_GRADED_COUNTS ? graded_anew(of, attempt) : taken_back(of, attempt)))
            continue;
        while (at < rows->count && by_pack(rows->cells + 3 * at, cells) != 0)
            at++;
        if (at < rows->count)
            rows->cells[3 * at + 2].integer++;
        else if (!memory_add_row(of, cells))
            return false;
    }
    if (rows->count)
        qsort(rows->cells, (size_t)rows->count, 3 * sizeof *rows->cells, by_pack);
    return true;
}

/* A text out of an event's body, in the arena; null where there is none. */
static bool body_text(struct answering *of, const struct memory_event *event, const char *path,
                      struct store_value *value)
{
    struct buffer text;
    bool is;
    buffer_init(&text);
    bool done = json_reader_text(&of->store->reader, event->body, path, &is, &text, of->error);
    const char *copy = done && is ? arena_text(&of->rows->arena, buffer_get(&text), text.length) : NULL;
    if (done && is && !copy)
        done = error_memory(of->error);
    *value = store_value_text(copy);
    buffer_finish(&text);
    return done;
}

static int by_report(const void *one, const void *other)
{
    const struct store_value *a = one, *b = other;
    if (a[5].integer != b[5].integer)
        return a[5].integer > b[5].integer ? -1 : 1;
    return 0; /* made newest first; glibc's qsort keeps that */
}

static bool reported(struct answering *of)
{
    const struct memory_store *store = of->store;
    for (ptrdiff_t i = store->event_count; i-- > 0;) {
        const struct memory_event *event = &store->events[i];
        const struct memory_learner *learner = memory_learner_of(store, &event->learner);
        struct store_value cells[7] = { 0 };
        if (strcmp(event->kind, "reported") != 0)
            continue;
        if (!body_text(of, event, "$.question[0]", &cells[0]) ||
            !body_text(of, event, "$.question[1]", &cells[1]) || !body_text(of, event, "$.text", &cells[2]))
            return false;
        if (cells[2].type == VALUE_TEXT && cells[2].length == 0)
            cells[2] = store_value_null();
        if (learner) {
            cells[3] = store_value_uuid(&event->learner);
            cells[4] = store_value_text(learner->name);
        }
        cells[5] = store_value_integer(event->at);
        cells[6] = store_value_integer(event->utc_offset_s);
        if (cells[0].type == VALUE_TEXT && memory_fits_text(&of->parameters[0], cells[0].data) &&
            !memory_add_row(of, cells))
            return false;
    }
    if (of->rows->count)
        qsort(of->rows->cells, (size_t)of->rows->count, 7 * sizeof *of->rows->cells, by_report);
    return true;
}

static bool add_text(struct answering *of, const struct memory_text *text)
{
    struct store_value cells[] = { store_value_text(text->pack_id), store_value_text(text->question_id),
                                   store_value_text(text->revision), store_value_text(text->body) };
    return memory_add_row(of, cells);
}

static bool one_text(struct answering *of)
{
    for (ptrdiff_t i = 0; i < of->store->body_count; i++) {
        const struct memory_text *text = &of->store->bodies[i];
        if (memcmp(of->parameters[0].data, &text->content, sizeof text->content) == 0)
            return add_text(of, text);
    }
    return true;
}

static int by_content(const void *one, const void *other)
{
    const struct memory_text *const *a = one, *const *b = other;
    return memcmp(&(*a)->content, &(*b)->content, sizeof(*a)->content);
}

static bool all_texts(struct answering *of)
{
    const struct memory_store *store = of->store;
    const struct memory_text **sorted = memory_alloc((store->body_count + 1) * (ptrdiff_t)sizeof *sorted);
    bool done = sorted || error_memory(of->error);
    for (ptrdiff_t i = 0; done && i < store->body_count; i++)
        sorted[i] = &store->bodies[i];
    if (done)
        qsort(sorted, (size_t)store->body_count, sizeof(const void *), by_content);
    for (ptrdiff_t i = 0; done && i < store->body_count; i++)
        done = add_text(of, sorted[i]);
    memory_free(sorted);
    return done;
}

static int by_text(const void *one, const void *other)
{
    return strcmp(((const struct store_value *)one)->data, ((const struct store_value *)other)->data);
}

static bool all_packs(struct answering *of)
{
    struct memory_rows *rows = of->rows;
    for (ptrdiff_t i = 0; i < of->store->attempt_count; i++) {
        struct store_value cell = store_value_text(of->store->attempts[i].pack_id);
        ptrdiff_t at = 0;
        while (at < rows->count && by_text(&rows->cells[at], &cell) != 0)
            at++;
        if (at == rows->count && !memory_add_row(of, &cell))
            return false;
    }
    if (rows->count)
        qsort(rows->cells, (size_t)rows->count, sizeof *rows->cells, by_text);
    return true;
}

bool memory_attempts(struct answering *of, int query)
{
    switch (query) {
    case QUERY_MISSES:
        return misses(of);
    case QUERY_ATTEMPTS:
    case QUERY_ATTEMPT_LOG:
    case QUERY_ANSWERS:
        return attempts(of, query);
    case QUERY_UNDONE_COUNTS:
    case QUERY_GRADED_COUNTS:
        return told_counts(of, query);
    case QUERY_REPORTED:
        return reported(of);
    case QUERY_TEXTS:
        return all_texts(of);
    case QUERY_PACKS:
        return all_packs(of);
    default:
        return one_text(of);
    }
}
