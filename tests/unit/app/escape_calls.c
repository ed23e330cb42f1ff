/* Programs, processes, sockets, and the inside of the kernel. */
#include "escape.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/memfd.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

/* Programs and processes. */

static char *const arguments[] = { (char[]){ "true" }, NULL };

static int try_exec(struct job *job)
{
    (void)job;
    execv("/bin/true", arguments);
    return errno;
}

static int open_program(struct job *job)
{
    job->fd = open("/bin/true", O_RDONLY | O_CLOEXEC);
    return escape_outcome(job->fd >= 0);
}

static int try_exec_opened(struct job *job)
{
    fexecve(job->fd, arguments, environ);
    return errno;
}

static int forked(long child)
{
    if (child == 0)
        _exit(0);
    int result = escape_outcome(child > 0);
    if (child > 0)
        waitpid((pid_t)child, NULL, 0);
    return result;
}

static int try_fork(struct job *job)
{
    (void)job;
    return forked(fork());
}

static int try_clone(struct job *job)
{
    (void)job;
    return forked(syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL));
}

static int try_clone3(struct job *job)
{
    (void)job;
    uint64_t asked[11] = { [4] = SIGCHLD }; /* struct clone_args: exit_signal */
    return forked(syscall(SYS_clone3, asked, sizeof asked));
}

static int try_spawn(struct job *job)
{
    (void)job;
    pid_t child;
    int result = posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ);
    if (result == 0)
        waitpid(child, NULL, 0);
    return result;
}

static int try_system(struct job *job)
{
    (void)job;
    return escape_outcome(system("true") == 0); /* NOLINT: that it fails is the point */
}

static void *nothing(void *context)
{
    return context;
}

static int try_thread(struct job *job)
{
    (void)job;
    pthread_t thread;
    int result = pthread_create(&thread, NULL, nothing, NULL);
    if (result == 0)
        pthread_join(thread, NULL);
    return result;
}

static int try_ptrace(struct job *job)
{
    (void)job;
    return escape_outcome(ptrace(PTRACE_TRACEME, 0, NULL, NULL) == 0);
}

static int try_attach(struct job *job)
{
    (void)job;
    return escape_outcome(ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0);
}

static int try_other_memory(struct job *job)
{
    (void)job;
    char byte = 0;
    struct iovec here = { &byte, 1 }, there = { &byte, 1 };
    return escape_outcome(process_vm_readv(getpid(), &here, 1, &there, 1, 0) == 1);
}

static int try_signal_other(struct job *job)
{
    (void)job;
    return escape_outcome(kill(getppid(), 0) == 0);
}

static int try_signal_group(struct job *job)
{
    (void)job;
    return escape_outcome(kill(0, 0) == 0);
}

static int try_queue_signal(struct job *job)
{
    (void)job;
    return escape_outcome(sigqueue(getpid(), 0, (union sigval){ 0 }) == 0);
}

static int try_pidfd(struct job *job)
{
    (void)job;
    return escape_opened((int)syscall(SYS_pidfd_open, getppid(), 0));
}

static int try_priority(struct job *job)
{
    (void)job;
    return escape_outcome(setpriority(PRIO_PROCESS, 0, 19) == 0);
}

static int try_session(struct job *job)
{
    (void)job;
    return escape_outcome(setsid() > 0);
}

/* Other machines and other programs. */

static int try_socket_local(struct job *job)
{
    (void)job;
    return escape_opened(socket(AF_UNIX, SOCK_STREAM, 0));
}

static int try_socket_internet(struct job *job)
{
    (void)job;
    return escape_opened(socket(AF_INET, SOCK_STREAM, 0));
}

static int try_socket_kernel(struct job *job)
{
    (void)job;
    return escape_opened(socket(AF_NETLINK, SOCK_RAW, 0));
}

static int try_socket_pair(struct job *job)
{
    (void)job;
    int fds[2];
    return escape_outcome(socketpair(AF_UNIX, SOCK_STREAM, 0, fds) == 0);
}

static int open_socket(struct job *job)
{
    job->fd = socket(AF_UNIX, SOCK_STREAM, 0);
    return escape_outcome(job->fd >= 0);
}

static int try_bind(struct job *job)
{
    const struct {
        sa_family_t family;
        char name[16];
    } address = { AF_UNIX, "\0quiztutor-lock" };
    return escape_outcome(bind(job->fd, (const struct sockaddr *)&address, sizeof address) == 0);
}

static int try_pipe(struct job *job)
{
    (void)job;
    int fds[2];
    return escape_outcome(pipe(fds) == 0);
}

/* The kernel's own inside. */

static int try_io_uring(struct job *job)
{
    (void)job;
    unsigned char parameters[120] = { 0 };
    return escape_opened((int)syscall(SYS_io_uring_setup, 1, parameters));
}

static int try_bpf(struct job *job)
{
    (void)job;
    /* an array of one number: BPF_MAP_CREATE */
    uint32_t attributes[4] = { 2, 4, 8, 1 };
    return escape_opened((int)syscall(SYS_bpf, 0, attributes, sizeof attributes));
}

static int try_performance(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_perf_event_open, NULL, 0, -1, -1, 0) >= 0);
}

static int try_memory_file(struct job *job)
{
    (void)job;
    return escape_opened(memfd_create("x", MFD_CLOEXEC));
}

static int try_faults(struct job *job)
{
    (void)job;
    return escape_opened((int)syscall(SYS_userfaultfd, O_CLOEXEC | 1));
}

static int try_keys(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_keyctl, 0, -2, 1) >= 0); /* KEYCTL_GET_KEYRING_ID of this process */
}

static int try_personality(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_personality, 0xffffffff) >= 0);
}

static int try_dumpable(struct job *job)
{
    (void)job;
    return escape_outcome(prctl(PR_SET_DUMPABLE, 1) == 0);
}

static int try_filter(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_seccomp, 0, 0, NULL) ==
                          0); /* strict mode: what follows would be killed */
}

static int try_rules(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_landlock_create_ruleset, NULL, 0, 1) > 0);
}

static int try_watch(struct job *job)
{
    (void)job;
    return escape_opened(inotify_init1(IN_CLOEXEC));
}

static int try_code_new(struct job *job)
{
    (void)job;
    return escape_outcome(mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                          MAP_FAILED);
}

static int try_code_later(struct job *job)
{
    (void)job;
    void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? EIO : escape_outcome(mprotect(page, 4096, PROT_READ | PROT_EXEC) == 0);
}

static int try_limits(struct job *job)
{
    (void)job;
    struct rlimit limit;
    return getrlimit(RLIMIT_NOFILE, &limit) != 0 ? EIO
                                                 : escape_outcome(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

static int try_other_limits(struct job *job)
{
    (void)job;
    struct rlimit limit = { 64, 64 };
    return escape_outcome(prlimit(getpid(), RLIMIT_NOFILE, &limit, NULL) == 0);
}

static int try_user(struct job *job)
{
    (void)job;
    return escape_outcome(setuid(getuid()) == 0);
}

static int try_clock(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_adjtimex, (unsigned char[512]){ 0 }) >= 0);
}

static int try_restart(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_reboot, 0, 0, 0, NULL) == 0); /* without its magic numbers: EINVAL */
}

static int try_module(struct job *job)
{
    (void)job;
    return escape_outcome(syscall(SYS_init_module, NULL, 0, "") == 0);
}

#if defined(__x86_64__)
/* getpid by the door of 32-bit programs, where 20 is its number; on x86-64 the filter ends who knocks there.
 */
static int try_other_door(struct job *job)
{
    (void)job;
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(20L) : "memory", "r8", "r9", "r10", "r11");
    return result > 0 ? 0 : ENOSYS;
}
#endif

const struct attempt escape_calls[] = {
    { "exec", BY_BOTH, NULL, try_exec },
    { "exec of an open file", BY_BOTH, open_program, try_exec_opened },
    { "fork", BY_CALLS, NULL, try_fork },
    { "clone", BY_CALLS, NULL, try_clone },
    { "clone3", BY_CALLS, NULL, try_clone3 },
    { "posix_spawn", BY_BOTH, NULL, try_spawn },
    { "system", BY_BOTH, NULL, try_system },
    { "a thread", BY_CALLS, NULL, try_thread },
    { "ptrace", BY_CALLS, NULL, try_ptrace },
    { "ptrace of the starter", BY_CALLS, NULL, try_attach },
    { "memory of a process", BY_CALLS, NULL, try_other_memory },
    { "a signal to another process", BY_CALLS, NULL, try_signal_other },
    { "a signal to the group", BY_CALLS, NULL, try_signal_group },
    { "a queued signal", BY_CALLS, NULL, try_queue_signal },
    { "pidfd", BY_CALLS, NULL, try_pidfd },
    { "priority", BY_CALLS, NULL, try_priority },
    { "a session of its own", BY_CALLS, NULL, try_session },
    { "local socket", BY_CALLS, NULL, try_socket_local },
    { "internet socket", BY_CALLS, NULL, try_socket_internet },
    { "netlink socket", BY_CALLS, NULL, try_socket_kernel },
    { "pair of sockets", BY_CALLS, NULL, try_socket_pair },
    { "bind of an open socket", BY_CALLS, open_socket, try_bind },
    { "pipe", BY_CALLS, NULL, try_pipe },
    { "io_uring", BY_CALLS, NULL, try_io_uring },
    { "bpf", BY_CALLS, NULL, try_bpf },
    { "perf_event_open", BY_CALLS, NULL, try_performance },
    { "memfd", BY_CALLS, NULL, try_memory_file },
    { "userfaultfd", BY_CALLS, NULL, try_faults },
    { "keyctl", BY_CALLS, NULL, try_keys },
    { "personality", BY_CALLS, NULL, try_personality },
    { "dumpable again", BY_CALLS, NULL, try_dumpable },
    { "another filter", BY_CALLS, NULL, try_filter },
    { "other rules on folders", BY_CALLS, NULL, try_rules },
    { "inotify", BY_CALLS, NULL, try_watch },
    { "new code", BY_CALLS, NULL, try_code_new },
    { "code out of data", BY_CALLS, NULL, try_code_later },
    { "setrlimit", BY_CALLS, NULL, try_limits },
    { "prlimit", BY_CALLS, NULL, try_other_limits },
    { "setuid", BY_CALLS, NULL, try_user },
    { "the clock", BY_CALLS, NULL, try_clock },
    { "reboot", BY_CALLS, NULL, try_restart },
    { "a module", BY_CALLS, NULL, try_module },
#if defined(__x86_64__)
    { "a call by the 32-bit door", BY_CALLS, NULL, try_other_door },
#endif
    { NULL, 0, NULL, NULL },
};
