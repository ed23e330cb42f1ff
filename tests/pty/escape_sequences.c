/* What terminals send and answer, whole, cut short and forged: at the sign-in and at a question. */
#include "escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONG = 100000 };

static void at(const struct attempt *attempt)
{
    if (attempt->other)
        room_question();
    else
        room_enter();
}

/* The same, `number` times. */
static void bytes(const struct attempt *attempt)
{
    at(attempt);
    for (int i = 0; i <= attempt->number; i++)
        type(attempt->text);
    settle();
}

/* Each final byte behind the introducer, bare and with numbers. */
static void finals(const struct attempt *attempt)
{
    static const char *const parameters[] = { "", "1", "1;5", "27;5;99", "?1", ">0;276;0", "<0;10;10", "=1" };
    char sequence[64];
    at(attempt);
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters; i++)
        for (int final = 0x40; final < 0x7f; final++) {
            snprintf(sequence, sizeof sequence, "%s%s%c", attempt->text, parameters[i], final);
            type(sequence);
        }
    settle();
}

/* Strings that a terminal answers with, with both ends, and without one. */
static void strings(const struct attempt *attempt)
{
    static const char *const inside[] = {
        "52;c;cm0gLXJmIC8K", "0;quiztutor", "10;rgb:ffff/ffff/ffff", "1$r0m", "1+r544e=787465726d",
        ">|XTerm(388)",      "Gi=1;OK",     "l$(reboot)\r",          ""
    };
    static const char *const ends[] = { "\033\\", "\a", "\234" };
    char sequence[128];
    at(attempt);
    for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
        for (size_t j = 0; j < sizeof ends / sizeof *ends; j++) {
            snprintf(sequence, sizeof sequence, "%s%s%s", attempt->text, inside[i], ends[j]);
            type(sequence);
        }
    settle();
}

static void endless(const struct attempt *attempt)
{
    static char text[LONG + 1];
    at(attempt);
    type(attempt->text);
    memset(text, attempt->number, LONG);
    type(text);
    settle();
    type("\033");
}

static void mouse(const struct attempt *attempt)
{
    char report[64];
    at(attempt);
    for (int button = 0; button < 128; button += 3)
        for (int place = 1; place < 230; place += 57) {
            snprintf(report, sizeof report, "%s%d;%d;%d%s", attempt->text, button, place, place % 80 + 1,
                     attempt->number == 'w'   ? ";0&w"
                     : attempt->number == 'm' ? "m"
                                              : "M");
            type(report);
        }
    settle();
}

/* Three bytes behind CSI M, each of any value. */
static void mouse_bytes(const struct attempt *attempt)
{
    at(attempt);
    for (int button = 32; button < 256; button += 7) {
        char report[6] = { '\033', '[', 'M', (char)button, (char)(287 - button), (char)button };
        pty_send(room.desk.pty, report, sizeof report);
    }
    settle();
}

#define BOTH(name, make, text, number)                                                                       \
    { name " at sign-in", make, STAYS, text, number, 0 },                                                    \
    {                                                                                                        \
        name " at a question", make, STAYS, text, number, 1                                                  \
    }

const struct attempt attempts_sequences[] = {
    BOTH("every CSI sequence", finals, "\033[", 0),
    BOTH("every CSI sequence in eight bits", finals, "\233", 0),
    BOTH("every SS3 sequence", finals, "\033O", 0),
    BOTH("every ESC with one byte", finals, "\033", 0),
    BOTH("every ESC ESC [ sequence", finals, "\033\033[", 0),
    BOTH("every function key of the console", finals, "\033[[", 0),
    BOTH("control strings (DCS)", strings, "\033P", 0),
    BOTH("system commands (OSC)", strings, "\033]", 0),
    BOTH("application commands (APC)", strings, "\033_", 0),
    BOTH("private messages (PM)", strings, "\033^", 0),
    BOTH("strings (SOS)", strings, "\033X", 0),
    BOTH("answers of a terminal", bytes,
         "\033[?1;2c\033[>0;276;0c\033[0n\033[24;80R\033[1;1R\033[8;24;80t\033[?2026;2$y\033[I\033[O", 100),
    BOTH("keys of the kitty protocol", bytes, "\033[99;5u\033[122;5u\033[27;1;27~\033[57441;5:3u", 20),
    BOTH("keys of modifyOtherKeys", bytes, "\033[27;5;99~\033[27;5;122~\033[27;5;92~\033[27;7;46~", 20),
    BOTH("nested beginnings", bytes, "\033[\033O\033P\033]\033[1;\033[?\033[200\033[", 200),
    BOTH("numbers out of every range", bytes,
         "\033[99999999999999999999~\033[-1~\033[;;;;;;;~\033[2147483648;4294967295R\033["
         "18446744073709551616u",
         20),
    { "an unfinished CSI", bytes, STAYS, "\033[1;", 0, 0 },
    { "an unfinished SS3", bytes, STAYS, "\033O", 0, 0 },
    { "an unfinished control string", bytes, STAYS, "\033P1$r", 0, 0 },
    { "an unfinished system command", bytes, STAYS, "\033]52;c;", 0, 0 },
    { "an unfinished system command at a question", bytes, STAYS, "\033]52;c;", 0, 1 },
    { "a CSI of 100,000 digits", endless, STAYS, "\033[", '1', 0 },
    { "a CSI of 100,000 semicolons at a question", endless, STAYS, "\033[", ';', 1 },
    { "a control string of 100,000 bytes", endless, STAYS, "\033P", 'x', 0 },
    { "a system command of 100,000 bytes at a question", endless, STAYS, "\033]", 'y', 1 },
    { "100,000 escapes", endless, STAYS, "", '\033', 0 },
    { "100,000 zero-width joiners' first bytes", endless, STAYS, "", '\342', 1 },
    BOTH("mouse reports, X10", mouse_bytes, NULL, 0),
    BOTH("mouse reports, SGR", mouse, "\033[<", 'M'),
    BOTH("mouse reports, SGR, of buttons let go", mouse, "\033[<", 'm'),
    BOTH("mouse reports, urxvt", mouse, "\033[", 'M'),
    BOTH("mouse reports, UTF-8", bytes, "\033[M\302\240\303\277\303\277\033[M !\337\277", 60),
    BOTH("mouse reports, DEC locator", mouse, "\033[", 'w'),
    BOTH("broken UTF-8", bytes, "\300\200\355\240\200\364\220\200\200\377\376\303\050\342\202\360\237\230",
         20),
    BOTH("characters that are none", bytes,
         "\357\277\276\357\277\277\364\217\277\277\356\200\200\342\200\256\342\200\217\357\273\277\302\233"
         "2J",
         20),
    BOTH("marks on marks", bytes, "e\314\201\314\202\314\203\315\247\315\250\342\203\235\357\270\217", 60),
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
