/*
 * Random keys, sequences and resizes at a kiosk on a terminal, for a while: it must not crash, hang or leak.
 *
 *   random_keys PROGRAM SECONDS SEED [bare] [COMMAND…]
 *
 * Every second or so it is asked for a sign of life: a new size, which it has to draw within a bound. At the
 * end a tutor leaves by the menu, so that what was allocated is given back, and the end itself is looked at.
 * `bare`: the kernel takes no sandbox (bare.h), and what checks for leaks is let loose. COMMAND runs the
 * program: valgrind with its options. Failures are told with the seed.
 */
#include "bare.h"
#include "desk.h"
#include "home.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ALIVE_MS = 10000, SLOW_ALIVE_MS = 60000, ROUND_KEYS = 24, LARGEST = 65535, LEFT = 3 };

static struct desk desk;
static char config[DESK_PATH + 64];
static const char *program;
static int seconds;
static uint64_t seed;
static bool bare;
static char **command;
static int commands;

/* The code is "open sesame". */
static const char common[] =
    "format: quiztutor-kiosk/1\n"
    "idle: 1\n"
    "countdown: 5\n"
    "roster: open\n"
    "tutor_code: "
    "$argon2id$v=19$m=19456,t=2,p=1$y+iaaOcwGFY7/XWK/iCulw$m9B1eItwxszIXPrUSe5vUS2ec0aUKY7lPPObgH8JTR0\n";

static uint64_t random_next(void)
{
    uint64_t z = seed += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static int below(int limit)
{
    return (int)(random_next() % (uint64_t)limit);
}

static void configure(void)
{
    char folder[DESK_PATH + 48];
    snprintf(folder, sizeof folder, "%s/etc", desk.folder);
    assert_int_equal(mkdir(folder, 0700), 0);
    snprintf(config, sizeof config, "%s/kiosk.yaml", folder);
    FILE *file = fopen(config, "w");
    assert_non_null(file);
    fprintf(file, "%sstore: %s\ncontent: %s\n", common, desk.store, desk.content);
    assert_int_equal(fclose(file), 0);
}

static void make_bare(const void *context)
{
    (void)context;
    if (!bare_kernel())
        _exit(125);
}

static void start(void)
{
    struct pty_options options = { .program = commands ? command[0] : program };
    int count = 0;
    for (int i = 1; i < commands && count < PTY_ARGUMENTS - 4; i++)
        options.arguments[count++] = command[i];
    if (commands)
        options.arguments[count++] = program;
    options.arguments[count++] = "kiosk";
    options.arguments[count++] = "--config";
    options.arguments[count++] = config;
    static char address[2 * DESK_PATH], undefined[2 * DESK_PATH];
    snprintf(address, sizeof address, "ASAN_OPTIONS=abort_on_error=0:detect_leaks=%d:log_path=%s/report",
             bare, desk.folder);
    snprintf(undefined, sizeof undefined, "UBSAN_OPTIONS=print_stacktrace=1:log_path=%s/report", desk.folder);
    options.environment[0] = address;
    options.environment[1] = undefined;
    options.prepare = bare ? make_bare : NULL;
    desk.pty = pty_start(&options);
}

/* ---- what is pressed ---- */

/* What leads somewhere, so that all screens are come by, and what leads nowhere. */
static void press_something(void)
{
    static const char *const keys[] = {
        "Ana",
        "Bea",
        "\r",
        "\r",
        "1",
        "2",
        "3",
        "\t",
        "\033",
        "q",
        "y",
        "?",
        "h",
        "s",
        "u",
        "*",
        "-",
        "/",
        "!",
        "r",
        "n",
        "p",
        "\033[A",
        "\033[B",
        "\033[C",
        "\033[D",
        "\033[5~",
        "g",
        "G",
        "\033OP",
        "\033OQ",
        "\033OR",
        "\033[20~",
        "\033[H",
        "\033[F",
        "\177",
        "\f",
        "\025",
        "1234\r",
        "\033[3~",
        "漢字",
        "e\314\201",
        "\033[200~",
        "\033[201~",
        "\003",
        "\032",
        "\034",
        "\033[<0;3;3M",
        "\033]52;c;x\a",
        "open\r",
        "a\r1\r",
        ":tutor\n",
        ":finish\n",
        "q\n",
    };
    char byte[2] = { (char)below(256), '\0' };
    if (below(8) == 0)
        pty_send(desk.pty, byte, 1);
    else
        pty_type(desk.pty, keys[below((int)(sizeof keys / sizeof *keys))]);
}

static void resize_somehow(void)
{
    static const int sizes[] = { 0, 1, 2, 9, 10, 23, 24, 25, 40, 60, 200, 400, LARGEST };
    enum { COUNT = sizeof sizes / sizeof *sizes };
    bool usual = below(3) != 0;
    pty_resize(desk.pty, usual ? 10 + below(50) : sizes[below(COUNT)],
               usual ? 30 + below(150) : sizes[below(COUNT)]);
}

/* ---- signs of life ---- */

static void fail_seed(const char *what, const char *arguments)
{
    ptrdiff_t length;
    const char *log = pty_log(desk.pty, &length);
    pty_print(desk.pty);
    fprintf(stderr, "%s (%s)\n%.4000s\n", what, arguments, length > 4000 ? log + length - 4000 : log);
    fail();
}

static void end_amiss(const char *what, const char *arguments)
{
    char line[2 * DESK_PATH];
    snprintf(line, sizeof line, "cat '%s'/report* >&2 2>/dev/null", desk.folder);
    if (system(line) != 0)
        fputs("(no report)\n", stderr);
    if (pty_ended(desk.pty)) {
        int status = pty_wait_exit(desk.pty);
        fprintf(stderr, WIFSIGNALED(status) ? "killed by signal %d\n" : "ended with status %d\n",
                WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
    }
    fail_seed(what, arguments);
}

static bool has_written(struct pty *pty, const void *context)
{
    ptrdiff_t length;
    (void)context;
    pty_log(pty, &length);
    return length > 0 || pty_ended(pty);
}

/* A size it had not: the whole screen is drawn anew. In lines it takes a line to be answered. */
static void ask_for_life(const char *arguments)
{
    static int turn;
    while (pty_pump(desk.pty, 20)) {
    }
    pty_log_clear(desk.pty);
    turn = (turn + 1) % 7;
    pty_resize(desk.pty, 24 + turn, 80 + turn);
    pty_type(desk.pty, pty_second_screen(desk.pty) ? "\f" : "\025\n");
    int64_t until = pty_now() + (commands ? SLOW_ALIVE_MS : ALIVE_MS);
    while (!has_written(desk.pty, NULL) && pty_now() < until)
        pty_pump(desk.pty, 20);
    if (!has_written(desk.pty, NULL))
        fail_seed("it does not answer", arguments);
    if (pty_ended(desk.pty))
        end_amiss("it has ended", arguments);
}

/* ---- the end ---- */

/* By keys alone. A paste that was left open is over after some time, and keys are taken again then. */
static void come_home(const char *arguments)
{
    int64_t until = pty_now() + 6 * (commands ? SLOW_ALIVE_MS : ALIVE_MS);
    pty_resize(desk.pty, 24, 80);
    pty_pump_for(desk.pty, 6000);
    for (int i = 0; !home_reached(desk.pty) && pty_now() < until && !pty_ended(desk.pty); i++) {
        pty_type(desk.pty, home_keys(desk.pty, i));
        pty_pump_for(desk.pty, commands ? 1000 : 300);
    }
    if (!home_reached(desk.pty))
        fail_seed("there is no way back to the sign-in", arguments);
}

/* True when the text is there; once it is asked whether a wait runs, that has been seen. */
static bool press_until(const char *keys, const char *text)
{
    pty_type(desk.pty, keys);
    int64_t until = pty_now() + (commands ? SLOW_ALIVE_MS : ALIVE_MS);
    while (!pty_has(desk.pty, text) && pty_now() < until && !pty_ended(desk.pty))
        pty_pump(desk.pty, 20);
    return pty_has(desk.pty, text);
}

/* A tutor leaves, or where codes typed by chance have a long wait behind them, the terminal is gone. Either
 * is an end in order. */
static void leave(const char *arguments)
{
    bool by_tutor = press_until("\033[20~", "What you type is not shown") &&
                    press_until("open sesame\r", "Tutor's menu") && press_until("\033[F", "Enter leave") &&
                    press_until("\r", "Do this?");
    if (by_tutor)
        pty_type(desk.pty, "y");
    else
        pty_hang_up(desk.pty);
    int status = pty_wait_exit(desk.pty), wanted = by_tutor ? LEFT : 0;
    if (status == -1)
        end_amiss("it does not end", arguments);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != wanted)
        end_amiss("it did not end as it should: a leak, or worse", arguments);
}

static void test_random(void **state)
{
    char arguments[64];
    int rounds = 0;
    (void)state;
    snprintf(arguments, sizeof arguments, "seed %llu", (unsigned long long)seed);
    desk_set(&desk);
    desk_answer(&desk, "Bea", "1\n:finish\n");
    configure();
    start();
    pty_require(desk.pty, pty_wait_text(desk.pty, "Your name or ID"), "no sign-in");
    for (int64_t until = pty_now() + seconds * INT64_C(1000); pty_now() < until; rounds++) {
        for (int i = 0; i < ROUND_KEYS; i++) {
            press_something();
            pty_pump(desk.pty, below(4));
        }
        resize_somehow();
        if (rounds % 8 == 0)
            ask_for_life(arguments);
        if (pty_ended(desk.pty))
            end_amiss("it has ended", arguments);
    }
    come_home(arguments);
    int answers = desk_attempts(&desk);
    leave(arguments);
    printf("%s: %d rounds, %d answers\n", arguments, rounds, answers);
    desk_clear(&desk);
}

static int clean_up(void **state)
{
    (void)state;
    if (*desk.folder)
        desk_clear(&desk);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test_teardown(test_random, clean_up) };
    assert_true(argc >= 4);
    program = argv[1];
    seconds = atoi(argv[2]);
    seed = strtoull(argv[3], NULL, 10);
    bare = argc > 4 && strcmp(argv[4], "bare") == 0;
    command = argv + 4 + bare;
    commands = argc - 4 - bare;
    desk_program(program);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
