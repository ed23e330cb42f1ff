#include "action.h"

#include "action_when.h"
#include "field.h"
#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

const struct question_model *action_question(const struct view *view)
{
    if (view->screen == SCREEN_QUESTION)
        return view->question;
    if (view->screen == SCREEN_RESULT && view->result)
        return &view->result->question;
    return NULL;
}

bool action_works(const struct action_row *row, const struct view *view)
{
    if (view->kiosk && !action_in_kiosk(row->bindings[0].action))
        return false;
    enum overlay overlay = view->kiosk && view->kiosk->countdown > 0 ? OVERLAY_IDLE : view->overlay;
    bool here = overlay == OVERLAY_NONE ? (row->screens >> view->screen) & 1 : (row->overlays >> overlay) & 1;
    return here && (!row->works || row->works(view));
}

/* The first key of a row that does what the row says now; NULL: a field takes them all. */
static const struct action_binding *reached(const struct action_row *row, const struct view *view)
{
    bool types = way_types(view);
    for (int b = 0; b < ACTION_BINDINGS && row->bindings[b].key; b++) {
        const struct action_binding *binding = &row->bindings[b];
        if (!types || binding->action == ACTION_EDIT || action_find(view, binding->key) == binding->action)
            return binding;
    }
    return NULL;
}

bool action_here(const struct action_row *row, const struct view *view)
{
    return action_works(row, view) && reached(row, view);
}

static bool bound(const struct action_binding *binding, const struct view *view, int32_t key)
{
    if (binding->action == ACTION_NUMBER)
        return key >= '0' && key <= '9';
    if (binding->action == ACTION_LETTER) {
        const struct question_model *question = action_question(view);
        return question && key >= 'a' && key < 'a' + question->choice_count;
    }
    return binding->key == key;
}

enum action action_find(const struct view *view, int32_t key)
{
    if (way_types(view) && field_takes(key))
        return ACTION_NONE;
    for (int i = 0; i < action_row_count; i++) {
        const struct action_row *row = &action_rows[i];
        if (!action_works(row, view))
            continue;
        for (int b = 0; b < ACTION_BINDINGS && row->bindings[b].key; b++)
            if (bound(&row->bindings[b], view, key))
                return view->kiosk && !action_in_kiosk(row->bindings[b].action) ? ACTION_NONE
                                                                                : row->bindings[b].action;
    }
    return ACTION_NONE;
}

void action_keys(const struct action_row *row, const struct view *view, struct buffer *out)
{
    const struct question_model *question = action_question(view);
    const struct signs *signs = signs_of(view->signs);
    const struct action_binding *binding = reached(row, view);
    if (way_types(view) && binding && binding->key >= KEY_CODE_F1 && binding->key <= KEY_CODE_F12) {
        buffer_print(out, "F%d", (int)(binding->key - KEY_CODE_F1) + 1); /* letters are text */
    } else if (question && strcmp(row->keys, "1-9") == 0 && row->bindings[0].action == ACTION_NUMBER) {
        int last = question->way == WAY_MATCH ? question->target_count : question->choice_count;
        buffer_print(out, last > 1 ? "1-%d" : "%d", last);
    } else if (question && strcmp(row->name, "letter") == 0 && question->choice_count > 1) {
        buffer_print(out, "a-%c", 'a' + question->choice_count - 1);
    } else if (strcmp(row->keys, "↑ ↓") == 0) {
        buffer_print(out, "%s %s", signs->up, signs->down);
    } else if (strcmp(row->keys, "← →") == 0) {
        buffer_print(out, "%s %s", signs->left, signs->right_arrow);
    } else {
        buffer_text(out, tr(row->keys));
    }
}

const char *action_brief(const struct action_row *row, const struct view *view)
{
    static const struct {
        const char *name, *brief;
    } rows[] = { { "keys", N_("keys") } };
    for (size_t i = 0; view->kiosk && i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, row->name) == 0)
            return tr(rows[i].brief);
    return NULL;
}

const char *action_help(const struct action_row *row, const struct view *view)
{
    if (view->screen == SCREEN_RESULT && view->result && view->result->last && strcmp(row->name, "next") == 0)
        return tr("summary");
    if (view->screen == SCREEN_TABLE && view->table && view->table->opens_what &&
        strcmp(row->name, "open row") == 0)
        return view->table->opens_what;
    if (view->screen == SCREEN_MENU && strcmp(row->name, "choose row") == 0)
        return view->kiosk->choices[view->cursor].does;
    const struct question_model *question = action_question(view);
    if (question && question->tried && strcmp(row->name, "next") == 0)
        return tr("back");
    if (question && question->exam && strcmp(row->name, "sure answer") == 0)
        return tr("note");
    if (question && question->way == WAY_RECALL && strcmp(row->name, "answer") == 0)
        return tr("grade");
    if (question && question->starred && strcmp(row->name, "star") == 0)
        return tr("unstar");
    if (question && question->suspended && strcmp(row->name, "suspend question") == 0)
        return tr("resume");
    return tr(row->help);
}
