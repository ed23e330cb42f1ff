/*
 * `quiztutor sync`: its parts. One round is what is done once, or every so often; it is told in words, and
 * ends where it is asked to.
 */
#ifndef QUIZTUTOR_CLI_SYNC_H
#define QUIZTUTOR_CLI_SYNC_H

#include "command.h"

#include <quiztutor/sync.h>

struct sync_round {
    const struct invocation *invocation;
    const char *address;
    bool shows;            /* progress, on a terminal */
    bool shown;            /* the line with it stands there */
    int64_t began;         /* steady ms */
    struct hash *learners; /* sync_options */
    struct sync_count count;
    int64_t summaries; /* learners */
};
typedef bool sync_work(struct sync_round *round, struct error *error);

/* What a round has done, as one line of words. */
void sync_words(struct buffer *out, const struct sync_round *round, bool summaries);

/* Until it is asked to end; one line for each change of state. The exit status. */
int sync_every(struct sync_round *round, sync_work *work, int64_t every, bool summaries);

int sync_status(const struct invocation *invocation);
bool sync_packs(const struct invocation *invocation, const char *address, struct error *error);

#endif
