/* Plans: which questions, in which order, for each mode; and what waits. */
#include "fixture.h"

#include <quiztutor/plan.h>
#include <quiztutor/queue.h>

#include <stdio.h>

static struct choice items[2] = { { .text = "a", .correct = true }, { .text = "b" } };

/* A pack of questions A, B, C, … with one tag each, by its letter ('.': none). */
struct sheet {
    struct pack pack;
    struct question questions[26];
    char names[26][2], tags[26][2];
    const char *tag_items[26][1];
};

static void sheet_init(struct sheet *sheet, const char *id, char first, const char *tags)
{
    memset(sheet, 0, sizeof *sheet);
    int count = (int)strlen(tags);
    sheet->pack = (struct pack){
        .id = id, .questions = sheet->questions, .question_count = count, .shuffle = SHUFFLE_NONE
    };
    for (int i = 0; i < count; i++) {
        sheet->names[i][0] = (char)(first + i);
        sheet->questions[i] = fixture_choices(sheet->names[i], items, 2);
        if (tags[i] == '.')
            continue;
        sheet->tags[i][0] = tags[i];
        sheet->tag_items[i][0] = sheet->tags[i];
        sheet->questions[i].tags = (struct text_list){ sheet->tag_items[i], 1 };
    }
}

static void check_plan(const struct pack *const *packs, const struct plan_history *const *histories,
                       int pack_count, const struct plan_options *options, const char *expected,
                       struct plan_count *made)
{
    struct session_entry *entries;
    int count;
    char plan[64] = "";
    assert_true(plan_make(&entries, &count, made, packs, histories, pack_count, options));
    for (int k = 0; k < count; k++)
        plan[k] = entries[k].question->id[0];
    memory_free(entries);
    if (strcmp(plan, expected) != 0)
        fail_msg("mode %s: %s, not %s", plan_mode_name(options->mode), plan, expected);
}

#define SEEN .seen = true, .graded = true, .last = OUTCOME_RIGHT
#define DUE(day, chance)                                                                                     \
    .seen = true, .graded = true, .due = true, .due_day = (day), .retrievability = (chance)

static void test_modes(void **state)
{
    (void)state;
    struct sheet sheet;
    sheet_init(&sheet, "p", 'A', "xyxyxyxy");
    const struct plan_history history[8] = {
        { 0 },
        { DUE(10, 0.8), .last = OUTCOME_RIGHT },
        { DUE(12, 0.5), .last = OUTCOME_WRONG, .starred = true },
        { SEEN },
        { .seen = true, .last = OUTCOME_OMITTED }, /* never graded: asked like a new one */
        { .suspended = true },
        { DUE(9, 0.9), .last = OUTCOME_WRONG, .suspended = true, .starred = true },
        { SEEN, .overturned = true },
    };
    static const struct {
        struct plan_options options;
        const char *plan;
    } rows[] = {
        { { .mode = MODE_DUE, .seed = 1, .due_left = 200, .new_left = 20 }, "HCBAE" },
        { { .mode = MODE_DUE, .seed = 1, .due_left = 200, .new_left = 0 }, "HCB" },
        { { .mode = MODE_DUE, .seed = 1, .due_left = 2, .new_left = 20 }, "HBAE" }, /* B is overdue longer */
        { { .mode = MODE_DUE, .seed = 1, .due_left = 0, .new_left = 0 }, "" },
        { { .mode = MODE_DUE, .seed = 1, .limit = 4 }, "HCBA" }, /* overrides both rations */
        { { .mode = MODE_DUE, .seed = 1, .limit = 1, .due_left = 9, .new_left = 9 }, "H" },
        { { .mode = MODE_DUE, .seed = 1, .due_left = 9, .new_left = 9, .tag = "x" }, "CAE" },
        { { .mode = MODE_NEW, .seed = 1 }, "A" },
        { { .mode = MODE_MISTAKES, .seed = 1 }, "CE" },
        { { .mode = MODE_STARRED, .seed = 1 }, "CG" },
        { { .mode = MODE_STARRED, .seed = 1, .limit = 1 }, "C" },
        { { .mode = MODE_ALL, .seed = 1 }, "ABCDEFGH" },
        { { .mode = MODE_ALL, .seed = 1, .tag = "y" }, "BDFH" },
        { { .mode = MODE_ALL, .seed = 1, .tag = "none" }, "" },
        { { .mode = MODE_ALL, .seed = 1, .limit = 2 }, "AB" },
    };
    const struct pack *packs[] = { &sheet.pack };
    const struct plan_history *histories[] = { history };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        check_plan(packs, histories, 1, &rows[i].options, rows[i].plan, NULL);
        bool made = false;
        for (long n = 1; n <= 30 && !made; n++) {
            struct session_entry *entries;
            int count;
            memory_fail_after(n);
            made = plan_make(&entries, &count, NULL, packs, histories, 1, &rows[i].options);
            memory_fail_after(0);
            memory_free(entries);
        }
        assert_true(made);
    }
    struct plan_count made;
    check_plan(packs, histories, 1, &rows[2].options, "HBAE", &made);
    assert_int_equal(made.due, 2);
    assert_int_equal(made.due_waiting, 1);
    assert_int_equal(made.fresh, 2);
    assert_int_equal(made.new_waiting, 0);
    check_plan(packs, histories, 1, &rows[1].options, "HCB", &made);
    assert_int_equal(made.new_waiting, 2);
}

/* Several packs, topics apart; without tags a pack is a topic. */
/* A section's `pick` holds for all at once and for new ones; it hides nothing that is due or asked for. */
static void test_sections(void **state)
{
    (void)state;
    struct sheet sheet;
    struct section sections[2] = { { .title = "One", .first = 0, .count = 4, .pick = 2 },
                                   { .title = "Two", .first = 4, .count = 2, .pick = 2 } };
    sheet_init(&sheet, "p", 'A', "......");
    sheet.pack.sections = sections;
    sheet.pack.section_count = 2;
    for (int i = 0; i < 6; i++)
        sheet.questions[i].section = i < 4 ? 1 : 2;
    const struct pack *packs[] = { &sheet.pack };
    struct plan_options options = { .mode = MODE_ALL, .seed = 1, .due_left = 20, .new_left = 20 };
    check_plan(packs, NULL, 1, &options, "ABEF", NULL);
    options.mode = MODE_DUE;
    check_plan(packs, NULL, 1, &options, "ABEF", NULL);
    options.mode = MODE_NEW;
    check_plan(packs, NULL, 1, &options, "ABCDEF", NULL);
    const struct plan_history history[6] = { { SEEN }, { 0 }, { DUE(3, 0.5) }, { SEEN, .starred = true } };
    const struct plan_history *const histories[] = { history };
    options.mode = MODE_DUE;
    check_plan(packs, histories, 1, &options, "CBEF", NULL);
    options.mode = MODE_STARRED;
    check_plan(packs, histories, 1, &options, "D", NULL);
    options.mode = MODE_ALL;
    check_plan(packs, histories, 1, &options, "ABEF", NULL);
}

static void test_packs(void **state)
{
    (void)state;
    struct sheet one, two;
    sheet_init(&one, "one", 'A', "....");
    sheet_init(&two, "two", 'M', "....");
    const struct plan_history first[4] = { { DUE(5, 0.1) }, { DUE(5, 0.2) }, { DUE(5, 0.3) }, { 0 } };
    const struct plan_history second[4] = { { DUE(5, 0.6) }, { DUE(5, 0.7) }, { 0 }, { SEEN } };
    const struct pack *packs[] = { &one.pack, &two.pack };
    const struct plan_history *histories[] = { first, second };
    struct plan_options options = { .mode = MODE_DUE, .seed = 1, .due_left = 200, .new_left = 20 };
    check_plan(packs, histories, 2, &options, "AMBNCDO", NULL);
    options.new_left = 1;
    check_plan(packs, histories, 2, &options, "AMBNCD", NULL);
    check_plan(packs, NULL, 2, &options, "A", NULL); /* an unknown learner: all is new */
}

/* A backlog: the ration takes the longest overdue, whatever their order in the pack. */
static void test_backlog(void **state)
{
    (void)state;
    enum { MANY = 640 };
    static struct question questions[MANY];
    static char names[MANY][8];
    static struct plan_history history[MANY];
    struct pack pack = {
        .id = "many", .questions = questions, .question_count = MANY, .shuffle = SHUFFLE_ALL
    };
    for (int i = 0; i < MANY; i++) {
        snprintf(names[i], sizeof names[i], "q%d", i);
        questions[i] = fixture_choices(names[i], items, 2);
        history[i] = (struct plan_history){ DUE((i * 37) % MANY, 0.5) };
    }
    const struct pack *packs[] = { &pack };
    const struct plan_history *histories[] = { history };
    struct plan_options options = { .mode = MODE_DUE, .seed = 99, .due_left = QUEUE_MOST, .new_left = 20 };
    struct session_entry *entries, *again;
    struct plan_count made;
    int count, same;
    assert_true(plan_make(&entries, &count, &made, packs, histories, 1, &options));
    assert_int_equal(count, QUEUE_MOST);
    assert_int_equal(made.due, QUEUE_MOST);
    assert_int_equal(made.due_waiting, MANY - QUEUE_MOST);
    for (int i = 0; i < count; i++)
        assert_true(history[entries[i].question - questions].due_day < QUEUE_MOST);
    assert_true(plan_make(&again, &same, NULL, packs, histories, 1, &options));
    assert_int_equal(same, count);
    for (int i = 0; i < count; i++)
        assert_ptr_equal(entries[i].question, again[i].question);
    memory_free(entries);
    memory_free(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),
        cmocka_unit_test(test_sections),
        cmocka_unit_test(test_packs),
        cmocka_unit_test(test_backlog),
    };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
