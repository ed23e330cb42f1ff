/*
 * Light markup: *emphasis*, `code` and fenced code blocks; a backslash before * or ` writes it. Rendered to a
 * text with bytes that no content can hold, since the loader refuses control characters: a screen draws them
 * as styles, everything else is given the plain rendering without them.
 */
#ifndef QUIZTUTOR_MARKUP_H
#define QUIZTUTOR_MARKUP_H

#include <quiztutor/buffer.h>
#include <stdbool.h>

enum markup_byte {
    MARKUP_EMPHASIS = 0x0e, /* emphasis from here to MARKUP_END */
    MARKUP_CODE = 0x0f,     /* code, likewise; spaces in it are kept */
    MARKUP_END = 0x10,
    MARKUP_BLOCK = 0x11, /* at the start of each line of a code block: never wrapped, spaces kept */
};

/* Appends `text` rendered. A mark without its partner stands for itself, so no text is lost. */
void markup_render(struct buffer *out, const char *text, bool styled);

/* Appends `text` so that light markup renders it as it is: a backslash before each mark. */
void markup_escape(struct buffer *out, const char *text, ptrdiff_t length);

#endif
