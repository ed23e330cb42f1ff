/*
 * Printed sheets found again, and what was written on them read, marked and stored: the forms of answers,
 * what is refused, and that nothing is half done wherever memory ends.
 */
#include <quiztutor/filled.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* Under seed 1 questions and choices stand as they are here; items of an order and a match do not. */
static const char source[] =
    "format: quiztutor/1\nid: p\ntitle: P\nquestions:\n"
    "- {id: one, prompt: One?, choices: [{correct: a}, b, c], explanation: E}\n"
    "- {id: many, prompt: Many?, choices: [{correct: a}, {correct: b}, c], explanation: E}\n"
    "- {id: truth, prompt: So., true_false: true, explanation: E, tags: [easy]}\n"
    "- {id: words, prompt: What?, text: {accept: [a 'quoted' word]}, explanation: E}\n"
    "- {id: number, prompt: How much?, number: 12, explanation: E}\n";
enum { QUESTIONS = 5 };

struct fixture {
    char folder[64], path[96];
    struct clock_fake time;
    struct clock clock;
    struct store *store;
    struct library *library;
    struct printed_shelf shelf;
    struct printed printed;
    struct store_learner learner;
    struct filled filled;
    struct error error;
};
static struct fixture fixture;

static void write_pack(const char *text)
{
    FILE *file = fopen(fixture.path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static int start(void **state)
{
    (void)state;
    memset(&fixture, 0, sizeof fixture);
    snprintf(fixture.folder, sizeof fixture.folder, "/tmp/quiztutor-filled-XXXXXX");
    if (!mkdtemp(fixture.folder))
        return -1;
    const char *folder = fixture.folder;
    snprintf(fixture.path, sizeof fixture.path, "%s/p.yaml", fixture.folder);
    write_pack(source);
    fixture.clock = clock_fake(&fixture.time);
    fixture.time.wall = INT64_C(1790000000000);
    const struct store_options options = { .clock = fixture.clock };
    assert_true(store_open_memory(&fixture.store, &options, &fixture.error));
    assert_true(library_create(&fixture.library, &folder, 1, &fixture.error));
    printed_shelf_init(&fixture.shelf, fixture.store, fixture.library);
    fixture.learner = (struct store_learner){ .id = { { 7 } }, .name = "Ana" };
    /* somebody who is there */
    struct store_session session = { .id = { { 8 } },
                                     .learner = fixture.learner,
                                     .kind = "practice",
                                     .origin = "plain",
                                     .options = "{}",
                                     .plan = "[]" };
    const struct store_event event = { .id = { { 9 } }, .kind = "flagged" };
    assert_true(store_add_event(fixture.store, &session, &event, NULL, &fixture.error));
    return 0;
}

static int end(void **state)
{
    (void)state;
    filled_finish(&fixture.filled);
    printed_finish(&fixture.printed);
    printed_shelf_finish(&fixture.shelf);
    library_destroy(fixture.library);
    store_close(fixture.store);
    unlink(fixture.path);
    return rmdir(fixture.folder);
}

/* The ID of the pack's sheet, as it is now. */
static void id_of(char id[static SHEET_ID + 1], uint32_t seed, int limit, const char *tag)
{
    const struct library_entry *entries;
    int count;
    struct sheet_id of = { .seed = seed, .limit = limit };
    assert_true(library_list(fixture.library, &entries, &count, &fixture.error));
    assert_int_equal(count, 1);
    assert_true(sheet_body(of.body, entries[0].pack, tag));
    sheet_id_format(id, &of);
}

static void open_sheet(void)
{
    char id[SHEET_ID + 1];
    id_of(id, 1, 0, NULL);
    if (!printed_find(&fixture.shelf, &fixture.printed, id, NULL, &fixture.error))
        fail_msg("%s", fixture.error.message);
    assert_true(filled_init(&fixture.filled, &fixture.printed, &fixture.learner, fixture.time.wall));
}

static void expect_outcomes(const char *expected)
{
    char got[QUESTIONS + 1] = "";
    for (int i = 0; i < QUESTIONS; i++)
        got[i] = outcome_name(fixture.filled.answers[i].verdict.outcome)[0];
    assert_string_equal(got, expected);
}

static void start_over(void)
{
    filled_finish(&fixture.filled);
    assert_true(filled_init(&fixture.filled, &fixture.printed, &fixture.learner, fixture.time.wall));
}

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *line, *outcomes; /* or what is said of it */
    } lines[] = {
        { "", "ooooo" },
        { "  \t ", "ooooo" },
        { "1a 2ab 3t 4='a ''quoted'' word' 5=12", "rrrrr" },
        { "5=12\t4=\"a 'quoted' word\"  3=true\r2=1,2 01A", "rrrrr" },
        { "1b 2a 3f 4=word 5=13", "wwwww" },
        { "1= 2= 3= 4= 5=", "ooooo" },
        { "4='' 5=\"\"", "ooooo" },
        { "1a 1a", "question 1 is answered twice" },
        { "1= 1a", "question 1 is answered twice" },
        { "6a", "there is no question 6 on" },
        { "0a", "there is no question 0 on" },
        { "123456789012345678901234567890a", "there is no question" },
        { "1d", "question 1: there is no choice d" },
        { "1ab", "question 1: this question takes one choice" },
        { "2aa", "question 2: choice a is named twice" },
        { "3x", "question 3: type true or false" },
        { "4a", "question 4: what was written comes after =, as in 4=a" },
        { "5=x", "question 5: that is not a number" },
        { "4=a 'quoted' word", "\"'quoted'\" is no answer" },
        { "4='a", "is never closed" },
        { "4='a'b", "white space is missing" },
        { "a1", "\"a1\" is no answer" },
        { "1", "\"1\" is no answer" },
        { "1a\xff", "is no answer" },
        { "\x1b[2J", "\"\\x1b[2J\" is no answer" },
    };
    open_sheet();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        start_over();
        bool read = filled_read_line(&fixture.filled, lines[i].line, &fixture.error);
        if (read)
            expect_outcomes(lines[i].outcomes);
        else if (!strstr(fixture.error.message, lines[i].outcomes))
            fail_msg("%s: %s", lines[i].line, fixture.error.message);
    }
    /* one by one the rest of the argument is the value, whatever is in it */
    start_over();
    assert_true(filled_read(&fixture.filled, "4=a 'quoted' word", &fixture.error));
    assert_true(filled_read(&fixture.filled, "5= 12 ", &fixture.error));
    expect_outcomes("ooorr");
    /* letters are a line, and its first fault ends it */
    assert_true(filled_read(&fixture.filled, " 1b 2a ", &fixture.error));
    expect_outcomes("wworr");
    assert_false(filled_read(&fixture.filled, "3f 2", &fixture.error));
    /* a slip is mended; one that can't be read changes nothing */
    assert_true(filled_set(&fixture.filled, 0, "b", 1, &fixture.error));
    assert_true(filled_set(&fixture.filled, 0, "a", 1, &fixture.error));
    assert_false(filled_set(&fixture.filled, 0, "z", 1, &fixture.error));
    expect_outcomes("rwwrr");
}

static void keep(uint32_t seed, const char *tag, const char *text)
{
    char id[SHEET_ID + 1];
    struct sheet_id of;
    struct sheet_source from = { .name = "p.yaml", .bytes = text, .length = (ptrdiff_t)strlen(text) };
    hash_of(&from.content, from.bytes, from.length);
    id_of(id, seed, 0, tag);
    assert_true(sheet_id_read(&of, id, &fixture.error));
    const struct sheet_record record = {
        .id = id, .body = of.body, .content = from.content, .size = "letter", .tag = tag, .printed_at = 5
    };
    assert_true(store_keep_sheets(fixture.store, &from, &record, 1, &fixture.error));
}

static void change_pack(const char *text)
{
    const char *folder = fixture.folder;
    library_destroy(fixture.library);
    write_pack(text);
    assert_true(library_create(&fixture.library, &folder, 1, &fixture.error));
    fixture.shelf.library = fixture.library;
}

/* The library's pack by what is on it, its tags too; the record before that. */
static void test_found(void **state)
{
    (void)state;
    char whole[SHEET_ID + 1], easy[SHEET_ID + 1], other[SHEET_ID + 1];
    struct printed *printed = &fixture.printed;
    id_of(whole, 1, 0, NULL);
    id_of(easy, 2, 0, "easy");
    id_of(other, 9, 2, NULL);
    assert_true(printed_find(&fixture.shelf, printed, easy, NULL, &fixture.error));
    assert_int_equal(printed->sheet.count, 1);
    assert_string_equal(printed->tag, "easy");
    assert_false(printed->recorded);
    printed_finish(printed);
    assert_true(printed_find(&fixture.shelf, printed, other, NULL, &fixture.error));
    assert_int_equal(printed->sheet.count, 2);
    printed_finish(printed);
    keep(1, NULL, source);
    change_pack("format: quiztutor/1\nid: p\ntitle: P\nquestions:\n"
                "- {id: one, prompt: Two?, choices: [a, {correct: b}, c], explanation: E}\n");
    assert_false(printed_find(&fixture.shelf, printed, easy, NULL, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_NOT_FOUND);
    printed_finish(printed);
    for (int times = 0; times < 2; times++) { /* the pack is loaded once */
        assert_true(printed_find(&fixture.shelf, printed, whole, NULL, &fixture.error));
        assert_true(printed->recorded);
        assert_string_equal(printed->record.size, "letter");
        assert_int_equal(printed->sheet.count, QUESTIONS);
        assert_int_equal(fixture.shelf.count, 1);
        printed_finish(printed);
    }
    assert_true(printed_find(&fixture.shelf, printed, other, NULL, &fixture.error)); /* by its body */
    assert_false(printed->recorded);
    assert_int_equal(printed->sheet.count, 2);
    printed_finish(printed);
    whole[4] = whole[4] == '0' ? '1' : '0';
    assert_false(printed_find(&fixture.shelf, printed, whole, NULL, &fixture.error));
    assert_int_equal(fixture.error.code, ERROR_INPUT);
}

/* Stored once, however often it is tried. */
static void test_stored(void **state)
{
    (void)state;
    struct filled *all[] = { &fixture.filled };
    struct result_model result;
    struct summary_model sum;
    struct arena arena;
    struct rows *rows;
    open_sheet();
    assert_true(filled_read_line(&fixture.filled, "1a 2ac 5=12", &fixture.error));
    for (int times = 0; times < 2; times++)
        assert_true(filled_store(all, 1, fixture.store, &fixture.clock, &fixture.error));
    assert_true(rows_open(&rows, fixture.store, QUERY_TOTALS, NULL, 0, &fixture.error));
    assert_int_equal(rows_step(rows, &fixture.error), 1);
    assert_int_equal(rows_integer(rows, 0), 1);
    assert_int_equal(rows_integer(rows, 1), 2);
    assert_int_equal(rows_integer(rows, 2), QUESTIONS);
    rows_close(rows);
    filled_sum(&fixture.filled, &sum);
    assert_int_equal(sum.right * 1000 + sum.partly * 100 + sum.wrong * 10 + sum.skipped, 2012);
    arena_init(&arena);
    assert_true(filled_result(&fixture.filled, 1, false, &result, &arena));
    assert_int_equal(result.response_count, 2);
    assert_string_equal(result.response[1], "c");
    arena_finish(&arena);
}

/* All of it, or an error of memory. */
static bool work(void)
{
    char id[SHEET_ID + 1];
    struct printed printed = { 0 };
    struct filled filled = { 0 }, *all[] = { &filled };
    struct result_model result;
    struct error *error = &fixture.error;
    struct arena arena;
    memory_fail_after(0);
    id_of(id, 1, 0, NULL);
    arena_init(&arena);
    memory_fail_after((long)fixture.time.steady);
    bool found = printed_find(&fixture.shelf, &printed, id, NULL, error);
    bool done = found && filled_init(&filled, &printed, &fixture.learner, fixture.time.wall) &&
                filled_read_line(&filled, "1a 4='a ''quoted'' word'", error) &&
                filled_result(&filled, 3, false, &result, &arena) &&
                filled_store(all, 1, fixture.store, &fixture.clock, error);
    memory_fail_after(0);
    if (found)
        filled_finish(&filled);
    printed_finish(&printed);
    arena_finish(&arena);
    return done;
}

static void test_without_memory(void **state)
{
    (void)state;
    enum { MOST = 5000 };
    keep(1, NULL, source);
    int failed = 0;
    for (fixture.time.steady = 1; fixture.time.steady < MOST && !work(); fixture.time.steady++) {
        struct rows *rows;
        assert_true(rows_open(&rows, fixture.store, QUERY_TOTALS, NULL, 0, &fixture.error));
        assert_int_equal(rows_step(rows, &fixture.error), 1);
        assert_int_equal(rows_integer(rows, 2), 0);
        rows_close(rows);
        failed++;
    }
    assert_true(failed > 20 && fixture.time.steady < MOST);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = { T(test_lines), T(test_found), T(test_stored),
                                        T(test_without_memory) };
    if (!hash_start())
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
