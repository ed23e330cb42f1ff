/*
 * What file layers over SQLite's usual one share: files that pass every call on to the real ones. A layer
 * takes pass_methods, puts calls of its own in place of some, and registers itself.
 */
#ifndef QUIZTUTOR_TESTS_PASS_VFS_H
#define QUIZTUTOR_TESTS_PASS_VFS_H

#include <sqlite3.h>

/* A layer's own file begins with this; the real one lies right behind it. */
struct pass_file {
    sqlite3_file base;
    sqlite3_file *real;
};

extern const sqlite3_io_methods pass_methods;

static inline sqlite3_file *pass_real(sqlite3_file *file)
{
    return ((struct pass_file *)file)->real;
}

/* Registers *vfs, whose files are of `size` bytes before the real one, as `name`; its xOpen and xDelete are
 * the layer's. The layer below it. */
sqlite3_vfs *pass_vfs_start(sqlite3_vfs *vfs, const char *name, int size);

/* Opens the real file; the layer's answers by `methods` from then on. */
int pass_open(sqlite3_vfs *real, struct pass_file *file, int size, const sqlite3_io_methods *methods,
              const char *name, int flags, int *out_flags);

#endif
