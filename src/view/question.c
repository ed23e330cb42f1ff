#include "question.h"

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

void question_frame(const struct page *page, const struct question_model *question, int answered)
{
    struct flow texts;
    flow_init(&texts);
    const char *where = flow_print(&texts, tr("%d of %d"), question->number, question->of);
    if (question->again)
        where = flow_print(&texts, "%s %s %s", tr("asked again"), page->signs->dot, where);
    page_frame(page, question->pack_title ? question->pack_title : "", question->learner, where, answered,
               most(1, question->of));
    flow_finish(&texts);
}

void question_text(struct flow *flow, const struct page *page, const struct question_model *question,
                   const struct pane *pane, int figure_width, enum grid_role role, int *hint_row)
{
    if (hint_row)
        *hint_row = -1;
    if (question->prompt)
        flow_wrap(flow, 0, pane->width, role, question->prompt, false);
    if (question->figure) {
        flow_blank(flow);
        flow_figure(flow, 3, figure_width - 3, ROLE_TEXT, question->figure, page->view->side_scroll);
    }
    for (int i = 0; hint_row && i < question->hint_count && question->hints; i++) {
        flow_blank(flow);
        *hint_row = flow_height(flow);
        flow_blank(flow);
        const char *label = flow_print(flow, tr("Hint %d:"), i + 1);
        int indent = grid_columns(label, (ptrdiff_t)strlen(label)) + 1;
        flow_text(flow, 0, ROLE_DIM, label);
        flow_wrap(flow, indent, pane->width - indent, ROLE_TEXT, question->hints[i], true);
    }
}

static int sign_columns(const struct page *page)
{
    return grid_columns(page->signs->off, (ptrdiff_t)strlen(page->signs->off));
}

int question_indent(const struct page *page, const struct question_model *question)
{
    return 1 + sign_columns(page) + 1 + (question->choice_count > 9 ? 2 : 1) + 2;
}

void question_label(struct flow *flow, const struct page *page, const struct question_model *question, int i,
                    const char *sign, enum grid_role sign_role, enum grid_role number_role)
{
    flow_blank(flow);
    int own = grid_columns(sign, (ptrdiff_t)strlen(sign));
    flow_text(flow, 1 + (sign_columns(page) - own) / 2, sign_role, sign); /* "x" in the middle of "( )" */
    flow_text(flow, 1 + sign_columns(page) + 1, number_role,
              flow_print(flow, question->choice_count > 9 ? "%2d" : "%d", i + 1));
}

/* ---- the question screen ---- */

struct choice_rows {
    int first[VIEW_CHOICES + 1]; /* line where each choice begins; one past the last */
};

static void lay_choices(struct flow *flow, const struct page *page, const struct question_model *question,
                        bool airy, struct choice_rows *rows)
{
    const struct view *view = page->view;
    const struct signs *signs = page->signs;
    int indent = question_indent(page, question);
    for (int i = 0; i < question->choice_count; i++) {
        if (airy && i > 0)
            flow_blank(flow);
        rows->first[i] = flow_height(flow);
        bool picked = view->picked[i];
        enum grid_role role = picked ? ROLE_SELECTED : ROLE_TEXT;
        const char *sign =
            question->many ? (picked ? signs->box_on : signs->box_off) : (picked ? signs->on : signs->off);
        question_label(flow, page, question, i, sign, role, picked ? ROLE_SELECTED : ROLE_DIM);
        if (question->many && i == view->cursor)
            flow_text(flow, -1, ROLE_KEY, signs->cursor);
        flow_wrap(flow, indent, page->text.width - indent, role, question->choices[i], true);
    }
    rows->first[question->choice_count] = flow_height(flow);
}

/* How the body is divided; rows counted from its top. */
struct division {
    int text_row, text_height;
    int note_row; /* "choose all that apply"; −1: none */
    int choice_row, choice_height;
};

static struct division divide(int height, int text, int choices, bool note, bool air)
{
    struct division d = { .note_row = -1 };
    int above = air ? 2 : 1, lead = 1, notes = note ? 2 : 0;
    if (lead + text + above + notes + choices > height) {
        above = height >= 10 || text + choices < height ? 1 : 0;
        lead = lead + text + above + notes + choices <= height;
        notes = note ? (lead + text + above + notes + choices <= height ? 2 : 1) : 0;
    }
    int room = height - lead - above - notes;
    int kept = least(text, choices <= room - least(text, 3) ? room - choices : most(2, height / 3));
    d.text_row = lead;
    d.text_height = least(text, most(kept, room - choices));
    d.choice_row = d.text_row + d.text_height + above + notes;
    d.choice_height = least(choices, height - d.choice_row);
    if (note)
        d.note_row = d.choice_row - notes;
    return d;
}

/* The choice under the cursor is always in sight; one longer than the room for it is scrolled through. */
static void follow_cursor(struct view *view, const struct choice_rows *rows, int height)
{
    int begins = rows->first[view->cursor], ends = rows->first[view->cursor + 1];
    int lowest = ends - height, *scroll = &view->choice_scroll;
    *scroll =
        ends - begins <= height ? most(lowest, least(*scroll, begins)) : most(begins, least(*scroll, lowest));
    view->choice_page = height;
}

static void measure_cursor(struct view *view, const struct choice_rows *rows, int height)
{
    int begins = rows->first[view->cursor], ends = rows->first[view->cursor + 1];
    view->choice_above = most(0, view->choice_scroll - begins);
    view->choice_below = most(0, ends - view->choice_scroll - height);
}

static void draw_body(struct page *page, const struct question_model *question)
{
    struct view *view = page->view;
    struct flow text, choices;
    struct choice_rows rows = { 0 };
    int hint_row, height = page->bottom - page->top, range;
    flow_init(&text);
    flow_init(&choices);
    struct pane pane = page->text;
    int room = page->beside.width > 0 ? page->columns - 2 - pane.left
                                      : pane.width; /* nothing stands beside it yet */
    question_text(&text, page, question, &pane, room, ROLE_STRONG, &hint_row);
    if (question->figure && page->beside.width > 0)
        pane.edge = page->columns;
    view->side_range = text.widest;
    lay_choices(&choices, page, question, true, &rows);
    int notes = question->many ? 2 : 0;
    bool air = 1 + flow_height(&text) + 2 + notes + flow_height(&choices) + 1 <= height;
    if (!air) {
        flow_finish(&choices);
        flow_init(&choices);
        lay_choices(&choices, page, question, false, &rows);
    }
    struct division d = divide(height, flow_height(&text), flow_height(&choices), question->many, air);
    if (question->hint_count != view->hints_shown) {
        view->hints_shown = question->hint_count;
        if (hint_row >= 0)
            view->scroll = hint_row;
    }
    page_scroll(page, &pane, &text, page->top + d.text_row, d.text_height, &view->scroll,
                &view->scroll_range);
    view->scroll_page = d.text_height;
    if (d.note_row >= 0)
        grid_put(page->grid, page->top + d.note_row, page->text.left + 1, page->text.width, ROLE_DIM,
                 tr("Choose all that apply"), (ptrdiff_t)strlen(tr("Choose all that apply")));
    if (question->choice_count > 0 && choices.line_count == rows.first[question->choice_count]) {
        follow_cursor(view, &rows, d.choice_height);
        page_scroll(page, &page->text, &choices, page->top + d.choice_row, d.choice_height,
                    &view->choice_scroll, &range);
        measure_cursor(view, &rows, d.choice_height);
        int row = most(0, rows.first[view->cursor] - view->choice_scroll);
        grid_focus(page->grid, page->top + d.choice_row + row, page->text.left + 1);
    }
    flow_finish(&text);
    flow_finish(&choices);
}

void question_draw(struct view *view, struct grid *grid)
{
    const struct question_model *question = view->question;
    struct page page;
    page_init(&page, view, grid, true);
    if (!question) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    view->cursor = most(0, least(view->cursor, question->choice_count - 1));
    grid_focus(grid, page.top, page.text.left);
    draw_body(&page, question);
    question_frame(&page, question, question->answered); /* last: the footer knows what scrolls */
}
