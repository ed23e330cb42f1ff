/*
 * HTML fragments, as Moodle, QTI and Anki have them in their texts, made into a text that a pack can hold:
 * paragraphs, line breaks, lists, code, tables, sub- and superscripts keep their structure. What a text can't
 * hold (pictures, sound, films, frames) is left out and noted as a change of the open question. The fragment
 * may be of any size and hostile: the time is linear, nothing is fetched, scripts and styles go.
 */
#ifndef QUIZTUTOR_EXCHANGE_HTML_H
#define QUIZTUTOR_EXCHANGE_HTML_H

#include <quiztutor/exchange.h>

enum html_form {
    HTML_TEXT, /* paragraphs; in light markup where import->markup is set: prompts, feedback, explanations */
    HTML_LINE, /* one line, otherwise as above: choices */
    HTML_BARE, /* one line, never markup: titles */
    HTML_CARD, /* paragraphs, never markup: the back of a card, items of an order, both sides of a match */
};

enum {
    HTML_NESTING = 200, /* elements inside each other; what is deeper keeps its words only, noted */
    HTML_FRAGMENT = 32 * 1024 * 1024, /* bytes of a fragment (pictures may stand in it); more is left out */
};

/*
 * The fragment as a text in import->arena; NULL for one that is empty then (or without memory:
 * import->failed). Changes are noted of the open question.
 *
 * p, headings, lists, tables, quotations are paragraphs; br, div, li, tr lines; items begin with "- " or "1.
 * ", in a list inside another with "-- " or "1.1. "; cells are parted by " | "; pre becomes a fenced block
 * and code, kbd, samp, tt `code`; em, strong, i, b, cite, dfn, var, u, mark *emphasis*; sub- and superscripts
 * of digits and signs the Unicode ones (x², H₂O), others _x, ^x, ^(n+k). MathML becomes a line of text,
 * (a+b)/c, noted; TeX is kept between \( and \), also that behind a picture or MathML. A picture's
 * description is kept in brackets, so are ruby's readings. A link keeps its words. A single non-breaking
 * space between words is kept, in runs they are spaces.
 */
const char *html_text(struct import *import, const char *html, ptrdiff_t length, enum html_form form);

/* The same; a <pre> that ends the fragment becomes *figure, which keeps leading spaces, where it has any or
 * is no code (NULL: there is none). */
const char *html_text_figure(struct import *import, const char *html, ptrdiff_t length, enum html_form form,
                             const char **figure);

/* Whether bytes of a file hold an element that becomes light markup (also as &lt;em&gt;): a reader sets
 * import->markup by it before the first text. False alarms are harmless. */
bool html_marks(const char *bytes, ptrdiff_t length);

#endif
