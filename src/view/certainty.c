/*
 * How sure the learner is, asked between the answer and its verdict: three rows with what is at stake. The
 * marks are Gardner-Medwin's.
 */
#include "page.h"

#include <quiztutor/message.h>

#include <string.h>

static const struct {
    const char *word;
    int right, wrong;
} rows[] = { { N_("guess"), 1, 0 }, { N_("think so"), 2, -2 }, { N_("certain"), 3, -6 } };

enum { ROWS = sizeof rows / sizeof *rows, ROOMY = 16 };

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

static bool is_tight(const struct page *page)
{
    return page->rows < ROOMY + 4;
}

int certainty_rows(const struct page *page)
{
    return 1 + ROWS + (is_tight(page) ? 0 : 2);
}

static void lay_rows(struct flow *flow, const struct page *page)
{
    const struct signs *signs = page->signs;
    int word = 0, right = 0, sign = columns_of(signs->off), indent = 1 + sign + 1 + 1 + 2;
    const char *stakes[ROWS];
    for (int i = 0; i < ROWS; i++) {
        word = columns_of(tr(rows[i].word)) > word ? columns_of(tr(rows[i].word)) : word;
        stakes[i] = flow_print(flow, tr("right %d   wrong %s"), rows[i].right,
                               page_signed(page, flow, rows[i].wrong));
        right = columns_of(stakes[i]) > right ? columns_of(stakes[i]) : right;
    }
    for (int i = 0; i < ROWS; i++) {
        bool chosen = page->view->certainty == i + 1;
        enum grid_role role = chosen ? ROLE_SELECTED : ROLE_TEXT;
        flow_blank(flow);
        flow_text(flow, 1, role, chosen ? signs->on : signs->off);
        flow_text(flow, 1 + sign + 1, chosen ? ROLE_SELECTED : ROLE_DIM, flow_print(flow, "%d", i + 1));
        flow_text(flow, indent, role, tr(rows[i].word));
        if (indent + word + 3 + right <= page->text.width)
            flow_text(flow, indent + word + 3, ROLE_DIM, stakes[i]);
    }
}

void certainty_draw(struct view *view, struct grid *grid)
{
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, true);
    page.tight = is_tight(&page);
    flow_init(&flow);
    lay_rows(&flow, &page);
    page_panel(&page, tr("How sure are you?"), tr("certainty marks"), ROLE_STRONG, &flow, false);
    if (view->certainty >= 1 && view->certainty <= ROWS)
        grid_focus(grid, page.bottom - ROWS - (page.tight ? 0 : 1) + view->certainty - 1, page.text.left + 1);
    flow_finish(&flow);
}
