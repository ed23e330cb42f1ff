/*
 * Exams at a kiosk: in their window, over a cut of power, to the end of their time, for their groups.
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

/* Power is cut in the middle: somebody else sees nothing of it, and the learner goes on with all their
 * answers and time. */
static void test_goes_on(void **state)
{
    (void)state;
    begin("");
    kiosk_sign_in("Ana");
    kiosk_begin_exam();
    kiosk_type("1\r");
    kiosk_see("Which letter is the second?");
    kiosk_pass(4 * MINUTE);
    kiosk_see("26 min left");
    kiosk_type("2\r");
    kiosk_see("Which of these are");
    kiosk_kill();
    kiosk_start((struct pty_options){ 0 });
    kiosk_sign_in("Bea");
    kiosk_see("exam until");
    assert_false(pty_has(kiosk_desk.pty, "Which of these are"));
    kiosk_sign_out();
    kiosk_sign_in("Ana");
    kiosk_see("26 min left");
    kiosk_type("q");
    kiosk_see("2 of 3 answered.");
    kiosk_type("y");
    kiosk_see("2 of 3 marks");
    assert_int_equal(desk_attempts(&kiosk_desk), 3);
    kiosk_sign_out();
    kiosk_sign_in("Ana");
    kiosk_see("There is nothing to do here now."); /* it is sat once */
    kiosk_sign_out();
    kiosk_sign_in("Bea");
    kiosk_see("exam until");
    kiosk_leave();
}

/* The time runs out under the learner's hands, and while nobody is there. */
static void test_time_runs_out(void **state)
{
    (void)state;
    begin("");
    kiosk_sign_in("Ana");
    kiosk_begin_exam();
    kiosk_type("1\r");
    kiosk_see("Which letter is the second?");
    kiosk_pass(30 * MINUTE);
    kiosk_see("Time was up at");
    kiosk_see("1 of 3 marks");
    kiosk_sign_out();
    kiosk_sign_in("Bea");
    kiosk_begin_exam();
    kiosk_type("1\r");
    kiosk_see("Which letter is the second?");
    assert_int_equal(desk_attempts(&kiosk_desk), 3);
    kiosk_kill();
    kiosk_pass(31 * MINUTE);
    kiosk_start((struct pty_options){ 0 });
    kiosk_see("Your name or ID");
    kiosk_see("F1 all keys");
    assert_int_equal(desk_attempts(&kiosk_desk), 6); /* handed in, although she is not there */
    kiosk_sign_in("Bea");
    kiosk_see("There is nothing to do here now.");
    kiosk_leave();
}

static void offers(const char *config, const char *round, const char *learner, bool offered)
{
    char text[600];
    snprintf(text, sizeof text, "welcome: Round %s.\n%s", round, config);
    kiosk_configure(text);
    snprintf(text, sizeof text, "Round %s.", round);
    kiosk_pass(3000); /* it is looked at again after a second */
    kiosk_see(text);
    kiosk_sign_in(learner);
    kiosk_see("q sign out");
    kiosk_see(offered ? "exam until" : "There is nothing to do here now.");
    kiosk_sign_out();
}

/* Not before `from`, not after `until`, and for its groups only. */
static void test_windows(void **state)
{
    (void)state;
    begin("");
    kiosk_command("learner add Ana --group 9a", NULL);
    offers(kiosk_exam(1, 2, ""), "one", "Ana", false);
    offers(kiosk_exam(-2, -1, ""), "two", "Ana", false);
    offers(kiosk_exam(-2, 2, ""), "three", "Bea", true);
    offers(kiosk_exam(-2, 2, "    groups: 9A\n"), "four", "Ana", true);
    offers(kiosk_exam(-2, 2, "    groups: 9A\n"), "five", "Bea", false);
    kiosk_leave();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_goes_on, kiosk_clear),
        cmocka_unit_test_teardown(test_time_runs_out, kiosk_clear),
        cmocka_unit_test_teardown(test_windows, kiosk_clear),
    };
    assert_true(argc == 3);
    kiosk_program(argv[1], argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
