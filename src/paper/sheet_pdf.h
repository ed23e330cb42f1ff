/*
 * What the files that set a sheet as PDF share. A block is measured (sheet_pdf_block.c), placed on a page
 * (sheet_pdf_place.c), and drawn (sheet_pdf_block.c again). Places are counted from the corner where reading
 * begins; drawing mirrors them where that is the right one.
 */
#ifndef PAPER_SHEET_PDF_H
#define PAPER_SHEET_PDF_H

#include <quiztutor/memory.h>
#include <quiztutor/page.h>
#include <quiztutor/sheet.h>

extern const struct sheet_press sheet_pdf_press;

/* One text of a block: beside a label, or alone. */
struct sheet_pdf_part {
    struct page_text text;
    struct page_extent extent;
    double x; /* of its column */
};

/* A block as it is measured: a label and up to two texts, of which lines can be put alone. */
struct sheet_pdf_item {
    const struct sheet_block *block;
    struct sheet_pdf_part part, other; /* with text.text NULL: not there */
    char label[16];
    enum page_face label_face;
    double label_x;
    double above; /* room above it, but at the top of a page */
    double height;
    int lines;  /* of the longer text; 0: can't be divided */
    bool dense; /* prose in the face of keys: an answer's reasons, or a passage to read */
};

/* What is put on a page: an item, lines of it, or the sign that a question goes on. */
struct sheet_pdf_place {
    int item;
    int first, lines; /* lines 0: all */
    double y;         /* below the top margin */
    int page;         /* from 0 */
    bool continued;   /* not the item, but that its question goes on */
};

struct sheet_pdf_measures {
    double width, height; /* of a page, the footer apart */
    double line;          /* of the body */
    double digits;        /* the column of numbers */
    bool boxes;
};

struct sheet_printer {
    struct pages *pages;
    bool boxes, large;
    /* of the blocks that are being set; kept to be used again */
    struct sheet_pdf_measures measures;
    struct sheet_pdf_item *items;
    ptrdiff_t item_count, item_capacity;
    struct sheet_pdf_place *places;
    ptrdiff_t place_count, place_capacity;
    /* answer keys until the end */
    struct sheet_pdf_key *keys;
    ptrdiff_t key_count, key_capacity;
    struct sheet_pdf_words *words;
    ptrdiff_t word_count, word_capacity;
    struct arena kept;
};

/* Measures blocks from..to of a flow into items; the footer's height must be known. */
bool sheet_pdf_measure(struct sheet_printer *printer, const struct sheet_block *blocks, int count,
                       struct error *error);
/* The height of lines of an item, 0 for all that are left. */
bool sheet_pdf_lines_height(struct sheet_printer *printer, const struct sheet_pdf_item *item, int first,
                            int lines, double *height, struct error *error);
bool sheet_pdf_draw(struct sheet_printer *printer, const struct sheet_pdf_place *place, struct error *error);

/* A text from `x` on, counted from where reading begins; y below the top margin. Lines as with pages_put. */
bool sheet_pdf_text(struct sheet_printer *printer, const struct page_text *text, double x, double y,
                    int first, int lines, struct error *error);

int sheet_pdf_squares_in_row(const struct sheet_pdf_measures *measures);

/* The structure of one block of a kind; of several: NULL, "L" or "Table". */
const char *sheet_pdf_tag(enum sheet_block_kind kind);
const char *sheet_pdf_outer_tag(enum sheet_block_kind kind);

/* Places all items; says how many pages they take. */
bool sheet_pdf_place_all(struct sheet_printer *printer, int *pages, struct error *error);

/* "3. continued" */
void sheet_pdf_continued(char text[static 64], int question);

/*
 * ---- answer keys, kept until the end ----
 */
struct sheet_pdf_key {
    const struct sheet_block *blocks;
    const char *footer;
    int count;
    char id[SHEET_ID + 1];
};
struct sheet_pdf_words { /* a text that is kept once */
    const char *text;
    unsigned long hash;
};
bool sheet_pdf_keep(struct sheet_printer *printer, const struct sheet_flow *flow, struct error *error);
void sheet_pdf_keys_finish(struct sheet_printer *printer);

#endif
