/* An item of QTI 2.1, 2.2 or 3.0: its texts and feedback. */
#include "qti2.h"

#include <quiztutor/message.h>

#include <string.h>

/* ---- texts ---- */

static bool is_interaction(const struct xml_node *node)
{
    char name[64];
    qti_plain_name(name, node);
    size_t length = strlen(name);
    return length > 11 && strcmp(name + length - 11, "interaction") == 0;
}

static bool is_feedback(const struct xml_node *node)
{
    return qti_is(node, "feedbackInline") || qti_is(node, "feedbackBlock");
}

/* Rubrics are for who the view names. */
static bool for_learners(const struct xml_node *rubric)
{
    const char *view = qti_attribute(rubric, "view");
    return !view || strstr(view, "candidate") != NULL;
}

static bool is_gap(const struct qti_item *item)
{
    return strcmp(item->name, "textentryinteraction") == 0 ||
           strcmp(item->name, "inlinechoiceinteraction") == 0;
}

/* Whether nothing but the interaction stands in an element. */
static bool holds_only(const struct xml_node *node, const struct xml_node *interaction)
{
    bool found = false;
    for (const struct xml_node *inside = node->in.first; inside; inside = inside->next) {
        if (inside == interaction) {
            found = true;
            continue;
        }
        if (inside->name)
            return false;
        for (ptrdiff_t i = 0; i < inside->more.length; i++)
            if (!strchr(" \t\r\n", inside->in.text[i]))
                return false;
    }
    return found;
}

/* Whether the gap stands in a paragraph of its own, and shows nothing about the sentence it is in. */
static bool stands_alone(const struct xml_node *node, const struct xml_node *interaction)
{
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL))
        if (holds_only(inside, interaction) || stands_alone(inside, interaction))
            return true;
    return false;
}

/* What becomes of an element in a text: interactions leave a gap or their own prompt. */
static enum xml_fate judge(void *context, const struct xml_node *node, struct buffer *out)
{
    struct qti_item *item = context;
    if (node == item->interaction) {
        const struct xml_node *prompt = qti_child(node, "prompt");
        if (is_gap(item) && !item->alone)
            buffer_text(out, "_____");
        if (prompt) {
            buffer_text(out, "<p>");
            xml_html(out, prompt, judge, context);
            buffer_text(out, "</p>");
        }
        return strcmp(item->name, "hottextinteraction") == 0 ? XML_UNWRAP : XML_DROP;
    }
    if (is_interaction(node) || is_feedback(node) || qti_is(node, "prompt") || qti_is(node, "stylesheet") ||
        qti_is(node, "templateBlock") || qti_is(node, "templateInline"))
        return XML_DROP;
    if (qti_is(node, "rubricBlock")) {
        if (for_learners(node))
            return XML_UNWRAP;
        import_change(item->qti->import, "%s", tr("notes for those who mark were left out"));
        return XML_DROP;
    }
    return strncmp(node->name, "qti-", 4) == 0 || qti_is(node, "hottext") || qti_is(node, "infoControl")
               ? XML_UNWRAP
               : XML_KEEP;
}

const char *qti2_text(struct qti_item *item, const struct xml_node *node, enum html_form form)
{
    struct buffer *html = &item->qti->html;
    if (!node)
        return NULL;
    buffer_clear(html);
    xml_html(html, node, judge, item);
    return html_text(item->qti->import, buffer_get(html), html->length, form);
}

const char *qti2_text_figure(struct qti_item *item, const struct xml_node *node, const char **figure)
{
    struct buffer *html = &item->qti->html;
    buffer_clear(html);
    xml_html(html, node, judge, item);
    return html_text_figure(item->qti->import, buffer_get(html), html->length, HTML_TEXT, figure);
}

const char *qti2_inline_feedback(struct qti_item *item, const struct xml_node *choice)
{
    const struct xml_node *inside = qti_find(choice, "feedbackInline");
    return qti2_text(item, inside ? inside : qti_find(choice, "feedbackBlock"), HTML_TEXT);
}

/* ---- interactions ---- */

/* The interactions of a body; the first that stands there. */
static int find_interactions(const struct xml_node *node, const struct xml_node **first)
{
    int count = 0;
    for (const struct xml_node *inside = xml_child(node, NULL); inside; inside = xml_next(inside, NULL)) {
        if (qti_is(inside, "endAttemptInteraction"))
            continue;
        bool found = is_interaction(inside);
        if (found && !*first)
            *first = inside;
        count += found ? 1 : find_interactions(inside, first);
    }
    return count;
}

/* ---- feedback at the end ---- */

/* Whether an outcome has this value from the start: the feedback is shown whatever was answered. */
static bool starts_as(const struct qti_item *item, const char *outcome, const char *value)
{
    for (const struct xml_node *node = qti_child(item->node, "outcomeDeclaration"); node;
         node = qti_next(node, "outcomeDeclaration")) {
        const char *identifier = qti_attribute(node, "identifier");
        const struct xml_node *start = qti_child(node, "defaultValue");
        if (!identifier || !outcome || strcmp(identifier, outcome) != 0)
            continue;
        for (const struct xml_node *one = qti_child(start, "value"); one; one = qti_next(one, "value")) {
            const char *words = xml_words(&item->qti->import->arena, one);
            if (words && strcmp(words, value) == 0)
                return true;
        }
    }
    return false;
}

static bool mentions(const char *identifier, const char *const *words)
{
    char lower[64];
    size_t length = 0;
    for (; identifier[length] && length < sizeof lower - 1; length++)
        lower[length] =
            (char)(identifier[length] >= 'A' && identifier[length] <= 'Z' ? identifier[length] + 32
                                                                          : identifier[length]);
    lower[length] = '\0';
    for (; *words; words++)
        if (strstr(lower, *words))
            return true;
    return false;
}

/* The choice whose identifier this is; -1: none. */
static int choice_of(const struct question *question, const char *identifier)
{
    if (question->type != QUESTION_SINGLE_CHOICE && question->type != QUESTION_MULTIPLE_CHOICE)
        return -1;
    for (int i = 0; i < question->key.choices.count; i++)
        if (question->key.choices.items[i].id && strcmp(question->key.choices.items[i].id, identifier) == 0)
            return i;
    return -1;
}

static void place_feedback(struct qti_item *item, const struct xml_node *node, struct choice *choices)
{
    static const char *const wrong[] = { "incorrect", "wrong", "false", "fail", NULL };
    static const char *const right[] = { "correct", "right", "true", "success", NULL };
    static const char *const all[] = { "solution", "explanation", "general", "rationale", NULL };
    struct import *import = item->qti->import;
    struct question *question = &item->question;
    const char *identifier = qti_attribute(node, "identifier"), *text, *figure = NULL;
    identifier = identifier ? identifier : "";
    bool explains =
        starts_as(item, qti_attribute(node, "outcomeIdentifier"), identifier) || mentions(identifier, all);
    text = explains && !question->explanation_figure ? qti2_text_figure(item, node, &figure)
                                                     : qti2_text(item, node, HTML_TEXT);
    const char *show = qti_attribute(node, "showHide");
    if (!text)
        return;
    int choice = choice_of(question, identifier);
    bool placed = question->type == QUESTION_ORDER || question->type == QUESTION_MATCH ||
                  question->type == QUESTION_TRUE_FALSE;
    if (show && strcmp(show, "hide") == 0) {
        import_change(import, "%s", tr("feedback that is hidden by an answer was left out"));
    } else if (explains) {
        qti_explain(item->qti, question, text);
        question->explanation_figure = figure ? figure : question->explanation_figure;
    } else if (choice >= 0) {
        if (!choices[choice].feedback)
            choices[choice].feedback = text;
    } else if (mentions(identifier, wrong)) {
        if (placed && !question->feedback)
            question->feedback = text;
        else if (!question->feedback || strcmp(question->feedback, text) != 0)
            import_change(import, "%s", tr("feedback to any wrong answer was left out"));
    } else {
        import_change(import,
                      mentions(identifier, right) ? tr("feedback to right answers stands in the explanation")
                                                  : tr("feedback \"%.40s\" stands in the explanation"),
                      identifier);
        qti_explain(item->qti, question, text);
    }
}

static void read_feedback(struct qti_item *item)
{
    struct question *question = &item->question;
    struct choice *choices = NULL;
    bool of_choices = question->type == QUESTION_SINGLE_CHOICE || question->type == QUESTION_MULTIPLE_CHOICE;
    if (of_choices) {
        int count = question->key.choices.count;
        choices = arena_alloc(&item->qti->import->arena, (count + 1) * (ptrdiff_t)sizeof *choices);
        if (!choices) {
            item->qti->import->failed = true;
            return;
        }
        memcpy(choices, question->key.choices.items, (size_t)count * sizeof *choices);
        question->key.choices.items = choices;
    }
    int count = 0;
    for (const struct xml_node *node = qti_child(item->node, "modalFeedback"); node && count < QTI_FEEDBACK;
         node = qti_next(node, "modalFeedback"), count++)
        place_feedback(item, node, choices);
    for (const struct xml_node *node = qti_child(item->body, "feedbackBlock"); node && count < QTI_FEEDBACK;
         node = qti_next(node, "feedbackBlock"), count++)
        place_feedback(item, node, choices);
    if (count == QTI_FEEDBACK)
        import_change(item->qti->import, tr("no more than %d pieces of feedback were read"), QTI_FEEDBACK);
}

/* ---- the item ---- */

static const char *kept(struct qti *qti, const char *text)
{
    return text ? import_text_line(qti->import, text, (ptrdiff_t)strlen(text)) : NULL;
}

static void read_key(struct qti_item *item)
{
    struct qti *qti = item->qti;
    struct question *question = &item->question;
    item->alone = is_gap(item) && stands_alone(item->body, item->interaction);
    item->question.prompt = qti2_text_figure(item, item->body, &item->question.figure);
    if (!qti->import->open.name)
        qti->import->open.name = question->prompt;
    if (!qti2_read_response(item)) {
        qti->import->failed = true;
        return;
    }
    question->marks = qti2_marks(item);
    if (!qti2_key(item))
        return;
    read_feedback(item);
    qti_true_false(qti, question);
    qti_drop_ids(qti, question);
    import_take(qti->import, question);
}

void qti2_read_item(struct qti *qti, const struct xml_node *node)
{
    struct qti_item item = { .qti = qti, .node = node, .body = qti_child(node, "itemBody") };
    const char *title = kept(qti, qti_attribute(node, "title"));
    import_open(qti->import, &item.question, qti->name ? 0 : node->line, title);
    item.question.id = kept(qti, qti_attribute(node, "identifier"));
    int count = find_interactions(item.body, &item.interaction);
    if (!title && !count)
        qti->import->open.name = item.question.id;
    if (qti_find(node, "templateDeclaration")) {
        import_leave_out(qti->import, "%s",
                         tr("its values are made when it is asked (templates); write it with `given`"));
    } else if (count == 0) {
        import_leave_out(qti->import, "%s", tr("it asks nothing: there is no interaction in it"));
    } else if (count > 1) {
        import_leave_out(qti->import, tr("it has %d interactions; a question can have one"), count);
    } else {
        qti_plain_name(item.name, item.interaction);
        if (qti2_known(&item))
            read_key(&item);
    }
}
