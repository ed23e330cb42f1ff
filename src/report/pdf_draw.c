/* What is drawn on a page. Nothing is in a pass that only measures. */
#include "pdf_page.h"

#include <math.h>

#define BAR_GREY   .6
#define THIN       .4
#define TREND_SLOT 4.0

/* The left edge on the paper of what is so wide at x. */
static double left(const struct pdf *pdf, double x, double width)
{
    double margin = pages_margin(pdf->pages);
    return pages_right_to_left(pdf->pages) ? margin + pdf->width - x - width : margin + x;
}

static double top(const struct pdf *pdf, double y)
{
    return pages_margin(pdf->pages) + y;
}

bool pdf_put_lines(struct pdf *pdf, const struct page_text *text, double x, double y, int first, int lines)
{
    return !pdf->drawing || pages_put(pdf->pages, text, left(pdf, x, text->width), top(pdf, y), first, lines,
                                      pdf->writer->error);
}

bool pdf_put(struct pdf *pdf, const char *text, enum pdf_size size, double x, double y, double width,
             bool far_side)
{
    struct page_text set = pdf_text(pdf, text, size, width, far_side);
    return pdf_put_lines(pdf, &set, x, y, 0, 0);
}

void pdf_rule(struct pdf *pdf, double x1, double y1, double x2, double y2, double grey)
{
    const double points[] = { left(pdf, x1, 0), top(pdf, y1), left(pdf, x2, 0), top(pdf, y2) };
    if (pdf->drawing)
        pages_path(pdf->pages, points, 2, THIN, grey);
}

void pdf_path(struct pdf *pdf, double x1, double y1, double x2, double y2, double width)
{
    const double points[] = { left(pdf, x1, 0), top(pdf, y1), left(pdf, x2, 0), top(pdf, y2) };
    if (pdf->drawing)
        pages_path(pdf->pages, points, 2, width, 0);
}

void pdf_dot(struct pdf *pdf, double x, double y, double width)
{
    if (pdf->drawing)
        pages_bar(pdf->pages, left(pdf, x - width / 2, width), top(pdf, y - width / 2), width, width, 0);
}

void pdf_bar(struct pdf *pdf, double x, double y, double width, double height)
{
    if (!pdf->drawing || !(width > 0) || !(height > 0))
        return;
    pages_bar(pdf->pages, left(pdf, x, width), top(pdf, y), width, height, BAR_GREY);
}

void pdf_share(struct pdf *pdf, double x, double y, double width, double height, double share)
{
    if (!pdf->drawing)
        return;
    pdf_bar(pdf, x, y, share * width, height);
    pages_box(pdf->pages, left(pdf, x, width), top(pdf, y), width, height);
}

void pdf_clear(struct pdf *pdf, double x, double y, double width, double height)
{
    if (pdf->drawing)
        pages_bar(pdf->pages, left(pdf, x, width), top(pdf, y), width, height, 1);
}

/* Time runs as the language does; a value that is none is a gap. */
void pdf_trend(struct pdf *pdf, const double *values, int count, double x, double y, double width,
               double height)
{
    double slot = count > 0 ? fmin(width / count, TREND_SLOT) : 0;
    for (int i = 0; i < count; i++) {
        double value = fmin(1, fmax(0, values[i]));
        if (!isnan(values[i]))
            pdf_bar(pdf, x + slot * i, y + height * (1 - value), slot * .75, height * value);
    }
    pdf_rule(pdf, x, y + height, x + slot * count, y + height, 0);
}

void pdf_tag(struct pdf *pdf, const char *tag)
{
    if (pdf->drawing && tag)
        pages_tag(pdf->pages, tag);
}

void pdf_untag(struct pdf *pdf, const char *tag)
{
    if (pdf->drawing && tag)
        pages_untag(pdf->pages, tag);
}
