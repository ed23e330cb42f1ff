/*
 * A file layer for SQLite under which the power can be cut: what was not synced may be there or not, each
 * sector of each write by itself, whatever was written before or after it. Registered under the name "cut".
 * New names, new folders' entries and removed files count as durable at once.
 */
#ifndef QUIZTUTOR_TESTS_CUT_VFS_H
#define QUIZTUTOR_TESTS_CUT_VFS_H

#include <stdint.h>

void cut_vfs_start(void);

/* The n-th call that writes, truncates, syncs or removes ends this process, its files being as a cut by this
 * seed leaves them. */
void cut_vfs_set(long n, uint32_t seed);

enum { CUT_STATUS = 86 }; /* of the process */

#endif
