/* What `kiosk --check` finds of owners and modes: nobody but the kiosk's user gets at the data, and the
 * kiosk's user gets at nothing that says what the kiosk does. */
#include "kiosk_check.h"

#include <quiztutor/message.h>

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OTHERS = 077, WRITE_OTHERS = 022, ENTRIES = 100000, SHOWN = 250 };

bool check_folder(char folder[static MACHINE_PATH], const char *path)
{
    const char *slash = strrchr(path, '/');
    int length = slash && slash > path ? (int)(slash - path) : 1;
    return snprintf(folder, MACHINE_PATH, "%.*s", length, slash ? path : ".") < MACHINE_PATH;
}

static bool refuse_status(struct check_finding *finding, const char *path)
{
    check_found(finding, CHECK_UNKNOWN, "%.*s: %s", SHOWN, path, strerror(errno));
    if (errno == EACCES)
        check_todo(finding, "%s", tr("run this check as root"));
    return false;
}

/* Whether others can't change what the path names, itself apart from those above it. */
static bool is_guarded(const struct check *check, const char *path, struct check_finding *finding)
{
    struct stat status;
    if (check->machine->status(path, &status) != 0)
        return refuse_status(finding, path);
    if (S_ISLNK(status.st_mode))
        return true; /* what counts is the folder that holds it, and where it leads */
    if (check->has_user && check->user && status.st_uid == check->user) {
        check_found(finding, CHECK_BAD, tr("%.*s belongs to user %u, as whom the kiosk runs"), SHOWN, path,
                    (unsigned)status.st_uid);
        check_todo(finding, tr("run chown root %.*s"), SHOWN, path);
        return false;
    }
    bool sticky = S_ISDIR(status.st_mode) && (status.st_mode & S_ISVTX);
    if (!(status.st_mode & WRITE_OTHERS) || sticky)
        return true;
    check_found(finding, CHECK_BAD, tr("others may write to %.*s (mode %04o)"), SHOWN, path,
                (unsigned)status.st_mode & 07777u);
    check_todo(finding, tr("run chmod go-w %.*s"), SHOWN, path);
    return false;
}

/* The same with all folders above it, to the top. */
static bool is_guarded_above(const struct check *check, const char *path, struct check_finding *finding)
{
    char above[MACHINE_PATH];
    if (!is_guarded(check, path, finding) || strlen(path) >= sizeof above)
        return false;
    strcpy(above, path);
    for (char *slash; (slash = strrchr(above, '/')) != NULL && slash > above;) {
        *slash = '\0';
        if (!is_guarded(check, above, finding))
            return false;
    }
    return *above != '/' || is_guarded(check, "/", finding);
}

/* The path as it is written, and where it really leads. */
static bool is_safe(const struct check *check, const char *path, struct check_finding *finding)
{
    char real[PATH_MAX];
    if (!realpath(path, real))
        return refuse_status(finding, path);
    return is_guarded_above(check, path, finding) &&
           (strcmp(path, real) == 0 || strlen(real) >= MACHINE_PATH ||
            is_guarded_above(check, real, finding));
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), its = strlen(end);
    return length >= its && strcmp(name + length - its, end) == 0;
}

/* All YAML files of a folder, which are as guarded as itself. */
static bool is_safe_folder(const struct check *check, const char *path, struct check_finding *finding)
{
    char file[MACHINE_PATH];
    struct dirent *entry;
    if (!is_safe(check, path, finding))
        return false;
    DIR *folder = opendir(path);
    bool safe = folder || refuse_status(finding, path);
    for (int i = 0; safe && i < ENTRIES && (entry = readdir(folder)) != NULL; i++)
        if (*entry->d_name != '.' && (ends_with(entry->d_name, ".yaml") || ends_with(entry->d_name, ".yml")))
            safe = snprintf(file, sizeof file, "%s/%s", path, entry->d_name) < MACHINE_PATH &&
                   is_guarded(check, file, finding);
    if (folder)
        closedir(folder);
    return safe;
}

/* A tutor's code that all can read can be guessed at elsewhere. */
static bool is_secret(const struct check *check, const char *path, struct check_finding *finding)
{
    struct stat status;
    if (!check->config || !check->config->tutor_code || check->machine->status(path, &status) != 0 ||
        !(status.st_mode & S_IROTH))
        return true;
    check_found(finding, CHECK_BAD, tr("everybody may read the tutor's code in %.*s (mode %04o)"), SHOWN,
                path, (unsigned)status.st_mode & 07777u);
    check_todo(finding, tr("run chmod o-r %.*s; the kiosk's group must be the file's"), SHOWN, path);
    return false;
}

void check_config_files(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char folder[MACHINE_PATH];
    struct stat status;
    const char *path = check->config ? check->config->path : check->config_path;
    (void)row;
    if (!is_safe(check, path, finding) || !is_secret(check, path, finding))
        return;
    int length = (int)strlen(path) - (ends_with(path, ".yaml") ? 5 : 0);
    if (snprintf(folder, sizeof folder, "%.*s.d", length, path) < MACHINE_PATH &&
        check->machine->status(folder, &status) == 0 && !is_safe_folder(check, folder, finding))
        return;
    check_found(finding, CHECK_GOOD, "%s", tr("only root can change them"));
}

void check_pack_files(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    (void)row;
    for (int i = 0; check->config && i < check->config->content.count; i++)
        if (!is_safe_folder(check, check->config->content.items[i].text, finding))
            return;
    if (check->config)
        check_found(finding, CHECK_GOOD, "%s", tr("the kiosk's user can't change them"));
    else
        check_found(finding, CHECK_APART, "%s", tr("the configuration does not say where they are"));
}

/* One that is there must be the kiosk's alone. */
static bool is_private(const struct check *check, const char *path, bool folder,
                       struct check_finding *finding)
{
    struct stat status;
    if (check->machine->status(path, &status) != 0)
        return errno == ENOENT || refuse_status(finding, path);
    if (status.st_mode & OTHERS) {
        check_found(finding, CHECK_BAD, tr("others may use %.*s (mode %04o)"), SHOWN, path,
                    (unsigned)status.st_mode & 07777u);
        check_todo(finding, tr("run chmod %s %.*s"), folder ? "700" : "600", SHOWN, path);
        return false;
    }
    if (status.st_uid == check->user)
        return true;
    check_found(finding, CHECK_BAD, tr("%.*s belongs to user %u, its folder to user %u"), SHOWN, path,
                (unsigned)status.st_uid, check->user);
    check_todo(finding, tr("run chown %u %.*s"), check->user, SHOWN, path);
    return false;
}

/* Whether more than the mode says who gets at it, or at what is made in it. */
static bool has_list(const struct check *check, const char *path, struct check_finding *finding)
{
    static const char *const names[] = { "system.posix_acl_access", "system.posix_acl_default" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (check->machine->attribute(path, names[i], NULL, 0) >= 0) {
            check_found(finding, CHECK_BAD,
                        tr("%.*s has an access list: who gets at it does not stand in its mode"), SHOWN,
                        path);
            check_todo(finding, tr("look at it with getfacl, and run setfacl -bk %.*s"), SHOWN, path);
            return true;
        }
        if (errno != ENODATA && errno != EOPNOTSUPP && errno != ENOENT && errno != ENOTDIR) {
            refuse_status(finding, path);
            return true;
        }
    }
    return false;
}

static const char *const data_endings[] = {
    "", "-wal", "-shm", "-journal", "-lock", "-reserve", "-attempts"
};

void check_data_lists(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char folder[MACHINE_PATH], path[MACHINE_PATH];
    (void)row;
    if (!check->config || !check_folder(folder, check->config->store)) {
        check_found(finding, CHECK_APART, "%s", tr("the configuration does not say where they are"));
        return;
    }
    if (has_list(check, folder, finding))
        return;
    for (size_t i = 0; i < sizeof data_endings / sizeof *data_endings; i++)
        if (snprintf(path, sizeof path, "%s%s", check->config->store, data_endings[i]) < MACHINE_PATH &&
            has_list(check, path, finding))
            return;
    check_found(finding, CHECK_GOOD, "%s", tr("none: the modes say it all"));
}

void check_data_files(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char folder[MACHINE_PATH], path[MACHINE_PATH];
    (void)row;
    if (!check->config || !check_folder(folder, check->config->store)) {
        check_found(finding, CHECK_APART, "%s", tr("the configuration does not say where they are"));
        return;
    }
    if (!check->has_user) {
        check_found(finding, CHECK_UNKNOWN, tr("the folder %.*s is not there, or can't be looked at"), SHOWN,
                    folder);
        check_todo(finding, tr("make it for the kiosk's user, with mode 0700"));
        return;
    }
    if (check->user == 0) {
        check_found(finding, CHECK_BAD, tr("the folder %.*s belongs to root"), SHOWN, folder);
        check_todo(finding, tr("give it to a user of the kiosk's own, with chown"));
        return;
    }
    if (!is_private(check, folder, true, finding))
        return;
    for (size_t i = 0; i < sizeof data_endings / sizeof *data_endings; i++)
        if (snprintf(path, sizeof path, "%s%s", check->config->store, data_endings[i]) < MACHINE_PATH &&
            !is_private(check, path, false, finding))
            return;
    char above[MACHINE_PATH];
    if (check_folder(above, folder) && !is_guarded_above(check, above, finding))
        return;
    check_found(finding, CHECK_GOOD, tr("user %u alone can read and write them"), check->user);
}
