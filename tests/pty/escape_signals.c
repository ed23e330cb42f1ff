/* Signals from other processes of the machine: each that can be caught, one by one and in bursts. */
#include "escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { LAST = 64, BURST = 200, LIBRARY_FIRST = 32, LIBRARY_LAST = 33 };

static bool catchable(int number)
{
    return number != SIGKILL && number != SIGSTOP;
}

/* By kill or, where it is `queued`, with a value, as a program does that knows of it. */
static void send(int number, bool queued)
{
    pid_t pid = pty_program(room.desk.pty);
    union sigval value = { .sival_int = 1 };
    /* a queue that is full is full: the signal is there already */
    assert_true((queued ? sigqueue(pid, number, value) : kill(pid, number)) == 0 || queued);
}

static void one(const struct attempt *attempt)
{
    room_question();
    send(attempt->number, false);
    settle();
    see("Which letter is the first?"); /* nobody is signed out by it */
}

static void range(const struct attempt *attempt)
{
    if (strcmp(attempt->text, "question") == 0)
        room_question();
    else
        room_enter();
    for (int number = attempt->number; number <= attempt->other; number++) {
        if (!catchable(number))
            continue;
        send(number, false);
        send(number, true);
        pty_pump(room.desk.pty, 0);
    }
    settle();
}

static void bursts(const struct attempt *attempt)
{
    room_question();
    for (int i = 0; i < BURST; i++)
        for (int number = attempt->number; number <= attempt->other; number++)
            if (catchable(number))
                send(number, i % 2 == 1);
    settle();
}

/* The starter has blocked them, or a dynamic loader would have to be immortal. */
static void while_starting(const struct attempt *attempt)
{
    room.options.prepare = room_block_signals;
    room_start();
    for (int number = attempt->number; !sees("F1 all keys") && !pty_ended(room.desk.pty);
         number = number < attempt->other ? number + 1 : attempt->number) {
        if (catchable(number))
            send(number, false);
        pty_pump(room.desk.pty, 0);
    }
    see("Your name or ID");
}

static void ignore_signals(const void *context)
{
    (void)context;
    for (int number = 1; number <= LAST; number++)
        if (catchable(number))
            signal(number, SIG_IGN);
}

static bool footer_is_in(struct pty *pty, const void *row)
{
    return pty_find(pty, "F1 all keys", NULL) == *(const int *)row;
}

static void ignored_by_starter(const struct attempt *attempt)
{
    (void)attempt;
    room.options.prepare = ignore_signals;
    room_enter();
    int row = 29;
    pty_resize(room.desk.pty, row + 1, 100); /* noticed all the same */
    pty_require(room.desk.pty, pty_wait(room.desk.pty, footer_is_in, &row), "no new size");
    row = 23;
    pty_resize(room.desk.pty, row + 1, 80);
    pty_require(room.desk.pty, pty_wait(room.desk.pty, footer_is_in, &row), "no new size");
}

static void plain(const struct attempt *attempt)
{
    room_configure("plain: true\n");
    room_start();
    see("Your name or ID >");
    type("Ana\n");
    see("A number, or q to sign out");
    type("1\n");
    see("Which letter is the first?");
    for (int number = attempt->number; number <= attempt->other; number++)
        if (catchable(number))
            send(number, false);
    settle();
    type("1\n");
    see("Right.");
    pty_require(room.desk.pty, pty_foreground(room.desk.pty), "it is not in front");
    room_configure("");
    type(":finish\n");
    see("A number, or q to sign out");
    type("q\n");
    while (!pty_ended(room.desk.pty) && pty_pump(room.desk.pty, 3000)) {
    }
    room_again(); /* since another look takes a new start */
}

#define ONE(name)                                                                                            \
    {                                                                                                        \
#name " at a question", one, STAYS, NULL, name, 0                                                    \
    }

const struct attempt attempts_signals[] = {
    ONE(SIGHUP),
    ONE(SIGINT),
    ONE(SIGQUIT),
    ONE(SIGILL),
    ONE(SIGTRAP),
    ONE(SIGABRT),
    ONE(SIGBUS),
    ONE(SIGFPE),
    ONE(SIGUSR1),
    ONE(SIGSEGV),
    ONE(SIGUSR2),
    ONE(SIGPIPE),
    ONE(SIGALRM),
    ONE(SIGTERM),
    ONE(SIGSTKFLT),
    ONE(SIGCHLD),
    ONE(SIGCONT),
    ONE(SIGTSTP),
    ONE(SIGTTIN),
    ONE(SIGTTOU),
    ONE(SIGURG),
    ONE(SIGXCPU),
    ONE(SIGXFSZ),
    ONE(SIGVTALRM),
    ONE(SIGPROF),
    ONE(SIGWINCH),
    ONE(SIGIO),
    ONE(SIGPWR),
    ONE(SIGSYS),
    { "signal 32 at a question", one, STAYS, NULL, LIBRARY_FIRST, 0 },
    { "signal 33 at a question", one, STAYS, NULL, LIBRARY_LAST, 0 },
    { "every signal up to 31, sent and queued, at sign-in", range, STAYS, "sign-in", 1, 31 },
    { "every real-time signal, sent and queued, at sign-in", range, STAYS, "sign-in", LIBRARY_FIRST, LAST },
    { "every real-time signal, sent and queued, at a question", range, STAYS, "question", LIBRARY_FIRST,
      LAST },
    { "200 times every signal up to 31", bursts, STAYS, NULL, 1, 31 },
    { "200 times every real-time signal", bursts, STAYS, NULL, LIBRARY_FIRST, LAST },
    { "every signal again and again while it starts", while_starting, STAYS, NULL, 1, LAST },
    { "a starter that ignores every signal", ignored_by_starter, STAYS, NULL, 0, 0 },
    { "every signal while somebody practises line by line", plain, STAYS, NULL, 1, LAST },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
