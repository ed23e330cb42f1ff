/* What comments allow, where the reviewer points, how long it takes over a large pack, and what it does
 * without memory. */
#include "../../slice.h"
#include "test_review.h"

#include <time.h>

/* A question that trips absolute-word, with room for comments in it. */
#define STRICT(id, within)                                                                                   \
    "  - id: " id "\n" within "    prompt: When does " id                                                    \
    " happen?\n    choices:\n      - correct: In time " id "\n      - It always waits for " id               \
    "\n      - It may wait for " id "\n    explanation: E.\n"

/* How many of these questions are still warned of, and nothing else. */
static void expect_strict(int left, const char *text)
{
    struct diagnostics list;
    review_text(text, &list);
    if (list.warnings != left || count_rule(&list, "absolute-word") != left)
        fail_with(&list, text, "other questions are warned of");
    diagnostics_finish(&list);
}

static void test_allow(void **state)
{
    (void)state;
    expect_strict(2, HEAD LIST STRICT("a", "") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    # check: allow absolute-word\n") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "") STRICT("b", "    #check:   allow absolute-word\r\n"));
    expect_strict(1, HEAD LIST STRICT("a", "# check: allow prompt-end, absolute-word\n") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "  # check: allow prompt-end absolute-word,\n") STRICT("b", ""));
    expect_strict(2, HEAD LIST STRICT("a", "    # check: allow prompt-end\n") STRICT("b", ""));
    /* for the whole file, wherever before the first question */
    expect_strict(0, "# check: allow absolute-word\n" HEAD LIST STRICT("a", "") STRICT("b", ""));
    expect_strict(0, "---\n# check: allow absolute-word\n" HEAD LIST STRICT("a", "") STRICT("b", ""));
    expect_strict(0, HEAD "questions: # check: allow absolute-word\n" STRICT("a", "") STRICT("b", ""));
    expect_strict(0, HEAD LIST "  # check: allow absolute-word\n" STRICT("a", "") STRICT("b", ""));
    expect_strict(0, "\xef\xbb\xbf# check: allow absolute-word\n" HEAD LIST STRICT("a", "") STRICT("b", ""));
    /* at the end of a question, which goes on to the next one's dash */
    expect_strict(1, HEAD LIST STRICT("a", "") "# check: allow absolute-word\n" STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "") STRICT("b", "") "# check: allow absolute-word");
    expect_strict(
        1, HEAD LIST STRICT(
               "a", "") "  - # check: allow absolute-word\n    prompt: When?\n    id: b\n    choices:\n"
                        "      - correct: In time\n      - It never comes\n      - It may come\n"
                        "    explanation: E.\n");
    expect_strict(
        1, HEAD LIST STRICT(
               "a", "") "  -\n    # check: allow absolute-word\n    id: b\n    prompt: When?\n    choices:\n"
                        "      - correct: In time\n      - It never comes\n      - It may come\n"
                        "    explanation: E.\n");
    /* behind values of every style, and in a block's first line */
    expect_strict(1, HEAD LIST STRICT("a", "    hint: text  # check: allow absolute-word\n") STRICT("b", ""));
    expect_strict(1,
                  HEAD LIST STRICT("a", "    hint: 'text'  # check: allow absolute-word\n") STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: | # check: allow absolute-word\n      text\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: >2- # check: allow absolute-word\n      text\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    tags: [x, # check: allow absolute-word\n      y]\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: |\n      text\n    # check: allow absolute-word\n")
                         STRICT("b", ""));
    expect_strict(1, HEAD LIST STRICT("a", "    x-own: [a, {b: c}] # check: allow absolute-word\n")
                         STRICT("b", ""));
    /* sections */
    expect_strict(1,
                  HEAD "sections:\n- title: One\n  questions:\n" STRICT(
                      "a", "") "# check: allow absolute-word\n- title: Two\n  questions:\n" STRICT("b", ""));
}

/* What looks like a comment and is text, or part of another comment, allows nothing. */
static void test_allow_not(void **state)
{
    (void)state;
    expect_strict(1, HEAD LIST STRICT("a", "    hint: |\n      text\n      # check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: |\n      | # check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: \"x # check: allow absolute-word\"\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: 'x\n\n      # check: allow absolute-word'\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    hint: x#check:allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # no # check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    ## check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # to check: allow absolute-word\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # check: this again\n"));
    expect_strict(1, HEAD LIST STRICT("a", "    # check:\n"));
}

static void expect_unknown(const char *message, const char *hint, const char *marked)
{
    struct diagnostics list;
    int line, column;
    char *text = take_mark(marked, &line, &column);
    review_text(text, &list);
    if (list.count != 1 || strcmp(list.items[0].rule, "unknown-rule") != 0 || list.items[0].line != line ||
        list.items[0].column != column || !strstr(list.items[0].message, message) ||
        !strstr(list.items[0].hint, hint))
        fail_with(&list, text, message);
    diagnostics_finish(&list);
    memory_free(text);
}

static void test_allow_unknown(void **state)
{
    (void)state;
#define PLAIN_ONE HEAD LIST PLAIN("a")
    expect_unknown("no rule \"absolut-word\"", "\"absolute-word\"",
                   "# check: allow @absolut-word\n" PLAIN_ONE);
    expect_unknown("no rule \"because\"", "--explain",
                   "# check: allow prompt-end @because it is so\n" PLAIN_ONE);
    expect_unknown("does not say which", "brackets", "@# check: allow\n" PLAIN_ONE);
    expect_unknown("does not know", "check: allow RULE", "@# check: alow prompt-end\n" PLAIN_ONE);
    expect_unknown("\"tab\" is an error", "delete", "# check: allow prompt-end,@tab\n" PLAIN_ONE);
    expect_unknown("no rule", "--explain",
                   "# check: allow "
                   "@prompt-end-and-a-name-that-is-far-longer-than-any-name-of-a-rule-can-be\n" PLAIN_ONE);
    expect_quiet("# check: allow prompt-end one-choice\n" PLAIN_ONE); /* nothing to allow is no fault */
}

/* Warnings of the loader's go too; errors stay, and so do warnings elsewhere. */
static void test_allow_loader(void **state)
{
    static const char text[] =
        HEAD LIST "  - id: a\n    prompt: Is it?\n    choices: [{correct: Red}]\n    explanation: E.\n"
                  "    # check: allow one-choice\n"
                  "  - id: b\n    prompt: Was it?\n    choices: [{correct: Blue}]\n    explanation: E.\n";
    struct diagnostics list;
    (void)state;
    review_text(text, &list);
    assert_int_equal(list.warnings, 1);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.items[0].line, 12);
    diagnostics_finish(&list);
}

static void test_json(void **state)
{
    struct diagnostics list;
    struct buffer out;
    bool comma = false;
    (void)state;
    review_text(ONE("Which?", "Red, Green, {correct: Blue}, None of these"), &list);
    buffer_init(&out);
    diagnostics_json(&list, &out, &comma);
    assert_string_equal(
        buffer_get(&out),
        "{\"file\":\"t.yaml\",\"line\":7,\"column\":44,\"end_line\":7,\"end_column\":57,"
        "\"severity\":\"warning\",\"rule\":\"unpinned-choice\",\"message\":\"\\\"None of "
        "these\\\" is shuffled with the others, and may come first\",\"hint\":\"write "
        "\\\"wrong: None of these\\\", and \\\"pin: last\\\" below it; or name what is meant\"}");
    buffer_finish(&out);
    diagnostics_finish(&list);
}

/* The packs that ship have nothing to mend. */
static void test_bundled(void **state)
{
    static const char *const names[] = { "tour.yaml", "training-across-many-devices.yaml",
                                         "training-numbers.yaml" };
    (void)state;
    for (int i = 0; i < 3; i++) {
        char path[4096];
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        struct pack *pack;
        snprintf(path, sizeof path, "%s/%s", getenv("QUIZTUTOR_PACKS"), names[i]);
        diagnostics_init(&list);
        assert_true(pack_load(&pack, path, &list, &error));
        assert_true(review_pack(pack, &list, &error));
        if (list.count > 0)
            fail_with(&list, path, "not quiet");
        pack_destroy(pack);
        diagnostics_finish(&list);
    }
}

/* The file is read twice: it must be the same. */
static void test_changed(void **state)
{
    static const char text[] = HEAD LIST PLAIN("a") PLAIN("b"), one[] = HEAD LIST PLAIN("a"),
                      moved[] = HEAD "\n" LIST PLAIN("a") PLAIN("b"),
                      bad[] = HEAD LIST PLAIN("a") "  - {id: b", empty[] = "";
    static const char *const others[] = { one, moved, bad, empty };
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "t.yaml", text, sizeof text - 1, &list, NULL));
    for (int i = 0; i < 4; i++) {
        struct error error = { .code = ERROR_NONE };
        assert_false(review_pack_bytes(pack, others[i], (ptrdiff_t)strlen(others[i]), &list, &error));
        assert_int_equal(error.code, ERROR_IO);
        assert_int_equal(list.count, 0);
    }
    struct error error = { .code = ERROR_NONE };
    assert_false(review_pack(pack, &list, &error)); /* there is no such file */
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

/* Every allocation fails in turn: no crash, no leak, and it says so. */
static void test_memory(void **state)
{
    static const char text[] =
        "# check: allow prompt-endd\n" FIXED LIST STRICT("a", "# check: allow prompt-end\n") STRICT("b", "")
            CITED("c") CITED("d")
                ASK("e", "Welche nicht \xc3\xa4?", "Red, Green, {correct: Bl\xc3\xa4ue}, None of these")
                    ASK("f", "Which of these is not?",
                        "Green, {correct: green.}, {wrong: x, pin: last}") "    figure: |\n      a ─ b\n";
    struct diagnostics list;
    struct pack *pack;
    (void)state;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "t.yaml", text, sizeof text - 1, &list, NULL));
    assert_int_equal(list.count, 0);
    diagnostics_finish(&list);
    long n = 1;
    for (bool done = false; !done; n++) {
        struct error error = { .code = ERROR_NONE };
        diagnostics_init(&list);
        memory_fail_after(n);
        done = review_pack_bytes(pack, text, sizeof text - 1, &list, &error);
        memory_fail_after(0);
        if (!done && error.code != ERROR_MEMORY)
            fail_msg("allocation %ld: %s", n, error.message);
        if (done)
            assert_int_equal(list.warnings, 6);
        diagnostics_finish(&list);
        assert_true(n < 10000);
    }
    assert_true(n > 100);
    pack_destroy(pack);
}

/* A pack of the largest size: seconds, not hours. The questions are made of few words, so that many look
 * alike; `same` makes them one question 100,000 times. */
static void review_large(bool same, int least)
{
    static const char *const words[] = { "device", "keeps",  "copy",  "model", "splits",   "layers",
                                         "tensor", "stage",  "batch", "share", "gradient", "pipeline",
                                         "idle",   "others", "link",  "slow",  "memory",   "wide" };
    struct buffer out;
    uint32_t seed = 1;
    int questions = slice_of(PACK_QUESTIONS);
    buffer_init(&out);
    buffer_text(&out, FIXED LIST);
    for (int i = 0; i < questions; i++) {
        buffer_print(&out, "  - id: q%d\n    prompt: Which", i);
        for (int k = 0; k < 12; k++) {
            seed = same && k == 0 ? 1 : seed * 1664525u + 1013904223u;
            buffer_print(&out, " %s", words[(seed >> 16) % 18]);
        }
        buffer_text(&out, "?\n    choices:\n");
        for (int k = 0; k < 4; k++) {
            seed = seed * 1664525u + 1013904223u;
            buffer_print(&out, "      - %s: %d %s %s\n", k == (i & 3) ? "correct" : "wrong", same ? k : i + k,
                         words[k], words[(seed >> 16) % 18]);
        }
        buffer_text(&out, "    # check: allow prompt-end\n    explanation: E.\n");
    }
    assert_false(out.failed);
    struct diagnostics list;
    clock_t start = clock();
    review_text(buffer_get(&out), &list);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    print_message("%.1f MB: %.2f s to load and review, %d warnings\n", (double)out.length / 1e6, seconds,
                  list.warnings);
    assert_true(seconds < 60); /* two on the machine where it was written, without sanitizers */
    assert_true(list.warnings >= slice_of(least));
    diagnostics_finish(&list);
    buffer_finish(&out);
}

static void test_large(void **state)
{
    (void)state;
    review_large(false, 0);
    review_large(true, PACK_QUESTIONS / 5);
}

/* Many signs that might be comments: no time that grows with the square. */
static void test_signs(void **state)
{
    struct buffer out;
    struct diagnostics list;
    (void)state;
    buffer_init(&out);
    buffer_text(&out, HEAD LIST);
    for (int i = 0; i < 20; i++) {
        buffer_print(
            &out,
            "  - id: q%d\n    prompt: Is it %d?\n    true_false: true\n    explanation: E.\n    hint: |\n", i,
            i);
        for (int k = 0; k < 2000; k++)
            buffer_text(&out, k % 2 ? "        x # check: allow y # check: z\n" : "      # check: allow y\n");
        buffer_text(&out, "    #");
        for (int k = 0; k < 30000; k++)
            buffer_text(&out, " # check: allow y");
        buffer_text(&out, "\n    # check: allow ");
        for (int k = 0; k < 20000; k++)
            buffer_text(&out, "prompt-end, ");
        buffer_text(&out, "\n");
    }
    assert_false(out.failed);
    clock_t start = clock();
    review_text(buffer_get(&out), &list);
    assert_true((double)(clock() - start) / CLOCKS_PER_SEC < 20);
    diagnostics_finish(&list);
    buffer_finish(&out);
}

static void test_rules(void **state)
{
    int advice = 0;
    (void)state;
    for (int i = 0; i < review_rule_count(); i++) {
        const struct review_rule *rule = review_rule_at(i);
        assert_ptr_equal(review_rule_find(rule->name), rule); /* none twice */
        assert_true(strlen(rule->summary) > 10 && rule->summary[strlen(rule->summary) - 1] != '.');
        bool whole = rule->looks && rule->why && rule->mend;
        assert_true(whole == (rule->kind == REVIEW_ADVICE || rule->kind == REVIEW_FAULT));
        advice += whole;
    }
    assert_true(advice >= 15);
    assert_null(review_rule_find("no-such-rule"));
    assert_string_equal(review_rule_nearest("longest-choise"), "longest-choice");
    assert_null(review_rule_nearest("xyzzy"));
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allow),         cmocka_unit_test(test_allow_not),
        cmocka_unit_test(test_allow_unknown), cmocka_unit_test(test_allow_loader),
        cmocka_unit_test(test_json),          cmocka_unit_test(test_bundled),
        cmocka_unit_test(test_changed),       cmocka_unit_test(test_memory),
        cmocka_unit_test(test_large),         cmocka_unit_test(test_signs),
        cmocka_unit_test(test_rules),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
