/*
 * A number or a text is typed into a field below the question. What can't be read stays there, with a remark
 * below it. While the field is typed into, letters are text; Escape leaves it.
 */
#include "field.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

enum { NUMBER_COLUMNS = 24, FIELD_LEAST = 12 };

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

/* ---- asked ---- */

static const char *kept_text(const struct question_model *question)
{
    return question->exam && question->has_response && question->given_text ? question->given_text : "";
}

static bool kept(const struct question_model *question)
{
    return *kept_text(question) != '\0';
}

static bool any(const struct view *view, const struct question_model *question)
{
    (void)question;
    return view->field[strspn(view->field, " ")] != '\0';
}

static bool changed(const struct view *view, const struct question_model *question)
{
    return strcmp(view->field, kept_text(question)) != 0;
}

static void clear(struct view *view, const struct question_model *question)
{
    (void)question;
    field_set(view, "");
}

static void show(struct view *view, const struct question_model *question)
{
    field_set(view, kept_text(question));
}

/* The unit stands behind the field, or below it where there is no room. */
static void lay_field(struct flow *flow, const struct page *page, const struct question_model *question,
                      struct way_place *place)
{
    const char *unit = question->unit ? question->unit : "";
    int room = page->text.width - 1, tail = *unit ? columns_of(unit) + 1 : 0;
    bool behind = room - tail >= FIELD_LEAST;
    int width = behind ? room - tail : room;
    if (question->numeric)
        width = least(width, NUMBER_COLUMNS);
    flow_blank(flow);
    place->line = way_types(page->view) || page->view->overlay == OVERLAY_CERTAINTY ? 0 : -1;
    place->column = 1 + field_lay(flow, page->view, 1, width);
    if (*unit && !behind)
        flow_wrap(flow, 1, room, ROLE_TEXT, unit, false);
    else if (*unit)
        flow_text(flow, 1 + width + 1, ROLE_TEXT, unit);
}

static void lay(struct flow *flow, const struct page *page, const struct question_model *question,
                enum way_room room, struct way_place *place)
{
    (void)room;
    const struct view *view = page->view;
    lay_field(flow, page, question, place);
    if (view->remark)
        flow_wrap(flow, 1, page->text.width - 1, ROLE_WARNING, view->remark, false);
    if (kept(question) && changed(view, question)) {
        const char *label = tr("noted:");
        int indent = 1 + columns_of(label) + 1;
        flow_blank(flow);
        flow_text(flow, 1, ROLE_DIM, label);
        flow_wrap(flow, indent, most(2, page->text.width - indent), ROLE_DIM, kept_text(question), true);
    }
    place->ends = flow_height(flow);
}

static const char *note(struct flow *flow, const struct page *page, const struct question_model *question)
{
    const char *what = question->numeric ? tr("Type a number") : tr("Type the answer");
    int figures = question->significant_figures;
    if (question->numeric && figures > 0)
        what = flow_print(
            flow, ntr("A number to %d significant figure", "A number to %d significant figures", figures),
            figures);
    return way_note(flow, page, question, what);
}

static void act(struct view *view, const struct question_model *question, enum action action, int32_t key,
                bool goes_on)
{
    (void)question;
    (void)key;
    (void)goes_on;
    if (action == ACTION_LEAVE_FIELD)
        view->left_field = true;
    else if (action == ACTION_ENTER_FIELD)
        view->left_field = false;
}

static bool take(struct view *view, const struct question_model *question, bool doubted,
                 struct effect *effect)
{
    (void)doubted;
    if (!any(view, question)) {
        view->flash = tr("type an answer first");
        return false;
    }
    effect->text = view->field;
    return true;
}

/* ---- told ---- */

/* What was typed, then what is right where it was not. */
static int count(const struct result_model *result)
{
    return result->response_count + (result->verdict == VERDICT_RIGHT ? 0 : result->answer_count);
}

static bool matters(const struct result_model *result, int i)
{
    return i <= result->response_count;
}

static void tell(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, const struct way_columns *columns, int i, int lines)
{
    (void)columns;
    const struct signs *signs = page->signs;
    bool own = i < result->response_count, right = !own || result->verdict == VERDICT_RIGHT;
    const char *text = own ? result->response[i] : result->answer[i - result->response_count];
    const char *word = own                           ? (right ? tr("your answer, right") : tr("your answer"))
                       : i == result->response_count ? tr("right answer")
                                                     : tr("also right");
    enum grid_role role = right ? ROLE_RIGHT : ROLE_WRONG;
    int indent = 1 + columns_of(signs->right) + 2, end = pane->edge - pane->left;
    int width =
        lines == 1 ? most(2, least(pane->width, end - columns_of(word) - 2) - indent) : pane->width - indent;
    flow_blank(flow);
    flow_text(flow, 1, role, right ? signs->right : signs->wrong);
    int used = way_text(flow, page, indent, width, ROLE_TEXT, text, lines);
    way_word(flow, indent, used, end, role, word, lines);
}

const struct way way_field = {
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
