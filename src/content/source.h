/*
 * The raw bytes of one file, read window by window into one block that never moves, and checked before
 * anything else sees them: characters that content may not hold are noted as faults and replaced where bytes
 * are handed on. Also finds lines and places. The caller owns it (source_open or source_borrow, then
 * source_finish).
 */
#ifndef CONTENT_SOURCE_H
#define CONTENT_SOURCE_H

#include <quiztutor/error.h>
#include <stddef.h>
#include <stdint.h>

enum {
    SOURCE_FAULTS = 100,        /* characters noted; after that many the rest is not looked at */
    SOURCE_WINDOW = 128 * 1024, /* bytes read at once */
};

/* A span of one code point or one byte, in the raw bytes. */
struct source_fault {
    ptrdiff_t offset;
    int32_t code; /* TEXT_BAD: the byte is not UTF-8 */
    int length;
};

struct source_cursor {
    ptrdiff_t offset; /* of the first byte of `line` */
    int line;         /* from 1 */
};

struct source {
    int fd;
    char *data;
    bool borrowed;
    bool streaming;         /* bytes from `kept` on are in the window only */
    char *window;           /* the last bytes read while streaming */
    ptrdiff_t window_start; /* offset of its first byte */
    ptrdiff_t kept;         /* bytes in `data` when streaming began */
    bool sign_seen;         /* a `#` has passed through the window */
    ptrdiff_t size;         /* bytes of the file when it was opened */
    ptrdiff_t length;       /* bytes read so far */
    ptrdiff_t checked;      /* bytes checked so far: only these may be looked at */
    ptrdiff_t start;        /* 3 behind a byte order mark, else 0 */
    int failure;            /* errno of a read that failed */
    bool end, foreign;      /* all is read; a byte order mark of another encoding */
    struct source_fault faults[SOURCE_FAULTS];
    int fault_count;
    bool bare_return; /* a CR without LF: the reading ends there */
    bool too_many_faults;
    struct source_cursor lines, places;
    struct source_cursor
        sign; /* the first `#` not yet passed by source_remark: its own offset, and its line */
    struct source_cursor sign_lines; /* how far the lines have been counted for it */
    bool sign_found;
};

/* Opens a regular file of at most `limit` bytes, never blocking; false with why. *large tells a file that is
 * too big from one that can't be read. */
bool source_open(struct source *source, const char *path, ptrdiff_t limit, bool *large, struct error *error);

/* The same by a path within an open folder (AT_FDCWD), with more flags of open: under O_NOFOLLOW a link is no
 * regular file. */
bool source_open_at(struct source *source, int folder, const char *path, int flags, ptrdiff_t limit,
                    bool *large, struct error *error);

/* Bytes of the caller's, which must outlive the source. */
void source_borrow(struct source *source, const char *bytes, ptrdiff_t length);
void source_finish(struct source *source);

/* From here on bytes are looked at in their order, by source_copy: the file is streamed if it is large. */
void source_stream(struct source *source);

/* Ends the streaming: all that has been read is in `data` again. Called by whatever looks at lines or places.
 */
void source_keep(struct source *source);

/* Reads and checks one more window (while streaming: only once all of the last one has been copied); false at
 * the end, after too many faults or when reading fails. */
bool source_fill(struct source *source);

/* Copies up to `size` checked bytes from `offset` on, with faults replaced by harmless characters of the same
 * length; returns how many. */
ptrdiff_t source_copy(const struct source *source, ptrdiff_t offset, char *to, ptrdiff_t size);

/* Offset of the first byte of a line (from 1), -1 when the file has no such line; *length without the line
 * break, read on as far as needed, but at most `most` bytes. */
ptrdiff_t source_line(struct source *source, int line, ptrdiff_t most, ptrdiff_t *length);

/* Offset of the code point at line and column, or of the end of that line when the column lies behind it; -1
 * when there is no such line. */
ptrdiff_t source_offset(struct source *source, int line, int column);

/* Offset of the blanks before a `#` that follows on the same line right behind `column`, with the bytes up to
 * the end of the line in *length; -1 when no remark follows. Quick where the line has no `#`. */
ptrdiff_t source_remark(struct source *source, int line, int column, ptrdiff_t *length);

/* Line and column of a checked byte. */
void source_place(struct source *source, ptrdiff_t offset, int *line, int *column);

#endif
