/*
 * One or several of the choices are picked; true and false too.
 */
#include "question.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

static int most(int one, int other)
{
    return one > other ? one : other;
}

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

/* ---- asked ---- */

static void lay(struct flow *flow, const struct page *page, const struct question_model *question,
                enum way_room room, struct way_place *place)
{
    const struct view *view = page->view;
    const struct signs *signs = page->signs;
    int indent = question_indent(page, question), width = page->text.width - indent;
    for (int i = 0; i < question->choice_count; i++) {
        if (room == ROOM_AIRY && i > 0)
            flow_blank(flow);
        if (i == view->cursor)
            *place =
                (struct way_place){ .begins = flow_height(flow), .line = flow_height(flow), .column = 1 };
        bool picked = view->picked[i];
        enum grid_role role = picked ? ROLE_SELECTED : ROLE_TEXT;
        const char *sign =
            question->many ? (picked ? signs->box_on : signs->box_off) : (picked ? signs->on : signs->off);
        question_label(flow, page, question, i, sign, role, picked ? ROLE_SELECTED : ROLE_DIM);
        if (question->many && i == view->cursor)
            flow_text(flow, -1, ROLE_KEY, signs->cursor);
        int used = flow_wrap(flow, indent, width, role, question->choices[i], true);
        if (question->exam && question->has_response && question->given[i])
            way_word(flow, indent, used, page->text.width, ROLE_DIM, tr("noted"), 0);
        if (i == view->cursor)
            place->ends = flow_height(flow) + (room == ROOM_AIRY && i + 1 < question->choice_count);
    }
}

static bool kept(const struct question_model *question)
{
    for (int i = 0; i < question->choice_count; i++)
        if (question->given[i])
            return true;
    return false;
}

/* "Choose all that apply", and that an exam's question was left blank. */
static const char *note(struct flow *flow, const struct page *page, const struct question_model *question)
{
    bool blank = question->exam && question->has_response && !kept(question);
    if (blank && question->many)
        return flow_print(flow, "%s %s %s", tr("Choose all that apply"), page->signs->dot, tr("left blank"));
    return blank ? tr("Left blank") : question->many ? tr("Choose all that apply") : NULL;
}

static bool any(const struct view *view, const struct question_model *question)
{
    for (int i = 0; i < question->choice_count; i++)
        if (view->picked[i])
            return true;
    return false;
}

static bool changed(const struct view *view, const struct question_model *question)
{
    for (int i = 0; i < question->choice_count; i++)
        if (view->picked[i] != (question->has_response && question->given[i]))
            return true;
    return false;
}

static void clear(struct view *view, const struct question_model *question)
{
    (void)question;
    memset(view->picked, 0, sizeof view->picked);
}

static void show(struct view *view, const struct question_model *question)
{
    for (int i = question->choice_count - 1; question->exam && question->has_response && i >= 0; i--) {
        view->picked[i] = question->given[i];
        view->cursor = question->given[i] ? i : view->cursor;
    }
}

static void pick(struct view *view, const struct question_model *question, int i)
{
    view->cursor = i;
    if (question->many) {
        view->picked[i] = !view->picked[i];
        return;
    }
    memset(view->picked, 0, sizeof view->picked);
    view->picked[i] = true;
}

/* 1 then 2 is 12 where there are so many choices, else 2; 0 alone names nothing. */
static void type_digit(struct view *view, const struct question_model *question, int digit, bool goes_on)
{
    int before = goes_on ? view->cursor + 1 : 0, to = way_number(before, digit, question->choice_count);
    if (to < 0)
        return;
    if (question->many && goes_on && to + 1 == before * 10 + digit)
        pick(view, question, view->cursor); /* it was the beginning of this number, not a choice */
    pick(view, question, to);
    view->typed_digit = true;
}

static void move(struct view *view, const struct question_model *question, int step)
{
    int count = question->choice_count;
    if (way_reads(view, step))
        return;
    if (!question->many && !any(view, question)) { /* the first move selects an end */
        pick(view, question, step > 0 ? 0 : count - 1);
        return;
    }
    int to = most(0, least(view->cursor + step, count - 1));
    if (question->many)
        view->cursor = to;
    else
        pick(view, question, to);
}

static void act(struct view *view, const struct question_model *question, enum action action, int32_t key,
                bool goes_on)
{
    int last = question->choice_count - 1;
    switch (action) {
    case ACTION_NUMBER:
        type_digit(view, question, (int)key - '0', goes_on);
        break;
    case ACTION_LETTER:
        pick(view, question, (int)key - 'a');
        break;
    case ACTION_TRUE:
    case ACTION_FALSE:
        if (last >= 1)
            pick(view, question, action == ACTION_FALSE);
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        move(view, question, action == ACTION_DOWN ? 1 : -1);
        break;
    case ACTION_FIRST:
    case ACTION_LAST:
        view->cursor = action == ACTION_LAST ? last : 0;
        if (!question->many)
            pick(view, question, view->cursor);
        break;
    case ACTION_TOGGLE:
        pick(view, question, most(0, least(view->cursor, last)));
        break;
    default:
        break;
    }
}

static bool take(struct view *view, const struct question_model *question, bool doubted,
                 struct effect *effect)
{
    (void)doubted;
    if (question->choice_count > 0 && !any(view, question)) {
        view->flash = question->many ? tr("pick at least one first") : tr("choose one first");
        return false;
    }
    memcpy(effect->picked, view->picked, sizeof effect->picked);
    return true;
}

/* ---- told ---- */

static int count(const struct result_model *result)
{
    return result->question.choice_count;
}

static bool any_picked(const struct result_model *result)
{
    for (int i = 0; i < result->question.choice_count; i++)
        if (result->picked[i])
            return true;
    return false;
}

const char *choices_words(const struct result_model *result, int i)
{
    if (result->picked[i])
        return result->right[i] ? tr("your answer, right") : tr("your answer");
    if (!result->right[i])
        return NULL;
    return result->question.many && any_picked(result) ? tr("also right") : tr("right answer");
}

static bool matters(const struct result_model *result, int i)
{
    return choices_words(result, i) != NULL;
}

static void tell(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, const struct way_columns *columns, int i, int lines)
{
    (void)columns;
    const struct question_model *question = &result->question;
    const struct signs *signs = page->signs;
    const char *words = choices_words(result, i);
    enum grid_role role = result->right[i] ? ROLE_RIGHT : result->picked[i] ? ROLE_WRONG : ROLE_DIM;
    const char *sign = result->right[i]    ? signs->right
                       : result->picked[i] ? signs->wrong
                       : question->many    ? signs->box_off
                                           : signs->off;
    int indent = question_indent(page, question), width = pane->width - indent;
    int words_columns = words ? columns_of(words) : 0;
    int beside =
        pane->edge - pane->left - indent - words_columns - 2; /* room for text where words stand too */
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

const struct way way_choices = {
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
    .tell = tell,
};
