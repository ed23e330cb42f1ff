/* Numbers and texts against an independent oracle (answers.py), and the corner cases that are written down.
 */
#include "fixture.h"

#include <quiztutor/number.h>

#include <math.h>
#include <stdlib.h>

#include "answers.h"

static struct question number_question(const char *answer, double tolerance)
{
    struct question question = { .id = "q", .type = QUESTION_NUMBER, .marks = 1 };
    question.key.number =
        (struct number_key){ .answer = answer, .value = strtod(answer, NULL), .tolerance = tolerance };
    return question;
}

static enum outcome mark(const struct question *question, const char *typed)
{
    struct verdict verdict;
    marking_mark(&verdict, question, &(struct answer){ .text = typed });
    assert_true(verdict.share == (verdict.outcome == OUTCOME_RIGHT));
    assert_true(verdict.mark == verdict.share * question->marks);
    return verdict.outcome;
}

static void test_numbers(void **state)
{
    (void)state;
    int right = 0;
    for (size_t i = 0; i < sizeof typed_numbers / sizeof *typed_numbers; i++) {
        const struct typed_number *row = &typed_numbers[i];
        struct question question = number_question(row->answer, row->tolerance);
        question.key.number.relative = row->relative;
        question.key.number.significant_figures = row->figures;
        if ((mark(&question, row->typed) == OUTCOME_RIGHT) != row->right)
            fail_msg("%s against %s, tolerance %g%s, figures %d: wanted %d", row->typed, row->answer,
                     row->tolerance, row->relative ? " of it" : "", row->figures, row->right);
        right += row->right;
    }
    assert_true(right > 500 && right < 2500);
}

static void test_bounds(void **state)
{
    (void)state;
    assert_int_equal(sizeof at_bounds / sizeof *at_bounds, 10000);
    for (size_t i = 0; i < sizeof at_bounds / sizeof *at_bounds; i++) {
        struct question question = number_question("0", at_bounds[i].tolerance);
        question.key.number.value = at_bounds[i].answer;
        if (mark(&question, at_bounds[i].typed) != OUTCOME_RIGHT)
            fail_msg("%s against %.2f, tolerance %.2f", at_bounds[i].typed, at_bounds[i].answer,
                     at_bounds[i].tolerance);
    }
}

static enum response_kind give(struct response *response, const struct question *question, const char *line)
{
    struct showing showing = { .question = question };
    response_read(response, &showing, line, (ptrdiff_t)strlen(line));
    assert_true((response->kind == RESPONSE_UNREADABLE) == (response->reason[0] != '\0'));
    return response->kind;
}

/* A line typed, and what becomes of it: right, wrong, or (OUTCOME_OMITTED) unreadable. */
static enum outcome typed(const struct question *question, const char *line)
{
    struct response response;
    if (give(&response, question, line) != RESPONSE_ANSWER)
        return OUTCOME_OMITTED;
    struct verdict verdict;
    marking_mark(&verdict, question, &response.answer);
    return verdict.outcome;
}

static void test_number_lines(void **state)
{
    (void)state;
    struct question thousand = number_question("1000", 0), five = number_question("5", 0);
    struct question minus = number_question("-5", 0), half = number_question("1.5", 0);
    assert_int_equal(typed(&thousand, "1e3"), OUTCOME_RIGHT);
    assert_int_equal(typed(&thousand, "1E+3"), OUTCOME_RIGHT);
    assert_int_equal(typed(&five, "+5"), OUTCOME_RIGHT);
    assert_int_equal(typed(&five, "  5\xc2\xa0"), OUTCOME_RIGHT);
    assert_int_equal(typed(&minus, "\xe2\x88\x92"
                                   "5"),
                     OUTCOME_RIGHT);
    assert_int_equal(typed(&minus, "5"), OUTCOME_WRONG);
    struct question close = number_question("403.2079999999", 0.001);
    assert_int_equal(typed(&close, "403.208"), OUTCOME_RIGHT);
    assert_int_equal(typed(&close, "403.21"), OUTCOME_WRONG);

    struct response response;
    assert_int_equal(give(&response, &half, "1,5"), RESPONSE_UNREADABLE);
    assert_non_null(strstr(response.reason, "point"));
    half.comma = true;
    assert_int_equal(typed(&half, "1,5"), OUTCOME_RIGHT);
    assert_int_equal(typed(&half, "1.5"), OUTCOME_RIGHT);
    static const char *const unreadable[] = { "nan", "inf", "-inf",        "0x10", "1 000", "1,000,000",
                                              "1.",  ".5",  "--5",         "1e",   "1e999", "5x",
                                              "q",   "h",   "?",           "*",    "!",     "five",
                                              "::5", "1/2", "1\302\240000" };
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++)
        if (typed(&thousand, unreadable[i]) != OUTCOME_OMITTED)
            fail_msg("%s", unreadable[i]);
    char digits[60];
    memset(digits, '0', sizeof digits);
    memcpy(digits + 36, "5000", 5); /* 40 of them */
    assert_int_equal(typed(&five, digits), OUTCOME_WRONG);
    memcpy(digits + 40, "0", 2);
    assert_int_equal(typed(&five, digits), OUTCOME_OMITTED);
    give(&response, &five, ":skip");
    assert_int_equal(response.kind, RESPONSE_COMMAND);
}

static void test_units(void **state)
{
    (void)state;
    struct question power = number_question("5", 0);
    power.key.number.unit = "MW";
    static const char *const right[] = { "5", "5 MW", "5MW", "5.0 MW", " 5  MW ", "5\xc2\xa0MW" };
    static const char *const unreadable[] = { "5 mW", "5 M", "MW", "5 MW MW", "5 kW" };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++)
        assert_int_equal(typed(&power, right[i]), OUTCOME_RIGHT);
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++)
        assert_int_equal(typed(&power, unreadable[i]), OUTCOME_OMITTED);
    power.key.number.unit = "e/s"; /* begins like a number goes on */
    assert_int_equal(typed(&power, "5e/s"), OUTCOME_RIGHT);
    assert_int_equal(typed(&power, "5 e / s"), OUTCOME_RIGHT);
    power.key.number.unit = "%";
    assert_int_equal(typed(&power, "5 %"), OUTCOME_RIGHT);
    assert_int_equal(typed(&power, "0.05"), OUTCOME_WRONG);
    struct response response;
    power.key.number.unit = "GB";
    give(&response, &power, "1,5 GB");
    assert_non_null(strstr(response.reason, "point"));
    static const struct {
        const char *typed, *told;
    } others[] = { { "5 MB", "or with GB" }, { "5 gb", "or with GB" },   { "0x10", "not a number" },
                   { "5%", "or with GB" },   { "1.5.", "not a number" }, { "GB", "not a number" },
                   { "5;", "not a number" } };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(give(&response, &power, others[i].typed), RESPONSE_UNREADABLE);
        if (!strstr(response.reason, others[i].told))
            fail_msg("%s: %s", others[i].typed, response.reason);
    }
    power.key.number.unit = NULL;
    assert_int_equal(give(&response, &power, "5 \xce\xbcs"), RESPONSE_UNREADABLE);
    assert_non_null(strstr(response.reason, "alone, with nothing"));
    power.key.number.unit = "\xc2\xb5s"; /* the micro sign; typed with the Greek letter */
    assert_int_equal(typed(&power, "5 \xce\xbcs"), OUTCOME_RIGHT);
    power.key.number.unit = "GB";
    assert_int_equal(give(&response, &power, "5 GB"), RESPONSE_ANSWER);
    assert_string_equal(response.answer.text, "5 GB"); /* kept as typed */
}

static void test_figures(void **state)
{
    (void)state;
    char room[MARKING_NOTE];
    struct question question = number_question("0.2692", 0);
    question.key.number.significant_figures = 2;
    assert_int_equal(mark(&question, "0.27"), OUTCOME_RIGHT);
    assert_int_equal(mark(&question, "0.269"), OUTCOME_RIGHT);
    assert_int_equal(mark(&question, "0.3"), OUTCOME_WRONG);
    assert_null(marking_note(room, &question, &(struct answer){ .text = "0.27" }));
    assert_non_null(marking_note(room, &question, &(struct answer){ .text = "0.3" }));
    assert_string_equal(room, "You gave 1 significant figure; 2 were asked for.");
    question.key.number.significant_figures = 3;
    question.key.number.value = 0.27;
    assert_int_equal(mark(&question, "0.27"), OUTCOME_RIGHT); /* fewer is told, not punished */
    assert_non_null(marking_note(room, &question, &(struct answer){ .text = "0.27" }));
    assert_string_equal(room, "You gave 2 significant figures; 3 were asked for.");
    assert_null(marking_note(room, &question, &(struct answer){ .text = "0.270" }));
    assert_null(marking_note(room, &question, &(struct answer){ .text = "0" }));
    assert_null(marking_note(room, &question, &(struct answer){ .blank = true }));
    question.key.number.significant_figures = 0;
    assert_null(marking_note(room, &question, &(struct answer){ .text = "1" }));
}

static void test_known_numbers(void **state)
{
    (void)state;
    static const struct known_wrong wrongs[] = { { "8", 8, "eight", NULL }, { "8.3", 8.3, "more", "slip" } };
    struct question question = number_question("10", 0.05);
    question.key.number.relative = true;
    question.key.number.wrongs = wrongs;
    question.key.number.wrong_count = 2;
    assert_null(marking_known_wrong(&question, &(struct answer){ .text = "10.5" }));
    assert_ptr_equal(marking_known_wrong(&question, &(struct answer){ .text = "8.1" }), &wrongs[0]);
    assert_ptr_equal(marking_known_wrong(&question, &(struct answer){ .text = "8.2" }), &wrongs[1]);
    assert_ptr_equal(marking_known_wrong(&question, &(struct answer){ .text = "7.6" }), &wrongs[0]);
    assert_null(marking_known_wrong(&question, &(struct answer){ .text = "7.5" })); /* a share of 8 */
    assert_null(marking_known_wrong(&question, &(struct answer){ .blank = true }));
    struct buffer told;
    buffer_init(&told);
    marking_feedback(&told, &question, &(struct answer){ .text = "8.3" });
    assert_string_equal(buffer_get(&told), "more");
    buffer_clear(&told);
    marking_feedback(&told, &question, &(struct answer){ .text = "10" });
    assert_string_equal(buffer_get(&told), "");
    buffer_finish(&told);
}

static struct question text_question(const char *const *accept, int count, unsigned ignore)
{
    struct question question = { .id = "q", .type = QUESTION_TEXT, .marks = 2 };
    question.key.text = (struct text_key){ .accept = { accept, count }, .ignore = ignore };
    return question;
}

static void test_texts(void **state)
{
    (void)state;
    int right = 0, near = 0;
    for (size_t i = 0; i < sizeof typed_texts / sizeof *typed_texts; i++) {
        const struct typed_text *row = &typed_texts[i];
        struct question question = text_question(&row->accepted, 1, row->ignore);
        const struct answer answer = { .text = row->typed };
        if ((mark(&question, row->typed) == OUTCOME_RIGHT) != row->right)
            fail_msg("'%s' against '%s', ignoring %x: wanted %d", row->typed, row->accepted, row->ignore,
                     row->right);
        if (marking_near_miss(&question, &answer) != row->near)
            fail_msg("'%s' against '%s', ignoring %x: near %d", row->typed, row->accepted, row->ignore,
                     row->near);
        right += row->right;
        near += row->near;
    }
    assert_true(right > 1000 && near > 200);
}

static void test_text_lines(void **state)
{
    (void)state;
    static const char *const naive[] = { "na\xc3\xafve" }, *const dont[] = { "don't stop" };
    static const char *const letters[] = { "S", "q" }, *const colon[] = { ":wq" };
    struct question question = text_question(naive, 1, IGNORE_CASE | IGNORE_SPACES);
    assert_int_equal(typed(&question, "nai\xcc\x88ve"), OUTCOME_RIGHT); /* NFD */
    assert_int_equal(typed(&question, "NA\xc3\x8fVE "), OUTCOME_RIGHT);
    assert_int_equal(typed(&question, "naive"), OUTCOME_WRONG);
    question = text_question(dont, 1, IGNORE_CASE | IGNORE_SPACES);
    assert_int_equal(typed(&question, "don\xe2\x80\x99t\xc2\xa0stop \xc2\xa0"), OUTCOME_RIGHT);
    question = text_question(letters, 2, IGNORE_CASE | IGNORE_SPACES);
    static const char *const alone[] = { "S", "s", "q", "Q" };
    for (int i = 0; i < 4; i++)
        assert_int_equal(typed(&question, alone[i]), OUTCOME_RIGHT);
    static const char *const others[] = { "h", "u", "!", "?", "*", "7", "true" };
    for (int i = 0; i < 7; i++)
        assert_int_equal(typed(&question, others[i]), OUTCOME_WRONG);
    question = text_question(colon, 1, 0);
    struct response response;
    assert_int_equal(give(&response, &question, ":hint"), RESPONSE_COMMAND);
    assert_int_equal(give(&response, &question, ":wq"), RESPONSE_UNREADABLE);
    assert_int_equal(typed(&question, "::wq"), OUTCOME_RIGHT);
    give(&response, &question, "::wq");
    assert_string_equal(response.answer.text, ":wq");
    give(&response, &question, "::");
    assert_string_equal(response.answer.text, ":");
    give(&response, &question, ":::");
    assert_string_equal(response.answer.text, "::");
    assert_int_equal(give(&response, &question, "\xc2\xa0 "), RESPONSE_BLANK);
    assert_int_equal(give(&response, &question, "a\x1b[2J"), RESPONSE_UNREADABLE);
    assert_int_equal(give(&response, &question, "a\xe2\x80\xae"), RESPONSE_UNREADABLE);
    static char longest[PACK_RESPONSE + 2];
    memset(longest, 'x', PACK_RESPONSE + 1);
    assert_int_equal(give(&response, &question, longest), RESPONSE_UNREADABLE);
    longest[PACK_RESPONSE] = '\0';
    assert_int_equal(give(&response, &question, longest), RESPONSE_ANSWER);
    assert_string_equal(response.answer.text, longest);
}

/* On the screens nothing is a command. */
static void test_field(void **state)
{
    (void)state;
    static const char *const colon[] = { ":hint" };
    struct question question = text_question(colon, 1, 0);
    struct showing showing = { .question = &question };
    static const char *const lines[] = { ":hint", "q", ":", "?" }, *const scope[] = { "::" };
    struct response response;
    for (int i = 0; i < 4; i++) {
        response_read_field(&response, &showing, lines[i], (ptrdiff_t)strlen(lines[i]));
        assert_int_equal(response.kind, RESPONSE_ANSWER);
        assert_string_equal(response.answer.text, lines[i]);
    }
    response_read_field(&response, &showing, "::hint", 6); /* as in plain lines */
    assert_string_equal(response.answer.text, ":hint");
    response_read_field(&response, &showing, "::", 2);
    assert_string_equal(response.answer.text, ":");
    struct question operator= text_question(scope, 1, 0);
    showing.question = &operator;
    response_read_field(&response, &showing, "::", 2);
    assert_string_equal(response.answer.text, "::");
    response_read_field(&response, &showing, ":::", 3);
    assert_string_equal(response.answer.text, "::");
    response_read_field(&response, &showing, "  ", 2);
    assert_int_equal(response.kind, RESPONSE_BLANK);
    struct question number = number_question("5", 0);
    showing.question = &number;
    response_read_field(&response, &showing, "5", 1);
    assert_int_equal(response.kind, RESPONSE_ANSWER);
    response_read_field(&response, &showing, ":", 1);
    assert_int_equal(response.kind, RESPONSE_UNREADABLE);
}

static void test_near(void **state)
{
    (void)state;
    static const char *const accept[] = { "gradient", "gpu", "affect" };
    static const struct known_wrong wrongs[] = { { "gradients", 0, "one of them", "plural" },
                                                 { "effect", 0, NULL, "effect" } };
    struct question question = text_question(accept, 3, IGNORE_CASE | IGNORE_SPACES);
    question.key.text.wrongs = wrongs;
    question.key.text.wrong_count = 2;
    static const char *const near[] = { "gradeint", "gradint", "gradiient", "gradiend" };
    for (int i = 0; i < 4; i++)
        assert_true(marking_near_miss(&question, &(struct answer){ .text = near[i] }));
    static const char *const far[] = { "gradient", "gradients", "Gradients", "effect", "gpo",
                                       "gp",       "gradeitn",  "grad",      "",       "rgadietn" };
    for (int i = 0; i < 10; i++)
        assert_false(marking_near_miss(&question, &(struct answer){ .text = far[i] }));
    assert_false(marking_near_miss(&question, &(struct answer){ .blank = true }));
    assert_ptr_equal(marking_known_wrong(&question, &(struct answer){ .text = "GRADIENTS" }), &wrongs[0]);
    assert_null(marking_known_wrong(&question, &(struct answer){ .text = "gradient" }));
    struct buffer told;
    buffer_init(&told);
    marking_feedback(&told, &question, &(struct answer){ .text = "gradients" });
    assert_string_equal(buffer_get(&told), "one of them");
    buffer_finish(&told);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),      cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_number_lines), cmocka_unit_test(test_units),
        cmocka_unit_test(test_figures),      cmocka_unit_test(test_known_numbers),
        cmocka_unit_test(test_texts),        cmocka_unit_test(test_text_lines),
        cmocka_unit_test(test_field),        cmocka_unit_test(test_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
