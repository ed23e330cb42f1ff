#include "pty_private.h"

#include <setjmp.h>
#include <stdarg.h>
/* cmocka.h needs the two above */
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

/* libvterm 0.1 writes past its row when a wide glyph, still on its way, comes to a screen one column wide. */
enum { MODEL_ROWS = 400, MODEL_COLUMNS = 1000, MODEL_FEWEST_COLUMNS = 2 };

static int pty_clamp(int number, int least, int most)
{
    return number < least ? least : number > most ? most : number;
}

/* ── the model ── */

static void pty_answer(const char *bytes, size_t length, void *context)
{
    struct pty *pty = context;
    if (!pty->deaf && pty->master >= 0)
        pty_send(pty, bytes, (ptrdiff_t)length);
}

static int pty_property(VTermProp property, VTermValue *value, void *context)
{
    struct pty *pty = context;
    if (property == VTERM_PROP_CURSORVISIBLE)
        pty->cursor_visible = value->boolean != 0;
    else if (property == VTERM_PROP_ALTSCREEN)
        pty->second_screen = value->boolean != 0;
    return 1;
}

void pty_model(struct pty *pty, int rows, int columns)
{
    static const VTermScreenCallbacks callbacks = { .settermprop = pty_property };
    pty->model =
        vterm_new(pty_clamp(rows, 1, MODEL_ROWS), pty_clamp(columns, MODEL_FEWEST_COLUMNS, MODEL_COLUMNS));
    assert_non_null(pty->model);
    vterm_set_utf8(pty->model, 1);
    vterm_output_set_callback(pty->model, pty_answer, pty);
    pty->screen = vterm_obtain_screen(pty->model);
    vterm_screen_set_callbacks(pty->screen, &callbacks, pty);
    vterm_screen_enable_altscreen(pty->screen, 1);
    vterm_screen_reset(pty->screen, 1);
    pty->cursor_visible = true;
}

/* A new model instead of the old one's resizing, which in libvterm 0.1 can read past its rows. A program
 * redraws after a new size anyhow; what it can't know to be lost is carried over. */
void pty_model_resize(struct pty *pty, int rows, int columns)
{
    if (rows < 1 || columns < 1 || rows > MODEL_ROWS || columns > MODEL_COLUMNS)
        return;
    bool second_screen = pty->second_screen, visible = pty->cursor_visible;
    vterm_free(pty->model);
    pty_model(pty, rows, columns);
    pty_scribble(pty, second_screen ? "\033[?1049h" : "\033[?1049l");
    pty_scribble(pty, visible ? "\033[?25h" : "\033[?25l");
}

void pty_scribble(struct pty *pty, const char *bytes)
{
    vterm_input_write(pty->model, bytes, strlen(bytes));
}

/* ── looking ── */

static bool pty_cell(struct pty *pty, int row, int column, VTermScreenCell *cell)
{
    VTermPos place = { .row = row, .col = column };
    memset(cell, 0, sizeof *cell);
    return vterm_screen_get_cell(pty->screen, place, cell) != 0;
}

static char *pty_encode(char *to, uint32_t code)
{
    if (code < 0x80) {
        *to++ = (char)code;
    } else if (code < 0x800) {
        *to++ = (char)(0xc0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        *to++ = (char)(0xe0 | code >> 12);
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    } else {
        *to++ = (char)(0xf0 | code >> 18);
        *to++ = (char)(0x80 | (code >> 12 & 0x3f));
        *to++ = (char)(0x80 | (code >> 6 & 0x3f));
        *to++ = (char)(0x80 | (code & 0x3f));
    }
    return to;
}

void pty_cell_text(struct pty *pty, int row, int column, char text[static 32])
{
    VTermScreenCell cell;
    char *to = text;
    if (pty_cell(pty, row, column, &cell) && cell.chars[0] == (uint32_t)-1)
        *to = '\0'; /* the right half of a wide one */
    else if (cell.chars[0] == 0)
        *to++ = ' ';
    else
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
            to = pty_encode(to, cell.chars[i]);
    *to = '\0';
}

void pty_row(struct pty *pty, int row, char text[static PTY_LINE])
{
    int rows, columns;
    vterm_get_size(pty->model, &rows, &columns);
    size_t length = 0;
    for (int column = 0; column < columns && row < rows; column++) {
        char cell[32];
        pty_cell_text(pty, row, column, cell);
        if (length + strlen(cell) >= PTY_LINE)
            break;
        memcpy(text + length, cell, strlen(cell));
        length += strlen(cell);
    }
    while (length > 0 && text[length - 1] == ' ')
        length--;
    text[length] = '\0';
}

int pty_find(struct pty *pty, const char *text, int *column)
{
    char line[PTY_LINE];
    int rows, columns;
    vterm_get_size(pty->model, &rows, &columns);
    for (int row = 0; row < rows; row++) {
        pty_row(pty, row, line);
        const char *at = strstr(line, text);
        if (!at)
            continue;
        ptrdiff_t bytes = at - line;
        for (int i = 0; column && i < columns; i++) {
            char cell[32];
            pty_cell_text(pty, row, i, cell);
            *column = i;
            if (bytes <= 0 && *cell)
                break;
            bytes -= (ptrdiff_t)strlen(cell);
        }
        return row;
    }
    return -1;
}

bool pty_has(struct pty *pty, const char *text)
{
    return pty_find(pty, text, NULL) >= 0;
}

struct pty_look pty_cell_look(struct pty *pty, int row, int column)
{
    VTermScreenCell cell;
    struct pty_look look = { 0 };
    if (!pty_cell(pty, row, column, &cell))
        return look;
    look.bold = cell.attrs.bold;
    look.underline = cell.attrs.underline != 0;
    look.reverse = cell.attrs.reverse;
    look.coloured = !VTERM_COLOR_IS_DEFAULT_FG(&cell.fg);
    look.default_background = VTERM_COLOR_IS_DEFAULT_BG(&cell.bg);
    look.columns = cell.width;
    return look;
}

void pty_cursor(struct pty *pty, int *row, int *column, bool *visible)
{
    VTermPos place;
    vterm_state_get_cursorpos(vterm_obtain_state(pty->model), &place);
    *row = place.row;
    *column = place.col;
    *visible = pty->cursor_visible;
}

bool pty_second_screen(struct pty *pty)
{
    return pty->second_screen;
}

void pty_print(struct pty *pty)
{
    char line[PTY_LINE];
    int rows, columns, row, column;
    bool visible;
    vterm_get_size(pty->model, &rows, &columns);
    pty_cursor(pty, &row, &column, &visible);
    fprintf(stderr, "screen %dx%d, cursor %d,%d%s\n", rows, columns, row, column, visible ? "" : " hidden");
    for (int i = 0; i < rows; i++) {
        pty_row(pty, i, line);
        if (*line)
            fprintf(stderr, "%3d|%s\n", i, line);
    }
}

void pty_forbid(struct pty *pty, const char *const *texts)
{
    pty->forbidden = texts;
}

void pty_look_for_forbidden(struct pty *pty)
{
    for (int i = 0; pty->forbidden && pty->forbidden[i] && !pty->forbidden_seen; i++)
        pty->forbidden_seen = pty_has(pty, pty->forbidden[i]);
}

bool pty_forbidden_seen(struct pty *pty)
{
    return pty->forbidden_seen;
}
