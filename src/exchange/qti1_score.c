/* The rules of a QTI 1.2 item (resprocessing) run over a response, so that every dialect tells by itself what
 * is right, what it gives, and what feedback it gets. */
#include "qti1.h"

#include <math.h>
#include <string.h>
#include <strings.h>

bool qti1_shows(const struct qti1_result *result, const char *ident)
{
    for (int i = 0; i < result->feedback_count; i++)
        if (strcmp(result->feedback[i], ident) == 0)
            return true;
    return false;
}

/* The text of an element that holds nothing else, trimmed; not NUL-terminated. */
static const char *plain(const struct xml_node *node, ptrdiff_t *length)
{
    const struct xml_node *text = node->in.first;
    *length = 0;
    if (!text || text->name)
        return "";
    const char *start = text->in.text, *end = start + text->more.length;
    while (start < end && strchr(" \t\r\n", *start))
        start++;
    while (end > start && strchr(" \t\r\n", end[-1]))
        end--;
    *length = end - start;
    return start;
}

static double number_in(const struct xml_node *node)
{
    char digits[64];
    ptrdiff_t length;
    const char *text = plain(node, &length);
    if (length >= (ptrdiff_t)sizeof digits)
        return NAN;
    memcpy(digits, text, (size_t)length);
    digits[length] = '\0';
    return qti_number(digits);
}

/* Whether one value given to this response makes a test true. */
static bool holds(const struct qti1_answer *answer, const struct xml_node *test)
{
    const char *respident = xml_attribute(test, "respident"), *sensitive = xml_attribute(test, "case");
    bool equal = xml_is(test, "varequal"), part = xml_is(test, "varsubset") || xml_is(test, "varsubstring");
    bool exact = sensitive && strcasecmp(sensitive, "yes") == 0;
    ptrdiff_t length;
    const char *wanted = plain(test, &length);
    double bound = number_in(test);
    for (int i = 0; i < answer->count; i++) {
        const char *value = answer->values[i];
        if (respident && strcmp(respident, answer->respidents[i]) != 0)
            continue;
        if (equal || part) {
            bool same = (ptrdiff_t)strlen(value) == length &&
                        (exact ? memcmp(value, wanted, (size_t)length)
                               : strncasecmp(value, wanted, (size_t)length)) == 0;
            if (same)
                return true;
            continue;
        }
        double given = qti_number(value);
        if (isnan(given) || isnan(bound))
            continue;
        if ((xml_is(test, "vargte") && given >= bound) || (xml_is(test, "vargt") && given > bound) ||
            (xml_is(test, "varlte") && given <= bound) || (xml_is(test, "varlt") && given < bound))
            return true;
    }
    return false;
}

static bool answered(const struct qti1_answer *answer, const char *respident)
{
    for (int i = 0; i < answer->count; i++)
        if (!respident || strcmp(answer->respidents[i], respident) == 0)
            return true;
    return false;
}

/* All of the tests inside, or one of them. */
static bool meets(const struct qti1_answer *answer, const struct xml_node *node, bool all)
{
    bool met = all;
    for (const struct xml_node *test = xml_child(node, NULL); test; test = xml_next(test, NULL)) {
        bool one;
        if (xml_is(test, "and"))
            one = meets(answer, test, true);
        else if (xml_is(test, "or"))
            one = meets(answer, test, false);
        else if (xml_is(test, "not"))
            one = !meets(answer, test, true);
        else if (xml_is(test, "other"))
            one = true;
        else if (xml_is(test, "unanswered"))
            one = !answered(answer, xml_attribute(test, "respident"));
        else
            one = holds(answer, test);
        met = all ? met && one : met || one;
    }
    return met;
}

/* The tests of a condition are all to be met; several values of a typed answer are alternatives. */
static bool applies(const struct qti1_item *item, const struct qti1_answer *answer,
                    const struct xml_node *condition)
{
    const struct xml_node *tests = xml_child(condition, "conditionvar");
    return meets(answer, tests, !item->typed || !xml_next(xml_child(tests, "varequal"), "varequal"));
}

static void set_score(const struct qti1_item *item, const struct xml_node *set, struct qti1_result *result)
{
    const char *variable = xml_attribute(set, "varname"), *action = xml_attribute(set, "action");
    ptrdiff_t length;
    const char *text = plain(set, &length);
    if (variable && item->variable && strcasecmp(variable, item->variable) != 0)
        return;
    double value = number_in(set);
    if (isnan(value)) /* "SCORE.max" */
        value = length > 4 && strncasecmp(text + length - 4, ".max", 4) == 0
                    ? (isnan(item->maximum) ? 100 : item->maximum)
                    : 0;
    if (action && strcasecmp(action, "add") == 0)
        result->score += value;
    else if (action && strcasecmp(action, "subtract") == 0)
        result->score -= value;
    else
        result->score = value;
}

double qti1_gives(const struct qti1_item *item, const struct xml_node *rule)
{
    struct qti1_result result = { .score = 0 };
    for (const struct xml_node *set = xml_child(rule, "setvar"); set; set = xml_next(set, "setvar"))
        set_score(item, set, &result);
    return result.score;
}

void qti1_run(const struct qti1_item *item, const struct qti1_answer *answer, struct qti1_result *result)
{
    *result = (struct qti1_result){ .score = 0 };
    for (const struct xml_node *rule = xml_child(item->processing, "respcondition"); rule;
         rule = xml_next(rule, "respcondition")) {
        if (!applies(item, answer, rule))
            continue;
        bool set = false;
        for (const struct xml_node *one = xml_child(rule, NULL); one; one = xml_next(one, NULL)) {
            if (xml_is(one, "setvar")) {
                const char *action = xml_attribute(one, "action");
                set_score(item, one, result);
                set = set || !action || strcasecmp(action, "set") == 0;
            } else if (xml_is(one, "displayfeedback") && result->feedback_count < QTI1_FEEDBACK) {
                const char *ident = xml_attribute(one, "linkrefid");
                if (ident)
                    result->feedback[result->feedback_count++] = ident;
            }
        }
        const char *more = xml_attribute(rule, "continue");
        if (set && !(more && strcasecmp(more, "yes") == 0)) /* what only adds goes on, as Canvas has it */
            return;
    }
}

static void add_wanted(struct qti1_item *item, const struct xml_node *node, const char *respident,
                       struct qti1_answer *answer)
{
    for (const struct xml_node *test = xml_child(node, NULL); test; test = xml_next(test, NULL)) {
        if (xml_is(test, "varequal")) {
            const char *of = xml_attribute(test, "respident"),
                       *value = xml_words(&item->qti->import->arena, test);
            item->qti->import->failed = item->qti->import->failed || !value;
            if (value && answer->count < QTI1_RESPONSES &&
                (!respident || !of || strcmp(of, respident) == 0)) {
                answer->respidents[answer->count] = of ? of : "";
                answer->values[answer->count++] = value;
            }
        } else if (!xml_is(test, "not")) {
            add_wanted(item, test, respident, answer);
        }
    }
}

void qti1_wanted(struct qti1_item *item, const struct xml_node *condition, const char *respident,
                 struct qti1_answer *answer)
{
    answer->count = 0;
    add_wanted(item, condition, respident, answer);
}
