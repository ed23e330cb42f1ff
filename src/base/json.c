#include <quiztutor/json.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void json_init(struct json *json, struct buffer *out)
{
    json->out = out;
    json->comma = false;
}

static void json_before(struct json *json)
{
    if (json->comma)
        buffer_char(json->out, ',');
    json->comma = true;
}

void json_open(struct json *json, char bracket)
{
    json_before(json);
    buffer_char(json->out, bracket);
    json->comma = false;
}

void json_close(struct json *json, char bracket)
{
    buffer_char(json->out, bracket);
    json->comma = true;
}

static void json_quote(struct buffer *out, const char *text)
{
    buffer_char(out, '"');
    const char *plain = text;
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c >= 0x20 && c != '"' && c != '\\')
            continue;
        buffer_add(out, plain, text - plain);
        plain = text + 1;
        static const char special[] = "\b\f\n\r\t\"\\", letter[] = "bfnrt\"\\";
        const char *at = c ? strchr(special, c) : NULL;
        if (at) {
            buffer_char(out, '\\');
            buffer_char(out, letter[at - special]);
        } else {
            buffer_print(out, "\\u%04x", c);
        }
    }
    buffer_add(out, plain, text - plain);
    buffer_char(out, '"');
}

void json_key(struct json *json, const char *key)
{
    json_before(json);
    json_quote(json->out, key);
    buffer_char(json->out, ':');
    json->comma = false;
}

void json_text(struct json *json, const char *text)
{
    json_before(json);
    if (text)
        json_quote(json->out, text);
    else
        buffer_text(json->out, "null");
}

void json_integer(struct json *json, int64_t value)
{
    json_before(json);
    buffer_print(json->out, "%" PRId64, value);
}

void json_format_number(char text[static 32], double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, 32, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            return;
    }
}

void json_number(struct json *json, double value)
{
    if (!isfinite(value)) {
        json_null(json);
        return;
    }
    char text[32];
    json_format_number(text, value);
    json_before(json);
    buffer_text(json->out, text);
}

void json_bool(struct json *json, bool value)
{
    json_before(json);
    buffer_text(json->out, value ? "true" : "false");
}

void json_raw(struct json *json, const char *raw)
{
    json_before(json);
    buffer_text(json->out, raw);
}

void json_null(struct json *json)
{
    json_before(json);
    buffer_text(json->out, "null");
}
