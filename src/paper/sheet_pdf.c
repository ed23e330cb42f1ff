/* A sheet, or copies of it, as PDF: each laid out and drawn as it comes, and all answer keys at the end. */
#include "sheet_pdf.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

#define FOOTER_GAP  1.0 /* between the footer and what is above it, in lines of the body */
#define FOOTER_RULE 0.3 /* from the footer to the line above it */

static bool start(struct sheet_printer **started, const struct pack *pack, const struct sheet_look *look,
                  bool tagged, const struct sheet_sink *sink, struct error *error)
{
    struct sheet_printer *printer = *started = memory_zero(sizeof *printer);
    if (!printer)
        return error_memory(error);
    arena_init(&printer->kept);
    printer->boxes = look->boxes;
    printer->large = look->large;
    struct page_options options = {
        .size = look->size == SHEET_LETTER ? PAGE_LETTER : PAGE_A4,
        .large = look->large,
        .tagged = tagged,
        .title = pack->title,
        .language = pack->language,
        .sink = { sink->put, sink->context },
    };
    return pages_create(&printer->pages, &options, error);
}

static void destroy(struct sheet_printer *printer)
{
    if (!printer)
        return;
    pages_destroy(printer->pages);
    sheet_pdf_keys_finish(printer);
    memory_free(printer->items);
    memory_free(printer->places);
    memory_free(printer);
}

/* The footer of pages: left who made it, right the ID, "page n of m" between them. */
struct footer {
    struct page_text left, right;
    struct page_extent left_extent, right_extent;
    bool numbered;
};

static void say_page(char text[static 64], int page, int pages)
{
    snprintf(text, 64, tr("page %d of %d"), page, pages);
}

static bool measure_footer(struct sheet_printer *printer, struct footer *footer, const char *text,
                           const char *id, struct error *error)
{
    double gap = printer->measures.line, middle = 0;
    footer->right = (struct page_text){ .text = id, .face = PAGE_SMALL };
    if (!pages_measure(printer->pages, &footer->right, &footer->right_extent, error))
        return false;
    if (footer->numbered) {
        char most[64];
        say_page(most, 100, 100); /* room is kept before pages are counted */
        struct page_text page = { .text = most, .face = PAGE_SMALL };
        struct page_extent extent;
        if (!pages_measure(printer->pages, &page, &extent, error))
            return false;
        middle = extent.width + gap;
    }
    double width = printer->measures.width - footer->right_extent.width - middle - gap;
    footer->left = (struct page_text){ .text = text, .face = PAGE_SMALL, .width = width };
    if (!pages_measure(printer->pages, &footer->left, &footer->left_extent, error)) {
        if (error && error->code == ERROR_INPUT)
            error_prefix(error, tr("the footer"));
        return false;
    }
    return true;
}

/* In the middle of the page, or of what is left between its neighbours. */
static bool put_number(struct sheet_printer *printer, const struct footer *footer, double y, int page,
                       int pages, struct error *error)
{
    char words[64];
    struct page_extent extent;
    say_page(words, page, pages);
    struct page_text text = { .text = words, .face = PAGE_SMALL };
    if (!pages_measure(printer->pages, &text, &extent, error))
        return false;
    double gap = printer->measures.line, width = printer->measures.width, x = (width - extent.width) / 2;
    double from = footer->left_extent.width + gap, to = width - footer->right_extent.width - gap;
    if (x < from || x + extent.width > to)
        x = from + (to - from - extent.width) / 2;
    return sheet_pdf_text(printer, &text, x, y, 0, 0, error);
}

static bool put_footer(struct sheet_printer *printer, const struct footer *footer, int page, int pages,
                       struct error *error)
{
    double y = printer->measures.height + FOOTER_GAP * printer->measures.line,
           margin = pages_margin(printer->pages);
    double rule = margin + y - FOOTER_RULE * printer->measures.line;
    pages_line(printer->pages, margin, rule, margin + printer->measures.width, rule);
    return sheet_pdf_text(printer, &footer->left, 0, y, 0, 0, error) &&
           (!footer->numbered || pages < 2 || put_number(printer, footer, y, page, pages, error)) &&
           sheet_pdf_text(printer, &footer->right, printer->measures.width - footer->right_extent.width, y, 0,
                          0, error);
}

const char *sheet_pdf_tag(enum sheet_block_kind kind)
{
    switch (kind) {
    case SHEET_HEADING:
        return "H1";
    case SHEET_BULLET:
    case SHEET_ITEM:
        return "LI";
    case SHEET_PAIR:
        return "TR";
    default:
        return "P";
    }
}

const char *sheet_pdf_outer_tag(enum sheet_block_kind kind)
{
    if (kind == SHEET_BULLET || kind == SHEET_ITEM)
        return "L";
    return kind == SHEET_PAIR ? "Table" : NULL;
}

/* The places of one page, from `at` on; returns the first of the next one, -1 on failure. */
static ptrdiff_t draw_page(struct sheet_printer *printer, ptrdiff_t at, struct error *error)
{
    int page = printer->places[at].page;
    const char *outer = NULL;
    int question = 0;
    bool done = pages_next(printer->pages, error);
    for (; done && at < printer->place_count && printer->places[at].page == page; at++) {
        const struct sheet_pdf_place *place = &printer->places[at];
        const struct sheet_block *block = printer->items[place->item].block;
        const char *tag = place->continued ? NULL : sheet_pdf_outer_tag(block->kind);
        if (tag != outer || block->question != question) {
            if (outer)
                pages_untag(printer->pages, outer);
            if (tag)
                pages_tag(printer->pages, tag);
            outer = tag;
            question = block->question;
        }
        done = sheet_pdf_draw(printer, place, error);
    }
    if (outer)
        pages_untag(printer->pages, outer);
    return done ? at : -1;
}

static bool set(struct sheet_printer *printer, const struct sheet_block *blocks, int count,
                const char *footer_text, const char *id, bool numbered, struct error *error)
{
    struct sheet_pdf_measures *measures = &printer->measures;
    struct footer footer = { .numbered = numbered };
    int pages;
    measures->width = pages_width(printer->pages);
    measures->line = pages_line_height(printer->pages, PAGE_BODY);
    if (!measure_footer(printer, &footer, footer_text, id, error))
        return false;
    measures->height = pages_height(printer->pages) - footer.left_extent.height - FOOTER_GAP * measures->line;
    if (!sheet_pdf_measure(printer, blocks, count, error) || !sheet_pdf_place_all(printer, &pages, error))
        return false;
    for (ptrdiff_t at = 0; at < printer->place_count;) {
        int page = printer->places[at].page;
        at = draw_page(printer, at, error);
        if (at < 0 || !put_footer(printer, &footer, page + 1, pages, error))
            return false;
    }
    return true;
}

static bool add(struct sheet_printer *printer, struct sheet *sheet, const struct sheet_look *look,
                struct error *error)
{
    struct sheet_flow flow;
    if (!sheet_flow(&flow, sheet, look, error))
        return false;
    if (flow.key > 0 && !set(printer, flow.blocks, flow.key, flow.footer, flow.id, true, error))
        return false;
    return sheet_pdf_keep(printer, &flow, error);
}

static bool end(struct sheet_printer *printer, struct error *error)
{
    for (ptrdiff_t i = 0; i < printer->key_count; i++) {
        const struct sheet_pdf_key *key = &printer->keys[i];
        if (!set(printer, key->blocks, key->count, key->footer, key->id, false, error))
            return false;
    }
    return pages_end(printer->pages, error);
}

const struct sheet_press sheet_pdf_press = { .start = start, .add = add, .end = end, .destroy = destroy };
