/*
 * Clocks that are set, by years and while it runs (tests/app/clock.c is preloaded), and PINs and codes that
 * are guessed with the help of that, and of new starts.
 */
#include "escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define SECOND INT64_C(1000)
#define YEAR   (INT64_C(31557600) * SECOND)

enum { TRIES = 5, RESTARTS = 8 };

static volatile struct {
    int64_t wall, steady, boot;
} * moved;

static char preload[DESK_PATH * 2], clock_file[DESK_PATH * 2];

/* A clock that stands still until it is moved; the steady one begins far from nothing. */
static void hold_clock(void)
{
    char path[DESK_PATH + 32];
    if (!room.clock) {
        printf("left out: no clock was built that can be moved\n");
        skip();
    }
    snprintf(path, sizeof path, "%s/clock", room.desk.folder);
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, sizeof *moved), 0);
    void *at = mmap(NULL, sizeof *moved, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    assert_true(at != MAP_FAILED);
    moved = at;
    moved->wall = (int64_t)time(NULL) * SECOND;
    moved->steady = 100000 * SECOND;
    moved->boot = 1;
    snprintf(preload, sizeof preload, "LD_PRELOAD=%s", room.clock);
    snprintf(clock_file, sizeof clock_file, "TEST_CLOCK=%s", path);
    room.given[0] = preload;
    room.given[1] = clock_file;
}

/* Time passes, on both clocks. */
static void pass(int64_t ms)
{
    moved->wall += ms;
    moved->steady += ms;
}

static void set_clock(const struct attempt *attempt)
{
    static const int64_t moments[] = { 0,
                                       -1000 * YEAR,
                                       2147483648 * SECOND,
                                       4294967296 * SECOND,
                                       253402300800 * SECOND,
                                       INT64_C(9000000000000000) };
    hold_clock();
    if (strcmp(attempt->text, "question") == 0)
        room_question();
    else
        room_enter();
    if (attempt->other)
        moved->wall = moments[attempt->number];
    else
        moved->wall += attempt->number * YEAR;
    pass(2 * SECOND);
    settle();
    pass(2 * SECOND);
}

/* To and fro between any two keys. */
static void to_and_fro(const struct attempt *attempt)
{
    (void)attempt;
    hold_clock();
    room_question();
    for (int i = 0; i < 40; i++) {
        moved->wall += (i % 2 ? -11 : 10) * YEAR;
        pass(SECOND / 2);
        type(i % 3 ? "2" : "\033[B");
        pty_pump_for(room.desk.pty, 5);
    }
    moved->wall = (int64_t)time(NULL) * SECOND;
}

static void kill_and_start(void)
{
    kill(pty_program(room.desk.pty), SIGKILL);
    pty_wait_exit(room.desk.pty);
    pty_require(room.desk.pty, pty_children(room.desk.pty) == 0, "it has made a process");
    room_again();
}

/* Wrong ones, until a wait begins. */
static void guess(int tries)
{
    type("bertolt\r");
    for (int i = 0; i < tries; i++) {
        see("Your PIN");
        type("1111");
        see("****");
        type("\r");
        gone("****");
    }
}

static void wait_is_kept(const struct attempt *attempt)
{
    hold_clock();
    room_enter();
    guess(TRIES);
    see("The next try is taken in");
    moved->wall += attempt->number * YEAR;
    if (attempt->other) {
        moved->boot++;
        moved->steady = 5 * SECOND; /* since that start */
        kill_and_start();
        type("bertolt\r");
        see("Your PIN");
    }
    see("The next try is taken in");
    type("8642"); /* the right one, too early */
    see("****");
    type("\r");
    gone("****");
    settle();
    assert_true(sees("Your PIN") && sees("The next try is taken in"));
    assert_false(sees("q sign out"));
}

/* A new start after each guess: it counts on, and after the fifth a wait is over when its time has passed. */
static void over_restarts(const struct attempt *attempt)
{
    (void)attempt;
    int told = 0;
    room_enter();
    for (int i = 0; i < RESTARTS; i++) {
        type("bertolt\r");
        see("Your PIN");
        settle();
        told += sees("The next try is taken in");
        type("1111");
        see("****");
        type("\r");
        gone("****");
        settle();
        if (i >= TRIES)
            assert_true(sees("The next try is taken in"));
        kill_and_start();
    }
    assert_int_equal(told, RESTARTS - TRIES);
}

static void code_over_restarts(const struct attempt *attempt)
{
    (void)attempt;
    room_enter();
    for (int i = 0; i < RESTARTS; i++) {
        type("\033[20~");
        see("The tutor's code");
        type("wrong one");
        see("*********");
        type("\r");
        gone("*********");
        settle();
        if (i >= TRIES)
            assert_true(sees("The next try is taken in"));
        kill_and_start();
    }
    type("\033[20~");
    see("The tutor's code");
    type("open sesame");
    see("***********");
    type("\r"); /* the right one, too early */
    gone("***********");
    settle();
    assert_false(sees("Tutor's menu"));
}

static void long_secret(const struct attempt *attempt)
{
    static char secret[10001];
    memset(secret, attempt->number, sizeof secret - 1);
    room_enter();
    type(attempt->text);
    settle();
    type(secret);
    type("\r");
    settle();
    assert_false(sees("q sign out"));
    assert_false(sees("Tutor's menu"));
}

/* An hour without a key: who was there is signed out, with their answer kept. */
static void idle(const struct attempt *attempt)
{
    hold_clock();
    room_answer();
    pass(attempt->number * SECOND);
    see("F1 all keys");
    see("Your name or ID");
    assert_false(sees("Ana"));
    assert_int_equal(desk_attempts(&room.desk), 2);
}

const struct attempt attempts_clock[] = {
    { "ten years forwards at sign-in", set_clock, STAYS, "sign-in", 10, 0 },
    { "ten years forwards at a question", set_clock, STAYS, "question", 10, 0 },
    { "ten years back at sign-in", set_clock, STAYS, "sign-in", -10, 0 },
    { "ten years back at a question", set_clock, STAYS, "question", -10, 0 },
    { "1970 at a question", set_clock, STAYS, "question", 0, 1 },
    { "a thousand years before that at a question", set_clock, STAYS, "question", 1, 1 },
    { "2038 at a question", set_clock, STAYS, "question", 2, 1 },
    { "2106 at a question", set_clock, STAYS, "question", 3, 1 },
    { "the year 10000 at a question", set_clock, STAYS, "question", 4, 1 },
    { "the year 287168 at a question", set_clock, STAYS, "question", 5, 1 },
    { "years to and fro between keys", to_and_fro, STAYS, NULL, 0, 0 },
    { "the clock set past the wait of a PIN", wait_is_kept, STAYS, NULL, 10, 0 },
    { "the clock set past the wait of a PIN, and a new start of the machine", wait_is_kept, STAYS, NULL, 10,
      1 },
    { "the clock set back in the wait of a PIN, and a new start of the machine", wait_is_kept, STAYS, NULL,
      -10, 1 },
    { "PINs guessed over new starts", over_restarts, STAYS, NULL, 0, 0 },
    { "tutor's codes guessed over new starts", code_over_restarts, STAYS, NULL, 0, 0 },
    { "a PIN of 10,000 characters", long_secret, STAYS, "bertolt\r", '1', 0 },
    { "a tutor's code of 10,000 characters", long_secret, STAYS, "\033[20~", 'x', 0 },
    { "an hour without a key", idle, STAYS, NULL, 3600, 0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
