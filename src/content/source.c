#include "source.h"

#include "character.h"

#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STREAM_LEAST = 1024 * 1024, TAIL = 8 };

static void source_init(struct source *source)
{
    memset(source, 0, sizeof *source);
    source->fd = -1;
    source->lines.line = source->places.line = source->sign_lines.line = 1;
}

static bool source_refuse(struct error *error, const struct stat *status)
{
    if (S_ISDIR(status->st_mode))
        return error_set(error, ERROR_IO, tr("it is a folder, not a file"));
    if (S_ISFIFO(status->st_mode))
        return error_set(error, ERROR_IO, tr("it is a named pipe, not a file"));
    return error_set(error, ERROR_IO, tr("it is not a regular file"));
}

bool source_open(struct source *source, const char *path, ptrdiff_t limit, bool *large, struct error *error)
{
    return source_open_at(source, AT_FDCWD, path, 0, limit, large, error);
}

bool source_open_at(struct source *source, int folder, const char *path, int flags, ptrdiff_t limit,
                    bool *large, struct error *error)
{
    struct stat status;
    source_init(source);
    *large = false;
    source->fd = openat(folder, path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | flags);
    if (source->fd < 0 || fstat(source->fd, &status) != 0) {
        int number = errno;
        source_finish(source);
        if (number == ENOENT || number == ENOTDIR)
            return error_set(error, ERROR_NOT_FOUND, tr("there is no such file"));
        if (number == ELOOP && (flags & O_NOFOLLOW))
            return error_set(error, ERROR_IO, tr("it is a link, not a file"));
        return error_set(error, ERROR_IO, "%s", strerror(number));
    }
    if (!S_ISREG(status.st_mode)) {
        source_finish(source);
        return source_refuse(error, &status);
    }
    if (status.st_size > limit) {
        *large = true;
        source_finish(source);
        return false;
    }
    source->size = (ptrdiff_t)status.st_size;
    source->data = memory_alloc(source->size + 1); /* untouched pages of it cost nothing */
    if (!source->data) {
        source_finish(source);
        return error_memory(error);
    }
    if (source->size < STREAM_LEAST) /* a larger one passes through a window, and keeps little */
        memory_expect(source->data, source->size);
    return true;
}

void source_borrow(struct source *source, const char *bytes, ptrdiff_t length)
{
    source_init(source);
    memcpy(&source->data, &bytes, sizeof bytes); /* never written to: `borrowed` */
    source->borrowed = true;
    source->size = length;
}

void source_finish(struct source *source)
{
    if (source->fd >= 0)
        close(source->fd);
    if (!source->borrowed)
        memory_free(source->data);
    memory_free(source->window);
    source_init(source);
}

static const char *source_at(const struct source *source, ptrdiff_t offset)
{
    bool passed = source->streaming && offset >= source->window_start;
    return passed ? source->window + (offset - source->window_start) : source->data + offset;
}

/* Notes the faults in what is read but not checked; what the end of the window cuts waits for the next one.
 */
static void source_check(struct source *source)
{
    while (source->checked < source->length) {
        int32_t code = 0;
        int width;
        ptrdiff_t left = source->length - source->checked;
        ptrdiff_t found =
            character_check(source_at(source, source->checked), left, !source->end, &code, &width);
        source->checked += found;
        if (width == 0)
            return;
        if (source->fault_count == SOURCE_FAULTS) {
            source->too_many_faults = source->end = true;
            return;
        }
        struct source_fault fault = { source->checked, code, width };
        source->faults[source->fault_count++] = fault;
        source->checked += width;
        if (code == '\r') { /* all lines may end so: nothing could be made of them */
            source->bare_return = source->end = true;
            return;
        }
    }
}

/* UTF-8's own byte order mark is passed over; those of UTF-16 and UTF-32 end the reading. */
static void source_begin(struct source *source)
{
    const char *data = source->data;
    if (source->length >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        source->start = source->checked = source->lines.offset = source->places.offset = 3;
    else if (source->length >= 2 && (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0))
        source->foreign = true;
    else if (source->length >= 4 && memcmp(data, "\0\0\xfe\xff", 4) == 0)
        source->foreign = true;
    if (source->foreign)
        source->end = true;
}

/* Reads `wanted` bytes to `to`; a file that grew meanwhile is read as it was, a short one ends early. */
static void source_read(struct source *source, char *to, ptrdiff_t wanted)
{
    while (wanted > 0) {
        ssize_t got = read(source->fd, to, (size_t)wanted);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            source->failure = errno;
        if (got <= 0) {
            source->size = source->length;
            return;
        }
        source->length += got;
        to += got;
        wanted -= got;
    }
}

/* The next window; what the last one left unchecked, a few bytes, goes before it. */
static void source_read_window(struct source *source, ptrdiff_t wanted)
{
    ptrdiff_t tail = source->length - source->checked;
    memmove(source->window, source_at(source, source->checked), (size_t)tail);
    source->window_start = source->checked;
    source_read(source, source->window + tail, wanted);
    ptrdiff_t fresh = source->length - source->window_start;
    source->sign_seen = source->sign_seen || memchr(source->window, '#', (size_t)fresh);
}

bool source_fill(struct source *source)
{
    if (source->end)
        return false;
    ptrdiff_t before = source->length, wanted = source->size - before;
    if (wanted > SOURCE_WINDOW)
        wanted = SOURCE_WINDOW;
    if (source->borrowed)
        source->length += wanted;
    else if (source->streaming)
        source_read_window(source, wanted);
    else
        source_read(source, source->data + source->length, wanted);
    source->end = source->length >= source->size;
    if (before == 0)
        source_begin(source);
    if (!source->foreign)
        source_check(source);
    return source->failure == 0 && !source->foreign && source->length > before;
}

void source_stream(struct source *source)
{
    ptrdiff_t tail = source->length - source->checked;
    if (source->borrowed || source->end || source->size - source->length < STREAM_LEAST || tail > TAIL)
        return;
    source->window = memory_alloc(SOURCE_WINDOW + TAIL);
    if (!source->window)
        return; /* then all is kept, which only takes more memory */
    source->kept = source->window_start = source->length;
    source->streaming = true;
}

void source_keep(struct source *source)
{
    if (!source->streaming)
        return;
    ptrdiff_t at = source->kept;
    while (at < source->length) {
        ssize_t got = pread(source->fd, source->data + at, (size_t)(source->length - at), at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            break;
        at += got;
    }
    /* a file that was cut meanwhile: blank lines instead of what is gone */
    memset(source->data + at, '\n', (size_t)(source->length - at));
    memcpy(source->data + source->window_start, source->window,
           (size_t)(source->length - source->window_start));
    source->streaming = false;
}

/* What stands in for a fault, by its length: any character that means nothing to YAML. */
static const char *const stand_in[] = { "", "?", "\xc2\xbf", "\xef\xbf\xbd", "\xf0\x9f\x9f\xa5" };

ptrdiff_t source_copy(const struct source *source, ptrdiff_t offset, char *to, ptrdiff_t size)
{
    ptrdiff_t count = source->checked - offset;
    if (count > size)
        count = size;
    if (count <= 0)
        return 0;
    if (source->streaming && offset < source->window_start && count > source->window_start - offset)
        count = source->window_start - offset;
    memcpy(to, source_at(source, offset), (size_t)count);
    for (int i = 0; i < source->fault_count; i++) {
        const struct source_fault *fault = &source->faults[i];
        for (int k = 0; k < fault->length; k++) {
            ptrdiff_t at = fault->offset + k - offset;
            if (at >= 0 && at < count)
                to[at] = stand_in[fault->length][k];
        }
    }
    return count;
}

/* Moves the cursor to the start of `line`, reading on where needed; false when the file ends before. */
static bool source_seek_line(struct source *source, struct source_cursor *cursor, int line)
{
    if (line < cursor->line / 2) { /* nearer to the start than to where it stands */
        cursor->offset = source->start;
        cursor->line = 1;
    }
    while (cursor->line > line) {
        const char *data = source->data;
        ptrdiff_t before =
            cursor->offset - 1 - source->start; /* bytes before the line break that ends the last line */
        const char *lf = before > 0 ? memrchr(data + source->start, '\n', (size_t)before) : NULL;
        cursor->offset = lf ? lf - data + 1 : source->start;
        cursor->line--;
    }
    while (cursor->line < line) {
        const char *from = source->data + cursor->offset;
        ptrdiff_t left = source->checked - cursor->offset;
        const char *lf = left > 0 ? memchr(from, '\n', (size_t)left) : NULL;
        if (lf) {
            cursor->offset = lf + 1 - source->data;
            cursor->line++;
        } else if (!source_fill(source)) {
            return false;
        }
    }
    return true;
}

ptrdiff_t source_line(struct source *source, int line, ptrdiff_t most, ptrdiff_t *length)
{
    *length = 0;
    source_keep(source);
    if (!source->data || line < 1 || !source_seek_line(source, &source->lines, line))
        return -1;
    ptrdiff_t start = source->lines.offset;
    for (;;) {
        ptrdiff_t left = source->checked - start;
        const char *from = source->data + start;
        const char *lf = left > 0 ? memchr(from, '\n', (size_t)(left < most ? left : most)) : NULL;
        if (lf || left >= most || !source_fill(source)) {
            *length = lf ? lf - from : left < most ? left : most;
            break;
        }
    }
    if (*length > 0 && source->data[start + *length - 1] == '\r')
        --*length;
    return start;
}

ptrdiff_t source_offset(struct source *source, int line, int column)
{
    ptrdiff_t length, start = source_line(source, line, (ptrdiff_t)column * 4 + 1, &length);
    if (start < 0)
        return -1;
    ptrdiff_t at = 0;
    for (int i = 1; i < column && at < length; i++) {
        int32_t code;
        at += text_decode(source->data + start + at, length - at, &code);
    }
    return start + at;
}

/* How far `#` can be looked for. */
static ptrdiff_t sign_end(const struct source *source)
{
    return source->streaming && source->kept < source->checked ? source->kept : source->checked;
}

/* Looks for the next `#` in what has been checked, and counts the lines up to it. */
static void source_next_sign(struct source *source)
{
    const char *from = source->data + source->sign.offset, *end = source->data + sign_end(source);
    const char *sign = from < end ? memchr(from, '#', (size_t)(end - from)) : NULL;
    source->sign_found = sign != NULL;
    if (!sign)
        return; /* the lines are counted when there is one: without any the search costs next to nothing */
    struct source_cursor *lines = &source->sign_lines;
    for (const char *lf;
         (lf = memchr(source->data + lines->offset, '\n', (size_t)(sign - source->data - lines->offset)));
         lines->line++)
        lines->offset = lf + 1 - source->data;
    source->sign.offset = sign - source->data;
    source->sign.line = lines->line;
}

/* True when the line may hold a `#`. Asked for line after line. */
static bool source_has_sign(struct source *source, int line)
{
    if (source->sign_seen)
        source_keep(source);
    while (!source->sign_found || source->sign.line < line) {
        if (source->sign_found)
            source->sign.offset++;
        ptrdiff_t before = source->sign.offset;
        source_next_sign(source);
        if (!source->sign_found) {
            ptrdiff_t end = sign_end(source);
            source->sign.offset = end > before ? end : before;
            return false;
        }
    }
    return source->sign.line == line;
}

ptrdiff_t source_remark(struct source *source, int line, int column, ptrdiff_t *length)
{
    if (!source_has_sign(source, line))
        return -1;
    ptrdiff_t whole, start = source_line(source, line, SOURCE_WINDOW, &whole);
    if (start < 0 || whole < column)
        return -1;
    const char *text = source->data + start;
    ptrdiff_t at = 0;
    for (int i = 1; i < column && at < whole; i++) {
        int32_t code;
        at += text_decode(text + at, whole - at, &code);
    }
    ptrdiff_t behind = at;
    while (behind < whole && (text[behind] == ' ' || text[behind] == '\t'))
        behind++;
    *length = whole - at;
    return behind > at && behind < whole && text[behind] == '#' ? start + at : -1;
}

void source_place(struct source *source, ptrdiff_t offset, int *line, int *column)
{
    struct source_cursor *cursor = &source->places;
    source_keep(source);
    if (offset < cursor->offset) {
        cursor->offset = source->start;
        cursor->line = 1;
    }
    for (const char *lf; cursor->offset < offset; cursor->line++) {
        lf = memchr(source->data + cursor->offset, '\n', (size_t)(offset - cursor->offset));
        if (!lf)
            break;
        cursor->offset = lf + 1 - source->data;
    }
    *line = cursor->line;
    *column = 1;
    for (ptrdiff_t at = cursor->offset; at < offset; ++*column) {
        int32_t code;
        at += text_decode(source->data + at, offset - at, &code);
    }
}
