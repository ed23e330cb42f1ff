/*
 * Questions out of what the store keeps of them: of every question that ships, and of others that use all
 * that a question can have, the way there and back leads to the same bytes. And whatever a store holds
 * instead, reading it ends, says so, and needs no more memory than it was given.
 */
#include <quiztutor/body.h>
#include <quiztutor/derive.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char everything[] =
    "format: quiztutor/1\nid: everything\ntitle: Everything\nquestions:\n"
    "  - id: q1\n    prompt: \"One\\ntwo\\n\\nthree \\\"four\\\"\"\n"
    "    choices: [{correct: A, id: a}, {wrong: B, misconception: b-tag, feedback: no}, C]\n"
    "    explanation: E\n    tags: [x, \"y z\"]\n    figure: \"  +--+\\n  |  |\"\n    explanation_figure: "
    "\"F\"\n"
    "    source: S\n    marks: 2.5\n"
    "  - id: q2\n    prompt: Many\n    choices: [{correct: A}, {correct: B}, {wrong: C, misconception: "
    "c-tag}]\n"
    "    explanation: E\n    marking: net-correct\n"
    "  - id: q3\n    prompt: Truth\n    true_false: false\n    explanation: E\n    feedback: F\n    "
    "misconception: "
    "t-tag\n"
    "  - id: q4\n    prompt: Number\n"
    "    number: {answer: 0.27, tolerance: 5%, unit: s, significant_figures: 2, wrong: [{value: 3, "
    "misconception: "
    "n-tag, feedback: F}, {value: \"-0.5\"}]}\n"
    "    explanation: E\n"
    "  - id: q5\n    prompt: Plain number\n    number: {answer: 12, tolerance: 0.5}\n    explanation: E\n"
    "  - id: q6\n    prompt: Text\n"
    "    text: {accept: [\"na\xc3\xafve\", other], ignore: [accents, punctuation], wrong: [{value: w, "
    "misconception: "
    "w-tag}], feedback: {v: V}}\n"
    "    explanation: E\n"
    "  - id: q7\n    prompt: Order\n    order: [a, b, c]\n    explanation: E\n    marking: each-decision\n"
    "  - id: q8\n    prompt: Match\n    match: {l: A, m: B, n: A}\n    extra: [X, Y]\n    explanation: E\n   "
    " "
    "misconception: m-tag\n"
    "  - id: q9\n    prompt: Card\n    recall: Back\n    explanation: E\n";

static struct pack *load(const char *yaml)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack = NULL;
    diagnostics_init(&list);
    bool loaded = pack_load_bytes(&pack, "test.yaml", yaml, (ptrdiff_t)strlen(yaml), &list, &error);
    for (int i = 0; !loaded && i < list.count; i++)
        print_error("%d: %s\n", list.items[i].line, list.items[i].message);
    assert_true(loaded);
    diagnostics_finish(&list);
    return pack;
}

/* There and back: the same bytes. Feedback of choices and listed answers is not kept, so not looked at. */
static void there_and_back(const struct question *question)
{
    struct buffer there, back;
    struct question read;
    struct arena arena;
    bool is;
    arena_init(&arena);
    buffer_init(&there);
    buffer_init(&back);
    assert_true(question_body(question, &there));
    assert_true(body_read(&read, buffer_get(&there), &arena, &is));
    assert_true(is);
    assert_int_equal(read.type, question->type);
    assert_true(question_body(&read, &back));
    assert_string_equal(buffer_get(&there), buffer_get(&back));
    buffer_finish(&there);
    buffer_finish(&back);
    arena_finish(&arena);
}

static void test_everything(void **state)
{
    struct pack *pack = load(everything);
    (void)state;
    assert_int_equal(pack->question_count, 9);
    for (int i = 0; i < pack->question_count; i++)
        there_and_back(&pack->questions[i]);
    pack_destroy(pack);
}

static void test_packs_that_ship(void **state)
{
    static const char *const names[] = { "tour", "training-across-many-devices", "training-numbers" };
    int seen = 0;
    (void)state;
    for (int i = 0; i < 3; i++) {
        char path[4096];
        struct diagnostics list;
        struct pack *pack = NULL;
        diagnostics_init(&list);
        snprintf(path, sizeof path, "%s/%s.yaml", getenv("QUIZTUTOR_PACKS"), names[i]);
        assert_true(pack_load(&pack, path, &list, NULL));
        for (int k = 0; k < pack->question_count; k++) {
            if (pack->questions[k].parameters)
                continue; /* asked as instances only */
            there_and_back(&pack->questions[k]);
            seen++;
        }
        pack_destroy(pack);
        diagnostics_finish(&list);
    }
    assert_true(seen > 40);
}

/* What the parts come to, read by hand. */
static void test_parts(void **state)
{
    struct arena arena;
    struct question question;
    bool is;
    (void)state;
    arena_init(&arena);
    assert_true(
        body_read(&question,
                  "{\"explanation\":\"E\",\"given\":{\"p\":4},\"key\":{\"answer\":[1,{\"x\":\"}\"}]},"
                  "\"marks\":2,\"number\":{\"answer\":\"12\",\"tolerance\":\"5%\",\"unit\":\"s\","
                  "\"value\":12,\"wrong\":[{\"misconception\":\"slip\",\"number\":-1.5e1,\"value\":\"x\"}]},"
                  "\"prompt\":\"\\u00e9\\n\",\"tags\":[\"a\",\"b\"],\"type\":\"number\"}",
                  &arena, &is));
    assert_true(is);
    assert_string_equal(question.prompt, "\xc3\xa9\n");
    assert_string_equal(question.given, "{\"p\":4}");
    assert_true(question.key.number.relative);
    assert_float_equal(question.key.number.tolerance, .05, 1e-15);
    assert_float_equal(question.key.number.wrongs[0].number, -15, 1e-15);
    assert_string_equal(question.key.number.wrongs[0].misconception, "slip");
    assert_int_equal(question.tags.count, 2);
    assert_float_equal(question.marks, 2, 1e-15);
    assert_true(
        body_read(&question,
                  "{\"match\":{\"extra\":[\"X\"],\"pairs\":[[\"l\",\"A\"],[\"m\",\"B\"],[\"n\",\"A\"]]},"
                  "\"prompt\":\"p\",\"type\":\"match\"}",
                  &arena, &is));
    assert_true(is);
    assert_int_equal(question.key.match.paired, 2);
    assert_int_equal(question.key.match.rights.count, 3);
    assert_int_equal(question.key.match.pairs[2], 0);
    assert_string_equal(question.key.match.rights.items[2], "X");
    arena_finish(&arena);
}

/* None of these is a question; reading them ends and says so. */
static void test_nothing(void **state)
{
    static const char *const bodies[] = {
        "",
        "null",
        "[]",
        "{}",
        "\"text\"",
        "{\"type\":\"text\"}",
        "{\"type\":\"essay\",\"prompt\":\"p\"}",
        "{\"prompt\":\"p\",\"type\":\"single-choice\"}",
        "{\"prompt\":\"p\",\"type\":\"single-choice\",\"choices\":{}}",
        "{\"prompt\":\"p\",\"type\":\"number\",\"number\":[]}",
        "{\"prompt\":\"p\",\"type\":\"order\",\"order\":[1,2,null]}",
        "{\"prompt\":\"p\",\"type\":\"match\",\"match\":{\"pairs\":[[\"l\"],[],7]}}",
        "{\"prompt\":\"p\",\"type\":\"recall\",\"recall\":\"x\"",
        "{\"prompt\":\"p\",,\"type\":\"recall\"}",
        "{prompt:\"p\"}",
        "{\"prompt\"",
        "{\"prompt\":",
        "{\"prompt\":\"p\\",
        "{\"tags\":[\"a\",",
        "{\"choices\":[{\"text\":\"a\",",
        "{\"prompt\":]}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct arena arena;
        struct question question;
        bool is = true;
        arena_init(&arena);
        assert_true(body_read(&question, bodies[i], &arena, &is));
        if (is)
            fail_msg("read as a question: %s", bodies[i]);
        assert_int_equal(question.type, QUESTION_RECALL);
        arena_finish(&arena);
    }
}

/* Every beginning of a body, and bodies with a byte changed: they end, within limits. */
static void test_broken(void **state)
{
    struct pack *pack = load(everything);
    uint64_t draw = 1;
    (void)state;
    for (int i = 0; i < pack->question_count; i++) {
        struct buffer body;
        buffer_init(&body);
        assert_true(question_body(&pack->questions[i], &body));
        for (ptrdiff_t k = 0; k < 2 * body.length; k++) {
            struct arena arena;
            struct question question;
            bool is;
            char *text = memory_text(buffer_get(&body));
            if (k < body.length) {
                text[k] = '\0';
            } else {
                draw = draw * 6364136223846793005u + 1442695040888963407u;
                text[k - body.length] = "\"\\{}[],:0-tn \x01\xff"[draw >> 33 & 15];
            }
            arena_init(&arena);
            assert_true(body_read(&question, text, &arena, &is));
            if (k < body.length)
                assert_false(is);
            arena_finish(&arena);
            memory_free(text);
        }
        buffer_finish(&body);
    }
    pack_destroy(pack);
}

/* More choices than can be asked, brackets without end: read up to the limits. */
static void test_limits(void **state)
{
    struct buffer body;
    struct question question;
    struct arena arena;
    bool is;
    (void)state;
    buffer_init(&body);
    arena_init(&arena);
    buffer_text(&body, "{\"choices\":[");
    for (int i = 0; i < 40; i++)
        buffer_print(&body, "%s{\"correct\":%s,\"text\":\"%d\"}", i ? "," : "", i == 30 ? "true" : "false",
                     i);
    buffer_text(&body, "],\"deep\":");
    for (int i = 0; i < 100000; i++)
        buffer_char(&body, '[');
    for (int i = 0; i < 100000; i++)
        buffer_char(&body, ']');
    buffer_text(&body, ",\"prompt\":\"p\",\"type\":\"multiple-choice\"}");
    assert_true(body_read(&question, buffer_get(&body), &arena, &is));
    assert_true(is);
    assert_int_equal(question.key.choices.count, PACK_CHOICES);
    assert_int_equal(question.key.choices.correct, 0);
    arena_finish(&arena);
    buffer_finish(&body);
}

static void test_memory(void **state)
{
    struct pack *pack = load(everything);
    (void)state;
    for (int i = 0; i < pack->question_count; i++) {
        struct buffer body;
        bool read = false;
        int failures = 0;
        buffer_init(&body);
        assert_true(question_body(&pack->questions[i], &body));
        for (long at = 1; !read; at++) {
            struct arena arena;
            struct question question;
            bool is = false;
            arena_init(&arena);
            memory_fail_after(at);
            read = body_read(&question, buffer_get(&body), &arena, &is);
            memory_fail_after(0);
            failures += !read;
            assert_true(!read || is);
            arena_finish(&arena);
            assert_true(at < 1000);
        }
        assert_true(failures > 0);
        buffer_finish(&body);
    }
    pack_destroy(pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_everything), cmocka_unit_test(test_packs_that_ship),
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_broken),     cmocka_unit_test(test_limits),
        cmocka_unit_test(test_memory),
    };
    if (!hash_start())
        return 1;
    return cmocka_run_group_tests_name("body", tests, NULL, NULL);
}
