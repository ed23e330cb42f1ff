/*
 * The parts of an answered question that two screens draw: the choices with their verdicts, the reason, and
 * what the answer is worth.
 */
#ifndef VIEW_ANSWERED_H
#define VIEW_ANSWERED_H

#include "page.h"

/* The words beside a choice: "your answer", "right answer"; NULL for a choice that does not matter. */
const char *answered_words(const struct result_model *result, int i);

/* One choice with sign and words; `lines` 1: cut to one line, 0: whole. */
void answered_lay_choice(struct flow *flow, const struct page *page, const struct pane *pane,
                         const struct result_model *result, int i, int lines);

/* For answers that are not choices: what was answered, what is right. */
void answered_lay_texts(struct flow *flow, const struct pane *pane, const struct result_model *result);

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
