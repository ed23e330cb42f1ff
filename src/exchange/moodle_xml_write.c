/*
 * Moodle XML written. Weights of multiple choice are fractions with five decimals, as Moodle's list of grades
 * has them; a wrong choice takes what a right one gives (net-correct). Hints cost nothing, so the penalty is
 * 0.
 */
#include "export_xml.h"
#include "xml_write.h"

#include <quiztutor/message.h>
#include <quiztutor/number.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

struct moodle_write {
    struct export *export;
    struct xml_write xml;
    struct buffer html;
    struct export_losses losses;
};

/* ---- texts ---- */

static void open_text(struct moodle_write *moodle, const char *name, const char *text)
{
    xml_write_open(&moodle->xml, name);
    xml_write_attribute(&moodle->xml, "format", "html");
    xml_write_element(&moodle->xml, "text", text);
}

/* <name format="html"><text>…</text></name> of what stands in moodle->html. */
static void put_html(struct moodle_write *moodle, const char *name)
{
    open_text(moodle, name, buffer_get(&moodle->html));
    xml_write_close(&moodle->xml);
    moodle->export->failed = moodle->export->failed || moodle->html.failed;
}

static void put_text(struct moodle_write *moodle, const char *name, const char *text, const char *figure)
{
    buffer_clear(&moodle->html);
    export_html_both(moodle->export, &moodle->html, text, figure);
    put_html(moodle, name);
}

static void put_feedback(struct moodle_write *moodle, const char *name, const char *text)
{
    buffer_clear(&moodle->html);
    if (text)
        export_html(moodle->export, &moodle->html, text, true);
    put_html(moodle, name);
}

/* An answer, left open: its fraction and its text as HTML or, where `format` is NULL, as it is. */
static void open_answer(struct moodle_write *moodle, const char *fraction, const char *format,
                        const char *text)
{
    xml_write_open(&moodle->xml, "answer");
    xml_write_attribute(&moodle->xml, "fraction", fraction);
    xml_write_attribute(&moodle->xml, "format", format ? format : "moodle_auto_format");
    xml_write_element(&moodle->xml, "text", text);
}

/* ---- keys ---- */

/* A share of 100 in the form of Moodle's list: 33.33333, 50. */
static void share_text(char text[static 32], double share)
{
    snprintf(text, 32, "%.5f", share);
    char *end = text + strlen(text);
    while (end[-1] == '0')
        *--end = '\0';
    if (end[-1] == '.')
        end[-1] = '\0';
}

/* Whether Moodle's list of grades has a share of 1/n. */
static bool is_grade(int n)
{
    return n <= 10 || n == 20;
}

static void put_choices(struct moodle_write *moodle, const struct question *question)
{
    bool single = question->type == QUESTION_SINGLE_CHOICE;
    char right[32], wrong[32];
    int correct = question->key.choices.correct, wrongs = question->key.choices.count - correct, pins = 0;
    share_text(right, 100.0 / correct);
    share_text(wrong, single ? 0 : -100.0 / correct);
    xml_write_element(&moodle->xml, "single", single ? "true" : "false");
    xml_write_element(&moodle->xml, "shuffleanswers", question->shuffle ? "true" : "false");
    xml_write_element(&moodle->xml, "answernumbering", "abc");
    for (int i = 0; i < question->key.choices.count; i++) {
        const struct choice *choice = &question->key.choices.items[i];
        buffer_clear(&moodle->html);
        export_html(moodle->export, &moodle->html, choice->text, true);
        open_answer(moodle, choice->correct ? right : wrong, "html", buffer_get(&moodle->html));
        put_feedback(moodle, "feedback", choice->feedback);
        xml_write_close(&moodle->xml);
        pins += choice->pin != PIN_NONE;
    }
    export_losses_add(&moodle->losses, pins && question->shuffle, N_("pinned choices"));
    if (!single && question->marking != MARKING_NET_CORRECT && (wrongs || correct > 1))
        export_loss(moodle->export, question, tr("marked by shares there (net-correct), not %s"),
                    marking_rule_name(question->marking));
    if (!single && !is_grade(correct))
        export_loss(moodle->export, question,
                    tr("%s %% is no grade that Moodle has: import it with \"nearest grade if not listed\""),
                    right);
}

static void put_truth(struct moodle_write *moodle, const struct question *question)
{
    for (int truth = 1; truth >= 0; truth--) {
        bool right = question->key.truth == (truth == 1);
        open_answer(moodle, right ? "100" : "0", NULL, truth ? "true" : "false");
        put_feedback(moodle, "feedback", right ? NULL : question->feedback);
        xml_write_close(&moodle->xml);
    }
}

static void put_number(struct moodle_write *moodle, const struct question *question)
{
    const struct number_key *key = &question->key.number;
    char digits[NUMBER_PLAIN];
    export_number(digits, question);
    open_answer(moodle, "100", NULL, digits);
    put_feedback(moodle, "feedback", NULL);
    xml_write_number(&moodle->xml, "tolerance", export_tolerance(question));
    xml_write_close(&moodle->xml);
    for (int i = 0; i < key->wrong_count; i++) {
        number_plain(digits, key->wrongs[i].number);
        open_answer(moodle, "0", NULL, digits);
        put_feedback(moodle, "feedback", key->wrongs[i].feedback);
        xml_write_number(&moodle->xml, "tolerance", 0);
        xml_write_close(&moodle->xml);
    }
    xml_write_element(&moodle->xml, "unitgradingtype", "0");
    xml_write_element(&moodle->xml, "unitpenalty", "0");
    xml_write_element(&moodle->xml, "showunits", key->unit ? "0" : "3");
    xml_write_element(&moodle->xml, "unitsleft", "0");
    if (key->unit) {
        xml_write_open(&moodle->xml, "units");
        xml_write_open(&moodle->xml, "unit");
        xml_write_element(&moodle->xml, "multiplier", "1");
        xml_write_element(&moodle->xml, "unit_name", key->unit);
        xml_write_close(&moodle->xml);
        xml_write_close(&moodle->xml);
    }
    if (key->relative)
        export_loss(moodle->export, question, tr("the tolerance of %g %% is one in absolute terms there"),
                    key->tolerance * 100);
    export_losses_add(&moodle->losses, key->significant_figures > 0, N_("significant figures"));
}

/* A typed answer, where * stands for any text unless a backslash stands before it. */
static void open_typed(struct moodle_write *moodle, const char *fraction, const char *text)
{
    buffer_clear(&moodle->html);
    for (; *text; text++) {
        if (*text == '*')
            buffer_char(&moodle->html, '\\');
        buffer_char(&moodle->html, *text);
    }
    moodle->export->failed = moodle->export->failed || moodle->html.failed;
    open_answer(moodle, fraction, NULL, buffer_get(&moodle->html));
}

static void put_typed(struct moodle_write *moodle, const struct question *question)
{
    const struct text_key *key = &question->key.text;
    xml_write_element(&moodle->xml, "usecase", key->ignore & IGNORE_CASE ? "0" : "1");
    for (int i = 0; i < key->accept.count; i++) {
        open_typed(moodle, "100", key->accept.items[i]);
        put_feedback(moodle, "feedback", NULL);
        xml_write_close(&moodle->xml);
    }
    for (int i = 0; i < key->wrong_count; i++) {
        open_typed(moodle, "0", key->wrongs[i].value);
        put_feedback(moodle, "feedback", key->wrongs[i].feedback);
        xml_write_close(&moodle->xml);
    }
}

/* Feedback to who was not fully right. */
static void put_whole_feedback(struct moodle_write *moodle, const struct question *question)
{
    put_feedback(moodle, "correctfeedback", NULL);
    put_feedback(moodle, "partiallycorrectfeedback", question->feedback);
    put_feedback(moodle, "incorrectfeedback", question->feedback);
}

static void put_order(struct moodle_write *moodle, const struct question *question)
{
    static const char *const grading[MARKING_RULES] = { [MARKING_ALL_OR_NOTHING] = "ALL_OR_NOTHING",
                                                        [MARKING_NET_CORRECT] = "RELATIVE_NEXT_EXCLUDE_LAST",
                                                        [MARKING_EACH_DECISION] = "ABSOLUTE_POSITION" };
    xml_write_element(&moodle->xml, "layouttype", "VERTICAL");
    xml_write_element(&moodle->xml, "selecttype", "ALL");
    xml_write_element(&moodle->xml, "selectcount", "0");
    xml_write_element(&moodle->xml, "gradingtype", grading[question->marking]);
    put_whole_feedback(moodle, question);
    for (int i = 0; i < question->key.order.count; i++) {
        char place[32];
        snprintf(place, sizeof place, "%d.0000000", i + 1);
        buffer_clear(&moodle->html);
        export_html_bare(&moodle->html, question->key.order.items[i]);
        open_answer(moodle, place, "html", buffer_get(&moodle->html));
        xml_write_close(&moodle->xml);
    }
}

static void put_pair(struct moodle_write *moodle, const char *left, const char *right)
{
    buffer_clear(&moodle->html);
    export_html_bare(&moodle->html, left);
    open_text(moodle, "subquestion", buffer_get(&moodle->html));
    xml_write_open(&moodle->xml, "answer");
    xml_write_element(&moodle->xml, "text", right);
    xml_write_close(&moodle->xml);
    xml_write_close(&moodle->xml);
}

static void put_match(struct moodle_write *moodle, const struct question *question)
{
    const struct match_key *key = &question->key.match;
    xml_write_element(&moodle->xml, "shuffleanswers", "true");
    put_whole_feedback(moodle, question);
    for (int i = 0; i < key->lefts.count; i++)
        put_pair(moodle, key->lefts.items[i], key->rights.items[key->pairs[i]]);
    for (int i = key->paired; i < key->rights.count; i++)
        put_pair(moodle, "", key->rights.items[i]);
    if (question->marking == MARKING_ALL_OR_NOTHING)
        export_loss(moodle->export, question, "%s",
                    tr("each pair has its share there, it is not all or nothing"));
}

static const struct {
    const char *name; /* NULL: Moodle has none */
    void (*put)(struct moodle_write *moodle, const struct question *question);
} types[QUESTION_TYPES] = {
    [QUESTION_SINGLE_CHOICE] = { "multichoice", put_choices },
    [QUESTION_MULTIPLE_CHOICE] = { "multichoice", put_choices },
    [QUESTION_TRUE_FALSE] = { "truefalse", put_truth },
    [QUESTION_NUMBER] = { "numerical", put_number },
    [QUESTION_TEXT] = { "shortanswer", put_typed },
    [QUESTION_ORDER] = { "ordering", put_order },
    [QUESTION_MATCH] = { "matching", put_match },
    [QUESTION_RECALL] = { NULL, NULL },
};

/* ---- questions and categories ---- */

static void put_named(struct moodle_write *moodle, const char *name, const char *text)
{
    xml_write_open(&moodle->xml, name);
    xml_write_element(&moodle->xml, "text", text);
    xml_write_close(&moodle->xml);
}

static void put_extras(struct moodle_write *moodle, const struct question *question)
{
    for (int i = 0; i < question->hints.count; i++)
        put_text(moodle, "hint", question->hints.items[i], NULL);
    if (question->tags.count) {
        xml_write_open(&moodle->xml, "tags");
        for (int i = 0; i < question->tags.count; i++)
            put_named(moodle, "tag", question->tags.items[i]);
        xml_write_close(&moodle->xml);
    }
}

static void put_question(struct moodle_write *moodle, const struct question *original)
{
    const struct question *question = export_instance(moodle->export, original);
    if (!question)
        return;
    if (!types[question->type].name) {
        export_loss(moodle->export, original, "%s", tr("left out: Moodle has no cards to recall"));
        return;
    }
    export_losses_init(&moodle->losses);
    xml_write_open(&moodle->xml, "question");
    xml_write_attribute(&moodle->xml, "type", types[question->type].name);
    put_named(moodle, "name", question->id);
    put_text(moodle, "questiontext", question->prompt, question->figure);
    put_text(moodle, "generalfeedback", question->explanation, question->explanation_figure);
    xml_write_number(&moodle->xml, "defaultgrade", question->marks);
    xml_write_element(&moodle->xml, "penalty", "0.0000000");
    xml_write_element(&moodle->xml, "hidden", "0");
    xml_write_element(&moodle->xml, "idnumber", question->id);
    types[question->type].put(moodle, question);
    put_extras(moodle, question);
    xml_write_close(&moodle->xml);
    export_common_losses(&moodle->losses, question);
    export_losses_tell(&moodle->losses, moodle->export, original);
}

/* "A / B" is B within A; any other slash belongs to the name and stands twice, with a space between it and
 * the slash that parts names. */
static void put_category(struct moodle_write *moodle, const struct section *section)
{
    struct buffer path;
    buffer_init(&path);
    buffer_text(&path, "$course$/top/");
    bool first = true; /* of a name */
    for (const char *at = section->title; *at; at++) {
        bool parts = !first && strncmp(at, " / ", 3) == 0;
        if (parts) {
            buffer_text(&path, at[-1] == '/' ? " /" : "/");
            at += 2;
        } else {
            buffer_text(&path, *at != '/' ? "" : first ? " /" : "/");
            buffer_char(&path, *at);
        }
        first = parts;
    }
    xml_write_open(&moodle->xml, "question");
    xml_write_attribute(&moodle->xml, "type", "category");
    put_named(moodle, "category", buffer_get(&path));
    put_text(moodle, "info", section->intro, NULL);
    xml_write_close(&moodle->xml);
    moodle->export->failed = moodle->export->failed || path.failed;
    buffer_finish(&path);
}

bool moodle_xml_write(struct export *export, struct error *error)
{
    struct moodle_write moodle = { .export = export };
    const struct pack *pack = export->pack;
    int section = 0;
    buffer_init(&moodle.html);
    xml_write_begin(&moodle.xml, &export->out);
    xml_write_open(&moodle.xml, "quiz");
    for (int i = 0; i < pack->question_count; i++) {
        const struct question *question = &pack->questions[i];
        if (question->section && question->section != section)
            put_category(&moodle, &pack->sections[question->section - 1]);
        section = question->section;
        put_question(&moodle, question);
    }
    export_head_losses(export, EXPORT_INTROS);
    bool written = xml_write_end(&moodle.xml);
    buffer_finish(&moodle.html);
    return (written && !export->failed && !export->out.failed) || error_memory(error);
}
