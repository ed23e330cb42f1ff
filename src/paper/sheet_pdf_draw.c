/* Blocks drawn where they were placed, from the side where reading begins. */
#include "sheet_pdf.h"

#include "sheet_pdf_measures.h"

/* The left edge of what is `width` wide and begins at `x`. */
static double left_of(const struct sheet_printer *printer, double x, double width)
{
    double from = pages_margin(printer->pages);
    return from + (pages_right_to_left(printer->pages) ? printer->measures.width - x - width : x);
}

static double top_of(const struct sheet_printer *printer, double y)
{
    return pages_margin(printer->pages) + y;
}

static void draw_line(struct sheet_printer *printer, double x, double y, double width)
{
    double left = left_of(printer, x, width);
    pages_line(printer->pages, left, top_of(printer, y), left + width, top_of(printer, y));
}

static void draw_box(struct sheet_printer *printer, double x, double y, double side)
{
    pages_box(printer->pages, left_of(printer, x, side), top_of(printer, y), side, side);
}

bool sheet_pdf_text(struct sheet_printer *printer, const struct page_text *text, double x, double y,
                    int first, int lines, struct error *error)
{
    struct page_extent extent = { .width = text->width };
    if (text->width <= 0 && !pages_measure(printer->pages, text, &extent, error))
        return false;
    return pages_put(printer->pages, text, left_of(printer, x, extent.width), top_of(printer, y), first,
                     lines, error);
}

static bool draw_label(struct sheet_printer *printer, const struct sheet_pdf_item *item, double baseline,
                       struct error *error)
{
    struct page_text text = { .text = item->label, .face = item->label_face };
    struct page_extent extent;
    return pages_measure(printer->pages, &text, &extent, error) &&
           sheet_pdf_text(printer, &text, item->label_x, baseline - extent.first_line, 0, 0, error);
}

static bool draw_part(struct sheet_printer *printer, const struct sheet_pdf_part *part, double y, int first,
                      int lines, struct error *error)
{
    return !part->text.text || first >= part->extent.lines ||
           sheet_pdf_text(printer, &part->text, part->x, y, first, lines, error);
}

static void draw_squares(struct sheet_printer *printer, const struct sheet_pdf_item *item, double y)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    double side = SQUARE * measures->line, step = (SQUARE + SQUARE_GAP) * measures->line;
    int row = sheet_pdf_squares_in_row(measures);
    for (int i = 0; i < item->block->number; i++)
        draw_box(printer, measures->digits + i % row * step, y + i / row * step, side);
}

static bool draw_rule(struct sheet_printer *printer, const struct sheet_pdf_item *item, double y,
                      struct error *error)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    bool unit = item->part.text.text != NULL;
    double at = y + RULE_HEIGHT * measures->line;
    draw_line(printer, measures->digits, at, measures->width * (unit ? RULE_SHARE : LONG_RULE));
    return draw_part(printer, &item->part, at - item->part.extent.first_line, 0, 0, error);
}

/* What is drawn beside the first lines of texts. */
static bool draw_beside(struct sheet_printer *printer, const struct sheet_pdf_item *item, double y,
                        struct error *error)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    enum sheet_block_kind kind = item->block->kind;
    double baseline = y + item->part.extent.first_line;
    if (kind == SHEET_BULLET && measures->boxes)
        draw_box(printer, measures->digits, baseline - BOX * measures->line + BOX_DROP * measures->line,
                 BOX * measures->line);
    if (kind == SHEET_PAIR && item->part.text.text)
        draw_line(printer, measures->digits, baseline + BOX_DROP * measures->line, SLOT * measures->line);
    if (kind == SHEET_PAIR)
        baseline = y + item->other.extent.first_line;
    return kind == SHEET_PAIR || !*item->label || draw_label(printer, item, baseline, error);
}

static bool draw_pair(struct sheet_printer *printer, const struct sheet_pdf_item *item,
                      const struct sheet_pdf_place *place, struct error *error)
{
    bool done = true;
    pages_tag(printer->pages, "TD");
    if (place->first == 0)
        done = draw_beside(printer, item, place->y, error);
    done = done && draw_part(printer, &item->part, place->y, place->first, place->lines, error);
    pages_untag(printer->pages, "TD");
    pages_tag(printer->pages, "TD");
    if (done && place->first == 0 && *item->label)
        done = draw_label(printer, item, place->y + item->other.extent.first_line, error);
    done = done && draw_part(printer, &item->other, place->y, place->first, place->lines, error);
    pages_untag(printer->pages, "TD");
    return done;
}

static bool draw_continued(struct sheet_printer *printer, int question, double y, struct error *error)
{
    char words[64];
    sheet_pdf_continued(words, question);
    struct page_text text = { .text = words, .face = PAGE_SMALL };
    return sheet_pdf_text(printer, &text, 0, y, 0, 0, error);
}

bool sheet_pdf_draw(struct sheet_printer *printer, const struct sheet_pdf_place *place, struct error *error)
{
    const struct sheet_pdf_item *item = &printer->items[place->item];
    bool words = place->continued || item->part.text.text || item->other.text.text;
    const char *tag = sheet_pdf_tag(place->continued ? SHEET_LINE : item->block->kind);
    bool done = true;
    if (words)
        pages_tag(printer->pages, tag);
    if (place->continued)
        done = draw_continued(printer, item->block->question, place->y, error);
    else if (item->block->kind == SHEET_PAIR)
        done = draw_pair(printer, item, place, error);
    else if (item->block->kind == SHEET_RULE)
        done = draw_rule(printer, item, place->y, error);
    else if (item->block->kind == SHEET_BOXES)
        draw_squares(printer, item, place->y);
    else
        done = (place->first > 0 || draw_beside(printer, item, place->y, error)) &&
               draw_part(printer, &item->part, place->y, place->first, place->lines, error);
    if (words)
        pages_untag(printer->pages, tag);
    return done;
}
