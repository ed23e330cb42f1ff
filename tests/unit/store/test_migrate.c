/* From version to version: those that were released, and two later ones made up here. */
#include "fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static struct fixture fixture;
static struct error error;
enum { STEPS = 100 };
static const char *steps[STEPS];
static struct schema schema = { steps, 0, NULL };
static int today, last; /* the version that this program makes; the last made-up one */

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    today = schema_current.version;
    last = today + 2;
    assert_true(last <= STEPS);
    for (int i = 0; i < today; i++)
        steps[i] = schema_current.migrations[i];
    steps[today] = "ALTER TABLE learner ADD COLUMN note TEXT; UPDATE learner SET note = 'two';";
    steps[today + 1] = "CREATE TABLE third(x INTEGER) STRICT; INSERT INTO third VALUES(3);";
    schema.version = today;
    schema.views = schema_current.views;
    fixture.around.schema = &schema;
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static void make_store(void)
{
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    /* the log is not put into the file before the backup is made: it must be in there all the same */
    fixture_sql(fixture.path, "PRAGMA wal_autocheckpoint = 0; UPDATE learner SET name = 'Anne'");
    store_close(store);
    fixture_sql(fixture.path, "PRAGMA wal_autocheckpoint = 0; UPDATE learner SET name = 'Anna'");
}

static void test_shipped_schema_is_whole(void **state)
{
    (void)state;
    assert_true(schema_current.version >= 1);
    for (int i = 0; i < schema_current.version; i++)
        assert_true(strlen(schema_current.migrations[i]) > 0);
    fixture.around.schema = &schema_current;
    store_close(fixture_open(&fixture));
    assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"), schema_current.version);
    assert_int_equal(fixture_sql(fixture.path, "PRAGMA application_id"), 0x51547574);
    assert_int_equal(fixture_sql(fixture.path,
                                 "SELECT count(*) FROM pragma_table_list WHERE schema = 'main'"
                                 " AND type = 'table' AND name NOT LIKE 'sqlite_%' AND strict = 0"),
                     0);
}

static void test_from_each_version_to_the_last(void **state)
{
    (void)state;
    char backup[64];
    for (int from = 0; from < last; from++) {
        snprintf(fixture.path, sizeof fixture.path, "%s/from-%hhu.db", fixture.folder, (unsigned char)from);
        schema.version = from;
        if (from >= today)
            make_store();
        else if (from)
            fixture_make_old(fixture.path, from);
        schema.version = last;
        store_close(fixture_open(&fixture));
        assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"), last);
        assert_int_equal(fixture_sql(fixture.path, "SELECT x FROM third"), 3);
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM learner"), from > 0);
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM counted_attempt"), from > 0);
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM schedule"), from > 0);
        snprintf(backup, sizeof backup, "-version-%d", from);
        assert_int_equal(access(fixture_beside(fixture.path, backup), F_OK) == 0, from > 0);
    }
}

/* What the schedules say, as SQL that gives one number. */
static int64_t fingerprint(void)
{
    return fixture_sql(fixture.path, "SELECT sum(due_day * 31 + last_at + counted * 7 + phase * 3 + run) +"
                                     " CAST(1e9 * sum(stability + difficulty) AS INTEGER) FROM schedule");
}

/* A log of a release that knew no schedules: they are there after the first opening, as if they had been kept
 * up all along. */
static void test_schedules_of_an_old_log(void **state)
{
    (void)state;
    static const enum outcome outcomes[] = { OUTCOME_RIGHT, OUTCOME_RIGHT, OUTCOME_WRONG, OUTCOME_PARTLY,
                                             OUTCOME_OMITTED };
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    for (int i = 0; i < 300; i++) {
        char question[16];
        snprintf(question, sizeof question, "q%d", i % 40);
        struct store_attempt attempt = fixture_attempt(100 + i, question, outcomes[i * 7 % 5]);
        attempt.answered_at = INT64_C(1700000000000) + i * INT64_C(20000000);
        fixture_add(store, &session, &attempt);
        if (i % 11 == 0) {
            struct store_event undone = fixture_event(1000 + i, "undone", 100 + i);
            fixture_tell(store, &session, &undone);
        }
    }
    store_close(store);
    int64_t expected = fingerprint();
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM schedule"), 40);
    fixture_sql(
        fixture.path,
        "DROP TABLE schedule; DROP TABLE parameters; DROP INDEX session_exam;"
        "DROP TRIGGER learner_added; DROP TRIGGER learner_changed; DROP TRIGGER learner_gone;"
        "DROP VIEW change_of; DROP TABLE changed;"
        "DROP TABLE pulled; DROP TABLE pulled_left;"
        "DROP TABLE pin; DROP TABLE pin_try; DROP TABLE sheet; DROP TABLE sheet_content; DROP TABLE member; "
        "DROP TABLE learner_pack; "
        "DROP TABLE learner_day;"
        "DROP TABLE backup; DROP INDEX event_erased; ALTER TABLE meta DROP COLUMN unclean;"
        "DROP INDEX event_kiosk; ALTER TABLE meta DROP COLUMN log_changes;"
        "DROP INDEX attempt_pack; DROP INDEX event_undone; DROP INDEX event_told;"
        "DROP INDEX event_undone_learner;"
        "DROP INDEX event_reported; ALTER TABLE learner DROP COLUMN plain;"
        "DROP INDEX event_handed_in; DROP TRIGGER event_late;"
        "DROP VIEW counted_attempt; ALTER TABLE attempt DROP COLUMN retried;"
        "ALTER TABLE meta DROP COLUMN schedule_seq;"
        "ALTER TABLE meta DROP COLUMN schedule_version;"
        "ALTER TABLE meta DROP COLUMN schedule_day_starts;"
        "ALTER TABLE meta DROP COLUMN parameters_made;"
        "ALTER TABLE learner DROP COLUMN time_factor; PRAGMA user_version = 1");
    store = fixture_open(&fixture);
    assert_true(fingerprint() == expected);
    struct store_rebuild report;
    assert_true(store_rebuild(store, &report, &error));
    assert_int_equal(report.different, 0);
    assert_int_equal(report.questions, 40);
    assert_int_equal(report.answers, 300 - 28);
    store_close(store);
    assert_int_equal(access(fixture_beside(fixture.path, "-version-1"), F_OK), 0);
}

/* Whoever opens the store next makes anew what was made otherwise. */
static void test_schedules_made_otherwise(void **state)
{
    (void)state;
    static const char *const changes[] = {
        "UPDATE meta SET schedule_version = 0",
        "UPDATE meta SET schedule_version = 99",
        "UPDATE meta SET schedule_seq = 1", /* another release stored something */
        "UPDATE meta SET schedule_day_starts = 0",
    };
    make_store();
    int64_t expected = fingerprint();
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        fixture_sql(fixture.path, "UPDATE schedule SET due_day = 1, phase = 3");
        store_close(fixture_open(&fixture));
        assert_true(fingerprint() != expected); /* not looked at when nothing has changed */
        fixture_sql(fixture.path, changes[i]);
        store_close(fixture_open(&fixture));
        assert_true(fingerprint() == expected);
    }
    struct store_scheduling early = { .day_starts = 0, .retention = 0.9 };
    fixture.options.scheduling = &early;
    fixture_sql(fixture.path, "UPDATE schedule SET due_day = 1");
    store_close(fixture_open(&fixture));
    assert_int_equal(fixture_sql(fixture.path, "SELECT schedule_day_starts FROM meta"), 0);
    assert_int_equal(fixture_sql(fixture.path, "SELECT due_day <> 1 FROM schedule"), 1);
}

/* Two releases, or two settings, on one store at once: the rows always agree with what `meta` says. */
static void test_made_otherwise_meanwhile(void **state)
{
    (void)state;
    struct store_scheduling early = { .day_starts = 0, .retention = 0.9 };
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_rebuild report;
    struct store *late = fixture_open(&fixture);
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q2", OUTCOME_RIGHT),
                         three = fixture_attempt(12, "q3", OUTCOME_OMITTED),
                         four = fixture_attempt(13, "q1", OUTCOME_WRONG);
    one.answered_at = two.answered_at = three.answered_at = INT64_C(1700000000000) + 10800000; /* 01:13 */
    one.utc_offset_s = two.utc_offset_s = three.utc_offset_s = 0;
    fixture_add(late, &session, &one);
    fixture.options.scheduling = &early;
    struct store *other = fixture_open(&fixture);
    fixture_add(late, &session, &two);
    fixture_add(other, &session, &three);
    fixture_sql(fixture.path, "UPDATE meta SET schedule_version = 99");
    fixture_add(late, &session, &four);
    assert_int_equal(fixture_sql(fixture.path, "SELECT schedule_version FROM meta"), 0);
    /* a stranger's answer, stored without its schedule */
    fixture_sql(
        fixture.path,
        "INSERT INTO attempt SELECT next_seq, randomblob(16), session_id, learner_id, attempt.device_id,"
        " boot_id, pack_id, 'q9', revision, content, seed, showing, shown, response, outcome, mark,"
        " marks, certainty, hints, elapsed_ms, answered_at, utc_offset_s, origin, retried FROM attempt, meta"
        " WHERE seq = 2; UPDATE meta SET next_seq = next_seq + 1");
    struct store_event star = fixture_event(20, "starred", 0);
    star.body = "{\"question\":[\"tour\",\"q2\"],\"on\":true}";
    fixture_tell(other, &session, &star);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM schedule WHERE question_id = 'q9'"), 1);
    assert_true(store_rebuild(late, &report, &error));
    assert_int_equal(report.different, 0);
    assert_int_equal(report.questions, 4);
    assert_int_equal(fixture_sql(fixture.path, "SELECT due_day * 86400000 - answered_at FROM schedule"
                                               " WHERE question_id = 'q3'") > -7200000,
                     1); /* the day that begins at midnight, for all three */
    store_close(late);
    store_close(other);
}

static void test_backup(void **state)
{
    (void)state;
    make_store();
    schema.version = last;
    store_close(fixture_open(&fixture));
    char backup[FIXTURE_PATH + 64];
    snprintf(backup, sizeof backup, "%s-version-%d", fixture.path, today);
    assert_int_equal(fixture_sql(backup, "PRAGMA user_version"), today);
    assert_int_equal(fixture_sql(backup, "SELECT count(*) FROM attempt"), 1);
    assert_int_equal(fixture_sql(backup, "SELECT name = 'Anna' FROM learner"), 1);
    assert_int_equal(fixture_sql(backup, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    assert_int_not_equal(access(fixture_beside(backup, ".partial"), F_OK), 0);
    struct stat status;
    assert_int_equal(stat(backup, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    schema.version = today; /* the backup is a store that the older release opens */
    strcpy(fixture.path, backup);
    struct store *store = fixture_open(&fixture);
    char *text = fixture_query(store, QUERY_LEARNERS, NULL, 0, &error);
    assert_string_equal(text, "Anna|-|1|2010\n");
    memory_free(text);
    store_close(store);
}

static void test_a_step_that_fails_changes_nothing(void **state)
{
    (void)state;
    struct store *store;
    static const char *const bad[] = { "CREATE TABLE third(x); INSERT INTO nowhere VALUES(1);",
                                       "UPDATE attempt SET mark = 0;", /* append-only also here */
                                       "DELETE FROM learner;",         /* attempts would be left without */
                                       "CREATE TABLE third(x" };
    make_store();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        steps[today + 1] = bad[i];
        schema.version = last;
        assert_false(sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
        assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"),
                         today + 1); /* the step before it did get through */
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM sqlite_schema WHERE name = 'third'"),
                         0);
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM learner"), 1);
    }
    steps[today + 1] = "CREATE TABLE third(x INTEGER) STRICT;";
    store_close(fixture_open(&fixture));
    assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"), last);
}

static void test_views_are_made_anew(void **state)
{
    (void)state;
    make_store();
    schema.views = "DROP VIEW IF EXISTS counted_attempt; CREATE VIEW counted_attempt AS SELECT *, 42 AS "
                   "extra FROM attempt;";
    store_close(fixture_open(&fixture));
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM pragma_table_info('counted_attempt')"
                                               " WHERE name = 'extra'"),
                     0);
    schema.version = today + 1;
    store_close(fixture_open(&fixture));
    assert_int_equal(fixture_sql(fixture.path, "SELECT extra FROM counted_attempt"), 42);
}

static void test_one_release_back(void **state)
{
    (void)state;
    struct store *store;
    schema.version = today + 1;
    make_store();
    schema.version = today;
    assert_false(sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
    assert_int_equal(error.code, ERROR_NEWER);
    assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"), today + 1);
}

static void test_while_an_older_one_has_it_open(void **state)
{
    (void)state;
    struct store *older = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q1", OUTCOME_RIGHT);
    fixture_add(older, &session, &one);
    schema.version = last;
    struct store *newer = fixture_open(&fixture);
    fixture_add(older, &session, &two); /* its statements still fit */
    fixture_add(newer, &session, &one);
    assert_true(store_check(newer, &error));
    store_close(older);
    store_close(newer);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM attempt"), 2);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = {
        T(test_shipped_schema_is_whole),
        T(test_from_each_version_to_the_last),
        T(test_schedules_of_an_old_log),
        T(test_schedules_made_otherwise),
        T(test_made_otherwise_meanwhile),
        T(test_backup),
        T(test_a_step_that_fails_changes_nothing),
        T(test_views_are_made_anew),
        T(test_one_release_back),
        T(test_while_an_older_one_has_it_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
