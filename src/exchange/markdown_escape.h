/* Texts of a pack as Markdown that reads back as the same text. */
#ifndef EXCHANGE_MARKDOWN_ESCAPE_H
#define EXCHANGE_MARKDOWN_ESCAPE_H

#include <quiztutor/exchange.h>

/* Appends a text of any length; each line but the first begins with `prefix`. `marked`: where the pack is in
 * light markup, so is the text. No line end behind it. */
void markdown_escape(struct export *export, struct buffer *out, const char *text, const char *prefix,
                     bool marked);

/* A text in one line: of a table's cell, with <br> for its line breaks; of a heading. */
void markdown_escape_cell(struct export *export, struct buffer *out, const char *text);
void markdown_escape_heading(struct export *export, struct buffer *out, const char *text);

#endif
