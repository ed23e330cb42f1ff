#include "fixture.h"

#include <math.h>

static struct choice five[5] = { { .text = "a", .correct = true, .feedback = "yes a" },
                                 { .text = "b", .correct = true },
                                 { .text = "c", .correct = true },
                                 { .text = "d", .feedback = "not d" },
                                 { .text = "e", .feedback = "not e" } };

/* The table of issue and contract: key {a,b,c} of a–e. */
static void test_rules(void **state)
{
    (void)state;
    static const struct {
        enum marking_rule rule;
        uint32_t picks;
        double share;
        enum outcome outcome;
    } rows[] = {
        { MARKING_NET_CORRECT, 0x0b, 1.0 / 3, OUTCOME_PARTLY },
        { MARKING_NET_CORRECT, 0x01, 1.0 / 3, OUTCOME_PARTLY },
        { MARKING_NET_CORRECT, 0x1f, 1.0 / 3, OUTCOME_PARTLY },
        { MARKING_NET_CORRECT, 0x18, 0, OUTCOME_WRONG },
        { MARKING_NET_CORRECT, 0x07, 1, OUTCOME_RIGHT },
        { MARKING_NET_CORRECT, 0x09, 0, OUTCOME_WRONG },
        { MARKING_EACH_DECISION, 0x0b, 0.6, OUTCOME_PARTLY },
        { MARKING_EACH_DECISION, 0x01, 0.6, OUTCOME_PARTLY },
        { MARKING_EACH_DECISION, 0x1f, 0.6, OUTCOME_PARTLY },
        { MARKING_EACH_DECISION, 0x18, 0, OUTCOME_WRONG },
        { MARKING_ALL_OR_NOTHING, 0x0b, 0, OUTCOME_WRONG },
        { MARKING_ALL_OR_NOTHING, 0x01, 0, OUTCOME_WRONG },
        { MARKING_ALL_OR_NOTHING, 0x1f, 0, OUTCOME_WRONG },
        { MARKING_ALL_OR_NOTHING, 0x07, 1, OUTCOME_RIGHT },
        { MARKING_DEFAULT, 0x07, 1, OUTCOME_RIGHT },
    };
    struct question question = fixture_choices("q", five, 5);
    question.marks = 3;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct verdict verdict;
        question.marking = rows[i].rule;
        marking_mark(&verdict, &question, &(struct answer){ .picks = rows[i].picks });
        assert_true(fabs(verdict.share - rows[i].share) < 1e-12);
        assert_true(fabs(verdict.mark - 3 * rows[i].share) < 1e-12);
        assert_true(verdict.marks == 3);
        assert_int_equal(verdict.outcome, rows[i].outcome);
        marking_mark(&verdict, &question, &(struct answer){ .blank = true });
        assert_int_equal(verdict.outcome, OUTCOME_OMITTED);
        assert_true(verdict.mark == 0 && verdict.marks == 3);
    }
}

static void test_feedback(void **state)
{
    (void)state;
    struct question question = fixture_choices("q", five, 5);
    struct buffer out;
    buffer_init(&out);
    marking_feedback(&out, &question, &(struct answer){ .picks = 0x1a });
    assert_string_equal(buffer_get(&out), "not d\n\nnot e");
    buffer_clear(&out);
    marking_feedback(&out, &question, &(struct answer){ .picks = 0x07 });
    assert_string_equal(buffer_get(&out), "yes a");
    buffer_clear(&out);
    marking_feedback(&out, &question, &(struct answer){ .blank = true });
    assert_string_equal(buffer_get(&out), "");
    struct question truth = { .type = QUESTION_TRUE_FALSE, .feedback = "look again", .key.truth = false };
    marking_feedback(&out, &truth, &(struct answer){ .truth = false });
    assert_string_equal(buffer_get(&out), "");
    marking_feedback(&out, &truth, &(struct answer){ .truth = true });
    assert_string_equal(buffer_get(&out), "look again");
    buffer_finish(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_rules), cmocka_unit_test(test_feedback) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
