/* A file that is written piece by piece beside its place and then given its name, so that there is all of it
 * or none. Where its place is a device or a pipe, it is written into that; where it is a link, what that
 * leads to is replaced. */
#ifndef QUIZTUTOR_PART_H
#define QUIZTUTOR_PART_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>

struct part {
    const char *path;   /* not copied */
    struct buffer real; /* where a link at that place leads; empty: it is none */
    struct buffer name; /* of the file beside it; empty: `file` is the place itself */
    int file;
    unsigned mode; /* of the file that is replaced; 0: there is none */
};

/* part_end in any case. */
bool part_start(struct part *part, const char *path, struct error *error);
bool part_put(struct part *part, const char *bytes, ptrdiff_t length, struct error *error);
/* Brings it to the disk and gives it its name. */
bool part_settle(struct part *part, struct error *error);
/* Leaves nothing behind of what was not settled. */
void part_end(struct part *part);

/* Brings what the folder of a path says to the disk. */
void part_sync_folder(const char *path);

#endif
