/*
 * Turns what arrives from a terminal, byte by byte with the time of each, into inputs: characters, keys, the
 * content of a bracketed paste. ncurses recognises most keys itself; what a slow line has split reaches this
 * decoder in pieces. Pure: it reads no clock and no terminal. The caller owns the struct; there is nothing to
 * finish.
 */
#ifndef QUIZTUTOR_CURSES_DECODER_H
#define QUIZTUTOR_CURSES_DECODER_H

#include <quiztutor/input.h>
#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

enum {
    DECODER_LATE_MS = 1000,  /* how long the rest of a split sequence is waited for, at each step */
    DECODER_REPORT_MS = 300, /* how long an ESC is held while a cursor report is awaited */
    DECODER_PASTE_MS = 5000, /* silence after which a paste whose end got lost is over */
    DECODER_PARAMETERS = 32, /* bytes of a sequence that are kept */
    DECODER_QUEUE = 64,      /* inputs that one byte can set free, with room to spare */
};

enum decoder_state {
    DECODER_PLAIN,
    DECODER_ESCAPED, /* an ESC that may begin a sequence */
    DECODER_LATE,    /* that ESC was handed out as a key: what comes may still be its rest */
    DECODER_CSI,     /* ESC [ … */
    DECODER_SS3,     /* ESC O … */
    DECODER_CONSOLE, /* ESC [ [ …: F1 to F5 of the Linux console */
};

struct decoder {
    enum decoder_state state;
    bool late; /* the sequence's ESC was handed out already: the rest is swallowed */
    bool pasting;
    bool report_awaited;
    bool report_arrived;
    int report_row, report_column;
    int64_t since; /* ms: when the last byte came */
    char parameters[DECODER_PARAMETERS + 1];
    int parameter_count; /* may pass DECODER_PARAMETERS: the surplus is not kept */
    mbstate_t shift;
    struct input queue[DECODER_QUEUE];
    int first, count;
};

void decoder_init(struct decoder *decoder);

/* One byte as it came at `now` (ms of a steady clock), or one key that ncurses has recognised. */
void decoder_byte(struct decoder *decoder, unsigned char byte, int64_t now);
void decoder_key(struct decoder *decoder, int32_t key, int64_t now);
void decoder_paste(struct decoder *decoder, bool begins, int64_t now);

/* Nothing more has come until `now`: lets go of what has waited long enough. */
void decoder_time(struct decoder *decoder, int64_t now);

/* ms from `now` until decoder_time has something to do, −1 for never. */
int decoder_wait(const struct decoder *decoder, int64_t now);

/* Takes the next input; false when there is none. */
bool decoder_next(struct decoder *decoder, struct input *input);

/* Forgets what was typed so far; a paste or a sequence under way stays one, and its rest is swallowed. */
void decoder_flush(struct decoder *decoder);

#endif
