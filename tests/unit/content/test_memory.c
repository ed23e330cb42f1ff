/* Loading with every allocation failing in turn: nothing leaks, nothing crashes, and the error says what it
 * was. */
#include <quiztutor/pack.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "format: quiztutor/1\nid: t\ntitle: T\n"

static const char good[] =
    HEAD "authors: [a, b]\nx-a: 1\nx-b: [2]\ndescription: |\n  one\n  two\n\n  three\nquestions:\n"
         "  - id: a\n    prompt: p\n    choices: [x, {correct: y, feedback: f}, cafe\xcc\x81, caf\xc3\xa9 "
         "2]\n    explanation: >\n      e\n\n      f\n"
         "    tags: [t, u]\n    hint: h # cut\n"
         "  - {id: b, prompt: p, true_false: true, explanation: e}\n";

static const char parted[] = HEAD "sections:\n  - title: One\n    intro: i\n    figure: f\n    pick: 1\n"
                                  "    questions: [{id: a, prompt: p, true_false: true, explanation: e}]\n"
                                  "  - title: Two\n"
                                  "    questions: [{id: b, prompt: p, true_false: true, explanation: e}]\n";

static const char bad[] = HEAD "titel: x\nquestions:\n  - id: a\n    prompt: C # x\n    choices: [x, x]\n    "
                               "explanation: \"\\e\"\n    marks: no\n    bogus: 1\n"
                               "  - id: a\n    promt: x: y\n";

/* Returns true when the load went through all it wanted to do. */
static bool attempt(const char *text, long n, bool expected)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct buffer out;
    struct pack *pack;
    diagnostics_init(&list);
    buffer_init(&out);
    memory_fail_after(n);
    bool loaded = pack_load_bytes(&pack, "p.yaml", text, (ptrdiff_t)strlen(text), &list, &error);
    diagnostics_print(&list, &out);
    memory_fail_after(0);
    assert_true(loaded == (pack != NULL));
    bool whole = error.code == ERROR_NONE && !out.failed;
    if (error.code != ERROR_NONE) {
        assert_int_equal(error.code, ERROR_MEMORY);
        assert_false(loaded);
    } else {
        assert_true(loaded == expected);
        assert_false(list.failed);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
    buffer_finish(&out);
    return whole;
}

static void each_failure(const char *text, bool expected)
{
    long n = 1;
    while (!attempt(text, n, expected))
        assert_true(++n < 10000);
    assert_true(n > 8);
}

static void test_good(void **state)
{
    (void)state;
    each_failure(good, true);
    each_failure(parted, true);
}

static void test_bad(void **state)
{
    (void)state;
    each_failure(bad, false);
}

static void test_revision(void **state)
{
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    diagnostics_init(&list);
    assert_true(hash_start());
    assert_true(pack_load_bytes(&pack, "p.yaml", good, (ptrdiff_t)strlen(good), &list, NULL));
    for (long n = 1;; n++) {
        char revision[PACK_REVISION + 1];
        struct hash hash;
        memory_fail_after(n);
        bool done =
            question_revision(&pack->questions[0], revision) && question_content(&pack->questions[0], &hash);
        memory_fail_after(0);
        if (done)
            break;
        assert_true(n < 100);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_good), cmocka_unit_test(test_bad),
                                        cmocka_unit_test(test_revision) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
