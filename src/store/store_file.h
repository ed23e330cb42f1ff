/*
 * The store as a file: where it really lies, whether it may be written, whether it is one at all, all found
 * out before SQLite touches it, so that what is not ours stays as it was.
 */
#ifndef QUIZTUTOR_STORE_STORE_FILE_H
#define QUIZTUTOR_STORE_STORE_FILE_H

#include <quiztutor/error.h>
#include <quiztutor/memory.h>

struct store_file {
    char *path;     /* absolute, links followed; the caller's to free */
    int lock_fd;    /* −1 when read_only; the caller's to close */
    bool read_only; /* it can't be written; set beforehand where it should not be */
    bool lean;      /* the reserve had to be given up */
};

/* Whether the path can be a file's: ERROR_INPUT where it is a central store's address. */
bool store_file_is_here(const char *path, struct error *error);

/* Makes folders and file where there is none (unless existing_only), and the lock file. */
bool store_file_find(struct store_file *file, const char *path, bool existing_only, const char *vfs,
                     int known_version, struct error *error);

/* A path, or any text, for a message: nothing in it can drive a terminal, and it is not too long.
 * memory_free. */
char *store_file_shown(const char *path);

/* The path as a URI that tells SQLite that the file can't change. NULL without memory. */
char *store_file_uri(struct arena *arena, const char *path);

/* About the file whose name is the store's and this ending. */
bool store_file_is_missing(const char *path, const char *ending);
bool store_file_is_empty(const char *path, const char *ending); /* or missing */

enum header { HEADER_EMPTY, HEADER_STORE, HEADER_NONE, HEADER_OTHER, HEADER_FAILED };

/* sqlite_header.c: what the file's first bytes say, read through SQLite's own file layer: were it opened and
 * closed beside that, all locks of this process on it would be gone. */
enum header sqlite_header_read(const char *path, const char *vfs, int *version, struct error *error);

#endif
