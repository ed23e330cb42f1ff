/*
 * The machine that a kiosk runs on, as `kiosk --check` and `--status` look at it. What is read of /proc, /sys
 * and /etc, what the kernel is asked and the time come from a struct, so that tests can show another machine.
 * Nothing here changes anything.
 */
#ifndef QUIZTUTOR_MACHINE_H
#define QUIZTUTOR_MACHINE_H

#include <quiztutor/clock.h>
#include <quiztutor/lock.h>
#include <quiztutor/memory.h>

#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/vfs.h>

/* The characters that a console's font has. */
struct machine_font {
    uint16_t *codes; /* in no order; memory_free */
    int count;
};

struct machine {
    const char *root;                                     /* put before /proc, /etc, /run */
    int (*status)(const char *path, struct stat *status); /* lstat */
    int (*files)(const char *path, struct statfs *files); /* statfs */
    ssize_t (*attribute)(const char *path, const char *name, void *value, size_t size); /* lgetxattr */
    /* False where there is no Linux console to be asked. */
    bool (*font)(struct machine_font *font);
    void (*lock)(struct lock_report *report); /* lock_probe */
    struct clock clock;
};
struct machine machine_system(void); /* this one */

enum { MACHINE_PATH = 600, MACHINE_TEXT = 65536 };

/* `root` and the path; false where that is too long. */
bool machine_path(const struct machine *machine, char path[static MACHINE_PATH], const char *rest);

/* What stands in a file, its last newline gone; at most MACHINE_TEXT bytes. memory_free; NULL with errno. */
char *machine_read(const struct machine *machine, const char *path);

/* Where a link leads, false for what is none. */
bool machine_link(const struct machine *machine, const char *path, char target[static MACHINE_PATH]);

/*
 * The value of a key in systemd's way: FILE, then FILE.d with its *.conf by name, of /usr/lib, /run and /etc;
 * the last one counts. Empty where none says it.
 */
enum { MACHINE_VALUE = 64 };
void machine_setting(const struct machine *machine, const char *file, const char *key,
                     char value[static MACHINE_VALUE]);

/* Calls visit for each process, by the path of its folder in /proc, until that answers false. */
typedef bool machine_visit(void *context, const struct machine *machine, const char *folder);
void machine_processes(const struct machine *machine, machine_visit *visit, void *context);

/* A kiosk that is running here now: the first found. */
struct machine_kiosk {
    int pid; /* 0: none was found */
    unsigned uid, umask;
    bool no_new_privs, filtered; /* what its /proc/PID/status says */
};
void machine_find_kiosk(const struct machine *machine, struct machine_kiosk *kiosk);

#endif
