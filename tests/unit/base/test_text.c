#include <quiztutor/json.h>
#include <quiztutor/random.h>
#include <quiztutor/text.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void test_columns(void **state)
{
    (void)state;
    assert_int_equal(text_columns("abc"), 3);
    assert_int_equal(text_columns("日本"), 4);
    assert_int_equal(text_columns("e\xcc\x81x"), 2);
    int columns;
    assert_int_equal(text_cell("e\xcc\x81x", 4, &columns), 3);
    assert_int_equal(columns, 1);
    assert_int_equal(text_cell("\xff", 1, &columns), 1);
}

static void test_unaccented(void **state)
{
    (void)state;
    static const char *const pairs[][2] = { { "", "" },
                                            { "Plain 1", "plain 1" },
                                            { "\xc3\x9c"
                                              "bung",
                                              "ubung" },
                                            { "U\xcc\x88"
                                              "bung",
                                              "ubung" }, /* NFD */
                                            { "Stra\xc3\x9f"
                                              "e",
                                              "strasse" },
                                            { "\xef\xac\x81n", "fin" }, /* a ligature */
                                            { "\xe6\x97\xa5", "\xe6\x97\xa5" } };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        char *plain = text_unaccented(pairs[i][0]);
        assert_string_equal(plain, pairs[i][1]);
        memory_free(plain);
    }
    assert_null(text_unaccented("\xff"));
}

static void test_same(void **state)
{
    (void)state;
    assert_true(text_same("nai\xcc\x88ve", "na\xc3\xafve"));
    assert_true(text_same(" a  b\n", "a b"));
    assert_false(text_same("A", "a"));
    assert_false(text_same("a b", "ab"));
    assert_false(text_same("ab", "a b"));
    assert_true(text_same("", "  "));
    assert_false(text_same("a", "  "));
    assert_true(text_same("a\t b ", "\n a b"));
    assert_true(text_same("e\xcc\x81", "\xc3\xa9"));
    assert_false(text_same("e\xcc\x81", "e"));
    assert_false(text_same("e", "e\xcc\x81"));
    assert_true(text_same("a e\xcc\x81", "a \xc3\xa9"));
    assert_true(text_same("a\xc2\xa0"
                          "b",
                          "a b")); /* a non-breaking space is white space */
    char *folded = text_fold("STRASSE"), *other = text_fold("Stra\xc3\x9f"
                                                            "e");
    assert_string_equal(folded, other);
    memory_free(folded);
    memory_free(other);
}

static void test_visible(void **state)
{
    (void)state;
    struct buffer out;
    buffer_init(&out);
    text_visible(&out, "a\x1b[2J\xff\xe2\x80\xae", 9);
    assert_string_equal(buffer_get(&out), "a\\x1b[2J\\xff\\u202e");
    buffer_finish(&out);
}

static void test_nearest(void **state)
{
    (void)state;
    static const char *const keys[] = { "explanation", "prompt", "id", "tags" };
    assert_string_equal(text_nearest("explaination", keys, 4), "explanation");
    assert_string_equal(text_nearest("promt", keys, 4), "prompt");
    assert_null(text_nearest("zzzzzz", keys, 4));
    assert_int_equal(text_distance("ab", "ba", 3), 1);
    static const char *const names[] = { ".", "Lab A", "lists" };
    assert_null(text_nearest("A", names, 3)); /* nothing of it is the same */
    assert_string_equal(text_nearest("lab b", names, 3), "Lab A");
    assert_string_equal(text_nearest("LISTS", names, 3), "lists");
}

static void test_forbidden(void **state)
{
    (void)state;
    static const int32_t bad[] = {
        0x1b,   0x85,   0xad,   0x34f,  0x61c,   0x115f,  0x1160, 0x180e,   0x200b,
        0x200e, 0x200f, 0x2028, 0x2029, 0x202a,  0x202e,  0x2060, 0x206f,   0x3164,
        0xfeff, 0xffa0, 0xfff9, 0xfffb, 0xe0000, 0xe007f, 0xfffe, 0x10ffff, 0xfdd0
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_true(text_forbidden(bad[i]));
    static const int32_t good[] = { '\t', '\n', ' ', '~', 0xa0, 0x200c, 0x200d, 0x301, 0x65e5, 0x1f600 };
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_false(text_forbidden(good[i]));
}

static void test_names(void **state)
{
    (void)state;
    const char *why;
    char *name = text_learner_name("  Ana \t Maria ", &why);
    assert_null(name); /* a tab is a control character */
    name = text_learner_name("  Ana   Mari\xcc\x81"
                             "a ",
                             &why);
    assert_string_equal(name, "Ana Mar\xc3\xad"
                              "a");
    memory_free(name);
    assert_null(text_learner_name("   ", &why));
    assert_null(text_learner_name("a\xe2\x80\x8b"
                                  "b",
                                  &why));
}

static void test_json(void **state)
{
    (void)state;
    struct buffer out;
    struct json json;
    buffer_init(&out);
    json_init(&json, &out);
    json_open(&json, '{');
    json_key(&json, "a");
    json_text(&json, "q\"\\\n\x01\xc3\xa9");
    json_key(&json, "b");
    json_open(&json, '[');
    json_number(&json, 0.1);
    json_number(&json, 1);
    json_number(&json, 1.0 / 3);
    json_null(&json);
    json_close(&json, ']');
    json_close(&json, '}');
    assert_string_equal(buffer_get(&out),
                        "{\"a\":\"q\\\"\\\\\\n\\u0001\xc3\xa9\",\"b\":[0.1,1,0.3333333333333333,null]}");
    buffer_finish(&out);
}

static void test_number(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *text;
    } rows[] = { { 0.1 + 0.2, "0.3" }, { 1.0 / 3, "0.33" }, { 12, "12" },  { 9.5, "9.5" },
                 { -0.001, "0" },      { 100, "100" },      { 1e300, "?" } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char text[TEXT_NUMBER];
        text_number(text, rows[i].value);
        assert_string_equal(text, rows[i].text);
    }
}

static void test_random(void **state)
{
    (void)state;
    struct random_stream stream = { 1234567 }; /* the vector published with the reference implementation */
    assert_true(random_next(&stream) == 6457827717110365317u);
    assert_true(random_next(&stream) == 3203168211198807973u);
    assert_true(random_next(&stream) == 9817491932198370423u);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unaccented), cmocka_unit_test(test_columns), cmocka_unit_test(test_same),
        cmocka_unit_test(test_visible),    cmocka_unit_test(test_nearest), cmocka_unit_test(test_names),
        cmocka_unit_test(test_forbidden),  cmocka_unit_test(test_json),    cmocka_unit_test(test_random),
        cmocka_unit_test(test_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
