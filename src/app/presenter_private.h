/*
 * What the presenter's files share: choices as shown, and texts kept in an arena. Private to app.
 */
#ifndef QUIZTUTOR_PRESENTER_PRIVATE_H
#define QUIZTUTOR_PRESENTER_PRIVATE_H

#include <quiztutor/day.h>
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

/* A copy of the learner's name in the arena: models outlive the practice that it was read for. */
const char *present_learner(struct arena *arena, const struct store_learner *learner);

/* A moment and its local day. */
struct present_now {
    int64_t at, today;
    int starts, offset; /* minutes after midnight; seconds east of UTC */
};
struct present_now present_now(const struct clock *clock, int day_starts);

/* Whether a question is due. Suspended ones never are, nor new ones, to which those belong that were only
 * ever left out. */
bool present_is_due(const struct store_schedule *known, const struct present_now *now);

/* When a question that is not due will be, ms since 1970; INT64_MAX: never. */
int64_t present_due_at(const struct store_schedule *known, const struct present_now *now);

/* Minutes from 1 to 60 to a moment within the next hour; 0: later, and then `day` says when, to stand after
 * "until". */
int present_until(char day[static DAY_TEXT], int64_t due_at, const struct present_now *now);

#endif
