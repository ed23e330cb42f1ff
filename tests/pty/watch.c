#include "watch.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { BEGIN_MS = 30000, EVENT_SHIFT = 16 };

/* Shared by the test and the watcher. */
struct watch_seen {
    atomic_int program, children, programs, stops, ended, status, refused;
};

bool watch_prepare(struct watch *watch)
{
    void *at = mmap(NULL, sizeof *watch->seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    watch->seen = at == MAP_FAILED ? NULL : at;
    return watch->seen != NULL;
}

static void go_on(pid_t pid, int signal_number)
{
    ptrace(PTRACE_CONT, pid, NULL, (void *)(intptr_t)signal_number);
}

static void note_stop(struct watch_seen *seen, pid_t pid, int status)
{
    int number = WSTOPSIG(status);
    switch (status >> EVENT_SHIFT) {
    case PTRACE_EVENT_FORK:
    case PTRACE_EVENT_VFORK:
    case PTRACE_EVENT_CLONE:
        atomic_fetch_add(&seen->children, 1);
        go_on(pid, 0);
        break;
    case PTRACE_EVENT_EXEC:
        atomic_fetch_add(&seen->programs, 1);
        go_on(pid, 0);
        break;
    case PTRACE_EVENT_STOP: /* a stop of the job, or the first moment of a child */
        if (number == SIGSTOP || number == SIGTSTP || number == SIGTTIN || number == SIGTTOU) {
            atomic_fetch_add(&seen->stops, 1);
            ptrace(PTRACE_LISTEN, pid, NULL, NULL);
        } else {
            go_on(pid, 0);
        }
        break;
    default:
        go_on(pid, number);
    }
}

static void follow(struct watch_seen *seen, pid_t program)
{
    for (;;) {
        int status;
        pid_t pid = waitpid(-1, &status, __WALL);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid < 0)
            return;
        if (WIFSTOPPED(status)) {
            note_stop(seen, pid, status);
        } else if (pid == program) {
            atomic_store(&seen->status, status);
            atomic_store(&seen->ended, 1);
            return; /* what it left behind ends with the watcher */
        }
    }
}

bool watch_lead(struct watch *watch)
{
    struct watch_seen *seen = watch->seen;
    int gate[2];
    char go = 'g';
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* never longer than the test */
    if (pipe(gate) != 0)
        _exit(125);
    pid_t program = fork();
    if (program == 0) {
        close(gate[1]);
        bool goes = read(gate[0], &go, 1) == 1;
        close(gate[0]);
        return goes;
    }
    close(gate[0]);
    long options = PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE | PTRACE_O_TRACEEXEC |
                   PTRACE_O_EXITKILL;
    if (program < 0 || ptrace(PTRACE_SEIZE, program, NULL, (void *)options) != 0) {
        atomic_store(&seen->refused, 1);
        return false;
    }
    atomic_store(&seen->program, program);
    bool goes = write(gate[1], &go, 1) == 1;
    close_range(STDERR_FILENO + 1, UINT_MAX, 0); /* or ends of the test's pipes would stay open in here */
    if (goes)
        follow(seen, program);
    return false;
}

bool watch_begin(struct watch *watch)
{
    const struct timespec moment = { .tv_nsec = 200000 };
    for (int left = BEGIN_MS * 5; left > 0 && !atomic_load(&watch->seen->refused); left--) {
        if (atomic_load(&watch->seen->program) > 0)
            return true;
        nanosleep(&moment, NULL);
    }
    return false;
}

pid_t watch_program(const struct watch *watch)
{
    return atomic_load(&watch->seen->program);
}

int watch_children(const struct watch *watch)
{
    return atomic_load(&watch->seen->children);
}

int watch_programs(const struct watch *watch)
{
    return atomic_load(&watch->seen->programs);
}

int watch_stops(const struct watch *watch)
{
    return atomic_load(&watch->seen->stops);
}

bool watch_ended(const struct watch *watch, int *status)
{
    *status = atomic_load(&watch->seen->status);
    return atomic_load(&watch->seen->ended) != 0;
}

void watch_finish(struct watch *watch)
{
    munmap(watch->seen, sizeof *watch->seen);
    watch->seen = NULL;
}
