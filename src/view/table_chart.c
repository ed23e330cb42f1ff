/* Charts of a report on a screen, and the page that says how its figures were made. */
#include "table.h"

#include "page.h"
#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

enum { BAR = 24, LABEL = 24, TITLE = 28, GAP = 2 };

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int most(int one, int other)
{
    return one > other ? one : other;
}

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

const char *table_spark(enum sign_set set, double value)
{
    static const char *const blocks[] = { "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█" };
    static const char *const digits[] = { "0", "1", "2", "3", "4", "5", "6", "7", "8", "9" };
    if (isnan(value))
        return set == SIGNS_UNICODE ? " " : ".";
    value = value < 0 ? 0 : value > 1 ? 1 : value;
    return set == SIGNS_UNICODE ? blocks[lround(value * 7)] : digits[lround(value * 9)];
}

/* "Right by week   ▁▃▅▇   52%, 80% at last" */
void table_lay_line(struct flow *flow, const struct page *page, const struct table_chart *chart)
{
    int first = -1, last = -1;
    for (int i = 0; i < chart->count; i++) {
        if (isnan(chart->values[i]))
            continue;
        first = first < 0 ? i : first;
        last = i;
    }
    flow_blank(flow);
    int used = flow_clip(flow, 0, most(TITLE, page->columns * 2 / 5), ROLE_DIM, chart->title,
                         page->signs->ellipsis) +
               GAP;
    if (last < 0) {
        flow_text(flow, used, ROLE_DIM, page->signs->blank);
        return;
    }
    int room = most(1, page->columns * 3 / 5 - used), from = most(first, last + 1 - room);
    for (int i = from; i <= last; i++)
        flow_text(flow, used + i - from, ROLE_BAR, table_spark(page->view->signs, chart->values[i]));
    used += last + 1 - from + GAP;
    const char *text = chart->texts[last] ? chart->texts[last] : "";
    if (first < last && chart->texts[from])
        text = flow_print(flow, tr("%s, then %s"), chart->texts[from], text);
    flow_clip(flow, used, page->columns - used - 6, ROLE_TEXT, text, page->signs->ellipsis);
}

void table_lay_chart(struct flow *flow, const struct page *page, const struct table_chart *chart)
{
    int width = page->text.width, label = 0, text = 0;
    for (int i = 0; i < chart->count; i++) {
        label = most(label, columns_of(chart->labels[i]));
        text = most(text, chart->texts[i] ? columns_of(chart->texts[i]) : 1);
    }
    label = least(label, least(LABEL, width / 3));
    int bar = most(0, least(BAR, width - label - text - 2 * GAP));
    flow_wrap(flow, 0, width, ROLE_STRONG, chart->title, false);
    for (int i = 0; i < chart->count; i++) {
        int column = label + GAP;
        flow_blank(flow);
        flow_clip(flow, 0, label, ROLE_TEXT, chart->labels[i], page->signs->ellipsis);
        if (!isnan(chart->values[i]))
            page_lay_share(page, flow, column, bar, chart->values[i], 1);
        flow_right(flow, column + bar + GAP + text, ROLE_TEXT,
                   chart->texts[i] ? chart->texts[i] : page->signs->blank);
    }
}

static void lay_facts(struct flow *flow, const struct page *page, const struct table_model *model)
{
    int width = page->text.width, label = 0;
    for (int i = 0; i < model->fact_count; i++)
        label = most(label, columns_of(model->facts[i].label));
    label = least(label, width / 2 - GAP);
    for (int i = 0; i < model->fact_count; i++) {
        const struct table_fact *fact = &model->facts[i];
        flow_blank(flow);
        flow_clip(flow, 0, label, ROLE_DIM, fact->label, page->signs->ellipsis);
        flow_wrap(flow, label + GAP, width - label - GAP, fact->why ? ROLE_DIM : ROLE_TEXT,
                  fact->why    ? flow_print(flow, tr("not available, %s"), fact->why)
                  : fact->text ? fact->text
                               : page->signs->blank,
                  true);
    }
}

void notes_draw(struct view *view, struct grid *grid)
{
    const struct table_model *model = view->table;
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    flow_init(&flow);
    int width = page.text.width, height = page.bottom - page.top - 1;
    if (model && model->subtitle)
        flow_wrap(&flow, 0, width, ROLE_STRONG, model->subtitle, false);
    for (int i = 0; model && i < model->note_count; i++)
        flow_wrap(&flow, 0, width, ROLE_TEXT, model->notes[i], false);
    if (model && model->fact_count > 0 && flow_height(&flow) > 0)
        flow_blank(&flow);
    if (model)
        lay_facts(&flow, &page, model);
    for (int i = 0; model && i < model->chart_count; i++) {
        if (flow_height(&flow) > 0)
            flow_blank(&flow);
        table_lay_chart(&flow, &page, &model->charts[i]);
    }
    page_scroll(&page, &page.text, &flow, page.top + 1, height, &view->overlay_scroll, &view->overlay_range);
    view->overlay_page = height;
    grid_focus(grid, page.top + 1, page.text.left);
    page_frame(&page, model && model->title ? model->title : "", NULL, NULL, 0, 0);
    flow_finish(&flow);
}

/* A line or more of each column that has something to say. */
static void lay_row(struct flow *flow, const struct page *page, const struct table_model *model, int row)
{
    int width = page->text.width, label = 0;
    for (int i = 0; i < model->column_count; i++)
        label = most(label, columns_of(model->columns[i].heading));
    label = least(label, width / 2 - GAP);
    for (int i = 0; i < model->column_count; i++) {
        const struct table_cell *cell = table_cell_at(model, row, i);
        const char *text = cell->text ? cell->text : page->signs->blank;
        if (cell->why)
            text = flow_print(flow, tr("not available, %s"), cell->why);
        else if (cell->beside)
            text = flow_print(flow, "%s %s", text, cell->beside);
        flow_blank(flow);
        flow_clip(flow, 0, label, ROLE_DIM, model->columns[i].heading, page->signs->ellipsis);
        flow_wrap(flow, label + GAP, width - label - GAP,
                  cell->why          ? ROLE_DIM
                  : cell->stands_out ? ROLE_WARNING
                                     : ROLE_TEXT,
                  text, true);
    }
}

void whole_row_draw(struct view *view, struct grid *grid)
{
    const struct table_model *model = view->table;
    int row = model ? view_table_row(model, &view->place) : -1;
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    flow_init(&flow);
    int height = page.bottom - page.top - 1;
    if (row >= 0)
        lay_row(&flow, &page, model, row);
    page_scroll(&page, &page.text, &flow, page.top + 1, height, &view->overlay_scroll, &view->overlay_range);
    view->overlay_page = height;
    grid_focus(grid, page.top + 1, page.text.left);
    page_frame(&page, model && model->title ? model->title : "", NULL, NULL, 0, 0);
    flow_finish(&flow);
}
