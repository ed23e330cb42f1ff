/*
 * The blocks of a sheet on paper: how much room each takes, and how it is drawn. All lengths follow the line
 * of the body, so that large print is the same sheet, only larger.
 */
#include "sheet_pdf.h"

#include "sheet_pdf_measures.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

#define SMALLEST 0.6 /* how far a tall figure is scaled down before it is divided instead */

/* Room above, in lines of the body: of what begins something new, and after one of its own kind. */
static const struct room {
    double first, again;
} rooms[] = {
    [SHEET_NOTE] = { 0, 0 },       [SHEET_HEADING] = { 0.8, 0.8 }, [SHEET_LINE] = { 0.25, 0.15 },
    [SHEET_NAME] = { 1, 1 },       [SHEET_INTRO] = { 1.4, 0.4 },   [SHEET_FIGURE] = { 0.5, 0.5 },
    [SHEET_PROMPT] = { 1.3, 1.3 }, [SHEET_BULLET] = { 0.4, 0.25 }, [SHEET_TRUTH] = { 0.5, 0.5 },
    [SHEET_RULE] = { 0, 0 },       [SHEET_ITEM] = { 0.4, 0.25 },   [SHEET_BOXES] = { 0.6, 0.6 },
    [SHEET_PAIR] = { 0.5, 0.4 },   [SHEET_KEY] = { 1.2, 1.1 },
};

static double room_above(const struct sheet_printer *printer, const struct sheet_block *block,
                         const struct sheet_block *before)
{
    if (!before)
        return 0;
    double room = before->kind == block->kind ? rooms[block->kind].again : rooms[block->kind].first;
    bool paragraph = (block->kind == SHEET_PROMPT || block->kind == SHEET_KEY) && block->number == 0;
    if (paragraph)
        room = 0.6;
    else if (block->kind == SHEET_PROMPT && before->question == block->question)
        room = 0.8; /* below its section's intro */
    return room * printer->measures.line;
}

void sheet_pdf_continued(char text[static 64], int question)
{
    snprintf(text, 64, tr("%d. continued"), question);
}

static bool measure_part(struct sheet_printer *printer, struct sheet_pdf_part *part, struct error *error)
{
    return !part->text.text || pages_measure(printer->pages, &part->text, &part->extent, error);
}

/* A label's face and what it takes; it stands against the text at `x`. */
static bool measure_label(struct sheet_printer *printer, struct sheet_pdf_item *item, double x,
                          struct error *error)
{
    bool strong = item->block->kind == SHEET_PROMPT || item->block->kind == SHEET_KEY;
    item->label_face = item->dense ? strong ? PAGE_KEY_STRONG : PAGE_KEY : strong ? PAGE_STRONG : PAGE_BODY;
    struct page_text text = { .text = item->label, .face = item->label_face };
    struct page_extent extent;
    if (!pages_measure(printer->pages, &text, &extent, error))
        return false;
    item->label_x = x - extent.width - LABEL_GAP * printer->measures.line;
    return true;
}

/* The width that a figure has, and the page's height, decide how large it is. */
static bool measure_figure(struct sheet_printer *printer, struct sheet_pdf_item *item, struct error *error)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    struct sheet_pdf_part *part = &item->part;
    part->x = measures->digits;
    part->text = (struct page_text){ .text = item->block->text, .face = PAGE_FIXED };
    if (!measure_part(printer, part, error))
        return false;
    double wide = (measures->width - part->x) / part->extent.width;
    double tall = (measures->height - 3 * measures->line) / part->extent.height;
    double scale = wide < 1 ? wide : 1;
    if (tall < scale)
        scale = tall > SMALLEST * scale ? tall : SMALLEST * scale;
    if (scale < 1) {
        part->text.scale = scale;
        if (!measure_part(printer, part, error))
            return false;
    }
    item->height = part->extent.height;
    item->lines = part->extent.lines;
    return true;
}

static bool measure_pair(struct sheet_printer *printer, struct sheet_pdf_item *item, struct error *error)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    const struct sheet_block *block = item->block;
    double half = (measures->width - measures->digits - COLUMN_GAP * measures->line) / 2;
    double slot = (SLOT + UNIT_GAP) * measures->line,
           far = measures->digits + half + COLUMN_GAP * measures->line;
    item->part.x = measures->digits + slot;
    item->part.text =
        (struct page_text){ block->text, PAGE_BODY, .width = half - slot, .markup = block->markup };
    item->other.x = far + measures->digits;
    item->other.text = (struct page_text){ block->other, PAGE_BODY, .width = half - measures->digits,
                                           .markup = block->markup };
    if (!measure_part(printer, &item->part, error) || !measure_part(printer, &item->other, error))
        return false;
    if (block->other) {
        snprintf(item->label, sizeof item->label, "%d) ", block->number);
        if (!measure_label(printer, item, item->other.x, error))
            return false;
    }
    item->height = item->part.extent.height > item->other.extent.height ? item->part.extent.height
                                                                        : item->other.extent.height;
    item->lines = item->part.extent.lines > item->other.extent.lines ? item->part.extent.lines
                                                                     : item->other.extent.lines;
    return true;
}

int sheet_pdf_squares_in_row(const struct sheet_pdf_measures *measures)
{
    double step = (SQUARE + SQUARE_GAP) * measures->line;
    int count = (int)((measures->width - measures->digits + SQUARE_GAP * measures->line) / step);
    return count > 0 ? count : 1;
}

/* What can't be divided: boxes, or a line to write on and the unit behind it. */
static bool measure_room(struct sheet_printer *printer, struct sheet_pdf_item *item, struct error *error)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    if (item->block->kind == SHEET_BOXES) {
        int rows = (item->block->number + sheet_pdf_squares_in_row(measures) - 1) /
                   sheet_pdf_squares_in_row(measures);
        item->height = (rows * (SQUARE + SQUARE_GAP) - SQUARE_GAP) * measures->line;
        return true;
    }
    double rule = measures->width * RULE_SHARE + UNIT_GAP * measures->line;
    item->height = RULE_HEIGHT * measures->line;
    item->part.x = measures->digits + rule;
    item->part.text =
        (struct page_text){ item->block->text, PAGE_BODY, .width = measures->width - item->part.x };
    if (!measure_part(printer, &item->part, error))
        return false;
    double below = item->part.extent.height - item->part.extent.first_line; /* of a unit that is a sentence */
    item->height += below > 0 ? below : 0;
    return true;
}

/* Where the text of a paragraph begins, and what stands before it. */
static double indent(const struct sheet_printer *printer, struct sheet_pdf_item *item)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    const struct sheet_block *block = item->block;
    switch (block->kind) {
    case SHEET_PROMPT:
    case SHEET_KEY:
        if (block->number)
            snprintf(item->label, sizeof item->label, "%d. ", block->number);
        return measures->digits;
    case SHEET_BULLET:
        if (measures->boxes)
            return measures->digits + BOX_COLUMN * measures->line;
        snprintf(item->label, sizeof item->label, "• ");
        return measures->digits + BULLET_COLUMN * measures->line;
    case SHEET_ITEM:
        snprintf(item->label, sizeof item->label, "%d) ", block->number);
        return measures->digits * 2;
    case SHEET_TRUTH:
        return measures->digits;
    default:
        return 0;
    }
}

static bool is_prose(enum sheet_block_kind kind)
{
    return kind == SHEET_PROMPT || kind == SHEET_KEY || kind == SHEET_INTRO || kind == SHEET_BULLET ||
           kind == SHEET_ITEM;
}

static double share_of(const struct sheet_printer *printer, const struct sheet_pdf_item *item)
{
    if (!item->dense)
        return QUESTION_SHARE;
    if (item->block->kind == SHEET_KEY)
        return printer->large ? KEY_SHARE_LARGE : KEY_SHARE;
    return printer->large ? PASSAGE_SHARE_LARGE : PASSAGE_SHARE;
}

static bool measure_paragraph(struct sheet_printer *printer, struct sheet_pdf_item *item, struct error *error)
{
    const struct sheet_pdf_measures *measures = &printer->measures;
    const struct sheet_block *block = item->block;
    struct page_text *text = &item->part.text;
    double x = item->part.x = indent(printer, item), widest = x + share_of(printer, item) * measures->width;
    *text = (struct page_text){ .text = block->text, .face = PAGE_BODY, .markup = block->markup };
    if (block->kind == SHEET_NOTE)
        text->face = PAGE_SMALL;
    else if (block->kind == SHEET_HEADING)
        text->face = PAGE_HEADING;
    else if (item->dense)
        text->face = PAGE_KEY;
    bool narrow = is_prose(block->kind) && widest < measures->width;
    text->width = (narrow ? widest : measures->width) - x;
    if (!measure_part(printer, &item->part, error) ||
        (*item->label && !measure_label(printer, item, x, error)))
        return false;
    item->height = item->part.extent.height;
    item->lines = item->part.extent.lines;
    return true;
}

static bool measure_item(struct sheet_printer *printer, struct sheet_pdf_item *item, struct error *error)
{
    switch (item->block->kind) {
    case SHEET_FIGURE:
        return measure_figure(printer, item, error);
    case SHEET_PAIR:
        return measure_pair(printer, item, error);
    case SHEET_RULE:
    case SHEET_BOXES:
        return measure_room(printer, item, error);
    default:
        return measure_paragraph(printer, item, error);
    }
}

static bool measure_digits(struct sheet_printer *printer, const struct sheet_block *blocks, int count,
                           struct error *error)
{
    struct page_extent extent;
    char label[16];
    int most = 10; /* sheets of few questions look like those of more */
    for (int i = 0; i < count; i++)
        if (blocks[i].number > most)
            most = blocks[i].number;
    snprintf(label, sizeof label, "%d. ", most);
    struct page_text text = { .text = label, .face = PAGE_STRONG };
    if (!pages_measure(printer->pages, &text, &extent, error))
        return false;
    printer->measures.digits = extent.width + LABEL_GAP * printer->measures.line;
    return true;
}

/* What can't be printed is said with its place. */
static bool say_where(const struct sheet_block *block, struct error *error)
{
    char where[64];
    if (error && error->code == ERROR_INPUT) {
        if (block->question)
            snprintf(where, sizeof where, tr("question %d"), block->question);
        else
            snprintf(where, sizeof where, "%s", tr("the top of the sheet"));
        error_prefix(error, where);
    }
    return false;
}

/* Whether the question, or the intro above it, that begins at `at` is a passage; *to is left behind it. */
static bool is_passage(const struct sheet_block *blocks, int count, int at, int *to)
{
    size_t bytes = 0;
    for (*to = at; *to < count && blocks[*to].question == blocks[at].question; ++*to) {
        if (*to > at && blocks[*to].kind == SHEET_PROMPT && blocks[*to].number)
            break; /* an intro ends */
        if (is_prose(blocks[*to].kind))
            bytes += strlen(blocks[*to].text);
    }
    return blocks[at].question && bytes > PASSAGE;
}

bool sheet_pdf_measure(struct sheet_printer *printer, const struct sheet_block *blocks, int count,
                       struct error *error)
{
    printer->measures.boxes = printer->boxes;
    printer->item_count = 0;
    if (!memory_grow(&printer->items, &printer->item_capacity, count, sizeof *printer->items))
        return error_memory(error);
    if (!measure_digits(printer, blocks, count, error))
        return false;
    bool passage = false;
    for (int i = 0, to = 0; i < count; i++) {
        struct sheet_pdf_item *item = &printer->items[i];
        if (i == to)
            passage = is_passage(blocks, count, i, &to);
        *item = (struct sheet_pdf_item){ .block = &blocks[i] };
        item->dense = blocks[i].kind == SHEET_KEY || (passage && is_prose(blocks[i].kind));
        item->above = room_above(printer, &blocks[i], i ? &blocks[i - 1] : NULL);
        if (!measure_item(printer, item, error))
            return say_where(&blocks[i], error);
    }
    printer->item_count = count;
    return true;
}

bool sheet_pdf_lines_height(struct sheet_printer *printer, const struct sheet_pdf_item *item, int first,
                            int lines, double *height, struct error *error)
{
    double one = 0, other = 0;
    if ((item->part.text.text &&
         !pages_measure_lines(printer->pages, &item->part.text, first, lines, &one, error)) ||
        (item->other.text.text &&
         !pages_measure_lines(printer->pages, &item->other.text, first, lines, &other, error)))
        return false;
    *height = one > other ? one : other;
    return true;
}
