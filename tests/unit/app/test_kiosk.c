/*
 * A kiosk without a terminal: its state machine by times and answers, and who may sign in over a store in
 * memory, also where memory ends.
 */
#include "kiosk.h"

#include <quiztutor/memory.h>
#include <quiztutor/roster.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { MINUTE = 60000 };

static struct kiosk_config config_of(int roster, int pin)
{
    return (struct kiosk_config){
        .roster = roster, .pin = pin, .idle = 5, .countdown = 30, .practice = true, .completion = true
    };
}

static void test_idle(void **state)
{
    (void)state;
    struct kiosk_config config = config_of(KIOSK_ROSTER_CLOSED, KIOSK_PIN_NONE);
    struct kiosk_said said = { .known = true, .admitted = true };
    struct kiosk_flow flow;
    kiosk_flow_init(&flow, 1000);
    assert_int_equal(flow.state, KIOSK_CALL);
    assert_int_equal(kiosk_flow_name(&flow, &config, &said, 1000), KIOSK_ANSWER_REFUSED);
    kiosk_flow_ready(&flow, &config, true, 1000);
    assert_int_equal(flow.state, KIOSK_SIGN_IN);
    assert_false(kiosk_flow_tick(&flow, false, 90 * MINUTE)); /* nobody is there */
    assert_int_equal(kiosk_flow_name(&flow, &config, &said, 0), KIOSK_ANSWER_WELCOME);
    assert_int_equal(kiosk_flow_countdown(&flow, 5 * MINUTE - 1), 0);
    assert_int_equal(kiosk_flow_countdown(&flow, 5 * MINUTE), 30);
    assert_int_equal(kiosk_flow_countdown(&flow, 5 * MINUTE + 29500), 1);
    assert_false(kiosk_flow_tick(&flow, false, 5 * MINUTE + 29999));
    assert_true(kiosk_flow_input(&flow, 5 * MINUTE + 29999)); /* a key: it begins anew */
    assert_int_equal(kiosk_flow_countdown(&flow, 5 * MINUTE + 30000), 0);
    int64_t end = 5 * MINUTE + 29999 + 5 * MINUTE + 30000;
    kiosk_flow_ready(&flow, &config, false, end - 1); /* between learners only */
    assert_int_equal(flow.state, KIOSK_SERVE);
    assert_false(kiosk_flow_tick(&flow, true, end)); /* an answer is not stored yet */
    assert_false(kiosk_flow_tick(&flow, false, end + 1));
    assert_true(kiosk_flow_tick(&flow, false, end + 5 * MINUTE + 30000));
    assert_int_equal(flow.state, KIOSK_SIGN_IN);
    kiosk_flow_ready(&flow, &config, false, end);
    assert_int_equal(flow.state, KIOSK_CALL);
}

static void test_names(void **state)
{
    (void)state;
    static const struct {
        int roster, pin;
        bool known, admitted, meant, set;
        enum kiosk_answer answer;
        enum kiosk_state state;
    } rows[] = {
        { KIOSK_ROSTER_CLOSED, KIOSK_PIN_ROSTER, true, true, false, false, KIOSK_ANSWER_WELCOME,
          KIOSK_SERVE },
        { KIOSK_ROSTER_CLOSED, KIOSK_PIN_ROSTER, true, true, false, true, KIOSK_ANSWER_ASK_PIN, KIOSK_PIN },
        { KIOSK_ROSTER_CLOSED, KIOSK_PIN_NONE, true, true, false, true, KIOSK_ANSWER_WELCOME, KIOSK_SERVE },
        { KIOSK_ROSTER_CLOSED, KIOSK_PIN_REQUIRED, true, true, false, false, KIOSK_ANSWER_NO_PIN,
          KIOSK_SIGN_IN },
        { KIOSK_ROSTER_CLOSED, KIOSK_PIN_REQUIRED, true, true, false, true, KIOSK_ANSWER_ASK_PIN, KIOSK_PIN },
        { KIOSK_ROSTER_CLOSED, KIOSK_PIN_ROSTER, true, false, false, true, KIOSK_ANSWER_REFUSED,
          KIOSK_SIGN_IN },
        { KIOSK_ROSTER_CLOSED, KIOSK_PIN_NONE, false, true, true, false, KIOSK_ANSWER_UNKNOWN,
          KIOSK_SIGN_IN },
        { KIOSK_ROSTER_OPEN, KIOSK_PIN_ROSTER, false, true, false, false, KIOSK_ANSWER_NEW, KIOSK_SIGN_IN },
        { KIOSK_ROSTER_OPEN, KIOSK_PIN_ROSTER, false, true, true, false, KIOSK_ANSWER_WELCOME, KIOSK_SERVE },
        { KIOSK_ROSTER_OPEN, KIOSK_PIN_REQUIRED, false, true, true, false, KIOSK_ANSWER_NO_PIN,
          KIOSK_SIGN_IN },
        { KIOSK_ROSTER_OPEN, KIOSK_PIN_NONE, false, false, true, false, KIOSK_ANSWER_REFUSED, KIOSK_SIGN_IN },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct kiosk_config config = config_of(rows[i].roster, rows[i].pin);
        struct kiosk_said said = { .known = rows[i].known,
                                   .admitted = rows[i].admitted,
                                   .meant = rows[i].meant,
                                   .pin.set = rows[i].set };
        struct kiosk_flow flow;
        kiosk_flow_init(&flow, 0);
        kiosk_flow_ready(&flow, &config, true, 0);
        assert_int_equal(kiosk_flow_name(&flow, &config, &said, 0), rows[i].answer);
        assert_int_equal(flow.state, rows[i].state);
    }
}

static void test_pins(void **state)
{
    (void)state;
    struct kiosk_config config = config_of(KIOSK_ROSTER_CLOSED, KIOSK_PIN_ROSTER);
    struct kiosk_said said = { .known = true, .admitted = true, .pin = { .set = true, .wait_ms = 30000 } };
    struct pin_state waits = { .set = true, .wait_ms = 60000 }, left = { .set = true, .left = 3 };
    struct kiosk_flow flow;
    kiosk_flow_init(&flow, 0);
    kiosk_flow_ready(&flow, &config, true, 0);
    assert_int_equal(kiosk_flow_name(&flow, &config, &said, 0), KIOSK_ANSWER_ASK_PIN);
    assert_int_equal(kiosk_flow_wait(&flow, 0), 30); /* of the tries before */
    assert_int_equal(kiosk_flow_wait(&flow, 29001), 1);
    assert_int_equal(kiosk_flow_wait(&flow, 30000), 0);
    assert_false(kiosk_flow_tried(&flow, PIN_OUTCOME_WRONG, &left, 30000));
    assert_int_equal(kiosk_flow_wait(&flow, 30000), 0);
    assert_false(kiosk_flow_tried(&flow, PIN_OUTCOME_WRONG, &waits, 40000));
    assert_int_equal(kiosk_flow_wait(&flow, 40000), 60);
    assert_int_equal(flow.state, KIOSK_PIN);
    assert_true(kiosk_flow_tried(&flow, PIN_OUTCOME_RIGHT, &left, 100000));
    assert_int_equal(flow.state, KIOSK_SERVE);
    assert_false(kiosk_flow_tried(&flow, PIN_OUTCOME_RIGHT, &left, 100000)); /* once is enough */
    kiosk_flow_out(&flow, 100000);
    assert_int_equal(flow.state, KIOSK_SIGN_IN);
    assert_false(kiosk_flow_tried(&flow, PIN_OUTCOME_RIGHT, &left, 100000)); /* of nobody */
    assert_int_equal(kiosk_flow_name(&flow, &config, &said, 200000), KIOSK_ANSWER_ASK_PIN);
    assert_true(kiosk_flow_tick(&flow, false, 200000 + 5 * MINUTE)); /* without a countdown */
    assert_int_equal(flow.state, KIOSK_SIGN_IN);
}

static void test_flood(void **state)
{
    (void)state;
    struct kiosk_flow flow;
    int taken = 0;
    kiosk_flow_init(&flow, 0);
    for (int i = 0; i < 100000; i++)
        taken += kiosk_flow_input(&flow, 10);
    assert_int_equal(taken, KIOSK_BURST);
    for (taken = 0, flow.flood_at = 10; taken < 1000 && kiosk_flow_input(&flow, 1010);)
        taken++;
    assert_int_equal(taken, KIOSK_RATE); /* what a second brings */
    int64_t now = 100000;
    for (int i = 0; i < 10000; i++, now += 1000 / KIOSK_RATE + 1)
        assert_true(kiosk_flow_input(&flow, now)); /* fast typing goes on for ever */
    assert_true(kiosk_flow_input(&flow, 5));       /* a clock that went back stops nobody */
}

static void test_exams(void **state)
{
    (void)state;
    struct kiosk_exam exam = { .from = 1000, .until = 2000 };
    assert_false(kiosk_flow_exam(&exam, 999, NULL, 0, 0, false, true));
    assert_true(kiosk_flow_exam(&exam, 1000, NULL, 0, 0, false, true));
    assert_false(kiosk_flow_exam(&exam, 2000, NULL, 0, 0, false, true));
    assert_true(kiosk_flow_exam(&exam, 5000, NULL, 0, 1, false, true));   /* a tutor opened it */
    assert_false(kiosk_flow_exam(&exam, 1500, NULL, 0, -1, false, true)); /* or locked it */
    assert_false(kiosk_flow_exam(&exam, 1500, NULL, 0, 0, true, true));   /* it was handed in */
    assert_false(kiosk_flow_exam(&exam, 1500, NULL, 0, 1, false, false)); /* the kiosk is not locked in */
}

/* ---- over a store ---- */

static struct clock_fake fake;
static struct kiosk kiosk;
static struct kiosk_config config;

static int open_kiosk(void **state)
{
    (void)state;
    static const char *const groups[] = { "9a" };
    const struct roster_line lines[] = {
        { .name = "Ana", .login = "bea", .external_id = "A-1", .groups = groups, .group_count = 1 },
        { .name = "Bea", .external_id = "B-2", .plain = 1 },
        { .name = "Änne", .plain = ROSTER_UNSAID },
    };
    struct roster_result results[3];
    struct error error;
    fake = (struct clock_fake){ .wall = 1796083200000, .steady = 1000 };
    memset(&kiosk, 0, sizeof kiosk);
    kiosk.setup.clock = clock_fake(&fake);
    kiosk_journal_init(&kiosk.journal, -1);
    config = config_of(KIOSK_ROSTER_OPEN, KIOSK_PIN_ROSTER);
    kiosk.config = &config;
    struct store_options options = { .clock = kiosk.setup.clock };
    assert_true(store_open_memory(&kiosk.store, &options, &error));
    assert_true(roster_add(kiosk.store, lines, results, 3, &error));
    kiosk_flow_init(&kiosk.flow, fake.steady);
    kiosk_flow_ready(&kiosk.flow, &config, true, fake.steady);
    assert_true(kiosk_people_read(&kiosk, &error));
    return 0;
}

static int close_kiosk(void **state)
{
    (void)state;
    kiosk_people_finish(&kiosk.people);
    store_close(kiosk.store);
    return 0;
}

static enum kiosk_answer say(const char *name)
{
    struct error error = { 0 };
    kiosk_flow_out(&kiosk.flow, fake.steady);
    return kiosk_say_name(&kiosk, name, &error);
}

static void test_sign_in(void **state)
{
    (void)state;
    assert_int_equal(kiosk.model.name_count, 3);
    assert_int_equal(say("ana"), KIOSK_ANSWER_WELCOME);
    assert_string_equal(kiosk.name, "Ana");
    assert_false(kiosk.plain);
    assert_int_equal(kiosk.group_count, 1);
    assert_int_equal(say("bea"), KIOSK_ANSWER_WELCOME); /* a login comes before a name, as everywhere */
    assert_string_equal(kiosk.name, "Ana");
    assert_string_equal(kiosk.called, "bea");
    assert_int_equal(say("B-2"), KIOSK_ANSWER_WELCOME); /* by external id */
    assert_string_equal(kiosk.name, "Bea");
    assert_true(kiosk.plain);
    assert_int_equal(say("Änne"), KIOSK_ANSWER_WELCOME);
    assert_int_equal(say("../../etc/passwd'; DROP TABLE learner; --"), KIOSK_ANSWER_NEW);
    assert_int_equal(say("Zoe"), KIOSK_ANSWER_NEW);
    assert_int_equal(say("Zoë"), KIOSK_ANSWER_NEW); /* another name is not the same said twice */
    assert_int_equal(say("Zoë"), KIOSK_ANSWER_WELCOME);
    assert_int_equal(say("   "), KIOSK_ANSWER_UNKNOWN);
    assert_int_not_equal(kiosk.remark[0], 0);
}

static void test_pin_tries(void **state)
{
    (void)state;
    struct error error;
    assert_int_equal(say("Ana"), KIOSK_ANSWER_WELCOME);
    assert_true(pin_set(kiosk.store, &kiosk.learner, "1234", 4, &error));
    assert_int_equal(say("Ana"), KIOSK_ANSWER_ASK_PIN);
    assert_false(kiosk_try_pin(&kiosk, "4321", &error));
    assert_int_not_equal(kiosk.note[0], 0);
    assert_int_equal(kiosk.flow.state, KIOSK_PIN);
    assert_true(kiosk_try_pin(&kiosk, "1234", &error));
    assert_int_equal(kiosk.flow.state, KIOSK_SERVE);
    assert_int_equal(say("Ana"), KIOSK_ANSWER_ASK_PIN);
    for (int i = 0; i < PIN_TRIES; i++)
        assert_false(kiosk_try_pin(&kiosk, "4321", &error));
    assert_false(kiosk_try_pin(&kiosk, "1234", &error)); /* too early: not even looked at */
    fake.steady += PIN_WAIT_FIRST;
    assert_true(kiosk_try_pin(&kiosk, "1234", &error));
}

/* Nobody gets in, and nothing is lost, wherever memory ends. */
static void test_memory(void **state)
{
    (void)state;
    struct error error;
    bool done = false;
    assert_int_equal(say("Bea"), KIOSK_ANSWER_WELCOME);
    assert_true(pin_set(kiosk.store, &kiosk.learner, "1234", 4, &error));
    for (long n = 1; n < 500 && !done; n++) {
        kiosk_flow_out(&kiosk.flow, fake.steady);
        memory_fail_after(n);
        bool read = kiosk_people_read(&kiosk, &error);
        enum kiosk_answer answer = read ? kiosk_say_name(&kiosk, "B-2", &error) : KIOSK_ANSWER_UNKNOWN;
        memory_fail_after(0);
        assert_true(answer == KIOSK_ANSWER_UNKNOWN || answer == KIOSK_ANSWER_REFUSED ||
                    answer == KIOSK_ANSWER_NEW || answer == KIOSK_ANSWER_ASK_PIN);
        assert_int_not_equal(kiosk.flow.state, KIOSK_SERVE);
        done = read && answer == KIOSK_ANSWER_ASK_PIN && n > 50;
    }
    assert_true(done);
    assert_true(kiosk_people_read(&kiosk, &error));
    assert_int_equal(kiosk.people.count, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_idle),
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_pins),
        cmocka_unit_test(test_flood),
        cmocka_unit_test(test_exams),
        cmocka_unit_test_setup_teardown(test_sign_in, open_kiosk, close_kiosk),
        cmocka_unit_test_setup_teardown(test_pin_tries, open_kiosk, close_kiosk),
        cmocka_unit_test_setup_teardown(test_memory, open_kiosk, close_kiosk),
    };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
