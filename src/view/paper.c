/*
 * An exam handed in, as one long page: what came of it, by section, then every question with its verdict, the
 * answer given, the right one, and the reason.
 */
#include "answered.h"
#include "question.h"

#include <quiztutor/message.h>

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

/* ---- what came of it ---- */

/* Rounded down, so that 59.9 is never told as the 60 that pass. */
static int per_cent(double part, double all)
{
    return all > 0 ? (int)floor(100 * part / all + 1e-9) : 0;
}

enum { SIGN_COLUMNS = 2 };

static void lay_outcome(struct flow *flow, const struct page *page, const struct paper_model *paper)
{
    const struct signs *signs = page->signs;
    struct buffer line;
    enum grid_role role = page->view->cursor == 0 ? ROLE_STRONG : ROLE_TEXT; /* else a question is bold */
    struct pane pane = page->text;
    flow_blank(flow);
    buffer_init(&line);
    page_join(&line, page, page_marks(flow, paper->mark, paper->marks));
    page_join(&line, page, flow_print(flow, "%d%%", per_cent(paper->mark, paper->marks)));
    if (paper->has_pass) {
        page_join(&line, page, paper->passed ? tr("passed") : tr("not passed"));
        flow_text(flow, 0, paper->passed ? ROLE_RIGHT : ROLE_WRONG,
                  paper->passed ? signs->right : signs->wrong);
        pane.width -= SIGN_COLUMNS;
        flow->shift = SIGN_COLUMNS;
    }
    page_lay_ends(flow, &pane, role, page_keep(flow, &line), ROLE_DIM,
                  page_duration(flow, paper->elapsed_ms));
    flow->shift = 0;
    buffer_init(&line);
    if (paper->has_pass)
        page_join(&line, page, flow_print(flow, tr("pass mark %s%%"), page_number(flow, paper->pass)));
    if (paper->sure > 0)
        page_join(&line, page,
                  flow_print(flow, tr("certainty marks %s of %d"),
                             page_signed(page, flow, paper->certainty_marks), 3 * paper->sure));
    page_join(&line, page, flow_print(flow, tr("%d right"), paper->right));
    if (paper->partly > 0)
        page_join(&line, page, flow_print(flow, tr("%d partly right"), paper->partly));
    if (paper->wrong > 0)
        page_join(&line, page, flow_print(flow, tr("%d not right"), paper->wrong));
    if (paper->omitted > 0)
        page_join(&line, page, flow_print(flow, tr("%d left blank"), paper->omitted));
    flow_wrap(flow, 0, page->text.width, ROLE_DIM, page_keep(flow, &line), false);
    if (paper->note) {
        flow_blank(flow);
        flow_wrap(flow, 0, page->text.width, ROLE_WARNING, paper->note, false);
    }
}

enum { PAPER_BAR = 20, PAPER_NARROW_BAR = 8, PAPER_GAP = 3 };

static void lay_sections(struct flow *flow, const struct page *page, const struct paper_model *paper)
{
    int width = page->text.width, bar = width >= 60 ? PAPER_BAR : PAPER_NARROW_BAR, name = 0, digits = 0,
        tail = 0;
    for (int i = 0; i < paper->section_count; i++) {
        const struct paper_section *section = &paper->sections[i];
        const char *of = flow_print(flow, tr("of %s"), page_number(flow, section->marks));
        name = most(name, section->title ? columns_of(section->title) : 0);
        digits = most(digits, columns_of(page_number(flow, section->mark)));
        tail = most(tail, 1 + columns_of(of));
    }
    int room = width - 1 - 2 - bar - PAPER_GAP - digits - tail;
    if (room < least(name, 12)) { /* where both don't fit the numbers stay */
        room += bar + PAPER_GAP;
        bar = 0;
    }
    name = most(2, least(name, room));
    for (int i = 0; i < paper->section_count; i++) {
        const struct paper_section *section = &paper->sections[i];
        int column = 1 + name + 2;
        if (i == 0)
            flow_blank(flow);
        flow_blank(flow);
        flow_clip(flow, 1, name, ROLE_TEXT, section->title ? section->title : "", page->signs->ellipsis);
        if (bar) {
            page_lay_share(page, flow, column, bar, section->mark, section->marks);
            column += bar + PAPER_GAP;
        }
        flow_right(flow, column + digits, ROLE_TEXT, page_number(flow, section->mark));
        flow_text(flow, column + digits + 1, ROLE_TEXT,
                  flow_print(flow, tr("of %s"), page_number(flow, section->marks)));
    }
}

/* ---- the questions ---- */

static const char *verdict_sign(const struct page *page, enum verdict_kind verdict)
{
    switch (verdict) {
    case VERDICT_RIGHT:
        return page->signs->right;
    case VERDICT_SKIPPED:
        return page->signs->blank;
    default:
        return page->signs->wrong;
    }
}

static bool begins_section(const struct paper_model *paper, int i)
{
    const char *section = paper->results[i].question.section;
    const char *before = i > 0 ? paper->results[i - 1].question.section : NULL;
    return section && (!before || strcmp(section, before) != 0);
}

/* Sign, number and verdict in a line, then the question, the answers and the reason, indented. */
static void lay_result(struct flow *flow, const struct page *page, const struct paper_model *paper, int i)
{
    const struct result_model *result = &paper->results[i];
    const struct question_model *question = &result->question;
    const char *words, *number = flow_print(flow, "%d", i + 1);
    enum grid_role role;
    int digits = columns_of(flow_print(flow, "%d", paper->count)), indent = 2 + digits + 2;
    bool here = page->view->cursor == i + 1;
    answered_verdict(result, &words, &role);
    flow_blank(flow);
    flow_text(flow, 0, role, verdict_sign(page, result->verdict));
    flow_right(flow, 2 + digits, here ? ROLE_STRONG : ROLE_TEXT, number);
    flow_text(flow, indent, role == ROLE_STRONG ? ROLE_DIM : role, words);
    const char *worth = answered_worth(flow, page, result, false);
    int room = page->text.width - indent - columns_of(words) - 2;
    if (columns_of(worth) > room)
        worth = answered_worth(flow, page, result, true);
    if (columns_of(worth) <= room)
        flow_right(flow, page->text.width, ROLE_DIM, worth);
    struct pane inner = { .width = page->text.width - indent, .edge = page->text.width - indent };
    flow->shift = indent;
    flow_wrap(flow, 0, inner.width, here ? ROLE_STRONG : ROLE_TEXT, question->prompt ? question->prompt : "",
              false);
    if (question->figure) {
        flow_blank(flow);
        flow_figure(flow, 3, inner.width - 3, ROLE_TEXT, question->figure, page->view->side_scroll);
    }
    flow_blank(flow);
    answered_lay(flow, page, &inner, result, question->way == WAY_CHOICES ? ANSWERED_MATTERS : ANSWERED_WHOLE,
                 0);
    if (result->note) {
        flow_blank(flow);
        flow_wrap(flow, 0, inner.width, ROLE_DIM, result->note, false);
    }
    answered_lay_reason(flow, page, &inner, result);
    flow->shift = 0;
}

/* A section's title, and the text that its questions share, once. */
static void lay_section(struct flow *flow, const struct page *page, const struct question_model *question)
{
    page_lay_rule(flow, page, question->section);
    if (!question->intro && !question->intro_figure)
        return;
    struct question_model untitled = *question;
    untitled.section = NULL;
    flow_blank(flow);
    question_intro(flow, page, &untitled, page->text.width, page->text.width);
}

enum { HEAD_ROWS = 4 };

/* Question i with what stands before it; returns the line that it begins at when it is gone to. */
static int lay_entry(struct flow *flow, const struct page *page, const struct paper_model *paper, int i)
{
    flow_blank(flow);
    if (i == 0 && !begins_section(paper, i)) {
        page_lay_rule(flow, page, tr("The questions"));
        flow_blank(flow);
    }
    if (i > 0 && !begins_section(paper, i))
        flow_blank(flow);
    int first = flow_height(flow);
    if (begins_section(paper, i)) {
        if (i > 0)
            flow_blank(flow);
        first = flow_height(flow);
        lay_section(flow, page, &paper->results[i].question);
        flow_blank(flow);
    }
    int head = flow_height(flow); /* the question itself is in sight, whatever its section says before */
    if (head - first + HEAD_ROWS > page->bottom - page->top)
        first = head;
    lay_result(flow, page, paper, i);
    return first;
}

static void lay_head(struct flow *flow, const struct page *page, const struct paper_model *paper)
{
    flow_blank(flow);
    lay_outcome(flow, page, paper);
    lay_sections(flow, page, paper);
}

/* ---- going from one to another ---- */

static bool is_missed(const struct result_model *result)
{
    return result->verdict != VERDICT_RIGHT;
}

/* The question to go to from `from` (1 … count; 0: the head) by the action; 0: the head, −1: nowhere. */
static int wanted(const struct paper_model *paper, int from, enum action action)
{
    if (action == ACTION_PREVIOUS_QUESTION)
        return most(0, from - 1);
    if (action == ACTION_NEXT_QUESTION)
        return least(paper->count, from + 1);
    for (int step = 1; step <= paper->count; step++) {
        int at = (from - 1 + step + paper->count) % paper->count;
        if (is_missed(&paper->results[at]))
            return at + 1;
    }
    return -1;
}

/* The first question in sight, where the one gone to last was scrolled away: else that one. */
static int question_here(const struct view *view, const struct page *page, const struct paper_model *paper)
{
    struct flow flow;
    int here = 0, seen = 0;
    flow_init(&flow);
    lay_head(&flow, page, paper);
    for (int i = 0; i < paper->count && !seen; i++) {
        int first = lay_entry(&flow, page, paper, i);
        if (i + 1 == view->cursor && first >= view->scroll && first < view->scroll + view->scroll_page)
            seen = i + 1;
        if (first <= view->scroll)
            here = i + 1;
    }
    flow_finish(&flow);
    return seen ? seen : here;
}

void paper_jump(struct view *view, enum action action)
{
    const struct paper_model *paper = view->paper;
    struct grid size = { .rows = page_rows(view, view->rows), .columns = view->columns };
    struct page page;
    struct flow flow;
    if (!paper || paper->count < 1)
        return;
    page_init(&page, view, &size, false);
    int to = wanted(paper, question_here(view, &page, paper), action);
    if (to < 0)
        return;
    view->cursor = to;
    view->scroll = 0;
    flow_init(&flow);
    lay_head(&flow, &page, paper);
    for (int i = 0; i < to; i++) {
        int first = lay_entry(&flow, &page, paper, i);
        if (i + 1 == to)
            view->scroll = first;
    }
    flow_finish(&flow);
}

void paper_draw(struct view *view, struct grid *grid)
{
    const struct paper_model *paper = view->paper;
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    grid_focus(grid, page.top, page.text.left);
    if (!paper) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    view->cursor = most(0, least(view->cursor, paper->count));
    flow_init(&flow);
    flow.side = view->side_scroll;
    lay_head(&flow, &page, paper);
    int line = 1;
    for (int i = 0; i < paper->count && paper->results; i++) {
        int first = lay_entry(&flow, &page, paper, i);
        if (i + 1 == view->cursor)
            line = first;
    }
    view->side_range = flow.widest;
    page_scroll(&page, &page.text, &flow, page.top, page.bottom - page.top, &view->scroll,
                &view->scroll_range);
    view->scroll_page = page.bottom - page.top;
    bool in_sight = line >= view->scroll && line < view->scroll + view->scroll_page;
    grid_focus(grid, page.top + (in_sight ? line - view->scroll : 0), page.text.left);
    flow_finish(&flow);
    page_frame(&page, paper->title ? paper->title : "", paper->learner, tr("handed in"), 0, 0);
}
