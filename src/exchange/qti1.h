/* An item of QTI 1.2 while it is read: qti1.c (the document and what all items have), qti1_score.c (its rules
 * run over a response), qti1_key.c (its answer key). */
#ifndef QUIZTUTOR_EXCHANGE_QTI1_H
#define QUIZTUTOR_EXCHANGE_QTI1_H

#include "qti_private.h"

enum {
    QTI1_RESPONSES = 4 * PACK_CHOICES, /* responses, labels, right values of an item */
    QTI1_RULES = 20000,                /* elements of an item's rules, which are run many times */
    QTI1_FEEDBACK = 64,                /* pieces of feedback that one response is shown */
};

/* What somebody answered: values of one response or several; NULL ends them. */
struct qti1_answer {
    const char *respidents[QTI1_RESPONSES], *values[QTI1_RESPONSES];
    int count;
};

/* What the rules make of it. */
struct qti1_result {
    double score;
    const char *feedback[QTI1_FEEDBACK]; /* idents */
    int feedback_count;
};

struct qti1_item {
    struct qti *qti;
    const struct xml_node *node, *presentation, *processing;
    struct question question;
    const char *type; /* "multiple_choice_question", as Canvas, Common Cartridge or Blackboard call it; "" */
    const struct xml_node *responses[QTI1_RESPONSES]; /* response_lid, response_str, … */
    int response_count;
    bool typed;           /* several values of a test are alternatives */
    const char *variable; /* that the rules add to */
    double maximum;       /* of it; NAN where nothing says */
};

/* Runs the item's rules over an answer. */
void qti1_run(const struct qti1_item *item, const struct qti1_answer *answer, struct qti1_result *result);

/* HTML of the material inside a node, not of responses; and as a text. */
void qti1_html(struct buffer *out, const struct xml_node *node);
const char *qti1_text(struct qti1_item *item, const struct xml_node *node, enum html_form form);

/* Text of the feedback of this ident; NULL: there is none. */
const char *qti1_feedback(struct qti1_item *item, const char *ident);

/* The feedback of this ident joins the explanation, a figure at its end becomes that of the explanation. */
void qti1_explain(struct qti1_item *item, const char *ident);

/* The key; false: the item was left out. */
bool qti1_key(struct qti1_item *item);
bool qti1_pairs(struct qti1_item *item);
/* Feedback of questions that are right or wrong as a whole: what any answer is shown explains, what only the
 * right one is shown joins it, noted; what wrong ones are shown is the question's, where it has a place. */
void qti1_whole_feedback(struct qti1_item *item, const struct qti1_answer *right, bool wrong_has_place);
bool qti1_typed(struct qti1_item *item, const struct xml_node *response);
bool qti1_numbers(struct qti1_item *item, const char *respident);

/* Feedback that only this value is shown; NULL for none. */
const char *qti1_feedback_of(struct qti1_item *item, const char *respident, const char *value);

/* The idents or values that a condition asks for, not those that it excludes, of one response where respident
 * is given. */
void qti1_wanted(struct qti1_item *item, const struct xml_node *condition, const char *respident,
                 struct qti1_answer *answer);

/* What a rule adds to the score, or sets it to; 0: nothing. */
double qti1_gives(const struct qti1_item *item, const struct xml_node *rule);

/* The labels inside a response, at most QTI1_RESPONSES. */
int qti1_labels(const struct xml_node *node, const struct xml_node *labels[static QTI1_RESPONSES], int count);

/* Whether the rules show this piece of feedback for this result. */
bool qti1_shows(const struct qti1_result *result, const char *ident);

#endif
