#include <quiztutor/lock.h>
#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Two numbers that the C library keeps to itself, for threads; sent by kill they end a process all the same.
 */
enum { FIRST_OF_LIBRARY = 32, OF_LIBRARY = 2, WORDS = 16 };

/* What rt_sigaction takes where the handler comes first, which all do whose kernel can be locked. */
struct bare_action {
    unsigned long handler, rest[WORDS];
};

static struct sigaction before[NSIG];
static struct bare_action library_before[OF_LIBRARY];
static bool held;
static volatile sig_atomic_t ending;

/* Process 1 stops a unit and the machine; 0 is what a sender outside this namespace looks like. Nobody else's
 * number can be 1, and the sender can't choose what SI_USER says. */
static void end_asked(int number, siginfo_t *info, void *context)
{
    (void)number;
    (void)context;
    if (info->si_code == SI_USER && info->si_pid <= 1)
        ending = 1;
}

static void hold_library_signals(void)
{
    struct bare_action ignore = { .handler = (unsigned long)SIG_IGN };
    for (int i = 0; i < OF_LIBRARY; i++)
        syscall(SYS_rt_sigaction, FIRST_OF_LIBRARY + i, &ignore, held ? NULL : &library_before[i],
                sizeof(uint64_t));
}

/*
 * Faults are ignored too: that passes over those sent by kill. One that an instruction raises ends the
 * process all the same, ignored or not, and abort takes its signal back.
 */
void lock_signals(void)
{
    struct sigaction ignore = { .sa_handler = SIG_IGN };
    struct sigaction end = { .sa_sigaction = end_asked, .sa_flags = SA_SIGINFO };
    sigset_t none;
    sigemptyset(&none);
    sigfillset(&end.sa_mask);
    for (int number = 1; number < NSIG; number++) {
        if (!held)
            before[number].sa_handler = SIG_ERR;
        if (number == SIGWINCH || number == SIGCONT || number == SIGKILL || number == SIGSTOP)
            continue; /* the first is the terminal's, which takes it only where nobody has */
        struct sigaction present;
        if (sigaction(number, NULL, &present) != 0)
            continue; /* the C library's own */
        if (!held)
            before[number] = present;
        sigaction(number, number == SIGTERM ? &end : &ignore, NULL);
    }
    hold_library_signals();
    held = true;
    sigprocmask(SIG_SETMASK, &none, NULL);
}

bool lock_ending(void)
{
    return ending != 0;
}

void lock_signals_forgo(void)
{
    for (int number = 1; held && number < NSIG; number++)
        if (before[number].sa_handler != SIG_ERR)
            sigaction(number, &before[number], NULL);
    for (int i = 0; held && i < OF_LIBRARY; i++)
        syscall(SYS_rt_sigaction, FIRST_OF_LIBRARY + i, &library_before[i], NULL, sizeof(uint64_t));
    held = false;
}

/* A descriptor that is closed would become the store's, and what is written to the screen would go there. */
static bool keep_standard_descriptors(void)
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
        if (fcntl(fd, F_GETFD) >= 0)
            continue;
        int opened = open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY);
        if (opened != fd)
            return false; /* the lowest one free is always this one */
    }
    return true;
}

bool lock_process(struct error *error)
{
    struct rlimit none = { 0, 0 };
    if (!keep_standard_descriptors())
        return error_set(error, ERROR_IO, tr("/dev/null can't be opened: %s"), strerror(errno));
    /* what the starter left open reaches past every rule on folders; ENOSYS: before Linux 5.9 */
    if (close_range(STDERR_FILENO + 1, UINT_MAX, 0) != 0) {
        for (int fd = STDERR_FILENO + 1, most = (int)sysconf(_SC_OPEN_MAX); fd < most; fd++)
            close(fd);
    }
    umask(S_IRWXG | S_IRWXO);
    if (setrlimit(RLIMIT_CORE, &none) != 0 || prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0 ||
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return error_set(error, ERROR_IO, tr("this process can't be kept from being looked into: %s"),
                         strerror(errno));
    return true;
}
