/*
 * What a changed pack means: packs are loaded from texts, so that the revisions and keys compared are those
 * of the loader.
 */
#include <quiztutor/buffer.h>
#include <quiztutor/pack_diff.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HEAD      "format: quiztutor/1\nid: p\ntitle: T\n"
#define QUESTIONS HEAD "questions:\n"
#define ABC       "  choices: [correct: Aaaa, Bbbb, Cccc]\n"
#define END       "  explanation: E\n"
#define ONE(id)   "- id: " id "\n  prompt: What is " id "?\n" ABC END

struct both {
    struct pack *old, *now;
    struct pack_diff diff;
};

static struct pack *load(const char *text)
{
    struct diagnostics list;
    struct error error = { 0 };
    struct pack *pack;
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "pack.yaml", text, (ptrdiff_t)strlen(text), &list, &error))
        fail_msg("%s: %s", text, list.count ? list.items[0].message : error.message);
    diagnostics_finish(&list);
    return pack;
}

static void compare(struct both *both, const char *old, const char *now)
{
    both->old = load(old);
    both->now = load(now);
    assert_true(pack_diff(&both->diff, both->old, both->now));
}

static void end(struct both *both)
{
    pack_diff_finish(&both->diff);
    pack_destroy(both->old);
    pack_destroy(both->now);
}

static void test_nothing(void **state)
{
    (void)state;
    struct both both;
    compare(&both, QUESTIONS ONE("a") ONE("b"),
            "# a remark\n" HEAD
            "language: en\nshuffle: all\nmarking: all-or-nothing\nx-own: [1]\nquestions:\n"
            "- prompt: \"What  is a?\"\n  id: a\n  choices:\n  - correct: Aaaa\n  - wrong: Bbbb\n  - Cccc\n  "
            "marks: 1.0\n"
            "  shuffle: true\n  explanation: |\n    E\n" ONE("b"));
    assert_int_equal(both.diff.head_count, 0);
    assert_int_equal(both.diff.question_count, 0);
    assert_int_equal(both.diff.section_count, 0);
    assert_int_equal(both.diff.moved, 0);
    end(&both);
}

static void test_added_gone_moved(void **state)
{
    (void)state;
    struct both both;
    compare(&both, QUESTIONS ONE("a") ONE("b") ONE("c") ONE("d") ONE("e"),
            QUESTIONS ONE("e") ONE("new") ONE("a") ONE("c") ONE("d"));
    assert_int_equal(both.diff.question_count, 2);
    assert_int_equal(both.diff.questions[0].change, CHANGE_ADDED);
    assert_string_equal(both.diff.questions[0].now->id, "new");
    assert_null(both.diff.questions[0].old);
    assert_int_equal(both.diff.questions[1].change, CHANGE_GONE);
    assert_string_equal(both.diff.questions[1].old->id, "b");
    assert_int_equal(both.diff.added, 1);
    assert_int_equal(both.diff.gone, 1);
    assert_int_equal(both.diff.moved, 1); /* e, to the top */
    end(&both);
    compare(&both, QUESTIONS ONE("a") ONE("b") ONE("c"), QUESTIONS ONE("c") ONE("b") ONE("a"));
    assert_int_equal(both.diff.question_count, 0);
    assert_int_equal(both.diff.moved, 2);
    end(&both);
}

static void test_renamed(void **state)
{
    (void)state;
    struct both both;
    /* the same content under another id, even beside two of one prompt; then the same prompt only */
    compare(&both,
            QUESTIONS "- id: a\n  prompt: P?\n" ABC END
                      "- id: b\n  prompt: P?\n  true_false: true\n" END ONE("c"),
            QUESTIONS "- id: y\n  prompt: P?\n  true_false: true\n" END "- id: x\n  prompt: P?\n" ABC END
                      "- id: z\n  prompt: What is  c?\n  true_false: true\n" END);
    assert_int_equal(both.diff.renamed, 3);
    assert_int_equal(both.diff.added + both.diff.gone + both.diff.mended, 0);
    assert_int_equal(both.diff.revised + both.diff.overturned,
                     0); /* nothing starts anew that is lost anyway */
    static const char *const pairs[][2] = { { "b", "y" }, { "a", "x" }, { "c", "z" } };
    for (int i = 0; i < 3; i++) {
        assert_string_equal(both.diff.questions[i].old->id, pairs[i][0]);
        assert_string_equal(both.diff.questions[i].now->id, pairs[i][1]);
        assert_int_equal(both.diff.questions[i].differs == 0, i < 2);
    }
    end(&both);
    /* a question under another id while the old one is still there is one that was added */
    compare(&both, QUESTIONS ONE("a"), QUESTIONS ONE("a") "- id: b\n  prompt: What is a?\n" ABC END);
    assert_int_equal(both.diff.added, 1);
    assert_int_equal(both.diff.renamed, 0);
    end(&both);
    /* two alike for one that has gone: one of them is it */
    compare(&both, QUESTIONS ONE("a"),
            QUESTIONS "- id: b\n  prompt: What is a?\n" ABC END "- id: c\n  prompt: What is a?\n" ABC END);
    assert_int_equal(both.diff.renamed, 1);
    assert_int_equal(both.diff.added, 1);
    end(&both);
}

#define CHOICES(list) QUESTIONS "- id: a\n  prompt: P?\n  choices: " list "\n" END
#define TRUTH(more)   QUESTIONS "- id: a\n  prompt: P?\n  true_false: true\n  explanation: E\n" more

static void test_questions(void **state)
{
    (void)state;
    static const struct {
        const char *old, *now;
        unsigned differs;
        bool revision, overturned;
        int choices;
    } rows[] = {
        { TRUTH(""), QUESTIONS "- id: a\n  prompt: Q?\n  true_false: true\n  explanation: E\n",
          DIFFERS_PROMPT, false, false, 0 },
        { TRUTH(""), QUESTIONS "- id: a\n  prompt: P?\n  true_false: true\n  explanation: F\n",
          DIFFERS_EXPLANATION, false, false, 0 },
        { TRUTH(""), QUESTIONS "- id: a\n  prompt: P?\n  true_false: false\n  explanation: E\n",
          DIFFERS_ANSWER, true, true, 0 },
        { TRUTH(""), TRUTH("  figure: f\n"), DIFFERS_FIGURE, false, false, 0 },
        { TRUTH("  figure: ' f'\n"), TRUTH("  figure: '  f'\n"), DIFFERS_FIGURE, false, false, 0 },
        { TRUTH(""), TRUTH("  feedback: f\n"), DIFFERS_FEEDBACK, false, false, 0 },
        { TRUTH(""), TRUTH("  misconception: f\n"), DIFFERS_FEEDBACK, false, false, 0 },
        { TRUTH(""), TRUTH("  explanation_figure: f\n"), DIFFERS_EXPLANATION, false, false, 0 },
        { TRUTH(""), TRUTH("  hint: f\n"), DIFFERS_HINTS, false, false, 0 },
        { TRUTH("  hint: [a, b]\n"), TRUTH("  hint: [b, a]\n"), DIFFERS_HINTS, false, false, 0 },
        { TRUTH("  tags: [a]\n"), TRUTH("  tags: [a, b]\n"), DIFFERS_TAGS, false, false, 0 },
        { TRUTH(""), TRUTH("  source: s\n"), DIFFERS_SOURCE, false, false, 0 },
        { TRUTH(""), TRUTH("  marks: 2\n"), DIFFERS_MARKS, true, false, 0 },
        { TRUTH(""), TRUTH("  marks: 1.00\n"), 0, false, false, 0 },
        { TRUTH(""), CHOICES("[correct: A, B]"), DIFFERS_TYPE, true, true, 0 },
        { CHOICES("[correct: A, B]"), CHOICES("[B, correct: A]"), DIFFERS_CHOICE_ORDER, false, false, 0 },
        { CHOICES("[correct: A, B]"), CHOICES("[correct: A, {wrong: B, pin: last}]"), DIFFERS_CHOICE_ORDER,
          false, false, 0 },
        { CHOICES("[correct: A, B]"), CHOICES("[correct: A, {wrong: B, feedback: F}]"), DIFFERS_FEEDBACK,
          false, false, 0 },
        { CHOICES("[correct: A, B]"), CHOICES("[correct: A, B, Something else]"), DIFFERS_CHOICES, true,
          false, 1 },
        { CHOICES("[correct: A, B, Something else]"), CHOICES("[correct: A, B]"), DIFFERS_CHOICES, true,
          false, 1 },
        /* a key turned round; right choices joined and left out */
        { CHOICES("[correct: A, B]"), CHOICES("[A, correct: B]"), DIFFERS_CHOICES, true, true, 2 },
        { CHOICES("[correct: A, B, C]"), CHOICES("[correct: A, correct: B, C]"),
          DIFFERS_CHOICES | DIFFERS_TYPE, true, true, 1 },
        /* reworded: without an id it has a new revision, with one it has not; a typo never overturns */
        { CHOICES("[correct: The Moon, B]"), CHOICES("[correct: Our companion, B]"), DIFFERS_CHOICES, true,
          false, 1 },
        { CHOICES("[{correct: The Moon, id: m}, B]"), CHOICES("[{correct: Our companion, id: m}, B]"),
          DIFFERS_CHOICES, false, false, 1 },
        { CHOICES("[{correct: A, id: x}, {wrong: B, id: y}]"),
          CHOICES("[{correct: B, id: x}, {wrong: A, id: y}]"), DIFFERS_CHOICES, false, false, 2 },
        { CHOICES("[correct: A, B]") "  select: many\n", CHOICES("[correct: A, B]"), DIFFERS_TYPE, true,
          false, 0 },
        { CHOICES("[correct: A, correct: B]"), CHOICES("[correct: A, correct: B]") "  marking: net-correct\n",
          DIFFERS_MARKING, true, false, 0 },
        { CHOICES("[correct: A, B]"), CHOICES("[correct: A, B]") "  shuffle: false\n", DIFFERS_SHUFFLE, false,
          false, 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct both both;
        compare(&both, rows[i].old, rows[i].now);
        bool any = rows[i].differs || rows[i].revision;
        if (both.diff.question_count != any)
            fail_msg("row %zu: %td questions", i, both.diff.question_count);
        if (any) {
            const struct pack_diff_question *one = both.diff.questions;
            if (one->change != CHANGE_MENDED || one->differs != rows[i].differs ||
                one->revision != rows[i].revision || one->overturned != rows[i].overturned ||
                one->choice_count != rows[i].choices)
                fail_msg("row %zu: differs %#x, revision %d, overturned %d, choices %d", i, one->differs,
                         one->revision, one->overturned, one->choice_count);
        }
        assert_int_equal(both.diff.revised, rows[i].revision);
        assert_int_equal(both.diff.overturned, rows[i].overturned);
        assert_int_equal(both.diff.head_count, 0);
        end(&both);
    }
}

/* Which choice became which. */
static void test_choices(void **state)
{
    (void)state;
    struct both both;
    compare(&both,
            CHOICES("[correct: The tilt of the axis, The distance from the Sun and how it changes in a year, "
                    "Clouds, Old]"),
            CHOICES("[Brand new one, The distance from the Sun and how it changes in the year, Cloud, "
                    "correct: Axial tilt]"));
    const struct pack_diff_question *one = both.diff.questions;
    static const char *const pairs[][2] = { { NULL, "Brand new one" },
                                            { "The distance from the Sun and how it changes in a year",
                                              "The distance from the Sun and how it changes in the year" },
                                            { "Clouds", "Cloud" },
                                            { "The tilt of the axis", "Axial tilt" } };
    assert_int_equal(one->choice_count, 4);
    for (int i = 1; i < 4; i++) {
        assert_string_equal(one->choices[i].old->text, pairs[i][0]);
        assert_string_equal(one->choices[i].now->text, pairs[i][1]);
    }
    assert_string_equal(one->choices[0].old->text, "Old"); /* alone on both sides */
    assert_string_equal(one->choices[0].now->text, pairs[0][1]);
    end(&both);
}

static void test_head(void **state)
{
    (void)state;
    struct both both;
    compare(&both, HEAD "authors: [A, B]\nexam: {minutes: 10}\nshuffle: none\nquestions:\n" ONE("a"),
            "format: quiztutor/1\nid: q\ntitle: 'T '\nauthors: A; B\nmarking: net-correct\nexam: {minutes: "
            "20, pass: 60}\n"
            "questions:\n" ONE("a"));
    static const char *const lines[][3] = {
        { "id", "p", "q" },           { "authors", "A; B", "A; B" },
        { "shuffle", "none", "all" }, { "marking", "all-or-nothing", "net-correct" },
        { "minutes", "10", "20" },    { "pass", NULL, "60" }
    };
    assert_int_equal(both.diff.head_count, 6);
    for (int i = 0; i < 6; i++) {
        const struct pack_diff_head *line = &both.diff.head[i];
        assert_string_equal(line->key, lines[i][0]);
        if (lines[i][1])
            assert_string_equal(line->old, lines[i][1]);
        else
            assert_null(line->old);
        assert_string_equal(line->now, lines[i][2]);
    }
    assert_int_equal(both.diff.question_count, 0); /* shuffling and marking of the head are told once */
    end(&both);
}

#define FLOW(id) "{id: " id ", prompt: P " id ", true_false: true, explanation: E}"

static void test_sections(void **state)
{
    (void)state;
    struct both both;
    compare(
        &both,
        HEAD "sections:\n- {title: One, questions: [" FLOW("a") ", " FLOW(
            "b") "]}\n- {title: Two, intro: I, "
                 "questions: [" FLOW("c") ", " FLOW("d") "]}\n- {title: Old, "
                                                         "questions: [" FLOW("e") "]}\n",
        HEAD "sections:\n- {title: One, questions: [" FLOW("a") ", " FLOW("b") ", " FLOW(
            "x") "]}\n- {title: Two, intro: J, pick: 1, questions: [" FLOW("c") ", " FLOW("d") "]}\n- "
                                                                                               "{title: New, "
                                                                                               "questions: "
                                                                                               "[" FLOW(
                                                                                                   "e") "]}"
                                                                                                        "\n");
    assert_int_equal(both.diff.section_count, 3);
    assert_int_equal(both.diff.sections[0].now, 3); /* by title: New, Old, Two */
    assert_int_equal(both.diff.sections[0].old, 0);
    assert_int_equal(both.diff.sections[1].old, 3);
    assert_int_equal(both.diff.sections[1].now, 0);
    assert_true(both.diff.sections[2].text && both.diff.sections[2].pick);
    assert_int_equal(both.diff.added, 1);
    assert_int_equal(both.diff.mended, 1);
    assert_int_equal(both.diff.questions[1].differs, DIFFERS_SECTION);
    end(&both);
}

/* As many questions as a pack can have, all in the other order and under other ids: seconds, not hours. */
static void test_large(void **state)
{
    (void)state;
    enum { MANY = 20000 };
    struct buffer old, now;
    struct both both;
    buffer_init(&old);
    buffer_init(&now);
    buffer_text(&old, QUESTIONS);
    buffer_text(&now, QUESTIONS);
    for (int i = 0; i < MANY; i++) {
        buffer_print(&old, "- id: q%d\n  prompt: P%d?\n" ABC END, i, i);
        buffer_print(&now, "- id: %s%d\n  prompt: P%d?\n" ABC END, i % 2 ? "q" : "r", MANY - 1 - i,
                     MANY - 1 - i);
    }
    compare(&both, buffer_get(&old), buffer_get(&now));
    assert_int_equal(both.diff.renamed, MANY / 2);
    assert_int_equal(both.diff.question_count, MANY / 2);
    assert_int_equal(both.diff.moved, MANY - 1);
    end(&both);
    buffer_finish(&old);
    buffer_finish(&now);
}

static void test_memory(void **state)
{
    (void)state;
    static const char old[] = HEAD "authors: [A, B]\nquestions:\n" ONE("a") ONE("b") ONE("c");
    static const char now[] = HEAD "authors: [A, C]\nexam: {pass: 5}\nquestions:\n" ONE("c")
        ONE("d") "- id: a\n  prompt: Q?\n  choices: [correct: Aaaa, Dddd]\n" END;
    struct both both = { .old = load(old), .now = load(now) };
    int allocations = 1;
    for (;; allocations++) {
        memory_fail_after(allocations);
        bool done = pack_diff(&both.diff, both.old, both.now);
        memory_fail_after(0);
        if (done)
            break;
        pack_diff_finish(&both.diff);
        assert_true(allocations < 1000);
    }
    assert_true(allocations > 5);
    assert_int_equal(both.diff.question_count, 3);
    end(&both);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),  cmocka_unit_test(test_added_gone_moved),
        cmocka_unit_test(test_renamed),  cmocka_unit_test(test_questions),
        cmocka_unit_test(test_choices),  cmocka_unit_test(test_head),
        cmocka_unit_test(test_sections), cmocka_unit_test(test_large),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
