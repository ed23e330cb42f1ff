/*
 * Shared by the readers of QTI: qti.c (which version, tests, manifests), qti1.c and qti1_*.c (1.2), qti2.c
 * and qti2_*.c (2.x and 3.0). Names of 3.0, qti-simple-choice, are taken for those of 2.x, simpleChoice.
 */
#ifndef QUIZTUTOR_EXCHANGE_QTI_PRIVATE_H
#define QUIZTUTOR_EXCHANGE_QTI_PRIVATE_H

#include "html.h"
#include "qti.h"
#include "xml.h"

struct qti {
    struct import *import;
    const char *name;   /* of the document, for items without a title */
    struct buffer html; /* of the text that is being read */
};

/* Both return false: the open question is left out, or there is no memory. */
bool qti_leave(struct qti *qti, const char *why);
bool qti_no_memory(struct qti *qti);

/* ---- names of both kinds ---- */
bool qti_is(const struct xml_node *node, const char *name);
const struct xml_node *qti_child(const struct xml_node *node, const char *name);
const struct xml_node *qti_next(const struct xml_node *node, const char *name);
const struct xml_node *qti_find(const struct xml_node *top, const char *name);
const char *qti_attribute(const struct xml_node *node, const char *name);
/* The name as 2.x writes it, all lower case: "simplechoice". */
void qti_plain_name(char name[static 64], const struct xml_node *node);

/* The number that a text is; NAN for none. */
double qti_number(const char *text);

/* ---- choices, as both kinds have them ---- */
struct qti_choice {
    const char *identifier;
    bool fixed; /* keeps its place when the others are shuffled */
};

/* Pins for the fixed ones at both ends where the question is shuffled. */
void qti_pins(struct qti *qti, struct question *question, struct choice *choices,
              const struct qti_choice *known, int count);

/* Makes it a true/false question where its two choices say so (by identifier or text), and their order is no
 * matter; feedback of the wrong one becomes the question's. */
void qti_true_false(struct qti *qti, struct question *question);

/* Takes away the ids that choices had while they were read: systems make them up. */
void qti_drop_ids(struct qti *qti, struct question *question);

/* A text that joins the explanation. */
void qti_explain(struct qti *qti, struct question *question, const char *text);

/* qti1.c, qti2.c: all items under `root`; the title of the whole where it has one. */
void qti1_read(struct qti *qti, const struct xml_node *root);
void qti2_read_item(struct qti *qti, const struct xml_node *item);

#endif
