/* One sync against a centre that is made up: whatever fails, and wherever memory ends, in the end everything
 * is there once, and the mark never runs ahead of it. */
#include "fixture.h"

#include <quiztutor/sync.h>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

enum { ROWS = 20000, NEVER = 1 << 30 };

/* The centre: what was committed, what a batch holds, and at which call it fails. */
static struct {
    struct uuid server;
    int64_t version;
    struct uuid rows[ROWS], batch[ROWS];
    int count, batched, learners, batches, largest;
    int64_t seqs[ROWS];
    int calls, fail_at;
    bool fail_after; /* the last call was done all the same */
    bool open;
} centre;

static struct fixture fixture;
static int64_t steady;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    memset(&centre, 0, sizeof centre);
    centre.server = fixture_id(900);
    centre.version = 1;
    centre.fail_at = NEVER;
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

static bool broken(struct error *error)
{
    return ++centre.calls >= centre.fail_at && !error_set(error, ERROR_BUSY, "cut off");
}

static bool fake_open(struct central **central, const char *address, struct error *error)
{
    (void)address;
    if (broken(error))
        return false;
    centre.open = true;
    centre.batched = 0;
    *central = (struct central *)(void *)&centre;
    return true;
}

static void fake_close(struct central *central)
{
    assert_ptr_equal(central, &centre);
    assert_true(centre.open);
    centre.open = false;
}

static bool fake_begin(struct central *central, const struct uuid *store_id, struct error *error)
{
    (void)central;
    assert_false(uuid_is_zero(store_id));
    centre.batched = 0;
    return !broken(error);
}

static bool fake_row(struct central *central, const struct outgoing_row *row, struct error *error)
{
    (void)central;
    if (row->seq) {
        centre.seqs[centre.batched] = row->seq;
        centre.batch[centre.batched++] = row->id;
    }
    centre.learners += row->kind == OUTGOING_LEARNER;
    return !broken(error);
}

static bool is_there(const struct uuid *id)
{
    for (int i = 0; i < centre.count; i++)
        if (uuid_equal(&centre.rows[i], id))
            return true;
    return false;
}

static bool fake_end(struct central *central, struct central_taken *taken, struct error *error)
{
    (void)central;
    memset(taken, 0, sizeof *taken);
    bool fails = broken(error);
    if (fails && !centre.fail_after)
        return false;
    for (int i = 0; i < centre.batched; i++) {
        if (is_there(&centre.batch[i]))
            taken->before++;
        else
            centre.rows[centre.count++] = centre.batch[i], taken->taken++;
    }
    centre.batches++;
    centre.largest = centre.batched > centre.largest ? centre.batched : centre.largest;
    steady += 10;
    return !fails;
}

static bool fake_pull(struct central *central, int64_t since, central_visit *visit, void *context,
                      struct error *error)
{
    (void)central;
    struct central_item server = { CENTRAL_SERVER, centre.version, centre.server, "{}" };
    struct central_item learner = {
        CENTRAL_LEARNER, 1, fixture_id(2),
        "{\"name\":\"Ana\",\"login\":null,\"external_id\":null,\"time_factor\":1,\"plain\":0,"
        "\"groups\":[],\"created_at\":1}"
    };
    if (broken(error) || !visit(context, &server, error))
        return false;
    return since >= 1 || visit(context, &learner, error);
}

static const struct central_part fake = {
    .open = fake_open,
    .close = fake_close,
    .send_begin = fake_begin,
    .send_row = fake_row,
    .send_end = fake_end,
    .pull = fake_pull,
};

static int64_t now(void *context)
{
    (void)context;
    return steady;
}

static struct clock fake_time(void)
{
    struct clock clock = clock_system();
    clock.steady = now;
    return clock;
}

/* `more` answers of one session */
static void make(int first, int more)
{
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ana");
    for (int i = 0; i < more; i++) {
        struct store_attempt attempt = fixture_attempt(first + i, "q1", OUTCOME_RIGHT);
        fixture_add(store, &session, &attempt);
    }
    store_close(store);
}

static void make_many(int more)
{
    char sql[500];
    snprintf(sql, sizeof sql,
             "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) INSERT INTO "
             "event(seq, event_id, kind,"
             " device_id, at, utc_offset_s) SELECT (SELECT next_seq FROM meta) + i, randomblob(16), 'kiosk', "
             "randomblob(16), 1, 0 FROM n",
             more);
    fixture_sql(fixture.path, sql);
    fixture_sql(fixture.path, "UPDATE meta SET next_seq = (SELECT max(seq) + 1 FROM event)");
}

static bool run_with(struct sync_options options, struct sync_count *count)
{
    options.store_path = fixture.path;
    options.address = "postgresql://lab@db/quiz";
    options.clock = fake_time();
    return sync_run(&options, count, &fixture.error);
}

static bool run(struct sync_count *count)
{
    bool done = run_with((struct sync_options){ 0 }, count);
    assert_false(centre.open);
    return done;
}

static void run_well(struct sync_count *count)
{
    centre.fail_at = NEVER;
    if (!run(count))
        fail_msg("%s", fixture.error.message);
}

static int64_t rows_here(void)
{
    return fixture_sql(fixture.path, "SELECT (SELECT count(*) FROM session) + (SELECT count(*) FROM attempt) "
                                     "+ (SELECT count(*) FROM event)");
}

static void whole(void)
{
    assert_int_equal(centre.count, rows_here());
}

static struct pulled_mark mark(void)
{
    struct pulled_mark found;
    bool is;
    assert_true(pulled_look(fixture.path, &found, &is, &fixture.error));
    return found;
}

static void test_ordinary(void **state)
{
    (void)state;
    struct sync_count count;
    struct sync_state look;
    make(10, 5);
    assert_true(sync_look(fixture.path, &look, &fixture.error));
    assert_true(!look.known && look.at == 0 && look.waiting == 6);
    run_well(&count);
    assert_true(count.sent == 6 && count.total == 6 && count.taken.taken == 6 && count.pulled == 1 &&
                !count.again);
    whole();
    run_well(&count);
    assert_int_equal(count.sent, 0);
    assert_int_equal(count.total, 0);
    assert_int_equal(count.pulled, 0);
    assert_true(sync_look(fixture.path, &look, &fixture.error));
    assert_true(look.known && look.at > 0 && look.waiting == 0 && look.version == 1);
    make(15, 2);
    run_well(&count);
    assert_true(count.sent == 2 && count.taken.before == 0);
    whole();
}

static void test_batches(void **state)
{
    (void)state;
    struct sync_count count;
    make(10, 1);
    make_many(15000);
    run_well(&count);
    assert_int_equal(count.sent, 15002);
    whole();
    /* quick ones grow from 1,000 to 10,000 */
    assert_int_equal(centre.batches, 5); /* 1000, 2000, 4000, 8000, and what is left */
    assert_true(centre.largest <= SYNC_BATCH_MOST);
}

static void test_each_call_fails(void **state)
{
    (void)state;
    struct sync_count count;
    for (int after = 0; after < 2; after++) {
        bool done = false;
        for (int at = 1; !done && at < 200; at++) {
            if (at % 5 == 1)
                make(1000 * (after + 1) + 10 * at, 2);
            centre.calls = 0;
            centre.fail_at = at;
            centre.fail_after = after;
            done = run(&count);
            if (!done)
                assert_int_equal(fixture.error.code, ERROR_BUSY);
            assert_true(mark().seq <= rows_here());
        }
        assert_true(done);
        run_well(&count);
        whole();
    }
}

static void test_memory(void **state)
{
    (void)state;
    struct sync_count count;
    bool done = false;
    for (long at = 1; !done && at < 600; at++) {
        if (at % 10 == 1)
            make(10000 + (int)at, 1);
        memory_fail_after(at);
        done = run(&count);
        memory_fail_after(0);
        if (!done)
            assert_int_equal(fixture.error.code, ERROR_MEMORY);
    }
    assert_true(done);
    run_well(&count);
    whole();
}

/* Another server, or a log that is not what it was: everything goes again, and is there once. */
static void test_again(void **state)
{
    (void)state;
    struct sync_count count;
    make(10, 3);
    run_well(&count);
    centre.server = fixture_id(901);
    centre.count = 0;
    run_well(&count);
    assert_true(count.again && count.sent == 4 && count.pulled == 1);
    whole();
    fixture_sql(fixture.path, "UPDATE meta SET log_changes = log_changes + 1");
    run_well(&count);
    assert_true(count.again && count.sent == 4 && count.taken.before == 4);
    fixture_sql(fixture.path, "UPDATE meta SET store_id = randomblob(16)");
    run_well(&count);
    assert_true(count.again && count.taken.before == 4);
    run_well(&count);
    assert_true(!count.again && count.sent == 0);
    whole();
}

static bool stop_at_once(void *context, const struct sync_count *count)
{
    (void)context;
    return count->sent == 0;
}

static void test_stopped(void **state)
{
    (void)state;
    struct sync_count count;
    make(10, 1);
    make_many(2500);
    assert_true(run_with((struct sync_options){ .progress = stop_at_once }, &count));
    assert_true(count.sent > 0 && count.sent < 1001);
    assert_true(mark().seq > 0 && mark().at == 0);
    run_well(&count);
    whole();
    assert_true(mark().at > 0);
}

/* Who syncs time and again sends the learners when they have changed. */
static void test_learners(void **state)
{
    (void)state;
    struct sync_count count;
    struct hash learners = { { 0 } };
    make(10, 1);
    for (int i = 0; i < 3; i++)
        assert_true(run_with((struct sync_options){ .learners = &learners }, &count));
    assert_int_equal(centre.learners, 1);
    fixture_sql(fixture.path, "UPDATE learner SET login = 'ana'");
    assert_true(run_with((struct sync_options){ .learners = &learners }, &count));
    assert_int_equal(centre.learners, 2);
    centre.server = fixture_id(902); /* knows nobody */
    assert_true(run_with((struct sync_options){ .learners = &learners }, &count));
    assert_int_equal(centre.learners, 3);
}

static void test_one_at_a_time(void **state)
{
    (void)state;
    struct sync_count count;
    make(10, 1);
    int fd = open(fixture_beside(fixture.path, "-sync-lock"), O_RDWR | O_CREAT, 0600);
    assert_int_equal(flock(fd, LOCK_EX), 0);
    assert_false(run(&count));
    assert_int_equal(fixture.error.code, ERROR_BUSY);
    assert_int_equal(centre.calls, 0);
    close(fd);
    run_well(&count);
    whole();
}

static void test_wait(void **state)
{
    (void)state;
    assert_int_equal(sync_wait(60000, 0, 0), 60000);
    assert_int_equal(sync_wait(60000, 0, 1), 66000);
    assert_int_equal(sync_wait(60000, 1, 0), 500);
    assert_int_equal(sync_wait(60000, 1, 1), 1000);
    assert_int_equal(sync_wait(60000, 4, 1), 8000);
    int64_t before = 0;
    for (int failures = 1; failures < 40; failures++) {
        int64_t wait = sync_wait(60000, failures, 1);
        assert_true(wait >= before && wait <= SYNC_WAIT_LONGEST);
        before = wait;
    }
    assert_int_equal(before, SYNC_WAIT_LONGEST);
    assert_int_equal(sync_wait(86400000, 1000000, 1), 86400000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_ordinary, start, end),
        cmocka_unit_test_setup_teardown(test_batches, start, end),
        cmocka_unit_test_setup_teardown(test_each_call_fails, start, end),
        cmocka_unit_test_setup_teardown(test_memory, start, end),
        cmocka_unit_test_setup_teardown(test_again, start, end),
        cmocka_unit_test_setup_teardown(test_stopped, start, end),
        cmocka_unit_test_setup_teardown(test_learners, start, end),
        cmocka_unit_test_setup_teardown(test_one_at_a_time, start, end),
        cmocka_unit_test(test_wait),
    };
    central_set(&fake);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
