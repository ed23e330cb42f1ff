/*
 * The terminal behind ncurses: opened once, given grids, asked for input, restored on every way out. One at a
 * time per process (signals are process-wide). The locale must have been set (message_start). While a
 * terminal is open, SIGTERM, SIGHUP, SIGINT and SIGQUIT come as INPUT_HANGUP; a crash, abort and exit restore
 * the terminal by themselves.
 */
#ifndef QUIZTUTOR_TERMINAL_H
#define QUIZTUTOR_TERMINAL_H

#include <quiztutor/error.h>
#include <quiztutor/grid.h>
#include <quiztutor/input.h>
#include <quiztutor/view.h>

enum terminal_theme { THEME_AUTO, THEME_DARK, THEME_LIGHT, THEME_MONO };

struct terminal_options {
    enum terminal_theme theme; /* NO_COLOR in the environment makes it mono */
    int signs;                 /* enum sign_set, or −1: probe */
    bool lock;                 /* kiosk: ^C and ^Z are plain keys */
};

struct terminal;

/* True when standard input and output are terminals that ncurses can drive: a message in *error says why not.
 * Tries xterm-256color for an unknown TERM that begins with xterm or names a known emulator. */
bool terminal_usable(struct error *error);

/*
 * Says that a terminal will be opened: from here on no key can kill the program before its screen is there.
 * For the first lines of main, when a front end needs a terminal; terminal_open does it too, later.
 */
void terminal_expect(void);

/* There will be none after all: keys mean again what they meant, and one that would have ended the program
 * meanwhile does so now. */
void terminal_forgo(void);

/* False where terminal_usable is, or without memory. The caller closes it. Keys that signal are ignored until
 * the terminal is raw, then come as keys. Removes LINES and COLUMNS from the environment, which would freeze
 * the size. */
bool terminal_open(struct terminal **terminal, const struct terminal_options *options, struct error *error);
void terminal_close(struct terminal *terminal); /* restores the terminal; NULL is fine */

/* The set of signs to draw with. It can change once, to ascii, when the terminal reports that it shows them
 * two columns wide: terminal_read then says INPUT_RESIZE, so look here again at each. */
enum sign_set terminal_signs(const struct terminal *terminal);

/* The window's size, from 1x1 to GRID_ROWS x GRID_COLUMNS. */
void terminal_size(const struct terminal *terminal, int *rows, int *columns);

/* Shows the grid, clipped to the window; what is left of a larger window is blank. Only what differs is sent.
 * The cursor stands on the grid's focus, and is hidden where it has none. */
void terminal_draw(struct terminal *terminal, const struct grid *grid);

/*
 * Waits up to `timeout_ms` (−1: for ever) for one input. A bracketed paste comes as INPUT_PASTE by code
 * point, a tab in it as a space, other controls not at all. The rest of a sequence that a slow line split
 * after its ESC is swallowed. Once the terminal is gone or a signal asks for the end, every call says
 * INPUT_HANGUP at once.
 */
void terminal_read(struct terminal *terminal, struct input *input, int timeout_ms);

/* Throws away what was typed before the screen now shown. */
void terminal_flush(struct terminal *terminal);

/* Restores the terminal, stops the process group (^Z), and takes the screen back when continued; shows again
 * what was drawn last. Does nothing in a kiosk, and where nobody could continue it. SIGTSTP does the same by
 * itself. */
void terminal_suspend(struct terminal *terminal);

/* Sends every cell again, for a screen that something else has written on (^L). */
void terminal_redraw(struct terminal *terminal);

/* The signal that ended the session (SIGHUP, SIGTERM, …), 0 for none: re-raised by the caller after its
 * clean-up. */
int terminal_signal(const struct terminal *terminal);

#endif
