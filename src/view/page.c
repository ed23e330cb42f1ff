#include "page.h"

#include "action.h"
#include "field.h"
#include <quiztutor/message.h>
#include <quiztutor/text.h>

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

void page_init(struct page *page, struct view *view, struct grid *grid, bool two)
{
    *page = (struct page){ .view = view,
                           .grid = grid,
                           .signs = signs_of(view->signs),
                           .rows = grid->rows,
                           .columns = grid->columns,
                           .top = 2,
                           .bottom = grid->rows - 2 };
    if (view->kiosk && view->kiosk->banner)
        page->top++;
    int widest = view->large ? PAGE_LARGE : PAGE_TEXT;
    if (two && !view->large && page->columns >= PAGE_BESIDE) {
        int middle = page->columns / 2, width = least(PAGE_TEXT, middle - 5);
        int left = middle - 3 - width;
        page->text = (struct pane){ left, width, left + width };
        page->beside = (struct pane){ middle + 3, width, middle + 3 + width };
        return;
    }
    int width = least(widest, page->columns - 4);
    int left = page->columns > widest + 4 ? (page->columns - width) / 2 : 2;
    page->text = (struct pane){ left, width, least(left + width + 2, page->columns) };
}

int page_rows(const struct view *view, int rows)
{
    int dense = PAGE_FRAME + (rows - PAGE_FRAME) / 2;
    return view->large && dense >= VIEW_SMALLEST_ROWS ? dense : rows;
}

static int put(const struct page *page, int row, int column, enum grid_role role, const char *text)
{
    return grid_put(page->grid, row, column, page->columns, role, text, (ptrdiff_t)strlen(text));
}

/* One line of text in at most `width` columns, clipped with an ellipsis; returns its columns. */
static int put_clipped(const struct page *page, int row, int column, int width, enum grid_role role,
                       const char *text)
{
    struct flow flow;
    flow_init(&flow);
    flow_blank(&flow);
    int used = flow_clip(&flow, 0, width, role, text, page->signs->ellipsis);
    flow_draw(&flow, page->grid, row, column, 1, 0);
    flow_finish(&flow);
    return used;
}

void page_rule(const struct page *page, int row, int from, int to)
{
    grid_fill(page->grid, row, from, to - from, ROLE_RULE, page->signs->rule);
}

/* The end of the header, which is kept longest: word, sign and position. */
static int tail_columns(const struct page *page, const char *where, bool word)
{
    int columns = where ? columns_of(where) : 0;
    if (page->mark)
        columns += columns_of(page->mark) + 1;
    if (word)
        columns += columns_of(page->word) + 3;
    return columns;
}

static void put_tail(const struct page *page, int column, const char *where, bool word)
{
    if (word) {
        column += put(page, 0, column, ROLE_DIM, page->word);
        put(page, 0, column + 1, ROLE_DIM, page->signs->dot);
        column += 3;
    }
    if (page->mark)
        column += put(page, 0, column, page->mark_role, page->mark) + 1;
    if (where)
        put_clipped(page, 0, column, page->columns - column, ROLE_TEXT, where);
}

enum {
    HEADER_TITLE = 12,
    HEADER_LEAST = 4
}; /* columns of the title for which a word gives way; of what is
    * worth saying of it */

static void draw_header(const struct page *page, const char *title, const char *who, const char *where)
{
    int room = page->columns - 1, title_columns = columns_of(title);
    bool word =
        page->word && tail_columns(page, where, true) + 2 + least(title_columns, HEADER_TITLE) <= room;
    int tail = tail_columns(page, where, word);
    int gap = who && tail ? 3 : 0, side = (who ? columns_of(who) : 0) + gap + tail;
    if (title_columns + 2 + side >
        room) { /* the position stays whole, then title and name share what is left */
        int fixed = gap + tail + 2;
        int name = who ? least(columns_of(who), most(room - fixed - title_columns, (room - fixed) / 3)) : 0;
        if (name < 2) {
            name = 0;
            fixed -= gap;
            gap = 0;
        }
        int left = most(0, least(title_columns, room - fixed - name));
        title_columns = left < title_columns && left < HEADER_LEAST ? 0 : left;
        side = name + fixed - 2;
    }
    put_clipped(page, 0, 1, title_columns, ROLE_TEXT, title);
    int column = most(1, page->columns - side);
    int name_room = side - gap - tail;
    if (who && name_room > 0) {
        int used = put_clipped(page, 0, column, name_room, ROLE_DIM, who);
        column += most(0, name_room - used); /* right-aligned although the clipped name is a cell shorter */
        if (column > page->columns - side) {
            grid_fill(page->grid, 0, page->columns - side, name_room, ROLE_TEXT, " ");
            put_clipped(page, 0, column, name_room, ROLE_DIM, who);
        }
        column += used;
    }
    if (gap) {
        put(page, 0, column + 1, ROLE_DIM, page->signs->dot);
        column += gap;
    }
    put_tail(page, column, where, word);
}

/* ---- footer ---- */

enum { FOOTER_ITEMS = 32, FOOTER_GAP = 3 };

struct footer_item {
    const struct action_row *row;
    const char *help;
    struct buffer keys;
    int columns;
    bool shown;
};

static int footer_columns(const struct footer_item *items, int count)
{
    int total = -FOOTER_GAP;
    for (int i = 0; i < count; i++)
        total += items[i].columns + FOOTER_GAP;
    return total;
}

/* Where not all fit in a narrow window, with shorter words for those that have one. */
static void shorten_items(struct footer_item *items, int count, const struct view *view, int width)
{
    for (int i = 0; i < count && footer_columns(items, count) > width; i++) {
        const char *brief = action_brief(items[i].row, view);
        if (!brief)
            continue;
        items[i].columns += columns_of(brief) - columns_of(items[i].help);
        items[i].help = brief;
    }
}

/* Drops items from the least useful on until the rest fits. */
static void choose_items(struct footer_item *items, int count, int width)
{
    for (;;) {
        int total = -FOOTER_GAP, last = -1;
        for (int i = 0; i < count; i++) {
            if (!items[i].shown)
                continue;
            total += items[i].columns + FOOTER_GAP;
            if (last < 0 || items[i].row->rank >= items[last].row->rank)
                last = i;
        }
        if (total <= width || last < 0)
            return;
        items[last].shown = false;
    }
}

/* In a kiosk whoever is called must find their key: where the footer has no room, in the rule above it. */
static void draw_tutor(const struct page *page, const struct footer_item *item)
{
    struct buffer line;
    buffer_init(&line);
    buffer_print(&line, "%s %s", buffer_get(&item->keys), action_help(item->row, page->view));
    page_rule_word(page, page->bottom, ROLE_DIM, buffer_get(&line));
    buffer_finish(&line);
}

static void draw_footer(const struct page *page)
{
    struct footer_item items[FOOTER_ITEMS];
    int count = 0, row = page->rows - 1, column = 1;
    for (int i = 0; i < action_row_count && count < FOOTER_ITEMS; i++) {
        if (action_rows[i].rank == 0 || !action_here(&action_rows[i], page->view))
            continue;
        struct footer_item *item = &items[count++];
        *item = (struct footer_item){ .row = &action_rows[i], .shown = true };
        buffer_init(&item->keys);
        action_keys(item->row, page->view, &item->keys);
        item->help = action_help(item->row, page->view);
        item->columns = columns_of(buffer_get(&item->keys)) + 1 + columns_of(item->help);
    }
    if (page->columns < PAGE_NAMED)
        shorten_items(items, count, page->view, page->columns - 1);
    choose_items(items, count, page->columns - 1);
    for (int i = 0; i < count; i++) {
        if (items[i].shown) {
            column += put(page, row, column, ROLE_KEY, buffer_get(&items[i].keys)) + 1;
            column += put(page, row, column, ROLE_DIM, items[i].help) + FOOTER_GAP;
        } else if (items[i].row->bindings[0].action == ACTION_TUTOR && !page->view->flash) {
            draw_tutor(page, &items[i]);
        }
        buffer_finish(&items[i].keys);
    }
}

/* Cells of a bar that are filled: something is never nothing, and not all is never all. */
static int filled_of(int width, int part, int all)
{
    int filled = all > 0 ? (int)((2LL * part * width + all) / (2LL * all)) : 0;
    if (part > 0 && filled == 0)
        filled = 1;
    if (part < all && filled >= width)
        filled = width - 1;
    return filled;
}

/* In a kiosk who is signed in and the time stand on every screen: in the header, or where that is too short
 * for them beside the position, in the lower rule. */
static void draw_kiosk(const struct page *page, const char *title, const char *where)
{
    const struct kiosk_model *kiosk = page->view->kiosk;
    const char *clock = kiosk->clock ? kiosk->clock : "";
    struct buffer line;
    buffer_init(&line);
    bool below = where && page->columns < PAGE_NAMED;
    if (below) {
        draw_header(page, title, NULL, where);
        if (kiosk->learner)
            buffer_print(&line, " %s %s ", page->signs->dot, clock);
        else
            buffer_print(&line, "%s ", clock);
        int tail = columns_of(buffer_get(&line)), room = page->columns / 2 - tail, column;
        int name = kiosk->learner ? least(columns_of(kiosk->learner), room) : 0;
        column = page->columns - 1 - tail - name;
        put(page, page->bottom, column - 1, ROLE_TEXT, " ");
        column +=
            kiosk->learner ? put_clipped(page, page->bottom, column, name, ROLE_DIM, kiosk->learner) : 0;
        put(page, page->bottom, column, ROLE_DIM, buffer_get(&line));
    } else {
        page_join(&line, page, where ? where : "");
        page_join(&line, page, clock);
        draw_header(page, title, kiosk->learner, buffer_get(&line));
    }
    if (kiosk->banner) {
        bool fits = !kiosk->brief || columns_of(kiosk->banner) <= page->columns - 2;
        put_clipped(page, 2, 1, page->columns - 2, ROLE_WARNING, fits ? kiosk->banner : kiosk->brief);
    }
    buffer_finish(&line);
}

void page_frame(const struct page *page, const char *title, const char *who, const char *where, int done,
                int of)
{
    int width = page->columns - 1, filled = 0;
    if (of > 0) {
        filled = filled_of(width, most(0, least(done, of)), of);
        grid_fill(page->grid, 1, 1, width, ROLE_RULE, page->signs->rest);
        grid_fill(page->grid, 1, 1, filled, ROLE_BAR, page->signs->done);
    } else {
        page_rule(page, 1, 1, page->columns);
    }
    page_rule(page, page->bottom, 1, page->columns);
    if (page->view->kiosk)
        draw_kiosk(page, title, where);
    else
        draw_header(page, title, who, where);
    if (page->view->flash)
        page_rule_word(page, page->bottom, ROLE_WARNING, page->view->flash);
    draw_footer(page);
}

void page_rule_word(const struct page *page, int row, enum grid_role role, const char *word)
{
    put(page, row, 3, ROLE_TEXT, " ");
    int used = put_clipped(page, row, 4, page->columns - 6, role, word);
    put(page, row, 4 + used, ROLE_TEXT, " ");
}

void page_titled_rule(const struct page *page, int row, int from, int to, enum grid_role role,
                      const char *title, const char *more)
{
    page_rule(page, row, from, to);
    int column = from + 2, room = to - column - 3;
    put(page, row, column, ROLE_TEXT, " ");
    int used = put_clipped(page, row, column + 1, room, role, title);
    grid_focus(page->grid, row, column + 1);
    if (more && used + 2 + columns_of(more) <= room) {
        used += 2;
        put(page, row, column + used - 1, ROLE_TEXT, "  ");
        used += put(page, row, column + 1 + used, ROLE_DIM, more);
    }
    put(page, row, column + 1 + used, ROLE_TEXT, " ");
}

/* ---- scrolling ---- */

static bool row_is_free(const struct page *page, int row, int from, int to)
{
    for (int column = from; column < to; column++) {
        const struct grid_cell *cell = grid_at(page->grid, row, column);
        if (cell && strcmp(cell->text, " ") != 0)
            return false;
    }
    return true;
}

/* A sign in the margin; with its word where the row leaves room. */
static void put_mark(const struct page *page, const struct pane *pane, int row, const char *sign,
                     const char *word)
{
    int edge = most(pane->edge, pane->left + pane->width + 2);
    edge = least(edge, page->columns);
    int width = columns_of(sign) + (word ? 1 + columns_of(word) : 0);
    if (word && row_is_free(page, row, edge - width - 2, edge)) {
        int used = put(page, row, edge - width, ROLE_KEY, sign);
        put(page, row, edge - width + used + 1, ROLE_DIM, word);
    } else {
        put(page, row, edge - columns_of(sign), ROLE_KEY, sign);
    }
}

void page_ends(const struct page *page, const struct pane *pane, int row, int height, int scroll, int range)
{
    if (height < 1)
        return;
    if (scroll > 0)
        put_mark(page, pane, row, page->signs->less, NULL);
    if (scroll < range && (height > 1 || scroll == 0))
        put_mark(page, pane, row + height - 1, page->signs->more, tr("more"));
}

void page_scroll(const struct page *page, const struct pane *pane, const struct flow *flow, int row,
                 int height, int *scroll, int *range)
{
    height = most(height, 0);
    *range = most(0, flow_height(flow) - height);
    *scroll = most(0, least(*scroll, *range));
    flow_draw(flow, page->grid, row, pane->left, height, *scroll);
    page_ends(page, pane, row, height, *scroll, *range);
}

/* What was chosen stays as it is while the learner says how sure it is. */
static void dim_above(const struct page *page, int end)
{
    bool keeps = page->view->overlay == OVERLAY_CERTAINTY;
    for (int row = 0; row < end; row++) {
        for (int column = 0; column < page->columns; column++) {
            struct grid_cell *cell = grid_at(page->grid, row, column);
            if (cell->role != ROLE_RULE &&
                !(keeps && (cell->role == ROLE_SELECTED || cell->role == ROLE_FIELD)))
                cell->role = ROLE_DIM;
        }
    }
}

void page_panel(const struct page *page, const char *title, const char *more, enum grid_role role,
                const struct flow *flow, bool field)
{
    int body = page->bottom - page->top, extra = field ? 2 : 0;
    bool air =
        !page->tight && flow_height(flow) + extra + 3 <= body; /* a blank line above and below the text */
    int height = least(flow_height(flow), body - 1 - extra);
    int row = page->bottom - 1 - height - extra - (air ? 2 : 0);
    dim_above(page, row);
    for (int clear = row; clear < page->bottom; clear++)
        grid_fill(page->grid, clear, 0, page->columns, ROLE_TEXT, " ");
    page_titled_rule(page, row, 1, page->columns, role, title, more);
    int focus_row = page->grid->focus_row, focus_column = page->grid->focus_column;
    page_scroll(page, &page->text, flow, row + 1 + air, height, &page->view->overlay_scroll,
                &page->view->overlay_range);
    page->view->overlay_page = height;
    grid_focus(page->grid, focus_row, focus_column);
    grid_fill(page->grid, page->rows - 1, 0, page->columns, ROLE_TEXT, " ");
    draw_footer(page); /* anew: now it is known what scrolls */
    if (field)
        field_draw(page->view, page->grid, row + 1 + air + height + 1, page->text.left, page->text.width);
}

static void lay_cells(const struct page *page, struct flow *flow, int column, int width, int filled)
{
    for (int i = 0; i < width; i++)
        flow_text(flow, column + i, i < filled ? ROLE_BAR : ROLE_RULE,
                  i < filled ? page->signs->full : page->signs->empty);
}

void page_lay_bar(const struct page *page, struct flow *flow, int column, int width, int part, int all)
{
    lay_cells(page, flow, column, width, filled_of(width, part, all));
}

int page_lay_amount(const struct page *page, struct flow *flow, int column, int width, int part, int all)
{
    int filled = part >= all ? width : filled_of(width, part, all);
    lay_cells(page, flow, column, filled, filled);
    return filled;
}

void page_lay_share(const struct page *page, struct flow *flow, int column, int width, double part,
                    double all)
{
    enum { FINE = 1000000 };
    double share = all > 0 ? part / all : 0;
    int fine = share >= 1 ? FINE : share > 0 ? (int)(share * FINE) : 0;
    lay_cells(page, flow, column, width, filled_of(width, fine == 0 && share > 0 ? 1 : fine, FINE));
}

const char *page_number(struct flow *flow, double value)
{
    char text[TEXT_NUMBER];
    text_number(text, value);
    return flow_print(flow, "%s", text);
}

const char *page_signed(const struct page *page, struct flow *flow, double value)
{
    const char *text = page_number(flow, value);
    return *text == '-' ? flow_print(flow, "%s%s", page->signs->minus, text + 1) : text;
}

const char *page_marks(struct flow *flow, double mark, double marks)
{
    if (marks == 1)
        return flow_print(flow, tr("%s of 1 mark"), page_number(flow, mark));
    return flow_print(flow, tr("%s of %s marks"), page_number(flow, mark), page_number(flow, marks));
}

const char *page_duration(struct flow *flow, int64_t elapsed_ms)
{
    long long seconds = elapsed_ms < 0 ? 0 : (elapsed_ms + 500) / 1000;
    if (seconds < 60)
        return flow_print(flow, tr("%lld s"), seconds);
    if (seconds < 3600)
        return flow_print(flow, tr("%lld min %lld s"), seconds / 60, seconds % 60);
    return flow_print(flow, tr("%lld h %lld min"), seconds / 3600, seconds / 60 % 60);
}

void page_lay_ends(struct flow *flow, const struct pane *pane, enum grid_role role, const char *left,
                   enum grid_role right_role, const char *right)
{
    int used = flow_wrap(flow, 0, pane->width, role, left, true),
        edge = pane->width; /* the margin is for ▲ and ▼ */
    if (!right)
        return;
    if (used + 2 + columns_of(right) > edge)
        flow_blank(flow);
    flow_right(flow, edge, right_role, right);
}

void page_lay_rule(struct flow *flow, const struct page *page, const char *title)
{
    int width = page->text.width, column = 3;
    flow_blank(flow);
    flow_text(flow, 0, ROLE_RULE, page->signs->rule);
    flow_text(flow, 1, ROLE_RULE, page->signs->rule);
    column += flow_clip(flow, column, width - 6, ROLE_DIM, title, page->signs->ellipsis) + 1;
    for (; column < width; column++)
        flow_text(flow, column, ROLE_RULE, page->signs->rule);
}

void page_join(struct buffer *line, const struct page *page, const char *text)
{
    if (*text)
        buffer_print(line, "%s%s%s%s", line->length ? " " : "", line->length ? page->signs->dot : "",
                     line->length ? " " : "", text);
}

const char *page_keep(struct flow *flow, struct buffer *line)
{
    const char *kept = line->length ? arena_text(&flow->arena, buffer_get(line), line->length) : NULL;
    buffer_finish(line);
    return kept ? kept : "";
}
