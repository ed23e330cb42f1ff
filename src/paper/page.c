/*
 * Pages: a document that is drawn page by page, its lines and boxes, and its structure. Fonts are in
 * page_font.c, texts in page_setting.c and page_lay.c, the file in page_file.c.
 *
 * glib, under pango, ends the program where it gets no memory; what is ours reports it.
 */
#include "page_private.h"

#include <quiztutor/memory.h>
#include <quiztutor/message.h>

#include <cairo-pdf.h>

#include <stdio.h>
#include <string.h>

#define MARGIN   54.0 /* points: three quarters of an inch */
#define HAIRLINE 0.5

static const struct size {
    double width, height;
} sizes[] = { [PAGE_A4] = { 595.276, 841.89 }, [PAGE_LETTER] = { 612, 792 } };

static void set_language(struct pages *pages, const char *language)
{
    static const char tag[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-";
    if (!language || !*language || strlen(language) >= sizeof pages->language ||
        strspn(language, tag) < strlen(language))
        language = "en";
    snprintf(pages->language, sizeof pages->language, "%s", language);
    pages->right_to_left = message_right_to_left(language);
}

static bool drawn(struct pages *pages, struct error *error)
{
    cairo_status_t status = cairo_status(pages->cairo);
    if (status == CAIRO_STATUS_SUCCESS)
        status = cairo_surface_status(pages->surface);
    if (pages->file.error.code != ERROR_NONE) {
        if (error)
            *error = pages->file.error;
        return false;
    }
    if (status == CAIRO_STATUS_SUCCESS)
        return true;
    if (status == CAIRO_STATUS_NO_MEMORY)
        return error_memory(error);
    return error_set(error, ERROR_DAMAGED, tr("the page can't be drawn: %s"), cairo_status_to_string(status));
}

/* A title is one line. */
static bool set_title(struct pages *pages, const char *title, struct error *error)
{
    char *line = memory_text(title ? title : "");
    if (!line)
        return error_memory(error);
    for (char *c = line; *c; c++)
        if ((unsigned char)*c < ' ')
            *c = ' ';
    cairo_pdf_surface_set_metadata(pages->surface, CAIRO_PDF_METADATA_TITLE, line);
    memory_free(line);
    cairo_pdf_surface_set_metadata(pages->surface, CAIRO_PDF_METADATA_CREATOR,
                                   "quiztutor " QUIZTUTOR_VERSION);
    /* what is no date takes away the one of now, so that the same document is the same file */
    cairo_pdf_surface_set_metadata(pages->surface, CAIRO_PDF_METADATA_CREATE_DATE, "none");
    return true;
}

bool pages_create(struct pages **created, const struct page_options *options, struct error *error)
{
    struct pages *pages = memory_zero(sizeof *pages);
    *created = NULL;
    if (!pages)
        return error_memory(error);
    pages->tagged = options->tagged;
    pages->width = sizes[options->size].width;
    pages->height = sizes[options->size].height;
    set_language(pages, options->language);
    if (!page_file_start(&pages->file, &options->sink, error) ||
        !page_fonts_start(pages, options->large, error))
        goto out;
    pages->surface =
        cairo_pdf_surface_create_for_stream(page_file_take, &pages->file, pages->width, pages->height);
    /* of later ones nothing is needed, and their cross-references can't be added to in plain text */
    cairo_pdf_surface_restrict_to_version(pages->surface, CAIRO_PDF_VERSION_1_4);
    pages->cairo = cairo_create(pages->surface);
    if (!set_title(pages, options->title, error) || !drawn(pages, error))
        goto out;
    *created = pages;
    return true;
out:
    pages_destroy(pages);
    return false;
}

void pages_destroy(struct pages *pages)
{
    if (!pages)
        return;
    page_settings_finish(&pages->settings);
    if (pages->cairo)
        cairo_destroy(pages->cairo);
    if (pages->surface) {
        /* a document that was given up is not written to its end */
        if (pages->file.error.code == ERROR_NONE)
            error_set(&pages->file.error, ERROR_INTERRUPTED, "given up");
        cairo_surface_finish(pages->surface);
        cairo_surface_destroy(pages->surface);
    }
    page_fonts_finish(pages);
    page_file_finish(&pages->file);
    memory_free(pages);
}

double pages_width(const struct pages *pages)
{
    return pages->width - 2 * MARGIN;
}

double pages_height(const struct pages *pages)
{
    return pages->height - 2 * MARGIN;
}

double pages_margin(const struct pages *pages)
{
    (void)pages;
    return MARGIN;
}

bool pages_right_to_left(const struct pages *pages)
{
    return pages->right_to_left;
}

bool pages_next(struct pages *pages, struct error *error)
{
    if (pages->begun)
        cairo_show_page(pages->cairo);
    else
        pages_tag(pages, "Document"); /* the one root that readers look for */
    pages->begun = true;
    return drawn(pages, error);
}

bool pages_end(struct pages *pages, struct error *error)
{
    if (pages->begun) {
        pages_untag(pages, "Document");
        cairo_show_page(pages->cairo);
    }
    pages->begun = false;
    if (!drawn(pages, error))
        return false;
    pages->file.ending = true;
    cairo_surface_finish(pages->surface);
    return drawn(pages, error) && page_file_end(&pages->file, pages->language, pages->right_to_left, error);
}

bool pages_measure(struct pages *pages, const struct page_text *text, struct page_extent *extent,
                   struct error *error)
{
    const struct page_setting *setting = page_setting_find(pages, text, error);
    if (!setting)
        return false;
    const struct page_line *last = &setting->lines[setting->count - 1];
    *extent = (struct page_extent){ .width = setting->width,
                                    .height = last->top + last->height,
                                    .lines = setting->count,
                                    .first_line = setting->lines[0].baseline };
    return true;
}

/* Puts `first` and `lines` within what there is; false where nothing is left. */
static bool clamp_lines(const struct page_setting *setting, int *first, int *lines)
{
    if (*first < 0)
        *first = 0;
    if (*first >= setting->count)
        return false;
    if (*lines <= 0 || *lines > setting->count - *first)
        *lines = setting->count - *first;
    return true;
}

bool pages_measure_lines(struct pages *pages, const struct page_text *text, int first, int lines,
                         double *height, struct error *error)
{
    const struct page_setting *setting = page_setting_find(pages, text, error);
    *height = 0;
    if (!setting)
        return false;
    if (clamp_lines(setting, &first, &lines)) {
        const struct page_line *last = &setting->lines[first + lines - 1];
        *height = last->top + last->height - setting->lines[first].top;
    }
    return true;
}

/*
 * pango draws the parts of a line from left to right. Where some run the other way they are put in the order
 * in which they are read, each at its place: that is how they come out of the file, to a screen reader for
 * one.
 */
static void put_in_reading_order(struct pages *pages, const struct page_setting *setting,
                                 const struct page_line *line, double x, double y)
{
    const char *text = pango_layout_get_text(setting->layout);
    for (int done = -1;;) {
        PangoLayoutRun *next = NULL;
        double at = x, left = x;
        for (GSList *each = line->line->runs; each; each = each->next) {
            PangoLayoutRun *run = each->data;
            if (run->item->offset > done && (!next || run->item->offset < next->item->offset)) {
                next = run;
                left = at;
            }
            at += (double)pango_glyph_string_get_width(run->glyphs) / PANGO_SCALE;
        }
        if (!next)
            return;
        done = next->item->offset;
        cairo_move_to(pages->cairo, left, y);
        pango_cairo_show_glyph_item(pages->cairo, text, next);
    }
}

bool pages_put(struct pages *pages, const struct page_text *text, double x, double y, int first, int lines,
               struct error *error)
{
    const struct page_setting *setting = page_setting_find(pages, text, error);
    if (!setting)
        return false;
    if (!clamp_lines(setting, &first, &lines))
        return true;
    double up = setting->lines[first].top;
    for (int i = first; i < first + lines; i++) {
        const struct page_line *line = &setting->lines[i];
        cairo_move_to(pages->cairo, x + line->left, y - up + line->top + line->baseline);
        if (line->backward)
            put_in_reading_order(pages, setting, line, x + line->left, y - up + line->top + line->baseline);
        else
            pango_cairo_show_layout_line(pages->cairo, line->line);
    }
    return true;
}

double pages_line_height(const struct pages *pages, enum page_face face)
{
    return (pages->faces[face].ascent + pages->faces[face].descent) * pages->faces[face].spacing;
}

void pages_line(struct pages *pages, double x1, double y1, double x2, double y2)
{
    const double points[] = { x1, y1, x2, y2 };
    pages_path(pages, points, 2, HAIRLINE, 0);
}

void pages_box(struct pages *pages, double x, double y, double width, double height)
{
    if (width <= 0 || height <= 0)
        return;
    cairo_set_line_width(pages->cairo, HAIRLINE);
    cairo_rectangle(pages->cairo, x, y, width, height);
    cairo_stroke(pages->cairo);
}

void pages_path(struct pages *pages, const double *points, int count, double width, double grey)
{
    if (count < 2)
        return;
    cairo_set_line_width(pages->cairo, width);
    cairo_set_source_rgb(pages->cairo, grey, grey, grey);
    cairo_move_to(pages->cairo, points[0], points[1]);
    for (int i = 1; i < count; i++)
        cairo_line_to(pages->cairo, points[2 * i], points[2 * i + 1]);
    cairo_stroke(pages->cairo);
    cairo_set_source_rgb(pages->cairo, 0, 0, 0);
}

void pages_bar(struct pages *pages, double x, double y, double width, double height, double grey)
{
    if (width <= 0 || height <= 0)
        return;
    cairo_set_source_rgb(pages->cairo, grey, grey, grey);
    cairo_rectangle(pages->cairo, x, y, width, height);
    cairo_fill(pages->cairo);
    cairo_set_source_rgb(pages->cairo, 0, 0, 0);
}

void pages_tag(struct pages *pages, const char *tag)
{
    if (pages->tagged)
        cairo_tag_begin(pages->cairo, tag, NULL);
}

void pages_untag(struct pages *pages, const char *tag)
{
    if (pages->tagged)
        cairo_tag_end(pages->cairo, tag);
}
