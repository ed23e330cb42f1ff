/* The interface: checks what is passed in, then hands it to the implementation that the store was opened
 * with. */
#include "store_private.h"

#include <quiztutor/message.h>
#include <stdio.h>
#include <string.h>

/* Those of an attempt: there are many of them, and looking at each column of each is felt. */
#define BIT(column) (UINT64_C(1) << (column))
#define ATTEMPT_TEXTS                                                                                        \
    (BIT(ATTEMPT_NAME) | BIT(ATTEMPT_LOGIN) | BIT(ATTEMPT_PACK) | BIT(ATTEMPT_QUESTION) |                    \
     BIT(ATTEMPT_REVISION) | BIT(ATTEMPT_SHOWN) | BIT(ATTEMPT_RESPONSE) | BIT(ATTEMPT_OUTCOME) |             \
     BIT(ATTEMPT_GRADED) | BIT(ATTEMPT_ORIGIN) | BIT(ATTEMPT_KIND))
#define ANSWER_TEXTS (ATTEMPT_TEXTS & ~(BIT(ATTEMPT_SHOWN) | BIT(ATTEMPT_ORIGIN) | BIT(ATTEMPT_KIND)))

const struct query_row query_rows[QUERIES] = {
    [QUERY_KNOWN] = { "ut", KNOWN_COLUMNS, 0 },
    [QUERY_DUE] = { "utii", KNOWN_COLUMNS, 0 },
    [QUERY_NEW] = { "ui", 1, 0 },
    [QUERY_REVIEWED] = { "ui", 1, 0 },
    [QUERY_NEWEST] = { "u", 1, 0 },
    [QUERY_LATER] = { "ui", 1, 0 },
    [QUERY_COMING] = { "utii", 2, 0 },
    [QUERY_DAYS] = { "ui", 5, 0 },
    [QUERY_PRACTISED] = { "u", 1, 0 },
    [QUERY_QUESTIONS] = { "", 5, 0 },
    [QUERY_EXAMS] = { "v", 12, 0 },
    [QUERY_HANDED_IN] = { "v", 7, 0 },
    [QUERY_KIOSK] = { "t", 2, 0 },
    [QUERY_UNFINISHED] = { "uo", 8, 0 },
    [QUERY_SESSION] = { "u", 5, 0 },
    [QUERY_PAPERS] = { "u", 4, 0 },
    [QUERY_PLAN] = { "u", 6, 0 },
    [QUERY_LOG] = { "u", 15, 0 },
    [QUERY_LEARNERS] = { "", 4, 0 },
    [QUERY_TOTALS] = { "", 10, 0 },
    [QUERY_FITTED] = { "", 2, 0 },
    [QUERY_RESPONSES] = { "t", 6, 0 },
    [QUERY_ROSTER] = { "", 8, 0 },
    [QUERY_CLASS] = { "ss", CLASS_COLUMNS, 0 },
    [QUERY_STUCK] = { "vss", 9, 0 },
    [QUERY_PROGRESS_PACKS] = { "u", 1 + CLASS_COLUMNS - CLASS_LAST_AT, 0 },
    [QUERY_PROGRESS_DAYS] = { "ui", 7, 0 },
    [QUERY_LEARNER_SCHEDULES] = { "u", KEPT_COLUMNS, 0 },
    [QUERY_MISSES] = { "usi", ATTEMPT_COLUMNS + 1, 0 },
    [QUERY_ATTEMPTS] = { "svsnnss", ATTEMPT_COLUMNS, ATTEMPT_TEXTS },
    [QUERY_ATTEMPT_LOG] = { "svsnnss", ATTEMPT_COLUMNS, ATTEMPT_TEXTS },
    [QUERY_ANSWERS] = { "svsnnss", ATTEMPT_COLUMNS, ANSWER_TEXTS },
    [QUERY_UNDONE_COUNTS] = { "svs", 3, 0 },
    [QUERY_GRADED_COUNTS] = { "svs", 3, 0 },
    [QUERY_REPORTED] = { "s", 7, 0 },
    [QUERY_GROUPS] = { "", 3, 0 },
    [QUERY_GROUP_MEMBERS] = { "t", 4, 0 },
    [QUERY_TEXT] = { "h", 4, 0 },
    [QUERY_TEXTS] = { "", 4, 0 },
    [QUERY_TEXTS_KEPT] = { "u", 4, 0 },
    [QUERY_PACKS] = { "", 1, 0 },
    [QUERY_NAMES] = { "", 2, 0 },
};

bool store_open(struct store **store, const char *path, const struct store_options *options,
                struct error *error)
{
    return sqlite_store_open(store, path, options, &surroundings_system, error);
}

void store_look_around(void)
{
    surroundings_remember();
}

void store_close(struct store *store)
{
    if (store)
        store->ops->close(store);
}

const char *store_warning(const struct store *store)
{
    return store->warning;
}

void store_device(const struct store *store, struct uuid *device_id)
{
    *device_id = store->device;
}

static bool add(struct store *store, struct store_session *session, const struct store_attempt *attempt,
                const struct store_event *event, bool *created, struct error *error)
{
    bool made = false;
    bool done = store->ops->add(store, session, attempt, event, &made, error);
    if (created)
        *created = done && made;
    return done;
}

bool store_add_attempt(struct store *store, struct store_session *session,
                       const struct store_attempt *attempt, bool *created, struct error *error)
{
    return store_validate_attempt(attempt, error) && add(store, session, attempt, NULL, created, error);
}

bool store_add_event(struct store *store, struct store_session *session, const struct store_event *event,
                     bool *created, struct error *error)
{
    return store_validate_event(event, error) && add(store, session, NULL, event, created, error);
}

bool store_add_events(struct store *store, const struct store_event *events, ptrdiff_t count,
                      struct error *error)
{
    for (ptrdiff_t i = 0; i < count; i++) {
        if (!store_validate_event(&events[i], error))
            return false;
    }
    return count < 1 || store->ops->add_events(store, events, count, error);
}

bool store_add_session(struct store *store, struct store_session *session, const struct store_text *texts,
                       int count, bool *created, struct error *error)
{
    bool made = false;
    for (int i = 0; i < count; i++) {
        if (!store_validate_text(&texts[i], error))
            return false;
    }
    bool done = store->ops->add_session(store, session, texts, count, &made, error);
    if (created)
        *created = done && made;
    return done;
}

bool store_hand_in(struct store *store, struct store_session *session, const struct store_attempt *attempts,
                   int count, const struct store_event *event, int64_t last_seq, bool *already,
                   struct error *error)
{
    bool before = false;
    if (!store_validate_event(event, error))
        return false;
    if (strcmp(event->kind, "handed-in") != 0)
        return error_set(error, ERROR_INPUT, tr("can't be stored: bad %s"), "event.kind");
    for (int i = 0; i < count; i++) {
        if (!store_validate_attempt(&attempts[i], error))
            return false;
    }
    bool done = store->ops->hand_in(store, session, attempts, count, event, last_seq, &before, error);
    if (already)
        *already = done && before;
    return done;
}

bool store_reopen_exam(struct store *store, const struct store_reopening *reopening, struct error *error)
{
    bool fits =
        store_validate_session(reopening->session, error) && store_validate_session(reopening->was, error);
    for (int i = 0; fits && i < reopening->answer_count; i++)
        fits = store_validate_event(&reopening->answers[i], error);
    for (int i = 0; fits && i < reopening->event_count; i++)
        fits = store_validate_event(&reopening->events[i], error);
    if (fits && (reopening->event_count < 1 || strcmp(reopening->events[0].kind, "kiosk") != 0))
        fits = error_set(error, ERROR_INPUT, tr("can't be stored: bad %s"), "event.kind");
    return fits && store->ops->reopen(store, reopening, error);
}

int store_schedule(struct store *store, const struct uuid *learner, const char *pack_id,
                   const char *question_id, struct store_schedule *out, struct error *error)
{
    memset(out, 0, sizeof *out);
    return store->ops->schedule(store, learner, pack_id, question_id, out, error);
}

bool store_key_overturned(struct store *store, const struct hash *content, const char *body, bool *overturned,
                          struct error *error)
{
    *overturned = false;
    if (!body || !json_valid(body))
        return error_set(error, ERROR_INPUT, tr("not JSON"));
    return store->ops->overturned(store, content, body, overturned, error);
}

bool store_parameters(struct store *store, const struct uuid *learner, struct fsrs_parameters *parameters,
                      int *fitted, struct error *error)
{
    int own;
    return store->ops->parameters(store, learner, parameters, fitted ? fitted : &own, error);
}

bool store_set_parameters(struct store *store, const struct uuid *learner,
                          const struct fsrs_parameters *parameters, const char *report, struct error *error)
{
    static const struct uuid everyone;
    struct fsrs_parameters clipped = *parameters;
    if (report && !json_valid(report))
        return error_set(error, ERROR_INPUT, tr("not JSON"));
    fsrs_clip(&clipped);
    return store->ops->set_parameters(store, learner ? learner : &everyone, &clipped, report, error);
}

bool store_histories(struct store *store, const struct uuid *learner, store_history_visit *visit,
                     void *context, struct error *error)
{
    return store->ops->histories(store, learner, visit, context, error);
}

bool store_rebuild(struct store *store, struct store_rebuild *report, struct error *error)
{
    memset(report, 0, sizeof *report);
    return store->ops->rebuild(store, report, error);
}

struct store_value store_value_null(void)
{
    return (struct store_value){ .type = VALUE_NULL };
}

struct store_value store_value_integer(int64_t integer)
{
    return (struct store_value){ .type = VALUE_INTEGER, .integer = integer };
}

struct store_value store_value_text(const char *text)
{
    if (!text)
        return store_value_null();
    return (struct store_value){ .type = VALUE_TEXT, .data = text, .length = (ptrdiff_t)strlen(text) };
}

struct store_value store_value_uuid(const struct uuid *uuid)
{
    return (struct store_value){ .type = VALUE_BLOB, .data = uuid->bytes, .length = sizeof uuid->bytes };
}

struct store_value store_value_hash(const struct hash *hash)
{
    return (struct store_value){ .type = VALUE_BLOB, .data = hash->bytes, .length = sizeof hash->bytes };
}

static bool parameter_fits(char letter, const struct store_value *value)
{
    switch (letter) {
    case 'v':
        if (value->type == VALUE_NULL)
            return true;
        __attribute__((fallthrough));
    case 'u':
        return value->type == VALUE_BLOB && value->length == sizeof(struct uuid);
    case 'h':
        return value->type == VALUE_BLOB && value->length == sizeof(struct hash);
    case 'n':
        if (value->type == VALUE_NULL)
            return true;
        __attribute__((fallthrough));
    case 'i':
        return value->type == VALUE_INTEGER;
    case 's':
        if (value->type == VALUE_NULL)
            return true;
        __attribute__((fallthrough));
    case 't':
        return value->type == VALUE_TEXT;
    default:
        return value->type == VALUE_NULL || (value->type == VALUE_TEXT && json_valid(value->data));
    }
}

bool rows_open(struct rows **rows, struct store *store, enum store_query query,
               const struct store_value *parameters, int count, struct error *error)
{
    *rows = NULL;
    const char *wanted = (int)query >= 0 && query < STORE_QUERIES ? query_rows[query].parameters : NULL;
    bool fits = wanted && count == (int)strlen(wanted);
    for (int i = 0; fits && i < count; i++)
        fits = parameter_fits(wanted[i], &parameters[i]);
    if (!fits)
        return error_set(error, ERROR_INPUT, tr("a query of the store got parameters that do not fit"));
    return store->ops->rows_open(rows, store, (int)query, parameters, count, error);
}

int rows_step(struct rows *rows, struct error *error)
{
    return rows->store->ops->rows_step(rows, error);
}

static struct store_value rows_value(struct rows *rows, int column)
{
    if (column < 0 || column >= rows->columns)
        return store_value_null();
    return rows->store->ops->rows_value(rows, column);
}

int64_t rows_integer(struct rows *rows, int column)
{
    struct store_value value = rows_value(rows, column);
    if (value.type == VALUE_REAL) /* beyond what an integer holds the conversion would not be defined */
        return value.real > -9e18 && value.real < 9e18 ? (int64_t)value.real : 0;
    return value.type == VALUE_INTEGER ? value.integer : 0;
}

double rows_real(struct rows *rows, int column)
{
    struct store_value value = rows_value(rows, column);
    return value.type == VALUE_REAL ? value.real : value.type == VALUE_INTEGER ? (double)value.integer : 0;
}

const char *rows_text(struct rows *rows, int column)
{
    struct store_value value = rows_value(rows, column);
    return value.type == VALUE_TEXT ? value.data : NULL;
}

bool rows_is_null(struct rows *rows, int column)
{
    return rows_value(rows, column).type == VALUE_NULL;
}

void rows_uuid(struct rows *rows, int column, struct uuid *uuid)
{
    struct store_value value = rows_value(rows, column);
    memset(uuid, 0, sizeof *uuid);
    if (value.type == VALUE_BLOB && value.length == sizeof uuid->bytes)
        memcpy(uuid->bytes, value.data, sizeof uuid->bytes);
}

void rows_hash(struct rows *rows, int column, struct hash *hash)
{
    struct store_value value = rows_value(rows, column);
    memset(hash, 0, sizeof *hash);
    if (value.type == VALUE_BLOB && value.length == sizeof hash->bytes)
        memcpy(hash->bytes, value.data, sizeof hash->bytes);
}

static int known_integer(struct rows *rows, enum known_column column)
{
    return (int)rows_integer(rows, (int)column);
}

void rows_schedule(struct rows *rows, struct store_schedule *out)
{
    struct store_value content = rows_value(rows, KNOWN_CONTENT);
    const char *revision = rows_text(rows, KNOWN_REVISION), *outcome = rows_text(rows, KNOWN_OUTCOME);
    memset(out, 0, sizeof *out);
    struct schedule *schedule = &out->schedule;
    schedule->phase = (enum schedule_phase)known_integer(rows, KNOWN_PHASE);
    schedule->step = known_integer(rows, KNOWN_STEP);
    schedule->memory.stability = rows_real(rows, KNOWN_STABILITY);
    schedule->memory.difficulty = rows_real(rows, KNOWN_DIFFICULTY);
    schedule->answers = known_integer(rows, KNOWN_ANSWERS);
    schedule->lapses = known_integer(rows, KNOWN_LAPSES);
    schedule->run = known_integer(rows, KNOWN_RUN);
    schedule->run_day = rows_integer(rows, KNOWN_RUN_DAY);
    schedule->last_at = rows_integer(rows, KNOWN_LAST_AT);
    schedule->last_day = rows_integer(rows, KNOWN_LAST_DAY);
    schedule->due_day = rows_integer(rows, KNOWN_DUE_DAY);
    schedule->due_at = rows_integer(rows, KNOWN_DUE_AT);
    schedule->interval = known_integer(rows, KNOWN_INTERVAL);
    snprintf(out->revision, sizeof out->revision, "%.*s", PACK_REVISION, revision ? revision : "");
    if (content.type == VALUE_BLOB && content.length == sizeof out->content.bytes)
        memcpy(out->content.bytes, content.data, sizeof out->content.bytes);
    out->seen = outcome && outcome_read(&out->last, outcome);
    out->answered_at = rows_integer(rows, KNOWN_ANSWERED_AT);
    out->counted = known_integer(rows, KNOWN_COUNTED);
    out->right = known_integer(rows, KNOWN_RIGHT);
    out->starred = known_integer(rows, KNOWN_STARRED) != 0;
    out->suspended = known_integer(rows, KNOWN_SUSPENDED) != 0;
}

void rows_close(struct rows *rows)
{
    if (rows)
        rows->store->ops->rows_close(rows);
}

bool store_state_begin(struct store *store, const struct uuid *learner, const char *group,
                       struct error *error)
{
    return !store->ops->state_begin || store->ops->state_begin(store, learner, group, error);
}

void store_state_end(struct store *store)
{
    if (store->ops->state_end)
        store->ops->state_end(store);
}

bool store_json_each(struct store *store, const char *json, const char *path,
                     bool (*visit)(void *context, const char *element), void *context, struct error *error)
{
    if (!json || !json_valid(json))
        return error_set(error, ERROR_INPUT, tr("not JSON"));
    return store->ops->json_each(store, json, path, visit, context, error);
}

bool store_hold_session(struct store *store, const struct uuid *session_id, struct error *error)
{
    return store->ops->hold(store, session_id, error);
}

void store_release_session(struct store *store, const struct uuid *session_id)
{
    store->ops->release(store, session_id);
}

bool store_check(struct store *store, struct error *error)
{
    return store->ops->check(store, error);
}
