/*
 * The answered question with its explanation. Where the question does not fit beside the reason it is cut to
 * what matters, and stands in full after the explanation, so that scrolling reveals all.
 */
#include "answered.h"
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

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

/*
 * From roomy to bare. The last two show only the choices that matter, a line each; what the first of them
 * leaves is the prompt's.
 */
enum form { FORM_AIRY, FORM_WHOLE, FORM_NO_FIGURE, FORM_MATTERS, FORM_CUT, FORM_BARE };

static void lay_question(struct flow *flow, const struct page *page, const struct pane *pane,
                         const struct result_model *result, enum form form, int room)
{
    const struct question_model *question = &result->question;
    int rest = room - answered_least(page, pane, result),
        gap = form < FORM_CUT || (form == FORM_CUT && rest >= 4);
    if (form == FORM_AIRY)
        flow_blank(flow);
    if (form <= FORM_WHOLE)
        question_text(flow, page, question, pane, pane->width, ROLE_TEXT, NULL);
    else
        flow_wrap_lines(flow, 0, pane->width, ROLE_TEXT, question->prompt ? question->prompt : "", false,
                        form < FORM_CUT    ? GRID_ROWS
                        : form == FORM_CUT ? most(1, rest - gap)
                                           : 1,
                        page->signs->ellipsis);
    if (gap)
        flow_blank(flow);
    answered_lay(flow, page, pane, result,
                 form >= FORM_CUT       ? ANSWERED_CUT
                 : form == FORM_MATTERS ? ANSWERED_MATTERS
                                        : ANSWERED_WHOLE,
                 form == FORM_BARE ? room : 0);
    if (form == FORM_AIRY)
        flow_blank(flow);
}

/* Lays the question out in the roomiest form that leaves room; returns the form taken. */
static enum form fit_question(struct flow *flow, const struct page *page, const struct result_model *result,
                              int room)
{
    enum form form = FORM_AIRY;
    for (;; form++) {
        flow_finish(flow);
        flow_init(flow);
        flow->side = page->view->side_scroll;
        lay_question(flow, page, &page->text, result, form, room);
        if (flow_height(flow) <= room || form == FORM_BARE)
            return form;
    }
}

/* The question in full below the explanation, under a rule of its own, when what is seen above is cut. */
static void lay_again(struct flow *flow, const struct page *page, const struct pane *pane,
                      const struct result_model *result)
{
    flow_blank(flow);
    flow_blank(flow);
    flow_text(flow, 0, ROLE_DIM, tr("The question in full"));
    flow_blank(flow);
    if (result->question.intro || result->question.intro_figure) {
        question_intro(flow, page, &result->question, pane->width, pane->width);
        flow_blank(flow);
    }
    struct pane inner = { pane->left, pane->width, pane->left + pane->width }; /* the margin is for ▲ and ▼ */
    lay_question(flow, page, &inner, result, FORM_WHOLE, 0);
}

/* What the section's questions share, below the explanation: the room above is the question's. */
static void lay_shared(struct flow *flow, const struct page *page, const struct pane *pane,
                       const struct question_model *question)
{
    if (!question->intro && !question->intro_figure)
        return;
    flow_blank(flow);
    flow_blank(flow);
    question_intro(flow, page, question, pane->width, pane->width);
}

static bool figure_fits(const char *figure, int width)
{
    struct flow flow;
    flow_init(&flow);
    flow_figure(&flow, 3, width - 3, ROLE_TEXT, figure, 0);
    bool fits = flow.widest == 0;
    flow_finish(&flow);
    return fits;
}

/* A drawing that is cut side by side, and whole where the explanation has the window's middle, stands below
 * the question. */
static bool figure_cut(const struct page *page, const struct result_model *result)
{
    const char *figure = result->explanation_figure;
    return figure && !figure_fits(figure, page->beside.width) &&
           figure_fits(figure, least(PAGE_TEXT, page->columns - page->text.left - 3));
}

/* What the verdict's rule says; what it has no room for is said below the reason. */
struct verdict_rule {
    const char *words, *more, *end;
    enum grid_role role;
    const char *below[3];
};

enum { RULE_FRAME = 5, RULE_REST = 6 }; /* cells around its words, and between them and those at its end */

static void plan_rule(struct verdict_rule *rule, struct flow *texts, const struct page *page,
                      const struct result_model *result, int width)
{
    *rule = (struct verdict_rule){ 0 };
    answered_verdict(result, &rule->words, &rule->role);
    int room = width - RULE_FRAME - columns_of(rule->words);
    const char *worth = answered_worth(texts, page, result, false);
    for (int brief = 0; brief < 2 && *worth && !rule->more; brief++) {
        const char *form = answered_worth(texts, page, result, brief);
        if (columns_of(form) + 2 <= room)
            rule->more = form;
    }
    rule->below[2] = result->note;
    if (result->note && !*worth && columns_of(result->note) + 2 <= room) {
        rule->more = result->note;
        rule->below[2] = NULL;
    }
    if (*worth && !rule->more)
        rule->below[0] = worth;
    if (rule->more)
        room -= columns_of(rule->more) + 2;
    if (result->comes_again && columns_of(result->comes_again) + RULE_REST <= room)
        rule->end = result->comes_again;
    else
        rule->below[1] = result->comes_again;
}

static void draw_rule(const struct page *page, const struct verdict_rule *rule, int row, int from, int to)
{
    page_titled_rule(page, row, from, to, rule->role, rule->words, rule->more);
    if (rule->end) {
        int columns = columns_of(rule->end), column = to - 2 - columns - 2;
        grid_put(page->grid, row, column, 1, ROLE_TEXT, " ", 1);
        grid_put(page->grid, row, column + 1, columns, ROLE_DIM, rule->end, (ptrdiff_t)strlen(rule->end));
        grid_put(page->grid, row, column + 1 + columns, 1, ROLE_TEXT, " ", 1);
    }
}

static void lay_below(struct flow *flow, const struct page *page, const struct pane *pane,
                      const struct verdict_rule *rule)
{
    struct buffer line;
    buffer_init(&line);
    for (int i = 0; i < 3; i++)
        if (rule->below[i])
            page_join(&line, page, rule->below[i]);
    const char *kept = page_keep(flow, &line);
    if (!*kept)
        return;
    if (flow_height(flow) > 0)
        flow_blank(flow);
    flow_wrap(flow, 0, pane->width, ROLE_DIM, kept, false);
}

/* Help with what was forgotten again and again: in the lower rule, above the key that it names. */
static void draw_help(const struct page *page, const struct result_model *result)
{
    struct flow texts;
    flow_init(&texts);
    const char *text =
        flow_print(&texts,
                   ntr("Forgotten %d time: - suspends it, or read why once more.",
                       "Forgotten %d times: - suspends it, or read why once more.", result->lapses),
                   result->lapses);
    if (columns_of(text) > page->columns - 6)
        text = flow_print(
            &texts,
            ntr("Forgotten %d time: - suspends it", "Forgotten %d times: - suspends it", result->lapses),
            result->lapses);
    page_rule_word(page, page->bottom, ROLE_TEXT, text);
    flow_finish(&texts);
}

static void draw_body(struct page *page, const struct result_model *result)
{
    struct view *view = page->view;
    struct flow question, reason;
    flow_init(&question);
    flow_init(&reason);
    reason.side = view->side_scroll;
    bool beside = page->beside.width > 0;
    const struct pane *pane = beside ? &page->beside : &page->text;
    int from = beside ? pane->left : 1, to = beside ? pane->edge : page->columns;
    struct verdict_rule verdict;
    plan_rule(&verdict, &reason, page, result, to - from);
    answered_lay_reason(&reason, page, pane, result);
    lay_below(&reason, page, pane, &verdict);
    int height = page->bottom - page->top;
    int reading = least(flow_height(&reason), most(3, height * 2 / 5));
    enum form form = fit_question(&question, page, result, beside ? height : height - 1 - reading);
    if (form >= FORM_NO_FIGURE)
        lay_again(&reason, page, pane, result);
    else
        lay_shared(&reason, page, pane, &result->question);
    view->side_range = most(question.widest, reason.widest);
    int shown = least(flow_height(&question), beside ? height : height - 2);
    flow_draw(&question, page->grid, page->top, page->text.left, shown, 0);
    int rule = beside ? page->top + (form == FORM_AIRY) : page->top + shown;
    if (beside)
        for (int row = page->top; row < page->bottom; row++)
            grid_fill(page->grid, row, page->columns / 2, 1, ROLE_RULE, page->signs->upright);
    int first = rule + 1, room = page->bottom - first;
    bool air = flow_height(&reason) + 1 <= room || room >= 6;
    page_scroll(page, pane, &reason, first + air, room - air, &view->scroll, &view->scroll_range);
    view->scroll_page = room - air;
    draw_rule(page, &verdict, rule, from, to);
    flow_finish(&question);
    flow_finish(&reason);
}

void result_draw(struct view *view, struct grid *grid)
{
    const struct result_model *result = view->result;
    struct page page;
    page_init(&page, view, grid, true);
    if (result && page.beside.width > 0 && figure_cut(&page, result)) { /* the question keeps its place */
        page.text.width = least(PAGE_TEXT, page.columns - page.text.left - 3);
        page.text.edge = page.text.left + page.text.width + 2;
        page.beside.width = 0;
    }
    if (!result) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    draw_body(&page, result);
    question_frame(&page, &result->question, result->question.answered);
    if (result->lapses > 0 && !result->question.suspended && !view->flash && view->overlay == OVERLAY_NONE)
        draw_help(&page, result);
}
