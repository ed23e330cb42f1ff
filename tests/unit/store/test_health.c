/* What monitoring is told of a store: within its bound of time, whatever state the store is in. */
#include "fixture.h"

#include <quiztutor/health.h>
#include <quiztutor/run.h>

static struct fixture fixture;
static struct error error;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static void answer(struct store *store, int from, int until)
{
    struct store_session session = fixture_session(1, 2, "Ann");
    for (int i = from; i < until; i++) {
        char question[16];
        snprintf(question, sizeof question, "q%d", i % 5);
        struct store_attempt attempt = fixture_attempt(i, question, OUTCOME_RIGHT);
        fixture_add(store, &session, &attempt);
    }
}

/* As monitoring does: reading, beside whoever has it open. */
static bool look(struct health *health, int milliseconds)
{
    struct store_options options = fixture.options;
    struct store *store;
    options.reading = true;
    if (!sqlite_store_open(&store, fixture.path, &options, &fixture.around, &error))
        return false;
    bool done = health_look(health, store, milliseconds, &error);
    store_close(store);
    return done;
}

static void test_newest(void **state)
{
    struct health health;
    struct store *store = fixture_open(&fixture);
    (void)state;
    assert_true(look(&health, 1000));
    assert_int_equal(health.last_attempt_at, 0);
    assert_int_equal(health.newest_at, 0);
    assert_int_equal(health.schema, fixture_sql(fixture.path, "PRAGMA user_version"));
    assert_true(health.whole);
    answer(store, 10, 13);
    assert_true(look(&health, 1000));
    assert_int_equal(health.last_attempt_at,
                     fixture_sql(fixture.path, "SELECT answered_at FROM attempt ORDER BY seq DESC"));
    struct store_event event = fixture_event(20, "kiosk", 0);
    event.at = health.last_attempt_at + 5000;
    event.body = "{\"what\":\"other\"}";
    fixture_tell(store, NULL, &event);
    assert_true(look(&health, 1000));
    assert_int_equal(health.newest_at, health.last_attempt_at + 5000);
    assert_int_equal(health.running, HEALTH_STOPPED);
    assert_int_equal(health.unclean, 0);
    store_close(store);
}

static void test_runs(void **state)
{
    struct health health;
    struct run run;
    struct store *store = fixture_open(&fixture);
    (void)state;
    for (int i = 1; i <= 3; i++) { /* not ended, noticed by the next one, which is not ended either */
        int64_t begun = fixture.time.wall;
        assert_true(run_begin(&run, store, &error));
        assert_true(look(&health, 1000));
        assert_int_equal(health.running, HEALTH_RUNNING);
        assert_int_equal(health.unclean, i - 1);
        store_close(store);
        assert_true(look(&health, 1000));
        assert_int_equal(health.running, HEALTH_STOPPED);
        assert_int_equal(health.unclean, i);
        assert_int_equal(health.unclean_at, begun);
        fixture.time.wall += 60000;
        store = fixture_open(&fixture);
    }
    assert_true(run_begin(&run, store, &error) && run_end(&run, store, &error));
    assert_true(look(&health, 1000));
    assert_int_equal(health.running, HEALTH_STOPPED);
    assert_int_equal(health.unclean, 3);
    store_close(store);
}

/* No time is no reason to call a store sound that was not looked through. */
static void test_bound(void **state)
{
    struct health health;
    struct store *store = fixture_open(&fixture);
    (void)state;
    answer(store, 10, 200);
    store_close(store);
    assert_true(look(&health, 0));
    assert_false(health.whole);
    assert_string_equal(health.damage, "");
    assert_int_not_equal(health.last_attempt_at, 0);
    assert_true(look(&health, 1000));
    assert_true(health.whole);
}

/* Each page overwritten in turn: found, or told as what the store could not be opened for; never sound by
 * mistake where SQLite's own tool finds something. */
static void test_damage(void **state)
{
    enum { PAGE = 4096 };
    ptrdiff_t length;
    int found = 0, refused = 0;
    struct store *store = fixture_open(&fixture);
    (void)state;
    answer(store, 10, 40);
    store_close(store);
    fixture_sql(fixture.path, "PRAGMA wal_checkpoint(TRUNCATE)");
    unsigned char *bytes = fixture_read(fixture.path, &length);
    assert_true(length > 10 * PAGE);
    for (ptrdiff_t at = PAGE; at + PAGE <= length; at += PAGE) {
        struct health health;
        unsigned char *damaged = memory_alloc(length);
        memcpy(damaged, bytes, (size_t)length);
        memset(damaged + at, 0xa5, PAGE);
        fixture_write(fixture.path, damaged, length);
        memory_free(damaged);
        if (look(&health, 1000)) {
            assert_true(*health.damage);
            found++;
        } else {
            assert_int_equal(error.code, ERROR_DAMAGED);
            refused++;
        }
    }
    memory_free(bytes);
    assert_true(found > 10);
    print_message("%d found, %d refused\n", found, refused);
}

static void test_memory_store(void **state)
{
    struct health health;
    struct store *store;
    (void)state;
    assert_true(store_open_memory(&store, &fixture.options, &error));
    assert_true(health_look(&health, store, 0, &error));
    assert_true(health.whole);
    assert_int_equal(health.running, HEALTH_STOPPED);
    store_close(store);
    assert_true(health_network(0x6969));
    assert_false(health_network(0xef53));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, end)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_newest), TEST(test_runs), TEST(test_bound), TEST(test_damage), TEST(test_memory_store),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
