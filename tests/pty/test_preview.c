/*
 * A preview on a terminal: whatever becomes of the file while it is shown, the author sees what is in it now,
 * in the place where they were.
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
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define HEAD "format: quiztutor/1\nid: shown\ntitle: Shown while it is written\nquestions:\n"
#define FIRST                                                                                                \
    "  - id: first\n    prompt: Which is the first?\n    choices: [correct: Alpha, Beta]\n    explanation: " \
    "E1.\n"
#define SECOND                                                                                               \
    "  - id: second\n    prompt: Which is the second?\n    choices:\n      - wrong: Alpha\n"                 \
    "        feedback: That is the first.\n      - correct: Beta\n    hint: Not A.\n    explanation: E2.\n"
#define THIRD "  - id: third\n    prompt: Is it so?\n    true_false: true\n    explanation: E3.\n"
#define OTHER "  - id: other\n    prompt: What is this?\n    true_false: false\n    explanation: E4.\n"
#define BROKEN                                                                                               \
    "  - id: second\n    prompt: Which is: the second?\n    true_false: true\n    explanation: E.\n"

/* As an editor that writes in place. */
static void write_in(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* As one that writes beside and renames. */
static void write_over(const char *path, const char *text)
{
    char beside[DESK_PATH + 64];
    snprintf(beside, sizeof beside, "%s~", path);
    write_in(beside, text);
    assert_int_equal(rename(beside, path), 0);
}

static void see(struct desk *desk, const char *text)
{
    pty_require(desk->pty, pty_wait_text(desk->pty, text), text);
}

static void gone(struct desk *desk, const char *text)
{
    pty_require(desk->pty, pty_wait_gone(desk->pty, text), text);
}

static void begin(struct desk *desk, const char *text)
{
    desk_set(desk);
    write_in(desk->pack, text);
    desk_preview(desk, (struct pty_options){ 0 }, desk->pack);
}

static void quit(struct desk *desk)
{
    pty_type(desk->pty, "q");
    assert_int_equal(pty_wait_exit(desk->pty), 0);
    assert_int_equal(access(desk->store, F_OK), -1); /* nothing of a preview is stored */
    desk_clear(desk);
}

static void test_walk(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, HEAD FIRST SECOND THIRD);
    see(&desk, "Which is the first?");
    see(&desk, "1 of 3");
    see(&desk, "✓ 1  Alpha");
    see(&desk, "○ 2  Beta");
    desk_type(&desk, "p", "this is the first question");
    desk_type(&desk, "n", "Which is the second?");
    see(&desk, "That is the first.");
    see(&desk, "Hint 1: Not A.");
    desk_type(&desk, "n", "Is it so?");
    desk_type(&desk, "n", "this is the last question");
    desk_type(&desk, "p", "Which is the second?");
    desk_type(&desk, "?", "Go to the next question of the pack");
    desk_type(&desk, "\033", "Which is the second?");
    quit(&desk);
}

static void test_saved(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, HEAD FIRST SECOND THIRD);
    see(&desk, "Which is the first?");
    desk_type(&desk, "n", "Which is the second?");
    write_in(
        desk.pack, HEAD FIRST
        "  - id: second\n    prompt: Which one comes next?\n    true_false: true\n    explanation: E.\n");
    see(&desk, "Which one comes next?");
    see(&desk, "2 of 2");
    see(&desk, "shown anew");
    /* the question is found again wherever it stands now */
    write_over(desk.pack, HEAD THIRD OTHER FIRST SECOND);
    see(&desk, "4 of 4");
    see(&desk, "Which is the second?");
    /* and where it is gone, what stands in its place is shown */
    write_over(desk.pack, HEAD FIRST OTHER);
    see(&desk, "2 of 2");
    see(&desk, "What is this?");
    quit(&desk);
}

static void test_broken(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, HEAD FIRST SECOND THIRD);
    see(&desk, "Which is the first?");
    desk_type(&desk, "n", "Which is the second?");
    write_in(desk.pack, HEAD FIRST BROKEN THIRD);
    see(&desk, "1 error");
    see(&desk, "line 10, column 13");
    see(&desk, "    prompt: Which is: the second?");
    int column, row = pty_find(desk.pty, "Which is: the second?", &column);
    char line[PTY_LINE];
    snprintf(line, sizeof line, "%*s^", column, "");
    pty_require(desk.pty, pty_wait_row(desk.pty, row + 1, line), "no caret below what is wrong");
    gone(&desk, "E2.");
    pty_type(desk.pty, "n\r"); /* there is no question to go to, or to try */
    write_over(desk.pack, HEAD OTHER FIRST SECOND THIRD);
    see(&desk, "Which is the second?");
    see(&desk, "3 of 4");
    quit(&desk);
}

/* A file that is broken from the start is shown with its faults, and then as it is mended. */
static void test_broken_first(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, HEAD BROKEN);
    see(&desk, "must stand in quotes");
    write_in(desk.pack, "");
    see(&desk, "empty");
    write_in(desk.pack, HEAD FIRST);
    see(&desk, "Which is the first?");
    quit(&desk);
}

static void test_gone(void **state)
{
    (void)state;
    struct desk desk;
    char away[DESK_PATH + 64];
    begin(&desk, HEAD FIRST SECOND);
    see(&desk, "Which is the first?");
    desk_type(&desk, "n", "Which is the second?");
    assert_int_equal(unlink(desk.pack), 0);
    see(&desk, "the file is gone");
    desk_type(&desk, "p", "Which is the first?"); /* what was last in it can be looked through */
    desk_type(&desk, "n", "Which is the second?");
    write_in(desk.pack, HEAD THIRD SECOND FIRST);
    see(&desk, "2 of 3");
    gone(&desk, "the file is gone");
    /* moved away and back */
    snprintf(away, sizeof away, "%s.away", desk.pack);
    assert_int_equal(rename(desk.pack, away), 0);
    see(&desk, "the file is gone");
    assert_int_equal(rename(away, desk.pack), 0);
    gone(&desk, "the file is gone");
    see(&desk, "Which is the second?");
    quit(&desk);
}

/* Something else in the file's place is named, and never waited for. */
static void test_replaced(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, HEAD FIRST);
    see(&desk, "Which is the first?");
    assert_int_equal(unlink(desk.pack), 0);
    assert_int_equal(mkfifo(desk.pack, 0600), 0);
    see(&desk, "named pipe");
    assert_int_equal(unlink(desk.pack), 0);
    assert_int_equal(mkdir(desk.pack, 0700), 0);
    see(&desk, "folder");
    assert_int_equal(rmdir(desk.pack), 0);
    write_in(desk.pack, HEAD OTHER);
    see(&desk, "What is this?");
    quit(&desk);
}

static void test_link(void **state)
{
    (void)state;
    struct desk desk;
    char link[DESK_PATH + 64];
    desk_set(&desk);
    snprintf(link, sizeof link, "%s/link.yaml", desk.folder);
    write_in(desk.pack, HEAD FIRST);
    assert_int_equal(symlink(desk.pack, link), 0);
    desk_preview(&desk, (struct pty_options){ 0 }, link);
    see(&desk, "Which is the first?");
    write_over(desk.pack, HEAD OTHER);
    see(&desk, "What is this?");
    quit(&desk);
}

static void test_try(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, HEAD THIRD SECOND);
    see(&desk, "Is it so?");
    desk_type(&desk, "\r", "t f choose");
    pty_require(desk.pty, !pty_has(desk.pty, "E3.") && !pty_has(desk.pty, "right answer"),
                "the key is given away");
    pty_type(desk.pty, "su!*-"); /* nothing of the kind here */
    desk_type(&desk, "f", "● 2");
    desk_type(&desk, "\r", "Not quite");
    see(&desk, "E3.");
    desk_type(&desk, "\r", "third, line 5");
    quit(&desk);
}

/* A question that is tried is asked anew when it is saved, and left when the file is broken. */
static void test_try_saved(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, HEAD SECOND);
    see(&desk, "Which is the second?");
    desk_type(&desk, "\r", "1-2 choose");
    desk_type(&desk, "h", "Hint 1: Not A.");
    write_in(desk.pack, HEAD "  - id: second\n    prompt: Which comes then?\n    choices: [Aa, Bb, correct: "
                             "Cc]\n    explanation: E.\n");
    see(&desk, "Which comes then?");
    see(&desk, "1-3 choose");
    write_in(desk.pack, HEAD BROKEN);
    see(&desk, "1 error");
    write_in(desk.pack, HEAD SECOND);
    see(&desk, "That is the first.");
    desk_type(&desk, "\r", "1-2 choose");
    desk_type(&desk, "\033", "That is the first.");
    quit(&desk);
}

static void test_ends(void **state)
{
    (void)state;
    static const int signals[] = { SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct desk desk;
        struct termios first, last;
        begin(&desk, HEAD FIRST);
        see(&desk, "Which is the first?");
        pty_first_modes(desk.pty, &first);
        pty_signal(desk.pty, signals[i]);
        int status = pty_wait_exit(desk.pty);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        pty_modes(desk.pty, &last);
        assert_true(pty_modes_equal(&first, &last));
        desk_clear(&desk);
    }
}

/* Without a screen it is told why before one is opened. */
static void test_not_there(void **state)
{
    (void)state;
    struct desk desk;
    char path[DESK_PATH + 64];
    desk_set(&desk);
    snprintf(path, sizeof path, "%s/none.yaml", desk.folder);
    desk_preview(&desk, (struct pty_options){ .columns = 200 }, path); /* wherever the folder lies */
    see(&desk, "there is no such file");
    int status = pty_wait_exit(desk.pty);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_false(pty_second_screen(desk.pty));
    desk_clear(&desk);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    desk_program(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk), cmocka_unit_test(test_saved),     cmocka_unit_test(test_broken),
        cmocka_unit_test(test_gone), cmocka_unit_test(test_replaced),  cmocka_unit_test(test_broken_first),
        cmocka_unit_test(test_link), cmocka_unit_test(test_try),       cmocka_unit_test(test_try_saved),
        cmocka_unit_test(test_ends), cmocka_unit_test(test_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
