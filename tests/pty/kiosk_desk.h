/*
 * A desk with a kiosk on it: its configuration, its roster, what is typed at its sign-in and by its tutor,
 * whose code is "open sesame". Its clock is the test's where one is given. What a test waits for is on the
 * screen, or the test fails with it.
 */
#ifndef QUIZTUTOR_TESTS_KIOSK_DESK_H
#define QUIZTUTOR_TESTS_KIOSK_DESK_H

#include "desk.h"

extern struct desk kiosk_desk;

/* The program, and the module that moves its clock (NULL: it has the machine's). */
void kiosk_program(const char *program, const char *clock);

/* A fresh desk with Ana and Bea on its roster; nothing runs yet. */
void kiosk_set(void);
/* Writes the configuration anew: what every kiosk here has, then this. */
void kiosk_configure(const char *more);
/* quiztutor with these arguments on its store, `line` (or NULL) as its input. */
void kiosk_command(const char *arguments, const char *line);
void kiosk_start(struct pty_options options); /* rows and columns are taken */
void kiosk_begin(const char *more);           /* all of these */

/* Ms since 1970 of its clock, and how far it is moved. */
int64_t kiosk_wall(void);
void kiosk_pass(int64_t ms);

void kiosk_see(const char *text);
void kiosk_gone(const char *text);
void kiosk_type(const char *keys);

void kiosk_sign_in(const char *name);
void kiosk_sign_out(void);
void kiosk_tutor(void); /* F9, and the code: to the menu */
/* Moves the cursor of the menu to the row with this text, and presses Enter. */
void kiosk_choose(const char *row);
/* A config with one exam of 30 minutes about the desk's pack, whose window begins and ends so many days from
 * today; `more` belongs to it. Until the next call. */
const char *kiosk_exam(int from, int until, const char *more);
/* From the list to the exam's first question. */
void kiosk_begin_exam(void);
int kiosk_exit_status(void);
void kiosk_kill(void);         /* as power cuts do; another can be started then */
void kiosk_leave(void);        /* by the menu; and the desk is cleared */
int kiosk_clear(void **state); /* a teardown: what a test that failed has left behind, if it did */

/* The first column of the only row of a query, asked behind the program's back; −1: none. */
int64_t kiosk_query(const char *sql);

#endif
