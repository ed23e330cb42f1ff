/*
 * What was answered, and what would have been right, in words: from a question as it was asked (body_read)
 * and the response that the store kept. And which misconceptions an answer shows.
 */
#ifndef REPORT_RESPONSE_WORDS_H
#define REPORT_RESPONSE_WORDS_H

#include <quiztutor/answer.h>
#include <quiztutor/buffer.h>

enum { RESPONSE_TAGS = PACK_CHOICES };

/* "Tensor parallelism; Pipeline parallelism"; a number or text as typed; an order's items; a match as "left =
 * right". Nothing for a blank. */
void response_words(struct buffer *out, const struct question *question, const struct answer *answer);

/* The right answer; of a text the first that is accepted; of a number with its unit. */
void response_words_right(struct buffer *out, const struct question *question);

/* A text of the question on one line, without its markup. */
void response_words_line(struct buffer *out, const struct question *question, const char *text);

/* The tags of wrong choices that were picked, of the listed wrong response that was given, or the question's
 * own after an answer not fully right (marking_feedback's rule). How many, each once; they live as long as
 * the question. */
int response_words_tags(const char *tags[static RESPONSE_TAGS], const struct question *question,
                        const struct answer *answer);

/* All that answers to the question could show, at most RESPONSE_WORDS_TAGS; and whether that is among them.
 */
enum { RESPONSE_WORDS_TAGS = PACK_LISTED + 1 };
int response_words_all_tags(const char *tags[static RESPONSE_WORDS_TAGS], const struct question *question);
bool response_words_can_show(const struct question *question, const char *tag);

#endif
