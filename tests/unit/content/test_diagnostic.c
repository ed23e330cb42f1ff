/* How diagnostics look: on a terminal and as JSON. */
#include <quiztutor/diagnostic.h>

#include <quiztutor/pack.h>
#include <quiztutor/text.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct diagnostic at(int line, int column, int end, const char *source)
{
    struct diagnostic diagnostic = { .severity = SEVERITY_ERROR,
                                     .file = "p.yaml",
                                     .line = line,
                                     .column = column,
                                     .end_line = line,
                                     .end_column = end,
                                     .rule = "rule",
                                     .message = "message",
                                     .source = source };
    return diagnostic;
}

static void expect(const struct diagnostic *diagnostic, const char *expected)
{
    struct diagnostics list;
    struct buffer out;
    diagnostics_init(&list);
    buffer_init(&out);
    diagnostics_add(&list, diagnostic);
    diagnostics_print(&list, &out);
    assert_string_equal(buffer_get(&out), expected);
    buffer_finish(&out);
    diagnostics_finish(&list);
}

static void test_caret(void **state)
{
    (void)state;
    struct diagnostic one = at(3, 3, 6, "a bcd e");
    one.hint = "do this";
    expect(&one, "p.yaml:3:3: error: message [rule]\na bcd e\n  ^~~\nhint: do this\n");
    one = at(3, 8, 8, "a bcd e");
    expect(&one, "p.yaml:3:8: error: message [rule]\na bcd e\n       ^\n");
    one = at(3, 3, 3, "\t\tx");
    expect(&one, "p.yaml:3:3: error: message [rule]\n\t\tx\n\t\t^\n");
    one = at(3, 3, 4, "日本x");
    expect(&one, "p.yaml:3:3: error: message [rule]\n日本x\n    ^\n");
    one = at(3, 2, 3, "日本x");
    expect(&one, "p.yaml:3:2: error: message [rule]\n日本x\n  ^~\n");
    one = at(3, 3, 4, "e\xcc\x81x");
    expect(&one, "p.yaml:3:3: error: message [rule]\ne\xcc\x81x\n ^\n");
    one = at(3, 2, 3, "\x1bx");
    expect(&one, "p.yaml:3:2: error: message [rule]\n\\x1bx\n    ^\n");
    one = at(1, 1, 1, "");
    one.severity = SEVERITY_WARNING;
    expect(&one, "p.yaml:1:1: warning: message [rule]\n\n^\n");
    one = at(2, 1, 1, NULL);
    expect(&one, "p.yaml:2:1: error: message [rule]\n");
}

static void test_visible(void **state)
{
    (void)state;
    struct diagnostic one = at(1, 1, 1, NULL);
    one.file = "a\x1b[2J.yaml";
    one.message = "found \"\x1b]52\"";
    one.hint = "write \xe2\x80\xae";
    expect(&one, "a\\x1b[2J.yaml:1:1: error: found \"\\x1b]52\" [rule]\nhint: write \\u202e\n");
}

/* A long line is cut around the caret, which stays below its character. */
static void test_long_line(void **state)
{
    char line[2001], *shown, *caret, *save = NULL;
    (void)state;
    for (int column = 1; column <= 2000; column += 37) {
        memset(line, '.', 2000);
        line[2000] = '\0';
        line[column - 1] = 'X';
        struct diagnostic one = at(1, column, column + 1, line);
        struct diagnostics list;
        struct buffer out;
        diagnostics_init(&list);
        buffer_init(&out);
        diagnostics_add(&list, &one);
        diagnostics_print(&list, &out);
        strtok_r(out.data, "\n", &save);
        shown = strtok_r(NULL, "\n", &save);
        caret = strtok_r(NULL, "\n", &save);
        assert_true(text_columns(shown) <= 102);
        int before = (int)(strchr(caret, '^') - caret);
        char *mark = strchr(shown, 'X');
        assert_non_null(mark);
        *mark = '\0';
        assert_int_equal(text_columns(shown), before);
        buffer_finish(&out);
        diagnostics_finish(&list);
    }
}

/* The line that a report keeps is a part of a longer one, and the caret is still right. */
static void test_very_long_line(void **state)
{
    struct buffer text, out;
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    buffer_init(&text);
    buffer_init(&out);
    buffer_text(&text, "format: quiztutor/1\nid: t\ntitle: T\nx-a: [");
    for (int i = 0; i < 20000; i++)
        buffer_text(&text, "д, ");
    buffer_text(&text, "\"\\e\", x]\n");
    diagnostics_init(&list);
    assert_false(pack_load_bytes(&pack, "p.yaml", text.data, text.length, &list, NULL));
    diagnostics_print(&list, &out);
    char *line = strstr(buffer_get(&out), "p.yaml:4:60008: error: this escape");
    assert_non_null(line);
    assert_true(strlen(line) < 800);
    line = strchr(line, '\n') + 1;
    char *caret = strchr(line, '\n') + 1, *escape = strstr(line, "\\e");
    assert_true(escape && escape < caret);
    *escape = '\0';
    assert_int_equal(strchr(caret, '^') - caret, text_columns(line));
    diagnostics_finish(&list);
    buffer_finish(&out);
    buffer_finish(&text);
}

static void test_order_and_limit(void **state)
{
    struct diagnostics list;
    struct buffer out;
    (void)state;
    diagnostics_init(&list);
    buffer_init(&out);
    for (int i = 137; i >= 1; i--) {
        struct diagnostic one = at(i, 1, 1, NULL);
        diagnostics_add(&list, &one);
    }
    struct diagnostic other = at(1, 1, 1, NULL);
    other.file = "q.yaml";
    other.severity = SEVERITY_WARNING;
    diagnostics_add(&list, &other);
    assert_int_equal(list.count, 101);
    assert_int_equal(list.errors, 137);
    assert_int_equal(list.errors_left_out, 37);
    for (int i = 1; i < 100; i++)
        assert_true(list.items[i - 1].line < list.items[i].line);
    assert_string_equal(list.items[100].file, "q.yaml");
    diagnostics_print(&list, &out);
    assert_non_null(strstr(buffer_get(&out), "\n… and 37 more errors\n"));
    buffer_finish(&out);
    diagnostics_finish(&list);
}

static void test_json(void **state)
{
    struct diagnostics list;
    struct buffer out;
    bool comma = false;
    (void)state;
    diagnostics_init(&list);
    buffer_init(&out);
    struct diagnostic one = at(3, 2, 5, "x");
    diagnostics_add(&list, &one);
    one = at(1, 1, 1, NULL);
    one.severity = SEVERITY_WARNING;
    one.hint = "a \"b\"";
    one.file = "\xff.yaml";
    diagnostics_add(&list, &one);
    diagnostics_json(&list, &out, &comma);
    assert_string_equal(
        buffer_get(&out),
        "{\"file\":\"p.yaml\",\"line\":3,\"column\":2,\"end_line\":3,\"end_column\":5,\"severity\":\"error\","
        "\"rule\":\"rule\",\"message\":\"message\",\"hint\":null},"
        "{\"file\":\"\\\\xff.yaml\",\"line\":1,\"column\":1,\"end_line\":1,\"end_column\":1,\"severity\":"
        "\"warning\","
        "\"rule\":\"rule\",\"message\":\"message\",\"hint\":\"a \\\"b\\\"\"}");
    assert_true(comma);
    buffer_clear(&out);
    diagnostics_json(&list, &out, &comma);
    assert_int_equal(buffer_get(&out)[0], ',');
    buffer_finish(&out);
    diagnostics_finish(&list);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_caret),           cmocka_unit_test(test_visible),
        cmocka_unit_test(test_long_line),       cmocka_unit_test(test_very_long_line),
        cmocka_unit_test(test_order_and_limit), cmocka_unit_test(test_json)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
