#include "curses_decoder.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <locale.h>
#include <string.h>

/* What has come out so far, a code each: keys as they are, pasted characters negative. */
static int take(struct decoder *decoder, int32_t *keys)
{
    struct input input;
    int count = 0;
    while (decoder_next(decoder, &input)) {
        assert_true(count < DECODER_QUEUE);
        assert_true(input.kind == INPUT_KEY || input.kind == INPUT_PASTE);
        keys[count++] = input.kind == INPUT_PASTE ? -input.key : input.key;
    }
    return count;
}

static void feed(struct decoder *decoder, const char *bytes, int64_t now)
{
    for (; *bytes; bytes++)
        decoder_byte(decoder, (unsigned char)*bytes, now);
}

#define EXPECT(decoder, ...)                                                                                 \
    do {                                                                                                     \
        const int32_t wanted[] = { __VA_ARGS__ };                                                            \
        int32_t got[DECODER_QUEUE + 1];                                                                      \
        int found = take((decoder), got);                                                                    \
        assert_int_equal(found, (int)(sizeof wanted / sizeof *wanted));                                      \
        assert_memory_equal(got, wanted, sizeof wanted);                                                     \
    } while (0)

static void expect_nothing(struct decoder *decoder)
{
    int32_t got[DECODER_QUEUE + 1];
    assert_int_equal(take(decoder, got), 0);
}

static void test_characters(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    assert_int_equal(decoder_wait(&decoder, 0), -1);
    feed(&decoder, "a1 \xc3\xa9\xe6\xbc\xa2\xf0\x9f\x99\x82", 0);
    EXPECT(&decoder, 'a', '1', ' ', 0xe9, 0x6f22, 0x1f642);
    /* bad bytes vanish, and take nothing that is good with them */
    feed(&decoder, "\xff\xc3z\xe6\xbc\rx\x80\xc2\x9b\xed\xa0\x80y", 0);
    EXPECT(&decoder, 'z', KEY_CODE_ENTER, 'x', 'y');
    decoder_byte(&decoder, 0, 0);
    expect_nothing(&decoder);
}

static void test_controls(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    feed(&decoder, "\001\003\b\t\n\r\032\034\037\177", 0);
    EXPECT(&decoder, KEY_CODE_CONTROL_A, KEY_CODE_CONTROL_A + 2, KEY_CODE_BACKSPACE, KEY_CODE_TAB,
           KEY_CODE_ENTER, KEY_CODE_ENTER, KEY_CODE_CONTROL_Z, KEY_CODE_BACKSPACE);
}

static void test_whole_sequences(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    feed(&decoder, "\033[A\033OB\033[C\033[1;5D\033[H\033OF\033[3~\033[5~\033[6~", 0);
    EXPECT(&decoder, KEY_CODE_UP, KEY_CODE_DOWN, KEY_CODE_RIGHT, KEY_CODE_LEFT, KEY_CODE_HOME, KEY_CODE_END,
           KEY_CODE_DELETE, KEY_CODE_PAGE_UP, KEY_CODE_PAGE_DOWN);
    feed(&decoder, "\033OP\033[[E\033[24~\033OM\033Oq", 0);
    EXPECT(&decoder, KEY_CODE_F1, KEY_CODE_F1 + 4, KEY_CODE_F12, KEY_CODE_ENTER, '1');
    feed(&decoder, "\033[99~\033[9999999999999999999~\033[-5~\033[I\033[?62c\033[<0;1;1M\033[2~", 0);
    expect_nothing(&decoder);
    for (int i = 0; i < 100; i++)
        feed(&decoder, i ? "1;" : "\033[", 0);
    feed(&decoder, "Ax", 0);
    EXPECT(&decoder, 'x');
}

static void test_escape_is_let_go_when_nothing_follows(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    feed(&decoder, "\033", 1000);
    expect_nothing(&decoder);
    assert_int_equal(decoder_wait(&decoder, 1000), 0);
    decoder_time(&decoder, 1000);
    EXPECT(&decoder, KEY_CODE_ESCAPE);
    feed(&decoder, "1q\r", 1001);
    EXPECT(&decoder, '1', 'q', KEY_CODE_ENTER);
    feed(&decoder, "\033\033x", 2000);
    EXPECT(&decoder, KEY_CODE_ESCAPE, KEY_CODE_ESCAPE, 'x');
    feed(&decoder, "\033", 3000);
    decoder_key(&decoder, KEY_CODE_UP, 3000);
    EXPECT(&decoder, KEY_CODE_ESCAPE, KEY_CODE_UP);
}

/* For each sequence and each place of a pause: nothing but the Escape comes out. */
static void test_a_late_rest_is_swallowed(void **state)
{
    (void)state;
    static const char *const rests[] = { "[A", "OA", "[15~", "[1;5C", "[[A", "Oq", "[2;5R", "O5A" };
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++) {
        struct decoder decoder;
        decoder_init(&decoder);
        int64_t now = 5000;
        feed(&decoder, "\033", now);
        decoder_time(&decoder, now += 25);
        EXPECT(&decoder, KEY_CODE_ESCAPE);
        for (const char *byte = rests[i]; *byte; byte++) {
            now += DECODER_LATE_MS - 50;
            decoder_time(&decoder, now);
            decoder_byte(&decoder, (unsigned char)*byte, now);
            expect_nothing(&decoder);
        }
        feed(&decoder, "z", now);
        EXPECT(&decoder, 'z');
    }
}

static void test_what_a_person_presses_after_escape(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    feed(&decoder, "\033", 0);
    decoder_time(&decoder, 30);
    EXPECT(&decoder, KEY_CODE_ESCAPE);
    feed(&decoder, "[", 400);
    expect_nothing(&decoder);
    assert_int_equal(decoder_wait(&decoder, 500), DECODER_LATE_MS - 100);
    decoder_time(&decoder, 400 + DECODER_LATE_MS);
    EXPECT(&decoder, '[');
    /* long after, the same characters are just themselves */
    feed(&decoder, "\033", 10000);
    decoder_time(&decoder, 10030);
    EXPECT(&decoder, KEY_CODE_ESCAPE);
    feed(&decoder, "[A", 10030 + DECODER_LATE_MS);
    EXPECT(&decoder, '[', 'A');
    feed(&decoder, "\033", 20000);
    decoder_time(&decoder, 20030);
    feed(&decoder, "O\r", 20100);
    EXPECT(&decoder, KEY_CODE_ESCAPE, 'O', KEY_CODE_ENTER);
    feed(&decoder, "\033", 30000);
    decoder_time(&decoder, 30030);
    feed(&decoder, "[\033", 30100);
    decoder_time(&decoder, 30130);
    EXPECT(&decoder, KEY_CODE_ESCAPE, '[', KEY_CODE_ESCAPE);
}

static void test_a_paste(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    feed(&decoder, "\033[200~1\r\n\t\003\033[A\033x\xc3\xa9\033[200~\033[201~2", 0);
    EXPECT(&decoder, -'1', -'\n', -'\n', -' ', -'x', -0xe9, '2');
    /* as ncurses tells of it */
    decoder_paste(&decoder, true, 0);
    decoder_key(&decoder, KEY_CODE_ENTER, 0);
    decoder_key(&decoder, KEY_CODE_UP, 0);
    decoder_key(&decoder, KEY_CODE_BACKSPACE, 0);
    feed(&decoder, "q", 0);
    decoder_paste(&decoder, false, 0);
    feed(&decoder, "q", 0);
    EXPECT(&decoder, -'\n', -'q', 'q');
}

static void test_a_paste_in_pieces(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    int64_t now = 0;
    for (const char *byte = "\033[200~1\n\033[201~z"; *byte; byte++) {
        decoder_byte(&decoder, (unsigned char)*byte, now);
        decoder_time(&decoder, now += DECODER_LATE_MS - 50);
    }
    EXPECT(&decoder, KEY_CODE_ESCAPE, -'1', -'\n', 'z');
}

static void test_a_paste_without_end(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    feed(&decoder, "\033[200~1", 0);
    decoder_time(&decoder, DECODER_PASTE_MS - 1);
    feed(&decoder, "2\033", DECODER_PASTE_MS - 1);
    EXPECT(&decoder, -'1', -'2');
    int64_t over = 2 * DECODER_PASTE_MS - 1;
    assert_int_equal(decoder_wait(&decoder, over - 10), 10);
    decoder_time(&decoder, over);
    feed(&decoder, "3", over);
    EXPECT(&decoder, '3');
}

static void test_a_report(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    decoder.report_awaited = true;
    feed(&decoder, "a\033", 0);
    decoder_time(&decoder,
                 DECODER_REPORT_MS - 1); /* held longer than usual, so that it is not taken for a key */
    feed(&decoder, "[2;13Rb", DECODER_REPORT_MS - 1);
    EXPECT(&decoder, 'a', 'b');
    assert_true(decoder.report_arrived);
    assert_false(decoder.report_awaited);
    assert_int_equal(decoder.report_row, 2);
    assert_int_equal(decoder.report_column, 13);
    /* not asked for: F3 with a modifier, or nothing */
    decoder.report_arrived = false;
    feed(&decoder, "\033[2;13R", 1000);
    assert_false(decoder.report_arrived);
    decoder_init(&decoder);
    decoder.report_awaited = true;
    feed(&decoder, "\033", 0);
    decoder_time(&decoder, DECODER_REPORT_MS);
    feed(&decoder, "[2;7R", DECODER_REPORT_MS + 10);
    EXPECT(&decoder, KEY_CODE_ESCAPE);
    assert_true(decoder.report_arrived);
}

static void test_flush(void **state)
{
    (void)state;
    struct decoder decoder;
    decoder_init(&decoder);
    feed(&decoder, "abc\033", 0);
    decoder_flush(&decoder);
    expect_nothing(&decoder);
    feed(&decoder, "[Az", 10); /* the rest of an arrow that was begun before */
    EXPECT(&decoder, 'z');
    feed(&decoder, "\033[200~ab", 20);
    decoder_flush(&decoder);
    feed(&decoder, "\r\033[201~\r", 20);
    EXPECT(&decoder, -'\n', KEY_CODE_ENTER);
    feed(&decoder, "\033[1", 30);
    decoder_flush(&decoder);
    feed(&decoder, "5~x\xc3", 30);
    EXPECT(&decoder, 'x');
    decoder_flush(&decoder);
    feed(&decoder, "\xa9y", 30);
    EXPECT(&decoder, 'y');
}

/* Any bytes at any times: the queue never overflows, waits are never endless, and plain keys work again
 * afterwards. */
static void test_any_bytes(void **state)
{
    (void)state;
    static const char likely[] = "\033\033\033[[O1;20~ARM\r\n\303\251q";
    uint64_t seed = 42;
    struct decoder decoder;
    decoder_init(&decoder);
    int64_t now = 0;
    int32_t keys[DECODER_QUEUE + 1];
    for (int i = 0; i < 200000; i++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned draw = (unsigned)(seed >> 33);
        int byte = draw % 4 ? likely[draw / 4 % (sizeof likely - 1)] : (int)(draw >> 8);
        now += draw % 7 == 0 ? draw % 3000 : 0;
        if (draw % 11 == 0)
            decoder_time(&decoder, now);
        if (draw % 997 == 0)
            decoder_flush(&decoder);
        decoder_byte(&decoder, (unsigned char)byte, now);
        assert_true(decoder.count < DECODER_QUEUE / 2);
        for (int n = take(&decoder, keys); n > 0; n--)
            assert_true(keys[n - 1] >= 0x20 || keys[n - 1] < 0);
        assert_true(decoder_wait(&decoder, now) <= DECODER_PASTE_MS);
    }
    decoder_time(&decoder, now + 2 * DECODER_PASTE_MS);
    take(&decoder, keys);
    feed(&decoder, "a", now + 3 * DECODER_PASTE_MS);
    EXPECT(&decoder, 'a');
}

int main(void)
{
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 77;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_characters),
        cmocka_unit_test(test_controls),
        cmocka_unit_test(test_whole_sequences),
        cmocka_unit_test(test_escape_is_let_go_when_nothing_follows),
        cmocka_unit_test(test_a_late_rest_is_swallowed),
        cmocka_unit_test(test_what_a_person_presses_after_escape),
        cmocka_unit_test(test_a_paste),
        cmocka_unit_test(test_a_paste_in_pieces),
        cmocka_unit_test(test_a_paste_without_end),
        cmocka_unit_test(test_a_report),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
