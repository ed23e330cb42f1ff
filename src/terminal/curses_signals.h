/*
 * The signals of a process that holds a terminal. What ends the session or changes the window is noted for
 * the loop that reads input; what kills at once (a crash, or a second signal while the first is not attended
 * to) restores the terminal by itself first. One at a time per process, since signals are process-wide.
 */
#ifndef QUIZTUTOR_CURSES_SIGNALS_H
#define QUIZTUTOR_CURSES_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <termios.h>

enum { SIGNALS_RESTORE = 512 };

/* How a handler gives the terminal back: bytes to write, modes to set. */
struct signals_restore {
    int descriptor;
    struct termios modes;
    char bytes[SIGNALS_RESTORE];
    int length;
};

/* From here on no key kills the program, whether the terminal is raw or not yet. Remembers all actions. Once;
 * until signals_release further calls do nothing. */
void signals_hold(void);

/* The terminal is raw: what dies from now on gives it back. `lock`: INT, QUIT and TSTP do nothing, whoever
 * sends them. */
void signals_arm(const struct signals_restore *restore, bool lock);

/* The terminal has new modes to be restored to, after a stop. */
void signals_modes(const struct termios *modes);

/* All actions as they were before signals_hold. */
void signals_release(void);

/* The signal that asks for an end, or 0. */
int signals_ending(void);

/* True once for each time that it happened. */
bool signals_take_resize(void);
bool signals_take_stop(void);
bool signals_take_continue(void);
bool signals_take_disturbed(void); /* a key was a signal still: what was written may be lost */
bool signals_pending(void);

/* While blocked none of the noted signals is delivered; `mask` becomes the one to wait with. */
void signals_block(sigset_t *mask);
void signals_unblock(const sigset_t *mask);

/*
 * Waits for bytes on a descriptor, −1 for ever, with `mask`: the noted signals are let in during the wait
 * only, so that none slips in between looking and waiting.
 */
enum arrival { ARRIVAL_NOTHING, ARRIVAL_SOMETHING, ARRIVAL_SIGNAL, ARRIVAL_END };
enum arrival signals_wait(int descriptor, int timeout_ms, const sigset_t *mask);

/* False where nobody would let the process go on again: the signal was ignored when the program started. */
bool signals_can_stop(void);

/* Stops the whole process group as the terminal driver would, and returns when continued, with the keyboard
 * signals ignored until signals_listen. */
void signals_stop(void);
void signals_listen(void);

#endif
