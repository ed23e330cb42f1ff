/*
 * What the files of pages share: a document that is being drawn, its file, and the texts it has set. Private
 * to page*.c, which alone know cairo and pango.
 */
#ifndef PAPER_PAGE_PRIVATE_H
#define PAPER_PAGE_PRIVATE_H

#include <quiztutor/page.h>

#include <cairo.h>
#include <pango/pangocairo.h>

#include <stdint.h>

/*
 * ---- the file: what cairo writes, gathered into larger pieces, and the language that it can't say ----
 */
enum { PAGE_FILE_PIECE = 1 << 16, PAGE_FILE_CATALOG = 2048, PAGE_FILE_TAIL = 512 };

struct page_file {
    struct page_sink sink;
    struct error error; /* of the sink; nothing is put after it */
    long written;       /* bytes, those in `piece` too */
    char *piece;
    int used;
    bool ending; /* the catalog and the end of the file are looked out for */
    int matched; /* bytes of what a catalog begins with; all of them: it is being taken */
    char catalog[PAGE_FILE_CATALOG];
    int catalog_length;
    bool catalog_whole;
    char tail[PAGE_FILE_TAIL + 1]; /* the last bytes */
    int tail_length;
};

bool page_file_start(struct page_file *file, const struct page_sink *sink, struct error *error);
cairo_status_t page_file_take(void *file, const unsigned char *bytes, unsigned length); /* cairo's call */
/* After cairo's last byte: adds what the catalog lacks, and hands over what is left. */
bool page_file_end(struct page_file *file, const char *language, bool right_to_left, struct error *error);
void page_file_finish(struct page_file *file);

/*
 * ---- texts that are set, kept for when they come again ----
 */
struct page_line {
    PangoLayoutLine *line;
    bool backward;                      /* parts of it run from right to left */
    double left, top, baseline, height; /* top from that of the text, baseline from that of the line */
};
struct page_setting {
    struct page_setting *chain;         /* of the same hash */
    struct page_setting *older, *newer; /* by use */
    uint64_t hash;
    ptrdiff_t length;      /* of the text */
    struct page_text text; /* its own copy */
    PangoLayout *layout;
    struct page_line *lines;
    int count;
    double width; /* of the widest line */
};
/* Bounds what is kept, whatever the length of a run. */
enum { PAGE_SETTINGS = 512, PAGE_SETTING_BYTES = 1 << 19, PAGE_CHAINS = 1024 };

struct page_settings {
    struct page_setting *chains[PAGE_CHAINS];
    struct page_setting *oldest, *newest;
    int count;
    ptrdiff_t bytes; /* of their texts */
};

struct page_face_set { /* a face as it is used */
    PangoFontDescription *description;
    double ascent, descent, cell; /* points; cell: of a column, in the fixed face */
    double spacing;               /* of lines, times what letters take */
};

struct pages {
    struct page_file file;
    bool tagged, right_to_left;
    bool begun; /* a page is being drawn */
    double width, height;
    char language[64];
    cairo_surface_t *surface;
    cairo_t *cairo;
    PangoFontMap *map;
    PangoContext *context;
    struct page_face_set faces[PAGE_FACES];
    struct page_settings settings;
};

/* Until the next call. NULL with *error where memory or a character's font is missing. */
const struct page_setting *page_setting_find(struct pages *pages, const struct page_text *text,
                                             struct error *error);
void page_settings_finish(struct page_settings *settings);

/* ERROR_NOT_FOUND where there are none. The language must be set. */
bool page_fonts_start(struct pages *pages, bool large, struct error *error);
void page_fonts_finish(struct pages *pages);

/* Lays out: makes the layout, its lines and their places. The setting has its text. */
bool page_lay(struct pages *pages, struct page_setting *setting, struct error *error);

#endif
