/*
 * What the presenter's files share: questions as shown and answered, and texts kept in an arena. Private to
 * app.
 */
#ifndef QUIZTUTOR_PRESENTER_PRIVATE_H
#define QUIZTUTOR_PRESENTER_PRIVATE_H

#include <quiztutor/day.h>
#include <quiztutor/presenter.h>

/*
 * What the texts of a model are made in. Texts of a pack in light markup are rendered: with the bytes of
 * markup.h where the screens are `styled`, else without a mark; those of an instance are copied, since it
 * lives no longer than its showing. `failed`: there was no memory for one.
 */
struct present {
    struct arena *arena;
    bool styled;
    bool bare; /* for scripts: numbers without their units */
    bool failed;
};

/* For models whose texts are kept in `arena`. */
struct present present_in(const struct presenter *presenter, struct arena *arena);

/* A text of a question in the pack's markup; one that is none, as a figure; a text of a pack. NULL for NULL.
 */
const char *present_words(struct present *present, const struct question *question, const char *text);
const char *present_copied(struct present *present, const struct question *question, const char *text);
const char *present_rendered(struct present *present, bool markup, const char *text);

/* NULL for an empty text, else a copy in the arena. False without memory. */
bool present_text(struct arena *arena, const struct buffer *text, const char **copy);

/*
 * A question as it is shown: all that its pack and the showing say of it. What the learner did with it, its
 * place and its hints that are given are the caller's to fill in; `hints` holds all of them.
 */
bool present_asked(struct present *present, struct question_model *model, const struct pack *pack,
                   const struct showing *showing);
bool present_shown(struct present *present, struct question_model *model,
                   const struct showing *showing); /* without what the pack says */

/* What an answer is, by places as shown: given, given_text, given_at. A blank one is none. */
void present_given(struct present *present, struct question_model *model, const struct showing *showing,
                   const struct answer *answer);

/* A marked answer: verdict, texts and signs of a result, whose `question` is made already. */
bool present_marked(struct present *present, struct result_model *model, const struct showing *showing,
                    const struct answer *answer, const struct verdict *verdict);

/* The right answers of a result model, in words: also a preview's. */
bool present_answers(struct present *present, const struct showing *showing, const char *const **answers,
                     int *count);

/* Whether the choice shown at a place (from 0) is right. */
bool present_choice_right(const struct showing *showing, int shown);

/* What would have been right, or what was answered, in one line; "" without memory. */
const char *present_said(struct present *present, const struct result_model *model, bool right);

/* The question at a place of an exam, with what is noted of it. */
bool present_sat(struct present *present, struct question_model *model, const struct sitting *sitting,
                 int place);

/* An exam's title; what the question at a place stands under at a glance and on the paper: its section, or
 * its pack where several are asked. `before`: what the one before it stands under. NULL for nothing. */
const char *present_exam_title(struct arena *arena, const struct sitting *sitting);
const char *present_exam_heading(struct arena *arena, const struct sitting *sitting, int place,
                                 const char *before);

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
