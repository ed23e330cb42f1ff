/* What `kiosk --check` finds of the store, the disk below it, its backups, and of the clock. */
#include "kiosk_check.h"

#include <quiztutor/heal.h>
#include <quiztutor/message.h>
#include <quiztutor/run.h>

#include <errno.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>

#ifndef OVERLAYFS_SUPER_MAGIC
#define OVERLAYFS_SUPER_MAGIC 0x794c7630
#endif
enum { SHOWN = 250, READ_ONLY = 1 /* ST_RDONLY */ };
static const int64_t day_ms = 86400000, hour_ms = 3600000;

static bool data_folder(const struct check *check, char folder[static MACHINE_PATH],
                        struct check_finding *finding)
{
    if (check->config && check_folder(folder, check->config->store))
        return true;
    check_found(finding, CHECK_APART, "%s", tr("the configuration does not say where it is"));
    return false;
}

void check_data_kind(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char folder[MACHINE_PATH];
    struct statfs files;
    (void)row;
    if (!data_folder(check, folder, finding))
        return;
    if (check->machine->files(folder, &files) != 0) {
        check_found(finding, CHECK_UNKNOWN, "%.*s: %s", SHOWN, folder, strerror(errno));
        check_todo(finding, "%s", errno == EACCES ? tr("run this check as root") : tr("make the folder"));
        return;
    }
    unsigned long type = (unsigned long)files.f_type & 0xffffffff;
    if (type == TMPFS_MAGIC || type == RAMFS_MAGIC) {
        check_found(finding, CHECK_BAD, tr("%.*s lies in memory: all answers are gone after a restart"),
                    SHOWN, folder);
        check_todo(finding, "%s", tr("name a store on a disk: `store` in the configuration"));
    } else if (health_network((unsigned long)files.f_type)) {
        check_found(finding, CHECK_BAD, tr("%.*s is on a network file system: answers can be lost with it"),
                    SHOWN, folder);
        check_todo(finding, "%s", tr("name a store on a disk of this machine: `store` in the configuration"));
    } else if (files.f_flags & READ_ONLY) {
        check_found(finding, CHECK_BAD, tr("%.*s can't be written to: no answer would be kept"), SHOWN,
                    folder);
        check_todo(finding, "%s", tr("have its file system mounted rw in /etc/fstab"));
    } else if (type == OVERLAYFS_SUPER_MAGIC) {
        check_found(finding, CHECK_BAD,
                    tr("%.*s is on an overlay, as of a live system: answers may be gone after a restart"),
                    SHOWN, folder);
        check_todo(finding, "%s", tr("name a store on a disk: `store` in the configuration"));
    } else {
        check_found(finding, CHECK_GOOD, tr("%.*s, on a disk of this machine"), SHOWN, folder);
    }
}

/* Its second log outlives a store that was taken away. */
static bool had_store(const struct check *check)
{
    char path[MACHINE_PATH];
    struct stat status;
    return snprintf(path, sizeof path, "%s-attempts", check->config->store) < MACHINE_PATH &&
           check->machine->status(path, &status) == 0;
}

/* What stands in the way of reading the store; the finding says so. */
static bool has_store(const struct check *check, struct check_finding *finding)
{
    char folder[MACHINE_PATH];
    if (!data_folder(check, folder, finding))
        return false;
    if (check->store)
        return true;
    if (check->store_error.code == ERROR_NOT_FOUND && had_store(check)) {
        check_found(finding, CHECK_BAD, "%s", tr("it is gone, and its second log is still there"));
        check_todo(finding, "%s",
                   tr("start the kiosk: it makes it anew from the newest backup and that log"));
    } else if (check->store_error.code == ERROR_NOT_FOUND) {
        check_found(finding, CHECK_NOTE, "%s",
                    tr("there is none yet: the kiosk makes it when it first starts"));
    } else {
        check_found(finding, check->store_error.code == ERROR_DAMAGED ? CHECK_BAD : CHECK_UNKNOWN, "%s",
                    check->store_error.message);
        check_todo(finding, "%s",
                   check->store_error.code == ERROR_DAMAGED
                       ? tr("start the kiosk: it sets a damaged store aside, and restores what there is")
                       : tr("run this check as root; where another program holds the store, end that"));
    }
    return false;
}

void check_store(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    struct check_beside beside;
    (void)row;
    if (!has_store(check, finding))
        return;
    if (*check->health.damage) {
        check_found(finding, CHECK_BAD, tr("it is damaged: %s"), check->health.damage);
        check_todo(finding, "%s",
                   tr("start the kiosk anew: it sets a damaged store aside, and restores what there is"));
        return;
    }
    check_beside(check->machine, check->config->store, &beside);
    if (beside.count) {
        check_found(finding, CHECK_BAD,
                    ntr("%d damaged store was set aside: %s", "%d damaged stores were set aside, as %s",
                        beside.count),
                    beside.count, beside.first);
        check_todo(finding, "%s", tr("see that no answers are missing, then move it to another folder"));
        return;
    }
    check_found(finding, CHECK_GOOD, "%s",
                check->health.whole ? tr("sound")
                                    : tr("sound as far as it was looked through in two seconds"));
}

void check_clock(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    int64_t now = clock_wall(&check->machine->clock);
    int64_t newest = check->store ? check->health.newest_at : 0;
    int64_t days = (now > newest ? now - newest : newest - now) / day_ms;
    (void)row;
    switch (clock_judge(now, newest)) {
    case CLOCK_FINE:
        check_found(finding, CHECK_GOOD, "%s", newest ? tr("fits to the newest answer") : tr("plausible"));
        return;
    case CLOCK_BEFORE:
        check_found(finding, CHECK_BAD, "%s", tr("it stands before 2020"));
        break;
    case CLOCK_BEHIND:
        check_found(finding, CHECK_BAD,
                    ntr("it stands before the newest answer, by %lld day",
                        "it stands before the newest answer, by %lld days", days),
                    (long long)days);
        break;
    case CLOCK_AHEAD:
        check_found(finding, CHECK_BAD, "%s",
                    newest ? tr("it stands more than a year after the newest answer")
                           : tr("it stands after 2100"));
        break;
    }
    check_todo(finding, tr("set it (%s), and have it kept right (%s)"), "timedatectl set-time",
               "timedatectl set-ntp true");
}

void check_backups(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    const struct kiosk_backups *backups = check->config ? &check->config->backups : NULL;
    char *newest = NULL;
    int64_t at = 0, now = clock_wall(&check->machine->clock);
    int count = 0;
    struct error error = { .code = ERROR_NONE };
    char folder[MACHINE_PATH];
    (void)row;
    if (!data_folder(check, folder, finding))
        return;
    if (!backups->folder) {
        check_found(finding, CHECK_BAD, "%s", tr("none are made"));
        check_todo(
            finding, "%s",
            tr("name a folder for them, on another disk: `backups: {folder: …}` in the configuration"));
        return;
    }
    if (!backup_newest(check->config->store, backups->folder, &newest, &at, &count, &error)) {
        check_found(finding, CHECK_UNKNOWN, "%s", error.message);
    } else if (!count && !check->store) {
        check_found(finding, CHECK_NOTE, "%s", tr("there is nothing to copy yet"));
    } else if (!count) {
        check_found(finding, CHECK_BAD, tr("there is none in %.*s"), SHOWN, backups->folder);
        check_todo(finding, tr("run %s"), "systemctl enable --now quiztutor-kiosk-backup.timer");
    } else if (now - at > 2 * backups->hours * hour_ms) {
        check_found(finding, CHECK_BAD,
                    ntr("the newest is %lld hour old", "the newest is %lld hours old", (now - at) / hour_ms),
                    (long long)((now - at) / hour_ms));
        check_todo(finding, tr("see why with %s"),
                   "systemctl status quiztutor-kiosk-backup.timer quiztutor-kiosk-backup.service");
    } else {
        check_found(
            finding, CHECK_GOOD,
            ntr("%d, the newest %lld hour old", "%d, the newest %lld hours old", (now - at) / hour_ms), count,
            (long long)((now - at) / hour_ms));
    }
    memory_free(newest);
}
