#include "page.h"

#include <quiztutor/message.h>

#include <string.h>

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int columns_of(const char *text)
{
    return grid_columns(text, (ptrdiff_t)strlen(text));
}

static void lay_marks(struct flow *flow, const struct page *page, const struct summary_model *summary)
{
    const struct pane *pane = &page->text;
    flow_blank(flow);
    if (summary->asked == 0) {
        flow_wrap(flow, 0, pane->width, ROLE_STRONG, tr("Nothing was answered."), false);
        return;
    }
    flow_blank(flow);
    page_lay_ends(flow, pane, ROLE_STRONG,
                  flow_print(flow, tr("%d of %d right the first time"), summary->first_try, summary->asked),
                  ROLE_DIM, page_duration(flow, summary->elapsed_ms));
    struct buffer line;
    buffer_init(&line);
    page_join(&line, page,
              flow_print(flow, tr("Marks %s of %s"), page_number(flow, summary->mark),
                         page_number(flow, summary->marks)));
    if (summary->sure > 0)
        page_join(&line, page,
                  flow_print(flow, tr("certainty marks %s of %d"),
                             page_signed(page, flow, summary->certainty_marks), 3 * summary->sure));
    if (summary->partly > 0)
        page_join(&line, page, flow_print(flow, tr("%d partly right"), summary->partly));
    if (summary->wrong > 0)
        page_join(&line, page, flow_print(flow, tr("%d not right"), summary->wrong));
    if (summary->skipped > 0)
        page_join(&line, page, flow_print(flow, tr("%d skipped"), summary->skipped));
    if (summary->undone > 0)
        page_join(&line, page, flow_print(flow, tr("%d undone"), summary->undone));
    flow_wrap(flow, 0, pane->width, ROLE_DIM, page_keep(flow, &line), false);
}

enum { BAR = 20, NARROW_BAR = 10 };

static void lay_topics(struct flow *flow, const struct page *page, const struct summary_model *summary)
{
    const struct pane *pane = &page->text;
    const struct signs *signs = page->signs;
    int name = 0, bar = pane->width >= 60 ? BAR : NARROW_BAR, digits = 0;
    for (int i = 0; i < summary->topic_count; i++) {
        int columns = columns_of(summary->topics[i].name);
        name = columns > name ? columns : name;
        columns = columns_of(flow_print(flow, "%d", summary->topics[i].right));
        digits = columns > digits ? columns : digits;
    }
    name = least(name, pane->width - 1 - 2 - bar - 3 - 12);
    for (int i = 0; i < summary->topic_count; i++) {
        const struct summary_topic *topic = &summary->topics[i];
        if (i == 0)
            flow_blank(flow);
        flow_blank(flow);
        flow_clip(flow, 1, name, ROLE_TEXT, topic->name, signs->ellipsis);
        page_lay_bar(page, flow, 1 + name + 2, bar, topic->right, topic->asked);
        flow_text(flow, 1 + name + 2 + bar + 3, ROLE_TEXT,
                  flow_print(flow, tr("%*d of %d"), digits, topic->right, topic->asked));
    }
}

static void lay_misses(struct flow *flow, const struct page *page, const struct summary_model *summary)
{
    const struct pane *pane = &page->text;
    const struct signs *signs = page->signs;
    if (summary->miss_count == 0)
        return;
    flow_blank(flow);
    flow_blank(flow);
    flow_text(flow, 0, ROLE_TEXT, tr("To look at again"));
    struct pane inner = { 0, pane->width - 6, pane->width - 6 };
    for (int i = 0; i < summary->miss_count; i++) {
        const struct summary_miss *miss = &summary->misses[i];
        flow_blank(flow);
        if (i > 0)
            flow_blank(flow);
        flow_text(flow, 1, ROLE_WRONG, signs->wrong);
        flow_wrap(flow, 4, pane->width - 4, ROLE_TEXT, miss->prompt ? miss->prompt : "", true);
        flow_blank(flow);
        flow_text(flow, 4, ROLE_RIGHT, signs->right);
        int used = flow_wrap(flow, 6, inner.width, ROLE_TEXT, miss->answer ? miss->answer : "", true);
        const char *yours = tr("skipped");
        if (miss->response) {
            yours = arena_print(&flow->arena, tr("you: %s"), miss->response);
            yours = yours ? yours : "";
        }
        if (used + 3 + columns_of(yours) <= inner.edge) {
            flow_right(flow, pane->width, ROLE_DIM, yours);
        } else {
            flow_blank(flow);
            flow_wrap(flow, 6, inner.width, ROLE_DIM, yours, true);
        }
    }
}

enum { SUMMARY_ROOM = 12 }; /* rows for the summary that a fixed last line leaves */

void summary_draw(struct view *view, struct grid *grid)
{
    const struct summary_model *summary = view->summary;
    struct page page;
    struct flow flow, next;
    page_init(&page, view, grid, false);
    if (!summary) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    flow_init(&flow);
    flow_init(&next);
    if (summary->next)
        flow_wrap(&next, 0, page.text.width, ROLE_TEXT, summary->next, false);
    int height = page.bottom - page.top, kept = flow_height(&next) > 0 ? flow_height(&next) + 1 : 0;
    bool pinned = height - kept >= SUMMARY_ROOM; /* what comes next stays in sight where there is room */
    lay_marks(&flow, &page, summary);
    if (!pinned && summary->next) {
        flow_blank(&flow);
        flow_wrap(&flow, 0, page.text.width, ROLE_TEXT, summary->next, false);
    }
    lay_topics(&flow, &page, summary);
    lay_misses(&flow, &page, summary);
    if (pinned) {
        height = least(height - kept, flow_height(&flow));
        flow_draw(&next, grid, page.top + height + 1, page.text.left, flow_height(&next), 0);
    }
    page_scroll(&page, &page.text, &flow, page.top, height, &view->scroll, &view->scroll_range);
    view->scroll_page = height;
    flow_finish(&flow);
    flow_finish(&next);
    grid_focus(grid, view->scroll == 0 ? page.top + 1 : page.top, page.text.left);
    page_frame(&page, summary->title ? summary->title : "", summary->learner,
               summary->finished ? tr("finished") : tr("unfinished"), summary->finished ? 1 : summary->asked,
               summary->finished ? 1 : summary->of);
}
