/*
 * What a preview makes of a pack and of what is told about it.
 */
#include <quiztutor/preview.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "format: quiztutor/1\n"
                           "id: p\n"
                           "title: T\n"
                           "questions:\n"
                           "- id: one\n"
                           "  prompt: P # cut\n"
                           "  choices:\n"
                           "  - wrong: A\n"
                           "    feedback: F\n"
                           "  - correct: B\n"
                           "    misconception: m\n"
                           "  hint: [h, i]\n"
                           "  tags: [t, u]\n"
                           "  explanation: E\n"
                           "- id: two\n"
                           "  prompt: Q?\n"
                           "  true_false: false\n"
                           "  explanation: E\n";

static struct pack *load(const char *bytes, struct diagnostics *list)
{
    struct error error = { 0 };
    struct pack *pack;
    diagnostics_init(list);
    pack_load_bytes(&pack, "p.yaml", bytes, (ptrdiff_t)strlen(bytes), list, &error);
    return pack;
}

static void test_question(void **state)
{
    (void)state;
    struct diagnostics list;
    struct preview_model model;
    struct arena arena;
    struct pack *pack = load(text, &list);
    assert_non_null(pack);
    arena_init(&arena);
    assert_true(preview_question(&model, &arena, false, pack, 0, &list));
    assert_string_equal(model.question.choices[0], "A"); /* as written: an author looks for it there */
    assert_false(model.right[0]);
    assert_true(model.right[1]);
    assert_string_equal(model.feedback[0], "F");
    assert_null(model.feedback[1]);
    assert_int_equal(model.question.hint_count, 2);
    assert_int_equal(model.answer_count, 1);
    assert_string_equal(model.answer[0], "B");
    assert_string_equal(model.facts, "one, line 5; tags: t, u");
    assert_int_equal(model.warning_count, 2);
    assert_string_equal(model.warnings[0].place, "line 6, column 13");
    assert_string_equal(model.warnings[0].source, "  prompt: P # cut");
    assert_int_equal(model.warnings[0].column, 12);
    assert_true(preview_question(&model, &arena, false, pack, 1, &list));
    assert_int_equal(model.warning_count, 0); /* they are the other one's */
    assert_true(model.right[1] && !model.right[0]);
    arena_finish(&arena);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

/* The caret stands below what is meant, whatever stands before it. */
static void test_faults(void **state)
{
    (void)state;
    static const struct {
        const char *source;
        int column, cut, caret;
        const char *shown;
    } rows[] = {
        { "abc", 1, 0, 0, "abc" },
        { "abc", 3, 0, 2, "abc" },
        { "abc", 9, 0, 3, "abc" },
        { "漢字x", 3, 0, 4, "漢字x" },
        { "\ta\tb", 4, 0, 3, " a b" },
        { "a\033[0mb", 6, 0, 8, "a\\x1b[0mb" },
        { "tail of it", 103, 101, 2, "tail of it" },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct diagnostics list;
        struct preview_model model = { 0 };
        struct error error = { 0 };
        struct arena arena;
        arena_init(&arena);
        diagnostics_init(&list);
        diagnostics_add(&list, &(struct diagnostic){ .severity = SEVERITY_ERROR,
                                                     .file = "p.yaml",
                                                     .line = 7,
                                                     .column = rows[i].column,
                                                     .rule = "rule",
                                                     .message = "m",
                                                     .source = rows[i].source,
                                                     .source_column = rows[i].cut });
        diagnostics_add(&list, &(struct diagnostic){ .severity = SEVERITY_WARNING,
                                                     .file = "p.yaml",
                                                     .line = 8,
                                                     .column = 1,
                                                     .rule = "rule",
                                                     .message = "w" });
        assert_true(preview_faults(&model, &arena, &list, &error));
        assert_int_equal(model.fault_count, 1); /* errors alone */
        assert_string_equal(model.faults[0].message, "m [rule]");
        assert_string_equal(model.faults[0].source, rows[i].shown);
        assert_int_equal(model.faults[0].column, rows[i].caret);
        arena_finish(&arena);
        diagnostics_finish(&list);
    }
    struct diagnostics none;
    struct preview_model model = { 0 };
    struct error error;
    struct arena arena;
    arena_init(&arena);
    diagnostics_init(&none);
    error_set(&error, ERROR_IO, "a\033b is not there");
    assert_true(preview_faults(&model, &arena, &none, &error));
    assert_int_equal(model.fault_count, 1);
    assert_string_equal(model.faults[0].message, "a\\x1bb is not there");
    assert_null(model.faults[0].place);
    arena_finish(&arena);
    diagnostics_finish(&none);
}

static void test_memory(void **state)
{
    (void)state;
    struct diagnostics list, wrong;
    struct error error = { 0 };
    struct pack *pack = load(text, &list);
    assert_null(load("format: quiztutor/1\nid: p\ntitel: T\n", &wrong));
    for (int question = 0; question < 2; question++) {
        bool done = false;
        int allocations = 1;
        for (; !done; allocations++) {
            struct preview_model model = { 0 };
            struct arena arena;
            arena_init(&arena);
            memory_fail_after(allocations);
            done = question ? preview_question(&model, &arena, false, pack, 0, &list)
                            : preview_faults(&model, &arena, &wrong, &error);
            memory_fail_after(0);
            if (done)
                assert_int_equal(question ? model.warning_count : model.fault_count, 2);
            arena_finish(&arena);
            assert_true(allocations < 200);
        }
        assert_true(allocations > 2);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
    diagnostics_finish(&wrong);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_question), cmocka_unit_test(test_faults),
                                        cmocka_unit_test(test_memory) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
