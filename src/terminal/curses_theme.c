#include "curses_theme.h"

#include <stdlib.h>
#include <string.h>

/* Without colour signs and words carry the meaning; attributes only guide the eye. */
static const struct look mono[GRID_ROLES] = {
    [ROLE_TEXT] = { .colour = -1 },
    [ROLE_STRONG] = { .colour = -1, .bold = true },
    [ROLE_DIM] = { .colour = -1, .dim = true },
    [ROLE_RULE] = { .colour = -1, .dim = true },
    [ROLE_BAR] = { .colour = -1 },
    [ROLE_SELECTED] = { .colour = -1, .bold = true },
    [ROLE_RIGHT] = { .colour = -1, .bold = true },
    [ROLE_WRONG] = { .colour = -1 },
    [ROLE_KEY] = { .colour = -1, .bold = true },
    [ROLE_FIELD] = { .colour = -1, .underline = true },
    [ROLE_WARNING] = { .colour = -1, .reverse = true },
    [ROLE_EMPHASIS] = { .colour = -1, .underline = true },
    [ROLE_STRONG_EMPHASIS] = { .colour = -1, .bold = true, .underline = true },
    [ROLE_CODE] = { .colour = -1 },
};

enum palette { PALETTE_8, PALETTE_16, PALETTE_256, PALETTES };

struct colours {
    short number[GRID_ROLES];
};

/*
 * Colours by theme and palette. In 256 colours every text has a contrast of at least 4.5 to 1 on a black or a
 * white background; those of auto stay above 3.7 to 1 on both. −1 leaves the default. In 8 and 16 colours the
 * person's own palette decides how a number looks.
 */
static const struct colours table[3][PALETTES] = {
    { /* auto */
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = -1,
          [ROLE_RULE] = -1,
          [ROLE_BAR] = -1,
          [ROLE_SELECTED] = -1,
          [ROLE_RIGHT] = 2,
          [ROLE_WRONG] = 1,
          [ROLE_KEY] = -1,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 1,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = -1 } },
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = -1,
          [ROLE_RULE] = -1,
          [ROLE_BAR] = -1,
          [ROLE_SELECTED] = -1,
          [ROLE_RIGHT] = 2,
          [ROLE_WRONG] = 1,
          [ROLE_KEY] = -1,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 1,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = -1 } },
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = 244,
          [ROLE_RULE] = 244,
          [ROLE_BAR] = 31,
          [ROLE_SELECTED] = 31,
          [ROLE_RIGHT] = 28,
          [ROLE_WRONG] = 166,
          [ROLE_KEY] = 31,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 130,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = 98 } } },
    { /* dark */
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = -1,
          [ROLE_RULE] = -1,
          [ROLE_BAR] = 6,
          [ROLE_SELECTED] = 6,
          [ROLE_RIGHT] = 2,
          [ROLE_WRONG] = 1,
          [ROLE_KEY] = 6,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 3,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = 5 } },
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = 7,
          [ROLE_RULE] = 8,
          [ROLE_BAR] = 14,
          [ROLE_SELECTED] = 14,
          [ROLE_RIGHT] = 10,
          [ROLE_WRONG] = 9,
          [ROLE_KEY] = 14,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 11,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = 13 } },
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = 246,
          [ROLE_RULE] = 240,
          [ROLE_BAR] = 110,
          [ROLE_SELECTED] = 117,
          [ROLE_RIGHT] = 114,
          [ROLE_WRONG] = 209,
          [ROLE_KEY] = 110,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 221,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = 183 } } },
    { /* light */
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = -1,
          [ROLE_RULE] = -1,
          [ROLE_BAR] = 4,
          [ROLE_SELECTED] = 4,
          [ROLE_RIGHT] = 2,
          [ROLE_WRONG] = 1,
          [ROLE_KEY] = 4,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 5,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = -1 } },
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = 8,
          [ROLE_RULE] = 7,
          [ROLE_BAR] = 4,
          [ROLE_SELECTED] = 4,
          [ROLE_RIGHT] = 2,
          [ROLE_WRONG] = 1,
          [ROLE_KEY] = 4,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 5,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = -1 } },
      { { [ROLE_TEXT] = -1,
          [ROLE_STRONG] = -1,
          [ROLE_DIM] = 242,
          [ROLE_RULE] = 249,
          [ROLE_BAR] = 25,
          [ROLE_SELECTED] = 25,
          [ROLE_RIGHT] = 28,
          [ROLE_WRONG] = 130,
          [ROLE_KEY] = 25,
          [ROLE_FIELD] = -1,
          [ROLE_WARNING] = 90,
          [ROLE_EMPHASIS] = -1,
          [ROLE_STRONG_EMPHASIS] = -1,
          [ROLE_CODE] = 61 } } },
};

/* COLORFGBG is "foreground;background" or "foreground;other;background", in the numbers of 16 colours. */
static enum terminal_theme theme_background(const char *colorfgbg)
{
    const char *last = colorfgbg ? strrchr(colorfgbg, ';') : NULL;
    if (!last || last[1] < '0' || last[1] > '9')
        return THEME_AUTO;
    long number = strtol(last + 1, NULL, 10);
    return number == 7 || (number >= 9 && number <= 15) ? THEME_LIGHT : number <= 8 ? THEME_DARK : THEME_AUTO;
}

enum terminal_theme theme_choose(enum terminal_theme wanted, const char *no_color, const char *colorfgbg,
                                 const char *term)
{
    if (no_color && *no_color)
        return THEME_MONO;
    if (wanted != THEME_AUTO)
        return wanted;
    enum terminal_theme found = theme_background(colorfgbg);
    if (found == THEME_AUTO && term && strncmp(term, "linux", 5) == 0)
        found = THEME_DARK;
    return found;
}

struct look theme_look(enum terminal_theme theme, int colours, enum grid_role role)
{
    if ((int)role < 0 || role >= GRID_ROLES)
        role = ROLE_TEXT;
    struct look look = mono[role];
    if (theme == THEME_MONO || colours < 8)
        return look;
    enum palette palette = colours == 256                   ? PALETTE_256
                           : colours >= 16 && colours < 256 ? PALETTE_16
                                                            : PALETTE_8;
    int row = theme == THEME_DARK ? 1 : theme == THEME_LIGHT ? 2 : 0;
    look.colour = table[row][palette].number[role];
    if (look.colour < 0)
        return look;
    /* the colour does what the attribute did: one thing on the screen is bold, the strong one */
    look.dim = look.reverse = false;
    look.bold = role == ROLE_STRONG;
    return look;
}
