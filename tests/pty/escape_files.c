/* Files that are swapped, filled, taken away and made into something else under a kiosk that runs. */
#include "escape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MANY = 200, WATCH_MS = 1500, LOG_HEALS = 1, TUTOR_MENDS = 2 };

static void shell(const char *script)
{
    static char line[8 * DESK_PATH];
    snprintf(line, sizeof line, "cd '%s' && { %s; } >/dev/null 2>&1 </dev/null", room.desk.folder, script);
    assert_int_equal(system(line), 0);
}

/* The watch on files looks once a second; a tutor is called, and the file's content is not shown. */
static void called(void)
{
    see("Please call your tutor.");
    type("\f\t\r1\033");
    settle();
    assert_true(sees("Please call your tutor."));
    assert_int_equal(pty_children(room.desk.pty), 0);
}

/* `text` makes something else of a file while nobody is signed in: a tutor is called, until it is mended. */
static void swapped(const struct attempt *attempt)
{
    room_enter();
    shell("cp -a content content.kept && cp -a etc etc.kept");
    shell(attempt->text);
    called();
    shell("rm -rf content etc && mv content.kept content && mv etc.kept etc");
    see("Your name or ID");
}

/* The same from the start on, when it is not locked in yet. */
static void from_start(const struct attempt *attempt)
{
    shell("cp -a content content.kept && cp -a etc etc.kept");
    shell(attempt->text);
    room_start();
    called();
    shell("rm -rf content etc && mv content.kept content && mv etc.kept etc");
    see("Your name or ID");
}

/* While somebody is signed in nothing of it matters; afterwards a tutor is called. */
static void meanwhile(const struct attempt *attempt)
{
    room_question();
    shell("cp -a content content.kept && cp -a etc etc.kept");
    shell(attempt->text);
    type("1\r");
    see("Alpha stands at the beginning.");
    type("q");
    see("Finish here?");
    type("\r");
    see("1 of 1 right");
    while (!sees("Please call your tutor.") && !pty_ended(room.desk.pty)) {
        type("q");
        pty_pump_for(room.desk.pty, 300);
    }
    called();
    shell("rm -rf content etc && mv content.kept content && mv etc.kept etc");
    see("Your name or ID");
}

/* Something that it puts up with: it stays at the sign-in throughout. */
static void borne(const struct attempt *attempt)
{
    room_enter();
    shell("cp -a content content.kept");
    shell(attempt->text);
    pty_pump_for(room.desk.pty, WATCH_MS);
    see("Your name or ID");
    shell("rm -rf content && mv content.kept content");
    pty_pump_for(room.desk.pty, WATCH_MS);
}

/* The folder grows while it is read: at last there are too many files, and then none. */
static void growing(const struct attempt *attempt)
{
    (void)attempt;
    char script[256];
    room_enter();
    shell("mkdir etc/kiosk.d");
    for (int i = 0; i < MANY; i++) {
        snprintf(script, sizeof script, "echo 'format: quiztutor-kiosk/1' >etc/kiosk.d/%d.yaml", i);
        shell(script);
        pty_pump(room.desk.pty, 0);
    }
    called();
    shell("rm -r etc/kiosk.d");
    see("Your name or ID");
}

/* Sets of packs that change without end: never half old half new, and never stuck. */
static void restless(const struct attempt *attempt)
{
    room_enter();
    for (int i = 0; i < attempt->number; i++) {
        shell(i % 2 ? "cp -a content new && mv -T content old && mv -T new content && rm -r old"
                    : "sed 's/pty-pack/pty-pack/' content/a.yaml >content/.new && mv content/.new "
                      "content/a.yaml && touch etc/kiosk.yaml");
        while (pty_pump(room.desk.pty, 10)) {
        }
    }
    see("Your name or ID");
}

/*
 * The store is no longer what it was. Whoever can do that could do worse; still nobody else's data is shown,
 * nothing is told as stored that is not, and with LOG_HEALS all answers come back from the second log.
 */
static void store_gone(const struct attempt *attempt)
{
    struct pty *pty;
    room_answer();
    pty = room.desk.pty;
    shell("cp -a data data.kept");
    shell(attempt->text);
    type("\r");
    see("Which letter is the second?");
    type("2\r");
    int64_t until = pty_now() + PTY_DEADLINE_MS;
    while (!sees("Beta follows.") && !sees("ot stored") && pty_now() < until)
        pty_pump(pty, 20);
    pty_require(pty, pty_now() < until && !pty_ended(pty), "it says nothing of the answer");
    pty_require(pty, pty_foreground(pty) && pty_children(pty) == 0, "it is not in front");
    room.answers += sees("Beta follows.");
    kill(pty_program(pty), SIGKILL);
    pty_wait_exit(pty);
    if (attempt->number & LOG_HEALS) {
        room_again();
        assert_true(desk_attempts(&room.desk) >= room.answers + 1);
        kill(pty_program(room.desk.pty), SIGKILL);
        pty_wait_exit(room.desk.pty);
    }
    if (attempt->number & TUTOR_MENDS)
        shell("rm -rf data && mv data.kept data");
    room_again();
}

#define CONFIG              "etc/kiosk.yaml"
#define PACK                "content/a.yaml"
#define REPLACE(file, with) "rm -rf " file " && " with

const struct attempt attempts_files[] = {
    { "the configuration a FIFO", swapped, STAYS, REPLACE(CONFIG, "mkfifo " CONFIG), 0, 0 },
    { "the configuration a folder", swapped, STAYS, REPLACE(CONFIG, "mkdir " CONFIG), 0, 0 },
    { "the configuration a link to /etc/passwd", swapped, STAYS, REPLACE(CONFIG, "ln -s /etc/passwd " CONFIG),
      0, 0 },
    { "the configuration a link to itself", swapped, STAYS, REPLACE(CONFIG, "ln -s kiosk.yaml " CONFIG), 0,
      0 },
    { "the configuration a link to /dev/zero", swapped, STAYS, REPLACE(CONFIG, "ln -s /dev/zero " CONFIG), 0,
      0 },
    { "the configuration empty", swapped, STAYS, ": >" CONFIG, 0, 0 },
    { "the configuration of random bytes", swapped, STAYS, "head -c 100000 /dev/urandom >" CONFIG, 0, 0 },
    { "the configuration of 4 GB", swapped, STAYS, "truncate -s 4G " CONFIG, 0, 0 },
    { "the configuration gone", swapped, STAYS, "rm " CONFIG, 0, 0 },
    { "the configuration's folder gone", swapped, STAYS, "rm -r etc", 0, 0 },
    { "the configuration's folder a link to /etc", swapped, STAYS, "rm -r etc && ln -s /etc etc", 0, 0 },
    { "the configuration a FIFO from the start on", from_start, STAYS, REPLACE(CONFIG, "mkfifo " CONFIG), 0,
      0 },
    { "the configuration a link to /etc/passwd from the start on", from_start, STAYS,
      REPLACE(CONFIG, "ln -s /etc/passwd " CONFIG), 0, 0 },
    { "the configuration a FIFO while somebody answers", meanwhile, STAYS, REPLACE(CONFIG, "mkfifo " CONFIG),
      0, 0 },
    { "kiosk.d a FIFO", swapped, STAYS, "mkfifo etc/kiosk.d", 0, 0 },
    { "kiosk.d with a link to /etc/passwd", swapped, STAYS,
      "mkdir etc/kiosk.d && ln -s /etc/passwd etc/kiosk.d/a.yaml", 0, 0 },
    { "kiosk.d with a FIFO", swapped, STAYS, "mkdir etc/kiosk.d && mkfifo etc/kiosk.d/a.yaml", 0, 0 },
    { "kiosk.d growing", growing, STAYS, NULL, 0, 0 },
    { "a pack a link to /etc/passwd", swapped, STAYS, REPLACE(PACK, "ln -s /etc/passwd " PACK), 0, 0 },
    { "a pack a link to itself", swapped, STAYS, REPLACE(PACK, "ln -s a.yaml " PACK), 0, 0 },
    { "a pack a FIFO", swapped, STAYS, REPLACE(PACK, "mkfifo " PACK), 0, 0 },
    { "a pack a folder", borne, STAYS, REPLACE(PACK, "mkdir -p " PACK "/b.yaml"), 0, 0 },
    { "a pack of 4 GB", swapped, STAYS, "truncate -s 4G " PACK, 0, 0 },
    { "a pack of random bytes", swapped, STAYS, "head -c 1000000 /dev/urandom >" PACK, 0, 0 },
    { "all packs gone", swapped, STAYS, "rm -r content", 0, 0 },
    { "the packs a link to /", swapped, STAYS, "rm -r content && ln -s / content", 0, 0 },
    { "the packs a FIFO", swapped, STAYS, "rm -r content && mkfifo content", 0, 0 },
    { "a pack a FIFO from the start on", from_start, STAYS, REPLACE(PACK, "mkfifo " PACK), 0, 0 },
    { "a pack a FIFO while somebody answers", meanwhile, STAYS, REPLACE(PACK, "mkfifo " PACK), 0, 0 },
    { "all packs gone while somebody answers", meanwhile, STAYS, "rm -r content", 0, 0 },
    { "a pack with names of escape sequences", borne, STAYS,
      "printf 'x\\n' >\"$(printf 'content/\\033[2Jx')\"", 0, 0 },
    { "links to /etc/passwd beside the packs", borne, STAYS, "ln -s /etc/passwd content/passwd", 0, 0 },
    { "packs and configuration replaced without end", restless, STAYS, NULL, 120, 0 },
    { "the store removed", store_gone, STAYS, "rm data/store.db", LOG_HEALS | TUTOR_MENDS, 0 },
    { "the store and all beside it removed", store_gone, STAYS, "rm data/*", TUTOR_MENDS, 0 },
    { "the store's folder removed", store_gone, STAYS, "mv data data.away && mkdir data", TUTOR_MENDS, 0 },
    { "the store replaced by an empty one", store_gone, STAYS, ": >new && mv new data/store.db",
      LOG_HEALS | TUTOR_MENDS, 0 },
    { "the store a link to /etc/passwd", store_gone, STAYS,
      "rm data/store.db && ln -s /etc/passwd data/store.db", TUTOR_MENDS, 0 },
    { "the store a FIFO", store_gone, STAYS, "rm data/store.db && mkfifo data/store.db",
      LOG_HEALS | TUTOR_MENDS, 0 },
    { "the store cut to nothing", store_gone, STAYS, ": >data/store.db", LOG_HEALS | TUTOR_MENDS, 0 },
    { "the store overwritten by random bytes", store_gone, STAYS,
      "head -c 200000 /dev/urandom | dd of=data/store.db conv=notrunc", LOG_HEALS | TUTOR_MENDS, 0 },
    { "the store's log a FIFO", store_gone, STAYS,
      "rm -f data/store.db-attempts && mkfifo data/store.db-attempts", LOG_HEALS, 0 },
    { "the store's journal removed", store_gone, STAYS, "rm -f data/store.db-wal data/store.db-shm",
      LOG_HEALS, 0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
