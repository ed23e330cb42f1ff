/*
 * The pack of a sheet that was printed, by the sheet's ID: as the record in the store has it, so that a pack
 * edited since is as it was; without a record, the pack that still makes the same sheet.
 */
#ifndef QUIZTUTOR_SHEET_SOURCE_H
#define QUIZTUTOR_SHEET_SOURCE_H

#include "command.h"

#include <quiztutor/sheet.h>
#include <quiztutor/sheet_record.h>

struct sheet_source_found {
    struct pack *pack;
    struct buffer bytes; /* of its file */
    const char *name;    /* of the file */
    const char *tag;     /* only questions that bear it; NULL: all */
    bool recorded;       /* a record of this very ID is `record` */
    bool known;          /* `record` is there, of this ID or another seed of it: how it looked */
    struct sheet_record record;
    struct arena arena; /* of all these texts */
};

/*
 * `store` may be NULL. `argument` is the pack that must be it, or NULL: any of the library. Of several
 * records of one ID that of `learner` (may be NULL) is taken first. sheet_source_finish in any case.
 */
bool sheet_source_find(struct sheet_source_found *found, const struct invocation *invocation,
                       struct store *store, const struct sheet_id *id, const char *argument,
                       const struct uuid *learner, struct error *error);
void sheet_source_finish(struct sheet_source_found *found);

#endif
