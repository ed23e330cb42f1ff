/*
 * The one form of a text (PACK-FORMAT "One form of text"), the grammar of numbers, ids and language tags, and
 * when two texts are the same. Pure, but for the memory of what is made.
 */
#ifndef CONTENT_FORM_H
#define CONTENT_FORM_H

#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>

enum form { FORM_TEXT, FORM_FIGURE, FORM_MARKUP /* a text whose blocks of code keep their spaces */ };

/*
 * The text in its one form, in the arena: lines trimmed, paragraphs parted by one blank line ("\n\n"), line
 * breaks inside a paragraph ("\n") only where the scalar was literal; a figure keeps leading spaces and inner
 * blank lines, and so do the lines between two of ``` in a literal scalar under FORM_MARKUP.
 * "" when nothing is left; NULL without memory. `scratch` is working room that can be used again.
 */
const char *form_text(struct arena *arena, struct buffer *scratch, enum form form, bool literal,
                      const char *text, ptrdiff_t length);

/* Whether a block of code may begin in the text. */
bool form_has_code(const char *text, ptrdiff_t length);

/* Like text_same, without making copies where the first difference already decides. */
bool form_same(const char *one, const char *other);

/* [+−-]digits[.digits][e[+−-]digits], at most 40 characters, finite. */
bool form_number(const char *text, double *value);
/* What to do about a number that is none for its comma: "1,5", or "1,000" where it groups. */
const char *form_comma_hint(const char *text);

/* [a-z0-9][a-z0-9-]{0,63} */
bool form_is_id(const char *text);

/* The shape of a BCP 47 tag: subtags of 1 to 8 letters and digits, the first of 2 to 8 letters (or x, i). */
bool form_is_language(const char *text);

#endif
