/* What `kiosk --check` finds of swap: what learners typed may be written to it. */
#include "kiosk_check.h"

#include <quiztutor/message.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>

enum { LAYERS = 8 /* of devices on devices */, SLAVES = 64, NAME = 256, LINES = 64, SHOWN = 200 };

enum secrecy { SECRET_NO, SECRET_YES, SECRET_UNKNOWN };

/* Whether a block device, by its name in /sys, is encrypted, or lies on nothing but such. */
static enum secrecy device_secrecy(const struct machine *machine, const char *name, int layers)
{
    char path[MACHINE_PATH], rest[MACHINE_PATH];
    struct dirent *entry;
    if (strncmp(name, "zram", 4) == 0)
        return SECRET_YES; /* memory itself */
    if (snprintf(rest, sizeof rest, "/sys/class/block/%.200s/dm/uuid", name) >= MACHINE_PATH)
        return SECRET_UNKNOWN;
    char *kind = machine_read(machine, rest);
    bool crypt = kind && strncmp(kind, "CRYPT-", 6) == 0, mapped = kind != NULL;
    memory_free(kind);
    if (crypt)
        return SECRET_YES;
    snprintf(rest, sizeof rest, "/sys/class/block/%.200s/slaves", name);
    DIR *folder = layers > 0 && machine_path(machine, path, rest) ? opendir(path) : NULL;
    enum secrecy found = mapped ? SECRET_UNKNOWN : SECRET_NO;
    int count = 0;
    for (int i = 0; folder && i < SLAVES && (entry = readdir(folder)) != NULL; i++) {
        if (*entry->d_name == '.')
            continue;
        enum secrecy below = device_secrecy(machine, entry->d_name, layers - 1);
        found = count++ == 0 || below == SECRET_NO ? below : found == SECRET_YES ? below : found;
    }
    if (folder)
        closedir(folder);
    return found;
}

/* A file of swap lies on the device of its file system, where that has one. */
static enum secrecy file_secrecy(const struct machine *machine, const char *path)
{
    char rest[MACHINE_PATH], target[MACHINE_PATH];
    struct stat status;
    if (machine->status(path, &status) != 0)
        return SECRET_UNKNOWN;
    snprintf(rest, sizeof rest, "/sys/dev/block/%u:%u", major(status.st_dev), minor(status.st_dev));
    const char *name = machine_link(machine, rest, target) ? strrchr(target, '/') : NULL;
    return name ? device_secrecy(machine, name + 1, LAYERS) : SECRET_UNKNOWN;
}

/* Of a line of /proc/swaps: its first word is a path, in which blanks are written \040. */
static enum secrecy swap_secrecy(const struct machine *machine, const char *line, char shown[static NAME])
{
    static const char device[] = "/dev/";
    size_t length = strcspn(line, " \t");
    snprintf(shown, NAME, "%.*s", (int)(length < NAME ? length : NAME - 1), line);
    if (strchr(shown, '\\'))
        return SECRET_UNKNOWN;
    if (strncmp(shown, device, sizeof device - 1) != 0)
        return file_secrecy(machine, shown);
    return strchr(shown + sizeof device - 1, '/')
               ? SECRET_UNKNOWN
               : device_secrecy(machine, shown + sizeof device - 1, LAYERS);
}

void check_swap(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char *text = machine_read(check->machine, "/proc/swaps"), open[NAME] = "", shown[NAME];
    enum secrecy worst = SECRET_YES;
    int count = 0;
    (void)row;
    if (!text) {
        check_found(finding, errno == ENOENT ? CHECK_GOOD : CHECK_UNKNOWN, "%s",
                    errno == ENOENT ? tr("this kernel has none") : strerror(errno));
        return;
    }
    const char *line = strchr(text, '\n'); /* the first is a heading */
    for (int i = 0; line && line[1] && i < LINES; i++, line = strchr(line + 1, '\n'), count++) {
        enum secrecy secrecy = swap_secrecy(check->machine, line + 1, shown);
        if (secrecy == SECRET_YES || (worst == SECRET_NO && secrecy == SECRET_UNKNOWN))
            continue;
        worst = secrecy;
        memcpy(open, shown, sizeof open);
    }
    memory_free(text);
    if (count == 0)
        check_found(finding, CHECK_GOOD, "%s", tr("there is none"));
    else if (worst == SECRET_YES)
        check_found(finding, CHECK_GOOD, "%s", tr("it is encrypted, or in memory"));
    else
        check_found(
            finding, CHECK_NOTE,
            worst == SECRET_NO
                ? tr("%.*s is not encrypted: what is typed may be left on the disk; swapoff ends that")
                : tr("whether %.*s is encrypted can't be told; swapoff ends the question"),
            SHOWN, open);
}
