/* An answer in an exam, as the body of its event. */
#include "exam_log.h"

#include <quiztutor/json.h>

static void write_raw(struct json *json, const char *key, const char *raw)
{
    json_key(json, key);
    json_raw(json, raw ? raw : "null");
}

static void write_integer(struct json *json, const char *key, int64_t value)
{
    json_key(json, key);
    json_integer(json, value);
}

static void write_text(struct json *json, const char *key, const char *text)
{
    json_key(json, key);
    json_text(json, text);
}

static void write_number(struct json *json, const char *key, double value)
{
    json_key(json, key);
    json_number(json, value);
}

static void write_clock(struct json *json, const struct exam_log_event *event)
{
    char boot[37];
    uuid_format(boot, &event->boot);
    write_text(json, "boot", event->has_boot ? boot : NULL);
    write_integer(json, "steady", event->steady);
}

/* What is the same of an answer just given and one read again. */
struct written {
    const char *pack, *question, *response, *shown; /* the latter two JSON, NULL: null */
    enum outcome outcome;
    double mark, marks;
    int certainty;
    int64_t elapsed_ms, spent_ms;
    uint32_t seed;
    int utc_offset_s;
    const struct hash *content;
};

static void write_answer(struct json *json, const struct written *written)
{
    char content[65];
    hash_hex(content, written->content->bytes, 32);
    json_open(json, '{');
    json_key(json, "question");
    json_open(json, '[');
    json_text(json, written->pack);
    json_text(json, written->question);
    json_close(json, ']');
    write_raw(json, "response", written->response);
    write_raw(json, "shown", written->shown);
    write_text(json, "outcome", outcome_name(written->outcome));
    write_number(json, "mark", written->mark);
    write_number(json, "marks", written->marks);
    json_key(json, "certainty");
    if (written->certainty)
        json_integer(json, written->certainty);
    else
        json_null(json);
    write_integer(json, "elapsed", written->elapsed_ms);
    write_integer(json, "spent", written->spent_ms);
    write_integer(json, "seed", written->seed);
    write_integer(json, "offset", written->utc_offset_s);
    write_text(json, "content", content);
}

void exam_log_write(struct buffer *out, const struct exam_log_event *event)
{
    const struct question *question = event->showing->question;
    struct buffer shown, response;
    struct json json;
    buffer_init(&shown);
    buffer_init(&response);
    answer_write_shown(&shown, event->showing);
    answer_write(&response, question, event->answer);
    json_init(&json, out);
    write_answer(&json, &(struct written){ .pack = event->pack,
                                           .question = question->id,
                                           .response = response.length ? buffer_get(&response) : NULL,
                                           .shown = shown.length ? buffer_get(&shown) : NULL,
                                           .outcome = event->verdict->outcome,
                                           .mark = event->verdict->mark,
                                           .marks = event->verdict->marks,
                                           .certainty = event->certainty,
                                           .elapsed_ms = event->elapsed_ms,
                                           .spent_ms = event->spent_ms,
                                           .seed = event->showing->seed,
                                           .utc_offset_s = event->utc_offset_s,
                                           .content = event->content });
    write_clock(&json, event);
    json_close(&json, '}');
    out->failed |= shown.failed || response.failed;
    buffer_finish(&shown);
    buffer_finish(&response);
}

void exam_log_write_again(struct buffer *out, const struct exam_log_question *question)
{
    struct json json;
    json_init(&json, out);
    write_answer(&json, &(struct written){ .pack = question->pack,
                                           .question = question->question,
                                           .response = question->response,
                                           .shown = question->shown,
                                           .outcome = question->outcome,
                                           .mark = question->mark,
                                           .marks = question->marks,
                                           .certainty = question->certainty,
                                           .elapsed_ms = question->elapsed_ms,
                                           .spent_ms = question->spent_ms,
                                           .seed = question->seed,
                                           .utc_offset_s = question->utc_offset_s,
                                           .content = &question->content });
    write_clock(&json, &(struct exam_log_event){ .has_boot = false });
    json_close(&json, '}');
}
