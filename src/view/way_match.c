/*
 * Each left gets one of the targets below: by its number, or by going among them. Lefts and what they are
 * matched with stand side by side where the window is wide enough.
 */
#include "question.h"
#include "row.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

enum { MATCH_BESIDE = 60, MATCH_GAP = 3, MATCH_ROOMY = 20 };

static int most(int one, int other)
{
    return one > other ? one : other;
}

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int clamp(int value, int last)
{
    return value > last ? last : value < 0 ? 0 : value;
}

/* ---- asked ---- */

static signed char kept_at(const struct question_model *question, int left)
{
    bool there = question->exam && question->has_response && question->given_at[left] >= 0 &&
                 question->given_at[left] < question->target_count;
    return there ? question->given_at[left] : (signed char)-1;
}

static bool kept(const struct question_model *question)
{
    for (int i = 0; i < question->choice_count; i++)
        if (kept_at(question, i) >= 0)
            return true;
    return false;
}

static bool changed(const struct view *view, const struct question_model *question)
{
    for (int i = 0; i < question->choice_count; i++)
        if (view->at[i] != kept_at(question, i))
            return true;
    return false;
}

static void clear(struct view *view, const struct question_model *question)
{
    (void)question;
    memset(view->at, -1, sizeof view->at);
    view->lifted = -1;
}

static void show(struct view *view, const struct question_model *question)
{
    clear(view, question);
    for (int i = 0; i < question->choice_count; i++)
        view->at[i] = kept_at(question, i);
}

static int count_matched(const struct view *view, const struct question_model *question)
{
    int count = 0;
    for (int i = 0; i < question->choice_count; i++)
        count += view->at[i] >= 0;
    return count;
}

static bool any(const struct view *view, const struct question_model *question)
{
    return count_matched(view, question) > 0;
}

static const char *target(const struct view *view, const struct question_model *question, int left)
{
    int at = view->at[left];
    return at >= 0 && at < question->target_count ? question->targets[at] : NULL;
}

static int digits(const struct question_model *question)
{
    return question->target_count > 9 ? 2 : 1;
}

/* What a left is matched with: the target's number and text. */
static void lay_target(struct flow *flow, const struct page *page, const struct question_model *question,
                       int left, int column, int width)
{
    const struct view *view = page->view;
    const char *text = target(view, question, left);
    if (!text) {
        flow_text(flow, column, ROLE_DIM, page->signs->blank);
        return;
    }
    int indent = digits(question) + 2;
    flow_right(flow, column + digits(question), ROLE_SELECTED, flow_print(flow, "%d", view->at[left] + 1));
    flow_wrap(flow, column + indent, most(2, width - indent), ROLE_SELECTED, text, true);
}

/* Columns of the lefts where the targets stand beside them, which in a narrow window they do if all fit; 0:
 * below. */
static int left_columns(const struct page *page, const struct question_model *question, int indent)
{
    int left = 0, right = 0, width = page->text.width - indent;
    for (int i = 0; i < question->choice_count; i++)
        left = row_widest(left, question->choices[i]);
    for (int i = 0; i < question->target_count; i++)
        right = row_widest(right, question->targets[i]);
    if (left + MATCH_GAP + digits(question) + 2 + right <= width)
        return left;
    return page->text.width >= MATCH_BESIDE ? least(left, width * 2 / 5) : 0;
}

static void lay_left(struct flow *flow, const struct page *page, const struct question_model *question, int i,
                     int columns)
{
    const struct view *view = page->view;
    const struct signs *signs = page->signs;
    int indent = question_indent(page, question), width = page->text.width - indent;
    bool here = i == view->cursor, matched = view->at[i] >= 0;
    struct flow left, right;
    flow_init(&left);
    flow_init(&right);
    left.side = right.side = flow->side;
    question_label(&left, page, question, i, matched ? signs->on : signs->off,
                   matched ? ROLE_SELECTED : ROLE_TEXT, ROLE_DIM);
    if (here)
        flow_text(&left, -1, view->lifted < 0 ? ROLE_KEY : ROLE_DIM, signs->cursor);
    flow_wrap(&left, indent, columns > 0 ? columns : width, ROLE_TEXT, question->choices[i], true);
    if (columns > 0 || matched)
        flow_blank(columns > 0 ? &right : &left);
    if (columns > 0)
        lay_target(&right, page, question, i, 0, width - columns - MATCH_GAP);
    else if (matched)
        lay_target(&left, page, question, i, indent, width);
    flow_pair(flow, &left, &right, indent + columns + MATCH_GAP);
    flow_finish(&left);
    flow_finish(&right);
}

static bool is_used(const struct view *view, const struct question_model *question, int at)
{
    for (int i = 0; i < question->choice_count; i++)
        if (view->at[i] == at)
            return true;
    return false;
}

static void lay_targets(struct flow *flow, const struct page *page, const struct question_model *question,
                        struct way_place *place)
{
    const struct view *view = page->view;
    int indent = 1 + digits(question) + 2;
    for (int i = 0; i < question->target_count; i++) {
        bool here = i == view->lifted;
        enum grid_role role = here ? ROLE_SELECTED : is_used(view, question, i) ? ROLE_DIM : ROLE_TEXT;
        if (here)
            *place =
                (struct way_place){ .begins = flow_height(flow), .line = flow_height(flow), .column = 1 };
        flow_blank(flow);
        if (here)
            flow_text(flow, -1, ROLE_KEY, page->signs->cursor);
        flow_right(flow, 1 + digits(question), here ? ROLE_SELECTED : ROLE_DIM,
                   flow_print(flow, "%d", i + 1));
        flow_wrap(flow, indent, page->text.width - indent, role, question->targets[i], true);
        if (here)
            place->ends = flow_height(flow);
    }
}

static void lay(struct flow *flow, const struct page *page, const struct question_model *question,
                enum way_room room, struct way_place *place)
{
    const struct view *view = page->view;
    int columns = left_columns(page, question, question_indent(page, question));
    for (int i = 0; i < question->choice_count; i++) {
        bool here = i == view->cursor;
        if (room == ROOM_BARE && !here)
            continue;
        if (here)
            *place =
                (struct way_place){ .begins = flow_height(flow), .line = flow_height(flow), .column = 1 };
        lay_left(flow, page, question, i, columns);
        if (here)
            place->ends = flow_height(flow);
    }
    if (room != ROOM_BARE || page->rows >= MATCH_ROOMY)
        flow_blank(flow);
    int pinned = room == ROOM_BARE ? flow_height(flow) : 0;
    lay_targets(flow, page, question, place);
    place->pinned = pinned;
}

static const char *note(struct flow *flow, const struct page *page, const struct question_model *question)
{
    int matched = count_matched(page->view, question);
    const char *what = matched == 0
                           ? tr("Give each its match")
                           : flow_print(flow, tr("%d of %d matched"), matched, question->choice_count);
    return way_note(flow, page, question, what);
}

/* To the next left that has none yet, around; it stays where all have one. */
static void go_on(struct view *view, const struct question_model *question)
{
    int count = question->choice_count;
    for (int step = 1; step < count; step++) {
        int to = (view->cursor + step) % count;
        if (view->at[to] < 0) {
            view->cursor = to;
            return;
        }
    }
}

/* 1 then 2 is 12 where there are so many targets: so the cursor stays until a number can't go on. */
static void type_digit(struct view *view, const struct question_model *question, int digit, bool goes_on)
{
    signed char *at = &view->at[view->cursor];
    if (digit == 0 && !(goes_on && *at >= 0 && (*at + 1) * 10 <= question->target_count)) {
        *at = -1;
        return;
    }
    int before = goes_on ? *at + 1 : 0, to = way_number(before, digit, question->target_count);
    if (to < 0)
        return;
    if (before > 0 && to + 1 == digit) { /* the number before was whole: this one is the next left's */
        go_on(view, question);
        at = &view->at[view->cursor];
    }
    *at = (signed char)to;
    if (to + 1 <= 9 && (to + 1) * 10 <= question->target_count)
        view->typed_digit = true;
    else
        go_on(view, question);
}

static void move(struct view *view, const struct question_model *question, enum action action)
{
    bool among = view->lifted >= 0;
    int last = (among ? question->target_count : question->choice_count) - 1;
    int at = among ? view->lifted : view->cursor, step = action == ACTION_DOWN ? 1 : -1;
    if (action == ACTION_FIRST)
        at = 0;
    else if (action == ACTION_LAST)
        at = last;
    else if (!way_reads(view, step))
        at = clamp(at + step, last);
    if (among)
        view->lifted = at;
    else
        view->cursor = at;
}

static void act(struct view *view, const struct question_model *question, enum action action, int32_t key,
                bool goes_on)
{
    switch (action) {
    case ACTION_NUMBER:
        view->lifted = -1;
        type_digit(view, question, (int)key - '0', goes_on);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
    case ACTION_FIRST:
    case ACTION_LAST:
        move(view, question, action);
        break;
    case ACTION_TARGETS:
        view->lifted = most(0, view->at[view->cursor]);
        break;
    case ACTION_TAKE:
        view->at[view->cursor] = (signed char)clamp(view->lifted, question->target_count - 1);
        view->lifted = -1;
        go_on(view, question);
        break;
    case ACTION_LEAVE_TARGETS:
        view->lifted = -1;
        break;
    case ACTION_UNMATCH:
        view->at[view->cursor] = -1;
        break;
    default:
        break;
    }
}

static bool take(struct view *view, const struct question_model *question, bool doubted,
                 struct effect *effect)
{
    int matched = count_matched(view, question);
    if (matched == 0) {
        view->flash = tr("match at least one first");
        return false;
    }
    if (matched < question->choice_count && !doubted && view->overlay != OVERLAY_CERTAINTY) {
        view->flash = tr("not all given; Enter leaves it so");
        view->doubted = true;
        return false;
    }
    memset(effect->at, -1, sizeof effect->at);
    memcpy(effect->at, view->at, (size_t)question->choice_count);
    return true;
}

/* ---- told ---- */

static int count(const struct result_model *result)
{
    return result->question.choice_count;
}

static bool matters(const struct result_model *result, int i)
{
    return !result->right_at[i];
}

static void measure(struct way_columns *columns, const struct page *page, const struct pane *pane,
                    const struct result_model *result)
{
    int of = count(result), widest = 0;
    for (int i = 0; i < of; i++) {
        widest = row_widest(widest, i < result->response_count ? result->response[i] : NULL);
        widest = row_widest(widest, i < result->answer_count ? result->answer[i] : NULL);
        columns->first = row_widest(columns->first, result->question.choices[i]);
        if (!result->right_at[i]) {
            columns->second =
                row_widest(columns->second, i < result->response_count ? result->response[i] : NULL);
            columns->second =
                row_widest(columns->second, i < result->answer_count ? result->answer[i] : NULL);
        }
    }
    bool fits = row_columns(page, of, columns->first, widest, false) <= pane->width;
    if (!fits)
        columns->first = least(columns->first, (pane->width - row_indent(of)) * 2 / 5);
    columns->beside = fits || pane->width >= MATCH_BESIDE;
    int needed = row_columns(page, of, columns->beside ? columns->first : 0, columns->second, false);
    columns->words = needed + 2 + row_words() <= pane->edge - pane->left;
}

/* A left with what was given, and where that is not right, what is. */
static void tell(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, const struct way_columns *columns, int i, int lines)
{
    struct row row = { .number = i + 1, .of = count(result), .lines = lines, .columns = columns };
    bool right = result->right_at[i];
    const char *given = i < result->response_count ? result->response[i] : NULL;
    row.first = (struct row_cell){ result->question.choices[i], ROW_NONE };
    if (given && *given)
        row.second[row.count++] = (struct row_cell){ given, right ? ROW_RIGHT : ROW_WRONG };
    else if (given)
        row.second[row.count++] = (struct row_cell){ tr("left blank"), ROW_BLANK };
    if (!right && i < result->answer_count)
        row.second[row.count++] = (struct row_cell){ result->answer[i], ROW_RIGHT };
    row_lay(flow, page, pane, &row);
}

const struct way way_match = {
    .lay = lay,
    .note = note,
    .show = show,
    .clear = clear,
    .act = act,
    .take = take,
    .any = any,
    .kept = kept,
    .changed = changed,
    .count = count,
    .matters = matters,
    .measure = measure,
    .tell = tell,
};
