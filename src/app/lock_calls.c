/*
 * The system calls that a kiosk makes once it is set up; the kernel refuses all others (EPERM). It is the
 * only file that knows libseccomp.
 */
#include "lock_private.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

#ifdef WITH_SECCOMP

#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

/*
 * By name, for every architecture; what one does not have is passed over. Not here, among hundreds: exec,
 * fork and threads, sockets, truncate (of a path; Landlock before version 3 lets it through), chmod, chown,
 * links, mounts, ptrace, io_uring, bpf, keys, other processes' memory, pidfd, memfd, prctl, further filters.
 */
static const char *const calls[] = {
    /* files; where they lie is Landlock's business */
    "read",
    "readv",
    "pread64",
    "write",
    "writev",
    "pwrite64",
    "lseek",
    "_llseek",
    "close",
    "stat",
    "stat64",
    "lstat",
    "lstat64",
    "fstat",
    "fstat64",
    "newfstatat",
    "fstatat64",
    "statx",
    "access",
    "faccessat",
    "faccessat2",
    "readlink",
    "readlinkat",
    "getdents",
    "getdents64",
    "getcwd",
    "statfs",
    "statfs64",
    "fstatfs",
    "fstatfs64",
    "fsync",
    "fdatasync",
    "ftruncate",
    "ftruncate64",
    "fallocate",
    "fadvise64",
    "rename",
    "renameat",
    "renameat2",
    "unlink",
    "unlinkat",
    "mkdir",
    "mkdirat",
    "fchmod",
    "umask",
    /* memory */
    "brk",
    "munmap",
    "mremap",
    "madvise",
    "mlock",
    "munlock",
    /* signals and waiting */
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "rt_sigpending",
    "rt_sigsuspend",
    "rt_sigtimedwait",
    "sigaltstack",
    "sigreturn",
    "poll",
    "ppoll",
    "ppoll_time64",
    "select",
    "_newselect",
    "pselect6",
    "pselect6_time64",
    "pause",
    "nanosleep",
    "clock_nanosleep",
    "clock_nanosleep_time64",
    "futex",
    "futex_time64",
    "sched_yield",
    "restart_syscall",
    /* who and when */
    "getpid",
    "gettid",
    "getppid",
    "getpgrp",
    "getuid",
    "getuid32",
    "geteuid",
    "geteuid32",
    "getgid",
    "getgid32",
    "getegid",
    "getegid32",
    "getrlimit",
    "ugetrlimit",
    "getrusage",
    "sysinfo",
    "uname",
    "time",
    "gettimeofday",
    "clock_gettime",
    "clock_gettime64",
    "clock_getres",
    "clock_getres_time64",
    "getrandom",
    "sched_getaffinity",
    /* the end */
    "exit",
    "exit_group",
};

/* glibc from 2.42 on sets terminals by these; the struct is 44 bytes long everywhere. */
enum { TERMIOS2 = 44 };
#define TERMINAL_GET2 _IOC(_IOC_READ, 'T', 0x2a, TERMIOS2)
#define TERMINAL_SET2 _IOC(_IOC_WRITE, 'T', 0x2b, TERMIOS2)
#define LOW32         UINT32_MAX

/*
 * Calls that are allowed where (argument & mask) == value. The kernel reads the request of ioctl and of fcntl
 * as 32 bits, so they are compared as that: bits above would hide one otherwise. Of ioctl, TIOCSTI and
 * TIOCLINUX (typing into a terminal) and all of the console's own are thereby out.
 */
static const struct conditional {
    const char *name;
    unsigned argument;
    uint64_t mask, value;
} conditionals[] = {
    { "ioctl", 1, LOW32, TCGETS },
    { "ioctl", 1, LOW32, TCSETS },
    { "ioctl", 1, LOW32, TCSETSW },
    { "ioctl", 1, LOW32, TCSETSF },
    { "ioctl", 1, LOW32, TERMINAL_GET2 },
    { "ioctl", 1, LOW32, TERMINAL_SET2 },
    { "ioctl", 1, LOW32, TERMINAL_SET2 + 1 },
    { "ioctl", 1, LOW32, TERMINAL_SET2 + 2 },
    { "ioctl", 1, LOW32, TIOCGWINSZ },
    { "ioctl", 1, LOW32, TIOCGPGRP },
    { "ioctl", 1, LOW32, TCFLSH },
    { "ioctl", 1, LOW32, TCSBRK }, /* tcdrain */
    { "ioctl", 1, LOW32, FIONREAD },
    { "fcntl", 1, LOW32, F_DUPFD_CLOEXEC },
    { "fcntl", 1, LOW32, F_GETFD },
    { "fcntl", 1, LOW32, F_SETFD },
    { "fcntl", 1, LOW32, F_GETFL },
    { "fcntl", 1, LOW32, F_SETFL },
    { "fcntl", 1, LOW32, F_GETLK },
    { "fcntl", 1, LOW32, F_SETLK },
    { "fcntl", 1, LOW32, F_SETLKW },
    { "fcntl", 1, LOW32, F_OFD_GETLK },
    { "fcntl", 1, LOW32, F_OFD_SETLK },
    { "fcntl", 1, LOW32, F_OFD_SETLKW },
    /* the same numbers where off_t has 64 bits beside a 32-bit one */
    { "fcntl64", 1, LOW32, F_DUPFD_CLOEXEC },
    { "fcntl64", 1, LOW32, F_GETFD },
    { "fcntl64", 1, LOW32, F_SETFD },
    { "fcntl64", 1, LOW32, F_GETFL },
    { "fcntl64", 1, LOW32, F_SETFL },
    { "fcntl64", 1, LOW32, F_GETLK },
    { "fcntl64", 1, LOW32, F_SETLK },
    { "fcntl64", 1, LOW32, F_SETLKW },
    { "fcntl64", 1, LOW32, F_OFD_GETLK },
    { "fcntl64", 1, LOW32, F_OFD_SETLK },
    { "fcntl64", 1, LOW32, F_OFD_SETLKW },
    /* reading and truncating at once asks Landlock before version 3 for the right to read only */
    { "open", 1, O_TRUNC, 0 },
    { "open", 1, O_ACCMODE, O_WRONLY },
    { "open", 1, O_ACCMODE, O_RDWR },
    { "openat", 2, O_TRUNC, 0 },
    { "openat", 2, O_ACCMODE, O_WRONLY },
    { "openat", 2, O_ACCMODE, O_RDWR },
    /* no new code */
    { "mmap", 2, PROT_EXEC, 0 },
    { "mmap2", 2, PROT_EXEC, 0 },
    { "mprotect", 2, PROT_EXEC, 0 },
    /* asking for limits, of this process */
    { "prlimit64", 2, UINT64_MAX, 0 },
};

/* Calls of newer kernels that the C library tries first: as on a kernel without them, it takes the older. */
static const char *const unknown[] = { "clone3", "openat2", "fchmodat2" };

static bool explain(char why[static LOCK_WHY], int number)
{
    if (number == EINVAL || number == ENOSYS)
        snprintf(
            why, LOCK_WHY, "%s",
            tr("this kernel does not filter system calls: it has to be built with CONFIG_SECCOMP_FILTER=y"));
    else
        snprintf(why, LOCK_WHY, tr("system calls can't be filtered: %s"), strerror(number));
    return false;
}

/* 0, also for a call that this architecture does not have; else a negative error number. */
static int rule(scmp_filter_ctx filter, uint32_t action, const char *name, const struct scmp_arg_cmp *compare)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR || number < 0)
        return 0;
    return seccomp_rule_add_array(filter, action, number, compare != NULL, compare);
}

static int fill(scmp_filter_ctx filter)
{
    int result = 0;
    for (size_t i = 0; i < sizeof calls / sizeof *calls && result == 0; i++)
        result = rule(filter, SCMP_ACT_ALLOW, calls[i], NULL);
    for (size_t i = 0; i < sizeof conditionals / sizeof *conditionals && result == 0; i++) {
        const struct conditional *row = &conditionals[i];
        struct scmp_arg_cmp compare = { row->argument, SCMP_CMP_MASKED_EQ, row->mask, row->value };
        result = rule(filter, SCMP_ACT_ALLOW, row->name, &compare);
    }
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown && result == 0; i++)
        result = rule(filter, SCMP_ACT_ERRNO(ENOSYS), unknown[i], NULL);
    /* abort and raise, to itself */
    static const char *const signalling[] = { "kill", "tgkill" };
    struct scmp_arg_cmp self = { 0, SCMP_CMP_MASKED_EQ, LOW32, (uint64_t)getpid() };
    for (size_t i = 0; i < sizeof signalling / sizeof *signalling && result == 0; i++)
        result = rule(filter, SCMP_ACT_ALLOW, signalling[i], &self);
    return result;
}

bool lock_has_calls(void)
{
    return true;
}

bool lock_calls_possible(char why[static LOCK_WHY])
{
    unsigned version = seccomp_api_get();
    *why = '\0';
    return version >= 1 || explain(why, ENOSYS);
}

bool lock_calls_restrict(char why[static LOCK_WHY])
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return explain(why, ENOMEM);
    /* a call by another architecture's door (32 bits) is nobody's mistake */
    int result = seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS);
    if (result == 0)
        result = fill(filter);
    if (result == 0)
        result = seccomp_load(filter);
    seccomp_release(filter);
    return result == 0 || explain(why, result == -ECANCELED ? EINVAL : -result);
}

#else

static bool explain(char why[static LOCK_WHY])
{
    snprintf(why, LOCK_WHY, "%s",
             tr("this program was built without libseccomp: install libseccomp-dev and build it again with "
                "-Dseccomp=enabled"));
    return false;
}

bool lock_has_calls(void)
{
    return false;
}

bool lock_calls_possible(char why[static LOCK_WHY])
{
    return explain(why);
}

bool lock_calls_restrict(char why[static LOCK_WHY])
{
    return explain(why);
}

#endif
