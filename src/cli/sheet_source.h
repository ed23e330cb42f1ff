/*
 * The pack of a sheet that was printed, by the sheet's ID, with the bytes of its file: as printed.h finds it,
 * or the pack that was named.
 */
#ifndef QUIZTUTOR_SHEET_SOURCE_H
#define QUIZTUTOR_SHEET_SOURCE_H

#include "command.h"

#include <quiztutor/printed.h>

struct sheet_source_found {
    struct printed printed;
    struct buffer bytes; /* of the pack's file */
    const char *name;    /* of the file */
    /* private */
    struct printed_shelf shelf;
    struct library *library;
    struct pack *named;
    struct arena arena;
};

/*
 * `store` may be NULL. `argument` is the pack that must be it, or NULL: any of the library. Of several
 * records of one ID that of `learner` (may be NULL) is taken first. sheet_source_finish in any case: what was
 * found lives until then.
 */
bool sheet_source_find(struct sheet_source_found *found, const struct invocation *invocation,
                       struct store *store, const char *id, const char *argument, const struct uuid *learner,
                       struct error *error);
void sheet_source_finish(struct sheet_source_found *found);

#endif
