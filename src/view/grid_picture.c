/*
 * A grid as text for golden screens, and as an SVG picture. Runs of ordinary letters are kept as text with
 * their exact length written down, and every sign stands at its own place, so that columns align whatever
 * font shows them.
 */
#include <quiztutor/grid.h>

#include <string.h>

static const char role_letters[GRID_ROLES + 1] = ".Sd-=sRWkf!eEc";

static void buffer_trim(struct buffer *out, ptrdiff_t from)
{
    while (out->length > from && out->data[out->length - 1] == ' ')
        out->data[--out->length] = '\0';
}

static bool cell_is_blank(const struct grid_cell *cell)
{
    return strcmp(cell->text, " ") == 0;
}

void grid_print(const struct grid *grid, struct buffer *out, bool roles)
{
    for (int row = 0; row < grid->rows; row++) {
        ptrdiff_t from = out->length;
        for (int column = 0; column < grid->columns; column++)
            buffer_text(out, grid_at(grid, row, column)->text);
        buffer_trim(out, from);
        buffer_char(out, '\n');
    }
    if (!roles)
        return;
    buffer_text(out, "--- roles\n");
    for (int row = 0; row < grid->rows; row++) {
        ptrdiff_t from = out->length;
        for (int column = 0; column < grid->columns; column++) {
            const struct grid_cell *cell = grid_at(grid, row, column);
            bool plain = cell_is_blank(cell) && cell->role != ROLE_FIELD;
            buffer_char(out, plain ? ' ' : role_letters[cell->role]);
        }
        buffer_trim(out, from);
        buffer_char(out, '\n');
    }
    buffer_print(out, "--- focus row %d, column %d\n", grid->focus_row, grid->focus_column);
}

/* 15-pixel DejaVu Sans Mono advances 9.03 pixels. */
enum { CELL_WIDTH = 9, CELL_HEIGHT = 18, FONT_SIZE = 15, BASELINE = 14, MARGIN = 18 };

struct ink {
    const char *colour;
    bool bold, underline;
};
struct palette {
    const char *paper, *edge, *field, *cursor;
    struct ink inks[GRID_ROLES];
};

static const struct palette palettes[2] = {
    { .paper = "#15191e",
      .edge = "#2c333b",
      .field = "#242c35",
      .cursor = "#d5dbe1",
      .inks = { [ROLE_TEXT] = { .colour = "#d5dbe1" },
                [ROLE_STRONG] = { .colour = "#ffffff", .bold = true },
                [ROLE_DIM] = { .colour = "#8b949e" },
                [ROLE_RULE] = { .colour = "#4a545f" },
                [ROLE_BAR] = { .colour = "#79b8ff" },
                [ROLE_SELECTED] = { .colour = "#9ccfff" },
                [ROLE_RIGHT] = { .colour = "#7bd88f" },
                [ROLE_WRONG] = { .colour = "#ff9966" },
                [ROLE_KEY] = { .colour = "#d5dbe1" },
                [ROLE_FIELD] = { .colour = "#ffffff" },
                [ROLE_WARNING] = { .colour = "#f2c55c" },
                [ROLE_EMPHASIS] = { .colour = "#d5dbe1", .underline = true },
                [ROLE_STRONG_EMPHASIS] = { .colour = "#ffffff", .bold = true, .underline = true },
                [ROLE_CODE] = { .colour = "#c9b3ff" } } },
    { .paper = "#fdfcf9",
      .edge = "#d9d6ce",
      .field = "#efece4",
      .cursor = "#24292f",
      .inks = { [ROLE_TEXT] = { .colour = "#24292f" },
                [ROLE_STRONG] = { .colour = "#000000", .bold = true },
                [ROLE_DIM] = { .colour = "#666d75" },
                [ROLE_RULE] = { .colour = "#b9b5ab" },
                [ROLE_BAR] = { .colour = "#2563a8" },
                [ROLE_SELECTED] = { .colour = "#0b4f91" },
                [ROLE_RIGHT] = { .colour = "#17713c" },
                [ROLE_WRONG] = { .colour = "#b83b08" },
                [ROLE_KEY] = { .colour = "#24292f" },
                [ROLE_FIELD] = { .colour = "#000000" },
                [ROLE_WARNING] = { .colour = "#8a5a00" },
                [ROLE_EMPHASIS] = { .colour = "#24292f", .underline = true },
                [ROLE_STRONG_EMPHASIS] = { .colour = "#000000", .bold = true, .underline = true },
                [ROLE_CODE] = { .colour = "#5d4399" } } },
};

static void svg_escape(struct buffer *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            buffer_text(out, "&amp;");
        else if (*text == '<')
            buffer_text(out, "&lt;");
        else if (*text == '>')
            buffer_text(out, "&gt;");
        else
            buffer_char(out, *text);
    }
}

/* Rules and bars are drawn: whatever the font, they meet without gaps. Heights in pixels around the row's
 * middle. */
static const struct stroke {
    const char *text;
    int thickness;
    bool faint;
} strokes[] = {
    { "─", 1, false }, { "━", 3, false }, { "█", 12, false }, { "░", 12, true }, { "│", 0, false },
};

static const struct stroke *cell_stroke(const struct grid_cell *cell)
{
    for (size_t i = 0; i < sizeof strokes / sizeof *strokes; i++)
        if (strcmp(cell->text, strokes[i].text) == 0)
            return &strokes[i];
    return NULL;
}

enum cell_kind {
    KIND_LETTER, /* shares a run of text */
    KIND_STROKE, /* shares a line with its like */
    KIND_SIGN,   /* stands alone: it may come from another font */
};

static enum cell_kind cell_kind(const struct grid_cell *cell)
{
    if (cell->columns == 1 && (unsigned char)cell->text[0] < 0xe2)
        return KIND_LETTER;
    return cell_stroke(cell) ? KIND_STROKE : KIND_SIGN;
}

/* Column after the run that begins at `column`. */
static int svg_run(const struct grid *grid, int row, int column)
{
    const struct grid_cell *first = grid_at(grid, row, column);
    int end = column + (first->columns == 2 ? 2 : 1);
    enum cell_kind kind = cell_kind(first);
    if (kind == KIND_SIGN)
        return end;
    while (end < grid->columns) {
        const struct grid_cell *cell = grid_at(grid, row, end), *next = grid_at(grid, row, end + 1);
        if (cell_is_blank(cell)) { /* a single space inside a run stays */
            if (kind != KIND_LETTER || !next || cell_is_blank(next) || next->role != first->role ||
                cell_kind(next) != KIND_LETTER)
                break;
        } else if (cell->role != first->role || cell_kind(cell) != kind) {
            break;
        }
        if (kind == KIND_STROKE && strcmp(cell->text, first->text) != 0)
            break;
        end++;
    }
    return end;
}

static void svg_stroke(struct buffer *out, const struct stroke *stroke, int role, int row, int column,
                       int end)
{
    int x = MARGIN + column * CELL_WIDTH, y = MARGIN + row * CELL_HEIGHT, width = (end - column) * CELL_WIDTH;
    int height = stroke->thickness, top = y + (CELL_HEIGHT - height) / 2;
    if (height == 0) { /* upright */
        x += CELL_WIDTH / 2;
        width = 1;
        top = y;
        height = CELL_HEIGHT;
    }
    buffer_print(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%c\"%s/>\n", x, top, width,
                 height, 'a' + role, stroke->faint ? " opacity=\"0.45\"" : "");
}

static void svg_row(const struct grid *grid, struct buffer *out, const struct palette *palette, int row)
{
    int field = 0, width = 0;
    for (int column = 0; column < grid->columns; column++) {
        if (grid_at(grid, row, column)->role != ROLE_FIELD)
            continue;
        field = width++ == 0 ? column : field;
    }
    if (width > 0)
        buffer_print(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>\n",
                     MARGIN + field * CELL_WIDTH, MARGIN + row * CELL_HEIGHT, width * CELL_WIDTH, CELL_HEIGHT,
                     palette->field);
    for (int column = 0; column < grid->columns;) {
        const struct grid_cell *first = grid_at(grid, row, column);
        if (cell_is_blank(first) || first->columns == 0) {
            column++;
            continue;
        }
        int end = svg_run(grid, row, column);
        const struct stroke *stroke = cell_stroke(first);
        if (stroke) {
            svg_stroke(out, stroke, first->role, row, column, end);
            column = end;
            continue;
        }
        buffer_print(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\" class=\"%c\">",
                     MARGIN + column * CELL_WIDTH, MARGIN + row * CELL_HEIGHT + BASELINE,
                     (end - column) * CELL_WIDTH, 'a' + first->role);
        for (; column < end; column++)
            svg_escape(out, grid_at(grid, row, column)->text);
        buffer_text(out, "</text>\n");
    }
}

void grid_svg(const struct grid *grid, struct buffer *out, bool light)
{
    const struct palette *palette = &palettes[light];
    int width = grid->columns * CELL_WIDTH + 2 * MARGIN, height = grid->rows * CELL_HEIGHT + 2 * MARGIN;
    buffer_print(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
        "<style>\ntext { font: %dpx \"DejaVu Sans Mono\", Menlo, Consolas, \"Liberation Mono\", monospace; "
        "white-space: pre }\n",
        width, height, width, height, FONT_SIZE);
    for (int role = 0; role < GRID_ROLES; role++)
        buffer_print(out, ".%c { fill: %s%s%s }\n", 'a' + role, palette->inks[role].colour,
                     palette->inks[role].bold ? "; font-weight: bold" : "",
                     palette->inks[role].underline ? "; text-decoration: underline" : "");
    buffer_print(out,
                 "</style>\n<rect x=\"0.5\" y=\"0.5\" width=\"%d\" height=\"%d\" rx=\"8\" fill=\"%s\" "
                 "stroke=\"%s\"/>\n",
                 width - 1, height - 1, palette->paper, palette->edge);
    for (int row = 0; row < grid->rows; row++)
        svg_row(grid, out, palette, row);
    const struct grid_cell *focus = grid_at(grid, grid->focus_row, grid->focus_column);
    if (focus && focus->role == ROLE_FIELD) /* elsewhere the cursor only leads assistive technology */
        buffer_print(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"2\" fill=\"%s\"/>\n",
                     MARGIN + grid->focus_column * CELL_WIDTH,
                     MARGIN + (grid->focus_row + 1) * CELL_HEIGHT - 1, CELL_WIDTH, palette->cursor);
    buffer_text(out, "</svg>\n");
}
