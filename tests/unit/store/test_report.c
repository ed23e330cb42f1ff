/* What reports read, by hand: few answers whose sums can be seen, over SQLite and memory alike. */
#include "fixture.h"

enum { ANN = 1001, BEA };

static struct fixture fixture;
static struct store *stores[2];
static struct error error;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    stores[0] = fixture_open(&fixture);
    return store_open_memory(&stores[1], &fixture.options, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    store_close(stores[0]);
    store_close(stores[1]);
    fixture_end(&fixture);
    return 0;
}

static void add(int session, int learner, int number, const char *question, enum outcome outcome, double mark)
{
    for (int i = 0; i < 2; i++) {
        struct store_session of = fixture_session(session, learner, learner == ANN ? "Ann" : "Bea");
        struct store_attempt attempt = fixture_attempt(number, question, outcome);
        attempt.verdict.mark = mark;
        attempt.verdict.marks = 2;
        fixture_add(stores[i], &of, &attempt);
    }
}

static void tell(int session, int learner, int number, const char *kind, int attempt, const char *body)
{
    for (int i = 0; i < 2; i++) {
        struct store_session of = fixture_session(session, learner, learner == ANN ? "Ann" : "Bea");
        struct store_event event = fixture_event(number, kind, attempt);
        event.body = body;
        fixture_tell(stores[i], &of, &event);
    }
}

static void expect(enum store_query query, const struct store_value *parameters, int count,
                   const char *wanted)
{
    for (int i = 0; i < 2; i++) {
        char *text = fixture_query(stores[i], query, parameters, count, &error);
        if (!text || strcmp(text, wanted) != 0)
            fail_msg("%s: query %d is\n%sand not\n%s", i ? "memory" : "SQLite", (int)query,
                     text ? text : error.message, wanted);
        memory_free(text);
    }
}

/* The class without a group, of the pack. */
static void expect_class(const char *wanted)
{
    const struct store_value of[] = { store_value_null(), store_value_text("tour") };
    expect(QUERY_CLASS, of, 2, wanted);
}

/* Two sessions, six answers: three first ones, of them right, partly and wrong; one question missed thrice.
 */
static void answer(void)
{
    add(1, ANN, 10, "q1", OUTCOME_RIGHT, 2);
    add(1, ANN, 11, "q2", OUTCOME_PARTLY, 0.5);
    add(1, ANN, 12, "q3", OUTCOME_WRONG, 0);
    add(2, ANN, 13, "q3", OUTCOME_WRONG, 0);
    add(2, ANN, 14, "q3", OUTCOME_PARTLY, 1);
    add(2, ANN, 15, "q1", OUTCOME_WRONG, 0);
    add(3, BEA, 16, "q1", OUTCOME_OMITTED, 0);
}

static void test_class(void **state)
{
    (void)state;
    struct uuid ann = fixture_id(ANN);
    const struct store_value of = store_value_uuid(&ann);
    answer();
    /* id, name, login, external id, last, first, sessions, questions, attempts, right, partly, wrong,
     * omitted, shares, ms, mastered, stuck, offsets of last and first */
    expect_class("#1001|Ann|-|-|2015|2010|2|3|6|1|1|1|0|1.25|9000|0|1|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    expect(QUERY_PROGRESS_PACKS, &of, 1,
           "-|2015|2010|2|3|6|1|1|1|0|1.25|9000|0|1|3600|3600\ntour|2015|2010|2|3|6|1|1|1|0|1.25|9000|0|1|"
           "3600|3600\n");
    const struct store_value days[] = { of, store_value_integer(-1) };
    expect(QUERY_PROGRESS_DAYS, days, 2, "-1|6|1|3|1.25|9000|3\n"); /* before four in the morning */
    const struct store_value stuck[] = { of, store_value_null(), store_value_null() };
    expect(QUERY_MISSES, (struct store_value[]){ of, store_value_null(), store_value_integer(0) }, 3, "");
    char *text = fixture_query(stores[0], QUERY_STUCK, stuck, 3, &error);
    assert_non_null(strstr(text, "#1001|Ann|tour|q3|3|3|partly|2014|"));
    memory_free(text);
}

/* Moments come with the offset of the answer then, wherever the learner was. */
static void test_offsets(void **state)
{
    static const int offsets[] = { 7200, -18000, 32400 };
    (void)state;
    struct uuid ann = fixture_id(ANN);
    const struct store_value of = store_value_uuid(&ann);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 2; k++) {
            struct store_session session = fixture_session(1, ANN, "Ann");
            struct store_attempt attempt = fixture_attempt(10 + i, i < 2 ? "q1" : "q2", OUTCOME_RIGHT);
            attempt.utc_offset_s = offsets[i];
            fixture_add(stores[k], &session, &attempt);
        }
    }
    expect_class("#1001|Ann|-|-|2012|2010|1|2|3|2|0|0|0|2|4500|0|0|32400|7200\n");
    for (int k = 0; k < 2; k++) {
        struct rows *rows;
        assert_true(rows_open(&rows, stores[k], QUERY_LEARNER_SCHEDULES, &of, 1, &error));
        assert_int_equal(rows_step(rows, &error), 1);
        assert_int_equal(rows_integer(rows, KEPT_FIRST_OFFSET), 7200);
        assert_int_equal(rows_step(rows, &error), 1);
        assert_int_equal(rows_integer(rows, KEPT_FIRST_OFFSET), 32400);
        rows_close(rows);
    }
}

/* Gradings are stored together or not at all, and once. */
static void test_events_together(void **state)
{
    (void)state;
    answer();
    for (int k = 0; k < 2; k++) {
        struct store_event events[] = { fixture_event(60, "voided", 12), fixture_event(61, "voided", 13),
                                        fixture_event(62, "no such kind", 14) };
        for (int i = 0; i < 3; i++)
            events[i].body = "{\"mark\":0,\"marks\":2,\"outcome\":\"wrong\"}";
        assert_false(store_add_events(stores[k], events, 3, &error));
        events[2].kind = "voided";
        events[2].id = events[0].id; /* the third can't be stored: nor are those before it */
        if (k == 0)
            assert_false(store_add_events(stores[k], events, 3, &error));
    }
    expect_class("#1001|Ann|-|-|2015|2010|2|3|6|1|1|1|0|1.25|9000|0|1|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    for (int k = 0; k < 2; k++) {
        struct store_event events[] = { fixture_event(60, "voided", 12), fixture_event(61, "voided", 13),
                                        fixture_event(62, "voided", 14) };
        bool stored = false;
        for (long allocations = 1; !stored;
             allocations++) { /* without memory none, and the same call again */
            memory_fail_after(allocations);
            stored = store_add_events(stores[k], events, 3, &error);
            memory_fail_after(0);
            struct rows *rows;
            assert_true(rows_open(&rows, stores[k], QUERY_TOTALS, NULL, 0, &error));
            assert_int_equal(rows_step(rows, &error), 1);
            assert_int_equal(rows_integer(rows, 4), stored ? 3 : 0);
            rows_close(rows);
        }
        assert_true(store_add_events(stores[k], events, 3, &error)); /* twice is once */
        assert_true(store_add_events(stores[k], NULL, 0, &error));
    }
    expect_class("#1001|Ann|-|-|2015|2010|2|3|6|1|1|0|0|1.25|9000|0|0|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    fixture_expect_in_step(stores[0]);
}

/* What is taken back leaves everything; its replacement is no first answer, and the question stays met. */
static void test_undone(void **state)
{
    (void)state;
    answer();
    tell(1, ANN, 50, "undone", 11, NULL);
    expect_class("#1001|Ann|-|-|2015|2010|2|2|5|1|0|1|0|1|7500|0|1|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    for (int i = 0; i < 2; i++) {
        struct store_session of = fixture_session(1, ANN, "Ann");
        struct store_attempt again = fixture_attempt(17, "q2", OUTCOME_RIGHT);
        again.showing = 2;
        fixture_add(stores[i], &of, &again);
    }
    expect_class("#1001|Ann|-|-|2017|2010|2|3|6|1|0|1|0|1|9000|0|1|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    tell(3, BEA, 51, "undone", 16, NULL);
    tell(3, BEA, 52, "undone", 16, NULL); /* twice is once */
    expect_class("#1001|Ann|-|-|2017|2010|2|3|6|1|0|1|0|1|9000|0|1|3600|3600\n"
                 "#1002|Bea|-|-|-|-|0|0|0|0|0|0|0|0|0|0|0|-|-\n");
    const struct uuid ann = fixture_id(ANN), bea = fixture_id(BEA);
    const struct store_value pack = store_value_text("tour"), null = store_value_null();
    expect(QUERY_UNDONE_COUNTS, (struct store_value[]){ pack, null, null }, 3, "tour|q1|1\ntour|q2|1\n");
    expect(QUERY_UNDONE_COUNTS, (struct store_value[]){ null, store_value_uuid(&ann), null }, 3,
           "tour|q2|1\n");
    expect(QUERY_UNDONE_COUNTS, (struct store_value[]){ pack, store_value_uuid(&bea), null }, 3,
           "tour|q1|1\n");
    expect(QUERY_UNDONE_COUNTS,
           (struct store_value[]){ store_value_text("other"), store_value_uuid(&bea), null }, 3, "");
    fixture_expect_in_step(stores[0]);
}

/* The newest grading is what counts; what was voided is an attempt and nothing more. */
static void test_graded_anew(void **state)
{
    (void)state;
    answer();
    tell(1, ANN, 50, "regraded", 12, "{\"mark\":0.5,\"marks\":2,\"outcome\":\"partly\",\"reason\":\"key\"}");
    expect_class("#1001|Ann|-|-|2015|2010|2|3|6|1|2|0|0|1.5|9000|0|1|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    tell(1, ANN, 51, "accepted", 12, "{\"mark\":2,\"marks\":2,\"outcome\":\"right\"}");
    expect_class("#1001|Ann|-|-|2015|2010|2|3|6|2|1|0|0|2.25|9000|0|0|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    tell(1, ANN, 52, "voided", 12, "{\"mark\":0,\"marks\":0,\"outcome\":\"wrong\"}");
    expect_class("#1001|Ann|-|-|2015|2010|2|3|6|1|1|0|0|1.25|9000|0|0|3600|3600\n"
                 "#1002|Bea|-|-|2016|2016|1|1|1|0|0|0|1|0|1500|0|0|3600|3600\n");
    fixture_expect_in_step(stores[0]);
}

static void test_groups(void **state)
{
    (void)state;
    struct uuid ann = fixture_id(ANN), nobody = fixture_id(7);
    struct arena arena;
    struct store_group group;
    const char *nearest;
    answer();
    arena_init(&arena);
    for (int i = 0; i < 2; i++) {
        assert_true(store_set_member(stores[i], &ann, "Group A", true, &error));
        assert_true(store_set_member(stores[i], &ann, "GROUP a", true, &error)); /* the same */
        assert_false(store_set_member(stores[i], &nobody, "Group A", true, &error));
        assert_int_equal(error.code, ERROR_NOT_FOUND);
        assert_false(store_set_member(stores[i], &ann, "", true, &error));
        assert_true(store_find_group(stores[i], "group A", &arena, &group, &nearest, &error));
        assert_string_equal(group.key, "group a");
        assert_string_equal(group.name, "Group A");
        assert_int_equal(group.members, 1);
        assert_false(store_find_group(stores[i], "Group B", &arena, &group, &nearest, &error));
        assert_int_equal(error.code, ERROR_NOT_FOUND);
        assert_string_equal(nearest, "Group A");
    }
    const struct store_value of[] = { store_value_text("group a"), store_value_null() };
    expect(QUERY_CLASS, of, 2, "#1001|Ann|-|-|2015|2010|2|3|6|1|1|1|0|1.25|9000|0|1|3600|3600\n");
    for (int i = 0; i < 2; i++)
        assert_true(store_set_member(stores[i], &ann, "group a", false, &error));
    expect(QUERY_CLASS, of, 2, "");
    expect(QUERY_GROUPS, NULL, 0, "");
    arena_finish(&arena);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = { T(test_class),  T(test_offsets),     T(test_events_together),
                                        T(test_undone), T(test_graded_anew), T(test_groups) };
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
