/*
 * Another machine, in a folder of its own: files of /proc, /etc and /run below ROOT, a configuration, packs
 * and data beside it, and what the kernel would say as fields. All is as it should be until a test changes
 * it.
 */
#ifndef TEST_FAKE_MACHINE_H
#define TEST_FAKE_MACHINE_H

#include "kiosk_status.h"

enum { FAKE_USER = 4711, FAKE_CHANGES = 8 };

struct fake {
    char folder[64];
    struct machine machine;
    struct clock_fake clock;
    char root[80], config[96], store[96];
    /* lstat says this of paths that end so, instead of root's and 0755 or 0644 */
    struct {
        const char *ending;
        unsigned uid, mode; /* mode 0: as it is */
    } changes[FAKE_CHANGES];
    int change_count;
    long type, flags; /* of the file system with the data */
    int64_t room;     /* bytes free */
    bool no_files;    /* statfs fails */
    bool no_console, no_lock;
    const char *list, *list_name; /* paths that end so have this attribute */
    const uint16_t *font;         /* NULL: ASCII; ended by 0 */
};
extern struct fake *fake; /* the one in use */

void fake_begin(struct fake *machine);
void fake_end(struct fake *machine);

/* Writes a file below the folder; folders above it are made. */
void fake_write(const char *name, const char *text);
void fake_remove(const char *name);
void fake_link(const char *name, const char *target);
void fake_set(const char *ending, unsigned uid, unsigned mode);

/* The row of that name, over what is there now. */
void fake_look(const char *row, struct check_finding *finding);

#endif
