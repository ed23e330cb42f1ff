/*
 * A kiosk on a terminal: one learner after the other, from sign-in to sign-out, with PINs, a tutor's code, a
 * configuration that is broken and mended, and ends that leave nothing behind.
 */
#include "desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program;

/* The code is "open sesame". */
static const char common[] =
    "format: quiztutor-kiosk/1\n"
    "welcome: Room 12, practise freely.\n"
    "tutor_code: "
    "$argon2id$v=19$m=19456,t=2,p=1$y+iaaOcwGFY7/XWK/iCulw$m9B1eItwxszIXPrUSe5vUS2ec0aUKY7lPPObgH8JTR0\n";

static struct desk desk;
static char config[DESK_PATH + 64];

static void see(const char *text)
{
    pty_require(desk.pty, pty_wait_text(desk.pty, text), text);
}

static void gone(const char *text)
{
    pty_require(desk.pty, pty_wait_gone(desk.pty, text), text);
}

static void type(const char *keys)
{
    pty_type(desk.pty, keys);
}

/* Written beside and moved over, so that no half of it is ever read. */
static void configure(const char *more)
{
    char beside[DESK_PATH + 80], folder[DESK_PATH + 48];
    snprintf(folder, sizeof folder, "%s/etc", desk.folder);
    mkdir(folder, 0700);
    snprintf(config, sizeof config, "%s/kiosk.yaml", folder);
    snprintf(beside, sizeof beside, "%s.new", config);
    FILE *file = fopen(beside, "w");
    assert_non_null(file);
    fprintf(file, "%sstore: %s\ncontent: %s\n%s", common, desk.store, desk.content, more);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(beside, config), 0);
}

static void run(const char *arguments, const char *line)
{
    char command[4 * DESK_PATH];
    snprintf(command, sizeof command, "%s%s%s'%s' --store '%s' %s >/dev/null 2>&1", line ? "printf '" : "",
             line ? line : "", line ? "\\n' | " : "", program, desk.store, arguments);
    assert_int_equal(system(command), 0);
}

static void start(void)
{
    struct pty_options options = { .program = program, .arguments = { "kiosk", "--config", config } };
    options.environment[0] = "ASAN_OPTIONS=detect_leaks=0"; /* its threads are refused in there */
    desk.pty = pty_start(&options);
}

static void begin(const char *more)
{
    desk_set(&desk);
    run("learner add Ana", NULL);
    run("learner add Bea", NULL);
    configure(more);
    start();
}

/* The last row comes last: what is awaited above it might still be of the screen before. */
static void sign_in(const char *name)
{
    see("F1 all keys");
    see("Your name or ID");
    type(name);
    see(name);
    type("\r");
}

static void sign_out(void)
{
    see("q sign out");
    type("q");
    gone("q sign out");
}

static int exit_status(void)
{
    int status = pty_wait_exit(desk.pty);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void tutor(void)
{
    type("\033[20~"); /* F9 */
    see("What you type is not shown");
    type("open sesame\r");
    see("Tutor's menu");
}

static void leave(void)
{
    tutor();
    type("\033[F"); /* End: to the last row */
    see("Enter leave");
    type("\r");
    see("Do this?");
    type("y");
    assert_int_equal(exit_status(), 3);
    desk_clear(&desk);
}

/* Two learners in turn; the first leaves in the middle, and is asked about that when they come back. */
static void test_one_after_the_other(void **state)
{
    (void)state;
    begin("");
    see("Room 12, practise freely.");
    sign_in("Ana");
    see("A pack for the terminal");
    type("\r");
    see("Which letter is the first?");
    see("Ana");
    type("1\r");
    see("Alpha stands at the beginning.");
    assert_int_equal(desk_attempts(&desk), 1);
    type("q");
    see("Finish here?");
    type("y");
    see("1 of 1 right");
    sign_out();
    sign_in("Bea");
    see("A pack for the terminal");
    assert_false(pty_has(desk.pty, "Ana"));
    sign_out();
    sign_in("Ana");
    see("Go on where you stopped?");
    type("\r");
    see("Which letter is the second?");
    type("2\r");
    see("Beta follows.");
    assert_int_equal(desk_attempts(&desk), 2);
    leave();
}

/* Keys that stop or end other programs are keys; nothing leads out, and no name stays on the screen. */
static void test_stays(void **state)
{
    (void)state;
    begin("");
    see("Your name or ID");
    type("Ana\003");
    gone("Ana");
    type("\032\034\021\023\033:!l");
    see(":!l");
    type("\033");
    gone(":!l");
    sign_in("Nobody");
    see("Nobody here has the name");
    type("\025Ana\r");
    see("q sign out");
    type("l\032te\003");
    gone("q sign out");
    see("F1 all keys");
    pid_t pid = pty_program(desk.pty);
    static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGTSTP, SIGALRM, SIGSEGV };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        assert_int_equal(kill(pid, signals[i]), 0);
    type("Bea");
    see("Bea");
    assert_false(pty_ended(desk.pty));
    type("\033");
    gone("Bea");
    leave();
}

/* A PIN is not seen, and after five wrong ones a wait begins that a new start does not end. */
static void test_pin(void **state)
{
    (void)state;
    desk_set(&desk);
    run("learner add Ana", NULL);
    run("learner pin Ana", "1234");
    configure("");
    start();
    sign_in("Ana");
    see("Esc back");
    type("1234");
    see("****");
    assert_false(pty_has(desk.pty, "1234"));
    type("\r");
    sign_out();
    sign_in("Ana");
    for (int i = 0; i < 5; i++) {
        char text[64];
        see("Your PIN");
        type("4321\r");
        if (i < 4)
            snprintf(text, sizeof text, i == 3 ? "%d try is left" : "%d tries are left", 4 - i);
        else
            snprintf(text, sizeof text, "The next try is taken in");
        see(text);
    }
    assert_false(pty_log_has(desk.pty, "4321"));
    assert_int_equal(kill(pty_program(desk.pty), SIGKILL), 0);
    pty_wait_exit(desk.pty);
    pty_finish(desk.pty);
    start();
    sign_in("Ana");
    see("The next try is taken in");
    type("1234"); /* too early, although it is right */
    see("****");
    type("\r");
    gone("****");
    type("\033");
    gone("Your PIN");
    leave();
}

/* A broken configuration calls for a tutor, while nobody is signed in; mended, it goes on by itself. */
static void test_configuration(void **state)
{
    (void)state;
    begin("");
    see("Your name or ID");
    configure("wellcome: oops\n");
    see("Please call your tutor.");
    see("wellcome");
    see("did you mean");
    configure("practise: false\n"); /* another fault */
    see("practise");
    configure("practice: false\n");
    sign_in("Ana");
    see("There is nothing to do here now.");
    configure("wellcome: oops\n"); /* between learners only */
    sign_out();
    see("Please call your tutor.");
    leave();
}

/* What is typed faster than anybody types is passed over, and nothing hangs. */
static void test_flood(void **state)
{
    (void)state;
    enum { FLOOD = 300000 };
    static char flood[FLOOD + 16];
    begin("");
    see("Your name or ID");
    memcpy(flood, "\033[200~", 6);
    memset(flood + 6, 'x', FLOOD);
    memcpy(flood + 6 + FLOOD, "\033[201~", 6);
    pty_send(desk.pty, flood, 12 + FLOOD);
    see("xxxxxxxxxx");
    type("\025");
    int64_t from = pty_now();
    while (!pty_has(desk.pty, "Bea") && pty_now() < from + PTY_DEADLINE_MS) { /* until there is room again */
        type("\025Bea");
        pty_pump_for(desk.pty, 200);
    }
    see("Bea");
    type("\025");
    gone("Bea");
    desk_clear(&desk);
}

/* The terminal is gone: it ends, and what was answered is there. */
static void test_hang_up(void **state)
{
    (void)state;
    begin("");
    sign_in("Ana");
    see("A pack for the terminal");
    type("\r");
    see("Which letter is the first?");
    type("2\r");
    see("right answer");
    pty_hang_up(desk.pty);
    assert_int_equal(exit_status(), 0);
    assert_int_equal(desk_attempts(&desk), 1);
    pty_finish(desk.pty);
    start();
    see("Your name or ID"); /* nobody is signed in */
    assert_false(pty_has(desk.pty, "Ana"));
    leave();
}

/* A learner who practises line by line signs in on the screens, and the next one has the screens again. */
static void test_plain_learner(void **state)
{
    (void)state;
    char roster[DESK_PATH + 64], command[DESK_PATH + 96];
    desk_set(&desk);
    snprintf(roster, sizeof roster, "%s/roster.csv", desk.folder);
    FILE *file = fopen(roster, "w");
    assert_non_null(file);
    fputs("name,plain\nAna,yes\nBea,no\n", file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "learner add --from '%s'", roster);
    run(command, NULL);
    configure("");
    start();
    sign_in("Ana");
    see("A number, or q to sign out");
    type("1\n");
    see("Which letter is the first?");
    type("1\n");
    see("Right.");
    type(":finish\n");
    see("A number, or q to sign out");
    type("q\n");
    sign_in("Bea");
    see("q sign out");
    assert_int_equal(desk_attempts(&desk), 1);
    leave();
}

/* All of it in lines. */
static void test_plain_kiosk(void **state)
{
    (void)state;
    begin("plain: true\n");
    see("Room 12, practise freely.");
    see("Your name or ID >");
    type("Anne\n");
    see("Nobody here has the name \"Anne\".");
    type("\003\032\nAna\n");
    type("Ana\n");
    see("A number, or q to sign out");
    type("1\n");
    see("Which letter is the first?");
    type("1\n");
    see("Right.");
    type("\004"); /* the end of input is the end of the practice */
    see("1 of 1 right");
    see("A number, or q to sign out");
    type("q\n");
    see("Signed out.");
    assert_int_equal(desk_attempts(&desk), 1);
    pty_hang_up(desk.pty);
    assert_int_equal(exit_status(), 0);
    desk_clear(&desk);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_after_the_other),
        cmocka_unit_test(test_stays),
        cmocka_unit_test(test_pin),
        cmocka_unit_test(test_configuration),
        cmocka_unit_test(test_flood),
        cmocka_unit_test(test_hang_up),
        cmocka_unit_test(test_plain_learner),
        cmocka_unit_test(test_plain_kiosk),
    };
    assert_true(argc == 2);
    program = argv[1];
    desk_program(program);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
