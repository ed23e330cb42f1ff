/* Whether a watcher sees what it is there for: processes that are gone at once, threads, other programs. */
#include "pty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <signal.h>
#include <sys/wait.h>

static struct pty *start(const char *script)
{
    struct pty_options options = { .program = "/bin/sh", .arguments = { "-c", script }, .watched = true };
    return pty_start(&options);
}

static void test_children(void **state)
{
    (void)state;
    struct pty *pty = start("/bin/true; (exit 3); echo done; exit 7");
    int status = pty_wait_exit(pty);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    assert_true(pty_has(pty, "done"));
    assert_int_equal(pty_children(pty), 2);
    assert_int_equal(pty_programs(pty), 2); /* the shell's own, and true's */
    pty_finish(pty);
}

static void test_grandchildren(void **state)
{
    (void)state;
    struct pty *pty = start("(/bin/echo there &); read line; exec /bin/true");
    assert_true(pty_wait_text(pty, "there"));
    pty_type(pty, "here\n");
    assert_int_equal(pty_wait_exit(pty), 0);
    assert_int_equal(pty_children(pty), 2);
    assert_int_equal(pty_programs(pty), 3);
    pty_finish(pty);
}

static void test_nothing(void **state)
{
    (void)state;
    struct pty *pty = start("read line; echo got \"$line\"; read line");
    pty_type(pty, "a line\n");
    assert_true(pty_wait_text(pty, "got a line"));
    assert_true(pty_foreground(pty));
    assert_int_equal(pty_children(pty), 0);
    assert_int_equal(pty_programs(pty), 1);
    assert_int_equal(pty_stops(pty), 0);
    assert_int_equal(kill(pty_program(pty), SIGSTOP), 0);
    while (pty_stops(pty) == 0)
        pty_pump(pty, 1);
    assert_int_equal(kill(pty_program(pty), SIGCONT), 0);
    assert_int_equal(kill(pty_program(pty), SIGTERM), 0);
    int status = pty_wait_exit(pty);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    assert_false(pty_foreground(pty));
    pty_finish(pty);
}

static void test_forbidden(void **state)
{
    (void)state;
    static const char *const forbidden[] = { "secret", NULL };
    struct pty *pty = start("echo a sec; read line; echo a secret; read line");
    pty_forbid(pty, forbidden);
    assert_true(pty_wait_text(pty, "a sec"));
    assert_false(pty_forbidden_seen(pty));
    pty_type(pty, "\n");
    assert_true(pty_wait_text(pty, "secret"));
    assert_true(pty_forbidden_seen(pty));
    pty_finish(pty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_children),
        cmocka_unit_test(test_grandchildren),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_forbidden),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
