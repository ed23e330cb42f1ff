/*
 * A card: the learner answers in their mind, turns it up, and says how well it went. Only Enter grades, and
 * only what was chosen.
 */
#include "question.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

static const struct {
    const char *word, *means;
} grades[] = {
    { N_("again"), N_("not remembered") },
    { N_("hard"), N_("with much effort") },
    { N_("good"), N_("with some thought") },
    { N_("easy"), N_("at once") },
};

enum { GRADES = sizeof grades / sizeof *grades };

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

/* ---- asked ---- */

static int chosen(const struct view *view)
{
    for (int i = 0; i < GRADES; i++)
        if (view->picked[i])
            return i;
    return -1;
}

static void lay(struct flow *flow, const struct page *page, const struct question_model *question,
                enum way_room room, struct way_place *place)
{
    (void)question;
    (void)room;
    const struct view *view = page->view;
    const struct signs *signs = page->signs;
    int word = 0, sign = columns_of(signs->off), indent = 1 + sign + 1 + 1 + 2;
    place->line = -1;
    if (!view->revealed)
        return;
    for (int i = 0; i < GRADES; i++)
        word = columns_of(tr(grades[i].word)) > word ? columns_of(tr(grades[i].word)) : word;
    for (int i = 0; i < GRADES; i++) {
        bool picked = i == chosen(view);
        enum grid_role role = picked ? ROLE_SELECTED : ROLE_TEXT;
        if (picked)
            *place = (struct way_place){ .begins = i, .ends = i + 1, .line = i, .column = 1 };
        flow_blank(flow);
        flow_text(flow, 1, role, picked ? signs->on : signs->off);
        flow_text(flow, 1 + sign + 1, picked ? ROLE_SELECTED : ROLE_DIM, flow_print(flow, "%d", i + 1));
        flow_text(flow, indent, role, tr(grades[i].word));
        if (indent + word + 3 + columns_of(tr(grades[i].means)) <= page->text.width)
            flow_text(flow, indent + word + 3, ROLE_DIM, tr(grades[i].means));
    }
}

static const char *note(struct flow *flow, const struct page *page, const struct question_model *question)
{
    (void)flow;
    (void)question;
    return page->view->revealed ? tr("How well did you know it?") : tr("Answer in mind, then turn the card");
}

static void clear(struct view *view, const struct question_model *question)
{
    (void)question;
    memset(view->picked, 0, sizeof view->picked);
}

static bool any(const struct view *view, const struct question_model *question)
{
    (void)question;
    return chosen(view) >= 0;
}

/* A card is never an exam's. */
static bool kept(const struct question_model *question)
{
    (void)question;
    return false;
}

static void choose(struct view *view, int i)
{
    if (i < 0 || i >= GRADES)
        return;
    memset(view->picked, 0, sizeof view->picked);
    view->picked[i] = true;
}

/* The first move chooses an end. */
static void move(struct view *view, int step)
{
    int at = chosen(view);
    choose(view, at < 0 ? (step > 0 ? 0 : GRADES - 1) : at + step);
}

static void act(struct view *view, const struct question_model *question, enum action action, int32_t key,
                bool goes_on)
{
    (void)question;
    (void)goes_on;
    switch (action) {
    case ACTION_TURN:
        view->revealed = true;
        view->placed = false; /* the back is scrolled into sight */
        break;
    case ACTION_NUMBER:
        choose(view, (int)key - '1');
        break;
    case ACTION_UP:
    case ACTION_DOWN:
        move(view, action == ACTION_DOWN ? 1 : -1);
        break;
    case ACTION_FIRST:
    case ACTION_LAST:
        choose(view, action == ACTION_LAST ? GRADES - 1 : 0);
        break;
    default:
        break;
    }
}

static bool take(struct view *view, const struct question_model *question, bool doubted,
                 struct effect *effect)
{
    (void)question;
    (void)doubted;
    if (!view->revealed || chosen(view) < 0) {
        view->flash = tr("choose how well you knew it first");
        return false;
    }
    effect->grade = chosen(view) + 1;
    return true;
}

/* ---- told ---- */

static int count(const struct result_model *result)
{
    return result->answer_count;
}

static bool matters(const struct result_model *result, int i)
{
    (void)result;
    (void)i;
    return true;
}

/* The other side, and the grade that the learner gave. */
static void tell(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, const struct way_columns *columns, int i, int lines)
{
    (void)columns;
    int end = pane->edge - pane->left;
    const char *word = i == 0 && result->response_count > 0
                           ? flow_print(flow, tr("your grade: %s"), result->response[0])
                           : NULL;
    flow_blank(flow);
    int used = way_text(flow, page, 1, pane->width - 1, ROLE_TEXT, result->answer[i], lines);
    way_word(flow, 1, used, end, ROLE_DIM, word, lines);
}

const struct way way_recall = {
    .lay = lay,
    .note = note,
    .show = clear,
    .clear = clear,
    .act = act,
    .take = take,
    .any = any,
    .kept = kept,
    .changed = any,
    .count = count,
    .matters = matters,
    .tell = tell,
};
