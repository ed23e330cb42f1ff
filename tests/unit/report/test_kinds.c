/*
 * Reports of a learner, a class, misconceptions, problems and grades, over a store in memory and one on disk:
 * both say the same, to the last byte of JSON. Whatever allocation fails, a report is not made, the error
 * says so, and nothing is left behind.
 */
#include <quiztutor/buffer.h>
#include <quiztutor/memory.h>
#include <quiztutor/report.h>

#include <ftw.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define DAY INT64_C(86400000)

static struct clock_fake wall = { .wall = 20000 * DAY + DAY / 2, .offset = 3600 };
static char folder[64];
static struct store *stores[2]; /* in memory, on disk */

static const char choices[] = "{\"choices\":[{\"correct\":true,\"text\":\"A\"},{\"correct\":false,"
                              "\"misconception\":\"b\",\"text\":\"=B\"}],"
                              "\"explanation\":\"E\",\"marks\":1,\"prompt\":\"Which?\",\"tags\":[\"x\",\"y\"]"
                              ",\"type\":\"single-choice\"}";
static const char truth[] = "{\"explanation\":\"E\",\"marks\":2,\"misconception\":\"b\",\"prompt\":\"So?\","
                            "\"tags\":[\"x\"],\"truth\":true,\"type\":\"true-false\"}";

static struct uuid id(int number)
{
    struct uuid made = { { 1 } };
    memcpy(made.bytes + 1, &number, sizeof number);
    return made;
}

static const struct answered {
    int learner, session, day; /* days before the clock's */
    const char *pack, *question, *response;
    enum outcome outcome;
    double mark;
    bool undone;
} answers[] = {
    { 1, 1, 30, "p", "pick", "[2]", OUTCOME_WRONG, 0, false },
    { 1, 1, 30, "p", "truth", "false", OUTCOME_WRONG, 0, false },
    { 1, 1, 30, "p", "pick", "[2]", OUTCOME_WRONG, 0, true },
    { 1, 1, 30, "p", "pick", "[1]", OUTCOME_RIGHT, 1, false },
    { 1, 2, 3, "q", "pick", NULL, OUTCOME_OMITTED, 0, false },
    { 1, 2, 3, "p", "truth", "false", OUTCOME_WRONG, 0, false },
    { 1, 2, 2, "p", "truth", "false", OUTCOME_WRONG, 0, false },
    { 2, 3, 1, "p", "pick", "[1]", OUTCOME_RIGHT, 1, false },
    { 2, 3, 1, "p", "truth", "true", OUTCOME_RIGHT, 2, false },
    { 2, 3, 0, "q", "pick", "[2]", OUTCOME_WRONG, 0, false },
};
enum { ANSWERS = sizeof answers / sizeof *answers };

static void add_answer(struct store *store, int number)
{
    const struct answered *answered = &answers[number];
    bool choice = strcmp(answered->question, "pick") == 0;
    int64_t at = wall.wall - answered->day * DAY + number * 60000;
    struct error error;
    struct store_session session = {
        .id = id(100 + answered->session),
        .learner = { .id = id(answered->learner),
                     .name = answered->learner == 1 ? "=Anna" : "<Bob>",
                     .login = answered->learner == 2 ? "bob" : NULL },
        .kind = "practice",
        .origin = "plain",
        .seed = 7,
        .options = "{}",
        .plan = "[[\"p\",\"pick\",\"r\"],[\"p\",\"truth\",\"r\"],[\"q\",\"pick\",\"r\"]]",
        .started_at = at,
        .utc_offset_s = 3600
    };
    struct store_attempt attempt = { .id = id(200 + number),
                                     .pack_id = answered->pack,
                                     .question_id = answered->question,
                                     .revision = "r",
                                     .body = choice ? choices : truth,
                                     .seed = 7,
                                     .showing = 1 + number,
                                     .response = answered->response,
                                     .verdict = { answered->outcome, answered->mark / (choice ? 1 : 2),
                                                  answered->mark, choice ? 1 : 2 },
                                     .elapsed_ms = 30000,
                                     .answered_at = at,
                                     .utc_offset_s = 3600,
                                     .origin = "plain" };
    hash_of(&attempt.content, attempt.body, (ptrdiff_t)strlen(attempt.body));
    if (!store_add_attempt(store, &session, &attempt, NULL, &error))
        fail_msg("attempt: %s", error.message);
    struct store_event event = {
        .id = id(300 + number), .kind = "undone", .attempt_id = attempt.id, .at = at + 1, .utc_offset_s = 3600
    };
    if (answered->undone && !store_add_event(store, &session, &event, NULL, &error))
        fail_msg("undone: %s", error.message);
    event.id = id(400 + number);
    event.kind = "reported";
    event.attempt_id = (struct uuid){ { 0 } };
    event.body = "{\"question\":[\"p\",\"pick\"],\"showing\":1,\"text\":\"=bad\"}";
    if (number % 4 == 0 && !store_add_event(store, &session, &event, NULL, &error))
        fail_msg("reported: %s", error.message);
}

static int start(void **state)
{
    struct store_options options = { .clock = clock_fake(&wall) };
    char path[128];
    struct error error;
    (void)state;
    assert_true(hash_start());
    snprintf(folder, sizeof folder, "/tmp/quiztutor-kinds-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/store.db", folder);
    assert_true(store_open_memory(&stores[0], &options, &error));
    assert_true(store_open(&stores[1], path, &options, &error));
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < ANSWERS; k++)
            add_answer(stores[i], k);
    for (int i = 0; i < 2; i++) {
        struct uuid anna = id(1);
        assert_true(store_set_member(stores[i], &anna, "Lab", true, &error));
    }
    return 0;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
    (void)status;
    (void)type;
    (void)walk;
    return remove(path);
}

static int end(void **state)
{
    (void)state;
    store_close(stores[0]);
    store_close(stores[1]);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return 0;
}

static const struct asked {
    enum report_kind kind;
    struct report_filter filter;
} asked[] = {
    { REPORT_CLASS, { .day_starts = 240 } },
    { REPORT_CLASS, { .day_starts = 240, .pack = "p", .group = "lab" } },
    { REPORT_CLASS, { .day_starts = 0, .attempts = ATTEMPTS_ALL } },
    { REPORT_CLASS, { .day_starts = 240, .has_since = true, .since = 19998 } },
    { REPORT_PROGRESS, { .day_starts = 240, .learner = "=Anna" } },
    { REPORT_PROGRESS, { .day_starts = 240, .learner = "bob", .attempts = ATTEMPTS_BEST } },
    { REPORT_PROGRESS, { .day_starts = 240, .learner = "=anna", .tag = "y" } },
    { REPORT_MISCONCEPTIONS, { .day_starts = 240 } },
    { REPORT_MISCONCEPTIONS, { .day_starts = 240, .attempts = ATTEMPTS_ALL, .session = "practice" } },
    { REPORT_PROBLEMS, { .day_starts = 240, .group = "Lab" } },
    { REPORT_GRADES, { .day_starts = 240, .gradebook = "moodle" } },
    { REPORT_GRADES, { .day_starts = 240, .gradebook = "canvas", .session = "practice" } },
};
enum { ASKED = sizeof asked / sizeof *asked };

static bool put(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    (void)error;
    buffer_add(context, text, length);
    return true;
}

/* The report as JSON; `failing` counts the allocations until one fails, 0: none does. */
static bool make(const struct asked *one, struct store *const *over, int count, struct buffer *out,
                 long failing, struct error *error)
{
    struct clock clock = clock_fake(&wall);
    struct report report;
    const struct report_sink sink = { put, out };
    *error = (struct error){ .code = ERROR_NONE };
    memory_fail_after(failing);
    bool made = report_make(&report, one->kind, over, count, NULL, &one->filter, &clock, error);
    memory_fail_after(0);
    if (!made)
        return false;
    if (out)
        assert_true(report_write(&report, TO_JSON, NULL, &sink, error));
    report_finish(&report);
    return true;
}

static void test_both_stores(void **state)
{
    (void)state;
    for (int i = 0; i < ASKED; i++) {
        struct buffer texts[2];
        struct error error;
        for (int k = 0; k < 2; k++) {
            buffer_init(&texts[k]);
            if (!make(&asked[i], &stores[k], 1, &texts[k], 0, &error))
                fail_msg("report %d over store %d: %s", i, k, error.message);
        }
        assert_string_equal(buffer_get(&texts[0]), buffer_get(&texts[1]));
        assert_null(strstr(buffer_get(&texts[0]), "nan"));
        buffer_finish(&texts[0]);
        buffer_finish(&texts[1]);
    }
}

static const char *member(const char *json, const char *name)
{
    static char value[64];
    char key[64];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(json, key);
    assert_non_null(at);
    at += strlen(key);
    snprintf(value, sizeof value, "%.*s", (int)strcspn(at, ",}"), at);
    return value;
}

/* What can be reckoned by hand: Anna's firsts are wrong, wrong and left out; Bob's right, right and wrong. */
static void test_by_hand(void **state)
{
    struct error error;
    struct buffer text;
    (void)state;
    buffer_init(&text);
    assert_true(make(&asked[0], &stores[1], 1, &text, 0, &error));
    const char *json = buffer_get(&text);
    assert_string_equal(member(json, "learners"), "2");
    assert_string_equal(member(json, "total_attempts"), "9");
    assert_string_equal(member(json, "total_sessions"), "3");
    assert_string_equal(member(json, "total_minutes"), "4.5");
    assert_string_equal(member(json, "stuck_learners"), "1");
    assert_string_equal(member(json, "median_questions"), "3");
    assert_true(strtod(member(json, "total_share"), NULL) - 1 / 3. < 1e-12);
    assert_true(strstr(json, "\"learner\":\"=Anna\"") < strstr(json, "\"learner\":\"<Bob>\""));
    buffer_clear(&text);
    assert_true(make(&asked[4], &stores[1], 1, &text, 0, &error));
    json = buffer_get(&text);
    assert_string_equal(member(json, "seen"), "3");
    assert_string_equal(member(json, "first_try_share"), "0");
    assert_string_equal(member(json, "longest_streak"), "2");
    assert_string_equal(member(json, "sessions"), "2");
    assert_non_null(strstr(json, "\"answered\":\"=B\",\"right_answer\":\"A\""));
    assert_non_null(strstr(json, "\"answered\":\"False\",\"right_answer\":\"True\""));
    buffer_finish(&text);
}

/* The same store twice is the same as once. */
static void test_twice(void **state)
{
    struct store *twice[] = { stores[0], stores[1] };
    (void)state;
    for (int i = 0; i < ASKED; i++) {
        struct error error;
        struct buffer text;
        buffer_init(&text);
        if (!make(&asked[i], twice, 2, &text, 0, &error))
            fail_msg("report %d over two stores: %s", i, error.message);
        if (asked[i].kind == REPORT_CLASS && !asked[i].filter.has_since && !asked[i].filter.group)
            assert_string_equal(member(buffer_get(&text), "total_attempts"), "9");
        buffer_finish(&text);
    }
}

static void test_unknown(void **state)
{
    static const struct asked bad[] = {
        { REPORT_PROGRESS, { .day_starts = 240 } },
        { REPORT_PROGRESS, { .day_starts = 240, .learner = "Nobody" } },
        { REPORT_CLASS, { .day_starts = 240, .group = "Labs of all" } },
        { REPORT_CLASS, { .day_starts = 240, .pack = "unknown" } },
        { REPORT_GRADES, { .day_starts = 240 } },
    };
    static const enum error_code codes[] = { ERROR_USAGE, ERROR_NOT_FOUND, ERROR_NOT_FOUND, ERROR_NOT_FOUND,
                                             ERROR_USAGE };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct error error;
        assert_false(make(&bad[i], &stores[1], 1, NULL, 0, &error));
        assert_int_equal(error.code, codes[i]);
        assert_true(error.message[0] != '\0');
    }
}

static void test_memory(void **state)
{
    struct store *twice[] = { stores[0], stores[1] };
    (void)state;
    for (int i = 0; i < 3 * ASKED; i++) {
        const struct asked *one = &asked[i / 3];
        int failures = 0;
        bool made = false;
        for (long at = 1; !made; at++) {
            struct error error;
            made = i % 3 == 2 ? make(one, twice, 2, NULL, at, &error)
                              : make(one, &stores[i % 3], 1, NULL, at, &error);
            if (!made && error.code != ERROR_MEMORY)
                fail_msg("report %d, allocation %ld: %d %s", i, at, (int)error.code, error.message);
            failures += !made;
            assert_true(at < 100000);
        }
        assert_true(failures > 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_both_stores), cmocka_unit_test(test_by_hand),
                                        cmocka_unit_test(test_twice), cmocka_unit_test(test_unknown),
                                        cmocka_unit_test(test_memory) };
    return cmocka_run_group_tests_name("kinds of reports", tests, start, end);
}
