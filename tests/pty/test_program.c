/*
 * The program itself on a terminal: whatever the terminal does, nothing becomes an answer that was not meant
 * as one, and no answer is lost.
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
#include <sys/wait.h>

/* ── nothing is recorded ── */

/* All that was typed so far has been read: the cursor's choice is the last one pressed. Nothing is stored. */
static void require_no_answer(struct desk *desk)
{
    desk_type(desk, "3", "● 3");
    desk_type(desk, "2", "● 2");
    pty_require(desk->pty, pty_has(desk->pty, "Which letter is the first?"), "the question has gone");
    assert_int_equal(desk_attempts(desk), 0);
}

static void test_an_arrow_after_a_stop(void **state)
{
    (void)state;
    static const char *const arrows[] = { "\033[A", "\033OA", "\033[B\033[B", "\033" };
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ .job = true });
    desk_type(&desk, "1", "● 1");
    for (size_t i = 0; i < sizeof arrows / sizeof *arrows; i++) {
        pty_type(desk.pty, "\032");
        pty_require(desk.pty, pty_wait_stopped(desk.pty), "it does not stop");
        assert_false(pty_second_screen(desk.pty));
        pty_continue(desk.pty);
        pty_require(desk.pty, pty_wait_raw(desk.pty), "the terminal is not raw again");
        pty_type(desk.pty, arrows[i]);
        require_no_answer(&desk);
    }
    desk_clear(&desk);
}

static void test_a_split_sequence(void **state)
{
    (void)state;
    static const char *const sequences[] = {
        "\033[A", "\033OB", "\033OM", "\033[15~", "\033[1;5C", "\033Oq"
    };
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ 0 });
    desk_type(&desk, "1", "● 1");
    for (size_t i = 0; i < sizeof sequences / sizeof *sequences; i++) {
        for (const char *byte = sequences[i]; *byte; byte++) {
            pty_send(desk.pty, byte, 1);
            pty_pump_for(desk.pty, 60);
        }
        require_no_answer(&desk);
    }
    desk_clear(&desk);
}

static void test_a_paste(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ 0 });
    desk_type(&desk, "2", "● 2");
    pty_type(desk.pty, "\033[200~1\n2\n\033[201~");
    require_no_answer(&desk);
    pty_type(desk.pty, "\033[200~1\r2\rq\rs\033[201~");
    require_no_answer(&desk);
    for (const char *byte = "\033[200~1\n2\n\033[201~"; *byte; byte++) {
        pty_send(desk.pty, byte, 1);
        pty_pump_for(desk.pty, 40);
    }
    require_no_answer(&desk);
    desk_clear(&desk);
}

static void test_enter_in_quick_succession(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ 0 });
    desk_type(&desk, "1", "● 1");
    desk_type(&desk, "\r\r", "Alpha stands at the beginning.");
    assert_int_equal(desk_attempts(&desk), 1);
    /* however often it is pressed: the next question has nothing chosen, so Enter answers nothing */
    for (int i = 0; i < 10; i++) {
        pty_type(desk.pty, "\r");
        pty_pump_for(desk.pty, 5);
    }
    pty_require(desk.pty, pty_wait_text(desk.pty, "Which letter is the second?"), "not the second question");
    desk_type(&desk, "3", "● 3");
    assert_int_equal(desk_attempts(&desk), 1);
    desk_clear(&desk);
}

static void test_keys_before_the_screen(void **state)
{
    (void)state;
    for (int round = 0; round < 5; round++) {
        struct desk desk;
        desk_set(&desk);
        desk_launch(&desk, (struct pty_options){ 0 });
        pty_type(desk.pty, "1\r2\r1\r");
        pty_require(desk.pty, pty_wait_text(desk.pty, "Which letter is the first?"), "no first question");
        require_no_answer(&desk);
        desk_clear(&desk);
    }
}

static void test_an_interrupt_at_the_start(void **state)
{
    (void)state;
    for (int round = 0; round < 5; round++) {
        struct desk desk;
        desk_set(&desk);
        desk_launch(&desk, (struct pty_options){ 0 });
        pty_require(desk.pty, pty_wait_output(desk.pty, "\033[?1049h"), "no screen");
        pty_type(desk.pty, "\003");
        /* it asks whether to finish here, or the key came too early to count: it has not died */
        pty_pump_for(desk.pty, 100);
        pty_type(desk.pty, "\033");
        pty_require(desk.pty, pty_wait_text(desk.pty, "Which letter is the first?"), "no first question");
        desk_clear(&desk);
    }
}

/* ── every size in every state ── */

static bool shows_footer(struct pty *pty, const void *context)
{
    char row[PTY_LINE];
    pty_row(pty, 23, row);
    return *row != '\0' && pty_has(pty, context);
}

/*
 * All sizes, in a state whose screen holds `text` and no longer holds `gone` (NULL: nothing). The program may
 * be several sizes behind; in the smallest window it says the same in every state, so once that is read, what
 * comes next is the one screen for the last size, and its footer comes last.
 */
static void resize_through_all(struct desk *desk, const char *text, const char *gone)
{
    static const int sizes[][2] = {
        { 1, 1 },    { 1, 300 },   { 300, 1 },   { 2, 2 },      { 9, 39 },
        { 11, 80 },  { 12, 40 },   { 12, 39 },   { 24, 99 },    { 24, 100 },
        { 25, 101 }, { 100, 300 }, { 300, 100 }, { 400, 1000 }, { 65535, 65535 }
    };
    pty_require(desk->pty, pty_wait_text(desk->pty, text), text);
    pty_require(desk->pty, !gone || pty_wait_gone(desk->pty, gone), "what stood here before does not go");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        pty_resize(desk->pty, sizes[i][0], sizes[i][1]);
        pty_pump_for(desk->pty, 15); /* so that most sizes are drawn, not only the last */
    }
    pty_resize(desk->pty, 11, 70);
    pty_require(desk->pty, pty_wait_text(desk->pty, "too small"), "the small window says nothing");
    pty_resize(desk->pty, 24, 80);
    pty_require(desk->pty, pty_wait(desk->pty, shows_footer, text), text);
    assert_false(pty_ended(desk->pty));
}

static void test_every_size_in_every_state(void **state)
{
    (void)state;
    /* the keys that lead from each state to the next, and what stands there */
    static const struct {
        const char *keys, *text, *gone;
    } states[] = {
        { "", "○ 1", NULL },
        { "1", "● 1", NULL },
        { "?", "All keys", NULL },
        { "\033", "● 1", "All keys" },
        { "h", "not the second", NULL },
        { "!", "Report this question", NULL },
        { "\033", "● 1", "Report this question" },
        { "q", "Finish here?", NULL },
        { "\033", "● 1", "Finish here?" },
        { "\r", "Alpha stands", NULL },
        { "?", "All keys", NULL },
        { "\033", "Alpha stands", "All keys" },
        { "q", "Finish here?", NULL },
        { "\033", "Alpha stands", "Finish here?" },
        { "\r", "is the second?", "Alpha stands" },
        { "1\r", "Not quite", NULL },
        { "\r", "漢字", "Not quite" },
        { "12", "◼ 2", NULL },
        { "q", "Finish here?", NULL },
        { "\r", "To look at again", NULL },
        { "?", "All keys", NULL },
        { "\033", "To look at again", "All keys" },
        { "\r", "3 questions", "To look at again" },
    };
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ 0 });
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        pty_type(desk.pty, states[i].keys);
        resize_through_all(&desk, states[i].text, states[i].gone);
    }
    assert_int_equal(desk_attempts(&desk), 2);
    desk_clear(&desk);
}

static void test_every_size_at_home(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *text, *gone;
    } states[] = {
        { "", "3 questions", NULL },
        { "?", "All keys", NULL },
        { "\033", "3 questions", "All keys" },
        { "i", "A pack for the terminal", "3 questions" },
        { "\033", "3 questions", NULL },
        { "/terminal", "/ terminal", NULL },
        { "\r", "Esc show all", NULL },
        { "\033", "3 questions", "/ terminal" },
        { "\r", "is the first?", "3 questions" },
    };
    struct desk desk;
    desk_set(&desk);
    desk_home(&desk, (struct pty_options){ 0 });
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        pty_type(desk.pty, states[i].keys);
        resize_through_all(&desk, states[i].text, states[i].gone);
    }
    desk_clear(&desk);
}

/* ── ends ── */

static void answer_the_first(struct desk *desk)
{
    desk_type(desk, "1", "● 1");
    desk_type(desk, "\r", "Alpha stands at the beginning.");
}

/* The best of three, since a busy machine can let any single one wait. */
static void test_a_hang_up(void **state)
{
    (void)state;
    for (int job = 0; job < 2; job++) {
        int64_t best = INT64_MAX;
        for (int round = 0; round < 3 && best > 1000; round++) {
            struct desk desk;
            desk_set(&desk);
            desk_practise(&desk, (struct pty_options){ .job = job != 0 });
            answer_the_first(&desk);
            int64_t began = pty_now();
            pty_hang_up(desk.pty);
            assert_int_not_equal(pty_wait_exit(desk.pty), -1);
            int64_t took = pty_now() - began;
            best = took < best ? took : best;
            assert_int_equal(desk_attempts(&desk), 1);
            desk_clear(&desk);
        }
        assert_true(best <= 1000);
    }
}

static void test_signals(void **state)
{
    (void)state;
    static const int numbers[] = { SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGABRT, SIGSEGV };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct desk desk;
        struct termios before, after;
        int row, column;
        bool visible;
        desk_set(&desk);
        desk_practise(&desk, (struct pty_options){ .job = i % 2 != 0 });
        pty_first_modes(desk.pty, &before);
        answer_the_first(&desk);
        pty_signal(desk.pty, numbers[i]);
        int status = pty_wait_exit(desk.pty);
        assert_int_not_equal(status, -1);
        /* a sanitizer turns a crash into a status of its own */
        if (!(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i]) && !(i >= 4 && WIFEXITED(status)))
            fail_msg("signal %d ends in status %x", numbers[i], (unsigned)status);
        pty_modes(desk.pty, &after);
        assert_true(pty_modes_equal(&before, &after));
        assert_false(pty_second_screen(desk.pty));
        pty_cursor(desk.pty, &row, &column, &visible);
        assert_true(visible);
        assert_true(pty_log_has(desk.pty, "\033[?2004l"));
        assert_int_equal(desk_attempts(&desk), 1);
        desk_clear(&desk);
    }
}

static void test_quitting(void **state)
{
    (void)state;
    struct desk desk;
    struct termios before, after;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ 0 });
    pty_first_modes(desk.pty, &before);
    answer_the_first(&desk);
    desk_type(&desk, "\003", "Finish here?");
    desk_type(&desk, "\r", "1 of 1");
    pty_type(desk.pty, "q");
    int status = pty_wait_exit(desk.pty);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    pty_modes(desk.pty, &after);
    assert_true(pty_modes_equal(&before, &after));
    assert_int_equal(desk_attempts(&desk), 1);
    desk_stop(&desk);
    /* the unfinished session is offered again */
    desk_launch(&desk, (struct pty_options){ 0 });
    pty_require(desk.pty, pty_wait_text(desk.pty, "1 of 3"), "the unfinished session is not offered");
    desk_clear(&desk);
}

/* Where nothing is due there is a key for practising anyway, and no word of the command line. */
static void test_nothing_due(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_settings(&desk, "new_per_day: 1\n");
    desk_practise(&desk, (struct pty_options){ 0 });
    desk_type(&desk, "1\r", "Alpha stands at the beginning.");
    desk_type(&desk, "\r", "finished");
    desk_type(&desk, "\r", "Enter practise");
    desk_type(&desk, "\r", "Practise anyway?");
    pty_require(desk.pty, pty_wait_text(desk.pty, "Nothing is due for"), "no word of when");
    pty_require(desk.pty, !pty_has(desk.pty, "--"), "the command line on the screen");
    pty_type(desk.pty, "\033");
    pty_require(desk.pty, pty_wait_gone(desk.pty, "Practise anyway?"), "it stays");
    desk_type(&desk, "\r", "Practise anyway?");
    desk_type(&desk, "\r", "1 of 3"); /* all of them */
    assert_int_equal(desk_attempts(&desk), 1);
    desk_type(&desk, "1\r", "Alpha stands at the beginning.");
    desk_type(&desk, "q\r", "1 of 1 right");
    desk_type(&desk, "\r", "Enter practise");
    desk_type(&desk, "\r", "Go on where you stopped?"); /* a session like others */
    assert_int_equal(desk_attempts(&desk), 2);
    desk_clear(&desk);
}

/* Without a PACK an exam is of the pack that is chosen in the library, with all that was wished for. */
static void test_an_exam_from_the_library(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_choose(&desk, (struct pty_options){ 0 }, "--exam", "--minutes=3");
    pty_require(desk.pty, pty_wait_text(desk.pty, "Enter exam"), "the footer says practise");
    desk_type(&desk, "\r", "Begin the exam?");
    pty_require(desk.pty, pty_wait_text(desk.pty, "3 questions, 3 min."), "not as wished");
    desk_type(&desk, "\r", "3 min left");
    desk_type(&desk, "1\r", "Which letter is the second?"); /* no verdict */
    assert_int_equal(desk_attempts(&desk), 0);
    desk_type(&desk, "q", "Hand in?");
    desk_type(&desk, "\r", "handed in");
    assert_int_equal(desk_attempts(&desk), 3);
    desk_type(&desk, "\r", "Enter exam");
    desk_type(&desk, "\r", "Begin the exam?"); /* another one */
    desk_stop(&desk);
    desk_choose(&desk, (struct pty_options){ 0 }, "--until=2999-01-01", "--seed=1");
    pty_require(desk.pty, pty_wait_text(desk.pty, "Enter practise"), "no practice");
    desk_clear(&desk);
}

/* ── looks ── */

static void test_no_colour(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ .environment = { "NO_COLOR=1" } });
    answer_the_first(&desk);
    desk_type(&desk, "\r", "is the second?");
    desk_type(&desk, "1\r", "Not quite");
    desk_type(&desk, "?", "All keys");
    assert_false(pty_sent_colour(desk.pty));
    desk_stop(&desk);
    desk_launch(&desk, (struct pty_options){ 0 });
    pty_require(desk.pty, pty_wait_text(desk.pty, "pack"), "no screen");
    assert_true(pty_sent_colour(desk.pty)); /* the look at the log does find colours */
    desk_clear(&desk);
}

/* After each key the cursor stands in the row of what the key has led to. */
static void test_the_cursor_follows(void **state)
{
    (void)state;
    static const struct {
        const char *key, *text;
    } steps[] = {
        { "2", "● 2" }, { "3", "● 3" },      { "1", "● 1" }, { "\033[B", "● 2" }, { "j", "● 3" },
        { "k", "● 2" }, { "\033[A", "● 1" }, { "c", "● 3" }, { "a", "● 1" },
    };
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ 0 });
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        int column = 0;
        desk_type(&desk, steps[i].key, steps[i].text);
        int row = pty_find(desk.pty, steps[i].text, &column);
        pty_require(desk.pty, pty_wait_cursor(desk.pty, row, column),
                    "the cursor does not stand on the choice");
    }
    desk_type(&desk, "\r", "Alpha stands at the beginning.");
    desk_type(&desk, "\r", "is the second?");
    desk_type(&desk, "2\r", "Beta follows.");
    desk_type(&desk, "\r", "漢字");
    for (int i = 1; i <= 3; i++) {
        char key[2] = { (char)('0' + i) }, text[16];
        int column = 0;
        snprintf(text, sizeof text, "◼ %d", i);
        desk_type(&desk, key, text);
        int row = pty_find(desk.pty, text, &column);
        pty_require(desk.pty, pty_wait_cursor(desk.pty, row, column),
                    "the cursor does not stand on the choice");
    }
    desk_clear(&desk);
}

/* Every character on the screen is one of those allowed besides ASCII. */
static void require_characters(struct desk *desk, const char *allowed)
{
    char row[PTY_LINE];
    for (int i = 0; i < 24; i++) {
        pty_row(desk->pty, i, row);
        for (const char *c = row; *c;) {
            int bytes = (*c & 0x80) == 0 ? 1 : (*c & 0xe0) == 0xc0 ? 2 : (*c & 0xf0) == 0xe0 ? 3 : 4;
            char one[5] = { 0 };
            memcpy(one, c, (size_t)bytes);
            if (bytes > 1 && !strstr(allowed, one)) {
                pty_print(desk->pty);
                fail_msg("\"%s\" is on the screen", one);
            }
            c += bytes;
        }
    }
}

static void walk_with_signs(struct desk *desk, struct pty_options options, const char *chosen,
                            const char *allowed)
{
    desk_set(desk);
    if (options.deaf)
        desk_settings(desk, "signs: ascii\n");
    desk_practise(desk, options);
    require_characters(desk, allowed);
    desk_type(desk, "1", chosen);
    require_characters(desk, allowed);
    desk_type(desk, "\r", "Alpha stands at the beginning.");
    require_characters(desk, allowed);
    desk_type(desk, "\r", "is the second?");
    desk_type(desk, "1\r", "Not quite");
    require_characters(desk, allowed);
    desk_type(desk, "q", "Finish here?");
    desk_type(desk, "\r", "To look at again");
    require_characters(desk, allowed);
    desk_type(desk, "?", "All keys");
    require_characters(desk, allowed);
    desk_clear(desk);
}

static void test_signs(void **state)
{
    (void)state;
    struct desk desk;
    walk_with_signs(&desk, (struct pty_options){ 0 }, "● 1", "○●◻◼✓✗▸▼▲━─█░│·…↑↓←→");
    walk_with_signs(&desk, (struct pty_options){ .environment = { "TERM=linux" } }, "(*) 1", "─█░│·");
    walk_with_signs(&desk, (struct pty_options){ .environment = { "LC_ALL=C" } }, "(*) 1", "");
    /* by setting, on a terminal that could do more */
    walk_with_signs(&desk, (struct pty_options){ .deaf = true }, "(*) 1", "");
}

static void test_wide_signs_become_ascii(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_practise(&desk, (struct pty_options){ .deaf = true });
    pty_require(desk.pty, pty_wait_output(desk.pty, "\033[6n"), "the width is not asked for");
    pty_type(desk.pty, "\033[2;13R");
    pty_require(desk.pty, pty_wait_gone(desk.pty, "○"), "the signs are still wide");
    desk_type(&desk, "1", "(*) 1");
    require_characters(&desk, "");
    assert_int_equal(desk_attempts(&desk), 0);
    desk_clear(&desk);
}

static void test_terminals_that_cannot(void **state)
{
    (void)state;
    struct desk desk;
    desk_set(&desk);
    desk_launch(&desk, (struct pty_options){ .environment = { "TERM=strange" } });
    pty_require(desk.pty, pty_wait_text(desk.pty, "nothing is known of a terminal \"strange\""),
                "no message");
    pty_require(desk.pty, pty_wait_text(desk.pty, "1) Alpha"), "not the plain front end");
    desk_stop(&desk);
    desk_launch(&desk, (struct pty_options){ .environment = { "TERM=dumb" } });
    pty_require(desk.pty, pty_wait_text(desk.pty, "1) Alpha"), "not the plain front end");
    assert_false(pty_log_has(desk.pty, "\033"));
    desk_stop(&desk);
    desk_practise(&desk, (struct pty_options){ .environment = { "TERM=xterm-foo" } });
    assert_true(pty_second_screen(desk.pty));
    desk_clear(&desk);
}

int main(int count, char **arguments)
{
    if (count < 2) {
        fprintf(stderr, "%s: the program's path is missing\n", arguments[0]);
        return 2;
    }
    desk_program(arguments[1]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_arrow_after_a_stop),
        cmocka_unit_test(test_a_split_sequence),
        cmocka_unit_test(test_a_paste),
        cmocka_unit_test(test_enter_in_quick_succession),
        cmocka_unit_test(test_keys_before_the_screen),
        cmocka_unit_test(test_an_interrupt_at_the_start),
        cmocka_unit_test(test_every_size_in_every_state),
        cmocka_unit_test(test_every_size_at_home),
        cmocka_unit_test(test_a_hang_up),
        cmocka_unit_test(test_signals),
        cmocka_unit_test(test_quitting),
        cmocka_unit_test(test_nothing_due),
        cmocka_unit_test(test_an_exam_from_the_library),
        cmocka_unit_test(test_no_colour),
        cmocka_unit_test(test_the_cursor_follows),
        cmocka_unit_test(test_signs),
        cmocka_unit_test(test_wide_signs_become_ascii),
        cmocka_unit_test(test_terminals_that_cannot),
    };
    return cmocka_run_group_tests_name("pty program", tests, NULL, NULL);
}
