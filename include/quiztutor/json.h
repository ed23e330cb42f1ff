/*
 * Writes JSON into a buffer; commas and quoting are its business, nesting the caller's. Texts are UTF-8 and
 * come out as UTF-8, with only ", \ and control characters escaped (RFC 8259; the short escapes of RFC 8785).
 * Of reading there is only what a stored answer needs, a text or a list of places; all else is left to
 * SQLite.
 */
#ifndef QUIZTUTOR_JSON_H
#define QUIZTUTOR_JSON_H

#include <quiztutor/buffer.h>
#include <stdint.h>

struct json {
    struct buffer *out;
    bool comma; /* the next value in this list or mapping needs a comma before it */
};

void json_init(struct json *json, struct buffer *out);
void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
void json_key(struct json *json, const char *key);
void json_text(struct json *json, const char *text); /* NULL is null */
void json_integer(struct json *json, int64_t value);
void json_number(struct json *json,
                 double value); /* shortest form that reads back equal; null if not finite */
void json_bool(struct json *json, bool value);
void json_null(struct json *json);
void json_raw(struct json *json, const char *raw); /* a value that is JSON already */

/* The shortest decimal form that reads back as the same double ("1", "0.5", "1e+30"). */
void json_format_number(char text[static 32], double value);

/* Reads `json` as one JSON text and appends it to *out. False (nothing added) where it is none, or holds
 * U+0000, half a surrogate pair or bytes that are not UTF-8; without memory out->failed is set besides. */
bool json_read_text(struct buffer *out, const char *json);

/* Reads `json` as one list of integers from 0 to 999999. How many, −1 where it is none or has more than
 * `room`. */
int json_read_places(int *places, int room, const char *json);

#endif
