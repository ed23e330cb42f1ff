/*
 * A grid is a screen in memory: cells of text with an attribute, and the focus cell where the hardware cursor
 * stands. Screens are drawn into it; the terminal sends it whole. The caller owns it (grid_init /
 * grid_finish).
 */
#ifndef QUIZTUTOR_GRID_H
#define QUIZTUTOR_GRID_H

#include <quiztutor/buffer.h>
#include <stdbool.h>
#include <stdint.h>

enum { GRID_CELL = 4 * 5 }; /* bytes: a base and up to four zero-width code points; what is longer is cut */

/* What a cell means; the theme says how it looks. Never the only carrier of meaning. */
enum grid_role {
    ROLE_TEXT,
    ROLE_STRONG, /* the one thing to look at now */
    ROLE_DIM,
    ROLE_RULE,
    ROLE_BAR, /* the filled part of a bar */
    ROLE_SELECTED,
    ROLE_RIGHT,
    ROLE_WRONG,
    ROLE_KEY,   /* a key's name in the footer */
    ROLE_FIELD, /* what is being typed */
    ROLE_WARNING,
    ROLE_EMPHASIS,        /* light markup: a word meant to stand out in its sentence */
    ROLE_STRONG_EMPHASIS, /* the same in what is ROLE_STRONG */
    ROLE_CODE,            /* light markup: letters as a machine reads them */
    GRID_ROLES,
};

struct grid_cell {
    char text[GRID_CELL + 1]; /* UTF-8; "" is the right half of a wide cell to its left */
    uint8_t columns;          /* 1 or 2; 0 for that right half */
    uint8_t role;             /* enum grid_role */
};

struct grid {
    int rows, columns;
    struct grid_cell *cells;     /* rows × columns */
    int focus_row, focus_column; /* −1: none */
};

enum { GRID_ROWS = 400, GRID_COLUMNS = 1000 }; /* largest size; the rest of a larger window stays empty */

bool grid_init(struct grid *grid, int rows,
               int columns); /* blank; sizes are clamped to 1…limits; false: no memory */
void grid_finish(struct grid *grid);
void grid_clear(struct grid *grid);

/* Writes text from (row, column) up to `width` columns; a wide cell that does not fit whole is left out;
 * controls and unknown characters become U+FFFD. Outside the grid nothing is written. Returns the columns
 * written.
 *
 * Terminals differ on emoji that are joined of several. What is written is as wide on all of them: U+200D
 * and the variation selectors U+FE0E and U+FE0F are left out, so that a family stands as its members side by
 * side; a skin tone (U+1F3FB to U+1F3FF) is left out after what it tints; of a flag the two letters stand. */
int grid_put(struct grid *grid, int row, int column, int width, enum grid_role role, const char *text,
             ptrdiff_t length);
void grid_fill(struct grid *grid, int row, int column, int width, enum grid_role role, const char *cell_text);
void grid_focus(struct grid *grid, int row, int column);

/* The first cell of text[0..length) as grid_put would write it: returns its bytes, 0 at the end, and fills
 * *cell (its columns are 1 or 2; the role is left alone). Layout measures with the same function that draws,
 * so they agree. */
ptrdiff_t grid_cell_next(struct grid_cell *cell, const char *text, ptrdiff_t length);

/* Columns that grid_put would need for the whole text. Both pass over the bytes of markup.h. */
int grid_columns(const char *text, ptrdiff_t length);

/* The cell at (row, column), or NULL outside the grid. */
struct grid_cell *grid_at(const struct grid *grid, int row, int column);

/* The grid as text, a line a row, trailing blanks cut; with `roles` also a second block that names each
 * cell's role by a letter, and the focus. For golden screens. */
void grid_print(const struct grid *grid, struct buffer *out, bool roles);

/* The grid as an SVG picture (dark or light), for the README. */
void grid_svg(const struct grid *grid, struct buffer *out, bool light);

#endif
