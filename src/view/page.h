/*
 * What all screens share: the frame (header, bar, lower rule, footer), where text stands in it, windows onto
 * a flow that scroll, and the panel that lies over the lower part of a screen.
 *
 *   row 0         title                         learner · position
 *   row 1         progress bar, or a rule
 *   top … bottom  body
 *   last but one  rule; a word on the last key
 *   last          footer
 */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "layout.h"
#include "signs.h"
#include <quiztutor/view.h>

enum { PAGE_TEXT = 76, PAGE_BESIDE = 100 };

/* A column that text stands in: `width` columns for text, signs and labels up to `edge`. */
struct pane {
    int left, width, edge;
};

struct page {
    struct view *view;
    struct grid *grid;
    const struct signs *signs;
    int rows, columns;
    int top, bottom; /* body: top ≤ row < bottom */
    struct pane text;
    struct pane beside; /* the right one of two panes; width 0: there is one */
};

/* `two`: this screen uses two panes where the window is wide. */
void page_init(struct page *page, struct view *view, struct grid *grid, bool two);

/* Header: of `who` and `where` (either may be NULL) the second is kept longest. `of` 0: a plain rule. */
void page_frame(const struct page *page, const char *title, const char *who, const char *where, int done,
                int of);

void page_rule(const struct page *page, int row, int from, int to);

/* A rule that begins with a word: "── Not quite ───". Sets the focus on the word. */
void page_titled_rule(const struct page *page, int row, int from, int to, enum grid_role role,
                      const char *title, const char *more);

/* Draws a window of the flow into rows row … row + height; clamps *scroll, sets *range, and puts ▲ and ▼
 * signs. */
void page_scroll(const struct page *page, const struct pane *pane, const struct flow *flow, int row,
                 int height, int *scroll, int *range);

/*
 * A panel over the lower part of the body: title in a rule, then the flow, then (when `field`) the text
 * field. What is above is dimmed. Without a field the focus stands on the title.
 */
void page_panel(const struct page *page, const char *title, enum grid_role role, const struct flow *flow,
                bool field);

/* A bar of `width` columns on the flow's last line, filled by part of all. */
void page_lay_bar(const struct page *page, struct flow *flow, int column, int width, int part, int all);

/* A number for people: at most two decimals, no needless zeros. */
const char *page_number(struct flow *flow, double value);

/* The screens and overlays; each draws all of itself. */
void home_draw(struct view *view, struct grid *grid);
void question_draw(struct view *view, struct grid *grid);
void result_draw(struct view *view, struct grid *grid);
void summary_draw(struct view *view, struct grid *grid);
void keys_draw(struct view *view, struct grid *grid);
void about_draw(struct view *view, struct grid *grid);
void panel_draw(struct view *view, struct grid *grid);
void small_draw(struct view *view, struct grid *grid);

/* Home: whether the filter lets a row through, and the nearest such row from `row` on in steps of ±1 (−1:
 * none). */
bool home_shows(const struct view *view, int row);
int home_next(const struct view *view, int row, int step);
void home_keep_cursor(struct view *view);

#endif
