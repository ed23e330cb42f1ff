/*
 * A flow is text laid out in lines, longer than the screen if need be; a window of it is then drawn. Spans
 * point to the caller's texts, which must outlive the flow, or to the flow's own arena. Without memory the
 * flow is cut short, never wrong.
 */
#ifndef VIEW_LAYOUT_H
#define VIEW_LAYOUT_H

#include <quiztutor/grid.h>
#include <quiztutor/memory.h>

struct flow_span {
    const char *text;
    ptrdiff_t length;
    int column; /* from the flow's left edge, may be negative */
    int width;
    enum grid_role role;
};

struct flow_line {
    ptrdiff_t first;
    int count;
};

struct flow {
    struct flow_span *spans;
    ptrdiff_t span_count, span_capacity;
    struct flow_line *lines;
    ptrdiff_t line_count, line_capacity;
    struct arena arena;
    int shift;  /* columns by which all that is put from now on stands further right */
    int widest; /* columns by which the widest figure is too wide: how far it can be scrolled sideways */
    int side;   /* columns by which code blocks are scrolled sideways */
};

void flow_init(struct flow *flow);
void flow_finish(struct flow *flow);

int flow_height(const struct flow *flow);
void flow_blank(struct flow *flow);

/* A span at `column` of the last line. */
void flow_put(struct flow *flow, int column, enum grid_role role, const char *text, ptrdiff_t length);
void flow_text(struct flow *flow, int column, enum grid_role role, const char *text);

/* The same, ending before `end`. */
void flow_right(struct flow *flow, int end, enum grid_role role, const char *text);

/*
 * Wraps text by words into lines of at most `width` columns that begin at `column`; a newline breaks the
 * line, empty lines part paragraphs. Words that are too long are broken; lines also break between wide
 * characters. The first line is the flow's last one when `here`, else a new one. Returns the columns used in
 * the last line. Light markup is drawn in its styles; lines of a code block are
 * laid like a figure's.
 */
int flow_wrap(struct flow *flow, int column, int width, enum grid_role role, const char *text, bool here);

/* The same in at most `lines` lines, the last one with an ellipsis where there is more. */
int flow_wrap_lines(struct flow *flow, int column, int width, enum grid_role role, const char *text,
                    bool here, int lines, const char *ellipsis);

/* As much of the text as fits one line, with an ellipsis where it is cut (newlines become spaces). Returns
 * columns. */
int flow_clip(struct flow *flow, int column, int width, enum grid_role role, const char *text,
              const char *ellipsis);

/* Preformatted lines, never wrapped: the columns side … side + width of each. */
void flow_figure(struct flow *flow, int column, int width, enum grid_role role, const char *text, int side);

/* Appends two flows side by side, the right one from `column` on; their texts are copied. */
void flow_pair(struct flow *flow, const struct flow *left, const struct flow *right, int column);

/* printf into the flow's arena; "" without memory. */
const char *flow_print(struct flow *flow, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Draws the lines from `first` on into `height` rows of the grid. */
void flow_draw(const struct flow *flow, struct grid *grid, int row, int column, int height, int first);

#endif
