/* A backup between learners, where the timer that is to ask for it has not, or there is none. */
#include "kiosk.h"

#include <quiztutor/heal.h>

#include <string.h>

enum {
    HOUR_MS = 3600000,  /* the timer comes that often */
    QUIET_MS = 60000,   /* nobody has touched a key for so long: writing it may take a second or two */
    LOOK_MS = 60000,    /* between two looks at the folder */
    AGAIN_MS = 1800000, /* after one that failed */
};

static bool look(struct kiosk *kiosk, bool *due, struct error *error)
{
    const struct kiosk_config *config = kiosk->config;
    int64_t age = (int64_t)(config->backups.hours + 1) * HOUR_MS;
    return backup_due(config->store, config->backups.folder, age, clock_wall(&kiosk->setup.clock), due,
                      error);
}

void kiosk_back_up(struct kiosk *kiosk)
{
    const struct kiosk_config *config = kiosk->config;
    struct error error = { 0 };
    char *made = NULL;
    int removed;
    bool due = false;
    int64_t now = kiosk_now(kiosk);
    if (!kiosk->store || !config || !config->backups.folder || now < kiosk->back_up_at ||
        now - kiosk->flow.active < QUIET_MS)
        return;
    kiosk->back_up_at = now + LOOK_MS;
    bool done =
        look(kiosk, &due, &error) && (!due || backup_rotate(kiosk->store, config->backups.folder,
                                                            config->backups.keep, &made, &removed, &error));
    if (made)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_BACKUP, NULL);
    if (!done)
        kiosk_journal_write(&kiosk->journal, KIOSK_JOURNAL_BACKUP_REFUSED, error.message);
    if (!done)
        kiosk->back_up_at = now + AGAIN_MS;
    memory_free(made);
}
