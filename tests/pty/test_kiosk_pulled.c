/*
 * A kiosk, locked in, beside which a sync writes what the centre says: learners come and are completed, are
 * renamed and get PINs between two who practise, are made one, and are erased and stay so. The file is
 * written here as a sync writes it; tests/central plays it through with a server.
 */
#include "desk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
/* cmocka.h needs the four above */
#include <cmocka.h>
#include <quiztutor/central.h>
#include <quiztutor/pulled.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *program;
static struct desk desk;
static char config[DESK_PATH + 64];
static int64_t version;

static void see(const char *text)
{
    pty_require(desk.pty, pty_wait_text(desk.pty, text), text);
}

static void gone(const char *text)
{
    pty_require(desk.pty, pty_wait_gone(desk.pty, text), text);
}

static void type(const char *keys)
{
    pty_type(desk.pty, keys);
}

static struct uuid id_of(int number)
{
    struct uuid id = { { 1, 0x90, 0, 0, 0, 0, 0x70, 0, 0x80 } };
    id.bytes[15] = (unsigned char)number;
    return id;
}

/* One change of the centre, as a sync leaves it. */
static void pulled(int kind, const struct uuid *id, const char *body)
{
    struct pulled *file;
    struct pulled_mark mark = { .server = id_of(200), .at = 1 };
    struct error error = { .message = "" };
    mark.version = ++version;
    if (!pulled_open(&file, desk.store, &error) || !pulled_put(file, kind, version, id, body, &error) ||
        !pulled_set_mark(file, &mark, &error) || !pulled_save(file, &error))
        fail_msg("%s", error.message);
    pulled_close(file);
}

static void learner(int number, const char *name)
{
    char body[200];
    struct uuid id = id_of(number);
    snprintf(body, sizeof body, "{\"name\":\"%s\",\"groups\":[\"7a\"]}", name);
    pulled(CENTRAL_LEARNER, &id, body);
}

static void pin(int number, const char *typed)
{
    char body[200], kept[SECRET_TEXT];
    struct uuid id = id_of(number);
    assert_true(secret_make(kept, typed, (ptrdiff_t)strlen(typed), 4, NULL));
    snprintf(body, sizeof body, "{\"kept\":\"%s\"}", kept);
    pulled(CENTRAL_PIN, &id, body);
}

/* The first number that a query of the store gives; polled for, since the kiosk looks once a second. */
static void wait_for(const char *sql, int wanted)
{
    enum { TRIES = 1500 };
    int is = -1;
    for (int i = 0; i < TRIES && is != wanted; i++) {
        sqlite3 *db = NULL;
        sqlite3_stmt *row = NULL;
        assert_int_equal(sqlite3_open_v2(desk.store, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
        sqlite3_busy_timeout(db, 5000);
        if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) == SQLITE_OK && sqlite3_step(row) == SQLITE_ROW)
            is = sqlite3_column_int(row, 0);
        sqlite3_finalize(row);
        sqlite3_close(db);
        if (is != wanted)
            usleep(20000);
    }
    assert_int_equal(is, wanted);
}

static void begin(void)
{
    char command[4 * DESK_PATH];
    struct pty_options options = { .program = program, .arguments = { "kiosk", "--config", config } };
    options.environment[0] = "ASAN_OPTIONS=detect_leaks=0"; /* its threads are refused in there */
    desk_set(&desk);
    snprintf(command, sizeof command, "mkdir '%s/etc' && '%s' --store '%s' learner add Ana >/dev/null 2>&1",
             desk.folder, program, desk.store);
    assert_int_equal(system(command), 0);
    snprintf(config, sizeof config, "%s/etc/kiosk.yaml", desk.folder);
    FILE *file = fopen(config, "w");
    assert_non_null(file);
    fprintf(file, "format: quiztutor-kiosk/1\nstore: %s\ncontent: %s\n", desk.store, desk.content);
    assert_int_equal(fclose(file), 0);
    desk.pty = pty_start(&options);
}

static void finish(void)
{
    pty_hang_up(desk.pty);
    pty_wait_exit(desk.pty);
    desk_clear(&desk);
}

static void sign_in(const char *name)
{
    see("F1 all keys");
    see("Your name or ID");
    type(name);
    see(name);
    type("\r");
}

static void sign_out(void)
{
    see("q sign out");
    type("q");
    gone("q sign out");
}

static void test_between_learners(void **state)
{
    (void)state;
    begin();
    see("Your name or ID");
    learner(1, "Zoraida");
    wait_for("SELECT count(*) FROM learner", 2);
    see("Your name or ID");
    type("Zo\t"); /* which completes her */
    see("Zoraida");
    type("\r");
    see("q sign out");
    /* while she is signed in nothing is taken over */
    pin(1, "2468");
    learner(2, "Yvo");
    usleep(2200000); /* longer than it looks away: there is nothing to wait for */
    wait_for("SELECT count(*) FROM learner", 2);
    sign_out();
    wait_for("SELECT count(*) FROM learner", 3);
    sign_in("Zoraida");
    see("Your PIN");
    type("1111\r");
    see("tries are left");
    type("2468\r");
    sign_out();
    pin(1, "1357");
    wait_for("SELECT version FROM pulled", (int)version);
    sign_in("Zoraida");
    see("Your PIN");
    type("2468\r");
    see("tries are left");
    type("1357\r");
    sign_out();
    /* renamed: the old name is nobody's */
    learner(1, "Zora");
    wait_for("SELECT count(*) FROM learner WHERE name = 'Zora'", 1);
    sign_in("Zoraida");
    see("Nobody here has the name");
    finish();
}

/* What is broken is passed over, and the next one taken. */
static void test_damaged(void **state)
{
    char path[DESK_PATH + 64];
    (void)state;
    begin();
    see("Your name or ID");
    snprintf(path, sizeof path, "%s-sync", desk.store);
    FILE *file = fopen(path, "w");
    fputs("no such file", file);
    fclose(file);
    sign_in("Ana");
    sign_out();
    learner(1, "Zora");
    wait_for("SELECT count(*) FROM learner", 2);
    sign_in("Zora");
    sign_out();
    finish();
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_between_learners),
        cmocka_unit_test(test_damaged),
    };
    assert_true(argc == 2 && hash_start());
    program = argv[1];
    desk_program(program);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
