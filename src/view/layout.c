#include "layout.h"

#include "styled.h"
#include <quiztutor/buffer.h>
#include <quiztutor/text.h>

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

void flow_init(struct flow *flow)
{
    *flow = (struct flow){ 0 };
    arena_init(&flow->arena);
}

void flow_finish(struct flow *flow)
{
    memory_free(flow->spans);
    memory_free(flow->lines);
    arena_finish(&flow->arena);
    *flow = (struct flow){ 0 };
}

int flow_height(const struct flow *flow)
{
    return (int)flow->line_count;
}

void flow_blank(struct flow *flow)
{
    if (memory_grow(&flow->lines, &flow->line_capacity, flow->line_count + 1, sizeof *flow->lines))
        flow->lines[flow->line_count++] = (struct flow_line){ .first = flow->span_count };
}

void flow_put(struct flow *flow, int column, enum grid_role role, const char *text, ptrdiff_t length)
{
    if (length <= 0 || flow->line_count == 0 ||
        !memory_grow(&flow->spans, &flow->span_capacity, flow->span_count + 1, sizeof *flow->spans))
        return;
    flow->spans[flow->span_count++] = (struct flow_span){ .text = text,
                                                          .length = length,
                                                          .column = flow->shift + column,
                                                          .width = grid_columns(text, length),
                                                          .role = role };
    flow->lines[flow->line_count - 1].count++;
}

void flow_text(struct flow *flow, int column, enum grid_role role, const char *text)
{
    flow_put(flow, column, role, text, (ptrdiff_t)strlen(text));
}

void flow_right(struct flow *flow, int end, enum grid_role role, const char *text)
{
    flow_text(flow, end - grid_columns(text, (ptrdiff_t)strlen(text)), role, text);
}

const char *flow_print(struct flow *flow, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length >= (int)sizeof text) /* cut, but never inside a character */
        for (length = (int)sizeof text - 1; length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80;)
            length--;
    const char *kept = length > 0 ? arena_text(&flow->arena, text, length) : NULL;
    return kept ? kept : "";
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t';
}

/* Code points that must not begin a line in East Asian text, and those that must not end one. */
static bool code_in(int32_t code, const int32_t *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == code)
            return true;
    return false;
}

static bool closes(int32_t code)
{
    static const int32_t list[] = { 0x3001, 0x3002, 0xff0c, 0xff0e, 0x30fb, 0xff1a, 0xff1b, 0xff1f, 0xff01,
                                    0xff09, 0x300d, 0x300f, 0x3011, 0x3015, 0x3009, 0x300b, 0x30fc, 0x3005,
                                    0x2026, 0x2019, 0x201d, ')',    ']',    '}',    ',',    '.',    ':',
                                    ';',    '?',    '!',    0x3063, 0x30c3, 0x3083, 0x3085, 0x3087 };
    return code_in(code, list, sizeof list / sizeof *list);
}

static bool opens(int32_t code)
{
    static const int32_t list[] = { 0xff08, 0x300c, 0x300e, 0x3010, 0x3014, 0x3008,
                                    0x300a, 0x2018, 0x201c, '(',    '[' };
    return code_in(code, list, sizeof list / sizeof *list);
}

struct cell_look {
    int32_t code;
    int columns;
};

static bool may_break(const struct cell_look *before, const struct cell_look *after)
{
    return (before->columns == 2 || after->columns == 2) && !closes(after->code) && !opens(before->code);
}

/* Bytes of text that fit one line; *next is where the following line begins, *used the columns. */
static ptrdiff_t wrap_line(const char *text, ptrdiff_t length, int width, ptrdiff_t *next, int *used)
{
    struct grid_cell cell;
    struct cell_look before = { 0 }, look = { 0 };
    ptrdiff_t at = 0, fits = -1, resume = 0,
              spaces = 0; /* `spaces`: start of the run of spaces before `at` */
    int columns = 0, fit_columns = 0, space_columns = 0;
    bool word = false;
    while (at < length && text[at] != '\n') {
        bool space = is_space(text[at]);
        ptrdiff_t bytes = space ? 1 : grid_cell_next(&cell, text + at, length - at);
        look.columns = space ? 1 : cell.columns;
        text_decode(text + at, length - at, &look.code);
        if (space && word && !is_space(text[at - 1])) {
            spaces = at;
            space_columns = columns;
        }
        if (!space && word && is_space(text[at - 1])) {
            fits = spaces;
            fit_columns = space_columns;
            resume = at;
        } else if (!space && word && may_break(&before, &look)) {
            fits = resume = at;
            fit_columns = columns;
        }
        if (!space && columns + look.columns > width) {
            if (fits < 0) { /* one word longer than the line, or a cell wider than it */
                fits = resume = at > 0 ? at : bytes;
                fit_columns = columns;
            }
            *next = resume;
            *used = fit_columns;
            return fits;
        }
        word = word || !space;
        columns += look.columns;
        before = look;
        at += bytes;
    }
    *next = at < length ? at + 1 : at;
    while (at > 0 && is_space(text[at - 1])) {
        at--;
        columns--;
    }
    *used = columns;
    return at;
}

enum { TAB_STOP = 8, FIGURE_LINE = 64 * 1024, BLOCK_INDENT = 3 /* as figures stand */ };

/* One line of a figure with its tabs set; the result is the caller's text where it has none. */
static const char *set_tabs(struct flow *flow, const char *line, ptrdiff_t *length)
{
    if (!memchr(line, '\t', (size_t)*length))
        return line;
    struct buffer out;
    buffer_init(&out);
    int column = 0;
    struct grid_cell cell;
    for (ptrdiff_t at = 0, bytes; at < *length && out.length < FIGURE_LINE; at += bytes) {
        bytes = 1;
        int columns = TAB_STOP - column % TAB_STOP;
        if (line[at] == '\t') {
            buffer_add(&out, "        ", columns);
        } else {
            bytes = grid_cell_next(&cell, line + at, *length - at);
            buffer_add(&out, line + at, bytes);
            columns = cell.columns;
        }
        column += columns;
    }
    const char *kept = out.failed ? NULL : arena_text(&flow->arena, buffer_get(&out), out.length);
    *length = kept ? out.length : 0;
    buffer_finish(&out);
    return kept ? kept : "";
}

/* One preformatted line on the flow's last line; returns the columns that are seen of it. */
static int figure_line(struct flow *flow, int column, int width, enum grid_role role, const char *text,
                       ptrdiff_t length, int side)
{
    const char *line = set_tabs(flow, text, &length);
    struct grid_cell cell;
    ptrdiff_t at = 0, from = -1, end = 0, bytes;
    int columns = 0, begins = 0, ends = 0;
    for (; (bytes = grid_cell_next(&cell, line + at, length - at)) > 0; at += bytes) {
        if (columns >= side && from < 0) {
            from = at;
            begins = columns - side;
        }
        columns += cell.columns;
        if (columns <= side + width) {
            end = at + bytes;
            ends = columns - side;
        }
    }
    if (from >= 0 && end > from)
        flow_put(flow, column + begins, role, line + from, end - from);
    if (columns - width > flow->widest)
        flow->widest = columns - width;
    return ends > 0 ? ends : 0;
}

void flow_figure(struct flow *flow, int column, int width, enum grid_role role, const char *text, int side)
{
    while (*text) {
        ptrdiff_t length = (ptrdiff_t)strcspn(text, "\n");
        flow_blank(flow);
        figure_line(flow, column, width, role, text, length, side);
        text += length + (text[length] == '\n');
    }
}

/* Bytes from `at` on in their styles, on the flow's last line. */
static void put_styled(struct flow *flow, int column, enum grid_role role, const struct styled *styled,
                       ptrdiff_t at, ptrdiff_t length)
{
    while (length > 0) {
        ptrdiff_t run = styled_run(styled, at, length);
        flow_put(flow, column, styled_role(role, styled_at(styled, at)), styled->text + at, run);
        if (run < length)
            column += grid_columns(styled->text + at, run);
        at += run;
        length -= run;
    }
}

static int clip_styled(struct flow *flow, int column, int width, enum grid_role role,
                       const struct styled *styled, ptrdiff_t from, const char *ellipsis)
{
    const char *text = styled->text + from;
    ptrdiff_t length = styled->length - from, at = 0, kept = 0;
    struct grid_cell cell;
    int used = 0, kept_columns = 0, tail = grid_columns(ellipsis, (ptrdiff_t)strlen(ellipsis));
    for (ptrdiff_t bytes; (bytes = grid_cell_next(&cell, text + at, length - at)) > 0; at += bytes) {
        if (used + cell.columns > width) {
            put_styled(flow, column, role, styled, from, kept);
            if (kept_columns + tail <= width)
                flow_text(flow, column + kept_columns, role, ellipsis);
            return kept_columns + tail;
        }
        used += cell.columns;
        if (used + tail <= width && !is_space(text[at])) {
            kept = at + bytes;
            kept_columns = used;
        }
    }
    put_styled(flow, column, role, styled, from, length);
    return used;
}

/* Newlines as spaces; only then is a copy made. */
static struct styled in_one_line(struct flow *flow, struct styled styled, ptrdiff_t from)
{
    if (!memchr(styled.text + from, '\n', (size_t)(styled.length - from)))
        return styled;
    char *copy = arena_text(&flow->arena, styled.text, styled.length);
    for (ptrdiff_t at = from; copy && at < styled.length; at++)
        if (copy[at] == '\n')
            copy[at] = ' ';
    styled.text = copy ? copy : "";
    styled.length = copy ? styled.length : 0;
    return styled;
}

int flow_clip(struct flow *flow, int column, int width, enum grid_role role, const char *text,
              const char *ellipsis)
{
    struct styled styled = in_one_line(flow, styled_take(&flow->arena, text), 0);
    return clip_styled(flow, column, width, role, &styled, 0, ellipsis);
}

int flow_wrap_lines(struct flow *flow, int column, int width, enum grid_role role, const char *text,
                    bool here, int lines, const char *ellipsis)
{
    if (width < 2)
        width = 2; /* room for one wide character */
    struct styled styled = styled_take(&flow->arena, text);
    ptrdiff_t at = 0, next, bytes;
    int used = 0, indent = here && styled_at(&styled, 0) == STYLED_BLOCK ? 0 : BLOCK_INDENT;
    bool gap = false;
    for (int line = 1; at < styled.length; line++) {
        const char *rest = styled.text + at;
        ptrdiff_t length = styled.length - at;
        bool block = styled_at(&styled, at) == STYLED_BLOCK;
        if (block) {
            bytes = (ptrdiff_t)strcspn(rest, "\n");
            next = bytes + (bytes < length);
        } else {
            bytes = wrap_line(rest, length, width, &next, &used);
        }
        if (!block && bytes == 0 && next <= 1 && rest[0] == '\n') { /* an empty line; several are one */
            if (!gap)
                flow_blank(flow);
            if (line >= lines)
                return used;
            gap = true;
            here = false;
            at += next;
            continue;
        }
        if (!here)
            flow_blank(flow);
        here = gap = false;
        if (line >= lines && next < length) {
            styled = in_one_line(flow, styled, at);
            return clip_styled(flow, column, width, role, &styled, at, ellipsis);
        }
        if (block)
            used = indent + figure_line(flow, column + indent, width - indent,
                                        styled_role(role, STYLED_BLOCK), rest, bytes, flow->side);
        else
            put_styled(flow, column, role, &styled, at, bytes);
        at += next;
    }
    return used;
}

int flow_wrap(struct flow *flow, int column, int width, enum grid_role role, const char *text, bool here)
{
    return flow_wrap_lines(flow, column, width, role, text, here, INT_MAX, "");
}

static void copy_line(struct flow *flow, const struct flow *from, ptrdiff_t i, int column)
{
    const struct flow_line *line = i < from->line_count ? &from->lines[i] : NULL;
    for (int s = 0; line && s < line->count && line->first + s < from->span_count; s++) {
        const struct flow_span *span = &from->spans[line->first + s];
        const char *text = arena_text(&flow->arena, span->text, span->length);
        if (text)
            flow_put(flow, column + span->column, span->role, text, span->length);
    }
}

void flow_pair(struct flow *flow, const struct flow *left, const struct flow *right, int column)
{
    for (ptrdiff_t i = 0; i < left->line_count || i < right->line_count; i++) {
        flow_blank(flow);
        copy_line(flow, left, i, 0);
        copy_line(flow, right, i, column);
    }
    if (left->widest > flow->widest)
        flow->widest = left->widest;
    if (right->widest > flow->widest)
        flow->widest = right->widest;
}

void flow_draw(const struct flow *flow, struct grid *grid, int row, int column, int height, int first)
{
    for (int i = 0; i < height && first + i < flow->line_count; i++) {
        if (first + i < 0)
            continue;
        const struct flow_line *line = &flow->lines[first + i];
        for (int s = 0; s < line->count && line->first + s < flow->span_count; s++) {
            const struct flow_span *span = &flow->spans[line->first + s];
            grid_put(grid, row + i, column + span->column, span->width, span->role, span->text, span->length);
        }
    }
}
