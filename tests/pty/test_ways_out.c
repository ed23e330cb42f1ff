/* Whatever ends the program or stops it, the terminal is as it was; and it comes back as it should. */
#include "probe_run.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* The modes before a program, which it must leave again: not the defaults, so that resetting to those is
 * found out. */
static void odd_modes(struct pty *pty, struct termios *modes)
{
    pty_modes(pty, modes);
    modes->c_iflag |= IXON | IXOFF;
    modes->c_lflag |= ECHO | ISIG | ICANON;
    modes->c_cc[VERASE] = 'h';
}

static bool log_ends_paste(struct pty *pty)
{
    ptrdiff_t length;
    const char *log = pty_log(pty, &length);
    const char *on = NULL, *off = NULL;
    for (const char *at = log; (at = memmem(at, (size_t)(log + length - at), "\033[?2004", 7)); at += 7)
        *(at[7] == 'h' ? &on : &off) = at;
    return on && off && off > on;
}

static void require_restored(struct pty *pty, const struct termios *before)
{
    struct termios after;
    int row, column;
    bool visible;
    pty_modes(pty, &after);
    pty_cursor(pty, &row, &column, &visible);
    pty_require(pty, pty_modes_equal(before, &after), "the modes are not those from before");
    pty_require(pty, !pty_second_screen(pty), "the second screen is still shown");
    pty_require(pty, log_ends_paste(pty), "bracketed paste is still on");
    pty_require(pty, visible, "the cursor is still hidden");
}

static struct pty *start_with(struct pty_options options, struct termios *before)
{
    struct pty *pty = probe_launch(options);
    pty_first_modes(pty, before);
    pty_require(pty, pty_wait_text(pty, "probe 24x80"), "the probe does not start");
    pty_require(pty, pty_wait_raw(pty), "the terminal is not raw");
    pty_type(pty, "N"); /* hides the cursor */
    probe_saw(pty, " N");
    return pty;
}

static void test_keys_that_end(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        int status, signal;
        bool crash; /* a sanitizer reports it in its own way */
    } ways[] = {
        { "q", 0, 0, false },      { "X", 3, 0, false },      { "A", 0, SIGABRT, true },
        { "S", 0, SIGSEGV, true }, { "V", 0, SIGSEGV, true },
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        struct termios before;
        struct pty *pty = start_with((struct pty_options){ .job = i % 2 != 0 }, &before);
        pty_type(pty, ways[i].key);
        int status = pty_wait_exit(pty);
        assert_int_not_equal(status, -1);
        if (SANITIZED && ways[i].crash) {
            assert_int_not_equal(status, 0);
        } else if (ways[i].signal) {
            assert_true(WIFSIGNALED(status));
            assert_int_equal(WTERMSIG(status), ways[i].signal);
        } else {
            assert_true(WIFEXITED(status));
            assert_int_equal(WEXITSTATUS(status), ways[i].status);
        }
        require_restored(pty, &before);
        pty_finish(pty);
    }
}

static void test_signals_that_end(void **state)
{
    (void)state;
    static const int numbers[] = { SIGTERM, SIGHUP,  SIGINT,  SIGQUIT, SIGABRT, SIGSEGV, SIGBUS, SIGFPE,
                                   SIGILL,  SIGALRM, SIGUSR1, SIGUSR2, SIGPIPE, SIGXCPU, SIGSYS };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct termios before;
        struct pty *pty = start_with((struct pty_options){ .job = i % 2 != 0 }, &before);
        pty_signal(pty, numbers[i]);
        int status = pty_wait_exit(pty);
        bool reported = SANITIZED && WIFEXITED(status) && WEXITSTATUS(status) != 0;
        if (!reported && !(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]))
            fail_msg("signal %d ends in status %x", numbers[i], (unsigned)status);
        require_restored(pty, &before);
        pty_finish(pty);
    }
}

static void test_a_second_signal_ends_a_program_that_hangs(void **state)
{
    (void)state;
    struct termios before;
    struct pty *pty = start_with((struct pty_options){ 0 }, &before);
    pty_type(pty, "B");
    pty_pump_for(pty, 100);
    /* signals of one number merge while one is pending, hence as many as it takes */
    int64_t deadline = pty_now() + PTY_DEADLINE_MS;
    while (!pty_ended(pty) && pty_now() < deadline) {
        pty_signal(pty, SIGTERM);
        pty_pump_for(pty, 50);
    }
    int status = pty_wait_exit(pty);
    assert_int_not_equal(status, -1);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM);
    require_restored(pty, &before);
    pty_finish(pty);
}

/* The best of three, since a busy machine can let any single one wait. */
static void test_a_hang_up_ends_within_a_second(void **state)
{
    (void)state;
    for (int job = 0; job < 2; job++) {
        int64_t best = INT64_MAX;
        for (int round = 0; round < 3 && best > 1000; round++) {
            struct termios before;
            struct pty *pty = start_with((struct pty_options){ .job = job != 0 }, &before);
            int64_t began = pty_now();
            pty_hang_up(pty);
            int status = pty_wait_exit(pty);
            assert_int_not_equal(status, -1);
            int64_t took = pty_now() - began;
            best = took < best ? took : best;
            /* alone it is told by SIGHUP; under a shell that ignores it, by the terminal's silence */
            if (job)
                assert_true((WIFEXITED(status) && WEXITSTATUS(status) == 4) ||
                            (WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP));
            else
                assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGHUP);
            pty_finish(pty);
        }
        assert_true(best <= 1000);
    }
}

static void suspend_and_continue(struct pty *pty, const struct termios *before)
{
    pty_require(pty, pty_wait_stopped(pty), "the probe does not stop");
    require_restored(pty, before);
    pty_log_clear(pty);
    pty_continue(pty);
    pty_require(pty, pty_wait_raw(pty), "the terminal is not raw again");
    pty_require(pty, pty_wait_output(pty, "\033[?2004h"), "bracketed paste is not on again");
    pty_require(pty, pty_wait_text(pty, "probe 24x80"), "the screen does not come back");
    pty_require(pty, pty_second_screen(pty), "the second screen does not come back");
}

static void test_stop_by_key_and_continue(void **state)
{
    (void)state;
    struct termios before;
    struct pty *pty = start_with((struct pty_options){ .job = true }, &before);
    for (int round = 0; round < 3; round++) {
        pty_type(pty, "\032");
        suspend_and_continue(pty, &before);
    }
    pty_type(pty, "\033[A\033OAz");
    probe_saw(pty, " N ^Z ^Z ^Z Up Up z");
    pty_type(pty, "q");
    assert_int_equal(pty_wait_exit(pty), 0);
    require_restored(pty, &before);
    pty_finish(pty);
}

static void test_stop_by_signal_and_continue(void **state)
{
    (void)state;
    struct termios before;
    struct pty *pty = start_with((struct pty_options){ .job = true }, &before);
    pty_signal(pty, SIGTSTP);
    suspend_and_continue(pty, &before);
    pty_type(pty, "\033[Az");
    probe_saw(pty, " N Up z");
    probe_quit(pty);
}

/* SIGSTOP can't be caught: the shell repairs the modes, and the screen has to come back by SIGCONT alone. */
static void test_a_stop_without_warning(void **state)
{
    (void)state;
    struct termios before;
    struct pty *pty = start_with((struct pty_options){ .job = true }, &before);
    pty_signal(pty, SIGSTOP);
    pty_require(pty, pty_wait_stopped(pty), "the probe does not stop");
    pty_scribble(pty, "\033[?1049l\033[H\033[2Jshell$ ls\r\n");
    pty_continue(pty);
    pty_require(pty, pty_wait_raw(pty), "the terminal is not raw again");
    pty_require(pty, pty_wait_text(pty, "probe 24x80"), "the screen does not come back");
    pty_require(pty, pty_wait_gone(pty, "shell$"), "the shell is still on the screen");
    pty_type(pty, "\033[Az");
    probe_saw(pty, " N Up z");
    pty_type(pty, "q");
    assert_int_equal(pty_wait_exit(pty), 0);
    require_restored(pty, &before);
    pty_finish(pty);
}

static void test_a_new_size_while_stopped(void **state)
{
    (void)state;
    struct termios before;
    struct pty *pty = start_with((struct pty_options){ .job = true }, &before);
    pty_type(pty, "\032");
    pty_require(pty, pty_wait_stopped(pty), "the probe does not stop");
    pty_resize(pty, 30, 100);
    pty_continue(pty);
    pty_require(pty, pty_wait_text(pty, "probe 30x100"), "the new size is not noticed");
    probe_saw(pty, " N ^Z resize:30x100");
    probe_quit(pty);
}

static void test_an_interrupt_while_continuing(void **state)
{
    (void)state;
    struct termios before;
    struct pty *pty = start_with((struct pty_options){ .job = true }, &before);
    for (int round = 0; round < 5 * probe_rounds; round++) {
        pty_type(pty, "\032");
        pty_require(pty, pty_wait_stopped(pty), "the probe does not stop");
        pty_continue(pty);
        for (int i = 0; i < 8; i++)
            pty_type(pty, "\003");
        pty_require(pty, pty_wait_raw(pty), "the terminal is not raw again");
        pty_require(pty, pty_wait_text(pty, "probe 24x80"), "the screen does not come back");
    }
    probe_quit(pty);
}

static void test_nobody_to_continue(void **state)
{
    (void)state;
    /* alone it leads its session: a stop would be for ever, and the kernel does not let it happen */
    struct pty *pty = probe_start((struct pty_options){ 0 });
    pty_type(pty, "\032z");
    probe_saw(pty, " ^Z z");
    probe_quit(pty);
}

static void test_locked(void **state)
{
    (void)state;
    struct pty *pty = probe_start((struct pty_options){ .arguments = { "lock" }, .job = true });
    pty_type(pty, "\032\003\034z");
    probe_saw(pty, " ^Z ^C z");
    pty_signal(pty, SIGTSTP);
    pty_signal(pty, SIGINT);
    pty_signal(pty, SIGQUIT);
    pty_pump_for(pty, 100);
    pty_type(pty, "y");
    probe_saw(pty, " ^Z ^C z y");
    probe_quit(pty);
}

static void test_odd_modes_come_back(void **state)
{
    (void)state;
    struct termios wanted, before;
    struct pty *pty = start_with((struct pty_options){ .job = true }, &before);
    pty_type(pty, "\032");
    pty_require(pty, pty_wait_stopped(pty), "the probe does not stop");
    /* what somebody sets while it is stopped is what it has to leave behind */
    odd_modes(pty, &wanted);
    pty_set_modes(pty, &wanted);
    pty_modes(pty, &wanted);
    pty_continue(pty);
    pty_require(pty, pty_wait_raw(pty), "the terminal is not raw again");
    pty_require(pty, pty_wait_text(pty, "probe 24x80"), "the screen does not come back");
    pty_signal(pty, SIGSEGV);
    assert_int_not_equal(pty_wait_exit(pty), -1);
    require_restored(pty, &wanted);
    pty_finish(pty);
}

int main(int count, char **arguments)
{
    probe_arguments(count, arguments);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys_that_end),
        cmocka_unit_test(test_signals_that_end),
        cmocka_unit_test(test_a_second_signal_ends_a_program_that_hangs),
        cmocka_unit_test(test_a_hang_up_ends_within_a_second),
        cmocka_unit_test(test_stop_by_key_and_continue),
        cmocka_unit_test(test_stop_by_signal_and_continue),
        cmocka_unit_test(test_a_stop_without_warning),
        cmocka_unit_test(test_a_new_size_while_stopped),
        cmocka_unit_test(test_an_interrupt_while_continuing),
        cmocka_unit_test(test_nobody_to_continue),
        cmocka_unit_test(test_locked),
        cmocka_unit_test(test_odd_modes_come_back),
    };
    return cmocka_run_group_tests_name("pty ways out", tests, NULL, NULL);
}
