/*
 * Sequences of keys that are known whatever terminfo says, and the emulators that understand xterm's.
 * Constant tables.
 */
#ifndef QUIZTUTOR_CURSES_KEYS_H
#define QUIZTUTOR_CURSES_KEYS_H

#include <quiztutor/input.h>
#include <stdbool.h>

enum { KEYS_PASTE_BEGINS = -1, KEYS_PASTE_ENDS = -2 };

struct keys_row {
    const char *sequence;
    int32_t key; /* enum input_key, or one of the above */
};
extern const struct keys_row keys_rows[];
extern const int keys_row_count;

/* True for a $TERM that begins with xterm or names an emulator, with or without something after it
 * ("foot-extra"). */
bool keys_is_emulator(const char *term);

#endif
