/* A try at a PIN with the n-th call to the disk failing: nobody is let in by a try that was not counted. */
#include "fault_vfs.h"
#include "fixture.h"

#include <quiztutor/pin.h>

#include <errno.h>

enum { ANN = 2, CALLS = 200 };

static struct fixture fixture;
static struct error error;

static struct store *begin(void)
{
    struct store_session session = fixture_session(1, ANN, "Ann");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    struct uuid ann = fixture_id(ANN);
    fixture_start(&fixture);
    fixture.options.vfs = "fault";
    struct store *store = fixture_open(&fixture);
    fixture_add(store, &session, &attempt);
    assert_true(pin_set(store, &ann, "2468", 4, &error));
    return store;
}

/* Whether the call was reached. */
static bool try_with_fault(int kinds, int number, bool lasting, const char *typed, long n)
{
    struct uuid ann = fixture_id(ANN);
    struct pin_state state;
    enum pin_outcome outcome = PIN_OUTCOME_UNSET;
    struct store *store = begin();
    bool right = strcmp(typed, "2468") == 0;
    fault_vfs_set(kinds, n, lasting, number);
    bool done = pin_try(store, &ann, typed, 4, &outcome, &state, &error), hit = fault_vfs_hit();
    fault_vfs_clear();
    if (!done)
        assert_int_not_equal(outcome, PIN_OUTCOME_RIGHT);
    else
        assert_int_equal(outcome, right ? PIN_OUTCOME_RIGHT : PIN_OUTCOME_WRONG);
    store_close(store);
    store = fixture_open(&fixture);
    assert_true(pin_look(store, &ann, &state, &error));
    assert_true(state.set);
    if (done && !right)
        assert_int_equal(state.failures, 1); /* and it is on the disk */
    else
        assert_true(state.failures <= 1);
    assert_true(pin_try(store, &ann, "2468", 4, &outcome, &state, &error));
    assert_int_equal(outcome, PIN_OUTCOME_RIGHT);
    assert_true(store_check(store, &error));
    store_close(store);
    fixture_end(&fixture);
    return hit;
}

static void test_tries(void **state)
{
    (void)state;
    static const struct {
        int kinds, number;
        bool lasting;
    } disks[] = { { FAULT_WRITE, ENOSPC, true }, { FAULT_SYNC, EIO, false }, { FAULT_WRITE, EIO, false } };
    for (size_t i = 0; i < sizeof disks / sizeof *disks; i++) {
        for (int k = 0; k < 2; k++) {
            long n = 1;
            while (try_with_fault(disks[i].kinds, disks[i].number, disks[i].lasting, k ? "1357" : "2468", n))
                assert_true(n++ < CALLS);
            assert_true(n > 1); /* else this test tests nothing */
        }
    }
}

int main(void)
{
    fixture_in_memory();
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tries) };
    fault_vfs_start();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
