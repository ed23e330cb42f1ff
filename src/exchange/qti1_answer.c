/* Typed texts and matches of QTI 1.2, and feedback of answers as a whole. */
#include "qti1.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- feedback ---- */

void qti1_whole_feedback(struct qti1_item *item, const struct qti1_answer *right, bool wrong_has_place)
{
    struct qti1_answer other = { { right->count ? right->respidents[0] : "" }, { "\x01" }, 1 };
    struct qti1_result of_right, of_wrong;
    qti1_run(item, right, &of_right);
    qti1_run(item, &other, &of_wrong);
    for (int i = 0; i < of_right.feedback_count; i++) {
        if (!qti1_shows(&of_wrong, of_right.feedback[i]) && qti1_feedback(item, of_right.feedback[i]))
            import_change(item->qti->import, "%s", tr("feedback to right answers stands in the explanation"));
        qti1_explain(item, of_right.feedback[i]);
    }
    for (int i = 0; i < of_wrong.feedback_count; i++) {
        const char *text =
            qti1_shows(&of_right, of_wrong.feedback[i]) ? NULL : qti1_feedback(item, of_wrong.feedback[i]);
        if (text && wrong_has_place && !item->question.feedback)
            item->question.feedback = text;
        else if (text)
            import_change(item->qti->import, "%s", tr("feedback to any wrong answer was left out"));
    }
}

const char *qti1_feedback_of(struct qti1_item *item, const char *respident, const char *value)
{
    struct qti1_answer answer = { { respident }, { value }, 1 }, other = { { respident }, { "\x01" }, 1 };
    struct qti1_result result, of_other;
    qti1_run(item, &answer, &result);
    qti1_run(item, &other, &of_other);
    for (int i = 0; i < result.feedback_count; i++)
        if (!qti1_shows(&of_other, result.feedback[i]))
            return qti1_feedback(item, result.feedback[i]);
    return NULL;
}

/* ---- texts ---- */

static bool has_test(const struct xml_node *node, const char *name)
{
    return xml_find(node, name) != NULL;
}

/* Whether all tests ask for the same case. */
static bool case_counts(const struct xml_node *node, bool *seen)
{
    for (const struct xml_node *test = xml_child(node, NULL); test; test = xml_next(test, NULL)) {
        if (!xml_is(test, "varequal")) {
            if (!case_counts(test, seen))
                return false;
            continue;
        }
        const char *sensitive = xml_attribute(test, "case");
        *seen = true;
        if (!sensitive || strcasecmp(sensitive, "yes") != 0)
            return false;
    }
    return true;
}

/* Values of all rules, once each, with what they give. */
static int gather(struct qti1_item *item, const char *respident, struct import_answer *answers, int most)
{
    int count = 0;
    for (const struct xml_node *rule = xml_child(item->processing, "respcondition"); rule;
         rule = xml_next(rule, "respcondition")) {
        struct qti1_answer wanted;
        qti1_wanted(item, xml_child(rule, "conditionvar"), respident, &wanted);
        for (int i = 0; i < wanted.count && count < most; i++) {
            bool known = !*wanted.values[i];
            for (int k = 0; k < count && !known; k++)
                known = strcmp(answers[k].text, wanted.values[i]) == 0;
            if (!known)
                answers[count++].text = wanted.values[i];
        }
    }
    return count;
}

static bool read_texts(struct qti1_item *item, const char *respident)
{
    struct import *import = item->qti->import;
    struct import_answer *answers = arena_alloc(&import->arena, PACK_LISTED * (ptrdiff_t)sizeof *answers);
    bool seen = false;
    double most = 0;
    if (!answers)
        return qti_no_memory(item->qti);
    if (has_test(item->processing, "varsubset") || has_test(item->processing, "varsubstring"))
        import_change(import, "%s",
                      tr("answers that hold a word were right; here it must be the whole answer"));
    int count = gather(item, respident, answers, PACK_LISTED);
    struct qti1_answer right = { { respident }, { "" }, 1 };
    for (int i = 0; i < count; i++) {
        struct qti1_answer answer = { { respident }, { answers[i].text }, 1 };
        struct qti1_result result;
        qti1_run(item, &answer, &result);
        answers[i].share = result.score;
        if (result.score > most) {
            most = result.score;
            right = answer;
        }
    }
    if (most <= 0)
        return qti_leave(item->qti, tr("no answer is right"));
    for (int i = 0; i < count; i++) {
        answers[i].share = answers[i].share * 100 / most;
        answers[i].exact = true;
        answers[i].feedback =
            answers[i].share < 99.9 ? qti1_feedback_of(item, respident, answers[i].text) : NULL;
        answers[i].text = import_text_line(import, answers[i].text, (ptrdiff_t)strlen(answers[i].text));
    }
    bool exact = case_counts(item->processing, &seen) && seen;
    if (!import_texts(import, &item->question, answers, count, exact))
        return false;
    qti1_whole_feedback(item, &right, false);
    return true;
}

bool qti1_typed(struct qti1_item *item, const struct xml_node *response)
{
    const char *ident = xml_attribute(response, "ident");
    const char *kind = xml_attribute(xml_find(response, "render_fib"), "fibtype");
    bool number = xml_is(response, "response_num") || strcasestr(item->type, "numeric") ||
                  (kind && (strcasecmp(kind, "Decimal") == 0 || strcasecmp(kind, "Integer") == 0 ||
                            strcasecmp(kind, "Scientific") == 0)) ||
                  has_test(item->processing, "vargte") || has_test(item->processing, "vargt");
    return number ? qti1_numbers(item, ident ? ident : "") : read_texts(item, ident ? ident : "");
}

/* ---- matches ---- */

/* The element that this one stands in. */
static const struct xml_node *parent_of(const struct xml_node *top, const struct xml_node *node)
{
    for (const struct xml_node *inside = xml_child(top, NULL); inside; inside = xml_next(inside, NULL)) {
        if (inside == node)
            return top;
        const struct xml_node *found = parent_of(inside, node);
        if (found)
            return found;
    }
    return NULL;
}

static const struct xml_node *block_of_rights(const struct xml_node *node)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        const char *class = xml_attribute(inside, "class");
        const struct xml_node *found =
            class && strcmp(class, "RIGHT_MATCH_BLOCK") == 0 ? inside : block_of_rights(inside);
        if (found)
            return found;
    }
    return NULL;
}

/* The text of a label: its own, or the one at its place in Blackboard's block of right texts. */
static const char *label_text(struct qti1_item *item, const struct xml_node *label, int place)
{
    const char *text = qti1_text(item, label, HTML_CARD);
    const struct xml_node *block = text ? NULL : block_of_rights(item->presentation);
    const struct xml_node *one = xml_child(block, NULL);
    while (one && place-- > 0)
        one = xml_next(one, NULL);
    return one ? qti1_text(item, one, HTML_CARD) : text;
}

/* The value that is right for one response; NULL: none. */
static const char *right_for(struct qti1_item *item, const char *respident)
{
    for (const struct xml_node *rule = xml_child(item->processing, "respcondition"); rule;
         rule = xml_next(rule, "respcondition")) {
        struct qti1_answer wanted;
        if (qti1_gives(item, rule) <= 0)
            continue;
        qti1_wanted(item, xml_child(rule, "conditionvar"), respident, &wanted);
        if (wanted.count)
            return wanted.values[0];
    }
    return NULL;
}

struct matching {
    const char *lefts[QTI1_RESPONSES], *rights[QTI1_RESPONSES], *extra[QTI1_RESPONSES];
    int count, extra_count;
    struct qti1_answer answer;
};

static void add_extra(struct matching *matching, const char *text)
{
    if (text && matching->extra_count < QTI1_RESPONSES)
        matching->extra[matching->extra_count++] = text;
}

static void read_left(struct qti1_item *item, const struct xml_node *response, struct matching *matching)
{
    const struct xml_node *labels[QTI1_RESPONSES];
    int count = qti1_labels(response, labels, 0);
    const char *ident = xml_attribute(response, "ident"), *value = right_for(item, ident ? ident : "");
    const char *left = qti1_text(item, response, HTML_CARD);
    if (!left)
        left = qti1_text(item, parent_of(item->presentation, response), HTML_CARD);
    const char *right = NULL;
    for (int i = 0; i < count; i++) {
        const char *label = xml_attribute(labels[i], "ident");
        bool found = label && value && strcmp(label, value) == 0;
        const char *text = found || matching->count == 0 ? label_text(item, labels[i], i) : NULL;
        if (found)
            right = text;
        if (matching->count == 0) /* the first has all of them, as the others have */
            add_extra(matching, text);
    }
    matching->lefts[matching->count] = left;
    matching->rights[matching->count++] = right;
    matching->answer.respidents[matching->answer.count] = ident ? ident : "";
    matching->answer.values[matching->answer.count++] = value ? value : "";
}

bool qti1_pairs(struct qti1_item *item)
{
    struct matching *matching = arena_alloc(&item->qti->import->arena, sizeof *matching);
    struct qti1_result all, first;
    if (!matching)
        return qti_no_memory(item->qti);
    if (xml_is(item->responses[0], "response_grp"))
        return qti_leave(item->qti, tr("groups of answers have no counterpart"));
    if (item->response_count > PACK_CHOICES)
        return qti_leave(item->qti, tr("it has more than 26 items"));
    for (int i = 0; i < item->response_count; i++)
        read_left(item, item->responses[i], matching);
    struct qti1_answer one = matching->answer;
    one.count = 1;
    qti1_run(item, &matching->answer, &all);
    qti1_run(item, &one, &first);
    item->question.marking = first.score > 0 ? MARKING_NET_CORRECT : MARKING_ALL_OR_NOTHING;
    if (!import_pairs(item->qti->import, &item->question, matching->lefts, matching->rights, matching->count,
                      matching->extra, matching->extra_count))
        return false;
    qti1_whole_feedback(item, &matching->answer, true);
    return true;
}
