/*
 * A file layer for SQLite that passes everything on to the usual one, until the n-th call of the chosen
 * kinds: that one fails, and every later one too, when asked to. Registered under the name "fault".
 */
#ifndef QUIZTUTOR_TESTS_FAULT_VFS_H
#define QUIZTUTOR_TESTS_FAULT_VFS_H

#include <stdbool.h>

enum fault_kind {
    FAULT_OPEN = 1,
    FAULT_WRITE = 2,
    FAULT_SYNC = 4,
    FAULT_TRUNCATE = 8,
    FAULT_SHM = 16, /* making or growing the index of the write-ahead log */
    FAULT_READ = 32,
    FAULT_DELETE = 64,
    FAULT_ALL = 127,
};

void fault_vfs_start(void);

/* number: ENOSPC, EIO, …; every call of `kinds` from the n-th on, or only that one. */
void fault_vfs_set(int kinds, long n, bool lasting, int number);
void fault_vfs_clear(void);

/* The n-th call of `kinds` kills this process, as a crash would, instead of failing. */
void fault_vfs_kill(int kinds, long n);

/* Whether any call failed since fault_vfs_set. */
bool fault_vfs_hit(void);

#endif
