/*
 * What an input does to a view. Every key is looked up in the table of actions; a letter or a digit only ever
 * selects.
 */
#include "update.h"

#include "action.h"
#include "action_when.h"
#include "field.h"
#include "page.h"
#include "table.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

static int clamp(int value, int least, int most)
{
    return value > most ? (most < least ? least : most) : value < least ? least : value;
}

void update_answer(struct view *view, const struct question_model *question, bool doubted,
                   struct effect *effect)
{
    if (!way_of(question)->take(view, question, doubted, effect))
        return;
    bool asks = question->certainty && question->way != WAY_RECALL && view->overlay != OVERLAY_CERTAINTY;
    if (asks && question->way == WAY_FIELD) { /* how sure one is of what can't be read is no question */
        effect->kind = EFFECT_READ;
        return;
    }
    if (asks) {
        view_open(view, OVERLAY_CERTAINTY);
        *effect = (struct effect){ 0 };
        return;
    }
    effect->kind = EFFECT_ANSWER;
    effect->certainty = view->certainty;
}

/* ---- what scrolls ---- */

void update_scroll(int *scroll, int range, int page, enum action action)
{
    page = clamp(page - 1, 1, GRID_ROWS);
    switch (action) {
    case ACTION_UP:
        *scroll -= 1;
        break;
    case ACTION_DOWN:
        *scroll += 1;
        break;
    case ACTION_PAGE_UP:
        *scroll -= page;
        break;
    case ACTION_PAGE_DOWN:
        *scroll += page;
        break;
    case ACTION_FIRST:
        *scroll = 0;
        break;
    case ACTION_LAST:
        *scroll = range;
        break;
    default:
        break;
    }
    *scroll = clamp(*scroll, 0, range);
}

enum { SIDE_STEP = 8 };

void update_row(struct view *view, enum action action)
{
    int page = clamp(view->scroll_page - 1, 1, GRID_ROWS), steps = 1, step = 1;
    switch (action) {
    case ACTION_UP:
        step = -1;
        break;
    case ACTION_PAGE_UP:
        step = -1;
        steps = page;
        break;
    case ACTION_PAGE_DOWN:
        steps = page;
        break;
    case ACTION_FIRST:
        step = -1;
        steps = view->library->count;
        break;
    case ACTION_LAST:
        steps = view->library->count;
        break;
    default:
        break;
    }
    for (int row; steps > 0 && (row = home_next(view, view->cursor + step, step)) >= 0; steps--)
        view->cursor = row;
}

/* ---- screens ---- */

static void update_preview(struct view *view, enum action action, struct effect *effect)
{
    if (action != ACTION_NEXT_QUESTION && action != ACTION_PREVIOUS_QUESTION) {
        update_scroll(&view->scroll, view->scroll_range, view->scroll_page, action);
        return;
    }
    effect->kind = EFFECT_GO;
    effect->row = view->preview->question.number - 1 + (action == ACTION_NEXT_QUESTION ? 1 : -1);
}

void update_practise(struct view *view, struct effect *effect)
{
    home_keep_cursor(view);
    if (!view->library || view->library->count == 0 || !home_shows(view, view->cursor))
        return;
    if (view->library->rows[view->cursor].problem) {
        view->flash = tr("this pack does not load");
        return;
    }
    effect->kind = EFFECT_PRACTISE;
    effect->row = view->cursor;
}

static void update_home(struct view *view, enum action action, struct effect *effect)
{
    switch (action) {
    case ACTION_PRACTISE:
        update_practise(view, effect);
        break;
    case ACTION_FILTER:
        view_open(view, OVERLAY_FILTER);
        break;
    case ACTION_CLEAR:
        view->filter[0] = '\0';
        break;
    case ACTION_ABOUT:
        home_keep_cursor(view);
        if (home_shows(view, view->cursor))
            view_open(view, OVERLAY_ABOUT);
        break;
    case ACTION_LEARNER:
        view_open(view, OVERLAY_LEARNER);
        break;
    default:
        update_row(view, action);
    }
}

/* Actions that mean the same on every screen; true when it was one. */
bool update_common(struct view *view, enum action action, struct effect *effect)
{
    static const enum effect_kind effects[] = {
        [ACTION_NEXT] = EFFECT_NEXT,
        [ACTION_HINT] = EFFECT_HINT,
        [ACTION_SKIP] = EFFECT_SKIP,
        [ACTION_UNDO] = EFFECT_UNDO,
        [ACTION_MISSES] = EFFECT_MISSES,
        [ACTION_HOME] = EFFECT_HOME,
        [ACTION_QUIT] = EFFECT_QUIT,
        [ACTION_RETRY] = EFFECT_RETRY,
        [ACTION_ANYWAY] = EFFECT_ANYWAY,
        [ACTION_RESUME] = EFFECT_RESUME,
        [ACTION_STAR] = EFFECT_STAR,
        [ACTION_SUSPEND_QUESTION] = EFFECT_SUSPEND_QUESTION,
        [ACTION_PROGRESS] = EFFECT_PROGRESS,
        [ACTION_BACK] = EFFECT_BACK,
        [ACTION_OVERVIEW] = EFFECT_OVERVIEW,
        [ACTION_LEAVE_EXAM] = EFFECT_LEAVE_EXAM,
        [ACTION_BEGIN_EXAM] = EFFECT_BEGIN_EXAM,
        [ACTION_TRY] = EFFECT_TRY,
        [ACTION_RESTART] = EFFECT_RESTART,
        [ACTION_LARGE] = EFFECT_LARGE,
        [ACTION_LINES] = EFFECT_LINES,
        [ACTION_SUSPEND] = EFFECT_SUSPEND,
        [ACTION_REDRAW] = EFFECT_REDRAW,
    };
    if ((size_t)action < sizeof effects / sizeof *effects && effects[action] != EFFECT_NONE) {
        effect->kind = effects[action];
        return true;
    }
    switch (action) {
    case ACTION_NONE:
        return true;
    case ACTION_REPORT:
        view_open(view, OVERLAY_REPORT);
        return true;
    case ACTION_KEYS:
        view_open(view, OVERLAY_KEYS);
        return true;
    case ACTION_TUTOR:
        view_open(view, OVERLAY_CODE);
        return true;
    case ACTION_FINISH:
        view_open(view, OVERLAY_FINISH);
        return true;
    case ACTION_ASK_HAND_IN:
        view_open(view, OVERLAY_HAND_IN);
        return true;
    case ACTION_LEFT:
    case ACTION_RIGHT:
        view->side_scroll += action == ACTION_RIGHT ? SIDE_STEP : -SIDE_STEP;
        view->side_scroll = clamp(view->side_scroll, 0, view->side_range);
        return true;
    default:
        return false;
    }
}

static void update_screen(struct view *view, int32_t key, struct effect *effect)
{
    bool goes_on = view->typed_digit, doubted = view->doubted;
    view->typed_digit = view->doubted = false;
    enum action action = action_find(view, key);
    /* known keys that can do nothing now say so */
    if (action == ACTION_NONE && view->screen == SCREEN_HOME && key == KEY_CODE_ENTER)
        update_practise(view, effect);
    if (action == ACTION_NONE && when_exam(view)) {
        if (key == 'n')
            view->flash = tr("this is the last question");
        else if (key == 'p')
            view->flash = tr("this is the first question");
        else if (key == 'h' || key == 's' || key == 'u' || (key > KEY_CODE_F1 && key <= KEY_CODE_F1 + 3))
            view->flash = tr("not in an exam");
    } else if (action == ACTION_NONE && view->screen == SCREEN_QUESTION) {
        if (key == 'h' || key == KEY_CODE_F1 + 1)
            view->flash =
                view->question && view->question->hint_count ? tr("no more hints") : tr("no hint here");
        else if (key == 'u' || key == KEY_CODE_F1 + 3)
            view->flash = tr("nothing to undo");
    } else if (action == ACTION_NONE && view->screen == SCREEN_PREVIEW && when_preview(view)) {
        if (key == 'n')
            view->flash = tr("this is the last question");
        else if (key == 'p')
            view->flash = tr("this is the first question");
    }
    bool warned = view->warned;
    view->warned = false;
    if (when_exam(view) && update_exam(view, action, warned, effect))
        return;
    if (view->screen == SCREEN_TABLE && table_update(view, action, key, effect))
        return;
    if (update_common(view, action, effect))
        return;
    if (view->screen == SCREEN_SIGN_IN || view->screen == SCREEN_MENU) {
        update_kiosk(view, action, effect);
    } else if (view->screen == SCREEN_HOME) {
        update_home(view, action, effect);
    } else if (view->screen == SCREEN_OVERVIEW) {
        update_overview(view, action, effect);
    } else if (view->screen == SCREEN_PREVIEW) {
        update_preview(view, action, effect);
    } else if (view->screen == SCREEN_PAPER &&
               (action == ACTION_NEXT_QUESTION || action == ACTION_PREVIOUS_QUESTION ||
                action == ACTION_NEXT_MISSED)) {
        paper_jump(view, action);
    } else if (action == ACTION_PAGE_UP || action == ACTION_PAGE_DOWN || view->screen != SCREEN_QUESTION) {
        update_scroll(&view->scroll, view->scroll_range, view->scroll_page, action);
    } else if (view->question) {
        if (action == ACTION_ANSWER)
            update_answer(view, view->question, doubted, effect);
        else
            way_of(view->question)->act(view, view->question, action, key, goes_on);
    }
}

/* Nothing can be seen: keys do nothing but what needs no sight. */
static void update_small(struct view *view, int32_t key, struct effect *effect)
{
    if (view->kiosk)
        return;
    if (key == KEY_CODE_CONTROL_A + 'C' - 'A' && view->overlay != OVERLAY_NOT_STORED)
        effect->kind = EFFECT_QUIT; /* as the message says; every answer is stored */
    else if (key == KEY_CODE_CONTROL_A + 'Z' - 'A')
        effect->kind = EFFECT_SUSPEND;
    else if (key == KEY_CODE_CONTROL_A + 'L' - 'A')
        effect->kind = EFFECT_REDRAW;
}

static bool takes_text(const struct view *view)
{
    return view->overlay == OVERLAY_REPORT || view->overlay == OVERLAY_LEARNER ||
           view->overlay == OVERLAY_FILTER || view->overlay == OVERLAY_EXPORT ||
           view->overlay == OVERLAY_PIN || view->overlay == OVERLAY_CODE || way_types(view);
}

void view_update(struct view *view, const struct input *input, struct effect *effect)
{
    *effect = (struct effect){ 0 };
    switch (input->kind) {
    case INPUT_RESIZE:
        view->rows = input->rows;
        view->columns = input->columns;
        return;
    case INPUT_HANGUP:
        effect->kind = EFFECT_QUIT;
        return;
    case INPUT_PASTE:
        if (!takes_text(view))
            return;
        break;
    case INPUT_KEY:
        break;
    default:
        return;
    }
    if (view->rows < VIEW_SMALLEST_ROWS || view->columns < VIEW_SMALLEST_COLUMNS) {
        if (input->kind == INPUT_KEY)
            update_small(view, input->key, effect);
        return;
    }
    if (view->kiosk && view->kiosk->countdown > 0) { /* it only says that somebody is there */
        effect->kind = input->kind == INPUT_KEY ? EFFECT_STAY : EFFECT_NONE;
        return;
    }
    view->flash = view->remark = NULL;
    if (way_types(view) && (input->kind == INPUT_PASTE || field_takes(input->key))) {
        field_input(view, input);
        view->warned = view->doubted = false;
        if (view->screen == SCREEN_SIGN_IN)
            view->cursor = 0; /* what is typed is meant, not the name chosen before */
    } else if (input->kind == INPUT_PASTE) {
        field_input(view, input);
        if (view->overlay == OVERLAY_FILTER)
            update_filter(view);
    } else if (view->overlay != OVERLAY_NONE) {
        update_overlay(view, input, effect);
    } else {
        update_screen(view, input->key, effect);
    }
}
