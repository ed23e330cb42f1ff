#include <quiztutor/marking.h>

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

static double marking_share(const struct question *question, const struct answer *answer)
{
    if (question->type == QUESTION_TRUE_FALSE)
        return answer->truth == question->key.truth;
    struct marking_sets sets = { .picked = answer->picks, .count = question->key.choices.count };
    for (int i = 0; i < sets.count; i++)
        if (question->key.choices.items[i].correct)
            sets.key |= 1u << i;
    enum marking_rule rule = question->type == QUESTION_MULTIPLE_CHOICE && question->marking >= 0
                                 ? question->marking
                                 : MARKING_ALL_OR_NOTHING;
    return marking_rules[rule](&sets);
}

void marking_mark(struct verdict *verdict, const struct question *question, const struct answer *answer)
{
    const double slack = 1e-9; /* PACK-FORMAT: right from a share of 1 − 1e-9 on */
    *verdict = (struct verdict){ .outcome = OUTCOME_OMITTED, .marks = question->marks };
    if (answer->blank)
        return;
    double share = marking_share(question, answer);
    verdict->share = share;
    verdict->mark = share * question->marks;
    verdict->outcome = share >= 1 - slack ? OUTCOME_RIGHT : share > 0 ? OUTCOME_PARTLY : OUTCOME_WRONG;
}

void marking_feedback(struct buffer *out, const struct question *question, const struct answer *answer)
{
    if (answer->blank)
        return;
    if (question->type == QUESTION_TRUE_FALSE) {
        if (answer->truth != question->key.truth && question->feedback)
            buffer_text(out, question->feedback);
        return;
    }
    for (int i = 0; i < question->key.choices.count; i++) {
        const char *feedback = question->key.choices.items[i].feedback;
        if (!feedback || !(answer->picks >> i & 1))
            continue;
        if (out->length)
            buffer_text(out, "\n\n");
        buffer_text(out, feedback);
    }
}
