/* Files that a kiosk has no business with, and what is only to be read or may not be made. */
#include "escape.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

static int open_below(const char *folder, const char *name, int flags)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return escape_opened(open(path, flags | O_CLOEXEC, 0600));
}

/* Files elsewhere. */

static int try_passwd(struct job *job)
{
    (void)job;
    return escape_opened(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int try_passwd_upwards(struct job *job)
{
    return open_below(job->place->data, "../../../etc/passwd", O_RDONLY);
}

static int open_root(struct job *job)
{
    job->fd = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return escape_outcome(job->fd >= 0);
}

static int try_passwd_below_root(struct job *job)
{
    return escape_opened(openat(job->fd, "etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int try_passwd_by_process(struct job *job)
{
    (void)job;
    return escape_opened(open("/proc/self/root/etc/passwd", O_RDONLY | O_CLOEXEC));
}

static int make_link(struct job *job)
{
    char path[128];
    snprintf(path, sizeof path, "%s/store-link", job->place->data);
    unlink(path);
    return escape_outcome(symlink("/etc/passwd", path) == 0);
}

static int try_passwd_by_link(struct job *job)
{
    return open_below(job->place->data, "store-link", O_RDONLY);
}

static int try_home(struct job *job)
{
    return open_below(job->place->home, "diary", O_RDONLY);
}

static int try_home_write(struct job *job)
{
    return open_below(job->place->home, "diary", O_WRONLY);
}

static int try_home_new(struct job *job)
{
    return open_below(job->place->home, "left-behind", O_WRONLY | O_CREAT);
}

static int try_home_list(struct job *job)
{
    return open_below(job->place->home, ".", O_RDONLY | O_DIRECTORY);
}

static int try_root_list(struct job *job)
{
    (void)job;
    return escape_opened(open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int try_temporary(struct job *job)
{
    (void)job;
    return escape_opened(open("/tmp", O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
}

static int try_null_device(struct job *job)
{
    (void)job;
    return escape_opened(open("/dev/null", O_RDWR | O_CLOEXEC));
}

static int try_own_memory(struct job *job)
{
    (void)job;
    return escape_opened(open("/proc/self/mem", O_RDWR | O_CLOEXEC));
}

static int try_processes(struct job *job)
{
    (void)job;
    return escape_opened(open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
}

static int try_kernel_settings(struct job *job)
{
    (void)job;
    return escape_opened(open("/proc/sys/kernel/core_pattern", O_RDONLY | O_CLOEXEC));
}

static int try_library(struct job *job)
{
    (void)job;
    errno = EACCES; /* dlopen leaves none behind */
    void *library = dlopen("libutil.so.1", RTLD_NOW);
    return library ? 0 : EACCES;
}

/* The packs, which are to be read only. */

static int try_pack_write(struct job *job)
{
    return open_below(job->place->packs, "one.yaml", O_WRONLY);
}

static int try_pack_new(struct job *job)
{
    return open_below(job->place->packs, "two.yaml", O_WRONLY | O_CREAT);
}

static int try_pack_empty(struct job *job)
{
    return open_below(job->place->packs, "one.yaml", O_RDONLY | O_TRUNC);
}

static const char *pack(struct job *job)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/one.yaml", job->place->packs);
    return path;
}

static const char *store_file(struct job *job)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/store", job->place->data);
    return path;
}

static int try_truncate_pack(struct job *job)
{
    return escape_outcome(truncate(pack(job), 5) == 0);
}

static int try_truncate_home(struct job *job)
{
    char path[128];
    snprintf(path, sizeof path, "%s/diary", job->place->home);
    return escape_outcome(truncate(path, 6) == 0);
}

static int try_truncate_store(struct job *job)
{
    return escape_outcome(truncate(store_file(job), 9) == 0);
}

static int try_pack_remove(struct job *job)
{
    int result = escape_outcome(unlink(pack(job)) == 0);
    return result || place_put(job->place, "sets/packs/one.yaml", "first") ? result : EIO;
}

static int try_pack_rename(struct job *job)
{
    char to[128];
    snprintf(to, sizeof to, "%s/taken", job->place->data);
    int result = escape_outcome(rename(pack(job), to) == 0);
    return result || rename(to, pack(job)) == 0 ? result : EIO;
}

static int try_pack_replace(struct job *job)
{
    int result = escape_outcome(rename(store_file(job), pack(job)) == 0);
    return result || (rename(pack(job), store_file(job)) == 0 &&
                      place_put(job->place, "sets/packs/one.yaml", "first"))
               ? result
               : EIO;
}

static int try_chmod(struct job *job)
{
    return escape_outcome(chmod(store_file(job), 0666) == 0);
}

static int try_chown(struct job *job)
{
    return escape_outcome(chown(store_file(job), (uid_t)-1, (gid_t)-1) == 0);
}

static int try_times(struct job *job)
{
    return escape_outcome(utime(pack(job), NULL) == 0);
}

static int try_attribute(struct job *job)
{
    return escape_outcome(setxattr(store_file(job), "user.note", "x", 1, 0) == 0);
}

static int try_hard_link(struct job *job)
{
    char to[128];
    snprintf(to, sizeof to, "%s/another", job->place->data);
    int result = escape_outcome(link(store_file(job), to) == 0);
    unlink(to);
    return result;
}

static int try_symbolic_link(struct job *job)
{
    char to[128];
    snprintf(to, sizeof to, "%s/another", job->place->data);
    int result = escape_outcome(symlink("/etc/passwd", to) == 0);
    unlink(to);
    return result;
}

static int try_fifo(struct job *job)
{
    char to[128];
    snprintf(to, sizeof to, "%s/another", job->place->data);
    int result = escape_outcome(mkfifo(to, 0600) == 0);
    unlink(to);
    return result;
}

static int try_folder_elsewhere(struct job *job)
{
    char to[128];
    snprintf(to, sizeof to, "%s/another", job->place->home);
    int result = escape_outcome(mkdir(to, 0700) == 0);
    rmdir(to);
    return result;
}

static int try_chdir(struct job *job)
{
    (void)job;
    return escape_outcome(chdir("/") == 0);
}

static int try_chroot(struct job *job)
{
    return escape_outcome(chroot(job->place->data) == 0);
}

static int try_mount(struct job *job)
{
    (void)job;
    /* a flag that the kernel knows and the place refuses, so that nothing is mounted without the lock */
    return escape_outcome(mount("none", "/nonexistent", "tmpfs", 0, NULL) == 0);
}

static int try_namespace(struct job *job)
{
    (void)job;
    return escape_outcome(unshare(CLONE_NEWUSER) == 0);
}

static int try_handle(struct job *job)
{
    struct {
        struct file_handle head;
        unsigned char bytes[MAX_HANDLE_SZ];
    } handle = { .head = { .handle_bytes = MAX_HANDLE_SZ } };
    int mount_id;
    return escape_outcome(name_to_handle_at(AT_FDCWD, store_file(job), &handle.head, &mount_id, 0) == 0);
}

const struct attempt escape_files[] = {
    { "/etc/passwd", BY_FOLDERS, NULL, try_passwd },
    { "/etc/passwd by ..", BY_FOLDERS, NULL, try_passwd_upwards },
    { "/etc/passwd below an open /", BY_FOLDERS, open_root, try_passwd_below_root },
    { "/etc/passwd by /proc", BY_FOLDERS, NULL, try_passwd_by_process },
    { "/etc/passwd by a link in the data", BY_FOLDERS, make_link, try_passwd_by_link },
    { "another home", BY_FOLDERS, NULL, try_home },
    { "another home, written", BY_FOLDERS, NULL, try_home_write },
    { "another home, a new file", BY_FOLDERS, NULL, try_home_new },
    { "another home, listed", BY_FOLDERS, NULL, try_home_list },
    { "/ listed", BY_FOLDERS, NULL, try_root_list },
    { "a temporary file", BY_FOLDERS, NULL, try_temporary },
    { "/dev/null", BY_FOLDERS, NULL, try_null_device },
    { "/proc/self/mem", BY_FOLDERS, NULL, try_own_memory },
    { "/proc listed", BY_FOLDERS, NULL, try_processes },
    { "settings of the kernel", BY_FOLDERS, NULL, try_kernel_settings },
    { "a library", BY_BOTH, NULL, try_library },
    { "a pack written", BY_FOLDERS, NULL, try_pack_write },
    { "a pack added", BY_FOLDERS, NULL, try_pack_new },
    { "a pack emptied by opening", BY_BOTH, NULL, try_pack_empty },
    { "a pack removed", BY_FOLDERS, NULL, try_pack_remove },
    { "a pack taken away", BY_FOLDERS, NULL, try_pack_rename },
    { "a pack replaced", BY_FOLDERS, NULL, try_pack_replace },
    { "truncate of a pack", BY_BOTH, NULL, try_truncate_pack },
    { "truncate in another home", BY_BOTH, NULL, try_truncate_home },
    { "truncate of the store", BY_CALLS, NULL, try_truncate_store },
    { "chmod", BY_CALLS, NULL, try_chmod },
    { "chown", BY_CALLS, NULL, try_chown },
    { "times", BY_CALLS, NULL, try_times },
    { "attribute", BY_CALLS, NULL, try_attribute },
    { "hard link", BY_CALLS, NULL, try_hard_link },
    { "symbolic link", BY_BOTH, NULL, try_symbolic_link },
    { "fifo", BY_BOTH, NULL, try_fifo },
    { "a folder elsewhere", BY_FOLDERS, NULL, try_folder_elsewhere },
    { "chdir", BY_CALLS, NULL, try_chdir },
    { "chroot", BY_CALLS, NULL, try_chroot },
    { "mount", BY_CALLS, NULL, try_mount },
    { "user namespace", BY_CALLS, NULL, try_namespace },
    { "file handle", BY_CALLS, NULL, try_handle },
    { NULL, 0, NULL, NULL },
};
