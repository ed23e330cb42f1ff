/*
 * The characters that a grid's cell puts on a terminal. Pure, except that the locale decides widths.
 */
#ifndef QUIZTUTOR_CURSES_GLYPH_H
#define QUIZTUTOR_CURSES_GLYPH_H

#include <quiztutor/grid.h>
#include <wchar.h>

enum { GLYPH_CHARACTERS = 5 }; /* a base and up to four of no width, as many as ncurses keeps */

/*
 * Fills glyph (ended by L'\0') and returns its columns, 1 or 2. What the terminal would show in other columns
 * than the grid has stands as U+FFFD; where the locale is not UTF-8, what ASCII lacks stands as its nearest
 * look.
 */
int glyph_make(wchar_t glyph[static GLYPH_CHARACTERS + 1], const struct grid_cell *cell, bool utf8);

#endif
