#include "answered.h"

#include "way.h"

#include <quiztutor/message.h>

#include <string.h>

int answered_lay(struct flow *flow, const struct page *page, const struct pane *pane,
                 const struct result_model *result, enum answered_form form, int room)
{
    const struct way *way = way_of(&result->question);
    struct way_columns columns = { 0 };
    int shown = 0, left = 0, count = way->count(result);
    if (way->measure)
        way->measure(&columns, page, pane, result);
    for (int i = 0; i < count; i++) {
        if (form != ANSWERED_WHOLE && !way->matters(result, i))
            continue;
        if (room > 0 && shown > 0 && flow_height(flow) >= room - 1)
            left++;
        else
            way->tell(flow, page, pane, result, &columns, i, form == ANSWERED_CUT ? 1 : 0);
        shown++;
    }
    if (left > 0) {
        flow_blank(flow);
        flow_text(flow, 3, ROLE_DIM, flow_print(flow, ntr("and %d more", "and %d more", left), left));
    }
    return shown;
}

int answered_least(const struct page *page, const struct pane *pane, const struct result_model *result)
{
    struct flow flow;
    flow_init(&flow);
    answered_lay(&flow, page, pane, result, ANSWERED_CUT, 0);
    int height = flow_height(&flow);
    flow_finish(&flow);
    return height;
}

/* A gap before all but the first part. */
static void lay_part(struct flow *flow, const struct pane *pane, enum grid_role role, const char *text)
{
    if (!text)
        return;
    if (flow_height(flow) > 0)
        flow_blank(flow);
    flow_wrap(flow, 0, pane->width, role, text, false);
}

void answered_lay_reason(struct flow *flow, const struct page *page, const struct pane *pane,
                         const struct result_model *result)
{
    lay_part(flow, pane, ROLE_TEXT, result->feedback);
    lay_part(flow, pane, ROLE_TEXT, result->explanation);
    if (result->explanation_figure) {
        if (flow_height(flow) > 0)
            flow_blank(flow);
        flow_figure(flow, 3, pane->width - 3, ROLE_TEXT, result->explanation_figure, page->view->side_scroll);
    }
    lay_part(flow, pane, ROLE_DIM, result->source);
}

/* A card is graded by the learner: nothing was right or wrong in it. */
static const char *card_words(enum verdict_kind verdict)
{
    switch (verdict) {
    case VERDICT_RIGHT:
        return tr("Known");
    case VERDICT_PARTLY:
        return tr("Hardly known");
    default:
        return tr("Not known yet");
    }
}

void answered_verdict(const struct result_model *result, const char **words, enum grid_role *role)
{
    bool card = result->question.way == WAY_RECALL;
    switch (result->verdict) {
    case VERDICT_RIGHT:
        *words = card ? card_words(result->verdict) : tr("Right");
        *role = ROLE_RIGHT;
        return;
    case VERDICT_PARTLY:
        *words = card ? card_words(result->verdict) : tr("Partly right");
        *role = ROLE_WARNING;
        return;
    case VERDICT_WRONG:
        *words = card ? card_words(result->verdict) : tr("Not quite");
        *role = ROLE_WRONG;
        return;
    case VERDICT_SKIPPED:
        break;
    }
    *words = result->question.exam ? tr("Left blank") : tr("Skipped");
    *role = ROLE_STRONG;
}

const char *answered_worth(struct flow *flow, const struct page *page, const struct result_model *result,
                           bool brief)
{
    static const char *const sure[] = { N_("guess"), N_("think so"), N_("certain") };
    struct buffer line;
    buffer_init(&line);
    if (result->verdict != VERDICT_SKIPPED && (result->verdict == VERDICT_PARTLY || result->marks != 1))
        page_join(&line, page, page_marks(flow, result->mark, result->marks));
    bool sure_of = result->certainty >= 1 && result->certainty <= 3;
    if (sure_of && result->no_certainty) {
        page_join(&line, page, tr(sure[result->certainty - 1]));
        page_join(&line, page, flow_print(flow, tr("no certainty mark: %s"), result->no_certainty));
    } else if (sure_of) {
        const char *mark = page_signed(page, flow, result->certainty_mark);
        bool one = result->certainty_mark == 1;
        page_join(&line, page,
                  flow_print(flow,
                             brief ? "%s: %s"
                             : one ? tr("%s: %s certainty mark")
                                   : tr("%s: %s certainty marks"),
                             tr(sure[result->certainty - 1]), mark));
    }
    return page_keep(flow, &line);
}
