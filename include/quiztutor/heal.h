/*
 * A store that looks after itself, for machines that nobody watches.
 *
 * Beside the store lies a second log (STORE-attempts): each session, attempt and event once more, with its
 * learner and the text of its question, and after each change the learner with groups and PIN, the printed
 * sheet, the fitted parameters, in frames with checksums. It is on the disk before the call that stored them
 * returns. store_options.second_log begins one; where there is one, every process that stores
 * keeps it up, whatever its options say, and erasing or merging learners writes it anew. The store is the
 * truth: what the second log lacks, it gets from the store with the next row; what the store has lost it gets
 * from the second log.
 *
 * Rotating backups are copies with the moment in their names, of which the newest ones are kept.
 */
#ifndef QUIZTUTOR_HEAL_H
#define QUIZTUTOR_HEAL_H

#include <quiztutor/store.h>

enum heal_outcome {
    HEAL_SOUND,    /* the store was whole, and is as its second log says */
    HEAL_TAKEN,    /* what the store had lost came back from the second log */
    HEAL_RESTORED, /* the store was damaged, or gone: it was set aside, and made anew */
};

/* What happened when the store was opened. Zeroed, then heal_report_finish. */
struct heal_report {
    enum heal_outcome outcome;
    char why[640];     /* HEAL_RESTORED: what was found, translated */
    char *kept;        /* path of the damaged store, or NULL: there was none */
    char *backup;      /* path of the backup it was made from, NULL: there was no good one */
    int64_t backup_at; /* ms since 1970: when that was made */
    int64_t taken;     /* rows of the log that came from the second log */
    int64_t attempts;  /* those of them that are attempts */
    int64_t roster;    /* learners, sheets and fitted parameters that came back as they were last */
    int64_t mended;    /* schedules that were not as the log says, and are now */
    int64_t refused;   /* rows of the second log that could not be taken */
    bool missing;      /* answers may be missing: the second log was not whole, or there was none */
    int64_t since;     /* ms since 1970: those from then on; 0: any of them */
};
void heal_report_finish(struct heal_report *report);

/*
 * As store_open, with second_log, after looking through the whole store and holding it against its second log
 * (a second for 50 MB). A damaged store is set aside (STORE-damaged-MOMENT, with what lies beside it), the
 * newest good backup of the folder `backups` (NULL: none) or beside the store takes its place, then the
 * second log is taken in. Until that is complete the damaged store stays where it is; so it can be broken off
 * at any moment. What happened is stored as an event of kind `kiosk`: {"what":"healed",…}, without names.
 * ERROR_BUSY while others use a damaged store. No other store than a damaged one is set aside: ERROR_NEWER,
 * ERROR_READ_ONLY, ERROR_FULL as of store_open.
 */
bool heal_open(struct store **store, const char *path, const struct store_options *options,
               const char *backups, struct heal_report *report, struct error *error);

/* How it stands with the second log of an open store. */
struct heal_log {
    bool kept;    /* there is one */
    bool behind;  /* the last rows are not in it yet (a full disk): the next row tries again */
    int64_t size; /* bytes */
};
void heal_log_look(struct store *store, struct heal_log *log);

/*
 * A backup into the folder (made where it is missing), named after the store and the moment (UTC):
 * NAME-20261201T083000Z.backup. Written whole with VACUUM INTO, looked through, then named; the store knows
 * it, so erasing finds it. Then all but the newest `keep` (1 to BACKUPS_MOST) of this store's are removed.
 * memory_free *made. ERROR_DAMAGED where the store is: no older backup is removed then.
 */
enum { BACKUPS_MOST = 1000 };
bool backup_rotate(struct store *store, const char *folder, int keep, char **made, int *removed,
                   struct error *error);

/* The newest of the folder's rotating backups of the store at `path`: memory_free *newest, NULL: there is
 * none. */
bool backup_newest(const char *path, const char *folder, char **newest, int64_t *made_at, int *count,
                   struct error *error);

/* Whether one is due: there is none, or the newest is of `age` ms before `now` (ms since 1970), or of later
 * than that: it was made under a clock that was wrong. */
bool backup_due(const char *path, const char *folder, int64_t age, int64_t now, bool *due,
                struct error *error);

#endif
