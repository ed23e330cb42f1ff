/*
 * Practice over many days on a clock that the test moves: what is due comes, a backlog is spread, what is
 * forgotten again and again is told, keys that were overturned start anew, and a clock that is off loses
 * nothing.
 */
#include "../../../src/app/begin.h"

#include <quiztutor/practice.h>
#include <quiztutor/presenter.h>
#include <quiztutor/queue.h>
#include <quiztutor/random.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define DAY  INT64_C(86400000)
#define HOUR INT64_C(3600000)

enum { ASKED = 2000 };

struct fixture {
    struct clock_fake time;
    struct clock clock;
    struct pack *pack;
    const struct pack *packs[1];
    struct store *store;
    struct practice practice;
    struct practice_options options;
    struct error error;
    char asked[ASKED][8]; /* ids, in the order they were asked in the session */
    int count;
};

static struct pack *load(const char *bytes)
{
    struct diagnostics list;
    struct pack *pack;
    struct error error;
    diagnostics_init(&list);
    assert_true(pack_load_bytes(&pack, "days.yaml", bytes, (ptrdiff_t)strlen(bytes), &list, &error));
    diagnostics_finish(&list);
    return pack;
}

/* A pack of `count` questions q0, q1, … of two choices, tagged by turns with one of `topics` topics. */
static struct pack *make_pack(int count, int topics)
{
    struct buffer text;
    buffer_init(&text);
    buffer_text(&text, "format: quiztutor/1\nid: days\ntitle: Days\nshuffle: none\nquestions:\n");
    for (int i = 0; i < count; i++)
        buffer_print(&text,
                     "  - id: q%d\n    prompt: Which is %d?\n    choices:\n      - correct: Yes %d\n"
                     "      - wrong: No %d\n    explanation: It is.\n    tags: [topic-%d]\n",
                     i, i, i, i, i % topics);
    struct pack *pack = load(buffer_get(&text));
    buffer_finish(&text);
    return pack;
}

static void start(struct fixture *f, struct pack *pack)
{
    memset(f, 0, sizeof *f);
    f->time = (struct clock_fake){ .wall = 20000 * DAY + 12 * HOUR, .steady = 5000, .offset = 3600 };
    f->clock = clock_fake(&f->time);
    f->pack = pack;
    f->packs[0] = pack;
    struct store_options options = { .clock = f->clock };
    assert_true(store_open_memory(&f->store, &options, &f->error));
    f->options = (struct practice_options){
        .packs = f->packs,
        .pack_count = 1,
        .learner = "Ana",
        .seed = 1,
        .origin = "plain",
        .new_per_day = 20,
        .day_starts = 240,
    };
}

static void stop(struct fixture *f)
{
    store_close(f->store);
    pack_destroy(f->pack);
}

static void pass(struct fixture *f, int64_t milliseconds)
{
    f->time.wall += milliseconds;
    f->time.steady += milliseconds;
}

static void begin(struct fixture *f)
{
    assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
    if (!practice_begin(&f->practice, &f->error))
        fail_msg("%s", f->error.message);
    f->count = 0;
}

static const char *on_show(struct fixture *f)
{
    int current = session_current(&f->practice.session);
    return current < 0 ? "" : f->practice.session.entries[current].question->id;
}

static void answer_sure(struct fixture *f, bool right, int certainty)
{
    struct showing showing;
    assert_true(practice_current(&f->practice, &showing));
    snprintf(f->asked[f->count++ % ASKED], sizeof f->asked[0], "%s", on_show(f));
    pass(f, 4000);
    struct answer given = { .picks = right ? 1 : 2 };
    if (!practice_answer(&f->practice, &given, certainty, &f->error))
        fail_msg("%s", f->error.message);
}

static void answer(struct fixture *f, bool right)
{
    answer_sure(f, right, 0);
}

/* Answers all that is asked right. */
static void finish_right(struct fixture *f)
{
    while (session_current(&f->practice.session) >= 0)
        answer(f, true);
    practice_finish(&f->practice);
}

static struct store_schedule schedule_of(struct fixture *f, const char *question)
{
    struct store_learner learner;
    struct store_schedule known;
    struct arena arena;
    arena_init(&arena);
    assert_true(store_find_learner(f->store, "Ana", &arena, &learner, NULL, &f->error));
    assert_true(store_schedule(f->store, &learner.id, "days", question, &known, &f->error) >= 0);
    arena_finish(&arena);
    return known;
}

/* ---- thirty days ---- */

struct diary {
    char text[1 << 16];
    size_t length;
};

/* Ten sessions over thirty days, answers right and wrong by a seed; what was asked, day by day. */
static void thirty_days(struct diary *diary, uint64_t seed)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct random_stream random = { seed };
    static const int days[10] = { 0, 1, 2, 4, 7, 10, 15, 20, 25, 29 };
    start(f, make_pack(60, 3));
    f->options.new_per_day = 8;
    diary->length = 0;
    int64_t base = f->time.wall;
    int met = 0;
    for (int i = 0; i < 10; i++) {
        f->options.seed = (uint32_t)(100 + i);
        pass(f, base + days[i] * DAY - f->time.wall);
        begin(f);
        const struct session *session = &f->practice.session;
        int64_t today = practice_today(&f->practice, NULL);
        int fresh = 0;
        for (int k = 0; k < session->count; k++) {
            struct store_schedule known = { 0 };
            if (f->practice.learner_known)
                known = schedule_of(f, session->entries[k].question->id);
            if (known.seen)
                assert_true(schedule_is_due(&known.schedule, f->time.wall, today));
            else
                fresh++;
            assert_true(known.seen || k + 1 == session->count || f->practice.planned.count.due <= k);
        }
        assert_true(fresh <= 8);
        assert_int_equal(fresh, f->practice.planned.count.fresh);
        assert_int_equal(session->count, f->practice.planned.count.due + fresh);
        met += fresh;
        /* nothing that is due is left out */
        for (int k = 0; f->practice.learner_known && k < 60; k++) {
            struct store_schedule known = schedule_of(f, f->pack->questions[k].id);
            bool planned = false;
            for (int j = 0; j < session->count; j++)
                planned = planned || session->entries[j].question == &f->pack->questions[k];
            if (known.seen && schedule_is_due(&known.schedule, f->time.wall, today))
                assert_true(planned);
        }
        char before[8] = "";
        while (session_current(session) >= 0) {
            const char *id = on_show(f);
            bool alone = session->count == 1;
            diary->length += (size_t)snprintf(diary->text + diary->length, sizeof diary->text - diary->length,
                                              "%d %s\n", days[i], id);
            answer(f, random_below(&random, 4) > 0);
            if (!alone && strcmp(before, f->asked[f->count - 1]) == 0) /* only where nothing else is left */
                assert_true(session->fresh == session->count);
            snprintf(before, sizeof before, "%s", f->asked[f->count - 1]);
        }
        practice_finish(&f->practice);
    }
    assert_true(met > 30);
    stop(f);
}

static void test_thirty_days(void **state)
{
    (void)state;
    static struct diary first, second, other;
    thirty_days(&first, 7);
    thirty_days(&second, 7);
    thirty_days(&other, 8);
    assert_true(first.length > 500);
    assert_string_equal(first.text, second.text);
    assert_string_not_equal(first.text, other.text);
}

/* ---- a backlog ---- */

static void test_backlog(void **state)
{
    (void)state;
    enum { MANY = 640 };
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct presenter presenter;
    char text[BEGIN_TEXT];
    start(f, make_pack(MANY, 5));
    f->options.mode = MODE_ALL;
    for (int turn = 0; turn < 3; turn++) { /* through the steps */
        begin(f);
        finish_right(f);
        pass(f, HOUR);
    }
    pass(f, 400 * DAY);
    f->options.mode = MODE_DUE;
    presenter_init(&presenter);
    begin(f);
    assert_int_equal(f->practice.session.count, QUEUE_MOST);
    assert_int_equal(f->practice.planned.count.due_waiting, MANY - QUEUE_MOST);
    assert_true(presenter_session(&presenter, &f->practice));
    begin_waiting(&presenter.session, text, sizeof text);
    assert_string_equal(text, "Of 640 due, 200 today; the rest wait for the days after.");
    finish_right(f);
    assert_int_equal(f->count, QUEUE_MOST);
    begin(f); /* the same day: the ration is used up */
    assert_int_equal(f->practice.session.count, 0);
    begin_nothing(&f->practice, BEGIN_LINES, text, sizeof text);
    assert_non_null(strstr(text, "440 more are due and wait for the days after"));
    assert_non_null(strstr(text, "--limit"));
    practice_finish(&f->practice);
    f->options.limit = 300; /* which a limit overrides */
    begin(f);
    assert_int_equal(f->practice.session.count, 300);
    practice_finish(&f->practice);
    f->options.limit = 0;
    static const int next[] = { 200, 200, 40 };
    for (int i = 0; i < 3; i++) {
        pass(f, DAY);
        begin(f);
        assert_int_equal(f->practice.session.count, next[i]);
        finish_right(f);
    }
    presenter_finish(&presenter);
    stop(f);
}

/* Packs together too large to be read whole: the same sessions, by index. */
static void test_large(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    start(f, make_pack(PRACTICE_SCAN + 100, 5));
    begin(f); /* nobody knows this learner yet */
    assert_int_equal(f->practice.session.count, 20);
    finish_right(f);
    f->options.mode = MODE_ALL;
    f->options.limit = 1500;
    begin(f);
    finish_right(f);
    pass(f, 100 * DAY);
    f->options.mode = MODE_DUE;
    f->options.limit = 0;
    begin(f);
    assert_int_equal(f->practice.session.count, QUEUE_MOST); /* no new ones behind such a backlog */
    assert_true(f->practice.planned.more_due);
    struct presenter presenter;
    char text[BEGIN_TEXT];
    presenter_init(&presenter);
    assert_true(presenter_session(&presenter, &f->practice));
    begin_waiting(&presenter.session, text, sizeof text);
    assert_string_equal(text, "Of more than 1000 due, 200 today; the rest wait for the days after.");
    presenter_finish(&presenter);
    practice_finish(&f->practice);
    f->options.limit = 1510; /* all that is due, and ten new ones */
    begin(f);
    assert_int_equal(f->practice.session.count, 1510);
    assert_int_equal(f->practice.planned.count.due, 1500);
    for (int i = 1500; i < 1510; i++)
        assert_ptr_equal(f->practice.session.entries[i].question, &f->pack->questions[i]);
    finish_right(f);
    f->options.limit = 0;
    pass(f, DAY);
    begin(f); /* what was met a day ago is due again, and twenty new ones */
    assert_int_equal(f->practice.planned.count.fresh, 20);
    assert_false(f->practice.planned.more_due);
    practice_finish(&f->practice);
    stop(f);
}

/* ---- forgotten again and again ---- */

/* Lets the question's next due day come. */
static void wait_due(struct fixture *f, const char *question)
{
    struct store_schedule known = schedule_of(f, question);
    int64_t noon = known.schedule.due_day * DAY + 12 * HOUR;
    pass(f, noon > f->time.wall ? noon - f->time.wall : DAY);
}

static void test_leech(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    start(f, make_pack(1, 1));
    begin(f);
    finish_right(f);
    int told = 0;
    for (int turn = 0; turn < 60 && told < 2; turn++) {
        wait_due(f, "q0");
        begin(f);
        assert_int_equal(f->practice.session.count, 1);
        bool review = schedule_of(f, "q0").schedule.phase == PHASE_REVIEW;
        answer(f, !review); /* forgotten each time it was learnt */
        int lapses = schedule_of(f, "q0").schedule.lapses;
        bool due = review && (lapses == 8 || lapses == 12);
        assert_int_equal(f->practice.last.lapses, due ? lapses : 0);
        if (due) {
            struct presenter presenter;
            presenter_init(&presenter);
            assert_true(presenter_result(&presenter, &f->practice));
            assert_int_equal(presenter.result.lapses, told ? 12 : 8);
            presenter_finish(&presenter);
            told++;
        }
        finish_right(f);
    }
    assert_int_equal(told, 2);
    stop(f);
}

/* ---- keys that changed ---- */

static const char before[] =
    "format: quiztutor/1\nid: days\ntitle: Days\nshuffle: none\nquestions:\n"
    "  - id: q0\n    prompt: Which is it?\n    choices:\n      - correct: Yes\n"
    "      - wrong: No\n    explanation: It is.\n"
    "  - id: q1\n    prompt: Is it?\n    true_false: true\n    explanation: It is.\n"
    "  - id: q2\n    prompt: Which is it now?\n    choices:\n      - correct: A lyre\n"
    "      - wrong: A harp\n    explanation: It is.\n";

static void test_resets(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct presenter presenter;
    char text[BEGIN_TEXT], changed[sizeof before + 32];
    start(f, load(before));
    begin(f);
    while (session_current(&f->practice.session) >= 0) {
        struct showing showing;
        struct answer given = { .picks = 1, .truth = true };
        assert_true(practice_current(&f->practice, &showing));
        assert_true(practice_answer(&f->practice, &given, 0, &f->error));
    }
    practice_finish(&f->practice);
    pack_destroy(f->pack);
    /* q1's answer is another one; q2's is only spelt otherwise */
    snprintf(changed, sizeof changed, "%s", before);
    memcpy(strstr(changed, "true_false: true\n"), "true_false: false", 17);
    char *rest = strstr(changed, "true_false: false") + 17;
    memmove(rest + 1, before + (strstr(before, "true_false: true\n") - before) + 16,
            strlen(strstr(before, "true_false: true\n") + 16) + 1);
    memmove(rest, rest + 1, strlen(rest + 1) + 1);
    memcpy(strstr(changed, "A lyre"), "A Lyre", 6);
    f->pack = load(changed);
    f->packs[0] = f->pack;
    presenter_init(&presenter);
    for (int pass_by = 0; pass_by < 2; pass_by++) { /* nothing is due yet, but what starts anew */
        begin(f);
        assert_int_equal(f->practice.session.count, 1);
        assert_string_equal(on_show(f), "q1");
        assert_int_equal(f->practice.planned.reset, 1);
        assert_true(presenter_session(&presenter, &f->practice));
        begin_resets(&presenter.session, text, sizeof text);
        assert_string_equal(text, "the key of 1 question has changed: its schedule starts anew");
        if (pass_by)
            break;
        practice_finish(&f->practice);
    }
    struct showing showing;
    struct answer given = { .truth = false };
    assert_true(practice_current(&f->practice, &showing));
    assert_true(practice_answer(&f->practice, &given, 0, &f->error));
    assert_int_equal(schedule_of(f, "q1").schedule.answers, 1); /* a new history */
    practice_finish(&f->practice);
    f->options.mode = MODE_ALL; /* said once: the newest answer has the new key */
    begin(f);
    assert_int_equal(f->practice.planned.reset, 0);
    practice_finish(&f->practice);
    presenter_finish(&presenter);
    stop(f);
}

/* ---- the clock ---- */

static void test_clock(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    char text[BEGIN_TEXT];
    start(f, make_pack(30, 1));
    begin(f);
    assert_false(begin_clock(&f->practice, text, sizeof text));
    answer(f, true);
    assert_false(begin_clock(&f->practice, text, sizeof text));
    f->time.wall -= 2 * DAY; /* set back while it runs */
    answer(f, true);
    answer(f, true);
    assert_true(begin_clock(&f->practice, text, sizeof text));
    assert_non_null(strstr(text, "was set back by"));
    practice_finish(&f->practice);

    f->options.mode = MODE_ALL;
    begin(f); /* it was told, and answered since */
    assert_false(begin_clock(&f->practice, text, sizeof text));
    practice_finish(&f->practice);
    f->time.wall -= 3 * DAY; /* set back once more, while nothing runs */
    begin(f);
    assert_true(begin_clock(&f->practice, text, sizeof text));
    practice_finish(&f->practice);
    f->time.wall += 5 * DAY;
    begin(f);
    answer(f, true);
    practice_finish(&f->practice);
    f->time.wall -= 2 * DAY;
    for (int i = 0; i < 2; i++) { /* as long as nothing was answered */
        begin(f);
        assert_true(begin_clock(&f->practice, text, sizeof text));
        assert_string_equal(text,
                            "the clock is 2 days behind the newest answer: check the date; nothing is lost, "
                            "intervals count from there");
        assert_false(begin_clock(&f->practice, text, sizeof text)); /* once */
        practice_finish(&f->practice);
    }
    begin(f);
    answer(f, true);
    practice_finish(&f->practice);
    begin(f);
    assert_false(begin_clock(&f->practice, text, sizeof text));
    int told = 0;
    for (int i = 0; i < 6; i++) {
        if (i == 2)
            f->time.wall += 3 * DAY;
        answer(f, true);
        told += begin_clock(&f->practice, text, sizeof text);
    }
    assert_int_equal(told, 1);
    assert_string_equal(
        text, "the clock was set forward by 3 days in this session: check the date; nothing is lost");
    practice_finish(&f->practice);
    for (int i = 0; i < 6; i++) { /* no negative interval, nothing lost */
        struct store_schedule known = schedule_of(f, f->pack->questions[i].id);
        assert_true(known.seen);
        assert_true(known.schedule.due_day >= known.schedule.last_day);
        assert_true(known.schedule.interval >= 0);
    }
    f->time.wall -= 59 * 60000; /* less than an hour is nobody's business */
    begin(f);
    assert_false(begin_clock(&f->practice, text, sizeof text));
    practice_finish(&f->practice);
    stop(f);
}

/* ---- marks, certainty, undo ---- */

static void test_marks(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct presenter presenter;
    presenter_init(&presenter);
    start(f, make_pack(6, 1));
    f->options.mode = MODE_ALL;
    begin(f);
    assert_true(presenter_question(&presenter, &f->practice));
    assert_false(presenter.question.starred);
    assert_true(practice_star(&f->practice, 0, &f->error)); /* also makes the learner */
    presenter_marks(&presenter, &f->practice);
    assert_true(presenter.question.starred);
    answer(f, false);
    assert_true(presenter_result(&presenter, &f->practice));
    assert_true(presenter.result.question.starred);
    assert_string_equal(presenter.result.comes_again, "comes again in this session");
    assert_true(practice_suspend(&f->practice, f->practice.last.entry, &f->error));
    presenter_marks(&presenter, &f->practice);
    assert_string_equal(presenter.result.comes_again, "suspended: it does not come again");
    for (int i = 1; i < 6; i++)
        answer(f, true);
    assert_int_equal(session_current(&f->practice.session), -1); /* the miss did not return */
    for (int i = 1; i < 6; i++)
        assert_string_not_equal(f->asked[i], "q0");
    assert_true(presenter_summary(&presenter, &f->practice));
    assert_non_null(presenter.summary.next);
    practice_finish(&f->practice);

    pass(f, 30 * DAY);
    f->options.mode = MODE_DUE;
    begin(f);
    assert_int_equal(f->practice.session.count, 5);
    practice_finish(&f->practice);
    f->options.mode = MODE_MISTAKES;
    begin(f);
    assert_int_equal(f->practice.session.count, 0);
    practice_finish(&f->practice);
    f->options.mode = MODE_STARRED; /* starred ones are asked, suspended or not */
    begin(f);
    assert_int_equal(f->practice.session.count, 1);
    assert_true(presenter_question(&presenter, &f->practice));
    assert_true(presenter.question.starred && presenter.question.suspended);
    assert_true(practice_suspend(&f->practice, 0, &f->error));
    assert_true(practice_star(&f->practice, 0, &f->error));
    presenter_marks(&presenter, &f->practice);
    assert_false(presenter.question.starred || presenter.question.suspended);
    practice_finish(&f->practice);
    f->options.mode = MODE_MISTAKES;
    begin(f);
    assert_int_equal(f->practice.session.count, 1);
    practice_finish(&f->practice);
    presenter_finish(&presenter);
    stop(f);
}

static void test_suspended_and_resumed(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct practice_unfinished unfinished;
    start(f, make_pack(6, 1));
    begin(f);
    answer(f, false); /* q0 */
    answer(f, false); /* q1 */
    assert_true(practice_suspend(&f->practice, 0, &f->error));
    practice_finish(&f->practice);
    assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
    assert_true(practice_find_unfinished(&f->practice, &unfinished, &f->error));
    assert_true(practice_resume(&f->practice, &unfinished, &f->error));
    assert_true(f->practice.session.entries[0].suspended);
    f->count = 0;
    while (session_current(&f->practice.session) >= 0)
        answer(f, true);
    assert_int_equal(f->count, 5); /* four of the plan and q1's return */
    assert_true(practice_undo(&f->practice, &f->error));
    assert_int_equal(session_current(&f->practice.session) < 0, 0);
    practice_finish(&f->practice);
    stop(f);
}

static void test_certainty_and_undo(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct presenter presenter;
    presenter_init(&presenter);
    start(f, make_pack(3, 1));
    f->options.certainty = true;
    begin(f);
    assert_true(presenter_question(&presenter, &f->practice));
    assert_true(presenter.question.certainty);
    answer_sure(f, true, 3);
    struct schedule sure = schedule_of(f, "q0").schedule;
    assert_true(presenter_result(&presenter, &f->practice));
    assert_int_equal(presenter.result.certainty, 3);
    assert_true(presenter.result.certainty_mark == 3);
    answer_sure(f, true, 1);
    struct schedule guess = schedule_of(f, "q1").schedule;
    assert_true(sure.memory.stability > guess.memory.stability);
    assert_true(sure.due_day > guess.due_day);
    answer_sure(f, false, 2);
    assert_true(presenter_summary(&presenter, &f->practice));
    assert_int_equal(presenter.summary.sure, 3);
    assert_true(presenter.summary.certainty_marks == 3 + 1 - 2);
    assert_true(presenter.summary.mark == 2);
    practice_finish(&f->practice);

    /* undo: the schedule is what it was, to the bit */
    pass(f, 40 * DAY);
    struct store_schedule before_it = schedule_of(f, "q0");
    f->options.mode = MODE_ALL;
    begin(f);
    answer_sure(f, false, 3);
    struct store_schedule after = schedule_of(f, "q0");
    assert_int_equal(after.schedule.lapses, before_it.schedule.lapses + 1);
    assert_true(practice_undo(&f->practice, &f->error));
    struct store_schedule taken_back = schedule_of(f, "q0");
    assert_memory_equal(&taken_back.schedule, &before_it.schedule, sizeof before_it.schedule);
    assert_int_equal(taken_back.answered_at, before_it.answered_at);
    practice_finish(&f->practice);
    presenter_finish(&presenter);
    stop(f);
}

/* ---- towards a day, and nothing to ask ---- */

static void test_until(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    struct presenter presenter;
    char text[BEGIN_TEXT], expected[BEGIN_TEXT];
    presenter_init(&presenter);
    start(f, make_pack(37, 1));
    begin(f);
    int64_t today = practice_today(&f->practice, NULL);
    practice_finish(&f->practice);
    f->options.until = today + 18;
    begin(f);
    assert_int_equal(f->practice.session.count, 3);
    assert_true(presenter_session(&presenter, &f->practice));
    begin_until(&presenter.session, BEGIN_LINES, text, sizeof text);
    snprintf(
        expected, sizeof expected,
        "Until %s, 18 days: all 37 questions can be met at 3 new a day; about %d of 37 remembered that day.",
        presenter.session.until, (int)(f->practice.planned.until.remembered + 0.5));
    assert_string_equal(text, expected);
    finish_right(f);
    begin(f); /* the day's new ones are met */
    assert_int_equal(f->practice.session.count, 0);
    practice_finish(&f->practice);
    f->options.new_per_day = 1;
    pass(f, DAY);
    begin(f);
    assert_int_equal(f->practice.planned.count.fresh, 1);
    assert_true(presenter_session(&presenter, &f->practice));
    begin_until(&presenter.session, BEGIN_LINES, text, sizeof text);
    assert_non_null(strstr(text, "at 1 new a day 20 of 37 can be met; 2 a day would meet all."));
    assert_non_null(strstr(text, "--limit"));
    begin_until(&presenter.session, BEGIN_SCREENS, text, sizeof text);
    assert_non_null(strstr(text, "2 a day would meet all."));
    assert_null(strstr(text, "--"));
    practice_finish(&f->practice);
    presenter_finish(&presenter);
    stop(f);
}

static void nothing(struct fixture *f, const char *expected)
{
    char text[BEGIN_TEXT];
    begin(f);
    assert_int_equal(f->practice.session.count, 0);
    bool offers = begin_nothing(&f->practice, BEGIN_LINES, text, sizeof text);
    if (!strstr(text, expected))
        fail_msg("%s\nnot: %s", text, expected);
    assert_non_null(strstr(text, " --")); /* how, on the command line */
    assert_int_equal(offers, begin_nothing(&f->practice, BEGIN_SCREENS, text, sizeof text));
    assert_true(offers == !f->options.tag && *text);
    if (strstr(text, "--")) /* on the screens a key is offered for it */
        fail_msg("the command line on the screens: %s", text);
    practice_finish(&f->practice);
}

static void test_nothing(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    start(f, make_pack(25, 1));
    begin(f);
    finish_right(f); /* twenty, each on its second step now */
    pass(f, 2 * 60000);
    nothing(f, "Nothing is due for 7 more minutes. 5 new ones wait for tomorrow. Take more with --limit N");
    pass(f, 10 * 60000);
    begin(f);
    assert_int_equal(f->practice.session.count, 20);
    finish_right(f);
    nothing(f, "5 new ones wait for tomorrow.");
    f->options.mode = MODE_NEW;
    begin(f);
    finish_right(f);
    nothing(f, "Nothing new is left.");
    f->options.mode = MODE_STARRED;
    nothing(f, "Nothing is starred here.");
    f->options.mode = MODE_DUE;
    pass(f, 10 * 60000);
    begin(f);
    finish_right(f);
    int64_t due = schedule_of(f, "q24").schedule.due_day;
    for (int i = 0; i < 24; i++) {
        char id[8];
        snprintf(id, sizeof id, "q%d", i);
        int64_t other = schedule_of(f, id).schedule.due_day;
        due = other < due ? other : due;
    }
    assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
    int64_t today = practice_today(&f->practice, NULL);
    practice_finish(&f->practice);
    assert_true(due > today + 1 && due < today + 7);
    static const char *const names[] = { "Thursday", "Friday",  "Saturday", "Sunday",
                                         "Monday",   "Tuesday", "Wednesday" };
    char expected[64];
    snprintf(expected, sizeof expected, "Nothing is due until %s.", names[due % 7]);
    nothing(f, expected);
    pass(f, (due - 1 - today) * DAY);
    nothing(f, "Nothing is due until tomorrow at 04:00.");
    f->options.tag = "nowhere";
    nothing(f, "No question has this tag.");
    f->options.tag = NULL;
    stop(f);
}

/* ---- no memory ---- */

static void test_no_memory(void **state)
{
    (void)state;
    static struct fixture fixture;
    struct fixture *f = &fixture;
    start(f, make_pack(12, 3));
    begin(f);
    finish_right(f);
    pass(f, 60 * DAY);
    for (int mode = 0; mode < 2; mode++) {
        f->options.until = mode ? 20100 : 0;
        bool begun = false;
        for (long n = 1; n < 500 && !begun; n++) {
            assert_true(practice_init(&f->practice, f->store, f->clock, &f->options, &f->error));
            memory_fail_after(n);
            begun = practice_begin(&f->practice, &f->error);
            memory_fail_after(0);
            if (!begun)
                assert_int_equal(f->error.code, ERROR_MEMORY);
            else
                assert_int_equal(f->practice.session.count, 12);
            practice_finish(&f->practice);
        }
        assert_true(begun);
    }
    stop(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_thirty_days),
        cmocka_unit_test(test_backlog),
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_leech),
        cmocka_unit_test(test_resets),
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_suspended_and_resumed),
        cmocka_unit_test(test_certainty_and_undo),
        cmocka_unit_test(test_until),
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_no_memory),
    };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
