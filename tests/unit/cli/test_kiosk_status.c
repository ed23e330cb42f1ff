/* How `kiosk --status` judges what it finds, on machines made up for it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_machine.h"

#include <quiztutor/central.h>
#include <quiztutor/hash.h>
#include <quiztutor/pulled.h>
#include <quiztutor/run.h>
#include <stdio.h>
#include <string.h>

static struct fake machine;
static struct store *held; /* by a kiosk that runs */
static struct run run;

static int setup(void **state)
{
    struct store_options options = { .second_log = true };
    struct error error;
    (void)state;
    fake_begin(&machine);
    options.clock = machine.machine.clock;
    if (!store_open(&held, machine.store, &options, &error) || !run_begin(&run, held, &error))
        fail_msg("%s", error.message);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    store_close(held);
    fake_end(&machine);
    return 0;
}

/* The level, and the one problem of that level that there is; words NULL: there is none at all. */
static void judged(enum level level, const char *words)
{
    struct status status;
    assert_true(status_init(&status, &machine.machine, machine.config));
    if (status.level != level)
        fail_msg("level %d instead of %d: %s", (int)status.level, (int)level,
                 status.problem_count ? status.problems[0].text : "");
    assert_int_equal(status.problem_count, words ? 1 : 0);
    if (words && !strstr(status.problems[0].text, words))
        fail_msg("\"%s\" is not in \"%s\"", words, status.problems[0].text);
    status_finish(&status);
}

static void test_good(void **state)
{
    (void)state;
    judged(LEVEL_OK, NULL);
}

static void test_space(void **state)
{
    (void)state;
    machine.room = 3999000;
    judged(LEVEL_CRITICAL, "the disk is full: 4.0 MB are left");
    machine.room = 4000000;
    judged(LEVEL_WARNING, "fills up");
    machine.room = 80000000;
    judged(LEVEL_OK, NULL);
    fake_remove("data/store.db-reserve");
    judged(LEVEL_WARNING, "no reserve");
    machine.no_files = true;
    judged(LEVEL_UNKNOWN, "can't be told");
}

static void test_second_log(void **state)
{
    (void)state;
    fake_remove("data/store.db-attempts");
    judged(LEVEL_WARNING, "without a second log");
}

static void test_sandbox(void **state)
{
    (void)state;
    machine.no_lock = true;
    judged(LEVEL_WARNING, "exams refuse to start");
}

static void test_clock(void **state)
{
    (void)state;
    machine.clock.wall -= INT64_C(2) * CLOCK_BEHIND_MS;
    judged(LEVEL_WARNING, "before the newest answer");
}

static void test_backups(void **state)
{
    (void)state;
    machine.clock.wall += INT64_C(2) * 86400000;
    judged(LEVEL_WARNING, "50 hours old");
    fake_remove("data/b/store.db-20261129T220000Z.backup");
    judged(LEVEL_WARNING, "no backup");
}

/* The worst counts: critical, unknown, warning. */
static void test_ranks(void **state)
{
    struct status status;
    (void)state;
    machine.no_lock = true;
    machine.no_files = true;
    assert_true(status_init(&status, &machine.machine, machine.config));
    assert_int_equal(status.level, LEVEL_UNKNOWN);
    assert_int_equal(status.problem_count, 2);
    status_finish(&status);
    store_close(held);
    held = NULL;
    assert_true(status_init(&status, &machine.machine, machine.config));
    assert_int_equal(status.level, LEVEL_CRITICAL);
    assert_int_equal(status.problem_count, 4); /* it does not run, and ended without warning */
    status_finish(&status);
    machine.clock.wall += INT64_C(86400000);
    assert_true(status_init(&status, &machine.machine, machine.config));
    assert_int_equal(status.problem_count, 3); /* that was yesterday */
    assert_int_equal(status.check.health.unclean, 1);
    status_finish(&status);
}

/* Wherever memory ends there is an answer, or none: never one that says all is well without having looked. */
static void test_memory(void **state)
{
    bool done = false, left = false;
    (void)state;
    for (long n = 1; !done || !left; n++) {
        struct status status;
        memory_fail_after(n);
        done = status_init(&status, &machine.machine, machine.config);
        void *more = memory_alloc(1);
        memory_fail_after(0);
        left = more != NULL;
        memory_free(more);
        if (done && status.level == LEVEL_OK) /* no more than words were refused */
            assert_true(status.check.packs && status.check.store && status.check.health.whole &&
                        status.check.health.running == HEALTH_RUNNING && status.backup_count == 1);
        status_finish(&status);
        assert_true(n < 100000);
    }
}

/* What a sync left: a mark of so many ms ago (−1: none got through), learners, a pack. */
static void synced(int64_t ago, bool sent, int kind, const char *body)
{
    static int64_t version;
    struct pulled *pulled;
    struct error error;
    struct outgoing *outgoing;
    struct uuid id = { { 9 } };
    struct pulled_mark mark = { .server = { { 7 } }, .version = ++version };
    mark.at = ago < 0 ? 0 : machine.clock.wall - ago;
    if (!outgoing_open(&outgoing, machine.store, 0, &error))
        fail_msg("%s", error.message);
    outgoing_store_id(outgoing, &mark.store_id);
    mark.seq = sent ? 1000000 : 0; /* beyond all there is */
    assert_true(outgoing_changes(outgoing, mark.seq, &mark.changes, &error));
    outgoing_close(outgoing);
    if (!pulled_open(&pulled, machine.store, &error) ||
        (body && !pulled_put(pulled, kind, version, &id, body, &error)) ||
        !pulled_set_mark(pulled, &mark, &error) || !pulled_save(pulled, &error))
        fail_msg("%s", error.message);
    pulled_close(pulled);
}

static void test_sync(void **state)
{
    enum { HOUR = 3600000 };
    struct pulled_applied applied;
    struct error error;
    bool changed;
    (void)state;
    synced(25 * HOUR, true, 0, NULL);
    judged(LEVEL_OK, NULL); /* nothing waits */
    synced(23 * HOUR, false, 0, NULL);
    judged(LEVEL_OK, NULL);
    synced(25 * HOUR, false, 0, NULL);
    judged(LEVEL_WARNING, "no sync has got through for 1 day, with rows waiting");
    synced(-1, false, 0, NULL);
    judged(LEVEL_WARNING, "no sync has got through yet");
    synced(0, true, CENTRAL_PACK,
           "{\"pack\":\"gone\",\"hash\":"
           "\"00000000000000000000000000000000000000000000000000000000000000aa\"}");
    judged(LEVEL_WARNING, "1 pack is not as the centre wants it: gone");
    fake_remove("data/store.db-sync");
    synced(0, true, CENTRAL_LEARNER, "{\"name\":\"\"}");
    assert_true(pulled_apply(held, machine.store, &applied, &changed, &error));
    judged(LEVEL_WARNING, "1 learner of the centre is left out");
    fake_write("data/store.db-sync", "nonsense");
    judged(LEVEL_WARNING, "is damaged: the next sync makes it anew");
    fake_remove("data/store.db-sync");
    judged(LEVEL_OK, NULL);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_good),    TEST(test_space), TEST(test_sandbox), TEST(test_second_log), TEST(test_clock),
        TEST(test_backups), TEST(test_ranks), TEST(test_memory),  TEST(test_sync),
    };
    hash_start();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
