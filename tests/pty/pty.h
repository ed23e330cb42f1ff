/*
 * A terminal for tests: a program runs on a pty whose other end is libvterm, a model of a real screen that
 * also answers what a terminal is asked. Every wait polls for a condition up to a generous deadline; nothing
 * sleeps and hopes. Failures of the harness itself end the test by cmocka's fail.
 *
 * The program runs in one of two ways. Alone, it leads its session, as a login program does: the hang-up of
 * the terminal reaches it as SIGHUP, and nobody could continue it. As a job, it is a process group of its own
 * under a small shell that notices its stops, takes the terminal meanwhile and continues it; the shell
 * ignores SIGHUP.
 */
#ifndef QUIZTUTOR_TESTS_PTY_H
#define QUIZTUTOR_TESTS_PTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>
#include <termios.h>

enum { PTY_DEADLINE_MS = 30000, PTY_ARGUMENTS = 24, PTY_LINE = 8192 };

struct pty_options {
    int rows, columns;   /* 0: 24 and 80; -1: the system knows none, the screen has 24 and 80 */
    const char *program; /* path */
    const char *arguments[PTY_ARGUMENTS]; /* without the program's name, ended by NULL */
    const char
        *environment[PTY_ARGUMENTS]; /* "NAME=value" over the scrubbed one; "NAME" removes; ended by NULL */
    bool job;                        /* run under the small shell */
    bool deaf;                       /* the terminal answers no questions */
    bool watched;                    /* what it does with processes is seen (watch.h); not with `job` */
    int closed;                      /* bits of the standard descriptors that are closed at its start */
    void (*prepare)(const void *);   /* in its process, just before it becomes the program */
    const void *prepared_by;
};

struct pty;

struct pty *pty_start(const struct pty_options *options);
void pty_finish(struct pty *pty); /* kills what still runs */

void pty_send(struct pty *pty, const char *bytes, ptrdiff_t length);
void pty_type(struct pty *pty, const char *text);

/* Until the program waits for a key: what is typed before its screen stands, it throws away. A text that is
 * seen may be of a screen that is still being drawn. */
void pty_settle(struct pty *pty);

/* Sizes above the largest a grid can have are told to the program, not to the model. */
void pty_resize(struct pty *pty, int rows, int columns);

/* Reads what has come, waiting up to timeout_ms for it. False when nothing came. */
bool pty_pump(struct pty *pty, int timeout_ms);

/* Reads for this long: for showing that something does not happen, and only for that. */
void pty_pump_for(struct pty *pty, int ms);

/* Until the predicate holds; false at the deadline. */
bool pty_wait(struct pty *pty, bool (*holds)(struct pty *pty, const void *context), const void *context);
bool pty_wait_text(struct pty *pty, const char *text);
bool pty_wait_gone(struct pty *pty, const char *text);
bool pty_wait_cursor(struct pty *pty, int row, int column);
bool pty_wait_row(struct pty *pty, int row, const char *text); /* without its trailing blanks */
bool pty_wait_output(struct pty *pty, const char *bytes);      /* in the log */

/* The screen. Text is UTF-8; the right half of a wide cell adds nothing. */
bool pty_has(struct pty *pty, const char *text);
int pty_find(struct pty *pty, const char *text, int *column); /* the row, −1 when nowhere */
void pty_row(struct pty *pty, int row, char text[static PTY_LINE]);
void pty_cell_text(struct pty *pty, int row, int column, char text[static 32]);

struct pty_look {
    bool bold, underline, reverse, coloured, default_background;
    int columns;
};
struct pty_look pty_cell_look(struct pty *pty, int row, int column);
void pty_cursor(struct pty *pty, int *row, int *column, bool *visible);
bool pty_second_screen(struct pty *pty);               /* the alternate one is shown */
void pty_scribble(struct pty *pty, const char *bytes); /* writes on the screen behind the program's back */
void pty_print(struct pty *pty);                       /* the screen on standard error, for a failing test */

/* Everything the program has written, since the start or since pty_log_clear. */
const char *pty_log(struct pty *pty, ptrdiff_t *length);
void pty_log_clear(struct pty *pty);
bool pty_log_has(struct pty *pty, const char *bytes);
bool pty_sent_colour(struct pty *pty); /* an SGR with a colour anywhere in the log */

/* The modes of the terminal now, and whether two are the same. */
void pty_modes(struct pty *pty, struct termios *modes);
void pty_first_modes(struct pty *pty, struct termios *modes); /* before the program */
void pty_set_modes(struct pty *pty, const struct termios *modes);
bool pty_modes_equal(const struct termios *one, const struct termios *other);
bool pty_wait_raw(struct pty *pty);

/* The program: its process id, a signal to it, the terminal gone. */
pid_t pty_program(struct pty *pty);
void pty_signal(struct pty *pty, int number);
void pty_hang_up(struct pty *pty);

/* What the watcher has seen. */
int pty_children(struct pty *pty);
int pty_programs(struct pty *pty);
int pty_stops(struct pty *pty);

/* The program runs, and the terminal is its own: no stop, no other job in front. */
bool pty_foreground(struct pty *pty);

/* Texts that must not be on the screen, ended by NULL and the caller's; whether one was, at any time. */
void pty_forbid(struct pty *pty, const char *const *texts);
bool pty_forbidden_seen(struct pty *pty);

/* Until it has ended: its wait status; −1 at the deadline. */
int pty_wait_exit(struct pty *pty);
bool pty_ended(struct pty *pty);
bool pty_wait_stopped(struct pty *pty);
void pty_continue(struct pty *pty); /* what fg does */

/* Fails the test, with the screen, unless it holds. */
void pty_require(struct pty *pty, bool holds, const char *what);

int64_t pty_now(void); /* ms of a steady clock */

#endif
