/* Charts of a page of text: a bar a line, from zero to the right, and to the left where values are below it.
 */
#include "text_page.h"

#include "cell.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>

enum { WIDEST_BAR = 40, NARROWEST_BAR = 4, GAP = 2 };

#define LARGEST 1e300 /* beyond it a bar's arithmetic would leave the numbers */

struct scale {
    double low, high; /* both take in 0 */
    int below, above; /* columns on either side of 0 */
};

static struct report_cell value_cell(const struct report_chart *chart, int i)
{
    return (struct report_cell){ .kind = chart->share ? CELL_SHARE : CELL_REAL, .real = chart->values[i] };
}

static struct scale find_scale(const struct report_chart *chart, int room)
{
    struct scale scale = { .high = chart->share ? 1 : 0 };
    for (int i = 0; i < chart->count; i++) {
        if (!(fabs(chart->values[i]) < LARGEST))
            continue;
        scale.low = fmin(scale.low, chart->values[i]);
        scale.high = fmax(scale.high, chart->values[i]);
    }
    double span = scale.high - scale.low;
    scale.below = span > 0 ? (int)lround(-scale.low / span * room) : 0;
    scale.above = room - scale.below;
    return scale;
}

static void put_bar(struct buffer *out, const struct scale *scale, double value, bool ascii)
{
    const char *block = ascii ? "#" : "\xe2\x96\x88";
    int length = 0;
    if (!(fabs(value) < LARGEST))
        return;
    if (value < 0 && scale->low < 0)
        length = (int)lround(value / scale->low * scale->below);
    else if (value > 0 && scale->high > 0)
        length = (int)lround(value / scale->high * scale->above);
    if (value < 0) {
        text_repeat(out, " ", scale->below - length);
        text_repeat(out, block, length);
    } else {
        text_repeat(out, " ", scale->below);
        text_repeat(out, block, length);
    }
}

/* Widths of labels and values, as they are shown. */
static void measure(struct text_page *page, const struct report_chart *chart, int *label, int *value)
{
    *label = *value = 1;
    for (int i = 0; i < chart->count; i++) {
        struct report_cell cell = value_cell(chart, i);
        buffer_clear(&page->text);
        text_shown(&page->text, chart->labels[i]);
        int columns = text_widest_line(buffer_get(&page->text));
        *label = columns > *label ? columns : *label;
        buffer_clear(&page->text);
        cell_say_unit(&page->text, &cell, chart->unit, chart->decimals);
        columns = text_columns(buffer_get(&page->text));
        *value = columns > *value ? columns : *value;
    }
}

/* The label in its column, wrapped; the value and the bar stand beside its first line. */
static void put_entry(struct text_page *page, const char *name, int width, const char *beside)
{
    ptrdiff_t length, next;
    buffer_clear(&page->text);
    text_shown(&page->text, name);
    name = buffer_get(&page->text);
    length = page->text.length;
    do {
        ptrdiff_t line = text_break(name, length, width, &next);
        buffer_add(page->out, name, line);
        if (*beside)
            text_repeat(page->out, " ", width - text_width(name, line) + GAP);
        buffer_text(page->out, beside);
        buffer_char(page->out, '\n');
        beside = "";
        name += next;
        length -= next;
    } while (length > 0);
    page->out->failed = page->out->failed || page->text.failed;
}

bool text_chart(struct text_page *page, const struct report_chart *chart)
{
    int label, value;
    struct buffer beside, number;
    bool passed = true;
    buffer_init(&beside);
    buffer_init(&number);
    text_paragraph(page, chart->title, 0, true);
    buffer_char(page->out, '\n');
    if (chart->count == 0)
        text_paragraph(page, tr("nothing"), 0, false);
    measure(page, chart, &label, &value);
    if (label > page->columns / 2 - GAP)
        label = page->columns / 2 - GAP;
    int room = page->columns - label - value - 2 * GAP;
    room = room > WIDEST_BAR ? WIDEST_BAR : room < NARROWEST_BAR ? 0 : room;
    struct scale scale = find_scale(chart, room);
    for (int i = 0; i < chart->count && passed; i++) {
        struct report_cell cell = value_cell(chart, i);
        buffer_clear(&beside);
        buffer_clear(&number);
        if (cell_is_absent(&cell))
            buffer_text(&number, page->ascii ? "-" : "\xe2\x80\x93");
        else
            cell_say_unit(&number, &cell, chart->unit, chart->decimals);
        text_repeat(&beside, " ", value - text_columns(buffer_get(&number)));
        buffer_text(&beside, buffer_get(&number));
        ptrdiff_t bare = beside.length;
        buffer_text(&beside, "  ");
        put_bar(&beside, &scale, chart->values[i], page->ascii);
        while (beside.length > bare && beside.data[beside.length - 1] == ' ')
            beside.data[--beside.length] = '\0'; /* nothing at the end of a line */
        put_entry(page, chart->labels[i], label, buffer_get(&beside));
        page->out->failed = page->out->failed || beside.failed || number.failed;
        passed = writer_pass(page->writer);
    }
    buffer_finish(&beside);
    buffer_finish(&number);
    return passed;
}
