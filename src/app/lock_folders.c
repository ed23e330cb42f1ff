#include "lock_private.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef QUIZTUTOR_LOCALEDIR
#define QUIZTUTOR_LOCALEDIR "/usr/local/share/locale"
#endif

/* As linux/landlock.h has them; that of the machine that builds may be older than the kernel that runs. */
enum { RULESET_VERSION = 1, RULE_PATH_BENEATH = 1 };
struct ruleset {
    uint64_t files, network, scope;
};
struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));

enum right {
    RIGHT_EXECUTE = 1 << 0,
    RIGHT_WRITE_FILE = 1 << 1,
    RIGHT_READ_FILE = 1 << 2,
    RIGHT_READ_DIR = 1 << 3,
    RIGHT_REMOVE_DIR = 1 << 4,
    RIGHT_REMOVE_FILE = 1 << 5,
    RIGHT_MAKE_CHAR = 1 << 6,
    RIGHT_MAKE_DIR = 1 << 7,
    RIGHT_MAKE_REG = 1 << 8,
    RIGHT_MAKE_SOCK = 1 << 9,
    RIGHT_MAKE_FIFO = 1 << 10,
    RIGHT_MAKE_BLOCK = 1 << 11,
    RIGHT_MAKE_SYM = 1 << 12,
    RIGHT_REFER = 1 << 13,
    RIGHT_TRUNCATE = 1 << 14,
    RIGHT_IOCTL_DEV = 1 << 15,
};
enum {
    READS = RIGHT_READ_FILE | RIGHT_READ_DIR,
    WRITES = READS | RIGHT_WRITE_FILE | RIGHT_REMOVE_FILE | RIGHT_MAKE_REG | RIGHT_MAKE_DIR | RIGHT_REFER |
             RIGHT_TRUNCATE,
    TCP_BIND_CONNECT = 3,      /* LANDLOCK_ACCESS_NET_* */
    ABSTRACT_SOCKET_SIGNAL = 3 /* LANDLOCK_SCOPE_* */
};

/* What each version of Landlock added (the kernel's userspace-api/landlock). What is not handled is allowed,
 * so all that a kernel knows is handled. */
static const struct {
    int abi;
    uint64_t files, network, scope;
} added[] = {
    { 1, RIGHT_REFER - 1, 0, 0 },  { 2, RIGHT_REFER, 0, 0 },     { 3, RIGHT_TRUNCATE, 0, 0 },
    { 4, 0, TCP_BIND_CONNECT, 0 }, { 5, RIGHT_IOCTL_DEV, 0, 0 }, { 6, 0, 0, ABSTRACT_SOCKET_SIGNAL },
};

/* What ncurses and the C library go on reading, and the boot's id, which each opened store asks for. */
static const char *const of_the_system[] = {
    "/usr/share/terminfo", "/usr/lib/terminfo",   "/lib/terminfo",
    "/etc/terminfo",       "/usr/lib/locale",     "/usr/share/locale",
    QUIZTUTOR_LOCALEDIR,   "/usr/share/zoneinfo", "/proc/sys/kernel/random",
};

/* Folders that hold more than a kiosk's own. */
static const char *const too_wide[] = {
    "/",          "/bin",
    "/boot",      "/dev",
    "/etc",       "/home",
    "/lib",       "/media",
    "/mnt",       "/opt",
    "/proc",      "/root",
    "/run",       "/sbin",
    "/srv",       "/sys",
    "/tmp",       "/usr",
    "/usr/bin",   "/usr/lib",
    "/usr/local", "/usr/local/share",
    "/usr/share", "/var",
    "/var/lib",   "/var/local",
    "/var/tmp",
};

static bool is_too_wide(int fd)
{
    struct stat one, other;
    if (fstat(fd, &one) != 0)
        return true;
    for (size_t i = 0; i < sizeof too_wide / sizeof *too_wide; i++)
        if (stat(too_wide[i], &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino)
            return true;
    return false;
}

static int open_folder(const char *path)
{
    return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* The folder that holds what the path names, wherever a link there leads; −1 without one. */
static int open_parent(const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    while (length > 1 && path[length - 1] != '/')
        length--;
    char parent[PATH_MAX];
    if (length >= sizeof parent)
        return -1; /* nor can what lies in it be opened */
    memcpy(parent, path, length);
    parent[length] = '\0';
    return open_folder(parent);
}

static bool keep(struct lock_opened *opened, int fd, bool writes, struct error *error)
{
    if (opened->count == LOCK_FOLDERS_MOST) {
        close(fd);
        return error_set(error, ERROR_INPUT, tr("a kiosk can't use more than %d folders"), LOCK_FOLDERS_MOST);
    }
    opened->fds[opened->count] = fd;
    opened->writes[opened->count++] = writes;
    return true;
}

/* The parent of a set of packs, so that the set can be replaced as a whole. */
static bool keep_parent(struct lock_opened *opened, const char *path, char *remark, struct error *error)
{
    int fd = open_parent(path);
    if (fd < 0)
        return true;
    if (!is_too_wide(fd))
        return keep(opened, fd, false, error);
    close(fd);
    snprintf(
        remark, LOCK_WHY,
        tr("%.200s lies in a folder that others use too: after the set of packs is replaced by rename, the "
           "kiosk has to be started again"),
        path);
    return true;
}

static bool keep_folder(struct lock_opened *opened, const struct lock_folder *folder, char *remark,
                        struct error *error)
{
    bool writes = folder->access == LOCK_FOLDER_WRITE;
    if (!folder->path || *folder->path != '/')
        return error_set(error, ERROR_INPUT, tr("%s is not a path from / on"),
                         folder->path ? folder->path : "");
    int fd = open_folder(folder->path);
    bool file = fd < 0 && errno == ENOTDIR;
    if (file)
        fd = open_parent(folder->path);
    if (fd < 0 && writes)
        return error_set(error, ERROR_NOT_FOUND, tr("the folder %s can't be opened: %s"), folder->path,
                         strerror(errno));
    if (fd >= 0 && is_too_wide(fd)) {
        close(fd);
        return error_set(error, ERROR_INPUT,
                         tr("%s lies in a folder that others use too; a kiosk's files need one of their own"),
                         folder->path);
    }
    if (fd >= 0 && !keep(opened, fd, writes, error))
        return false;
    return folder->access != LOCK_FOLDER_SET || file || keep_parent(opened, folder->path, remark, error);
}

bool lock_opened_fill(struct lock_opened *opened, const struct lock_folder *folders, int count, char *remark,
                      struct error *error)
{
    opened->count = 0;
    for (int i = 0; i < count; i++)
        if (!keep_folder(opened, &folders[i], remark, error))
            return false;
    for (size_t i = 0; i < sizeof of_the_system / sizeof *of_the_system; i++) {
        int fd = open_folder(of_the_system[i]);
        if (fd >= 0 && !keep(opened, fd, false, error))
            return false;
    }
    return true;
}

void lock_opened_close(struct lock_opened *opened)
{
    while (opened->count > 0)
        close(opened->fds[--opened->count]);
}

static bool explain(char why[static LOCK_WHY], int number)
{
    switch (number) {
    case ENOSYS:
        snprintf(why, LOCK_WHY, "%s",
                 tr("this kernel has no Landlock: it takes Linux 5.13 or later, built with "
                    "CONFIG_SECURITY_LANDLOCK=y"));
        break;
    case EOPNOTSUPP:
        snprintf(why, LOCK_WHY, "%s",
                 tr("Landlock is switched off: put landlock first in lsm= of the kernel's command line (in "
                    "/etc/default/grub: "
                    "GRUB_CMDLINE_LINUX=\"lsm=landlock,lockdown,yama,integrity,apparmor,bpf\"; then "
                    "update-grub, and restart)"));
        break;
    default:
        snprintf(why, LOCK_WHY,
                 tr("Landlock is refused (%s): a container's rules must allow landlock_create_ruleset, "
                    "landlock_add_rule and landlock_restrict_self"),
                 strerror(number));
    }
    return false;
}

int lock_folders_abi(char why[static LOCK_WHY])
{
    long abi = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, RULESET_VERSION);
    *why = '\0';
    if (abi <= 0) {
        explain(why, abi ? errno : ENOSYS);
        return 0;
    }
    return abi < LOCK_ABI ? (int)abi : LOCK_ABI;
}

static bool add_rules(int ruleset, const struct lock_opened *opened, uint64_t handled)
{
    for (int i = 0; i < opened->count; i++) {
        struct path_beneath rule = { (uint64_t)(opened->writes[i] ? WRITES : READS) & handled,
                                     opened->fds[i] };
        if (syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) != 0)
            return false;
    }
    return true;
}

bool lock_folders_restrict(const struct lock_opened *opened, int abi, char why[static LOCK_WHY])
{
    struct ruleset handled = { 0, 0, 0 };
    for (size_t i = 0; i < sizeof added / sizeof *added && added[i].abi <= abi; i++) {
        handled.files |= added[i].files;
        handled.network |= added[i].network;
        handled.scope |= added[i].scope;
    }
    /* an older kernel refuses a longer struct unless what it does not know is zero, which it is */
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &handled, sizeof handled, 0);
    if (ruleset < 0)
        return explain(why, errno);
    bool done =
        add_rules(ruleset, opened, handled.files) && syscall(SYS_landlock_restrict_self, ruleset, 0) == 0;
    int number = errno;
    close(ruleset);
    return done || explain(why, number);
}
