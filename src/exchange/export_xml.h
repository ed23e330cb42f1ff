/* What the writers of XML formats share: losses of packs and questions that none of them can hold. */
#ifndef QUIZTUTOR_EXCHANGE_EXPORT_XML_H
#define QUIZTUTOR_EXCHANGE_EXPORT_XML_H

#include <quiztutor/exchange.h>

/* What of sections a format can hold beside titles. */
enum export_sections { EXPORT_PICKS = 1, EXPORT_INTROS = 2 };

/* Tells what the head and sections have that goes; `kept`: bits of enum export_sections. */
void export_head_losses(struct export *export, unsigned kept);

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
