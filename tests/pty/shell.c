#include "shell.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

bool shell_prepare(struct shell *shell)
{
    return pipe2(shell->to, O_CLOEXEC) == 0 && pipe2(shell->from, O_CLOEXEC) == 0;
}

static void shell_watch(struct shell *shell, pid_t program, const struct termios *own)
{
    for (;;) {
        int status;
        if (waitpid(program, &status, WUNTRACED) < 0)
            return;
        if (WIFSTOPPED(status)) {
            tcsetpgrp(0, getpgrp());
            tcsetattr(0, TCSADRAIN, own);
        }
        if (write(shell->from[1], &status, sizeof status) != sizeof status || !WIFSTOPPED(status))
            return;
        char order;
        if (read(shell->to[0], &order, 1) != 1)
            return;
        tcsetpgrp(0, program);
        kill(-program, SIGCONT);
    }
}

bool shell_lead(struct shell *shell)
{
    int gate[2];
    struct termios own;
    if (pipe2(gate, O_CLOEXEC) != 0 || tcgetattr(0, &own) != 0)
        return false;
    pid_t program = fork();
    char go = 'g';
    if (program == 0) {
        /* not before the terminal is this job's, or it would be stopped for touching it */
        close(gate[1]);
        return read(gate[0], &go, 1) == 1;
    }
    setpgid(program, program);
    signal(SIGTTOU, SIG_IGN);
    signal(SIGTTIN, SIG_IGN);
    signal(SIGTSTP, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    tcsetpgrp(0, program);
    if (write(shell->from[1], &program, sizeof program) == sizeof program && write(gate[1], &go, 1) == 1)
        shell_watch(shell, program, &own);
    return false;
}

bool shell_begin(struct shell *shell)
{
    close(shell->to[0]);
    close(shell->from[1]);
    return read(shell->from[0], &shell->program, sizeof shell->program) == sizeof shell->program;
}

bool shell_hear(struct shell *shell, int *status)
{
    struct pollfd watched = { .fd = shell->from[0], .events = POLLIN };
    return poll(&watched, 1, 0) == 1 && (watched.revents & POLLIN) != 0 &&
           read(shell->from[0], status, sizeof *status) == sizeof *status;
}

void shell_continue(struct shell *shell)
{
    char order = 'c';
    if (write(shell->to[1], &order, 1) != 1)
        return;
}

void shell_finish(struct shell *shell)
{
    close(shell->to[1]);
    close(shell->from[0]);
}
