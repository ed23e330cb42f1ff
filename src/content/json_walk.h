/*
 * Walks through JSON that the store kept, from value to value, without building anything. Whatever the text
 * is, a walk ends: each call takes at least a byte or says that there is nothing more. What is no JSON makes
 * `bad`, and then everything that follows is empty. Private to content.
 */
#ifndef CONTENT_JSON_WALK_H
#define CONTENT_JSON_WALK_H

#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>

struct json_walk {
    const char *at;
    bool bad;
    bool no_memory; /* besides: a text could not be kept */
};

void json_walk_init(struct json_walk *walk, const char *json);

/* Takes the bracket of a list or a mapping, '[' or '{'; another value is passed over, and false. */
bool json_walk_open(struct json_walk *walk, char bracket);

/* Whether the opened list has another value; at its end the closing bracket is taken. */
bool json_walk_next(struct json_walk *walk);

/* The same of a mapping, up to its value; `key` is valid until the next call with it. */
bool json_walk_key(struct json_walk *walk, struct buffer *key);

/* The next value, whatever it is; these pass over one of another type, and give NULL, 0 or false. */
void json_walk_skip(struct json_walk *walk);
const char *json_walk_text(struct json_walk *walk, struct arena *arena);
double json_walk_number(struct json_walk *walk);
bool json_walk_true(struct json_walk *walk);

/* The value as it stands there, for another reader. */
const char *json_walk_raw(struct json_walk *walk, struct arena *arena);

#endif
