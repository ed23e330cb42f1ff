/*
 * The parts of an answered question that two screens draw: the answer with its verdicts, the reason, and what
 * the answer is worth.
 */
#ifndef VIEW_ANSWERED_H
#define VIEW_ANSWERED_H

#include "page.h"

enum answered_form {
    ANSWERED_WHOLE,
    ANSWERED_MATTERS, /* what has to do with the answer or the key */
    ANSWERED_CUT,     /* the same, a line each */
};

/* What was answered and what is right, with signs and words. From `room` lines on (0: however many) it says
 * how many more there are. Returns how many matter. */
int answered_lay(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, enum answered_form form, int room);

/* Lines of its shortest form. */
int answered_least(const struct page *page, const struct pane *pane, const struct result_model *result);

/* Feedback, explanation, figure and source. */
void answered_lay_reason(struct flow *flow, const struct page *page, const struct pane *pane,
                         const struct result_model *result);

/* "Not quite", "Left blank". */
void answered_verdict(const struct result_model *result, const char **words, enum grid_role *role);

/* "0.5 of 2 marks · certain: −6 certainty marks", as far as there is something to say beyond the verdict;
 * `brief` leaves out what the certainty marks are called. "" for nothing. */
const char *answered_worth(struct flow *flow, const struct page *page, const struct result_model *result,
                           bool brief);

#endif
