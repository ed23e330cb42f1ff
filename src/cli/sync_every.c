/* A sync as a service: again and again, and only what changes is told. */
#include "stopping.h"
#include "sync.h"

#include <quiztutor/message.h>

#include <poll.h>
#include <signal.h>
#include <stdio.h>

enum { STATE_NONE = -1, STATE_WELL = ERROR_NONE /* else the error's code */ };

static double draw(void)
{
    uint32_t bits;
    hash_random(&bits, sizeof bits);
    return (double)bits / UINT32_MAX;
}

/* Sleeps until the time is up or a signal asks to end, whenever that comes. */
static void rest(int64_t ms)
{
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGHUP);
    sigprocmask(SIG_BLOCK, &ending, &before);
    if (!stopping_asked()) {
        const struct timespec time = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000 };
        ppoll(NULL, 0, &time, &before);
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
}

/* What is worth a line: a state that is another than before, and rows that somebody should look at. */
static void tell(const struct sync_round *round, const struct error *error, int *state, bool summaries)
{
    struct buffer words;
    bool odd = error->code == ERROR_NONE && (round->count.taken.parked || round->count.taken.notices);
    if ((int)error->code == *state && !odd)
        return;
    buffer_init(&words);
    central_address_say(&words, round->address);
    if (error->code == ERROR_NONE) {
        buffer_text(&words, tr(": in step: "));
        sync_words(&words, round, summaries);
        printf("%s\n", buffer_get(&words));
        fflush(stdout);
    } else {
        command_fail(error);
    }
    buffer_finish(&words);
    *state = (int)error->code;
}

int sync_every(struct sync_round *round, sync_work *work, int64_t every, bool summaries)
{
    int state = STATE_NONE, failures = 0;
    rest((int64_t)((double)(every < 10000 ? every : 10000) / 10 * draw())); /* machines that start together */
    while (!stopping_asked()) {
        struct error error = { 0 };
        round->count = (struct sync_count){ 0 };
        round->summaries = 0;
        bool done = work(round, &error);
        if (stopping_asked())
            break;
        failures = done ? 0 : failures + 1;
        tell(round, &error, &state, summaries);
        rest(sync_wait(every, failures, draw()));
    }
    stopping_end(false);
    return STATUS_DONE;
}
