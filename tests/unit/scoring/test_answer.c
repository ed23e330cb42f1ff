/* Answers as the store keeps them: written and read back, and hostile texts in their place. */
#include "fixture.h"

#include <quiztutor/json.h>

#include <stdio.h>

static struct choice four[4] = {
    { .text = "a", .correct = true }, { .text = "b" }, { .text = "c" }, { .text = "d" }
};
static const char *const texts[4] = { "one", "two", "three", "four" };
static const unsigned char pairs[3] = { 0, 1, 0 };

/* A question of each type. */
static void make(struct question questions[static QUESTION_TYPES])
{
    for (int i = 0; i < QUESTION_TYPES; i++)
        questions[i] =
            (struct question){ .id = "q", .type = (enum question_type)i, .marks = 1, .shuffle = true };
    for (int i = QUESTION_SINGLE_CHOICE; i <= QUESTION_MULTIPLE_CHOICE; i++) {
        questions[i].key.choices.items = four;
        questions[i].key.choices.count = 4;
        questions[i].key.choices.correct = 1;
    }
    questions[QUESTION_ORDER].key.order = (struct text_list){ texts, 4 };
    questions[QUESTION_MATCH].key.match =
        (struct match_key){ .lefts = { texts, 3 }, .rights = { texts, 4 }, .pairs = pairs, .paired = 2 };
}

static char *written(const struct question *question, const struct answer *answer)
{
    struct buffer out;
    buffer_init(&out);
    answer_write(&out, question, answer);
    char *text = out.length ? memory_text(buffer_get(&out)) : NULL;
    buffer_finish(&out);
    return text;
}

static void expect(const struct question *question, const struct answer *answer, const char *json)
{
    struct arena arena;
    struct answer read;
    arena_init(&arena);
    char *text = written(question, answer);
    if (json)
        assert_string_equal(text, json);
    else
        assert_null(text);
    assert_true(answer_read(&read, question->type, text, &arena));
    assert_int_equal(read.blank, answer->blank);
    assert_int_equal(read.picks, answer->picks);
    assert_int_equal(read.truth, answer->truth);
    assert_int_equal(read.self_grade, answer->self_grade);
    assert_memory_equal(read.places, answer->places, sizeof read.places);
    if (answer->text)
        assert_string_equal(read.text, answer->text);
    else
        assert_null(read.text);
    memory_free(text);
    arena_finish(&arena);
}

static void test_round_trip(void **state)
{
    (void)state;
    struct question of[QUESTION_TYPES];
    make(of);
    expect(&of[QUESTION_SINGLE_CHOICE], &(struct answer){ .picks = 4 }, "[3]");
    expect(&of[QUESTION_MULTIPLE_CHOICE], &(struct answer){ .picks = 9 }, "[1,4]");
    expect(&of[QUESTION_TRUE_FALSE], &(struct answer){ .truth = true }, "true");
    expect(&of[QUESTION_TRUE_FALSE], &(struct answer){ .truth = false }, "false");
    expect(&of[QUESTION_NUMBER], &(struct answer){ .text = "1e3" }, "\"1e3\"");
    expect(&of[QUESTION_TEXT], &(struct answer){ .text = "a \"b\" \\ \xc3\xa9 \xf0\x9f\x99\x82" },
           "\"a \\\"b\\\" \\\\ \xc3\xa9 \xf0\x9f\x99\x82\"");
    expect(&of[QUESTION_TEXT], &(struct answer){ .text = "null" }, "\"null\"");
    expect(&of[QUESTION_ORDER], &(struct answer){ .places = { 3, 1, 4, 2 } }, "[3,1,4,2]");
    expect(&of[QUESTION_MATCH], &(struct answer){ .places = { 4, 0, 4 } }, "[4,0,4]");
    for (int grade = 1; grade <= 4; grade++) {
        char json[2] = { (char)('0' + grade), 0 };
        expect(&of[QUESTION_RECALL], &(struct answer){ .self_grade = grade }, json);
    }
    for (int i = 0; i < QUESTION_TYPES; i++)
        expect(&of[i], &(struct answer){ .blank = true }, NULL);
}

static void test_what_is_none(void **state)
{
    (void)state;
    static const struct {
        enum question_type type;
        const char *json;
    } rows[] = {
        { QUESTION_SINGLE_CHOICE, "true" },
        { QUESTION_SINGLE_CHOICE, "[]" },
        { QUESTION_SINGLE_CHOICE, "[0]" },
        { QUESTION_SINGLE_CHOICE, "[27]" },
        { QUESTION_SINGLE_CHOICE, "[1,1]" },
        { QUESTION_SINGLE_CHOICE, "[1" },
        { QUESTION_SINGLE_CHOICE, "[1,]" },
        { QUESTION_SINGLE_CHOICE, "[1]x" },
        { QUESTION_SINGLE_CHOICE, "[-1]" },
        { QUESTION_SINGLE_CHOICE, "[1.0]" },
        { QUESTION_SINGLE_CHOICE, "[01]" },
        { QUESTION_SINGLE_CHOICE, "[99999999999999999999]" },
        { QUESTION_SINGLE_CHOICE, "[[1]]" },
        { QUESTION_SINGLE_CHOICE, "" },
        { QUESTION_SINGLE_CHOICE, "null" },
        { QUESTION_SINGLE_CHOICE, "\"[1]\"" },
        { QUESTION_TRUE_FALSE, "\"true\"" },
        { QUESTION_TRUE_FALSE, "tru" },
        { QUESTION_TRUE_FALSE, "true false" },
        { QUESTION_TRUE_FALSE, "1" },
        { QUESTION_NUMBER, "5" },
        { QUESTION_NUMBER, "\"\"" },
        { QUESTION_TEXT, "\"a" },
        { QUESTION_TEXT, "\"a\" \"b\"" },
        { QUESTION_TEXT, "\"\\u0000\"" },
        { QUESTION_TEXT, "\"a\\u0000b\"" },
        { QUESTION_TEXT, "\"\\ud800\"" },
        { QUESTION_TEXT, "\"\\ud800\\u0041\"" },
        { QUESTION_TEXT, "\"\\udc00\"" },
        { QUESTION_TEXT, "\"\\u12\"" },
        { QUESTION_TEXT, "\"\\x41\"" },
        { QUESTION_TEXT, "\"\xff\"" },
        { QUESTION_TEXT, "\"\xc3\"" },
        { QUESTION_TEXT, "\"a\nb\"" },
        { QUESTION_TEXT, "\"\\" },
        { QUESTION_TEXT, "[\"a\"]" },
        { QUESTION_ORDER, "[1,2,2]" },
        { QUESTION_ORDER, "[1,3]" },
        { QUESTION_ORDER, "[0,1]" },
        { QUESTION_ORDER, "[2]" },
        { QUESTION_MATCH, "[0,0,0]" },
        { QUESTION_MATCH, "[27]" },
        { QUESTION_MATCH, "[1,null]" },
        { QUESTION_RECALL, "0" },
        { QUESTION_RECALL, "5" },
        { QUESTION_RECALL, "[3]" },
        { QUESTION_RECALL, "\"3\"" },
        { QUESTION_RECALL, "33" },
    };
    struct arena arena;
    arena_init(&arena);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct answer answer;
        assert_true(answer_read(&answer, rows[i].type, rows[i].json, &arena));
        if (!answer.blank || answer.picks || answer.text || answer.places[0] || answer.self_grade)
            fail_msg("%s", rows[i].json);
    }
    char many[200] = "[1";
    for (int i = 1; i < 27; i++)
        sprintf(many + strlen(many), ",%d", i + 1);
    strcat(many, "]");
    struct answer answer;
    assert_true(answer_read(&answer, QUESTION_ORDER, many, &arena));
    assert_true(answer.blank);
    static char longer[PACK_RESPONSE + 10];
    memset(longer, 'x', PACK_RESPONSE + 2);
    longer[0] = longer[PACK_RESPONSE + 2] = '"';
    assert_true(answer_read(&answer, QUESTION_TEXT, longer, &arena));
    assert_true(answer.blank);
    memmove(longer + 1, longer + 2, PACK_RESPONSE + 2);
    assert_true(answer_read(&answer, QUESTION_TEXT, longer, &arena));
    assert_int_equal(strlen(answer.text), PACK_RESPONSE);
    arena_finish(&arena);
}

static void test_escapes(void **state)
{
    (void)state;
    struct arena arena;
    struct answer answer;
    arena_init(&arena);
    assert_true(answer_read(&answer, QUESTION_TEXT, " \"\\u00e9\\ud83d\\uDE42\\/\\n\\t\\\"\" ", &arena));
    assert_string_equal(answer.text, "\xc3\xa9\xf0\x9f\x99\x82/\n\t\"");
    assert_true(answer_read(&answer, QUESTION_MULTIPLE_CHOICE, " [ 1 , 3 ] ", &arena));
    assert_int_equal(answer.picks, 5);
    assert_true(answer_read(&answer, QUESTION_RECALL, " 4\n", &arena));
    assert_int_equal(answer.self_grade, 4);
    arena_finish(&arena);
}

static void expect_shown(const struct question *question, const char *json)
{
    struct showing showing = { .question = question,
                               .count = 4,
                               .places = { 2, 0, 3, 1 },
                               .target_count = 4,
                               .targets = { 3, 2, 1, 0 } };
    struct buffer out;
    buffer_init(&out);
    answer_write_shown(&out, &showing);
    assert_string_equal(buffer_get(&out), json);
    buffer_finish(&out);
}

static void test_shown(void **state)
{
    (void)state;
    struct question of[QUESTION_TYPES];
    make(of);
    expect_shown(&of[QUESTION_SINGLE_CHOICE], "{\"choices\":[3,1,4,2]}");
    expect_shown(&of[QUESTION_ORDER], "{\"items\":[3,1,4,2]}");
    expect_shown(&of[QUESTION_MATCH], "{\"targets\":[4,3,2,1]}");
    expect_shown(&of[QUESTION_TRUE_FALSE], "");
    expect_shown(&of[QUESTION_NUMBER], "");
    expect_shown(&of[QUESTION_RECALL], "");
    for (int i = 0; i < QUESTION_TYPES; i++)
        of[i].given = "{\"p\":4}";
    expect_shown(&of[QUESTION_MULTIPLE_CHOICE], "{\"choices\":[3,1,4,2],\"given\":{\"p\":4}}");
    expect_shown(&of[QUESTION_ORDER], "{\"given\":{\"p\":4},\"items\":[3,1,4,2]}");
    expect_shown(&of[QUESTION_NUMBER], "{\"given\":{\"p\":4}}");
}

/* A line of what people type, and of what they don't. */
static int random_line(struct random_stream *dice, char line[static 64])
{
    static const char *const parts[] = {
        "1",    "2",    "3", "4", "12",           " ",       ",",     "-",  ".",  "e",  "0",  "a",
        "b",    "h",    "q", ":", "::",           "true",    "again", "GB", "\t", "\"", "\\", "\xc3\xa9",
        "\xff", "\x01", "+", "x", "\xe2\x88\x92", "\xc2\xa0"
    };
    int length = 0;
    for (int i = (int)random_below(dice, 9); i > 0; i--) {
        const char *part = parts[random_below(dice, sizeof parts / sizeof *parts)];
        memcpy(line + length, part, strlen(part));
        length += (int)strlen(part);
    }
    line[length] = '\0';
    return length;
}

/* Whatever is read as an answer comes back from the store the same, and marks the same. */
static void test_random_lines(void **state)
{
    (void)state;
    struct random_stream dice = { 11 };
    struct question of[QUESTION_TYPES];
    int answers[QUESTION_TYPES] = { 0 };
    make(of);
    of[QUESTION_TEXT].key.text = (struct text_key){ .accept = { texts, 4 } };
    of[QUESTION_NUMBER].key.number = (struct number_key){ .answer = "12", .value = 12, .unit = "GB" };
    of[QUESTION_RECALL].key.recall = "back";
    of[QUESTION_ORDER].key.order.count = 2; /* or hardly a line would name all items */
    const struct pack pack = { .id = "p" };
    for (int round = 0; round < 100000; round++) {
        const struct question *question = &of[round % QUESTION_TYPES];
        char line[64];
        int length = random_line(&dice, line);
        struct showing showing;
        struct response response;
        assert_true(showing_init(&showing, &pack, question, (uint32_t)(2 + round), NULL));
        (round % 3 ? response_read : response_read_field)(&response, &showing, line, length);
        assert_int_equal(response.kind == RESPONSE_UNREADABLE, response.reason[0] != '\0');
        if (response.kind != RESPONSE_ANSWER)
            continue;
        answers[question->type]++;
        assert_false(response.answer.blank);
        struct verdict one, other;
        struct answer back;
        struct arena arena;
        arena_init(&arena);
        char *json = written(question, &response.answer), *again;
        assert_true(answer_read(&back, question->type, json, &arena));
        again = written(question, &back);
        assert_string_equal(again, json);
        marking_mark(&one, question, &response.answer);
        marking_mark(&other, question, &back);
        assert_memory_equal(&one.share, &other.share, sizeof one.share);
        assert_int_equal(one.outcome, other.outcome);
        memory_free(json);
        memory_free(again);
        arena_finish(&arena);
    }
    for (int i = 0; i < QUESTION_TYPES; i++)
        if (answers[i] < 10)
            fail_msg("only %d answers of type %d", answers[i], i);
}

static void test_memory(void **state)
{
    (void)state;
    for (long n = 1;; n++) {
        struct arena arena;
        struct answer answer;
        arena_init(&arena);
        memory_fail_after(n);
        bool done = answer_read(&answer, QUESTION_TEXT, "\"tensor parallelism\"", &arena);
        memory_fail_after(0);
        assert_int_equal(done, !answer.blank);
        arena_finish(&arena);
        if (done) {
            assert_true(n > 1);
            break;
        }
        assert_true(n < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),   cmocka_unit_test(test_what_is_none),
        cmocka_unit_test(test_escapes),      cmocka_unit_test(test_shown),
        cmocka_unit_test(test_random_lines), cmocka_unit_test(test_memory)
    };
    return !hash_start() ? 1 : cmocka_run_group_tests(tests, NULL, NULL);
}
