/*
 * Lines in from a file descriptor, bytes out to one: what plain and JSON lines speak over. A line ends at LF
 * (a CR before it goes); the last one may lack it. The reader owns its buffer.
 */
#ifndef QUIZTUTOR_LINE_H
#define QUIZTUTOR_LINE_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>

enum {
    LINE_LONGEST = 65536
}; /* bytes; a longer line is cut one byte past it, which its reader takes as too long */

struct line_reader {
    int descriptor;
    struct buffer line;
    char bytes[4096];
    int next, filled;
    bool ended;
    bool late; /* line_read_before: it was too late */
};

void line_init(struct line_reader *reader, int descriptor);
void line_finish(struct line_reader *reader);

/* The next line, NUL-terminated, valid until the next call, its bytes in *length; NULL at the end of input
 * (also on an error, a hang-up, or ^C). */
const char *line_read(struct line_reader *reader, ptrdiff_t *length);

/* The same, but while nothing comes `is_over` is asked once a second: when it says true, NULL, and `late` is
 * set. What was typed of a line by then is dropped. */
const char *line_read_before(struct line_reader *reader, ptrdiff_t *length, bool (*is_over)(void *),
                             void *context);

/* From now on ^C ends the input instead of the process. */
void line_catch_interrupt(void);

/* Writes all of the buffer and empties it; false with ERROR_CLOSED when the reader at the
 * other end is gone. */
bool line_write(int descriptor, struct buffer *out, struct error *error);

#endif
