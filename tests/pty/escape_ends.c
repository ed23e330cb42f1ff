/* Ends that nobody can forbid, and a machine that gives less than is asked for. */
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
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KILOBYTE = 1024, PIPE_BYTES = 1 << 20, ALLOCATIONS = 12000, STEP_MS = 1000 };

static void at(const char *where)
{
    if (strcmp(where, "start") == 0) {
        room_start();
    } else if (strcmp(where, "sign-in") == 0) {
        room_enter();
    } else if (strcmp(where, "PIN") == 0) {
        room_enter();
        type("bertolt\r");
        see("Your PIN");
    } else if (strcmp(where, "question") == 0) {
        room_question();
    } else if (strcmp(where, "explanation") == 0) {
        room_answer();
    } else if (strcmp(where, "confirmation") == 0) {
        room_answer();
        type("q");
        see("Finish here?");
    } else if (strcmp(where, "lines") == 0) {
        room_configure("plain: true\n");
        room_start();
        see("Your name or ID >");
        type("Ana\n");
        see("A number, or q to sign out");
        type("1\n");
        see("Which letter is the first?");
        type("1\n");
        see("Right.");
        room.answers++;
        room_configure("");
    }
}

/* ---- SIGKILL ---- */

/* What a starter does that finds the terminal as a killed program has left it (the unit's TTYReset). */
static struct termios left, sane;

static void reset_terminal(const void *context)
{
    (void)context;
    tcsetattr(STDIN_FILENO, TCSANOW, &left);
    tcsetattr(STDIN_FILENO, TCSANOW, &sane);
}

static bool footer_is_last(struct pty *pty, const void *context)
{
    (void)context;
    return pty_find(pty, "F1 all keys", NULL) == 23;
}

static void killed(const struct attempt *attempt)
{
    at(attempt->text);
    struct pty *pty = room.desk.pty;
    assert_int_equal(kill(pty_program(pty), SIGKILL), 0);
    int status = pty_wait_exit(pty);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_true(desk_attempts(&room.desk) >= room.answers + 1);
    pty_modes(pty, &left);
    pty_first_modes(pty, &sane);
    /* the next one comes up on a screen in the state that the first has left */
    ptrdiff_t length;
    const char *log = pty_log(pty, &length);
    char *copy = malloc((size_t)length + 1);
    assert_non_null(copy);
    memcpy(copy, log, (size_t)length);
    copy[length] = '\0';
    pty_finish(pty);
    room.desk.pty = NULL;
    room.options.prepare = reset_terminal;
    room.options.deaf = true; /* or what is written once more would be answered once more */
    room_start();
    pty_scribble(room.desk.pty, copy);
    free(copy);
    type("\f");
    see("F1 all keys");
    see("Your name or ID");
    assert_false(sees("Ana"));
    type("\f");
    settle();
    pty_require(room.desk.pty, pty_wait(room.desk.pty, footer_is_last, NULL), "the screen is not whole");
}

/* ---- hang-up and descriptors ---- */

static void hung_up(const struct attempt *attempt)
{
    at(attempt->text);
    pty_hang_up(room.desk.pty);
    room.hung_up = true;
}

static void closed(const struct attempt *attempt)
{
    room.options.closed = attempt->number;
    room_start();
}

static int ends_of_pipe[2];

static void use_pipe(const void *context)
{
    int descriptor = *(const int *)context;
    dup2(ends_of_pipe[descriptor == STDIN_FILENO ? 0 : 1], descriptor);
    close(ends_of_pipe[0]);
    close(ends_of_pipe[1]);
}

static void start_with_pipe(const int *descriptor)
{
    assert_int_equal(pipe(ends_of_pipe), 0);
    room.options.prepare = use_pipe;
    room.options.prepared_by = descriptor;
    room_start();
    close(ends_of_pipe[*descriptor == STDIN_FILENO ? 0 : 1]);
}

/* One of its descriptors is a pipe, whose other end is closed while it runs. */
static void closed_while_running(const struct attempt *attempt)
{
    static int descriptor;
    descriptor = attempt->number;
    start_with_pipe(&descriptor);
    if (descriptor == STDERR_FILENO) {
        see("F1 all keys");
    } else if (descriptor == STDOUT_FILENO) {
        char text[64];
        assert_true(read(ends_of_pipe[0], text, sizeof text) > 0);
    } else {
        see("Your name or ID");
    }
    close(ends_of_pipe[descriptor == STDIN_FILENO ? 1 : 0]);
    if (descriptor == STDOUT_FILENO)
        type("Ana\n");
}

/* Nobody reads the journal: a kiosk that waits for that would hang. */
static void journal_full(const struct attempt *attempt)
{
    static int descriptor = STDERR_FILENO;
    (void)attempt;
    assert_int_equal(pipe(ends_of_pipe), 0);
    fcntl(ends_of_pipe[1], F_SETFL, O_NONBLOCK);
    static char filling[PIPE_BYTES];
    while (write(ends_of_pipe[1], filling, sizeof filling) > 0 || write(ends_of_pipe[1], filling, 1) > 0) {
    }
    fcntl(ends_of_pipe[1], F_SETFL, 0);
    room.options.prepare = use_pipe;
    room.options.prepared_by = &descriptor;
    room_enter();
    type("Nobody\r");
    see("Nobody here has the name");
    close(ends_of_pipe[1]);
    room.kept_open = ends_of_pipe[0];
}

/* ---- limits ---- */

static struct rlimit wanted;
static int wanted_resource;

static void set_limit(const void *context)
{
    (void)context;
    setrlimit((__rlimit_resource_t)wanted_resource, &wanted);
}

/* The sanitizers' own memory is a thousand times that, and they end a program that gets none. */
static void leave_out_sanitized(int resource)
{
    if (!room.sanitized || (resource != RLIMIT_AS && resource != RLIMIT_DATA && resource != RLIMIT_STACK))
        return;
    printf("left out: sanitizers don't run in so little memory\n");
    skip();
}

/* From the start on. It ends with a word, or calls a tutor, or stays: never hangs, never half. */
static void limited(const struct attempt *attempt)
{
    leave_out_sanitized(attempt->number);
    wanted_resource = attempt->number;
    wanted = (struct rlimit){ (rlim_t)attempt->other * KILOBYTE, (rlim_t)attempt->other * KILOBYTE };
    if (wanted_resource == RLIMIT_NOFILE || wanted_resource == RLIMIT_NPROC)
        wanted = (struct rlimit){ (rlim_t)attempt->other, (rlim_t)attempt->other };
    room.options.prepare = set_limit;
    room_start();
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (!pty_ended(room.desk.pty) && !sees("F1 all keys") && !sees("Please call your tutor.") &&
           pty_now() < until)
        pty_pump(room.desk.pty, 20);
    pty_require(room.desk.pty, pty_now() < until, "it neither ends nor shows anything");
    pty_require(room.desk.pty, pty_children(room.desk.pty) == 0, "it has made a process");
    if (!pty_ended(room.desk.pty)) {
        settle();
        kill(pty_program(room.desk.pty), SIGKILL);
    }
    pty_wait_exit(room.desk.pty);
}

/* While it runs, with an answer on the way: what was shown as answered is there. */
static void limited_while_running(const struct attempt *attempt)
{
    leave_out_sanitized(attempt->number);
    room_answer();
    rlim_t size = (rlim_t)attempt->other * (attempt->number == RLIMIT_NOFILE ? 1 : KILOBYTE);
    wanted = (struct rlimit){ size, size };
    struct pty *pty = room.desk.pty;
    assert_int_equal(prlimit(pty_program(pty), (__rlimit_resource_t)attempt->number, &wanted, NULL), 0);
    type("\r");
    settle();
    type("2\r");
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (!pty_ended(pty) && !sees("Beta follows.") && !sees("ot stored") && pty_now() < until)
        pty_pump(pty, 20);
    pty_require(pty, pty_now() < until, "it says nothing");
    room.answers += sees("Beta follows.");
    for (int i = 0; i < 20 && !pty_ended(pty); i++) {
        type("\033?q\033");
        pty_resize(pty, 24 + i * 7, 80 + i * 13);
        pty_pump_for(pty, 20);
    }
    if (!pty_ended(pty)) {
        pty_resize(pty, 24, 80);
        pty_require(pty, pty_foreground(pty) && pty_children(pty) == 0, "it is not in front");
        kill(pty_program(pty), SIGKILL);
    }
    pty_wait_exit(pty);
}

/* ---- allocations ---- */

/* Takes it to a question and an answer, as far as that goes. */
static void try_to_answer(void)
{
    struct pty *pty = room.desk.pty;
    static const struct {
        const char *keys, *text;
    } steps[] = { { "Ana\r", "q sign out" },
                  { "\r", "Which letter is the first?" },
                  { "1\r", "Alpha stands" } };
    for (size_t i = 0; i < sizeof steps / sizeof *steps && !pty_ended(pty); i++) {
        type(steps[i].keys);
        int64_t until = pty_now() + STEP_MS;
        while (!sees(steps[i].text) && !pty_ended(pty) && pty_now() < until)
            pty_pump(pty, 10);
        if (!sees(steps[i].text))
            return;
    }
    room.answers += !pty_ended(pty) || sees("Alpha stands");
}

/* The C library gives up by abort in some places of its own. */
static bool ends_by_itself(int status)
{
    return WIFEXITED(status) || (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

/* From one place after the other on an allocation, or each, fails, of whatever asks for it: the program ends
 * with a word, calls a tutor or goes on, and never by a fault; what it told as stored is there. */
static void short_of_memory(const struct attempt *attempt)
{
    static char preload[2 * DESK_PATH], limits[64];
    const char *library = getenv("SHORT_MEMORY_LIBRARY");
    if (!library || room.sanitized) {
        printf("left out: allocations of the C library can't be made to fail here\n");
        skip();
    }
    for (int from = attempt->number; from < ALLOCATIONS; from += 1 + from / attempt->other) {
        snprintf(preload, sizeof preload, "LD_PRELOAD=%s", library);
        snprintf(limits, sizeof limits, "SHORT_MEMORY=%d %s", from, attempt->text);
        room.given[0] = preload;
        room.given[1] = limits;
        room_start();
        struct pty *pty = room.desk.pty;
        int64_t until = pty_now() + PTY_DEADLINE_MS;
        while (!pty_ended(pty) && !sees("F1 all keys") && !sees("Please call your tutor.") &&
               !sees("Your name or ID") && pty_now() < until)
            pty_pump(pty, 10);
        pty_require(pty, pty_now() < until, limits);
        if (sees("F1 all keys"))
            try_to_answer();
        pty_require(pty, !pty_ended(pty) || ends_by_itself(pty_wait_exit(pty)), limits);
        pty_require(pty, pty_children(pty) == 0, "it has made a process");
        kill(pty_program(pty), SIGKILL);
        pty_wait_exit(pty);
        assert_true(desk_attempts(&room.desk) >= room.answers + 1);
        pty_finish(pty);
        room.desk.pty = NULL;
    }
    room.given[0] = NULL;
    room_enter();
}

/* ---- as it should ---- */

static void left_by_tutor(const struct attempt *attempt)
{
    (void)attempt;
    room_enter();
    type("\033[20~");
    see("The tutor's code");
    type("open sesame\r");
    see("Tutor's menu");
    type("\033[F");
    see("Enter leave");
    type("\r");
    see("Do this?");
    type("y");
    int status = pty_wait_exit(room.desk.pty);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 3);
}

const struct attempt attempts_ends[] = {
    { "SIGKILL at sign-in", killed, STAYS, "sign-in", 0, 0 },
    { "SIGKILL at a PIN", killed, STAYS, "PIN", 0, 0 },
    { "SIGKILL at a question", killed, STAYS, "question", 0, 0 },
    { "SIGKILL at an explanation", killed, STAYS, "explanation", 0, 0 },
    { "SIGKILL in lines", killed, STAYS, "lines", 0, 0 },
    { "SIGKILL at the start", killed, STAYS, "start", 0, 0 },
    { "a hang-up at the start", hung_up, ENDS, "start", 0, 0 },
    { "a hang-up at sign-in", hung_up, ENDS, "sign-in", 0, 0 },
    { "a hang-up at a PIN", hung_up, ENDS, "PIN", 0, 0 },
    { "a hang-up at a question", hung_up, ENDS, "question", 0, 0 },
    { "a hang-up at an explanation", hung_up, ENDS, "explanation", 0, 0 },
    { "a hang-up at a confirmation", hung_up, ENDS, "confirmation", 0, 0 },
    { "a hang-up in lines", hung_up, ENDS, "lines", 0, 0 },
    { "no standard input", closed, ENDS, NULL, 1, 0 },
    { "no standard output", closed, ENDS, NULL, 2, 0 },
    { "no standard input and output", closed, ENDS, NULL, 3, 0 },
    { "no standard descriptors", closed, ENDS, NULL, 7, 0 },
    { "no standard error", closed, STAYS, NULL, 4, 0 },
    { "standard input closed while it runs", closed_while_running, ENDS, NULL, STDIN_FILENO, 0 },
    { "standard output closed while it runs", closed_while_running, ENDS, NULL, STDOUT_FILENO, 0 },
    { "standard error closed while it runs", closed_while_running, STAYS, NULL, STDERR_FILENO, 0 },
    { "a journal that nobody reads", journal_full, STAYS, NULL, 0, 0 },
    { "three files open at most", limited, ENDS, NULL, RLIMIT_NOFILE, 3 },
    { "five files open at most", limited, ENDS, NULL, RLIMIT_NOFILE, 5 },
    { "eight files open at most", limited, ENDS, NULL, RLIMIT_NOFILE, 8 },
    { "no file may have a byte", limited, ENDS, NULL, RLIMIT_FSIZE, 0 },
    { "files of 16 KiB at most", limited, ENDS, NULL, RLIMIT_FSIZE, 16 },
    { "a stack of 64 KiB", limited, ENDS, NULL, RLIMIT_STACK, 64 },
    { "data of 300 KiB", limited, ENDS, NULL, RLIMIT_DATA, 300 },
    { "data of 1 MiB", limited, ENDS, NULL, RLIMIT_DATA, 1024 },
    { "memory of 16 MiB", limited, ENDS, NULL, RLIMIT_AS, 16384 },
    { "memory of 20 MiB", limited, ENDS, NULL, RLIMIT_AS, 20480 },
    { "memory of 24 MiB", limited, ENDS, NULL, RLIMIT_AS, 24576 },
    { "no files while it runs", limited_while_running, ENDS, NULL, RLIMIT_NOFILE, 0 },
    { "no bytes while it runs", limited_while_running, ENDS, NULL, RLIMIT_FSIZE, 0 },
    { "no memory while it runs", limited_while_running, ENDS, NULL, RLIMIT_AS, 0 },
    { "no data while it runs", limited_while_running, ENDS, NULL, RLIMIT_DATA, 0 },
    { "one allocation that fails, from the first on", short_of_memory, STAYS, "1", 1, 6 },
    { "ten allocations that fail, from the first on", short_of_memory, STAYS, "10", 1, 6 },
    { "allocations that all fail from one on", short_of_memory, STAYS, "1000000000", 1, 6 },
    { "a tutor leaves", left_by_tutor, ENDS, NULL, 0, 0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
