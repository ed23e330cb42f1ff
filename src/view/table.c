/*
 * A table of a report: what it says as a whole, then its rows, then the cell under the cursor in words and
 * the columns that have no room. Only rows in sight are laid out, so that a long table is drawn as fast as a
 * short one.
 */
#include "table.h"

#include "field.h"
#include "page.h"
#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

enum {
    LEFT = 3,       /* where cells begin: the cursor stands before them */
    RIGHT = 2,      /* the margin: a mark of more rows, and a blank before it */
    LOW = 12,       /* rows of a body in which only the table has room */
    HIGH = 28,      /* and in which charts have */
    LINE_CHARTS = 3 /* of them, a line each */
};

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

/* ---- above the table ---- */

const char *table_fact(struct flow *flow, const struct page *page, const struct table_fact *fact)
{
    return flow_print(flow, "%s %s", fact->label, fact->text ? fact->text : page->signs->blank);
}

/* The first facts, as many as fit. */
static void lay_facts(struct flow *flow, const struct page *page, int width, int lines)
{
    const struct table_model *model = page->view->table;
    int used = 0, line = 0;
    for (int i = 0; i < model->fact_count; i++) {
        const char *text = table_fact(flow, page, &model->facts[i]);
        int columns = columns_of(text);
        if (used && used + 3 + columns > width)
            used = 0;
        if (used) {
            flow_text(flow, used + 1, ROLE_DIM, page->signs->dot);
            used += 3;
        } else {
            if (line++ == lines)
                return;
            flow_blank(flow);
        }
        used += flow_clip(flow, used, width - used, ROLE_TEXT, text, page->signs->ellipsis);
    }
}

static void lay_charts(struct flow *flow, const struct page *page)
{
    const struct table_model *model = page->view->table;
    for (int i = 0, drawn = 0; i < model->chart_count && drawn < LINE_CHARTS; i++)
        if (model->charts[i].line) {
            table_lay_line(flow, page, &model->charts[i]);
            drawn++;
        }
}

/* The table's own name, where the report has several. */
static void lay_name(struct flow *flow, const struct page *page, int width)
{
    const struct table_model *model = page->view->table;
    if (model->tables < 2)
        return;
    const char *where = flow_print(flow, tr("table %d of %d"), model->table + 1, model->tables);
    flow_blank(flow);
    int used = flow_clip(flow, 0, width - columns_of(where) - 3, ROLE_STRONG,
                         model->name ? model->name : model->title, page->signs->ellipsis);
    flow_text(flow, used + (used ? 3 : 0), ROLE_DIM, where);
    if (used)
        flow_text(flow, used + 1, ROLE_DIM, page->signs->dot);
}

static void lay_top(struct flow *flow, const struct page *page, int height, int width)
{
    int lines = height >= HIGH ? 3 : height > LOW + 4 ? 2 : height > LOW ? 1 : 0;
    lay_facts(flow, page, width, lines);
    if (height >= HIGH)
        lay_charts(flow, page);
    if (flow_height(flow) > 0 && height > LOW + 4 && page->view->table->tables > 1)
        flow_blank(flow);
    lay_name(flow, page, width);
}

/* ---- the table ---- */

/* Headings end on the same line. The sign of the order stands behind the last line, in the gap. */
static void lay_headings(struct flow *flow, const struct page *page, const struct table_layout *layout)
{
    const struct table_model *model = page->view->table;
    const struct table_place *place = &page->view->place;
    const char *rests[TABLE_COLUMNS];
    int lines[TABLE_COLUMNS];
    for (int i = 0; i < layout->count; i++) {
        rests[i] = model->columns[i].heading;
        lines[i] = 0;
        for (ptrdiff_t at = 0, next; rests[i][at] && lines[i] < TABLE_HEADING; at += next, lines[i]++)
            table_break(rests[i] + at, layout->slots[i].width, &next);
    }
    for (int line = 0; line < layout->heading; line++) {
        flow_blank(flow);
        for (int i = 0; i < layout->count; i++) {
            const struct table_slot *slot = &layout->slots[i];
            if (slot->hidden || layout->heading - line > lines[i])
                continue;
            bool last = line == layout->heading - 1;
            ptrdiff_t next, bytes = table_break(rests[i], slot->width, &next);
            const char *text =
                last && rests[i][next] ? rests[i] : flow_print(flow, "%.*s", (int)bytes, rests[i]);
            int columns = least(columns_of(text), slot->width);
            int left = slot->left + (model->columns[i].right ? slot->width - columns : 0);
            flow_clip(flow, left, slot->width, i == place->column ? ROLE_KEY : ROLE_DIM, text,
                      page->signs->ellipsis);
            if (last && i == place->sort)
                flow_text(flow, left + columns, ROLE_TEXT,
                          model->columns[i].largest_first != place->reversed ? page->signs->more
                                                                             : page->signs->less);
            rests[i] += next;
        }
    }
}

static int lay_trend(struct flow *flow, const struct page *page, int left, const struct table_cell *cell)
{
    for (int i = 0; i < cell->trend_count; i++)
        flow_text(flow, left + i, ROLE_BAR, table_spark(page->view->signs, cell->trend[i]));
    return cell->trend_count;
}

/* What a cell says; of a number its parts stand below those of other rows. Returns where it begins. */
static int lay_cell(struct flow *flow, const struct page *page, const struct table_layout *layout, int row,
                    int i, enum grid_role role)
{
    const struct table_model *model = page->view->table;
    const struct table_cell *cell = table_cell_at(model, row, i);
    const struct table_width *width = &model->work->widths[i];
    const struct table_slot *slot = &layout->slots[i];
    const char *text = cell->why ? page->signs->blank : cell->text ? cell->text : "";
    bool right = model->columns[i].right;
    int beside = layout->beside && width->beside ? width->beside + 1 : 0;
    int extra = !layout->bars ? 0 : width->trend ? width->trend + 1 : width->bar ? TABLE_BAR + 1 : 0;
    int mark = width->marked ? 2 : 0, room = most(1, slot->width - beside - extra - mark);
    int value = least(columns_of(text), room), at = slot->left + (right ? room - value : 0), start = at;
    if (cell->why)
        role = role == ROLE_SELECTED ? role : ROLE_DIM;
    else if (cell->stands_out && role == ROLE_TEXT)
        role = ROLE_WARNING;
    at += flow_clip(flow, at, value, role, text, page->signs->ellipsis);
    if (!right && cell->stands_out && mark)
        flow_text(flow, at + 1, ROLE_WARNING, "!");
    at = slot->left + room;
    if (beside && cell->beside)
        flow_right(flow, at + beside, ROLE_DIM, cell->beside);
    at += beside;
    if (extra && cell->trend_count > 0)
        lay_trend(flow, page, at + 1, cell);
    else if (extra && !isnan(cell->bar))
        page_lay_share(page, flow, at + 1, TABLE_BAR, cell->bar, 1);
    at += extra;
    if (right && cell->stands_out && mark)
        flow_text(flow, at + 1, ROLE_WARNING, "!");
    return start;
}

/* Returns where the cell under the cursor begins. */
static int lay_row(struct flow *flow, const struct page *page, const struct table_layout *layout, int shown)
{
    const struct table_place *place = &page->view->place;
    int row = page->view->table->work->order[shown], focus = 0;
    bool here = shown == place->cursor;
    flow_blank(flow);
    if (here)
        flow_text(flow, -2, ROLE_KEY, page->signs->cursor);
    for (int i = 0; i < layout->count; i++) {
        if (layout->slots[i].hidden)
            continue;
        bool under = here && i == place->column;
        int start = lay_cell(flow, page, layout, row, i,
                             under  ? ROLE_SELECTED
                             : here ? ROLE_STRONG
                                    : ROLE_TEXT);
        if (under)
            focus = start;
    }
    return focus;
}

/* ---- below the table ---- */

/* The cell under the cursor in words; and what has no room. */
static void lay_bottom(struct flow *flow, const struct page *page, const struct table_layout *layout,
                       int height, int width)
{
    const struct table_model *model = page->view->table;
    const struct table_place *place = &page->view->place;
    int row = view_table_row(model, place);
    if (row >= 0) {
        const struct table_cell *cell = table_cell_at(model, row, place->column);
        const char *heading = model->columns[place->column].heading, *text;
        if (cell->why)
            text = flow_print(flow, tr("%s: not available, %s"), heading, cell->why);
        else
            text = flow_print(flow, "%s: %s%s%s", heading, cell->text ? cell->text : page->signs->blank,
                              cell->beside ? " " : "", cell->beside ? cell->beside : "");
        flow_wrap_lines(flow, 0, width, cell->why ? ROLE_WARNING : ROLE_TEXT, text, false,
                        height > LOW ? 2 : 1, page->signs->ellipsis);
    }
    if (layout->hidden == 0)
        return;
    struct buffer names;
    buffer_init(&names);
    for (int i = 0; i < layout->count; i++)
        if (layout->slots[i].hidden)
            buffer_print(&names, "%s%s", names.length ? ", " : "", model->columns[i].heading);
    flow_blank(flow);
    flow_clip(flow, 0, width, ROLE_DIM,
              flow_print(flow, tr("not shown (%s %s): %s"), page->signs->left, page->signs->right_arrow,
                         page_keep(flow, &names)),
              page->signs->ellipsis);
}

/* ---- all of it ---- */

static void draw_filter(const struct page *page, int row, int width)
{
    const struct view *view = page->view;
    grid_put(page->grid, row, 1, 1, ROLE_KEY, "/", 1);
    if (view->overlay == OVERLAY_FILTER)
        field_draw(view, page->grid, row, LEFT, least(40, width));
    else
        grid_put(page->grid, row, LEFT, width, ROLE_STRONG, view->place.filter,
                 (ptrdiff_t)strlen(view->place.filter));
}

/* Rows into top … bottom; the cursor stays in sight, and the window full. */
static void draw_rows(struct page *page, const struct table_layout *layout, int top, int bottom)
{
    struct view *view = page->view;
    struct table_place *place = &view->place;
    int shown = view->table->work->shown, height = most(1, bottom - top), focus = 0;
    struct flow flow;
    struct pane pane = { LEFT, page->columns - LEFT - RIGHT, page->columns };
    place->scroll = most(place->cursor - height + 1, least(place->scroll, place->cursor));
    place->scroll = most(0, least(place->scroll, shown - height));
    view->scroll_page = height;
    flow_init(&flow);
    for (int i = place->scroll; i < shown && i < place->scroll + height; i++) {
        int start = lay_row(&flow, page, layout, i);
        if (i == place->cursor)
            focus = start;
    }
    flow_draw(&flow, page->grid, top, LEFT, height, 0);
    page_ends(page, &pane, top, height, place->scroll, shown - height);
    if (view->overlay != OVERLAY_FILTER)
        grid_focus(page->grid, top + place->cursor - place->scroll, LEFT + focus);
    flow_finish(&flow);
}

static void draw_nothing(const struct page *page, int top, int bottom, int width)
{
    const struct table_model *model = page->view->table;
    struct flow flow;
    flow_init(&flow);
    flow_wrap(&flow, 0, width, ROLE_DIM,
              model->row_count ? tr("No row holds that.")
              : model->empty   ? model->empty
                               : tr("nothing"),
              false);
    flow_draw(&flow, page->grid, top, LEFT, bottom - top, 0);
    flow_finish(&flow);
    if (page->view->overlay != OVERLAY_FILTER)
        grid_focus(page->grid, top, LEFT);
}

static void draw_table(struct page *page)
{
    struct view *view = page->view;
    const struct table_model *model = view->table;
    int height = page->bottom - page->top, width = page->columns - LEFT - RIGHT, row = page->top;
    bool air = height > LOW;
    struct flow top, bottom, headings;
    struct table_layout layout;
    flow_init(&top);
    flow_init(&bottom);
    flow_init(&headings);
    table_lay_out(&layout, model, &view->place, width);
    lay_top(&top, page, height, width);
    flow_draw(&top, page->grid, row + air, LEFT, height, 0);
    row += flow_height(&top) + (air && flow_height(&top) > 0);
    if (view->overlay == OVERLAY_FILTER || view->place.filter[0])
        draw_filter(page, row++ + air, width);
    row += air;
    if (model->work->shown > 0) {
        lay_headings(&headings, page, &layout);
        lay_bottom(&bottom, page, &layout, height, width);
        flow_draw(&headings, page->grid, row, LEFT, layout.heading, 0);
        row += layout.heading;
        int end = most(row + 1, page->bottom - flow_height(&bottom) - air);
        draw_rows(page, &layout, row, end);
        flow_draw(&bottom, page->grid, most(row + 1, page->bottom - flow_height(&bottom)), LEFT,
                  page->bottom - row - 1, 0);
    } else {
        view->scroll_page = 1;
        draw_nothing(page, row, page->bottom, width);
    }
    flow_finish(&top);
    flow_finish(&bottom);
    flow_finish(&headings);
}

void table_draw(struct view *view, struct grid *grid)
{
    const struct table_model *model = view->table;
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    grid_focus(grid, page.top, page.text.left);
    if (!model) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    draw_table(&page);
    flow_init(&flow);
    const char *where = NULL;
    if (model->work->shown > 0)
        where = flow_print(&flow, tr("%d of %d"), view->place.cursor + 1, model->work->shown);
    page_frame(&page, model->title ? model->title : "", model->subtitle, where, 0, 0);
    flow_finish(&flow);
}
