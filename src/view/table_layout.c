/* How wide the columns of a table are, and which are left out where a window has no room for all. */
#include "table.h"

#include <string.h>

enum { TEXT_WIDE = 40, TEXT_NARROW = 14, MARK = 2, FIRST_RANK = -1 };

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int most(int one, int other)
{
    return one > other ? one : other;
}

ptrdiff_t table_break(const char *text, int width, ptrdiff_t *next)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text), end = 0, at = 0;
    while (at < length) {
        ptrdiff_t word = at + (ptrdiff_t)strcspn(text + at, " ");
        if (end > 0 && grid_columns(text, word) > width)
            break;
        end = word;
        at = word + (text[word] == ' ');
    }
    *next = end + (text[end] == ' ');
    return end;
}

/* Lines that a heading takes in so many columns. */
static int heading_lines(const char *text, int width)
{
    int lines = 0;
    for (ptrdiff_t next; *text; text += next, lines++)
        table_break(text, width, &next);
    return lines;
}

int table_heading(const char *text)
{
    int width = 1;
    while (heading_lines(text, width) > TABLE_HEADING)
        width++;
    ptrdiff_t next, bytes = table_break(text, width, &next);
    return most(grid_columns(text, bytes), grid_columns(text + next, (ptrdiff_t)strlen(text + next)));
}

/* What the values of a column take, texts no more than `text`. */
static int content(const struct table_layout *layout, const struct table_model *model, int i, int text)
{
    const struct table_width *width = &model->work->widths[i];
    int columns = model->columns[i].right ? width->value : least(width->value, text);
    if (layout->beside && width->beside)
        columns += 1 + width->beside;
    if (layout->bars && (width->trend || width->bar))
        columns += 1 + (width->trend ? width->trend : TABLE_BAR);
    return columns + (width->marked ? MARK : 0);
}

/* As narrow as its values and two lines of its heading allow; returns what all of them take. */
static int measure(struct table_layout *layout, const struct table_model *model, int text)
{
    int sum = 0;
    for (int i = 0; i < layout->count; i++) {
        struct table_slot *slot = &layout->slots[i];
        if (slot->hidden)
            continue;
        slot->width = most(1, most(content(layout, model, i, text), model->work->widths[i].heading));
        sum += slot->width + (sum ? TABLE_GAP : 0);
    }
    return sum;
}

static int rank_of(const struct table_model *model, const struct table_place *place, int i)
{
    if (i == 0 || i == place->column)
        return FIRST_RANK;
    return i == place->sort ? 0 : model->columns[i].rank + 1;
}

/* Hides columns until the rest fits. */
static bool drop(struct table_layout *layout, const struct table_model *model,
                 const struct table_place *place, int width, int text, int keep)
{
    while (measure(layout, model, text) > width) {
        int last = -1;
        for (int i = 0; i < layout->count; i++)
            if (!layout->slots[i].hidden && rank_of(model, place, i) > keep &&
                (last < 0 || rank_of(model, place, i) >= rank_of(model, place, last)))
                last = i;
        if (last < 0)
            return false;
        layout->slots[last].hidden = true;
    }
    return true;
}

static void show_all(struct table_layout *layout)
{
    for (int i = 0; i < layout->count; i++)
        layout->slots[i].hidden = false;
}

/* Bars and what stands beside values are worth more than columns of a high rank, and less than others. */
static void choose(struct table_layout *layout, const struct table_model *model,
                   const struct table_place *place, int width)
{
    static const struct {
        bool beside, bars;
        int text, keep;
    } steps[] = {
        { true, true, TEXT_WIDE, 3 },
        { true, true, TEXT_NARROW * 2, 3 },
        { false, true, TEXT_NARROW * 2, 3 },
        { false, true, TEXT_NARROW, 3 },
        { false, false, TEXT_NARROW, FIRST_RANK },
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        show_all(layout);
        layout->beside = steps[i].beside;
        layout->bars = steps[i].bars;
        if (drop(layout, model, place, width, steps[i].text, steps[i].keep))
            return;
    }
}

/* What is left over goes to the texts that are cut, the first before others. */
static void give(struct table_layout *layout, const struct table_model *model, int room)
{
    for (int i = 0; i < layout->count && room > 0; i++) {
        struct table_slot *slot = &layout->slots[i];
        int wanted = content(layout, model, i, GRID_COLUMNS) - slot->width;
        if (slot->hidden || model->columns[i].right || wanted <= 0)
            continue;
        wanted = least(wanted, room);
        slot->width += wanted;
        room -= wanted;
    }
}

void table_lay_out(struct table_layout *layout, const struct table_model *model,
                   const struct table_place *place, int width)
{
    *layout = (struct table_layout){ .count = least(model->column_count, TABLE_COLUMNS) };
    if (layout->count == 0)
        return;
    choose(layout, model, place, width);
    int taken = 0, left = 0;
    for (int i = 0; i < layout->count; i++)
        if (!layout->slots[i].hidden)
            taken += layout->slots[i].width + (taken ? TABLE_GAP : 0);
    give(layout, model, width - taken);
    for (int i = 0; i < layout->count; i++) {
        struct table_slot *slot = &layout->slots[i];
        layout->hidden += slot->hidden;
        if (slot->hidden)
            continue;
        slot->left = left;
        slot->width = most(0, least(slot->width, width - left));
        left += slot->width + TABLE_GAP;
        layout->heading = most(layout->heading, heading_lines(model->columns[i].heading, slot->width));
    }
    layout->heading = least(layout->heading, TABLE_HEADING);
}
