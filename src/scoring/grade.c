#include <quiztutor/grade.h>

enum grade grade_of(const struct grade_evidence *evidence)
{
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
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
        return 1.0 / question->key.choices.count;
    case QUESTION_MULTIPLE_CHOICE:
        return 1.0 / ((double)(1u << question->key.choices.count) - 1);
    case QUESTION_TRUE_FALSE:
        return 0.5;
    case QUESTION_NUMBER:
    case QUESTION_TEXT:
    case QUESTION_ORDER:
    case QUESTION_MATCH:
    case QUESTION_RECALL:
    case QUESTION_TYPES:
        break;
    }
    return 0;
}
