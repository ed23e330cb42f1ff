/*
 * HTML cut into tags and texts, in linear time whatever stands in it: what is no tag is text, a tag that
 * never ends makes the rest text. Comments, scripts and styles are passed over.
 */
#ifndef QUIZTUTOR_EXCHANGE_HTML_TOKEN_H
#define QUIZTUTOR_EXCHANGE_HTML_TOKEN_H

#include <quiztutor/buffer.h>

enum { HTML_NAME = 32 };

enum html_kind { HTML_END, HTML_RUN /* of text */, HTML_OPEN, HTML_CLOSE };

struct html_token {
    enum html_kind kind;
    const char *start; /* of a run its bytes, of a tag what stands behind its name */
    ptrdiff_t length;
    char name[HTML_NAME]; /* of a tag: lower case, without a prefix, cut where it is longer */
    bool closed;          /* <br/> */
};

struct html_reader {
    const char *at, *end;
    bool no_tags; /* a tag never ended */
};

void html_next(struct html_reader *reader, struct html_token *token);

/* The value of an open tag's attribute, entities resolved, appended to `out`; false: it has none. */
bool html_attribute(const struct html_token *token, const char *name, struct buffer *out);

/* The entity that begins at text (an &), appended as the characters it stands for; its bytes. 0: it is none,
 * and nothing was appended. */
ptrdiff_t html_entity(const char *text, ptrdiff_t length, struct buffer *out);

/* The character that an entity stands for ("nbsp"); 0: it is none. */
int html_named(const char *name);

#endif
