/* The engine over the store in memory: turns, what a failed store leaves behind, resume, and the models made
 * of it. */
#include <quiztutor/practice.h>
#include <quiztutor/presenter.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char text[] = "format: quiztutor/1\n"
                           "id: small\n"
                           "title: A small pack\n"
                           "shuffle: none\n"
                           "questions:\n"
                           "  - id: one\n"
                           "    prompt: Which one?\n"
                           "    choices:\n"
                           "      - correct: This\n"
                           "      - wrong: That\n"
                           "        feedback: That is the other.\n"
                           "    explanation: Because it is this.\n"
                           "    hint: [Not that., 'Look again.']\n"
                           "    tags: [first]\n"
                           "  - id: two\n"
                           "    prompt: Is it so?\n"
                           "    true_false: false\n"
                           "    feedback: It is not.\n"
                           "    explanation: Since it is otherwise.\n"
                           "    tags: [first, second]\n"
                           "  - id: three\n"
                           "    prompt: Which ones?\n"
                           "    choices:\n"
                           "      - correct: A\n"
                           "      - B\n"
                           "      - correct: C\n"
                           "    marking: net-correct\n"
                           "    marks: 2\n"
                           "    explanation: A and C.\n";

struct fixture {
    struct clock_fake time;
    struct clock clock;
    struct pack *pack;
    const struct pack *packs[1];
    struct store *store;
    struct practice practice;
    struct practice_options options;
    struct error error;
};

static struct pack *load(const char *bytes)
{
    struct diagnostics list;
    struct pack *pack;
    struct error error;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "small.yaml", bytes, (ptrdiff_t)strlen(bytes), &list, &error));
    diagnostics_finish(&list);
    return pack;
}

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    memset(f, 0, sizeof *f);
    f->time = (struct clock_fake){ .wall = 1764500000000, .steady = 1000, .offset = 3600 };
    f->clock = clock_fake(&f->time);
    f->pack = load(text);
    f->packs[0] = f->pack;
    struct store_options options = { .clock = f->clock };
    assert_true(store_open_memory(&f->store, &options, &f->error));
    f->options = (struct practice_options){
        .packs = f->packs,
        .pack_count = 1,
        .learner = "Ana",
        .mode = MODE_ALL,
        .seed = 1,
        .origin = "plain",
        .new_per_day = 20,
        .day_starts = 240,
    };
    assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    practice_finish(&f->practice);
    store_close(f->store);
    pack_destroy(f->pack);
    return 0;
}

static struct answer pick(uint32_t picks)
{
    return (struct answer){ .picks = picks, .truth = picks & 1 };
}

static void answer(struct fixture *f, uint32_t picks)
{
    struct answer given = pick(picks);
    struct showing showing;
    assert_true(practice_current(&f->practice, &showing));
    f->time.steady += 1500;
    f->time.wall += 1500;
    assert_true(practice_answer(&f->practice, &given, 0, &f->error));
}

static int count_log(struct fixture *f, const char *kind)
{
    struct store_value id = store_value_uuid(&f->practice.record.id);
    struct rows *rows;
    int count = 0;
    assert_true(rows_open(&rows, f->store, QUERY_LOG, &id, 1, &f->error));
    while (rows_step(rows, &f->error) == 1)
        count += strcmp(rows_text(rows, 0), kind) == 0;
    rows_close(rows);
    return count;
}

static void test_turns(void **state)
{
    struct fixture *f = *state;
    struct presenter presenter;
    presenter_init(&presenter);
    assert_true(practice_begin(&f->practice, &f->error));
    assert_true(presenter_question(&presenter, &f->practice));
    assert_string_equal(presenter.question.prompt, "Which one?");
    assert_int_equal(presenter.question.hints_left, 2);
    assert_true(practice_hint(&f->practice, &f->error));
    assert_true(presenter_question(&presenter, &f->practice));
    assert_int_equal(presenter.question.hints_left, 1);
    assert_string_equal(presenter.question.hints[0], "Not that.");
    answer(f, 2);
    assert_true(f->practice.learner_created);
    assert_true(presenter_result(&presenter, &f->practice));
    assert_int_equal(presenter.result.verdict, VERDICT_WRONG);
    assert_string_equal(presenter.result.feedback, "That is the other.");
    assert_string_equal(presenter.result.response[0], "That");
    assert_string_equal(presenter.result.answer[0], "This");
    answer(f, 2); /* false: right */
    answer(f, 7); /* all three: 1 of 2 */
    assert_true(presenter_result(&presenter, &f->practice));
    assert_int_equal(presenter.result.verdict, VERDICT_PARTLY);
    assert_true(presenter.result.mark == 1 && presenter.result.marks == 2);
    assert_true(presenter_summary(&presenter, &f->practice));
    assert_int_equal(presenter.summary.asked, 3);
    assert_int_equal(presenter.summary.miss_count, 2);
    assert_int_equal(presenter.summary.topic_count, 2);
    assert_int_equal(presenter.summary.topics[0].right, 1);
    assert_int_equal(presenter.summary.topics[0].asked, 2);
    assert_true(presenter.summary.elapsed_ms == 4500);
    assert_string_equal(presenter.summary.misses[1].answer, "A; C");
    assert_int_equal(count_log(f, "attempt"), 3);
    assert_int_equal(count_log(f, "hinted"), 1);
    presenter_finish(&presenter);
}

/* Memory that runs out at any moment: the turn is not taken, and the retry makes it exactly once. */
static void test_no_memory(void **state)
{
    struct fixture *f = *state;
    assert_true(practice_begin(&f->practice, &f->error));
    int stored = 0;
    for (long n = 1; n < 200; n++) {
        struct answer given = pick(2);
        struct showing showing;
        if (!practice_current(&f->practice, &showing))
            break;
        int entry = session_current(&f->practice.session);
        memory_fail_after(n);
        bool done = practice_answer(&f->practice, &given, 0, &f->error);
        memory_fail_after(0);
        if (!done) {
            assert_int_equal(f->error.code, ERROR_MEMORY);
            assert_int_equal(session_current(&f->practice.session), entry);
            done = f->practice.pending.turn == TURN_NONE ? practice_answer(&f->practice, &given, 0, &f->error)
                                                         : practice_retry(&f->practice, &f->error);
        }
        assert_true(done);
        stored++;
        assert_int_equal(count_log(f, "attempt"), stored);
        assert_int_equal(f->practice.session.answer_count, stored);
    }
}

static void test_resume(void **state)
{
    struct fixture *f = *state;
    struct practice_unfinished unfinished;
    assert_true(practice_begin(&f->practice, &f->error));
    answer(f, 2);
    assert_true(practice_undo(&f->practice, &f->error));
    assert_true(practice_hint(&f->practice, &f->error));
    answer(f, 1);
    assert_true(practice_skip(&f->practice, &f->error)); /* two is put off */
    struct uuid session = f->practice.record.id;
    practice_finish(&f->practice);

    assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
    assert_true(f->practice.learner_known);
    assert_true(practice_find_unfinished(&f->practice, &unfinished, &f->error));
    assert_true(unfinished.found && uuid_equal(&unfinished.session, &session));
    assert_int_equal(unfinished.answered, 1);
    assert_int_equal(unfinished.questions, 3);
    assert_true(practice_resume(&f->practice, &unfinished, &f->error));
    assert_int_equal(session_current(&f->practice.session), 2);
    assert_int_equal(f->practice.session.entries[0].hints, 1);
    assert_true(f->practice.session.entries[0].undone);
    assert_int_equal(f->practice.session.entries[0].showings, 2);
    answer(f, 5);
    assert_int_equal(session_current(&f->practice.session), 1); /* what was put off */
    assert_int_equal(session_showing(&f->practice.session), 2);
    answer(f, 2);
    struct session_summary summary;
    session_summarise(&f->practice.session, &summary);
    assert_int_equal(summary.right, 3);
    assert_int_equal(summary.first_try, 2);
    assert_true(summary.finished);
    assert_true(practice_find_unfinished(&f->practice, &unfinished, &f->error));
    assert_false(unfinished.found);
}

/* A question that is gone and one whose key changed leave the rest of the plan. */
static void test_changed_pack(void **state)
{
    struct fixture *f = *state;
    struct practice_unfinished unfinished;
    assert_true(practice_begin(&f->practice, &f->error));
    answer(f, 1);
    practice_finish(&f->practice);
    char changed[sizeof text];
    memcpy(changed, text, sizeof text);
    char *id = strstr(changed, "id: two"), *key = strstr(changed, "- B\n");
    memcpy(id, "id: six", 7);
    memcpy(key, "- X\n", 4);
    struct pack *pack = load(changed);
    const struct pack *packs[] = { pack };
    struct practice_options options = f->options;
    options.packs = packs;
    assert_true(practice_init(&f->practice, f->store, f->clock, &options, &f->error));
    assert_true(practice_find_unfinished(&f->practice, &unfinished, &f->error));
    assert_true(practice_resume(&f->practice, &unfinished, &f->error));
    assert_int_equal(f->practice.left_out, 2);
    assert_int_equal(session_current(&f->practice.session), -1);
    struct presenter presenter;
    presenter_init(&presenter);
    assert_true(presenter_summary(&presenter, &f->practice));
    assert_int_equal(presenter.summary.asked, 1);
    presenter_finish(&presenter);
    practice_finish(&f->practice);
    pack_destroy(pack);
}

/* What was answered, or hinted at, is gone from the pack: nothing to take back, no hint left, and no fall. */
static void test_less_than_there_was(void **state)
{
    struct fixture *f = *state;
    struct practice_unfinished unfinished;
    struct presenter presenter;
    assert_true(practice_begin(&f->practice, &f->error));
    assert_true(practice_skip(&f->practice, &f->error));
    answer(f, 2);                                        /* two */
    answer(f, 5);                                        /* three */
    assert_true(practice_hint(&f->practice, &f->error)); /* one, put off: two hints */
    assert_true(practice_hint(&f->practice, &f->error));
    practice_finish(&f->practice);
    char changed[sizeof text];
    memcpy(changed, text, sizeof text);
    memcpy(strstr(changed, "id: three"), "id: thre3", 9);
    memcpy(strstr(changed, "    hint: [Not"), "    x-nt: [Not", 14);
    struct pack *pack = load(changed);
    const struct pack *packs[] = { pack };
    struct practice_options options = f->options;
    options.packs = packs;
    presenter_init(&presenter);
    assert_true(practice_init(&f->practice, f->store, f->clock, &options, &f->error));
    assert_true(practice_find_unfinished(&f->practice, &unfinished, &f->error));
    assert_true(practice_resume(&f->practice, &unfinished, &f->error));
    assert_null(practice_newest(&f->practice));
    assert_int_equal(practice_hints_left(&f->practice), 0);
    assert_true(presenter_question(&presenter, &f->practice));
    assert_int_equal(presenter.question.hint_count, 0);
    assert_int_equal(presenter.question.hints_left, 0);
    assert_false(presenter.question.can_undo);
    answer(f, 1);
    assert_non_null(practice_newest(&f->practice));
    assert_true(practice_undo(&f->practice, &f->error));
    assert_string_equal(f->practice.session.entries[session_current(&f->practice.session)].question->id,
                        "one");
    presenter_finish(&presenter);
    practice_finish(&f->practice);
    pack_destroy(pack);
}

static void test_restart(void **state)
{
    struct fixture *f = *state;
    struct practice_unfinished unfinished;
    assert_true(practice_begin(&f->practice, &f->error));
    answer(f, 1);
    practice_finish(&f->practice);
    assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
    assert_true(practice_find_unfinished(&f->practice, &unfinished, &f->error));
    assert_true(unfinished.found);
    assert_true(practice_drop(&f->practice, &unfinished, &f->error));
    assert_true(practice_find_unfinished(&f->practice, &unfinished, &f->error));
    assert_false(unfinished.found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_turns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_no_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_resume, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_changed_pack, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_less_than_there_was, set_up, tear_down),
        cmocka_unit_test_setup_teardown(test_restart, set_up, tear_down),
    };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
