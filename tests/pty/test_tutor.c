/*
 * A tutor on a terminal, over a store with a few learners: from the class down to the choices of a question
 * and back, sorted, filtered and exported, while somebody goes on practising.
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

static const char down[] = "\033[B", right[] = "\033[C";

static void see(struct desk *desk, const char *text)
{
    pty_require(desk->pty, pty_wait_text(desk->pty, text), text);
}

static void gone(struct desk *desk, const char *text)
{
    pty_require(desk->pty, pty_wait_gone(desk->pty, text), text);
}

/* A class of four: one knows all, one nothing, one part of it, one in Arabic left early. */
static void begin(struct desk *desk, struct pty_options options, const char *kind)
{
    desk_set(desk);
    desk_answer(desk, "Ana", "1\n2\n1,2\n");
    desk_answer(desk, "Ben", "2\n3\n3\n");
    desk_answer(desk, "山田太郎", "1\n2\n3\n");
    desk_answer(desk, "فاطمة", "1\n");
    desk_report(desk, options, kind);
}

static void quit(struct desk *desk)
{
    pty_type(desk->pty, "q");
    int status = pty_wait_exit(desk->pty);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    desk_clear(desk);
}

/* The cursor stands in the row of a text. */
static bool on_row(struct pty *pty, const void *context)
{
    int row, column, at;
    bool visible;
    pty_cursor(pty, &row, &column, &visible);
    return visible && pty_find(pty, context, &at) == row;
}

static void stands(struct desk *desk, const char *text)
{
    pty_require(desk->pty, pty_wait(desk->pty, on_row, text), text);
}

static void test_walk(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, (struct pty_options){ 0 }, "class");
    see(&desk, "1 of 4");
    stands(&desk, "Ben"); /* the worst on top */
    see(&desk, "山田太郎");
    see(&desk, "فاطمة");
    see(&desk, "learners 4");
    pty_type(desk.pty, down);
    stands(&desk, "山田太郎");
    desk_type(&desk, "\r", "Progress");
    see(&desk, "A pack for the terminal");
    desk_type(&desk, "\r", "discrimination"); /* the pack's questions */
    see(&desk, "third");
    gone(&desk, "Progress");
    desk_type(&desk, "/first", "1 of 1");
    desk_type(&desk, "\r", "choices");
    desk_type(&desk, "\r", "Which letter is the first?"); /* what is asked, above its choices */
    see(&desk, "Alpha");
    see(&desk, "Gamma");
    see(&desk, "1 of 3");
    desk_type(&desk, "\033", "discrimination");
    see(&desk, "/ first"); /* as it was left */
    desk_type(&desk, "\033", "third");
    desk_type(&desk, "\033", "Progress");
    desk_type(&desk, "\177", "learners 4");
    stands(&desk, "山田太郎");
    quit(&desk);
}

static void test_keys(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, (struct pty_options){ 0 }, "class");
    see(&desk, "1 of 4");
    desk_type(&desk, ">", "learner▲");
    stands(&desk, "Ana");
    desk_type(&desk, "r", "learner▼");
    stands(&desk, "山田太郎");
    desk_type(&desk, "<", "1 of 4");
    gone(&desk, "▼");
    desk_type(&desk, "?", "Turn the order of the rows round");
    desk_type(&desk, "\033", "1 of 4");
    desk_type(&desk, "i", "Attempts used: the first");
    desk_type(&desk, "\033", "1 of 4");
    desk_type(&desk, "\t", "table 2 of 2");
    desk_type(&desk, "2", "discrimination");
    desk_type(&desk, "3", "isconception");
    gone(&desk, "discrimination");
    desk_type(&desk, "4", "No learner reported a problem.");
    desk_type(&desk, "1", "1 of 4");
    for (int i = 0; i < 9; i++)
        pty_type(desk.pty, right);
    see(&desk, "gone quiet: no");
    quit(&desk);
}

/* While the tutor looks, a learner answers and another comes: the cursor stays where it is, and so does what
 * is typed. */
static void test_refresh(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, (struct pty_options){ 0 }, "class");
    see(&desk, "1 of 4");
    pty_type(desk.pty, down);
    pty_type(desk.pty, down);
    stands(&desk, "▸");
    see(&desk, "3 of 4");
    static const char name[] = "Ana"; /* the marker comes on the screen after the head line: wait for it */
    stands(&desk, name);
    desk_answer(&desk, "Cid", "2\n3\n3\n"); /* comes above the row under the cursor */
    see(&desk, "4 of 5");                   /* by itself, within seconds */
    stands(&desk, name);
    desk_answer(&desk, "Dan", "2\n3\n3\n");
    desk_type(&desk, "R", "5 of 6");
    see(&desk, "as it is now");
    stands(&desk, name);
    desk_type(&desk, "/a", "/ a");
    desk_answer(&desk, "Eva", "2\n3\n3\n");
    see(&desk, "Eva"); /* while the filter is typed */
    see(&desk, "/ a");
    desk_type(&desk, "na", "/ ana");
    gone(&desk, "Eva");
    pty_type(desk.pty, "\r");
    see(&desk, "1 of 1");
    quit(&desk);
}

static void test_export(void **state)
{
    (void)state;
    struct desk desk;
    char path[DESK_PATH + 64], text[4096];
    begin(&desk, (struct pty_options){ 0 }, "class");
    see(&desk, "1 of 4");
    desk_type(&desk, "/n", "Ana");
    gone(&desk, "山田太郎");
    desk_type(&desk, "\r", "1 of 2");
    desk_type(&desk, "e", "class.csv");
    pty_type(desk.pty, "\025~/out.csv\r");
    see(&desk, "written to ~/out.csv");
    snprintf(path, sizeof path, "%s/out.csv", desk.folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    assert_int_equal(fclose(file), 0);
    assert_int_equal(strncmp(text, "learner,", 8), 0);
    assert_non_null(strstr(text, "\r\nBen,"));
    assert_non_null(strstr(text, "\r\nAna,"));
    assert_true(strstr(text, "\r\nBen,") < strstr(text, "\r\nAna,"));
    assert_null(strstr(text, "山田太郎"));
    /* never over what is there */
    desk_type(&desk, "e", "class.csv");
    pty_type(desk.pty, "\025~/out.csv\r");
    see(&desk, "already");
    desk_type(&desk, "\r", "1 of 2");
    desk_type(&desk, "e", "class.csv");
    pty_type(desk.pty, "\025~/none/out.csv\r");
    see(&desk, "folder");
    desk_type(&desk, "\r", "1 of 2");
    desk_type(&desk, "e", "class.csv");
    pty_type(desk.pty, "\025out\r");
    see(&desk, "has to end in .csv");
    desk_type(&desk, "\r", "1 of 2");
    quit(&desk);
}

/* Small, large and too small windows, and a console. */
static void test_sizes(void **state)
{
    (void)state;
    struct desk desk;
    begin(&desk, (struct pty_options){ 0 }, "class");
    see(&desk, "1 of 4");
    pty_resize(desk.pty, 12, 40);
    see(&desk, "not shown (← →):");
    pty_resize(desk.pty, 8, 30);
    see(&desk, "too small");
    pty_resize(desk.pty, 40, 120);
    see(&desk, "last seen");
    quit(&desk);
    begin(&desk, (struct pty_options){ .environment = { "LC_ALL=C" } }, "class");
    see(&desk, "1 of 4");
    see(&desk, "> Ben");
    quit(&desk);
}

static void test_ends(void **state)
{
    (void)state;
    static const int signals[] = { SIGTERM, SIGHUP };
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
        struct desk desk;
        struct termios first, last;
        begin(&desk, (struct pty_options){ 0 }, "class");
        see(&desk, "1 of 4");
        pty_first_modes(desk.pty, &first);
        pty_signal(desk.pty, signals[i]);
        int status = pty_wait_exit(desk.pty);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        pty_modes(desk.pty, &last);
        assert_true(pty_modes_equal(&first, &last));
        desk_clear(&desk);
    }
}

/* What can't be made is told before a screen is opened. */
static void test_nothing(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_report(&desk, (struct pty_options){ 0 }, "class");
    int status = pty_wait_exit(desk.pty);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_true(pty_log_has(desk.pty, "quiztutor: "));
    assert_false(pty_log_has(desk.pty, "\033[?1049h"));
    desk_clear(&desk);
}

int main(int count, char **arguments)
{
    if (count != 2)
        return 2;
    desk_program(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walk),    cmocka_unit_test(test_keys),  cmocka_unit_test(test_refresh),
        cmocka_unit_test(test_export),  cmocka_unit_test(test_sizes), cmocka_unit_test(test_ends),
        cmocka_unit_test(test_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
