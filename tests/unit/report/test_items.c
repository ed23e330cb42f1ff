/*
 * Which attempts are chosen, and the reports of items and of the log: over a store in memory, one on disk and
 * both together. Whatever allocation fails, the error says so, and nothing is left behind.
 */
#include "attempt.h"
#include "places.h"

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

enum { LEARNERS = 4, QUESTIONS = 5 };

static struct clock_fake wall = { .wall = 20000 * DAY + DAY / 2, .offset = 3600 };
static char folder[64];
static struct store *stores[2]; /* in memory, on disk */

static const char *const bodies[QUESTIONS] = {
    "{\"choices\":[{\"correct\":true,\"text\":\"A\"},{\"correct\":false,\"text\":\"=B\"}],\"explanation\":"
    "\"E\",\"marks\":1,\"prompt\":\"Which?\",\"tags\":[\"x\"],\"type\":\"single-choice\"}",
    "{\"explanation\":\"E\",\"marks\":1,\"prompt\":\"So?\",\"tags\":[\"x\"],\"truth\":true,\"type\":"
    "\"true-false\"}",
    "{\"explanation\":\"E\",\"marks\":1,\"number\":{\"answer\":\"4\",\"tolerance\":\"0\",\"value\":4,"
    "\"wrong\":"
    "[{\"number\":8,\"value\":\"8\"}]},\"prompt\":\"How many?\",\"tags\":[],\"type\":\"number\"}",
    "{\"explanation\":\"E\",\"marks\":1,\"prompt\":\"What?\",\"tags\":[],\"text\":{\"accept\":[\"red\","
    "\"crimson\"],\"ignore\":[\"case\"],\"wrong\":[]},\"type\":\"text\"}",
    "{\"explanation\":\"E\",\"marks\":1,\"order\":[\"a\",\"b\"],\"prompt\":\"How?\",\"tags\":[],\"type\":"
    "\"order\"}",
};
static const char *const rights[QUESTIONS] = { "[1]", "true", "\"4\"", "\"Crimson\"", "[1,2]" };
static const char *const wrongs[QUESTIONS] = { "[2]", "false", "\"8\"", "\"blue\"", "[2,1]" };

static struct uuid id(int number)
{
    struct uuid made = { { 1 } };
    memcpy(made.bytes + 1, &number, sizeof number);
    return made;
}

static void add(struct store *store, int number, int learner, const char *pack, int question, bool right)
{
    static const char *const names[LEARNERS] = { "A", "B", "=C", "D" };
    char name[16];
    struct error error;
    int64_t at = wall.wall - DAY + number * 1000;
    struct store_session session = {
        .id = id(100 + learner),
        .learner = { .id = id(1 + learner), .name = names[learner] },
        .kind = "practice",
        .origin = "plain",
        .seed = 7,
        .options = "{}",
        .plan = "[[\"p\",\"q0\",\"r\"],[\"p\",\"q1\",\"r\"],[\"p\",\"q2\",\"r\"],[\"p\","
                "\"q3\",\"r\"],[\"p\",\"q4\",\"r\"],[\"tries\",\"q0\",\"r\"]]",
        .started_at = wall.wall - DAY,
        .utc_offset_s = 3600
    };
    snprintf(name, sizeof name, "q%d", question);
    struct store_attempt attempt = { .id = id(200 + number),
                                     .pack_id = pack,
                                     .question_id = name,
                                     .revision = "r",
                                     .body = bodies[question],
                                     .seed = 7,
                                     .showing = 1 + number,
                                     .response = right ? rights[question] : wrongs[question],
                                     .verdict = { right ? OUTCOME_RIGHT : OUTCOME_WRONG, right, right, 1 },
                                     .certainty = 1 + number % 3,
                                     .elapsed_ms = 1000 * (number + 1),
                                     .answered_at = at,
                                     .utc_offset_s = 3600,
                                     .origin = "plain" };
    hash_of(&attempt.content, attempt.body, (ptrdiff_t)strlen(attempt.body));
    if (!store_add_attempt(store, &session, &attempt, NULL, &error))
        fail_msg("attempt: %s", error.message);
}

static void fill(struct store *store)
{
    static const char *const tries[LEARNERS] = { "011", "1", "001", "0" };
    int number = 0;
    for (int i = 0; i < LEARNERS; i++) {
        for (const char *mark = tries[i]; *mark; mark++)
            add(store, number++, i, "tries", 0, *mark == '1');
        for (int k = 0; k < QUESTIONS; k++)
            add(store, number++, i, "p", k, (i * 3 + k * 5) % 7 < 4);
    }
}

static int start(void **state)
{
    struct store_options options = { .clock = clock_fake(&wall) };
    char path[128];
    struct error error;
    (void)state;
    assert_true(hash_start());
    snprintf(folder, sizeof folder, "/tmp/quiztutor-items-XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/store.db", folder);
    assert_true(store_open_memory(&stores[0], &options, &error));
    assert_true(store_open(&stores[1], path, &options, &error));
    fill(stores[0]);
    fill(stores[1]);
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

static bool put(void *context, const char *text, ptrdiff_t length, struct error *error)
{
    buffer_add(context, text, length);
    return !((struct buffer *)context)->failed || error_memory(error);
}

/* The report as JSON; `failing` counts the allocations of making and writing until one fails, 0: none. */
static bool make(enum report_kind kind, const struct report_filter *filter, int first, int count,
                 struct buffer *out, long failing, struct error *error)
{
    struct clock clock = clock_fake(&wall);
    struct report report;
    const struct report_sink sink = { put, out };
    *error = (struct error){ .code = ERROR_NONE };
    buffer_init(out);
    memory_fail_after(failing);
    bool made = report_make(&report, kind, &stores[first], count, NULL, filter, &clock, error);
    bool written = made && report_write(&report, TO_JSON, NULL, &sink, error);
    memory_fail_after(0);
    if (made)
        report_finish(&report);
    return written;
}

static void test_which(void **state)
{
    static const struct {
        enum report_attempts use;
        const char *facility;
    } rows[] = { { ATTEMPTS_FIRST, "\"facility\":25," },
                 { ATTEMPTS_LAST, "\"facility\":75," },
                 { ATTEMPTS_BEST, "\"facility\":75," },
                 { ATTEMPTS_ALL, "\"facility\":50," } };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int k = 0; k < 3; k++) { /* one, the other, both together: the same ids */
            struct report_filter filter = { .day_starts = 240, .pack = "tries", .attempts = rows[i].use };
            struct buffer out;
            struct error error;
            if (!make(REPORT_ITEMS, &filter, k % 2, k < 2 ? 1 : 2, &out, 0, &error))
                fail_msg("%s", error.message);
            if (!strstr(buffer_get(&out), rows[i].facility))
                fail_msg("%s is not in %s", rows[i].facility, buffer_get(&out));
            buffer_finish(&out);
        }
}

static const struct report_filter filters[] = {
    { .day_starts = 240 },
    { .day_starts = 240, .pack = "p", .attempts = ATTEMPTS_ALL },
    { .day_starts = 240, .tag = "x" },
    { .day_starts = 0, .learner = "=C", .session = "practice" },
    { .day_starts = 240,
      .has_since = true,
      .since = 19999,
      .has_until = true,
      .until = 19999,
      .revision = "r" },
};
enum { FILTERS = sizeof filters / sizeof *filters };

static void test_both_stores(void **state)
{
    static const enum report_kind kinds[] = { REPORT_ITEMS, REPORT_ATTEMPTS };
    (void)state;
    for (int i = 0; i < 2 * FILTERS; i++) {
        struct buffer texts[2];
        struct error error;
        for (int k = 0; k < 2; k++)
            if (!make(kinds[i % 2], &filters[i / 2], k, 1, &texts[k], 0, &error))
                fail_msg("report %d over store %d: %s", i, k, error.message);
        if (kinds[i % 2] == REPORT_ITEMS) /* the log names devices, which differ */
            assert_string_equal(buffer_get(&texts[0]), buffer_get(&texts[1]));
        assert_int_equal(texts[0].length, texts[1].length);
        buffer_finish(&texts[0]);
        buffer_finish(&texts[1]);
    }
}

/* What was listed, what was typed in another way, and what is in no list. */
static void test_answers(void **state)
{
    static const char *const wanted[] = {
        "\"choice\":\"A\",\"right\":true",
        "\"choice\":\"=B\",\"right\":false",
        "\"choice\":\"True\",\"right\":true",
        "\"choice\":\"8\",\"right\":false",
        "\"choice\":\"red\",\"right\":true,\"chosen\":0,",
        "\"choice\":\"other answers\",\"right\":false",
    };
    struct buffer out;
    struct error error;
    (void)state;
    assert_true(make(REPORT_ITEMS, &filters[1], 1, 1, &out, 0, &error));
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
        if (!strstr(buffer_get(&out), wanted[i]))
            fail_msg("%s is not in %s", wanted[i], buffer_get(&out));
    buffer_finish(&out);
}

static void test_each_allocation(void **state)
{
    (void)state;
    for (int i = 0; i < 2 * FILTERS * 2; i++) {
        enum report_kind kind = i % 2 ? REPORT_ATTEMPTS : REPORT_ITEMS;
        const struct report_filter *filter = &filters[i / 2 % FILTERS];
        int count = i / 2 / FILTERS ? 2 : 1;
        bool done = false;
        int failures = 0;
        for (long n = 1; !done; n++) {
            struct buffer out;
            struct error error;
            done = make(kind, filter, 2 - count, count, &out, n, &error);
            if (!done && error.code != ERROR_MEMORY)
                fail_msg("report %d, allocation %ld: %d %s", i, n, (int)error.code, error.message);
            failures += !done;
            buffer_finish(&out);
        }
        assert_true(failures > 10);
    }
}

static void test_unknown(void **state)
{
    static const struct {
        struct report_filter filter;
        const char *named;
    } rows[] = { { { .pack = "trie" }, "tries" },
                 { { .learner = "nobody at all" }, "nobody at all" },
                 { { .group = "none" }, "none" } };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int count = 1; count <= 2; count++) {
            struct buffer out;
            struct error error;
            assert_false(make(REPORT_ITEMS, &rows[i].filter, 2 - count, count, &out, 0, &error));
            assert_int_equal(error.code, ERROR_NOT_FOUND);
            assert_non_null(strstr(error.message, rows[i].named));
            buffer_finish(&out);
        }
}

static void test_by_id(void **state)
{
    char text[37];
    struct uuid learner = id(1), nobody = id(99);
    (void)state;
    for (int count = 1; count <= 2; count++) {
        struct report_filter filter = { .day_starts = 240, .learner = text, .pack = "tries" };
        struct buffer out;
        struct error error;
        uuid_format(text, &learner);
        assert_true(make(REPORT_ATTEMPTS, &filter, 0, count, &out, 0, &error));
        assert_non_null(strstr(buffer_get(&out), "3 attempts of 1 learner"));
        assert_non_null(strstr(buffer_get(&out), "Only the learner A."));
        buffer_finish(&out);
        uuid_format(text, &nobody);
        assert_false(make(REPORT_ATTEMPTS, &filter, 0, count, &out, 0, &error));
        assert_int_equal(error.code, ERROR_NOT_FOUND);
        buffer_finish(&out);
    }
}

static void test_places(void **state)
{
    enum { MANY = 20000 };
    struct places places;
    (void)state;
    places_init(&places);
    assert_int_equal(places_find(&places, "x", 1), -1);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < MANY; i++) {
            bool fresh;
            assert_int_equal(places_add(&places, &i, sizeof i, &fresh), i);
            assert_int_equal(fresh, round == 0);
        }
    for (int i = 0; i < MANY; i++)
        assert_int_equal(places_find(&places, &i, sizeof i), i);
    assert_int_equal(places_find(&places, "", 0), -1);
    assert_int_equal(places_add(&places, "", 0, NULL), MANY);
    assert_int_equal(places.count, MANY + 1);
    places_finish(&places);
}

static int by_tens(const struct report_cell *one, const struct report_cell *other)
{
    return (one->whole / 10 > other->whole / 10) - (one->whole / 10 < other->whole / 10);
}

/* Rows in order, equal ones as they were, each with what it opens. */
static void test_sort(void **state)
{
    static const struct report_column columns[] = { { .name = "n", .kind = CELL_WHOLE } };
    static const char *const opens[] = { "0", "1", "2", "3", "4", "5", "6" };
    (void)state;
    for (int rows = 0; rows <= 7; rows++) {
        static const int numbers[] = { 31, 12, 35, 11, 22, 10, 33 };
        struct report report = { 0 };
        struct build build = { .report = &report };
        struct build_table table;
        arena_init(&report.arena);
        build_table_start(&table, &build, columns, 1);
        for (int i = 0; i < rows; i++)
            build_table_row(&table, opens[i])[0] = build_whole(numbers[i]);
        build_table_sort(&table, by_tens);
        for (int i = 0; i < rows; i++) {
            int was = atoi(table.opens[i]), before = i ? atoi(table.opens[i - 1]) : -1;
            assert_int_equal(table.cells[i].whole, numbers[was]);
            if (i)
                assert_true(numbers[before] / 10 < numbers[was] / 10 ||
                            (numbers[before] / 10 == numbers[was] / 10 && before < was));
        }
        assert_false(build.failed);
        build_table_finish(&table);
        arena_finish(&report.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_which),   cmocka_unit_test(test_both_stores),
        cmocka_unit_test(test_answers), cmocka_unit_test(test_each_allocation),
        cmocka_unit_test(test_unknown), cmocka_unit_test(test_by_id),
        cmocka_unit_test(test_places),  cmocka_unit_test(test_sort),
    };
    return cmocka_run_group_tests(tests, start, end);
}
