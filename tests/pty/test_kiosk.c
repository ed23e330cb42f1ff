/*
 * A kiosk on a terminal: one learner after the other, from sign-in to sign-out, with PINs, a tutor's code, a
 * configuration that is broken and mended, and ends that leave nothing behind.
 */
#include "kiosk_desk.h"

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

/* Two learners in turn; the first leaves in the middle, and is asked about that when they come back. */
static void test_one_after_the_other(void **state)
{
    (void)state;
    kiosk_begin("welcome: Room 12, practise freely.\n");
    kiosk_see("Room 12, practise freely.");
    kiosk_sign_in("Ana");
    kiosk_see("A pack for the terminal");
    kiosk_type("\r");
    kiosk_see("Which letter is the first?");
    kiosk_see("Ana");
    kiosk_type("1\r");
    kiosk_see("Alpha stands at the beginning.");
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    kiosk_type("q");
    kiosk_see("Finish here?");
    kiosk_type("y");
    kiosk_see("1 of 1 right");
    kiosk_sign_out();
    kiosk_sign_in("Bea");
    kiosk_see("A pack for the terminal");
    assert_false(pty_has(kiosk_desk.pty, "Ana"));
    kiosk_sign_out();
    kiosk_sign_in("Ana");
    kiosk_see("Go on where you stopped?");
    kiosk_type("\r");
    kiosk_see("Which letter is the second?");
    kiosk_type("2\r");
    kiosk_see("Beta follows.");
    assert_int_equal(desk_attempts(&kiosk_desk), 2);
    kiosk_leave();
}

/* Keys that stop or end other programs are keys; nothing leads out, and no name stays on the screen. */
static void test_stays(void **state)
{
    (void)state;
    kiosk_begin("");
    kiosk_see("Your name or ID");
    kiosk_type("Ana\003");
    kiosk_gone("Ana");
    kiosk_type("\032\034\021\023\033:!l");
    kiosk_see(":!l");
    kiosk_type("\033");
    kiosk_gone(":!l");
    kiosk_sign_in("Nobody");
    kiosk_see("Nobody here has the name");
    kiosk_type("\025Ana\r");
    kiosk_see("q sign out");
    kiosk_type("l\032te\003");
    kiosk_gone("q sign out");
    kiosk_see("F1 all keys");
    pid_t pid = pty_program(kiosk_desk.pty);
    static const int signals[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGTSTP, SIGALRM, SIGSEGV };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        assert_int_equal(kill(pid, signals[i]), 0);
    kiosk_type("Bea");
    kiosk_see("Bea");
    assert_false(pty_ended(kiosk_desk.pty));
    kiosk_type("\033");
    kiosk_gone("Bea");
    kiosk_leave();
}

/* A PIN is not seen, and after five wrong ones a wait begins that a new start does not end. */
static void test_pin(void **state)
{
    (void)state;
    kiosk_set();
    kiosk_command("learner pin Ana", "1234");
    kiosk_configure("");
    kiosk_start((struct pty_options){ 0 });
    kiosk_sign_in("Ana");
    kiosk_see("Esc back");
    kiosk_type("1234");
    kiosk_see("****");
    assert_false(pty_has(kiosk_desk.pty, "1234"));
    kiosk_type("\r");
    kiosk_sign_out();
    kiosk_sign_in("Ana");
    for (int i = 0; i < 5; i++) {
        char text[64];
        kiosk_see("Your PIN");
        kiosk_type("4321\r");
        if (i < 4)
            snprintf(text, sizeof text, i == 3 ? "%d try is left" : "%d tries are left", 4 - i);
        else
            snprintf(text, sizeof text, "The next try is taken in");
        kiosk_see(text);
    }
    assert_false(pty_log_has(kiosk_desk.pty, "4321"));
    kiosk_kill();
    kiosk_start((struct pty_options){ 0 });
    kiosk_sign_in("Ana");
    kiosk_see("The next try is taken in");
    kiosk_type("1234"); /* too early, although it is right */
    kiosk_see("****");
    kiosk_type("\r");
    kiosk_gone("****");
    kiosk_type("\033");
    kiosk_gone("Your PIN");
    kiosk_leave();
}

/* A broken configuration calls for a tutor, while nobody is signed in; mended, it goes on by itself. */
static void test_configuration(void **state)
{
    (void)state;
    kiosk_begin("");
    kiosk_see("Your name or ID");
    kiosk_configure("wellcome: oops\n");
    kiosk_see("Please call your tutor.");
    kiosk_see("wellcome");
    kiosk_see("did you mean");
    kiosk_configure("practise: false\n"); /* another fault */
    kiosk_see("practise");
    kiosk_configure("practice: false\n");
    kiosk_sign_in("Ana");
    kiosk_see("There is nothing to do here now.");
    kiosk_configure("wellcome: oops\n"); /* between learners only */
    kiosk_sign_out();
    kiosk_see("Please call your tutor.");
    kiosk_leave();
}

/* What is typed faster than anybody types is passed over, and nothing hangs. */
static void test_flood(void **state)
{
    (void)state;
    enum { FLOOD = 300000 };
    static char flood[FLOOD + 16];
    kiosk_begin("");
    kiosk_see("Your name or ID");
    memcpy(flood, "\033[200~", 6);
    memset(flood + 6, 'x', FLOOD);
    memcpy(flood + 6 + FLOOD, "\033[201~", 6);
    pty_send(kiosk_desk.pty, flood, 12 + FLOOD);
    kiosk_see("xxxxxxxxxx");
    kiosk_type("\025");
    int64_t from = pty_now();
    while (!pty_has(kiosk_desk.pty, "Bea") &&
           pty_now() < from + PTY_DEADLINE_MS) { /* until there is room again */
        kiosk_type("\025Bea");
        pty_pump_for(kiosk_desk.pty, 200);
    }
    kiosk_see("Bea");
    kiosk_type("\025");
    kiosk_gone("Bea");
    desk_clear(&kiosk_desk);
}

/* The terminal is gone: it ends, and what was answered is there. */
static void test_hang_up(void **state)
{
    (void)state;
    kiosk_begin("");
    kiosk_sign_in("Ana");
    kiosk_see("A pack for the terminal");
    kiosk_type("\r");
    kiosk_see("Which letter is the first?");
    kiosk_type("2\r");
    kiosk_see("right answer");
    pty_hang_up(kiosk_desk.pty);
    assert_int_equal(kiosk_exit_status(), 0);
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    pty_finish(kiosk_desk.pty);
    kiosk_start((struct pty_options){ 0 });
    kiosk_see("Your name or ID"); /* nobody is signed in */
    assert_false(pty_has(kiosk_desk.pty, "Ana"));
    kiosk_leave();
}

/* A learner who practises line by line signs in on the screens, and the next one has the screens again. */
static void test_plain_learner(void **state)
{
    (void)state;
    char roster[DESK_PATH + 64], command[DESK_PATH + 96];
    kiosk_set();
    snprintf(roster, sizeof roster, "%s/roster.csv", kiosk_desk.folder);
    FILE *file = fopen(roster, "w");
    assert_non_null(file);
    fputs("name,plain\nAna,yes\nBea,no\n", file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "learner add --from '%s'", roster);
    kiosk_command(command, NULL);
    kiosk_configure("");
    kiosk_start((struct pty_options){ 0 });
    kiosk_sign_in("Ana");
    kiosk_see("A number, or q to sign out");
    kiosk_type("1\n");
    kiosk_see("Which letter is the first?");
    kiosk_type("1\n");
    kiosk_see("Right.");
    kiosk_type(":finish\n");
    kiosk_see("A number, or q to sign out");
    kiosk_type("q\n");
    kiosk_sign_in("Bea");
    kiosk_see("q sign out");
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    kiosk_leave();
}

/* All of it in lines. */
static void test_plain_kiosk(void **state)
{
    (void)state;
    kiosk_begin("plain: true\nwelcome: Room 12, practise freely.\n");
    kiosk_see("Room 12, practise freely.");
    kiosk_see("Your name or ID >");
    kiosk_type("Anne\n");
    kiosk_see("Nobody here has the name \"Anne\".");
    kiosk_type("\003\032\nAna\n");
    kiosk_type("Ana\n");
    kiosk_see("A number, or q to sign out");
    kiosk_type("1\n");
    kiosk_see("Which letter is the first?");
    kiosk_type("1\n");
    kiosk_see("Right.");
    kiosk_type("\004"); /* the end of input is the end of the practice */
    kiosk_see("1 of 1 right");
    kiosk_see("A number, or q to sign out");
    kiosk_type("q\n");
    kiosk_see("Signed out.");
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    pty_hang_up(kiosk_desk.pty);
    assert_int_equal(kiosk_exit_status(), 0);
    desk_clear(&kiosk_desk);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_one_after_the_other, kiosk_clear),
        cmocka_unit_test_teardown(test_stays, kiosk_clear),
        cmocka_unit_test_teardown(test_pin, kiosk_clear),
        cmocka_unit_test_teardown(test_configuration, kiosk_clear),
        cmocka_unit_test_teardown(test_flood, kiosk_clear),
        cmocka_unit_test_teardown(test_hang_up, kiosk_clear),
        cmocka_unit_test_teardown(test_plain_learner, kiosk_clear),
        cmocka_unit_test_teardown(test_plain_kiosk, kiosk_clear),
    };
    assert_true(argc == 2);
    kiosk_program(argv[1], NULL);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
