/*
 * The two halves of lock_start, apart so that a test can do without either and play an older kernel.
 */
#ifndef QUIZTUTOR_APP_LOCK_PRIVATE_H
#define QUIZTUTOR_APP_LOCK_PRIVATE_H

#include <quiztutor/lock.h>

/* The newest version of Landlock whose rights are known here. */
enum { LOCK_ABI = 7, LOCK_FOLDERS_MOST = 64 };

/* Folders held open while rules are made of them. */
struct lock_opened {
    int fds[LOCK_FOLDERS_MOST];
    bool writes[LOCK_FOLDERS_MOST];
    int count;
};

/* Opens the folders asked for and those of the system; lock_opened_close in any case. A remark about what is
 * narrower than asked for goes to `remark` (LOCK_WHY). */
bool lock_opened_fill(struct lock_opened *opened, const struct lock_folder *folders, int count, char *remark,
                      struct error *error);
void lock_opened_close(struct lock_opened *opened);

/* The kernel's version of Landlock; 0, and why, where it has none. */
int lock_folders_abi(char why[static LOCK_WHY]);

/* From here on nothing but these folders, by the rights of version `abi`. False and why. */
bool lock_folders_restrict(const struct lock_opened *opened, int abi, char why[static LOCK_WHY]);

/* True where the kernel filters system calls and this program can say which; else why not. */
bool lock_calls_possible(char why[static LOCK_WHY]);
/* From here on only the calls on the list. False and why. */
bool lock_calls_restrict(char why[static LOCK_WHY]);

/* lock_start as a kernel with no more than version `abi` of Landlock would have it. */
bool lock_start_at(struct lock_report *report, const struct lock_folder *folders, int count, int abi,
                   struct error *error);

#endif
