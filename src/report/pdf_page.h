/*
 * A report as pages of paper, from top to bottom. It is laid out in passes that are all the same; only the
 * last one draws, so that before it one knows how many pages there are and whether something must be left
 * out. Texts of a row live until the next one. Lengths are points; x from the near edge: left where the
 * language runs left to right.
 */
#ifndef REPORT_PDF_PAGE_H
#define REPORT_PDF_PAGE_H

#include "reasons.h"
#include "writer.h"

#include <quiztutor/page.h>

/* The sizes of texts, as faces and their scale. */
enum pdf_size {
    PDF_TITLE,
    PDF_SUBTITLE,
    PDF_CAPTION, /* of a chart or a table */
    PDF_TEXT,    /* cells and facts */
    PDF_STRONG,  /* likewise: values of facts, what stands out */
    PDF_HEAD,    /* of a column */
    PDF_TICK,    /* in charts */
    PDF_NOTE,    /* at the foot */
};

enum { PDF_GAP = 8 /* between columns */ };

struct pdf {
    struct writer *writer;
    struct pages *pages;
    bool drawing;
    bool raised;          /* a font has raised digits */
    double width, bottom; /* of a page's content */
    double y;             /* where the next thing stands */
    int page, of;         /* of: 0 is not known */
    bool full;            /* something stands on the page */
    struct reasons reasons, left_out, unknown;
    struct arena arena; /* texts of the row that is being made */
    struct buffer text;
    /* of the table that is being written: its structure, and its head, which each page repeats */
    bool in_table;
    bool (*head)(struct pdf *pdf, void *context);
    void *head_context;
    /* of a learner's misses, so that all stands on one page */
    bool dense;              /* smaller, closer */
    int most_misses;         /* rows; −1: all */
    int most_lines;          /* of a cell; 0: any */
    int most_misconceptions; /* rows; −1: all */
    bool shortened;          /* some cell had more */
};

/* A text in a row, or a drawing beside it. */
struct pdf_piece {
    const char *text; /* NULL: a drawing */
    enum pdf_size size;
    double x, width;
    bool far_side;
    bool foot;               /* at the foot of its row */
    const char *tag, *untag; /* structure that begins before it, ends behind it */
    double share;            /* a bar, from 0 to 1; NAN: none */
    const double *trend;     /* a row of small bars, from 0 to 1 */
    int trend_count;
    /* private */
    struct page_extent extent;
    int done; /* lines that are put */
};

/* The row as texts allow: a part of it goes to the next page only where a page is too small for all of it.
 * `tag` is its structure, or NULL; `gap` the room below. */
bool pdf_row(struct pdf *pdf, struct pdf_piece *pieces, int count, const char *tag, double gap);
bool pdf_row_height(struct pdf *pdf, struct pdf_piece *pieces, int count, double *height);

/* Shortens a text to so many lines, with "…" at its end. */
bool pdf_shorten(struct pdf *pdf, struct pdf_piece *piece, int most);

/* A text over the whole width. */
bool pdf_paragraph(struct pdf *pdf, const char *text, enum pdf_size size, const char *tag, double gap);

/* Goes to the next page unless so much has room on this one, or nothing stands on it. */
bool pdf_need(struct pdf *pdf, double height);
bool pdf_break(struct pdf *pdf);
bool pdf_page_end(struct pdf *pdf); /* puts the foot of the page */
double pdf_foot_height(const struct pdf *pdf);

/* Lets go the texts of the row before. What follows is NULL without memory, with the writer's error. */
void pdf_new_row(struct pdf *pdf);
/* A copy of pdf->text: characters that no font here has are replaced by their code points. */
const char *pdf_keep(struct pdf *pdf);
const char *pdf_shown(struct pdf *pdf, const char *text); /* any text, made visible */

/* "¹", or "(1)" where no font has the former. Appended to pdf->text. */
void pdf_footnote(struct pdf *pdf, int number);
bool pdf_find_raised(struct pdf *pdf);

/* What a cell says; with its unit where `whole`. Into pdf->text. */
void pdf_say(struct pdf *pdf, const struct report_cell *cell, const char *unit, int decimals, bool whole);

/* One line of any length; 0 without memory, with the writer's error. */
bool pdf_natural(struct pdf *pdf, const char *text, enum pdf_size size, double *width);
double pdf_line(const struct pdf *pdf, enum pdf_size size);
struct page_text pdf_text(const struct pdf *pdf, const char *text, enum pdf_size size, double width,
                          bool far_side);

/* Drawn where the pass draws. Mirrored where the language runs right to left. */
bool pdf_put(struct pdf *pdf, const char *text, enum pdf_size size, double x, double y, double width,
             bool far_side);
bool pdf_put_lines(struct pdf *pdf, const struct page_text *text, double x, double y, int first, int lines);
void pdf_rule(struct pdf *pdf, double x1, double y1, double x2, double y2, double grey);
void pdf_path(struct pdf *pdf, double x1, double y1, double x2, double y2, double width);
void pdf_dot(struct pdf *pdf, double x, double y, double width);
void pdf_bar(struct pdf *pdf, double x, double y, double width, double height);
void pdf_share(struct pdf *pdf, double x, double y, double width, double height, double share);
void pdf_trend(struct pdf *pdf, const double *values, int count, double x, double y, double width,
               double height);
void pdf_clear(struct pdf *pdf, double x, double y, double width, double height); /* makes it white */
void pdf_tag(struct pdf *pdf, const char *tag);
void pdf_untag(struct pdf *pdf, const char *tag);

bool pdf_facts(struct pdf *pdf);
bool pdf_charts(struct pdf *pdf);
/* The newest misses of a learner: they are cut where all else then has room on one page. */
bool pdf_is_misses(const struct report *report, const struct report_table *table);
bool pdf_table(struct pdf *pdf, const struct report_table *table);

#endif
