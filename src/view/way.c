#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

static int clamp(int value, int least, int most)
{
    return value > most ? (most < least ? least : most) : value < least ? least : value;
}

const struct way *way_of(const struct question_model *question)
{
    static const struct way *const ways[] = {
        [WAY_CHOICES] = &way_choices, [WAY_FIELD] = &way_field,   [WAY_ORDER] = &way_order,
        [WAY_MATCH] = &way_match,     [WAY_RECALL] = &way_recall,
    };
    return ways[(size_t)question->way < sizeof ways / sizeof *ways ? question->way : WAY_CHOICES];
}

bool way_types(const struct view *view)
{
    if (view->screen == SCREEN_SIGN_IN)
        return view->overlay == OVERLAY_NONE;
    return view->screen == SCREEN_QUESTION && view->overlay == OVERLAY_NONE && view->question &&
           view->question->way == WAY_FIELD && !view->left_field;
}

void way_word(struct flow *flow, int indent, int used, int end, enum grid_role role, const char *word,
              int lines)
{
    if (!word)
        return;
    if (indent + used + 2 + grid_columns(word, (ptrdiff_t)strlen(word)) > end) {
        if (lines == 1)
            return;
        flow_blank(flow);
    }
    flow_right(flow, end, role, word);
}

int way_text(struct flow *flow, const struct page *page, int column, int width, enum grid_role role,
             const char *text, int lines)
{
    if (lines == 1)
        return flow_clip(flow, column, width, role, text, page->signs->ellipsis);
    return flow_wrap(flow, column, width, role, text, true);
}

const char *way_state(const struct page *page, const struct question_model *question)
{
    const struct way *way = way_of(question);
    if (!question->exam || page->view->screen != SCREEN_QUESTION)
        return NULL;
    if (way->changed(page->view, question))
        return tr("not noted yet");
    if (!question->has_response)
        return NULL;
    return way->kept(question) ? tr("noted") : tr("left blank");
}

const char *way_note(struct flow *flow, const struct page *page, const struct question_model *question,
                     const char *what)
{
    const char *state = way_state(page, question);
    if (!state)
        return what;
    const char *both = flow_print(flow, "%s %s %s", what, page->signs->dot, state);
    return grid_columns(both, (ptrdiff_t)strlen(both)) < page->text.width ? both : state;
}

int way_number(int before, int digit, int count)
{
    int longer = before > 0 ? before * 10 + digit : 0;
    if (longer >= 1 && longer <= count)
        return longer - 1;
    return digit >= 1 && digit <= count ? digit - 1 : -1;
}

bool way_reads(struct view *view, int step)
{
    int page = clamp(view->choice_page - 1, 1, GRID_ROWS);
    if (step > 0 && view->choice_below > 0) {
        view->choice_scroll += clamp(view->choice_below, 1, page);
        return true;
    }
    if (step < 0 && view->choice_above > 0) {
        view->choice_scroll -= clamp(view->choice_above, 1, page);
        return true;
    }
    return false;
}
