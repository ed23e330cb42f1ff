/*
 * Charts. Those over time or over a few short names stand beside each other: bars upright, or a line, over an
 * axis. Bars with longer names lie below each other, a row each.
 */
#include "pdf_page.h"

#include "cell.h"
#include "chart_scale.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

enum { ABREAST = 3, FEWEST_UPRIGHT = 4 };

#define SHORT_LABEL 45.0 /* a day, 2026-11-30, has room in it */
#define FIELD       62.0 /* of upright ones: its height */
#define APART       16.0
#define LABEL_GAP   4.5 /* below the axis, whose own numbers reach below it */
#define SPACE       3.0 /* between things that must not touch */
#define GRID        .8  /* grey of lines to read values by */
#define LINE_WIDTH  .9
#define DOT         2.0
#define TOP_ROOM    11.0  /* above the highest value, for its number */
#define LYING       240.0 /* a lying bar's room at most */

/* A number, in its unit where `whole`; "–" for what is none. */
static const char *say(struct pdf *pdf, const struct report_chart *chart, double value, int decimals,
                       bool whole)
{
    struct report_cell cell = { .kind = chart->share ? CELL_SHARE : CELL_REAL, .real = value };
    buffer_clear(&pdf->text);
    if (cell_is_absent(&cell))
        buffer_text(&pdf->text, "\xe2\x80\x93");
    else if (whole)
        cell_say_unit(&pdf->text, &cell, chart->unit, decimals);
    else
        cell_say(&pdf->text, &cell, chart->unit, decimals);
    return pdf_keep(pdf);
}

/* The widest of all labels or, of values, of all numbers. */
static bool widest(struct pdf *pdf, const struct report_chart *chart, bool labels, bool whole, double *width)
{
    *width = 0;
    for (int i = 0; i < chart->count; i++) {
        double one;
        pdf_new_row(pdf);
        const char *text = labels ? pdf_shown(pdf, chart->labels[i])
                                  : say(pdf, chart, chart->values[i], chart->decimals, whole);
        if (!text || !pdf_natural(pdf, text, PDF_TICK, &one))
            return false;
        *width = fmax(*width, one);
    }
    return true;
}

/* A title, with the unit of its numbers. */
static const char *caption(struct pdf *pdf, const struct report_chart *chart)
{
    const char *unit = cell_unit(chart->share ? CELL_SHARE : CELL_REAL, chart->unit);
    if (!pdf_shown(pdf, chart->title))
        return NULL;
    if (unit)
        buffer_print(&pdf->text, " (%s)", unit);
    return pdf_keep(pdf);
}

/* ---- upright ---- */

struct plot {
    const struct report_chart *chart;
    struct chart_scale scale;
    double x, width;    /* of the chart */
    double left, field; /* where the values stand */
    double top, slot;   /* of the field; the room of one value */
};

static double y_of(const struct plot *plot, double value)
{
    const struct chart_scale *scale = &plot->scale;
    return plot->top + FIELD * (1 - (value - scale->low) / (scale->high - scale->low));
}

static double middle_of(const struct plot *plot, int i)
{
    return plot->left + plot->slot * (i + .5);
}

/* A text with its middle at x, kept between the edge and the chart's end; none where it has no room before
 * *before, where the next one stands. */
static bool put_middle(struct pdf *pdf, const struct plot *plot, const char *text, double x, double y,
                       double edge, bool clear, double *before)
{
    double width;
    if (!pdf_natural(pdf, text, PDF_TICK, &width))
        return false;
    double from = fmin(fmax(x - width / 2, edge), plot->x + plot->width - width);
    if (from + width > *before)
        return true;
    *before = from - SPACE;
    if (clear) /* no line runs through it */
        pdf_clear(pdf, from, y + 1.5, width, pdf_line(pdf, PDF_TICK) - 2.5);
    return pdf_put(pdf, text, PDF_TICK, from, y, width + 1, false);
}

static bool put_axis(struct pdf *pdf, struct plot *plot)
{
    double step = chart_scale_step(&plot->scale, plot->chart), gutter = 0, one;
    int decimals = chart_scale_decimals(plot->chart, step);
    int steps = (int)fmin(8, round((plot->scale.high - plot->scale.low) / step));
    for (int pass = 0; pass < 2; pass++) { /* how wide its numbers are; then they are put */
        for (int i = 0; i <= steps; i++) {
            double value = plot->scale.low + i * step, y = y_of(plot, value);
            pdf_new_row(pdf);
            const char *text = say(pdf, plot->chart, value, decimals, false);
            if (!text || !pdf_natural(pdf, text, PDF_TICK, &one))
                return false;
            gutter = fmax(gutter, one);
            if (pass == 0)
                continue;
            pdf_rule(pdf, plot->left, y, plot->x + plot->width, y,
                     i == 0 || fabs(value) < step / 2 ? 0 : GRID);
            if (!pdf_put(pdf, text, PDF_TICK, plot->x, y - pdf_line(pdf, PDF_TICK) / 2, gutter + 1, true))
                return false;
        }
        plot->left = plot->x + gutter + 1 + SPACE;
    }
    plot->field = plot->x + plot->width - plot->left;
    plot->slot = plot->field / plot->chart->count;
    return true;
}

static bool put_labels(struct pdf *pdf, const struct plot *plot)
{
    const struct report_chart *chart = plot->chart;
    double before = INFINITY; /* the last one is put in any case */
    for (int i = chart->count - 1; i >= 0; i--) {
        double x = middle_of(plot, i), low = plot->top + FIELD;
        pdf_new_row(pdf);
        const char *text = pdf_shown(pdf, chart->labels[i]);
        pdf_rule(pdf, x, low, x, low + 2, 0);
        if (!text || !put_middle(pdf, plot, text, x, low + LABEL_GAP, plot->x, false, &before))
            return false;
    }
    return true;
}

/* The top of a value's number: above it; but below the lowest point of a line, where that has room. */
static double number_top(struct pdf *pdf, const struct plot *plot, int i)
{
    const struct report_chart *chart = plot->chart;
    double high = pdf_line(pdf, PDF_TICK), y = y_of(plot, chart->values[i]);
    if (!chart->line)
        return fmin(y, y_of(plot, 0)) - high - 1;
    bool left = i == 0 || chart->values[i - 1] > chart->values[i];
    bool right = i == chart->count - 1 || chart->values[i + 1] > chart->values[i];
    if (left && right && chart->count > 1 && y + DOT + high <= plot->top + FIELD)
        return y + DOT;
    return y - high - DOT;
}

static bool put_numbers(struct pdf *pdf, const struct plot *plot)
{
    const struct report_chart *chart = plot->chart;
    double before = INFINITY;
    for (int i = chart->count - 1; i >= 0; i--) {
        if (!chart_drawable(chart->values[i]))
            continue;
        pdf_new_row(pdf);
        const char *text = say(pdf, chart, chart->values[i], chart->decimals, false);
        double y = number_top(pdf, plot, i);
        if (!text || !put_middle(pdf, plot, text, middle_of(plot, i), y, plot->left, chart->line, &before))
            return false;
    }
    return true;
}

static void put_values(struct pdf *pdf, const struct plot *plot)
{
    const struct report_chart *chart = plot->chart;
    for (int i = 0; i < chart->count; i++) {
        double value = chart->values[i], x = middle_of(plot, i), wide = fmin(plot->slot * .65, 14);
        if (!chart_drawable(value))
            continue;
        double y = y_of(plot, value), zero = y_of(plot, 0);
        if (!chart->line) {
            pdf_bar(pdf, x - wide / 2, fmin(y, zero), wide, fabs(y - zero));
            continue;
        }
        pdf_dot(pdf, x, y, DOT);
        if (i > 0 && chart_drawable(chart->values[i - 1]))
            pdf_path(pdf, middle_of(plot, i - 1), y_of(plot, chart->values[i - 1]), x, y, LINE_WIDTH);
    }
}

/* The title is put already. */
static bool put_plot(struct pdf *pdf, struct plot *plot)
{
    const struct report_chart *chart = plot->chart;
    pdf_new_row(pdf);
    if (chart->count == 0) {
        const char *text = pdf_shown(pdf, tr("nothing"));
        return text && pdf_put(pdf, text, PDF_TICK, plot->x, plot->top, plot->width, false);
    }
    plot->scale = chart_scale_of(chart);
    if (!put_axis(pdf, plot))
        return false;
    put_values(pdf, plot);
    return put_labels(pdf, plot) && put_numbers(pdf, plot);
}

static bool put_abreast(struct pdf *pdf, const struct report_chart *const *charts, int count)
{
    struct pdf_piece titles[ABREAST];
    int columns = count > 2 ? ABREAST : 2;
    double width = (pdf->width - APART * (columns - 1)) / columns, height;
    pdf_new_row(pdf);
    for (int i = 0; i < count; i++) {
        titles[i] = (struct pdf_piece){ .text = caption(pdf, charts[i]),
                                        .size = PDF_HEAD,
                                        .x = i * (width + APART),
                                        .width = width,
                                        .foot = true };
        if (!titles[i].text)
            return false;
    }
    double below = TOP_ROOM + FIELD + LABEL_GAP + pdf_line(pdf, PDF_TICK);
    if (!pdf_row_height(pdf, titles, count, &height) || !pdf_need(pdf, height + below) ||
        !pdf_row(pdf, titles, count, "P", 0))
        return false;
    for (int i = 0; i < count; i++) {
        struct plot plot = {
            .chart = charts[i], .x = i * (width + APART), .width = width, .top = pdf->y + TOP_ROOM
        };
        pdf_tag(pdf, "P");
        if (!put_plot(pdf, &plot))
            return false;
        pdf_untag(pdf, "P");
    }
    pdf->y += below + 8;
    return true;
}

/* ---- lying ---- */

static bool put_lying_row(struct pdf *pdf, const struct report_chart *chart, int i, double label,
                          double number, const struct chart_scale *scale)
{
    double value = chart->values[i], high = pdf_line(pdf, PDF_TICK);
    pdf_new_row(pdf);
    struct pdf_piece pieces[] = {
        { .text = pdf_shown(pdf, chart->labels[i]), .size = PDF_TICK, .width = label },
        { .text = say(pdf, chart, value, chart->decimals, false),
          .size = PDF_TICK,
          .x = label + SPACE,
          .width = number,
          .far_side = true },
    };
    double x = label + number + 3 * SPACE, room = fmin(LYING, pdf->width - x);
    double step = room / (scale->high - scale->low), zero = x - scale->low * step, y;
    if (!pieces[0].text || !pieces[1].text || !pdf_row_height(pdf, pieces, 2, &y) || !pdf_need(pdf, y))
        return false;
    y = pdf->y + 1;
    if (!pdf_row(pdf, pieces, 2, "P", 1))
        return false;
    y = fmin(y, pdf->y); /* where a label took more than a page, its bar stands where it ends */
    pdf_rule(pdf, zero, y - 1, zero, y + high, 0);
    if (chart_drawable(value))
        pdf_bar(pdf, value < 0 ? zero + value * step : zero, y, fabs(value) * step, high - 2);
    return true;
}

static bool put_lying(struct pdf *pdf, const struct report_chart *chart)
{
    struct chart_scale scale = chart_scale_of(chart);
    double label, number;
    if (!widest(pdf, chart, true, false, &label) || !widest(pdf, chart, false, false, &number))
        return false;
    pdf_new_row(pdf);
    struct pdf_piece title = { .text = caption(pdf, chart), .size = PDF_HEAD, .width = pdf->width };
    if (!title.text || !pdf_need(pdf, 5 * pdf_line(pdf, PDF_TICK)) || !pdf_row(pdf, &title, 1, "P", 2))
        return false;
    label = fmin(label + 1, pdf->width / 2);
    for (int i = 0; i < chart->count; i++)
        if (!put_lying_row(pdf, chart, i, label, number + 1, &scale))
            return false;
    pdf->y += 8;
    return true;
}

static bool is_upright(struct pdf *pdf, const struct report_chart *chart, bool *upright)
{
    double label;
    if (!widest(pdf, chart, true, false, &label))
        return false;
    *upright = chart->line || chart->count == 0 || (chart->count >= FEWEST_UPRIGHT && label <= SHORT_LABEL);
    return true;
}

bool pdf_charts(struct pdf *pdf)
{
    const struct report *report = pdf->writer->report;
    const struct report_chart *charts[ABREAST];
    int count = 0;
    for (int i = 0; i < report->chart_count; i++) {
        bool upright;
        if (!is_upright(pdf, &report->charts[i], &upright))
            return false;
        if (count == ABREAST || (!upright && count)) {
            if (!put_abreast(pdf, charts, count))
                return false;
            count = 0;
        }
        if (upright)
            charts[count++] = &report->charts[i];
        else if (!put_lying(pdf, &report->charts[i]))
            return false;
    }
    return !count || put_abreast(pdf, charts, count);
}
