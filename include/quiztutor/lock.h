/*
 * What keeps whoever sits at a kiosk inside it, and whoever might take the process over away from the
 * machine: signals, descriptors, environment and limits of the process, then the kernel's own refusals
 * (Landlock on folders, a seccomp filter on system calls). Nothing of it can be undone in the process that
 * asked for it, which is why the order matters: the calls below stand in the order in which a kiosk makes
 * them, and all of them come before a second thread is started. There are no threads and no children
 * afterwards.
 */
#ifndef QUIZTUTOR_LOCK_H
#define QUIZTUTOR_LOCK_H

#include <quiztutor/error.h>

#include <stdbool.h>

/*
 * 1. The first line of main, where the command is `kiosk`: from here on no key and no signal that can be
 * caught ends or stops the process, but SIGTERM sent by process 1 (or from outside this process's namespace:
 * a container that is stopped), which lock_ending tells of. What the starter had blocked is let through
 * again. Faults of the program itself, abort among them, still end it; a hang-up shows as the end of input.
 */
void lock_signals(void);

/* The machine is going down, or the unit is stopped: end in order. Ask at every tick. */
bool lock_ending(void);

/* The other way, for `kiosk --check` and `--status`: signals mean again what they meant to the starter. */
void lock_signals_forgo(void);

/* 2. Directly after it: descriptors 0, 1 and 2 that were closed are opened on /dev/null, all others are
 * closed; umask 077; no core dumps; not dumpable, so that no other process of the same user looks in. False
 * where the system refuses one of them. */
bool lock_process(struct error *error);

/*
 * 3. Before message_start, since a locale is read where the environment says: keeps TERM where it is one of
 * lock_terminals (otherwise it becomes vt100) and drops everything else. LANG becomes C.UTF-8, TZ the
 * machine's own /etc/localtime, read once: local time stays right though no later call may open that file.
 * False without memory.
 */
bool lock_environment(struct error *error);

/* The values of TERM that are kept; NULL ends the list. */
extern const char *const lock_terminals[];

/*
 * 4. When the configuration is known, before anything is shown: has messages come out in `language` (a code
 * such as "de" or "pt-BR", or a locale's name) by LANG and LANGUAGE, and sets the locale (calls
 * message_start). False where they come out in another one, which needs its catalogue and, from glibc 2.39
 * on, an installed locale of that language. NULL and "" are English.
 */
bool lock_language(const char *language);

/* 5. A folder that the kiosk goes on using. (LOCK_READ and LOCK_WRITE are fcntl.h's.) */
enum lock_access {
    LOCK_FOLDER_READ,  /* read what is in it; passed over where it is not there */
    LOCK_FOLDER_SET,   /* the same also after the folder itself, or a link to it, was replaced by rename: its
                        * parent is opened too, unless that is a folder of the system's (lock_report says so) */
    LOCK_FOLDER_WRITE, /* the data: read, write, create, rename, remove; must be there */
};
struct lock_folder {
    const char *path; /* absolute; of a file, the folder that holds it is meant. Borrowed */
    enum lock_access access;
};

enum { LOCK_WHY = 400 };

struct lock_report {
    bool folders;               /* the kernel refuses what lies outside the folders (Landlock) */
    bool calls;                 /* the kernel refuses system calls that no kiosk makes (seccomp) */
    int abi;                    /* Landlock's version; 0 without it */
    char folders_why[LOCK_WHY]; /* why not, and the setting to change; empty where it holds */
    char calls_why[LOCK_WHY];
    char remark[LOCK_WHY]; /* what holds but narrower than asked for; empty mostly */
    long microseconds;     /* that the set-up took */
};

/*
 * After setlocale, tzset, account and machine-id look-ups (store_look_around), before content is read: allows
 * these folders, and those of terminfo, locales and time zones to read, and nothing else of the file system;
 * then only the system calls on the list. A kernel without one of the two gives true and a report that says
 * so: exams must then be refused and a banner shown (lock_holds). False, with nothing locked, for a folder
 * that may not be given (not absolute, /, /etc and the like; a LOCK_FOLDER_WRITE that is not there), without
 * memory, and where a second thread runs.
 */
bool lock_start(struct lock_report *report, const struct lock_folder *folders, int count,
                struct error *error);

/* Both hold. */
bool lock_holds(const struct lock_report *report);

/* What lock_start would find here, for `kiosk --check`: locks nothing. */
void lock_probe(struct lock_report *report);

/* True where this program was built with libseccomp. */
bool lock_has_calls(void);

#endif
