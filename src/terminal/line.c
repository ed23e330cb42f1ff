#include <quiztutor/line.h>
#include <quiztutor/message.h>

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t line_interrupted;

void line_init(struct line_reader *reader, int descriptor)
{
    memset(reader, 0, sizeof *reader);
    reader->descriptor = descriptor;
}

void line_finish(struct line_reader *reader)
{
    buffer_finish(&reader->line);
}

static void line_interrupt(int number)
{
    (void)number;
    line_interrupted = 1;
}

void line_catch_interrupt(void)
{
    struct sigaction action = { .sa_handler = line_interrupt }; /* no SA_RESTART: read must return */
    sigaction(SIGINT, &action, NULL);
}

enum { LINE_LOOK_MS = 1000 };

/* Waits for input; false when it is too late. */
static bool line_wait(const struct line_reader *reader, bool (*is_over)(void *), void *context)
{
    struct pollfd input = { .fd = reader->descriptor, .events = POLLIN };
    while (!line_interrupted) {
        if (is_over(context))
            return false;
        int ready = poll(&input, 1, LINE_LOOK_MS);
        if (ready > 0 || (ready < 0 && errno != EINTR))
            break;
    }
    return true;
}

static bool line_fill(struct line_reader *reader, bool (*is_over)(void *), void *context)
{
    ssize_t got;
    if (is_over && !line_wait(reader, is_over, context)) {
        reader->late = true;
        return false;
    }
    do
        got = line_interrupted ? 0 : read(reader->descriptor, reader->bytes, sizeof reader->bytes);
    while (got < 0 && errno == EINTR);
    reader->next = 0;
    reader->filled = got > 0 ? (int)got : 0;
    return got > 0;
}

const char *line_read(struct line_reader *reader, ptrdiff_t *length)
{
    return line_read_before(reader, length, NULL, NULL);
}

const char *line_read_before(struct line_reader *reader, ptrdiff_t *length, bool (*is_over)(void *),
                             void *context)
{
    bool any = false;
    buffer_clear(&reader->line);
    reader->late = false;
    while (!reader->ended) {
        if (reader->next == reader->filled && !line_fill(reader, is_over, context)) {
            if (reader->late)
                return NULL;
            reader->ended = true;
            break;
        }
        any = true;
        const char *from = reader->bytes + reader->next;
        ptrdiff_t left = reader->filled - reader->next;
        const char *newline = memchr(from, '\n', (size_t)left);
        ptrdiff_t taken = newline ? newline - from : left;
        ptrdiff_t room =
            LINE_LONGEST + 1 - reader->line.length; /* one more, so that it is seen to be too long */
        buffer_add(&reader->line, from, taken < room ? taken : room);
        reader->next += (int)taken + (newline != NULL);
        if (newline)
            break;
    }
    if (!any || reader->line.failed)
        return NULL;
    if (reader->line.length && reader->line.data[reader->line.length - 1] == '\r')
        reader->line.data[--reader->line.length] = '\0';
    *length = reader->line.length;
    return buffer_get(&reader->line);
}

bool line_write(int descriptor, struct buffer *out, struct error *error)
{
    if (out->failed)
        return error_memory(error);
    const char *at = buffer_get(out);
    ptrdiff_t left = out->length;
    while (left > 0) {
        ssize_t written = write(descriptor, at, (size_t)left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            return error_set(error, errno == EPIPE ? ERROR_CLOSED : ERROR_IO,
                             tr("the output can't be written: %s"), strerror(errno));
        at += written;
        left -= written;
    }
    buffer_clear(out);
    return true;
}
