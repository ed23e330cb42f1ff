/* What the files that read responses share. Private to scoring. */
#ifndef SCORING_RESPONSE_PRIVATE_H
#define SCORING_RESPONSE_PRIVATE_H

#include <quiztutor/response.h>

void response_unreadable(struct response *response, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A typed number or text, white space at its ends taken. */
void response_read_number(struct response *response, const struct question *question, const char *text,
                          ptrdiff_t length);
void response_read_text(struct response *response, const char *text, ptrdiff_t length);

/* Numbers in a row: the items of an order, or a target for each left of a match. */
void response_read_order(struct response *response, const struct showing *showing, const char *line,
                         ptrdiff_t length);
void response_read_match(struct response *response, const struct showing *showing, const char *line,
                         ptrdiff_t length);

void response_read_grade(struct response *response, const char *line, ptrdiff_t length);

/* Whether the line is that word, case aside. */
bool response_is_word(const char *line, ptrdiff_t length, const char *word);

#endif
