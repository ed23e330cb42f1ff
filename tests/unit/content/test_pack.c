/* What a pack is once loaded: the head, the texts in their one form, questions, lookups, revisions and
 * bodies. */
#include <quiztutor/pack.h>

#include "character.h"
#include "form.h"

#include <quiztutor/text.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD "format: quiztutor/1\nid: t\ntitle: T\n"

static struct pack *load(const char *text)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "t.yaml", text, (ptrdiff_t)strlen(text), &list, &error))
        fail_msg("%s", list.count > 0 ? list.items[0].message : error.message);
    diagnostics_finish(&list);
    return pack;
}

static void test_head(void **state)
{
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/good/whole-head.yaml", getenv("QUIZTUTOR_CORPUS"));
    struct diagnostics list;
    struct pack *pack;
    diagnostics_init(&list);
    assert_true(pack_load(&pack, path, &list, NULL));
    assert_string_equal(pack->path, path);
    assert_string_equal(pack->id, "whole-head-1");
    assert_string_equal(pack->title, "Ein Titel: mit Doppelpunkt");
    assert_string_equal(pack->ages, "23-24");
    assert_string_equal(pack->language, "de-CH");
    assert_int_equal(pack->authors.count, 2);
    assert_string_equal(pack->authors.items[1], "B");
    assert_int_equal(pack->licence.count, 1);
    assert_string_equal(pack->source.items[1], "two");
    assert_string_equal(pack->publisher_name, "P");
    assert_string_equal(pack->publisher_site, "example.org");
    assert_string_equal(pack->key_reader, "grown-ups");
    assert_string_equal(pack->description, "First line still first.\n\nSecond paragraph.");
    assert_int_equal(pack->shuffle, SHUFFLE_CHOICES);
    assert_int_equal(pack->marking, MARKING_NET_CORRECT);
    assert_true(pack->exam_minutes == 30 && pack->exam_pass == 60.5);
    assert_int_equal(pack->question_count, 2);

    const struct question *a = &pack->questions[0], *b = &pack->questions[1];
    assert_string_equal(a->prompt, "line one\nline two\n\npara two");
    assert_string_equal(a->figure, "    deep\n  less");
    assert_string_equal(a->explanation, "a\tb é A");
    assert_string_equal(a->explanation_figure, "+--+");
    assert_int_equal(a->type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(a->marking, MARKING_EACH_DECISION);
    assert_int_equal(a->key.choices.count, 3);
    assert_int_equal(a->key.choices.correct, 2);
    assert_string_equal(a->key.choices.items[1].feedback, "yes, that");
    assert_string_equal(a->key.choices.items[1].id, "sec");
    assert_int_equal(a->key.choices.items[2].pin, PIN_LAST);
    assert_int_equal(a->key.choices.items[0].pin, PIN_NONE);
    assert_int_equal(a->hints.count, 2);
    assert_string_equal(a->tags.items[1], "t2");
    assert_true(a->marks == 2.5);
    assert_false(a->shuffle);
    assert_int_equal(a->line, 28);
    assert_int_equal(a->column, 5);
    assert_int_equal(b->type, QUESTION_TRUE_FALSE);
    assert_false(b->key.truth);
    assert_int_equal(b->marking, MARKING_ALL_OR_NOTHING); /* the head's rule passes over it */
    assert_string_equal(b->feedback, "f");
    assert_string_equal(b->misconception, "m");
    assert_true(b->marks == 1 && b->shuffle);

    assert_int_equal(pack_find(pack, "b"), 1);
    assert_int_equal(pack_find(pack, "a"), 0);
    assert_int_equal(pack_find(pack, "c"), -1);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

static void test_defaults(void **state)
{
    (void)state;
    struct pack *pack =
        load("questions:\n- {id: a, prompt: p, choices: [x, correct: y, correct: z], explanation: e}\n" HEAD
             "marking: net-correct\nshuffle: none\n");
    assert_string_equal(pack->language, "en");
    assert_string_equal(pack->key_reader, "tutors");
    assert_null(pack->strapline);
    assert_true(pack->exam_minutes == 0);
    assert_int_equal(pack->questions[0].marking, MARKING_NET_CORRECT); /* although the head comes last */
    assert_false(pack->questions[0].shuffle);
    pack_destroy(pack);
    pack = load(HEAD
                "questions:\n- {id: a, prompt: p, choices: [x, correct: y], select: many, explanation: e}\n");
    assert_int_equal(pack->questions[0].type, QUESTION_MULTIPLE_CHOICE);
    assert_int_equal(pack->questions[0].marking, MARKING_ALL_OR_NOTHING);
    assert_int_equal(pack->marking, MARKING_DEFAULT);
    pack_destroy(pack);
}

/* With light markup, blocks of code keep the spaces of their lines; without it they are text like any other.
 */
static void test_code(void **state)
{
    static const char questions[] = "questions:\n"
                                    "- id: a\n"
                                    "  prompt: |\n"
                                    "    one\n"
                                    "\n"
                                    "     ```c\n"
                                    "      if (x)  \n"
                                    "\n"
                                    "\n"
                                    "          y;\n"
                                    "    ```\n"
                                    "    two\n"
                                    "  recall: x\n"
                                    "  explanation: |\n"
                                    "    ```\n"
                                    "      open\n"
                                    "\n";
    char text[1000];
    (void)state;
    snprintf(text, sizeof text, HEAD "markup: light\n%s", questions);
    struct pack *pack = load(text);
    assert_string_equal(pack->questions[0].prompt, "one\n\n```c\n  if (x)\n\n\n      y;\n```\ntwo");
    assert_string_equal(pack->questions[0].explanation, "```\n  open");
    pack_destroy(pack);
    snprintf(text, sizeof text, HEAD "%s", questions);
    pack = load(text);
    assert_string_equal(pack->questions[0].prompt, "one\n\n```c\nif (x)\n\ny;\n```\ntwo");
    pack_destroy(pack);
}

static const struct question *only(struct pack **pack, const char *question)
{
    char text[2000];
    snprintf(text, sizeof text, HEAD "language: de\nquestions:\n- {id: a, prompt: p, explanation: e, %s}\n",
             question);
    *pack = load(text);
    return &(*pack)->questions[0];
}

static void test_number(void **state)
{
    struct pack *pack;
    (void)state;
    const struct question *question =
        only(&pack, "number: {answer: \"\xe2\x88\x92"
                    "0.270\", tolerance: 5%, unit: m/s, significant_figures: 2,"
                    " wrong: [{value: 2.7e-1, feedback: f, misconception: sign}]}");
    const struct number_key *key = &question->key.number;
    assert_int_equal(question->type, QUESTION_NUMBER);
    assert_true(question->comma);
    assert_string_equal(key->answer, "\xe2\x88\x92"
                                     "0.270");
    assert_true(key->value == -0.27 && key->tolerance == 0.05 && key->relative);
    assert_string_equal(key->unit, "m/s");
    assert_int_equal(key->significant_figures, 2);
    assert_int_equal(key->wrong_count, 1);
    assert_true(key->wrongs[0].number == 0.27);
    assert_string_equal(key->wrongs[0].misconception, "sign");
    pack_destroy(pack);
    question = only(&pack, "number: 5");
    assert_true(question->key.number.value == 5 && question->key.number.tolerance == 0);
    assert_false(question->key.number.relative);
    assert_null(question->key.number.unit);
    pack_destroy(pack);
}

static void test_text(void **state)
{
    struct pack *pack;
    (void)state;
    const struct question *question = only(&pack, "text: no");
    assert_int_equal(question->type, QUESTION_TEXT);
    assert_int_equal(question->key.text.accept.count, 1);
    assert_string_equal(question->key.text.accept.items[0], "no");
    assert_int_equal(question->key.text.ignore, IGNORE_CASE | IGNORE_SPACES);
    pack_destroy(pack);
    question = only(&pack, "text: {accept: [y, x], ignore: [punctuation, accents], wrong: [{value: w,"
                           " misconception: m}], feedback: {\"a: b\": \"told, c\"}}");
    const struct text_key *key = &question->key.text;
    assert_string_equal(key->accept.items[1], "x");
    assert_int_equal(key->ignore, IGNORE_ACCENTS | IGNORE_PUNCTUATION);
    assert_int_equal(key->wrong_count, 2);
    assert_string_equal(key->wrongs[0].value, "w");
    assert_null(key->wrongs[0].feedback);
    assert_string_equal(key->wrongs[1].value, "a: b");
    assert_string_equal(key->wrongs[1].feedback, "told, c");
    pack_destroy(pack);
    question = only(&pack, "text: {accept: y, ignore: []}");
    assert_int_equal(question->key.text.ignore, 0);
    pack_destroy(pack);
}

static void test_lists(void **state)
{
    struct pack *pack;
    (void)state;
    const struct question *question = only(&pack, "order: [c, b, a], marking: each-decision, feedback: f");
    assert_int_equal(question->type, QUESTION_ORDER);
    assert_int_equal(question->marking, MARKING_EACH_DECISION);
    assert_int_equal(question->key.order.count, 3);
    assert_string_equal(question->key.order.items[0], "c");
    assert_string_equal(question->feedback, "f");
    pack_destroy(pack);

    question = only(&pack, "match: {one: odd, two: even, three: odd}, extra: [prime, none]");
    const struct match_key *key = &question->key.match;
    assert_int_equal(key->lefts.count, 3);
    assert_string_equal(key->lefts.items[2], "three");
    assert_int_equal(key->rights.count, 4);
    assert_int_equal(key->paired, 2);
    assert_memory_equal(key->pairs, "\0\1\0", 3);
    assert_string_equal(key->rights.items[1], "even");
    assert_string_equal(key->rights.items[3], "none");
    pack_destroy(pack);

    question = only(&pack, "recall: yes");
    assert_int_equal(question->type, QUESTION_RECALL);
    assert_string_equal(question->key.recall, "yes");
    assert_int_equal(question->marking, MARKING_ALL_OR_NOTHING);
    pack_destroy(pack);
}

static void test_text_is_text(void **state)
{
    static const char *const shown[] = { "Yes", "No",   "on",   "1.10", "013",        "12:30",
                                         "~",   "null", "True", "1e3",  "2026-11-30", "0x1F" };
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/good/text-is-text.yaml", getenv("QUIZTUTOR_CORPUS"));
    struct diagnostics list;
    struct pack *pack;
    diagnostics_init(&list);
    assert_true(pack_load(&pack, path, &list, NULL));
    for (int i = 0; i < 12; i++)
        assert_string_equal(pack->questions[0].key.choices.items[i].text, shown[i]);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

static void expect_form(enum form form, bool literal, const char *text, const char *expected)
{
    struct arena arena;
    struct buffer scratch;
    arena_init(&arena);
    buffer_init(&scratch);
    assert_string_equal(form_text(&arena, &scratch, form, literal, text, (ptrdiff_t)strlen(text)), expected);
    buffer_finish(&scratch);
    arena_finish(&arena);
}

static void test_forms(void **state)
{
    (void)state;
    expect_form(FORM_TEXT, false, "", "");
    expect_form(FORM_TEXT, false, "  a  ", "a");
    expect_form(FORM_TEXT, false, "a\n", "a");
    expect_form(FORM_TEXT, false, "\n\n a \n\t\n", "a");
    expect_form(FORM_TEXT, false, "a\nb\n\n\nc", "a\n\nb\n\nc");
    expect_form(FORM_TEXT, true, "a \n b\n\n\n c\n", "a\nb\n\nc");
    expect_form(FORM_TEXT, true,
                "\xc2\xa0"
                "a\xe3\x80\x80\n\xe2\x80\x83",
                "a");
    expect_form(FORM_TEXT, false, " \xc2\xa0 ", "");
    expect_form(FORM_TEXT, false, "\xd0\xa0", "\xd0\xa0"); /* its last byte is that of a no-break space */
    expect_form(FORM_FIGURE, true, "\n  a \n\n b\n   \n", "  a\n\n b");
    expect_form(FORM_FIGURE, false, "   x  ", "   x");
}

static void test_same(void **state)
{
    (void)state;
    assert_true(form_same("a", "a"));
    assert_true(form_same("a  b", "a b"));
    assert_true(form_same("a\n\nb", "a b"));
    assert_true(form_same("a b ", "a b"));
    assert_true(form_same("caf\xc3\xa9", "cafe\xcc\x81"));
    assert_true(form_same("\xd0\xb9x", "\xd0\xb8\xcc\x86x"));
    assert_true(form_same("a\xc2\xa0"
                          "b",
                          "a b"));
    assert_false(form_same("a", "A"));
    assert_false(form_same("a", "ab"));
    assert_false(form_same("\xd0\xb9", "\xd0\xb8"));
    assert_false(form_same("cafe", "cafe\xcc\x81"));
}

static void test_numbers(void **state)
{
    static const char *const good[] = { "1", "0.5", "+2", "-2", "−2", "1e3", "1E-3", "1e+30", "007" };
    static const char *const bad[] = {
        "",   ".5",  "1.",    "1,5", "1 000", "0x10",  "1e",
        "e3", "--1", "1e999", "inf", "nan",   "1_000", "11111111111111111111111111111111111111111"
    };
    double value;
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(form_number(good[i], &value));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(form_number(bad[i], &value));
    assert_true(form_number("−2.5", &value) && value == -2.5);
}

static void test_languages(void **state)
{
    static const char *const good[] = { "en",         "de",        "pt-BR",  "zh-Hant-TW",
                                        "de-CH-1996", "x-klingon", "sr-Latn" };
    static const char *const bad[] = { "",       "e",  "german_x",  "en-",          "-en",
                                       "en--US", "e1", "abcdefghi", "en-abcdefghi", "de DE" };
    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(form_is_language(good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(form_is_language(bad[i]));
}

/* Hashed by another program over JSON written out by hand from the contract. */
static void test_revisions_of_types(void **state)
{
    static const struct {
        const char *question, *revision;
    } known[] = {
        { "number: {answer: 2.70e-1, tolerance: 5%, significant_figures: 2, unit: m}", "b67ce2a65f62f8a9" },
        { "number: \"\xe2\x88\x92"
          "5\"",
          "db5d0d8789c8f53f" },
        { "text: [b, a]", "ff577cc536e3805e" },
        { "text: {accept: b, ignore: []}, marks: 2.50", "09a04927bb87a851" },
        { "order: [c, a]", "136036777211959b" },
        { "match: {z: 1, a: 2}", "5875d6baa343c2d6" },
        { "match: {z: 1, a: 2}, extra: [y, x], marking: net-correct", "e75314f4987962ff" },
        { "recall: back", "32a82599a288f550" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct pack *pack;
        char revision[PACK_REVISION + 1];
        const struct question *question = only(&pack, known[i].question);
        assert_true(question_revision(question, revision));
        if (strcmp(revision, known[i].revision) != 0)
            fail_msg("%s: %s, not %s", known[i].question, revision, known[i].revision);
        pack_destroy(pack);
    }
}

static void test_revision(void **state)
{
    char one[PACK_REVISION + 1], other[PACK_REVISION + 1];
    (void)state;
    assert_true(hash_start());
    struct pack *pack = load(
        HEAD "questions:\n"
             "- {id: a, prompt: p, explanation: e, choices: [Single-device training, Pipeline parallelism, "
             "correct: Model (tensor) parallelism]}\n"
             "- {id: b, prompt: q, explanation: f, choices: [{correct: Model (tensor) parallelism, feedback: "
             "f}, Pipeline parallelism, {wrong: Single-device training, pin: last}], tags: [x]}\n"
             "- {id: c, prompt: p, explanation: e, choices: [a, {correct: b, id: z}], marks: 0.5}\n"
             "- {id: d, prompt: p, explanation: e, choices: [a, {correct: other, id: z}], marks: 0.50}\n"
             "- {id: e, prompt: p, explanation: e, true_false: true, marks: 1e-7}\n"
             "- {id: f, prompt: p, explanation: e, choices: [a, correct: b, correct: c], marks: 1e6}\n");
    assert_true(question_revision(&pack->questions[0], one));
    assert_string_equal(one, "fbcce7d380d71eb6");
    assert_true(question_revision(&pack->questions[1], other));
    assert_string_equal(other, one); /* order, wording beside the choices and pins are not part of it */
    question_revision(&pack->questions[2], one);
    question_revision(&pack->questions[3], other);
    assert_string_equal(one, other); /* a choice's id stands for its text */

    /* computed by sha256sum over the JSON that PACK-FORMAT describes */
    question_revision(&pack->questions[4], one);
    assert_string_equal(one, "bc977a340b196a25");
    question_revision(&pack->questions[5], one);
    assert_string_equal(one, "b61f0ebe28001c42");
    pack_destroy(pack);
}

static void test_body(void **state)
{
    (void)state;
    struct buffer body;
    struct hash one, other;
    buffer_init(&body);
    struct pack *pack =
        load(HEAD "questions:\n"
                  "- {id: a, prompt: \"p \\\"q\\\"\", explanation: e, choices: [x, {correct: y, id: i, "
                  "misconception: m}], tags: [t], source: s}\n"
                  "- {id: b, prompt: p, explanation: e, true_false: false, figure: \" f\", feedback: g}\n");
    assert_true(question_body(&pack->questions[0], &body));
    assert_string_equal(buffer_get(&body),
                        "{\"choices\":[{\"correct\":false,\"text\":\"x\"},{\"correct\":true,\"id\":\"i\","
                        "\"misconception\":\"m\",\"text\":\"y\"}],"
                        "\"explanation\":\"e\",\"marks\":1,\"prompt\":\"p "
                        "\\\"q\\\"\",\"source\":\"s\",\"tags\":[\"t\"],\"type\":\"single-choice\"}");
    buffer_clear(&body);
    assert_true(question_body(&pack->questions[1], &body));
    assert_string_equal(
        buffer_get(&body),
        "{\"explanation\":\"e\",\"feedback\":\"g\",\"figure\":\" f\",\"marks\":1,\"prompt\":\"p\","
        "\"tags\":[],\"truth\":false,\"type\":\"true-false\"}");
    hash_of(&one, buffer_get(&body), body.length);
    assert_true(question_content(&pack->questions[1], &other));
    assert_memory_equal(&one, &other, sizeof one);
    pack_destroy(pack);
    buffer_finish(&body);
}

/* The fast check of raw bytes agrees with text_forbidden on every code point, at every place in a block. */
static void test_characters(void **state)
{
    (void)state;
    for (int32_t code = 1; code < 0x110000; code++) {
        char bytes[64];
        struct buffer text;
        if (code >= 0xd800 && code < 0xe000)
            continue;
        buffer_init(&text);
        int before = code % 19;
        for (int i = 0; i < before; i++)
            buffer_char(&text, 'a');
        text_encode(&text, code);
        int length = (int)text.length - before;
        buffer_text(&text, "bbbbbbbbbbbbbbbbbbbb");
        memcpy(bytes, text.data, (size_t)text.length);
        int32_t found = 0;
        int width;
        ptrdiff_t at = character_check(bytes, text.length, 0, &found, &width);
        bool bad = text_forbidden(code);
        if ((width != 0) != bad || (bad && (at != before || found != code || width != length)))
            fail_msg("U+%04X: %s", (unsigned)code, bad ? "let through" : "refused");
        buffer_finish(&text);
    }
}

/* Every pair of bytes is judged as one by one, wherever it stands. */
static void test_bytes(void **state)
{
    (void)state;
    for (int pair = 0; pair < 0x10000; pair++) {
        char bytes[40];
        memset(bytes, 'a', sizeof bytes);
        int place = pair % 18;
        bytes[place] = (char)(pair >> 8);
        bytes[place + 1] = (char)pair;
        int32_t code, found = 0;
        int width;
        ptrdiff_t at = character_check(bytes, sizeof bytes, 0, &found, &width), expected = 0;
        while (expected < (ptrdiff_t)sizeof bytes) {
            int taken = text_decode(bytes + expected, (ptrdiff_t)sizeof bytes - expected, &code);
            bool line_end = bytes[expected] == '\r' && bytes[expected + 1] == '\n';
            if (!line_end && (code == TEXT_BAD || text_forbidden(code)))
                break;
            expected += taken;
        }
        if (at != expected)
            fail_msg("%02x %02x at %d: %td, not %td", pair >> 8, pair & 255, place, at, expected);
    }
}

static void test_bundled(void **state)
{
    static const char *const names[] = { "tour.yaml", "training-across-many-devices.yaml",
                                         "training-numbers.yaml" };
    static const int least[] = { 5, 30, 13 };
    (void)state;
    for (int i = 0; i < 3; i++) {
        char path[4096];
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        struct pack *pack;
        snprintf(path, sizeof path, "%s/%s", getenv("QUIZTUTOR_PACKS"), names[i]);
        diagnostics_init(&list);
        if (!pack_load(&pack, path, &list, &error) || list.count > 0)
            fail_msg("%s:%d: %s", path, list.count > 0 ? list.items[0].line : 0,
                     list.count > 0 ? list.items[0].message : error.message);
        assert_true(pack->question_count >= least[i]);
        pack_destroy(pack);
        diagnostics_finish(&list);
    }
}

static void test_sections(void **state)
{
    char path[4096];
    (void)state;
    snprintf(path, sizeof path, "%s/good/sections.yaml", getenv("QUIZTUTOR_CORPUS"));
    struct diagnostics list;
    struct pack *pack;
    diagnostics_init(&list);
    assert_true(pack_load(&pack, path, &list, NULL));
    assert_int_equal(pack->section_count, 2);
    assert_int_equal(pack->question_count, 4);
    const struct section *section = &pack->sections[0];
    assert_string_equal(section->title, "Reading");
    assert_string_equal(section->intro,
                        "Two devices share one model.\nEach holds a half.\n\nLook at the drawing.");
    assert_string_equal(section->intro_figure, "A --- B");
    assert_int_equal(section->first, 0);
    assert_int_equal(section->count, 3);
    assert_int_equal(section->pick, 2);
    section++;
    assert_string_equal(section->title, "The rest");
    assert_null(section->intro);
    assert_null(section->intro_figure);
    assert_int_equal(section->first, 3);
    assert_int_equal(section->pick, 1); /* all of them */
    for (int i = 0; i < 4; i++)
        assert_int_equal(pack->questions[i].section, i < 3 ? 1 : 2);
    assert_int_equal(pack_find(pack, "d"), 3);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head),         cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_text_is_text), cmocka_unit_test(test_number),
        cmocka_unit_test(test_code),         cmocka_unit_test(test_text),
        cmocka_unit_test(test_lists),        cmocka_unit_test(test_revisions_of_types),
        cmocka_unit_test(test_forms),        cmocka_unit_test(test_same),
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_languages),
        cmocka_unit_test(test_revision),     cmocka_unit_test(test_body),
        cmocka_unit_test(test_characters),   cmocka_unit_test(test_bytes),
        cmocka_unit_test(test_bundled),      cmocka_unit_test(test_sections),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
