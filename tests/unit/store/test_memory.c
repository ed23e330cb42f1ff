/*
 * No memory, at every allocation in turn, ours and SQLite's: each call says so and changes nothing, or gets
 * through, and works when there is memory again.
 */
#include "../../slice.h"
#include "fixture.h"

#include <sqlite3.h>

enum { ALLOCATIONS = 80000 }; /* more than one round makes */

static bool all;

static struct fixture fixture;
static struct error error;

/* SQLite's allocator: malloc, failing from the n-th call on, once or for good. */
static long sqlite_left;
static bool sqlite_lasting;

static bool denied(void)
{
    if (sqlite_left == 0)
        return false;
    if (sqlite_left > 1) {
        sqlite_left--;
        return false;
    }
    if (!sqlite_lasting)
        sqlite_left = 0;
    return true;
}

static int block_size(void *block)
{
    return block ? (int)((sqlite3_int64 *)block)[-2] : 0;
}

/* The size lies 16 bytes before what SQLite gets. */
static void *block_make(int size)
{
    sqlite3_int64 *block = denied() ? NULL : malloc((size_t)size + 16);
    if (!block)
        return NULL;
    block[0] = size;
    return block + 2;
}

static void block_free(void *block)
{
    if (block)
        free((sqlite3_int64 *)block - 2);
}

static void *block_resize(void *old, int size)
{
    sqlite3_int64 *block = denied() ? NULL : realloc((sqlite3_int64 *)old - 2, (size_t)size + 16);
    if (!block)
        return NULL;
    block[0] = size;
    return block + 2;
}

static int round_up(int size)
{
    return (size + 7) & ~7;
}

static int allocator_start(void *context)
{
    (void)context;
    return SQLITE_OK;
}

static void allocator_stop(void *context)
{
    (void)context;
}

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

/* Which memory is short: ours from the n-th on, or SQLite's, once or from the n-th on. */
enum shortage { OURS, SQLITE_ONCE, SQLITE_FROM, SHORTAGES };

static void begin_shortage(enum shortage shortage, long n)
{
    memset(&error, 0, sizeof error);
    if (shortage == OURS) {
        memory_fail_after(n);
    } else {
        sqlite_left = n;
        sqlite_lasting = shortage == SQLITE_FROM;
    }
}

/* Whether the n-th allocation was reached. */
static bool end_shortage(enum shortage shortage)
{
    bool hit;
    if (shortage == OURS) {
        void *block = memory_alloc(1); /* also fails when it was reached; else it counts down by one more */
        hit = !block;
        memory_free(block);
        memory_fail_after(0);
    } else {
        hit = sqlite_lasting ? sqlite_left == 1 : sqlite_left == 0;
        sqlite_left = 0;
    }
    return hit;
}

static void expect_told(bool done)
{
    if (!done && error.code != ERROR_MEMORY)
        fail_msg("code %d, %s", (int)error.code, error.message);
}

static struct store *open_any(bool memory)
{
    struct store *store;
    if (memory ? store_open_memory(&store, &fixture.options, &error)
               : sqlite_store_open(&store, fixture.path, &fixture.options, &fixture.around, &error))
        return store;
    return NULL;
}

/* One round of everything, each step of which may fail; `store` is there already. Answers whether all got
 * through. */
static bool use_store(struct store *store, int number)
{
    struct store_session session = fixture_session(number, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(number + 1, "q1", OUTCOME_RIGHT);
    struct store_event event = fixture_event(number + 2, "hinted", 0);
    struct store_learner learner;
    struct arena arena;
    const char *nearest;
    struct uuid ann = fixture_id(2);
    arena_init(&arena);
    bool done = store_add_attempt(store, &session, &attempt, NULL, &error) &&
                store_add_event(store, &session, &event, NULL, &error) &&
                store_find_learner(store, "ann", &arena, &learner, NULL, &error);
    if (done) {
        assert_string_equal(learner.name, "Ann");
        if (store_find_learner(store, "Anne", &arena, &learner, &nearest, &error))
            fail_msg("found anne");
        done = error.code == ERROR_NOT_FOUND;
        if (done)
            assert_string_equal(nearest, "Ann");
    }
    struct store_value of[] = { store_value_uuid(&ann), store_value_null() };
    struct store_value this_one = store_value_uuid(&session.id),
                       history[] = { of[0], store_value_text("tour") };
    char *texts[] = {
        done ? fixture_query(store, QUERY_UNFINISHED, of, 2, &error) : NULL,
        done ? fixture_query(store, QUERY_KNOWN, history, 2, &error) : NULL,
        done ? fixture_query(store, QUERY_LOG, &this_one, 1, &error) : NULL,
        done ? fixture_query(store, QUERY_PLAN, &this_one, 1, &error) : NULL,
    };
    for (int i = 0; i < 4; i++) {
        done = done && texts[i];
        if (texts[i] && i > 1) /* a text that is there is whole */
            assert_string_equal(texts[i], i == 3 ? "tour|q1|r1|-|-|-\ntour|q2|r2|-|-|-\n"
                                                 : strstr(texts[i], "attempt|"));
        memory_free(texts[i]);
    }
    arena_finish(&arena);
    return done;
}

static bool keep_visiting(void *context, const struct uuid *learner, const char *pack_id,
                          const char *question_id, const struct store_answer *answers, int count)
{
    (void)learner, (void)pack_id, (void)question_id, (void)answers;
    *(int *)context += count;
    return true;
}

static const char old_body[] = "{\"choices\":[{\"correct\":true,\"text\":\"one\"},{\"correct\":false,"
                               "\"text\":\"two\"}],\"type\":\"single-choice\"}";
static const char new_body[] = "{\"choices\":[{\"correct\":false,\"text\":\"one\"},{\"correct\":true,"
                               "\"text\":\"two\"}],\"type\":\"single-choice\"}";

/* The same for what has to do with schedules: a key that is overturned, an answer taken back, a star, an
 * exam. */
static bool use_schedules(struct store *store, int number)
{
    struct store_session session = fixture_session(number, 2, "Ann"),
                         exam = fixture_session(number + 50, 2, "Ann");
    struct store_attempt one = fixture_attempt(number + 10, "q7", OUTCOME_RIGHT),
                         two = fixture_attempt(number + 11, "q7", OUTCOME_RIGHT);
    struct store_event undone = fixture_event(number + 12, "undone", number + 10),
                       star = fixture_event(number + 13, "starred", 0),
                       handed_in = fixture_event(number + 14, "handed-in", 0);
    struct store_attempt answer = fixture_attempt(number + 15, "q8", OUTCOME_WRONG);
    struct store_text text = { one.content, "tour", "q7", "r1", old_body };
    struct fsrs_parameters parameters = fsrs_defaults;
    struct store_schedule is;
    struct store_rebuild report;
    struct uuid ann = fixture_id(2);
    int seen = 0;
    bool overturned;
    exam.kind = "exam";
    one.body = old_body;
    two.body = new_body;
    two.revision = "r2";
    hash_of(&two.content, new_body, sizeof new_body);
    parameters.weights[0] = 0.5;
    star.body = "{\"question\":[\"tour\",\"q7\"],\"on\":true}";
    bool done = store_add_session(store, &exam, &text, 1, NULL, &error) &&
                store_add_attempt(store, &session, &one, NULL, &error) &&
                store_add_attempt(store, &session, &two, NULL, &error) &&
                store_add_event(store, &session, &undone, NULL, &error) &&
                store_add_event(store, &session, &star, NULL, &error) &&
                store_hand_in(store, &exam, &answer, 1, &handed_in, 1000, NULL, &error) &&
                store_set_parameters(store, &ann, &parameters, "{}", &error) &&
                store_parameters(store, &ann, &parameters, NULL, &error) &&
                store_key_overturned(store, &one.content, new_body, &overturned, &error) &&
                store_histories(store, NULL, keep_visiting, &seen, &error) &&
                store_schedule(store, &ann, "tour", "q7", &is, &error) > 0 &&
                store_rebuild(store, &report, &error);
    if (done) {
        assert_true(overturned && seen >= 2 && is.starred && is.schedule.answers >= 1);
        assert_int_equal(report.different, 0);
    }
    struct store_value of[] = { store_value_uuid(&ann), store_value_text("tour"), store_value_integer(99999),
                                store_value_integer(INT64_C(9000000000000)) };
    struct store_value coming[] = { of[0], of[1], store_value_integer(0), store_value_integer(99999) };
    struct store_value since[] = { of[0], store_value_integer(0) };
    char *texts[] = {
        done ? fixture_query(store, QUERY_KNOWN, of, 2, &error) : NULL,
        done ? fixture_query(store, QUERY_DUE, of, 4, &error) : NULL,
        done ? fixture_query(store, QUERY_COMING, coming, 4, &error) : NULL,
        done ? fixture_query(store, QUERY_DAYS, since, 2, &error) : NULL,
        done ? fixture_query(store, QUERY_QUESTIONS, NULL, 0, &error) : NULL,
        done ? fixture_query(store, QUERY_EXAMS, of, 1, &error) : NULL,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        done = done && texts[i];
        memory_free(texts[i]);
    }
    return done;
}

static bool round_of(bool memory, enum shortage shortage, long n)
{
    fixture_end(&fixture);
    fixture_start(&fixture);
    begin_shortage(shortage, n);
    struct store *store = open_any(memory);
    bool opened = store != NULL;
    if (store)
        expect_told(use_store(store, 100) && use_schedules(store, 100));
    else
        expect_told(false);
    bool hit = end_shortage(shortage);
    if (!store)
        store = open_any(memory);
    if (!store)
        fail_msg("not even later: %s", error.message);
    if (!use_store(store, 100) || !use_store(store, 200) || !use_schedules(store, 100) ||
        !use_schedules(store, 200))
        fail_msg("not even later: %s", error.message);
    fixture_expect_in_step(store);
    if (!store_check(store, &error))
        fail_msg("%s", error.message);
    store_close(store);
    assert_true(opened || hit);
    if (!memory)
        assert_int_equal(fixture_sql(fixture.path,
                                     "SELECT (SELECT count(*) FROM attempt) * 100 +"
                                     " (SELECT count(*) FROM event) * 10 + (SELECT count(*) FROM session)"),
                         884);
    return hit;
}

static void run_out(bool memory, enum shortage shortage, int least)
{
    long n = 1;
    while (round_of(memory, shortage, n)) {
        n += all ? 1 : 1 + n / (8 * slice_of(2));
        assert_true(n < ALLOCATIONS);
    }
    assert_true(n > least);
}

static void test_ours(void **state)
{
    (void)state;
    run_out(false, OURS, 10);
}

static void test_ours_in_memory(void **state)
{
    (void)state;
    run_out(true, OURS, 10);
}

static void test_sqlites_once(void **state)
{
    (void)state;
    run_out(false, SQLITE_ONCE, 100);
}

static void test_sqlites_from(void **state)
{
    (void)state;
    run_out(false, SQLITE_FROM, 100);
}

static void test_sqlites_in_memory(void **state)
{
    (void)state;
    run_out(true, SQLITE_ONCE, 10);
    run_out(true, SQLITE_FROM, 10);
}

int main(int count, char **arguments)
{
    (void)arguments;
    all = count > 1;
    fixture_in_memory();
    static const sqlite3_mem_methods allocator = { block_make, block_free,      block_resize,   block_size,
                                                   round_up,   allocator_start, allocator_stop, NULL };
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = { T(test_ours), T(test_ours_in_memory), T(test_sqlites_once),
                                        T(test_sqlites_from), T(test_sqlites_in_memory) };
    if (sqlite3_config(SQLITE_CONFIG_MALLOC, &allocator) != SQLITE_OK ||
        sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0) != SQLITE_OK)
        return 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
