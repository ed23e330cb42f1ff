/* Schedules made anew: after harm, by other settings and parameters; and the log as histories. */
#include "twins.h"

#include <inttypes.h>

/* Only what a setting moves is moved, and no row is taken for faulty. */
static void test_a_changed_setting_moves(void **state)
{
    (void)state;
    struct store_rebuild report;
    struct store_attempt easy = twins_attempt(1, "tour", 1, 0), wrong = twins_attempt(2, "tour", 2, 0),
                         elsewhere = twins_attempt(3, "other", 3, 0);
    easy.certainty = elsewhere.certainty = 3;
    wrong.verdict.outcome = OUTCOME_WRONG;
    twins_add(twins_session(0), &easy);
    twins_add(twins_session(0), &wrong);
    twins_add(twins_session(0), &elsewhere);
    int interval = twins_schedule("q1").schedule.interval;
    const struct store_retention by_pack[] = { { "tour", 0.95 } };
    const struct store_scheduling keen = { 240, 0.9, by_pack, 1 };
    twins.fixture.options.scheduling = &keen;
    store_close(twins.kept);
    twins.kept = fixture_open(&twins.fixture);
    assert_int_equal(twins_schedule("q1").schedule.interval, interval); /* not until it is asked for */
    assert_true(store_rebuild(twins.kept, &report, &twins.error));
    assert_int_equal(report.different, 0);
    assert_int_equal(report.moved, 1);
    assert_true(twins_schedule("q1").schedule.interval < interval);
    assert_true(store_rebuild(twins.kept, &report, &twins.error));
    assert_int_equal(report.moved + report.different, 0);
}

/* Whatever is wrong in the derived rows is found, counted, named and mended. */
static void test_rebuild_mends(void **state)
{
    (void)state;
    static const struct {
        const char *sql;
        int different;
    } harms[] = {
        { "UPDATE schedule SET stability = stability * 1.0000000000000003 WHERE question_id = 'q1'", 1 },
        { "DELETE FROM schedule WHERE question_id = 'q2'", 1 },
        { "DELETE FROM schedule", 5 },
        { "CREATE TEMP TABLE stray AS SELECT * FROM schedule WHERE question_id = 'q1';"
          "UPDATE stray SET pack_id = 'a', question_id = 'stray'; INSERT INTO schedule SELECT * FROM stray;"
          "UPDATE schedule SET suspended = 0 WHERE question_id = 'q1'; UPDATE schedule SET pack_id = 'z' "
          "WHERE question_id = 'q3'",
          3 },
        { "UPDATE schedule SET starred = 1 - starred", 5 },
        { "UPDATE schedule SET retention = 0.91 WHERE question_id = 'q1'", 1 },
        { "UPDATE schedule SET misses = 3, first_share = 0.3 WHERE question_id = 'q1'", 1 },
        { "UPDATE learner_pack SET first_shares = first_shares + 1", 2 },
        { "UPDATE learner_pack SET sessions = 2, last_at = last_at + 1 WHERE pack_id = ''", 1 },
        { "DELETE FROM learner_pack WHERE pack_id = 'tour'; DELETE FROM learner_day", 2 },
        { "INSERT INTO learner_pack SELECT learner_id, 'stray', questions, attempts, first_right,"
          " first_partly, first_wrong, first_omitted, first_shares, elapsed_ms, mastered, stuck, sessions,"
          " first_at, last_at FROM learner_pack WHERE pack_id = ''; INSERT INTO learner_day SELECT"
          " learner_id, day + 1, attempts, given, right_answers, firsts, first_shares, elapsed_ms, fresh"
          " FROM learner_day; UPDATE learner_day SET fresh = fresh + 1",
          3 },
        { "UPDATE schedule SET retention = -1, run_day = 7 WHERE question_id = 'q1'", 1 },
    };
    struct store_rebuild report;
    for (int i = 1; i < 5; i++) {
        struct store_attempt attempt = twins_attempt(i, "tour", i, 0);
        attempt.certainty = 3;
        twins_add(twins_session(0), &attempt);
    }
    struct store_event star = fixture_event(50, "starred", 0);
    star.body = "{\"question\":[\"tour\",\"q0\"],\"on\":true}";
    twins_tell(twins_session(0), &star);
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        fixture_sql(twins.fixture.path, harms[i].sql);
        assert_true(store_rebuild(twins.kept, &report, &twins.error));
        if (report.different != harms[i].different)
            fail_msg("%s: %d differ", harms[i].sql, (int)report.different);
        assert_non_null(strstr(report.first, " of Ann"));
        twins_expect_no_difference();
        twins_expect_same();
    }
    assert_int_equal(report.questions, 5);
}

static void test_parameters(void **state)
{
    (void)state;
    struct store *const stores[] = { twins.kept, twins.folded };
    struct fsrs_parameters own = fsrs_defaults, everyones = fsrs_defaults, read;
    struct uuid ann = fixture_id(1001), bob = fixture_id(1002);
    int fitted = -1;
    own.weights[0] = 0.1 + 0.2; /* no short decimal */
    own.weights[20] = 1.0 / 3;
    everyones.weights[3] = 20;
    for (int i = 0; i < 2; i++) {
        struct store *store = stores[i];
        assert_true(store_parameters(store, &ann, &read, &fitted, &twins.error));
        assert_int_equal(fitted, 0);
        assert_memory_equal(&read, &fsrs_defaults, sizeof read);
        assert_true(store_set_parameters(store, NULL, &everyones, NULL, &twins.error));
        assert_true(store_set_parameters(store, &ann, &own, "{\"x\":1}", &twins.error));
        assert_true(store_parameters(store, &ann, &read, &fitted, &twins.error));
        assert_int_equal(fitted, 2);
        assert_memory_equal(&read, &own, sizeof read);
        assert_true(store_parameters(store, &bob, &read, &fitted, &twins.error));
        assert_int_equal(fitted, 1);
        assert_memory_equal(&read, &everyones, sizeof read);
        assert_false(store_set_parameters(store, &ann, &own, "{", &twins.error));
        assert_int_equal(twins.error.code, ERROR_INPUT);
        own.weights[4] = -1; /* clipped to its range */
        assert_true(store_set_parameters(store, &ann, &own, NULL, &twins.error));
        assert_true(store_parameters(store, &ann, &read, NULL, &twins.error));
        assert_true(read.weights[4] == fsrs_bounds[4].low);
        own = fsrs_defaults;
        own.weights[0] = 0.1 + 0.2;
    }
}

static bool print_history(void *context, const struct uuid *learner, const char *pack_id,
                          const char *question_id, const struct store_answer *answers, int count)
{
    struct buffer *out = context;
    buffer_print(out, "%d %s %s:", learner->bytes[3], pack_id, question_id);
    for (int i = 0; i < count; i++)
        buffer_print(out, " %d@%" PRId64 "/%" PRId64, (int)answers[i].grade, answers[i].day, answers[i].at);
    buffer_char(out, '\n');
    return out->length < 100000;
}

static char *histories(struct store *store, const struct uuid *learner)
{
    struct buffer out;
    buffer_init(&out);
    assert_true(store_histories(store, learner, print_history, &out, &twins.error));
    char *text = memory_text(buffer_get(&out));
    buffer_finish(&out);
    return text;
}

static void test_histories(void **state)
{
    (void)state;
    struct uuid id = fixture_id(1002);
    for (int i = 1; i <= 400; i++)
        twins_operate(TWINS_FIRST + i);
    twins_expect_text(histories(twins.kept, NULL), histories(twins.folded, NULL), "everyone's");
    twins_expect_text(histories(twins.kept, &id), histories(twins.folded, &id), "one learner's");
    char *all = histories(twins.kept, NULL), *own = histories(twins.kept, &id);
    assert_non_null(strstr(all, own)); /* a part of it */
    assert_true(strlen(own) > 100 && strlen(own) < strlen(all));
    memory_free(all);
    memory_free(own);
    /* a key that was overturned begins a new one */
    for (int i = 0; i < 4; i++) {
        struct store_attempt attempt = twins_attempt(90000 + i, "tour", 77, i < 2 ? 0 : 3);
        twins.fixture.time.wall = INT64_C(1900000000000) + i * (int64_t)DAY;
        attempt.answered_at = twins.fixture.time.wall;
        twins_add(twins_session(1), &attempt);
    }
    all = histories(twins.kept, &id);
    assert_non_null(strstr(all, "234 tour q77: 3@21990/1900000000000 3@21991/1900086400000\n"
                                "234 tour q77: 3@21992/1900172800000 3@21993/1900259200000\n"));
    memory_free(all);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, twins_start, twins_end)
    const struct CMUnitTest tests[] = {
        T(test_a_changed_setting_moves),
        T(test_rebuild_mends),
        T(test_parameters),
        T(test_histories),
    };
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
