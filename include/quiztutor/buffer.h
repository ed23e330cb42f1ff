/*
 * A growing text. Running out of memory is remembered (`failed`) rather than reported at each step: build the
 * whole, then look once. The text is NUL-terminated whenever data is not NULL.
 */
#ifndef QUIZTUTOR_BUFFER_H
#define QUIZTUTOR_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

struct buffer {
    char *data;
    ptrdiff_t length, capacity;
    bool failed;
};

void buffer_init(struct buffer *buffer);
void buffer_finish(struct buffer *buffer);
void buffer_clear(struct buffer *buffer); /* keeps the room, forgets `failed` */
void buffer_add(struct buffer *buffer, const char *text, ptrdiff_t length);
void buffer_text(struct buffer *buffer, const char *text);
void buffer_char(struct buffer *buffer, char c);
void buffer_print(struct buffer *buffer, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text so far, "" when empty. Owned by the buffer, valid until the next change. */
const char *buffer_get(const struct buffer *buffer);

#endif
