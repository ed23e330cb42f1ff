/*
 * What was done on a screen, as an answer to the showing that stood there: of a practice, an exam or a
 * preview. Private to app.
 */
#ifndef QUIZTUTOR_REPLY_H
#define QUIZTUTOR_REPLY_H

#include <quiztutor/response.h>
#include <quiztutor/view.h>

/* The answer's text points into the response: a reply is not copied. */
struct reply {
    struct answer answer;
    struct response response;
};

/* False where it is no answer: then response.reason says why, in words for the place where it was given. */
bool reply_take(struct reply *reply, const struct showing *showing, const struct effect *effect);

/* What is told of a near miss. */
const char *reply_spelling(void);

/* Shows beside the answer why it was not taken; `room` keeps the words until the next input. */
enum { REPLY_REMARK = 240 };
void reply_remark(struct view *view, char room[static REPLY_REMARK], const char *why);

#endif
