/* A store that looks after itself: its second log, what comes back of it, rotating backups, and runs. */
#include "fixture.h"

#include <quiztutor/backup.h>
#include <quiztutor/heal.h>
#include <quiztutor/intake.h>
#include <quiztutor/roster.h>
#include <quiztutor/run.h>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

static struct fixture fixture;
static struct error error;
static struct heal_report report;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    heal_report_finish(&report);
    fixture_end(&fixture);
    return 0;
}

static char *folder_of(const char *name)
{
    static char path[FIXTURE_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", fixture.folder, name);
    return path;
}

static struct store *heal(const char *backups)
{
    struct store *store;
    heal_report_finish(&report);
    if (!heal_open(&store, fixture.path, &fixture.options, backups, &report, &error))
        fail_msg("%s", error.message);
    return store;
}

static void answer(struct store *store, int from, int until)
{
    struct store_session session = fixture_session(1, 2, "Ann");
    for (int i = from; i < until; i++) {
        char question[16];
        snprintf(question, sizeof question, "q%d", i % 5);
        struct store_attempt attempt = fixture_attempt(i, question, i % 2 ? OUTCOME_RIGHT : OUTCOME_WRONG);
        fixture_add(store, &session, &attempt);
    }
}

static int64_t attempts(void)
{
    return fixture_sql(fixture.path, "SELECT count(*) FROM attempt");
}

static void expect_whole(struct store *store, int64_t count)
{
    struct heal_log log;
    assert_true(store_check(store, &error));
    fixture_expect_in_step(store);
    assert_int_equal(attempts(), count);
    heal_log_look(store, &log);
    assert_true(log.kept && !log.behind && log.size > 0);
}

static void damage(void)
{
    ptrdiff_t length;
    fixture_sql(fixture.path, "PRAGMA wal_checkpoint(TRUNCATE)");
    unsigned char *bytes = fixture_read(fixture.path, &length);
    for (ptrdiff_t i = 4096; i < length; i += 97)
        bytes[i] ^= 0x5a;
    fixture_write(fixture.path, bytes, length);
    memory_free(bytes);
}

static void test_sound(void **state)
{
    (void)state;
    struct store *store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_SOUND);
    answer(store, 10, 20);
    expect_whole(store, 10);
    store_close(store);
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_SOUND);
    assert_false(report.missing);
    expect_whole(store, 10);
    store_close(store);
    struct stat status;
    assert_int_equal(stat(fixture_beside(fixture.path, "-attempts"), &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
}

/* Without a backup all comes from the second log. */
static void test_log_alone(void **state)
{
    (void)state;
    struct store *store = heal(NULL);
    answer(store, 10, 40);
    store_close(store);
    damage();
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_RESTORED);
    assert_int_equal(report.attempts, 30);
    assert_int_equal(report.refused, 0);
    assert_false(report.missing);
    assert_non_null(report.kept);
    assert_null(report.backup);
    assert_int_equal(access(report.kept, F_OK), 0);
    expect_whole(store, 30);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM event WHERE kind = 'kiosk'"), 1);
    assert_int_equal(
        fixture_sql(fixture.path, "SELECT count(*) FROM backup WHERE CAST(path AS TEXT) LIKE '%-damaged-%'"),
        1);
    assert_int_equal(fixture_sql(fixture.path,
                                 "SELECT count(*) FROM attempt WHERE content IS NOT NULL AND content NOT IN"
                                 " (SELECT content FROM question_text)"),
                     0);
    answer(store, 40, 45);
    store_close(store);
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_SOUND);
    expect_whole(store, 35);
    store_close(store);
}

static void test_backup_and_log(void **state)
{
    (void)state;
    char backups[FIXTURE_PATH + 32], *made;
    int removed;
    snprintf(backups, sizeof backups, "%s", folder_of("backups"));
    struct store *store = heal(backups);
    answer(store, 10, 20);
    if (!backup_rotate(store, backups, 3, &made, &removed, &error))
        fail_msg("%s", error.message);
    answer(store, 20, 30);
    store_close(store);
    damage();
    store = heal(backups);
    assert_int_equal(report.outcome, HEAL_RESTORED);
    assert_string_equal(report.backup, made);
    assert_int_equal(report.backup_at, fixture.time.wall / 1000 * 1000);
    assert_int_equal(report.attempts, 10);
    assert_false(report.missing);
    expect_whole(store, 20);
    store_close(store);
    /* the log gone as well: what was answered since the backup may be missing, and it is said */
    damage();
    unlink(fixture_beside(fixture.path, "-attempts"));
    store = heal(backups);
    assert_int_equal(report.outcome, HEAL_RESTORED);
    assert_true(report.missing);
    assert_int_equal(report.since, report.backup_at);
    expect_whole(store, 10);
    store_close(store);
    memory_free(made);
}

/* A damaged backup is passed over. */
static void test_bad_backup(void **state)
{
    (void)state;
    char backups[FIXTURE_PATH + 32], *first, *second;
    int removed;
    ptrdiff_t length;
    snprintf(backups, sizeof backups, "%s", folder_of("backups"));
    struct store *store = heal(backups);
    answer(store, 10, 20);
    assert_true(backup_rotate(store, backups, 3, &first, &removed, &error));
    fixture.time.wall += 5000;
    answer(store, 20, 25);
    assert_true(backup_rotate(store, backups, 3, &second, &removed, &error));
    store_close(store);
    unsigned char *bytes = fixture_read(second, &length);
    for (ptrdiff_t i = 4096; i < length; i += 97)
        bytes[i] ^= 0x5a;
    fixture_write(second, bytes, length);
    memory_free(bytes);
    damage();
    store = heal(backups);
    assert_string_equal(report.backup, first);
    assert_int_equal(report.attempts, 5);
    expect_whole(store, 15);
    store_close(store);
    memory_free(first);
    memory_free(second);
}

/* A second log begun late has what was there before, in frames of many rows. */
static void test_begun_late(void **state)
{
    (void)state;
    static char body[20000];
    memset(body, 'x', sizeof body - 1);
    memcpy(body, "{\"prompt\":\"", 11);
    memcpy(body + sizeof body - 3, "\"}", 2);
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    for (int i = 0; i < 60; i++) {
        char question[16];
        snprintf(question, sizeof question, "q%d", i);
        struct store_attempt attempt = fixture_attempt(100 + i, question, OUTCOME_RIGHT);
        attempt.body = body;
        attempt.content.bytes[0] = (unsigned char)i;
        attempt.content.bytes[1] = 0xbb;
        fixture_add(store, &session, &attempt);
    }
    store_close(store);
    store = heal(NULL);
    expect_whole(store, 60);
    answer(store, 10, 20);
    expect_whole(store, 70);
    store_close(store);
    unlink(fixture.path);
    store = heal(NULL);
    assert_int_equal(report.attempts, 70);
    assert_int_equal(
        fixture_sql(fixture.path, "SELECT count(*) FROM question_text WHERE length(body) = 19999"), 60);
    expect_whole(store, 70);
    store_close(store);
}

/* The store is gone: the second log has it all. */
static void test_gone(void **state)
{
    (void)state;
    struct store *store = heal(NULL);
    answer(store, 10, 20);
    store_close(store);
    unlink(fixture.path);
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_RESTORED);
    assert_null(report.kept);
    expect_whole(store, 10);
    store_close(store);
}

/* The last rows are lost with SQLite's log, and the store is whole without them. Any process gives them back.
 */
static void lose_tail(bool by_heal)
{
    ptrdiff_t length, wal_length;
    struct store *store = heal(NULL);
    answer(store, 10, 20);
    store_close(store);
    unsigned char *before = fixture_read(fixture.path, &length);
    store = heal(NULL);
    answer(store, 20, 30);
    store_close(store);
    fixture_write(fixture.path, before, length);
    unsigned char *wal = fixture_read(fixture_beside(fixture.path, "-wal"), &wal_length);
    assert_true(wal_length <= 0);
    memory_free(wal);
    memory_free(before);
    assert_int_equal(attempts(), 10);
    if (by_heal) {
        store = heal(NULL);
        assert_int_equal(report.outcome, HEAL_TAKEN);
        assert_int_equal(report.attempts, 10);
    } else {
        store = fixture_open(&fixture);
        answer(store, 30, 31);
    }
    expect_whole(store, by_heal ? 20 : 21);
    store_close(store);
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_SOUND);
    expect_whole(store, by_heal ? 20 : 21);
    store_close(store);
}

static void test_tail(void **state)
{
    (void)state;
    lose_tail(true);
}

static void test_tail_by_any(void **state)
{
    (void)state;
    lose_tail(false);
}

/* A byte of a text that SQLite has no means to notice. */
static void test_silent(void **state)
{
    (void)state;
    ptrdiff_t length;
    struct store *store = heal(NULL);
    answer(store, 10, 20);
    store_close(store);
    fixture_sql(fixture.path, "PRAGMA wal_checkpoint(TRUNCATE)");
    unsigned char *bytes = fixture_read(fixture.path, &length);
    unsigned char *at = memmem(bytes, (size_t)length, "{\"choices\":[", 12);
    assert_non_null(at);
    at[12] ^= 1;
    fixture_write(fixture.path, bytes, length);
    memory_free(bytes);
    assert_int_equal(fixture_sql(fixture.path, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"),
                     1);
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_RESTORED);
    expect_whole(store, 10);
    store_close(store);
}

static bool file_has(const char *path, const char *text)
{
    ptrdiff_t length;
    unsigned char *bytes = fixture_read(path, &length);
    bool found = bytes && length > 0 && memmem(bytes, (size_t)length, text, strlen(text));
    memory_free(bytes);
    return found;
}

/* Who is erased is in the second log no more, and does not come back with an old backup. */
static void test_erased(void **state)
{
    (void)state;
    char backups[FIXTURE_PATH + 32], *made;
    int removed;
    struct roster_count gone;
    bool needed;
    snprintf(backups, sizeof backups, "%s", folder_of("backups"));
    struct store *store = heal(backups);
    answer(store, 10, 15);
    struct store_session session = fixture_session(3, 4, "Berta");
    struct store_attempt attempt = fixture_attempt(50, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    assert_true(backup_rotate(store, backups, 3, &made, &removed, &error));
    assert_true(file_has(fixture_beside(fixture.path, "-attempts"), "Berta"));
    struct uuid berta = fixture_id(4);
    store_close(store);
    store = fixture_open(&fixture); /* whatever opens it: the second log is there, so it is looked after */
    assert_true(roster_erase(store, &berta, &gone, &error));
    assert_true(roster_clean(store, &needed, &error));
    assert_false(file_has(fixture_beside(fixture.path, "-attempts"), "Berta"));
    assert_true(file_has(made, "Berta"));
    answer(store, 15, 20);
    store_close(store);
    damage();
    store = heal(backups);
    assert_int_equal(report.outcome, HEAL_RESTORED);
    expect_whole(store, 10);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM learner WHERE name = 'Berta'"), 0);
    store_close(store);
    memory_free(made);
}

/* The same of learners made one. */
static void test_merged(void **state)
{
    (void)state;
    char backups[FIXTURE_PATH + 32], *made;
    int removed;
    struct roster_count moved;
    snprintf(backups, sizeof backups, "%s", folder_of("backups"));
    struct store *store = heal(backups);
    answer(store, 10, 15);
    struct store_session session = fixture_session(3, 4, "Anne");
    struct store_attempt attempt = fixture_attempt(50, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    assert_true(backup_rotate(store, backups, 3, &made, &removed, &error));
    struct uuid anne = fixture_id(4), ann = fixture_id(2);
    assert_true(roster_merge(store, &anne, &ann, &moved, &error));
    store_close(store);
    store = heal(backups);
    assert_int_equal(report.outcome, HEAL_SOUND);
    store_close(store);
    damage();
    store = heal(backups);
    assert_int_equal(report.outcome, HEAL_RESTORED);
    expect_whole(store, 6);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(DISTINCT learner_id) FROM attempt"), 1);
    store_close(store);
    memory_free(made);
}

/* What is no store, and never was one, is left alone. */
static void test_stranger(void **state)
{
    (void)state;
    struct store *store;
    ptrdiff_t length;
    static const char letter[] = "Dear reader, this is a letter, and it is long enough to be looked at. "
                                 "It has more than a hundred bytes, and no store begins like this one.";
    fixture_write(fixture.path, letter, sizeof letter);
    assert_false(heal_open(&store, fixture.path, &fixture.options, NULL, &report, &error));
    assert_int_equal(error.code, ERROR_DAMAGED);
    unsigned char *bytes = fixture_read(fixture.path, &length);
    assert_int_equal(length, sizeof letter);
    assert_memory_equal(bytes, letter, sizeof letter);
    memory_free(bytes);
}

/* Junk at the end, as a cut leaves it, and in the middle, as a bad disk does. */
static void test_torn_log(void **state)
{
    (void)state;
    ptrdiff_t length;
    struct store *store = heal(NULL);
    answer(store, 10, 20);
    store_close(store);
    const char *log = fixture_beside(fixture.path, "-attempts");
    unsigned char *bytes = fixture_read(log, &length);
    ptrdiff_t used = length;
    while (used > 0 && !bytes[used - 1])
        used--;
    memset(bytes + used - 20, 0xee, 60);
    fixture_write(log, bytes, length);
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_SOUND);
    answer(store, 20, 22);
    expect_whole(store, 12);
    store_close(store);
    memory_free(bytes);
    damage();
    store = heal(NULL);
    assert_int_equal(report.attempts, 12);
    store_close(store);
    log = fixture_beside(fixture.path, "-attempts");
    bytes = fixture_read(log, &length);
    bytes[300] ^= 1; /* the store mends it */
    fixture_write(log, bytes, length);
    memory_free(bytes);
    store = heal(NULL);
    assert_int_equal(report.outcome, HEAL_SOUND);
    expect_whole(store, 12);
    store_close(store);
    damage();
    store = heal(NULL);
    assert_int_equal(report.attempts, 12);
    expect_whole(store, 12);
    store_close(store);
}

static int count_backups(const char *folder)
{
    char *newest;
    int64_t at;
    int count;
    assert_true(backup_newest(fixture.path, folder, &newest, &at, &count, &error));
    memory_free(newest);
    return count;
}

static void test_rotation(void **state)
{
    (void)state;
    char backups[FIXTURE_PATH + 32], *made, *newest;
    int removed, count;
    int64_t at;
    snprintf(backups, sizeof backups, "%s", folder_of("backups"));
    struct store *store = fixture_open(&fixture);
    answer(store, 10, 20);
    for (int i = 0; i < 5; i++) {
        fixture.time.wall += i == 2 ? 0 : 60000; /* two in one second */
        if (!backup_rotate(store, backups, 3, &made, &removed, &error))
            fail_msg("%s", error.message);
        assert_int_equal(removed, i >= 3);
        assert_true(backup_newest(fixture.path, backups, &newest, &at, &count, &error));
        assert_string_equal(newest, made);
        assert_int_equal(count, i < 3 ? i + 1 : 3);
        memory_free(newest);
        memory_free(made);
    }
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM backup"), 3);
    for (int i = 0; i < 3; i++) { /* one is kept of many in one second: the newest */
        assert_true(backup_rotate(store, backups, 1, &made, &removed, &error));
        assert_int_equal(access(made, F_OK), 0);
        assert_true(backup_newest(fixture.path, backups, &newest, &at, &count, &error));
        assert_string_equal(newest, made);
        memory_free(newest);
        memory_free(made);
    }
    /* strangers stay */
    char other[FIXTURE_PATH + 80];
    snprintf(other, sizeof other, "%s/other-20200101T000000Z.backup", backups);
    fixture_write(other, "x", 1);
    assert_true(backup_rotate(store, backups, 1, &made, &removed, &error));
    assert_int_equal(count_backups(backups), 1);
    assert_int_equal(access(other, F_OK), 0);
    struct stat status;
    assert_int_equal(stat(made, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    store_close(store);
    assert_int_equal(fixture_sql(made, "SELECT count(*) FROM attempt"), 10);
    struct backup_restored restored;
    assert_true(backup_restore(fixture.path, made, &fixture.options, &restored, &error));
    memory_free(restored.kept);
    memory_free(made);
    store = fixture_open(&fixture);
    assert_false(backup_rotate(store, "/dev/null/nowhere", 3, &made, &removed, &error));
    assert_false(backup_rotate(store, backups, 0, &made, &removed, &error));
    store_close(store);
}

/* Of a damaged store no backup is made, and none is removed. */
static void test_rotation_damaged(void **state)
{
    (void)state;
    char backups[FIXTURE_PATH + 32], *made;
    int removed;
    snprintf(backups, sizeof backups, "%s", folder_of("backups"));
    struct store *store = fixture_open(&fixture);
    answer(store, 10, 60);
    assert_true(backup_rotate(store, backups, 1, &made, &removed, &error));
    memory_free(made);
    store_close(store);
    ptrdiff_t length;
    fixture_sql(fixture.path, "PRAGMA wal_checkpoint(TRUNCATE)");
    int64_t page = fixture_sql(fixture.path, "SELECT rootpage FROM sqlite_schema WHERE name = 'attempt'");
    unsigned char *bytes = fixture_read(fixture.path, &length);
    memset(bytes + (page - 1) * 4096, 0x77, 4096);
    fixture_write(fixture.path, bytes, length);
    memory_free(bytes);
    struct store *broken;
    fixture.time.wall += 60000;
    if (store_open(&broken, fixture.path, &fixture.options, &error)) {
        assert_false(backup_rotate(broken, backups, 1, &made, &removed, &error));
        assert_int_equal(error.code, ERROR_DAMAGED);
        store_close(broken);
    }
    assert_int_equal(count_backups(backups), 1);
}

static void test_runs(void **state)
{
    (void)state;
    struct run first, second;
    struct store *store = heal(NULL);
    assert_true(run_begin(&first, store, &error));
    assert_int_equal(first.unclean, 0);
    assert_true(run_end(&first, store, &error));
    assert_true(run_begin(&first, store, &error));
    assert_int_equal(first.unclean, 0);
    struct store *other = heal(NULL); /* a second one beside it, that runs */
    assert_true(run_begin(&second, other, &error));
    assert_int_equal(second.unclean, 0);
    assert_true(run_end(&second, other, &error));
    store_close(other);
    store_close(store); /* without its end */
    store = heal(NULL);
    fixture.time.wall += 1000;
    assert_true(run_begin(&second, store, &error));
    assert_int_equal(second.unclean, 1);
    assert_false(second.rebooted);
    assert_int_equal(second.clock, CLOCK_FINE);
    assert_true(run_end(&second, store, &error));
    assert_true(run_begin(&second, store, &error)); /* told once */
    assert_int_equal(second.unclean, 0);
    store_close(store);
    fixture_sql(fixture.path, "SELECT 1");
    assert_int_equal(
        fixture_sql(fixture.path, "SELECT count(*) FROM event WHERE body ->> '$.what' = 'unclean'"), 1);
}

static void test_clock(void **state)
{
    (void)state;
    const int64_t year = INT64_C(365) * 86400000, y2026 = INT64_C(1767225600000);
    assert_int_equal(clock_judge(0, 0), CLOCK_BEFORE);
    assert_int_equal(clock_judge(INT64_C(1577836799999), 0), CLOCK_BEFORE);
    assert_int_equal(clock_judge(INT64_C(1577836800000), 0), CLOCK_FINE);
    assert_int_equal(clock_judge(y2026, y2026 - 80 * INT64_C(86400000)), CLOCK_FINE);
    assert_int_equal(clock_judge(y2026, y2026 - 2 * year), CLOCK_AHEAD);
    assert_int_equal(clock_judge(y2026, y2026 + 2 * CLOCK_BEHIND_MS), CLOCK_BEHIND);
    assert_int_equal(clock_judge(y2026, y2026 + CLOCK_BEHIND_MS / 2), CLOCK_FINE);
    assert_int_equal(clock_judge(INT64_C(4102444800000), 0), CLOCK_AHEAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sound, start, end),
        cmocka_unit_test_setup_teardown(test_log_alone, start, end),
        cmocka_unit_test_setup_teardown(test_backup_and_log, start, end),
        cmocka_unit_test_setup_teardown(test_bad_backup, start, end),
        cmocka_unit_test_setup_teardown(test_begun_late, start, end),
        cmocka_unit_test_setup_teardown(test_gone, start, end),
        cmocka_unit_test_setup_teardown(test_tail, start, end),
        cmocka_unit_test_setup_teardown(test_tail_by_any, start, end),
        cmocka_unit_test_setup_teardown(test_silent, start, end),
        cmocka_unit_test_setup_teardown(test_erased, start, end),
        cmocka_unit_test_setup_teardown(test_merged, start, end),
        cmocka_unit_test_setup_teardown(test_stranger, start, end),
        cmocka_unit_test_setup_teardown(test_torn_log, start, end),
        cmocka_unit_test_setup_teardown(test_rotation, start, end),
        cmocka_unit_test_setup_teardown(test_rotation_damaged, start, end),
        cmocka_unit_test_setup_teardown(test_runs, start, end),
        cmocka_unit_test(test_clock),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
