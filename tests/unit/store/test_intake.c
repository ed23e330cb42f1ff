/* Taking in what was done elsewhere: through the interface, and with allocations that fail. */
#include "fixture.h"

#include <quiztutor/intake.h>
#include <quiztutor/memory.h>
#include <quiztutor/roster.h>

enum { ROWS = 40, LIMIT = 4000 /* allocations, far above what any of these takes */ };

static struct fixture fixture;

static int set_up(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    memory_fail_after(0);
    fixture_end(&fixture);
    return 0;
}

static struct intake_row make_row(int number)
{
    struct intake_row row = { .name = number % 2 ? "Ben" : "Ana", .kind = "import" };
    row.attempt = fixture_attempt(100 + number, "q1", number % 3 ? OUTCOME_RIGHT : OUTCOME_WRONG);
    row.attempt.origin = "import";
    row.attempt.body = NULL;
    memset(&row.attempt.content, 0, sizeof row.attempt.content);
    return row;
}

static bool load(struct store *store, int rows, bool keep, struct error *error)
{
    struct intake *intake;
    struct intake_result result;
    if (!intake_begin(&intake, store, error))
        return false;
    bool done = true;
    for (int i = 0; done && i < rows; i++) {
        struct intake_row row = make_row(i);
        done = intake_row(intake, &row, &result, error);
        if (done)
            assert_int_not_equal(result.fate, INTAKE_REFUSED);
    }
    struct error late = { 0 };
    bool ended = intake_end(intake, keep && done, &late);
    if (done && !ended)
        *error = late;
    return done && ended;
}

static void tell_nobody(void *context, const char *what)
{
    (void)what;
    ++*(int *)context;
}

static enum intake_file merge(struct store *store, const char *path, struct intake_count *count,
                              struct error *error)
{
    struct intake *intake;
    struct intake_erasures erasures = { 0 };
    int told = 0;
    if (!intake_begin(&intake, store, error))
        return INTAKE_FAILED;
    enum intake_file result = intake_store(intake, path, count, tell_nobody, &told, error);
    bool done = result == INTAKE_FILE_TAKEN && intake_erasures_list(&erasures, intake, error);
    intake_erasures_finish(&erasures);
    struct error late = { 0 };
    if (!intake_end(intake, done, &late) && done) {
        *error = late;
        result = INTAKE_FAILED;
    }
    return done || result != INTAKE_FILE_TAKEN ? result : INTAKE_FAILED;
}

static int64_t attempts(void)
{
    return fixture_sql(fixture.path, "SELECT count(*) FROM attempt");
}

static void test_rows(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture);
    assert_true(load(store, ROWS, false, &fixture.error));
    assert_int_equal(attempts(), 0);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM learner"), 0);
    assert_true(load(store, ROWS, true, &fixture.error));
    assert_int_equal(attempts(), ROWS);
    assert_true(load(store, ROWS, true, &fixture.error));
    assert_int_equal(attempts(), ROWS);
    fixture_expect_in_step(store);
    /* what comes after it is numbered behind it, and practice goes on */
    struct store_session session = fixture_session(1, 2, "Cleo");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    fixture_add(store, &session, &attempt);
    fixture_expect_in_step(store);
    store_close(store);
}

/* Few rows are followed one by one, many are made anew at the end: the same comes of it. */
static void test_many_are_as_few(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ana");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    struct store_event star = fixture_event(11, "starred", 0);
    star.body = "{\"question\":[\"tour\",\"q1\"],\"on\":true}";
    fixture_add(store, &session, &attempt);
    fixture_tell(store, &session, &star);
    assert_true(load(store, 400, true, &fixture.error));
    fixture_expect_in_step(store);
    assert_int_equal(fixture_sql(fixture.path, "SELECT count(*) FROM schedule WHERE starred = 1"), 1);
    assert_int_equal(fixture_sql(fixture.path,
                                 "SELECT attempts FROM learner_pack JOIN learner USING(learner_id)"
                                 " WHERE name = 'Ana' AND pack_id = ''"),
                     201);
    store_close(store);
}

static void test_refusals(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture);
    struct intake *intake;
    struct intake_result result;
    assert_true(intake_begin(&intake, store, &fixture.error));
    struct intake_row row = make_row(0);
    row.kind = "party";
    assert_true(intake_row(intake, &row, &result, &fixture.error));
    assert_int_equal(result.fate, INTAKE_REFUSED);
    row = make_row(0);
    row.attempt.response = "{";
    assert_true(intake_row(intake, &row, &result, &fixture.error));
    assert_int_equal(result.fate, INTAKE_REFUSED);
    row = make_row(0);
    row.session = fixture_id(7);
    assert_true(intake_row(intake, &row, &result, &fixture.error));
    assert_int_equal(result.fate, INTAKE_TAKEN);
    row = make_row(1); /* of another learner */
    row.session = fixture_id(7);
    assert_true(intake_row(intake, &row, &result, &fixture.error));
    assert_int_equal(result.fate, INTAKE_REFUSED);
    assert_non_null(strstr(result.why, "another learner"));
    assert_true(intake_end(intake, true, &fixture.error));
    assert_int_equal(attempts(), 1);
    store_close(store);
    assert_true(store_open_memory(&store, &fixture.options, &fixture.error));
    assert_false(intake_begin(&intake, store, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
    store_close(store);
}

/* Each allocation fails once: nothing is stored by halves, nothing leaks, and the next try succeeds. */
static void test_no_memory_for_rows(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture);
    bool done = false;
    for (int i = 1; !done && i < LIMIT; i++) {
        struct error error = { 0 };
        memory_fail_after(i);
        done = load(store, ROWS, true, &error);
        memory_fail_after(0);
        if (!done) {
            assert_int_equal(error.code, ERROR_MEMORY);
            assert_int_equal(attempts(), 0);
        }
    }
    assert_true(done);
    assert_int_equal(attempts(), ROWS);
    fixture_expect_in_step(store);
    store_close(store);
}

static void test_no_memory_for_stores(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ana");
    for (int i = 0; i < 5; i++) {
        struct store_attempt attempt = fixture_attempt(10 + i, "q1", OUTCOME_RIGHT);
        fixture_add(store, &session, &attempt);
    }
    assert_true(load(store, ROWS, true, &fixture.error));
    struct buffer bytes;
    struct intake_count count;
    bool done = false;
    for (int i = 1; !done && i < LIMIT; i++) {
        struct error error = { 0 };
        buffer_init(&bytes);
        memory_fail_after(i);
        done = submission_make(&bytes, store, &session.learner.id, &count, &error);
        memory_fail_after(0);
        if (!done) {
            assert_int_equal(error.code, ERROR_MEMORY);
            buffer_finish(&bytes);
        }
    }
    assert_true(done);
    assert_int_equal(count.attempts, 5 + ROWS / 2); /* Ana is Ana */
    store_close(store);
    char submitted[FIXTURE_PATH + 32];
    snprintf(submitted, sizeof submitted, "%s/ana.qts", fixture.folder);
    fixture_write(submitted, buffer_get(&bytes), bytes.length);
    buffer_finish(&bytes);

    char here[sizeof fixture.path];
    strcpy(here, fixture.path);
    snprintf(fixture.path, sizeof fixture.path, "%s/other.db", fixture.folder);
    store = fixture_open(&fixture);
    done = false;
    for (int i = 1; !done && i < LIMIT; i++) {
        struct error error = { 0 };
        memory_fail_after(i);
        enum intake_file result = merge(store, submitted, &count, &error);
        memory_fail_after(0);
        done = result == INTAKE_FILE_TAKEN;
        if (!done) {
            assert_int_equal(error.code, ERROR_MEMORY);
            assert_int_equal(attempts(), 0);
        }
    }
    assert_true(done);
    assert_int_equal(attempts(), 5 + ROWS / 2);
    fixture_expect_in_step(store);
    assert_true(store_check(store, &fixture.error));
    store_close(store);
    strcpy(fixture.path, here);
}

/* A store that has erased Ana, taken in; then, with each allocation failing once, agreed to: in the end she
 * is gone, and noted down. */
static void test_no_memory_for_erasing(void **state)
{
    (void)state;
    enum { ANA = 2 };
    struct store_session session = fixture_session(1, ANA, "Ana");
    struct store_attempt attempt = fixture_attempt(10, "q1", OUTCOME_RIGHT);
    char here[sizeof fixture.path], there[sizeof fixture.path + 16];
    strcpy(here, fixture.path);
    snprintf(there, sizeof there, "%s/there.db", fixture.folder);
    struct store *store = fixture_open(&fixture);
    fixture_add(store, &session, &attempt);
    store_close(store);
    snprintf(fixture.path, sizeof fixture.path, "%s/there.db", fixture.folder);
    store = fixture_open(&fixture);
    struct roster_count gone;
    session = fixture_session(1, ANA, "Ana");
    fixture_add(store, &session, &attempt);
    assert_true(roster_erase(store, &session.learner.id, &gone, &fixture.error));
    store_close(store);
    strcpy(fixture.path, here);

    struct intake *intake;
    struct intake_count count = { 0 };
    struct intake_erasures erasures = { 0 };
    int told = 0;
    bool done = false;
    store = fixture_open(&fixture);
    for (int i = 1; !done && i < LIMIT; i++) {
        struct error error = { 0 };
        assert_true(intake_begin(&intake, store, &fixture.error));
        assert_int_equal(intake_store(intake, there, &count, tell_nobody, &told, &fixture.error),
                         INTAKE_FILE_TAKEN);
        memory_fail_after(i);
        done = intake_erasures_list(&erasures, intake, &error);
        memory_fail_after(0);
        assert_true(intake_end(intake, true, &fixture.error));
        if (!done) {
            assert_int_equal(error.code, ERROR_MEMORY);
            intake_erasures_finish(&erasures);
        }
    }
    assert_int_equal(count.erasures, 2); /* of her id, and of her name */
    assert_int_equal(erasures.mark_count, 2);
    assert_int_equal(erasures.known_count, 1);
    assert_string_equal(erasures.known[0].name, "Ana");
    assert_int_equal(fixture_sql(here, "SELECT count(*) FROM event WHERE kind = 'erased'"), 0);
    assert_int_equal(attempts(), 1);
    done = false;
    for (int i = 1; !done && i < LIMIT; i++) {
        struct error error = { 0 };
        memory_fail_after(i);
        done = intake_erase(store, &erasures, &error);
        memory_fail_after(0);
        if (!done)
            assert_int_equal(error.code, ERROR_MEMORY);
    }
    assert_true(done);
    intake_erasures_finish(&erasures);
    assert_int_equal(attempts(), 0);
    assert_int_equal(fixture_sql(here, "SELECT count(*) FROM event WHERE kind = 'erased'"), 2);
    assert_int_equal(fixture_sql(here, "SELECT unclean FROM meta"), 0);
    fixture_expect_in_step(store);
    store_close(store);
}

/* An older store is read as it stands: its bytes stay, and it can't be written. */
static void test_reading(void **state)
{
    (void)state;
    fixture_make_old(fixture.path, 1);
    ptrdiff_t length, length_after;
    unsigned char *before = fixture_read(fixture.path, &length);
    struct store_options options = fixture.options;
    struct store *store;
    bool done = false;
    options.reading = true;
    for (int i = 1; !done && i < LIMIT; i++) {
        memory_fail_after(i);
        done = sqlite_store_open(&store, fixture.path, &options, &fixture.around, &fixture.error);
        memory_fail_after(0);
        if (!done)
            assert_int_equal(fixture.error.code, ERROR_MEMORY);
    }
    assert_true(done);
    char *learners = fixture_query(store, QUERY_LEARNERS, NULL, 0, &fixture.error);
    assert_non_null(strstr(learners, "Anna"));
    memory_free(learners);
    struct store_session session = fixture_session(9, 2, "Anna");
    struct store_attempt attempt = fixture_attempt(90, "q1", OUTCOME_RIGHT);
    assert_false(store_add_attempt(store, &session, &attempt, NULL, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_READ_ONLY);
    store_close(store);
    unsigned char *after = fixture_read(fixture.path, &length_after);
    assert_int_equal(length, length_after);
    assert_memory_equal(before, after, (size_t)length);
    memory_free(before);
    memory_free(after);
    ptrdiff_t none;
    assert_null(fixture_read(fixture_beside(fixture.path, "-version-1"), &none));
    assert_null(fixture_read(fixture_beside(fixture.path, "-lock"), &none));
    snprintf(fixture.path, sizeof fixture.path, "%s/none.db", fixture.folder);
    assert_false(sqlite_store_open(&store, fixture.path, &options, &fixture.around, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_NOT_FOUND);
    assert_null(fixture_read(fixture.path, &none));
}

static void test_ids(void **state)
{
    (void)state;
    struct uuid one, other;
    struct hash hash;
    intake_id(&one, "a", "bc", 2, "d", 1);
    intake_id(&other, "a", "b", 1, "cd", 2);
    assert_false(uuid_equal(&one, &other));
    intake_id(&other, "a", "bc", 2, "d", 1);
    assert_true(uuid_equal(&one, &other));
    assert_int_equal(one.bytes[6] >> 4, 8);
    assert_int_equal(one.bytes[8] >> 6, 2);
    char text[37];
    uuid_format(text, &one);
    assert_true(uuid_read(&other, text));
    assert_true(uuid_equal(&one, &other));
    for (int cut = 0; cut < 36; cut++) {
        char part[40];
        snprintf(part, sizeof part, "%.*s", cut, text);
        assert_false(uuid_read(&other, part));
    }
    assert_false(uuid_read(&other, "0190f5c2-7a10-7000-8000-0000000000011"));
    assert_false(uuid_read(&other, "0190f5c2-7a10-7000-8000-00000000000g"));
    assert_false(uuid_read(&other, "0190f5c2+7a10-7000-8000-000000000001"));
    assert_true(hash_read(&hash, "00ff00FF00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00ff00aB"));
    assert_int_equal(hash.bytes[31], 0xab);
    assert_false(hash_read(&hash, "00ff"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_many_are_as_few, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_refusals, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_memory_for_rows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_memory_for_stores, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_memory_for_erasing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_reading, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_ids, set_up, tear_down),
    };
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
