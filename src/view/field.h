/*
 * The one-line text field that overlays share: what is typed, edited by whole cells, kept in the view.
 */
#ifndef VIEW_FIELD_H
#define VIEW_FIELD_H

#include <quiztutor/grid.h>
#include <quiztutor/view.h>

void field_set(struct view *view, const char *text); /* the cursor at its end */

/* Takes a key or a pasted code point; false when it is none of the field's business. */
bool field_input(struct view *view, const struct input *input);

/* Draws it in one row, scrolled sideways so that the cursor is in it, and sets the focus. */
void field_draw(const struct view *view, struct grid *grid, int row, int column, int width);

#endif
