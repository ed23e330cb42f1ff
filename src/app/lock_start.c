#include "lock_private.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

static long now_microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (long)(now.tv_sec * 1000000 + now.tv_nsec / 1000);
}

/* Landlock and the filter hold the thread that asks. A folder has a link for each folder in it, and two more.
 */
static bool is_alone(void)
{
    struct stat threads;
    return stat("/proc/self/task", &threads) != 0 || threads.st_nlink <= 3;
}

/* The C library's own messages need a converter's tables once, which lie in none of the folders. */
static void look_up_what_is_kept(void)
{
    tzset();
    (void)strerror(ENOENT);
}

bool lock_start_at(struct lock_report *report, const struct lock_folder *folders, int count, int abi,
                   struct error *error)
{
    long start = now_microseconds();
    struct lock_opened opened = { .count = 0 };
    memset(report, 0, sizeof *report);
    bool given = is_alone() || error_set(error, ERROR_IO, "%s",
                                         tr("a second thread runs: the kernel would not hold it back"));
    given = given && lock_opened_fill(&opened, folders, count, report->remark, error);
    if (given) {
        look_up_what_is_kept();
        int version = lock_folders_abi(report->folders_why);
        version = version < abi ? version : abi;
        if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
            snprintf(report->folders_why, LOCK_WHY, tr("new privileges can't be given up: %s"),
                     strerror(errno));
        else
            report->folders = version > 0 && lock_folders_restrict(&opened, version, report->folders_why);
        report->abi = report->folders ? version : 0;
    }
    lock_opened_close(&opened);
    if (given)
        report->calls = lock_calls_restrict(report->calls_why);
    report->microseconds = now_microseconds() - start;
    return given;
}

bool lock_start(struct lock_report *report, const struct lock_folder *folders, int count, struct error *error)
{
    return lock_start_at(report, folders, count, LOCK_ABI, error);
}

bool lock_holds(const struct lock_report *report)
{
    return report->folders && report->calls;
}

void lock_probe(struct lock_report *report)
{
    memset(report, 0, sizeof *report);
    report->abi = lock_folders_abi(report->folders_why);
    report->folders = report->abi > 0;
    report->calls = lock_calls_possible(report->calls_why);
}
