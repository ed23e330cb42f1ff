/* `quiztutor kiosk --backup`: a rotating backup of the kiosk's store, where its configuration says one is
 * due. */
#ifndef QUIZTUTOR_KIOSK_BACKUP_H
#define QUIZTUTOR_KIOSK_BACKUP_H

#include <quiztutor/settings.h>

/* Called by a timer, each hour. Says on standard output what was done, and returns the exit status. */
int kiosk_backup_run(struct settings *settings, const char *config);
#endif
