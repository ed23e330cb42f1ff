/*
 * One sync: what a store has that the centre has not is sent in batches, and what changed at the centre is
 * pulled. The learner's store is only read. A batch is one transaction on the server; the mark moves after
 * it, so that whatever is cut off is sent again, which changes nothing.
 */
#ifndef QUIZTUTOR_SYNC_H
#define QUIZTUTOR_SYNC_H

#include <quiztutor/central.h>
#include <quiztutor/pulled.h>

enum { SYNC_BATCH_LEAST = 1000, SYNC_BATCH_MOST = 10000 }; /* rows, chosen by how long the last one took */

struct sync_count {
    int64_t sent, total; /* rows of the log, so far and in all */
    struct central_taken taken;
    int64_t pulled; /* items */
};
/* Told after each batch; false stops after it (not an error: what was sent stays sent). */
typedef bool sync_progress(void *context, const struct sync_count *count);

struct sync_options {
    const char *store_path, *address;
    struct clock clock;
    sync_progress *progress; /* may be NULL */
    void *context;
};
/* ERROR_BUSY: not reachable, or cut off: worth another try later. *count tells how far it came. */
bool sync_run(const struct sync_options *options, struct sync_count *count, struct error *error);

/* How long to wait before the next run, in ms: `every` with up to a tenth of jitter; after failures in a row
 * doubled from a second on, with jitter, up to SYNC_WAIT_LONGEST or `every`, whichever is longer. `draw`: 0
 * to 1. */
enum { SYNC_WAIT_LONGEST = 900000 };
int64_t sync_wait(int64_t every, int failures, double draw);

#endif
