/* Names that look like something else, typed at the sign-in and taken from a roster. */
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

enum { LONG = 10000, PATIENCE_MS = 400 };

/* What stands around the field is as ever, whatever stands in it. */
static void check_frame(void)
{
    char row[PTY_LINE];
    pty_row(room.desk.pty, 0, row);
    assert_int_equal(strncmp(row, " quiztutor ", 11), 0);
    pty_row(room.desk.pty, 1, row);
    assert_int_equal(strncmp(row, " \342\224\200\342\224\200", 7), 0);
    pty_row(room.desk.pty, 22, row);
    assert_int_equal(strncmp(row, " \342\224\200\342\224\200", 7), 0);
}

/* Enter until it is taken, since a long name takes all keys there may be at once. */
static void enter(void)
{
    char row[PTY_LINE], now[PTY_LINE];
    pty_row(room.desk.pty, 7, row);
    int64_t until = pty_now() + PTY_DEADLINE_MS / 3;
    do {
        type("\r");
        for (int64_t soon = pty_now() + PATIENCE_MS; pty_now() < soon;) {
            pty_pump(room.desk.pty, 20);
            pty_row(room.desk.pty, 7, now);
            if (strcmp(row, now) != 0 || sees("q sign out") || sees("Your PIN"))
                return;
        }
    } while (pty_now() < until);
}

/* Nobody is that: what is said of it is said in its place. */
static void unknown(const struct attempt *attempt)
{
    room_enter();
    type(attempt->text);
    settle();
    check_frame();
    enter();
    settle();
    assert_false(sees("q sign out"));
    check_frame();
}

/* Where the roster is open it may become a learner, as what it is: a name. */
static void becomes_learner(const struct attempt *attempt)
{
    room_configure("roster: open\n");
    room_enter();
    type(attempt->text);
    settle();
    enter();
    settle();
    if (sees("is new here")) {
        type("\r");
        see("q sign out");
        check_frame();
        type("\r");
        see("q finish");
        see("Which letter is the first?");
        int before = desk_attempts(&room.desk);
        type("1\r");
        see("Alpha stands at the beginning.");
        assert_int_equal(desk_attempts(&room.desk), before + 1);
    } else {
        assert_false(sees("q sign out"));
        check_frame();
    }
}

static void both(const struct attempt *attempt)
{
    if (attempt->number)
        becomes_learner(attempt);
    else
        unknown(attempt);
}

static void long_name(const struct attempt *attempt)
{
    static char name[LONG * 4 + 16];
    char *to = name;
    to = stpcpy(to, attempt->other ? "\033[200~" : "");
    for (int i = 0; i < LONG; i++)
        to = stpcpy(to, attempt->text);
    stpcpy(to, attempt->other ? "\033[201~" : "");
    room_configure("roster: open\n");
    room_enter();
    type(name);
    settle();
    check_frame();
    enter();
    settle();
    check_frame();
    assert_false(sees("q sign out"));
}

/* A tutor's roster holds such a name, it is completed and chosen, and stands on every screen. */
static void from_roster(const struct attempt *attempt)
{
    char path[2 * DESK_PATH], command[3 * DESK_PATH];
    snprintf(path, sizeof path, "%s/roster.csv", room.desk.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "name\n\"%s\"\n", attempt->text);
    assert_int_equal(fclose(file), 0);
    snprintf(command, sizeof command, "learner add --from '%s'", path);
    room_command(command, NULL);
    room_configure("completion: true\n");
    char first[8] = { attempt->text[0], '\0' };
    for (int i = 1; i < 4 && (attempt->text[i] & 0xc0) == 0x80; i++)
        first[i] = attempt->text[i];
    room_enter();
    type(first);
    see("Enter sign in");
    type("\033[B");
    settle();
    check_frame();
    type("\t");
    settle();
    check_frame();
    type("\r");
    see("q sign out");
    check_frame();
    type("\r");
    see("q finish");
    see("Which letter is the first?");
    come_home();
    room_configure("");
}

#define BOTH(name, text)                                                                                     \
    { name ", not known", both, STAYS, text, 0, 0 },                                                         \
    {                                                                                                        \
        name ", on an open roster", both, STAYS, text, 1, 0                                                  \
    }

#define HEBREW "\327\251\327\234\327\225\327\235"
#define KANJI  "\346\274\242\345\255\227"
#define FAMILY "\360\237\221\250\342\200\215\360\237\221\251\342\200\215\360\237\221\247"
#define MARKS  "e\314\201\314\202\314\203\314\204\314\206\314\207\314\210\314\211\314\212\314\213"
#define INJECT "x'); DELETE FROM attempt; --"

const struct attempt attempts_names[] = {
    BOTH("a path", "../../../../etc/passwd"),
    BOTH("a path from the root", "/etc/passwd"),
    BOTH("SQL that deletes", INJECT),
    BOTH("SQL that is true", "' OR '1'='1"),
    BOTH("SQL with a wildcard", "%"),
    BOTH("a format", "%s%s%n%p%1000000d"),
    BOTH("a command", "$(reboot);`id`|sh"),
    BOTH("an option", "--config=/etc/passwd"),
    BOTH("markup and YAML", "- &a [*a, {<b>: !!x y}] # \\"),
    BOTH("right to left", HEBREW " " HEBREW),
    BOTH("wide characters", KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI),
    BOTH("marks on marks", MARKS MARKS MARKS),
    BOTH("joined characters", FAMILY FAMILY),
    BOTH("the other direction ordered", "\342\200\256abc\342\200\254"),
    BOTH("nothing to see", "\342\200\213\342\201\240\357\273\277"),
    BOTH("blanks alone", "   \302\240\343\200\200 "),
    BOTH("a name in wide letters", "\357\274\242\357\275\205\357\275\222\357\275\224"),
    BOTH("a journal's line", "<0>kernel: panic"),
    { "10,000 letters", long_name, STAYS, "x", 0, 0 },
    { "10,000 letters pasted", long_name, STAYS, "x", 0, 1 },
    { "10,000 marks", long_name, STAYS, "\314\201", 0, 0 },
    { "10,000 wide characters pasted", long_name, STAYS, "\346\274\242", 0, 1 },
    { "SQL on the roster", from_roster, STAYS, INJECT, 0, 0 },
    { "a format on the roster", from_roster, STAYS, "%s%s%n%p%1000000d", 0, 0 },
    { "a path on the roster", from_roster, STAYS, "../../../../etc/passwd", 0, 0 },
    { "right to left on the roster", from_roster, STAYS, HEBREW " " HEBREW, 0, 0 },
    { "wide characters on the roster", from_roster, STAYS,
      KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI
          KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI KANJI,
      0, 0 },
    { "marks on marks on the roster", from_roster, STAYS, "M" MARKS MARKS MARKS, 0, 0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
