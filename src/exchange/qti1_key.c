/* The responses of a QTI 1.2 item made a pack's answer key: choices and orders here. */
#include "qti1.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>
#include <strings.h>

int qti1_labels(const struct xml_node *node, const struct xml_node *labels[static QTI1_RESPONSES], int count)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        if (!xml_is(inside, "response_label"))
            count = qti1_labels(inside, labels, count);
        else if (count < QTI1_RESPONSES)
            labels[count++] = inside;
    }
    return count;
}

/* ---- choices ---- */

struct options {
    const struct xml_node *labels[QTI1_RESPONSES];
    struct qti1_result results[PACK_CHOICES]; /* of each alone */
    struct choice *choices;
    struct qti_choice known[PACK_CHOICES];
    double shares[PACK_CHOICES];
    int count;
    const char *respident;
    struct qti1_answer right; /* of a multiple choice: those of the rule that gives most */
    struct qti1_result full;
};

static bool is_no(const char *word)
{
    return word && strcasecmp(word, "no") == 0;
}

static bool read_options(struct qti1_item *item, const struct xml_node *response, struct options *options)
{
    const struct xml_node *render = xml_find(response, "render_choice");
    const char *ident = xml_attribute(response, "ident"), *shuffle = xml_attribute(render, "shuffle");
    options->respident = ident ? ident : "";
    options->count = qti1_labels(response, options->labels, 0);
    if (options->count > PACK_CHOICES)
        return qti_leave(item->qti, tr("it has more than 26 choices"));
    options->choices =
        arena_alloc(&item->qti->import->arena, (options->count + 1) * (ptrdiff_t)sizeof *options->choices);
    if (!options->choices)
        return qti_no_memory(item->qti);
    for (int i = 0; i < options->count; i++) {
        const char *label = xml_attribute(options->labels[i], "ident");
        options->choices[i].id = label ? label : "";
        options->choices[i].text = qti1_text(item, options->labels[i], HTML_TEXT);
        options->known[i] =
            (struct qti_choice){ .identifier = options->choices[i].id,
                                 .fixed = is_no(xml_attribute(options->labels[i], "rshuffle")) };
        struct qti1_answer answer = { { options->respident }, { options->choices[i].id }, 1 };
        qti1_run(item, &answer, &options->results[i]);
    }
    item->question.shuffle = !is_no(shuffle);
    qti_pins(item->qti, &item->question, options->choices, options->known, options->count);
    return true;
}

/* How many of the choices are shown this piece of feedback. */
static int shown_by(const struct options *options, const char *ident)
{
    int count = 0;
    for (int i = 0; i < options->count; i++)
        count += qti1_shows(&options->results[i], ident);
    return count;
}

/* Feedback of a choice: what picking it alone shows, but what all show, which explains. `most`: of how many
 * choices a piece may be. */
static void read_feedback(struct qti1_item *item, struct options *options, int most)
{
    struct arena *arena = &item->qti->import->arena;
    for (int i = 0; i < options->count; i++) {
        const struct qti1_result *result = &options->results[i];
        struct choice *choice = &options->choices[i];
        for (int k = 0; k < result->feedback_count; k++) {
            int shown = shown_by(options, result->feedback[k]);
            bool all = shown == options->count && shown > 1;
            const char *text = !all && shown <= most ? qti1_feedback(item, result->feedback[k]) : NULL;
            if (all && i == 0)
                qti1_explain(item, result->feedback[k]);
            else if (text && !choice->feedback)
                choice->feedback = text;
            else if (text && strcmp(text, choice->feedback) != 0)
                choice->feedback = arena_print(arena, "%s\n\n%s", choice->feedback, text);
            item->qti->import->failed = item->qti->import->failed || (text && !choice->feedback);
        }
    }
}

static bool read_single(struct qti1_item *item, struct options *options)
{
    double full = item->maximum, most = 0;
    for (int i = 0; i < options->count; i++)
        most = fmax(most, options->results[i].score);
    full = isnan(full) || full < most ? most : full;
    for (int i = 0; i < options->count; i++)
        options->shares[i] = full > 0 ? options->results[i].score * 100 / full : 0;
    read_feedback(item, options, options->count - 1);
    return import_choices(item->qti->import, &item->question, options->choices, options->shares,
                          options->count, true);
}

/* The set that the rule asks for that gives most, and what it gives. */
static void find_right(struct qti1_item *item, struct options *options)
{
    for (const struct xml_node *rule = xml_child(item->processing, "respcondition"); rule;
         rule = xml_next(rule, "respcondition")) {
        struct qti1_answer wanted;
        struct qti1_result result;
        if (qti1_gives(item, rule) <= 0)
            continue;
        qti1_wanted(item, xml_child(rule, "conditionvar"), options->respident, &wanted);
        qti1_run(item, &wanted, &result);
        if (wanted.count && result.score > options->full.score) {
            options->right = wanted;
            options->full = result;
        }
    }
}

static bool is_right(const struct options *options, int choice)
{
    for (int i = 0; i < options->right.count; i++)
        if (strcmp(options->right.values[i], options->choices[choice].id) == 0)
            return true;
    return false;
}

/* Whether it is right or wrong as a whole: no part of what the rule asks for gives anything, nor does
 * anything else. */
static bool is_whole(const struct options *options)
{
    for (int i = 0; i < options->count; i++)
        if (options->results[i].score < 0 ||
            (options->results[i].score > 0 && (options->right.count != 1 || !is_right(options, i))))
            return false;
    return options->right.count > 0;
}

/* What is told as a whole has no place at a multiple choice, unless it explains. */
static void tell_whole(struct qti1_item *item, struct options *options)
{
    struct qti1_answer none = { .count = 0 };
    struct qti1_result empty;
    qti1_run(item, &none, &empty);
    for (int i = 0; i < options->full.feedback_count; i++) {
        const char *text = shown_by(options, options->full.feedback[i]) == 0
                               ? qti1_feedback(item, options->full.feedback[i])
                               : NULL;
        if (!text)
            continue;
        import_change(item->qti->import, "%s", tr("feedback to right answers stands in the explanation"));
        qti_explain(item->qti, &item->question, text);
    }
    for (int i = 0; i < empty.feedback_count; i++)
        if (shown_by(options, empty.feedback[i]) < options->count &&
            !qti1_shows(&options->full, empty.feedback[i]) && qti1_feedback(item, empty.feedback[i]))
            import_change(item->qti->import, "%s", tr("feedback to any wrong answer was left out"));
}

/* Whether each choice is a decision of its own: n shares of what all give, one for each right choice that is
 * picked and each wrong one that is not. */
static bool by_decisions(struct qti1_item *item, struct options *options)
{
    struct qti1_answer none = { .count = 0 };
    struct qti1_result empty;
    qti1_run(item, &none, &empty);
    double full = isnan(item->maximum) ? 100 : item->maximum, share = full / options->count;
    int right = 0;
    for (int i = 0; i < options->count; i++) {
        double gives = options->results[i].score - empty.score;
        if (fabs(fabs(gives) - share) > full / 1000)
            return false;
        options->choices[i].correct = gives > 0;
        right += gives > 0;
    }
    return right && right < options->count &&
           fabs(empty.score - share * (options->count - right)) < full / 1000;
}

static bool take_multiple(struct qti1_item *item, struct options *options, enum marking_rule rule)
{
    struct question *question = &item->question;
    question->type = QUESTION_MULTIPLE_CHOICE;
    question->marking = rule;
    question->key.choices.items = options->choices;
    question->key.choices.count = options->count;
    question->key.choices.correct = 0;
    for (int i = 0; i < options->count; i++)
        question->key.choices.correct += options->choices[i].correct;
    return true;
}

static bool read_multiple(struct qti1_item *item, struct options *options)
{
    struct question *question = &item->question;
    struct qti1_answer all = { .count = 0 };
    struct qti1_result result;
    find_right(item, options);
    read_feedback(item, options, 1);
    tell_whole(item, options);
    if (by_decisions(item, options))
        return take_multiple(item, options, MARKING_EACH_DECISION);
    if (!is_whole(options)) {
        double sum = 0;
        for (int i = 0; i < options->count; i++)
            sum += options->results[i].score > 0 ? options->results[i].score : 0;
        for (int i = 0; i < options->count && sum > 0; i++)
            options->shares[i] = options->results[i].score * 100 / sum;
        if (!isnan(item->maximum) && sum > 0 && fabs(sum - item->maximum) > item->maximum / 100)
            import_change(item->qti->import, tr("%g of %g points were the full mark; here all are needed"),
                          item->maximum, sum);
        return import_choices(item->qti->import, question, options->choices, options->shares, options->count,
                              false);
    }
    int right = 0;
    for (int i = 0; i < options->count; i++) {
        options->choices[i].correct = is_right(options, i);
        right += options->choices[i].correct;
        all.respidents[all.count] = options->respident;
        all.values[all.count++] = options->choices[i].id;
    }
    qti1_run(item, &all, &result);
    if (right < options->count && result.score >= options->full.score)
        import_change(item->qti->import, "%s",
                      tr("picking wrong ones besides cost nothing; here it is wrong"));
    if (!right)
        return qti_leave(item->qti, tr("none of its choices is right"));
    return take_multiple(item, options, MARKING_ALL_OR_NOTHING);
}

static bool read_choices(struct qti1_item *item, const struct xml_node *response, bool multiple)
{
    struct options *options = arena_alloc(&item->qti->import->arena, sizeof *options);
    if (!options)
        return qti_no_memory(item->qti);
    if (!read_options(item, response, options))
        return false;
    if (options->count == 0)
        return qti_leave(item->qti, tr("it has no choices"));
    return multiple ? read_multiple(item, options) : read_single(item, options);
}

/* ---- orders ---- */

static bool read_order(struct qti1_item *item, const struct xml_node *response)
{
    const struct xml_node *labels[QTI1_RESPONSES];
    int count = qti1_labels(response, labels, 0), used = 0;
    struct qti1_answer wanted = { .count = 0 };
    for (const struct xml_node *rule = xml_child(item->processing, "respcondition");
         rule && wanted.count < count; rule = xml_next(rule, "respcondition"))
        if (qti1_gives(item, rule) > 0)
            qti1_wanted(item, xml_child(rule, "conditionvar"), xml_attribute(response, "ident"), &wanted);
    const char **items = arena_alloc(&item->qti->import->arena, (count + 1) * (ptrdiff_t)sizeof *items);
    if (!items)
        return qti_no_memory(item->qti);
    if (wanted.count != count || count > PACK_CHOICES)
        return qti_leave(item->qti, count > PACK_CHOICES
                                        ? tr("it has more than 26 items")
                                        : tr("it does not say where each of its items stands"));
    for (int i = 0; i < count; i++)
        for (int k = 0; k < count; k++) {
            const char *ident = xml_attribute(labels[k], "ident");
            if (ident && strcmp(ident, wanted.values[i]) == 0 && used == i)
                items[used++] = qti1_text(item, labels[k], HTML_CARD);
        }
    if (used < count)
        return qti_leave(item->qti, tr("it does not say where each of its items stands"));
    item->question.type = QUESTION_ORDER;
    item->question.key.order = (struct text_list){ items, count };
    qti1_whole_feedback(item, &wanted, true);
    return true;
}

/* ---- by type ---- */

/* What systems call types that have no counterpart. */
static const struct {
    const char *name, *why; /* N_() */
} unknown[] = {
    { "essay", N_("an essay can't be marked by a program") },
    { "short response", N_("an essay can't be marked by a program") },
    { "file_upload", N_("a file to hand in can't be marked by a program") },
    { "file upload", N_("a file to hand in can't be marked by a program") },
    { "text_only", N_("it asks nothing: it is a text only") },
    { "calculated", N_("its formula can't be taken over; write it with `given` and `derive`") },
    { "fill_in_multiple_blanks",
      N_("gaps within a text have no counterpart; write a question for each gap") },
    { "fill in the blank plus", N_("gaps within a text have no counterpart; write a question for each gap") },
    { "multiple_dropdowns", N_("gaps within a text have no counterpart; write a question for each gap") },
    { "jumbled", N_("gaps within a text have no counterpart; write a question for each gap") },
    { "hot spot", N_("it needs a picture") },
    { "hot_spot", N_("it needs a picture") },
    { "opinion", N_("it asks for an opinion") },
    { "likert", N_("it asks for an opinion") },
    { "quiz bowl", N_("a question to an answer has no counterpart") },
    { "categorization", N_("items to sort into groups have no counterpart") },
};

/* Elements inside, counted no further than the limit. */
static int elements_in(const struct xml_node *node, int count)
{
    for (const struct xml_node *one = xml_child(node, NULL); one && count <= QTI1_RULES;
         one = xml_next(one, NULL))
        count = elements_in(one, count + 1);
    return count;
}

static bool is_known(struct qti1_item *item)
{
    if (elements_in(item->processing, 0) > QTI1_RULES)
        return qti_leave(item->qti, tr("it has too many rules"));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (strcasestr(item->type, unknown[i].name))
            return qti_leave(item->qti, tr(unknown[i].why));
    if (item->response_count == 0)
        return qti_leave(item->qti, tr("it asks nothing: there is no response in it"));
    for (int i = 0; i < item->response_count; i++)
        if (xml_is(item->responses[i], "response_xy") || xml_find(item->responses[i], "render_hotspot"))
            return qti_leave(item->qti, tr("it needs a picture"));
    return true;
}

bool qti1_key(struct qti1_item *item)
{
    if (!is_known(item))
        return false;
    const struct xml_node *response = item->responses[0];
    const char *cardinality = xml_attribute(response, "rcardinality");
    bool typed = xml_is(response, "response_str") || xml_is(response, "response_num") ||
                 xml_find(response, "render_fib") || xml_find(response, "render_slider");
    item->typed = typed;
    if (typed && item->response_count > 1)
        return qti_leave(item->qti,
                         tr("gaps within a text have no counterpart; write a question for each gap"));
    if (typed)
        return qti1_typed(item, response);
    if (strcasestr(item->type, "matching") || item->response_count > 1 || xml_is(response, "response_grp"))
        return qti1_pairs(item);
    if (cardinality && strcasecmp(cardinality, "Ordered") == 0)
        return read_order(item, response);
    return read_choices(item, response, cardinality && strcasecmp(cardinality, "Multiple") == 0);
}
