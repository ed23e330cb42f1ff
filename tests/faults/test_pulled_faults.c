/* What a sync pulled, applied with the n-th call to the disk failing: it is told, nothing is half done, and
 * the next time makes it good. */
#include "fault_vfs.h"
#include "fixture.h"
#include "roster_private.h"

#include <quiztutor/central.h>
#include <quiztutor/pulled.h>
#include <quiztutor/roster.h>

#include <errno.h>

enum { CALLS = 400 };

static struct fixture fixture;
static struct error error;

static void put(struct pulled *pulled, int kind, int64_t version, const struct uuid *id, const char *body)
{
    if (!pulled_put(pulled, kind, version, id, body, &error))
        fail_msg("%s", error.message);
}

/* Three who have practised: one is renamed, two are made one; a fourth is erased, a fifth new. */
static void begin(struct store **store)
{
    static const char *const names[] = { "Ann", "Bea", "Cy", "Dora" };
    struct pulled *pulled;
    struct pulled_mark mark = { .server = fixture_id(90), .version = 9, .at = 1 };
    struct uuid ids[6], erased;
    char into[80], text[37];
    fixture_start(&fixture);
    fixture.options.vfs = "fault";
    *store = fixture_open(&fixture);
    for (int i = 1; i < 6; i++)
        ids[i] = fixture_id(i);
    for (int i = 1; i < 5; i++) {
        struct store_session session = fixture_session(20 + i, i, names[i - 1]);
        struct store_attempt attempt = fixture_attempt(30 + i, "q1", OUTCOME_RIGHT);
        fixture_add(*store, &session, &attempt);
    }
    if (!pulled_open(&pulled, fixture.path, &error))
        fail_msg("%s", error.message);
    uuid_format(text, &ids[3]);
    snprintf(into, sizeof into, "{\"into\":\"%s\"}", text);
    roster_mark(&erased, &ids[4]);
    put(pulled, CENTRAL_LEARNER, 1, &ids[1], "{\"name\":\"Anna\",\"groups\":[\"7a\"]}");
    put(pulled, CENTRAL_LEARNER, 2, &ids[3], "{\"name\":\"Cyril\"}");
    put(pulled, CENTRAL_LEARNER, 3, &ids[5], "{\"name\":\"Dora\"}");
    put(pulled, CENTRAL_MERGED, 4, &ids[2], into);
    put(pulled, CENTRAL_ERASED, 5, &erased, "{\"at\":1}");
    if (!pulled_set_mark(pulled, &mark, &error) || !pulled_save(pulled, &error))
        fail_msg("%s", error.message);
    pulled_close(pulled);
}

static int64_t sql(const char *text)
{
    return fixture_sql(fixture.path, text);
}

/* Whether the call was reached. */
static bool apply_with_fault(int kinds, int number, bool lasting, long n)
{
    struct store *store;
    struct pulled_applied applied;
    struct store_rebuild report;
    bool changed, hit;
    begin(&store);
    fault_vfs_set(kinds, n, lasting, number);
    bool done = pulled_apply(store, fixture.path, &applied, &changed, &error);
    hit = fault_vfs_hit();
    fault_vfs_clear();
    if (!hit)
        assert_true(done);
    store_close(store);
    store = fixture_open(&fixture);
    if (!pulled_apply(store, fixture.path, &applied, &changed, &error))
        fail_msg("again: %s", error.message);
    assert_int_equal(applied.version, 9);
    assert_int_equal(applied.waiting, 0);
    assert_int_equal(
        sql("SELECT count(*) FROM learner WHERE merged_into IS NULL AND name IN ('Anna', 'Cyril',"
            " 'Dora')"),
        3);
    assert_int_equal(sql("SELECT count(*) FROM learner WHERE merged_into IS NULL"), 3);
    assert_int_equal(sql("SELECT count(*) FROM attempt"), 3);
    assert_int_equal(sql("SELECT count(*) FROM attempt JOIN learner USING(learner_id) WHERE name = 'Cyril'"),
                     2);
    assert_int_equal(sql("SELECT count(*) FROM event WHERE kind = 'merged'"), 1);
    assert_int_equal(sql("SELECT unclean FROM meta"), 0);
    assert_true(store_check(store, &error));
    assert_true(store_rebuild(store, &report, &error));
    assert_int_equal(report.different, 0);
    store_close(store);
    fixture_end(&fixture);
    return hit;
}

static void test_disks(void **state)
{
    static const struct {
        int kinds, number;
        bool lasting;
    } disks[] = { { FAULT_WRITE, ENOSPC, true }, { FAULT_SYNC, EIO, false }, { FAULT_READ, EIO, false } };
    (void)state;
    for (size_t i = 0; i < sizeof disks / sizeof *disks; i++) {
        long n = 1, step = 1;
        while (apply_with_fault(disks[i].kinds, disks[i].number, disks[i].lasting, n)) {
            n += step;
            step = 1 + n / 12; /* the first ones each, then some of them */
            assert_true(n < CALLS);
        }
        assert_true(n > 1); /* else this test tests nothing */
    }
}

int main(void)
{
    fixture_in_memory();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_disks) };
    fault_vfs_start();
    return !hash_start() || cmocka_run_group_tests(tests, NULL, NULL);
}
