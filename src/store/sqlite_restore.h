/*
 * A backup put in the place of a store: what the parts of that share. The new store is made beside the
 * present one (sqlite_fresh.c), then takes its place (sqlite_restore.c).
 */
#ifndef QUIZTUTOR_STORE_SQLITE_RESTORE_H
#define QUIZTUTOR_STORE_SQLITE_RESTORE_H

#include "sqlite_store.h"

#include <quiztutor/backup.h>

/* An event `erased` of the present store. */
struct erased {
    struct uuid event, mark;
    int64_t at;
    int utc_offset_s;
};

struct restoring {
    struct arena arena; /* of all texts here */
    const struct store_options *options;
    const char *backup;
    const char *path, *fresh,
        *kept;                    /* of the store; beside it; of what was there before, NULL: nothing was */
    struct sqlite_store *present; /* open, NULL: there is none, or it can't be read */
    struct erased *erased;        /* by mark */
    ptrdiff_t erased_count, erased_capacity;
    struct backup_restored *restored;
    struct error *error;
};

/* Makes the new store at `fresh`: whole, up to date, with ids of its own, without who was erased. */
bool fresh_make(struct restoring *restoring);

/* Removes it, and all that lies beside it. */
void fresh_remove(const struct restoring *restoring, bool store_too);

/* What is said of a file: "%s: why". False. */
bool restoring_refuse(struct restoring *restoring, const char *path, enum error_code code, const char *why);

#endif
