/*
 * Room kept back on the disk, in a file beside the store: where the disk is full, SQLite can't even read a
 * store, since it has no room for the index of its log. Giving the reserve up makes that room.
 */
#ifndef QUIZTUTOR_STORE_RESERVE_H
#define QUIZTUTOR_STORE_RESERVE_H

#include <stdbool.h>
#include <stddef.h>

/* True when there was one to give up. */
bool reserve_free(const char *store_path);

/* True when it is there now; makes it only where several times its size is left. */
bool reserve_make(const char *store_path, ptrdiff_t size);

#endif
