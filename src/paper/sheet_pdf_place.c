/*
 * Blocks placed on pages. A question stays whole; one that is taller than a page is divided between its
 * blocks, and paragraphs between lines, with a word at the top of the next page. An intro stays with its
 * first question as long as both fit on one page. Below the heading something of the first question always
 * stands.
 */
#include "sheet_pdf.h"

enum { TOGETHER = 2 }; /* lines of a paragraph that don't stand alone */

struct placing {
    struct sheet_printer *printer;
    int page;
    double y;
    bool bare; /* nothing on the page */
    struct error *error;
};

static double above(const struct placing *placing, const struct sheet_pdf_item *item)
{
    return placing->bare ? 0 : item->above;
}

static bool fits(const struct placing *placing, double height)
{
    return placing->y + height <= placing->printer->measures.height + 0.01; /* sums are not exact */
}

static bool is_prompt(const struct sheet_pdf_item *item)
{
    return (item->block->kind == SHEET_PROMPT || item->block->kind == SHEET_KEY) && item->block->number > 0;
}

/* May be divided though it would fit on a page of its own. */
static bool is_paragraph(const struct sheet_pdf_item *item)
{
    return item->block->kind == SHEET_PROMPT || item->block->kind == SHEET_KEY ||
           item->block->kind == SHEET_INTRO;
}

static bool add(struct placing *placing, const struct sheet_pdf_place *place)
{
    struct sheet_printer *printer = placing->printer;
    if (!memory_grow(&printer->places, &printer->place_capacity, printer->place_count + 1,
                     sizeof *printer->places))
        return error_memory(placing->error);
    printer->places[printer->place_count] = *place;
    printer->places[printer->place_count].page = placing->page;
    printer->places[printer->place_count++].y = placing->y;
    placing->bare = false;
    return true;
}

static void turn(struct placing *placing)
{
    if (placing->bare)
        return;
    placing->page++;
    placing->y = 0;
    placing->bare = true;
}

/* Goes on with a question of which something stands on the page before. */
static bool turn_within(struct placing *placing, int item, bool begun)
{
    if (placing->bare)
        return true;
    turn(placing);
    if (!begun)
        return true;
    if (!add(placing, &(struct sheet_pdf_place){ .item = item, .continued = true }))
        return false;
    placing->y += placing->printer->measures.line * 1.5;
    return true;
}

static double height_of(const struct placing *placing, int from, int to)
{
    double height = 0;
    for (int i = from; i < to; i++) {
        const struct sheet_pdf_item *item = &placing->printer->items[i];
        height += item->height + (i > from ? item->above : above(placing, item));
    }
    return height;
}

static bool place_whole(struct placing *placing, int from, int to)
{
    for (int i = from; i < to; i++) {
        const struct sheet_pdf_item *item = &placing->printer->items[i];
        placing->y += above(placing, item);
        if (!add(placing, &(struct sheet_pdf_place){ .item = i }))
            return false;
        placing->y += item->height;
    }
    return true;
}

/* How many lines from `first` on fit here, and how tall they are. */
static bool count_lines(struct placing *placing, const struct sheet_pdf_item *item, int first, int *lines,
                        double *height)
{
    int low = 0, high = item->lines - first;
    *height = 0;
    while (low < high) {
        int middle = low + (high - low + 1) / 2;
        double tall;
        if (!sheet_pdf_lines_height(placing->printer, item, first, middle, &tall, placing->error))
            return false;
        if (fits(placing, tall)) {
            low = middle;
            *height = tall;
        } else {
            high = middle - 1;
        }
    }
    *lines = low;
    return true;
}

/* An item by its lines, over as many pages as it takes. */
static bool place_lines(struct placing *placing, int index, bool begun)
{
    const struct sheet_pdf_item *item = &placing->printer->items[index];
    bool top = placing->bare;
    placing->y += above(placing, item);
    for (int first = 0; first < item->lines;) {
        int lines, left = item->lines - first;
        double height;
        if (!count_lines(placing, item, first, &lines, &height))
            return false;
        if (lines < left && left - lines < TOGETHER && lines > TOGETHER)
            lines = left - TOGETHER;
        if (lines < left && lines < TOGETHER && !top) {
            if (!turn_within(placing, index, begun || first > 0))
                return false;
            top = true;
            continue;
        }
        if (lines < 1)
            lines = 1;
        if (!sheet_pdf_lines_height(placing->printer, item, first, lines, &height, placing->error) ||
            !add(placing, &(struct sheet_pdf_place){ .item = index, .first = first, .lines = lines }))
            return false;
        first += lines;
        placing->y += height;
        top = false;
    }
    return true;
}

/* Items one after another, from here on. */
static bool place_divided(struct placing *placing, int from, int to)
{
    bool begun = false;
    for (int i = from; i < to; i++) {
        const struct sheet_pdf_item *item = &placing->printer->items[i];
        double room = placing->printer->measures.height - 2 * placing->printer->measures.line;
        bool tall = item->lines > 1 && (is_paragraph(item) || item->height > room);
        if (!fits(placing, above(placing, item) + item->height) && !tall && !turn_within(placing, i, begun))
            return false;
        if (fits(placing, above(placing, item) + item->height) || !tall) {
            if (!place_whole(placing, i, i + 1))
                return false;
        } else if (!place_lines(placing, i, begun)) {
            return false;
        }
        begun = begun || is_prompt(item);
    }
    return true;
}

/* A question and what is above it. `heading`: only the heading is on this page, and must not stay alone. */
static bool place_question(struct placing *placing, int from, int to, bool heading)
{
    double page = placing->printer->measures.height, height = height_of(placing, from, to);
    int prompt = from;
    while (prompt < to && !is_prompt(&placing->printer->items[prompt]))
        prompt++;
    if (fits(placing, height))
        return place_whole(placing, from, to);
    if (!heading && height - above(placing, &placing->printer->items[from]) <= page) {
        turn(placing);
        return place_whole(placing, from, to);
    }
    if (!heading && placing->y > page / 2)
        turn(placing);
    if (prompt > from && prompt < to)
        return place_divided(placing, from, prompt) && place_question(placing, prompt, to, false);
    return place_divided(placing, from, to);
}

bool sheet_pdf_place_all(struct sheet_printer *printer, int *pages, struct error *error)
{
    struct placing placing = { .printer = printer, .bare = true, .error = error };
    int count = (int)printer->item_count, at = 0;
    printer->place_count = 0;
    while (at < count && printer->items[at].block->question == 0)
        at++;
    if (!place_divided(&placing, 0, at))
        return false;
    for (int from = at, to; from < count; from = to) {
        to = from + 1;
        while (to < count && printer->items[to].block->question == printer->items[from].block->question)
            to++;
        if (!place_question(&placing, from, to, from == at && at > 0))
            return false;
    }
    *pages = placing.page + 1;
    return true;
}
