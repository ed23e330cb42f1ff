#include "curses_keys.h"

#include <string.h>

/* Both forms of each key: which one a terminal sends depends on a mode that a stop and a continue can get out
 * of step. */
const struct keys_row keys_rows[] = {
    { "\033[A", KEY_CODE_UP },         { "\033OA", KEY_CODE_UP },        { "\033[B", KEY_CODE_DOWN },
    { "\033OB", KEY_CODE_DOWN },       { "\033[C", KEY_CODE_RIGHT },     { "\033OC", KEY_CODE_RIGHT },
    { "\033[D", KEY_CODE_LEFT },       { "\033OD", KEY_CODE_LEFT },      { "\033[H", KEY_CODE_HOME },
    { "\033OH", KEY_CODE_HOME },       { "\033[1~", KEY_CODE_HOME },     { "\033[7~", KEY_CODE_HOME },
    { "\033[F", KEY_CODE_END },        { "\033OF", KEY_CODE_END },       { "\033[4~", KEY_CODE_END },
    { "\033[8~", KEY_CODE_END },       { "\033[3~", KEY_CODE_DELETE },   { "\033[5~", KEY_CODE_PAGE_UP },
    { "\033[6~", KEY_CODE_PAGE_DOWN }, { "\033OM", KEY_CODE_ENTER },     { "\033OP", KEY_CODE_F1 },
    { "\033[11~", KEY_CODE_F1 },       { "\033[[A", KEY_CODE_F1 },       { "\033OQ", KEY_CODE_F1 + 1 },
    { "\033[12~", KEY_CODE_F1 + 1 },   { "\033[[B", KEY_CODE_F1 + 1 },   { "\033OR", KEY_CODE_F1 + 2 },
    { "\033[13~", KEY_CODE_F1 + 2 },   { "\033[[C", KEY_CODE_F1 + 2 },   { "\033OS", KEY_CODE_F1 + 3 },
    { "\033[14~", KEY_CODE_F1 + 3 },   { "\033[[D", KEY_CODE_F1 + 3 },   { "\033[15~", KEY_CODE_F1 + 4 },
    { "\033[[E", KEY_CODE_F1 + 4 },    { "\033[17~", KEY_CODE_F1 + 5 },  { "\033[18~", KEY_CODE_F1 + 6 },
    { "\033[19~", KEY_CODE_F1 + 7 },   { "\033[20~", KEY_CODE_F1 + 8 },  { "\033[21~", KEY_CODE_F1 + 9 },
    { "\033[23~", KEY_CODE_F1 + 10 },  { "\033[24~", KEY_CODE_F1 + 11 }, { "\033[200~", KEYS_PASTE_BEGINS },
    { "\033[201~", KEYS_PASTE_ENDS },
};
const int keys_row_count = sizeof keys_rows / sizeof *keys_rows;

static const char *const emulators[] = {
    "alacritty", "contour", "foot", "ghostty", "gnome", "iterm", "kitty", "konsole", "mintty",  "ms-terminal",
    "putty",     "rio",     "rxvt", "screen",  "st",    "tmux",  "urxvt", "vte",     "wezterm",
};

bool keys_is_emulator(const char *term)
{
    if (strncmp(term, "xterm", 5) == 0)
        return true;
    for (size_t i = 0; i < sizeof emulators / sizeof *emulators; i++) {
        size_t length = strlen(emulators[i]);
        if (strncmp(term, emulators[i], length) != 0)
            continue;
        char next = (char)(term[length] | 0x20); /* "st" is one, "strange" is none */
        if (next < 'a' || next > 'z')
            return true;
    }
    return false;
}
