/*
 * A kiosk whose disk is full: what can't be stored is kept, a tutor gets in over it, and nothing is lost
 * unsaid.
 */
#include "kiosk_desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* As on a full disk: no file may grow any more, or they may again. */
static void fill(bool full)
{
    struct rlimit limit = { full ? 1 : RLIM_INFINITY, RLIM_INFINITY };
    assert_int_equal(prlimit(pty_program(kiosk_desk.pty), RLIMIT_FSIZE, &limit, NULL), 0);
}

static void to_first(void)
{
    kiosk_sign_in("Ana");
    kiosk_see("A pack for the terminal");
    kiosk_type("\r");
    kiosk_see("Which letter is the first?");
    kiosk_type("1\r");
    kiosk_see("Alpha stands at the beginning.");
    kiosk_type("\r");
    kiosk_see("Which letter is the second?");
}

static void lose_room(void)
{
    fill(true);
    kiosk_type("2\r");
    kiosk_see("Not stored yet");
    kiosk_see("Not stored: answers are kept in memory. Call your tutor.");
    kiosk_see("r try again");
    kiosk_see("F9 tutor");
}

/* Told as not stored, kept however long it takes, and stored once there is room. */
static void test_kept(void **state)
{
    (void)state;
    kiosk_begin("idle: 1\ncountdown: 20\n");
    to_first();
    lose_room();
    kiosk_type("r");
    kiosk_see("Not stored yet");
    kiosk_pass(90000); /* nobody is signed out over it */
    pty_pump_for(kiosk_desk.pty, 2500);
    kiosk_see("Ana");
    kiosk_see("Not stored");
    kiosk_type("x");
    kiosk_see("Not stored yet");
    fill(false);
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    kiosk_see("r try again");
    kiosk_type("r");
    kiosk_see("Beta follows.");
    kiosk_gone("Not stored");
    assert_int_equal(desk_attempts(&kiosk_desk), 2);
    kiosk_leave();
}

/* A tutor who is called sees the machine, and is told what signing out loses; going back loses nothing. */
static void test_tutor(void **state)
{
    (void)state;
    kiosk_begin("");
    to_first();
    lose_room();
    kiosk_type("\033[20~");
    kiosk_see("The tutor's code");
    kiosk_type("\033");
    kiosk_gone("The tutor's code");
    kiosk_see("Not stored yet");
    kiosk_tutor();
    kiosk_choose("This machine");
    kiosk_see("Something waits to be stored.");
    kiosk_see("left on the disk");
    kiosk_type("\r");
    kiosk_gone("left on the disk");
    kiosk_choose("Ana is signed in");
    kiosk_see("is lost then");
    kiosk_type("n");
    kiosk_gone("is lost then");
    kiosk_type("\033");
    kiosk_gone("Tutor's menu");
    kiosk_see("Not stored yet");
    fill(false);
    kiosk_type("r");
    kiosk_see("Beta follows.");
    assert_int_equal(desk_attempts(&kiosk_desk), 2);
    kiosk_type("\r");
    kiosk_see("Which of these are");
    fill(true);
    kiosk_type("1\r");
    kiosk_see("Not stored yet");
    kiosk_tutor();
    kiosk_choose("Ana is signed in");
    kiosk_see("is lost then");
    kiosk_type("y");
    kiosk_gone("Tutor's menu");
    kiosk_see("Your name or ID");
    fill(false);
    kiosk_sign_in("Ana");
    kiosk_see("Go on where you stopped?");
    kiosk_see("2 of 3 answered");
    assert_int_equal(desk_attempts(&kiosk_desk), 2);
    kiosk_leave();
}

/* The same in lines. */
static void test_lines(void **state)
{
    (void)state;
    kiosk_begin("plain: true\nidle: 1\ncountdown: 20\n");
    kiosk_see("Your name or ID >");
    kiosk_type("Ana\n");
    kiosk_see("A number, or q to sign out");
    kiosk_type("1\n");
    kiosk_see("Which letter is the first?");
    fill(true);
    kiosk_type("1\n");
    kiosk_see("Your answer is kept.");
    assert_false(pty_has(kiosk_desk.pty, "Right."));
    kiosk_pass(90000);
    pty_pump_for(kiosk_desk.pty, 2500);
    assert_false(pty_has(kiosk_desk.pty, "Signed out."));
    kiosk_type(":tutor\n");
    kiosk_see("The tutor's code");
    kiosk_type("open sesame\n");
    kiosk_see("Tutor's menu");
    kiosk_type("1\n");
    kiosk_see("is lost then");
    kiosk_type("\n\n");
    fill(false);
    kiosk_type("\n");
    kiosk_see("Right.");
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    pty_hang_up(kiosk_desk.pty);
    assert_int_equal(kiosk_exit_status(), 0);
    desk_clear(&kiosk_desk);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_kept, kiosk_clear),
        cmocka_unit_test_teardown(test_tutor, kiosk_clear),
        cmocka_unit_test_teardown(test_lines, kiosk_clear),
    };
    assert_true(argc == 3);
    kiosk_program(argv[1], argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
