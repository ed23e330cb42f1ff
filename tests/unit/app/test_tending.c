/* What a tutor does to exams at a kiosk, over both stores: more minutes, an exam that was handed in gone on
 * with, exams locked and opened. */
#include <quiztutor/sitting.h>
#include <quiztutor/tending.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char bytes[] = "format: quiztutor/1\nid: small\ntitle: A small pack\nshuffle: none\n"
                            "exam: {minutes: 30, pass: 60}\n"
                            "questions:\n"
                            "  - id: one\n"
                            "    prompt: Which one?\n"
                            "    choices: [{correct: This}, That]\n"
                            "    explanation: Because it is this.\n"
                            "  - id: two\n"
                            "    prompt: Is it so?\n"
                            "    true_false: false\n"
                            "    explanation: Since it is otherwise.\n"
                            "  - id: three\n"
                            "    prompt: Name it?\n"
                            "    marks: 2.5\n"
                            "    text: {accept: [a \"quoted\" word]}\n"
                            "    explanation: That is it.\n";

enum { MINUTE = 60000 };

static char folder[64], path[128];
static struct clock_fake fake;
static struct clock clock_;
static struct pack *pack;
static const struct pack *packs[1];
static struct store *store;
static struct sitting sitting;
static struct practice_options options;
static struct error error;

static void sit_down(void)
{
    assert_true(sitting_init(&sitting, store, clock_, &options, 0, &error));
}

static int start(bool memory)
{
    struct diagnostics list;
    snprintf(folder, sizeof folder, "%s/tending-XXXXXX", access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!hash_start() || !mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/store.db", folder);
    fake = (struct clock_fake){ .wall = 1764500000000, .steady = 100000, .offset = 3600, .boot = 1 };
    clock_ = clock_fake(&fake);
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "small.yaml", bytes, (ptrdiff_t)strlen(bytes), &list, &error))
        fail_msg("%s", list.count ? list.items[0].message : error.message);
    diagnostics_finish(&list);
    packs[0] = pack;
    options = (struct practice_options){ .packs = packs,
                                         .pack_count = 1,
                                         .learner = "Ana",
                                         .mode = MODE_ALL,
                                         .seed = 1,
                                         .origin = "kiosk",
                                         .day_starts = 240 };
    struct store_options how = { .clock = clock_ };
    if (memory ? !store_open_memory(&store, &how, &error) : !store_open(&store, path, &how, &error))
        return 1;
    sit_down();
    return 0;
}

static int start_sqlite(void **state)
{
    (void)state;
    return start(false);
}

static int start_memory(void **state)
{
    (void)state;
    return start(true);
}

static int end(void **state)
{
    char command[160];
    (void)state;
    sitting_finish(&sitting);
    store_close(store);
    pack_destroy(pack);
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command) != 0;
}

static void pass(int64_t ms)
{
    fake.wall += ms;
    fake.steady += ms;
}

static void answer_first(void)
{
    struct answer answer = { .picks = 1 };
    sitting_show(&sitting, 0);
    assert_true(sitting_answer(&sitting, &answer, 2, &error));
}

static void type_third(void)
{
    struct answer answer = { .text = "a \"quoted\" word" };
    sitting_show(&sitting, 2);
    assert_true(sitting_answer(&sitting, &answer, 0, &error));
}

static int64_t count(enum store_query query, struct store_value value, int column)
{
    struct rows *rows;
    int64_t sum = 0;
    assert_true(rows_open(&rows, store, query, &value, 1, &error));
    while (rows_step(rows, &error) == 1)
        sum += column < 0 ? 1 : rows_integer(rows, column);
    rows_close(rows);
    return sum;
}

/* Answers that count, of all packs. */
static int64_t counted(void)
{
    struct store_value pack_id = store_value_text("small");
    return count(QUERY_RESPONSES, pack_id, 4);
}

static void test_extended(void **state)
{
    (void)state;
    struct uuid nobody = { { 7 } };
    assert_true(sitting_begin(&sitting, &error));
    assert_true(sitting_left(&sitting) == 30 * MINUTE);
    assert_true(tending_extend(store, &clock_, &sitting.record.id, 10, &error));
    assert_true(tending_extend(store, &clock_, &sitting.record.id, 5, &error));
    assert_true(sitting_refresh(&sitting, &error));
    assert_true(sitting_left(&sitting) == 45 * MINUTE);
    assert_false(tending_extend(store, &clock_, &sitting.record.id, 0, &error));
    assert_false(tending_extend(store, &clock_, &sitting.record.id, TENDING_MINUTES + 1, &error));
    assert_false(tending_extend(store, &clock_, &nobody, 5, &error));
    assert_int_equal(error.code, ERROR_INPUT);
    assert_true(sitting_hand_in(&sitting, &error));
    assert_false(tending_extend(store, &clock_, &sitting.record.id, 5, &error));
}

/* Two answers in, handed in by mistake after 12 minutes, reopened an hour later for 10 minutes more. */
static void test_reopened(void **state)
{
    (void)state;
    struct uuid as, again, was;
    struct sitting_open open;
    assert_true(sitting_begin(&sitting, &error));
    was = sitting.record.id;
    assert_false(tending_reopen(store, &clock_, &was, 10, &as, &error));
    assert_int_equal(error.code, ERROR_INPUT); /* it is not handed in */
    pass(5 * MINUTE);
    answer_first();
    type_third();
    sitting_show(&sitting, 1);
    assert_true(sitting_flag(&sitting, 1, &error));
    pass(7 * MINUTE);
    assert_true(sitting_hand_in(&sitting, &error));
    sitting_finish(&sitting);
    assert_int_equal(counted(), 2);
    pass(60 * MINUTE);
    assert_int_equal(count(QUERY_HANDED_IN, store_value_null(), -1), 1);
    assert_false(tending_reopen(store, &clock_, &was, 0, &as, &error)); /* its time was limited */
    assert_true(tending_reopen(store, &clock_, &was, 10, &as, &error));
    assert_true(tending_reopen(store, &clock_, &was, 10, &again, &error)); /* twice is once */
    assert_true(uuid_equal(&as, &again) && !uuid_equal(&as, &was));
    assert_int_equal(count(QUERY_HANDED_IN, store_value_null(), -1), 0);
    assert_int_equal(count(QUERY_EXAMS, store_value_null(), -1), 1);
    assert_int_equal(count(QUERY_KIOSK, store_value_text("reopened"), -1), 1);
    assert_int_equal(counted(), 0);
    pass(MINUTE);
    sit_down();
    assert_true(sitting_find_open(&sitting, &open, &error));
    assert_true(open.found && uuid_equal(&open.session, &as));
    assert_int_equal(open.questions, 3);
    assert_int_equal(open.answered, 2);
    assert_true(open.left_ms == 9 * MINUTE);
    assert_true(sitting_resume(&sitting, &open, &error));
    assert_true(sitting_left(&sitting) == 9 * MINUTE);
    assert_false(sitting.handed_in);
    assert_int_equal(sitting.left_out, 0);
    assert_true(sitting.exam.entries[0].answered && sitting.exam.entries[2].answered);
    assert_int_equal(sitting.exam.entries[0].certainty, 2);
    assert_string_equal(sitting.exam.entries[2].answer.text, "a \"quoted\" word");
    assert_true(sitting.exam.entries[1].flagged && !sitting.exam.entries[1].answered);
    struct answer answer = { .truth = false };
    sitting_show(&sitting, 1);
    assert_true(sitting_answer(&sitting, &answer, 0, &error));
    assert_true(sitting_hand_in(&sitting, &error));
    assert_int_equal(counted(), 3);
    for (int i = 0; i < 3; i++)
        assert_int_equal(sitting.results[i].verdict.outcome, OUTCOME_RIGHT);
    /* and once more, as any other */
    assert_int_equal(count(QUERY_HANDED_IN, store_value_uuid(&sitting.record.learner.id), -1), 1);
    assert_true(tending_reopen(store, &clock_, &as, 5, &again, &error));
    assert_false(uuid_equal(&as, &again));
    assert_int_equal(counted(), 0);
    struct store_rebuild report;
    assert_true(store_rebuild(store, &report, &error));
    assert_int_equal(report.different, 0);
    assert_true(store_check(store, &error));
}

/* Nothing of it, or all, wherever memory ends. */
static void test_reopened_without_memory(void **state)
{
    (void)state;
    struct uuid as, was;
    bool done = false;
    assert_true(sitting_begin(&sitting, &error));
    was = sitting.record.id;
    answer_first();
    assert_true(sitting_hand_in(&sitting, &error));
    for (long n = 1; !done; n++) {
        assert_true(n < 2000);
        memory_fail_after(n);
        done = tending_reopen(store, &clock_, &was, 10, &as, &error);
        memory_fail_after(0);
        if (!done)
            assert_int_equal(error.code, ERROR_MEMORY);
        bool all = count(QUERY_EXAMS, store_value_null(), -1) == 1;
        assert_true(all || !done);
        assert_int_equal(count(QUERY_HANDED_IN, store_value_null(), -1), !all);
        assert_int_equal(counted(), !all);
    }
}

static void test_locked_and_opened(void **state)
{
    (void)state;
    struct store_value what = store_value_text("left");
    int64_t before = fake.wall - 1;
    assert_int_equal(tending_exam(store, "small", before, &error), -1);
    assert_true(tending_set_exam(store, &clock_, "small", false, &error));
    assert_true(tending_set_exam(store, &clock_, "other", true, &error));
    assert_int_equal(tending_exam(store, "small", before, &error), 0);
    assert_int_equal(tending_exam(store, "other", before, &error), 1);
    assert_int_equal(tending_exam(store, "oth", before, &error), -1);
    assert_int_equal(tending_exam(store, "small", fake.wall + 1, &error), -1); /* of a window before */
    pass(1000);
    assert_true(tending_set_exam(store, &clock_, "small", true, &error));
    assert_int_equal(tending_exam(store, "small", before, &error), 1);
    assert_int_equal(count(QUERY_KIOSK, what, -1), 0);
    assert_true(tending_tell(store, &clock_, "left", NULL, &error));
    struct uuid id = { { 1, 2 } };
    assert_true(tending_tell(store, &clock_, "left", &id, &error));
    assert_int_equal(count(QUERY_KIOSK, what, -1), 2);
}

int main(void)
{
#define BOTH(test)                                                                                           \
    cmocka_unit_test_setup_teardown(test, start_sqlite, end),                                                \
        cmocka_unit_test_setup_teardown(test, start_memory, end)
    const struct CMUnitTest tests[] = {
        BOTH(test_extended),
        BOTH(test_reopened),
        BOTH(test_reopened_without_memory),
        BOTH(test_locked_and_opened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
