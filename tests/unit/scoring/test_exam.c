#include "fixture.h"

#include <quiztutor/exam.h>

static const struct choice choices[3] = { { .text = "a", .correct = true },
                                          { .text = "b" },
                                          { .text = "c" } };

/* Two packs: one of two sections (3 questions, 2 picked; 2 questions), one of three questions. */
struct packs {
    struct question parted[5], plain[3];
    struct section sections[2];
    struct pack packs[2];
    const struct pack *list[2];
};

static void packs_init(struct packs *packs)
{
    static const char *const ids[] = { "a", "b", "c", "d", "e" };
    static const char *const tags[] = { "x" };
    for (int i = 0; i < 5; i++) {
        packs->parted[i] = fixture_choices(ids[i], choices, 3);
        packs->parted[i].section = i < 3 ? 1 : 2;
    }
    for (int i = 0; i < 3; i++)
        packs->plain[i] = fixture_choices(ids[i], choices, 3);
    packs->parted[1].tags = packs->parted[4].tags = packs->plain[2].tags = (struct text_list){ tags, 1 };
    packs->sections[0] = (struct section){ .title = "One", .first = 0, .count = 3, .pick = 2 };
    packs->sections[1] = (struct section){ .title = "Two", .first = 3, .count = 2, .pick = 2 };
    packs->packs[0] = (struct pack){ .id = "parted",
                                     .questions = packs->parted,
                                     .question_count = 5,
                                     .sections = packs->sections,
                                     .section_count = 2 };
    packs->packs[1] = (struct pack){ .id = "plain", .questions = packs->plain, .question_count = 3 };
    packs->list[0] = &packs->packs[0];
    packs->list[1] = &packs->packs[1];
}

/* The plan as "parted.a parted.b …", numbers of sections behind it. */
static void expect_plan(const struct packs *packs, uint32_t seed, const char *tag, int limit,
                        const char *expected)
{
    struct exam_entry *entries;
    struct buffer out;
    int count;
    buffer_init(&out);
    assert_true(exam_plan(&entries, &count, packs->list, 2, seed, tag, limit));
    for (int i = 0; i < count; i++)
        buffer_print(&out, "%s%s.%s%d", i ? " " : "", entries[i].pack->id, entries[i].question->id,
                     entries[i].section);
    assert_string_equal(buffer_get(&out), expected);
    buffer_finish(&out);
    memory_free(entries);
}

static void test_plan(void **state)
{
    (void)state;
    struct packs packs;
    packs_init(&packs);
    expect_plan(&packs, 1, NULL, 0, "parted.a1 parted.b1 parted.d2 parted.e2 plain.a0 plain.b0 plain.c0");
    expect_plan(&packs, 1, NULL, 3, "parted.a1 parted.b1 parted.d2");
    expect_plan(&packs, 1, "x", 0, "parted.b1 parted.e2 plain.c0");
    expect_plan(&packs, 1, "x", 2, "parted.b1 parted.e2");
    expect_plan(&packs, 1, "none", 0, "");
    packs.plain[1].type = QUESTION_RECALL; /* never in exams */
    expect_plan(&packs, 1, NULL, 0, "parted.a1 parted.b1 parted.d2 parted.e2 plain.a0 plain.c0");
}

/* Over many seeds each section keeps its place and its number of questions, and each question comes. */
static void test_plan_shuffled(void **state)
{
    (void)state;
    struct packs packs;
    int met[5] = { 0 };
    packs_init(&packs);
    for (uint32_t seed = 2; seed < 102; seed++) {
        struct exam_entry *entries;
        int order[5], count;
        assert_true(exam_plan(&entries, &count, packs.list, 1, seed, NULL, 0));
        showing_question_order(&packs.packs[0], seed, order);
        assert_int_equal(count, 4);
        for (int i = 0; i < 4; i++) {
            assert_int_equal(entries[i].section, i < 2 ? 1 : 2);
            assert_ptr_equal(entries[i].question, &packs.parted[order[i < 2 ? i : i + 1]]);
            met[entries[i].question - packs.parted]++;
        }
        memory_free(entries);
    }
    for (int i = 0; i < 5; i++)
        assert_true(met[i] > 30);
}

static void test_turns(void **state)
{
    (void)state;
    struct packs packs;
    struct exam_entry *entries;
    struct exam exam;
    struct exam_count tally;
    int count;
    packs_init(&packs);
    assert_true(exam_plan(&entries, &count, packs.list, 1, 1, NULL, 0));
    assert_true(exam_init(&exam, 1, entries, count));
    memory_free(entries);
    assert_int_equal(exam.current, 0);
    exam_answer(&exam, 0, &(struct answer){ .picks = 2 }, 3, 1000);
    assert_int_equal(exam.current, 1);
    exam_flag(&exam, 1, true);
    assert_int_equal(exam.current, 1); /* a flag goes nowhere */
    exam_show(&exam, exam_next_open(&exam, 1));
    assert_int_equal(exam.current, 2);
    exam_answer(&exam, 2, &(struct answer){ .blank = true }, 2, 2000);
    assert_int_equal(exam.current, 3);
    exam_tally(&exam, &tally);
    assert_int_equal(tally.answered, 1);
    assert_int_equal(tally.blank, 1);
    assert_int_equal(tally.open, 2);
    assert_int_equal(tally.flagged, 1);
    assert_int_equal(exam.entries[2].certainty, 0); /* nobody is sure of a blank */
    exam_answer(&exam, 3, &(struct answer){ .picks = 1 }, 0, 3000);
    assert_int_equal(exam.current, 1); /* the one put off comes after the others */
    assert_int_equal(exam_next_open(&exam, 1), 1);
    exam_answer(&exam, 1, &(struct answer){ .picks = 4 }, 0, 4000);
    assert_int_equal(exam.current, -1);

    /* back to one that has an answer: the new one is kept, then emptied */
    exam_show(&exam, 0);
    exam_answer(&exam, 0, &(struct answer){ .picks = 1 }, 1, 5000);
    assert_int_equal(exam.current, -1);
    assert_int_equal(exam.entries[0].answer.picks, 1);
    assert_int_equal(exam.entries[0].certainty, 1);
    assert_int_equal(exam.entries[0].elapsed_ms, 5000);
    exam_answer(&exam, 0, &(struct answer){ .blank = true }, 0, 6000);
    exam_tally(&exam, &tally);
    assert_int_equal(tally.answered, 2);
    assert_int_equal(tally.blank, 2);
    assert_int_equal(tally.open, 0);

    exam_show(&exam, 99);
    assert_int_equal(exam.current, 3);
    exam_show(&exam, -7);
    assert_int_equal(exam.current, -1);
    exam_finish(&exam);

    assert_true(exam_init(&exam, 1, NULL, 0));
    assert_int_equal(exam.current, -1);
    exam_show(&exam, 0);
    assert_int_equal(exam.current, -1);
    exam_finish(&exam);
}

enum { MINUTE = 60000, HOUR = 60 * MINUTE };

static void test_time_within_a_boot(void **state)
{
    (void)state;
    struct exam_time time = { .started_wall = 1000 * (int64_t)HOUR, .limit_ms = 30 * MINUTE };
    exam_anchor(&time, 0, 5 * HOUR);
    assert_int_equal(exam_elapsed(&time, time.started_wall, 5 * HOUR), 0);
    assert_int_equal(exam_left(&time, time.started_wall, 5 * HOUR), 30 * MINUTE);
    /* whatever the wall clock is set to, the steady one counts */
    for (int64_t hours = -30; hours <= 30; hours++)
        assert_int_equal(exam_left(&time, time.started_wall + hours * HOUR, 5 * (int64_t)HOUR + 10 * MINUTE),
                         20 * MINUTE);
    assert_int_equal(exam_left(&time, time.started_wall, 5 * HOUR + 30 * MINUTE - 1), 1);
    assert_int_equal(exam_left(&time, time.started_wall, 5 * HOUR + 30 * MINUTE), 0);
    assert_int_equal(exam_left(&time, time.started_wall, 50 * (int64_t)HOUR), 0);
    /* a later moment that is known counts from there */
    exam_anchor(&time, 12 * MINUTE, 7 * HOUR);
    assert_int_equal(exam_left(&time, 0, 7 * HOUR + MINUTE), 17 * MINUTE);
}

static void test_time_across_boots(void **state)
{
    (void)state;
    int64_t start = 1000 * (int64_t)HOUR;
    struct exam_time time = { .started_wall = start, .limit_ms = 30 * MINUTE, .last_elapsed = 5 * MINUTE };
    assert_int_equal(exam_left(&time, start + 10 * MINUTE, 1), 20 * MINUTE);
    assert_int_equal(exam_left(&time, start + 30 * MINUTE, 1), 0);
    assert_int_equal(exam_left(&time, start + 24 * HOUR, 1), 0); /* it ran on while away */
    /* set back: no further than the newest event */
    assert_int_equal(exam_left(&time, start - HOUR, 1), 25 * MINUTE);
    /* and from then on by the steady clock of the new boot */
    exam_anchor(&time, exam_elapsed(&time, start - HOUR, 100), 100);
    assert_int_equal(exam_left(&time, start - HOUR, 100 + 24 * MINUTE), MINUTE);
    /* a steady clock that went back is of another boot, whatever was thought */
    assert_int_equal(exam_left(&time, start + 9 * MINUTE, 99), 21 * MINUTE);
}

static void test_limit(void **state)
{
    (void)state;
    assert_int_equal(exam_limit(0, 2, 10), 0); /* no limit stays none */
    assert_int_equal(exam_limit(30, 1, 0), 30 * MINUTE);
    assert_int_equal(exam_limit(30, 0, 0), 30 * MINUTE);
    assert_int_equal(exam_limit(30, 2, 0), 60 * MINUTE);
    assert_int_equal(exam_limit(30, 1.5, 10), 55 * MINUTE);
    assert_int_equal(exam_limit(30, 1, -10), 30 * MINUTE);
    assert_int_equal(exam_limit(0.5, 1, 0), 30000);
    assert_int_equal(exam_limit(1e-12, 1, 0), 1);
    assert_true(exam_limit(1e300, 10, 0) == 366 * 24 * (int64_t)HOUR);
    struct exam_time time = { .started_wall = 0 };
    assert_int_equal(exam_left(&time, 1000 * (int64_t)HOUR, 0), -1);
}

/* What was typed is the exam's own, also what it began with. */
static void test_typed(void **state)
{
    (void)state;
    struct packs packs;
    struct exam exam;
    struct exam_entry *entries;
    int count;
    char typed[] = "typed", other[] = "other";
    packs_init(&packs);
    assert_true(exam_plan(&entries, &count, packs.list, 2, 7, NULL, 0));
    entries[1].answered = true;
    entries[1].answer.text = other;
    assert_true(exam_init(&exam, 7, entries, count));
    memory_free(entries);
    assert_true(exam_answer(&exam, 0, &(struct answer){ .text = typed }, 0, 1));
    memset(typed, 'x', 5);
    memset(other, 'x', 5);
    assert_string_equal(exam.entries[0].answer.text, "typed");
    assert_string_equal(exam.entries[1].answer.text, "other");
    int current = exam.current;
    memory_fail_after(1);
    static char longest[5000];
    memset(longest, 'y', sizeof longest - 1);
    assert_false(exam_answer(&exam, 0, &(struct answer){ .text = longest }, 0, 2));
    memory_fail_after(0);
    assert_string_equal(exam.entries[0].answer.text, "typed");
    assert_int_equal(exam.current, current);
    exam_finish(&exam);
}

/* Cards are left out. */
static void test_no_cards(void **state)
{
    (void)state;
    struct question questions[3] = { { .id = "a", .type = QUESTION_NUMBER, .section = 0 },
                                     { .id = "b", .type = QUESTION_RECALL, .section = 0 },
                                     { .id = "c", .type = QUESTION_ORDER, .section = 0 } };
    struct pack pack = { .id = "p", .questions = questions, .question_count = 3 };
    const struct pack *list[] = { &pack };
    struct exam_entry *entries;
    int count;
    assert_true(exam_plan(&entries, &count, list, 1, 1, NULL, 2));
    assert_int_equal(count, 2);
    assert_ptr_equal(entries[1].question, &questions[2]);
    memory_free(entries);
}

static void test_memory(void **state)
{
    (void)state;
    struct packs packs;
    struct exam exam;
    packs_init(&packs);
    for (long n = 1;; n++) {
        struct exam_entry *entries;
        int count;
        memory_fail_after(n);
        bool planned = exam_plan(&entries, &count, packs.list, 2, 7, NULL, 0);
        bool begun = planned && exam_init(&exam, 7, entries, count);
        memory_fail_after(0);
        if (planned)
            memory_free(entries);
        else
            assert_null(entries);
        if (!begun)
            continue;
        assert_int_equal(exam.count, 7);
        exam_finish(&exam);
        assert_true(n > 2);
        return;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plan),
        cmocka_unit_test(test_plan_shuffled),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_time_within_a_boot),
        cmocka_unit_test(test_time_across_boots),
        cmocka_unit_test(test_limit),
        cmocka_unit_test(test_typed),
        cmocka_unit_test(test_no_cards),
        cmocka_unit_test(test_memory),
    };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
