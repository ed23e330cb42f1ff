#include "curses_signals.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

enum signals_manner { MANNER_END, MANNER_CRASH, MANNER_RESIZE, MANNER_STOP, MANNER_CONTINUE };

static const struct {
    int number;
    enum signals_manner manner;
    bool keyboard; /* a key sends it while the terminal is not raw */
} rows[] = {
    { SIGHUP, MANNER_END, false },      { SIGINT, MANNER_END, true },     { SIGQUIT, MANNER_END, true },
    { SIGTERM, MANNER_END, false },     { SIGTSTP, MANNER_STOP, true },   { SIGCONT, MANNER_CONTINUE, false },
    { SIGWINCH, MANNER_RESIZE, false }, { SIGABRT, MANNER_CRASH, false }, { SIGSEGV, MANNER_CRASH, false },
    { SIGBUS, MANNER_CRASH, false },    { SIGFPE, MANNER_CRASH, false },  { SIGILL, MANNER_CRASH, false },
    { SIGSYS, MANNER_CRASH, false },    { SIGXCPU, MANNER_CRASH, false }, { SIGXFSZ, MANNER_CRASH, false },
    { SIGPIPE, MANNER_CRASH, false },   { SIGALRM, MANNER_CRASH, false }, { SIGUSR1, MANNER_CRASH, false },
    { SIGUSR2, MANNER_CRASH, false },
};
enum { ROWS = sizeof rows / sizeof *rows };

static struct sigaction before[ROWS];
static struct signals_restore saved;
static bool held, locked;
static volatile sig_atomic_t restorable;
static volatile sig_atomic_t ending, resized, stopped, continued, disturbed;
/* A stack overflow has no stack left to restore the terminal on. */
static unsigned char spare_stack[65536];

static int signals_row(int number)
{
    for (int i = 0; i < ROWS; i++)
        if (rows[i].number == number)
            return i;
    return -1;
}

/* Raised by an instruction, which runs again once the handler returns; the same numbers also come by kill. */
static bool signals_is_fault(int number)
{
    return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL;
}

/* Only what POSIX allows in a handler. */
static void signals_give_back(void)
{
    if (!restorable)
        return;
    restorable = 0;
    for (int at = 0; at < saved.length;) {
        ssize_t wrote = write(saved.descriptor, saved.bytes + at, (size_t)(saved.length - at));
        if (wrote < 0 && errno != EINTR)
            break;
        at += wrote < 0 ? 0 : (int)wrote;
    }
    tcsetattr(saved.descriptor, TCSANOW, &saved.modes);
}

/* Restores the terminal and lets the signal do what it would have done without us. */
static void signals_die(int number, bool fault)
{
    signals_give_back();
    int row = signals_row(number);
    struct sigaction action = { .sa_handler = SIG_DFL };
    if (row >= 0 && rows[row].manner == MANNER_CRASH)
        action = before[row]; /* a sanitizer's report then stands on the restored screen */
    sigaction(number, &action, NULL);
    if (fault)
        return; /* the faulty instruction runs again, and this time nobody catches it */
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);
}

static void signals_handle(int number, siginfo_t *info, void *context)
{
    (void)context;
    int error = errno;
    int row = signals_row(number);
    /* A key sent it, so it was pressed before the terminal was raw; the driver then throws away what was
     * written. */
    if (row >= 0 && rows[row].keyboard && (locked || info->si_code == SI_KERNEL)) {
        disturbed = 1;
        errno = error;
        return;
    }
    switch (row < 0 ? MANNER_CRASH : rows[row].manner) {
    case MANNER_END:
        /* A second one while the first has not been attended to: the program hangs. */
        if (ending)
            signals_die(number, false);
        ending = number;
        break;
    case MANNER_RESIZE:
        resized = 1;
        break;
    case MANNER_STOP:
        stopped = 1;
        break;
    case MANNER_CONTINUE:
        continued = 1;
        break;
    case MANNER_CRASH:
    default:
        signals_die(number, signals_is_fault(number) && info->si_code > 0);
    }
    errno = error;
}

/* What was ignored before stays so (nohup), and what somebody else handles is theirs, crashes excepted. */
static bool signals_wanted(int row)
{
    if (before[row].sa_handler == SIG_DFL || rows[row].number == SIGWINCH)
        return true;
    return (signals_is_fault(rows[row].number) || rows[row].number == SIGABRT) &&
           before[row].sa_handler != SIG_IGN;
}

static void signals_install(int row)
{
    struct sigaction action = { .sa_sigaction = signals_handle };
    sigfillset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | (rows[row].manner == MANNER_END ? 0 : SA_RESTART);
    sigaction(rows[row].number, &action, NULL);
}

/* A handler for the window's size also keeps ncurses from installing its own, which would follow the window
 * to any size: it dies at 65535x65535. */
void signals_hold(void)
{
    if (held)
        return;
    held = true;
    locked = false;
    ending = resized = stopped = continued = disturbed = 0;
    stack_t spare = { .ss_sp = spare_stack, .ss_size = sizeof spare_stack }, present;
    if (sigaltstack(NULL, &present) == 0 && (present.ss_flags & SS_DISABLE) != 0)
        sigaltstack(&spare, NULL);
    for (int i = 0; i < ROWS; i++) {
        sigaction(rows[i].number, NULL, &before[i]);
        if (signals_wanted(i))
            signals_install(i);
    }
}

void signals_arm(const struct signals_restore *restore, bool lock)
{
    saved = *restore;
    locked = lock;
    restorable = 1;
}

void signals_modes(const struct termios *modes)
{
    sigset_t mask;
    signals_block(&mask);
    saved.modes = *modes;
    signals_unblock(&mask);
}

void signals_release(void)
{
    if (!held)
        return;
    restorable = 0;
    held = false;
    for (int i = 0; i < ROWS; i++)
        sigaction(rows[i].number, &before[i], NULL);
}

int signals_ending(void)
{
    return ending;
}

static bool signals_take(volatile sig_atomic_t *flag)
{
    if (!*flag)
        return false;
    *flag = 0; /* cleared before what it asks for is done: what happens meanwhile is noted anew */
    return true;
}

bool signals_take_resize(void)
{
    return signals_take(&resized);
}

bool signals_take_stop(void)
{
    return signals_take(&stopped);
}

bool signals_take_continue(void)
{
    return signals_take(&continued);
}

bool signals_take_disturbed(void)
{
    return signals_take(&disturbed);
}

bool signals_pending(void)
{
    return ending || resized || stopped || continued || disturbed;
}

void signals_block(sigset_t *mask)
{
    sigset_t noted;
    sigemptyset(&noted);
    for (int i = 0; i < ROWS; i++)
        if (rows[i].manner != MANNER_CRASH)
            sigaddset(&noted, rows[i].number);
    sigprocmask(SIG_BLOCK, &noted, mask);
}

void signals_unblock(const sigset_t *mask)
{
    sigprocmask(SIG_SETMASK, mask, NULL);
}

enum arrival signals_wait(int descriptor, int timeout_ms, const sigset_t *mask)
{
    struct pollfd watched = { .fd = descriptor, .events = POLLIN };
    struct timespec wait = { .tv_sec = timeout_ms / 1000, .tv_nsec = (long)(timeout_ms % 1000) * 1000000 };
    int ready = ppoll(&watched, 1, timeout_ms < 0 ? NULL : &wait, mask);
    if (ready < 0)
        return errno == EINTR || errno == EAGAIN ? ARRIVAL_SIGNAL : ARRIVAL_END;
    if (ready == 0)
        return ARRIVAL_NOTHING;
    return watched.revents & POLLIN ? ARRIVAL_SOMETHING : ARRIVAL_END;
}

bool signals_can_stop(void)
{
    int row = signals_row(SIGTSTP);
    return held && !locked && (before[row].sa_flags & SA_SIGINFO) == 0 && before[row].sa_handler == SIG_DFL;
}

void signals_stop(void)
{
    struct sigaction stop = { .sa_handler = SIG_DFL };
    sigaction(SIGTSTP, &stop, NULL);
    restorable = 0; /* the terminal is the shell's now */
    kill(0, SIGTSTP);
    restorable = 1;
    signals_install(signals_row(SIGTSTP));
    stopped = continued = 0;
}
