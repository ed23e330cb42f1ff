/*
 * Several processes storing into one store at once: nothing is lost and nothing is counted twice. With
 * arguments it is a campaign: `test_store_processes 2 10000` has two processes store 10,000 answers each.
 */
#include "fixture.h"

#include <sys/wait.h>
#include <unistd.h>

static int processes = 4, answers = 300;

/* One process: its own store, its own session, a learner shared with all others. Every tenth answer is taken
 * back. */
static bool work(struct fixture *fixture, int worker)
{
    struct store *store;
    struct error error;
    if (!sqlite_store_open(&store, fixture->path, &fixture->options, &fixture->around, &error)) {
        fprintf(stderr, "worker %d: %s\n", worker, error.message);
        return false;
    }
    struct store_session session = fixture_session(1 + worker, 1001 + worker, "Ann");
    bool done = store_hold_session(store, &session.id, &error);
    for (int i = 0; done && i < answers; i++) {
        char question[16];
        int number = (worker + 1) * 1000000 + i * 2;
        snprintf(question, sizeof question, "q%d", i % 50);
        struct store_attempt attempt =
            fixture_attempt(number, question, i % 3 ? OUTCOME_RIGHT : OUTCOME_WRONG);
        attempt.answered_at = INT64_C(1700000000000) + i * INT64_C(7200000) * worker;
        struct store_event undone = fixture_event(number + 1, "undone", number);
        done = store_add_attempt(store, &session, &attempt, NULL, &error) &&
               (i % 10 || store_add_event(store, &session, &undone, NULL, &error));
    }
    if (!done)
        fprintf(stderr, "worker %d: %s\n", worker, error.message);
    store_close(store);
    return done;
}

static void test_nothing_is_lost(void **state)
{
    (void)state;
    struct fixture fixture;
    struct error error;
    pid_t children[64];
    fixture_start(&fixture);
    fixture.around.lock_wait_ms = 60000;
    for (int i = 0; i < processes; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            _exit(work(&fixture, i) ? 0 : 1); /* the store is made by all of them at once */
    }
    for (int i = 0; i < processes; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    int undone = (answers + 9) / 10, all = processes * answers;
    const char *path = fixture.path;
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM attempt"), all);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM counted_attempt"), all - processes * undone);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM learner"), 1);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM session"), processes);
    assert_int_equal(fixture_sql(path, "SELECT count(DISTINCT learner_id) FROM attempt"), 1);
    assert_int_equal(fixture_sql(path, "SELECT count(DISTINCT device_id) FROM attempt"), 1);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM question_text"), answers < 50 ? answers : 50);
    assert_int_equal(fixture_sql(path, "SELECT next_seq FROM meta"),
                     1 + all + processes * undone + processes);
    assert_int_equal(
        fixture_sql(path, "SELECT count(*) = max(seq) FROM (SELECT seq FROM attempt UNION ALL SELECT seq"
                          " FROM session UNION ALL SELECT seq FROM event)"),
        1);
    struct store *store = fixture_open(&fixture);
    if (!store_check(store, &error))
        fail_msg("%s", error.message);
    fixture_expect_in_step(store);
    store_close(store);
    fixture_end(&fixture);
}

/* One process that hands the exam in as soon as it may: 0 it was the one, 1 it was handed in already. */
static int hand_in(struct fixture *fixture, int worker, int gate)
{
    struct store *store;
    struct error error;
    char sign;
    bool already = false;
    struct store_session exam = fixture_session(1, 2, "Ann");
    struct store_attempt attempts[] = { fixture_attempt(100 + worker * 10, "q1", OUTCOME_RIGHT),
                                        fixture_attempt(101 + worker * 10, "q2", OUTCOME_WRONG) };
    struct store_event event = fixture_event(102 + worker * 10, "handed-in", 0);
    exam.kind = "exam";
    if (!sqlite_store_open(&store, fixture->path, &fixture->options, &fixture->around, &error) ||
        read(gate, &sign, 1) != 0 ||
        !store_hand_in(store, &exam, attempts, 2, &event, 1000, &already, &error)) {
        fprintf(stderr, "worker %d: %s\n", worker, error.message);
        return 2;
    }
    store_close(store);
    return already;
}

static void test_handed_in_once(void **state)
{
    (void)state;
    enum { HANDS = 4 };
    struct fixture fixture;
    pid_t children[HANDS];
    int gate[2], first = 0;
    fixture_start(&fixture);
    fixture.around.lock_wait_ms = 60000;
    struct store *store = fixture_open(&fixture);
    struct store_session exam = fixture_session(1, 2, "Ann");
    exam.kind = "exam";
    struct error error;
    assert_true(store_add_session(store, &exam, NULL, 0, NULL, &error));
    assert_int_equal(pipe(gate), 0);
    for (int i = 0; i < HANDS; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            close(gate[1]);
            _exit(hand_in(&fixture, i, gate[0]));
        }
    }
    close(gate[1]); /* now, all of them */
    close(gate[0]);
    for (int i = 0; i < HANDS; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) < 2);
        first += WEXITSTATUS(status) == 0;
    }
    assert_int_equal(first, 1);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM attempt"), 2);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM event"), 1);
    fixture_expect_in_step(store);
    store_close(store);
    fixture_end(&fixture);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_nothing_is_lost),
                                        cmocka_unit_test(test_handed_in_once) };
    if (count == 3) {
        processes = atoi(arguments[1]);
        answers = atoi(arguments[2]);
    }
    if (processes < 1 || processes > 64 || answers < 1 || answers > 400000)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
