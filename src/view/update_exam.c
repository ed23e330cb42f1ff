/*
 * What keys do in an exam: going from question to question, the overview, flags.
 */
#include "update.h"

#include "way.h"

#include <quiztutor/message.h>

bool update_unnoted(const struct view *view)
{
    const struct question_model *question = view->question;
    if (!question || !question->exam)
        return false;
    return way_of(question)->changed(view, question);
}

/* What is chosen is lost when the question is left: that is said once. */
static bool stays(struct view *view, bool warned, const char *warning)
{
    if (warned || !update_unnoted(view))
        return false;
    view->warned = true;
    view->flash = warning;
    return true;
}

bool update_exam(struct view *view, enum action action, bool warned, struct effect *effect)
{
    const struct question_model *question = view->question;
    switch (action) {
    case ACTION_NEXT_QUESTION:
    case ACTION_PREVIOUS_QUESTION:
        if (stays(view, warned,
                  action == ACTION_NEXT_QUESTION ? tr("Enter notes it; n again leaves it")
                                                 : tr("Enter notes it; p again leaves it")))
            return true;
        effect->kind = EFFECT_GO;
        effect->row = question->number - 1 + (action == ACTION_NEXT_QUESTION ? 1 : -1);
        return true;
    case ACTION_OVERVIEW:
        if (!stays(view, warned, tr("Enter notes it; o again leaves it")))
            effect->kind = EFFECT_OVERVIEW;
        return true;
    case ACTION_FLAG:
        effect->kind = EFFECT_FLAG;
        effect->row = question->number - 1;
        return true;
    case ACTION_BLANK:
        way_of(question)->clear(view, question);
        effect->kind = EFFECT_BLANK;
        effect->row = question->number - 1;
        return true;
    default:
        return false;
    }
}

static int clamp(int value, int most)
{
    return value > most ? most : value < 0 ? 0 : value;
}

void update_overview(struct view *view, enum action action, struct effect *effect)
{
    int last = view->overview ? view->overview->count - 1 : 0;
    switch (action) {
    case ACTION_GO:
    case ACTION_RETURN:
        effect->kind = EFFECT_GO;
        effect->row = clamp(action == ACTION_GO ? view->cursor : view->exam_row, last);
        break;
    case ACTION_FLAG:
        effect->kind = EFFECT_FLAG;
        effect->row = clamp(view->cursor, last);
        break;
    default:
        update_scroll(&view->cursor, last, view->scroll_page, action);
    }
}
