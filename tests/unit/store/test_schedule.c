/*
 * Schedules. The store in memory folds them from its log whenever they are asked for, the one in SQLite keeps
 * them up from answer to answer: thousands of random operations on both must leave the same, to the last bit,
 * and a rebuild must find no difference.
 */
#include "fixture.h"

#include <inttypes.h>
#include <quiztutor/random.h>

enum { LEARNERS = 3, SESSIONS = 6, QUESTIONS = 5, VERSIONS = 5, DAY = 86400000, FIRST = 10000 };

static struct fixture fixture;
static struct error error;
static struct store *kept, *folded; /* SQLite, memory */
static struct random_stream dice;

/* The versions of a question: as it was; a typo mended in what no key holds; another distractor; another key;
 * and one that is told by its truth. The first two have the same revision. */
static const struct {
    const char *revision, *body;
} versions[VERSIONS] = {
    { "00000000000000aa", "{\"choices\":[{\"correct\":true,\"text\":\"one\"},{\"correct\":false,\"text\":"
                          "\"two\"}],\"explanation\":\"Becuase.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000aa", "{\"choices\":[{\"correct\":true,\"text\":\"one\"},{\"correct\":false,\"text\":"
                          "\"two\"}],\"explanation\":\"Because.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000bb", "{\"choices\":[{\"correct\":true,\"text\":\"one\"},{\"correct\":false,\"text\":"
                          "\"three\"}],\"explanation\":\"Because.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000cc", "{\"choices\":[{\"correct\":false,\"text\":\"one\"},{\"correct\":true,\"text\":"
                          "\"two\"}],\"explanation\":\"Because.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000dd", "{\"explanation\":\"So.\",\"prompt\":\"Q%d?\",\"truth\":true,\"type\":"
                          "\"true-false\"}" },
};

static int draw(int below)
{
    return (int)random_below(&dice, (uint64_t)below);
}

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    dice.state = 7;
    kept = fixture_open(&fixture);
    return store_open_memory(&folded, &fixture.options, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    store_close(kept);
    store_close(folded);
    fixture_end(&fixture);
    return 0;
}

static void print_schedule(struct buffer *out, const struct store_schedule *is)
{
    const struct schedule *schedule = &is->schedule;
    buffer_print(out, "%d %d %a %a %d %d %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d",
                 (int)schedule->phase, schedule->step, schedule->memory.stability,
                 schedule->memory.difficulty, schedule->answers, schedule->lapses, schedule->run,
                 schedule->run_day, schedule->last_at, schedule->last_day, schedule->due_day,
                 schedule->due_at, schedule->interval);
    buffer_print(out, " | %s %02x%02x %d %d %" PRId64 " %d %d %d %d\n", is->revision, is->content.bytes[0],
                 is->content.bytes[1], is->seen, (int)is->last, is->answered_at, is->counted, is->right,
                 is->starred, is->suspended);
}

/* All that a query of schedules says, as text. memory_free. */
static char *schedules(struct store *store, enum store_query query, const struct store_value *parameters,
                       int count)
{
    struct buffer out;
    struct rows *rows;
    buffer_init(&out);
    assert_true(rows_open(&rows, store, query, parameters, count, &error));
    while (rows_step(rows, &error) > 0) {
        struct store_schedule is;
        rows_schedule(rows, &is);
        assert_true(is.schedule.interval >= 0);
        if (is.schedule.phase == PHASE_REVIEW)
            assert_true(is.schedule.due_day == is.schedule.last_day + is.schedule.interval);
        buffer_print(&out, "%s: ", rows_text(rows, 0));
        print_schedule(&out, &is);
    }
    rows_close(rows);
    char *text = memory_text(buffer_get(&out));
    buffer_finish(&out);
    return text;
}

static void expect_same_text(char *one, char *other, const char *what)
{
    if (!one || !other || strcmp(one, other) != 0)
        fail_msg("%s: kept up\n%s\nfolded\n%s", what, one ? one : error.message, other ? other : "?");
    memory_free(one);
    memory_free(other);
}

static void expect_same_rows(enum store_query query, const struct store_value *parameters, int count)
{
    char what[32];
    snprintf(what, sizeof what, "query %d", (int)query);
    expect_same_text(fixture_query(kept, query, parameters, count, &error),
                     fixture_query(folded, query, parameters, count, &error), what);
}

/* Both stores say the same of everyone, now. */
static void expect_same(void)
{
    static const char *const packs[] = { "tour", "other" };
    int64_t now = fixture.time.wall, today = clock_day(now, 0, 240);
    for (int learner = 1; learner <= LEARNERS; learner++) {
        struct uuid id = fixture_id(1000 + learner);
        struct store_value of = store_value_uuid(&id);
        for (int i = 0; i < 2; i++) {
            struct store_value known[] = { of, store_value_text(packs[i]), store_value_integer(today),
                                           store_value_integer(now) };
            expect_same_text(schedules(kept, QUERY_KNOWN, known, 2), schedules(folded, QUERY_KNOWN, known, 2),
                             "known");
            expect_same_text(schedules(kept, QUERY_DUE, known, 4), schedules(folded, QUERY_DUE, known, 4),
                             "due");
        }
        struct store_value since[] = { of, store_value_integer(now - 3 * (int64_t)DAY) };
        struct store_value days[] = { of, store_value_integer(today - 20) };
        expect_same_rows(QUERY_NEW, since, 2);
        expect_same_rows(QUERY_REVIEWED, since, 2);
        expect_same_rows(QUERY_NEWEST, &of, 1);
        for (int i = -3; i < 3; i++) {
            struct store_value at[] = { of, store_value_integer(now + i * (int64_t)DAY) };
            expect_same_rows(QUERY_LATER, at, 2);
        }
        expect_same_rows(QUERY_DAYS, days, 2);
        expect_same_rows(QUERY_PRACTISED, &of, 1);
        for (int i = 0; i < 2; i++) {
            struct store_value coming[] = { of, store_value_text(packs[i]), store_value_integer(today - 3),
                                            store_value_integer(today + 14) };
            expect_same_rows(QUERY_COMING, coming, 4);
        }
    }
    expect_same_rows(QUERY_QUESTIONS, NULL, 0);
}

static void expect_no_difference(void)
{
    struct store_rebuild one, other;
    if (!store_rebuild(kept, &one, &error))
        fail_msg("rebuild: %s", error.message);
    assert_true(store_rebuild(folded, &other, &error));
    if (one.different || one.moved)
        fail_msg("%" PRId64 " differ, %" PRId64 " moved, the first %s", one.different, one.moved, one.first);
    assert_true(one.learners == other.learners && one.questions == other.questions &&
                one.answers == other.answers);
}

static void add_both(struct store_session session, const struct store_attempt *attempt)
{
    struct store_session same = session;
    fixture_add(kept, &session, attempt);
    fixture_add(folded, &same, attempt);
}

static void tell_both(struct store_session session, const struct store_event *event)
{
    struct store_session same = session;
    fixture_tell(kept, &session, event);
    fixture_tell(folded, &same, event);
}

static struct store_session session_of(int number)
{
    static const char *const names[LEARNERS] = { "Ann", "Bob", "Cy" };
    int learner = number % LEARNERS;
    return fixture_session(1 + number, 1001 + learner, names[learner]);
}

/* An answer in a version of its question, the texts in static buffers. */
static struct store_attempt attempt_of(int number, const char *pack, int question, int version)
{
    static char ids[100][8];
    static char bodies[VERSIONS][400];
    char *id = ids[question];
    snprintf(id, sizeof ids[0], "q%d", question);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(bodies[version], sizeof bodies[version], versions[version].body, question);
#pragma GCC diagnostic pop
    struct store_attempt attempt = fixture_attempt(number, id, OUTCOME_RIGHT);
    attempt.pack_id = pack;
    attempt.revision = versions[version].revision;
    attempt.body = bodies[version];
    hash_of(&attempt.content, attempt.body, (ptrdiff_t)strlen(attempt.body));
    attempt.answered_at = fixture.time.wall;
    return attempt;
}

/* The clock goes on by anything from nothing to months, and now and then back. */
static void pass_time(void)
{
    static const int64_t steps[] = { 0,       1000, 60000,   600000,           3600000,
                                     DAY / 2, DAY,  3 * DAY, 9 * (int64_t)DAY, 40 * (int64_t)DAY };
    int64_t step = steps[draw(10)] * (1 + draw(3)) + draw(1000);
    fixture.time.wall += draw(12) ? step : -step;
}

static void answer(int number)
{
    static const enum outcome outcomes[] = { OUTCOME_RIGHT, OUTCOME_RIGHT,  OUTCOME_RIGHT,
                                             OUTCOME_WRONG, OUTCOME_PARTLY, OUTCOME_OMITTED };
    int version = draw(8) ? draw(2) : draw(VERSIONS);
    struct store_attempt attempt = attempt_of(number, draw(3) ? "tour" : "other", draw(QUESTIONS), version);
    attempt.verdict.outcome = outcomes[draw(6)];
    attempt.showing = 1 + draw(3);
    attempt.certainty = draw(5);
    attempt.hints = draw(4) == 0;
    attempt.seed = (uint32_t)draw(1000000);
    attempt.utc_offset_s = (draw(28) - 14) * 3600;
    attempt.elapsed_ms = draw(5) ? draw(60000) : -1;
    add_both(session_of(draw(SESSIONS)), &attempt);
}

static void mark(int number)
{
    static char body[80];
    struct store_event event = fixture_event(number, draw(2) ? "starred" : "suspended", 0);
    snprintf(body, sizeof body, "{\"question\":[\"tour\",\"q%d\"],\"on\":%s}", draw(QUESTIONS + 2),
             draw(2) ? "true" : "false");
    static const char *const bad[] = { NULL, "[]", "{\"question\":[\"tour\",\"q1\"]}",
                                       "{\"question\":[\"tour\",\"q1\"],\"on\":1}",
                                       "{\"question\":[\"tour\",7],\"on\":true}" };
    event.body = draw(6) ? body : bad[draw(5)];
    tell_both(session_of(draw(SESSIONS)), &event);
}

static void set_parameters(void)
{
    struct fsrs_parameters parameters = fsrs_defaults;
    struct uuid id = fixture_id(1001 + draw(LEARNERS));
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        parameters.weights[i] *= 0.9 + 0.2 * (double)draw(1000000) / 1e6;
    const struct uuid *whose = draw(3) ? &id : NULL;
    assert_true(store_set_parameters(kept, whose, &parameters, "{\"log_loss\":0.3}", &error));
    assert_true(store_set_parameters(folded, whose, &parameters, NULL, &error));
}

static void reopen(void)
{
    store_close(kept);
    kept = fixture_open(&fixture);
}

static void operate(int number)
{
    pass_time();
    int which = draw(100);
    if (which < 70) {
        answer(number);
    } else if (which < 85) { /* any answer so far, taken back already or not; or one that is yet to come */
        struct store_event event =
            fixture_event(number, "undone", draw(40) ? FIRST + draw(number - FIRST + 1) : number + 7);
        tell_both(session_of(draw(SESSIONS)), &event);
    } else if (which < 98) {
        mark(number);
    } else if (which < 99) {
        reopen();
    } else {
        set_parameters();
    }
}

static void test_kept_up_is_folded(void **state)
{
    (void)state;
    enum { OPERATIONS = 1500, ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        dice.state = (uint64_t)round * 1000 + 1;
        for (int i = 1; i <= OPERATIONS; i++) {
            operate(FIRST + i);
            if (i % 100 == 0 || i < 30)
                expect_same();
            if (i % 500 == 0)
                expect_no_difference();
        }
        end(NULL);
        start(NULL);
    }
}

static struct store_schedule schedule_of(struct store *store, const char *question)
{
    struct uuid id = fixture_id(1001);
    struct store_schedule is;
    if (store_schedule(store, &id, "tour", question, &is, &error) < 0)
        fail_msg("%s", error.message);
    return is;
}

/* As text, so that two can be compared; in a buffer good for four calls. */
static const char *shown(const struct store_schedule *is)
{
    static char texts[4][600];
    static int place;
    struct buffer out;
    buffer_init(&out);
    print_schedule(&out, is);
    char *text = texts[place = (place + 1) % 4];
    snprintf(text, sizeof texts[0], "%s", buffer_get(&out));
    buffer_finish(&out);
    return text;
}

static void test_undo_takes_back_all(void **state)
{
    (void)state;
    struct store_attempt first = attempt_of(1, "tour", 1, 0);
    add_both(session_of(0), &first);
    fixture.time.wall += 5 * (int64_t)DAY;
    struct store_schedule before = schedule_of(kept, "q1");
    assert_int_equal(before.counted, 1);
    static const enum outcome outcomes[] = { OUTCOME_RIGHT, OUTCOME_WRONG, OUTCOME_OMITTED };
    for (int i = 0; i < 3; i++) {
        struct store_attempt other = attempt_of(10 + i, "tour", 1, 3); /* another key, too */
        struct store_event undone = fixture_event(20 + i, "undone", 10 + i);
        other.verdict.outcome = outcomes[i];
        add_both(session_of(3), &other);
        struct store_schedule with = schedule_of(kept, "q1");
        assert_string_not_equal(shown(&with), shown(&before));
        tell_both(session_of(3), &undone);
        struct store_schedule after = schedule_of(kept, "q1");
        assert_string_equal(shown(&after), shown(&before));
        expect_same();
    }
    struct store_event undone = fixture_event(30, "undone", 1);
    tell_both(session_of(0), &undone);
    struct uuid id = fixture_id(1001);
    struct store_schedule none;
    assert_int_equal(store_schedule(kept, &id, "tour", "q1", &none, &error), 0);
    assert_int_equal(none.counted, 0);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM schedule"), 0);
}

static void test_help_costs(void **state)
{
    (void)state;
    /* right and certain at first; then the same after an answer of the session was taken back */
    struct store_attempt one = attempt_of(1, "tour", 1, 0), two = attempt_of(2, "tour", 1, 0);
    struct store_event undone = fixture_event(3, "undone", 1);
    one.certainty = two.certainty = 3;
    two.showing = 2;
    add_both(session_of(0), &one);
    struct store_schedule easy = schedule_of(kept, "q1");
    tell_both(session_of(0), &undone);
    add_both(session_of(0), &two);
    struct store_schedule hard = schedule_of(kept, "q1");
    assert_true(hard.schedule.memory.stability < easy.schedule.memory.stability);
    assert_int_equal(hard.schedule.phase, PHASE_LEARNING);
    assert_int_equal(easy.schedule.phase, PHASE_REVIEW);
    /* another question of the session had no help, nor the same in another session */
    struct store_attempt elsewhere = attempt_of(4, "tour", 2, 0), later = attempt_of(5, "tour", 1, 0);
    elsewhere.showing = later.showing = 2;
    add_both(session_of(0), &elsewhere);
    add_both(session_of(3), &later);
    double good = schedule_of(kept, "q2").schedule.memory.stability;
    assert_true(good > hard.schedule.memory.stability);
    assert_true(schedule_of(kept, "q1").schedule.memory.stability > hard.schedule.memory.stability);
    expect_same();
}

static void test_only_a_changed_key_starts_anew(void **state)
{
    (void)state;
    static const struct {
        int version, answers;
    } steps[] = { { 0, 1 }, { 1, 2 }, { 2, 3 }, { 3, 1 }, { 3, 2 }, { 4, 1 }, { 4, 2 }, { 0, 1 } };
    for (int i = 0; i < 8; i++) {
        struct store_attempt attempt = attempt_of(1 + i, "tour", 1, steps[i].version);
        fixture.time.wall += DAY;
        attempt.answered_at = fixture.time.wall;
        add_both(session_of(i % 2 ? 0 : 3), &attempt);
        struct store_schedule is = schedule_of(kept, "q1");
        assert_int_equal(is.schedule.answers, steps[i].answers);
        assert_int_equal(is.counted, i + 1);
        assert_string_equal(is.revision, versions[steps[i].version].revision);
    }
    expect_same();
    expect_no_difference();
}

static void test_key_overturned(void **state)
{
    (void)state;
    struct store *const stores[] = { kept, folded };
    static const bool expected[VERSIONS] = { false, false, false, true, true };
    struct store_attempt attempt = attempt_of(1, "tour", 1, 0);
    struct hash unknown;
    add_both(session_of(0), &attempt);
    hash_of(&unknown, "?", 1);
    for (int i = 0; i < 2; i++) {
        for (int version = 0; version < VERSIONS; version++) {
            struct store_attempt other = attempt_of(2, "tour", 1, version);
            bool overturned = !expected[version];
            assert_true(store_key_overturned(stores[i], &attempt.content, other.body, &overturned, &error));
            assert_int_equal(overturned, expected[version]);
            assert_true(store_key_overturned(stores[i], &unknown, other.body, &overturned, &error));
            assert_false(overturned);
        }
        bool overturned = true;
        assert_true(store_key_overturned(stores[i], &attempt.content, "{\"prompt\":1}", &overturned, &error));
        assert_false(overturned);
        assert_false(store_key_overturned(stores[i], &attempt.content, "{", &overturned, &error));
        assert_int_equal(error.code, ERROR_INPUT);
    }
}

static void test_left_out_is_seen(void **state)
{
    (void)state;
    struct store_attempt attempt = attempt_of(1, "tour", 1, 0);
    int64_t day = clock_day(attempt.answered_at, attempt.utc_offset_s, 240);
    attempt.verdict.outcome = OUTCOME_OMITTED;
    add_both(session_of(0), &attempt);
    struct store_schedule is = schedule_of(kept, "q1");
    assert_true(is.seen);
    assert_int_equal(is.last, OUTCOME_OMITTED);
    assert_int_equal(is.schedule.phase, PHASE_NEW);
    assert_true(is.schedule.due_day == day);
    struct store_attempt right = attempt_of(2, "tour", 1, 0);
    add_both(session_of(0), &right);
    is = schedule_of(kept, "q1");
    struct schedule before = is.schedule;
    fixture.time.wall += DAY;
    struct store_attempt again = attempt_of(3, "tour", 1, 0);
    again.verdict.outcome = OUTCOME_OMITTED;
    add_both(session_of(0), &again);
    is = schedule_of(kept, "q1");
    assert_memory_equal(&before, &is.schedule, sizeof before);
    assert_int_equal(is.counted, 3);
    assert_int_equal(is.right, 1);
    expect_same();
}

static void test_due_is_longest_overdue_first(void **state)
{
    (void)state;
    for (int i = 0; i < QUESTIONS; i++) {
        struct store_attempt attempt = attempt_of(1 + i, "tour", (i * 3) % QUESTIONS, 0);
        attempt.certainty = 3; /* whole days */
        fixture.time.wall += 40 * (int64_t)DAY;
        attempt.answered_at = fixture.time.wall;
        add_both(session_of(0), &attempt);
    }
    struct store_event suspended = fixture_event(50, "suspended", 0);
    suspended.body = "{\"question\":[\"tour\",\"q3\"],\"on\":true}";
    tell_both(session_of(0), &suspended);
    struct uuid id = fixture_id(1001);
    int64_t now = fixture.time.wall, today = clock_day(now, 0, 240);
    struct store_value due[] = { store_value_uuid(&id), store_value_text("tour"), store_value_integer(today),
                                 store_value_integer(now) };
    struct rows *rows;
    char order[64] = "";
    assert_true(rows_open(&rows, kept, QUERY_DUE, due, 4, &error));
    while (rows_step(rows, &error) > 0)
        strcat(order, rows_text(rows, 0));
    rows_close(rows);
    assert_string_equal(order, "q0q1q4"); /* answered in the order 0 3 1 4 2; the last is not due */
    expect_same();
}

static void test_a_clock_that_jumps(void **state)
{
    (void)state;
    static const int64_t days[] = { 0, 3, 400, 4, 5, -800, 20, 21 };
    int64_t start = fixture.time.wall, last_day = 0;
    struct uuid id = fixture_id(1001);
    for (int i = 0; i < 8; i++) {
        fixture.time.wall = start + days[i] * DAY;
        struct store_attempt attempt = attempt_of(1 + i, "tour", 1, 0);
        attempt.utc_offset_s = 0;
        add_both(session_of(0), &attempt);
        struct store_schedule is = schedule_of(kept, "q1");
        assert_true(is.schedule.last_day >= last_day && is.schedule.interval >= 0);
        assert_true(is.schedule.due_day >= is.schedule.last_day);
        assert_true(is.answered_at == fixture.time.wall); /* nothing is lost of it */
        last_day = is.schedule.last_day;
    }
    assert_true(last_day == clock_day(start + 400 * (int64_t)DAY, 0, 240));
    struct store_value of = store_value_uuid(&id);
    char newest[40], *text = fixture_query(kept, QUERY_NEWEST, &of, 1, &error);
    snprintf(newest, sizeof newest, "%g\n", (double)(start + 400 * (int64_t)DAY));
    assert_string_equal(text, newest);
    memory_free(text);
    expect_same();
    expect_no_difference();
}

/* Only what a setting moves is moved, and no row is taken for faulty. */
static void test_a_changed_setting_moves(void **state)
{
    (void)state;
    struct store_rebuild report;
    struct store_attempt easy = attempt_of(1, "tour", 1, 0), wrong = attempt_of(2, "tour", 2, 0),
                         elsewhere = attempt_of(3, "other", 3, 0);
    easy.certainty = elsewhere.certainty = 3;
    wrong.verdict.outcome = OUTCOME_WRONG;
    add_both(session_of(0), &easy);
    add_both(session_of(0), &wrong);
    add_both(session_of(0), &elsewhere);
    int interval = schedule_of(kept, "q1").schedule.interval;
    const struct store_retention by_pack[] = { { "tour", 0.95 } };
    const struct store_scheduling keen = { 240, 0.9, by_pack, 1 };
    fixture.options.scheduling = &keen;
    store_close(kept);
    kept = fixture_open(&fixture);
    assert_int_equal(schedule_of(kept, "q1").schedule.interval, interval); /* not until it is asked for */
    assert_true(store_rebuild(kept, &report, &error));
    assert_int_equal(report.different, 0);
    assert_int_equal(report.moved, 1);
    assert_true(schedule_of(kept, "q1").schedule.interval < interval);
    assert_true(store_rebuild(kept, &report, &error));
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
        { "INSERT INTO schedule SELECT learner_id, 'a', 'stray', revision, content, phase, step, stability,"
          " difficulty, answers, lapses, run, run_day, last_at, last_day, due_day, due_at, interval_days,"
          " retention, outcome, answered_at, counted, right_answers, last_seq, starred, suspended FROM "
          "schedule"
          " WHERE question_id = 'q1'; UPDATE schedule SET pack_id = 'z' WHERE question_id = 'q3'",
          3 },
        { "UPDATE schedule SET starred = 1 - starred", 5 },
        { "UPDATE schedule SET retention = 0.91 WHERE question_id = 'q1'", 1 },
        { "UPDATE schedule SET retention = -1, run_day = 7 WHERE question_id = 'q1'", 1 },
    };
    struct store_rebuild report;
    for (int i = 1; i < 5; i++) {
        struct store_attempt attempt = attempt_of(i, "tour", i, 0);
        attempt.certainty = 3;
        add_both(session_of(0), &attempt);
    }
    struct store_event star = fixture_event(50, "starred", 0);
    star.body = "{\"question\":[\"tour\",\"q0\"],\"on\":true}";
    tell_both(session_of(0), &star);
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        fixture_sql(fixture.path, harms[i].sql);
        assert_true(store_rebuild(kept, &report, &error));
        if (report.different != harms[i].different)
            fail_msg("%s: %d differ", harms[i].sql, (int)report.different);
        assert_non_null(strstr(report.first, " of Ann"));
        expect_no_difference();
        expect_same();
    }
    assert_int_equal(report.questions, 5);
}

static void test_parameters(void **state)
{
    (void)state;
    struct store *const stores[] = { kept, folded };
    struct fsrs_parameters own = fsrs_defaults, everyones = fsrs_defaults, read;
    struct uuid ann = fixture_id(1001), bob = fixture_id(1002);
    int fitted = -1;
    own.weights[0] = 0.1 + 0.2; /* no short decimal */
    own.weights[20] = 1.0 / 3;
    everyones.weights[3] = 20;
    for (int i = 0; i < 2; i++) {
        struct store *store = stores[i];
        assert_true(store_parameters(store, &ann, &read, &fitted, &error));
        assert_int_equal(fitted, 0);
        assert_memory_equal(&read, &fsrs_defaults, sizeof read);
        assert_true(store_set_parameters(store, NULL, &everyones, NULL, &error));
        assert_true(store_set_parameters(store, &ann, &own, "{\"x\":1}", &error));
        assert_true(store_parameters(store, &ann, &read, &fitted, &error));
        assert_int_equal(fitted, 2);
        assert_memory_equal(&read, &own, sizeof read);
        assert_true(store_parameters(store, &bob, &read, &fitted, &error));
        assert_int_equal(fitted, 1);
        assert_memory_equal(&read, &everyones, sizeof read);
        assert_false(store_set_parameters(store, &ann, &own, "{", &error));
        assert_int_equal(error.code, ERROR_INPUT);
        own.weights[4] = -1; /* clipped to its range */
        assert_true(store_set_parameters(store, &ann, &own, NULL, &error));
        assert_true(store_parameters(store, &ann, &read, NULL, &error));
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
    assert_true(store_histories(store, learner, print_history, &out, &error));
    char *text = memory_text(buffer_get(&out));
    buffer_finish(&out);
    return text;
}

static void test_histories(void **state)
{
    (void)state;
    struct uuid id = fixture_id(1002);
    for (int i = 1; i <= 400; i++)
        operate(FIRST + i);
    expect_same_text(histories(kept, NULL), histories(folded, NULL), "everyone's");
    expect_same_text(histories(kept, &id), histories(folded, &id), "one learner's");
    char *all = histories(kept, NULL), *own = histories(kept, &id);
    assert_non_null(strstr(all, own)); /* a part of it */
    assert_true(strlen(own) > 100 && strlen(own) < strlen(all));
    memory_free(all);
    memory_free(own);
    /* a key that was overturned begins a new one */
    for (int i = 0; i < 4; i++) {
        struct store_attempt attempt = attempt_of(90000 + i, "tour", 77, i < 2 ? 0 : 3);
        fixture.time.wall = INT64_C(1900000000000) + i * (int64_t)DAY;
        attempt.answered_at = fixture.time.wall;
        add_both(session_of(1), &attempt);
    }
    all = histories(kept, &id);
    assert_non_null(strstr(all, "234 tour q77: 3@21990/1900000000000 3@21991/1900086400000\n"
                                "234 tour q77: 3@21992/1900172800000 3@21993/1900259200000\n"));
    memory_free(all);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = {
        T(test_kept_up_is_folded),
        T(test_undo_takes_back_all),
        T(test_help_costs),
        T(test_only_a_changed_key_starts_anew),
        T(test_key_overturned),
        T(test_left_out_is_seen),
        T(test_due_is_longest_overdue_first),
        T(test_a_clock_that_jumps),
        T(test_a_changed_setting_moves),
        T(test_rebuild_mends),
        T(test_parameters),
        T(test_histories),
    };
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
