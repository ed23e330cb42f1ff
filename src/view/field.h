/*
 * The one-line text field that questions and overlays share: what is typed, edited by whole cells, kept in
 * the view.
 */
#ifndef VIEW_FIELD_H
#define VIEW_FIELD_H

#include "layout.h"
#include <quiztutor/view.h>

void field_set(struct view *view, const char *text); /* the cursor at its end */

/* Takes a key or a pasted code point; false when it is none of the field's business. */
bool field_input(struct view *view, const struct input *input);

/* Draws it in one row, scrolled sideways so that the cursor is in it, and sets the focus. */
void field_draw(const struct view *view, struct grid *grid, int row, int column, int width);

/* The same on the flow's last line; returns the column of the cursor in it. */
int field_lay(struct flow *flow, const struct view *view, int column, int width);

/* Whether a key is the field's own while it is typed into. */
bool field_takes(int32_t key);

/* Keeps a question's answer while another line is typed, and brings it back: what was typed meanwhile is
 * returned, until the field is kept again. Neither does anything where no answer is typed. */
void field_keep(struct view *view);
const char *field_bring_back(struct view *view);

#endif
