/* Keys: all of them, at once, too early, and while something is being confirmed. */
#include "escape.h"

#include "../slice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

enum { STARTS = 60, RANDOM_BYTES = 1048576, PIECE = 4096, EARLY = 4000 };

/* ---- control keys ---- */

static void press_controls(bool alt)
{
    for (int byte = 0; byte <= 0x20; byte++) {
        char keys[3] = { '\033', (char)(byte == 0x20 ? 0x7f : byte), '\0' };
        pty_send(room.desk.pty, alt ? keys : keys + 1, alt ? 2 : 1);
    }
    settle();
}

static void at(const char *where)
{
    if (strcmp(where, "sign-in") == 0) {
        room_enter();
    } else if (strcmp(where, "PIN") == 0) {
        room_enter();
        type("bertolt\r"); /* as their login is not on the screen in this writing */
        see("Your PIN");
    } else if (strcmp(where, "code") == 0) {
        room_enter();
        type("\033[20~");
        see("The tutor's code");
    } else if (strcmp(where, "menu") == 0) {
        room_enter();
        type("\033[20~");
        see("The tutor's code");
        type("open sesame\r");
        see("Tutor's menu");
    } else if (strcmp(where, "home") == 0) {
        room_enter();
        sign_in("Ana");
        see("q sign out");
    } else if (strcmp(where, "question") == 0) {
        room_question();
    } else if (strcmp(where, "explanation") == 0) {
        room_answer();
    }
}

static void controls(const struct attempt *attempt)
{
    at(attempt->text);
    press_controls(attempt->number != 0);
}

static void high_bytes(const struct attempt *attempt)
{
    at(attempt->text);
    for (int byte = 0x80; byte <= 0xff; byte++) {
        char key = (char)byte;
        pty_send(room.desk.pty, &key, 1);
    }
    settle();
}

/* ---- from the first millisecond on ---- */

/* Nothing but what the terminal echoes. */
static bool wrote_nothing(struct pty *pty)
{
    return !pty_log_has(pty, "\033[?1049h") && !pty_log_has(pty, "quiztutor");
}

/* Keys from the first instruction of the program on, until it has a screen. False: it has ended by one. */
static bool start_under(const char *keys, int pause_ms)
{
    room_start();
    struct pty *pty = room.desk.pty;
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (!sees("F1 all keys") && !pty_ended(pty) && pty_now() < until) {
        pty_send(pty, keys, (ptrdiff_t)strlen(keys));
        pty_pump(pty, pause_ms);
    }
    if (!pty_ended(pty)) {
        see("Your name or ID");
        pty_require(pty, pty_foreground(pty) && pty_stops(pty) == 0, "it is not in front");
    }
    return !pty_ended(pty);
}

/*
 * The first millisecond belongs to the dynamic loader, where no program can have said a word yet: there a key
 * ends what has not begun, unless the starter has blocked signals, and the starter starts it anew. From the
 * first line of main on none does; whoever had one on the terminal has passed that.
 */
static void first_moments(const struct attempt *attempt)
{
    const char *given = getenv("ESCAPE_STARTS");
    int starts = given ? atoi(given) : slice_of(STARTS);
    for (int i = 0; i < starts; i++) {
        room.options.prepare = attempt->number ? room_block_signals : NULL;
        bool stayed = start_under(attempt->text, i % 4 == 0 ? 0 : 1);
        struct pty *pty = room.desk.pty;
        if (!stayed) {
            int status = pty_wait_exit(pty);
            pty_require(pty, !attempt->number, "it has ended");
            pty_require(pty, WIFSIGNALED(status) && wrote_nothing(pty), "it has ended after its beginning");
        }
        pty_require(pty, pty_children(pty) == 0, "it has made a process");
        pty_finish(pty);
        room.desk.pty = NULL;
    }
    room.options.prepare = NULL;
    room_enter();
}

static void too_early(const struct attempt *attempt)
{
    room_start();
    for (int sent = 0; sent < EARLY; sent += (int)strlen(attempt->text))
        type(attempt->text);
    see("F1 all keys");
    see("Your name or ID");
    settle();
}

/* ---- floods ---- */

static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

static void send_random(uint64_t random)
{
    static char piece[PIECE];
    for (int sent = 0; sent < slice_of(RANDOM_BYTES); sent += PIECE) {
        for (int i = 0; i < PIECE; i++)
            piece[i] = (char)random_next(&random);
        pty_send(room.desk.pty, piece, PIECE);
        while (pty_pump(room.desk.pty, 0)) {
        }
        pty_require(room.desk.pty, !pty_ended(room.desk.pty), "it has ended");
    }
    type("\033\033\033[201~\033"); /* a paste that has begun ends */
}

static void random_bytes(const struct attempt *attempt)
{
    at(attempt->text);
    send_random((uint64_t)attempt->number);
}

/* Where the kernel can lock nobody in, which the screen says: then nothing but the program itself forbids
 * what it does not do. */
static void bare(const struct attempt *attempt)
{
    room.bare = true;
    at(attempt->text);
    assert_true(sees("Not locked in"));
    press_controls(false);
    press_controls(true);
    send_random((uint64_t)attempt->number);
}

static void repeated(const struct attempt *attempt)
{
    at(attempt->text);
    for (int i = 0; i < attempt->number; i++)
        type("\033[20~\r\r\033OP\tq\ry\r");
}

/* ---- confirmations ---- */

static void before_finish(const struct attempt *attempt)
{
    (void)attempt;
    room_answer();
    type("qyyyy");
    see("Finish here?");
    settle();
    see("Finish here?"); /* none of them was meant for it */
    assert_false(sees("right the first time"));
    type("\033");
    gone("Finish here?");
}

static void before_leaving(const struct attempt *attempt)
{
    (void)attempt;
    at("menu");
    type("\033[F");
    see("Enter leave");
    type("\ryyyy");
    see("Do this?");
    settle();
    see("Do this?");
}

static void without_code(const struct attempt *attempt)
{
    at("code");
    type(attempt->text);
    gone("*");
    assert_false(sees("Tutor's menu"));
}

const struct attempt attempts_keys[] = {
    { "every control key at sign-in", controls, STAYS, "sign-in", 0, 0 },
    { "every control key with Alt at sign-in", controls, STAYS, "sign-in", 1, 0 },
    { "every control key at a PIN", controls, STAYS, "PIN", 0, 0 },
    { "every control key with Alt at a PIN", controls, STAYS, "PIN", 1, 0 },
    { "every control key at the tutor's code", controls, STAYS, "code", 0, 0 },
    { "every control key in the tutor's menu", controls, STAYS, "menu", 0, 0 },
    { "every control key at home", controls, STAYS, "home", 0, 0 },
    { "every control key at a question", controls, STAYS, "question", 0, 0 },
    { "every control key with Alt at a question", controls, STAYS, "question", 1, 0 },
    { "every control key at an explanation", controls, STAYS, "explanation", 0, 0 },
    { "every byte above 0x7f at sign-in", high_bytes, STAYS, "sign-in", 0, 0 },
    { "every byte above 0x7f at a question", high_bytes, STAYS, "question", 0, 0 },
    { "^C ^Z ^\\ ^S from the first instruction on", first_moments, STAYS, "\003\032\034\023", 1, 0 },
    { "^C ^Z ^\\ ^S from the first instruction on, signals not blocked", first_moments, STAYS,
      "\003\032\034\023", 0, 0 },
    { "a whole sign-in before there is a screen", too_early, STAYS, "Ana\r\r1\r\r", 0, 0 },
    { "a sign-in by completion before there is a screen", too_early, STAYS, "B\t\r8642\r", 0, 0 },
    { "1 MB of random bytes at sign-in", random_bytes, STAYS, "sign-in", 1, 0 },
    { "1 MB of random bytes at a question", random_bytes, STAYS, "question", 2, 0 },
    { "1 MB of random bytes at a PIN", random_bytes, STAYS, "PIN", 3, 0 },
    { "every control key and 1 MB of random bytes without a sandbox", bare, STAYS, "sign-in", 4, 0 },
    { "every control key and 1 MB of random bytes without a sandbox, at a question", bare, STAYS, "question",
      5, 0 },
    { "F9, Enter and F1 2000 times", repeated, STAYS, "sign-in", 2000, 0 },
    { "F9, Enter and F1 2000 times at a question", repeated, STAYS, "question", 2000, 0 },
    { "keys while the end of a practice is confirmed", before_finish, STAYS, NULL, 0, 0 },
    { "keys while leaving the kiosk is confirmed", before_leaving, STAYS, NULL, 0, 0 },
    { "an empty tutor's code", without_code, STAYS, "\r", 0, 0 },
    { "a wrong tutor's code", without_code, STAYS, "open sesame \r", 0, 0 },
    { "the hash as the tutor's code", without_code, STAYS, "$argon2id$v=19$m=19456,t=2,p=1$y+iaaOcwGFY7\r", 0,
      0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
