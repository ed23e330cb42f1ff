/*
 * A tutor's menu at a kiosk, row by row, and what happens when nobody touches the keyboard.
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
#include <time.h>

enum { MINUTE = 60000 };

static void begin(const char *more)
{
    kiosk_set();
    kiosk_configure(kiosk_exam(-2, 2, more));
    kiosk_start((struct pty_options){ 0 });
}

static void hand_in(void)
{
    kiosk_type("q");
    kiosk_see("Hand in?");
    kiosk_type("y");
    kiosk_see("q sign out");
}

static void confirm(const char *row)
{
    kiosk_choose(row);
    kiosk_see("Do this?");
    kiosk_type("y");
    kiosk_gone("Do this?");
}

static void back(void)
{
    kiosk_type("\033");
    kiosk_gone("Tutor's menu");
}

static int64_t told(const char *body)
{
    char sql[300];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM event WHERE kind = 'kiosk' AND body LIKE '%%%s%%'", body);
    return kiosk_query(sql);
}

/* Locked, opened, five minutes more, handed in, opened again: what the tutor does, the learner sees at once.
 */
static void test_menu(void **state)
{
    (void)state;
    begin("");
    kiosk_see("Your name or ID");
    kiosk_tutor();
    kiosk_see("open until");
    confirm("Exam: A pack for the terminal");
    kiosk_see("locked");
    back();
    kiosk_sign_in("Ana");
    kiosk_see("There is nothing to do here now.");
    kiosk_tutor();
    confirm("Exam: A pack for the terminal");
    kiosk_see("opened");
    back();
    kiosk_begin_exam();
    kiosk_type("1\r");
    kiosk_see("Which letter is the second?");
    kiosk_tutor();
    kiosk_see("1 of 3");
    confirm("Ana: A pack for the terminal");
    back();
    kiosk_see("35 min left");
    hand_in();
    kiosk_see("1 of 3 marks");
    kiosk_tutor();
    kiosk_see("handed in");
    confirm("Ana: A pack for the terminal");
    back();
    kiosk_see("Enter library");
    kiosk_type("\r");
    kiosk_see("Enter exam");
    kiosk_type("\r");
    kiosk_see("5 min left");
    kiosk_type("2\r");
    kiosk_see("Which of these are");
    hand_in();
    kiosk_see("2 of 3 marks");
    kiosk_tutor();
    kiosk_choose("This machine");
    kiosk_see("Locked in by the kernel.");
    kiosk_see("left on the disk");
    kiosk_type("\r");
    kiosk_gone("Locked in by the kernel.");
    confirm("Ana is signed in");
    kiosk_see("Your name or ID");
    kiosk_tutor();
    kiosk_choose("Leave the kiosk");
    kiosk_see("Do this?");
    kiosk_type("y");
    assert_int_equal(kiosk_exit_status(), 3);
    assert_int_equal(told("\"menu\""), 6);
    assert_int_equal(told("\"open\":false"), 1);
    assert_int_equal(told("\"open\":true"), 1);
    assert_int_equal(told("\"reopened\""), 1);
    assert_int_equal(told("\"looked\""), 1);
    assert_int_equal(told("\"signed-out\""), 1);
    assert_int_equal(told("\"left\""), 1);
    assert_int_equal(
        kiosk_query("SELECT count(*) FROM event WHERE kind = 'extended' AND body = '{\"minutes\":5}'"), 1);
    assert_int_equal(kiosk_query("SELECT count(*) FROM event WHERE kind IN ('kiosk', 'extended') AND"
                                 " (body LIKE '%Ana%' OR body LIKE '%Bea%')"),
                     0);
    desk_clear(&kiosk_desk);
}

/* A wrong code, then a wait; Esc leaves it; a menu that nobody touches closes by itself. */
static void test_code(void **state)
{
    (void)state;
    kiosk_begin("idle: 1\n");
    kiosk_see("Your name or ID");
    kiosk_type("\033[20~");
    kiosk_see("What you type is not shown");
    for (int i = 0; i < 5; i++) {
        kiosk_type("open barley");
        kiosk_see("***********");
        kiosk_type("\r");
        kiosk_gone("*");
        kiosk_see(i < 4 ? "That was not it." : "The next try is taken in");
    }
    assert_false(pty_log_has(kiosk_desk.pty, "barley"));
    kiosk_type("\033");
    kiosk_gone("The tutor's code");
    kiosk_pass(40000);
    kiosk_tutor();
    kiosk_pass(MINUTE);
    kiosk_gone("Tutor's menu");
    kiosk_see("Your name or ID");
    kiosk_leave();
}

/* Counted down; a key stays and does nothing else; then signed out with everything kept, for the same
 * learner. */
static void test_idle(void **state)
{
    (void)state;
    kiosk_begin("idle: 1\ncountdown: 20\n");
    kiosk_sign_in("Ana");
    kiosk_see("A pack for the terminal");
    kiosk_type("\r");
    kiosk_see("Which letter is the first?");
    kiosk_type("1\r");
    kiosk_see("Alpha stands at the beginning.");
    kiosk_pass(MINUTE - 1000);
    pty_pump_for(kiosk_desk.pty, 1500);
    assert_false(pty_has(kiosk_desk.pty, "Still there?"));
    kiosk_pass(1000);
    kiosk_see("Still there?");
    kiosk_see("20 seconds");
    kiosk_pass(12000);
    kiosk_see("8 seconds");
    kiosk_type("\r"); /* else the next question */
    kiosk_gone("Still there?");
    kiosk_see("Alpha stands at the beginning.");
    kiosk_pass(MINUTE);
    kiosk_see("Still there?");
    kiosk_pass(20000);
    kiosk_see("Your name or ID");
    assert_false(pty_has(kiosk_desk.pty, "Ana"));
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    kiosk_sign_in("Bea");
    kiosk_see("A pack for the terminal");
    kiosk_see("q sign out");
    assert_false(pty_has(kiosk_desk.pty, "Go on where you stopped?"));
    kiosk_sign_out();
    kiosk_sign_in("Ana");
    kiosk_see("Go on where you stopped?");
    kiosk_type("\r");
    kiosk_see("Which letter is the second?");
    kiosk_leave();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_menu, kiosk_clear),
        cmocka_unit_test_teardown(test_code, kiosk_clear),
        cmocka_unit_test_teardown(test_idle, kiosk_clear),
    };
    assert_true(argc == 3);
    kiosk_program(argv[1], argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
