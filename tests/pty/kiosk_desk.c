#include "kiosk_desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

struct desk kiosk_desk;

static const char *program, *module;
static char config[DESK_PATH + 64];

/* As tests/app/clock.c maps it. */
struct test_clock {
    int64_t wall, steady, boot;
};
static struct test_clock *moved;

static const char common[] =
    "format: quiztutor-kiosk/1\n"
    "tutor_code: "
    "$argon2id$v=19$m=19456,t=2,p=1$y+iaaOcwGFY7/XWK/iCulw$m9B1eItwxszIXPrUSe5vUS2ec0aUKY7lPPObgH8JTR0\n";

void kiosk_program(const char *path, const char *clock)
{
    program = path;
    module = clock;
    desk_program(path);
}

/* A clock that stands still until the test moves it, at today's time. */
static void set_clock(void)
{
    static struct test_clock *kept;
    char path[DESK_PATH + 16];
    snprintf(path, sizeof path, "%s/clock", kiosk_desk.folder);
    int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(ftruncate(file, sizeof *kept), 0);
    if (kept)
        munmap(kept, sizeof *kept);
    kept = mmap(NULL, sizeof *kept, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    assert_true(kept != MAP_FAILED);
    close(file);
    *kept = (struct test_clock){ (int64_t)time(NULL) * 1000, 1000000, 1 };
    moved = kept;
}

void kiosk_set(void)
{
    desk_set(&kiosk_desk);
    if (module)
        set_clock();
    kiosk_command("learner add Ana", NULL);
    kiosk_command("learner add Bea", NULL);
}

/* Written beside and moved over, so that no half of it is ever read. */
void kiosk_configure(const char *more)
{
    char beside[DESK_PATH + 80], folder[DESK_PATH + 48];
    snprintf(folder, sizeof folder, "%s/etc", kiosk_desk.folder);
    mkdir(folder, 0700);
    snprintf(config, sizeof config, "%s/kiosk.yaml", folder);
    snprintf(beside, sizeof beside, "%s.new", config);
    FILE *file = fopen(beside, "w");
    assert_non_null(file);
    fprintf(file, "%sstore: %s\ncontent: %s\n%s", common, kiosk_desk.store, kiosk_desk.content, more);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(rename(beside, config), 0);
}

void kiosk_command(const char *arguments, const char *line)
{
    char command[4 * DESK_PATH];
    snprintf(command, sizeof command, "%s%s%s'%s' --store '%s' %s >/dev/null 2>&1", line ? "printf '" : "",
             line ? line : "", line ? "\\n' | " : "", program, kiosk_desk.store, arguments);
    assert_int_equal(system(command), 0);
}

void kiosk_start(struct pty_options options)
{
    static char preload[DESK_PATH + 256], clock[DESK_PATH + 32];
    const char *const arguments[] = { "kiosk", "--config", config };
    int count = 0;
    options.program = program;
    memcpy(options.arguments, arguments, sizeof arguments);
    options.environment[count++] =
        "ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0"; /* LeakSanitizer's threads are refused in
                                                                   there */
    if (module) {
        snprintf(preload, sizeof preload, "LD_PRELOAD=%s", module);
        snprintf(clock, sizeof clock, "TEST_CLOCK=%s/clock", kiosk_desk.folder);
        options.environment[count++] = preload;
        options.environment[count++] = clock;
    }
    kiosk_desk.pty = pty_start(&options);
}

void kiosk_begin(const char *more)
{
    kiosk_set();
    kiosk_configure(more);
    kiosk_start((struct pty_options){ 0 });
}

int64_t kiosk_wall(void)
{
    return moved->wall;
}

void kiosk_pass(int64_t ms)
{
    moved->wall += ms;
    moved->steady += ms;
}

void kiosk_see(const char *text)
{
    pty_require(kiosk_desk.pty, pty_wait_text(kiosk_desk.pty, text), text);
}

void kiosk_gone(const char *text)
{
    pty_require(kiosk_desk.pty, pty_wait_gone(kiosk_desk.pty, text), text);
}

void kiosk_type(const char *keys)
{
    pty_type(kiosk_desk.pty, keys);
}

/* The last row comes last: what is awaited above it might still be of the screen before. */
void kiosk_sign_in(const char *name)
{
    kiosk_see("F1 all keys");
    kiosk_see("Your name or ID");
    kiosk_type(name);
    kiosk_see(name);
    kiosk_type("\r");
}

void kiosk_sign_out(void)
{
    kiosk_see("q sign out");
    kiosk_type("q");
    kiosk_gone("q sign out");
}

void kiosk_tutor(void)
{
    kiosk_gone("What you type is not shown"); /* of a code asked for before */
    kiosk_type("\033[20~");                   /* F9 */
    kiosk_see("What you type is not shown");
    kiosk_type("open sesame\r");
    kiosk_see("Tutor's menu");
    kiosk_see("Esc back   ↑ ↓ move"); /* the last row comes last */
}

/* The row of the menu's cursor is no longer the one before. */
static bool has_moved(struct pty *pty, const void *before)
{
    int column;
    int now = pty_find(pty, "▸", &column);
    return now >= 0 && now != *(const int *)before;
}

void kiosk_choose(const char *row)
{
    char chosen[200];
    snprintf(chosen, sizeof chosen, "▸ %s", row);
    kiosk_see(row);
    for (int step = 0, column; step < 100 && !pty_has(kiosk_desk.pty, chosen); step++) {
        int before = pty_find(kiosk_desk.pty, "▸", &column), at = pty_find(kiosk_desk.pty, row, &column);
        kiosk_type(before < at ? "\033[B" : "\033[A");
        pty_require(kiosk_desk.pty, pty_wait(kiosk_desk.pty, has_moved, &before), row);
    }
    kiosk_type("\r");
}

const char *kiosk_exam(int from, int until, const char *more)
{
    static char text[400];
    char days[2][32];
    for (int i = 0; i < 2; i++) {
        time_t at = (time_t)(kiosk_wall() / 1000) + (i ? until : from) * (time_t)86400;
        struct tm then;
        assert_non_null(gmtime_r(&at, &then));
        strftime(days[i], sizeof days[i], "%Y-%m-%d 12:00", &then);
    }
    snprintf(text, sizeof text,
             "idle: 120\nexams:\n  - pack: pty-pack\n    from: %s\n    until: %s\n    minutes: 30\n%s",
             days[0], days[1], more);
    return text;
}

void kiosk_begin_exam(void)
{
    kiosk_see("exam until");
    kiosk_see("Enter exam");
    kiosk_type("\r");
    kiosk_see("Begin the exam?");
    kiosk_type("\r");
    kiosk_see("Which letter is the first?");
    kiosk_see("30 min left");
}

int kiosk_exit_status(void)
{
    int status = pty_wait_exit(kiosk_desk.pty);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

void kiosk_kill(void)
{
    assert_int_equal(kill(pty_program(kiosk_desk.pty), SIGKILL), 0);
    pty_wait_exit(kiosk_desk.pty);
    pty_finish(kiosk_desk.pty);
    kiosk_desk.pty = NULL;
}

void kiosk_leave(void)
{
    kiosk_tutor();
    kiosk_choose("Leave the kiosk");
    kiosk_see("Do this?");
    kiosk_type("y");
    assert_int_equal(kiosk_exit_status(), 3);
    desk_clear(&kiosk_desk);
}

int kiosk_clear(void **state)
{
    (void)state;
    if (kiosk_desk.folder[0] && access(kiosk_desk.folder, F_OK) == 0)
        desk_clear(&kiosk_desk);
    return 0;
}

int64_t kiosk_query(const char *sql)
{
    sqlite3 *database = NULL;
    sqlite3_stmt *statement = NULL;
    int64_t number = -1;
    assert_int_equal(sqlite3_open_v2(kiosk_desk.store, &database, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    sqlite3_busy_timeout(database, PTY_DEADLINE_MS);
    sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    assert_int_equal(sqlite3_prepare_v2(database, sql, -1, &statement, NULL), SQLITE_OK);
    if (sqlite3_step(statement) == SQLITE_ROW)
        number = sqlite3_column_int64(statement, 0);
    sqlite3_finalize(statement);
    sqlite3_close(database);
    return number;
}
