/*
 * The disk fails, at every single call in turn (see `all` for which disks). Whatever fails: the store says
 * so, has kept nothing by halves and lost nothing it had, and the same call gets through once the disk works
 * again.
 */
#include "../slice.h"
#include "fault_vfs.h"
#include "fixture.h"
#include <quiztutor/sheet_record.h>

#include <errno.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CALLS = 1000 }; /* more than any one operation makes */

struct disk {
    int kinds, number;
    bool lasting;
};

static const struct disk disks[] = {
    { FAULT_WRITE, ENOSPC, true },     { FAULT_WRITE, ENOSPC, false },
    { FAULT_WRITE, EIO, true },        { FAULT_WRITE, EIO, false },
    { FAULT_SYNC, EIO, true },         { FAULT_SYNC, EIO, false },
    { FAULT_SYNC, ENOSPC, true },      { FAULT_OPEN, ENOSPC, true },
    { FAULT_OPEN, EIO, false },        { FAULT_TRUNCATE, EIO, true },
    { FAULT_TRUNCATE, ENOSPC, false }, { FAULT_SHM, ENOSPC, true },
    { FAULT_SHM, ENOSPC, false },      { FAULT_READ, EIO, true },
    { FAULT_READ, EIO, false },        { FAULT_DELETE, EIO, true },
    { FAULT_DELETE, EIO, false },      { FAULT_ALL, EIO, true },
    { FAULT_ALL, EIO, false },         { FAULT_ALL & ~FAULT_READ, ENOSPC, true },
};
enum { DISKS = sizeof disks / sizeof *disks };

/*
 * Every disk at every call takes minutes where a store is made, brought up to date or its process killed:
 * there neighbouring disks take turns with the calls, and each disk gets one of the old versions; all of it
 * with an argument. A slice has fewer disks, too.
 */
static bool all;
static int disk_step = 1, call_step = 2;

static long first_call(int disk)
{
    return 1 + disk / disk_step / 2 % call_step;
}

static struct fixture fixture;
static struct error error;

static int start(void **state)
{
    (void)state;
    fault_vfs_clear();
    fixture_start(&fixture);
    fixture.options.vfs = "fault";
    return 0;
}

static int end(void **state)
{
    (void)state;
    fault_vfs_clear();
    fixture_end(&fixture);
    return 0;
}

static void fresh_path(void)
{
    static int number;
    fixture_end(&fixture);
    fixture_start(&fixture);
    fixture.options.vfs = "fault";
    snprintf(fixture.path, sizeof fixture.path, "%s/%d.db", fixture.folder, number++);
}

static void expect_told(const struct disk *disk, long n)
{
    bool good = error.code == ERROR_IO || error.code == ERROR_FULL ||
                (disk->kinds & FAULT_READ && error.code != ERROR_NONE);
    if (disk->number == ENOSPC)
        good = error.code == ERROR_FULL || (disk->kinds & FAULT_OPEN && error.code == ERROR_IO);
    if (!good || !error.message[0])
        fail_msg("kinds %d, errno %d, call %ld: code %d, %s", disk->kinds, disk->number, n, (int)error.code,
                 error.message);
}

static struct store *try_open(void)
{
    struct store *store;
    memset(&error, 0, sizeof error);
    if (sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error))
        return store;
    return NULL;
}

static void add(struct store *store, int number)
{
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(number, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
}

static int64_t sql(const char *text)
{
    return fixture_sql(fixture.path, text);
}

/* Everything of the second answer, or nothing of it; always everything of the first. */
static bool second_is_there(void)
{
    int64_t rows = sql("SELECT (SELECT count(*) FROM attempt) * 1000 + (SELECT count(*) FROM session) * 100 +"
                       " (SELECT count(*) FROM learner) * 10 + (SELECT count(*) FROM question_text)");
    if (rows != 1111 && rows != 2222)
        fail_msg("half stored: %d", (int)rows);
    assert_true(sql(
        "SELECT next_seq = (SELECT count(*) FROM attempt) + (SELECT count(*) FROM session) + 1 FROM meta"));
    return rows == 2222;
}

/* One answer, its session, learner and text new, with the n-th call failing; false when there was no such
 * call. */
static bool store_with_fault(const struct disk *disk, long n)
{
    fresh_path();
    struct store *store = try_open();
    if (!store)
        fail_msg("%s", error.message);
    add(store, 10);
    struct store_session session = fixture_session(3, 4, "Bob");
    struct store_attempt attempt = fixture_attempt(20, "q2", OUTCOME_WRONG);
    fault_vfs_set(disk->kinds, n, disk->lasting, disk->number);
    memset(&error, 0, sizeof error);
    bool done = store_add_attempt(store, &session, &attempt, NULL, &error);
    bool hit = fault_vfs_hit();
    fault_vfs_clear();
    if (!done) {
        expect_told(disk, n);
        second_is_there();
        if (!store_add_attempt(store, &session, &attempt, NULL, &error))
            fail_msg("kinds %d, errno %d, call %ld: not even later: %s", disk->kinds, disk->number, n,
                     error.message);
    }
    assert_true(second_is_there());
    store_close(store);
    store = try_open();
    assert_non_null(store);
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    store_close(store);
    return hit;
}

static void test_storing(void **state)
{
    (void)state;
    for (int i = 0; i < DISKS; i += disk_step) {
        long n = 1;
        while (store_with_fault(&disks[i], n))
            assert_true(n++ < CALLS);
        if (disks[i].kinds & (FAULT_WRITE | FAULT_SYNC))
            assert_true(n > 1); /* else this test tests nothing */
    }
}

/* Two filled-in sheets are stored together, with the n-th call failing: both or none. */
static bool papers_with_fault(const struct disk *disk, long n)
{
    enum { SHEETS = 2, ANSWERS = 3 };
    static const char *const names[] = { "q1", "q2", "q3" };
    struct store_session sessions[SHEETS];
    struct store_attempt attempts[SHEETS][ANSWERS];
    struct sheet_paper papers[SHEETS];
    fresh_path();
    struct store *store = try_open();
    assert_non_null(store);
    add(store, 10);
    for (int i = 0; i < SHEETS; i++) {
        sessions[i] = fixture_session(3 + i, 2, "Ann");
        sessions[i].kind = sessions[i].origin = "paper";
        papers[i] = (struct sheet_paper){ &sessions[i], attempts[i], ANSWERS, NULL };
        for (int k = 0; k < ANSWERS; k++)
            attempts[i][k] = fixture_attempt(20 + i * ANSWERS + k, names[k], OUTCOME_WRONG);
    }
    fault_vfs_set(disk->kinds, n, disk->lasting, disk->number);
    memset(&error, 0, sizeof error);
    bool done = store_add_papers(store, papers, SHEETS, &error), hit = fault_vfs_hit();
    fault_vfs_clear();
    if (!done) {
        expect_told(disk, n);
        int64_t rows = sql("SELECT (SELECT count(*) FROM attempt) * 10 + (SELECT count(*) FROM session)");
        assert_true(rows == 11 || rows == 73); /* it may have got through, and only the news of it not */
        assert_true(store_add_papers(store, papers, SHEETS, &error));
    }
    assert_int_equal(sql("SELECT (SELECT count(*) FROM attempt) * 10 + (SELECT count(*) FROM session)"), 73);
    store_close(store);
    store = try_open();
    assert_non_null(store);
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    store_close(store);
    return hit;
}

static void test_papers(void **state)
{
    (void)state;
    for (int i = 0; i < DISKS; i += disk_step) {
        for (long n = first_call(i); papers_with_fault(&disks[i], n); n += call_step)
            assert_true(n < CALLS);
    }
}

/* The first opening, which makes the store. */
static bool make_with_fault(const struct disk *disk, long n)
{
    fresh_path();
    fault_vfs_set(disk->kinds, n, disk->lasting, disk->number);
    struct store *store = try_open();
    bool hit = fault_vfs_hit();
    fault_vfs_clear();
    if (!store)
        expect_told(disk, n);
    store_close(store);
    store = try_open();
    if (!store)
        fail_msg("kinds %d, errno %d, call %ld: not even later: %s", disk->kinds, disk->number, n,
                 error.message);
    add(store, 10);
    assert_true(store_check(store, &error));
    store_close(store);
    return hit;
}

static void test_making(void **state)
{
    (void)state;
    for (int i = 0; i < DISKS; i += disk_step) {
        for (long n = first_call(i); make_with_fault(&disks[i], n); n += call_step)
            assert_true(n < CALLS);
    }
}

/* A store with answers in its log, as after a crash; and with schedules to be made anew. */
static bool open_with_fault(const struct disk *disk, long n)
{
    fresh_path();
    struct store *store = try_open();
    assert_non_null(store);
    add(store, 10);
    store_close(store);
    sql("PRAGMA wal_autocheckpoint = 0; UPDATE learner SET login = 'ann'; UPDATE schedule SET due_day = 1;"
        "UPDATE meta SET schedule_version = 0");
    unlink(fixture_beside(fixture.path, "-shm"));
    fault_vfs_set(disk->kinds, n, disk->lasting, disk->number);
    store = try_open();
    if (!store)
        expect_told(disk, n);
    char *text = store ? fixture_query(store, QUERY_LEARNERS, NULL, 0, &error) : NULL;
    if (text)
        assert_string_equal(text, "Ann|ann|1|2010\n");
    memory_free(text);
    store_close(store);
    bool hit = fault_vfs_hit();
    fault_vfs_clear();
    store = try_open();
    assert_non_null(store);
    text = fixture_query(store, QUERY_LEARNERS, NULL, 0, &error);
    assert_string_equal(text, "Ann|ann|1|2010\n");
    memory_free(text);
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    store_close(store);
    return hit;
}

static void test_opening(void **state)
{
    (void)state;
    for (int i = 0; i < DISKS; i += disk_step) {
        for (long n = 1; open_with_fault(&disks[i], n); n++)
            assert_true(n < CALLS);
    }
}

enum { STEPS = 100 };
static const char *steps[STEPS];
static struct schema schema = { steps, 0, NULL };
static int today; /* the version that this program makes */

static void make_schema(void)
{
    today = schema_current.version;
    assert_true(today < STEPS);
    for (int i = 0; i < today; i++)
        steps[i] = schema_current.migrations[i];
    steps[today] = "ALTER TABLE learner ADD COLUMN note TEXT; UPDATE learner SET note = 'x';";
    schema.views = schema_current.views;
}

static bool migrate_with_fault(const struct disk *disk, int from, long n)
{
    char backup[32];
    fresh_path();
    fixture.around.schema = &schema;
    schema.version = from;
    if (from == today) {
        struct store *store = try_open();
        assert_non_null(store);
        add(store, 10);
        store_close(store);
    } else {
        fixture_make_old(fixture.path, from);
    }
    schema.version = today + 1;
    fault_vfs_set(disk->kinds, n, disk->lasting, disk->number);
    struct store *store = try_open();
    bool hit = fault_vfs_hit();
    fault_vfs_clear();
    if (!store)
        expect_told(disk, n);
    int64_t version = sql("PRAGMA user_version");
    assert_int_equal(sql("SELECT count(*) FROM pragma_table_info('learner') WHERE name = 'note'"),
                     version == today + 1);
    assert_int_equal(sql("SELECT count(*) FROM counted_attempt"), 1);
    store_close(store);
    store = try_open();
    if (!store)
        fail_msg("kinds %d, errno %d, call %ld: not even later: %s", disk->kinds, disk->number, n,
                 error.message);
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    store_close(store);
    assert_int_equal(sql("SELECT count(*) FROM schedule"), 1);
    snprintf(backup, sizeof backup, "-version-%d", from);
    assert_int_equal(access(fixture_beside(fixture.path, backup), F_OK), 0);
    assert_int_equal(fixture_sql(fixture_beside(fixture.path, backup), "SELECT count(*) FROM attempt"), 1);
    assert_int_equal(sql("PRAGMA user_version"), today + 1);
    return hit;
}

static void test_migrating(void **state)
{
    (void)state;
    make_schema();
    for (int from = 1; from <= today; from++) {
        for (int i = 0; i < DISKS; i += disk_step) {
            if (!all && i / disk_step % today != from % today)
                continue;
            for (long n = first_call(i); migrate_with_fault(&disks[i], from, n); n += call_step)
                assert_true(n < CALLS);
        }
    }
}

/* A session on a disk that fails now and then: what was told as stored is there at the end, and nothing else.
 */
static void test_a_bad_day(void **state)
{
    (void)state;
    struct store *store = try_open();
    struct store_session session = fixture_session(3, 4, "Bob");
    int told = 0, failures = 0;
    assert_non_null(store);
    for (int i = 0; i < 400; i++) {
        struct store_attempt attempt = fixture_attempt(100 + i, "q1", OUTCOME_WRONG);
        fault_vfs_set(FAULT_ALL, 1 + i % 23, i % 2, i % 3 ? ENOSPC : EIO);
        bool done = store_add_attempt(store, &session, &attempt, NULL, &error);
        fault_vfs_clear();
        failures += !done;
        if (!done && i % 5 == 0) /* given up: perhaps stored, but not told so */
            continue;
        if (!done)
            assert_true(store_add_attempt(store, &session, &attempt, NULL, &error));
        told++;
        if (i % 4)
            continue;
        struct store_event undone = fixture_event(1000 + i, "undone", 100 + i);
        fault_vfs_set(FAULT_ALL, 1 + i % 19, i % 2, EIO);
        done = store_add_event(store, &session, &undone, NULL, &error);
        fault_vfs_clear();
        if (!done)
            assert_true(store_add_event(store, &session, &undone, NULL, &error));
    }
    store_close(store);
    assert_true(failures > 50);
    store = try_open();
    assert_non_null(store);
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    store_close(store);
    int64_t kept = sql("SELECT count(*) FROM attempt");
    assert_true(kept >= told && kept <= 400);
}

/* A process that makes a store of version `from`, stores, brings it up to date and stores again, as often as
 * it lives; it says on the pipe how many answers it knows to be stored. */
static void live(int from, long n, int pipe)
{
    struct store_session session = fixture_session(3, 4, "Bob");
    fault_vfs_kill(FAULT_ALL & ~FAULT_READ, n);
    for (int version = from; version <= today + 1; version++) {
        schema.version = version;
        struct store *store = try_open();
        for (int i = 0; store && i < 3; i++) {
            struct store_attempt attempt = fixture_attempt(version * 100 + i, "q1", OUTCOME_WRONG);
            if (!store_add_attempt(store, &session, &attempt, NULL, &error) || write(pipe, "+", 1) != 1)
                _exit(1);
            struct store_event undone = fixture_event(1000 + version * 100 + i, "undone", version * 100 + i);
            struct store_event star = fixture_event(2000 + version * 100 + i, "starred", 0);
            star.body = i % 2 ? "{\"question\":[\"tour\",\"q1\"],\"on\":true}"
                              : "{\"question\":[\"tour\",\"q2\"],\"on\":true}";
            if (!store_add_event(store, &session, i == 1 ? &undone : &star, NULL, &error))
                _exit(1);
        }
        store_close(store);
    }
    _exit(0);
}

/* Whether the process was killed at its n-th call. */
static bool die_at(int from, long n)
{
    int ends[2], status, told = 0;
    char sign;
    fresh_path();
    fixture.around.schema = &schema;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        live(from, n, ends[1]);
    close(ends[1]);
    while (read(ends[0], &sign, 1) == 1)
        told++;
    close(ends[0]);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    schema.version = today + 1;
    struct store *store = try_open();
    if (!store)
        fail_msg("killed at call %ld: %s", n, error.message);
    if (!store_check(store, &error))
        fail_msg("killed at call %ld: %s", n, error.message);
    int kept = (int)sql("SELECT count(*) FROM attempt");
    if (kept != told && kept != told + 1)
        fail_msg("killed at call %ld: %d told, %d kept", n, told, kept);
    fixture_expect_in_step(store);
    add(store, 10);
    store_close(store);
    return WIFSIGNALED(status);
}

static void test_killed_at_every_call(void **state)
{
    (void)state;
    make_schema();
    for (int from = today; from <= today + 1; from++) {
        long n = 1 + from % call_step;
        while (die_at(from, n)) {
            assert_true(n < CALLS);
            n += call_step;
        }
        assert_true(n > 20);
    }
}

int main(int count, char **arguments)
{
    (void)arguments;
    all = count > 1;
    disk_step = DISKS / slice_of(DISKS);
    call_step = all ? 1 : 2 * disk_step;
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = { T(test_storing),
                                        T(test_papers),
                                        T(test_making),
                                        T(test_opening),
                                        T(test_migrating),
                                        T(test_a_bad_day),
                                        T(test_killed_at_every_call) };
    fixture_in_memory();
    fault_vfs_start();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
