/*
 * One sync: what changed at the centre is pulled, and what a store has that the centre has not is sent in
 * batches. The learner's store is only read. A batch is one transaction on the server; the mark moves after
 * it, so that whatever is cut off is sent again, which changes nothing.
 */
#ifndef QUIZTUTOR_SYNC_H
#define QUIZTUTOR_SYNC_H

#include <quiztutor/central.h>
#include <quiztutor/pulled.h>

/* Rows of a batch, chosen by how long the last one took. */
enum { SYNC_BATCH_LEAST = 1000, SYNC_BATCH_MOST = 10000 };

struct sync_count {
    int64_t sent, total; /* rows of the log, so far and in all */
    struct central_taken taken;
    int64_t pulled; /* items */
    bool no_store;  /* there is none yet, in a folder that is there: nothing was sent */
    bool again;     /* everything is looked at again: another server, or the log is not the one it was */
};
/* Told when it is known how much there is, and after each batch; false stops there (not an error: what was
 * sent stays sent). */
typedef bool sync_progress(void *context, const struct sync_count *count);

struct sync_options {
    const char *store_path, *address;
    struct clock clock;
    sync_progress *progress; /* may be NULL */
    void *context;
    struct hash *learners; /* what the learners were like when they were sent last, zero: they were not, for
                            * who syncs time and again: they are sent when it has changed. NULL: always */
};
/*
 * ERROR_NOT_FOUND: neither store nor folder is there. ERROR_BUSY: not reachable, or cut off: worth another
 * try later; also where another sync of this store runs. *count tells how far it came.
 */
bool sync_run(const struct sync_options *options, struct sync_count *count, struct error *error);

/* How it stands with a store's syncs, without a server. */
struct sync_state {
    bool known;      /* there was one */
    int64_t at;      /* ms since 1970: when the newest got through; 0: none did */
    int64_t waiting; /* rows of the log that the centre has not, as far as is known here */
    int64_t version; /* of what was pulled */
};
bool sync_look(const char *store_path, struct sync_state *state, struct error *error);

/* How long to wait before the next run, in ms: `every` with up to a tenth of jitter; after failures in a row
 * doubled from a second on, with jitter, up to SYNC_WAIT_LONGEST or `every`, whichever is longer. `draw`: 0
 * to 1. */
enum { SYNC_WAIT_LONGEST = 900000 };
int64_t sync_wait(int64_t every, int failures, double draw);

#endif
