/* What the parts of `quiztutor mark` share. */
#ifndef QUIZTUTOR_MARK_H
#define QUIZTUTOR_MARK_H

#include "command.h"
#include "output.h"

#include <quiztutor/filled.h>

struct mark {
    const struct invocation *invocation;
    struct store *store;
    struct library *library;
    struct printed_shelf shelf;
    struct clock clock;
    struct arena arena;       /* of learners and of what is shown */
    const struct pack **told; /* packs that were told of as changed */
    ptrdiff_t told_count, told_capacity;
    bool json;
    bool agreed; /* to store what was shown */
};

/* Whether somebody is there to be asked. */
bool mark_can_ask(const struct mark *mark);

/* The sheet's questions one after the other, each with what was read, its outcome and its mark; then the sum.
 */
bool mark_show(struct mark *mark, const struct filled *filled, struct error *error);

/* What was read of one question, and its mark, on two lines of `out`. */
bool mark_show_one(struct mark *mark, const struct filled *filled, int place, struct output *out);

/* "Ana, W1-…: 6 of 8 right, …" */
void mark_sum(struct buffer *out, const struct filled *filled);

/* Why this sheet should not be marked for this learner: it is another's, or was marked before; "" for
 * nothing. False: an error. */
enum { MARK_DOUBT = 400 };
bool mark_doubt(struct mark *mark, const struct filled *filled, char why[static MARK_DOUBT],
                struct error *error);

/* Says on standard error that the pack of a sheet was changed since it was printed: once for each pack. False
 * only without memory. */
bool mark_tell_changed(struct mark *mark, const struct printed *printed, struct error *error);

/* mark_ask.c: answers one by one, over lines; *stop: nothing is to be stored. */
bool mark_ask(struct mark *mark, struct filled *filled, bool *stop, struct error *error);

/* mark_batch.c: a class at once, from a table. */
bool mark_batch(struct mark *mark, const char *path, struct error *error);

#endif
