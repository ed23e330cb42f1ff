/*
 * QTI 1.2 written in one file, in the words that Canvas knows. Weights are rules that add to the score: a
 * wrong choice takes what a right one gives (net-correct), or each of all choices counts (each-decision).
 */
#include "export_xml.h"
#include "xml_write.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#define RESPONSE "response1"

struct qti12 {
    struct export *export;
    struct xml_write xml;
    struct buffer html;
    struct export_losses losses;
};

/* ---- pieces ---- */

static void put_material(struct qti12 *qti)
{
    xml_write_open(&qti->xml, "material");
    xml_write_open(&qti->xml, "mattext");
    xml_write_attribute(&qti->xml, "texttype", "text/html");
    xml_write_text(&qti->xml, buffer_get(&qti->html));
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    qti->export->failed = qti->export->failed || qti->html.failed;
}

static void put_text(struct qti12 *qti, const char *text, const char *figure)
{
    buffer_clear(&qti->html);
    export_html_both(qti->export, &qti->html, text, figure);
    put_material(qti);
}

static void put_bare(struct qti12 *qti, const char *text)
{
    buffer_clear(&qti->html);
    export_html_bare(&qti->html, text);
    put_material(qti);
}

static void open_label(struct qti12 *qti, const char *letter, int number, bool fixed)
{
    char ident[16];
    snprintf(ident, sizeof ident, "%s%d", letter, number);
    xml_write_open(&qti->xml, "response_label");
    xml_write_attribute(&qti->xml, "ident", ident);
    if (fixed)
        xml_write_attribute(&qti->xml, "rshuffle", "No");
}

static void open_rule(struct qti12 *qti, bool more)
{
    xml_write_open(&qti->xml, "respcondition");
    xml_write_attribute(&qti->xml, "continue", more ? "Yes" : "No");
    xml_write_open(&qti->xml, "conditionvar");
}

/* Ends the conditions of a rule and says what it does. */
static void close_rule(struct qti12 *qti, const char *action, double score, const char *feedback, int number)
{
    char digits[NUMBER_PLAIN], ident[32];
    xml_write_close(&qti->xml);
    if (action) {
        number_plain(digits, score);
        xml_write_open(&qti->xml, "setvar");
        xml_write_attribute(&qti->xml, "action", action);
        xml_write_attribute(&qti->xml, "varname", "SCORE");
        xml_write_text(&qti->xml, digits);
        xml_write_close(&qti->xml);
    }
    if (feedback) {
        snprintf(ident, sizeof ident, number ? "%s%d_fb" : "%s_fb", feedback, number);
        xml_write_open(&qti->xml, "displayfeedback");
        xml_write_attribute(&qti->xml, "feedbacktype", "Response");
        xml_write_attribute(&qti->xml, "linkrefid", ident);
        xml_write_close(&qti->xml);
    }
    xml_write_close(&qti->xml);
}

static void put_test(struct qti12 *qti, const char *test, const char *respident, const char *value,
                     bool exact)
{
    xml_write_open(&qti->xml, test);
    xml_write_attribute(&qti->xml, "respident", respident);
    if (exact)
        xml_write_attribute(&qti->xml, "case", "Yes");
    xml_write_text(&qti->xml, value);
    xml_write_close(&qti->xml);
}

static void put_equal(struct qti12 *qti, const char *respident, const char *letter, int number)
{
    char ident[16];
    snprintf(ident, sizeof ident, "%s%d", letter, number);
    put_test(qti, "varequal", respident, ident, false);
}

static void put_feedback(struct qti12 *qti, const char *name, int number, const char *text,
                         const char *figure)
{
    char ident[32];
    if (!text)
        return;
    snprintf(ident, sizeof ident, number ? "%s%d_fb" : "%s_fb", name, number);
    xml_write_open(&qti->xml, "itemfeedback");
    xml_write_attribute(&qti->xml, "ident", ident);
    xml_write_open(&qti->xml, "flow_mat");
    put_text(qti, text, figure);
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
}

static void open_response(struct qti12 *qti, const char *element, const char *ident, const char *cardinality)
{
    xml_write_open(&qti->xml, element);
    xml_write_attribute(&qti->xml, "ident", ident);
    xml_write_attribute(&qti->xml, "rcardinality", cardinality);
}

static void open_choices(struct qti12 *qti, bool shuffle)
{
    xml_write_open(&qti->xml, "render_choice");
    xml_write_attribute(&qti->xml, "shuffle", shuffle ? "Yes" : "No");
}

/* Closes the presentation, opens the rules; the explanation is shown whatever is answered. */
static void begin_rules(struct qti12 *qti)
{
    xml_write_close(&qti->xml);
    xml_write_open(&qti->xml, "resprocessing");
    xml_write_open(&qti->xml, "outcomes");
    xml_write_open(&qti->xml, "decvar");
    xml_write_attribute(&qti->xml, "maxvalue", "100");
    xml_write_attribute(&qti->xml, "minvalue", "0");
    xml_write_attribute(&qti->xml, "varname", "SCORE");
    xml_write_attribute(&qti->xml, "vartype", "Decimal");
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    open_rule(qti, true);
    xml_write_element(&qti->xml, "other", NULL);
    close_rule(qti, NULL, 0, "general", 0);
}

static void end_rules(struct qti12 *qti, const struct question *question)
{
    xml_write_close(&qti->xml);
    put_feedback(qti, "general", 0, question->explanation, question->explanation_figure);
}

/* ---- choices ---- */

static void put_whole_rule(struct qti12 *qti, const struct question *question)
{
    const struct choice *items = question->key.choices.items;
    bool many = question->type == QUESTION_MULTIPLE_CHOICE;
    open_rule(qti, false);
    if (many)
        xml_write_open(&qti->xml, "and");
    for (int i = 0; i < question->key.choices.count; i++) {
        if (items[i].correct) {
            put_equal(qti, RESPONSE, "c", i + 1);
        } else if (many) {
            xml_write_open(&qti->xml, "not");
            put_equal(qti, RESPONSE, "c", i + 1);
            xml_write_close(&qti->xml);
        }
    }
    if (many)
        xml_write_close(&qti->xml);
    close_rule(qti, "Set", 100, NULL, 0);
}

/* A rule for each choice: what a right one gives a wrong one takes, or each is a decision of its own. */
static void put_share_rules(struct qti12 *qti, const struct question *question)
{
    bool decisions = question->marking == MARKING_EACH_DECISION;
    double share = 100.0 / (decisions ? question->key.choices.count : question->key.choices.correct);
    for (int i = 0; i < question->key.choices.count; i++) {
        bool right = question->key.choices.items[i].correct, inverse = decisions && !right;
        open_rule(qti, true);
        if (inverse)
            xml_write_open(&qti->xml, "not");
        put_equal(qti, RESPONSE, "c", i + 1);
        if (inverse)
            xml_write_close(&qti->xml);
        close_rule(qti, "Add", right || inverse ? share : -share, NULL, 0);
    }
}

static void put_choices(struct qti12 *qti, const struct question *question)
{
    const struct choice *items = question->key.choices.items;
    bool many = question->type == QUESTION_MULTIPLE_CHOICE;
    open_response(qti, "response_lid", RESPONSE, many ? "Multiple" : "Single");
    open_choices(qti, question->shuffle);
    for (int i = 0; i < question->key.choices.count; i++) {
        open_label(qti, "c", i + 1, items[i].pin != PIN_NONE);
        buffer_clear(&qti->html);
        export_html(qti->export, &qti->html, items[i].text, true);
        put_material(qti);
        xml_write_close(&qti->xml);
    }
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    begin_rules(qti);
    for (int i = 0; i < question->key.choices.count; i++) {
        if (!items[i].feedback)
            continue;
        open_rule(qti, true);
        put_equal(qti, RESPONSE, "c", i + 1);
        close_rule(qti, NULL, 0, "c", i + 1);
    }
    if (many && question->marking != MARKING_ALL_OR_NOTHING)
        put_share_rules(qti, question);
    else
        put_whole_rule(qti, question);
    end_rules(qti, question);
    for (int i = 0; i < question->key.choices.count; i++)
        put_feedback(qti, "c", i + 1, items[i].feedback, NULL);
}

static void put_truth(struct qti12 *qti, const struct question *question)
{
    static const char *const idents[] = { "true", "false" }, *const words[] = { "True", "False" };
    const char *right = idents[!question->key.truth], *wrong = idents[question->key.truth];
    open_response(qti, "response_lid", RESPONSE, "Single");
    open_choices(qti, false);
    for (int i = 0; i < 2; i++) {
        xml_write_open(&qti->xml, "response_label");
        xml_write_attribute(&qti->xml, "ident", idents[i]);
        put_bare(qti, words[i]);
        xml_write_close(&qti->xml);
    }
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    begin_rules(qti);
    if (question->feedback) {
        open_rule(qti, true);
        put_test(qti, "varequal", RESPONSE, wrong, false);
        close_rule(qti, NULL, 0, wrong, 0);
    }
    open_rule(qti, false);
    put_test(qti, "varequal", RESPONSE, right, false);
    close_rule(qti, "Set", 100, NULL, 0);
    end_rules(qti, question);
    put_feedback(qti, wrong, 0, question->feedback, NULL);
}

/* ---- typed answers ---- */

static void put_field(struct qti12 *qti, const char *kind)
{
    open_response(qti, "response_str", RESPONSE, "Single");
    xml_write_open(&qti->xml, "render_fib");
    xml_write_attribute(&qti->xml, "fibtype", kind);
    xml_write_open(&qti->xml, "response_label");
    xml_write_attribute(&qti->xml, "ident", "answer1");
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
}

/* What known wrong responses are told. */
static void put_wrong_rules(struct qti12 *qti, const struct question *question, bool exact)
{
    int count;
    const struct known_wrong *wrongs = export_wrongs(question, &count);
    for (int i = 0; i < count; i++) {
        char digits[NUMBER_PLAIN];
        if (!wrongs[i].feedback)
            continue;
        number_plain(digits, wrongs[i].number);
        open_rule(qti, true);
        put_test(qti, "varequal", RESPONSE, question->type == QUESTION_NUMBER ? digits : wrongs[i].value,
                 exact);
        close_rule(qti, NULL, 0, "w", i + 1);
    }
}

static void put_wrong_feedback(struct qti12 *qti, const struct question *question)
{
    int count;
    const struct known_wrong *wrongs = export_wrongs(question, &count);
    for (int i = 0; i < count; i++)
        put_feedback(qti, "w", i + 1, wrongs[i].feedback, NULL);
}

/* Without the noise of adding: 5 + 0.05. */
static void bound_text(char digits[static NUMBER_PLAIN], double value)
{
    char rounded[40];
    snprintf(rounded, sizeof rounded, "%.13g", value);
    double tidy = value;
    sscanf(rounded, "%lf", &tidy);
    number_plain(digits, tidy);
}

static void put_number(struct qti12 *qti, const struct question *question)
{
    const struct number_key *key = &question->key.number;
    double tolerance = export_tolerance(question);
    char answer[400], low[NUMBER_PLAIN], high[NUMBER_PLAIN], figures[16];
    if (key->significant_figures) /* what rounds to the same figures */
        tolerance = fmax(tolerance, 0.5 * pow(10, floor(log10(fabs(key->value != 0 ? key->value : 1))) -
                                                      key->significant_figures + 1));
    export_number(answer, question);
    bound_text(low, key->value - tolerance);
    bound_text(high, key->value + tolerance);
    put_field(qti, "Decimal");
    begin_rules(qti);
    put_wrong_rules(qti, question, false);
    open_rule(qti, false);
    xml_write_open(&qti->xml, "or");
    xml_write_open(&qti->xml, "varequal");
    xml_write_attribute(&qti->xml, "respident", RESPONSE);
    if (key->significant_figures) {
        snprintf(figures, sizeof figures, "%d", key->significant_figures);
        xml_write_attribute(&qti->xml, "precisiontype", "significantDigits");
        xml_write_attribute(&qti->xml, "precision", figures);
    } else if (key->tolerance > 0) {
        xml_write_attribute(&qti->xml, "margintype", key->relative ? "percent" : "absolute");
        xml_write_number_attribute(&qti->xml, "margin",
                                   key->relative ? key->tolerance * 100 : key->tolerance);
    }
    xml_write_text(&qti->xml, answer);
    xml_write_close(&qti->xml);
    xml_write_open(&qti->xml, "and");
    put_test(qti, "vargte", RESPONSE, low, false);
    put_test(qti, "varlte", RESPONSE, high, false);
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    close_rule(qti, "Set", 100, NULL, 0);
    end_rules(qti, question);
    put_wrong_feedback(qti, question);
    export_losses_add(&qti->losses, key->unit != NULL, N_("the unit"));
    export_losses_add(&qti->losses, key->significant_figures && key->tolerance > 0, N_("the tolerance"));
}

static void put_typed(struct qti12 *qti, const struct question *question)
{
    const struct text_key *key = &question->key.text;
    bool exact = !(key->ignore & IGNORE_CASE);
    put_field(qti, "String");
    begin_rules(qti);
    put_wrong_rules(qti, question, exact);
    open_rule(qti, false);
    for (int i = 0; i < key->accept.count; i++)
        put_test(qti, "varequal", RESPONSE, key->accept.items[i], exact);
    close_rule(qti, "Set", 100, NULL, 0);
    end_rules(qti, question);
    put_wrong_feedback(qti, question);
}

/* ---- orders and pairs ---- */

/* All of the tests that make it right, as one. */
static void put_all_right(struct qti12 *qti, const struct question *question)
{
    xml_write_open(&qti->xml, "and");
    if (question->type == QUESTION_ORDER)
        for (int i = 0; i < question->key.order.count; i++)
            put_equal(qti, RESPONSE, "i", i + 1);
    else
        for (int i = 0; i < question->key.match.lefts.count; i++) {
            char ident[16];
            snprintf(ident, sizeof ident, "left%d", i + 1);
            put_equal(qti, ident, "r", question->key.match.pairs[i] + 1);
        }
    xml_write_close(&qti->xml);
}

static void put_wrong_rule(struct qti12 *qti, const struct question *question)
{
    if (!question->feedback)
        return;
    open_rule(qti, true);
    xml_write_open(&qti->xml, "not");
    put_all_right(qti, question);
    xml_write_close(&qti->xml);
    close_rule(qti, NULL, 0, "general_incorrect", 0);
}

static void put_order(struct qti12 *qti, const struct question *question)
{
    open_response(qti, "response_lid", RESPONSE, "Ordered");
    open_choices(qti, true);
    for (int i = 0; i < question->key.order.count; i++) {
        open_label(qti, "i", i + 1, false);
        put_bare(qti, question->key.order.items[i]);
        xml_write_close(&qti->xml);
    }
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    begin_rules(qti);
    put_wrong_rule(qti, question);
    open_rule(qti, false);
    put_all_right(qti, question);
    close_rule(qti, "Set", 100, NULL, 0);
    end_rules(qti, question);
    put_feedback(qti, "general_incorrect", 0, question->feedback, NULL);
    if (question->marking != MARKING_ALL_OR_NOTHING)
        export_loss(qti->export, question, tr("it is all or nothing there, not %s"),
                    marking_rule_name(question->marking));
}

static void put_match(struct qti12 *qti, const struct question *question)
{
    const struct match_key *key = &question->key.match;
    for (int i = 0; i < key->lefts.count; i++) {
        char ident[16];
        snprintf(ident, sizeof ident, "left%d", i + 1);
        open_response(qti, "response_lid", ident, "Single");
        put_bare(qti, key->lefts.items[i]);
        open_choices(qti, true);
        for (int k = 0; k < key->rights.count; k++) {
            open_label(qti, "r", k + 1, false);
            put_bare(qti, key->rights.items[k]);
            xml_write_close(&qti->xml);
        }
        xml_write_close(&qti->xml);
        xml_write_close(&qti->xml);
    }
    begin_rules(qti);
    put_wrong_rule(qti, question);
    if (question->marking == MARKING_ALL_OR_NOTHING) {
        open_rule(qti, false);
        put_all_right(qti, question);
        close_rule(qti, "Set", 100, NULL, 0);
    } else {
        for (int i = 0; i < key->lefts.count; i++) {
            char ident[16];
            snprintf(ident, sizeof ident, "left%d", i + 1);
            open_rule(qti, true);
            put_equal(qti, ident, "r", key->pairs[i] + 1);
            close_rule(qti, "Add", 100.0 / key->lefts.count, NULL, 0);
        }
    }
    end_rules(qti, question);
    put_feedback(qti, "general_incorrect", 0, question->feedback, NULL);
}

/* ---- items ---- */

static const struct {
    const char *name; /* as Canvas calls it; NULL: there is none */
    void (*put)(struct qti12 *qti, const struct question *question);
} types[QUESTION_TYPES] = {
    [QUESTION_SINGLE_CHOICE] = { "multiple_choice_question", put_choices },
    [QUESTION_MULTIPLE_CHOICE] = { "multiple_answers_question", put_choices },
    [QUESTION_TRUE_FALSE] = { "true_false_question", put_truth },
    [QUESTION_NUMBER] = { "numerical_question", put_number },
    [QUESTION_TEXT] = { "short_answer_question", put_typed },
    [QUESTION_ORDER] = { "ordering_question", put_order },
    [QUESTION_MATCH] = { "matching_question", put_match },
    [QUESTION_RECALL] = { NULL, NULL },
};

static void put_field_entry(struct qti12 *qti, const char *label, const char *entry)
{
    xml_write_open(&qti->xml, "qtimetadatafield");
    xml_write_element(&qti->xml, "fieldlabel", label);
    xml_write_element(&qti->xml, "fieldentry", entry);
    xml_write_close(&qti->xml);
}

static void put_hints(struct qti12 *qti, const struct question *question)
{
    for (int i = 0; i < question->hints.count; i++) {
        char ident[32];
        snprintf(ident, sizeof ident, "hint%d_fb", i + 1);
        xml_write_open(&qti->xml, "itemfeedback");
        xml_write_attribute(&qti->xml, "ident", ident);
        xml_write_open(&qti->xml, "hint");
        xml_write_open(&qti->xml, "hintmaterial");
        put_text(qti, question->hints.items[i], NULL);
        xml_write_close(&qti->xml);
        xml_write_close(&qti->xml);
        xml_write_close(&qti->xml);
    }
}

static void put_item(struct qti12 *qti, const struct question *original)
{
    const struct question *question = export_instance(qti->export, original);
    char digits[NUMBER_PLAIN];
    if (!question)
        return;
    if (!types[question->type].name) {
        export_loss(qti->export, original, "%s", tr("left out: QTI has no cards to recall"));
        return;
    }
    export_losses_init(&qti->losses);
    xml_write_open(&qti->xml, "item");
    xml_write_attribute(&qti->xml, "ident", question->id);
    xml_write_attribute(&qti->xml, "title", question->id);
    xml_write_open(&qti->xml, "itemmetadata");
    xml_write_open(&qti->xml, "qtimetadata");
    number_plain(digits, question->marks);
    put_field_entry(qti, "question_type", types[question->type].name);
    put_field_entry(qti, "points_possible", digits);
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
    xml_write_open(&qti->xml, "presentation");
    put_text(qti, question->prompt, question->figure);
    types[question->type].put(qti, question);
    put_hints(qti, question);
    xml_write_close(&qti->xml);
    export_common_losses(&qti->losses, question);
    export_losses_add(&qti->losses, question->tags.count > 0, N_("tags"));
    export_losses_tell(&qti->losses, qti->export, original);
}

/* ---- the document ---- */

static void open_section(struct qti12 *qti, const struct section *section, int number)
{
    char text[32];
    snprintf(text, sizeof text, "section%d", number);
    xml_write_open(&qti->xml, "section");
    xml_write_attribute(&qti->xml, "ident", text);
    xml_write_attribute(&qti->xml, "title", section->title);
    if (section->intro) {
        xml_write_open(&qti->xml, "presentation_material");
        xml_write_open(&qti->xml, "flow_mat");
        put_text(qti, section->intro, NULL);
        xml_write_close(&qti->xml);
        xml_write_close(&qti->xml);
    }
    if (section->pick == section->count)
        return;
    snprintf(text, sizeof text, "%d", section->pick);
    xml_write_open(&qti->xml, "selection_ordering");
    xml_write_open(&qti->xml, "selection");
    xml_write_element(&qti->xml, "selection_number", text);
    xml_write_close(&qti->xml);
    xml_write_close(&qti->xml);
}

static void put_items(struct qti12 *qti)
{
    const struct pack *pack = qti->export->pack;
    int section = 0;
    for (int i = 0; i < pack->question_count; i++) {
        const struct question *question = &pack->questions[i];
        if (question->section != section) {
            if (section)
                xml_write_close(&qti->xml);
            open_section(qti, &pack->sections[question->section - 1], question->section);
        }
        section = question->section;
        put_item(qti, question);
    }
    if (section)
        xml_write_close(&qti->xml);
}

bool qti12_write(struct export *export, struct error *error)
{
    struct qti12 qti = { .export = export };
    buffer_init(&qti.html);
    xml_write_begin(&qti.xml, &export->out);
    xml_write_open(&qti.xml, "questestinterop");
    xml_write_attribute(&qti.xml, "xmlns", "http://www.imsglobal.org/xsd/ims_qtiasiv1p2");
    xml_write_open(&qti.xml, "assessment");
    xml_write_attribute(&qti.xml, "ident", export->pack->id);
    xml_write_attribute(&qti.xml, "title", export->pack->title);
    xml_write_open(&qti.xml, "section");
    xml_write_attribute(&qti.xml, "ident", "root_section");
    put_items(&qti);
    export_head_losses(export, EXPORT_PICKS | EXPORT_INTROS);
    bool written = xml_write_end(&qti.xml);
    buffer_finish(&qti.html);
    return (written && !export->failed && !export->out.failed) || error_memory(error);
}
