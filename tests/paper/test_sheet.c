/* Sheets: their IDs, what is on them in which order, their text. */
#include <quiztutor/sheet.h>
#include <quiztutor/text.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char head[] = "format: quiztutor/1\nid: made\ntitle: Made\n";

/* A pack of the head and these questions. */
static struct pack *made(const char *more, const char *questions)
{
    struct diagnostics list;
    struct error error = { 0 };
    struct pack *pack = NULL;
    struct buffer text, out;
    diagnostics_init(&list);
    buffer_init(&text);
    buffer_init(&out);
    buffer_print(&text, "%s%squestions:\n%s", head, more, questions);
    if (!pack_load_bytes(&pack, "made.yaml", buffer_get(&text), text.length, &list, &error)) {
        diagnostics_print(&list, &out);
        fail_msg("%s%s", error.message, buffer_get(&out));
    }
    buffer_finish(&text);
    buffer_finish(&out);
    diagnostics_finish(&list);
    return pack;
}

static const char four[] = "  - id: q1\n    prompt: Which?\n    explanation: So.\n"
                           "    choices: [{correct: one}, two, three, four]\n"
                           "  - id: q2\n    prompt: Which now?\n    explanation: So.\n    tags: [late]\n"
                           "    choices: [{correct: one}, two, three, {wrong: none of these, pin: last}]\n"
                           "  - id: q3\n    prompt: Wet?\n    explanation: So.\n    tags: [late]\n"
                           "    true_false: true\n"
                           "  - id: q4\n    prompt: Card?\n    explanation: So.\n    recall: Yes\n";

static struct sheet_id golden(void)
{
    return (struct sheet_id){ .body = "Q9W1DFWF077YM", .seed = 17 };
}

static bool reads(const char *text, struct sheet_id *id, struct error *error)
{
    *error = (struct error){ 0 };
    return sheet_id_read(id, text, error);
}

static void test_golden(void **state)
{
    struct sheet_id id = golden(), read;
    struct error error;
    char text[SHEET_ID + 1];
    (void)state;
    sheet_id_format(text, &id);
    assert_string_equal(text, "W1-Q9W1DFWF077YMJ-s17");
    static const char *const same[] = { "W1-Q9W1DFWF077YMJ-s17", "w1-q9w1dfwf077ymj-S17",
                                        "WI-Q9WIDFWFo77YMJ-sl7", "wL-q9wldfwfO77ymj-sI7" };
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) {
        assert_true(reads(same[i], &read, &error));
        assert_string_equal(read.body, id.body);
        assert_int_equal(read.seed, 17);
        assert_int_equal(read.limit, 0);
    }
}

/* The same character to who reads an ID. */
static char folded(char c)
{
    c = c >= 'a' && c <= 'z' ? (char)(c - 32) : c;
    return c == 'O' ? '0' : c == 'I' || c == 'L' ? '1' : c;
}

static void mistype(const char *text)
{
    struct sheet_id read;
    struct error error;
    char wrong[SHEET_ID + 1];
    for (size_t at = 0; text[at]; at++)
        for (int c = 1; c < 256; c++) {
            strcpy(wrong, text);
            wrong[at] = (char)c;
            if (folded(text[at]) == folded((char)c)) {
                assert_true(reads(wrong, &read, &error));
                continue;
            }
            if (reads(wrong, &read, &error))
                fail_msg("%s was taken for %s", wrong, text);
            assert_int_equal(error.code, ERROR_INPUT);
            if (!strstr(error.message, "mistyped"))
                fail_msg("%s: %s", wrong, error.message);
        }
}

static void test_mistyped(void **state)
{
    static const struct sheet_id ids[] = {
        { "Q9W1DFWF077YM", 17, 0 },          { "Q9W1DFWF077YM", 1, 0 },
        { "0000000000000", 4294967295u, 0 }, { "ZZZZZZZZZZZZZ", 4294967295u, 100000 },
        { "A1B2C3D4E5F6G", 10, 8 },          { "1111111111111", 999, 12 },
    };
    char text[SHEET_ID + 1];
    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++) {
        sheet_id_format(text, &ids[i]);
        mistype(text);
    }
}

/* Numbers as they are not printed, and what is no ID. */
static void test_refused(void **state)
{
    static const char *const mistyped[] = { "W1-Q9W1DFWF077YMJ",      "W1-Q9W1DFWF077YMJ-s0",
                                            "W1-Q9W1DFWF077YMJ-s017", "W1-Q9W1DFWF077YMJ-s17-n0",
                                            "W1-Q9W1DFWF077YMJ-s17 ", "W1-Q9W1DFWF077YMJ-s4294967313",
                                            "W1-Q9W1DFWF077YJM-s17" };
    static const char *const none[] = { "", "W1", "algebra", "17", "tour", "\033[2J" };
    struct sheet_id read;
    struct error error;
    (void)state;
    for (size_t i = 0; i < sizeof mistyped / sizeof *mistyped; i++) {
        assert_false(reads(mistyped[i], &read, &error));
        assert_non_null(strstr(error.message, "mistyped"));
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        assert_false(reads(none[i], &read, &error));
        assert_non_null(strstr(error.message, "no ID"));
    }
}

static void test_round(void **state)
{
    static const char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    struct random_stream stream = { 7 };
    (void)state;
    for (int i = 0; i < 20000; i++) {
        struct sheet_id id = { .seed = 1 + (uint32_t)random_below(&stream, UINT32_MAX) }, read;
        struct error error;
        char text[SHEET_ID + 1];
        for (int k = 0; k < SHEET_BODY; k++)
            id.body[k] = digits[random_below(&stream, 32)];
        id.limit = i % 2 ? (int)random_below(&stream, PACK_QUESTIONS) + 1 : 0;
        sheet_id_format(text, &id);
        assert_true(reads(text, &read, &error));
        assert_memory_equal(&read, &id, sizeof id);
    }
}

static void make(struct sheet *sheet, const struct pack *pack, struct sheet_choice choice)
{
    struct error error = { 0 };
    if (!sheet_make(sheet, pack, &choice, &error))
        fail_msg("%s", error.message);
}

static void test_order(void **state)
{
    struct pack *pack = made("", four);
    struct sheet sheet;
    (void)state;
    make(&sheet, pack, (struct sheet_choice){ .seed = 1 });
    assert_int_equal(sheet.count, 3);
    assert_int_equal(sheet.left_out, 1);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(sheet.questions[i].number, i + 1);
        assert_ptr_equal(sheet.questions[i].showing.question, &pack->questions[i]);
        for (int k = 0; k < sheet.questions[i].showing.count; k++)
            assert_int_equal(sheet.questions[i].showing.places[k], k);
    }
    sheet_finish(&sheet);
    make(&sheet, pack, (struct sheet_choice){ .seed = 2 });
    bool moved = false;
    for (int i = 0; i < 3; i++)
        moved = moved || sheet.questions[i].showing.question != &pack->questions[i];
    for (int k = 0; k < 4; k++)
        moved = moved || sheet.questions[0].showing.places[k] != k;
    assert_true(moved);
    sheet_finish(&sheet);
    pack_destroy(pack);
}

static void test_choice(void **state)
{
    struct pack *pack = made("", four);
    struct sheet sheet, other;
    struct error error = { 0 };
    (void)state;
    make(&sheet, pack, (struct sheet_choice){ .seed = 1, .limit = 2 });
    assert_int_equal(sheet.count, 2);
    assert_int_equal(sheet.id.limit, 2);
    make(&other, pack, (struct sheet_choice){ .seed = 9, .limit = 50 });
    assert_int_equal(other.count, 3);
    assert_string_equal(sheet.id.body, other.id.body); /* the body is of the pack */
    sheet_finish(&other);
    make(&other, pack, (struct sheet_choice){ .seed = 1, .tag = "late" });
    assert_int_equal(other.count, 2);
    assert_int_equal(other.left_out, 0);
    assert_ptr_equal(other.questions[0].showing.question, &pack->questions[1]);
    assert_string_not_equal(sheet.id.body, other.id.body);
    const char *tag;
    assert_int_equal(sheet_body_find(pack, other.id.body, &tag), 1);
    assert_string_equal(tag, "late");
    assert_int_equal(sheet_body_find(pack, sheet.id.body, &tag), 1);
    assert_null(tag);
    assert_int_equal(sheet_body_find(pack, "0000000000000", &tag), 0);
    sheet_finish(&sheet);
    sheet_finish(&other);
    assert_false(sheet_make(&sheet, pack, &(struct sheet_choice){ .seed = 1, .tag = "no" }, &error));
    assert_non_null(strstr(error.message, "tag no"));
    sheet_finish(&sheet);
    pack_destroy(pack);
    pack = made("", "  - id: c\n    prompt: Card?\n    explanation: So.\n    recall: Yes\n");
    assert_false(sheet_make(&sheet, pack, &(struct sheet_choice){ .seed = 1 }, &error));
    assert_non_null(strstr(error.message, "cards"));
    sheet_finish(&sheet);
    pack_destroy(pack);
}

/* The question of this id on the sheet. */
static const struct showing *shown(const struct sheet *sheet, const char *id)
{
    for (int i = 0; i < sheet->count; i++)
        if (strcmp(sheet->questions[i].showing.question->id, id) == 0)
            return &sheet->questions[i].showing;
    fail_msg("%s is not on the sheet", id);
    return NULL;
}

static void test_seeds(void **state)
{
    enum { SEEDS = 24000 };
    static int times[4][4];
    struct pack *pack = made("", four);
    struct sheet sheet;
    (void)state;
    for (uint32_t seed = 2; seed < SEEDS + 2; seed++) {
        make(&sheet, pack, (struct sheet_choice){ .seed = seed, .body = "Q9W1DFWF077YM" });
        const struct showing *free_ones = shown(&sheet, "q1"), *pinned = shown(&sheet, "q2");
        for (int k = 0; k < 4; k++)
            times[free_ones->places[k]][k]++;
        assert_int_equal(pinned->places[3], 3);
        sheet_finish(&sheet);
    }
    for (int choice = 0; choice < 4; choice++)
        for (int place = 0; place < 4; place++) {
            double share = times[choice][place] * 100.0 / SEEDS;
            if (share < 23.5 || share > 26.5)
                fail_msg("choice %d is in place %d in %.2f %%", choice, place, share);
        }
    pack_destroy(pack);
}

static void test_given(void **state)
{
    struct pack *pack =
        made("", "  - id: sum\n    given: {a: [2, 3, 4, 5, 6, 7]}\n    derive: {b: \"a / 3\"}\n"
                 "    prompt: \"What is {a} / 3?\"\n    number: {answer: b, tolerance: 0.001}\n"
                 "    explanation: \"It is {b:.3f}.\"\n");
    struct buffer answer;
    bool met[8] = { false };
    (void)state;
    buffer_init(&answer);
    for (uint32_t seed = 1; seed < 60; seed++) {
        struct sheet sheet;
        char prompt[32];
        make(&sheet, pack, (struct sheet_choice){ .seed = seed });
        const struct question *question = sheet.questions[0].showing.question;
        int a = atoi(question->prompt + strlen("What is "));
        assert_in_range(a, 2, 7);
        if (seed == 1)
            assert_int_equal(a, 2);
        met[a] = true;
        snprintf(prompt, sizeof prompt, "What is %d / 3?", a);
        assert_string_equal(question->prompt, prompt);
        buffer_clear(&answer);
        sheet_answer(&answer, &sheet.questions[0], false);
        snprintf(prompt, sizeof prompt, "%.6g", a / 3.0);
        assert_string_equal(buffer_get(&answer), prompt);
        sheet_finish(&sheet);
    }
    for (int a = 2; a <= 7; a++)
        assert_true(met[a]);
    buffer_finish(&answer);
    pack_destroy(pack);
}

/* The whole text of a sheet; NULL text without memory. */
static bool set(struct buffer *out, const struct pack *pack, struct sheet_choice choice,
                const struct sheet_look *look, struct error *error)
{
    struct sheet sheet;
    struct sheet_flow flow;
    bool done = sheet_make(&sheet, pack, &choice, error) && sheet_flow(&flow, &sheet, look, error) &&
                sheet_text(out, &flow, look, false, error) && sheet_text(out, &flow, look, true, error);
    sheet_finish(&sheet);
    return done;
}

/* Each line is at most 76 columns wide, and all the words are there. */
static void wraps(const char *prompt, const char *const *lines)
{
    struct buffer questions, out;
    struct error error = { 0 };
    buffer_init(&questions);
    buffer_init(&out);
    buffer_print(&questions, "  - id: q\n    prompt: \"%s\"\n    explanation: So.\n    true_false: true\n",
                 prompt);
    struct pack *pack = made("", buffer_get(&questions));
    assert_true(
        set(&out, pack, (struct sheet_choice){ .seed = 1 }, &(struct sheet_look){ .no_key = true }, &error));
    const char *at = strstr(buffer_get(&out), "1. ");
    for (; *lines; lines++) {
        assert_non_null(at);
        ptrdiff_t length = (ptrdiff_t)strcspn(at, "\n");
        char *line = memory_alloc(length + 1);
        snprintf(line, (size_t)length + 1, "%s", at);
        assert_string_equal(line, *lines);
        assert_in_range(text_columns(line), 1, SHEET_COLUMNS);
        memory_free(line);
        at += length + 1;
    }
    assert_int_equal(strncmp(at, "   Circle one:   True   False\n", 29), 0);
    pack_destroy(pack);
    buffer_finish(&questions);
    buffer_finish(&out);
}

#define TEN      "abcdefghij"
#define KANJI_36 "漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字"

static void test_wrap(void **state)
{
    (void)state;
    /* a word of 120 characters, after a short one */
    wraps("See " TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN TEN " now?",
          (const char *const[]){ "1. See", "   " TEN TEN TEN TEN TEN TEN TEN "abc",
                                 "   defghij" TEN TEN TEN TEN " now?", NULL });
    /* Japanese has no spaces: 36 wide characters are 72 columns; a stop never begins a line */
    wraps(KANJI_36 "漢字です", (const char *const[]){ "1. " KANJI_36, "   漢字です", NULL });
    wraps(KANJI_36 "。はい",
          (const char *const[]){ "1. 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢",
                                 "   字。はい", NULL });
    /* Hebrew as it is written, logical order; combining marks take no column */
    wraps("מהו H2O בטבע?", (const char *const[]){ "1. מהו H2O בטבע?", NULL });
    wraps("e\xcc\x81 e\xcc\x81 x", (const char *const[]){ "1. e\xcc\x81 e\xcc\x81 x", NULL });
}

static void test_hostile(void **state)
{
    struct pack *pack = made("", four);
    struct buffer out;
    struct error error = { 0 };
    (void)state;
    buffer_init(&out);
    assert_true(set(&out, pack, (struct sheet_choice){ .seed = 1 },
                    &(struct sheet_look){ .learner = "A\033]0;x\007\xe2\x80\xae"
                                                     "B\n1. Fake" },
                    &error));
    assert_null(memchr(buffer_get(&out), 033, (size_t)out.length));
    assert_null(memchr(buffer_get(&out), 007, (size_t)out.length));
    assert_non_null(strstr(buffer_get(&out), "Name A\\x1b]0;x\\x07\\u202eB\\x0a1. Fake   Date"));
    buffer_finish(&out);
    pack_destroy(pack);
}

/* Every allocation fails once: an error that says so, never a sheet that lacks something. */
static void test_memory(void **state)
{
    struct pack *pack = made("markup: light\nstrapline: Kinds\n", four);
    struct sheet_look look = { .boxes = true, .learner = "Ana" };
    struct buffer whole, out;
    struct error error = { 0 };
    int failed = 0;
    (void)state;
    buffer_init(&whole);
    assert_true(set(&whole, pack, (struct sheet_choice){ .seed = 5 }, &look, &error));
    for (long n = 1;; n++) {
        error = (struct error){ 0 };
        buffer_init(&out);
        memory_fail_after(n);
        bool done = set(&out, pack, (struct sheet_choice){ .seed = 5 }, &look, &error);
        memory_fail_after(0);
        if (done) {
            assert_string_equal(buffer_get(&out), buffer_get(&whole));
            buffer_finish(&out);
            break;
        }
        assert_int_equal(error.code, ERROR_MEMORY);
        failed++;
        buffer_finish(&out);
    }
    assert_in_range(failed, 20, 100000);
    buffer_finish(&whole);
    pack_destroy(pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),  cmocka_unit_test(test_mistyped), cmocka_unit_test(test_refused),
        cmocka_unit_test(test_round),   cmocka_unit_test(test_order),    cmocka_unit_test(test_choice),
        cmocka_unit_test(test_seeds),   cmocka_unit_test(test_given),    cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_hostile), cmocka_unit_test(test_memory),
    };
    setlocale(LC_ALL, "C.UTF-8"); /* widths of characters are the locale's */
    if (!hash_start())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
