/* A damaged store made anew: what the parts of that share. All is made beside it (STORE-healing), then takes
 * its place. */
#ifndef QUIZTUTOR_STORE_SQLITE_HEALING_H
#define QUIZTUTOR_STORE_SQLITE_HEALING_H

#include "backups.h"
#include "sqlite_store.h"

#include <quiztutor/heal.h>

struct healing {
    struct arena arena; /* of all texts here */
    const struct store_options *options;
    const char *path, *log, *fresh, *kept; /* the store's real path, and beside it */
    const char *folder;                    /* of backups, or NULL */
    bool gone;                             /* there is no store to set aside */
    struct heal_report *report;
    struct error *error;
};

/* Makes the new store at `fresh`, of the newest good backup and the second log. */
bool healing_build(struct healing *healing);
void healing_clear(const struct healing *healing); /* what an earlier try left there */

/* An event of what came back. */
bool healing_tell(struct store *store, const struct heal_report *report, struct error *error);

/* What is said of a file: "%s: why". False. */
bool healing_refuse(struct healing *healing, const char *path, int number);

#endif
