/*
 * Backups of a store: whole copies in one file each, made while the store is in use. A store knows those that
 * were made of it: by backup_write, by backup_restore (which keeps what it replaces), and before it was
 * brought from an older version to a later one (STORE-version-N, beside it).
 */
#ifndef QUIZTUTOR_BACKUP_H
#define QUIZTUTOR_BACKUP_H

#include <quiztutor/store.h>

/*
 * Copies the store to a file that only its owner can read: whole or not at all. ERROR_INPUT where there is a
 * file already that is no backup of this store. A store that can't be written is copied as well, but can't
 * know of it: *known (may be NULL) is then false.
 */
bool backup_write(struct store *store, const char *path, bool *known, struct error *error);

/* The backups known, by path; false of `visit` stops. `there`: the file still is. */
typedef bool backup_visit(void *context, const char *path, bool there);
bool backup_each(struct store *store, backup_visit *visit, void *context, struct error *error);

/* Takes away what a copy to `path` that was cut short (a killed program) left beside it. */
void backup_tidy(const char *path);

/* Replaces a backup that is known by a copy of the store as it is now. */
bool backup_renew(struct store *store, const char *path, struct error *error);

/*
 * Puts a backup (or any store) in the place of the store at `path`. It is looked through first and brought up
 * to date, gets ids of its own, and loses who was erased from the present store, all in a file beside it; so
 * either all of it is done or the present store stays. ERROR_BUSY while a session of the present store is
 * running, or another program reads it. What was there is kept as a backup.
 */
struct backup_restored {
    char *kept;     /* path of what was there before, NULL: nothing was; the caller's to free (memory_free) */
    bool damaged;   /* that can't be read: who was erased from it is not known */
    int64_t erased; /* learners of the backup who were erased, and are again */
    int64_t learners, attempts;
};
bool backup_restore(const char *path, const char *backup, const struct store_options *options,
                    struct backup_restored *restored, struct error *error);

#endif
