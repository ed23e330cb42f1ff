/* Every type of question through practice, exam and presenter over the store in memory: what models say,
 * where texts live, and what is left when memory runs out anywhere. */
#include <quiztutor/markup.h>
#include <quiztutor/presenter.h>
#include <quiztutor/preview.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "format: quiztutor/1\n"
    "id: types\n"
    "title: Types\n"
    "markup: light\n"
    "shuffle: none\n"
    "description: A *fine* pack.\n"
    "sections:\n"
    "- title: All\n"
    "  intro: Read *this*.\n"
    "  questions:\n"
    "  - id: number\n"
    "    prompt: \"How *large*?\"\n"
    "    number: {answer: 0.27, tolerance: 5%, unit: GB, significant_figures: 2}\n"
    "    explanation: E\n"
    "  - id: word\n"
    "    prompt: Which?\n"
    "    text: {accept: [tensor parallelism, '*S*'], wrong: [{value: rings, feedback: \"Not `rings`.\"}]}\n"
    "    explanation: E\n"
    "  - id: order\n"
    "    prompt: Order?\n"
    "    order: [first, second, third]\n"
    "    explanation: E\n"
    "  - id: match\n"
    "    prompt: Match?\n"
    "    match: {one: eins, two: zwei, deux: zwei}\n"
    "    extra: [drei]\n"
    "    explanation: E\n"
    "  - id: card\n"
    "    prompt: Card?\n"
    "    recall: The *back*.\n"
    "    explanation: E\n"
    "  - id: given\n"
    "    given: {a: [1, 2, 3, 4, 5, 6, 7, 8], b: [10, 20, 30, 40, 50]}\n"
    "    derive: {sum: a + b}\n"
    "    prompt: \"{a} and {b}?\"\n"
    "    number: {answer: sum, wrong: [{value: a - b, feedback: \"From {b}.\"}]}\n"
    "    hint: \"Add {a}.\"\n"
    "    explanation: \"{sum}\"\n";

enum { NUMBER, WORD, ORDER, MATCH, CARD, GIVEN, COUNT };

struct fixture {
    struct clock_fake time;
    struct clock clock;
    struct pack *pack;
    const struct pack *packs[1];
    struct store *store;
    struct practice practice;
    struct practice_options options;
    struct presenter presenter;
    struct error error;
};

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct diagnostics list;
    memset(f, 0, sizeof *f);
    f->time = (struct clock_fake){ .wall = 1764500000000, .steady = 1000, .offset = 3600 };
    f->clock = clock_fake(&f->time);
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&f->pack, "types.yaml", text, (ptrdiff_t)strlen(text), &list, &f->error));
    diagnostics_finish(&list);
    f->packs[0] = f->pack;
    struct store_options options = { .clock = f->clock };
    assert_true(store_open_memory(&f->store, &options, &f->error));
    f->options = (struct practice_options){ .packs = f->packs,
                                            .pack_count = 1,
                                            .learner = "Ana",
                                            .mode = MODE_ALL,
                                            .seed = 2,
                                            .origin = "plain",
                                            .new_per_day = 20,
                                            .day_starts = 240 };
    assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
    presenter_init(&f->presenter);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    memory_fail_after(0);
    presenter_finish(&f->presenter);
    practice_finish(&f->practice);
    store_close(f->store);
    pack_destroy(f->pack);
    return 0;
}

/* A wrong answer to a question of each type; the text in `room` is the caller's to spoil. */
static struct answer wrong_answer(enum question_type type, char room[static 32])
{
    struct answer answer = { 0 };
    switch (type) {
    case QUESTION_NUMBER:
        strcpy(room, "999");
        answer.text = room;
        break;
    case QUESTION_TEXT:
        strcpy(room, "rings");
        answer.text = room;
        break;
    case QUESTION_ORDER:
        memcpy(answer.places, (unsigned char[]){ 2, 1, 3 }, 3);
        break;
    case QUESTION_MATCH:
        memcpy(answer.places, (unsigned char[]){ 1, 0, 3 }, 3);
        break;
    default:
        answer.self_grade = 1;
    }
    return answer;
}

static void answer_wrong(struct fixture *f)
{
    struct showing showing;
    char room[32];
    assert_true(practice_current(&f->practice, &showing));
    struct answer answer = wrong_answer(showing.question->type, room);
    assert_true(practice_answer(&f->practice, &answer, 0, &f->error));
    memset(room, '#', sizeof room - 1); /* the practice has a copy */
    assert_true(presenter_result(&f->presenter, &f->practice));
}

static void test_models(void **state)
{
    struct fixture *f = *state;
    const struct question_model *question = &f->presenter.question;
    const struct result_model *result = &f->presenter.result;
    f->options.certainty = f->practice.options.certainty = true;
    assert_true(practice_begin(&f->practice, &f->error));

    assert_true(presenter_question(&f->presenter, &f->practice));
    assert_string_equal(question->prompt, "How large?");
    assert_string_equal(question->intro, "Read this.");
    assert_int_equal(question->way, WAY_FIELD);
    assert_true(question->numeric);
    assert_string_equal(question->unit, "GB");
    assert_int_equal(question->significant_figures, 2);
    assert_true(question->certainty);
    answer_wrong(f);
    assert_string_equal(result->response[0], "999 GB");
    assert_string_equal(result->answer[0], "0.27 GB");
    assert_null(result->note); /* more figures than asked for are no matter */

    assert_true(presenter_question(&f->presenter, &f->practice));
    assert_false(question->numeric);
    answer_wrong(f);
    assert_string_equal(result->response[0], "rings");
    assert_int_equal(result->answer_count, 2);
    assert_string_equal(result->answer[1], "*S*"); /* what is typed is no markup */
    assert_string_equal(result->feedback, "Not rings.");

    assert_true(presenter_question(&f->presenter, &f->practice));
    assert_int_equal(question->way, WAY_ORDER);
    assert_int_equal(question->choice_count, 3);
    answer_wrong(f);
    assert_int_equal(result->response_count, 3);
    assert_string_equal(result->response[0], "second");
    assert_string_equal(result->answer[0], "first");
    assert_false(result->right_at[0]);
    assert_true(result->right_at[2]);
    assert_string_equal(result->question.choices[result->given_at[1]], "first");

    assert_true(presenter_question(&f->presenter, &f->practice));
    assert_int_equal(question->way, WAY_MATCH);
    assert_int_equal(question->target_count, 3);
    answer_wrong(f);
    assert_string_equal(result->response[0], "eins");
    assert_string_equal(result->response[1], "");
    assert_string_equal(result->answer[2], "zwei");
    assert_true(result->right_at[0]);
    assert_int_equal(result->given_at[1], -1);
    assert_false(result->right_at[1]);
}

static void test_styles(void **state)
{
    struct fixture *f = *state;
    const char emphasis[] = { MARKUP_EMPHASIS, 0 }, code[] = { MARKUP_CODE, 0 };
    f->presenter.styled = true;
    assert_true(practice_begin(&f->practice, &f->error));
    assert_true(presenter_question(&f->presenter, &f->practice));
    assert_non_null(strstr(f->presenter.question.prompt, emphasis));
    assert_null(strchr(f->presenter.question.prompt, '*'));
    answer_wrong(f);
    assert_true(presenter_question(&f->presenter, &f->practice));
    answer_wrong(f);
    assert_non_null(strstr(f->presenter.result.feedback, code));
    assert_true(presenter_summary(&f->presenter, &f->practice));
    assert_non_null(strstr(f->presenter.summary.misses[0].prompt, emphasis));
    assert_string_equal(f->presenter.summary.misses[1].response, "rings");
}

/* The values of a showing stay with the question that is on show, with the last answer, and with its miss. */
static void test_values(void **state)
{
    struct fixture *f = *state;
    struct showing showing, again;
    char prompt[64], hint[64];
    assert_true(practice_begin(&f->practice, &f->error));
    for (int i = 0; i < GIVEN; i++)
        session_leave(&f->practice.session, i);
    session_settle(&f->practice.session);
    assert_true(presenter_question(&f->presenter, &f->practice));
    assert_true(practice_current(&f->practice, &showing));
    assert_non_null(showing.question->origin);
    strcpy(prompt, f->presenter.question.prompt);
    strcpy(hint, f->presenter.question.hints[0]);
    assert_null(strchr(hint, '{'));
    assert_true(practice_current(&f->practice, &again));
    assert_ptr_equal(showing.question, again.question); /* worked out once for a showing */
    answer_wrong(f);
    assert_true(presenter_question(&f->presenter, &f->practice)); /* it returns, with other values */
    assert_string_not_equal(f->presenter.question.prompt, prompt);
    assert_string_equal(f->presenter.result.question.prompt, prompt);
    assert_true(presenter_summary(&f->presenter, &f->practice));
    assert_string_equal(f->presenter.summary.misses[0].prompt, prompt);
    assert_string_equal(f->presenter.summary.misses[0].response, "999");
}

static void test_spelling(void **state)
{
    struct fixture *f = *state;
    const struct answer near = { .text = "tensor paralelism" }, far = { .text = "gradients" };
    assert_true(practice_begin(&f->practice, &f->error));
    answer_wrong(f);
    assert_false(practice_spelling(&f->practice, &far));
    assert_true(practice_spelling(&f->practice, &near));
    assert_false(practice_spelling(&f->practice, &near)); /* once */
    assert_true(practice_skip(&f->practice, &f->error));
    session_show(&f->practice.session, WORD);
    assert_true(practice_spelling(&f->practice, &near)); /* another showing */
    assert_true(practice_answer(&f->practice, &near, 0, &f->error));
    assert_int_equal(f->practice.last.verdict.outcome, OUTCOME_WRONG);
}

/* What a process that ended left behind: the same questions, answers and misses. */
static void test_resume(void **state)
{
    struct fixture *f = *state;
    struct practice other;
    struct practice_unfinished unfinished;
    struct presenter presenter;
    assert_true(practice_begin(&f->practice, &f->error));
    for (int i = 0; i < 4; i++)
        answer_wrong(f);
    assert_true(presenter_summary(&f->presenter, &f->practice));
    assert_true(presenter_question(&f->presenter, &f->practice));
    store_release_session(f->store, &f->practice.record.id);
    assert_true(practice_init(&other, f->store, f->clock, &f->options, &f->error));
    assert_true(practice_find_unfinished(&other, &unfinished, &f->error));
    assert_true(unfinished.found);
    assert_true(practice_resume(&other, &unfinished, &f->error));
    presenter_init(&presenter);
    assert_true(presenter_question(&presenter, &other));
    assert_string_equal(presenter.question.prompt, f->presenter.question.prompt);
    assert_true(presenter_summary(&presenter, &other));
    assert_int_equal(presenter.summary.miss_count, f->presenter.summary.miss_count);
    for (int i = 0; i < presenter.summary.miss_count; i++)
        assert_string_equal(presenter.summary.misses[i].response, f->presenter.summary.misses[i].response);
    presenter_finish(&presenter);
    practice_finish(&other);
}

/* ---- exams ---- */

static void test_exam(void **state)
{
    struct fixture *f = *state;
    struct sitting sitting, other;
    struct sitting_open open;
    char room[32], prompt[64] = "";
    assert_true(sitting_init(&sitting, f->store, f->clock, &f->options, 0, &f->error));
    assert_true(sitting_begin(&sitting, &f->error));
    assert_int_equal(sitting.exam.count, COUNT - 1); /* no cards */
    for (int i = 0; i < sitting.exam.count - 1; i++) {
        struct showing showing;
        assert_true(sitting_current(&sitting, &showing));
        struct answer answer = wrong_answer(showing.question->type, room);
        assert_true(sitting_answer(&sitting, &answer, 0, &f->error));
        memset(room, '#', sizeof room - 1);
    }
    assert_true(presenter_exam_question(&f->presenter, &sitting));
    strcpy(prompt, f->presenter.question.prompt); /* the one with values, still open */
    store_release_session(f->store, &sitting.record.id);

    assert_true(sitting_init(&other, f->store, f->clock, &f->options, 0, &f->error));
    assert_true(sitting_find_open(&other, &open, &f->error));
    assert_true(sitting_resume(&other, &open, &f->error));
    assert_int_equal(other.left_out, 0);
    assert_true(presenter_exam_question(&f->presenter, &other));
    assert_string_equal(f->presenter.question.prompt, prompt);
    sitting_show(&other, WORD);
    assert_true(presenter_exam_question(&f->presenter, &other));
    assert_true(f->presenter.question.has_response);
    assert_string_equal(f->presenter.question.given_text, "rings");
    sitting_show(&other, ORDER);
    assert_true(presenter_exam_question(&f->presenter, &other));
    const struct question_model *question = &f->presenter.question;
    assert_string_equal(question->choices[question->given_at[0]], "second");
    sitting_show(&other, MATCH);
    assert_true(presenter_exam_question(&f->presenter, &other));
    assert_string_equal(question->targets[question->given_at[0]], "eins");
    assert_int_equal(question->given_at[1], -1);
    assert_true(presenter_exam_overview(&f->presenter, &other));
    assert_string_equal(f->presenter.overview.rows[0].prompt, "How large?");
    assert_true(sitting_hand_in(&other, &f->error));
    assert_true(presenter_exam_paper(&f->presenter, &other));
    assert_string_equal(f->presenter.paper.results[WORD].response[0], "rings");
    assert_string_equal(f->presenter.paper.results[ORDER].response[0], "second");
    sitting_finish(&other);
    sitting_finish(&sitting);
}

/* ---- no memory ---- */

/* Every allocation of a whole session fails once: each call says so, nothing is lost, and tried again it
 * goes on to the same end. */
static void test_no_memory_in_practice(void **state)
{
    struct fixture *f = *state;
    assert_true(practice_begin(&f->practice, &f->error));
    for (int turn = 0; turn < 12; turn++) {
        struct showing showing;
        char room[32];
        bool done = false;
        long fail = 1;
        for (; !done; fail++) {
            memory_fail_after(fail);
            done = presenter_question(&f->presenter, &f->practice);
            memory_fail_after(0);
            assert_true(fail < 1000);
        }
        assert_true(practice_current(&f->practice, &showing));
        const struct session_entry *entry =
            &f->practice.session.entries[session_current(&f->practice.session)];
        struct showing calm; /* no other values, since memory ran out while they were worked out */
        struct arena arena;
        arena_init(&arena);
        assert_true(showing_init(&calm, f->pack, entry->question, showing.seed, &arena));
        assert_string_equal(showing.question->prompt, calm.question->prompt);
        arena_finish(&arena);
        struct answer answer = wrong_answer(showing.question->type, room);
        done = false;
        for (fail = 1; !done; fail++) {
            memory_fail_after(fail);
            done = f->practice.pending.turn == TURN_NONE
                       ? practice_answer(&f->practice, &answer, 0, &f->error)
                       : practice_retry(&f->practice, &f->error);
            memory_fail_after(0);
            assert_true(done || f->error.code == ERROR_MEMORY);
            assert_true(fail < 1000);
        }
        done = false;
        for (fail = 1; !done; fail++) {
            memory_fail_after(fail);
            done = presenter_result(&f->presenter, &f->practice);
            memory_fail_after(0);
            assert_true(fail < 1000);
        }
        assert_int_equal(f->practice.session.answer_count, turn + 1);
    }
    bool done = false;
    for (long fail = 1; !done; fail++) {
        memory_fail_after(fail);
        done = presenter_summary(&f->presenter, &f->practice);
        memory_fail_after(0);
        assert_true(fail < 5000);
    }
}

static void test_no_memory_in_exam(void **state)
{
    struct fixture *f = *state;
    struct sitting sitting;
    char room[32];
    assert_true(sitting_init(&sitting, f->store, f->clock, &f->options, 0, &f->error));
    bool done = false;
    for (long fail = 1; !done; fail++) {
        memory_fail_after(fail);
        done = sitting_prepare(&sitting, &f->error) && sitting_begin(&sitting, &f->error);
        memory_fail_after(0);
        assert_true(fail < 5000);
    }
    while (sitting.exam.current >= 0) {
        struct showing showing;
        assert_true(sitting_current(&sitting, &showing));
        struct answer answer = wrong_answer(showing.question->type, room);
        done = false;
        for (long fail = 1; !done; fail++) {
            memory_fail_after(fail);
            done = sitting.pending.turn == SITTING_NONE ? sitting_answer(&sitting, &answer, 0, &f->error)
                                                        : sitting_retry(&sitting, &f->error);
            memory_fail_after(0);
            assert_true(fail < 1000);
        }
    }
    done = false;
    for (long fail = 1; !done; fail++) {
        memory_fail_after(fail);
        done = sitting_hand_in(&sitting, &f->error) && presenter_exam_paper(&f->presenter, &sitting);
        memory_fail_after(0);
        assert_true(fail < 5000);
    }
    assert_int_equal(f->presenter.paper.count, COUNT - 1);
    assert_string_equal(f->presenter.paper.results[WORD].response[0], "rings");
    sitting_finish(&sitting);
}

static void test_no_memory_in_preview(void **state)
{
    struct fixture *f = *state;
    struct diagnostics list;
    diagnostics_init(&list);
    for (int place = 0; place < f->pack->question_count; place++) {
        bool done = false;
        for (long fail = 1; !done; fail++) {
            struct preview_model model;
            struct arena arena;
            arena_init(&arena);
            memory_fail_after(fail);
            done = preview_question(&model, &arena, true, f->pack, place, &list);
            memory_fail_after(0);
            arena_finish(&arena);
            assert_true(fail < 1000);
        }
    }
    diagnostics_finish(&list);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(test_models),
        TEST(test_styles),
        TEST(test_values),
        TEST(test_spelling),
        TEST(test_resume),
        TEST(test_exam),
        TEST(test_no_memory_in_practice),
        TEST(test_no_memory_in_exam),
        TEST(test_no_memory_in_preview),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
