/* Pages, and rows that flow over them. */
#include "pdf_page.h"

#include "cell.h"

#include <quiztutor/message.h>

#include <math.h>

#define FOOT_GAP  6
#define BAR_INSET 1.5

double pdf_foot_height(const struct pdf *pdf)
{
    return pdf_line(pdf, PDF_NOTE) + FOOT_GAP;
}

bool pdf_page_end(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    double y = pdf->bottom + FOOT_GAP, half = pdf->width / 2 - PDF_GAP;
    struct arena row = pdf->arena; /* a row may be under way */
    bool done = false;
    if (!pdf->drawing)
        return true;
    arena_init(&pdf->arena);
    buffer_clear(&pdf->text);
    buffer_text(&pdf->text, "quiztutor");
    if (report->made.kind == CELL_MOMENT) {
        buffer_text(&pdf->text, " \xc2\xb7 ");
        cell_say(&pdf->text, &report->made, NULL, 0);
    }
    const char *made = pdf_keep(pdf);
    if (!made || !pdf_put(pdf, made, PDF_NOTE, 0, y, half, false))
        goto out;
    buffer_clear(&pdf->text);
    if (pdf->of > 1)
        buffer_print(&pdf->text, tr("page %d of %d"), pdf->page, pdf->of);
    else if (pdf->of == 0)
        buffer_print(&pdf->text, tr("page %d"), pdf->page);
    const char *number = pdf_keep(pdf);
    done = number && (!*number || pdf_put(pdf, number, PDF_NOTE, pdf->width - half, y, half, true));
out:
    arena_finish(&pdf->arena);
    pdf->arena = row;
    return done;
}

bool pdf_break(struct pdf *pdf)
{
    bool (*head)(struct pdf *, void *) = pdf->head;
    if (pdf->page > 0) {
        if (pdf->in_table)
            pdf_untag(pdf, "Table");
        if (!pdf_page_end(pdf))
            return false;
    }
    pdf->page++;
    pdf->y = 0;
    pdf->full = false;
    if (pdf->drawing && !pages_next(pdf->pages, pdf->writer->error))
        return false;
    if (pdf->in_table)
        pdf_tag(pdf, "Table");
    pdf->head = NULL; /* which has room on a page by itself */
    bool done = !head || head(pdf, pdf->head_context);
    pdf->head = head;
    pdf->full = false;
    return done;
}

bool pdf_need(struct pdf *pdf, double height)
{
    return !pdf->full || pdf->y + height <= pdf->bottom ? true : pdf_break(pdf);
}

static struct page_text text_of(const struct pdf *pdf, const struct pdf_piece *piece)
{
    return pdf_text(pdf, piece->text, piece->size, piece->width, piece->far_side);
}

bool pdf_row_height(struct pdf *pdf, struct pdf_piece *pieces, int count, double *height)
{
    *height = 0;
    for (int i = 0; i < count; i++) {
        struct pdf_piece *piece = &pieces[i];
        piece->done = 0;
        piece->extent = (struct page_extent){ .height = piece->text ? 0 : pdf_line(pdf, piece->size) };
        if (piece->text && *piece->text) {
            struct page_text set = text_of(pdf, piece);
            if (!pages_measure(pdf->pages, &set, &piece->extent, pdf->writer->error))
                return false;
        }
        *height = fmax(*height, piece->extent.height);
    }
    return true;
}

/* How many lines of those that are left have room, and how high they are. One at least where it must be. */
static bool fit_lines(struct pdf *pdf, const struct pdf_piece *piece, double room, bool must, int *lines,
                      double *height)
{
    struct page_text set = text_of(pdf, piece);
    int few = 0, many = piece->extent.lines - piece->done;
    *height = 0;
    while (few < many) {
        int middle = few + (many - few + 1) / 2;
        double high;
        if (!pages_measure_lines(pdf->pages, &set, piece->done, middle, &high, pdf->writer->error))
            return false;
        if (high <= room || (must && middle == 1)) {
            few = middle;
            *height = high;
        } else {
            many = middle - 1;
        }
    }
    *lines = few;
    return true;
}

static void draw(struct pdf *pdf, const struct pdf_piece *piece)
{
    double high = piece->extent.height - 2 * BAR_INSET;
    if (piece->trend_count > 0)
        pdf_trend(pdf, piece->trend, piece->trend_count, piece->x, pdf->y + BAR_INSET, piece->width, high);
    else if (!isnan(piece->share))
        pdf_share(pdf, piece->x, pdf->y + BAR_INSET, piece->width, high, piece->share);
}

/* What has room of a row; *used is how high that is, *left whether lines are left. */
static bool put_part(struct pdf *pdf, struct pdf_piece *pieces, int count, double height, double *used,
                     bool *more)
{
    double room = pdf->bottom - pdf->y;
    bool all = height <= room;
    *used = all ? height : 0;
    *more = false;
    for (int i = 0; i < count; i++) {
        struct pdf_piece *piece = &pieces[i];
        int lines = 0, rest = piece->extent.lines - piece->done;
        double high = piece->extent.height, y = pdf->y;
        pdf_tag(pdf, piece->tag);
        if (!piece->text && !piece->done) {
            draw(pdf, piece);
            piece->done = 1;
        } else if (piece->text && rest > 0) {
            struct page_text set = text_of(pdf, piece);
            if (!all || piece->done > 0) {
                if (!fit_lines(pdf, piece, room, !pdf->full, &lines, &high))
                    return false;
            } else {
                lines = rest;
            }
            if (piece->foot && all)
                y += height - high;
            if (lines > 0 && !pdf_put_lines(pdf, &set, piece->x, y, piece->done, lines))
                return false;
            piece->done += lines;
        }
        pdf_untag(pdf, piece->untag);
        *used = fmax(*used, lines > 0 ? high : 0);
        *more = *more || (piece->text && piece->done < piece->extent.lines);
    }
    return true;
}

bool pdf_row(struct pdf *pdf, struct pdf_piece *pieces, int count, const char *tag, double gap)
{
    double height, used;
    bool more = true;
    if (!pdf_row_height(pdf, pieces, count, &height))
        return false;
    if (pdf->y + height > pdf->bottom && pdf->full && !pdf_break(pdf))
        return false;
    while (more) {
        pdf_tag(pdf, tag);
        if (!put_part(pdf, pieces, count, height, &used, &more))
            return false;
        pdf_untag(pdf, tag);
        pdf->y += used;
        pdf->full = true;
        height = pdf->bottom + 1; /* what is left is looked at line by line */
        if (more && !pdf_break(pdf))
            return false;
    }
    pdf->y += gap;
    return true;
}

bool pdf_paragraph(struct pdf *pdf, const char *text, enum pdf_size size, const char *tag, double gap)
{
    pdf_new_row(pdf);
    struct pdf_piece piece = { .text = pdf_shown(pdf, text), .size = size, .width = pdf->width };
    return piece.text && pdf_row(pdf, &piece, 1, tag, gap);
}
