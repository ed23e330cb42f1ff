/* Typing into a terminal, and becoming somebody else on it. */
#include "escape.h"

#include <fcntl.h>
#include <linux/kd.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The terminal: a pty that this process controls. */

static int open_terminal(struct job *job)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    if (setsid() < 0 || master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return 1;
    job->fd = open(ptsname(master), O_RDWR | O_CLOEXEC);
    return escape_outcome(job->fd >= 0);
}

static int asked(int fd, unsigned long request, void *argument)
{
    return escape_outcome(syscall(SYS_ioctl, fd, request, argument) == 0);
}

static int try_type(struct job *job)
{
    char key = 'x';
    return asked(job->fd, TIOCSTI, &key);
}

/* The kernel reads 32 bits of the request. */
static int try_type_hidden(struct job *job)
{
    char key = 'x';
    return asked(job->fd, 0xdeadbeef00000000UL | TIOCSTI, &key);
}

static int try_console_paste(struct job *job)
{
    char paste[] = { 3 };
    return asked(job->fd, TIOCLINUX, paste);
}

static int try_console_mode(struct job *job)
{
    int mode;
    return asked(job->fd, KDGETMODE, &mode);
}

static int try_terminal_driver(struct job *job)
{
    int line = 0;
    return asked(job->fd, TIOCSETD, &line);
}

static int try_terminal_leave(struct job *job)
{
    return asked(job->fd, TIOCNOTTY, NULL);
}

static int try_terminal_size(struct job *job)
{
    struct winsize size = { 24, 80, 0, 0 };
    return asked(job->fd, TIOCSWINSZ, &size);
}

static int try_terminal_anew(struct job *job)
{
    (void)job;
    return escape_opened(open("/dev/tty", O_RDWR | O_CLOEXEC));
}

static int try_owner(struct job *job)
{
    return escape_outcome(fcntl(job->fd, F_SETOWN, getpid()) == 0);
}

const struct attempt escape_terminal[] = {
    { "TIOCSTI", BY_CALLS, open_terminal, try_type },
    { "TIOCSTI below high bits", BY_CALLS, open_terminal, try_type_hidden },
    { "TIOCLINUX", BY_CALLS, open_terminal, try_console_paste },
    { "KDGETMODE", BY_CALLS, open_terminal, try_console_mode },
    { "TIOCSETD", BY_CALLS, open_terminal, try_terminal_driver },
    { "TIOCNOTTY", BY_CALLS, open_terminal, try_terminal_leave },
    { "TIOCSWINSZ", BY_CALLS, open_terminal, try_terminal_size },
    { "/dev/tty", BY_FOLDERS, open_terminal, try_terminal_anew },
    { "F_SETOWN", BY_CALLS, open_terminal, try_owner },
    { NULL, 0, NULL, NULL },
};
