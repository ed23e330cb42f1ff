/* Lines for the journal: their form, and that nothing of them waits, tears or drives a terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kiosk_journal.h"

#include <fcntl.h>
#include <pty.h>
#include <quiztutor/memory.h>
#include <quiztutor/text.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct pipe_of {
    int ends[2];
    struct kiosk_journal journal;
    char text[70000];
};

static void begin(struct pipe_of *pipe_of)
{
    assert_int_equal(pipe2(pipe_of->ends, O_CLOEXEC | O_NONBLOCK), 0);
    kiosk_journal_init(&pipe_of->journal, pipe_of->ends[1]);
}

static const char *end(struct pipe_of *pipe_of)
{
    ssize_t length = read(pipe_of->ends[0], pipe_of->text, sizeof pipe_of->text - 1);
    pipe_of->text[length > 0 ? length : 0] = '\0';
    close(pipe_of->ends[0]);
    close(pipe_of->ends[1]);
    return pipe_of->text;
}

static void test_form(void **state)
{
    static struct pipe_of one;
    (void)state;
    begin(&one);
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_START, "1.2.3");
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_SIGN_IN, NULL);
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_SIGN_IN_REFUSED, "PIN");
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_DAMAGE, "");
    assert_string_equal(end(&one),
                        "<6>quiztutor: kiosk started: 1.2.3\n<6>quiztutor: kiosk sign-in\n"
                        "<5>quiztutor: kiosk sign-in refused: PIN\n<2>quiztutor: kiosk store damaged\n");
}

/* Each has words and a priority that systemd knows, and no two are the same. */
static void test_all(void **state)
{
    static struct pipe_of one;
    (void)state;
    begin(&one);
    for (int line = 0; line < KIOSK_JOURNAL_LINES; line++)
        kiosk_journal_write(&one.journal, (enum kiosk_journal_line)line, NULL);
    const char *seen[KIOSK_JOURNAL_LINES], *text = end(&one);
    char *rest = one.text;
    int count = 0;
    assert_ptr_equal(text, rest);
    for (char *line; (line = strsep(&rest, "\n")) != NULL && *line; count++) {
        assert_true(line[0] == '<' && line[1] >= '2' && line[1] <= '6' && line[2] == '>');
        assert_memory_equal(line + 3, "quiztutor: kiosk ", 17);
        assert_true(strlen(line) > 20);
        for (int i = 0; i < count; i++)
            assert_string_not_equal(seen[i], line + 3);
        seen[count] = line + 3;
    }
    assert_int_equal(count, KIOSK_JOURNAL_LINES);
}

static void test_hostile(void **state)
{
    static struct pipe_of one;
    char name[1000];
    (void)state;
    begin(&one);
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_CONFIG_REFUSED, "a\n<0>b\x1b[2J\xff");
    const char *text = end(&one);
    assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    assert_null(strchr(text, '\x1b'));
    for (int start = 0; start < 4; start++) { /* cut anywhere, it stays UTF-8 */
        memset(name, 'x', (size_t)start);
        for (int i = start; i + 3 < (int)sizeof name; i += 3)
            memcpy(name + i, "→", 4);
        begin(&one);
        kiosk_journal_write(&one.journal, KIOSK_JOURNAL_DAMAGE, name);
        text = end(&one);
        char *form = text_nfc(text);
        assert_non_null(form);
        memory_free(form);
        assert_true(strlen(text) < 320);
        assert_ptr_equal(strchr(text, '\n'), text + strlen(text) - 1);
    }
}

/* A journal that is stuck, or gone, holds nothing up; what was lost is told. */
static void test_stuck(void **state)
{
    static struct pipe_of one;
    static char bytes[4096];
    (void)state;
    begin(&one);
    while (write(one.ends[1], bytes, sizeof bytes) > 0)
        ;
    fcntl(one.ends[1], F_SETFL, 0); /* a write would wait for ever */
    for (int i = 0; i < 3; i++)
        kiosk_journal_write(&one.journal, KIOSK_JOURNAL_SIGN_IN, NULL);
    assert_int_equal(one.journal.lost, 3);
    while (read(one.ends[0], one.text, sizeof one.text) > 0)
        ;
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_SIGN_IN, NULL);
    assert_int_equal(one.journal.lost, 0);
    assert_string_equal(end(&one), "<6>quiztutor: kiosk sign-in (3 lines before were lost)\n");

    signal(SIGPIPE, SIG_IGN);
    begin(&one);
    close(one.ends[0]);
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_SIGN_IN, NULL);
    assert_int_equal(one.journal.lost, 1);
    close(one.ends[1]);
}

static void test_terminal(void **state)
{
    struct kiosk_journal journal;
    int master, slave;
    char text[16];
    (void)state;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
    fcntl(master, F_SETFL, O_NONBLOCK);
    kiosk_journal_init(&journal, slave);
    kiosk_journal_write(&journal, KIOSK_JOURNAL_START, NULL);
    assert_true(read(master, text, sizeof text) <= 0);
    kiosk_journal_init(&journal, -1);
    kiosk_journal_write(&journal, KIOSK_JOURNAL_START, NULL);
    close(master);
    close(slave);
}

static void test_memory(void **state)
{
    static struct pipe_of one;
    (void)state;
    begin(&one);
    memory_fail_after(1);
    kiosk_journal_write(&one.journal, KIOSK_JOURNAL_DAMAGE, "page 3");
    memory_fail_after(0);
    assert_string_equal(end(&one), "<2>quiztutor: kiosk store damaged\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_form),  cmocka_unit_test(test_all),      cmocka_unit_test(test_hostile),
        cmocka_unit_test(test_stuck), cmocka_unit_test(test_terminal), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
