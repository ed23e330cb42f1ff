/*
 * The answered question with its explanation. Where the question does not fit beside the reason it is cut to
 * what matters, and stands in full after the explanation, so that scrolling reveals all.
 */
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

static bool any_picked(const struct result_model *result)
{
    for (int i = 0; i < result->question.choice_count; i++)
        if (result->picked[i])
            return true;
    return false;
}

/* The words beside a choice; NULL for one that does not matter. */
static const char *choice_words(const struct result_model *result, int i)
{
    if (result->picked[i])
        return result->right[i] ? tr("your answer, right") : tr("your answer");
    if (!result->right[i])
        return NULL;
    return result->question.many && any_picked(result) ? tr("also right") : tr("right answer");
}

/* One choice with sign and words; `lines` 1: cut to one line, 0: whole. */
static void lay_choice(struct flow *flow, const struct page *page, const struct pane *pane,
                       const struct result_model *result, int i, int lines)
{
    const struct question_model *question = &result->question;
    const struct signs *signs = page->signs;
    const char *words = choice_words(result, i);
    enum grid_role role = result->right[i] ? ROLE_RIGHT : result->picked[i] ? ROLE_WRONG : ROLE_DIM;
    const char *sign = result->right[i]    ? signs->right
                       : result->picked[i] ? signs->wrong
                       : question->many    ? signs->box_off
                                           : signs->off;
    int indent = question_indent(page, question), width = pane->width - indent;
    int words_columns = words ? grid_columns(words, (ptrdiff_t)strlen(words)) : 0;
    int beside =
        pane->edge - pane->left - indent - words_columns - 2; /* room for text where the words stand too */
    enum grid_role text_role = words ? ROLE_TEXT : ROLE_DIM;
    question_label(flow, page, question, i, sign, role, text_role);
    if (lines == 1) {
        flow_clip(flow, indent, words ? most(2, least(beside, width)) : width, text_role,
                  question->choices[i], signs->ellipsis);
    } else {
        int used = flow_wrap(flow, indent, width, text_role, question->choices[i], true);
        if (words && used > beside)
            flow_blank(flow);
    }
    if (words)
        flow_right(flow, pane->edge - pane->left, role, words);
}

/* At most `lines` lines of the prompt, the last one with an ellipsis where there is more. */
static void lay_prompt(struct flow *flow, const struct page *page, const struct pane *pane,
                       const struct question_model *question, int lines)
{
    struct flow whole;
    flow_init(&whole);
    flow_wrap(&whole, 0, pane->width, ROLE_TEXT, question->prompt ? question->prompt : "", false);
    for (int i = 0; i < least(lines, flow_height(&whole)); i++) {
        const struct flow_line *line = &whole.lines[i];
        flow_blank(flow);
        if (line->count == 0 || line->first >= whole.span_count)
            continue;
        const struct flow_span *span = &whole.spans[line->first];
        if (i == lines - 1 && i + 1 < flow_height(&whole)) {
            char *kept = arena_text(&flow->arena, span->text, (ptrdiff_t)strlen(span->text));
            flow_clip(flow, 0, pane->width, ROLE_TEXT, kept ? kept : "", page->signs->ellipsis);
        } else {
            char *kept = arena_text(&flow->arena, span->text, span->length);
            flow_text(flow, 0, ROLE_TEXT, kept ? kept : "");
        }
    }
    flow_finish(&whole);
}

/* For answers that are not choices: what was answered, what is right. */
static void lay_answers(struct flow *flow, const struct pane *pane, const char *label,
                        const char *const *texts, int count, enum grid_role role)
{
    int indent = 3 +
                 most(grid_columns(tr("your answer"), (ptrdiff_t)strlen(tr("your answer"))),
                      grid_columns(tr("right answer"), (ptrdiff_t)strlen(tr("right answer")))) +
                 2;
    for (int i = 0; i < count; i++) {
        flow_blank(flow);
        if (i == 0)
            flow_text(flow, 3, role, label);
        flow_wrap(flow, indent, pane->width - indent, ROLE_TEXT, texts[i], true);
    }
}

/*
 * From roomy to bare. The last two show only the choices that matter, a line each; what the first of them
 * leaves is the prompt's.
 */
enum form { FORM_AIRY, FORM_WHOLE, FORM_NO_FIGURE, FORM_MATTERS, FORM_CUT, FORM_BARE };

static int count_matters(const struct result_model *result)
{
    int count = 0;
    for (int i = 0; i < result->question.choice_count; i++)
        count += choice_words(result, i) != NULL;
    return count;
}

static void lay_choices(struct flow *flow, const struct page *page, const struct pane *pane,
                        const struct result_model *result, enum form form, int room)
{
    int shown = 0, left = 0;
    for (int i = 0; i < result->question.choice_count; i++) {
        if (form >= FORM_MATTERS && !choice_words(result, i))
            continue;
        if (form == FORM_BARE && shown > 0 && flow_height(flow) >= room - 1)
            left++;
        else
            lay_choice(flow, page, pane, result, i, form >= FORM_CUT ? 1 : 0);
        shown++;
    }
    if (left > 0) {
        flow_blank(flow);
        flow_text(flow, 3, ROLE_DIM, flow_print(flow, ntr("and %d more", "and %d more", left), left));
    }
}

static void lay_question(struct flow *flow, const struct page *page, const struct pane *pane,
                         const struct result_model *result, enum form form, int room)
{
    const struct question_model *question = &result->question;
    int rest = room - count_matters(result), gap = form < FORM_CUT || (form == FORM_CUT && rest >= 4);
    if (form == FORM_AIRY)
        flow_blank(flow);
    if (form <= FORM_WHOLE)
        question_text(flow, page, question, pane, pane->width, ROLE_TEXT, NULL);
    else
        lay_prompt(flow, page, pane, question,
                   form < FORM_CUT    ? GRID_ROWS
                   : form == FORM_CUT ? most(1, rest - gap)
                                      : 1);
    if (gap)
        flow_blank(flow);
    lay_choices(flow, page, pane, result, form, room);
    if (question->choice_count == 0) {
        lay_answers(flow, pane, tr("your answer"), result->response, result->response_count,
                    result->verdict == VERDICT_RIGHT ? ROLE_RIGHT : ROLE_WRONG);
        if (result->verdict != VERDICT_RIGHT)
            lay_answers(flow, pane, tr("right answer"), result->answer, result->answer_count, ROLE_RIGHT);
    }
    if (form == FORM_AIRY)
        flow_blank(flow);
}

/* A gap before all but the first part. */
static void lay_part(struct flow *flow, const struct pane *pane, enum grid_role role, const char *text)
{
    if (!text)
        return;
    if (flow_height(flow) > 0)
        flow_blank(flow);
    flow_wrap(flow, 0, pane->width, role, text, false);
}

static void lay_reason(struct flow *flow, const struct page *page, const struct pane *pane,
                       const struct result_model *result)
{
    lay_part(flow, pane, ROLE_TEXT, result->feedback);
    lay_part(flow, pane, ROLE_TEXT, result->explanation);
    if (result->explanation_figure) {
        if (flow_height(flow) > 0)
            flow_blank(flow);
        flow_figure(flow, 3, pane->width - 3, ROLE_TEXT, result->explanation_figure, page->view->side_scroll);
    }
    lay_part(flow, pane, ROLE_DIM, result->source);
}

static void verdict_words(const struct result_model *result, const char **words, enum grid_role *role)
{
    switch (result->verdict) {
    case VERDICT_RIGHT:
        *words = tr("Right");
        *role = ROLE_RIGHT;
        return;
    case VERDICT_PARTLY:
        *words = tr("Partly right");
        *role = ROLE_WARNING;
        return;
    case VERDICT_WRONG:
        *words = tr("Not quite");
        *role = ROLE_WRONG;
        return;
    case VERDICT_SKIPPED:
        break;
    }
    *words = tr("Skipped");
    *role = ROLE_STRONG;
}

/* Lays the question out in the roomiest form that leaves room; returns the form taken. */
static enum form fit_question(struct flow *flow, const struct page *page, const struct result_model *result,
                              int room)
{
    enum form form = FORM_AIRY;
    for (;; form++) {
        flow_finish(flow);
        flow_init(flow);
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
    struct pane inner = { pane->left, pane->width, pane->left + pane->width }; /* the margin is for ▲ and ▼ */
    lay_question(flow, page, &inner, result, FORM_WHOLE, 0);
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

static void draw_body(struct page *page, const struct result_model *result)
{
    struct view *view = page->view;
    struct flow question, reason;
    flow_init(&question);
    flow_init(&reason);
    bool beside = page->beside.width > 0;
    const struct pane *pane = beside ? &page->beside : &page->text;
    lay_reason(&reason, page, pane, result);
    int height = page->bottom - page->top;
    int reading = least(flow_height(&reason), most(3, height * 2 / 5));
    enum form form = fit_question(&question, page, result, beside ? height : height - 1 - reading);
    if (form >= FORM_NO_FIGURE)
        lay_again(&reason, page, pane, result);
    view->side_range = most(question.widest, reason.widest);
    int shown = least(flow_height(&question), beside ? height : height - 2);
    flow_draw(&question, page->grid, page->top, page->text.left, shown, 0);

    const char *words;
    enum grid_role role;
    verdict_words(result, &words, &role);
    struct flow marks;
    flow_init(&marks);
    const char *more = NULL;
    if (result->verdict != VERDICT_SKIPPED && (result->verdict == VERDICT_PARTLY || result->marks != 1))
        more = flow_print(&marks, tr("%s of %s marks"), page_number(&marks, result->mark),
                          page_number(&marks, result->marks));
    int rule = beside ? page->top + (form == FORM_AIRY) : page->top + shown;
    int from = beside ? pane->left : 1, to = beside ? pane->edge : page->columns;
    if (beside)
        for (int row = page->top; row < page->bottom; row++)
            grid_fill(page->grid, row, page->columns / 2, 1, ROLE_RULE, page->signs->upright);
    int first = rule + 1, room = page->bottom - first;
    bool air = flow_height(&reason) + 1 <= room || room >= 6;
    page_scroll(page, pane, &reason, first + air, room - air, &view->scroll, &view->scroll_range);
    view->scroll_page = room - air;
    page_titled_rule(page, rule, from, to, role, words, more);
    flow_finish(&marks);
    flow_finish(&question);
    flow_finish(&reason);
}

void result_draw(struct view *view, struct grid *grid)
{
    const struct result_model *result = view->result;
    struct page page;
    page_init(&page, view, grid, true);
    if (page.beside.width > 0 && figure_cut(&page, view->result)) { /* the question keeps its place */
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
}
