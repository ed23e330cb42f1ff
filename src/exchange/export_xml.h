/* What the writers of XML formats share: losses of questions that none of them can hold. */
#ifndef QUIZTUTOR_EXCHANGE_EXPORT_XML_H
#define QUIZTUTOR_EXCHANGE_EXPORT_XML_H

#include "export_head.h"

#include <quiztutor/exchange.h>

/* Adds what goes of a question: its source, misconceptions, ids of choices, and what its type of answer has.
 */
void export_common_losses(struct export_losses *losses, const struct question *question);

/* Whether any known wrong response has feedback (of a number or a typed text). */
const struct known_wrong *export_wrongs(const struct question *question, int *count);

/* The number of an answer with a decimal point. */
void export_number(char digits[static 400], const struct question *question);

/* The tolerance of an answer as an absolute one. */
double export_tolerance(const struct question *question);

/* A text and a figure as HTML. */
void export_html_both(struct export *export, struct buffer *out, const char *text, const char *figure);

#endif
