/*
 * A watch remembers paths with what the file system said of each: which file it is, its size and its times.
 * Private to content.
 */
#ifndef CONTENT_KIOSK_WATCH_H
#define CONTENT_KIOSK_WATCH_H

#include <quiztutor/kiosk_config.h>

/* NULL without memory. */
struct kiosk_watch *watch_create(void);

/*
 * Notes a path as it is now, there or not; a link itself unless `follow`. It is looked at by its name in an
 * open folder (AT_FDCWD: the path itself), so that what was noted together was together, whatever the path
 * leads to by then. False without memory.
 */
bool watch_add(struct kiosk_watch *watch, int folder, const char *name, const char *path, bool follow);

/* Whether an open file is the one that was noted last under this path, as it was then. */
bool watch_is(const struct kiosk_watch *watch, const char *path, int file);

/* True when all is still as it was noted. Unlike kiosk_watch_changed it takes times at their word. */
bool watch_holds(const struct kiosk_watch *watch);

enum { WATCH_TRIES = 4 }; /* readings of what keeps changing, before we give up */

/* What is read whole or not at all, with all that it was read from noted in a watch. */
struct watch_reading {
    void *context;
    /* Reads all of it anew; *torn: it may be half old and half new. False with diagnostics, or with *error.
     */
    bool (*read)(void *context, struct kiosk_watch *watch, struct diagnostics *list, bool *torn,
                 struct error *error);
    void (*drop)(void *context); /* what was read, if anything was */
    const char *changing;        /* told with ERROR_BUSY where it never stood still */
};

/* Reads until nothing changed meanwhile. False: it is dropped, with the last reading's diagnostics or *error
 * (which may be NULL). *watch is the caller's in either case, NULL only where memory has run out. */
bool watch_read(struct kiosk_watch **watch, const struct watch_reading *reading, struct diagnostics *list,
                struct error *error);

#endif
