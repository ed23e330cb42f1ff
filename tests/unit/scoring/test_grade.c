#include "fixture.h"

#include <quiztutor/grade.h>

#include <math.h>

static void test_grades(void **state)
{
    static const struct {
        enum outcome outcome;
        int certainty;
        bool first, helped;
        enum grade wanted;
    } rows[] = {
        { OUTCOME_WRONG, 0, true, false, GRADE_AGAIN },  { OUTCOME_WRONG, 3, true, true, GRADE_AGAIN },
        { OUTCOME_PARTLY, 0, true, false, GRADE_HARD },  { OUTCOME_PARTLY, 3, true, false, GRADE_HARD },
        { OUTCOME_RIGHT, 0, true, false, GRADE_GOOD },   { OUTCOME_RIGHT, 1, true, false, GRADE_HARD },
        { OUTCOME_RIGHT, 2, true, false, GRADE_GOOD },   { OUTCOME_RIGHT, 3, true, false, GRADE_EASY },
        { OUTCOME_RIGHT, 3, false, false, GRADE_GOOD },  { OUTCOME_RIGHT, 3, true, true, GRADE_HARD },
        { OUTCOME_RIGHT, 0, false, true, GRADE_HARD },   { OUTCOME_RIGHT, 1, false, false, GRADE_HARD },
        { OUTCOME_OMITTED, 0, true, false, GRADE_NONE }, { OUTCOME_OMITTED, 3, true, true, GRADE_NONE },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct grade_evidence evidence = { rows[i].outcome, rows[i].certainty, rows[i].first, rows[i].helped,
                                           0 };
        assert_int_equal(grade_of(&evidence), rows[i].wanted);
    }
}

/* A card's grade is the learner's, whatever its mark and showing; help caps it. */
static void test_cards(void **state)
{
    (void)state;
    static const enum outcome outcomes[] = { OUTCOME_WRONG, OUTCOME_PARTLY, OUTCOME_RIGHT, OUTCOME_RIGHT };
    static const enum grade grades[] = { GRADE_AGAIN, GRADE_HARD, GRADE_GOOD, GRADE_EASY };
    for (int i = 0; i < 4; i++)
        for (int first = 0; first < 2; first++) {
            struct grade_evidence evidence = { outcomes[i], 0, first, false, i + 1 };
            assert_int_equal(grade_of(&evidence), grades[i]);
            evidence.helped = true;
            assert_int_equal(grade_of(&evidence), i > 1 ? GRADE_HARD : grades[i]);
        }
    struct grade_evidence omitted = { OUTCOME_OMITTED, 0, true, false, 3 };
    assert_int_equal(grade_of(&omitted), GRADE_NONE);
    struct grade_evidence none = { OUTCOME_RIGHT, 0, true, false, 7 };
    assert_int_equal(grade_of(&none), GRADE_GOOD);
}

/* Gardner-Medwin's table. */
static void test_certainty_marks(void **state)
{
    static const double right[] = { 0, 1, 2, 3 }, wrong[] = { 0, 0, -2, -6 };
    (void)state;
    for (int certainty = 0; certainty <= 3; certainty++) {
        assert_true(grade_certainty_mark(OUTCOME_RIGHT, 1, certainty) == right[certainty]);
        assert_true(grade_certainty_mark(OUTCOME_WRONG, 0, certainty) == wrong[certainty]);
        assert_true(grade_certainty_mark(OUTCOME_OMITTED, 0, certainty) == 0);
        assert_true(grade_certainty_mark(OUTCOME_PARTLY, 0.5, certainty) ==
                    (right[certainty] + wrong[certainty]) / 2);
    }
    assert_true(grade_certainty_mark(OUTCOME_WRONG, 0, 4) == 0);
    assert_true(grade_certainty_mark(OUTCOME_WRONG, 0, -1) == 0);
}

static void test_guess(void **state)
{
    struct choice items[26] = { { .text = "a", .correct = true }, { .text = "b" }, { .text = "c" } };
    (void)state;
    struct question question = fixture_choices("q", items, 3);
    assert_true(fabs(grade_guess(&question) - 1.0 / 3) < 1e-12);
    items[1].correct = true;
    question = fixture_choices("q", items, 3);
    assert_true(fabs(grade_guess(&question) - 1.0 / 7) < 1e-12);
    question = fixture_choices("q", items, 26);
    assert_true(grade_guess(&question) > 0 && grade_guess(&question) < 1e-7);
    question.type = QUESTION_TRUE_FALSE;
    assert_true(grade_guess(&question) == 0.5);
    static const char *const texts[] = { "a", "b", "c", "d", "e" };
    static const enum question_type typed[] = { QUESTION_TEXT, QUESTION_NUMBER, QUESTION_RECALL };
    for (int i = 0; i < 3; i++) {
        question.type = typed[i];
        assert_true(grade_guess(&question) == 0);
    }
    question.type = QUESTION_ORDER;
    question.key.order = (struct text_list){ texts, 4 };
    assert_true(fabs(grade_guess(&question) - 1.0 / 24) < 1e-12);
    question.type = QUESTION_MATCH;
    question.key.match = (struct match_key){ { texts, 2 }, { texts, 5 }, NULL, 2 };
    assert_true(fabs(grade_guess(&question) - 1.0 / 25) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_grades), cmocka_unit_test(test_certainty_marks),
                                        cmocka_unit_test(test_guess), cmocka_unit_test(test_cards) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
