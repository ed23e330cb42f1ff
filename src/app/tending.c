/* The tutor's menu: what is done to exams there, as events. */
#include "exam_log.h"

#include <quiztutor/intake.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>
#include <quiztutor/tending.h>

#include <stdio.h>
#include <string.h>

/* An exam as the store lists it: what an event of its session needs. */
struct tended {
    bool found;
    struct store_session record;
    char name[300];
};

/* Among the exams that are open, or handed in. */
static bool find_exam(struct store *store, enum store_query query, const struct uuid *session,
                      struct tended *tended, struct error *error)
{
    struct store_value anybody = store_value_null();
    struct rows *rows;
    int step = 0;
    *tended = (struct tended){ .found = false };
    if (!rows_open(&rows, store, query, &anybody, 1, error))
        return false;
    while (!tended->found && (step = rows_step(rows, error)) == 1) {
        struct store_session *record = &tended->record;
        const char *name = rows_text(rows, 2);
        rows_uuid(rows, 0, &record->id);
        if (!uuid_equal(&record->id, session))
            continue;
        tended->found = true;
        rows_uuid(rows, 1, &record->learner.id);
        snprintf(tended->name, sizeof tended->name, "%s", name ? name : "");
        record->learner.name = tended->name;
        record->kind = "exam";
        record->origin = "screen"; /* its row is there: these are not written */
        record->options = "{}";
        record->plan = "[]";
    }
    rows_close(rows);
    return step >= 0;
}

static struct store_event event_now(const struct clock *clock, const char *kind, const char *body)
{
    int64_t now = clock_wall(clock);
    struct store_event event = {
        .kind = kind, .body = body, .at = now, .utc_offset_s = clock_offset(clock, now)
    };
    uuid_make(&event.id, now);
    return event;
}

static bool check_minutes(int minutes, int least, struct error *error)
{
    if (minutes >= least && minutes <= TENDING_MINUTES)
        return true;
    return error_set(error, ERROR_INPUT, tr("minutes are a number from %d to %d"), least,
                     (int)TENDING_MINUTES);
}

bool tending_extend(struct store *store, const struct clock *clock, const struct uuid *session, int minutes,
                    struct error *error)
{
    struct tended tended;
    char body[40];
    if (!check_minutes(minutes, 1, error) || !find_exam(store, QUERY_EXAMS, session, &tended, error))
        return false;
    if (!tended.found)
        return error_set(error, ERROR_INPUT, "%s", tr("this exam is handed in, or is not in the store"));
    snprintf(body, sizeof body, "{\"minutes\":%d}", minutes);
    struct store_event event = event_now(clock, "extended", body);
    return store_add_event(store, &tended.record, &event, NULL, error);
}

/* ---- reopened ---- */

struct reopening {
    struct store *store;
    const struct clock *clock;
    struct exam_log log;
    struct tended tended;
    struct store_session record; /* as it goes on */
    struct buffer options, plan;
    struct store_event *answers, *events;
    struct buffer *bodies; /* of all of them */
    int answer_count, event_count, body_count;
};

static bool write_pack(void *context, const char *element)
{
    json_text(context, element);
    return true;
}

static bool write_one(void *context, const char *element)
{
    json_text(context, element);
    return false;
}

static void write_number(struct json *json, const char *key, double value)
{
    json_key(json, key);
    if (value > 0)
        json_number(json, value);
    else
        json_null(json);
}

/* As sitting_begin writes them, for a time that began so long ago as was used before. */
static bool write_options(struct reopening *reopening, double minutes, struct error *error)
{
    const struct exam_log *log = &reopening->log;
    struct store *store = reopening->store;
    struct uuid boot;
    struct json json;
    char text[37];
    bool has_boot = clock_boot(reopening->clock, &boot);
    uuid_format(text, &boot);
    json_init(&json, &reopening->options);
    json_open(&json, '{');
    json_key(&json, "boot");
    json_text(&json, has_boot ? text : NULL);
    json_key(&json, "certainty");
    json_bool(&json, log->certainty);
    write_number(&json, "factor", 1); /* is in the minutes */
    write_number(&json, "limit", exam_log_number(store, log->options, "$.limit", 0));
    write_number(&json, "limit_ms", (double)exam_limit(minutes, 1, 0));
    write_number(&json, "minutes", minutes);
    json_key(&json, "packs");
    json_open(&json, '[');
    bool done = store_json_each(store, log->options, "$.packs", write_pack, &json, error);
    json_close(&json, ']');
    write_number(&json, "pass", log->pass);
    json_key(&json, "steady");
    json_integer(&json, clock_steady(reopening->clock) - log->used_ms);
    json_key(&json, "tag");
    done = done && store_json_each(store, log->options, "$.tag", write_one, &json, error);
    if (!json.comma) /* there is no such member */
        json_null(&json);
    json_close(&json, '}');
    return done && (!reopening->options.failed || error_memory(error));
}

static bool write_plan(struct reopening *reopening, struct error *error)
{
    const struct exam_log *log = &reopening->log;
    struct json json;
    json_init(&json, &reopening->plan);
    json_open(&json, '[');
    for (int i = 0; i < log->count; i++) {
        const struct exam_log_question *question = &log->questions[i];
        char content[65];
        hash_hex(content, question->content.bytes, 32);
        json_open(&json, '[');
        json_text(&json, question->pack);
        json_text(&json, question->question);
        json_text(&json, question->revision);
        json_number(&json, question->marks);
        json_text(&json, content);
        json_integer(&json, question->section);
        json_close(&json, ']');
    }
    json_close(&json, ']');
    return !reopening->plan.failed || error_memory(error);
}

static struct buffer *next_body(struct reopening *reopening)
{
    struct buffer *body = &reopening->bodies[reopening->body_count++];
    buffer_init(body);
    return body;
}

/* {"question":["p","q"],MORE} */
static struct buffer *body_about(struct reopening *reopening, const struct exam_log_question *question,
                                 const char *key, bool value)
{
    struct buffer *body = next_body(reopening);
    struct json json;
    json_init(&json, body);
    json_open(&json, '{');
    json_key(&json, "question");
    json_open(&json, '[');
    json_text(&json, question->pack);
    json_text(&json, question->question);
    json_close(&json, ']');
    json_key(&json, key);
    json_bool(&json, value);
    json_close(&json, '}');
    return body;
}

static void add_answer(struct reopening *reopening, const struct exam_log_question *question)
{
    struct buffer *body = next_body(reopening);
    exam_log_write_again(body, question);
    struct store_event *event = &reopening->answers[reopening->answer_count++];
    *event = event_now(reopening->clock, "answered", buffer_get(body));
    event->at = question->at;
    event->utc_offset_s = question->utc_offset_s;
}

static void add_flag(struct reopening *reopening, const struct exam_log_question *question)
{
    struct buffer *body = body_about(reopening, question, "on", true);
    reopening->answers[reopening->answer_count++] = event_now(reopening->clock, "flagged", buffer_get(body));
}

static void take_back(struct reopening *reopening, const struct exam_log_question *question)
{
    struct buffer *body = body_about(reopening, question, "reopened", true);
    struct store_event *event = &reopening->events[reopening->event_count++];
    *event = event_now(reopening->clock, "undone", buffer_get(body));
    event->attempt_id = question->attempt;
}

/* Answers in the order in which they were given: the one given last is gone on from. */
static void add_answers(struct reopening *reopening)
{
    const struct exam_log *log = &reopening->log;
    for (int i = 0; i < log->count; i++)
        if (log->questions[i].answered && i != log->newest)
            add_answer(reopening, &log->questions[i]);
    if (log->newest >= 0)
        add_answer(reopening, &log->questions[log->newest]);
}

static bool make_events(struct reopening *reopening, int minutes, struct error *error)
{
    const struct exam_log *log = &reopening->log;
    ptrdiff_t most = 2 * (ptrdiff_t)log->count + 1;
    char as[37];
    reopening->answers = memory_alloc(most * (ptrdiff_t)sizeof *reopening->answers);
    reopening->events = memory_alloc(most * (ptrdiff_t)sizeof *reopening->events);
    reopening->bodies = memory_alloc(2 * most * (ptrdiff_t)sizeof *reopening->bodies);
    if (!reopening->answers || !reopening->events || !reopening->bodies)
        return error_memory(error);
    uuid_format(as, &reopening->record.id);
    struct buffer *body = next_body(reopening);
    buffer_print(body, "{\"what\":\"reopened\",\"session\":\"%s\",\"minutes\":%d}", as, minutes);
    struct store_event *told = &reopening->events[reopening->event_count++];
    *told = event_now(reopening->clock, "kiosk", buffer_get(body));
    const struct uuid *was = &reopening->tended.record.id;
    intake_id(&told->id, "reopened", was->bytes, sizeof was->bytes, "", 0);
    add_answers(reopening);
    for (int i = 0; i < log->count; i++) {
        if (log->questions[i].flagged)
            add_flag(reopening, &log->questions[i]);
        if (log->questions[i].handed_in)
            take_back(reopening, &log->questions[i]);
    }
    for (int i = 0; i < reopening->body_count; i++)
        if (reopening->bodies[i].failed)
            return error_memory(error);
    return true;
}

static bool reopen(struct reopening *reopening, int minutes, struct error *error)
{
    struct exam_log *log = &reopening->log;
    const struct uuid *was = &reopening->tended.record.id;
    struct store_session *record = &reopening->record;
    if (!exam_log_read(log, reopening->store, reopening->clock, was, error))
        return false;
    bool limited = log->allowance.minutes > 0;
    if (!check_minutes(minutes, limited, error))
        return false;
    double whole = limited ? (double)log->used_ms / 60000 + minutes : 0;
    *record = reopening->tended.record;
    intake_id(&record->id, "reopened session", was->bytes, sizeof was->bytes, "", 0);
    record->seed = log->seed;
    record->origin = log->origin;
    record->started_at = clock_wall(reopening->clock) - log->used_ms;
    record->utc_offset_s = clock_offset(reopening->clock, record->started_at);
    if (!write_options(reopening, whole, error) || !write_plan(reopening, error) ||
        !make_events(reopening, minutes, error))
        return false;
    record->options = buffer_get(&reopening->options);
    record->plan = buffer_get(&reopening->plan);
    const struct store_reopening order = { .session = record,
                                           .was = &reopening->tended.record,
                                           .answers = reopening->answers,
                                           .events = reopening->events,
                                           .answer_count = reopening->answer_count,
                                           .event_count = reopening->event_count };
    return store_reopen_exam(reopening->store, &order, error);
}

static void reopening_finish(struct reopening *reopening)
{
    for (int i = 0; i < reopening->body_count; i++)
        buffer_finish(&reopening->bodies[i]);
    memory_free(reopening->bodies);
    memory_free(reopening->answers);
    memory_free(reopening->events);
    buffer_finish(&reopening->options);
    buffer_finish(&reopening->plan);
    exam_log_finish(&reopening->log);
}

/* It may have been reopened before: then the session it goes on as is there. */
static bool was_reopened(struct store *store, const struct uuid *as, struct error *error)
{
    struct store_value id = store_value_uuid(as);
    struct rows *rows;
    if (!rows_open(&rows, store, QUERY_SESSION, &id, 1, error))
        return false;
    int step = rows_step(rows, error);
    rows_close(rows);
    return step > 0 || (step == 0 && error_set(error, ERROR_INPUT, "%s", tr("this exam is not handed in")));
}

bool tending_reopen(struct store *store, const struct clock *clock, const struct uuid *session, int minutes,
                    struct uuid *as, struct error *error)
{
    struct reopening reopening = { .store = store, .clock = clock };
    intake_id(as, "reopened session", session->bytes, sizeof session->bytes, "", 0);
    if (!find_exam(store, QUERY_HANDED_IN, session, &reopening.tended, error))
        return false;
    if (!reopening.tended.found)
        return was_reopened(store, as, error);
    buffer_init(&reopening.options);
    buffer_init(&reopening.plan);
    bool done = reopen(&reopening, minutes, error);
    reopening_finish(&reopening);
    return done;
}

/* ---- locked and opened ---- */

static bool tell(struct store *store, const struct clock *clock, struct buffer *body, struct error *error)
{
    struct store_event event = event_now(clock, "kiosk", buffer_get(body));
    bool done = body->failed ? error_memory(error) : store_add_event(store, NULL, &event, NULL, error);
    buffer_finish(body);
    return done;
}

bool tending_set_exam(struct store *store, const struct clock *clock, const char *pack_id, bool open,
                      struct error *error)
{
    struct buffer body;
    struct json json;
    buffer_init(&body);
    json_init(&json, &body);
    json_open(&json, '{');
    json_key(&json, "what");
    json_text(&json, "exam");
    json_key(&json, "pack");
    json_text(&json, pack_id);
    json_key(&json, "open");
    json_bool(&json, open);
    json_close(&json, '}');
    return tell(store, clock, &body, error);
}

struct looking {
    const char *pack;
    bool found;
};

static bool look_at_pack(void *context, const char *element)
{
    struct looking *looking = context;
    looking->found = element && strcmp(element, looking->pack) == 0;
    return false;
}

int tending_exam(struct store *store, const char *pack_id, int64_t since, struct error *error)
{
    struct store_value what = store_value_text("exam");
    struct rows *rows;
    int step = 0, said = -1;
    if (!rows_open(&rows, store, QUERY_KIOSK, &what, 1, error))
        return -2;
    while (said == -1 && (step = rows_step(rows, error)) == 1) {
        const char *body = rows_text(rows, 0);
        struct looking looking = { .pack = pack_id };
        if (!body || rows_integer(rows, 1) < since)
            continue;
        if (!store_json_each(store, body, "$.pack", look_at_pack, &looking, error))
            step = said = -2;
        else if (looking.found)
            said = exam_log_number(store, body, "$.open", 0) != 0;
    }
    rows_close(rows);
    return step < 0 ? -2 : said;
}

bool tending_tell(struct store *store, const struct clock *clock, const char *what,
                  const struct uuid *session, struct error *error)
{
    struct buffer body;
    struct json json;
    char id[37];
    buffer_init(&body);
    json_init(&json, &body);
    json_open(&json, '{');
    json_key(&json, "what");
    json_text(&json, what);
    if (session) {
        uuid_format(id, session);
        json_key(&json, "session");
        json_text(&json, id);
    }
    json_close(&json, '}');
    return tell(store, clock, &body, error);
}
