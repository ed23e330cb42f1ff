/*
 * A question as its author looks through it: with its key, what is told to who chose what, and the reason. A
 * file with faults shows the first of them in its place.
 */
#include "answered.h"
#include "question.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

/* "Hint 1: …", with the text in a column of its own. */
static void lay_labelled(struct flow *flow, int column, int width, enum grid_role role, const char *label,
                         const char *text)
{
    if (!text)
        return;
    int indent = columns_of(label) + 1;
    flow_blank(flow);
    flow_text(flow, column, ROLE_DIM, label);
    if (indent > width / 2) { /* no room beside it */
        flow_wrap(flow, column, width, role, text, false);
        return;
    }
    flow_wrap(flow, column + indent, width - indent, role, text, true);
}

/* A choice with its sign, its word, and what is told to who chose it. */
static void lay_choice(struct flow *flow, const struct page *page, const struct preview_model *preview, int i)
{
    const struct question_model *question = &preview->question;
    const struct signs *signs = page->signs;
    bool right = preview->right[i];
    int indent = question_indent(page, question), width = page->text.width - indent;
    const char *word = right ? tr("right answer") : NULL;
    question_label(flow, page, question, i,
                   right            ? signs->right
                   : question->many ? signs->box_off
                                    : signs->off,
                   right ? ROLE_RIGHT : ROLE_DIM, ROLE_TEXT);
    int used = flow_wrap(flow, indent, width, ROLE_TEXT, question->choices[i], true);
    if (word && used + 2 + columns_of(word) > width)
        flow_blank(flow);
    if (word)
        flow_right(flow, page->text.width, ROLE_RIGHT, word);
    if (preview->feedback[i])
        flow_wrap(flow, indent, width, ROLE_DIM, preview->feedback[i], false);
    lay_labelled(flow, indent, width, ROLE_DIM, tr("Misconception:"), preview->misconception[i]);
    lay_labelled(flow, indent, width, ROLE_DIM, tr("Keeps its place:"), preview->pin[i]);
}

/* The right answer of a question that has no choices, as it is told who left it out. */
static void lay_answer(struct flow *flow, const struct page *page, const struct preview_model *preview)
{
    struct result_model result = { .question = preview->question,
                                   .verdict = VERDICT_SKIPPED,
                                   .answer = preview->answer,
                                   .answer_count = preview->answer_count };
    struct pane pane = { 0, page->text.width, page->text.width };
    answered_lay(flow, page, &pane, &result, ANSWERED_WHOLE, 0);
}

static bool is_answer(const struct preview_model *preview, const char *text)
{
    for (int i = 0; i < preview->answer_count; i++)
        if (strcmp(preview->answer[i], text) == 0)
            return true;
    return false;
}

/* What belongs to no left, and wrong responses with what is told of them. */
static void lay_wrong(struct flow *flow, const struct page *page, const struct preview_model *preview)
{
    const struct question_model *question = &preview->question;
    int sign = 1 + columns_of(page->signs->wrong) + 2;
    bool first = true;
    for (int i = 0; i < question->target_count; i++) {
        if (is_answer(preview, question->targets[i]))
            continue;
        if (first)
            flow_blank(flow);
        lay_labelled(flow, 1, page->text.width - 1, ROLE_DIM, tr("Belongs to none:"), question->targets[i]);
        first = false;
    }
    for (int i = 0; i < preview->wrong_count; i++) {
        if (i == 0)
            flow_blank(flow);
        flow_blank(flow);
        flow_text(flow, 1, ROLE_WRONG, page->signs->wrong);
        flow_wrap(flow, sign, page->text.width - sign, ROLE_TEXT, preview->wrong[i], true);
    }
}

static void lay_key(struct flow *flow, const struct page *page, const struct preview_model *preview)
{
    const struct question_model *question = &preview->question;
    int width = page->text.width;
    flow_blank(flow);
    if (question->many || question->significant_figures > 0) {
        flow_blank(flow);
        flow_text(flow, 1, ROLE_DIM, way_of(question)->note(flow, page, question));
    }
    for (int i = 0; question->way == WAY_CHOICES && i < question->choice_count; i++)
        lay_choice(flow, page, preview, i);
    if (question->way != WAY_CHOICES)
        lay_answer(flow, page, preview);
    lay_wrong(flow, page, preview);
    if (preview->wrong_feedback || preview->wrong_misconception)
        flow_blank(flow);
    lay_labelled(flow, 1, width - 1, ROLE_TEXT, tr("If it is wrong:"), preview->wrong_feedback);
    lay_labelled(flow, 1, width - 1, ROLE_DIM, tr("Misconception:"), preview->wrong_misconception);
    if (question->hint_count)
        flow_blank(flow);
    for (int i = 0; i < question->hint_count; i++)
        lay_labelled(flow, 1, width - 1, ROLE_TEXT, flow_print(flow, tr("Hint %d:"), i + 1),
                     question->hints[i]);
}

static void lay_reason(struct flow *flow, const struct page *page, const struct preview_model *preview)
{
    int width = page->text.width;
    flow_blank(flow);
    page_lay_rule(flow, page, tr("Explanation"));
    if (preview->explanation) {
        flow_blank(flow);
        flow_wrap(flow, 0, width, ROLE_TEXT, preview->explanation, false);
    }
    if (preview->explanation_figure) {
        flow_blank(flow);
        flow_figure(flow, 3, width - 3, ROLE_TEXT, preview->explanation_figure, page->view->side_scroll);
    }
    flow_blank(flow);
    if (preview->source)
        flow_wrap(flow, 0, width, ROLE_DIM, preview->source, false);
    if (preview->facts)
        flow_wrap(flow, 0, width, ROLE_DIM, preview->facts, false);
}

/* The line and a caret under it. What stands too far right for the window is brought into it. */
static void lay_source(struct flow *flow, const struct page *page, const struct preview_fault *fault)
{
    enum { AFTER = 12 }; /* columns kept in sight behind the caret */
    int width = page->text.width - 2,
        side = fault->column + AFTER > width ? fault->column + AFTER - width : 0;
    int widest = flow->widest;
    flow_figure(flow, 2, width, ROLE_DIM, fault->source, side);
    flow->widest = widest; /* it goes where the caret is, not where figures are moved to */
    flow_blank(flow);
    flow_text(flow, 2 + fault->column - side, ROLE_WARNING, "^");
}

static void lay_fault(struct flow *flow, const struct page *page, const struct preview_fault *fault,
                      enum grid_role role)
{
    int width = page->text.width;
    flow_blank(flow);
    if (fault->place) {
        flow_blank(flow);
        flow_text(flow, 0, ROLE_DIM, fault->place);
    }
    flow_wrap(flow, 0, width, role, fault->message, false);
    if (fault->source)
        lay_source(flow, page, fault);
    if (fault->hint)
        flow_wrap(flow, 0, width, ROLE_TEXT, flow_print(flow, tr("Hint: %s"), fault->hint), false);
}

static void lay_faults(struct flow *flow, const struct page *page, const struct preview_model *preview)
{
    for (int i = 0; i < preview->fault_count; i++)
        lay_fault(flow, page, &preview->faults[i], i ? ROLE_TEXT : ROLE_STRONG);
    if (preview->faults_more) {
        flow_blank(flow);
        flow_blank(flow);
        flow_text(flow, 0, ROLE_DIM,
                  flow_print(flow, ntr("and %d more error", "and %d more errors", preview->faults_more),
                             preview->faults_more));
    }
}

static void lay_question(struct flow *flow, const struct page *page, const struct preview_model *preview)
{
    const struct question_model *question = &preview->question;
    int width = page->text.width;
    flow_blank(flow);
    if (question->section) {
        question_intro(flow, page, question, width, width);
        flow_blank(flow);
    }
    question_text(flow, page, question, &page->text, width, ROLE_STRONG, NULL);
    if (preview->values) {
        flow_blank(flow);
        lay_labelled(flow, 0, width, ROLE_DIM, tr("Values:"), preview->values);
    }
    lay_key(flow, page, preview);
    lay_reason(flow, page, preview);
    for (int i = 0; i < preview->warning_count; i++) {
        if (i == 0) {
            flow_blank(flow);
            page_lay_rule(flow, page, tr("Warnings"));
        }
        lay_fault(flow, page, &preview->warnings[i], ROLE_WARNING);
    }
}

void preview_draw(struct view *view, struct grid *grid)
{
    const struct preview_model *preview = view->preview;
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    grid_focus(grid, page.top, page.text.left);
    if (!preview) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    flow_init(&flow);
    flow.side = view->side_scroll;
    if (preview->fault_count)
        lay_faults(&flow, &page, preview);
    else
        lay_question(&flow, &page, preview);
    view->side_range = flow.widest;
    page_scroll(&page, &page.text, &flow, page.top, page.bottom - page.top, &view->scroll,
                &view->scroll_range);
    view->scroll_page = page.bottom - page.top;
    int errors = preview->fault_count + preview->faults_more;
    const char *where =
        errors ? flow_print(&flow, ntr("%d error", "%d errors", errors), errors)
               : flow_print(&flow, tr("%d of %d"), preview->question.number, preview->question.of);
    const char *title = preview->question.pack_title ? preview->question.pack_title : "";
    page_frame(&page, title, preview->file, where, errors ? 0 : preview->question.number,
               errors ? 0 : preview->question.of);
    if (preview->note && !view->flash && view->overlay == OVERLAY_NONE)
        page_rule_word(&page, page.bottom, ROLE_WARNING, preview->note);
    flow_finish(&flow);
}
