/*
 * test_kiosk_memory [STEP [FIRST]]: a kiosk without memory, at every STEP-th allocation of SQLite's in turn
 * from the FIRST-th on, and every (STEP / 8)-th of ours, once or from then on for good; on screens and in
 * lines; from its start over sign-in, PIN, questions, answers and the summary to the sign-out. It carries on
 * or ends in order, with words where it could not even begin; and each answer whose result was shown is in
 * the store, once, and comes back out of the second log alone. 0 for FIRST: another one each day.
 */
#include "../../slice.h"
#include "fixture.h"
#include "sitter.h"

#include <quiztutor/heal.h>
#include <quiztutor/kiosk.h>
#include <quiztutor/lock.h>
#include <quiztutor/memory.h>
#include <quiztutor/message.h>
#include <quiztutor/roster.h>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined __SANITIZE_ADDRESS__
#define ADDRESSES 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define ADDRESSES 1
#endif
#endif
#ifdef ADDRESSES
#include <sanitizer/lsan_interface.h>
#endif

enum { SITES = 200000 /* more than one run has */, SECONDS = 60 /* for one run */, STEP = 251, LEAKS = 40 };
enum { FILES = 4, OUTPUT = 65536, QUIET = 80000 /* ms: a kiosk makes backups meanwhile */ };

/* Whose n-th allocation fails, and whether each later one does too. */
enum shortage { OURS_ONCE, OURS_FROM, SQLITE_ONCE, SQLITE_FROM };
static const char *const shortage_names[] = { "ours, once", "ours, from there on", "SQLite's, once",
                                              "SQLite's, from there on" };

static const char *const endings[FILES] = { "", "-wal", "-attempts", "-lock" };
static const char pack[] =
    "format: quiztutor/1\nid: small\ntitle: A small pack\nlanguage: en\nlicence: CC0-1.0\nshuffle: none\n"
    "questions:\n"
    "  - id: sum\n    prompt: How much are 500 and five?\n    number:\n      answer: 505\n"
    "    explanation: It is 505.\n"
    "  - id: word\n    prompt: What is the opposite of hot?\n    text:\n      accept: [cold]\n"
    "    explanation: What is not hot is cold.\n"
    "  - id: truth\n    prompt: Is it true or false that the sun is a star?\n    true_false: true\n"
    "    explanation: It is the nearest one.\n";
static const char *const ids[SITTER_QUESTIONS] = { "sum", "word", "truth" };
/* "1234", made so that it takes no time */
static const char pin[] =
    "$argon2id$v=19$m=8,t=1,p=1$DLNxfwTVfj8adMhwLlUGVw$Cv3CLaN/zLAonLYPmt8bkLYgmjEwSefyz5x9FV09q40";

static struct fixture fixture;
static struct error error;
static char config[FIXTURE_PATH + 32], output_path[FIXTURE_PATH + 32], backups[FIXTURE_PATH + 32];
static unsigned char *bytes[FILES]; /* of the store before each run */
static ptrdiff_t length[FILES];
static int step = STEP, first;
static bool tells;
static int64_t late; /* ms: nobody is there before */

/* ---- SQLite's allocator ---- */

static long sqlite_left;
static bool sqlite_lasting, sqlite_hit;

static bool denied(void)
{
    if (sqlite_left == 0)
        return false;
    if (sqlite_left > 1) {
        sqlite_left--;
        return false;
    }
    if (!sqlite_lasting)
        sqlite_left = 0;
    return sqlite_hit = true;
}

/* The size lies 16 bytes before what SQLite gets. */
static void *block_make(int size)
{
    sqlite3_int64 *block = denied() ? NULL : malloc((size_t)size + 16);
    if (!block)
        return NULL;
    block[0] = size;
    return block + 2;
}

static void block_free(void *block)
{
    if (block)
        free((sqlite3_int64 *)block - 2);
}

static void *block_resize(void *old, int size)
{
    sqlite3_int64 *block = denied() ? NULL : realloc((sqlite3_int64 *)old - 2, (size_t)size + 16);
    if (!block)
        return NULL;
    block[0] = size;
    return block + 2;
}

static int block_size(void *block)
{
    return block ? (int)((sqlite3_int64 *)block)[-2] : 0;
}

static int round_up(int size)
{
    return (size + 7) & ~7;
}

static int allocator_start(void *context)
{
    (void)context;
    return SQLITE_OK;
}

static void allocator_stop(void *context)
{
    (void)context;
}

/* ---- the place ---- */

static void write_text(const char *path, const char *text)
{
    fixture_write(path, text, (ptrdiff_t)strlen(text));
}

static void make_store(void)
{
    const struct roster_line lines[] = { { .name = "Ana", .plain = ROSTER_UNSAID },
                                         { .name = "Bea", .plain = ROSTER_UNSAID } };
    struct roster_result results[2];
    struct heal_report report = { 0 };
    struct store *store;
    char sql[300], hex[33];
    assert_true(heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error));
    assert_true(roster_add(store, lines, results, 2, &error));
    struct store_session session = fixture_session(1, 2, "Ana");
    session.learner.id = results[0].learner;
    struct store_attempt attempt = fixture_attempt(100, "elsewhere", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    hash_hex(hex, results[0].learner.bytes, sizeof results[0].learner.bytes);
    store_close(store);
    heal_report_finish(&report);
    snprintf(sql, sizeof sql, "INSERT INTO pin(learner_id, kept) VALUES(x'%s', '%s')", hex, pin);
    fixture_sql(fixture.path, sql);
}

static int start(void **state)
{
    char path[FIXTURE_PATH + 64], text[4 * FIXTURE_PATH];
    (void)state;
    fixture_start(&fixture);
    snprintf(path, sizeof path, "%s/data", fixture.folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(fixture.path, sizeof fixture.path, "%s/data/s.db", fixture.folder);
    make_store();
    for (int i = 0; i < FILES; i++)
        bytes[i] = fixture_read(fixture_beside(fixture.path, endings[i]), &length[i]);
    snprintf(path, sizeof path, "%s/etc", fixture.folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(config, sizeof config, "%s/etc/kiosk.yaml", fixture.folder);
    snprintf(backups, sizeof backups, "%s/backups", fixture.folder);
    snprintf(text, sizeof text,
             "format: quiztutor-kiosk/1\nwelcome: Good morning.\nstore: %s\ncontent: %s/packs\nidle: 60\n"
             "backups: {folder: %s, keep: 2, every: 1 day}\n",
             fixture.path, fixture.folder, backups);
    write_text(config, text);
    snprintf(path, sizeof path, "%s/packs", fixture.folder);
    assert_int_equal(mkdir(path, 0700), 0);
    snprintf(path, sizeof path, "%s/packs/small.yaml", fixture.folder);
    write_text(path, pack);
    snprintf(output_path, sizeof output_path, "%s/data/output", fixture.folder);
    return 0;
}

static int end(void **state)
{
    (void)state;
    for (int i = 0; i < FILES; i++)
        memory_free(bytes[i]);
    fixture_end(&fixture);
    return 0;
}

static void lose_store(void)
{
    unlink(fixture.path);
    unlink(fixture_beside(fixture.path, "-wal"));
    unlink(fixture_beside(fixture.path, "-shm"));
    unlink(fixture_beside(fixture.path, "-journal"));
}

/* How many files lie in the folder of backups, and are backups; others fail the test. They go where they are
 * not kept. */
static int count_backups(bool kept)
{
    DIR *folder = opendir(backups);
    struct dirent *entry;
    int count = 0;
    while (folder && (entry = readdir(folder))) {
        const char *ending = strstr(entry->d_name, ".backup");
        char path[2 * FIXTURE_PATH];
        if (*entry->d_name == '.')
            continue;
        assert_true(ending && strcmp(ending, ".backup") == 0);
        count++;
        snprintf(path, sizeof path, "%s/%s", backups, entry->d_name);
        if (!kept)
            unlink(path);
    }
    if (folder)
        closedir(folder);
    return count;
}

static void put_store(void)
{
    lose_store();
    for (int i = 0; i < FILES; i++) {
        const char *path = fixture_beside(fixture.path, endings[i]);
        unlink(path);
        if (length[i] >= 0)
            fixture_write(path, bytes[i], length[i]);
    }
}

/* ---- one run ---- */

struct run {
    struct sitter_seen seen;
    bool hit, done;
    char why[sizeof error.message];
};
static struct run *shared;

static void begin_shortage(enum shortage shortage, long n)
{
    if (shortage == OURS_ONCE)
        memory_fail_once(n);
    else if (shortage == OURS_FROM)
        memory_fail_after(n);
    sqlite_lasting = shortage == SQLITE_FROM;
    sqlite_left = shortage >= SQLITE_ONCE ? n : 0;
}

static void end_shortage(void)
{
    shared->hit = memory_failed() || sqlite_hit;
    memory_fail_after(0);
    sqlite_left = 0;
}

/* Of a kiosk in lines: each read gets one of them, as from a terminal. */
static void set_lines(void)
{
    static const char *const lines[] = { "Ana\n", "1234\n", "1\n", "505\n", "cold\n", "true\n", "q\n" };
    int ends[2], out = open(output_path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (out < 0 || dup2(out, 1) < 0 || socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0)
        _exit(50);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        if (write(ends[1], lines[i], strlen(lines[i])) < 0)
            _exit(51);
    close(ends[1]);
    if (dup2(ends[0], 0) < 0)
        _exit(52);
}

static _Noreturn void work(bool screens, enum shortage shortage, long n)
{
    struct clock_fake clock = fixture.time;
    struct kiosk_setup setup = { .config = config, .clock = clock_fake(&clock), .screens = screens };
    enum kiosk_end kiosk_end = KIOSK_END_AGAIN;
    clock.wall += 3600000;
    clock.steady = 5000;
    if (!tells)
        dup2(open("/dev/null", O_WRONLY), 2);
    if (!screens)
        set_lines();
    sitter_start(&shared->seen, &clock, late, tells);
    begin_shortage(shortage, n);
    bool done = kiosk_run(&setup, &kiosk_end, &error);
    end_shortage();
    if (!done)
        snprintf(shared->why, sizeof shared->why, "%s", error.message);
    shared->done = done;
#ifdef ADDRESSES
    if (__lsan_do_recoverable_leak_check())
        _exit(LEAKS);
#endif
    _exit(done ? 0 : 1);
}

#ifdef ADDRESSES
/* Whoever looks for leaks needs calls that are refused in there. */
bool __wrap_lock_start(struct lock_report *report, const struct lock_folder *folders, int count,
                       struct error *why);
bool __wrap_lock_start(struct lock_report *report, const struct lock_folder *folders, int count,
                       struct error *why)
{
    (void)folders, (void)count, (void)why;
    *report = (struct lock_report){ 0 };
    return true;
}
#endif

static void fail_run(const char *what, bool screens, enum shortage shortage, long n)
{
    fail_msg("%s, allocation %ld (%s): %s%s%s\nlast screen:\n%s", screens ? "screens" : "lines", n,
             shortage_names[shortage], what, *shared->why ? ": " : "", shared->why, shared->seen.screen);
}

/* −1: it did not end by itself. */
static int wait_for(pid_t child)
{
    int fd = (int)syscall(SYS_pidfd_open, child, 0), status;
    struct pollfd ready = { .fd = fd, .events = POLLIN };
    bool ended = fd < 0 || poll(&ready, 1, SECONDS * 1000) == 1;
    if (!ended)
        kill(child, SIGKILL);
    if (fd >= 0)
        close(fd);
    assert_int_equal(waitpid(child, &status, 0), child);
    return ended ? status : -1;
}

static void read_output(void)
{
    ptrdiff_t size;
    unsigned char *output = fixture_read(output_path, &size);
    char *text = memory_zero(size + 1);
    assert_true(size >= 0 && size < OUTPUT && text);
    memcpy(text, output, (size_t)size);
    sitter_read(&shared->seen, text);
    snprintf(shared->seen.screen, sizeof shared->seen.screen, "%s", text);
    memory_free(text);
    memory_free(output);
}

/* How often each is there, once the store is open. */
static void expect_answers(const char *where, bool screens, enum shortage shortage, long n)
{
    struct heal_report report = { 0 };
    struct store *store;
    if (!heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error)) {
        snprintf(shared->why, sizeof shared->why, "%s", error.message);
        fail_run(where, screens, shortage, n);
    }
    bool whole = store_check(store, &error) && report.refused == 0 && !report.missing;
    if (!whole)
        snprintf(shared->why, sizeof shared->why, "%d refused, missing: %d", (int)report.refused,
                 report.missing);
    store_close(store);
    heal_report_finish(&report);
    if (!whole)
        fail_run(where, screens, shortage, n);
    for (int i = 0; i < SITTER_QUESTIONS; i++) {
        char sql[200];
        snprintf(sql, sizeof sql, "SELECT count(*) FROM attempt WHERE question_id = '%s'", ids[i]);
        int64_t found = fixture_sql(fixture.path, sql);
        if (found > 1 || found < shared->seen.right[i]) {
            snprintf(shared->why, sizeof shared->why, "%s: %d of %s", where, (int)found, ids[i]);
            fail_run("an answer", screens, shortage, n);
        }
    }
}

/* True while the n-th allocation is still reached. */
static bool one_run(bool screens, enum shortage shortage, long n)
{
    put_store();
    memset(shared, 0, sizeof *shared);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        work(screens, shortage, n);
    int status = wait_for(child);
    if (status == -1)
        fail_run("it hangs", screens, shortage, n);
    if (!screens)
        read_output();
    if (WIFEXITED(status) && WEXITSTATUS(status) == LEAKS)
        fail_run("it leaks", screens, shortage, n);
    if (!WIFEXITED(status) || WEXITSTATUS(status) > 1)
        fail_msg("%s, allocation %ld (%s): ended with status %x", screens ? "screens" : "lines", n,
                 shortage_names[shortage], (unsigned)status);
    if (!shared->done && !*shared->why)
        fail_run("it ended without a word", screens, shortage, n);
    bool once = shortage == OURS_ONCE || shortage == SQLITE_ONCE;
    if (screens && once && shared->done && !shared->seen.out)
        fail_run("it did not carry on", screens, shortage, n);
    if (n % 2 && !shared->seen.behind) { /* the second log has them before the store is opened again */
        lose_store();
    } else {
        expect_answers("the store", screens, shortage, n);
        lose_store();
    }
    expect_answers("the second log", screens, shortage, n);
    return shared->hit;
}

/* SQLite's are eight times as many. */
static void run_all(bool screens, enum shortage shortage)
{
    long own = shortage < SQLITE_ONCE ? (step + 7) / 8 : step, runs = 0;
    long n = first > 0 ? first : 1 + (long)(time(NULL) / 86400 * 31 % own);
    for (; n < SITES && one_run(screens, shortage, n); n += own)
        runs++;
    print_message("%s, %s: %ld runs, up to allocation %ld\n", screens ? "screens" : "lines",
                  shortage_names[shortage], runs, n);
    if (step >= SITES) /* one by hand */
        return;
    for (int i = 0; i < SITTER_QUESTIONS; i++) /* the last run had all it asked for */
        if (!shared->seen.right[i])
            fail_run("not even with all memory", screens, shortage, n);
    assert_true(shared->seen.out && shared->done && runs > 0);
}

static void test_screens(void **state)
{
    (void)state;
    for (enum shortage shortage = OURS_ONCE; shortage <= SQLITE_FROM; shortage++)
        run_all(true, shortage);
}

static void test_lines(void **state)
{
    (void)state;
    for (enum shortage shortage = OURS_ONCE; shortage <= SQLITE_FROM; shortage++)
        run_all(false, shortage);
}

static void test_backup(void **state)
{
    (void)state;
    static const struct {
        int hours, made; /* since the newest one; then there are so many */
        bool fresh;
    } rows[] = { { 0, 1, true }, { 24, 1, false }, { 25, 2, true }, { 30, 2, true } };
    int64_t then = fixture.time.wall;
    char *newest, *before = NULL;
    int64_t at;
    int count;
    one_run(true, OURS_ONCE, 0); /* nobody is that late: the timer will come */
    assert_int_equal(count_backups(true), 0);
    late = QUIET;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        fixture.time.wall += rows[i].hours * INT64_C(3600000);
        one_run(true, OURS_ONCE, 0);
        assert_int_equal(count_backups(true), rows[i].made);
        assert_true(backup_newest(fixture.path, backups, &newest, &at, &count, &error));
        if (before && (strcmp(before, newest) != 0) != rows[i].fresh)
            fail_msg("after %d hours: %s, before that %s", rows[i].hours, newest, before);
        assert_int_equal(fixture_sql(newest, "SELECT count(*) FROM attempt"), 1);
        memory_free(before);
        before = newest;
        if (!rows[i].fresh)
            fixture.time.wall -= rows[i].hours * INT64_C(3600000);
    }
    memory_free(before);
    for (enum shortage shortage = OURS_ONCE; shortage <= SQLITE_FROM; shortage++) {
        bool again = true;
        for (long n = 1 + shortage; again && n < SITES; n += 2 * step) {
            count_backups(false);
            again = one_run(true, shortage, n);
        }
    }
    fixture.time.wall = then;
    late = 0;
}

int main(int count, char **arguments)
{
    static const sqlite3_mem_methods allocator = { block_make, block_free,      block_resize,   block_size,
                                                   round_up,   allocator_start, allocator_stop, NULL };
    const struct CMUnitTest tests[] = { cmocka_unit_test_setup_teardown(test_screens, start, end),
                                        cmocka_unit_test_setup_teardown(test_lines, start, end),
                                        cmocka_unit_test_setup_teardown(test_backup, start, end) };
    const char *slice = getenv("TEST_SLICE");
    step = count > 1 && atoi(arguments[1]) > 0 ? atoi(arguments[1]) : STEP;
    step *= slice && atoi(slice) > 1 ? atoi(slice) : 1;
    first = count > 2 ? atoi(arguments[2]) : 0;
    tells = getenv("TEST_TELLS") != NULL;
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &allocator) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK)
        return 2;
    fixture_in_memory();
    message_start();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
