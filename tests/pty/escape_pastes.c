/* Pastes: what is in one is text, wherever it came from and however it ends. */
#include "escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <string.h>

enum { PASTE_SILENCE_MS = 5500 };

static void at(const struct attempt *attempt)
{
    if (attempt->other)
        room_question();
    else
        room_enter();
}

/* Keys in a paste are none: nobody signs in by it, no menu opens, nothing is answered. */
static void paste(const struct attempt *attempt)
{
    at(attempt);
    int before = desk_attempts(&room.desk);
    type("\033[200~");
    type(attempt->text);
    type("\033[201~");
    settle();
    assert_false(sees("Tutor's menu"));
    assert_false(sees("Finish here?"));
    assert_int_equal(desk_attempts(&room.desk), before);
}

/* What a paste carries behind a forged end of its own is keys. It may sign a learner in, since whoever sits
 * there may; it must not do more. */
static void paste_forged(const struct attempt *attempt)
{
    at(attempt);
    type("\033[200~x\033[201~");
    type(attempt->text);
    type("\033[201~");
    settle();
    assert_false(sees("Tutor's menu"));
}

static void paste_open(const struct attempt *attempt)
{
    at(attempt);
    for (int i = 0; i <= attempt->number; i++) {
        type("\033[200~");
        type(attempt->text);
    }
    settle();
    pty_pump_for(room.desk.pty, PASTE_SILENCE_MS); /* it is over then */
}

#define BOTH(name, make, text, number)                                                                       \
    { name " at sign-in", make, STAYS, text, number, 0 },                                                    \
    {                                                                                                        \
        name " at a question", make, STAYS, text, number, 1                                                  \
    }

const struct attempt attempts_pastes[] = {
    BOTH("a paste of keys", paste, "Ana\r1\r\t\003\032q y\033[20~open sesame\r\033[F\r", 0),
    BOTH("a paste in a paste", paste, "\033[200~\033[200~Ana\r1\r", 0),
    BOTH("a paste of controls", paste, "\001\002\003\004\005\006\016\021\023\032\034\177\b\f", 0),
    BOTH("a paste with its end inside", paste_forged, "\r\025bertolt\r8642\r\033[20~open\r", 0),
    BOTH("a paste that never ends", paste_open, "Ana\r1\r", 0),
    BOTH("100 pastes that never end", paste_open, "1\r", 99),
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
