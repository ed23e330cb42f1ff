/* Light markup: what its marks come to, that nothing is lost, and that it takes no longer than it must. */
#include "../../slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <quiztutor/markup.h>
#include <quiztutor/memory.h>
#include <quiztutor/random.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* In expectations: < emphasis, { code, > the end of both, | a line of a block. */
static void readable(char *text)
{
    for (; *text; text++)
        switch (*text) {
        case MARKUP_EMPHASIS:
            *text = '<';
            break;
        case MARKUP_CODE:
            *text = '{';
            break;
        case MARKUP_END:
            *text = '>';
            break;
        case MARKUP_BLOCK:
            *text = '|';
            break;
        }
}

static const struct {
    const char *text, *styled, *plain;
} cases[] = {
    { "", "", "" },
    { "plain", "plain", "plain" },
    { "*all*", "<all>", "all" },
    { "say *this* now", "say <this> now", "say this now" },
    { "*two words*", "<two words>", "two words" },
    { "*one* and *two*", "<one> and <two>", "one and two" },
    { "over\n*two\nlines*", "over\n<two\nlines>", "over\ntwo\nlines" },
    { "a*b*c", "a<b>c", "abc" },
    /* marks without a partner */
    { "*open", "*open", "*open" },
    { "close*", "close*", "close*" },
    { "*", "*", "*" },
    { "* item\n* item", "* item\n* item", "* item\n* item" },
    { "2 * 3 * 4", "2 * 3 * 4", "2 * 3 * 4" },
    { "2 *3 * 4", "2 *3 * 4", "2 *3 * 4" },
    { "2 *3 * 4*", "2 <3 * 4>", "2 3 * 4" },
    { "*not closed\n\nin another* paragraph", "*not closed\n\nin another* paragraph",
      "*not closed\n\nin another* paragraph" },
    { "x**2 + y**2", "x**2 + y**2", "x**2 + y**2" },
    { "**bold**", "**bold**", "**bold**" },
    { "*a**b*", "<a**b>", "a**b" },
    { "*a* *", "<a> *", "a *" },
    /* backslashes */
    { "\\*not\\*", "*not*", "*not*" },
    { "\\`not\\`", "`not`", "`not`" },
    { "*a\\*b*", "<a*b>", "a*b" },
    { "\\\\*a*", "\\*a*", "\\*a*" },
    { "C:\\dir \\n \\", "C:\\dir \\n \\", "C:\\dir \\n \\" },
    { "\\*a*", "*a*", "*a*" },
    /* code */
    { "`x`", "{x>", "x" },
    { "run `a * b * c` now", "run {a * b * c> now", "run a * b * c now" },
    { "`*not*`", "{*not*>", "*not*" },
    { "`C:\\`", "{C:\\>", "C:\\" },
    { "`open", "`open", "`open" },
    { "a ` b", "a ` b", "a ` b" },
    { "``", "``", "``" },
    { "``a`b``", "{a`b>", "a`b" },
    { "`` `a` ``", "{ `a` >", " `a` " },
    { "``a`", "``a`", "``a`" },
    { "` a  b `", "{ a  b >", " a  b " },
    { "`a\n\nb`", "`a\n\nb`", "`a\n\nb`" },
    /* both */
    { "*a `b` c*", "<a >{b>< c>", "a b c" },
    { "*`b`*", "{b>", "b" },
    { "*`b` c*", "{b>< c>", "b c" },
    { "*a `b`*", "<a >{b>", "a b" },
    { "*a `b*c` d*", "<a >{b*c>< d>", "a b*c d" },
    { "*a `b*c", "<a `b>c", "a `bc" },
    { "`a *b` c*", "{a *b> c*", "a *b c*" },
    { "*a `b* c`", "*a {b* c>", "*a b* c" },
    /* blocks */
    { "```\nx\n```", "|x", "x" },
    { "```c\nint *a, *b;\n\n  `x`\n```", "|int *a, *b;\n|\n|  `x`", "int *a, *b;\n\n  `x`" },
    { "Look:\n```python\nx = 1\n```\nWhat is *x*?", "Look:\n|x = 1\nWhat is <x>?",
      "Look:\nx = 1\nWhat is x?" },
    { "Look:\n\n```\nx\n```\n\nWhat?", "Look:\n\n|x\n\nWhat?", "Look:\n\nx\n\nWhat?" },
    { "```\na\n```\n```\nb\n```", "|a\n|b", "a\nb" },
    { "```\nopen", "```\nopen", "```\nopen" },
    { "```\n```", "```\n```", "```\n```" },
    { "```\n\n```", "|", "" },
    { "```two words\nx\n```", "{two words\nx\n>", "two words\nx\n" },
    { "` `", "` `", "` `" },
    { "*a\n```\nb*\n```", "*a\n|b*", "*a\nb*" },
    { "```x```", "{x>", "x" },
    { "a ```\nx\n```", "a {\nx\n>", "a \nx\n" },
    { "a\nb\n\nc", "a\nb\n\nc", "a\nb\n\nc" },
    { "\xc3\xbc *\xc3\xa4* `\xe6\xbc\xa2`", "\xc3\xbc <\xc3\xa4> {\xe6\xbc\xa2>",
      "\xc3\xbc \xc3\xa4 \xe6\xbc\xa2" },
};

static void test_cases(void **state)
{
    struct buffer out;
    (void)state;
    buffer_init(&out);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        buffer_clear(&out);
        markup_render(&out, cases[i].text, true);
        if (out.data)
            readable(out.data);
        assert_string_equal(buffer_get(&out), cases[i].styled);
        buffer_clear(&out);
        markup_render(&out, cases[i].text, false);
        assert_string_equal(buffer_get(&out), cases[i].plain);
        assert_int_equal(strlen(buffer_get(&out)), out.length);
    }
    buffer_finish(&out);
}

static void make_text(struct random_stream *stream, char *text, int most)
{
    static const char letters[] = "*`\\\n ab***```";
    int length = (int)random_below(stream, (uint64_t)most);
    for (int i = 0; i < length; i++)
        text[i] = letters[random_below(stream, sizeof letters - 1)];
    text[length] = '\0';
}

/* The letters that are no marks, in their order. */
static void letters_of(const char *text, char *letters)
{
    for (; *text; text++)
        if (*text == 'a' || *text == 'b')
            *letters++ = *text;
    *letters = '\0';
}

/* Signs come in pairs that do not nest, and a block begins its line. */
static void expect_signs(const char *styled)
{
    bool open = false;
    for (const char *at = styled; *at; at++) {
        if (*at == MARKUP_EMPHASIS || *at == MARKUP_CODE) {
            assert_false(open);
            assert_int_not_equal(at[1], MARKUP_END);
            open = true;
        } else if (*at == MARKUP_END) {
            assert_true(open);
            open = false;
        } else if (*at == MARKUP_BLOCK) {
            assert_false(open);
            assert_true(at == styled || at[-1] == '\n');
        }
    }
    assert_false(open);
}

static void test_any_text(void **state)
{
    enum { MOST = 60 };
    struct random_stream stream = { 4 };
    struct buffer styled, plain, escaped;
    char text[MOST], one[2 * MOST], other[2 * MOST];
    (void)state;
    buffer_init(&styled);
    buffer_init(&plain);
    buffer_init(&escaped);
    for (int i = 0; i < slice_of(200000); i++) {
        make_text(&stream, text, MOST);
        buffer_clear(&styled);
        buffer_clear(&plain);
        buffer_clear(&escaped);
        markup_render(&styled, text, true);
        markup_render(&plain, text, false);
        expect_signs(buffer_get(&styled));
        /* nothing is lost, and a screen shows what everything else is given */
        letters_of(text, one);
        letters_of(buffer_get(&plain), other);
        if (!strstr(text, "```")) /* behind which a word names a language */
            assert_string_equal(one, other);
        char *to = other;
        for (const char *from = buffer_get(&styled); *from; from++)
            if (*from < MARKUP_EMPHASIS || *from > MARKUP_BLOCK)
                *to++ = *from;
        *to = '\0';
        assert_string_equal(other, buffer_get(&plain));
        /* escaped, it comes out as it went in */
        markup_escape(&escaped, text, (ptrdiff_t)strlen(text));
        buffer_clear(&plain);
        markup_render(&plain, buffer_get(&escaped), false);
        assert_string_equal(buffer_get(&plain), text);
        buffer_clear(&styled);
        markup_render(&styled, buffer_get(&escaped), true);
        assert_string_equal(buffer_get(&styled), text);
    }
    buffer_finish(&styled);
    buffer_finish(&plain);
    buffer_finish(&escaped);
}

/* A thousand times the length of a line; what took the square of it would take hours of steps. */
static void test_linear(void **state)
{
    static const char *const hostile[] = { "*a ", "`",    "`a``b```c", "*`",   "*a `b",   "```\n", "```x\n\n",
                                           "\\*", "*a* ", "`a` ",      "* a*", "*a\n\n`", "``a`b", "a*`*`" };
    enum { LENGTH = 4 * 1024 * 1024 };
    struct buffer out;
    char *text = malloc(LENGTH + 1);
    (void)state;
    assert_non_null(text);
    buffer_init(&out);
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        size_t piece = strlen(hostile[i]);
        for (size_t at = 0; at < LENGTH; at++)
            text[at] = hostile[i][at % piece];
        text[LENGTH] = '\0';
        for (int styled = 0; styled < 2; styled++) {
            clock_t start = clock();
            buffer_clear(&out);
            markup_render(&out, text, styled);
            assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
            assert_false(out.failed);
        }
    }
    buffer_finish(&out);
    free(text);
}

static void test_no_memory(void **state)
{
    struct buffer out;
    (void)state;
    for (long n = 1; n < 4; n++) {
        buffer_init(&out);
        memory_fail_after(n);
        for (int i = 0; i < 100; i++)
            markup_render(&out, "*a `b` c*\n```\nd\n```", true);
        memory_fail_after(0);
        assert_true(out.failed || n > 1);
        buffer_finish(&out);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cases),
        cmocka_unit_test(test_any_text),
        cmocka_unit_test(test_linear),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
