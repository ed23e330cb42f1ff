#include "marking_private.h"

#include <string.h>

static const char *const outcome_names[OUTCOMES] = {
    [OUTCOME_RIGHT] = "right",
    [OUTCOME_PARTLY] = "partly",
    [OUTCOME_WRONG] = "wrong",
    [OUTCOME_OMITTED] = "omitted",
};

const char *outcome_name(enum outcome outcome)
{
    return outcome_names[outcome];
}

bool outcome_read(enum outcome *outcome, const char *name)
{
    for (int i = 0; i < OUTCOMES; i++)
        if (name && strcmp(outcome_names[i], name) == 0) {
            *outcome = (enum outcome)i;
            return true;
        }
    return false;
}

/* A choice question's key and answer as sets over the places of the pack. */
struct marking_sets {
    uint32_t key, picked;
    int count;
};

static double mark_all_or_nothing(const struct marking_sets *sets)
{
    return sets->picked == sets->key;
}

static double mark_net_correct(const struct marking_sets *sets)
{
    int right = __builtin_popcount(sets->picked & sets->key),
        wrong = __builtin_popcount(sets->picked & ~sets->key);
    return right > wrong ? (double)(right - wrong) / __builtin_popcount(sets->key) : 0;
}

static double mark_each_decision(const struct marking_sets *sets)
{
    return (double)(sets->count - __builtin_popcount(sets->picked ^ sets->key)) / sets->count;
}

static double (*const marking_rules[MARKING_RULES])(const struct marking_sets *sets) = {
    [MARKING_ALL_OR_NOTHING] = mark_all_or_nothing,
    [MARKING_NET_CORRECT] = mark_net_correct,
    [MARKING_EACH_DECISION] = mark_each_decision,
};

static double marking_choices_share(const struct question *question, const struct answer *answer)
{
    struct marking_sets sets = { .picked = answer->picks, .count = question->key.choices.count };
    for (int i = 0; i < sets.count; i++)
        if (question->key.choices.items[i].correct)
            sets.key |= 1u << i;
    enum marking_rule rule = question->type == QUESTION_MULTIPLE_CHOICE && question->marking >= 0
                                 ? question->marking
                                 : MARKING_ALL_OR_NOTHING;
    return marking_rules[rule](&sets);
}

static double marking_share(const struct question *question, const struct answer *answer)
{
    static const double grades[] = { 0, 0, 0.5, 1, 1 }; /* of a card: again, hard, good, easy */
    switch (question->type) {
    case QUESTION_SINGLE_CHOICE:
    case QUESTION_MULTIPLE_CHOICE:
        return marking_choices_share(question, answer);
    case QUESTION_TRUE_FALSE:
        return answer->truth == question->key.truth;
    case QUESTION_NUMBER:
        return marking_number_right(question, answer->text);
    case QUESTION_TEXT:
        return marking_text_right(question, answer->text);
    case QUESTION_ORDER:
        return marking_order_share(question, answer);
    case QUESTION_MATCH:
        return marking_match_share(question, answer);
    case QUESTION_RECALL:
        return answer->self_grade >= 1 && answer->self_grade <= 4 ? grades[answer->self_grade] : 0;
    case QUESTION_TYPES:
        break;
    }
    return 0;
}

/* A match of blanks alone is blank, however it was put together. */
static bool marking_is_blank(const struct question *question, const struct answer *answer)
{
    bool blank = answer->blank || question->type == QUESTION_MATCH;
    for (int i = 0; blank && !answer->blank && i < question->key.match.lefts.count; i++)
        blank = answer->places[i] == 0;
    return blank;
}

void marking_mark(struct verdict *verdict, const struct question *question, const struct answer *answer)
{
    const double slack = 1e-9; /* PACK-FORMAT: right from a share of 1 − 1e-9 on */
    *verdict = (struct verdict){ .outcome = OUTCOME_OMITTED, .marks = question->marks };
    if (marking_is_blank(question, answer))
        return;
    double share = marking_share(question, answer);
    verdict->share = share;
    verdict->mark = share * question->marks;
    verdict->outcome = share >= 1 - slack ? OUTCOME_RIGHT : share > 0 ? OUTCOME_PARTLY : OUTCOME_WRONG;
}

const struct known_wrong *marking_known_wrong(const struct question *question, const struct answer *answer)
{
    struct verdict verdict;
    bool number = question->type == QUESTION_NUMBER;
    marking_mark(&verdict, question, answer);
    if ((!number && question->type != QUESTION_TEXT) || verdict.outcome != OUTCOME_WRONG)
        return NULL;
    return number ? marking_number_wrong(question, answer->text) : marking_text_wrong(question, answer->text);
}

bool marking_near_miss(const struct question *question, const struct answer *answer)
{
    struct verdict verdict;
    if (question->type != QUESTION_TEXT)
        return false;
    marking_mark(&verdict, question, answer);
    return verdict.outcome == OUTCOME_WRONG && !marking_text_wrong(question, answer->text) &&
           marking_text_near(question, answer->text);
}

static void marking_choices_feedback(struct buffer *out, const struct question *question,
                                     const struct answer *answer)
{
    ptrdiff_t length = out->length;
    for (int i = 0; i < question->key.choices.count; i++) {
        const char *feedback = question->key.choices.items[i].feedback;
        if (!feedback || !(answer->picks >> i & 1))
            continue;
        if (out->length > length)
            buffer_text(out, "\n\n");
        buffer_text(out, feedback);
    }
}

void marking_feedback(struct buffer *out, const struct question *question, const struct answer *answer)
{
    struct verdict verdict;
    marking_mark(&verdict, question, answer);
    if (verdict.outcome == OUTCOME_OMITTED)
        return;
    if (question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE) {
        marking_choices_feedback(out, question, answer);
        return;
    }
    const struct known_wrong *wrong = marking_known_wrong(question, answer);
    const char *told = wrong ? wrong->feedback : verdict.outcome == OUTCOME_RIGHT ? NULL : question->feedback;
    if (told)
        buffer_text(out, told);
}
