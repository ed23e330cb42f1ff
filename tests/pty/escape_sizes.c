/* Sizes of the window that no screen has, and windows that change faster than anybody looks. */
#include "escape.h"

#include "../slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <string.h>

enum { STORM = 300, LARGEST = 65535 };

static const int sizes[][2] = {
    { 0, 0 },      { 1, 1 },  { 1, LARGEST }, { LARGEST, 1 }, { LARGEST, LARGEST },
    { 0, 80 },     { 24, 0 }, { 2, 2 },       { 9, 39 },      { 10, 40 },
    { 24, 1 },     { 1, 80 }, { 400, 400 },   { 3, 1000 },    { 24, 81 },
    { 200, 1001 },
};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void back(void)
{
    pty_resize(room.desk.pty, 24, 80);
    type("\f");
    settle();
}

static void at(const struct attempt *attempt)
{
    if (strcmp(attempt->text, "question") == 0) {
        room_question();
    } else if (strcmp(attempt->text, "PIN") == 0) {
        room_enter();
        type("bertolt\r");
        see("Your PIN");
    } else {
        room_enter();
    }
}

static void one(const struct attempt *attempt)
{
    at(attempt);
    pty_resize(room.desk.pty, attempt->number, attempt->other);
    settle();
    type("1\033\025x\177\t\f");
    settle();
    back();
}

static void storm(const struct attempt *attempt)
{
    uint32_t random = 7;
    at(attempt);
    for (int i = 0; i < slice_of(STORM); i++) {
        random = random * 1664525 + 1013904223;
        const int *size = sizes[(random >> 16) % SIZES];
        pty_resize(room.desk.pty, size[0], size[1]);
        if (i % 3 == 0)
            type(i % 2 ? "\033[A1" : "\tx\177\f");
        pty_pump(room.desk.pty, 0);
        pty_require(room.desk.pty, !pty_ended(room.desk.pty), "it has ended");
    }
    settle();
    back();
}

/* The window has this size from the start on. */
static void from_start(const struct attempt *attempt)
{
    room.options.rows = attempt->number;
    room.options.columns = attempt->other;
    room_start();
    pty_require(room.desk.pty, pty_wait_raw(room.desk.pty), "no raw terminal");
    settle();
    back();
}

static void while_starting(const struct attempt *attempt)
{
    (void)attempt;
    room_start();
    for (int i = 0; i < SIZES * 4; i++) {
        pty_resize(room.desk.pty, sizes[i % SIZES][0], sizes[i % SIZES][1]);
        pty_pump(room.desk.pty, 1);
    }
    pty_require(room.desk.pty, pty_wait_raw(room.desk.pty), "no raw terminal");
    back();
}

const struct attempt attempts_sizes[] = {
    { "0x0 at sign-in", one, STAYS, "sign-in", 0, 0 },
    { "0x0 at a question", one, STAYS, "question", 0, 0 },
    { "1x1 at sign-in", one, STAYS, "sign-in", 1, 1 },
    { "1x1 at a PIN", one, STAYS, "PIN", 1, 1 },
    { "1x1 at a question", one, STAYS, "question", 1, 1 },
    { "1x65535 at a question", one, STAYS, "question", 1, LARGEST },
    { "65535x1 at a question", one, STAYS, "question", LARGEST, 1 },
    { "65535x65535 at sign-in", one, STAYS, "sign-in", LARGEST, LARGEST },
    { "65535x65535 at a PIN", one, STAYS, "PIN", LARGEST, LARGEST },
    { "65535x65535 at a question", one, STAYS, "question", LARGEST, LARGEST },
    { "2x2 at a question", one, STAYS, "question", 2, 2 },
    { "9x39 at a question", one, STAYS, "question", 9, 39 },
    { "300 sizes with keys at sign-in", storm, STAYS, "sign-in", 0, 0 },
    { "300 sizes with keys at a PIN", storm, STAYS, "PIN", 0, 0 },
    { "300 sizes with keys at a question", storm, STAYS, "question", 0, 0 },
    { "a start at 1x1", from_start, STAYS, NULL, 1, 1 },
    { "a start at a size that is not known", from_start, STAYS, NULL, -1, -1 },
    { "a start at 65535x65535", from_start, STAYS, NULL, LARGEST, LARGEST },
    { "sizes that change while it starts", while_starting, STAYS, NULL, 0, 0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
