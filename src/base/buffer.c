#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

void buffer_init(struct buffer *buffer)
{
    memset(buffer, 0, sizeof *buffer);
}

void buffer_finish(struct buffer *buffer)
{
    memory_free(buffer->data);
    buffer_init(buffer);
}

void buffer_clear(struct buffer *buffer)
{
    buffer->length = 0;
    buffer->failed = false;
    if (buffer->data)
        buffer->data[0] = '\0';
}

static bool buffer_room(struct buffer *buffer, ptrdiff_t more)
{
    if (!buffer->failed && more >= 0 && more < buffer->capacity - buffer->length)
        return true;
    if (buffer->failed || more < 0 || more > PTRDIFF_MAX - buffer->length - 1 ||
        !memory_grow(&buffer->data, &buffer->capacity, buffer->length + more + 1, 1)) {
        buffer->failed = true;
        return false;
    }
    return true;
}

void buffer_add(struct buffer *buffer, const char *text, ptrdiff_t length)
{
    if (length <= 0 || !buffer_room(buffer, length))
        return;
    memcpy(buffer->data + buffer->length, text, (size_t)length);
    buffer->length += length;
    buffer->data[buffer->length] = '\0';
}

void buffer_text(struct buffer *buffer, const char *text)
{
    buffer_add(buffer, text, (ptrdiff_t)strlen(text));
}

void buffer_char(struct buffer *buffer, char c)
{
    buffer_add(buffer, &c, 1);
}

void buffer_print(struct buffer *buffer, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (length < 0)
        buffer->failed = true;
    else if (buffer_room(buffer, length)) {
        vsnprintf(buffer->data + buffer->length, (size_t)length + 1, format, again);
        buffer->length += length;
    }
    va_end(again);
}

const char *buffer_get(const struct buffer *buffer)
{
    return buffer->data ? buffer->data : "";
}
