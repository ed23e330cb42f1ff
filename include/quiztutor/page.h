/*
 * Pages set with pango and drawn with cairo into a PDF: texts measured before they are put, hairlines, boxes.
 * What stands where is the caller's business. Black on white. Lengths are points (1/72 inch), from the top
 * left corner of the page; texts are UTF-8. In the second program only.
 *
 * The document writes itself piece by piece into a sink, and holds no page that is done.
 */
#ifndef QUIZTUTOR_PAGE_H
#define QUIZTUTOR_PAGE_H

#include <quiztutor/error.h>
#include <stdbool.h>
#include <stddef.h>

struct pages;

enum page_size { PAGE_A4, PAGE_LETTER };
enum page_face {
    PAGE_SMALL,
    PAGE_BODY,
    PAGE_STRONG, /* body, bold */
    PAGE_HEADING,
    PAGE_KEY,        /* dense prose, so that a page of it takes little ink: lines stand further apart */
    PAGE_KEY_STRONG, /* the same, bold */
    PAGE_FIXED,      /* figures: one column width, spaces kept, never wrapped */
    PAGE_FACES
};

struct page_sink {
    bool (*put)(void *context, const char *bytes, ptrdiff_t length, struct error *error);
    void *context;
};

struct page_options {
    enum page_size size;
    bool large;           /* larger faces, wider spacing */
    bool tagged;          /* a structure of headings, paragraphs and lists for screen readers */
    const char *title;    /* of the document */
    const char *language; /* BCP 47; its script decides which way paragraphs without letters run */
    struct page_sink sink;
};

/* The margins are the same on all sides. */
bool pages_create(struct pages **pages, const struct page_options *options, struct error *error);
double pages_width(const struct pages *pages); /* between the margins */
double pages_height(const struct pages *pages);
double pages_margin(const struct pages *pages);
bool pages_right_to_left(const struct pages *pages);       /* of the language */
bool pages_next(struct pages *pages, struct error *error); /* begins a page; the first one, too */
bool pages_end(struct pages *pages, struct error *error);  /* writes what is left */
void pages_destroy(struct pages *pages);                   /* NULL is allowed */

/* A text as it is set: wrapped to `width` between words, or inside one that is longer than a line. */
struct page_text {
    const char *text;
    enum page_face face;
    double width;  /* 0: never wrapped */
    double scale;  /* of the face; 0 counts as 1 */
    bool markup;   /* has the bytes of markup.h: emphasis is slanted, code is in the fixed face */
    bool far_side; /* stands at the far end of `width`: right in a language that runs left to right */
};
struct page_extent {
    double width, height; /* of all lines */
    int lines;
    double first_line; /* from the top to the first baseline */
};
/* ERROR_INPUT names the characters that no installed font has, by code point. */
bool pages_measure(struct pages *pages, const struct page_text *text, struct page_extent *extent,
                   struct error *error);
/* The height of `lines` lines from `first` on; lines 0: of all that are left. */
bool pages_measure_lines(struct pages *pages, const struct page_text *text, int first, int lines,
                         double *height, struct error *error);
/* Puts lines from `first` on (lines 0: all that are left) with the top of the first at y, x the left edge of
 * the width. */
bool pages_put(struct pages *pages, const struct page_text *text, double x, double y, int first, int lines,
               struct error *error);

double pages_line_height(const struct pages *pages, enum page_face face);

/* Hairlines. A box of no width or height is not drawn. */
void pages_line(struct pages *pages, double x1, double y1, double x2, double y2);
void pages_box(struct pages *pages, double x, double y, double width, double height);
/* For charts: a line through points, a bar of hatching or grey; `grey` 0 black to 1 white. */
void pages_path(struct pages *pages, const double *points, int count, double width, double grey);
void pages_bar(struct pages *pages, double x, double y, double width, double height, double grey);

/* Structure for screen readers: "H1", "H2", "P", "L", "LI", "Table", "TR", "TH", "TD"; pairs nest. Nothing
 * where not tagged. */
void pages_tag(struct pages *pages, const char *tag);
void pages_untag(struct pages *pages, const char *tag);

#endif
