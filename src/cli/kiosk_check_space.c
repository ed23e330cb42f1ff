/* What `kiosk --check` finds of the room on the disks, and what lies beside a store. */
#include "kiosk_check.h"

#include <quiztutor/heal.h>
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN = 250, ENTRIES = 100000 };
static const int64_t megabyte = 1000000;

void check_bytes(char text[static CHECK_BYTES], int64_t bytes)
{
    if (bytes < megabyte)
        snprintf(text, CHECK_BYTES, tr("%.0f kB"), (double)bytes / 1e3);
    else if (bytes < 10000 * megabyte)
        snprintf(text, CHECK_BYTES, tr("%.1f MB"), (double)bytes / 1e6);
    else
        snprintf(text, CHECK_BYTES, tr("%.1f GB"), (double)bytes / 1e9);
}

int64_t check_free(const struct machine *machine, const char *path)
{
    struct statfs files;
    if (machine->files(path, &files) != 0)
        return -1;
    if (files.f_files > 0 && files.f_ffree == 0)
        return 0; /* no file can be made any more */
    return (int64_t)files.f_bavail * (int64_t)files.f_bsize;
}

/* SQLite's own log and a copy while it is checked or written anew, and what a class answers in a term. */
int64_t check_wanted(int64_t store_size)
{
    return 2 * store_size + 64 * megabyte;
}

static int64_t size_of(const struct machine *machine, const char *store, const char *ending)
{
    char path[MACHINE_PATH];
    struct stat status;
    if (snprintf(path, sizeof path, "%s%s", store, ending) >= MACHINE_PATH ||
        machine->status(path, &status) != 0)
        return -1;
    return status.st_size;
}

/* STORE-damaged-MOMENT, and not what was set aside with it. */
static bool is_damaged(const char *name, const char *store)
{
    static const char middle[] = "-damaged-";
    size_t length = strlen(store);
    if (strncmp(name, store, length) != 0 || strncmp(name + length, middle, sizeof middle - 1) != 0)
        return false;
    const char *moment = name + length + sizeof middle - 1;
    return moment[strspn(moment, "0123456789TZ-")] == '\0';
}

void check_beside(const struct machine *machine, const char *store, struct check_beside *beside)
{
    char folder[MACHINE_PATH];
    const char *slash = strrchr(store, '/');
    struct dirent *entry;
    memset(beside, 0, sizeof *beside);
    DIR *directory = check_folder(folder, store) ? opendir(folder) : NULL;
    for (int i = 0; directory && i < ENTRIES && (entry = readdir(directory)) != NULL; i++)
        if (is_damaged(entry->d_name, slash ? slash + 1 : store) && beside->count++ == 0)
            snprintf(beside->first, sizeof beside->first, "%s", entry->d_name);
    if (directory)
        closedir(directory);
    int64_t file = size_of(machine, store, ""), log = size_of(machine, store, "-wal");
    beside->size = (file > 0 ? file : 0) + (log > 0 ? log : 0);
    beside->second = size_of(machine, store, "-attempts");
    beside->reserve = size_of(machine, store, "-reserve") > 0;
}

static void tell_space(struct check_finding *finding, int64_t left, int64_t wanted, const char *folder)
{
    char has[CHECK_BYTES], needs[CHECK_BYTES];
    if (left < 0) {
        check_found(finding, CHECK_UNKNOWN, "%.*s: %s", SHOWN, folder, strerror(errno));
        return;
    }
    check_bytes(has, left);
    check_bytes(needs, wanted);
    if (left >= wanted) {
        check_found(finding, CHECK_GOOD, "%s", has);
        return;
    }
    check_found(finding, CHECK_BAD, tr("%s, and %s should be"), has, needs);
    check_todo(finding, tr("make room on the disk of %.*s"), SHOWN, folder);
}

void check_space(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char folder[MACHINE_PATH];
    struct check_beside beside;
    (void)row;
    if (!check->config || !check_folder(folder, check->config->store)) {
        check_found(finding, CHECK_APART, "%s", tr("the configuration does not say where it is"));
        return;
    }
    check_beside(check->machine, check->config->store, &beside);
    tell_space(finding, check_free(check->machine, folder), check_wanted(beside.size), folder);
    if (finding->state == CHECK_GOOD && check->store && !beside.reserve) {
        check_found(finding, CHECK_BAD, "%s",
                    tr("the reserve beside the store was given up: the disk was full"));
        check_todo(finding, "%s", tr("it comes back with the next start of the kiosk, where there is room"));
    }
}

/* Until as many are kept as wanted, each is one more. */
void check_backup_space(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    const char *folder = check->config ? check->config->backups.folder : NULL;
    char above[MACHINE_PATH];
    struct check_beside beside;
    struct error error = { .code = ERROR_NONE };
    char *newest = NULL;
    int64_t at;
    int count = 0;
    (void)row;
    if (!folder) {
        check_found(finding, CHECK_APART, "%s", tr("none are made"));
        return;
    }
    bool done = backup_newest(check->config->store, folder, &newest, &at, &count, &error);
    memory_free(newest);
    if (!done) {
        check_found(finding, CHECK_UNKNOWN, "%s", error.message);
        return;
    }
    check_beside(check->machine, check->config->store, &beside);
    int missing = check->config->backups.keep > count ? check->config->backups.keep - count : 0;
    int64_t left = check_free(check->machine, folder);
    if (left < 0 && errno == ENOENT && check_folder(above, folder)) /* it is made with the first one */
        left = check_free(check->machine, above);
    tell_space(finding, left, (missing + 1) * beside.size, folder);
}
