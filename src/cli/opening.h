/*
 * Opening the store takes as long as reading a small pack, and neither needs the other: a store that exists
 * is opened by a thread of its own while the packs are read, and what a sync pulled taken over. It passes to
 * the caller at opening_join, and belongs to that one thread from then on.
 */
#ifndef QUIZTUTOR_OPENING_H
#define QUIZTUTOR_OPENING_H

#include <pthread.h>
#include <quiztutor/store.h>

struct opening {
    const char *path;
    struct store_options options;
    struct store *store;
    struct error error;
    struct error pulled; /* why what a sync pulled could not be taken over */
    pthread_t thread;
    bool started;
};

/* Begins to open the store at `path`; it and `scheduling` must outlive the opening. Makes no store where
 * there is none. */
void opening_start(struct opening *opening, const char *path, struct clock clock,
                   const struct store_scheduling *scheduling);

/* Waits for it. True: *store is the caller's. False: why, ERROR_NOT_FOUND where there is no store yet. */
bool opening_join(struct opening *opening, struct store **store, struct error *error);

/* Where there is none: makes it, and takes over what a sync pulled before it was there. */
bool opening_make(struct opening *opening, struct store **store, struct error *error);

/* Waits, and closes what nobody took over. Harmless after opening_join, and where nothing was started. */
void opening_finish(struct opening *opening);

#endif
