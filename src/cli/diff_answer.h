/*
 * An answer key in a few words, for one line of `diff`. Private to cli.
 */
#ifndef CLI_DIFF_ANSWER_H
#define CLI_DIFF_ANSWER_H

#include <quiztutor/buffer.h>
#include <quiztutor/pack.h>

/* Appends the key of a question without choices. */
void diff_answer_write(struct buffer *out, const struct question *question);

#endif
