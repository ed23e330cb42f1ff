/*
 * Answers of every type in words, the right answers beside them, and the misconceptions that they show: by
 * tables written from the pack format's page.
 */
#include "response_words.h"

#include <quiztutor/body.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "{\"explanation\":\"E\",\"marks\":1,"
#define CHOICES                                                                                              \
    HEAD "\"choices\":[{\"correct\":true,\"text\":\"Right, it is\"},"                                        \
         "{\"correct\":false,\"misconception\":\"one\",\"text\":\"First\\n wrong\"},"                        \
         "{\"correct\":false,\"misconception\":\"two\",\"text\":\"Second\"},"                                \
         "{\"correct\":false,\"misconception\":\"one\",\"text\":\"Third\"},"                                 \
         "{\"correct\":true,\"misconception\":\"never\",\"text\":\"Also\"}],\"prompt\":\"p\",\"type\":"
#define SINGLE   CHOICES "\"single-choice\"}"
#define MULTIPLE CHOICES "\"multiple-choice\"}"
#define TRUTH    HEAD "\"misconception\":\"t\",\"prompt\":\"p\",\"truth\":true,\"type\":\"true-false\"}"
#define NUMBER                                                                                               \
    HEAD "\"number\":{\"answer\":\"0.5\",\"tolerance\":\"0.01\",\"unit\":\"s\",\"value\":0.5,\"wrong\":["    \
         "{\"misconception\":\"double\",\"number\":1,\"value\":\"1\"},{\"number\":2,\"value\":\"2\"}]},"     \
         "\"prompt\":\"p\",\"type\":\"number\"}"
#define TYPED                                                                                                \
    HEAD "\"prompt\":\"p\",\"text\":{\"accept\":[\"All reduce\",\"sum\"],\"ignore\":[\"case\",\"spaces\"],"  \
         "\"wrong\":[{\"misconception\":\"gather\",\"value\":\"all gather\"}]},\"type\":\"text\"}"
#define ORDER                                                                                                \
    HEAD "\"misconception\":\"o\",\"order\":[\"a\",\"b\",\"c\"],\"prompt\":\"p\",\"type\":\"order\"}"
#define MATCH                                                                                                \
    HEAD "\"match\":{\"extra\":[\"X\"],\"pairs\":[[\"l\",\"A\"],[\"m\",\"B\"],[\"n\",\"A\"]]},"              \
         "\"misconception\":\"m\",\"prompt\":\"p\",\"type\":\"match\"}"
#define CARD HEAD "\"prompt\":\"p\",\"recall\":\"The *back*\",\"type\":\"recall\"}"

static const struct row {
    const char *body, *response, *words, *right, *tags; /* tags parted by a space */
} rows[] = {
    { SINGLE, "[1]", "Right, it is", "Right, it is; Also", "" },
    { SINGLE, "[2]", "First wrong", "Right, it is; Also", "one" },
    { SINGLE, NULL, "", "Right, it is; Also", "" },
    { SINGLE, "[27]", "", "Right, it is; Also", "" },
    { SINGLE, "[9]", "", "Right, it is; Also", "" },
    { MULTIPLE, "[2,3,4]", "First wrong; Second; Third", "Right, it is; Also", "one two" },
    { MULTIPLE, "[1,5]", "Right, it is; Also", "Right, it is; Also", "" },
    { MULTIPLE, "[3,5]", "Second; Also", "Right, it is; Also", "two" },
    { TRUTH, "true", "True", "True", "" },
    { TRUTH, "false", "False", "True", "t" },
    { TRUTH, "\"no\"", "", "True", "" },
    { NUMBER, "\"1.005\"", "1.005", "0.5 s", "double" },
    { NUMBER, "\"0,5 s\"", "0,5 s", "0.5 s", "" },
    { NUMBER, "\"2\"", "2", "0.5 s", "" },
    { NUMBER, "\"7\"", "7", "0.5 s", "" },
    { TYPED, "\"ALL  gather\"", "ALL  gather", "All reduce", "gather" },
    { TYPED, "\"SUM\"", "SUM", "All reduce", "" },
    { TYPED, "\"=cmd()\"", "=cmd()", "All reduce", "" },
    { ORDER, "[1,2,3]", "a; b; c", "a; b; c", "" },
    { ORDER, "[3,1,2]", "c; a; b", "a; b; c", "o" },
    { MATCH, "[1,2,1]", "l = A; m = B; n = A", "l = A; m = B; n = A", "" },
    { MATCH, "[3,0,2]", "l = X; n = B", "l = A; m = B; n = A", "m" },
    { CARD, "1", "again", "The *back*", "" },
    { CARD, "4", "easy", "The *back*", "" },
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const char *tags[RESPONSE_TAGS];
        struct question question;
        struct answer answer;
        struct arena arena;
        struct buffer words, right, joined;
        bool is;
        arena_init(&arena);
        buffer_init(&words);
        buffer_init(&right);
        buffer_init(&joined);
        assert_true(body_read(&question, row->body, &arena, &is));
        assert_true(is);
        assert_true(answer_read(&answer, question.type, row->response, &arena));
        response_words(&words, &question, &answer);
        response_words_right(&right, &question);
        int count = response_words_tags(tags, &question, &answer);
        for (int k = 0; k < count; k++) {
            buffer_print(&joined, "%s%s", k ? " " : "", tags[k]);
            assert_true(response_words_can_show(&question, tags[k]));
        }
        if (strcmp(buffer_get(&words), row->words) != 0 || strcmp(buffer_get(&right), row->right) != 0 ||
            strcmp(buffer_get(&joined), row->tags) != 0)
            fail_msg("row %zu: \"%s\", \"%s\", \"%s\"", i, buffer_get(&words), buffer_get(&right),
                     buffer_get(&joined));
        assert_false(response_words_can_show(&question, "never"));
        buffer_finish(&words);
        buffer_finish(&right);
        buffer_finish(&joined);
        arena_finish(&arena);
    }
}

static void test_markup(void **state)
{
    struct question question = { .markup = true };
    struct buffer line;
    (void)state;
    buffer_init(&line);
    response_words_line(&line, &question, " *one*\n\n two\t`three` ");
    assert_string_equal(buffer_get(&line), "one two three");
    buffer_clear(&line);
    response_words_line(&line, &question, NULL);
    assert_string_equal(buffer_get(&line), "");
    buffer_finish(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rows), cmocka_unit_test(test_markup) };
    if (!hash_start())
        return 1;
    return cmocka_run_group_tests_name("response words", tests, NULL, NULL);
}
