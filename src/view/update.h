/*
 * The parts of view_update that screens and overlays share.
 */
#ifndef VIEW_UPDATE_H
#define VIEW_UPDATE_H

#include <quiztutor/view.h>

/* Actions that mean the same everywhere; true when it was one. */
bool update_common(struct view *view, enum action action, struct effect *effect);

/* Home: practises the pack under the cursor; moves the cursor; takes what is typed as the filter. */
void update_practise(struct view *view, struct effect *effect);
void update_row(struct view *view, enum action action);
void update_filter(struct view *view);

/* Moves *scroll by lines, pages of `page` rows or to an end, within 0 … range. */
void update_scroll(int *scroll, int range, int page, enum action action);

/* Answers with what is chosen or typed, or asks first how sure the learner is. `doubted`: the key before has
 * asked whether it is meant so. */
void update_answer(struct view *view, const struct question_model *question, bool doubted,
                   struct effect *effect);

/* What only an exam's question does; true when it was that. `warned`: the key before has said that what is
 * chosen is not noted. */
bool update_exam(struct view *view, enum action action, bool warned, struct effect *effect);
void update_overview(struct view *view, enum action action, struct effect *effect);

/* Whether what is chosen on an exam's question is something else than what is kept of it. */
bool update_unnoted(const struct view *view);

/* A kiosk's sign-in, and the tutor's menu. */
void update_kiosk(struct view *view, enum action action, struct effect *effect);

/* A key while something lies over the screen. */
void update_overlay(struct view *view, const struct input *input, struct effect *effect);

#endif
