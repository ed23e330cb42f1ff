/*
 * How a kiosk is read: line by line with a tutor's menu, large, and from the sign-in on by whoever needs it.
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

static void roster(const char *lines)
{
    char path[DESK_PATH + 64], command[DESK_PATH + 96];
    snprintf(path, sizeof path, "%s/roster.csv", kiosk_desk.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(lines, file);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "learner add --from '%s'", path);
    kiosk_command(command, NULL);
}

/* Text of a pack that is typed: an answer that begins with a colon is one. */
static void write_pack(void)
{
    char path[DESK_PATH + 64];
    snprintf(path, sizeof path, "%s/b.yaml", kiosk_desk.content);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs("format: quiztutor/1\nid: typed-pack\ntitle: Typed\nquestions:\n  - id: one\n    prompt: What "
          "calls a tutor?\n"
          "    text: \":tutor\"\n    explanation: That it is.\n",
          file);
    assert_int_equal(fclose(file), 0);
}

/* What comes from now on. */
static void come(const char *text)
{
    pty_require(kiosk_desk.pty, pty_wait_output(kiosk_desk.pty, text), text);
}

static void call(const char *code)
{
    pty_log_clear(kiosk_desk.pty);
    kiosk_type(":tutor\n");
    come("The tutor's code; Enter alone goes back >");
    pty_log_clear(kiosk_desk.pty);
    kiosk_type(code);
    kiosk_type("\n");
    come(strcmp(code, "open sesame") == 0 ? "A number; Enter alone goes back >" : "That was not it.");
    assert_false(pty_log_has(kiosk_desk.pty, code));
}

/* `:tutor` anywhere but in a PIN: the same rows by their numbers, and then what was asked before is asked
 * again. */
static void test_tutor(void **state)
{
    (void)state;
    kiosk_set();
    write_pack();
    kiosk_configure("plain: true\npacks: typed-pack\n");
    kiosk_start((struct pty_options){ .rows = 60, .columns = 80 });
    kiosk_see("Your name or ID >");
    call("open barley");
    kiosk_type("\n");
    call("open sesame");
    kiosk_see("1) This machine: show");
    kiosk_see("2) Leave the kiosk: leave");
    kiosk_type("1\n");
    kiosk_see("Locked in by the kernel.");
    kiosk_type("2\n");
    kiosk_see("y does it");
    kiosk_type("\n");
    kiosk_type("q\nAna\n");
    kiosk_see("A number, or q to sign out");
    kiosk_type("1\n");
    kiosk_see("What calls a tutor?");
    kiosk_type(":help\n");
    kiosk_see("for tutors: a menu behind a code");
    call("open sesame");
    come("1) Ana is signed in: sign out");
    pty_log_clear(kiosk_desk.pty);
    kiosk_type("\n");
    come("What calls a tutor?"); /* asked again */
    assert_int_equal(desk_attempts(&kiosk_desk), 0);
    kiosk_type("::tutor\n");
    kiosk_see("That it is.");
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    assert_int_equal(
        kiosk_query("SELECT count(*) FROM attempt WHERE response LIKE '%:tutor%' AND outcome = 'right'"), 1);
    call("open sesame");
    kiosk_type("1\n");
    kiosk_see("They are signed out.");
    kiosk_type("y\n");
    kiosk_see("Signed out.");
    assert_false(pty_has(kiosk_desk.pty, "That it is."));
    kiosk_see("Your name or ID >");
    call("open sesame");
    kiosk_type("2\n");
    kiosk_see("The program ends.");
    kiosk_type("y\n");
    assert_int_equal(kiosk_exit_status(), 3);
    assert_int_equal(
        kiosk_query("SELECT count(*) FROM event WHERE kind = 'kiosk' AND body LIKE '%\"menu\"%'"), 4);
    desk_clear(&kiosk_desk);
}

/* The PIN of who reads lines is asked in lines, of who reads large in large. */
static void test_roster(void **state)
{
    (void)state;
    kiosk_set();
    roster("name,plain\nAna,yes\nBea,large\n");
    kiosk_command("learner pin Ana", "1234");
    kiosk_command("learner pin Bea", "4321");
    kiosk_configure("");
    kiosk_start((struct pty_options){ 0 });
    kiosk_sign_in("Ana");
    kiosk_see("Your PIN; Enter alone goes back >");
    kiosk_type("1234\n");
    kiosk_see("A number, or q to sign out");
    assert_false(pty_log_has(kiosk_desk.pty, "1234"));
    kiosk_type("q\n");
    kiosk_sign_in("Bea");
    kiosk_see("Your PIN");
    kiosk_see("Esc back");
    int column, title = pty_find(kiosk_desk.pty, "Your PIN", &column);
    int note = pty_find(kiosk_desk.pty, "What you type is not shown.", &column);
    assert_in_range(column, 10, 20); /* short lines in the middle */
    assert_int_equal((note - title) % 2, 0);
    kiosk_type("4321\r");
    kiosk_see("q sign out");
    kiosk_type("\r");
    kiosk_see("Which letter is the first?");
    kiosk_see("Enter answer");
    int first = pty_find(kiosk_desk.pty, "Alpha", &column),
        second = pty_find(kiosk_desk.pty, "Beta", &column);
    assert_int_equal((second - first) % 2, 0);
    assert_true(pty_cell_look(kiosk_desk.pty, first, column).bold);
    kiosk_leave();
}

/* F2 and F3 at the sign-in, for one learner or until it is left. */
static void test_asked_for(void **state)
{
    (void)state;
    int column, usual, large;
    kiosk_begin("idle: 1\n");
    kiosk_see("Your name or ID");
    kiosk_see("F2 larger");
    pty_find(kiosk_desk.pty, "Your name or ID", &usual);
    kiosk_type("\033OQ"); /* F2 */
    pty_require(kiosk_desk.pty, pty_wait_gone(kiosk_desk.pty, "  Your name or ID\n"), "large");
    kiosk_sign_in("Ana");
    kiosk_see("q sign out");
    pty_find(kiosk_desk.pty, "A pack for the", &large);
    assert_true(large > usual + 8);
    kiosk_sign_out();
    kiosk_see("Your name or ID");
    pty_find(kiosk_desk.pty, "Your name or ID", &column);
    assert_int_equal(column, usual);
    kiosk_type("\033OR"); /* F3 */
    kiosk_see("q goes back to the screens.");
    kiosk_type("Bea\n");
    kiosk_see("A number, or q to sign out");
    kiosk_type("1\n");
    kiosk_see("Which letter is the first?");
    kiosk_type("1\n");
    kiosk_see("Right.");
    kiosk_type(":finish\n");
    kiosk_see("A number, or q to sign out");
    kiosk_type("q\n");
    kiosk_see("F1 all keys"); /* the screens are back for the next one */
    assert_false(pty_has(kiosk_desk.pty, "Bea"));
    kiosk_type("\033OR");
    kiosk_see("q goes back to the screens.");
    kiosk_type("q\n");
    kiosk_see("F1 all keys");
    kiosk_type("\033OR");
    kiosk_see("q goes back to the screens.");
    kiosk_pass(60000); /* who has gone away leaves the screens */
    kiosk_see("F1 all keys");
    assert_int_equal(desk_attempts(&kiosk_desk), 1);
    kiosk_leave();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_tutor, kiosk_clear),
        cmocka_unit_test_teardown(test_roster, kiosk_clear),
        cmocka_unit_test_teardown(test_asked_for, kiosk_clear),
    };
    assert_true(argc == 3);
    kiosk_program(argv[1], argv[2]);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
