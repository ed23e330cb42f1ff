/*
 * A kiosk's work goes on inside the lock: the store with all it does to files, packs and a configuration that
 * are replaced meanwhile, the terminal, local time, secrets.
 */
#include "fixture.h"
#include "locked.h"

#include <quiztutor/backup.h>
#include <quiztutor/hash.h>
#include <quiztutor/message.h>
#include <quiztutor/terminal.h>

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct locked_way as_root = { .locked = true }, as_user = { .locked = true, .ordinary = true };

/* The store. */

enum { ANSWERS = 120 };

static int look_around(struct job *job)
{
    (void)job;
    store_look_around();
    return 0;
}

static struct store *open_store(const char *path)
{
    struct store_options options = { .clock = clock_system() };
    struct store *store;
    struct error error = { 0 };
    if (!store_open(&store, path, &options, &error)) {
        fprintf(stderr, "%s\n", error.message);
        _exit(2);
    }
    return store;
}

static void add_answers(struct store *store, int from, int count)
{
    struct error error = { 0 };
    for (int i = from; i < from + count; i++) {
        struct store_session session = fixture_session(5000 + i, 1, "Anna");
        struct store_attempt attempt = fixture_attempt(10 + i, "q1", OUTCOME_RIGHT);
        if (!store_add_attempt(store, &session, &attempt, NULL, &error)) {
            fprintf(stderr, "%s\n", error.message);
            _exit(3);
        }
    }
}

static void back_up(struct store *store, const char *backup)
{
    struct error error = { 0 };
    bool known = false;
    if (!backup_write(store, backup, &known, &error) || !backup_renew(store, backup, &error)) {
        fprintf(stderr, "%s\n", error.message);
        _exit(4);
    }
    job_expect(known);
}

/* Made new, written, opened again, backed up, restored: WAL, checkpoints, reserve, locks, renames. */
static int use_store(struct job *job)
{
    char path[128], backup[128], beside[160];
    struct error error = { 0 };
    struct backup_restored restored = { 0 };
    struct store_options options = { .clock = clock_system() };
    snprintf(path, sizeof path, "%s/own/store.db", job->place->data);
    snprintf(backup, sizeof backup, "%s/backup.db", job->place->data);
    struct store *store = open_store(path);
    add_answers(store, 0, ANSWERS);
    snprintf(beside, sizeof beside, "%s-wal", path);
    job_expect(access(beside, F_OK) == 0);
    snprintf(beside, sizeof beside, "%s-reserve", path);
    job_expect(access(beside, F_OK) == 0);
    back_up(store, backup);
    store_close(store);
    store = open_store(path);
    add_answers(store, ANSWERS, 20);
    struct uuid device;
    store_device(store, &device);
    job_expect(!uuid_is_zero(&device));
    store_close(store);
    if (!backup_restore(path, backup, &options, &restored, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 5;
    }
    job_expect(restored.attempts == ANSWERS && restored.kept);
    memory_free(restored.kept);
    store = open_store(path);
    add_answers(store, 2 * ANSWERS, 20);
    store_close(store);
    return 42;
}

static void expect_store(const struct locked_way *way)
{
    struct place place;
    char path[128];
    place_make(&place);
    assert_int_equal(locked_run(&place, way, look_around, use_store), 42);
    snprintf(path, sizeof path, "%s/own/store.db", place.data);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM attempt"), ANSWERS + 20);
    assert_int_equal(
        fixture_sql(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'"), 1);
    place_remove(&place);
}

static void test_store(void **state)
{
    (void)state;
    expect_store(&as_root);
    expect_store(&as_user);
    /* with the oldest version of Landlock, which lets nothing be renamed to another folder */
    expect_store(&(struct locked_way){ .locked = true, .abi = 1 });
}

/* The machine is known inside by what was looked up before: the store stays the same device's. */
static int look_at_device(struct job *job)
{
    char path[128];
    struct uuid device;
    snprintf(path, sizeof path, "%s/store.db", job->place->data);
    struct store *store = open_store(path);
    store_device(store, &device);
    store_close(store);
    snprintf(path, sizeof path, "%s/%s", job->place->data, job->report.microseconds ? "within" : "before");
    FILE *file = fopen(path, "w");
    job_expect(file != NULL);
    fwrite(device.bytes, sizeof device.bytes, 1, file);
    return fclose(file) == 0 ? 42 : 6;
}

static void test_device(void **state)
{
    (void)state;
    struct place place;
    char one[128], other[128];
    ptrdiff_t one_length, other_length;
    place_make(&place);
    assert_int_equal(locked_run(&place, &(struct locked_way){ .locked = false }, look_around, look_at_device),
                     42);
    assert_int_equal(locked_run(&place, &as_root, look_around, look_at_device), 42);
    snprintf(one, sizeof one, "%s/before", place.data);
    snprintf(other, sizeof other, "%s/within", place.data);
    unsigned char *before = fixture_read(one, &one_length), *within = fixture_read(other, &other_length);
    assert_int_equal(one_length, sizeof(struct uuid));
    assert_int_equal(other_length, one_length);
    assert_memory_equal(before, within, sizeof(struct uuid));
    char path[128];
    snprintf(path, sizeof path, "%s/store.db", place.data);
    assert_int_equal(fixture_sql(path, "SELECT machine IS NOT NULL FROM meta"),
                     access("/etc/machine-id", R_OK) == 0);
    memory_free(before);
    memory_free(within);
    place_remove(&place);
}

/* Files that somebody outside replaces, when the job asks for it. */

static int asks[2], answers[2];

static void replace_all(const struct place *place)
{
    char from[160], to[160];
    bool done = place_put(place, "etc/new", "second");
    snprintf(from, sizeof from, "%s/new", place->config);
    snprintf(to, sizeof to, "%s/kiosk.yaml", place->config);
    done = done && rename(from, to) == 0;
    /* the whole set of packs, twice: by another folder, and by a link to one */
    snprintf(from, sizeof from, "%s/sets/next", place->root);
    done = done && mkdir(from, 0777) == 0 && place_put(place, "sets/next/one.yaml", "second");
    done = done && renameat2(AT_FDCWD, from, AT_FDCWD, place->packs, RENAME_EXCHANGE) == 0;
    snprintf(from, sizeof from, "%s/sets/third", place->root);
    done = done && mkdir(from, 0777) == 0 && place_put(place, "sets/third/one.yaml", "third");
    snprintf(to, sizeof to, "%s/sets/current", place->root);
    done = done && symlink("third", to) == 0;
    if (!done || write(answers[1], "x", 1) != 1)
        _exit(1);
}

static int start_replacing(struct job *job)
{
    char byte;
    if (pipe(asks) != 0 || pipe(answers) != 0)
        return 1;
    pid_t helper = fork();
    if (helper == 0) {
        close(asks[1]);
        if (read(asks[0], &byte, 1) == 1)
            replace_all(job->place);
        _exit(0);
    }
    close(asks[0]);
    close(answers[1]);
    return helper < 0;
}

static void expect_text(const char *folder, const char *name, const char *text)
{
    char path[160], found[32] = "";
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    job_expect(file != NULL);
    job_expect(fgets(found, sizeof found, file) != NULL);
    fclose(file);
    job_check(strcmp(found, text) == 0, found, __LINE__);
}

static int read_replaced(struct job *job)
{
    const struct place *place = job->place;
    char sets[128], byte;
    snprintf(sets, sizeof sets, "%s/sets", place->root);
    expect_text(place->config, "kiosk.yaml", "first");
    expect_text(place->packs, "one.yaml", "first");
    job_expect(write(asks[1], "x", 1) == 1 && read(answers[0], &byte, 1) == 1);
    expect_text(place->config, "kiosk.yaml", "second");
    expect_text(place->packs, "one.yaml", "second");
    expect_text(sets, "current/one.yaml", "third");
    return 42;
}

static void test_replaced(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct place place;
        place_make(&place);
        assert_int_equal(locked_run(&place, i ? &as_user : &as_root, start_replacing, read_replaced), 42);
        place_remove(&place);
    }
}

/* Local time. */

static const time_t moment = 1764500000;

/* A file in /etc, not a link to the zones: the lock lets nobody read it again. */
static int set_zone(struct job *job)
{
    struct error error;
    struct stat zone;
    (void)job;
    if (stat("/usr/share/zoneinfo/Asia/Kathmandu", &zone) != 0 || stat("/etc/localtime", &zone) != 0 ||
        unshare(CLONE_NEWNS) != 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("/usr/share/zoneinfo/Asia/Kathmandu", "/etc/localtime", NULL, MS_BIND, NULL) != 0)
        _exit(NOT_HERE);
    return !lock_environment(&error);
}

static int tell_time(struct job *job)
{
    (void)job;
    for (int i = 0; i < 3; i++) {
        struct tm local;
        time_t later = moment + i * 15552000;
        job_expect(localtime(&later) != NULL); /* the one that sets the zone at each call */
        job_expect(localtime_r(&later, &local) != NULL && local.tm_gmtoff == 20700);
        struct clock clock = clock_system();
        job_expect(clock_offset(&clock, (int64_t)later * 1000) == 20700);
        tzset();
    }
    return 42;
}

static void test_time(void **state)
{
    (void)state;
    struct place place;
    place_make(&place);
    int result = locked_run(&place, &as_root, set_zone, tell_time);
    place_remove(&place);
    if (result == NOT_HERE)
        skip();
    assert_int_equal(result, 42);
}

/* The terminal. */

/* Somebody before the screen: types once something stands there, and reads all that is written. */
static void sit_before(int master)
{
    char bytes[4096];
    bool typed = false;
    for (;;) {
        ssize_t length = read(master, bytes, sizeof bytes);
        if (length <= 0)
            _exit(0);
        if (!typed && memmem(bytes, (size_t)length, "question", 8))
            typed = write(master, "k", 1) == 1;
    }
}

static int open_terminal(struct job *job)
{
    int master = posix_openpt(O_RDWR | O_NOCTTY);
    struct winsize size = { 24, 80, 0, 0 };
    struct error error;
    (void)job;
    if (setsid() < 0 || master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return 1;
    int slave = open(ptsname(master), O_RDWR);
    if (slave < 0 || ioctl(slave, TIOCSWINSZ, &size) != 0)
        return 1;
    setenv("TERM", "xterm-256color", 1);
    if (!lock_environment(&error))
        return 1;
    message_start();
    pid_t person = fork();
    if (person == 0) {
        close(slave);
        sit_before(master);
    }
    close(master);
    return dup2(slave, STDIN_FILENO) < 0 || dup2(slave, STDOUT_FILENO) < 0 || person < 0;
}

static int use_terminal(struct job *job)
{
    struct terminal_options options = { .signs = -1, .lock = true };
    struct terminal *terminal;
    struct error error = { 0 };
    struct grid grid;
    struct input input;
    (void)job;
    if (!terminal_open(&terminal, &options, &error)) {
        fprintf(stderr, "%s\n", error.message);
        return 7;
    }
    job_expect(grid_init(&grid, 24, 80));
    grid_put(&grid, 3, 5, 40, ROLE_TEXT, "a question", 10);
    do {
        terminal_draw(terminal, &grid);
        terminal_read(terminal, &input, 10000);
    } while (input.kind == INPUT_RESIZE);
    job_expect(input.kind == INPUT_KEY && input.key == 'k');
    terminal_flush(terminal);
    terminal_redraw(terminal);
    terminal_suspend(terminal); /* nothing, in a kiosk */
    grid_finish(&grid);
    terminal_close(terminal);
    return 42;
}

static void test_terminal(void **state)
{
    (void)state;
    struct place place;
    place_make(&place);
    assert_int_equal(locked_run(&place, &as_root, open_terminal, use_terminal), 42);
    assert_int_equal(locked_run(&place, &as_user, open_terminal, use_terminal), 42);
    place_remove(&place);
}

/* The rest: secrets, random numbers, translated errors, the end. */

static int use_rest(struct job *job)
{
    char kept[SECRET_TEXT];
    bool fits = false;
    struct error error = { 0 };
    struct uuid boot;
    struct clock clock = clock_system();
    (void)job;
    job_expect(secret_make(kept, "2468", 4, 4, &error));
    job_expect(secret_fits(kept, "2468", 4, &fits, &error) && fits);
    job_expect(clock_boot(&clock, &boot) == (access("/proc/sys/kernel/random/boot_id", R_OK) == 0));
    job_expect(hash_random_seed() >= 2);
    job_expect(strerror(ENOSPC) != NULL);
    raise(SIGUSR1); /* to itself is allowed */
    return 7;
}

static int start_hash(struct job *job)
{
    (void)job;
    return !hash_start();
}

static int abort_inside(struct job *job)
{
    (void)job;
    signal(SIGABRT, SIG_DFL);
    abort();
}

static void test_rest(void **state)
{
    (void)state;
    struct place place;
    place_make(&place);
    assert_int_equal(locked_run(&place, &as_root, start_hash, use_rest), ENDED_BY_SIGNAL + SIGUSR1);
    assert_int_equal(locked_run(&place, &as_user, start_hash, use_rest), ENDED_BY_SIGNAL + SIGUSR1);
    assert_int_equal(locked_run(&place, &as_root, NULL, abort_inside), ENDED_BY_SIGNAL + SIGABRT);
    place_remove(&place);
}

/* How long it takes. */

enum { TIMES = 25, MOST_MICROSECONDS = 5000 };

static int tell_microseconds(struct job *job)
{
    char path[128];
    snprintf(path, sizeof path, "%s/took", job->place->data);
    FILE *file = fopen(path, "w");
    job_expect(file != NULL);
    fprintf(file, "%ld", job->report.microseconds);
    return fclose(file) == 0 ? 42 : 8;
}

static int by_size(const void *one, const void *other)
{
    long a = *(const long *)one, b = *(const long *)other;
    return (a > b) - (a < b);
}

static void test_quick(void **state)
{
    (void)state;
    struct place place;
    char path[128];
    long took[TIMES];
    place_make(&place);
    snprintf(path, sizeof path, "%s/took", place.data);
    for (int i = 0; i < TIMES; i++) {
        ptrdiff_t length;
        assert_int_equal(locked_run(&place, &as_user, NULL, tell_microseconds), 42);
        unsigned char *text = fixture_read(path, &length);
        char number[32] = "";
        assert_true(length > 0 && length < (ptrdiff_t)sizeof number);
        memcpy(number, text, (size_t)length);
        took[i] = strtol(number, NULL, 10);
        memory_free(text);
        unlink(path);
    }
    place_remove(&place);
    qsort(took, TIMES, sizeof *took, by_size);
    print_message("locked in %ld µs at best, %ld µs in the middle of %d\n", took[0], took[TIMES / 2], TIMES);
    assert_true(took[0] < MOST_MICROSECONDS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_store), cmocka_unit_test(test_device),   cmocka_unit_test(test_replaced),
        cmocka_unit_test(test_time),  cmocka_unit_test(test_terminal), cmocka_unit_test(test_rest),
        cmocka_unit_test(test_quick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
