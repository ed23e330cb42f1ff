/* An environment that wants something: terminals, locales, libraries, folders and programs of somebody
 * else's. */
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
#include <sys/stat.h>
#include <unistd.h>

enum { LONG = 100000, SOON_MS = 3000 };

static char folder[DESK_PATH + 32];

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void command(const char *format, const char *path)
{
    char line[4 * DESK_PATH];
    snprintf(line, sizeof line, "cd '%s' && { %s; } >/dev/null 2>&1 </dev/null", path, format);
    if (system(line) != 0)
        printf("(%s: not here)\n", format);
}

/*
 * A folder of somebody else's: a description of the terminal that draws another word, messages that say it, a
 * store, a configuration, programs that would leave a file.
 */
static void make_folder(void)
{
    char path[2 * DESK_PATH];
    snprintf(folder, sizeof folder, "%s/evil", room.desk.folder);
    assert_int_equal(mkdir(folder, 0755), 0);
    snprintf(path, sizeof path, "%s/terminal", folder);
    write_file(path, "xterm-256color|forged, am, cols#80, lines#24, clear=PWNED\\E[H\\E[2J, "
                     "cup=PWNED\\E[%i%p1%d;%p2%dH, smcup=PWNED, rmcup=PWNED, el=PWNED,\n");
    command("tic -x -o terminfo terminal && cp -r terminfo .terminfo", folder);
    snprintf(path, sizeof path, "%s/messages", folder);
    write_file(path, "msgid \"\"\nmsgstr \"Content-Type: text/plain; charset=UTF-8\\n\"\n"
                     "msgid \"Your name or ID\"\nmsgstr \"PWNED\"\n");
    command("mkdir -p locale/de/LC_MESSAGES && msgfmt -o locale/de/LC_MESSAGES/quiztutor.mo messages",
            folder);
    command("mkdir -p quiztutor bin && echo 'plain: true' >quiztutor/config.yaml && "
            "printf '#!/bin/sh\\necho PWNED\\n' >bin/sh && cp bin/sh bin/less && chmod +x bin/*",
            folder);
}

/* `%s` in the value is that folder. */
static const char *value_of(const char *text)
{
    static char value[4 * DESK_PATH];
    const char *at = strstr(text, "%s");
    if (at)
        snprintf(value, sizeof value, "%.*s%s%s", (int)(at - text), text, folder, at + 2);
    else
        snprintf(value, sizeof value, "%s", text);
    return value;
}

static void enter_and_type(void)
{
    room_enter();
    type("zzz");
    see("zzz");
    int64_t from = pty_now();
    type("\033");
    gone("zzz");
    assert_true(pty_now() - from < SOON_MS * (room.sanitized ? 4 : 1));
}

static void set(const struct attempt *attempt)
{
    make_folder();
    room.given[0] = value_of(attempt->text);
    enter_and_type();
}

static void set_long(const struct attempt *attempt)
{
    static char value[LONG + 64];
    int length = snprintf(value, sizeof value, "%s=", attempt->text);
    memset(value + length, attempt->number, LONG);
    room.given[0] = value;
    enter_and_type();
}

/* All at once that other programs heed. */
static void set_many(const struct attempt *attempt)
{
    (void)attempt;
    static char home[2 * DESK_PATH], store[2 * DESK_PATH];
    make_folder();
    snprintf(home, sizeof home, "HOME=%s", folder);
    snprintf(store, sizeof store, "QUIZTUTOR_STORE=%s/other.db", folder);
    const char *const given[] = { home,
                                  store,
                                  "SHELL=/bin/sh",
                                  "PAGER=/bin/sh",
                                  "EDITOR=/bin/sh",
                                  "VISUAL=/bin/sh",
                                  "BROWSER=/bin/sh",
                                  "IFS=/",
                                  "ENV=/etc/passwd",
                                  "BASH_ENV=/etc/passwd",
                                  "PATH=",
                                  "LINES=1",
                                  "COLUMNS=1",
                                  "QUIZTUTOR_CONTENT=/etc",
                                  NULL };
    memcpy(room.given, given, sizeof given);
    enter_and_type();
    char path[2 * DESK_PATH];
    snprintf(path, sizeof path, "%s/other.db", folder);
    assert_int_equal(access(path, F_OK), -1);
}

const struct attempt attempts_environment[] = {
    { "no TERM", set, STAYS, "TERM", 0, 0 },
    { "an empty TERM", set, STAYS, "TERM=", 0, 0 },
    { "TERM is a path", set, STAYS, "TERM=../../../../etc/passwd", 0, 0 },
    { "TERM is a format", set, STAYS, "TERM=%n%n%n%n%x", 0, 0 },
    { "TERM has a line end", set, STAYS, "TERM=xterm\nxterm", 0, 0 },
    { "TERM=dumb", set, STAYS, "TERM=dumb", 0, 0 },
    { "TERM=linux", set, STAYS, "TERM=linux", 0, 0 },
    { "TERM is an emulator that runs programs", set, STAYS, "TERM=emu", 0, 0 },
    { "TERM of 100,000 bytes", set_long, STAYS, "TERM", 'x', 0 },
    { "TERMINFO with a forged terminal", set, STAYS, "TERMINFO=%s/terminfo", 0, 0 },
    { "TERMINFO_DIRS with a forged terminal", set, STAYS, "TERMINFO_DIRS=%s/terminfo", 0, 0 },
    { "HOME with a forged terminal", set, STAYS, "HOME=%s", 0, 0 },
    { "TERMINFO is a terminal in hexadecimal", set, STAYS, "TERMINFO=hex:1a0100", 0, 0 },
    { "TERMINFO of 100,000 bytes", set_long, STAYS, "TERMINFO", '/', 0 },
    { "TERMCAP with a forged terminal", set, STAYS,
      "TERMCAP=xterm-256color:cl=PWNED:cm=PWNED:co#80:li#24:", 0, 0 },
    { "TERMPATH", set, STAYS, "TERMPATH=%s/terminal:/etc/passwd", 0, 0 },
    { "LINES and COLUMNS of one", set, STAYS, "LINES=1", 0, 0 },
    { "COLUMNS out of every range", set, STAYS, "COLUMNS=99999999999", 0, 0 },
    { "LINES below nothing", set, STAYS, "LINES=-1", 0, 0 },
    { "ESCDELAY of an hour", set, STAYS, "ESCDELAY=3600000", 0, 0 },
    { "NCURSES_NO_UTF8_ACS", set, STAYS, "NCURSES_NO_UTF8_ACS=1", 0, 0 },
    { "NCURSES_TRACE", set, STAYS, "NCURSES_TRACE=0xffffffff", 0, 0 },
    { "NCURSES_GPM_TERMS", set, STAYS, "NCURSES_GPM_TERMS=xterm-256color", 0, 0 },
    { "NCURSES_ASSUMED_COLORS", set, STAYS, "NCURSES_ASSUMED_COLORS=-1,99999999999", 0, 0 },
    { "NCURSES_CONSOLE2", set, STAYS, "NCURSES_CONSOLE2=/etc/passwd", 0, 0 },
    { "BAUDRATE and NCURSES_NO_PADDING", set, STAYS, "BAUDRATE=1", 0, 0 },
    { "LC_ALL is a path", set, STAYS, "LC_ALL=../../../../../../tmp", 0, 0 },
    { "LC_ALL is not there", set, STAYS, "LC_ALL=xx_XX.EBCDIC", 0, 0 },
    { "LC_ALL of 100,000 bytes", set_long, STAYS, "LC_ALL", 'd', 0 },
    { "LC_CTYPE of eight bits", set, STAYS, "LC_CTYPE=de_DE.ISO-8859-1", 0, 0 },
    { "LANGUAGE is a path", set, STAYS, "LANGUAGE=../../../../etc", 0, 0 },
    { "LANGUAGE of 100,000 bytes", set_long, STAYS, "LANGUAGE", ':', 0 },
    { "messages of another folder", set, STAYS, "QUIZTUTOR_LOCALEDIR=%s/locale", 0, 0 },
    { "LOCPATH", set, STAYS, "LOCPATH=%s", 0, 0 },
    { "NLSPATH", set, STAYS, "NLSPATH=%s/%%N", 0, 0 },
    { "GCONV_PATH", set, STAYS, "GCONV_PATH=%s", 0, 0 },
    { "OUTPUT_CHARSET", set, STAYS, "OUTPUT_CHARSET=EBCDIC-US", 0, 0 },
    { "TZ is a file", set, STAYS, "TZ=:/etc/passwd", 0, 0 },
    { "TZ of 100,000 bytes", set_long, STAYS, "TZ", 'A', 0 },
    { "TZDIR", set, STAYS, "TZDIR=%s", 0, 0 },
    { "LD_LIBRARY_PATH", set, STAYS, "LD_LIBRARY_PATH=%s", 0, 0 },
    { "LD_PRELOAD of nothing", set, STAYS, "LD_PRELOAD=/nonexistent/evil.so", 0, 0 },
    { "LD_BIND_NOW", set, STAYS, "LD_BIND_NOW=1", 0, 0 },
    { "GLIBC_TUNABLES", set, STAYS, "GLIBC_TUNABLES=glibc.malloc.perturb=165:glibc.malloc.tcache_count=0", 0,
      0 },
    { "MALLOC_ARENA_TEST and others of malloc", set, STAYS, "MALLOC_TOP_PAD_=99999999", 0, 0 },
    { "no HOME", set, STAYS, "HOME", 0, 0 },
    { "HOME is a file", set, STAYS, "HOME=/etc/passwd", 0, 0 },
    { "HOME of 100,000 bytes", set_long, STAYS, "HOME", 'h', 0 },
    { "settings of another folder", set, STAYS, "XDG_CONFIG_HOME=%s", 0, 0 },
    { "a data folder of another", set, STAYS, "XDG_DATA_HOME=%s", 0, 0 },
    { "TMPDIR is not there", set, STAYS, "TMPDIR=/nonexistent", 0, 0 },
    { "SQLITE_TMPDIR is a file", set, STAYS, "SQLITE_TMPDIR=/etc/passwd", 0, 0 },
    { "no PATH", set, STAYS, "PATH", 0, 0 },
    { "PATH with programs of another", set, STAYS, "PATH=%s/bin", 0, 0 },
    { "another store", set, STAYS, "QUIZTUTOR_STORE=%s/other.db", 0, 0 },
    { "another folder of packs", set, STAYS, "QUIZTUTOR_CONTENT=/etc", 0, 0 },
    { "ACCESSIBLE", set, STAYS, "ACCESSIBLE=1", 0, 0 },
    { "NO_COLOR", set, STAYS, "NO_COLOR=1", 0, 0 },
    { "all that other programs heed at once", set_many, STAYS, NULL, 0, 0 },
    { NULL, NULL, STAYS, NULL, 0, 0 },
};
