/*
 * The learner's own screen: what to do next, what is due in the days to come, how it went in the days before,
 * what is mastered by topic.
 */
#include "page.h"

#include <quiztutor/message.h>

#include <math.h>
#include <string.h>

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

enum {
    COMING_DAYS = PROGRESS_DAYS + 1,
    BESIDE_WIDTH = 70,
    TABLE_GAP = 4,
    GAP = 2,
    SHARE_BAR = 8,
    TOPIC_BAR = 20
};

static void lay_next(struct flow *flow, const struct page *page, const struct progress_model *progress)
{
    struct buffer line;
    buffer_init(&line);
    flow_blank(flow);
    if (progress->next)
        flow_wrap(flow, 0, page->text.width, ROLE_STRONG, progress->next, false);
    page_join(&line, page,
              progress->due > 0 ? flow_print(flow, tr("%d due now"), progress->due) : tr("nothing due now"));
    if (progress->streak > 0)
        page_join(
            &line, page,
            flow_print(flow, ntr("%d day in a row", "%d days in a row", progress->streak), progress->streak));
    if (progress->longest > progress->streak)
        page_join(&line, page, flow_print(flow, tr("longest run %d"), progress->longest));
    const char *kept = page_keep(flow, &line);
    flow_wrap(flow, 0, page->text.width, ROLE_DIM, kept, false);
}

/* ---- days to come ---- */

struct coming {
    int left, label, bar, number, most;
};

static struct coming coming_columns(struct flow *flow, const struct progress_model *progress, int left,
                                    int width)
{
    struct coming columns = { .left = left };
    for (int i = 0; i < COMING_DAYS; i++) {
        const struct progress_day *day = &progress->coming[i];
        columns.label = most(columns.label, day->label ? columns_of(day->label) : 0);
        columns.number = most(columns.number, columns_of(flow_print(flow, "%d", day->due)));
        columns.most = most(columns.most, day->due);
    }
    columns.bar = most(0, width - columns.label - GAP - 1 - columns.number);
    return columns;
}

/* On the flow's last line. The number stands where its bar ends. */
static void lay_coming(struct flow *flow, const struct page *page, const struct coming *columns,
                       const struct progress_day *day)
{
    int column = columns->left + columns->label + GAP;
    flow_text(flow, columns->left, day->due > 0 ? ROLE_TEXT : ROLE_DIM, day->label ? day->label : "");
    if (day->due <= 0) {
        flow_text(flow, column, ROLE_DIM, page->signs->blank);
        return;
    }
    int used = page_lay_amount(page, flow, column, columns->bar, day->due, columns->most);
    flow_text(flow, column + used + (used > 0), ROLE_TEXT, flow_print(flow, "%d", day->due));
}

/* ---- days gone by ---- */

struct past {
    int left, label, answered, bar, share, time;
    bool any;
};

static const char *minutes_text(struct flow *flow, int minutes)
{
    return flow_print(flow, tr("%d min"), minutes);
}

static int past_width(const struct past *columns)
{
    return columns->label + GAP + columns->answered + GAP + (columns->bar ? columns->bar + 1 : 0) +
           columns->share + GAP + columns->time;
}

static struct past past_columns(struct flow *flow, const struct progress_model *progress, int width)
{
    struct past columns = { .answered = columns_of(tr("answers")),
                            .share = most(4, columns_of(tr("right"))),
                            .time = columns_of(tr("time")),
                            .bar = SHARE_BAR };
    for (int i = 0; i < least(progress->day_count, PROGRESS_DAYS); i++) {
        const struct progress_day *day = &progress->past[i];
        columns.label = most(columns.label, day->label ? columns_of(day->label) : 0);
        columns.answered = most(columns.answered, columns_of(flow_print(flow, "%d", day->answered)));
        columns.time = most(columns.time, columns_of(minutes_text(flow, day->minutes)));
        columns.any = columns.any || day->answered > 0;
    }
    if (past_width(&columns) > width)
        columns.bar = 0;
    return columns;
}

static int right_share(const struct progress_day *day)
{
    return day->answered > 0 ? (int)lround(100.0 * day->right / day->answered) : 0;
}

static void lay_past(struct flow *flow, const struct page *page, const struct past *columns,
                     const struct progress_day *day)
{
    bool any = day->answered > 0;
    int column = columns->left + columns->label + GAP + columns->answered;
    flow_text(flow, columns->left, any ? ROLE_TEXT : ROLE_DIM, day->label ? day->label : "");
    if (!any) {
        flow_right(flow, column, ROLE_DIM, page->signs->blank);
        return;
    }
    flow_right(flow, column, ROLE_TEXT, flow_print(flow, "%d", day->answered));
    column += GAP;
    if (columns->bar) {
        page_lay_bar(page, flow, column, columns->bar, day->right, day->answered);
        column += columns->bar + 1;
    }
    column += columns->share;
    flow_right(flow, column, ROLE_TEXT, flow_print(flow, "%d%%", right_share(day)));
    flow_right(flow, column + GAP + columns->time, ROLE_TEXT, minutes_text(flow, day->minutes));
}

static void lay_past_head(struct flow *flow, const struct past *columns)
{
    int column = columns->left + columns->label + GAP + columns->answered;
    flow_text(flow, columns->left, ROLE_DIM, tr("Done"));
    if (!columns->any)
        return;
    flow_right(flow, column, ROLE_DIM, tr("answers"));
    column += GAP + (columns->bar ? columns->bar + 1 : 0) + columns->share;
    flow_right(flow, column, ROLE_DIM, tr("right"));
    flow_right(flow, column + GAP + columns->time, ROLE_DIM, tr("time"));
}

/* Row i of the days gone by, the newest first; false: there is none. */
static bool lay_past_row(struct flow *flow, const struct page *page, const struct past *columns,
                         const struct progress_model *progress, int i)
{
    int count = least(progress->day_count, PROGRESS_DAYS);
    if (i == 0 && !columns->any) {
        flow_text(flow, columns->left, ROLE_DIM,
                  progress->longest ? tr("Nothing in the last 14 days.") : tr("Nothing was answered yet."));
        return true;
    }
    if (!columns->any || i >= count)
        return false;
    lay_past(flow, page, columns, &progress->past[count - 1 - i]);
    return true;
}

/* ---- both ---- */

static void lay_beside(struct flow *flow, const struct page *page, const struct progress_model *progress,
                       struct past past)
{
    int width = page->text.width, right = past.any ? past_width(&past) : width / 2;
    past.left = width - right;
    struct coming coming = coming_columns(flow, progress, 0, past.left - TABLE_GAP);
    flow_blank(flow);
    flow_blank(flow);
    flow_text(flow, 0, ROLE_DIM, tr("Due"));
    lay_past_head(flow, &past);
    for (int i = 0; i < COMING_DAYS; i++) {
        flow_blank(flow);
        lay_coming(flow, page, &coming, &progress->coming[i]);
        lay_past_row(flow, page, &past, progress, i);
    }
}

static void lay_below(struct flow *flow, const struct page *page, const struct progress_model *progress,
                      const struct past *past)
{
    struct coming coming = coming_columns(flow, progress, 0, page->text.width);
    flow_blank(flow);
    flow_blank(flow);
    flow_text(flow, 0, ROLE_DIM, tr("Due"));
    for (int i = 0; i < COMING_DAYS; i++) {
        flow_blank(flow);
        lay_coming(flow, page, &coming, &progress->coming[i]);
    }
    flow_blank(flow);
    flow_blank(flow);
    lay_past_head(flow, past);
    for (int i = 0, more = 1; more; i++) {
        ptrdiff_t lines = flow->line_count;
        flow_blank(flow);
        more = lay_past_row(flow, page, past, progress, i);
        if (!more)
            flow->line_count = lines;
    }
}

static void lay_topics(struct flow *flow, const struct page *page, const struct progress_model *progress)
{
    int width = page->text.width, bar = width >= 60 ? TOPIC_BAR : SHARE_BAR, name = 0, tail = 0, digits = 0;
    for (int i = 0; i < progress->topic_count; i++) {
        const struct progress_topic *topic = &progress->topics[i];
        name = most(name, topic->name ? columns_of(topic->name) : 0);
        digits = most(digits, columns_of(flow_print(flow, "%d", topic->mastered)));
        tail = most(tail, columns_of(flow_print(flow, tr("of %d"), topic->questions)));
    }
    tail += digits + 1;
    int room = width - GAP - bar - GAP - tail;
    if (room < least(name, 8)) {
        room += bar + GAP;
        bar = 0;
    }
    name = most(2, least(name, room));
    for (int i = 0; i < progress->topic_count; i++) {
        const struct progress_topic *topic = &progress->topics[i];
        int column = name + GAP;
        if (i == 0) {
            flow_blank(flow);
            flow_blank(flow);
            flow_text(flow, 0, ROLE_DIM, tr("Mastered"));
        }
        flow_blank(flow);
        flow_clip(flow, 0, name, ROLE_TEXT, topic->name ? topic->name : "", page->signs->ellipsis);
        if (bar) {
            page_lay_bar(page, flow, column, bar, topic->mastered, topic->questions);
            column += bar + GAP;
        }
        flow_right(flow, column + digits, ROLE_TEXT, flow_print(flow, "%d", topic->mastered));
        flow_text(flow, column + digits + 1, ROLE_TEXT, flow_print(flow, tr("of %d"), topic->questions));
        const char *seen = flow_print(flow, tr("%d seen"), topic->seen);
        if (column + tail + 3 + columns_of(seen) <= width)
            flow_right(flow, width, ROLE_DIM, seen);
    }
}

void progress_draw(struct view *view, struct grid *grid)
{
    const struct progress_model *progress = view->progress;
    struct page page;
    struct flow flow;
    page_init(&page, view, grid, false);
    grid_focus(grid, page.top, page.text.left);
    if (!progress) {
        page_frame(&page, "", NULL, NULL, 0, 0);
        return;
    }
    flow_init(&flow);
    lay_next(&flow, &page, progress);
    bool beside = page.text.width >= BESIDE_WIDTH;
    struct past past = past_columns(&flow, progress, beside ? page.text.width * 3 / 5 : page.text.width);
    if (beside)
        lay_beside(&flow, &page, progress, past);
    else
        lay_below(&flow, &page, progress, &past);
    lay_topics(&flow, &page, progress);
    page_scroll(&page, &page.text, &flow, page.top, page.bottom - page.top, &view->scroll,
                &view->scroll_range);
    view->scroll_page = page.bottom - page.top;
    grid_focus(grid, view->scroll == 0 ? page.top + 1 : page.top, page.text.left);
    flow_finish(&flow);
    page_frame(&page, tr("My progress"), progress->learner, NULL, 0, 0);
}
