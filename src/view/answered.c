#include "answered.h"

#include "question.h"

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

static bool any_picked(const struct result_model *result)
{
    for (int i = 0; i < result->question.choice_count; i++)
        if (result->picked[i])
            return true;
    return false;
}

/* The words beside a choice; NULL for one that does not matter. */
const char *answered_words(const struct result_model *result, int i)
{
    if (result->picked[i])
        return result->right[i] ? tr("your answer, right") : tr("your answer");
    if (!result->right[i])
        return NULL;
    return result->question.many && any_picked(result) ? tr("also right") : tr("right answer");
}

/* One choice with sign and words; `lines` 1: cut to one line, 0: whole. */
void answered_lay_choice(struct flow *flow, const struct page *page, const struct pane *pane,
                         const struct result_model *result, int i, int lines)
{
    const struct question_model *question = &result->question;
    const struct signs *signs = page->signs;
    const char *words = answered_words(result, i);
    enum grid_role role = result->right[i] ? ROLE_RIGHT : result->picked[i] ? ROLE_WRONG : ROLE_DIM;
    const char *sign = result->right[i]    ? signs->right
                       : result->picked[i] ? signs->wrong
                       : question->many    ? signs->box_off
                                           : signs->off;
    int indent = question_indent(page, question), width = pane->width - indent;
    int words_columns = words ? grid_columns(words, (ptrdiff_t)strlen(words)) : 0;
    int beside =
        pane->edge - pane->left - indent - words_columns - 2; /* room for text where the words stand too */
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

/* For answers that are not choices: what was answered, what is right. */
static void lay_texts(struct flow *flow, const struct pane *pane, const char *label, const char *const *texts,
                      int count, enum grid_role role)
{
    int indent = 3 +
                 most(grid_columns(tr("your answer"), (ptrdiff_t)strlen(tr("your answer"))),
                      grid_columns(tr("right answer"), (ptrdiff_t)strlen(tr("right answer")))) +
                 2;
    for (int i = 0; i < count; i++) {
        flow_blank(flow);
        if (i == 0)
            flow_text(flow, 3, role, label);
        flow_wrap(flow, indent, pane->width - indent, ROLE_TEXT, texts[i], true);
    }
}

void answered_lay_texts(struct flow *flow, const struct pane *pane, const struct result_model *result)
{
    lay_texts(flow, pane, tr("your answer"), result->response, result->response_count,
              result->verdict == VERDICT_RIGHT ? ROLE_RIGHT : ROLE_WRONG);
    if (result->verdict != VERDICT_RIGHT)
        lay_texts(flow, pane, tr("right answer"), result->answer, result->answer_count, ROLE_RIGHT);
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

void answered_verdict(const struct result_model *result, const char **words, enum grid_role *role)
{
    switch (result->verdict) {
    case VERDICT_RIGHT:
        *words = tr("Right");
        *role = ROLE_RIGHT;
        return;
    case VERDICT_PARTLY:
        *words = tr("Partly right");
        *role = ROLE_WARNING;
        return;
    case VERDICT_WRONG:
        *words = tr("Not quite");
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
