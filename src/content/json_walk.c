#include "json_walk.h"

#include <math.h>
#include <quiztutor/json.h>
#include <stdlib.h>
#include <string.h>

void json_walk_init(struct json_walk *walk, const char *json)
{
    *walk = (struct json_walk){ .at = json };
}

static void fail(struct json_walk *walk)
{
    walk->bad = true;
    walk->at = "";
}

static char peek(struct json_walk *walk)
{
    walk->at += strspn(walk->at, " \t\n\r");
    return *walk->at;
}

/* From behind the opening quote to behind the closing one. */
static void skip_string(struct json_walk *walk)
{
    walk->at++;
    for (;;) {
        walk->at += strcspn(walk->at, "\"\\");
        if (!*walk->at) {
            fail(walk);
            return;
        }
        if (*walk->at++ == '"')
            return;
        if (*walk->at)
            walk->at++; /* what was escaped, a quote may be */
    }
}

/* Brackets are counted, not matched: nothing nested is looked at. */
void json_walk_skip(struct json_walk *walk)
{
    long open = 0;
    do {
        char c = peek(walk);
        if (c == '"') {
            skip_string(walk);
        } else if (c == '{' || c == '[') {
            open++;
            walk->at++;
        } else if (c == '}' || c == ']') {
            if (open-- == 0) {
                fail(walk);
                return;
            }
            walk->at++;
        } else if (open > 0 && (c == ',' || c == ':')) {
            walk->at++;
        } else {
            size_t length = strcspn(walk->at, " \t\n\r,:[]{}\"");
            if (length == 0) {
                fail(walk);
                return;
            }
            walk->at += length;
        }
    } while (open > 0);
}

bool json_walk_open(struct json_walk *walk, char bracket)
{
    if (peek(walk) == bracket) {
        walk->at++;
        return true;
    }
    json_walk_skip(walk);
    return false;
}

static bool next(struct json_walk *walk, char close)
{
    char c = peek(walk);
    if (c == ',') {
        walk->at++;
        c = peek(walk);
    }
    if (c == close) {
        walk->at++;
        return false;
    }
    if (!c)
        fail(walk);
    return !walk->bad;
}

bool json_walk_next(struct json_walk *walk)
{
    return next(walk, ']');
}

/* The value up to where it ends, as a text of its own. */
static const char *take(struct json_walk *walk, ptrdiff_t *length)
{
    peek(walk);
    const char *begin = walk->at;
    json_walk_skip(walk);
    *length = walk->bad ? 0 : walk->at - begin;
    return begin;
}

const char *json_walk_raw(struct json_walk *walk, struct arena *arena)
{
    ptrdiff_t length;
    const char *begin = take(walk, &length);
    if (walk->bad)
        return NULL;
    const char *raw = arena_text(arena, begin, length);
    walk->no_memory = walk->no_memory || !raw;
    return raw;
}

/* Whether a quoted text means what it says: nothing in it is escaped. */
static bool is_plain(const struct json_walk *walk, const char *begin, ptrdiff_t length)
{
    return !walk->bad && length >= 2 && !memchr(begin, '\\', (size_t)length);
}

/* Reads a quoted text into `out`. What is stored was looked at before (json_valid), so its bytes are UTF-8.
 */
static bool read_text(struct json_walk *walk, struct buffer *out)
{
    ptrdiff_t length;
    const char *begin = take(walk, &length);
    struct buffer quoted;
    if (is_plain(walk, begin, length)) {
        buffer_clear(out);
        buffer_add(out, begin + 1, length - 2);
        walk->no_memory = walk->no_memory || out->failed;
        return !out->failed;
    }
    buffer_init(&quoted);
    buffer_add(&quoted, begin, length);
    buffer_clear(out);
    bool read = !quoted.failed && json_read_text(out, buffer_get(&quoted));
    walk->no_memory = walk->no_memory || quoted.failed || out->failed;
    buffer_finish(&quoted);
    return read && !out->failed;
}

bool json_walk_key(struct json_walk *walk, struct buffer *key)
{
    if (!next(walk, '}'))
        return false;
    if (peek(walk) != '"' || !read_text(walk, key) || peek(walk) != ':') {
        fail(walk);
        return false;
    }
    walk->at++;
    return true;
}

const char *json_walk_text(struct json_walk *walk, struct arena *arena)
{
    struct buffer text;
    const char *kept = NULL;
    if (peek(walk) != '"') {
        json_walk_skip(walk);
        return NULL;
    }
    const char *begin = walk->at;
    skip_string(walk);
    if (is_plain(walk, begin, walk->at - begin)) {
        kept = arena_text(arena, begin + 1, walk->at - begin - 2);
        walk->no_memory = walk->no_memory || !kept;
        return kept;
    }
    if (walk->bad)
        return NULL;
    walk->at = begin;
    buffer_init(&text);
    if (read_text(walk, &text)) {
        kept = arena_text(arena, buffer_get(&text), text.length);
        walk->no_memory = walk->no_memory || !kept;
    }
    buffer_finish(&text);
    return kept;
}

double json_walk_number(struct json_walk *walk)
{
    enum { LONGEST = 64 };
    char digits[LONGEST];
    ptrdiff_t length;
    const char *begin = take(walk, &length);
    if (walk->bad || length >= LONGEST || !memchr("-0123456789", *begin, 11))
        return 0;
    memcpy(digits, begin, (size_t)length);
    digits[length] = '\0';
    double value = strtod(digits, NULL); /* LC_NUMERIC is C */
    return isfinite(value) ? value : 0;
}

bool json_walk_true(struct json_walk *walk)
{
    ptrdiff_t length;
    const char *begin = take(walk, &length);
    return !walk->bad && length == 4 && memcmp(begin, "true", 4) == 0;
}
