/*
 * An item of QTI 2.1. Right or wrong: the response is matched with the correct one; weights: a mapping, where
 * a wrong choice takes what a right one gives and 0 is the least (net-correct). The explanation is feedback
 * that is always shown, that of choices is chosen by the response itself.
 */
#include "qti21_write.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <stdio.h>
#include <string.h>

#define RESPONSE "RESPONSE"

static void attribute(struct qti21 *qti, const char *name, const char *value)
{
    xml_write_attribute(&qti->xml, name, value);
}

static void open(struct qti21 *qti, const char *name)
{
    xml_write_open(&qti->xml, name);
}

static void close(struct qti21 *qti)
{
    xml_write_close(&qti->xml);
}

static void numbered(char name[static 16], const char *letter, int number)
{
    snprintf(name, 16, "%s%d", letter, number);
}

/* ---- texts ---- */

static void put_html(struct qti21 *qti)
{
    xml_write_html(&qti->xml, buffer_get(&qti->html));
    qti->export->failed = qti->export->failed || qti->html.failed;
}

/* <element>text, figure</element>. */
static void put_text(struct qti21 *qti, const char *element, const char *text, const char *figure)
{
    open(qti, element);
    buffer_clear(&qti->html);
    export_html_both(qti->export, &qti->html, text, figure);
    put_html(qti);
    close(qti);
}

static void put_bare(struct qti21 *qti, const char *text)
{
    buffer_clear(&qti->html);
    export_html_bare(&qti->html, text);
    put_html(qti);
}

/* ---- declarations ---- */

static void open_response(struct qti21 *qti, const char *cardinality, const char *type)
{
    open(qti, "responseDeclaration");
    attribute(qti, "identifier", RESPONSE);
    attribute(qti, "cardinality", cardinality);
    attribute(qti, "baseType", type);
}

static void put_outcome(struct qti21 *qti, const char *name, const char *cardinality, const char *type,
                        const char *value)
{
    open(qti, "outcomeDeclaration");
    attribute(qti, "identifier", name);
    attribute(qti, "cardinality", cardinality);
    attribute(qti, "baseType", type);
    if (value) {
        open(qti, "defaultValue");
        xml_write_element(&qti->xml, "value", value);
        close(qti);
    }
    close(qti);
}

static void put_outcomes(struct qti21 *qti, const struct question *question, const char *feedback)
{
    char marks[NUMBER_PLAIN];
    number_plain(marks, question->marks);
    put_outcome(qti, "SCORE", "single", "float", "0");
    put_outcome(qti, "MAXSCORE", "single", "float", marks);
    put_outcome(qti, "EXPLANATION", "single", "identifier", "shown");
    if (feedback)
        put_outcome(qti, "FEEDBACK", feedback, "identifier", NULL);
}

/* The mapping of right ones to a share, and of all else. */
static void open_mapping(struct qti21 *qti, const struct question *question, double otherwise)
{
    open(qti, "mapping");
    attribute(qti, "lowerBound", "0");
    xml_write_number_attribute(&qti->xml, "upperBound", question->marks);
    xml_write_number_attribute(&qti->xml, "defaultValue", otherwise);
}

static void put_entry(struct qti21 *qti, const char *key, double value, bool exact)
{
    open(qti, "mapEntry");
    attribute(qti, "mapKey", key);
    xml_write_number_attribute(&qti->xml, "mappedValue", value);
    if (exact)
        attribute(qti, "caseSensitive", "true");
    close(qti);
}

/* ---- processing ---- */

static void put_variable(struct qti21 *qti, const char *element, const char *identifier)
{
    open(qti, element);
    attribute(qti, "identifier", identifier);
    close(qti);
}

static void put_value(struct qti21 *qti, const char *outcome, const char *type, const char *value)
{
    open(qti, "setOutcomeValue");
    attribute(qti, "identifier", outcome);
    open(qti, "baseValue");
    attribute(qti, "baseType", type);
    xml_write_text(&qti->xml, value);
    close(qti);
    close(qti);
}

static void put_score(struct qti21 *qti, double score)
{
    char digits[NUMBER_PLAIN];
    number_plain(digits, score);
    put_value(qti, "SCORE", "float", digits);
}

/* The test that makes a response right: match, or of a number equal. */
static void open_test(struct qti21 *qti, const struct question *question)
{
    char text[2 * NUMBER_PLAIN];
    const struct number_key *key = question->type == QUESTION_NUMBER ? &question->key.number : NULL;
    if (!key) {
        open(qti, "match");
        return;
    }
    open(qti, key->significant_figures ? "equalRounded" : "equal");
    if (key->significant_figures) {
        attribute(qti, "roundingMode", "significantFigures");
        snprintf(text, sizeof text, "%d", key->significant_figures);
        attribute(qti, "figures", text);
    } else if (key->tolerance > 0) {
        char digits[NUMBER_PLAIN];
        number_plain(digits, key->relative ? key->tolerance * 100 : key->tolerance);
        snprintf(text, sizeof text, "%s %s", digits, digits);
        attribute(qti, "toleranceMode", key->relative ? "relative" : "absolute");
        attribute(qti, "tolerance", text);
    } else {
        attribute(qti, "toleranceMode", "exact");
    }
}

static void put_match(struct qti21 *qti, const struct question *question, bool incorrect)
{
    open(qti, "responseCondition");
    open(qti, "responseIf");
    open_test(qti, question);
    put_variable(qti, "variable", RESPONSE);
    put_variable(qti, "correct", RESPONSE);
    close(qti);
    put_score(qti, question->marks);
    close(qti);
    open(qti, "responseElse");
    put_score(qti, 0);
    if (incorrect)
        put_value(qti, "FEEDBACK", "identifier", "incorrect");
    close(qti);
    close(qti);
}

static void put_map(struct qti21 *qti, const struct question *question, bool incorrect)
{
    char marks[NUMBER_PLAIN];
    open(qti, "setOutcomeValue");
    attribute(qti, "identifier", "SCORE");
    put_variable(qti, "mapResponse", RESPONSE);
    close(qti);
    if (!incorrect)
        return;
    number_plain(marks, question->marks);
    open(qti, "responseCondition");
    open(qti, "responseIf");
    open(qti, "lt");
    put_variable(qti, "variable", "SCORE");
    open(qti, "baseValue");
    attribute(qti, "baseType", "float");
    xml_write_text(&qti->xml, marks);
    close(qti);
    close(qti);
    put_value(qti, "FEEDBACK", "identifier", "incorrect");
    close(qti);
    close(qti);
}

/* `chosen`: the response itself names the feedback. */
static void put_processing(struct qti21 *qti, const struct question *question, bool mapped, bool chosen)
{
    bool incorrect = !chosen && question->feedback;
    open(qti, "responseProcessing");
    if (mapped)
        put_map(qti, question, incorrect);
    else
        put_match(qti, question, incorrect);
    if (chosen) {
        open(qti, "setOutcomeValue");
        attribute(qti, "identifier", "FEEDBACK");
        put_variable(qti, "variable", RESPONSE);
        close(qti);
    }
    close(qti);
}

static void put_feedback(struct qti21 *qti, const char *outcome, const char *identifier, const char *text,
                         const char *figure)
{
    if (!text)
        return;
    open(qti, "modalFeedback");
    attribute(qti, "outcomeIdentifier", outcome);
    attribute(qti, "identifier", identifier);
    attribute(qti, "showHide", "show");
    buffer_clear(&qti->html);
    export_html_both(qti->export, &qti->html, text, figure);
    put_html(qti);
    close(qti);
}

static void open_body(struct qti21 *qti, const struct question *question)
{
    open(qti, "itemBody");
    put_text(qti, "div", question->prompt, question->figure);
}

static void open_interaction(struct qti21 *qti, const char *name)
{
    open(qti, name);
    attribute(qti, "responseIdentifier", RESPONSE);
}

/* Closes interaction and body. */
static void end_body(struct qti21 *qti)
{
    close(qti);
    close(qti);
}

/* ---- choices ---- */

static void put_choice_mapping(struct qti21 *qti, const struct question *question)
{
    double share = question->marks / question->key.choices.correct;
    open_mapping(qti, question, -share);
    for (int i = 0; i < question->key.choices.count; i++) {
        char name[16];
        numbered(name, "c", i + 1);
        if (question->key.choices.items[i].correct)
            put_entry(qti, name, share, false);
    }
    close(qti);
}

static void put_choices(struct qti21 *qti, const struct question *question)
{
    const struct choice *items = question->key.choices.items;
    bool many = question->type == QUESTION_MULTIPLE_CHOICE, told = false;
    bool mapped = many && question->marking != MARKING_ALL_OR_NOTHING;
    char name[16];
    open_response(qti, many ? "multiple" : "single", "identifier");
    open(qti, "correctResponse");
    for (int i = 0; i < question->key.choices.count; i++) {
        numbered(name, "c", i + 1);
        if (items[i].correct)
            xml_write_element(&qti->xml, "value", name);
        told = told || items[i].feedback;
    }
    close(qti);
    if (mapped)
        put_choice_mapping(qti, question);
    close(qti);
    put_outcomes(qti, question, !told ? NULL : many ? "multiple" : "single");
    open_body(qti, question);
    open_interaction(qti, "choiceInteraction");
    attribute(qti, "shuffle", question->shuffle ? "true" : "false");
    attribute(qti, "maxChoices", many ? "0" : "1");
    for (int i = 0; i < question->key.choices.count; i++) {
        numbered(name, "c", i + 1);
        open(qti, "simpleChoice");
        attribute(qti, "identifier", name);
        if (items[i].pin != PIN_NONE)
            attribute(qti, "fixed", "true");
        buffer_clear(&qti->html);
        export_html(qti->export, &qti->html, items[i].text, true);
        put_html(qti);
        close(qti);
    }
    end_body(qti);
    put_processing(qti, question, mapped, told);
    for (int i = 0; i < question->key.choices.count; i++) {
        numbered(name, "c", i + 1);
        put_feedback(qti, "FEEDBACK", name, items[i].feedback, NULL);
    }
    if (many && question->marking == MARKING_EACH_DECISION)
        export_loss(qti->export, question, tr("marked by shares there (net-correct), not %s"),
                    marking_rule_name(question->marking));
}

static void put_truth(struct qti21 *qti, const struct question *question)
{
    static const char *const names[] = { "true", "false" }, *const words[] = { "True", "False" };
    open_response(qti, "single", "identifier");
    open(qti, "correctResponse");
    xml_write_element(&qti->xml, "value", names[!question->key.truth]);
    close(qti);
    close(qti);
    put_outcomes(qti, question, question->feedback ? "single" : NULL);
    open_body(qti, question);
    open_interaction(qti, "choiceInteraction");
    attribute(qti, "shuffle", "false");
    attribute(qti, "maxChoices", "1");
    for (int i = 0; i < 2; i++) {
        open(qti, "simpleChoice");
        attribute(qti, "identifier", names[i]);
        put_bare(qti, words[i]);
        close(qti);
    }
    end_body(qti);
    put_processing(qti, question, false, question->feedback != NULL);
    put_feedback(qti, "FEEDBACK", names[question->key.truth], question->feedback, NULL);
}

/* ---- typed answers ---- */

static void put_field(struct qti21 *qti, const struct question *question)
{
    int count;
    const struct known_wrong *wrongs = export_wrongs(question, &count);
    bool told = false;
    for (int i = 0; i < count; i++)
        told = told || wrongs[i].feedback;
    export_losses_add(&qti->losses, told, N_("what is told of wrong answers"));
    put_outcomes(qti, question, NULL);
    open_body(qti, question);
    open(qti, "p");
    open_interaction(qti, "textEntryInteraction");
    close(qti);
    end_body(qti);
}

static void put_number(struct qti21 *qti, const struct question *question)
{
    char answer[400];
    export_number(answer, question);
    open_response(qti, "single", "float");
    open(qti, "correctResponse");
    xml_write_element(&qti->xml, "value", answer);
    close(qti);
    close(qti);
    put_field(qti, question);
    put_processing(qti, question, false, false);
    export_losses_add(&qti->losses, question->key.number.unit != NULL, N_("the unit"));
    export_losses_add(&qti->losses,
                      question->key.number.significant_figures && question->key.number.tolerance > 0,
                      N_("the tolerance"));
}

static void put_typed(struct qti21 *qti, const struct question *question)
{
    const struct text_key *key = &question->key.text;
    open_response(qti, "single", "string");
    open(qti, "correctResponse");
    xml_write_element(&qti->xml, "value", key->accept.items[0]);
    close(qti);
    open_mapping(qti, question, 0);
    for (int i = 0; i < key->accept.count; i++)
        put_entry(qti, key->accept.items[i], question->marks, !(key->ignore & IGNORE_CASE));
    close(qti);
    close(qti);
    put_field(qti, question);
    put_processing(qti, question, true, false);
}

/* ---- orders and pairs ---- */

static void put_order(struct qti21 *qti, const struct question *question)
{
    char name[16];
    open_response(qti, "ordered", "identifier");
    open(qti, "correctResponse");
    for (int i = 0; i < question->key.order.count; i++) {
        numbered(name, "i", i + 1);
        xml_write_element(&qti->xml, "value", name);
    }
    close(qti);
    close(qti);
    put_outcomes(qti, question, question->feedback ? "single" : NULL);
    open_body(qti, question);
    open_interaction(qti, "orderInteraction");
    attribute(qti, "shuffle", "true");
    for (int i = 0; i < question->key.order.count; i++) {
        numbered(name, "i", i + 1);
        open(qti, "simpleChoice");
        attribute(qti, "identifier", name);
        put_bare(qti, question->key.order.items[i]);
        close(qti);
    }
    end_body(qti);
    put_processing(qti, question, false, false);
    put_feedback(qti, "FEEDBACK", "incorrect", question->feedback, NULL);
    if (question->marking != MARKING_ALL_OR_NOTHING)
        export_loss(qti->export, question, tr("it is all or nothing there, not %s"),
                    marking_rule_name(question->marking));
}

static void put_pairs(struct qti21 *qti, const struct match_key *key, double share)
{
    open(qti, "correctResponse");
    for (int i = 0; i < key->lefts.count; i++) {
        char pair[32];
        snprintf(pair, sizeof pair, "l%d r%d", i + 1, key->pairs[i] + 1);
        xml_write_element(&qti->xml, "value", pair);
    }
    close(qti);
    if (share <= 0)
        return;
    open(qti, "mapping");
    attribute(qti, "lowerBound", "0");
    attribute(qti, "defaultValue", "0");
    for (int i = 0; i < key->lefts.count; i++) {
        char pair[32];
        snprintf(pair, sizeof pair, "l%d r%d", i + 1, key->pairs[i] + 1);
        put_entry(qti, pair, share, false);
    }
    close(qti);
}

static void put_side(struct qti21 *qti, const struct text_list *texts, const char *letter, const char *most)
{
    open(qti, "simpleMatchSet");
    for (int i = 0; i < texts->count; i++) {
        char name[16];
        numbered(name, letter, i + 1);
        open(qti, "simpleAssociableChoice");
        attribute(qti, "identifier", name);
        attribute(qti, "matchMax", most);
        put_bare(qti, texts->items[i]);
        close(qti);
    }
    close(qti);
}

static void put_matching(struct qti21 *qti, const struct question *question)
{
    const struct match_key *key = &question->key.match;
    bool mapped = question->marking != MARKING_ALL_OR_NOTHING;
    char most[16];
    snprintf(most, sizeof most, "%d", key->lefts.count);
    open_response(qti, "multiple", "directedPair");
    put_pairs(qti, key, mapped ? question->marks / key->lefts.count : 0);
    close(qti);
    put_outcomes(qti, question, question->feedback ? "single" : NULL);
    open_body(qti, question);
    open_interaction(qti, "matchInteraction");
    attribute(qti, "shuffle", "true");
    attribute(qti, "maxAssociations", most);
    put_side(qti, &key->lefts, "l", "1");
    put_side(qti, &key->rights, "r", most);
    end_body(qti);
    put_processing(qti, question, mapped, false);
    put_feedback(qti, "FEEDBACK", "incorrect", question->feedback, NULL);
}

/* ---- the item ---- */

static void (*const put_key[QUESTION_TYPES])(struct qti21 *qti, const struct question *question) = {
    [QUESTION_SINGLE_CHOICE] = put_choices,
    [QUESTION_MULTIPLE_CHOICE] = put_choices,
    [QUESTION_TRUE_FALSE] = put_truth,
    [QUESTION_NUMBER] = put_number,
    [QUESTION_TEXT] = put_typed,
    [QUESTION_ORDER] = put_order,
    [QUESTION_MATCH] = put_matching,
    [QUESTION_RECALL] = NULL,
};

void qti21_identifier(char name[static QTI21_NAME], const char *id)
{
    bool letter = *id >= 'a' && *id <= 'z';
    snprintf(name, QTI21_NAME, "%s%s", letter ? "" : "_", id);
}

bool qti21_item(struct qti21 *qti, struct buffer *out, const struct question *question,
                const struct question *original)
{
    char name[QTI21_NAME];
    if (!put_key[question->type]) {
        export_loss(qti->export, original, "%s", tr("left out: QTI has no cards to recall"));
        return false;
    }
    qti21_identifier(name, question->id);
    export_losses_init(&qti->losses);
    xml_write_begin(&qti->xml, out);
    open(qti, "assessmentItem");
    attribute(qti, "xmlns", "http://www.imsglobal.org/xsd/imsqti_v2p1");
    attribute(qti, "identifier", name);
    attribute(qti, "title", question->id);
    attribute(qti, "adaptive", "false");
    attribute(qti, "timeDependent", "false");
    put_key[question->type](qti, question);
    put_feedback(qti, "EXPLANATION", "shown", question->explanation, question->explanation_figure);
    qti->export->failed = !xml_write_end(&qti->xml) || qti->export->failed || out->failed;
    export_common_losses(&qti->losses, question);
    export_losses_add(&qti->losses, question->hints.count > 0, N_("hints"));
    export_losses_add(&qti->losses, question->tags.count > 0, N_("tags"));
    export_losses_tell(&qti->losses, qti->export, original);
    return true;
}
