/* From version to version, with steps that no release has: a second and third version made up here. */
#include "fixture.h"

#include <sys/stat.h>
#include <unistd.h>

static struct fixture fixture;
static struct error error;
static const char *steps[3];
static struct schema schema = { steps, 1, NULL };

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    steps[0] = schema_current.migrations[0];
    steps[1] = "ALTER TABLE learner ADD COLUMN note TEXT; UPDATE learner SET note = 'two';";
    steps[2] = "CREATE TABLE third(x INTEGER) STRICT; INSERT INTO third VALUES(3);";
    schema.version = 1;
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
    for (int from = 0; from < 3; from++) {
        snprintf(fixture.path, sizeof fixture.path, "%s/from-%d.db", fixture.folder, from);
        schema.version = from;
        if (from)
            make_store();
        schema.version = 3;
        store_close(fixture_open(&fixture));
        assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"), 3);
        assert_int_equal(fixture_sql(fixture.path, "SELECT x FROM third"), 3);
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM learner"), from > 0);
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM counted_attempt"), from > 0);
        snprintf(backup, sizeof backup, "-version-%d", from);
        assert_int_equal(access(fixture_beside(fixture.path, backup), F_OK) == 0, from > 0);
    }
}

static void test_backup(void **state)
{
    (void)state;
    make_store();
    schema.version = 3;
    store_close(fixture_open(&fixture));
    char backup[FIXTURE_PATH + 64];
    snprintf(backup, sizeof backup, "%s-version-1", fixture.path);
    assert_int_equal(fixture_sql(backup, "PRAGMA user_version"), 1);
    assert_int_equal(fixture_sql(backup, "SELECT count(*) FROM attempt"), 1);
    assert_int_equal(fixture_sql(backup, "SELECT name = 'Anna' FROM learner"), 1);
    assert_int_equal(fixture_sql(backup, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    assert_int_not_equal(access(fixture_beside(backup, ".partial"), F_OK), 0);
    struct stat status;
    assert_int_equal(stat(backup, &status), 0);
    assert_int_equal(status.st_mode & 0777, 0600);
    schema.version = 1; /* the backup is a store that the older release opens */
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
        steps[2] = bad[i];
        schema.version = 3;
        assert_false(sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
        assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"),
                         2); /* the step before it did get through */
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM sqlite_schema WHERE name = 'third'"),
                         0);
        assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM learner"), 1);
    }
    steps[2] = "CREATE TABLE third(x INTEGER) STRICT;";
    store_close(fixture_open(&fixture));
    assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"), 3);
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
    schema.version = 2;
    store_close(fixture_open(&fixture));
    assert_int_equal(fixture_sql(fixture.path, "SELECT extra FROM counted_attempt"), 42);
}

static void test_one_release_back(void **state)
{
    (void)state;
    struct store *store;
    schema.version = 2;
    make_store();
    schema.version = 1;
    assert_false(sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error));
    assert_int_equal(error.code, ERROR_NEWER);
    assert_int_equal(fixture_sql(fixture.path, "PRAGMA user_version"), 2);
}

static void test_while_an_older_one_has_it_open(void **state)
{
    (void)state;
    struct store *older = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q1", OUTCOME_RIGHT);
    fixture_add(older, &session, &one);
    schema.version = 3;
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
        T(test_backup),
        T(test_a_step_that_fails_changes_nothing),
        T(test_views_are_made_anew),
        T(test_one_release_back),
        T(test_while_an_older_one_has_it_open),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
