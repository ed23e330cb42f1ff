/* The record of printed sheets and the marks of filled-in ones, over both implementations; and in SQLite what
 * merges, erasing, failing memory and a full disk do to them. */
#include "fixture.h"

#include <quiztutor/intake.h>
#include <quiztutor/roster.h>
#include <quiztutor/sheet_record.h>

enum { ANN = 1001, BEA = 1002 };

static struct fixture fixture;
static struct store *store;
static struct error error;
static struct arena arena;

static int start_sqlite(void **state)
{
    (void)state;
    fixture_start(&fixture);
    arena_init(&arena);
    store = fixture_open(&fixture);
    return 0;
}

static int start_memory(void **state)
{
    (void)state;
    fixture_start(&fixture);
    arena_init(&arena);
    return store_open_memory(&store, &fixture.options, &error) ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    store_close(store);
    arena_finish(&arena);
    fixture_end(&fixture);
    return 0;
}

static struct sheet_source source_of(const char *bytes)
{
    struct sheet_source source = { .name = "tour.yaml", .bytes = bytes, .length = (ptrdiff_t)strlen(bytes) };
    hash_of(&source.content, source.bytes, source.length);
    return source;
}

static struct sheet_record record_of(const struct sheet_source *source, const char *id, int learner, int at)
{
    return (struct sheet_record){ .id = id,
                                  .body = "BODY",
                                  .content = source->content,
                                  .learner = fixture_id(learner),
                                  .size = "a4",
                                  .printed_at = at };
}

static bool keep(struct store *in, const char *bytes, const char *id, int learner, int at)
{
    struct sheet_source source = source_of(bytes);
    struct sheet_record record = record_of(&source, id, learner, at);
    return store_keep_sheets(in, &source, &record, 1, &error);
}

static void meet(int session, int learner, const char *name)
{
    struct store_session of = fixture_session(session, learner, name);
    struct store_attempt attempt = fixture_attempt(session + 500, "q1", OUTCOME_RIGHT);
    fixture_add(store, &of, &attempt);
}

/* "id bytes whose at", "none" */
static const char *found(struct store *in, const char *id, const char *body, int learner)
{
    static char text[300];
    struct sheet_record record;
    struct sheet_source source;
    struct uuid whose = fixture_id(learner);
    int step = store_find_sheet(in, id, body, learner ? &whose : NULL, &arena, &record, &source, &error);
    if (step < 0)
        fail_msg("%s", error.message);
    if (step == 0) {
        assert_null(record.id);
        assert_null(source.bytes);
        return "none";
    }
    const char *name = uuid_is_zero(&record.learner) ? "-" : "?";
    for (int i = ANN; i <= BEA; i++) {
        struct uuid one = fixture_id(i);
        if (uuid_equal(&record.learner, &one))
            name = i == ANN ? "Ann" : "Bea";
    }
    assert_int_equal(strlen(source.bytes), source.length);
    assert_string_equal(source.name, "tour.yaml");
    snprintf(text, sizeof text, "%s %s %s %d", record.id, source.bytes, name, (int)record.printed_at);
    return text;
}

static int64_t sheets(struct store *in)
{
    struct rows *rows;
    assert_true(rows_open(&rows, in, QUERY_TOTALS, NULL, 0, &error));
    assert_int_equal(rows_step(rows, &error), 1);
    int64_t count = rows_integer(rows, 8);
    rows_close(rows);
    return count;
}

static void test_kept_and_found(void **state)
{
    (void)state;
    assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "none");
    assert_true(keep(store, "one", "W1-A-s1", 0, 10));
    assert_true(keep(store, "one", "W1-A-s2", 0, 20));
    assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "W1-A-s1 one - 10");
    assert_string_equal(found(store, "W1-A-s2", "BODY", 0), "W1-A-s2 one - 20");
    assert_string_equal(found(store, "W1-A-s3", "BODY", 0), "W1-A-s2 one - 20"); /* another seed */
    assert_string_equal(found(store, "W1-A-s1", "ELSE", 0), "none");
    /* edited in what neither is printed nor decides a mark */
    assert_true(keep(store, "two", "W1-A-s1", 0, 15));
    assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "W1-A-s1 two - 15");
    assert_int_equal(sheets(store), 3);
    /* the first again */
    assert_true(keep(store, "one", "W1-A-s1", 0, 30));
    assert_int_equal(sheets(store), 3);
    assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "W1-A-s1 one - 30");
    assert_true(keep(store, "two", "W1-A-s1", 0, 5)); /* the clock was set back */
    assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "W1-A-s1 one - 30");
    assert_int_equal(sheets(store), 3);
}

static void test_looks_are_kept(void **state)
{
    (void)state;
    struct sheet_source source = source_of("one"), back;
    struct sheet_record plain = record_of(&source, "W1-A-s1", 0, 10), all = plain, is;
    all.size = "letter";
    all.boxes = all.large = all.no_key = true;
    all.tag = "Größe";
    all.printed_at = 11;
    struct sheet_record both[] = { plain, all };
    assert_true(store_keep_sheets(store, &source, both, 2, &error));
    assert_int_equal(sheets(store), 2);
    assert_int_equal(store_find_sheet(store, "W1-A-s1", "BODY", NULL, &arena, &is, &back, &error), 1);
    assert_string_equal(is.size, "letter");
    assert_string_equal(is.tag, "Größe");
    assert_string_equal(is.body, "BODY");
    assert_true(is.boxes && is.large && is.no_key && !is.key_only);
    assert_memory_equal(&back.content, &source.content, sizeof back.content);
    both[0].printed_at = 12;
    assert_true(store_keep_sheets(store, &source, both, 1, &error));
    assert_int_equal(store_find_sheet(store, "W1-A-s1", "BODY", NULL, &arena, &is, &back, &error), 1);
    assert_string_equal(is.size, "a4");
    assert_null(is.tag);
    assert_false(is.boxes || is.large || is.no_key || is.key_only);
    assert_int_equal(sheets(store), 2);
}

static void test_whose(void **state)
{
    (void)state;
    meet(1, ANN, "Ann");
    meet(2, BEA, "Bea");
    assert_true(keep(store, "one", "W1-A-s1", ANN, 10));
    assert_true(keep(store, "one", "W1-A-s1", BEA, 20));
    assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "W1-A-s1 one Bea 20");
    assert_string_equal(found(store, "W1-A-s1", "BODY", ANN), "W1-A-s1 one Ann 10");
    assert_true(keep(store, "one", "W1-A-s2", BEA, 5));
    assert_true(keep(store, "one", "W1-A-s2", 0, 4));
    assert_string_equal(found(store, "W1-A-s2", "BODY", ANN), "W1-A-s2 one - 4");
    assert_string_equal(found(store, "W1-A-s2", "BODY", BEA), "W1-A-s2 one Bea 5");
    assert_false(keep(store, "one", "W1-A-s3", 77, 30));
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_int_equal(sheets(store), 4);
}

static void test_refused(void **state)
{
    (void)state;
    struct sheet_source source = source_of("one"), other = source_of("two");
    struct sheet_record good = record_of(&source, "W1-A-s1", 0, 10), bad[] = { good, good };
    static char longer[SHEET_RECORD_TEXT + 2];
    memset(longer, 'x', sizeof longer - 1);
    const char *words[] = { NULL, "", "\xff", longer };
    for (size_t i = 0; i < 4; i++) {
        bad[1].id = words[i];
        assert_false(store_keep_sheets(store, &source, bad, 2, &error));
        assert_int_equal(error.code, ERROR_INPUT);
    }
    bad[1] = good;
    bad[1].tag = "\xff";
    assert_false(store_keep_sheets(store, &source, bad, 2, &error));
    bad[1] = good;
    bad[1].content = other.content;
    assert_false(store_keep_sheets(store, &source, bad, 2, &error));
    other.content = source.content; /* not the hash of its bytes */
    assert_false(store_keep_sheets(store, &other, &good, 1, &error));
    assert_true(store_keep_sheets(store, &source, &good, 0, &error)); /* nothing to keep */
    assert_int_equal(sheets(store), 0);
}

static void test_merged_learners(void **state)
{
    (void)state;
    struct roster_count moved;
    struct uuid ann = fixture_id(ANN), bea = fixture_id(BEA);
    meet(1, ANN, "Ann");
    meet(2, BEA, "Bea");
    assert_true(keep(store, "one", "W1-A-s1", ANN, 10));
    assert_true(keep(store, "one", "W1-A-s1", BEA, 20)); /* the same for both */
    assert_true(keep(store, "two", "W1-A-s2", BEA, 30));
    assert_true(keep(store, "two", "W1-A-s3", 0, 40));
    assert_true(roster_merge(store, &bea, &ann, &moved, &error));
    assert_int_equal(sheets(store), 3);
    assert_string_equal(found(store, "W1-A-s1", "BODY", ANN), "W1-A-s1 one Ann 20");
    assert_string_equal(found(store, "W1-A-s2", "BODY", ANN), "W1-A-s2 two Ann 30");
    /* who was merged is the other one from now on */
    assert_true(keep(store, "two", "W1-A-s4", BEA, 50));
    assert_string_equal(found(store, "W1-A-s4", "BODY", ANN), "W1-A-s4 two Ann 50");
}

static void test_erased_learner(void **state)
{
    (void)state;
    struct roster_count gone;
    struct uuid ann = fixture_id(ANN);
    meet(1, ANN, "Ann");
    meet(2, BEA, "Bea");
    assert_true(keep(store, "one", "W1-A-s1", ANN, 10));
    assert_true(keep(store, "two", "W1-A-s2", ANN, 20));
    assert_true(keep(store, "two", "W1-A-s2", BEA, 15));
    assert_true(roster_erase(store, &ann, &gone, &error));
    assert_int_equal(sheets(store), 1);
    assert_string_equal(found(store, "W1-A-s2", "BODY", 0), "W1-A-s2 two Bea 15");
    assert_true(keep(store, "one", "W1-A-s1", 0, 30));
    assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "W1-A-s1 one - 30");
    assert_true(store_check(store, &error));
}

/* ---- papers ---- */

static struct store_session paper_session(int number, int learner, const char *name)
{
    struct store_session session = fixture_session(number, learner, name);
    session.kind = session.origin = "paper";
    session.options = "{\"sheet\":\"W1-A-s1\"}";
    return session;
}

enum { PAPER = 3 };
static void paper_attempts(struct store_attempt attempts[static PAPER], int first)
{
    static const char *const questions[PAPER] = { "q1", "q2", "q3" };
    static const enum outcome outcomes[PAPER] = { OUTCOME_RIGHT, OUTCOME_WRONG, OUTCOME_OMITTED };
    for (int i = 0; i < PAPER; i++) {
        attempts[i] = fixture_attempt(first + i, questions[i], outcomes[i]);
        attempts[i].origin = "paper";
        attempts[i].elapsed_ms = -1;
        if (outcomes[i] == OUTCOME_OMITTED)
            attempts[i].response = NULL;
    }
}

static void expect_totals(const char *expected)
{
    char *text = fixture_query(store, QUERY_TOTALS, NULL, 0, &error);
    assert_non_null(text);
    *strrchr(text, '|') = '\0';
    *strrchr(text, '|') = '\0';
    assert_string_equal(text, expected);
    memory_free(text);
}

static void test_papers(void **state)
{
    (void)state;
    struct store_session ann = paper_session(10, ANN, "Ann"), bea = paper_session(11, BEA, "Bea");
    struct store_attempt anns[PAPER], beas[PAPER];
    struct sheet_paper papers[] = { { &ann, anns, PAPER, NULL }, { &bea, beas, PAPER, NULL } };
    paper_attempts(anns, 20);
    paper_attempts(beas, 30);
    meet(1, ANN, "Ann");
    expect_totals("1|1|1|0|0|1|2501|2501");
    /* nobody is made: neither of the two is stored */
    assert_false(store_add_papers(store, papers, 2, &error));
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    expect_totals("1|1|1|0|0|1|2501|2501");
    meet(2, BEA, "Bea");
    beas[2].verdict.mark = 0.0 / 0.0;
    assert_false(store_add_papers(store, papers, 2, &error));
    expect_totals("2|2|2|0|0|2|2501|2502");
    beas[2].verdict.mark = 0;
    for (int times = 0; times < 2; times++) { /* twice is once */
        assert_true(store_add_papers(store, papers, 2, &error));
        expect_totals("2|4|8|0|0|6|2020|2502");
    }
    /* once only: not a second session of it, but the same call once more */
    struct store_session again = paper_session(12, ANN, "Ann");
    struct store_attempt agains[PAPER];
    paper_attempts(agains, 40);
    struct sheet_paper once = { &again, agains, PAPER, "W1-A-s1" };
    assert_false(store_add_papers(store, &once, 1, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_string_equal(error.message, "W1-A-s1 was marked for Ann in the meantime. Nothing was stored");
    expect_totals("2|4|8|0|0|6|2020|2502");
    papers[0].once = papers[1].once = "W1-A-s1";
    assert_true(store_add_papers(store, papers, 2, &error));
    expect_totals("2|4|8|0|0|6|2020|2502");
    int64_t at;
    int offset;
    struct uuid whose[] = { fixture_id(ANN), fixture_id(77) };
    assert_int_equal(store_find_paper(store, &whose[0], "W1-A-s1", &at, &offset, &error), 1);
    assert_true(at == ann.started_at && offset == ann.utc_offset_s);
    assert_int_equal(store_find_paper(store, &whose[0], "W1-A-s2", &at, &offset, &error), 0);
    assert_int_equal(store_find_paper(store, &whose[1], "W1-A-s1", &at, &offset, &error), 0);
    struct store_value session = store_value_uuid(&ann.id);
    char *log = fixture_query(store, QUERY_LOG, &session, 1, &error);
    assert_non_null(log);
    assert_non_null(strstr(log, "attempt|#20|tour|q1|[1]|right|"));
    assert_non_null(strstr(log, "attempt|#22|tour|q3|-|omitted|"));
    memory_free(log);
    struct store_schedule is;
    struct uuid id = fixture_id(ANN);
    assert_int_equal(store_schedule(store, &id, "tour", "q1", &is, &error), 1);
    assert_int_equal(is.counted, 2);
    assert_int_equal(is.right, 2);
    fixture_expect_in_step(store);
}

static void test_papers_refused(void **state)
{
    (void)state;
    meet(1, ANN, "Ann");
    struct store_session session = paper_session(10, ANN, "Ann");
    struct store_attempt attempts[PAPER];
    struct sheet_paper paper = { &session, attempts, PAPER, NULL };
    paper_attempts(attempts, 20);
    session.kind = "practice";
    assert_false(store_add_papers(store, &paper, 1, &error));
    session.kind = "paper";
    paper.count = 0;
    assert_false(store_add_papers(store, &paper, 1, &error));
    paper.count = PAPER;
    session.options = "no JSON";
    assert_false(store_add_papers(store, &paper, 1, &error));
    assert_false(store_add_papers(store, &paper, SHEET_RECORD_LINES + 1, &error));
    assert_true(store_add_papers(store, &paper, 0, &error));
    expect_totals("1|1|1|0|0|1|2501|2501");
}

/* ---- SQLite alone ---- */

/* That Bea was found by her name is told, and nothing else. */
static void tell_name(void *context, const char *what)
{
    (void)context;
    if (!strstr(what, "by the name alone"))
        fail_msg("told: %s", what);
}

static void take_in(const char *path, enum intake_file expected)
{
    struct intake *intake;
    struct intake_count count;
    assert_true(intake_begin(&intake, store, &error));
    assert_int_equal(intake_store(intake, path, &count, tell_name, NULL, &error), expected);
    assert_int_equal(count.refused, 0);
    assert_true(intake_end(intake, true, &error));
}

static void test_taken_in(void **state)
{
    (void)state;
    char path[FIXTURE_PATH + 32];
    struct store *here = store;
    meet(1, BEA, "Bea"); /* here Bea goes by another id */
    assert_true(keep(store, "one", "W1-A-s1", 0, 10));
    snprintf(path, sizeof path, "%s/other.db", fixture.folder);
    assert_true(store_open(&store, path, &fixture.options, &error));
    meet(2, 77, "Bea");
    assert_true(keep(store, "one", "W1-A-s1", 0, 30));
    assert_true(keep(store, "two", "W1-A-s2", 77, 20));
    store_close(store);
    store = here;
    for (int times = 0; times < 2; times++) {
        take_in(path, INTAKE_FILE_TAKEN);
        assert_int_equal(sheets(store), 2);
        assert_string_equal(found(store, "W1-A-s1", "BODY", 0), "W1-A-s1 one - 30");
        assert_string_equal(found(store, "W1-A-s2", "BODY", 0), "W1-A-s2 two Bea 20");
    }
    /* bytes that are not what they are said to be, and a row that is none */
    fixture_sql(path, "UPDATE sheet_content SET pack = x'00' WHERE pack = CAST('two' AS BLOB);"
                      "UPDATE sheet SET id = 'W1-A-s9'; UPDATE sheet SET body = '' WHERE learner_id IS NULL");
    assert_int_equal(fixture_sql(fixture.path, "DELETE FROM sheet; DELETE FROM sheet_content"), -1);
    take_in(path, INTAKE_FILE_TAKEN);
    assert_int_equal(sheets(store), 0);
    assert_true(store_check(store, &error));
}

static void test_submitted_without(void **state)
{
    (void)state;
    struct buffer bytes;
    struct intake_count count;
    struct uuid ann = fixture_id(ANN);
    char path[FIXTURE_PATH + 32];
    meet(1, ANN, "Ann");
    assert_true(keep(store, "one", "W1-A-s1", ANN, 10));
    buffer_init(&bytes);
    assert_true(submission_make(&bytes, store, &ann, &count, &error));
    snprintf(path, sizeof path, "%s/handed-in", fixture.folder);
    fixture_write(path, buffer_get(&bytes), bytes.length);
    buffer_finish(&bytes);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM attempt"), 1);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM sheet"), 0);
    assert_int_equal(fixture_sql(path, "SELECT count(*) FROM sheet_content"), 0);
}

/* A record that was changed under us is not printed from. */
static void test_damaged(void **state)
{
    (void)state;
    struct sheet_record record;
    struct sheet_source source;
    assert_true(keep(store, "one", "W1-A-s1", 0, 10));
    fixture_sql(fixture.path, "UPDATE sheet_content SET pack = x'00'");
    assert_int_equal(store_find_sheet(store, "W1-A-s1", "BODY", NULL, &arena, &record, &source, &error), -1);
    assert_int_equal(error.code, ERROR_DAMAGED);
    assert_null(record.id);
}

/* All or nothing, wherever memory ends. */
static void test_without_memory(void **state)
{
    (void)state;
    meet(1, ANN, "Ann");
    meet(2, BEA, "Bea");
    expect_totals("2|2|2|0|0|2|2501|2502");
    struct store_session ann = paper_session(10, ANN, "Ann"), bea = paper_session(11, BEA, "Bea");
    struct store_attempt anns[PAPER], beas[PAPER];
    struct sheet_paper papers[] = { { &ann, anns, PAPER, NULL }, { &bea, beas, PAPER, NULL } };
    paper_attempts(anns, 20);
    paper_attempts(beas, 30);
    bool done = false;
    int failed = 0;
    for (int i = 1; !done && i < 1000; i++) {
        memory_fail_after(i);
        done = store_add_papers(store, papers, 2, &error);
        memory_fail_after(0);
        expect_totals(done ? "2|4|8|0|0|6|2020|2502" : "2|2|2|0|0|2|2501|2502");
        failed += !done;
    }
    assert_true(done && failed > 0);
    for (int i = 1; i < 1000; i++) {
        memory_fail_after(i);
        done = keep(store, "one", "W1-A-s1", ANN, 10);
        memory_fail_after(0);
        assert_int_equal(sheets(store), done);
        if (done)
            break;
    }
    assert_true(done);
    for (int i = 1; i < 1000; i++) {
        struct sheet_record record;
        struct sheet_source source;
        memory_fail_after(i);
        int step = store_find_sheet(store, "W1-A-s1", "BODY", NULL, &arena, &record, &source, &error);
        memory_fail_after(0);
        assert_true(step == 1 || (step == -1 && error.code == ERROR_MEMORY && !record.id));
        if (step == 1)
            break;
    }
}

#define BOTH(test)                                                                                           \
    cmocka_unit_test_setup_teardown(test, start_sqlite, end),                                                \
        cmocka_unit_test_setup_teardown(test, start_memory, end)
#define SQLITE(test) cmocka_unit_test_setup_teardown(test, start_sqlite, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_kept_and_found),  BOTH(test_looks_are_kept),
        BOTH(test_whose),           BOTH(test_refused),
        BOTH(test_merged_learners), BOTH(test_erased_learner),
        BOTH(test_papers),          BOTH(test_papers_refused),
        SQLITE(test_taken_in),      SQLITE(test_submitted_without),
        SQLITE(test_damaged),       BOTH(test_without_memory),
    };
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
