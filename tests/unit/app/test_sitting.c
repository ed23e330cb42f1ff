/* Exams over a real store: left and gone on with, late, extended, handed in by whoever comes; and what a full
 * disk leaves behind. A "killed" sitting is let go of without a word, and another opens the same store. */
#include "fault_vfs.h"

#include <quiztutor/sitting.h>

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char head[] = "format: quiztutor/1\nid: small\ntitle: A small pack\nshuffle: none\n"
                           "exam: {minutes: 30, pass: 60}\n";
static const char first_section[] = "sections:\n"
                                    "  - title: First\n"
                                    "    intro: Look.\n"
                                    "    pick: 2\n"
                                    "    questions:\n"
                                    "      - id: one\n"
                                    "        prompt: Which one?\n"
                                    "        choices: [{correct: This}, {wrong: That, feedback: No.}]\n"
                                    "        explanation: Because it is this.\n";
static const char two[] = "      - id: two\n"
                          "        prompt: Is it so?\n"
                          "        true_false: false\n"
                          "        explanation: Since it is otherwise.\n";
static const char last_section[] = "      - id: never\n"
                                   "        prompt: Not picked.\n"
                                   "        true_false: true\n"
                                   "        explanation: It is not.\n"
                                   "  - title: Second\n"
                                   "    questions:\n"
                                   "      - id: three\n"
                                   "        prompt: Which ones?\n"
                                   "        choices: [{correct: A}, B, {correct: C}]\n"
                                   "        marking: net-correct\n"
                                   "        marks: 2\n"
                                   "        explanation: A and C.\n";

enum { MINUTE = 60000, HOUR = 60 * MINUTE };

struct fixture {
    char folder[64], path[128];
    struct clock_fake time;
    struct clock clock;
    struct pack *pack;
    const struct pack *packs[1];
    struct store *store;
    struct sitting sitting;
    struct practice_options options;
    struct error error;
};

static struct pack *load(const char *bytes)
{
    struct diagnostics list;
    struct pack *pack;
    struct error error;
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "small.yaml", bytes, (ptrdiff_t)strlen(bytes), &list, &error))
        fail_msg("%s", list.count ? list.items[0].message : error.message);
    diagnostics_finish(&list);
    return pack;
}

static struct pack *load_parts(const char *second)
{
    char bytes[4096];
    snprintf(bytes, sizeof bytes, "%s%s%s%s", head, first_section, second, last_section);
    return load(bytes);
}

static void open_store(struct fixture *f)
{
    struct store_options options = { .clock = f->clock, .vfs = "fault" };
    if (!store_open(&f->store, f->path, &options, &f->error))
        fail_msg("%s", f->error.message);
}

static void sit_down(struct fixture *f)
{
    assert_true(sitting_init(&f->sitting, f->store, f->clock, &f->options, 0, &f->error));
}

static int set_up(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    memset(f, 0, sizeof *f);
    snprintf(f->folder, sizeof f->folder, "%s/sitting-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(f->folder))
        return 1;
    snprintf(f->path, sizeof f->path, "%.63s/store.db", f->folder);
    f->time = (struct clock_fake){ .wall = 1764500000000, .steady = 100000, .offset = 3600, .boot = 1 };
    f->clock = clock_fake(&f->time);
    f->pack = load_parts(two);
    f->packs[0] = f->pack;
    f->options = (struct practice_options){ .packs = f->packs,
                                            .pack_count = 1,
                                            .learner = "Ana",
                                            .mode = MODE_ALL,
                                            .seed = 1,
                                            .origin = "plain",
                                            .day_starts = 240 };
    open_store(f);
    sit_down(f);
    *state = f;
    return 0;
}

static int tear_down(void **state)
{
    struct fixture *f = *state;
    char command[160];
    fault_vfs_clear();
    sitting_finish(&f->sitting);
    store_close(f->store);
    pack_destroy(f->pack);
    snprintf(command, sizeof command, "rm -r '%s'", f->folder);
    return system(command) != 0;
}

/* Time passes. */
static void pass(struct fixture *f, int64_t ms)
{
    f->time.wall += ms;
    f->time.steady += ms;
}

/* As a process that was killed leaves it: nothing is said to the store; and a new one comes. */
static void killed(struct fixture *f)
{
    sitting_finish(&f->sitting);
    store_close(f->store);
    open_store(f);
    sit_down(f);
}

static void begin(struct fixture *f)
{
    assert_true(sitting_begin(&f->sitting, &f->error));
    assert_true(f->sitting.begun);
}

static void answer(struct fixture *f, uint32_t picks)
{
    struct answer given = { .picks = picks, .truth = picks & 1, .blank = picks == 0 };
    struct showing showing;
    assert_true(sitting_current(&f->sitting, &showing));
    pass(f, 1500);
    if (!sitting_answer(&f->sitting, &given, 0, &f->error))
        fail_msg("%s", f->error.message);
}

static bool resume(struct fixture *f)
{
    struct sitting_open open;
    assert_true(sitting_find_open(&f->sitting, &open, &f->error));
    if (!open.found)
        return false;
    if (!sitting_resume(&f->sitting, &open, &f->error))
        fail_msg("%s", f->error.message);
    return true;
}

/* The log as "kind …" and the attempts as "question:outcome:mark …". */
static void expect_log(struct fixture *f, const struct uuid *session, const char *events,
                       const char *attempts)
{
    struct store_value id = store_value_uuid(session);
    struct rows *rows;
    struct buffer kinds, answers;
    char number[32];
    buffer_init(&kinds);
    buffer_init(&answers);
    assert_true(rows_open(&rows, f->store, QUERY_LOG, &id, 1, &f->error));
    while (rows_step(rows, &f->error) == 1) {
        const char *kind = rows_text(rows, 0);
        if (strcmp(kind, "attempt") == 0) {
            snprintf(number, sizeof number, "%g", rows_real(rows, 6));
            buffer_print(&answers, "%s%s:%s:%s", answers.length ? " " : "", rows_text(rows, 3),
                         rows_text(rows, 5), number);
        } else {
            buffer_print(&kinds, "%s%s", kinds.length ? " " : "", kind);
        }
    }
    rows_close(rows);
    assert_string_equal(buffer_get(&kinds), events);
    assert_string_equal(buffer_get(&answers), attempts);
    buffer_finish(&kinds);
    buffer_finish(&answers);
}

static void test_whole(void **state)
{
    struct fixture *f = *state;
    begin(f);
    struct uuid session = f->sitting.record.id;
    assert_int_equal(f->sitting.exam.count, 3);
    assert_true(f->sitting.learner_created);
    assert_true(f->sitting.pass == 60);
    assert_int_equal(sitting_left(&f->sitting), 30 * MINUTE);
    expect_log(f, &session, "", "");
    answer(f, 2); /* one: wrong */
    assert_true(sitting_flag(&f->sitting, 1, &f->error));
    sitting_skip(&f->sitting); /* two: put off */
    answer(f, 1);              /* three: one of two */
    assert_int_equal(f->sitting.exam.current, 1);
    answer(f, 0); /* two: blank */
    assert_int_equal(f->sitting.exam.current, -1);
    sitting_show(&f->sitting, 0);
    answer(f, 1); /* one: right after all */
    assert_true(sitting_flag(&f->sitting, 1, &f->error));
    assert_false(f->sitting.exam.entries[1].flagged);
    assert_false(sitting_is_over(&f->sitting));
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    expect_log(f, &session, "answered flagged answered answered answered flagged handed-in",
               "one:right:1 two:omitted:0 three:partly:1");
    const struct sitting_result *results = f->sitting.results;
    assert_int_equal(results[0].verdict.outcome, OUTCOME_RIGHT);
    assert_int_equal(results[0].answer.picks, 1);
    assert_int_equal(results[1].verdict.outcome, OUTCOME_OMITTED);
    assert_true(results[1].answer.blank);
    assert_true(results[2].verdict.mark == 1 && results[2].verdict.marks == 2);
    assert_true(results[2].verdict.share == 0.5);
    assert_false(uuid_is_zero(&results[0].attempt));
    assert_int_equal(f->sitting.used_ms, 4 * 1500);
    assert_false(f->sitting.time_up);
    assert_true(sitting_is_over(&f->sitting));
    /* once and for all */
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    expect_log(f, &session, "answered flagged answered answered answered flagged handed-in",
               "one:right:1 two:omitted:0 three:partly:1");
    struct store_schedule known;
    assert_int_equal(
        store_schedule(f->store, &f->sitting.record.learner.id, "small", "one", &known, &f->error), 1);
    assert_int_equal(known.counted, 1);
}

static void test_killed(void **state)
{
    struct fixture *f = *state;
    struct showing showing;
    begin(f);
    struct uuid session = f->sitting.record.id;
    pass(f, 5 * MINUTE);
    answer(f, 2);
    assert_true(sitting_flag(&f->sitting, 1, &f->error));
    killed(f);
    pass(f, 5 * MINUTE);
    struct sitting_open open;
    assert_true(sitting_find_open(&f->sitting, &open, &f->error));
    assert_true(open.found && uuid_equal(&open.session, &session));
    assert_int_equal(open.questions, 3);
    assert_int_equal(open.answered, 1);
    assert_int_equal(open.left_ms, 20 * MINUTE - 1500);
    assert_true(resume(f));
    assert_true(f->sitting.resumed);
    assert_int_equal(f->sitting.exam.count, 3);
    assert_int_equal(f->sitting.exam.current, 1);
    assert_true(f->sitting.exam.entries[0].answered);
    assert_int_equal(f->sitting.exam.entries[0].answer.picks, 2);
    assert_true(f->sitting.exam.entries[1].flagged);
    assert_int_equal(sitting_left(&f->sitting), 20 * MINUTE - 1500);
    assert_true(sitting_current(&f->sitting, &showing));
    assert_string_equal(showing.question->id, "two");
    answer(f, 2); /* false: right */
    killed(f);
    assert_true(resume(f));
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    expect_log(f, &session, "answered flagged answered handed-in", "one:wrong:0 two:right:1 three:omitted:0");
    killed(f);
    assert_false(resume(f));
}

/* Nobody is offered an exam that somebody sits at. */
static void test_elsewhere(void **state)
{
    struct fixture *f = *state;
    struct sitting other;
    struct sitting_open open;
    struct store *store;
    struct store_options options = { .clock = f->clock };
    begin(f);
    assert_true(store_open(&store, f->path, &options, &f->error));
    assert_true(sitting_init(&other, store, f->clock, &f->options, 0, &f->error));
    assert_true(sitting_find_open(&other, &open, &f->error));
    assert_false(open.found);
    assert_true(open.elsewhere);
    sitting_finish(&other);
    store_close(store);
    killed(f);
    assert_true(resume(f));
}

static void expect_overdue(struct fixture *f, int count)
{
    struct sitting_overdue overdue;
    assert_true(sitting_hand_in_overdue(f->store, f->clock, &overdue, &f->error));
    assert_int_equal(overdue.count, count);
    if (count) {
        assert_string_equal(overdue.told[0].learner, "Ana");
        assert_int_equal(overdue.told[0].started_at, 1764500000000);
    }
}

static void test_deadline_away(void **state)
{
    struct fixture *f = *state;
    begin(f);
    struct uuid session = f->sitting.record.id;
    answer(f, 1);
    killed(f);
    pass(f, 30 * MINUTE - 1500 - 1);
    expect_overdue(f, 0);
    pass(f, 1);
    expect_overdue(f, 1);
    expect_overdue(f, 0);
    expect_log(f, &session, "answered handed-in", "one:right:1 two:omitted:0 three:omitted:0");
    assert_false(resume(f));
}

/* The machine was off in between: on another day, and after another start. */
static void test_another_day(void **state)
{
    struct fixture *f = *state;
    begin(f);
    struct uuid session = f->sitting.record.id;
    answer(f, 1);
    killed(f);
    f->time.boot++;
    f->time.wall += 24 * (int64_t)HOUR;
    f->time.steady = 5000;
    struct sitting_open open;
    assert_true(sitting_find_open(&f->sitting, &open, &f->error));
    assert_true(open.found);
    assert_int_equal(open.left_ms, 0);
    expect_overdue(f, 1);
    expect_log(f, &session, "answered handed-in", "one:right:1 two:omitted:0 three:omitted:0");
    struct store_value id = store_value_uuid(&session);
    struct rows *rows;
    assert_true(rows_open(&rows, f->store, QUERY_LOG, &id, 1, &f->error));
    int64_t at[3] = { 0 };
    for (int seen = 0; rows_step(rows, &f->error) == 1;)
        if (strcmp(rows_text(rows, 0), "attempt") == 0)
            at[seen++] = rows_integer(rows, 12);
    rows_close(rows);
    assert_int_equal(at[0], 1764500000000 + 1500);        /* as it was answered */
    assert_int_equal(at[1], 1764500000000 + 30 * MINUTE); /* left out when the time was up */
}

static void test_no_limit(void **state)
{
    struct fixture *f = *state;
    pack_destroy(f->pack);
    char bytes[4096];
    snprintf(bytes, sizeof bytes,
             "format: quiztutor/1\nid: small\ntitle: T\nquestions:\n"
             "  - {id: one, prompt: p, true_false: true, explanation: e}\n"
             "  - {id: two, prompt: p, true_false: true, explanation: e}\n");
    f->packs[0] = f->pack = load(bytes);
    begin(f);
    assert_int_equal(sitting_left(&f->sitting), -1);
    assert_true(f->sitting.pass == 0);
    answer(f, 1);
    killed(f);
    f->time.boot++;
    f->time.wall += 1000 * (int64_t)HOUR;
    f->time.steady = 5000;
    expect_overdue(f, 0);
    assert_true(resume(f));
    assert_int_equal(sitting_left(&f->sitting), -1);
    answer(f, 1);
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    assert_int_equal(f->sitting.results[1].verdict.outcome, OUTCOME_RIGHT);
}

/* Within a boot the wall clock may be set as it likes; across boots it gains nothing that was used. */
static void test_clock_back(void **state)
{
    struct fixture *f = *state;
    begin(f);
    pass(f, 20 * MINUTE - 1500);
    answer(f, 1);
    f->time.wall -= HOUR;
    assert_int_equal(sitting_left(&f->sitting), 10 * MINUTE);
    killed(f);
    assert_true(resume(f));
    assert_int_equal(sitting_left(&f->sitting), 10 * MINUTE);
    killed(f);
    f->time.boot++;
    f->time.steady = 7;
    assert_true(resume(f));
    assert_int_equal(sitting_left(&f->sitting), 10 * MINUTE);
    pass(f, 9 * MINUTE);
    assert_int_equal(sitting_left(&f->sitting), MINUTE); /* the new boot's clock counts now */
    f->time.wall -= 10 * (int64_t)HOUR;
    assert_int_equal(sitting_left(&f->sitting), MINUTE);
    answer(f, 2);
    killed(f);
    assert_true(resume(f));
    assert_int_equal(sitting_left(&f->sitting), MINUTE - 1500);
    pass(f, MINUTE);
    assert_true(sitting_is_over(&f->sitting));
}

/* Set forward within a boot: nothing is lost. */
static void test_clock_forward(void **state)
{
    struct fixture *f = *state;
    begin(f);
    f->time.wall += 2 * HOUR;
    assert_false(sitting_is_over(&f->sitting));
    killed(f);
    expect_overdue(f, 0);
    assert_true(resume(f));
    assert_int_equal(sitting_left(&f->sitting), 30 * MINUTE);
}

static void test_late(void **state)
{
    struct fixture *f = *state;
    struct answer given = { .picks = 1 };
    struct showing showing;
    begin(f);
    struct uuid session = f->sitting.record.id;
    answer(f, 1);
    pass(f, 30 * MINUTE - 1500 - 1);
    assert_false(sitting_is_over(&f->sitting));
    pass(f, 1);
    assert_true(sitting_is_over(&f->sitting));
    assert_true(sitting_current(&f->sitting, &showing));
    assert_false(sitting_answer(&f->sitting, &given, 0, &f->error));
    assert_int_equal(f->sitting.pending.turn, SITTING_NONE);
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    assert_true(f->sitting.time_up);
    assert_int_equal(f->sitting.used_ms, 30 * MINUTE);
    expect_log(f, &session, "answered handed-in", "one:right:1 two:omitted:0 three:omitted:0");
}

static void extend(struct fixture *f, int minutes)
{
    char body[64];
    snprintf(body, sizeof body, "{\"minutes\":%d}", minutes);
    struct store_event event = { .kind = "extended", .body = body, .at = f->time.wall };
    struct store_session record = f->sitting.record;
    uuid_make(&event.id, f->time.wall);
    assert_true(store_add_event(f->store, &record, &event, NULL, &f->error));
}

/* What a tutor adds is seen within seconds where the time is on show, and not asked for at each look. */
static void test_followed(void **state)
{
    struct fixture *f = *state;
    begin(f);
    sitting_follow(&f->sitting);
    extend(f, 10);
    sitting_follow(&f->sitting);
    assert_int_equal(sitting_left(&f->sitting), 30 * MINUTE);
    pass(f, MINUTE / 6);
    sitting_follow(&f->sitting);
    assert_int_equal(sitting_left(&f->sitting), 40 * MINUTE - MINUTE / 6);
}

static void test_extended(void **state)
{
    struct fixture *f = *state;
    begin(f);
    answer(f, 1);
    extend(f, 10);
    pass(f, 35 * MINUTE - 1500);
    assert_false(sitting_is_over(&f->sitting)); /* it looks before it says so */
    assert_int_equal(sitting_left(&f->sitting), 5 * MINUTE);
    assert_true(f->sitting.allowance.extended == 10);
    answer(f, 2);
    killed(f);
    expect_overdue(f, 0);
    assert_true(resume(f));
    assert_true(f->sitting.allowance.extended == 10);
    pass(f, 5 * MINUTE);
    assert_true(sitting_is_over(&f->sitting));
    extend(f, 1);
    assert_false(sitting_is_over(&f->sitting));
}

/* Handed in by another process while this one sat there. */
static void test_handed_in_elsewhere(void **state)
{
    struct fixture *f = *state;
    struct answer given = { .picks = 1 };
    struct store_options options = { .clock = f->clock };
    struct sitting_open open = { .found = true };
    struct sitting other;
    struct showing showing;
    struct store *store;
    begin(f);
    answer(f, 1);
    open.session = f->sitting.record.id;
    assert_true(store_open(&store, f->path, &options, &f->error));
    assert_true(sitting_init(&other, store, f->clock, &f->options, 0, &f->error));
    assert_true(sitting_hand_in_open(&other, &open, &f->error));
    sitting_finish(&other);
    store_close(store);
    assert_true(sitting_current(&f->sitting, &showing));
    assert_false(sitting_answer(&f->sitting, &given, 0, &f->error));
    assert_int_equal(f->sitting.pending.turn, SITTING_ANSWER);
    assert_true(f->sitting.handed_in);
    assert_true(sitting_is_over(&f->sitting)); /* although there was time left */
    sitting_abandon(&f->sitting);
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    assert_int_equal(f->sitting.results[0].verdict.outcome, OUTCOME_RIGHT);
    assert_int_equal(f->sitting.results[1].verdict.outcome, OUTCOME_OMITTED);
    expect_log(f, &open.session, "answered handed-in", "one:right:1 two:omitted:0 three:omitted:0");
}

/* What is gone or has another key leaves the paper; what was answered of it stays as it was marked. */
static void test_changed_pack(void **state)
{
    struct fixture *f = *state;
    static const char *const seconds[] = {
        "",
        "      - {id: two, prompt: Is it so?, true_false: true, explanation: So.}\n",
    };
    for (int i = 0; i < 2; i++) {
        begin(f);
        struct uuid session = f->sitting.record.id;
        answer(f, 1);
        answer(f, 2);
        killed(f);
        struct pack *before = f->pack;
        f->packs[0] = f->pack = load_parts(seconds[i]);
        assert_true(resume(f));
        assert_int_equal(f->sitting.left_out, 1);
        assert_int_equal(f->sitting.exam.count, 2);
        assert_string_equal(f->sitting.exam.entries[1].question->id, "three");
        assert_true(sitting_hand_in(&f->sitting, &f->error));
        expect_log(f, &session, "answered answered handed-in", "one:right:1 two:right:1 three:omitted:0");
        assert_int_equal(f->sitting.results[1].verdict.outcome, OUTCOME_OMITTED);
        assert_int_equal(f->sitting.gone.count, 1); /* and it counts */
        assert_int_equal(f->sitting.gone.outcomes[OUTCOME_RIGHT], 1);
        assert_true(f->sitting.gone.mark == 1 && f->sitting.gone.marks == 1);
        pack_destroy(f->pack);
        f->packs[0] = f->pack = before;
        sitting_finish(&f->sitting);
        sit_down(f);
    }
}

/* A key that changed before it was answered leaves too, and counts as left blank. */
static void test_changed_key(void **state)
{
    struct fixture *f = *state;
    begin(f);
    answer(f, 1);
    killed(f);
    pack_destroy(f->pack);
    f->packs[0] = f->pack =
        load_parts("      - {id: two, prompt: Is it so?, true_false: true, explanation: Since.}\n");
    assert_true(resume(f));
    assert_int_equal(f->sitting.left_out, 1);
    assert_int_equal(f->sitting.exam.count, 2);
    assert_string_equal(f->sitting.exam.entries[1].question->id, "three");
}

/* A clock that is asked while the exam is handed in, and lets another process get in between. */
struct intruder {
    struct fixture *f;
    struct store *store;
    struct store_session record;
    int calls; /* of `wall` until it acts, 0: never */
    int acted;
};

static int64_t intruder_wall(void *context)
{
    struct intruder *intruder = context;
    if (intruder->calls && --intruder->calls == 0) {
        struct store_event event = { .kind = "reported", .body = "{}", .at = intruder->f->time.wall };
        uuid_make(&event.id, intruder->f->time.wall);
        assert_true(store_add_event(intruder->store, &intruder->record, &event, NULL, NULL));
        intruder->acted++;
    }
    return intruder->f->time.wall;
}

static int64_t intruder_steady(void *context)
{
    return ((struct intruder *)context)->f->time.steady;
}

static int intruder_offset(void *context, int64_t wall)
{
    (void)context, (void)wall;
    return 3600;
}

/* Something is stored by another process between reading the log and handing in: it is read again. */
static void test_gone_on_meanwhile(void **state)
{
    struct fixture *f = *state;
    struct store_options options = { .clock = f->clock };
    struct intruder intruder = { .f = f };
    assert_true(store_open(&intruder.store, f->path, &options, &f->error));
    begin(f);
    struct uuid session = f->sitting.record.id;
    answer(f, 1);
    intruder.record = f->sitting.record;
    f->sitting.clock = (struct clock){ &intruder, intruder_wall, intruder_steady, intruder_offset, NULL };
    intruder.calls = 2; /* first how much time is left is looked at, then what to hand in was read */
    if (!sitting_hand_in(&f->sitting, &f->error))
        fail_msg("%s", f->error.message);
    assert_int_equal(intruder.acted, 1);
    expect_log(f, &session, "answered reported handed-in", "one:right:1 two:omitted:0 three:omitted:0");
    store_close(intruder.store);
    f->sitting.clock = f->clock;
}

/* A mended wording stays on the paper, and is kept as it was asked. */
static void test_mended_pack(void **state)
{
    struct fixture *f = *state;
    begin(f);
    answer(f, 1);
    killed(f);
    struct pack *before = f->pack;
    f->packs[0] = f->pack =
        load_parts("      - {id: two, prompt: 'Is it so, then?', true_false: false, explanation: No.}\n");
    assert_true(resume(f));
    assert_int_equal(f->sitting.left_out, 0);
    answer(f, 2);
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    struct store_schedule known;
    struct hash content;
    assert_int_equal(
        store_schedule(f->store, &f->sitting.record.learner.id, "small", "two", &known, &f->error), 1);
    assert_true(question_content(&f->pack->questions[1], &content));
    assert_memory_equal(&known.content, &content, sizeof content);
    pack_destroy(before);
}

/* A full disk at each call of each turn: nothing is taken, the retry gets it through once. */
static void test_full(void **state)
{
    struct fixture *f = *state;
    int stored = 0;
    fault_vfs_set(FAULT_WRITE | FAULT_SYNC, 1, true, ENOSPC);
    assert_false(sitting_begin(&f->sitting, &f->error));
    assert_false(f->sitting.begun);
    fault_vfs_clear();
    begin(f);
    struct uuid session = f->sitting.record.id;
    for (long n = 1; stored < 12; n++) {
        struct answer given = { .picks = 1, .truth = true };
        struct showing showing;
        sitting_show(&f->sitting, stored % 3);
        assert_true(sitting_current(&f->sitting, &showing));
        pass(f, 1000);
        fault_vfs_set(FAULT_WRITE | FAULT_SYNC, n, true, ENOSPC);
        bool done = stored % 2 ? sitting_flag(&f->sitting, 1, &f->error)
                               : sitting_answer(&f->sitting, &given, 0, &f->error);
        bool hit = fault_vfs_hit();
        fault_vfs_clear();
        if (!done) {
            assert_true(hit);
            assert_int_not_equal(f->sitting.pending.turn, SITTING_NONE);
            assert_false(f->sitting.exam.entries[stored % 3].elapsed_ms == f->time.steady - 100000);
            pass(f, 1000);
            assert_true(sitting_retry(&f->sitting, &f->error));
        }
        if (!hit)
            n = 0;
        stored++;
    }
    expect_log(
        f, &session,
        "answered flagged answered flagged answered flagged answered flagged answered flagged answered "
        "flagged",
        "");
    int failures = 0;
    for (long n = 1;; n++) {
        fault_vfs_set(FAULT_WRITE | FAULT_SYNC, n, true, ENOSPC);
        bool done = sitting_hand_in(&f->sitting, &f->error);
        fault_vfs_clear();
        if (done)
            break;
        assert_false(f->sitting.exam.handed_in);
        failures++;
    }
    assert_true(failures > 0);
    assert_int_equal(f->sitting.results[0].verdict.outcome, OUTCOME_RIGHT);
    expect_log(
        f, &session,
        "answered flagged answered flagged answered flagged answered flagged answered flagged answered "
        "flagged handed-in",
        "one:right:1 two:wrong:0 three:partly:1");
}

/* An answer given in time may reach the disk after the deadline; one that never gets there is let go. */
static void test_pending_at_the_deadline(void **state)
{
    struct fixture *f = *state;
    struct answer given = { .picks = 1 };
    struct showing showing;
    begin(f);
    struct uuid session = f->sitting.record.id;
    assert_true(sitting_current(&f->sitting, &showing));
    pass(f, 29 * MINUTE);
    fault_vfs_set(FAULT_WRITE | FAULT_SYNC, 1, true, ENOSPC);
    assert_false(sitting_answer(&f->sitting, &given, 0, &f->error));
    pass(f, 2 * MINUTE);
    assert_false(sitting_hand_in(&f->sitting, &f->error));
    fault_vfs_clear();
    assert_true(sitting_hand_in(&f->sitting, &f->error));
    expect_log(f, &session, "answered handed-in", "one:right:1 two:omitted:0 three:omitted:0");
}

/* Memory that runs out at any moment of a whole exam: each step fails whole, and can be made again. */
static void test_no_memory(void **state)
{
    struct fixture *f = *state;
    struct sitting_open open;
    for (long n = 1;; n++) {
        memory_fail_after(n);
        bool done = sitting_begin(&f->sitting, &f->error);
        memory_fail_after(0);
        if (done)
            break;
        assert_int_equal(f->error.code, ERROR_MEMORY);
        assert_false(f->sitting.begun);
    }
    struct uuid session = f->sitting.record.id;
    for (long n = 1;; n++) {
        struct answer given = { .picks = 1 };
        struct showing showing;
        sitting_show(&f->sitting, 0);
        assert_true(sitting_current(&f->sitting, &showing));
        memory_fail_after(n);
        bool done = sitting_answer(&f->sitting, &given, 0, &f->error);
        memory_fail_after(0);
        if (done)
            break;
        assert_int_equal(f->error.code, ERROR_MEMORY);
        sitting_abandon(&f->sitting);
    }
    killed(f);
    assert_true(sitting_find_open(&f->sitting, &open, &f->error));
    for (long n = 1;; n++) {
        memory_fail_after(n);
        bool done = sitting_resume(&f->sitting, &open, &f->error);
        memory_fail_after(0);
        if (done)
            break;
        assert_int_equal(f->error.code, ERROR_MEMORY);
    }
    assert_true(f->sitting.exam.entries[0].answered);
    for (long n = 1;; n++) {
        memory_fail_after(n);
        bool done = sitting_hand_in(&f->sitting, &f->error);
        memory_fail_after(0);
        if (done)
            break;
        assert_int_equal(f->error.code, ERROR_MEMORY);
    }
    expect_log(f, &session, "answered handed-in", "one:right:1 two:omitted:0 three:omitted:0");
}

/* The store in memory keeps exams as the file does. */
static void test_in_memory(void **state)
{
    struct fixture *f = *state;
    struct store_options options = { .clock = f->clock };
    sitting_finish(&f->sitting);
    store_close(f->store);
    assert_true(store_open_memory(&f->store, &options, &f->error));
    sit_down(f);
    begin(f);
    struct uuid session = f->sitting.record.id;
    answer(f, 2);
    assert_true(sitting_flag(&f->sitting, 2, &f->error));
    sitting_finish(&f->sitting);
    sit_down(f);
    assert_true(resume(f));
    assert_true(f->sitting.exam.entries[2].flagged);
    answer(f, 2);
    extend(f, 5);
    pass(f, 36 * MINUTE);
    expect_overdue(f, 1);
    expect_log(f, &session, "answered flagged answered extended handed-in",
               "one:wrong:0 two:right:1 three:omitted:0");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_whole),        TEST(test_killed),
        TEST(test_elsewhere),    TEST(test_deadline_away),
        TEST(test_another_day),  TEST(test_no_limit),
        TEST(test_clock_back),   TEST(test_clock_forward),
        TEST(test_late),         TEST(test_followed),
        TEST(test_extended),     TEST(test_handed_in_elsewhere),
        TEST(test_changed_pack), TEST(test_mended_pack),
        TEST(test_changed_key),  TEST(test_gone_on_meanwhile),
        TEST(test_full),         TEST(test_pending_at_the_deadline),
        TEST(test_no_memory),    TEST(test_in_memory),
    };
    fault_vfs_start();
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
