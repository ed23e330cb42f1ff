/* One suite over both implementations: what store.h promises, whatever stands behind it. */
#include "fixture.h"

struct subject {
    struct fixture fixture;
    struct store *store;
};

static struct subject subject;
static struct error error;

static int start(void)
{
    memset(&subject, 0, sizeof subject);
    memset(&error, 0, sizeof error);
    fixture_start(&subject.fixture);
    return 0;
}

static int start_sqlite(void **state)
{
    (void)state;
    start();
    subject.store = fixture_open(&subject.fixture);
    return 0;
}

static int start_memory(void **state)
{
    (void)state;
    start();
    return store_open_memory(&subject.store, &subject.fixture.options, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    store_close(subject.store);
    fixture_end(&subject.fixture);
    return 0;
}

static void expect_rows(enum store_query query, const struct store_value *parameters, int count,
                        const char *expected)
{
    char *text = fixture_query(subject.store, query, parameters, count, &error);
    if (!text)
        fail_msg("query %d: %s", (int)query, error.message);
    assert_string_equal(text, expected);
    memory_free(text);
}

static void expect_log(int session, const char *expected)
{
    struct uuid id = fixture_id(session);
    struct store_value parameter = store_value_uuid(&id);
    expect_rows(QUERY_LOG, &parameter, 1, expected);
}

static void expect_of(enum store_query query, int id_number, struct store_value second, const char *expected)
{
    struct uuid id = fixture_id(id_number);
    struct store_value parameters[] = { store_value_uuid(&id), second };
    expect_rows(query, parameters, 2, expected);
}

/* What is known of a pack's questions: the last answer's outcome and time, answers, right ones. */
static void expect_history(int learner, const char *pack, const char *expected)
{
    struct uuid id = fixture_id(learner);
    struct store_value known[] = { store_value_uuid(&id), store_value_text(pack) };
    struct rows *rows;
    struct buffer out;
    buffer_init(&out);
    assert_true(rows_open(&rows, subject.store, QUERY_KNOWN, known, 2, &error));
    while (rows_step(rows, &error) > 0) {
        struct store_schedule is;
        rows_schedule(rows, &is);
        assert_true(is.seen);
        buffer_print(&out, "%s|%s|%lld|%d|%d\n", rows_text(rows, 0), outcome_name(is.last),
                     (long long)is.answered_at, is.counted, is.right);
    }
    rows_close(rows);
    assert_string_equal(buffer_get(&out), expected);
    buffer_finish(&out);
}

static void test_an_answer_is_kept(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(3, "q1", OUTCOME_PARTLY);
    bool created = false;
    attempt.verdict.mark = 0.5;
    attempt.verdict.marks = 2;
    attempt.hints = 1;
    session.learner.login = "ann";
    assert_true(store_add_attempt(subject.store, &session, &attempt, &created, &error));
    assert_true(created);
    expect_log(1, "attempt|#3|tour|q1|[1]|partly|0.5|2|1|1|-|-|2003|2|0\n");
    struct uuid id = fixture_id(1);
    struct store_value parameter = store_value_uuid(&id);
    expect_rows(
        QUERY_SESSION, &parameter, 1,
        "4.29497e+09|{\"limit\":null,\"mode\":\"due\",\"packs\":[\"tour\"],\"tag\":null}|1001|-3600|plain\n");
    expect_rows(QUERY_PLAN, &parameter, 1, "tour|q1|r1|-|-|-\ntour|q2|r2|-|-|-\n");
    expect_rows(QUERY_LEARNERS, NULL, 0, "Ann|ann|1|2003\n");
}

static void test_seed_keeps_all_bits(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(3, "q1", OUTCOME_RIGHT);
    struct rows *rows;
    fixture_add(subject.store, &session, &attempt);
    struct store_value parameter = store_value_uuid(&session.id);
    assert_true(rows_open(&rows, subject.store, QUERY_SESSION, &parameter, 1, &error));
    assert_int_equal(rows_step(rows, &error), 1);
    assert_true(rows_integer(rows, 0) == INT64_C(4294967295));
    assert_int_equal(rows_step(rows, &error), 0);
    assert_true(rows_is_null(rows, 0));
    rows_close(rows);
}

static void test_once_is_once(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(3, "q1", OUTCOME_WRONG);
    struct store_event event = fixture_event(4, "hinted", 0);
    bool created = true;
    for (int i = 0; i < 3; i++) {
        assert_true(store_add_attempt(subject.store, &session, &attempt, &created, &error));
        assert_int_equal(created, i == 0);
        assert_true(store_add_event(subject.store, &session, &event, &created, &error));
        assert_false(created);
    }
    expect_log(
        1,
        "attempt|#3|tour|q1|[1]|wrong|0|1|1|0|-|-|2003|2|0\nhinted|-|-|-|-|-|-|-|-|-|{\"question\":[\"tour\","
        "\"q1\"]}|-|3004|3|-\n");
}

static void test_omitted_has_no_response(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(3, "q1", OUTCOME_OMITTED);
    fixture_add(subject.store, &session, &attempt);
    expect_log(1, "attempt|#3|tour|q1|-|omitted|0|1|1|0|-|-|2003|2|0\n");
}

static void test_event_alone_makes_the_session(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_event event = fixture_event(4, "skipped", 0);
    bool created = false;
    assert_true(store_add_event(subject.store, &session, &event, &created, &error));
    assert_true(created);
    expect_of(QUERY_UNFINISHED, 2, store_value_null(),
              "#1|4.29497e+09|{\"limit\":null,\"mode\":\"due\",\"packs\":[\"tour\"],\"tag\":null}|1001|-3600|"
              "plain|2|0\n");
}

static void test_event_without_a_session(void **state)
{
    (void)state;
    struct store_event event = fixture_event(4, "kiosk", 0);
    event.body = NULL;
    assert_true(store_add_event(subject.store, NULL, &event, NULL, &error));
    assert_true(store_add_event(subject.store, NULL, &event, NULL, &error));
    expect_rows(QUERY_LEARNERS, NULL, 0, "");
}

static void test_history(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann"), other = fixture_session(5, 6, "Bob");
    struct store_attempt attempts[] = {
        fixture_attempt(10, "q2", OUTCOME_WRONG), fixture_attempt(11, "q1", OUTCOME_RIGHT),
        fixture_attempt(12, "q2", OUTCOME_RIGHT), fixture_attempt(13, "q2", OUTCOME_OMITTED),
        fixture_attempt(14, "q1", OUTCOME_WRONG), fixture_attempt(15, "q9", OUTCOME_RIGHT)
    };
    attempts[5].pack_id = "elsewhere";
    for (int i = 0; i < 6; i++)
        fixture_add(subject.store, &session, &attempts[i]);
    struct store_attempt bobs = fixture_attempt(20, "q1", OUTCOME_PARTLY);
    fixture_add(subject.store, &other, &bobs);
    expect_history(2, "tour", "q1|wrong|2014|2|1\nq2|omitted|2013|3|1\n");
    expect_history(6, "tour", "q1|partly|2020|1|0\n");
    expect_history(6, "nothing", "");
    expect_history(77, "tour", "");
}

static void test_last_is_by_the_log_not_by_the_clock(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt early = fixture_attempt(10, "q1", OUTCOME_WRONG),
                         late = fixture_attempt(11, "q1", OUTCOME_RIGHT);
    late.answered_at = 5; /* the clock was set back in between */
    fixture_add(subject.store, &session, &early);
    fixture_add(subject.store, &session, &late);
    expect_history(2, "tour", "q1|right|5|2|1\n");
}

static void test_undone_answers_do_not_count(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt first = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         again = fixture_attempt(11, "q1", OUTCOME_WRONG);
    struct store_event undone = fixture_event(12, "undone", 11), flagged = fixture_event(13, "flagged", 10);
    fixture_add(subject.store, &session, &first);
    fixture_add(subject.store, &session, &again);
    fixture_tell(subject.store, &session, &flagged);
    expect_history(2, "tour", "q1|wrong|2011|2|1\n");
    fixture_tell(subject.store, &session, &undone);
    expect_history(2, "tour", "q1|right|2010|1|1\n");
    expect_rows(QUERY_LEARNERS, NULL, 0, "Ann|-|1|2010\n");
    undone = fixture_event(14, "undone", 10);
    fixture_tell(subject.store, &session, &undone);
    expect_history(2, "tour", "");
    expect_of(QUERY_NEW, 2, store_value_integer(0), "0\n");
    expect_rows(QUERY_LEARNERS, NULL, 0, "Ann|-|0|-\n");
    expect_log(1, "attempt|#10|tour|q1|[1]|right|1|1|1|0|-|-|2010|2|0\n"
                  "attempt|#11|tour|q1|[1]|wrong|0|1|1|0|-|-|2011|3|0\n"
                  "flagged|#10|-|-|-|-|-|-|-|-|{\"question\":[\"tour\",\"q1\"]}|-|3013|4|-\n"
                  "undone|#11|-|-|-|-|-|-|-|-|{\"question\":[\"tour\",\"q1\"]}|-|3012|5|-\n"
                  "undone|#10|-|-|-|-|-|-|-|-|{\"question\":[\"tour\",\"q1\"]}|-|3014|6|-\n");
}

static void test_responses(void **state)
{
    (void)state;
    static const struct {
        const char *pack, *question, *body, *response;
        int times;
    } rows[] = {
        { "tour", "q1", "{\"v\":1}", "[2]", 3 },  { "tour", "q1", "{\"v\":1}", "[1]", 2 },
        { "tour", "q1", "{\"v\":2}", "[2]", 4 },  { "tour", "q2", "{}", "\"as typed\"", 2 },
        { "other", "q1", "{\"v\":1}", "[2]", 5 }, { "tour", "q1", "{\"v\":1}", NULL, 6 },
    };
    int number = 10;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < rows[i].times; k++) { /* of two learners, the last one of each taken back */
            struct store_session session = fixture_session(1 + k % 2, 3 + k % 2, k % 2 ? "Bob" : "Ann");
            struct store_attempt attempt = fixture_attempt(number, rows[i].question, OUTCOME_WRONG);
            attempt.pack_id = rows[i].pack;
            attempt.body = rows[i].body;
            attempt.response = rows[i].response;
            hash_of(&attempt.content, attempt.body, (ptrdiff_t)strlen(attempt.body));
            fixture_add(subject.store, &session, &attempt);
            if (k == rows[i].times - 1) {
                struct store_event undone = fixture_event(500 + number, "undone", number);
                fixture_tell(subject.store, &session, &undone);
            }
            number++;
        }
    char expected[1000] = "";
    static const int order[] = { 2, 0, 1, 3 };
    for (int i = 0; i < 4; i++) {
        struct hash hash;
        char hex[65];
        hash_of(&hash, rows[order[i]].body, (ptrdiff_t)strlen(rows[order[i]].body));
        hash_hex(hex, hash.bytes, 32);
        snprintf(expected + strlen(expected), sizeof expected - strlen(expected), "%s|%s|r1|%s|%d|%s\n",
                 rows[order[i]].question, hex, rows[order[i]].response, rows[order[i]].times - 1,
                 rows[order[i]].body);
    }
    struct store_value pack = store_value_text("tour"), none = store_value_text("no such pack");
    expect_rows(QUERY_RESPONSES, &pack, 1, expected);
    expect_rows(QUERY_RESPONSES, &none, 1, "");
}

static void test_new_since(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_attempt attempts[] = { fixture_attempt(10, "q1", OUTCOME_WRONG),
                                        fixture_attempt(20, "q1", OUTCOME_RIGHT),
                                        fixture_attempt(21, "q2", OUTCOME_WRONG),
                                        fixture_attempt(22, "q2", OUTCOME_WRONG),
                                        fixture_attempt(23, "q1", OUTCOME_WRONG) };
    attempts[4].pack_id = "other";
    for (int i = 0; i < 5; i++)
        fixture_add(subject.store, &session, &attempts[i]);
    expect_of(QUERY_NEW, 2, store_value_integer(0), "3\n");
    expect_of(QUERY_NEW, 2, store_value_integer(2010), "3\n");
    expect_of(QUERY_NEW, 2, store_value_integer(2011), "2\n");
    expect_of(QUERY_NEW, 2, store_value_integer(2022), "1\n");
    expect_of(QUERY_NEW, 2, store_value_integer(2024), "0\n");
    struct store_event undone =
        fixture_event(30, "undone", 10); /* then q1's first answer is the one at 2020 */
    fixture_tell(subject.store, &session, &undone);
    expect_of(QUERY_NEW, 2, store_value_integer(2011), "3\n");
}

static void add_unfinished(int number, const char *options, int64_t started)
{
    struct store_session session = fixture_session(number, 2, "Ann");
    struct store_attempt attempt = fixture_attempt(number * 100, "q1", OUTCOME_RIGHT);
    session.options = options;
    session.started_at = started;
    fixture_add(subject.store, &session, &attempt);
}

static void test_unfinished(void **state)
{
    (void)state;
    add_unfinished(1, "{\"packs\":[\"a\"]}", 50);
    add_unfinished(2, "{ \"packs\" : [ \"a\" , \"b\" ] }", 90);
    add_unfinished(3, "{\"packs\":[\"b\",\"a\"]}", 70);
    expect_of(QUERY_UNFINISHED, 2, store_value_null(),
              "#2|4.29497e+09|{ \"packs\" : [ \"a\" , \"b\" ] }|90|-3600|plain|2|1\n"
              "#3|4.29497e+09|{\"packs\":[\"b\",\"a\"]}|70|-3600|plain|2|1\n"
              "#1|4.29497e+09|{\"packs\":[\"a\"]}|50|-3600|plain|2|1\n");
    expect_of(QUERY_UNFINISHED, 2, store_value_text("[\"a\", \"b\"]"),
              "#2|4.29497e+09|{ \"packs\" : [ \"a\" , \"b\" ] }|90|-3600|plain|2|1\n");
    expect_of(QUERY_UNFINISHED, 2, store_value_text("[]"), "");
    expect_of(QUERY_UNFINISHED, 9, store_value_null(), "");
}

static void test_what_ends_a_session(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann"), exam = fixture_session(7, 2, "Ann");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_WRONG),
                         again = fixture_attempt(11, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(12, "q2", OUTCOME_OMITTED);
    fixture_add(subject.store, &session, &one);
    fixture_add(subject.store, &session, &again);
    char expected[] = "#1|4.29497e+09|{\"limit\":null,\"mode\":\"due\",\"packs\":[\"tour\"],\"tag\":null}|"
                      "1001|-3600|plain|2|1\n";
    expect_of(QUERY_UNFINISHED, 2, store_value_null(), expected);
    fixture_add(subject.store, &session, &two);
    expect_of(QUERY_UNFINISHED, 2, store_value_null(), "");
    struct store_event undone = fixture_event(20, "undone", 12), dropped = fixture_event(21, "dropped", 0);
    fixture_tell(subject.store, &session, &undone);
    expect_of(QUERY_UNFINISHED, 2, store_value_null(), expected);
    fixture_tell(subject.store, &session, &dropped);
    expect_of(QUERY_UNFINISHED, 2, store_value_null(), "");
    struct store_attempt in_exam = fixture_attempt(30, "q1", OUTCOME_RIGHT);
    exam.kind = "exam";
    fixture_add(subject.store, &exam, &in_exam);
    expect_of(QUERY_UNFINISHED, 2, store_value_null(), "");
}

static void test_learner_found_by_name_is_taken(void **state)
{
    (void)state;
    struct store_session ann = fixture_session(1, 2, "Ann"), same = fixture_session(3, 4, "ANN");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q2", OUTCOME_RIGHT);
    bool created;
    assert_true(store_add_attempt(subject.store, &ann, &one, &created, &error));
    assert_true(created);
    assert_true(store_add_attempt(subject.store, &same, &two, &created, &error));
    assert_false(created);
    struct uuid expected = fixture_id(2);
    assert_true(uuid_equal(&same.learner.id, &expected));
    expect_rows(QUERY_LEARNERS, NULL, 0, "Ann|-|2|2011\n");
}

static void test_session_keeps_its_learner(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann"), claimed = fixture_session(1, 9, "Eve");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q2", OUTCOME_RIGHT);
    struct uuid expected = fixture_id(2);
    fixture_add(subject.store, &session, &one);
    fixture_add(subject.store, &claimed, &two);
    assert_true(uuid_equal(&claimed.learner.id, &expected));
    expect_rows(QUERY_LEARNERS, NULL, 0, "Ann|-|2|2011\n");
}

static void test_find_learner(void **state)
{
    (void)state;
    struct store_session ann = fixture_session(1, 2, "Ann Straße"), bob = fixture_session(3, 4, "bert");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q2", OUTCOME_RIGHT);
    struct store_learner found;
    struct uuid ann_id = fixture_id(2), bob_id = fixture_id(4);
    const char *nearest = "x";
    struct arena arena;
    arena_init(&arena);
    assert_false(store_find_learner(subject.store, "Ann", &arena, &found, &nearest, &error));
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_null(nearest);
    ann.learner.login = "bert2";
    bob.learner.login = "Ann STRASSE"; /* a login wins over a name */
    fixture_add(subject.store, &ann, &one);
    assert_true(store_find_learner(subject.store, "ANN STRASSE", &arena, &found, NULL, &error));
    assert_true(uuid_equal(&found.id, &ann_id));
    assert_string_equal(found.name, "Ann Straße");
    assert_string_equal(found.login, "bert2");
    fixture_add(subject.store, &bob, &two);
    assert_true(store_find_learner(subject.store, "Ann STRASSE", &arena, &found, NULL, &error));
    assert_true(uuid_equal(&found.id, &bob_id));
    assert_true(store_find_learner(subject.store, "bert2", &arena, &found, NULL, &error));
    assert_true(uuid_equal(&found.id, &ann_id));
    assert_false(store_find_learner(subject.store, "BERT2", &arena, &found, &nearest, &error)); /* exactly */
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_false(store_find_learner(subject.store, "berta", &arena, &found, &nearest, &error));
    assert_string_equal(nearest, "bert");
    assert_false(store_find_learner(subject.store, "", &arena, &found, NULL, &error));
    assert_false(store_find_learner(subject.store, "\xff\033[2J", &arena, &found, &nearest, &error));
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_null(strchr(error.message, '\033'));
    arena_finish(&arena);
}

static void test_login_taken_by_another(void **state)
{
    (void)state;
    struct store_session ann = fixture_session(1, 2, "Ann"), bob = fixture_session(3, 4, "Bob");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q2", OUTCOME_RIGHT);
    ann.learner.login = bob.learner.login = "desk";
    fixture_add(subject.store, &ann, &one);
    fixture_add(subject.store, &bob, &two);
    expect_rows(QUERY_LEARNERS, NULL, 0, "Ann|desk|1|2010\nBob|-|1|2011\n");
}

static void expect_refused(struct store_session session, struct store_attempt attempt)
{
    error.code = ERROR_NONE;
    assert_false(store_add_attempt(subject.store, &session, &attempt, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    expect_rows(QUERY_LEARNERS, NULL, 0, "");
}

static void test_bad_input_changes_nothing(void **state)
{
    (void)state;
    struct store_session good = fixture_session(1, 2, "Ann"), session;
    struct store_attempt fine = fixture_attempt(3, "q1", OUTCOME_RIGHT), attempt;
#define REFUSED(change)                                                                                      \
    session = good, attempt = fine, change;                                                                  \
    expect_refused(session, attempt)
    REFUSED(session.id = fixture_id(0));
    REFUSED(session.learner.id = fixture_id(0));
    REFUSED(session.learner.name = NULL);
    REFUSED(session.learner.name = "");
    REFUSED(session.learner.name = "A\xff");
    REFUSED(session.kind = "play");
    REFUSED(session.origin = "paper?");
    REFUSED(session.options = "{");
    REFUSED(session.plan = "[1,]");
    REFUSED(session.plan = NULL);
    REFUSED(attempt.id = fixture_id(0));
    REFUSED(attempt.pack_id = NULL);
    REFUSED(attempt.question_id = "");
    REFUSED(attempt.body = "no");
    REFUSED(attempt.shown = "[1");
    REFUSED(attempt.response = "'1'");
    REFUSED(attempt.verdict.outcome = OUTCOMES);
    REFUSED(attempt.verdict.mark = 1e308 * 10);
    REFUSED(attempt.origin = NULL);
#undef REFUSED
    struct store_event event = fixture_event(4, "danced", 0);
    assert_false(store_add_event(subject.store, &good, &event, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    expect_refused(fixture_session(1, 2, "\t"), (struct store_attempt){ 0 });
}

static void test_query_parameters_must_fit(void **state)
{
    (void)state;
    struct rows *rows;
    struct uuid id = fixture_id(1);
    struct store_value good[] = { store_value_uuid(&id), store_value_text("[]") };
    struct store_value broken[] = { store_value_uuid(&id), store_value_text("[") };
    struct store_value text = store_value_text("1");
    assert_false(rows_open(&rows, subject.store, QUERY_UNFINISHED, good, 1, &error));
    assert_false(rows_open(&rows, subject.store, QUERY_UNFINISHED, broken, 2, &error));
    assert_false(rows_open(&rows, subject.store, QUERY_LOG, &text, 1, &error));
    assert_false(rows_open(&rows, subject.store, STORE_QUERIES, NULL, 0, &error));
    assert_false(rows_open(&rows, subject.store, (enum store_query) - 1, NULL, 0, &error));
    assert_null(rows);
    assert_true(rows_open(&rows, subject.store, QUERY_UNFINISHED, good, 2, &error));
    assert_true(rows_is_null(rows, -1));
    assert_true(rows_is_null(rows, 99));
    assert_true(rows_is_null(rows, 0)); /* not on a row yet */
    rows_close(rows);
    rows_close(NULL);
}

static void test_one_query_twice_at_once(void **state)
{
    (void)state;
    struct store_session ann = fixture_session(1, 2, "Ann"), bob = fixture_session(3, 4, "Bob");
    struct store_attempt one = fixture_attempt(10, "q1", OUTCOME_RIGHT),
                         two = fixture_attempt(11, "q2", OUTCOME_RIGHT);
    struct rows *outer, *inner;
    fixture_add(subject.store, &ann, &one);
    fixture_add(subject.store, &bob, &two);
    assert_true(rows_open(&outer, subject.store, QUERY_LEARNERS, NULL, 0, &error));
    assert_int_equal(rows_step(outer, &error), 1);
    assert_true(rows_open(&inner, subject.store, QUERY_LEARNERS, NULL, 0, &error));
    assert_int_equal(rows_step(inner, &error), 1);
    assert_int_equal(rows_step(inner, &error), 1);
    assert_string_equal(rows_text(inner, 0), "Bob");
    assert_string_equal(rows_text(outer, 0), "Ann");
    rows_close(outer);
    assert_string_equal(rows_text(inner, 0), "Bob");
    assert_int_equal(rows_step(inner, &error), 0);
    rows_close(inner);
}

static bool collect(void *context, const char *element)
{
    struct buffer *out = context;
    buffer_print(out, "<%s>", element ? element : "null");
    return out->length < 60;
}

static void expect_each(const char *json, const char *path, const char *expected)
{
    struct buffer out;
    buffer_init(&out);
    assert_true(store_json_each(subject.store, json, path, collect, &out, &error));
    assert_string_equal(buffer_get(&out), expected);
    buffer_finish(&out);
}

static void test_json(void **state)
{
    (void)state;
    expect_each("[[\"a\",\"b\"],1,\"x\\u00e9\\\"\",null,1.5]", "$", "<[\"a\",\"b\"]><1><xé\"><null><1.5>");
    expect_each("{\"packs\":[\"tour\",\"two\"],\"x\":[]}", "$.packs", "<tour><two>");
    expect_each("{\"packs\":[]}", "$.packs", "");
    expect_each("{\"packs\":[]}", "$.missing", "");
    expect_each("[\"0123456789012345678901234567890123456789012345678901234567890\",2]", "$",
                "<0123456789012345678901234567890123456789012345678901234567890>"); /* told to stop */
    assert_false(store_json_each(subject.store, "{\"a\":", "$", collect, NULL, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_false(store_json_each(subject.store, NULL, "$", collect, NULL, &error));
}

static void test_hold_and_check(void **state)
{
    (void)state;
    struct uuid id = fixture_id(1), device;
    assert_true(store_hold_session(subject.store, &id, &error));
    assert_true(store_hold_session(subject.store, &id, &error));
    store_release_session(subject.store, &id);
    assert_true(store_check(subject.store, &error));
    assert_null(store_warning(subject.store));
    store_device(subject.store, &device);
    assert_false(uuid_is_zero(&device));
}

static void test_many_questions(void **state)
{
    (void)state;
    struct store_session session = fixture_session(1, 2, "Ann");
    for (int i = 0; i < 600; i++) { /* beyond what is remembered at first */
        char question[16];
        snprintf(question, sizeof question, "q%03d", i % 300);
        struct store_attempt attempt = fixture_attempt(100 + i, question, OUTCOME_RIGHT);
        fixture_add(subject.store, &session, &attempt);
    }
    expect_of(QUERY_NEW, 2, store_value_integer(0), "300\n");
    expect_rows(QUERY_LEARNERS, NULL, 0, "Ann|-|600|2699\n");
}

/* All columns but the last, the version of a schema, which memory has not. */
static void expect_totals(const char *expected)
{
    char *text = fixture_query(subject.store, QUERY_TOTALS, NULL, 0, &error);
    assert_non_null(text);
    *strrchr(text, '|') = '\0';
    assert_string_equal(text, expected);
    memory_free(text);
}

static void test_totals(void **state)
{
    (void)state;
    expect_totals("0|0|0|0|0|0|-|-|0");
    expect_rows(QUERY_FITTED, NULL, 0, "");
    struct store_session ann = fixture_session(1, 2, "Ann"), bea = fixture_session(3, 4, "Bea");
    struct store_attempt first = fixture_attempt(5, "q1", OUTCOME_WRONG), second = first, third = first;
    second.id = fixture_id(6);
    second.answered_at = 9000;
    third.id = fixture_id(7);
    third.question_id = "q2";
    fixture_add(subject.store, &ann, &first);
    fixture_add(subject.store, &ann, &second);
    fixture_add(subject.store, &bea, &third);
    expect_totals("2|2|3|0|0|2|2005|9000|0");
    struct store_event undone = fixture_event(8, "undone", 7), again = fixture_event(9, "undone", 7),
                       nothing = fixture_event(10, "undone", 11), flagged = fixture_event(12, "flagged", 5);
    fixture_tell(subject.store, &bea, &undone);
    fixture_tell(subject.store, &bea, &again); /* taken back twice is taken back once */
    fixture_tell(subject.store, NULL, &nothing);
    fixture_tell(subject.store, &ann, &flagged);
    expect_totals("2|2|3|1|4|1|2005|9000|0");
}

static void test_fitted(void **state)
{
    (void)state;
    struct store_session ann = fixture_session(1, 2, "ann"), zoe = fixture_session(3, 4, "Zoe"),
                         bea = fixture_session(5, 6, "Bea");
    struct store_attempt attempts[] = { fixture_attempt(7, "q1", OUTCOME_RIGHT),
                                        fixture_attempt(8, "q1", OUTCOME_RIGHT),
                                        fixture_attempt(9, "q1", OUTCOME_RIGHT) };
    fixture_add(subject.store, &zoe, &attempts[0]);
    fixture_add(subject.store, &ann, &attempts[1]);
    fixture_add(subject.store, &bea, &attempts[2]);
    subject.fixture.time.wall = 1000;
    assert_true(store_set_parameters(subject.store, &zoe.learner.id, &fsrs_defaults, "{}", &error));
    subject.fixture.time.wall = 2000;
    assert_true(store_set_parameters(subject.store, &ann.learner.id, &fsrs_defaults, "{}", &error));
    expect_rows(QUERY_FITTED, NULL, 0, "ann|2000\nZoe|1000\n");
    subject.fixture.time.wall = 3000;
    assert_true(store_set_parameters(subject.store, NULL, &fsrs_defaults, "{}", &error));
    subject.fixture.time.wall = 4000;
    assert_true(store_set_parameters(subject.store, &zoe.learner.id, &fsrs_defaults, "{}", &error));
    expect_rows(QUERY_FITTED, NULL, 0, "-|3000\nann|2000\nZoe|4000\n");
}

#define BOTH(test)                                                                                           \
    cmocka_unit_test_setup_teardown(test, start_sqlite, end),                                                \
        cmocka_unit_test_setup_teardown(test, start_memory, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_an_answer_is_kept),
        BOTH(test_seed_keeps_all_bits),
        BOTH(test_once_is_once),
        BOTH(test_omitted_has_no_response),
        BOTH(test_event_alone_makes_the_session),
        BOTH(test_event_without_a_session),
        BOTH(test_history),
        BOTH(test_last_is_by_the_log_not_by_the_clock),
        BOTH(test_undone_answers_do_not_count),
        BOTH(test_responses),
        BOTH(test_new_since),
        BOTH(test_unfinished),
        BOTH(test_what_ends_a_session),
        BOTH(test_learner_found_by_name_is_taken),
        BOTH(test_session_keeps_its_learner),
        BOTH(test_find_learner),
        BOTH(test_login_taken_by_another),
        BOTH(test_bad_input_changes_nothing),
        BOTH(test_query_parameters_must_fit),
        BOTH(test_one_query_twice_at_once),
        BOTH(test_json),
        BOTH(test_hold_and_check),
        BOTH(test_many_questions),
        BOTH(test_totals),
        BOTH(test_fitted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
