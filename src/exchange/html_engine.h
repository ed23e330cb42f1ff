/* The state of making a fragment a text, shared by html.c (elements), html_put.c (what is written) and
 * html_math.c (formulas, sub- and superscripts). */
#ifndef QUIZTUTOR_EXCHANGE_HTML_ENGINE_H
#define QUIZTUTOR_EXCHANGE_HTML_ENGINE_H

#include "html.h"
#include "html_element.h"
#include "html_token.h"

enum { HTML_PARTS = 3, HTML_PICTURES = 5 };

struct html_frame {
    const struct html_element *element;
    ptrdiff_t mark;              /* where what it holds begins in `out` */
    ptrdiff_t parts[HTML_PARTS]; /* of a formula: where its first children begin */
    int children;                /* so far */
    int number;                  /* of a numbered list: the next one */
    char numbered;               /* '1', 'a' or 'A' */
    bool resolved;               /* math: TeX stands in its place; an inline element: it keeps tabs */
};

enum html_break { BREAK_NONE, BREAK_LINE, BREAK_PARAGRAPH };

/* What is noted once a fragment. */
enum html_note {
    NOTE_SOUND = 1,
    NOTE_FILM = 2,
    NOTE_FRAME = 4,
    NOTE_FIELD = 8,
    NOTE_STRUCK = 16,
    NOTE_MATH = 32,
    NOTE_UNKNOWN = 64,
    NOTE_DEEP = 128,
    NOTE_INDENT = 256,
};

struct html {
    struct import *import;
    enum html_form form;
    bool markup, one_line;
    struct buffer out;
    struct buffer scratch;
    struct html_frame frames[HTML_NESTING];
    int depth;
    enum html_break pending; /* break before what comes next */
    int spaces, hard;        /* runs of spaces and non-breaking ones before what comes next */
    bool spaced;             /* the last one was a space */
    char bullet[64];         /* before what comes next */
    int emphasis, code, drop, cell, script, math, annotation;
    int tabs;                   /* > 0: inside white-space:pre, where a tab is kept */
    bool marked, coded;         /* an emphasis, a code is open in `out` */
    ptrdiff_t mark_at, code_at; /* where they begin */
    struct buffer code_text;
    ptrdiff_t closed_at; /* where the last emphasis was closed */
    int pre;             /* > 0: inside a <pre>, whose text goes to `block` */
    struct buffer block;
    bool block_code;       /* it is <pre><code> */
    ptrdiff_t figure_mark; /* of the last block, where it begins in `out`; -1: something followed */
    bool figure_code, figure_indented;
    struct buffer figure; /* its text */
    unsigned notes;
    int pictures;
};

/* html_put.c: words go out with what is pending before them. */
void html_put(struct html *html, const char *text, ptrdiff_t length);
void html_put_raw(struct html *html, const char *text); /* not escaped, no pending */
void html_flush(struct html *html);                     /* what is pending is written */
void html_close_marks(struct html *html);
void html_white(struct html *html, bool hard);
void html_break(struct html *html, enum html_break kind);
void html_run(struct html *html, const char *text, ptrdiff_t length); /* a run of text, with entities */
void html_block_end(struct html *html);

void html_put_text(struct html *html, const char *text);

/* html_picture.c: tells a picture. html_list.c: what the next item begins with, from the lists that are open;
 * the first number of a list. */
void html_picture(struct html *html, const struct html_token *token);
void html_bullet(struct html *html);
void html_numbers(struct html *html, struct html_frame *frame, const struct html_token *token);

/* html_math.c */
void html_superscript(struct buffer *out, const char *text, ptrdiff_t length);
void html_subscript(struct buffer *out, const char *text, ptrdiff_t length);
void html_script_end(struct html *html, const struct html_frame *frame);
void html_math_child(struct html *html, struct html_frame *parent);
void html_math_end(struct html *html, struct html_frame *frame);
void html_annotation(struct html *html, struct html_frame *frame, const struct html_token *token);
void html_annotation_end(struct html *html, struct html_frame *frame);

#endif
