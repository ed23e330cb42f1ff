/*
 * The library: a row a pack, the one under the cursor described below the list.
 */
#include "page.h"

#include "field.h"
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <math.h>
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

static bool holds(const char *text, const char *folded)
{
    if (!text)
        return false;
    char *own = text_fold(text);
    bool found = own && strstr(own, folded);
    memory_free(own);
    return found;
}

bool home_shows(const struct view *view, int row)
{
    const struct library_row *pack = &view->library->rows[row];
    if (!view->filter[0])
        return true;
    char *folded = text_fold(view->filter);
    bool shows =
        !folded || holds(pack->title, folded) || holds(pack->id, folded) || holds(pack->subject, folded);
    memory_free(folded);
    return shows;
}

int home_next(const struct view *view, int row, int step)
{
    for (; view->library && row >= 0 && row < view->library->count; row += step)
        if (home_shows(view, row))
            return row;
    return -1;
}

void home_keep_cursor(struct view *view)
{
    int count = view->library ? view->library->count : 0;
    view->cursor = most(0, least(view->cursor, count - 1));
    int row = home_next(view, view->cursor, 1);
    if (row < 0)
        row = home_next(view, view->cursor, -1);
    if (row >= 0)
        view->cursor = row;
}

static const char *row_title(const struct library_row *row)
{
    return row->title ? row->title : row->path ? row->path : "";
}

/* Where the columns of the list stand; a width of 0 leaves one out, of all rows alike. */
struct list {
    int title, questions, state, bar, share;
    int counts; /* of the states those that begin with a number end below each other */
    int width;
};

static const char *questions_text(struct flow *flow, const struct library_row *row)
{
    return flow_print(flow, ntr("%d question", "%d questions", row->questions), row->questions);
}

/* All is 100 only when it is all. */
static int per_cent(int part, int all)
{
    int share = all > 0 ? (int)lround(100.0 * part / all) : 0;
    return part < all ? least(share, 99) : share;
}

/* A state that is counted: it begins with a number. */
static bool is_counted(const struct library_row *row)
{
    return !row->exam && row->seen > 0 && (row->due > 0 || row->fresh > 0);
}

static const char *state_text(struct flow *flow, const struct library_row *row)
{
    if (row->exam)
        return row->exam;
    if (row->seen == 0)
        return tr("new");
    if (row->due > 0)
        return flow_print(flow, tr("%d due"), row->due);
    if (row->fresh > 0) /* there is something to do now; what comes due stands below the list */
        return flow_print(flow, tr("%d new"), row->fresh);
    return row->until ? row->until : tr("all seen");
}

enum { LIST_GAP = 3, LIST_BAR = 10, LIST_LEAST_BAR = 5, LIST_SHARE = 4 };

/* Columns of the title below which a shorter bar, none, no number of questions and no per cent give way. */
enum { TITLE_BAR = 28, TITLE_NO_BAR = 24, TITLE_NO_QUESTIONS = 20, TITLE_NO_SHARE = 14 };

/* What the other columns take of a row. */
static int list_tail(const struct list *list)
{
    return LIST_GAP + list->state + (list->questions ? LIST_GAP + list->questions : 0) +
           (list->bar ? list->bar + 1 : 0) + (list->share ? LIST_GAP + list->share : 0);
}

/* A list that scrolls leaves the margin to ▲ and ▼. */
static struct list list_columns(const struct view *view, const struct pane *pane, bool scrolls,
                                struct flow *flow)
{
    struct list list = { .width = (scrolls ? pane->width : pane->edge - pane->left) - 2,
                         .bar = LIST_BAR,
                         .share = LIST_SHARE };
    int longest = 0;
    for (int i = 0; i < view->library->count; i++) {
        const struct library_row *row = &view->library->rows[i];
        longest = most(longest, columns_of(row_title(row)));
        if (row->problem)
            continue;
        int state = columns_of(state_text(flow, row));
        list.questions = most(list.questions, columns_of(questions_text(flow, row)));
        list.state = most(list.state, state);
        if (is_counted(row))
            list.counts = most(list.counts, state);
    }
    while (list.bar > LIST_LEAST_BAR && list.width - list_tail(&list) < least(longest, TITLE_BAR))
        list.bar--;
    if (list.width - list_tail(&list) < least(longest, TITLE_NO_BAR))
        list.bar = 0;
    if (list.width - list_tail(&list) < least(longest, TITLE_NO_QUESTIONS))
        list.questions = 0;
    if (list.width - list_tail(&list) < least(longest, TITLE_NO_SHARE))
        list.share = 0;
    list.title = list.width - list_tail(&list);
    return list;
}

static void lay_row(struct flow *flow, const struct page *page, const struct list *list,
                    const struct library_row *row, bool cursor)
{
    enum grid_role role = cursor ? ROLE_STRONG : ROLE_TEXT;
    const char *title = row_title(row);
    flow_blank(flow);
    if (cursor)
        flow_text(flow, 0, ROLE_KEY, page->signs->cursor);
    if (row->problem) {
        int used = flow_clip(flow, 2, list->width * 2 / 5, ROLE_DIM, title, page->signs->ellipsis);
        flow_clip(flow, 2 + used + LIST_GAP, list->width - used - LIST_GAP, ROLE_DIM, row->problem,
                  page->signs->ellipsis);
        return;
    }
    flow_clip(flow, 2, list->title, role, title, page->signs->ellipsis);
    int column = 2 + list->title;
    if (list->questions) {
        column += LIST_GAP + list->questions;
        flow_right(flow, column, ROLE_TEXT, questions_text(flow, row));
    }
    column += LIST_GAP;
    if (is_counted(row))
        flow_right(flow, column + list->counts, ROLE_TEXT, state_text(flow, row));
    else
        flow_text(flow, column, row->seen && !row->exam ? ROLE_DIM : ROLE_TEXT, state_text(flow, row));
    column += list->state + LIST_GAP;
    if (row->seen == 0 || row->exam)
        return;
    if (list->bar) {
        page_lay_bar(page, flow, column, list->bar, row->mastered, row->questions);
        column += list->bar + 1;
    }
    if (list->share)
        flow_right(flow, column + list->share, ROLE_TEXT,
                   flow_print(flow, "%d%%", per_cent(row->mastered, row->questions)));
}

/* What there is to know of the pack under the cursor, in few lines. */
static void lay_detail(struct flow *flow, const struct page *page, const struct library_row *row)
{
    const char *dot = page->signs->dot;
    if (row->problem) {
        flow_wrap(flow, 2, page->text.width - 2, ROLE_WARNING, row->problem, false);
        return;
    }
    if (row->strapline)
        flow_wrap(flow, 2, page->text.width - 2, ROLE_TEXT, row->strapline, false);
    flow_blank(flow);
    if (row->exam) {
        flow_wrap(flow, 2, page->text.width - 2, ROLE_DIM,
                  flow_print(flow, "%s %s %s", questions_text(flow, row), dot, row->exam), true);
        return;
    }
    const char *text = flow_print(flow, "%s %s %s", questions_text(flow, row), dot, tr("none seen yet"));
    if (row->seen > 0)
        text = flow_print(flow, tr("%d of %d seen %s %d of those right"), row->seen, row->questions, dot,
                          row->right);
    if (row->seen > 0)
        text = flow_print(flow, "%s %s %s", text, dot, flow_print(flow, tr("%d mastered"), row->mastered));
    if (row->due > 0)
        text = flow_print(flow, "%s %s %s", text, dot, flow_print(flow, tr("%d due"), row->due));
    else if (row->seen > 0 && row->until)
        text = flow_print(flow, "%s %s %s", text, dot, row->until);
    flow_wrap(flow, 2, page->text.width - 2, ROLE_DIM, text, true);
}

static void draw_nothing(const struct page *page)
{
    struct flow flow;
    int scroll = 0, range;
    flow_init(&flow);
    if (page->view->kiosk) {
        flow_wrap(&flow, 0, page->text.width, ROLE_STRONG, tr("There is nothing to do here now."), false);
        flow_blank(&flow);
        flow_wrap(&flow, 0, page->text.width, ROLE_TEXT, tr("Ask your tutor when there will be."), true);
        goto draw;
    }
    flow_wrap(&flow, 0, page->text.width, ROLE_STRONG, tr("There is no pack in the library yet."), false);
    flow_blank(&flow);
    flow_wrap(&flow, 0, page->text.width, ROLE_TEXT,
              tr("quiztutor add FILE puts a pack here.\nman quiztutor-pack shows how to write one."), false);
    flow_wrap(&flow, 0, page->text.width, ROLE_TEXT, tr("quiztutor config says which folders are looked in."),
              false);
draw:
    page_scroll(page, &page->text, &flow, page->top + 1, page->bottom - page->top - 1, &scroll, &range);
    grid_focus(page->grid, page->top + 1, page->text.left);
    flow_finish(&flow);
}

enum { FILTER_ROWS = 2 }; /* the filter's line and the gap below it */

/* Returns the rows taken by the filter. */
static int draw_filter(const struct page *page)
{
    const struct view *view = page->view;
    bool typing = view->overlay == OVERLAY_FILTER;
    if (!typing && !view->filter[0])
        return 0;
    int row = page->top + 1, left = page->text.left;
    grid_put(page->grid, row, left, 1, ROLE_KEY, "/", 1);
    if (typing)
        field_draw(view, page->grid, row, left + 2, least(40, page->text.width - 2));
    else
        grid_put(page->grid, row, left + 2, page->text.width - 2, ROLE_STRONG, view->filter,
                 (ptrdiff_t)strlen(view->filter));
    return FILTER_ROWS;
}

/* Rows that the list has above the detail of the pack under the cursor; *below: those of the detail with a
 * gap above it and one line of air below it, 0 where the list takes its room. */
static int list_height(const struct flow *detail, int room, int rows, int *below)
{
    *below = flow_height(detail) + 2;
    if (room - *below < least(rows, 3))
        *below = 0;
    return room - *below;
}

/* Whether the list scrolls with any pack under the cursor, filtered or not: its columns stand still. */
static bool list_scrolls(const struct page *page)
{
    const struct library_model *library = page->view->library;
    int room = page->bottom - page->top - 1, below;
    for (int i = 0; i < library->count && library->count <= room - FILTER_ROWS; i++) {
        struct flow detail;
        flow_init(&detail);
        lay_detail(&detail, page, &library->rows[i]);
        bool scrolls = list_height(&detail, room, library->count, &below) < library->count ||
                       list_height(&detail, room - FILTER_ROWS, library->count, &below) < library->count;
        flow_finish(&detail);
        if (scrolls)
            return true;
    }
    return library->count > room - FILTER_ROWS;
}

static void draw_list(struct page *page)
{
    struct view *view = page->view;
    struct flow flow, detail;
    flow_init(&flow);
    flow_init(&detail);
    struct list list = list_columns(view, &page->text, list_scrolls(page), &flow);
    int cursor_line = -1, below = 0;
    for (int i = 0; i < view->library->count; i++) {
        if (!home_shows(view, i))
            continue;
        if (i == view->cursor)
            cursor_line = flow_height(&flow);
        lay_row(&flow, page, &list, &view->library->rows[i], i == view->cursor);
    }
    int first = page->top + 1 + draw_filter(page), height = page->bottom - first;
    if (cursor_line < 0) {
        const char *none = tr("No pack holds that.");
        grid_put(page->grid, first, page->text.left, page->text.width, ROLE_DIM, none,
                 (ptrdiff_t)strlen(none));
    } else {
        lay_detail(&detail, page, &view->library->rows[view->cursor]);
    }
    height = list_height(&detail, height, flow_height(&flow), &below);
    if (below)
        flow_draw(&detail, page->grid, page->bottom - below + 1, page->text.left, flow_height(&detail), 0);
    if (cursor_line >= 0) {
        view->scroll = most(cursor_line - height + 1, least(view->scroll, cursor_line));
        page_scroll(page, &page->text, &flow, first, height, &view->scroll, &view->scroll_range);
        if (view->overlay != OVERLAY_FILTER)
            grid_focus(page->grid, first + cursor_line - view->scroll, page->text.left);
    } else if (view->overlay != OVERLAY_FILTER) {
        grid_focus(page->grid, first, page->text.left);
    }
    view->scroll_page = height;
    flow_finish(&flow);
    flow_finish(&detail);
}

void home_draw(struct view *view, struct grid *grid)
{
    struct page page;
    page_init(&page, view, grid, false);
    grid_focus(grid, page.top, page.text.left);
    home_keep_cursor(view);
    if (view->library && view->library->count > 0)
        draw_list(&page);
    else
        draw_nothing(&page);
    page_frame(&page, "quiztutor", view->library ? view->library->learner : NULL, NULL, 0, 0);
}
