#include <quiztutor/grid.h>
#include <quiztutor/markup.h>
#include <quiztutor/memory.h>
#include <quiztutor/text.h>

#include <string.h>
#include <wchar.h>

#define REPLACEMENT "\xef\xbf\xbd"

static int clamp(int value, int least, int most)
{
    return value < least ? least : value > most ? most : value;
}

bool grid_init(struct grid *grid, int rows, int columns)
{
    *grid = (struct grid){ .rows = clamp(rows, 1, GRID_ROWS), .columns = clamp(columns, 1, GRID_COLUMNS) };
    grid->cells = memory_alloc((ptrdiff_t)sizeof(struct grid_cell) * grid->rows * grid->columns);
    if (!grid->cells) {
        grid->rows = grid->columns = 0;
        grid->focus_row = grid->focus_column = -1;
        return false;
    }
    grid_clear(grid);
    return true;
}

void grid_finish(struct grid *grid)
{
    memory_free(grid->cells);
    *grid = (struct grid){ .focus_row = -1, .focus_column = -1 };
}

static void cell_blank(struct grid_cell *cell)
{
    *cell = (struct grid_cell){ .text = " ", .columns = 1, .role = ROLE_TEXT };
}

void grid_clear(struct grid *grid)
{
    for (ptrdiff_t i = 0; i < (ptrdiff_t)grid->rows * grid->columns; i++)
        cell_blank(&grid->cells[i]);
    grid->focus_row = grid->focus_column = -1;
}

struct grid_cell *grid_at(const struct grid *grid, int row, int column)
{
    if (row < 0 || row >= grid->rows || column < 0 || column >= grid->columns)
        return NULL;
    return &grid->cells[(ptrdiff_t)row * grid->columns + column];
}

/* What a terminal may be sent for one code point: false for controls, unknown and deceiving characters. */
static bool showable(int32_t code)
{
    if (code >= 0x20 && code < 0x7f)
        return true;
    return code != TEXT_BAD && !text_forbidden(code) && code != '\t' && code != '\n' &&
           wcwidth((wchar_t)code) >= 0;
}

/* What joins emoji into one on some terminals and not on others: left out, so that all of them count the same
 * columns. */
static bool joins(int32_t code)
{
    return code == 0x200d || code == 0xfe0e || code == 0xfe0f;
}

/* A skin's tone takes columns of its own only where it is not joined with what it follows. */
static bool tints(int32_t code)
{
    return code >= 0x1f3fb && code <= 0x1f3ff;
}

/* Bytes of what the cell text[0..bytes) takes in beside: tones, and marks on them, after anything that may
 * have one. */
static ptrdiff_t with_tints(const char *text, ptrdiff_t bytes, ptrdiff_t length, int32_t base)
{
    enum { FIRST_SYMBOL = 0x203c };
    while (base >= FIRST_SYMBOL && !tints(base) && bytes < length) {
        int32_t code;
        int columns;
        text_decode(text + bytes, length - bytes, &code);
        if (!tints(code))
            break;
        bytes += text_cell(text + bytes, length - bytes, &columns);
    }
    return bytes;
}

/* Half a flag: a pair is joined on some terminals, and one alone is one column or two. Its letter is one
 * everywhere, and says the same. */
static char flag_letter(int32_t code)
{
    return code >= 0x1f1e6 && code <= 0x1f1ff ? (char)('A' + (code - 0x1f1e6)) : '\0';
}

ptrdiff_t grid_cell_next(struct grid_cell *cell, const char *text, ptrdiff_t length)
{
    if (length <= 0)
        return 0;
    unsigned char first = (unsigned char)text[0];
    if (first >= 0x20 && first < 0x7f && (length == 1 || (unsigned char)text[1] < 0x80)) {
        cell->text[0] = (char)first;
        cell->text[1] = '\0';
        cell->columns = 1;
        return 1;
    }
    int columns;
    ptrdiff_t bytes = text_cell(text, length, &columns), at;
    int32_t code;
    size_t used = 0;
    at = text_decode(text, length, &code);
    bytes = with_tints(text, bytes, length, code);
    cell->columns = columns == 2 ? 2 : 1;
    if (flag_letter(code)) {
        cell->text[used++] = flag_letter(code);
        cell->columns = 1;
    } else if (columns == 0 && showable(code)) { /* marks with nothing to stand on stand on a space */
        cell->text[used++] = ' ';
        at = 0;
    } else if (showable(code)) {
        memcpy(cell->text, text, (size_t)at);
        used = (size_t)at;
    } else {
        memcpy(cell->text, REPLACEMENT, 3);
        used = 3;
        cell->columns = 1;
    }
    for (int marks = 0; at < bytes && marks < 4; marks++) {
        int step = text_decode(text + at, bytes - at, &code);
        if (showable(code) && !joins(code) && !tints(code) && used + (size_t)step <= GRID_CELL) {
            memcpy(cell->text + used, text + at, (size_t)step);
            used += (size_t)step;
        }
        at += step;
    }
    cell->text[used] = '\0';
    return bytes;
}

/* A byte that styles what follows and takes no column. */
static bool styles(char byte)
{
    return byte >= MARKUP_EMPHASIS && byte <= MARKUP_BLOCK;
}

/* The next cell that is drawn: bytes of it, and of the styles before it. */
static ptrdiff_t next_shown(struct grid_cell *cell, const char *text, ptrdiff_t length)
{
    ptrdiff_t skipped = 0;
    while (skipped < length && styles(text[skipped]))
        skipped++;
    ptrdiff_t bytes = grid_cell_next(cell, text + skipped, length - skipped);
    return bytes > 0 ? skipped + bytes : 0;
}

int grid_columns(const char *text, ptrdiff_t length)
{
    struct grid_cell cell;
    int total = 0;
    for (ptrdiff_t bytes; (bytes = next_shown(&cell, text, length)) > 0; text += bytes, length -= bytes)
        total += cell.columns;
    return total;
}

/* Half a wide character is no character: whoever overwrites one half blanks the other. */
static void grid_free_cell(struct grid *grid, int row, int column)
{
    struct grid_cell *cell = grid_at(grid, row, column);
    if (!cell)
        return;
    struct grid_cell *other = NULL;
    if (cell->columns == 0)
        other = grid_at(grid, row, column - 1);
    else if (cell->columns == 2)
        other = grid_at(grid, row, column + 1);
    if (other) {
        uint8_t role = other->role;
        cell_blank(other);
        other->role = role;
    }
}

static void grid_set(struct grid *grid, int row, int column, const struct grid_cell *cell)
{
    for (int i = 0; i < cell->columns; i++)
        grid_free_cell(grid, row, column + i);
    *grid_at(grid, row, column) = *cell;
    if (cell->columns == 2)
        *grid_at(grid, row, column + 1) = (struct grid_cell){ .columns = 0, .role = cell->role };
}

int grid_put(struct grid *grid, int row, int column, int width, enum grid_role role, const char *text,
             ptrdiff_t length)
{
    if (row < 0 || row >= grid->rows || column < 0 || column >= grid->columns || width <= 0)
        return 0;
    if (width > grid->columns - column)
        width = grid->columns - column;
    struct grid_cell cell = { .role = (uint8_t)role };
    int used = 0;
    for (ptrdiff_t bytes; (bytes = next_shown(&cell, text, length)) > 0; text += bytes, length -= bytes) {
        if (used + cell.columns > width)
            break;
        grid_set(grid, row, column + used, &cell);
        used += cell.columns;
    }
    return used;
}

void grid_fill(struct grid *grid, int row, int column, int width, enum grid_role role, const char *cell_text)
{
    if (row < 0 || row >= grid->rows || width <= 0)
        return;
    struct grid_cell cell = { .role = (uint8_t)role };
    if (grid_cell_next(&cell, cell_text, (ptrdiff_t)strlen(cell_text)) == 0)
        return;
    if (width > grid->columns)
        width = grid->columns;
    for (int at = column < 0 ? 0 : column;
         at + cell.columns <= column + width && at + cell.columns <= grid->columns; at += cell.columns)
        grid_set(grid, row, at, &cell);
}

void grid_focus(struct grid *grid, int row, int column)
{
    if (grid->rows < 1 || grid->columns < 1)
        return;
    grid->focus_row = clamp(row, 0, grid->rows - 1);
    grid->focus_column = clamp(column, 0, grid->columns - 1);
    /* the cursor of a terminal stands on a wide character's left half */
    if (grid->focus_column > 0 && grid_at(grid, grid->focus_row, grid->focus_column)->columns == 0)
        grid->focus_column--;
}
