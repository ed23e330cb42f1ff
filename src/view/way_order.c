/*
 * Items are put in order: one is lifted, carried by the arrows or to the place of a number, and put down. It
 * begins as shown, which is never the right order; so Enter asks once whether it is meant.
 */
#include "question.h"
#include "row.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

static int clamp(int value, int most)
{
    return value > most ? most : value < 0 ? 0 : value;
}

/* ---- asked ---- */

/* An order that was left blank has no items. */
static bool whole(const struct question_model *question)
{
    unsigned seen = 0;
    for (int i = 0; i < question->choice_count; i++)
        if (question->given_at[i] >= 0 && question->given_at[i] < question->choice_count)
            seen |= 1u << question->given_at[i];
    return seen == (1u << question->choice_count) - 1;
}

static bool kept(const struct question_model *question)
{
    return question->exam && question->has_response && question->choice_count > 0 && whole(question);
}

static bool changed(const struct view *view, const struct question_model *question)
{
    for (int i = 0; i < question->choice_count; i++)
        if (view->at[i] != (kept(question) ? question->given_at[i] : i))
            return true;
    return false;
}

static void clear(struct view *view, const struct question_model *question)
{
    for (int i = 0; i < question->choice_count; i++)
        view->at[i] = (signed char)i;
    view->lifted = -1;
}

static void show(struct view *view, const struct question_model *question)
{
    clear(view, question);
    if (kept(question))
        memcpy(view->at, question->given_at, sizeof view->at);
}

static const char *item_at(const struct view *view, const struct question_model *question, int place)
{
    return question->choices[clamp(view->at[place], question->choice_count - 1)];
}

static void lay(struct flow *flow, const struct page *page, const struct question_model *question,
                enum way_room room, struct way_place *place)
{
    const struct view *view = page->view;
    const struct signs *signs = page->signs;
    int indent = question_indent(page, question), width = page->text.width - indent;
    for (int i = 0; i < question->choice_count; i++) {
        if (room == ROOM_AIRY && i > 0)
            flow_blank(flow);
        bool here = i == view->cursor, lifted = here && view->lifted >= 0;
        if (here)
            *place =
                (struct way_place){ .begins = flow_height(flow), .line = flow_height(flow), .column = 1 };
        question_label(flow, page, question, i, lifted ? signs->lifted : " ", ROLE_SELECTED,
                       lifted ? ROLE_SELECTED : ROLE_DIM);
        if (here)
            flow_text(flow, -1, ROLE_KEY, signs->cursor);
        int used = flow_wrap(flow, indent, width, lifted ? ROLE_SELECTED : ROLE_TEXT,
                             item_at(view, question, i), true);
        if (lifted)
            way_word(flow, indent, used, page->text.width, ROLE_SELECTED, tr("lifted"), 1);
        if (here)
            place->ends = flow_height(flow);
    }
}

static const char *note(struct flow *flow, const struct page *page, const struct question_model *question)
{
    return way_note(flow, page, question, tr("Put them in order"));
}

static bool any(const struct view *view, const struct question_model *question)
{
    return kept(question) || changed(view, question);
}

/* The item under the cursor goes to a place, those between move up. */
static void carry(struct view *view, int to)
{
    signed char item = view->at[view->cursor];
    for (int step = to > view->cursor ? 1 : -1; view->cursor != to; view->cursor += step)
        view->at[view->cursor] = view->at[view->cursor + step];
    view->at[to] = item;
}

static void go(struct view *view, int to)
{
    if (view->lifted >= 0)
        carry(view, to);
    else
        view->cursor = to;
}

/* Puts the lifted item at its place; with none lifted the cursor goes there. */
static void type_digit(struct view *view, const struct question_model *question, int digit, bool goes_on)
{
    int before = goes_on ? view->cursor + 1 : 0, to = way_number(before, digit, question->choice_count);
    if (to < 0)
        return;
    bool longer = before > 0 && to + 1 == before * 10 + digit;
    bool puts = view->lifted >= 0 || (longer && view->put);
    if (puts)
        carry(view, to);
    else
        view->cursor = to;
    view->lifted = -1;
    view->put = puts;
    view->typed_digit = true;
}

static void act(struct view *view, const struct question_model *question, enum action action, int32_t key,
                bool goes_on)
{
    int last = question->choice_count - 1,
        step = action == ACTION_DOWN || action == ACTION_CARRY_DOWN ? 1 : -1;
    switch (action) {
    case ACTION_NUMBER:
        type_digit(view, question, (int)key - '0', goes_on);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        if (view->lifted >= 0 || !way_reads(view, step))
            go(view, clamp(view->cursor + step, last));
        break;
    case ACTION_CARRY_UP:
    case ACTION_CARRY_DOWN:
        carry(view, clamp(view->cursor + step, last));
        break;
    case ACTION_FIRST:
    case ACTION_LAST:
        go(view, action == ACTION_LAST ? last : 0);
        break;
    case ACTION_LIFT:
        view->lifted = view->cursor;
        break;
    case ACTION_PUT_DOWN:
        view->lifted = -1;
        break;
    case ACTION_PUT_BACK:
        carry(view, clamp(view->lifted, last));
        view->lifted = -1;
        break;
    default:
        break;
    }
}

static bool take(struct view *view, const struct question_model *question, bool doubted,
                 struct effect *effect)
{
    bool moved = false;
    for (int i = 0; i < question->choice_count; i++)
        moved = moved || view->at[i] != i;
    if (!moved && !doubted && view->overlay != OVERLAY_CERTAINTY) {
        view->flash = tr("nothing moved; Enter leaves it so");
        view->doubted = true;
        return false;
    }
    memcpy(effect->at, view->at, sizeof effect->at);
    return true;
}

/* ---- told ---- */

static int count(const struct result_model *result)
{
    return result->question.choice_count;
}

static bool is_right(const struct result_model *result, int i)
{
    return result->right_at[i] || i >= result->answer_count;
}

static bool matters(const struct result_model *result, int i)
{
    return !is_right(result, i);
}

static const char *given(const struct result_model *result, int i)
{
    return i < result->response_count ? result->response[i] : NULL;
}

static const char *right(const struct result_model *result, int i)
{
    return is_right(result, i) ? NULL : result->answer[i];
}

/* Side by side where all are whole so. */
static void measure(struct way_columns *columns, const struct page *page, const struct pane *pane,
                    const struct result_model *result)
{
    for (int i = 0; i < count(result); i++) {
        columns->first = row_widest(columns->first, given(result, i));
        columns->second = row_widest(columns->second, right(result, i));
    }
    columns->beside = columns->first > 0 &&
                      row_columns(page, count(result), columns->first, columns->second, true) <= pane->width;
}

static void tell_head(struct flow *flow, const struct page *page, const struct result_model *result,
                      const struct way_columns *columns)
{
    int first = row_indent(count(result)), second = row_columns(page, count(result), columns->first, 0, true);
    const char *own = tr("your order");
    if (first + grid_columns(own, (ptrdiff_t)strlen(own)) + 2 > second)
        return;
    flow_blank(flow);
    flow_text(flow, first, ROLE_DIM, own);
    flow_text(flow, second, ROLE_DIM, tr("right order"));
}

/* The item given for a place, and beside or below it the one that belongs there. */
static void tell(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, const struct way_columns *columns, int i, int lines)
{
    struct row row = { .number = i + 1, .of = count(result), .lines = lines, .columns = columns };
    if (i == 0 && lines == 0 && columns->beside && result->response_count > 0 && columns->second > 0)
        tell_head(flow, page, result, columns);
    if (given(result, i))
        row.first = (struct row_cell){ given(result, i), is_right(result, i) ? ROW_RIGHT : ROW_WRONG };
    else
        row.first = (struct row_cell){ right(result, i), ROW_RIGHT };
    if (given(result, i) && right(result, i))
        row.second[row.count++] = (struct row_cell){ right(result, i), ROW_RIGHT };
    row_lay(flow, page, pane, &row);
}

const struct way way_order = {
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
