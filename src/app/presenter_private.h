/*
 * What the presenter's files share: choices as shown, and texts kept in an arena. Private to app.
 */
#ifndef QUIZTUTOR_PRESENTER_PRIVATE_H
#define QUIZTUTOR_PRESENTER_PRIVATE_H

#include <quiztutor/presenter.h>

/* The `shown`-th choice (from 0) as shown: its text, whether it is right, whether an answer picks it. */
const char *present_choice(const struct showing *showing, int shown);
bool present_choice_right(const struct showing *showing, int shown);
bool present_choice_picked(const struct showing *showing, const struct answer *answer, int shown);

/* Right texts (answer NULL), or the picked ones, in pack order, joined; in the arena. NULL without memory. */
const char *present_choices(struct arena *arena, const struct question *question,
                            const struct answer *answer);

/* NULL for an empty text, else a copy in the arena. False without memory. */
bool present_text(struct arena *arena, const struct buffer *text, const char **copy);

#endif
