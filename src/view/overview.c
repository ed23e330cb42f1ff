/*
 * An exam's questions at a glance: a row each, with the titles of their sections between.
 */
#include "page.h"

#include <quiztutor/message.h>

#include <string.h>

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

enum { OVERVIEW_WORDS = 60 }; /* columns from which words repeat what the signs say */

static void lay_state(struct flow *flow, const struct page *page, const struct overview_model *overview)
{
    struct buffer line;
    buffer_init(&line);
    page_join(&line, page,
              overview->open > 0 ? flow_print(flow, tr("%d open"), overview->open) : tr("none open"));
    if (overview->blank > 0)
        page_join(&line, page, flow_print(flow, tr("%d left blank"), overview->blank));
    if (overview->flagged > 0)
        page_join(&line, page, flow_print(flow, tr("%d flagged"), overview->flagged));
    const char *kept = page_keep(flow, &line);
    flow_blank(flow);
    page_lay_ends(flow, &page->text, ROLE_TEXT, kept, ROLE_DIM, overview->extended);
}

static const char *row_words(struct flow *flow, const struct page *page, const struct overview_row *row)
{
    const char *state = row->blank ? tr("left blank") : row->answered ? NULL : trc("question", "open");
    if (!row->flagged)
        return state;
    return state ? flow_print(flow, "%s %s %s", tr("flagged"), page->signs->dot, state) : tr("flagged");
}

static void lay_row(struct flow *flow, const struct page *page, const struct overview_model *overview, int i)
{
    const struct signs *signs = page->signs;
    const struct overview_row *row = &overview->rows[i];
    bool cursor = i == page->view->cursor;
    int sign = columns_of(signs->off), digits = columns_of(flow_print(flow, "%d", overview->count));
    const char *mark = row->blank ? signs->blank : row->answered ? signs->on : signs->off;
    enum grid_role role = cursor ? ROLE_STRONG : ROLE_TEXT;
    enum grid_role state = row->blank ? ROLE_DIM : row->answered ? ROLE_SELECTED : ROLE_TEXT;
    int column = 2, width = page->text.width;
    flow_blank(flow);
    if (cursor)
        flow_text(flow, 0, ROLE_KEY, signs->cursor);
    flow_text(flow, column + (sign - columns_of(mark)) / 2, state, mark);
    column += sign + 1;
    flow_right(flow, column + digits, ROLE_DIM, flow_print(flow, "%d", i + 1));
    column += digits + 1;
    if (row->flagged)
        flow_text(flow, column, ROLE_WARNING, signs->flag);
    column += 2;
    const char *words = width >= OVERVIEW_WORDS ? row_words(flow, page, row) : NULL;
    if (words) {
        flow_right(flow, width, ROLE_DIM, words);
        width -= columns_of(words) + 3;
    }
    flow_clip(flow, column, width - column, role, row->prompt ? row->prompt : "", signs->ellipsis);
}

static bool begins_section(const struct overview_model *overview, int i)
{
    const char *section = overview->rows[i].section, *before = i > 0 ? overview->rows[i - 1].section : NULL;
    return section && (!before || strcmp(section, before) != 0);
}

static void draw_rows(const struct page *page, const struct overview_model *overview)
{
    struct view *view = page->view;
    struct flow flow, state;
    flow_init(&flow);
    flow_init(&state);
    lay_state(&state, page, overview);
    view->cursor = most(0, least(view->cursor, overview->count - 1));
    int line = 0, title = 0;
    for (int i = 0; i < overview->count; i++) {
        bool begins = begins_section(overview, i);
        int first = flow_height(&flow);
        if (begins) {
            if (first > 0)
                flow_blank(&flow);
            flow_blank(&flow);
            flow_clip(&flow, 0, page->text.width, ROLE_DIM, overview->rows[i].section, page->signs->ellipsis);
        }
        if (i == view->cursor) {
            title = i == 0 || begins ? first : flow_height(&flow); /* its title comes into sight with it */
            line = flow_height(&flow);
        }
        lay_row(&flow, page, overview, i);
    }
    bool air = page->bottom - page->top >= 12;
    int first = page->top + air;
    flow_draw(&state, page->grid, first, page->text.left, flow_height(&state), 0);
    first += flow_height(&state) + 1;
    int height = page->bottom - first;
    view->scroll = most(line - height + 1, least(view->scroll, title));
    page_scroll(page, &page->text, &flow, first, height, &view->scroll, &view->scroll_range);
    view->scroll_page = height;
    grid_focus(page->grid, most(first, first + line - view->scroll), page->text.left);
    flow_finish(&flow);
    flow_finish(&state);
}

void overview_draw(struct view *view, struct grid *grid)
{
    const struct overview_model *overview = view->overview;
    struct page page;
    struct flow texts;
    page_init(&page, view, grid, false);
    grid_focus(grid, page.top, page.text.left);
    if (!overview) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    if (overview->count > 0 && overview->rows)
        draw_rows(&page, overview);
    flow_init(&texts);
    const char *where = flow_print(&texts, tr("%d of %d answered"), overview->answered, overview->count);
    if (overview->time_left)
        where = flow_print(&texts, "%s %s %s", where, page.signs->dot, overview->time_left);
    if (columns_of(where) > page.columns - 2 && overview->time_left)
        where = overview->time_left; /* a number is never cut */
    const char *who = page.columns < PAGE_NAMED ? NULL : overview->learner;
    page_frame(&page, overview->title ? overview->title : "", who, where, overview->answered,
               most(1, overview->count));
    flow_finish(&texts);
}
