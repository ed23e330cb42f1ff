/* An item of QTI 2.x or 3.0 while it is read: qti2.c (the item), qti2_score.c (how it is marked), qti2_key.c
 * (its interaction as an answer key). */
#ifndef QUIZTUTOR_EXCHANGE_QTI2_H
#define QUIZTUTOR_EXCHANGE_QTI2_H

#include "qti_private.h"

enum {
    QTI_VALUES = 1000,  /* right values of a response, and entries of a mapping */
    QTI_FEEDBACK = 200, /* pieces of feedback of an item */
};

enum qti_score {
    QTI_SCORE_NONE,  /* nothing says how it is marked */
    QTI_SCORE_MATCH, /* right or wrong, by the correct response */
    QTI_SCORE_MAP,   /* by the mapping */
    QTI_SCORE_OTHER, /* by rules that are not read */
};

struct qti_entry {
    const char *key;
    double value;
    bool case_sensitive;
};

struct qti_response {
    const struct xml_node *declaration;
    bool single, ordered; /* cardinality */
    const char *type;     /* baseType */
    const char **values;  /* right ones */
    int value_count;
    struct qti_entry *entries;
    int entry_count;
    bool mapped;
    double otherwise, lower, upper; /* of the mapping; NAN where absent */
};

struct qti_item {
    struct qti *qti;
    const struct xml_node *node, *body, *interaction;
    char name[64]; /* of the interaction, plain */
    bool alone;    /* the gap stands in a paragraph of its own */
    struct question question;
    struct qti_response response;
    enum qti_score score;
    double full;      /* the score of a right response, where it is said; else NAN */
    bool case_counts; /* texts are compared exactly */
    double tolerance; /* of a number: absolute, or in per cent */
    bool relative;
    int figures;
};

/* The texts of the item: HTML of what an element holds, without interactions and feedback. */
const char *qti2_text(struct qti_item *item, const struct xml_node *node, enum html_form form);

const char *qti2_text_figure(struct qti_item *item, const struct xml_node *node, const char **figure);

/* Text of the feedback inside a choice; NULL for none. */
const char *qti2_inline_feedback(struct qti_item *item, const struct xml_node *choice);

/* Reads the response that the interaction declares, and how it is marked. False: no memory. */
bool qti2_read_response(struct qti_item *item);

/* Marks of the question. */
double qti2_marks(const struct qti_item *item);

/* The key; false: the item was left out. */
bool qti2_key(struct qti_item *item);

/* Whether a key can be made of its interaction; else it was left out. */
bool qti2_known(struct qti_item *item);

#endif
