/*
 * Charts of a page, as drawings in it: bars below each other with their labels above them, or a line over an
 * axis. What a drawing shows is also said in words, in its description.
 */
#include "html_page.h"

#include "cell.h"
#include "chart_scale.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <string.h>

enum {
    WIDTH = 400,
    ENTRY = 38, /* of a bar and its label */
    BAR = 10,
    LABEL = 40, /* columns that surely have room beside the value */
    TOP = 12,   /* of a line's field */
    FIELD = 160,
    LEFT = 56,
    FOOT = 28,
    TICK_LABEL = 10,
    MOST_LABELS = 4
};

static void put_value(struct html_page *page, const struct report_chart *chart, double value)
{
    struct report_cell cell = { .kind = chart->share ? CELL_SHARE : CELL_REAL, .real = value };
    buffer_clear(&page->text);
    if (cell_is_absent(&cell))
        buffer_text(&page->text, "\xe2\x80\x93");
    else
        cell_say_unit(&page->text, &cell, chart->unit, chart->decimals);
    html_escape(page, buffer_get(&page->text), false);
    page->out->failed = page->out->failed || page->text.failed;
}

/* A label with no more columns than have room; the whole of it is in the title beside it. */
static void put_label(struct html_page *page, const char *label, int room)
{
    ptrdiff_t length = (ptrdiff_t)strlen(label), at = 0;
    int used = 0, columns;
    struct buffer cut;
    if (text_columns(label) <= room) {
        html_escape(page, label, false);
        return;
    }
    for (ptrdiff_t bytes; (bytes = text_cell(label + at, length - at, &columns)) > 0; at += bytes) {
        if (used + columns > room - 1)
            break;
        used += columns;
    }
    buffer_init(&cut);
    buffer_add(&cut, label, at);
    html_escape(page, buffer_get(&cut), false);
    buffer_text(page->out, "\xe2\x80\xa6");
    page->out->failed = page->out->failed || cut.failed;
    buffer_finish(&cut);
}

static void open_drawing(struct html_page *page, const struct report_chart *chart, double height)
{
    int id = ++page->ids;
    buffer_text(page->out, "<figure class=\"chart\"><figcaption>");
    html_escape(page, chart->title, true);
    buffer_print(
        page->out,
        "</figcaption>\n<svg viewBox=\"0 0 %d %.0f\" role=\"img\" aria-labelledby=\"chart-%d said-%d\">"
        "<title id=\"chart-%d\">",
        WIDTH, height, id, id, id);
    html_escape(page, chart->title, false);
    buffer_print(page->out, "</title><desc id=\"said-%d\">", id);
    for (int i = 0; i < chart->count; i++) {
        buffer_text(page->out, i ? "; " : "");
        html_escape(page, chart->labels[i], false);
        buffer_text(page->out, ": ");
        put_value(page, chart, chart->values[i]);
    }
    buffer_text(page->out, "</desc>\n");
}

static void put_bars(struct html_page *page, const struct report_chart *chart)
{
    struct chart_scale scale = chart_scale_of(chart);
    double step = WIDTH / (scale.high - scale.low), zero = -scale.low * step;
    open_drawing(page, chart, (double)ENTRY * chart->count);
    for (int i = 0; i < chart->count; i++) {
        double value = chart->values[i], y = (double)ENTRY * i;
        buffer_text(page->out, "<g><title>");
        html_escape(page, chart->labels[i], false);
        buffer_text(page->out, ": ");
        put_value(page, chart, value);
        buffer_print(page->out, "</title><text x=\"0\" y=\"%.0f\">", y + 15);
        put_label(page, chart->labels[i], LABEL);
        buffer_print(page->out, "</text><text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">", WIDTH, y + 15);
        put_value(page, chart, value);
        buffer_print(page->out,
                     "</text><rect class=\"track\" x=\"0\" y=\"%.0f\" width=\"%d\" height=\"%d\"/>", y + 21,
                     WIDTH, BAR);
        if (chart_drawable(value))
            buffer_print(page->out,
                         "<rect class=\"fill\" x=\"%.1f\" y=\"%.0f\" width=\"%.1f\" height=\"%d\"/>",
                         value < 0 ? zero + value * step : zero, y + 21, fabs(value) * step, BAR);
        buffer_text(page->out, "</g>\n");
    }
    if (scale.low < 0)
        buffer_print(page->out, "<path class=\"axis\" d=\"M%.1f 0V%d\"/>", zero, ENTRY * chart->count);
    buffer_text(page->out, "</svg></figure>\n");
}

/* ---- lines ---- */

static double x_of(const struct report_chart *chart, int i)
{
    return chart->count > 1 ? LEFT + 8 + (double)(WIDTH - LEFT - 16) * i / (chart->count - 1)
                            : LEFT + (WIDTH - LEFT) / 2.0;
}

static double y_of(const struct chart_scale *scale, double value)
{
    return TOP + FIELD * (1 - (value - scale->low) / (scale->high - scale->low));
}

static void put_axes(struct html_page *page, const struct report_chart *chart, struct chart_scale *scale)
{
    double step = chart_scale_step(scale, chart);
    for (int i = 0; i <= 6 && scale->low + i * step <= scale->high + step / 2; i++) {
        double value = scale->low + i * step, y = y_of(scale, value);
        struct report_chart tick = *chart;
        tick.decimals = chart_scale_decimals(chart, step);
        buffer_print(page->out,
                     "<path class=\"axis\" d=\"M%d %.1fH%d\"/><text class=\"tick\" x=\"%d\" y=\"%.1f\" "
                     "text-anchor=\"end\">",
                     LEFT, y, WIDTH, LEFT - 6, y + 4);
        tick.unit = chart->share ? NULL : ""; /* the caption tells it */
        put_value(page, &tick, value);
        buffer_text(page->out, "</text>");
    }
    /* labels: the last one, and others as far apart as it takes */
    int every = (chart->count + MOST_LABELS - 1) / MOST_LABELS;
    for (int i = chart->count - 1; i >= 0; i -= every > 0 ? every : 1) {
        const char *anchor = i == chart->count - 1 && i > 0 ? "end"
                             : i == 0 && chart->count > 1   ? "start"
                                                            : "middle";
        buffer_print(page->out, "<text class=\"tick\" x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">",
                     x_of(chart, i), TOP + FIELD + 18, anchor);
        put_label(page, chart->labels[i], TICK_LABEL);
        buffer_text(page->out, "</text>");
    }
    buffer_char(page->out, '\n');
}

static void put_lines(struct html_page *page, const struct report_chart *chart)
{
    struct chart_scale scale = chart_scale_of(chart);
    bool drawing = false;
    open_drawing(page, chart, TOP + FIELD + FOOT);
    put_axes(page, chart, &scale);
    buffer_text(page->out, "<path class=\"line\" d=\"");
    for (int i = 0; i < chart->count; i++) {
        if (!chart_drawable(chart->values[i])) {
            drawing = false; /* a gap */
            continue;
        }
        buffer_print(page->out, "%s%.1f %.1f", drawing ? "L" : "M", x_of(chart, i),
                     y_of(&scale, chart->values[i]));
        drawing = true;
    }
    buffer_text(page->out, "\"/>\n");
    for (int i = 0; i < chart->count; i++) {
        if (!chart_drawable(chart->values[i]))
            continue;
        buffer_print(page->out, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"><title>",
                     x_of(chart, i), y_of(&scale, chart->values[i]));
        html_escape(page, chart->labels[i], false);
        buffer_text(page->out, ": ");
        put_value(page, chart, chart->values[i]);
        buffer_text(page->out, "</title></circle>\n");
    }
    buffer_text(page->out, "</svg></figure>\n");
}

bool html_chart(struct html_page *page, const struct report_chart *chart)
{
    if (chart->count == 0) {
        buffer_text(page->out, "<figure class=\"chart\"><figcaption>");
        html_escape(page, chart->title, true);
        buffer_text(page->out, "</figcaption>\n<p>");
        html_escape(page, tr("nothing"), false);
        buffer_text(page->out, "</p></figure>\n");
    } else if (chart->line) {
        put_lines(page, chart);
    } else {
        put_bars(page, chart);
    }
    return writer_pass(page->writer);
}
