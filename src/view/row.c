#include "row.h"

#include <quiztutor/message.h>

#include <string.h>

enum { ROW_GAP = 3 };

static int most(int one, int other)
{
    return one > other ? one : other;
}

int row_indent(int of)
{
    return 1 + (of > 9 ? 2 : 1) + 2;
}

int row_widest(int widest, const char *text)
{
    return text ? most(widest, grid_columns(text, (ptrdiff_t)strlen(text))) : widest;
}

static int sign_columns(const struct page *page)
{
    return grid_columns(page->signs->right, (ptrdiff_t)strlen(page->signs->right)) + 1;
}

int row_columns(const struct page *page, int of, int first, int second, bool sign)
{
    int columns = row_indent(of) + (sign ? sign_columns(page) : 0) + first + ROW_GAP;
    return second > 0 ? columns + sign_columns(page) + second : columns;
}

int row_words(void)
{
    return row_widest(row_widest(0, tr("your answer")), tr("right answer"));
}

static const char *word_of(enum row_sign sign)
{
    switch (sign) {
    case ROW_RIGHT:
        return tr("right answer");
    case ROW_WRONG:
        return tr("your answer");
    default:
        return NULL;
    }
}

/* A cell from `column` on, on the flow's last line; its word ends at `end` (0: none is meant). */
static void lay_cell(struct flow *flow, const struct page *page, const struct row_cell *cell, int column,
                     int width, int lines, int end)
{
    const struct signs *signs = page->signs;
    enum grid_role role = cell->sign == ROW_RIGHT   ? ROLE_RIGHT
                          : cell->sign == ROW_WRONG ? ROLE_WRONG
                                                    : ROLE_DIM;
    int sign = sign_columns(page);
    if (cell->sign != ROW_NONE) {
        flow_text(flow, column, role,
                  cell->sign == ROW_RIGHT   ? signs->right
                  : cell->sign == ROW_WRONG ? signs->wrong
                                            : signs->blank);
        column += sign;
        width -= sign;
    }
    int used = way_text(flow, page, column, most(2, width), cell->sign == ROW_BLANK ? ROLE_DIM : ROLE_TEXT,
                        cell->text ? cell->text : "", lines);
    if (end > 0)
        way_word(flow, column, used, end, role, word_of(cell->sign), 1);
}

static void lay_beside(struct flow *flow, const struct page *page, const struct pane *pane,
                       const struct row *row)
{
    struct flow left, right;
    int indent = row_indent(row->of);
    bool sign = row->first.sign != ROW_NONE;
    int second = row_columns(page, row->of, row->columns->first, 0, sign);
    flow_init(&left);
    flow_init(&right);
    left.side = right.side = flow->side;
    flow_blank(&left);
    flow_right(&left, indent - 2, ROLE_DIM, flow_print(&left, "%d", row->number));
    lay_cell(&left, page, &row->first, indent, second - ROW_GAP - indent, row->lines, 0);
    for (int i = 0; i < row->count; i++) {
        flow_blank(&right);
        lay_cell(&right, page, &row->second[i], 0, pane->width - second, row->lines,
                 row->columns->words && row->count > 1 ? pane->edge - pane->left - second : 0);
    }
    flow_pair(flow, &left, &right, second);
    flow_finish(&left);
    flow_finish(&right);
}

void row_lay(struct flow *flow, const struct page *page, const struct pane *pane, const struct row *row)
{
    if (row->columns->beside) {
        lay_beside(flow, page, pane, row);
        return;
    }
    int indent = row_indent(row->of), end = pane->edge - pane->left;
    flow_blank(flow);
    flow_right(flow, indent - 2, ROLE_DIM, flow_print(flow, "%d", row->number));
    lay_cell(flow, page, &row->first, indent, pane->width - indent, row->lines, 0);
    for (int i = 0; i < row->count; i++) {
        flow_blank(flow);
        lay_cell(flow, page, &row->second[i], indent, pane->width - indent, row->lines,
                 row->columns->words && row->count > 1 ? end : 0);
    }
}
