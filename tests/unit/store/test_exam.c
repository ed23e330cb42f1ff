/* Exams, over both implementations: on record from the start, handed in once and as a whole. */
#include "fixture.h"

static struct fixture fixture;
static struct error error;
static struct store *store;

enum { EXAM = 1, QUESTIONS = 3 };

static int start_sqlite(void **state)
{
    (void)state;
    fixture_start(&fixture);
    store = fixture_open(&fixture);
    return 0;
}

static int start_memory(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return store_open_memory(&store, &fixture.options, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    store_close(store);
    fixture_end(&fixture);
    return 0;
}

static const char plan[] = "[[\"tour\",\"q1\",\"r1\",1,\"00ff\",1],[\"tour\",\"q2\",\"r1\",2.5,\"01ff\",1],"
                           "[\"tour\",\"q3\",\"r1\",1,\"02ff\",null]]";

static struct store_session exam_session(int number, int learner, const char *name)
{
    struct store_session session = fixture_session(number, learner, name);
    session.kind = "exam";
    session.plan = plan;
    session.options = "{\"minutes\":30}";
    return session;
}

static void make_exam(struct store_session *session)
{
    struct store_text texts[QUESTIONS];
    static char bodies[QUESTIONS][40];
    static const char *const ids[] = { "q1", "q2", "q3" };
    bool created = false;
    for (int i = 0; i < QUESTIONS; i++) {
        snprintf(bodies[i], sizeof bodies[i], "{\"prompt\":\"Q%d?\"}", i);
        texts[i] = (struct store_text){
            .pack_id = "tour", .question_id = ids[i], .revision = "r1", .body = bodies[i]
        };
        hash_of(&texts[i].content, bodies[i], (ptrdiff_t)strlen(bodies[i]));
    }
    for (int i = 0; i < 2; i++) { /* told twice, made once */
        if (!store_add_session(store, session, texts, QUESTIONS, &created, &error))
            fail_msg("%s", error.message);
        assert_true(i == 0 || !created);
    }
}

static struct store_event answered(int number, int question, const char *response)
{
    static char bodies[8][120];
    static int place;
    char *body = bodies[place = (place + 1) % 8];
    snprintf(body, sizeof bodies[0], "{\"question\":[\"tour\",\"q%d\"],\"response\":%s}", question, response);
    struct store_event event = fixture_event(number, "answered", 0);
    event.body = body;
    return event;
}

static void expect_query(enum store_query query, const struct store_value *parameter, int count,
                         const char *expected)
{
    char *text = fixture_query(store, query, parameter, count, &error);
    if (!text)
        fail_msg("%s", error.message);
    assert_string_equal(text, expected);
    memory_free(text);
}

static void expect_exams(const char *expected)
{
    struct store_value anyone = store_value_null();
    expect_query(QUERY_EXAMS, &anyone, 1, expected);
}

static void test_on_record_from_the_start(void **state)
{
    (void)state;
    struct store_session session = exam_session(EXAM, 2, "Ann");
    make_exam(&session);
    struct store_value id = store_value_uuid(&session.id);
    expect_query(QUERY_PLAN, &id, 1, "tour|q1|r1|1|00ff|1\ntour|q2|r1|2.5|01ff|1\ntour|q3|r1|1|02ff|-\n");
    expect_query(QUERY_LOG, &id, 1, "");
    expect_exams("#1|#2|Ann|{\"minutes\":30}|1001|-3600|4.29497e+09|plain|3|0|0|0\n");
    struct store_value of[] = { store_value_uuid(&session.learner.id), store_value_null() };
    expect_query(QUERY_UNFINISHED, of, 2, "");
    expect_query(QUERY_EXAMS, of, 1, "#1|#2|Ann|{\"minutes\":30}|1001|-3600|4.29497e+09|plain|3|0|0|0\n");
    struct uuid other = fixture_id(9);
    struct store_value nobody = store_value_uuid(&other);
    expect_query(QUERY_EXAMS, &nobody, 1, "");
}

static void test_progress(void **state)
{
    (void)state;
    struct store_session session = exam_session(EXAM, 2, "Ann"), later = exam_session(5, 2, "Ann");
    make_exam(&session);
    make_exam(&later);
    struct store_event events[] = { answered(10, 1, "[1]"),           answered(11, 2, "[2]"),
                                    answered(12, 1, "[3]"),           answered(13, 2, "null"),
                                    fixture_event(14, "extended", 0), fixture_event(15, "extended", 0),
                                    fixture_event(16, "flagged", 0) };
    events[4].body = "{\"minutes\":10}";
    events[5].body = "{\"minutes\":2.5}";
    for (int i = 0; i < 7; i++)
        fixture_tell(store, &session, &events[i]);
    expect_exams("#5|#2|Ann|{\"minutes\":30}|1005|-3600|4.29497e+09|plain|3|0|0|0\n"
                 "#1|#2|Ann|{\"minutes\":30}|1001|-3600|4.29497e+09|plain|3|1|12.5|9\n");
}

static struct store_attempt exam_attempt(int number, int question, enum outcome outcome)
{
    static const char *const ids[] = { "q1", "q2", "q3" };
    return fixture_attempt(number, ids[question - 1], outcome);
}

static void test_handed_in_once(void **state)
{
    (void)state;
    struct store_session session = exam_session(EXAM, 2, "Ann");
    struct store_event answer = answered(10, 1, "[1]"), other = answered(11, 2, "[1]"),
                       handed_in = fixture_event(30, "handed-in", 0),
                       again = fixture_event(31, "handed-in", 0);
    struct store_attempt attempts[] = { exam_attempt(20, 1, OUTCOME_RIGHT),
                                        exam_attempt(21, 2, OUTCOME_WRONG),
                                        exam_attempt(22, 3, OUTCOME_OMITTED) };
    bool already = true;
    make_exam(&session);
    fixture_tell(store, &session, &answer);
    fixture_tell(store, &session, &other);
    /* the caller has not read the newest */
    assert_false(store_hand_in(store, &session, attempts, 3, &handed_in, 2, &already, &error));
    assert_int_equal(error.code, ERROR_BUSY);
    assert_false(already);
    struct store_value id = store_value_uuid(&session.id);
    expect_query(QUERY_LEARNERS, NULL, 0, "Ann|-|0|-\n");
    assert_true(store_hand_in(store, &session, attempts, 3, &handed_in, 3, &already, &error));
    assert_false(already);
    expect_query(QUERY_LOG, &id, 1,
                 "answered|-|-|-|-|-|-|-|-|-|{\"question\":[\"tour\",\"q1\"],\"response\":[1]}|-|3010|2|-\n"
                 "answered|-|-|-|-|-|-|-|-|-|{\"question\":[\"tour\",\"q2\"],\"response\":[1]}|-|3011|3|-\n"
                 "attempt|#20|tour|q1|[1]|right|1|1|1|0|-|-|2020|4|0\n"
                 "attempt|#21|tour|q2|[1]|wrong|0|1|1|0|-|-|2021|5|0\n"
                 "attempt|#22|tour|q3|-|omitted|0|1|1|0|-|-|2022|6|0\n"
                 "handed-in|-|-|-|-|-|-|-|-|-|{\"question\":[\"tour\",\"q1\"]}|-|3030|7|-\n");
    expect_exams("");
    /* again, by whoever: the same call, another's, and one that never read anything */
    for (int i = 0; i < 3; i++) {
        assert_true(store_hand_in(store, &session, attempts, i ? 2 : 3, i ? &again : &handed_in, i ? 0 : 3,
                                  &already, &error));
        assert_true(already);
    }
    expect_query(QUERY_LEARNERS, NULL, 0, "Ann|-|3|2022\n");
}

static void test_late_answers_are_refused(void **state)
{
    (void)state;
    struct store_session session = exam_session(EXAM, 2, "Ann"), other = exam_session(5, 2, "Ann");
    struct store_event answer = answered(10, 1, "[1]"), late = answered(11, 1, "[2]"),
                       handed_in = fixture_event(30, "handed-in", 0),
                       again = fixture_event(31, "handed-in", 0);
    make_exam(&session);
    make_exam(&other);
    fixture_tell(store, &session, &answer);
    assert_true(store_hand_in(store, &session, NULL, 0, &handed_in, 1000, NULL, &error));
    assert_false(store_add_event(store, &session, &late, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_non_null(strstr(error.message, "handed in"));
    assert_false(store_add_event(store, &session, &again, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    fixture_tell(store, &session,
                 &answer); /* that one got through before, though it may have seemed not to */
    fixture_tell(store, &session, &handed_in); /* likewise */
    fixture_tell(store, &other, &late);        /* in another exam it is in time */
    struct store_event extended = fixture_event(40, "extended", 0);
    extended.body = "{\"minutes\":5}";
    fixture_tell(store, &session, &extended);
}

static void test_schedules_follow(void **state)
{
    (void)state;
    struct store_session session = exam_session(EXAM, 2, "Ann");
    struct store_event handed_in = fixture_event(30, "handed-in", 0);
    struct store_attempt attempts[] = { exam_attempt(20, 1, OUTCOME_RIGHT),
                                        exam_attempt(21, 2, OUTCOME_WRONG),
                                        exam_attempt(22, 3, OUTCOME_OMITTED) };
    struct store_schedule is;
    make_exam(&session);
    assert_int_equal(store_schedule(store, &session.learner.id, "tour", "q1", &is, &error), 0);
    assert_true(store_hand_in(store, &session, attempts, 3, &handed_in, 0, NULL, &error));
    for (int i = 0; i < 3; i++) {
        const char *question = attempts[i].question_id;
        assert_int_equal(store_schedule(store, &session.learner.id, "tour", question, &is, &error), 1);
        assert_int_equal(is.counted, 1);
        assert_int_equal(is.schedule.answers, i < 2);
    }
    fixture_expect_in_step(store);
}

static void test_bad_input_changes_nothing(void **state)
{
    (void)state;
    struct store_session session = exam_session(EXAM, 2, "Ann");
    struct store_event handed_in = fixture_event(30, "handed-in", 0),
                       flagged = fixture_event(31, "flagged", 0);
    struct store_attempt attempts[] = { exam_attempt(20, 1, OUTCOME_RIGHT),
                                        exam_attempt(21, 2, OUTCOME_WRONG) };
    struct store_text text = { .pack_id = "tour", .question_id = "q1", .revision = "r1", .body = "{" };
    assert_false(store_add_session(store, &session, &text, 1, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    text.body = "{}";
    text.pack_id = "";
    assert_false(store_add_session(store, &session, &text, 1, NULL, &error));
    session.plan = "[";
    assert_false(store_add_session(store, &session, NULL, 0, NULL, &error));
    session.plan = plan;
    assert_false(store_hand_in(store, &session, attempts, 2, &flagged, 9, NULL, &error));
    attempts[1].response = "[";
    assert_false(store_hand_in(store, &session, attempts, 2, &handed_in, 9, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    expect_query(QUERY_LEARNERS, NULL, 0, "");
    expect_exams("");
}

static void test_time_factor(void **state)
{
    (void)state;
    static const double given[] = { 0, 1, 1.5, 99 }, expected[] = { 1, 1, 1.5, 10 };
    struct arena arena;
    arena_init(&arena);
    for (int i = 0; i < 4; i++) {
        char name[8];
        struct store_learner found;
        snprintf(name, sizeof name, "n%d", i);
        struct store_session session = exam_session(10 + i, 100 + i, name);
        session.learner.time_factor = given[i];
        make_exam(&session);
        assert_true(store_find_learner(store, name, &arena, &found, NULL, &error));
        assert_true(found.time_factor == expected[i]);
    }
    arena_finish(&arena);
}

#define BOTH(test)                                                                                           \
    cmocka_unit_test_setup_teardown(test, start_sqlite, end),                                                \
        cmocka_unit_test_setup_teardown(test, start_memory, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_on_record_from_the_start),
        BOTH(test_progress),
        BOTH(test_handed_in_once),
        BOTH(test_late_answers_are_refused),
        BOTH(test_schedules_follow),
        BOTH(test_bad_input_changes_nothing),
        BOTH(test_time_factor),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
