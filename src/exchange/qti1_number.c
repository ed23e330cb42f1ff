/* Numbers to type in QTI 1.2: bounds, margins and precision as a tolerance or significant figures. */
#include "qti1.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What a rule asks of a number. */
struct range {
    double low, high, equal;
    const char *written; /* of `equal` */
    double margin;       /* as it is said beside the bounds; NAN: it is not */
    bool percent;        /* margin is one in per cent */
    bool strict;         /* a bound itself is not right */
    int figures;
};

/* What stands beside a value about what else is right. */
static void read_margin(const struct xml_node *test, struct range *range)
{
    const char *precision = xml_attribute(test, "precisiontype"), *kind = xml_attribute(test, "margintype");
    double figures = qti_number(xml_attribute(test, "precision")),
           margin = qti_number(xml_attribute(test, "margin"));
    if (precision && strcasecmp(precision, "significantDigits") == 0 && figures >= 1 &&
        figures <= PACK_FIGURES)
        range->figures = (int)figures;
    if (kind && margin >= 0) {
        range->margin = margin;
        range->percent = strcasecmp(kind, "percent") == 0;
    }
}

static void read_range(struct qti1_item *item, const struct xml_node *node, struct range *range)
{
    for (const struct xml_node *test = xml_child(node, NULL); test; test = xml_next(test, NULL)) {
        const char *words = xml_words(&item->qti->import->arena, test);
        double value = qti_number(words);
        if (xml_is(test, "varequal") && !isnan(value) && isnan(range->equal)) {
            range->equal = value;
            range->written = words;
            read_margin(test, range);
        } else if (xml_is(test, "vargte") || xml_is(test, "vargt")) {
            range->low = value;
            range->strict = range->strict || xml_is(test, "vargt");
        } else if (xml_is(test, "varlte") || xml_is(test, "varlt")) {
            range->high = value;
            range->strict = range->strict || xml_is(test, "varlt");
        } else if (!xml_is(test, "not")) {
            read_range(item, test, range);
        }
    }
}

/* Without the noise that subtracting has added: 5.05 − 4.95 is 0.1. */
static double tidy(double value)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.12g", value);
    return strtod(digits, NULL);
}

/* The number in the middle of a range, and half its width. */
static void settle_range(struct qti1_item *item, struct range *range, struct import_answer *answer)
{
    double middle = tidy((range->low + range->high) / 2), width = tidy((range->high - range->low) / 2);
    double said = range->percent ? range->margin / 100 * fabs(range->equal) : range->margin;
    bool centred = !isnan(range->equal) && fabs(range->equal - middle) <= 1e-9 * fmax(fabs(middle), width);
    char digits[NUMBER_PLAIN];
    bool agrees = centred && fabs(said - width) <= 1e-6 * fmax(fabs(middle), width);
    answer->tolerance = agrees ? said : width > 0 ? width : 0;
    range->percent = range->percent && agrees;
    if (centred) {
        answer->text = range->written;
    } else {
        number_plain(digits, middle);
        answer->text = arena_text(&item->qti->import->arena, digits, (ptrdiff_t)strlen(digits));
        if (!isnan(range->equal))
            import_change(item->qti->import,
                          tr("%s is not in the middle of what is right; the middle was taken"),
                          range->written);
    }
    if (range->strict && !range->figures)
        import_change(item->qti->import, "%s",
                      tr("a bound of the tolerance was wrong itself; here it is right"));
    item->qti->import->failed = item->qti->import->failed || !answer->text;
}

bool qti1_numbers(struct qti1_item *item, const char *respident)
{
    struct import_answer *answers =
        arena_alloc(&item->qti->import->arena, PACK_LISTED * (ptrdiff_t)sizeof *answers);
    const struct import_answer *right = NULL;
    int count = 0, figures = 0;
    double most = 0, percent = 0;
    const struct xml_node *rule;
    if (!answers)
        return qti_no_memory(item->qti);
    for (rule = xml_child(item->processing, "respcondition"); rule; rule = xml_next(rule, "respcondition"))
        most = fmax(most, qti1_gives(item, rule));
    for (rule = xml_child(item->processing, "respcondition"); rule; rule = xml_next(rule, "respcondition")) {
        struct range range = { .low = NAN, .high = NAN, .equal = NAN, .margin = NAN };
        double gives = qti1_gives(item, rule);
        read_range(item, xml_child(rule, "conditionvar"), &range);
        bool slip = gives <= 0 && !isnan(range.equal) && xml_child(rule, "displayfeedback");
        if ((gives <= 0 && !slip) || count == PACK_LISTED)
            continue;
        struct import_answer *answer = &answers[count];
        *answer = (struct import_answer){ .share = most > 0 && !slip ? gives * 100 / most : 0 };
        if (!isnan(range.low) && !isnan(range.high))
            settle_range(item, &range, answer);
        else if (!isnan(range.equal) && isnan(range.low) && isnan(range.high))
            answer->text = range.written;
        else
            return qti_leave(item->qti, tr("what is right has one bound only, or none that is a number"));
        answer->feedback = slip ? qti1_feedback_of(item, respident, answer->text) : NULL;
        if (answer->share > 99.9 && !right) {
            right = answer;
            percent = range.percent ? range.margin : 0;
        }
        figures = answer->share > 99.9 && range.figures ? range.figures : figures;
        count++;
    }
    if (!right)
        return qti_leave(item->qti, tr("no answer is right"));
    struct qti1_answer answer = { { respident }, { right->text }, 1 };
    if (!import_numbers(item->qti->import, &item->question, answers, count))
        return false;
    if (percent > 0) {
        item->question.key.number.tolerance = percent / 100;
        item->question.key.number.relative = true;
    }
    item->question.key.number.significant_figures = figures;
    if (figures)
        item->question.key.number.tolerance = 0;
    qti1_whole_feedback(item, &answer, false);
    return true;
}
