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
    HTML_BARE, /* one line, never markup: typed answers, items of an order, both sides of a match, titles */
    HTML_CARD, /* paragraphs, never markup: the back of a card */
};

enum {
    HTML_NESTING = 200,               /* elements inside each other; what is deeper is left out, and noted */
    HTML_FRAGMENT = 32 * 1024 * 1024, /* bytes of a fragment (pictures may stand in it); more is left out */
};

/*
 * The fragment as a text in import->arena; NULL for one that is empty then (or without memory:
 * import->failed). Needs an open question, since changes are noted there. A fragment without < and & is taken
 * as it is, with white space made single spaces as HTML does.
 *
 * p, headings, lists, tables, quotations: paragraphs; br, div, li, tr: lines; list items "- " and "1. ",
 * indented inside each other; cells parted by " | "; pre a fenced block and code, kbd, samp, tt `code`; em,
 * strong, i, b, cite, dfn, var, u, mark *emphasis*; a sub- or superscript of digits and signs the Unicode one
 * (x², H₂O), any other _x, ^x, ^(n+k). MathML becomes a line of text, (a)/(b), noted; TeX between \( and \)
 * is kept as it is, also that behind a picture of a formula. `hidden` texts and ruby's readings are kept in
 * brackets. A link keeps its words.
 */
const char *html_text(struct import *import, const char *html, ptrdiff_t length, enum html_form form);

/* Whether bytes of a file hold an element that becomes light markup (also as &lt;em&gt;): a reader sets
 * import->markup by it before the first text. False alarms are harmless. */
bool html_marks(const char *bytes, ptrdiff_t length);

#endif
