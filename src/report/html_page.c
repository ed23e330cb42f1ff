#include "html_page.h"

#include "cell.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
#include <string.h>

void html_escape(struct html_page *page, const char *text, bool lines)
{
    struct buffer *out = page->out;
    while (*text) {
        ptrdiff_t plain = (ptrdiff_t)strcspn(text, "&<>\"'\n\r\t");
        text_visible(out, text, plain);
        text += plain;
        switch (*text) {
        case '&':
            buffer_text(out, "&amp;");
            break;
        case '<':
            buffer_text(out, "&lt;");
            break;
        case '>':
            buffer_text(out, "&gt;");
            break;
        case '"':
            buffer_text(out, "&quot;");
            break;
        case '\'':
            buffer_text(out, "&#39;");
            break;
        case '\n':
            buffer_text(out, lines ? "<br>" : " ");
            break;
        case '\r': /* of CR LF */
            buffer_text(out, text[1] == '\n' ? "" : "\\x0d");
            break;
        case '\t':
            buffer_char(out, ' ');
            break;
        default: /* the end */
            return;
        }
        text++;
    }
}

void html_isolated(struct html_page *page, const char *text)
{
    buffer_text(page->out, "<bdi>");
    html_escape(page, text, true);
    buffer_text(page->out, "</bdi>");
}

static void put_absent(struct html_page *page, const char *why)
{
    int number = reasons_number(&page->reasons, why);
    buffer_text(page->out, "<span class=\"why\" title=\"");
    html_escape(page, why, false);
    buffer_text(page->out, "\">\xe2\x80\x93</span>");
    if (number < 0)
        page->out->failed = true;
    else if (number > 0)
        buffer_print(page->out, "<sup><a href=\"#why-%d\">%d</a></sup>", number, number);
}

static void put_bar(struct html_page *page, double share)
{
    if (!isnan(share))
        buffer_print(page->out,
                     "<svg class=\"bar\" viewBox=\"0 0 100 10\" preserveAspectRatio=\"none\" "
                     "aria-hidden=\"true\"><rect class=\"track\" width=\"100\" height=\"10\"/><rect "
                     "class=\"fill\" width=\"%.1f\" height=\"10\"/></svg>",
                     share * 100);
}

/* Says the values to who can't see the line, in per cent. */
static void put_trend(struct html_page *page, const struct report_cell *cell)
{
    struct buffer *out = page->out;
    int count = cell->trend_count;
    int id = ++page->ids;
    bool drawing = false;
    buffer_print(out,
                 "<svg class=\"trend\" viewBox=\"0 0 100 20\" preserveAspectRatio=\"none\" role=\"img\" "
                 "aria-labelledby=\"trend-%d\"><title id=\"trend-%d\">",
                 id, id);
    for (int i = 0; i < count; i++) {
        buffer_text(out, i ? ", " : "");
        if (isnan(cell->trend[i]))
            buffer_text(out, "\xe2\x80\x93");
        else
            cell_say_number(out, cell->trend[i] * 100, 0);
    }
    buffer_text(out, " (%)</title><path class=\"thin\" d=\"");
    for (int i = 0; i < count; i++) {
        double value = fmin(fmax(cell->trend[i], 0), 1);
        if (isnan(cell->trend[i])) {
            drawing = false;
            continue;
        }
        double x = count > 1 ? 2 + 96.0 * i / (count - 1) : 50;
        bool alone = !drawing && (i + 1 == count || isnan(cell->trend[i + 1]));
        buffer_print(out, "%s%.1f %.1f", drawing ? "L" : "M", x, 18 - 16 * value);
        if (alone)
            buffer_text(out, "h2"); /* a point of its own */
        drawing = true;
    }
    buffer_text(out, "\"/></svg>");
}

static void put_value(struct html_page *page, const struct report_cell *cell, const struct html_form *form)
{
    bool moment = cell->kind == CELL_MOMENT;
    if (cell->kind == CELL_TEXT) {
        html_isolated(page, cell->text ? cell->text : "");
        if (cell->note) {
            buffer_text(page->out, " <small>(");
            html_escape(page, cell->note, false);
            buffer_text(page->out, ")</small>");
        }
        return;
    }
    if (moment) {
        char stamp[CELL_STAMP];
        cell_moment(stamp, cell);
        buffer_print(page->out, "<time datetime=\"%s\">", stamp);
    }
    buffer_clear(&page->text);
    if (form->told)
        cell_say(&page->text, cell, form->unit, form->decimals);
    else
        cell_say_unit(&page->text, cell, form->unit, form->decimals);
    html_escape(page, buffer_get(&page->text), false);
    page->out->failed = page->out->failed || page->text.failed;
    buffer_text(page->out, moment ? "</time>" : "");
}

void html_cell(struct html_page *page, const struct report_cell *cell, const struct html_form *form)
{
    if (cell->stands_out)
        buffer_text(page->out, "<strong>");
    if (cell_is_absent(cell))
        put_absent(page, cell_why(cell));
    else
        put_value(page, cell, form);
    if (form->interval && cell_has_interval(cell)) {
        buffer_text(page->out, " <small>(");
        cell_say_interval(page->out, cell, form->decimals, false);
        buffer_text(page->out, ")</small>");
    }
    if (cell->stands_out)
        buffer_text(page->out, " !</strong>");
    if (form->bar)
        put_bar(page, cell_share(cell));
    if (cell->trend_count > 0)
        put_trend(page, cell);
}
