/*
 * A file of frames, each with its checksum, that only grows: written through SQLite's file layer, so that it
 * is as durable as the store, and that tests that fail or cut that reach it, too. A frame that is not whole
 * is none. Behind the last one there may be zeros, or what a cut left.
 */
#ifndef QUIZTUTOR_STORE_SQLITE_FRAMES_H
#define QUIZTUTOR_STORE_SQLITE_FRAMES_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>
#include <quiztutor/hash.h>
#include <sqlite3.h>

enum {
    FRAME_HEAD = 32,       /* magic, length, seq, checksum */
    FRAME_MOST = 16777216, /* bytes in one: beyond what any single row has */
    FRAME_ROOM = 65536,    /* the file grows by so much, in zeros: then a frame mostly changes bytes only */
    FRAME_TRIES = 1000000, /* places that look like a frame, but are none, before the rest is given up */
};

struct frames {
    sqlite3_file *file; /* NULL: not open */
    sqlite3_filename name;
    int64_t size;
    int64_t device, inode; /* of the file that is open */
};

struct frame {
    int64_t at, next; /* where it lies, and where the next one would */
    int64_t seq;
    const char *data; /* the caller's buffer */
    ptrdiff_t length;
};

/* A result of SQLite. `fresh`: an empty file is made, in the place of one that is there. */
int frames_open(struct frames *frames, const char *vfs, const char *path, bool fresh);
void frames_close(struct frames *frames);
bool frames_replaced(const struct frames *frames); /* its name is another file's by now, or nobody's */

/* SQLITE_ROW: a whole frame lies there; SQLITE_DONE: none does; else what failed. */
int frames_read(struct frames *frames, int64_t at, struct buffer *buffer, struct frame *frame);

/* The same of the first whole frame at or behind `at`; *skipped: something that is not zero lies before it
 * (or, where there is none, behind `at`). */
int frames_find(struct frames *frames, int64_t at, struct buffer *buffer, struct frame *frame, bool *skipped);

/* Writes a frame at `*at`, and moves that behind it. A result of SQLite. Durable after frames_sync. */
int frames_write(struct frames *frames, int64_t *at, int64_t seq, const char *data, ptrdiff_t length);
int frames_sync(struct frames *frames);

#endif
