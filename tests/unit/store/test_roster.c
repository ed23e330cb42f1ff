/* The roster: learners taken in, renamed, made one of two, erased; in both stores. */
#include "twins.h"

#include <quiztutor/roster.h>
#include <sqlite3.h>

static struct roster_line line(const char *name, const char *login, const char *external_id)
{
    return (struct roster_line){
        .name = name, .login = login, .external_id = external_id, .plain = ROSTER_UNSAID
    };
}

/* Takes a line in both stores and says what came of it: "added", or why it was refused. */
static const char *took(struct roster_line taken)
{
    static const char *const words[] = { "added", "changed", "same" };
    static struct roster_result one, other;
    assert_true(roster_add(twins.kept, &taken, &one, 1, &twins.error));
    assert_true(roster_add(twins.folded, &taken, &other, 1, &twins.error));
    assert_int_equal(one.outcome, other.outcome);
    assert_string_equal(one.why, other.why);
    return one.outcome == ROSTER_REFUSED ? one.why : words[one.outcome];
}

/* The roster as text, but for the ids, which differ between the stores. */
static char *roster(struct store *store)
{
    struct rows *rows;
    struct buffer out;
    buffer_init(&out);
    assert_true(rows_open(&rows, store, QUERY_ROSTER, NULL, 0, &twins.error));
    while (rows_step(rows, &twins.error) > 0) {
        const char *texts[] = { rows_text(rows, 1), rows_text(rows, 2), rows_text(rows, 3),
                                rows_text(rows, 6) };
        for (int i = 0; i < 4; i++)
            buffer_print(&out, "%s|", texts[i] ? texts[i] : "-");
        buffer_print(&out, "%g|%d\n", rows_real(rows, 4), (int)rows_integer(rows, 5));
    }
    rows_close(rows);
    char *text = memory_text(buffer_get(&out));
    buffer_finish(&out);
    return text;
}

static void expect_roster(const char *expected)
{
    struct store *const stores[] = { twins.kept, twins.folded };
    for (int i = 0; i < 2; i++) {
        char *is = roster(stores[i]);
        assert_string_equal(is, expected);
        memory_free(is);
    }
}

static const struct uuid *find(struct store *store, const char *name)
{
    static struct uuid id;
    struct arena arena;
    struct store_learner learner;
    arena_init(&arena);
    if (!store_find_learner(store, name, &arena, &learner, NULL, &twins.error))
        fail_msg("%s: %s", name, twins.error.message);
    id = learner.id;
    arena_finish(&arena);
    return &id;
}

/* By external id, then login, then name: the same lines once more change nothing. */
static void test_add(void **state)
{
    (void)state;
    const char *const groups[] = { "Year 1", " year  1", "Labs" };
    struct roster_line ada = line("  Ada\tLovelace ", NULL, NULL);
    assert_non_null(strstr(took(ada), "control"));
    ada.name = "  Ada  Lovelace ";
    assert_string_equal(took(ada), "added");
    assert_string_equal(took(ada), "same");
    assert_string_equal(took(line("ADA lovelace", NULL, NULL)), "same");
    ada = line("Ada Lovelace", "ada", "E1");
    ada.groups = groups;
    ada.group_count = 3;
    ada.time_factor = 1.25;
    ada.plain = 1;
    assert_string_equal(took(ada), "changed");
    assert_string_equal(took(ada), "same");
    expect_roster("Ada Lovelace|ada|E1|Labs|1.25|1\nAda Lovelace|ada|E1|Year 1|1.25|1\n");
    /* what is not said stays; by external id the name follows */
    assert_string_equal(took(line("Ada King", NULL, "E1")), "changed");
    assert_string_equal(took(line(NULL, "ada", NULL)), "same");
    ada = line(NULL, NULL, "E1");
    ada.groups = groups + 1;
    ada.group_count = 1;
    assert_string_equal(took(ada), "same");
    ada.only_these = true;
    ada.plain = ROSTER_SCREENS;
    assert_string_equal(took(ada), "changed");
    expect_roster("Ada King|ada|E1|Year 1|1.25|0\n");
    ada.plain = ROSTER_LARGE;
    assert_string_equal(took(ada), "changed");
    assert_string_equal(took(ada), "same");
    expect_roster("Ada King|ada|E1|Year 1|1.25|2\n");
    ada.plain = ROSTER_SCREENS;
    assert_string_equal(took(ada), "changed");
    /* somebody else of the same name */
    assert_string_equal(took(line("Ada King", NULL, "E2")), "added");
    assert_non_null(strstr(took(line("Ada King", NULL, NULL)), "several"));
    assert_string_equal(took(line("Ada King", "ada", NULL)), "same");
    assert_string_equal(took(line("Ada King", "ak", NULL)), "changed"); /* E2 has no login yet */
    assert_non_null(strstr(took(line(NULL, "ada", "E2")), "login \"ada\""));
    assert_non_null(strstr(took(line(NULL, "ada", "E9")), "another external_id"));
    assert_non_null(strstr(took(line(NULL, "nobody", NULL)), "no name"));
    assert_string_equal(took(line("Ada King", "third", NULL)), "added");
    assert_non_null(strstr(took(line("ada king", "fourth", NULL)), "needs an external_id"));
    expect_roster("Ada King|ada|E1|Year 1|1.25|0\nAda King|ak|E2|-|1|0\nAda King|third|-|-|1|0\n");
    assert_true(store_check(twins.kept, &twins.error));
}

/* Lines about one learner: none takes over another's name, and groups add up, once more the same. */
static void test_repeats(void **state)
{
    (void)state;
    const char *const groups[] = { "G1", "G2", "G3" };
    struct roster_line lines[] = {
        line("Bo", "b", NULL),   line("Cy", "b", NULL),  line("bo", "b", NULL),
        line("Di", NULL, NULL),  line("Di", NULL, NULL), line("Ed", NULL, "E1"),
        line("Flo", NULL, "E1"), line(NULL, NULL, "E1"), line("Di", "another", NULL),
    };
    enum { COUNT = sizeof lines / sizeof *lines };
    static const int group_of[COUNT] = { 0, 1, 2, 0, 1, 0, 1, 2, 2 };
    struct roster_result results[COUNT];
    struct store *const stores[] = { twins.kept, twins.folded };
    for (int i = 0; i < COUNT; i++) {
        lines[i].groups = &groups[group_of[i]];
        lines[i].group_count = 1;
        lines[i].only_these = true;
    }
    for (int i = 0; i < 4; i++) {
        assert_true(roster_add(stores[i % 2], lines, results, COUNT, &twins.error));
        for (int k = 0; k < COUNT; k++)
            assert_int_equal(results[k].outcome == ROSTER_REFUSED, k == 1 || k == 6);
        assert_non_null(strstr(results[1].why, "the login \"b\" is that of \"Bo\" in a line above"));
        assert_non_null(strstr(results[6].why, "the external_id \"E1\" is that of \"Ed\""));
    }
    expect_roster("Bo|b|-|G1|1|0\nBo|b|-|G3|1|0\nDi|another|-|G3|1|0\nEd|-|E1|G1|1|0\nEd|-|E1|G3|1|0\n");
    lines[0].only_these = lines[2].only_these = true;
    assert_true(roster_add(twins.kept, lines, results, 8, &twins.error));
    assert_int_equal(results[0].outcome, ROSTER_SAME);
    assert_int_equal(results[2].outcome, ROSTER_SAME);
}

static void test_bad_lines(void **state)
{
    (void)state;
    char longer[4 * ROSTER_LONGEST];
    const char *const bad_group[] = { "a\x1b[31m" };
    memset(longer, 'x', sizeof longer);
    longer[sizeof longer - 1] = '\0';
    struct roster_line lines[] = {
        line(NULL, NULL, NULL),
        line("", NULL, NULL),
        line("a\xe2\x80\xae"
             "b",
             NULL, NULL),
        line("\xff", NULL, NULL),
        line("Bo", "", NULL),
        line("Bo", "a\nb", NULL),
        line("Bo", NULL, longer),
        line("Bo", "\xff", NULL),
        line(longer, NULL, NULL),
        line("Bo", NULL, NULL),
        line("Bo", NULL, NULL),
        line("Bo", NULL, NULL),
    };
    enum { COUNT = sizeof lines / sizeof *lines };
    struct roster_result results[COUNT];
    lines[COUNT - 3].groups = bad_group;
    lines[COUNT - 3].group_count = 1;
    lines[COUNT - 2].time_factor = 0.5;
    lines[COUNT - 1].time_factor = 11;
    assert_true(roster_add(twins.kept, lines, results, COUNT, &twins.error));
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(results[i].outcome, ROSTER_REFUSED);
        assert_true(strlen(results[i].why) > 5);
    }
    expect_roster("");
    /* the good ones among them are taken */
    lines[3] = line("Bo", NULL, NULL);
    assert_true(roster_add(twins.kept, lines, results, COUNT, &twins.error));
    assert_int_equal(results[3].outcome, ROSTER_ADDED);
    assert_int_equal(fixture_sql(twins.fixture.path, "SELECT count(*) FROM learner"), 1);
}

static void test_rename(void **state)
{
    (void)state;
    struct store *const stores[] = { twins.kept, twins.folded };
    took(line("Ann", NULL, NULL));
    took(line("Bob", NULL, NULL));
    for (int i = 0; i < 2; i++) {
        struct uuid ann = *find(stores[i], "ann"), nobody = fixture_id(77);
        assert_false(roster_rename(stores[i], &ann, "BOB", &twins.error));
        assert_int_equal(twins.error.code, ERROR_INPUT);
        assert_non_null(strstr(twins.error.message, "merge"));
        assert_false(roster_rename(stores[i], &ann, " ", &twins.error));
        assert_false(roster_rename(stores[i], &nobody, "Cy", &twins.error));
        assert_int_equal(twins.error.code, ERROR_NOT_FOUND);
        assert_true(roster_rename(stores[i], &ann, "ANN", &twins.error)); /* her own name, spelt otherwise */
        assert_true(roster_rename(stores[i], &ann, "Anna", &twins.error));
        assert_memory_equal(find(stores[i], "anna"), &ann, sizeof ann);
    }
    expect_roster("Anna|-|-|-|1|0\nBob|-|-|-|1|0\n");
}

static void merge(int from, int into)
{
    struct uuid one = fixture_id(from), other = fixture_id(into);
    struct roster_count kept, folded;
    if (!roster_merge(twins.kept, &one, &other, &kept, &twins.error) ||
        !roster_merge(twins.folded, &one, &other, &folded, &twins.error))
        fail_msg("merge: %s", twins.error.message);
    assert_int_equal(kept.sessions, folded.sessions);
    assert_int_equal(kept.attempts, folded.attempts);
    assert_int_equal(kept.events, folded.events);
}

/* Whatever both did: the one who remains has the schedules and sums of somebody who did all of it, and goes
 * on from there, in sessions of either. */
static void test_merge_by_chance(void **state)
{
    (void)state;
    int number = TWINS_FIRST;
    for (int i = 0; i < 400; i++)
        twins_operate(number++);
    twins_expect_same();
    merge(1001, 1002);
    twins_expect_same();
    twins_expect_no_difference();
    for (int i = 0; i < 200; i++)
        twins_operate(number++);
    twins_expect_same();
    merge(1002, 1003);
    twins_expect_same();
    twins_expect_no_difference();
    for (int i = 0; i < 100; i++)
        twins_operate(number++);
    twins_expect_same();
    twins_expect_no_difference();
    assert_int_equal(fixture_sql(twins.fixture.path, "SELECT count(DISTINCT learner_id) FROM attempt"), 1);
    assert_int_equal(fixture_sql(twins.fixture.path, "SELECT count(*) FROM event WHERE kind = 'merged'"), 2);
    assert_int_equal(
        fixture_sql(twins.fixture.path,
                    "SELECT count(*) FROM learner WHERE merged_into = (SELECT learner_id FROM learner WHERE"
                    " merged_into IS NULL)"),
        2);
    struct store *const stores[] = { twins.kept, twins.folded };
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            struct uuid cy = fixture_id(1003);
            assert_memory_equal(find(stores[i], (const char *const[]){ "Ann", "bob", "CY" }[k]), &cy,
                                sizeof cy);
        }
    assert_true(store_check(twins.kept, &twins.error));
}

/* Logins, external ids, groups and what eases practice go along. */
static void test_merge_keeps(void **state)
{
    (void)state;
    const char *const groups[] = { "A", "B" };
    struct store *const stores[] = { twins.kept, twins.folded };
    struct roster_line ann = line("Ann", "ann", "E1"), bob = line("Bob", "bob", NULL);
    ann.groups = groups;
    ann.group_count = 2;
    ann.time_factor = 1.5;
    ann.plain = ROSTER_LARGE;
    bob.groups = groups + 1;
    bob.group_count = 1;
    took(ann);
    took(bob);
    for (int i = 0; i < 2; i++) {
        struct uuid one = *find(stores[i], "Ann"), other = *find(stores[i], "Bob"), nobody = fixture_id(5);
        struct roster_count moved;
        assert_false(roster_merge(stores[i], &one, &one, &moved, &twins.error));
        assert_int_equal(twins.error.code, ERROR_INPUT);
        assert_false(roster_merge(stores[i], &one, &nobody, &moved, &twins.error));
        assert_false(roster_merge(stores[i], &nobody, &one, &moved, &twins.error));
        assert_int_equal(twins.error.code, ERROR_NOT_FOUND);
        assert_true(roster_merge(stores[i], &one, &other, &moved, &twins.error));
        assert_memory_equal(find(stores[i], "ann"), &other, sizeof other); /* by login */
    }
    expect_roster("Bob|bob|E1|A|1.5|2\nBob|bob|E1|B|1.5|2\n");
    assert_string_equal(took(line("Robert", NULL, "E1")), "changed");
    assert_string_equal(took(line("Robert", "ann", NULL)), "same");
    assert_string_equal(took(line("Ann", NULL, NULL)), "same");  /* she is he */
    assert_string_equal(took(line("Ann", NULL, "E7")), "added"); /* who is not she */
}

static int64_t holds(const char *path, const char *text)
{
    ptrdiff_t length;
    unsigned char *bytes = fixture_read(path, &length);
    bool found = bytes && memmem(bytes, (size_t)length, text, strlen(text));
    free(bytes);
    return found;
}

static void test_erase(void **state)
{
    (void)state;
    int number = TWINS_FIRST;
    const char *const groups[] = { "both" };
    for (int i = 0; i < 300; i++)
        twins_operate(number++);
    struct roster_line ann = line("Ann", "ann-login", "ann-external");
    ann.groups = groups;
    ann.group_count = 1;
    assert_string_equal(took(ann), "changed");
    /* a question that nobody else is asked, and one that Bob is asked, too */
    struct store_attempt own = twins_attempt(number++, "tour", 90, 0),
                         shared = twins_attempt(number++, "tour", 91, 1);
    twins_add(twins_session(0), &own);
    twins_add(twins_session(0), &shared);
    shared = twins_attempt(number++, "tour", 91, 1);
    twins_add(twins_session(1), &shared);
    merge(1003, 1001);
    struct store *const stores[] = { twins.kept, twins.folded };
    for (int i = 0; i < 2; i++) {
        struct uuid id = fixture_id(1001), cy = fixture_id(1003);
        struct roster_count gone;
        bool erased, needed;
        assert_true(roster_is_erased(stores[i], &id, &erased, &twins.error) && !erased);
        if (!roster_erase(stores[i], &id, &gone, &twins.error))
            fail_msg("%s", twins.error.message);
        assert_true(gone.sessions == 4 && gone.attempts > 100 && gone.events > 10 && gone.questions >= 1);
        assert_true(roster_is_erased(stores[i], &id, &erased, &twins.error) && erased);
        assert_true(roster_is_erased(stores[i], &cy, &erased, &twins.error) && erased);
        assert_false(roster_erase(stores[i], &id, &gone, &twins.error));
        assert_int_equal(twins.error.code, ERROR_NOT_FOUND);
        assert_true(roster_clean(stores[i], &needed, &twins.error));
        assert_int_equal(needed, i == 0);
        assert_true(roster_clean(stores[i], &needed, &twins.error) && !needed);
    }
    twins_expect_same();
    twins_expect_no_difference();
    assert_true(store_check(twins.kept, &twins.error));
    static const char *const words[] = { "Ann", "ann-login", "ann-external", "Cy", "Q90?" };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (holds(twins.fixture.path, words[i]) ||
            holds(fixture_beside(twins.fixture.path, "-wal"), words[i]))
            fail_msg("%s is still there", words[i]);
    assert_true(holds(twins.fixture.path, "Q91?"));
    assert_int_equal(fixture_sql(twins.fixture.path, "SELECT count(*) FROM event WHERE kind = 'erased' AND"
                                                     " body IS NULL AND session_id IS NULL"),
                     6); /* of her: id, name, login, external id; of who was merged into her: id, name */
    /* a practice that went on meanwhile does not bring her back */
    struct store_session session = twins_session(0);
    struct store_attempt late = twins_attempt(number++, "tour", 1, 0);
    for (int i = 0; i < 2; i++) {
        assert_false(store_add_attempt(stores[i], &session, &late, NULL, &twins.error));
        assert_int_equal(twins.error.code, ERROR_INPUT);
    }
    /* somebody new of her name is somebody new */
    session = fixture_session(70, 1070, "Ann");
    late.id = fixture_id(number);
    if (!store_add_attempt(twins.kept, &session, &late, NULL, &twins.error))
        fail_msg("%s", twins.error.message);
}

/* While a session of theirs is running, nobody is merged or erased. */
static void test_running(void **state)
{
    (void)state;
    struct store_attempt one = twins_attempt(1, "tour", 1, 0), other = twins_attempt(2, "tour", 1, 0);
    struct uuid ann = fixture_id(1001), bob = fixture_id(1002), id = fixture_id(1);
    struct roster_count count;
    twins_add(twins_session(0), &one);
    twins_add(twins_session(1), &other);
    struct store *second = fixture_open(&twins.fixture);
    assert_true(store_hold_session(second, &id, &twins.error));
    assert_false(roster_erase(twins.kept, &ann, &count, &twins.error));
    assert_int_equal(twins.error.code, ERROR_BUSY);
    assert_non_null(strstr(twins.error.message, "Ann"));
    assert_false(roster_merge(twins.kept, &bob, &ann, &count, &twins.error));
    assert_int_equal(twins.error.code, ERROR_BUSY);
    assert_false(roster_merge(twins.kept, &ann, &bob, &count, &twins.error));
    store_release_session(second, &id);
    id = fixture_id(50); /* somebody else's, or not on record yet */
    assert_true(store_hold_session(second, &id, &twins.error));
    assert_true(roster_merge(twins.kept, &bob, &ann, &count, &twins.error));
    assert_int_equal(count.attempts, 1);
    /* another process that has it open goes on with whose session it is now */
    struct store_session session = twins_session(1);
    other = twins_attempt(3, "tour", 1, 0);
    assert_true(store_add_attempt(second, &session, &other, NULL, &twins.error));
    assert_memory_equal(&session.learner.id, &ann, sizeof ann);
    store_close(second);
    fixture_expect_in_step(twins.kept);
}

/* The log still can't be changed by anybody else. */
static void test_log_is_kept(void **state)
{
    (void)state;
    struct store_attempt one = twins_attempt(1, "tour", 1, 0);
    struct store_event event = fixture_event(2, "hinted", 0);
    twins_add(twins_session(0), &one);
    twins_tell(twins_session(0), &event);
    static const char *const harms[] = {
        "UPDATE attempt SET learner_id = randomblob(16)",
        "UPDATE attempt SET mark = 0",
        "UPDATE session SET learner_id = randomblob(16)",
        "UPDATE event SET learner_id = NULL",
        "DELETE FROM attempt",
        "DELETE FROM event",
    };
    for (size_t i = 0; i < sizeof harms / sizeof *harms; i++) {
        sqlite3 *db;
        assert_int_equal(sqlite3_open(twins.fixture.path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, harms[i], NULL, NULL, NULL), SQLITE_CONSTRAINT);
        assert_non_null(strstr(sqlite3_errmsg(db), "append-only"));
        sqlite3_close(db);
    }
}

/* Each allocation fails once: all of it is done, or nothing. */
static void test_without_memory(void **state)
{
    (void)state;
    const char *const groups[] = { "A", "B" };
    int number = TWINS_FIRST;
    for (int i = 0; i < 60; i++)
        twins_operate(number++);
    struct uuid ann = fixture_id(1001), bob = fixture_id(1002);
    struct roster_count count;
    struct roster_result result;
    long fails = 0;
    bool done = false;
    struct roster_line dee = line("Dee", "dee", "E4");
    dee.groups = groups;
    dee.group_count = 2;
    for (long n = 1; !done; n++, fails++) {
        memory_fail_after(n);
        done = roster_add(twins.kept, &dee, &result, 1, &twins.error);
        memory_fail_after(0);
        if (!done && twins.error.code != ERROR_MEMORY)
            fail_msg("%ld: %s", n, twins.error.message);
        if (!done)
            assert_int_equal(
                fixture_sql(twins.fixture.path, "SELECT count(*) FROM learner WHERE login = 'dee'"), 0);
    }
    assert_true(fails > 5 && result.outcome == ROSTER_ADDED);
    fails = 0;
    done = false;
    for (long n = 1; !done; n++, fails++) {
        memory_fail_after(n);
        done = roster_merge(twins.kept, &ann, &bob, &count, &twins.error);
        memory_fail_after(0);
        if (!done && twins.error.code != ERROR_MEMORY)
            fail_msg("%ld: %s", n, twins.error.message);
        assert_int_equal(
            fixture_sql(twins.fixture.path, "SELECT count(*) FROM learner WHERE merged_into IS NOT NULL"),
            done);
    }
    assert_true(fails > 5);
    fixture_expect_in_step(twins.kept);
    fails = 0;
    done = false;
    for (long n = 1; !done; n++, fails++) {
        memory_fail_after(n);
        done = roster_erase(twins.kept, &bob, &count, &twins.error);
        memory_fail_after(0);
        if (!done && twins.error.code != ERROR_MEMORY)
            fail_msg("%ld: %s", n, twins.error.message);
        assert_int_equal(fixture_sql(twins.fixture.path, "SELECT count(*) FROM learner WHERE name = 'Bob'"),
                         !done);
    }
    assert_true(fails > 0 && count.attempts > 0);
    fixture_expect_in_step(twins.kept);
    assert_true(store_check(twins.kept, &twins.error));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, twins_start, twins_end)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_add),
        TEST(test_repeats),
        TEST(test_bad_lines),
        TEST(test_rename),
        TEST(test_merge_by_chance),
        TEST(test_merge_keeps),
        TEST(test_erase),
        TEST(test_running),
        TEST(test_log_is_kept),
        TEST(test_without_memory),
    };
    fixture_in_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
