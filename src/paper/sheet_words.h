/*
 * Texts of packs as they stand on a sheet: light markup rendered, its code blocks put where they can be set.
 * Private to paper.
 */
#ifndef PAPER_SHEET_WORDS_H
#define PAPER_SHEET_WORDS_H

#include <quiztutor/buffer.h>

/* Appends a text on one line. `styled`: with the bytes of markup.h for emphasis and code. */
void sheet_words_line(struct buffer *out, const char *text, bool markup, bool styled);

/* Appends a text whose paragraphs are lines, those of code blocks code: of a choice, item or pair. */
void sheet_words_short(struct buffer *out, const char *text, bool markup);

/* A text in parts: paragraphs, and code blocks of which `figure` is said. The parts are in `part`, which the
 * next call overwrites; the walk owns its buffers. */
struct sheet_words {
    struct buffer text, part;
    const char *at;
    bool figure;
};
void sheet_words_init(struct sheet_words *words, const char *text, bool markup);
bool sheet_words_next(struct sheet_words *words);   /* false at the end, and without memory */
bool sheet_words_finish(struct sheet_words *words); /* false: memory ran out on the way */

/* Appends preformatted lines: TABs as spaces up to every eighth column. */
void sheet_words_figure(struct buffer *out, const char *text);

#endif
