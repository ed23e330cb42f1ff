/*
 * What the two halves of the harness share: the program on the pty, and the model of its screen.
 */
#ifndef QUIZTUTOR_TESTS_PTY_PRIVATE_H
#define QUIZTUTOR_TESTS_PTY_PRIVATE_H

#include "pty.h"
#include "shell.h"
#include "watch.h"

#include <vterm.h>

struct pty {
    int master, slave;
    struct termios first_modes;
    pid_t leader; /* the program alone, or the small shell */
    struct shell shell;
    struct watch watch;
    const char *const *forbidden;
    bool job, watched, deaf, ended, stopped, forbidden_seen;
    int status;
    VTerm *model;
    VTermScreen *screen;
    bool cursor_visible, second_screen;
    char *log;
    size_t log_length, log_capacity;
};

void pty_model(struct pty *pty, int rows, int columns);
void pty_look_for_forbidden(struct pty *pty);
void pty_model_resize(struct pty *pty, int rows, int columns);

#endif
