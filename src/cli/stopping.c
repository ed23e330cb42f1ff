#include "stopping.h"

#include <signal.h>
#include <stddef.h>

static volatile sig_atomic_t asked;

static void note(int number)
{
    asked = number;
}

static void set_handler(void (*handler)(int))
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP };
    struct sigaction action = { .sa_handler = handler };
    struct sigaction was;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler != SIG_IGN) /* nohup stays nohup */
            sigaction(numbers[i], &action, NULL);
}

void stopping_watch(void)
{
    set_handler(note);
}

bool stopping_asked(void)
{
    return asked != 0;
}

void stopping_end(bool stopped)
{
    set_handler(SIG_DFL);
    if (stopped && asked)
        raise(asked);
}
