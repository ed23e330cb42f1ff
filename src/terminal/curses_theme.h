/*
 * How the roles of a grid look: a colour and attributes for each theme and number of colours. Constant
 * tables; knows nothing of ncurses. The default background is never changed.
 */
#ifndef QUIZTUTOR_CURSES_THEME_H
#define QUIZTUTOR_CURSES_THEME_H

#include <quiztutor/grid.h>
#include <quiztutor/terminal.h>

struct look {
    short colour; /* number in the palette, −1: the default foreground */
    bool bold, dim, underline, reverse;
};

/*
 * The theme to use: mono where NO_COLOR is set and not empty; for auto dark or light where `colorfgbg`
 * ($COLORFGBG, may be NULL) or the Linux console says so, else auto, whose colours can be read on both.
 */
enum terminal_theme theme_choose(enum terminal_theme wanted, const char *no_color, const char *colorfgbg,
                                 const char *term);

/* `colours` as the terminal has them: below 8 there are none; direct-colour terminals count as 8. */
struct look theme_look(enum terminal_theme theme, int colours, enum grid_role role);

#endif
