/*
 * The terminal behind ncurses: opened once, given grids, asked for input, restored on every way out. One at a time per
 * process (signals are process-wide).
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

/* True when standard input and output are terminals that ncurses can drive: a message in *error says why not. Tries
 * xterm-256color for an unknown TERM that begins with xterm or names a known emulator. */
bool terminal_usable(struct error *error);

bool terminal_open(struct terminal **terminal, const struct terminal_options *options, struct error *error);
void terminal_close(struct terminal *terminal); /* restores the terminal; NULL is fine */

enum sign_set terminal_signs(const struct terminal *terminal);
void terminal_size(const struct terminal *terminal, int *rows, int *columns);
void terminal_draw(struct terminal *terminal, const struct grid *grid);

/* Waits up to `timeout_ms` (−1: for ever). */
void terminal_read(struct terminal *terminal, struct input *input, int timeout_ms);

/* Throws away what was typed before the screen now shown. */
void terminal_flush(struct terminal *terminal);

/* Restores the terminal, stops the process (^Z), and takes the screen back when continued. */
void terminal_suspend(struct terminal *terminal);
void terminal_redraw(struct terminal *terminal);

/* The signal that ended the session (SIGHUP, SIGTERM, …), 0 for none: re-raised by the caller after its clean-up. */
int terminal_signal(const struct terminal *terminal);

#endif
