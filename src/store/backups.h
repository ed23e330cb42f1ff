/* Rotating backups in a folder: their names tell of which store they are, and when they were made. */
#ifndef QUIZTUTOR_STORE_BACKUPS_H
#define QUIZTUTOR_STORE_BACKUPS_H

#include <quiztutor/buffer.h>
#include <quiztutor/error.h>
#include <quiztutor/memory.h>
#include <stdint.h>

struct backup_file {
    const char *path;
    int64_t at; /* ms since 1970 */
    int number; /* of those of one second, from 1 */
};
struct backups {
    struct arena arena;
    struct backup_file *files; /* the newest first */
    ptrdiff_t count, capacity;
};

/* Those of the store at `path` in a folder; none where that can't be read. backups_finish whatever it
 * returns. */
bool backups_read(struct backups *backups, const char *path, const char *folder, struct error *error);
void backups_finish(struct backups *backups);

/* FOLDER/NAME-20261201T083000Z.backup; from the second one of that second on with -2, … */
void backups_name(struct buffer *name, const char *path, const char *folder, int64_t at, int number);

/* The moment of a UTC time in digits, 20261201T083000Z, −1: it is none; and the other way. */
int64_t backups_moment(const char *digits);
enum { BACKUPS_DIGITS = 16 };
void backups_digits(char text[static BACKUPS_DIGITS + 1], int64_t at);

#endif
