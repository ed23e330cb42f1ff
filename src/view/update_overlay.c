/*
 * What an input does while something lies over the screen.
 */
#include "update.h"

#include "action.h"
#include "field.h"
#include "page.h"
#include "table.h"
#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <string.h>

void update_filter(struct view *view)
{
    if (view->screen == SCREEN_TABLE) {
        table_filter(view, view->field);
        return;
    }
    memcpy(view->filter, view->field, sizeof view->filter);
    home_keep_cursor(view);
}

/* The line in the field is done. */
static void send(struct view *view, struct effect *effect)
{
    if (view->overlay == OVERLAY_PIN || view->overlay == OVERLAY_CODE) { /* it stays until it fits */
        effect->kind = view->overlay == OVERLAY_PIN ? EFFECT_PIN : EFFECT_CODE;
        effect->text = view->field;
        return;
    }
    if (view->overlay == OVERLAY_LEARNER) {
        const char *why = NULL;
        char *name = text_learner_name(view->field, &why);
        if (!name) {
            view->flash = why;
            return;
        }
        memory_free(name);
        effect->kind = EFFECT_LEARNER;
    } else if (view->overlay == OVERLAY_EXPORT) {
        if (!view->field[0]) {
            view->flash = tr("type the name of a file first");
            return;
        }
        effect->kind = EFFECT_EXPORT;
    } else if (view->overlay == OVERLAY_REPORT) {
        effect->kind = EFFECT_REPORT;
    }
    effect->text = view->keeps ? view->kept : view->field; /* where closing leaves it */
    view_close(view);
}

static void give_up(struct view *view)
{
    view->confirm = true;
    view->overlay_scroll = 0;
}

/* The first move chooses an end. */
static void move_certainty(struct view *view, enum action action)
{
    int to = view->certainty;
    if (action == ACTION_DOWN)
        to = to == 0 ? 1 : to + 1;
    else if (action == ACTION_UP)
        to = to == 0 ? 3 : to - 1;
    if (to >= 1 && to <= 3)
        view->certainty = to;
}

static void sure(struct view *view, struct effect *effect)
{
    if (!view->question)
        return;
    if (view->certainty == 0) {
        view->flash = tr("choose how sure you are first");
        return;
    }
    update_answer(view, view->question, true, effect);
    view_close(view);
}

void update_overlay(struct view *view, const struct input *input, struct effect *effect)
{
    enum action action = action_find(view, input->key);
    bool filter = view->overlay == OVERLAY_FILTER;
    bool field = filter || view->overlay == OVERLAY_REPORT || view->overlay == OVERLAY_LEARNER ||
                 view->overlay == OVERLAY_EXPORT || view->overlay == OVERLAY_PIN ||
                 view->overlay == OVERLAY_CODE;
    if (field && action == ACTION_NONE) {
        if (field_input(view, input) && filter)
            update_filter(view);
        return;
    }
    switch (action) {
    case ACTION_CLOSE:
        if (view->overlay == OVERLAY_NOT_STORED)
            view->confirm = false; /* the answer is still not stored: the question stays */
        else
            view_close(view);
        break;
    case ACTION_CLEAR:
        if (view->screen == SCREEN_TABLE)
            table_filter(view, "");
        else
            view->filter[0] = '\0';
        view_close(view);
        break;
    case ACTION_YES:
        effect->row = view->cursor;
        effect->kind = view->overlay == OVERLAY_FINISH    ? EFFECT_FINISH
                       : view->overlay == OVERLAY_ASK     ? EFFECT_CHOOSE
                       : view->overlay == OVERLAY_HAND_IN ? EFFECT_HAND_IN
                                                          : EFFECT_GIVE_UP;
        view_close(view);
        break;
    case ACTION_SEND:
        send(view, effect);
        break;
    case ACTION_GIVE_UP:
        give_up(view);
        break;
    case ACTION_PRACTISE:
        update_practise(view, effect);
        view_close(view);
        break;
    case ACTION_RETRY: /* the application opens it again when storing fails again */
    case ACTION_ANYWAY:
    case ACTION_RESUME:
    case ACTION_RESTART:
    case ACTION_HOME:
    case ACTION_LEAVE_EXAM:
    case ACTION_BEGIN_EXAM:
        view_close(view);
        update_common(view, action, effect);
        break;
    case ACTION_SUSPEND:
    case ACTION_REDRAW:
    case ACTION_TUTOR:
        update_common(view, action, effect);
        break;
    case ACTION_SURE:
        view->certainty = (int)input->key - '0';
        break;
    case ACTION_ANSWER:
        sure(view, effect);
        break;
    default:
        if (view->overlay == OVERLAY_CERTAINTY)
            move_certainty(view, action);
        else if (filter && view->screen == SCREEN_TABLE)
            table_update(view, action, input->key, effect);
        else if (filter)
            update_row(view, action);
        else
            update_scroll(&view->overlay_scroll, view->overlay_range, view->overlay_page, action);
    }
}
