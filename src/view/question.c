#include "question.h"

#include <quiztutor/message.h>

#include <string.h>

static int most(int one, int other)
{
    return one > other ? one : other;
}

void question_frame(const struct page *page, const struct question_model *question, int answered)
{
    struct flow texts;
    struct page marked = *page;
    flow_init(&texts);
    const char *where = flow_print(&texts, tr("%d of %d"), question->number, question->of);
    if (question->again)
        where = flow_print(&texts, "%s %s %s", tr("asked again"), page->signs->dot, where);
    if (question->exam && question->time_left)
        where = flow_print(&texts, "%s %s %s", where, page->signs->dot, question->time_left);
    if (question->exam && question->flagged) {
        marked.mark = page->signs->flag;
        marked.mark_role = ROLE_WARNING;
        marked.word = tr("flagged");
    } else if (!question->exam) {
        marked.mark = question->starred ? page->signs->star : NULL;
        marked.mark_role = ROLE_KEY;
        marked.word = question->suspended ? tr("suspended") : NULL;
    }
    const char *who = question->exam && page->columns < PAGE_NAMED ? NULL : question->learner;
    page_frame(&marked, question->pack_title ? question->pack_title : "", who, where, answered,
               most(1, question->of));
    flow_finish(&texts);
}

void question_intro(struct flow *flow, const struct page *page, const struct question_model *question,
                    int width, int figure_width)
{
    if (question->section)
        flow_wrap(flow, 0, width, ROLE_DIM, question->section, false);
    if (question->intro)
        flow_wrap(flow, 0, width, ROLE_TEXT, question->intro, false);
    if (question->intro_figure) {
        flow_blank(flow);
        flow_figure(flow, 3, figure_width - 3, ROLE_TEXT, question->intro_figure, page->view->side_scroll);
    }
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
