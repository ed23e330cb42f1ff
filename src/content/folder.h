/*
 * The names in a folder that is open, by the order of their bytes. Private to content.
 */
#ifndef CONTENT_FOLDER_H
#define CONTENT_FOLDER_H

#include <quiztutor/error.h>
#include <quiztutor/memory.h>

struct folder_names {
    const char **items; /* the caller frees it; the names are in the arena */
    ptrdiff_t count, capacity;
};

/* All names that are meant, at most `most`: more are ERROR_INPUT. The folder stays open, and at its start. */
bool folder_list(struct folder_names *names, int folder, bool (*meant)(const char *name), ptrdiff_t most,
                 struct arena *arena, struct error *error);

#endif
