/*
 * What all screens share: the frame (header, bar, lower rule, footer), where text stands in it, windows onto
 * a flow that scroll, and the panel that lies over the lower part of a screen.
 *
 *   row 0         title                         learner · position (in a kiosk: · the time)
 *   row 1         progress bar, or a rule
 *   top … bottom  body
 *   last but one  rule; a word on the last key
 *   last          footer
 */
#ifndef VIEW_PAGE_H
#define VIEW_PAGE_H

#include "layout.h"
#include "signs.h"
#include <quiztutor/buffer.h>
#include <quiztutor/view.h>

/* PAGE_NAMED: from there on an exam, whose position is long, names the learner. */
enum { PAGE_TEXT = 76, PAGE_BESIDE = 100, PAGE_NAMED = 60 };

/* PAGE_LARGE: columns of text where it is to be large; PAGE_FRAME: rows that are no body. */
enum { PAGE_LARGE = 48, PAGE_FRAME = 4 };

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

    /* in the header before the position: a sign of this question, and its word where there is room */
    const char *mark, *word;
    enum grid_role mark_role;
    bool tight; /* panels without air */
};

/* `two`: this screen uses two panes where the window is wide. */
void page_init(struct page *page, struct view *view, struct grid *grid, bool two);

/* Rows that are drawn of a window: fewer where they come to stand apart. */
int page_rows(const struct view *view, int rows);

/* Header: of `who` and `where` (either may be NULL) the second is kept longest. `of` 0: a plain rule. */
void page_frame(const struct page *page, const char *title, const char *who, const char *where, int done,
                int of);

void page_rule(const struct page *page, int row, int from, int to);

/* A word in a rule that is there already. */
void page_rule_word(const struct page *page, int row, enum grid_role role, const char *word);

/* A rule that begins with a word: "── Not quite ───". Sets the focus on the word. */
void page_titled_rule(const struct page *page, int row, int from, int to, enum grid_role role,
                      const char *title, const char *more);

/* Draws a window of the flow into rows row … row + height; clamps *scroll, sets *range, and puts ▲ and ▼
 * signs. */
void page_scroll(const struct page *page, const struct pane *pane, const struct flow *flow, int row,
                 int height, int *scroll, int *range);

/* The signs alone, of what was drawn into rows row … row + height: `scroll` lines are above, `range` do not
 * fit. */
void page_ends(const struct page *page, const struct pane *pane, int row, int height, int scroll, int range);

/*
 * A panel over the lower part of the body: title in a rule, then the flow, then (when `field`) the text
 * field; `more` is said beside the title. What is above is dimmed. Without a field the focus stands on the
 * title.
 */
void page_panel(const struct page *page, const char *title, const char *more, enum grid_role role,
                const struct flow *flow, bool field);

/* A bar of `width` columns on the flow's last line, filled by part of all. */
void page_lay_bar(const struct page *page, struct flow *flow, int column, int width, int part, int all);

/* Only the filled cells of one, for amounts that have no whole; returns how many. */
int page_lay_amount(const struct page *page, struct flow *flow, int column, int width, int part, int all);

/* A bar of a whole and a part that may be broken numbers. */
void page_lay_share(const struct page *page, struct flow *flow, int column, int width, double part,
                    double all);

/* A number for people: at most two decimals, no needless zeros; below zero with the set's minus. */
const char *page_number(struct flow *flow, double value);
const char *page_signed(const struct page *page, struct flow *flow, double value);

/* "21 of 30 marks" */
const char *page_marks(struct flow *flow, double mark, double marks);

/* "21 min 40 s" */
const char *page_duration(struct flow *flow, int64_t elapsed_ms);

/* Text at the left and at the right of the flow's last line; the right one on a line of its own where both
 * don't fit. */
void page_lay_ends(struct flow *flow, const struct pane *pane, enum grid_role role, const char *left,
                   enum grid_role right_role, const char *right);

/* A line of the flow that is a rule beginning with a word: "── Pipelines ───". */
void page_lay_rule(struct flow *flow, const struct page *page, const char *title);

/* Adds " · text" to what is there already; nothing for an empty text. */
void page_join(struct buffer *line, const struct page *page, const char *text);

/* Finishes the buffer; its text, in the flow's arena, "" without memory. */
const char *page_keep(struct flow *flow, struct buffer *line);

/* The screens and overlays; each draws all of itself. */
void home_draw(struct view *view, struct grid *grid);
void question_draw(struct view *view, struct grid *grid);
void result_draw(struct view *view, struct grid *grid);
void summary_draw(struct view *view, struct grid *grid);
void overview_draw(struct view *view, struct grid *grid);
void paper_draw(struct view *view, struct grid *grid);
void progress_draw(struct view *view, struct grid *grid);
void preview_draw(struct view *view, struct grid *grid);
void table_draw(struct view *view, struct grid *grid);
void notes_draw(struct view *view, struct grid *grid);
void whole_row_draw(struct view *view, struct grid *grid);
void sign_in_draw(struct view *view, struct grid *grid);
void call_draw(struct view *view, struct grid *grid);
void menu_draw(struct view *view, struct grid *grid);
void certainty_draw(struct view *view, struct grid *grid);
void keys_draw(struct view *view, struct grid *grid);
void about_draw(struct view *view, struct grid *grid);
void panel_draw(struct view *view, struct grid *grid);
void small_draw(struct view *view, struct grid *grid);

/* Home: whether the filter lets a row through, and the nearest such row from `row` on in steps of ±1 (−1:
 * none). */
bool home_shows(const struct view *view, int row);
int home_next(const struct view *view, int row, int step);
void home_keep_cursor(struct view *view);

/* Sign-in: the place from 1 of the nearest name that begins with what is typed, from `place` on in steps of
 * ±1; 0: none. Nothing typed: none. */
int sign_in_next(const struct view *view, int place, int step);

/* Rows that asking for the certainty takes of the body; the choices stay above. */
int certainty_rows(const struct page *page);

/* Paper: goes to the next, previous or next missed question, by ACTION_NEXT_QUESTION and so on. */
void paper_jump(struct view *view, enum action action);

#endif
