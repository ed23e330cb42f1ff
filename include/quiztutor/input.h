/*
 * What comes in from a terminal, already decoded: keys by name, text by code point, a new size, an end.
 */
#ifndef QUIZTUTOR_INPUT_H
#define QUIZTUTOR_INPUT_H

#include <stdint.h>

enum input_kind {
    INPUT_NONE, /* time ran out */
    INPUT_KEY,
    INPUT_PASTE, /* one code point of a bracketed paste: only a text field takes it */
    INPUT_RESIZE,
    INPUT_HANGUP, /* the terminal is gone, or SIGTERM: end cleanly */
};

/* A key: a code point (≥ 0x20, not 0x7f), or one of these. */
enum input_key {
    KEY_CODE_ENTER = 0x110000,
    KEY_CODE_ESCAPE,
    KEY_CODE_TAB,
    KEY_CODE_BACKSPACE,
    KEY_CODE_DELETE,
    KEY_CODE_UP,
    KEY_CODE_DOWN,
    KEY_CODE_LEFT,
    KEY_CODE_RIGHT,
    KEY_CODE_HOME,
    KEY_CODE_END,
    KEY_CODE_PAGE_UP,
    KEY_CODE_PAGE_DOWN,
    KEY_CODE_F1,
    KEY_CODE_F12 = KEY_CODE_F1 + 11,
    KEY_CODE_CONTROL_A, /* … KEY_CODE_CONTROL_A + 25 for ^Z; ^H, ^I, ^J, ^M and ^[ come as the keys above */
    KEY_CODE_CONTROL_Z = KEY_CODE_CONTROL_A + 25,
};

struct input {
    enum input_kind kind;
    int32_t key;       /* INPUT_KEY, INPUT_PASTE (a newline is '\n') */
    int rows, columns; /* INPUT_RESIZE */
};

#endif
