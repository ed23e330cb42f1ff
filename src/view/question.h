/*
 * The parts of a question that several screens draw: its section's text, its own, its choices with signs.
 */
#ifndef VIEW_QUESTION_H
#define VIEW_QUESTION_H

#include "page.h"

/* Prompt, figure (in `figure_width` columns, indent included) and the hints given; *hint_row is where the
 * newest hint begins (−1: none). */
void question_text(struct flow *flow, const struct page *page, const struct question_model *question,
                   const struct pane *pane, int figure_width, enum grid_role role, int *hint_row);

/* What a section's questions share: its title, the text and the figure before them. Nothing where there is
 * none. */
void question_intro(struct flow *flow, const struct page *page, const struct question_model *question,
                    int width, int figure_width);

/* Columns before a choice's text: sign, number and the gaps. */
int question_indent(const struct page *page, const struct question_model *question);

/* Begins a line of the flow with sign and number of choice i. */
void question_label(struct flow *flow, const struct page *page, const struct question_model *question, int i,
                    const char *sign, enum grid_role sign_role, enum grid_role number_role);

/* The frame with this question's title, learner and position. */
void question_frame(const struct page *page, const struct question_model *question, int answered);

#endif
