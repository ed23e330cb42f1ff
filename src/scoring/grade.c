#include <quiztutor/grade.h>

/* The learner's own, of a card. */
static enum grade grade_given(const struct grade_evidence *evidence)
{
    static const enum grade grades[] = { GRADE_NONE, GRADE_AGAIN, GRADE_HARD, GRADE_GOOD, GRADE_EASY };
    enum grade grade = grades[evidence->self_grade];
    return evidence->helped && grade > GRADE_HARD ? GRADE_HARD : grade;
}

enum grade grade_of(const struct grade_evidence *evidence)
{
    if (evidence->self_grade >= 1 && evidence->self_grade <= 4 && evidence->outcome != OUTCOME_OMITTED)
        return grade_given(evidence);
    switch (evidence->outcome) {
    case OUTCOME_WRONG:
        return GRADE_AGAIN;
    case OUTCOME_PARTLY:
        return GRADE_HARD;
    case OUTCOME_RIGHT:
        break;
    case OUTCOME_OMITTED:
    case OUTCOMES:
        return GRADE_NONE;
    }
    if (evidence->helped || evidence->certainty == CERTAINTY_GUESS)
        return GRADE_HARD;
    return evidence->certainty == CERTAINTY_CERTAIN && evidence->first_showing ? GRADE_EASY : GRADE_GOOD;
}

double grade_certainty_mark(enum outcome outcome, double share, int certainty)
{
    static const double rights[] = { 0, 1, 2, 3 }, wrongs[] = { 0, 0, -2, -6 };
    if (certainty < CERTAINTY_GUESS || certainty > CERTAINTY_CERTAIN || outcome == OUTCOME_OMITTED)
        return 0;
    if (outcome == OUTCOME_RIGHT)
        return rights[certainty];
    if (outcome == OUTCOME_WRONG)
        return wrongs[certainty];
    return wrongs[certainty] + share * (rights[certainty] - wrongs[certainty]);
}

double grade_guess(const struct question *question)
{
    double chance = 1;
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
        return 1.0 / question->key.choices.count;
    case QUESTION_MULTIPLE_CHOICE:
        return 1.0 / ((double)(1u << question->key.choices.count) - 1);
    case QUESTION_TRUE_FALSE:
        return 0.5;
    case QUESTION_ORDER:
        for (int i = 2; i <= question->key.order.count; i++)
            chance /= i;
        return chance;
    case QUESTION_MATCH:
        for (int i = 0; i < question->key.match.lefts.count; i++)
            chance /= question->key.match.rights.count;
        return chance;
    case QUESTION_NUMBER:
    case QUESTION_TEXT:
    case QUESTION_RECALL:
    case QUESTION_TYPES:
        break;
    }
    return 0;
}
