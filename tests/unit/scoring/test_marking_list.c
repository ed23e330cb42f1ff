/* Orders, matches and cards: shares, feedback, and the lines that are typed for them. */
#include "fixture.h"

#include <math.h>
#include <stdio.h>

static const char *const letters[] = { "a", "b", "c", "d" };

static struct question order_question(int count)
{
    struct question question = { .id = "q", .type = QUESTION_ORDER, .marks = 2, .feedback = "look again" };
    question.key.order = (struct text_list){ letters, count };
    return question;
}

static void expect(const struct question *question, const struct answer *answer, double share)
{
    struct verdict verdict;
    marking_mark(&verdict, question, answer);
    if (fabs(verdict.share - share) > 1e-12)
        fail_msg("rule %d: %g, wanted %g", (int)question->marking, verdict.share, share);
    assert_true(fabs(verdict.mark - share * question->marks) < 1e-12);
    assert_int_equal(verdict.outcome, share >= 1 - 1e-9 ? OUTCOME_RIGHT
                                      : share > 0       ? OUTCOME_PARTLY
                                                        : OUTCOME_WRONG);
    struct buffer out;
    buffer_init(&out);
    marking_feedback(&out, question, answer);
    assert_string_equal(buffer_get(&out), share >= 1 - 1e-9 ? "" : question->feedback);
    buffer_finish(&out);
}

/* Shares under all-or-nothing, net-correct, each-decision. */
static void test_orders(void **state)
{
    (void)state;
    static const struct {
        unsigned char places[4];
        double shares[MARKING_RULES];
    } rows[] = {
        { { 1, 2, 3, 4 }, { 1, 1, 1 } },       { { 1, 3, 2, 4 }, { 0, 0, 0.5 } }, /* a c b d */
        { { 2, 3, 4, 1 }, { 0, 2.0 / 3, 0 } }, { { 1, 2, 4, 3 }, { 0, 1.0 / 3, 0.5 } },
        { { 4, 3, 2, 1 }, { 0, 0, 0 } },       { { 3, 4, 1, 2 }, { 0, 2.0 / 3, 0 } },
    };
    struct question question = order_question(4);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int rule = 0; rule < MARKING_RULES; rule++) {
            struct answer answer = { 0 };
            memcpy(answer.places, rows[i].places, 4);
            question.marking = (enum marking_rule)rule;
            expect(&question, &answer, rows[i].shares[rule]);
        }
    struct verdict verdict;
    marking_mark(&verdict, &question, &(struct answer){ .blank = true });
    assert_int_equal(verdict.outcome, OUTCOME_OMITTED);
}

static void test_matches(void **state)
{
    (void)state;
    static const unsigned char pairs[] = { 0, 1, 0 };
    static const struct {
        unsigned char places[3];
        double shares[MARKING_RULES];
    } rows[] = {
        { { 1, 2, 1 }, { 1, 1, 1 } },
        { { 1, 2, 0 }, { 0, 2.0 / 3, 2.0 / 3 } },
        { { 3, 2, 2 }, { 0, 1.0 / 3, 1.0 / 3 } },
        { { 3, 3, 3 }, { 0, 0, 0 } },
        { { 0, 1, 0 }, { 0, 0, 0 } },
    };
    struct question question = { .id = "q", .type = QUESTION_MATCH, .marks = 3, .feedback = "no" };
    question.key.match =
        (struct match_key){ .lefts = { letters, 3 }, .rights = { letters, 3 }, .pairs = pairs, .paired = 2 };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int rule = 0; rule < MARKING_RULES; rule++) {
            struct answer answer = { 0 };
            memcpy(answer.places, rows[i].places, 3);
            question.marking = (enum marking_rule)rule;
            expect(&question, &answer, rows[i].shares[rule]);
        }
    struct verdict verdict;
    marking_mark(&verdict, &question, &(struct answer){ 0 }); /* blanks alone */
    assert_int_equal(verdict.outcome, OUTCOME_OMITTED);
}

static void test_cards(void **state)
{
    (void)state;
    static const double shares[] = { 0, 0, 0.5, 1, 1 };
    struct question question = { .id = "q", .type = QUESTION_RECALL, .marks = 4, .key.recall = "back" };
    for (int grade = 1; grade <= 4; grade++) {
        struct verdict verdict;
        marking_mark(&verdict, &question, &(struct answer){ .self_grade = grade });
        assert_true(verdict.share == shares[grade] && verdict.mark == 4 * shares[grade]);
    }
}

/* ---- what is typed ---- */

static struct response given;

static enum response_kind give(const struct showing *showing, const char *line)
{
    response_read(&given, showing, line, (ptrdiff_t)strlen(line));
    assert_true((given.kind == RESPONSE_UNREADABLE) == (given.reason[0] != '\0'));
    return given.kind;
}

static void test_order_lines(void **state)
{
    (void)state;
    struct question question = order_question(3);
    /* shown as c a b: what is typed is numbers as shown, what is kept are places */
    struct showing showing = { .question = &question, .count = 3, .places = { 2, 0, 1 } };
    static const char *const same[] = { "2 3 1", "2,3,1", "231", " 2, 3 ,1 ", "2\t3\t1" };
    static const unsigned char kept[] = { 1, 2, 3 };
    for (int i = 0; i < 5; i++) {
        assert_int_equal(give(&showing, same[i]), RESPONSE_ANSWER);
        assert_memory_equal(given.answer.places, kept, 3);
        struct verdict verdict;
        marking_mark(&verdict, &question, &given.answer);
        assert_int_equal(verdict.outcome, OUTCOME_RIGHT);
    }
    static const char *const bad[] = { "1 2", "1 2 3 1", "1 1 2", "0 1 2", "1 2 4", "12",    "1234",
                                       "cab", "-1 2 3",  "1.2.3", "a b c", ",",     "99999", "1 2 -" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (give(&showing, bad[i]) != RESPONSE_UNREADABLE)
            fail_msg("%s", bad[i]);
    assert_int_equal(give(&showing, "h"), RESPONSE_COMMAND);
    assert_int_equal(give(&showing, "s"), RESPONSE_COMMAND);
    assert_int_equal(give(&showing, ":skip"), RESPONSE_COMMAND);
    assert_int_equal(give(&showing, ""), RESPONSE_BLANK);
    /* numbers of two digits must stand apart; letters are no answer, so `h` stays a command */
    static const char *const many[26] = { "x" };
    question.key.order = (struct text_list){ many, 26 };
    showing.count = 26;
    for (int i = 0; i < 26; i++)
        showing.places[i] = (unsigned char)(25 - i);
    assert_int_equal(give(&showing, "h"), RESPONSE_COMMAND);
    char line[200] = "";
    for (int i = 26; i > 0; i--)
        sprintf(line + strlen(line), "%d ", i);
    assert_int_equal(give(&showing, line), RESPONSE_ANSWER);
    assert_int_equal(given.answer.places[0], 1);
    assert_int_equal(given.answer.places[25], 26);
    strcat(line, "1 1 1 1");
    assert_int_equal(give(&showing, line), RESPONSE_UNREADABLE);
}

static void test_match_lines(void **state)
{
    (void)state;
    static const unsigned char pairs[] = { 0, 1 };
    struct question question = { .id = "q", .type = QUESTION_MATCH, .marks = 1 };
    question.key.match =
        (struct match_key){ .lefts = { letters, 2 }, .rights = { letters, 3 }, .pairs = pairs, .paired = 2 };
    struct showing showing = {
        .question = &question, .count = 2, .places = { 0, 1 }, .target_count = 3, .targets = { 2, 0, 1 }
    };
    static const struct {
        const char *line;
        unsigned char places[2];
    } rows[] = { { "2 3", { 1, 2 } }, { "23", { 1, 2 } },  { "2,3", { 1, 2 } }, { "1 1", { 3, 3 } },
                 { "2 0", { 1, 0 } }, { "2 -", { 1, 0 } }, { "-3", { 0, 2 } },  { "- 3", { 0, 2 } } };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        if (give(&showing, rows[i].line) != RESPONSE_ANSWER)
            fail_msg("%s: %s", rows[i].line, given.reason);
        assert_memory_equal(given.answer.places, rows[i].places, 2);
    }
    static const char *const blank[] = { "0 0", "--", "- -", "00", "" };
    for (int i = 0; i < 5; i++)
        assert_int_equal(give(&showing, blank[i]), RESPONSE_BLANK);
    static const char *const bad[] = { "2", "2 3 1", "4 1", "a b", "2.3", "b", "2 --" };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (give(&showing, bad[i]) != RESPONSE_UNREADABLE)
            fail_msg("%s", bad[i]);
    assert_int_equal(give(&showing, "u"), RESPONSE_COMMAND);
}

static void test_card_lines(void **state)
{
    (void)state;
    struct question question = { .id = "q", .type = QUESTION_RECALL, .marks = 1, .key.recall = "back" };
    struct showing showing = { .question = &question };
    static const char *const lines[4][3] = {
        { "1", "again", "AGAIN" }, { "2", "hard", " hard " }, { "3", "good", "Good" }, { "4", "easy", "4\r" }
    };
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++) {
            assert_int_equal(give(&showing, lines[i][k]), RESPONSE_ANSWER);
            assert_int_equal(given.answer.self_grade, i + 1);
        }
    assert_int_equal(give(&showing, "h"), RESPONSE_COMMAND);
    assert_int_equal(given.command, COMMAND_HINT);
    static const char *const bad[] = { "0", "5", "a", "g", "e", "yes", "1 2", "back" };
    for (int i = 0; i < 8; i++)
        assert_int_equal(give(&showing, bad[i]), RESPONSE_UNREADABLE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders),      cmocka_unit_test(test_matches),
        cmocka_unit_test(test_cards),       cmocka_unit_test(test_order_lines),
        cmocka_unit_test(test_match_lines), cmocka_unit_test(test_card_lines)
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
