/*
 * Looking things up in the table of actions: what a key does here, and how a row's keys are written.
 */
#ifndef VIEW_ACTION_H
#define VIEW_ACTION_H

#include "signs.h"
#include <quiztutor/buffer.h>
#include <quiztutor/view.h>

/* The row works on this screen, or in this overlay, and has something to do. */
bool action_here(const struct action_row *row, const struct view *view);

/* The same, whether or not a field takes its keys for itself. */
bool action_works(const struct action_row *row, const struct view *view);

/* What the key does now. */
enum action action_find(const struct view *view, int32_t key);

/* The keys as people read them: "1-3", "↑ ↓", with the arrows' names where the signs have no arrows. */
void action_keys(const struct action_row *row, const struct view *view, struct buffer *out);

/* The footer's word: the same action has another name now and then ("summary" after the last explanation). */
const char *action_help(const struct action_row *row, const struct view *view);

/* A shorter word for it, for a kiosk whose footer has no room: its keys are all that anybody there knows of;
 * NULL: there is none. */
const char *action_brief(const struct action_row *row, const struct view *view);

/* The question on the screen, asked or answered; NULL on other screens. */
const struct question_model *action_question(const struct view *view);

#endif
