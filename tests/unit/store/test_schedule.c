/*
 * Schedules, kept up and folded: thousands of random operations on both stores must leave the same, and a
 * rebuild must find no difference; and what answers, undoing, changed keys and clocks do to one.
 */
#include "../../slice.h"
#include "twins.h"

static void test_kept_up_is_folded(void **state)
{
    (void)state;
    static const int operations[] = { 700, 700, 1500 }; /* comparing takes time with the square of them */
    enum { ROUNDS = sizeof operations / sizeof *operations };
    for (int round = 0; round < slice_of(ROUNDS); round++) {
        twins.dice.state = (uint64_t)round * 1000 + 1;
        for (int i = 1; i <= operations[round]; i++) {
            twins_operate(TWINS_FIRST + i);
            if (i % 100 == 0 || i < 30)
                twins_expect_same();
            if (i % 500 == 0 || i == operations[round])
                twins_expect_no_difference();
        }
        twins_end(NULL);
        twins_start(NULL);
    }
}

static void test_undo_takes_back_all(void **state)
{
    (void)state;
    struct store_attempt first = twins_attempt(1, "tour", 1, 0);
    twins_add(twins_session(0), &first);
    twins.fixture.time.wall += 5 * (int64_t)DAY;
    struct store_schedule before = twins_schedule("q1");
    assert_int_equal(before.counted, 1);
    static const enum outcome outcomes[] = { OUTCOME_RIGHT, OUTCOME_WRONG, OUTCOME_OMITTED };
    for (int i = 0; i < 3; i++) {
        struct store_attempt other = twins_attempt(10 + i, "tour", 1, 3); /* another key, too */
        struct store_event undone = fixture_event(20 + i, "undone", 10 + i);
        other.verdict.outcome = outcomes[i];
        twins_add(twins_session(3), &other);
        struct store_schedule with = twins_schedule("q1");
        assert_string_not_equal(twins_shown(&with), twins_shown(&before));
        twins_tell(twins_session(3), &undone);
        struct store_schedule after = twins_schedule("q1");
        assert_string_equal(twins_shown(&after), twins_shown(&before));
        twins_expect_same();
    }
    struct store_event undone = fixture_event(30, "undone", 1);
    twins_tell(twins_session(0), &undone);
    struct uuid id = fixture_id(1001);
    struct store_schedule none;
    assert_int_equal(store_schedule(twins.kept, &id, "tour", "q1", &none, &twins.error), 0);
    assert_int_equal(none.counted, 0);
    assert_int_equal(fixture_sql(twins.fixture.path, "SELECT count(*) FROM schedule"), 0);
}

static void test_help_costs(void **state)
{
    (void)state;
    /* right and certain at first; then the same after an answer of the session was taken back */
    struct store_attempt one = twins_attempt(1, "tour", 1, 0), two = twins_attempt(2, "tour", 1, 0);
    struct store_event undone = fixture_event(3, "undone", 1);
    one.certainty = two.certainty = 3;
    two.showing = 2;
    twins_add(twins_session(0), &one);
    struct store_schedule easy = twins_schedule("q1");
    twins_tell(twins_session(0), &undone);
    twins_add(twins_session(0), &two);
    struct store_schedule hard = twins_schedule("q1");
    assert_true(hard.schedule.memory.stability < easy.schedule.memory.stability);
    assert_int_equal(hard.schedule.phase, PHASE_LEARNING);
    assert_int_equal(easy.schedule.phase, PHASE_REVIEW);
    /* another question of the session had no help, nor the same in another session */
    struct store_attempt elsewhere = twins_attempt(4, "tour", 2, 0), later = twins_attempt(5, "tour", 1, 0);
    elsewhere.showing = later.showing = 2;
    twins_add(twins_session(0), &elsewhere);
    twins_add(twins_session(3), &later);
    double good = twins_schedule("q2").schedule.memory.stability;
    assert_true(good > hard.schedule.memory.stability);
    assert_true(twins_schedule("q1").schedule.memory.stability > hard.schedule.memory.stability);
    twins_expect_same();
}

static void test_only_a_changed_key_starts_anew(void **state)
{
    (void)state;
    static const struct {
        int version, answers;
    } steps[] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 1 }, { 3, 2 }, { 4, 1 }, { 4, 2 }, { 0, 1 } };
    for (int i = 0; i < 8; i++) {
        struct store_attempt attempt = twins_attempt(1 + i, "tour", 1, steps[i].version);
        twins.fixture.time.wall += DAY;
        attempt.answered_at = twins.fixture.time.wall;
        twins_add(twins_session(i % 2 ? 0 : 3), &attempt);
        struct store_schedule is = twins_schedule("q1");
        assert_int_equal(is.schedule.answers, steps[i].answers);
        assert_int_equal(is.counted, i + 1);
        assert_string_equal(is.revision, twins_versions[steps[i].version].revision);
    }
    twins_expect_same();
    twins_expect_no_difference();
}

static void test_key_overturned(void **state)
{
    (void)state;
    struct store *const stores[] = { twins.kept, twins.folded };
    static const bool expected[VERSIONS] = { false, false, false, true, true };
    struct store_attempt attempt = twins_attempt(1, "tour", 1, 0);
    struct hash unknown;
    twins_add(twins_session(0), &attempt);
    hash_of(&unknown, "?", 1);
    for (int i = 0; i < 2; i++) {
        for (int version = 0; version < VERSIONS; version++) {
            struct store_attempt other = twins_attempt(2, "tour", 1, version);
            bool overturned = !expected[version];
            assert_true(
                store_key_overturned(stores[i], &attempt.content, other.body, &overturned, &twins.error));
            assert_int_equal(overturned, expected[version]);
            assert_true(store_key_overturned(stores[i], &unknown, other.body, &overturned, &twins.error));
            assert_false(overturned);
        }
        bool overturned = true;
        assert_true(
            store_key_overturned(stores[i], &attempt.content, "{\"prompt\":1}", &overturned, &twins.error));
        assert_false(overturned);
        assert_false(store_key_overturned(stores[i], &attempt.content, "{", &overturned, &twins.error));
        assert_int_equal(twins.error.code, ERROR_INPUT);
    }
}

/* A spelling that was to be checked costs as a hint does; a card's grade is the learner's, given again or
 * not. */
static void test_spellings_and_cards(void **state)
{
    (void)state;
    static const struct {
        enum outcome outcome;
        int certainty, hints;
        bool retried;
        const char *response;
        enum grade grade;
    } rows[] = {
        { OUTCOME_RIGHT, 0, 0, false, "\"as typed\"", GRADE_GOOD },
        { OUTCOME_RIGHT, 0, 0, true, "\"as typed\"", GRADE_HARD },
        { OUTCOME_RIGHT, 3, 0, true, "\"as typed\"", GRADE_HARD },
        { OUTCOME_RIGHT, 3, 0, false, "\"4\"", GRADE_EASY },
        { OUTCOME_RIGHT, 0, 0, false, "\"4\"", GRADE_GOOD }, /* a number that was typed */
        { OUTCOME_WRONG, 0, 0, true, "\"as typed\"", GRADE_AGAIN },
        { OUTCOME_WRONG, 0, 0, false, "1", GRADE_AGAIN },
        { OUTCOME_PARTLY, 0, 0, false, "2", GRADE_HARD },
        { OUTCOME_RIGHT, 0, 0, false, "3", GRADE_GOOD },
        { OUTCOME_RIGHT, 0, 0, false, "4", GRADE_EASY },
        { OUTCOME_RIGHT, 0, 1, false, "4", GRADE_HARD },
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    for (int i = 0; i < ROWS; i++) {
        struct store_attempt attempt = twins_attempt(1 + i, "tour", i, 0);
        attempt.verdict.outcome = rows[i].outcome;
        attempt.certainty = rows[i].certainty;
        attempt.hints = rows[i].hints;
        attempt.retried = rows[i].retried;
        attempt.response = rows[i].response;
        twins_add(twins_session(0), &attempt);
        char id[8];
        struct fsrs_memory memory;
        snprintf(id, sizeof id, "q%d", i);
        struct store_schedule is = twins_schedule(id);
        memory = fsrs_first(&fsrs_defaults, rows[i].grade);
        if (memcmp(&memory.stability, &is.schedule.memory.stability, sizeof memory.stability) != 0)
            fail_msg("row %d: %g, wanted %g", i, is.schedule.memory.stability, memory.stability);
    }
    /* another showing on the same day: Easy again for the card, not for a certainty */
    struct store_attempt card = twins_attempt(50, "tour", 9, 0), typed = twins_attempt(51, "tour", 3, 0);
    card.showing = typed.showing = 2;
    card.response = "4";
    typed.certainty = 3;
    twins_add(twins_session(0), &card);
    twins_add(twins_session(0), &typed);
    struct store_schedule one = twins_schedule("q9"), other = twins_schedule("q3");
    assert_true(one.schedule.memory.stability > other.schedule.memory.stability);
    twins_expect_same();
    twins_expect_no_difference();
}

static void test_left_out_is_seen(void **state)
{
    (void)state;
    struct store_attempt attempt = twins_attempt(1, "tour", 1, 0);
    int64_t day = clock_day(attempt.answered_at, attempt.utc_offset_s, 240);
    attempt.verdict.outcome = OUTCOME_OMITTED;
    twins_add(twins_session(0), &attempt);
    struct store_schedule is = twins_schedule("q1");
    assert_true(is.seen);
    assert_int_equal(is.last, OUTCOME_OMITTED);
    assert_int_equal(is.schedule.phase, PHASE_NEW);
    assert_true(is.schedule.due_day == day);
    struct store_attempt right = twins_attempt(2, "tour", 1, 0);
    twins_add(twins_session(0), &right);
    is = twins_schedule("q1");
    struct schedule before = is.schedule;
    twins.fixture.time.wall += DAY;
    struct store_attempt again = twins_attempt(3, "tour", 1, 0);
    again.verdict.outcome = OUTCOME_OMITTED;
    twins_add(twins_session(0), &again);
    is = twins_schedule("q1");
    assert_memory_equal(&before, &is.schedule, sizeof before);
    assert_int_equal(is.counted, 3);
    assert_int_equal(is.right, 1);
    twins_expect_same();
}

static void test_due_is_longest_overdue_first(void **state)
{
    (void)state;
    for (int i = 0; i < QUESTIONS; i++) {
        struct store_attempt attempt = twins_attempt(1 + i, "tour", (i * 3) % QUESTIONS, 0);
        attempt.certainty = 3; /* whole days */
        twins.fixture.time.wall += 40 * (int64_t)DAY;
        attempt.answered_at = twins.fixture.time.wall;
        twins_add(twins_session(0), &attempt);
    }
    struct store_event suspended = fixture_event(50, "suspended", 0);
    suspended.body = "{\"question\":[\"tour\",\"q3\"],\"on\":true}";
    twins_tell(twins_session(0), &suspended);
    struct uuid id = fixture_id(1001);
    int64_t now = twins.fixture.time.wall, today = clock_day(now, 0, 240);
    struct store_value due[] = { store_value_uuid(&id), store_value_text("tour"), store_value_integer(today),
                                 store_value_integer(now) };
    struct rows *rows;
    char order[64] = "";
    assert_true(rows_open(&rows, twins.kept, QUERY_DUE, due, 4, &twins.error));
    while (rows_step(rows, &twins.error) > 0)
        strcat(order, rows_text(rows, 0));
    rows_close(rows);
    assert_string_equal(order, "q0q1q4"); /* answered in the order 0 3 1 4 2; the last is not due */
    twins_expect_same();
}

static void test_a_clock_that_jumps(void **state)
{
    (void)state;
    static const int64_t days[] = { 0, 3, 400, 4, 5, -800, 20, 21 };
    int64_t start = twins.fixture.time.wall, last_day = 0;
    struct uuid id = fixture_id(1001);
    for (int i = 0; i < 8; i++) {
        twins.fixture.time.wall = start + days[i] * DAY;
        struct store_attempt attempt = twins_attempt(1 + i, "tour", 1, 0);
        attempt.utc_offset_s = 0;
        twins_add(twins_session(0), &attempt);
        struct store_schedule is = twins_schedule("q1");
        assert_true(is.schedule.last_day >= last_day && is.schedule.interval >= 0);
        assert_true(is.schedule.due_day >= is.schedule.last_day);
        assert_true(is.answered_at == twins.fixture.time.wall); /* nothing is lost of it */
        last_day = is.schedule.last_day;
    }
    assert_true(last_day == clock_day(start + 400 * (int64_t)DAY, 0, 240));
    struct store_value of = store_value_uuid(&id);
    char newest[40], *text = fixture_query(twins.kept, QUERY_NEWEST, &of, 1, &twins.error);
    snprintf(newest, sizeof newest, "%g\n", (double)(start + 400 * (int64_t)DAY));
    assert_string_equal(text, newest);
    memory_free(text);
    twins_expect_same();
    twins_expect_no_difference();
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, twins_start, twins_end)
    const struct CMUnitTest tests[] = {
        T(test_kept_up_is_folded),  T(test_undo_takes_back_all),
        T(test_help_costs),         T(test_only_a_changed_key_starts_anew),
        T(test_key_overturned),     T(test_spellings_and_cards),
        T(test_left_out_is_seen),   T(test_due_is_longest_overdue_first),
        T(test_a_clock_that_jumps),
    };
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
