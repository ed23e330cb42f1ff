/* An answer in an exam, as the body of its event. */
#include "exam_log.h"

#include <quiztutor/json.h>

static void write_raw(struct json *json, const char *key, const struct buffer *raw)
{
    json_key(json, key);
    buffer_text(json->out, raw->length ? buffer_get(raw) : "null");
    json->out->failed |= raw->failed;
    json->comma = true;
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

void exam_log_write(struct buffer *out, const struct exam_log_event *event)
{
    const struct question *question = event->showing->question;
    struct buffer shown, response;
    struct json json;
    char content[65];
    buffer_init(&shown);
    buffer_init(&response);
    answer_write_shown(&shown, event->showing);
    answer_write(&response, question, event->answer);
    hash_hex(content, event->content->bytes, 32);
    json_init(&json, out);
    json_open(&json, '{');
    json_key(&json, "question");
    json_open(&json, '[');
    json_text(&json, event->pack);
    json_text(&json, question->id);
    json_close(&json, ']');
    write_raw(&json, "response", &response);
    write_raw(&json, "shown", &shown);
    write_text(&json, "outcome", outcome_name(event->verdict->outcome));
    write_number(&json, "mark", event->verdict->mark);
    write_number(&json, "marks", event->verdict->marks);
    json_key(&json, "certainty");
    if (event->certainty)
        json_integer(&json, event->certainty);
    else
        json_null(&json);
    write_integer(&json, "elapsed", event->elapsed_ms);
    write_integer(&json, "spent", event->spent_ms);
    write_integer(&json, "seed", event->showing->seed);
    write_integer(&json, "offset", event->utc_offset_s);
    write_text(&json, "content", content);
    write_clock(&json, event);
    json_close(&json, '}');
    buffer_finish(&shown);
    buffer_finish(&response);
}
