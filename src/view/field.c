#include "field.h"

#include <quiztutor/buffer.h>
#include <quiztutor/text.h>

#include <string.h>

void field_set(struct view *view, const char *text)
{
    ptrdiff_t length = (ptrdiff_t)strlen(text), at = 0, bytes;
    struct grid_cell cell;
    while ((bytes = grid_cell_next(&cell, text + at, length - at)) > 0 && at + bytes < VIEW_FIELD)
        at += bytes;
    memmove(view->field, text, (size_t)at);
    view->field[at] = '\0';
    view->field_length = view->field_cursor = (int)at;
}

/* Where the cell that holds byte `place` − 1 begins; 0 at the start. */
static int cell_before(const struct view *view, int place)
{
    struct grid_cell cell;
    int at = 0;
    for (ptrdiff_t bytes; at < place; at += (int)bytes) {
        bytes = grid_cell_next(&cell, view->field + at, view->field_length - at);
        if (bytes <= 0 || at + bytes >= place)
            return at;
    }
    return at;
}

static int cell_after(const struct view *view, int place)
{
    struct grid_cell cell;
    return place + (int)grid_cell_next(&cell, view->field + place, view->field_length - place);
}

static void cut(struct view *view, int from, int to)
{
    memmove(view->field + from, view->field + to, (size_t)(view->field_length - to + 1));
    view->field_length -= to - from;
    view->field_cursor = from;
}

static void insert(struct view *view, int32_t code)
{
    struct buffer bytes;
    if (code == '\t' || code == '\n')
        code = ' ';
    if (text_forbidden(code))
        return;
    buffer_init(&bytes);
    text_encode(&bytes, code);
    int length = (int)bytes.length;
    if (!bytes.failed && view->field_length + length < VIEW_FIELD) {
        char *at = view->field + view->field_cursor;
        memmove(at + length, at, (size_t)(view->field_length - view->field_cursor + 1));
        memcpy(at, bytes.data, (size_t)length);
        view->field_length += length;
        view->field_cursor += length;
    }
    buffer_finish(&bytes);
}

static int word_start(const struct view *view)
{
    int at = view->field_cursor;
    while (at > 0 && view->field[at - 1] == ' ')
        at--;
    while (at > 0 && view->field[at - 1] != ' ')
        at--;
    return at;
}

bool field_input(struct view *view, const struct input *input)
{
    int cursor = view->field_cursor;
    if (input->kind == INPUT_PASTE) {
        insert(view, input->key);
        return true;
    }
    switch (input->key) {
    case KEY_CODE_LEFT:
        view->field_cursor = cell_before(view, cursor);
        return true;
    case KEY_CODE_RIGHT:
        view->field_cursor = cell_after(view, cursor);
        return true;
    case KEY_CODE_HOME:
    case KEY_CODE_CONTROL_A:
        view->field_cursor = 0;
        return true;
    case KEY_CODE_END:
    case KEY_CODE_CONTROL_A + 'E' - 'A':
        view->field_cursor = view->field_length;
        return true;
    case KEY_CODE_BACKSPACE:
        cut(view, cell_before(view, cursor), cursor);
        return true;
    case KEY_CODE_DELETE:
        cut(view, cursor, cell_after(view, cursor));
        return true;
    case KEY_CODE_CONTROL_A + 'W' - 'A':
        cut(view, word_start(view), cursor);
        return true;
    case KEY_CODE_CONTROL_A + 'U' - 'A':
        cut(view, 0, cursor);
        return true;
    case KEY_CODE_CONTROL_A + 'K' - 'A':
        cut(view, cursor, view->field_length);
        return true;
    default:
        if (input->key < 0x20 || input->key >= KEY_CODE_ENTER)
            return false;
        insert(view, input->key);
        return true;
    }
}

/* The first byte that is seen in `width` columns: whole cells leave on the left until the cursor is inside.
 * *column: the cursor's. */
static int seen_from(const struct view *view, int width, int *column)
{
    int before = grid_columns(view->field, view->field_cursor), from = 0, hidden = 0;
    struct grid_cell cell;
    while (before - hidden > width - 1) {
        from += (int)grid_cell_next(&cell, view->field + from, view->field_length - from);
        hidden += cell.columns;
    }
    *column = before - hidden;
    return from;
}

/* A secret is seen as so many stars, its end always. */
static void draw_secret(const struct view *view, struct grid *grid, int row, int column, int width)
{
    int cells = 0, before = 0, at = 0;
    struct grid_cell cell;
    for (ptrdiff_t bytes; (bytes = grid_cell_next(&cell, view->field + at, view->field_length - at)) > 0;
         at += (int)bytes, cells++)
        before += at < view->field_cursor;
    int hidden = before > width - 1 ? before - width + 1 : 0;
    grid_fill(grid, row, column, width, ROLE_FIELD, " ");
    grid_fill(grid, row, column, cells - hidden < width ? cells - hidden : width, ROLE_FIELD, "*");
    grid_focus(grid, row, column + before - hidden);
}

void field_draw(const struct view *view, struct grid *grid, int row, int column, int width)
{
    if (view->overlay == OVERLAY_PIN || view->overlay == OVERLAY_CODE) {
        draw_secret(view, grid, row, column, width);
        return;
    }
    int cursor, from = seen_from(view, width, &cursor);
    grid_fill(grid, row, column, width, ROLE_FIELD, " ");
    grid_put(grid, row, column, width, ROLE_FIELD, view->field + from, view->field_length - from);
    grid_focus(grid, row, column + cursor);
}

int field_lay(struct flow *flow, const struct view *view, int column, int width)
{
    int cursor, from = seen_from(view, width, &cursor), to = from, used = 0;
    struct grid_cell cell;
    for (ptrdiff_t bytes; (bytes = grid_cell_next(&cell, view->field + to, view->field_length - to)) > 0 &&
                          used + cell.columns <= width;
         to += (int)bytes)
        used += cell.columns;
    flow_put(flow, column, ROLE_FIELD, view->field + from, to - from);
    for (; used < width; used++)
        flow_text(flow, column + used, ROLE_FIELD, " ");
    return cursor;
}

bool field_takes(int32_t key)
{
    switch (key) {
    case KEY_CODE_LEFT:
    case KEY_CODE_RIGHT:
    case KEY_CODE_HOME:
    case KEY_CODE_END:
    case KEY_CODE_BACKSPACE:
    case KEY_CODE_DELETE:
    case KEY_CODE_CONTROL_A:
    case KEY_CODE_CONTROL_A + 'E' - 'A':
    case KEY_CODE_CONTROL_A + 'W' - 'A':
    case KEY_CODE_CONTROL_A + 'U' - 'A':
    case KEY_CODE_CONTROL_A + 'K' - 'A':
        return true;
    default:
        return key >= 0x20 && key < KEY_CODE_ENTER;
    }
}

/* The answer that is typed makes room for a line over the question, and comes back after it. */
void field_keep(struct view *view)
{
    bool answer = view->screen == SCREEN_QUESTION && view->question && view->question->way == WAY_FIELD;
    if (view->keeps || (!answer && view->screen != SCREEN_SIGN_IN))
        return;
    memcpy(view->kept, view->field, sizeof view->kept);
    view->kept_cursor = view->field_cursor;
    view->keeps = true;
}

const char *field_bring_back(struct view *view)
{
    if (!view->keeps)
        return view->field;
    char line[VIEW_FIELD];
    memcpy(line, view->field, sizeof line);
    field_set(view, view->kept);
    view->field_cursor = view->kept_cursor < view->field_length ? view->kept_cursor : view->field_length;
    memcpy(view->kept, line, sizeof view->kept);
    view->keeps = false;
    return view->kept;
}
