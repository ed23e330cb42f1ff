/*
 * The learner's own screen and the library's rows, over both stores, on a clock that the test moves: streaks
 * across the day's boundary, daylight saving and zones, what is due and when, and what is said to do next.
 */
#include <quiztutor/plain.h>
#include <quiztutor/presenter.h>
#include <quiztutor/random.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { STARTS = 240, MONDAY = 20787 /* 2026-11-30 */, BERLIN = 3600, SUMMER = 7200, TOKYO = 32400 };

static const char alpha[] =
    "format: quiztutor/1\nid: alpha\ntitle: A first pack\nquestions:\n"
    "  - {id: one, prompt: One?, true_false: true, explanation: So., tags: [red]}\n"
    "  - {id: two, prompt: Two?, true_false: true, explanation: So., tags: [red, blue]}\n"
    "  - {id: three, prompt: Three?, true_false: true, explanation: So., tags: [green]}\n";
static const char beta[] = "format: quiztutor/1\nid: beta\ntitle: B second pack\nquestions:\n"
                           "  - {id: one, prompt: One?, true_false: true, explanation: So., tags: [blue]}\n"
                           "  - {id: two, prompt: Two?, true_false: true, explanation: So.}\n";

static struct fixture {
    char folder[64];
    bool on_disk;
    struct clock_fake time;
    struct clock clock;
    struct library *library;
    struct store *store;
    struct store_session session;
    struct presenter presenter;
    struct error error;
    int ids;
} f;

static void write_pack(const char *name, const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", f.folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void open_library(void)
{
    const char *const folders[] = { f.folder };
    library_destroy(f.library);
    assert_true(library_create(&f.library, folders, 1, &f.error));
}

static struct uuid next_id(void)
{
    struct uuid id = { { 0 } };
    f.ids++;
    memcpy(id.bytes, &f.ids, sizeof f.ids);
    id.bytes[15] = 1;
    return id;
}

/* A moment of local time: a day's number, hours and minutes, the offset. */
static int64_t local(int64_t day, int hour, int minute, int offset)
{
    return day * 86400000 + hour * (int64_t)3600000 + minute * (int64_t)60000 - offset * (int64_t)1000;
}

static void set_now(int64_t day, int hour, int minute, int offset)
{
    f.time.wall = local(day, hour, minute, offset);
    f.time.offset = offset;
}

static int set_up(void)
{
    memset(&f, 0, sizeof f);
    assert_true(hash_start());
    strcpy(f.folder,
           access("/dev/shm", W_OK | X_OK) == 0 ? "/dev/shm/quiztutor-XXXXXX" : "/tmp/quiztutor-XXXXXX");
    assert_non_null(mkdtemp(f.folder));
    f.clock = clock_fake(&f.time);
    set_now(MONDAY, 12, 0, BERLIN);
    write_pack("alpha.yaml", alpha);
    write_pack("beta.yaml", beta);
    open_library();
    presenter_init(&f.presenter);
    f.session = (struct store_session){
        .id = next_id(),
        .learner = { .id = next_id(), .name = "Ana" },
        .kind = "practice",
        .origin = "plain",
        .seed = 2,
        .options = "{\"limit\":null,\"mode\":\"due\",\"packs\":[\"alpha\",\"beta\"],\"tag\":null}",
        .plan = "[[\"alpha\",\"one\",\"r1\"],[\"alpha\",\"two\",\"r1\"],[\"alpha\",\"three\",\"r1\"],"
                "[\"beta\",\"one\",\"r1\"],[\"beta\",\"two\",\"r1\"],[\"alpha\",\"gone\",\"r1\"]]",
        .started_at = 1000,
    };
    return 0;
}

static int set_up_memory(void **state)
{
    (void)state;
    set_up();
    struct store_options options = { .clock = f.clock };
    return store_open_memory(&f.store, &options, &f.error) ? 0 : -1;
}

static int set_up_disk(void **state)
{
    (void)state;
    char path[128];
    set_up();
    f.on_disk = true;
    snprintf(path, sizeof path, "%s/store.db", f.folder);
    struct store_options options = { .clock = f.clock };
    return store_open(&f.store, path, &options, &f.error) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    char command[160];
    presenter_finish(&f.presenter);
    library_destroy(f.library);
    store_close(f.store);
    snprintf(command, sizeof command, "rm -rf '%s'", f.folder);
    return system(command);
}

/* One answer at a moment of its own, as the store keeps it. */
static void answer_at(int64_t at, int offset, const char *pack, const char *question, enum outcome outcome,
                      int64_t elapsed_ms)
{
    struct store_attempt attempt = {
        .id = next_id(),
        .pack_id = pack,
        .question_id = question,
        .revision = "r1",
        .body = "{\"prompt\":\"?\"}",
        .seed = 7,
        .showing = 1,
        .shown = "{\"choices\":[1,2]}",
        .response = outcome == OUTCOME_OMITTED ? NULL : "true",
        .verdict = { .outcome = outcome,
                     .share = outcome == OUTCOME_RIGHT,
                     .mark = outcome == OUTCOME_RIGHT,
                     .marks = 1 },
        .elapsed_ms = elapsed_ms,
        .answered_at = at,
        .utc_offset_s = offset,
        .origin = "plain",
    };
    hash_of(&attempt.content, question, (ptrdiff_t)strlen(question));
    if (!store_add_attempt(f.store, &f.session, &attempt, NULL, &f.error))
        fail_msg("%s", f.error.message);
}

static void answer(int64_t day, int hour, int minute, int offset, const char *pack, const char *question,
                   enum outcome outcome)
{
    answer_at(local(day, hour, minute, offset), offset, pack, question, outcome, 10000);
}

static void mark(const char *kind, const char *pack, const char *question)
{
    char body[128];
    snprintf(body, sizeof body, "{\"question\":[\"%s\",\"%s\"],\"on\":true}", pack, question);
    struct store_event event = { .id = next_id(), .kind = kind, .body = body, .at = f.time.wall };
    if (!store_add_event(f.store, &f.session, &event, NULL, &f.error))
        fail_msg("%s", f.error.message);
}

static const struct progress_model *progress(void)
{
    if (!presenter_progress(&f.presenter, f.library, f.store, &f.session.learner, &f.clock, STARTS, &f.error))
        fail_msg("%s", f.error.message);
    return &f.presenter.progress;
}

static const struct library_row *row(const char *id)
{
    if (!presenter_library(&f.presenter, f.library, f.store, &f.session.learner, &f.clock, STARTS, &f.error))
        fail_msg("%s", f.error.message);
    for (int i = 0; i < f.presenter.library.count; i++)
        if (f.presenter.library.rows[i].id && strcmp(f.presenter.library.rows[i].id, id) == 0)
            return &f.presenter.library.rows[i];
    fail_msg("no row %s", id);
    return NULL;
}

static void expect_streak(int streak, int longest)
{
    const struct progress_model *model = progress();
    if (model->streak != streak || model->longest != longest)
        fail_msg("streak %d, longest %d; expected %d, %d", model->streak, model->longest, streak, longest);
}

static void expect_next(const char *next)
{
    assert_string_equal(progress()->next, next);
}

static void test_newcomer(void **state)
{
    (void)state;
    struct store_learner nobody = { .name = "Nobody" };
    assert_true(presenter_progress(&f.presenter, f.library, f.store, &nobody, &f.clock, STARTS, &f.error));
    const struct progress_model *model = &f.presenter.progress;
    assert_string_equal(model->next, "Begin with A first pack: 3 new questions wait there.");
    assert_string_equal(model->learner, "Nobody");
    assert_int_equal(model->due + model->streak + model->longest + model->day_count, 0);
    assert_string_equal(model->coming[0].label, "Mon 30 Nov");
    assert_string_equal(model->coming[14].label, "Mon 14 Dec");
    for (int i = 0; i <= 14; i++)
        assert_int_equal(model->coming[i].due, 0);
    assert_int_equal(model->topic_count, 3);
    assert_string_equal(model->topics[0].name, "blue");
    assert_int_equal(model->topics[0].questions, 2);
    expect_streak(0, 0); /* known to nobody yet, but with an id */
    const struct library_row *none = row("alpha");
    assert_int_equal(none->questions, 3);
    assert_int_equal(none->fresh, 3);
    assert_int_equal(none->seen + none->due + none->right + none->mastered, 0);
    assert_null(none->until);
}

static void test_empty_library(void **state)
{
    (void)state;
    const char *const folders[] = { "/nonexistent" };
    library_destroy(f.library);
    assert_true(library_create(&f.library, folders, 1, &f.error));
    answer(MONDAY, 9, 0, BERLIN, "alpha", "one", OUTCOME_WRONG);
    const struct progress_model *model = progress();
    assert_string_equal(model->next, "Add a pack to begin with: quiztutor add FILE.");
    assert_int_equal(model->due, 0); /* what no pack has any more never counts */
    assert_int_equal(model->coming[0].due, 0);
    assert_int_equal(model->past[0].answered, 1); /* but that day was a day of practice */
    assert_int_equal(model->streak, 1);
}

static void test_day_boundary(void **state)
{
    (void)state;
    answer(MONDAY, 3, 59, BERLIN, "alpha", "one", OUTCOME_RIGHT); /* still Sunday */
    set_now(MONDAY, 3, 59, BERLIN);
    expect_streak(1, 1);
    assert_string_equal(f.presenter.progress.coming[0].label, "Sun 29 Nov");
    assert_string_equal(f.presenter.progress.past[0].label, "Sun 29 Nov");
    set_now(MONDAY, 4, 0, BERLIN);
    expect_streak(1, 1); /* up to yesterday */
    assert_int_equal(f.presenter.progress.day_count, 2);
    assert_int_equal(f.presenter.progress.past[0].answered, 1);
    assert_int_equal(f.presenter.progress.past[1].answered, 0);
    answer(MONDAY, 4, 1, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    set_now(MONDAY, 4, 1, BERLIN);
    expect_streak(2, 2);
    set_now(MONDAY + 2, 3, 59, BERLIN);
    expect_streak(2, 2); /* Tuesday is not over yet */
    set_now(MONDAY + 2, 4, 0, BERLIN);
    expect_streak(0, 2);
}

/* Germany: 2026-10-25 has 25 hours, 2026-03-29 has 23. */
static void test_daylight_saving(void **state)
{
    (void)state;
    const int64_t autumn = 20751, spring = 20541;
    answer(spring - 1, 23, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    answer(spring, 3, 30, SUMMER, "alpha", "one", OUTCOME_RIGHT); /* still the day before */
    set_now(spring, 3, 59, SUMMER);
    expect_streak(1, 1);
    assert_int_equal(f.presenter.progress.past[0].answered, 2);
    answer(spring, 4, 0, SUMMER, "alpha", "one", OUTCOME_RIGHT);
    set_now(spring, 4, 0, SUMMER);
    expect_streak(2, 2);
    answer(autumn - 1, 12, 0, SUMMER, "alpha", "one", OUTCOME_RIGHT);
    answer(autumn, 2, 30, SUMMER, "alpha", "one", OUTCOME_RIGHT); /* 02:30 comes twice */
    answer(autumn, 2, 30, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    set_now(autumn, 3, 59, BERLIN);
    expect_streak(1, 2);
    assert_int_equal(f.presenter.progress.past[13].answered, 3);
    answer(autumn, 4, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    answer(autumn + 1, 4, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    set_now(autumn + 1, 12, 0, BERLIN);
    expect_streak(3, 3);
}

static void test_zone_change(void **state)
{
    (void)state;
    answer(MONDAY, 20, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    answer(MONDAY + 1, 23, 0, TOKYO, "alpha", "one", OUTCOME_RIGHT); /* 19 hours later */
    answer(MONDAY + 2, 5, 0, TOKYO, "alpha", "one", OUTCOME_RIGHT);
    set_now(MONDAY + 2, 6, 0, TOKYO);
    expect_streak(3, 3);
    set_now(MONDAY + 1, 22, 0, BERLIN); /* the same moment seen from home: a day ahead counts on */
    expect_streak(3, 3);
}

static void test_gaps(void **state)
{
    (void)state;
    static const int days[] = { -40, -39, -38, -37, -30, -20, -19, -2, -1 };
    for (int i = 0; i < 9; i++)
        answer(MONDAY + days[i], 12, 0, BERLIN, "alpha", i % 2 ? "one" : "two", OUTCOME_RIGHT);
    expect_streak(2, 4);
    assert_int_equal(f.presenter.progress.day_count, 14);
    assert_string_equal(f.presenter.progress.past[0].label, "Tue 17 Nov");
    assert_string_equal(f.presenter.progress.past[13].label, "Mon 30 Nov");
    assert_int_equal(f.presenter.progress.past[12].answered, 1);
    set_now(MONDAY + 1, 12, 0, BERLIN);
    expect_streak(0, 4);
    set_now(MONDAY - 60, 12, 0, BERLIN); /* the clock went back before all of it: nothing breaks */
    expect_streak(0, 4);
    assert_int_equal(f.presenter.progress.day_count, 1);
    set_now(MONDAY - 38, 12, 0, BERLIN); /* and into it: a day ahead may be one further east */
    expect_streak(4, 4);
    set_now(MONDAY - 39, 12, 0, BERLIN);
    expect_streak(3, 4);
    set_now(MONDAY - 21, 12, 0, BERLIN);
    expect_streak(1, 4);
    set_now(MONDAY - 24, 12, 0, BERLIN);
    expect_streak(0, 4);
}

static void test_days(void **state)
{
    (void)state;
    answer_at(local(MONDAY, 9, 0, BERLIN), BERLIN, "alpha", "one", OUTCOME_RIGHT, 59000);
    answer_at(local(MONDAY, 9, 1, BERLIN), BERLIN, "alpha", "two", OUTCOME_WRONG, 61001);
    answer_at(local(MONDAY, 9, 2, BERLIN), BERLIN, "alpha", "gone", OUTCOME_PARTLY, -1);
    const struct progress_model *model = progress();
    assert_int_equal(model->day_count, 1);
    assert_int_equal(model->past[0].answered, 3);
    assert_int_equal(model->past[0].right, 1);
    assert_int_equal(model->past[0].minutes, 3); /* rounded up */
}

/* What is due on each day is what each question's own schedule says. */
static void test_coming(void **state)
{
    (void)state;
    answer(MONDAY, 11, 58, BERLIN, "alpha", "one", OUTCOME_WRONG);   /* a step of a minute: due now */
    answer(MONDAY, 11, 59, BERLIN, "alpha", "two", OUTCOME_RIGHT);   /* of ten: due today, not now */
    answer(MONDAY - 9, 12, 0, BERLIN, "beta", "one", OUTCOME_RIGHT); /* overdue */
    answer(MONDAY - 9, 12, 20, BERLIN, "beta", "one", OUTCOME_RIGHT);
    answer(MONDAY, 11, 0, BERLIN, "beta", "two", OUTCOME_RIGHT); /* in some days */
    answer(MONDAY, 11, 20, BERLIN, "beta", "two", OUTCOME_RIGHT);
    answer(MONDAY - 5, 12, 0, BERLIN, "alpha", "gone", OUTCOME_WRONG); /* in no pack */
    answer(MONDAY - 5, 12, 0, BERLIN, "alpha", "three", OUTCOME_WRONG);
    mark("suspended", "alpha", "three");
    struct store_schedule two;
    assert_int_equal(store_schedule(f.store, &f.session.learner.id, "beta", "two", &two, &f.error), 1);
    int ahead = (int)(two.schedule.due_day - MONDAY);
    assert_in_range(ahead, 1, 14);
    const struct progress_model *model = progress();
    assert_int_equal(model->due, 2);
    assert_int_equal(model->coming[0].due, 3);
    for (int i = 1; i <= 14; i++)
        assert_int_equal(model->coming[i].due, i == ahead);
    assert_int_equal(row("alpha")->due, 1);
    assert_int_equal(row("alpha")->seen, 3);
    assert_int_equal(row("alpha")->right, 1);
    assert_null(row("alpha")->until);
    assert_int_equal(row("beta")->due, 1);
    set_now(two.schedule.due_day - 14, 12, 0, BERLIN); /* the last day that is shown, and one more */
    assert_int_equal(progress()->coming[14].due, 1);
    set_now(two.schedule.due_day - 15, 12, 0, BERLIN);
    assert_int_equal(progress()->coming[14].due, ahead == 1 ? 2 : 0);
}

static void test_until(void **state)
{
    (void)state;
    answer(MONDAY, 11, 52, BERLIN, "beta", "one", OUTCOME_RIGHT); /* a step of ten minutes */
    assert_string_equal(row("beta")->until, "due in 2 minutes");
    answer(MONDAY, 11, 52, BERLIN, "beta", "two", OUTCOME_RIGHT);
    assert_string_equal(row("beta")->until, "due in 2 minutes");
    set_now(MONDAY, 12, 2, BERLIN);
    assert_null(row("beta")->until);
    assert_int_equal(row("beta")->due, 2);
    answer(MONDAY, 12, 2, BERLIN, "beta", "one", OUTCOME_RIGHT);
    answer(MONDAY, 12, 2, BERLIN, "beta", "two", OUTCOME_RIGHT);
    struct store_schedule one, two;
    assert_int_equal(store_schedule(f.store, &f.session.learner.id, "beta", "one", &one, &f.error), 1);
    assert_int_equal(store_schedule(f.store, &f.session.learner.id, "beta", "two", &two, &f.error), 1);
    int64_t day = one.schedule.due_day < two.schedule.due_day ? one.schedule.due_day : two.schedule.due_day;
    set_now(day - 1, 4, 0, BERLIN);
    assert_string_equal(row("beta")->until, "due tomorrow");
    expect_next("Nothing is due until tomorrow; 3 new ones wait in A first pack.");
    set_now(day, 3, 0, BERLIN);
    assert_string_equal(row("beta")->until, "due in 60 minutes");
    expect_next("Nothing is due for 60 minutes; 3 new ones wait in A first pack.");
    set_now(day, 2, 59, BERLIN);
    assert_string_equal(row("beta")->until, "due tomorrow");
    set_now(day - 40, 12, 0, BERLIN); /* the clock went back */
    assert_non_null(strstr(row("beta")->until, "due "));
    assert_null(strstr(row("beta")->until, "minute"));
    set_now(day, 12, 0, BERLIN);
    mark("suspended", "beta", "one");
    mark("suspended", "beta", "two");
    assert_int_equal(row("beta")->due, 0);
    assert_null(row("beta")->until); /* nothing ever */
}

static void test_next(void **state)
{
    (void)state;
    answer(MONDAY - 1, 12, 0, BERLIN, "beta", "one", OUTCOME_WRONG);
    expect_next("1 is due: practise it now, about 1 minute.");
    for (int i = 0; i < 5; i++) /* a slow learner: 90 seconds an answer */
        answer_at(local(MONDAY - 1, 13, i, BERLIN), BERLIN, "beta", "two", OUTCOME_WRONG, 106000);
    expect_next("2 are due: practise them now, about 3 minutes.");
    answer(MONDAY, 12, 0, BERLIN, "beta", "one", OUTCOME_RIGHT);
    answer(MONDAY, 12, 0, BERLIN, "beta", "two", OUTCOME_RIGHT);
    expect_next("Nothing is due for 10 minutes; 3 new ones wait in A first pack.");
    answer(MONDAY, 11, 50, BERLIN, "alpha", "one", OUTCOME_OMITTED);
    expect_next("Nothing is due for 10 minutes; 3 new ones wait in A first pack."); /* left out: still new */
    assert_int_equal(row("alpha")->seen, 0);
    answer(MONDAY, 12, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    answer(MONDAY, 12, 0, BERLIN, "alpha", "two", OUTCOME_PARTLY);
    answer(MONDAY, 12, 0, BERLIN, "alpha", "three", OUTCOME_PARTLY);
    expect_next("Nothing is due for 6 minutes; 2 were missed the last time.");
    assert_string_equal(f.presenter.progress.command, "quiztutor practise --mode mistakes asks them again.");
    mark("suspended", "alpha", "two");
    mark("suspended", "alpha", "three");
    expect_next("Nothing is due for 10 minutes: rest until then, every question has been met.");
    mark("suspended", "alpha", "one");
    mark("suspended", "beta", "one");
    mark("suspended", "beta", "two");
    expect_next("Nothing is due.");
}

/* New ones are offered in the pack that was begun, rather than in the first of the list. */
static void test_goes_on(void **state)
{
    (void)state;
    answer(MONDAY, 12, 0, BERLIN, "beta", "one", OUTCOME_RIGHT);
    expect_next("Nothing is due for 10 minutes; 1 new one waits in B second pack.");
}

static void test_topics(void **state)
{
    (void)state;
    int64_t day = MONDAY - 400;
    struct store_schedule known = { 0 };
    for (int i = 0; i < 40; i++) { /* alpha/two whenever it is due: mastered in the end */
        answer(day, 12, i ? 0 : 20, BERLIN, "alpha", "two", OUTCOME_RIGHT);
        assert_int_equal(store_schedule(f.store, &f.session.learner.id, "alpha", "two", &known, &f.error), 1);
        day = known.schedule.due_day;
        if (schedule_mastered(&known.schedule, 0.5))
            break;
    }
    assert_true(schedule_mastered(&known.schedule, 0.5));
    answer(MONDAY, 12, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    const struct progress_model *model = progress();
    /* red: one of two mastered, both seen; blue: one of two, one seen; green not begun */
    assert_int_equal(model->topic_count, 3);
    assert_string_equal(model->topics[0].name, "blue");
    assert_int_equal(model->topics[0].seen, 1);
    assert_string_equal(model->topics[1].name, "red");
    assert_int_equal(model->topics[1].mastered, 1);
    assert_int_equal(model->topics[1].questions, 2);
    assert_string_equal(model->topics[2].name, "green");
    assert_int_equal(row("alpha")->mastered, 1);
    mark("suspended", "alpha", "three"); /* a topic of suspended ones alone is none */
    assert_int_equal(progress()->topic_count, 2);
}

/* More than a day has room for: the rest is said to wait. */
static void test_backlog(void **state)
{
    (void)state;
    struct buffer pack;
    char id[16];
    buffer_init(&pack);
    buffer_text(&pack, "format: quiztutor/1\nid: large\ntitle: Large\nquestions:\n");
    for (int i = 0; i < 230; i++)
        buffer_print(&pack, "  - {id: q%d, prompt: %d?, true_false: true, explanation: So.}\n", i, i);
    write_pack("large.yaml", buffer_get(&pack));
    buffer_finish(&pack);
    open_library();
    for (int i = 0; i < 230; i++) {
        snprintf(id, sizeof id, "q%d", i);
        answer(MONDAY - 3, 12, 0, BERLIN, "large", id, OUTCOME_WRONG);
    }
    expect_next("230 are due, 200 of them today: practise them now, about 34 minutes.");
    for (int i = 0; i < 200; i++) {
        snprintf(id, sizeof id, "q%d", i);
        answer(MONDAY, 11, 59, BERLIN, "large", id, OUTCOME_RIGHT);
    }
    expect_next("30 more are due, but what was meant for today is done: they wait for tomorrow.");
}

/* A long life at random, its days and streaks counted once more here. */
static void test_ten_thousand(void **state)
{
    (void)state;
    static const char *const questions[][2] = {
        { "alpha", "one" }, { "alpha", "two" }, { "alpha", "three" }, { "beta", "one" }, { "beta", "two" }
    };
    enum { DAYS = 700, ANSWERS = 10000 };
    struct random_stream random = { 20261130 };
    static int answered[DAYS], right[DAYS];
    static int64_t elapsed[DAYS];
    memset(answered, 0, sizeof answered);
    memset(right, 0, sizeof right);
    memset(elapsed, 0, sizeof elapsed);
    int day = 0;
    for (int i = 0; i < ANSWERS; i++) {
        if (random_below(&random, 20) == 0)
            day += 1 + (random_below(&random, 6) == 0);
        int which = (int)random_below(&random, 5), ms = 1000 + (int)random_below(&random, 30000);
        enum outcome outcome = random_below(&random, 4) ? OUTCOME_RIGHT : OUTCOME_WRONG;
        if (day >= DAYS)
            break;
        answer_at(local(MONDAY - DAYS + 1 + day, 4, 0, BERLIN) + i % 20 * INT64_C(4000000), BERLIN,
                  questions[which][0], questions[which][1], outcome, ms);
        answered[day]++;
        right[day] += outcome == OUTCOME_RIGHT;
        elapsed[day] += ms;
    }
    int run = 0, longest = 0;
    for (int i = 0; i < DAYS; i++) {
        run = answered[i] ? run + 1 : 0;
        longest = run > longest ? run : longest;
    }
    int streak = 0;
    for (int i = answered[DAYS - 1] ? DAYS - 1 : DAYS - 2; i >= 0 && answered[i]; i--)
        streak++;
    expect_streak(streak, longest);
    const struct progress_model *model = &f.presenter.progress;
    assert_int_equal(model->day_count, 14);
    for (int i = 0; i < 14; i++) {
        assert_int_equal(model->past[i].answered, answered[DAYS - 14 + i]);
        assert_int_equal(model->past[i].right, right[DAYS - 14 + i]);
        assert_int_equal(model->past[i].minutes, (elapsed[DAYS - 14 + i] + 59999) / 60000);
    }
}

static void test_no_memory(void **state)
{
    (void)state;
    answer(MONDAY - 1, 12, 0, BERLIN, "beta", "one", OUTCOME_WRONG);
    answer(MONDAY, 12, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    progress(); /* packs are loaded */
    bool done = false;
    for (int n = 1; !done; n++) {
        assert_true(n < 1000);
        memory_fail_after(n);
        done = presenter_progress(&f.presenter, f.library, f.store, &f.session.learner, &f.clock, STARTS,
                                  &f.error);
        memory_fail_after(0);
        if (!done)
            assert_int_equal(f.error.code, ERROR_MEMORY);
    }
    expect_next("1 is due: practise it now, about 1 minute.");
    done = false;
    for (int n = 1; !done; n++) {
        assert_true(n < 1000);
        memory_fail_after(n);
        done = presenter_library(&f.presenter, f.library, f.store, &f.session.learner, &f.clock, STARTS,
                                 &f.error);
        memory_fail_after(0);
        if (!done)
            assert_int_equal(f.error.code, ERROR_MEMORY);
    }
    assert_int_equal(row("beta")->due, 1);
}

/* In plain lines: each number with its words, days and topics without any counted rather than listed. */
static void test_plain(void **state)
{
    (void)state;
    struct buffer out;
    buffer_init(&out);
    answer(MONDAY - 2, 12, 0, BERLIN, "alpha", "one", OUTCOME_WRONG);
    answer(MONDAY, 11, 0, BERLIN, "alpha", "one", OUTCOME_RIGHT);
    plain_progress(&out, progress());
    assert_string_equal(buffer_get(&out), "Progress of Ana\n"
                                          "1 is due: practise it now, about 1 minute.\n"
                                          "\n"
                                          "1 day of practice in a row. The longest: 1 day.\n"
                                          "\n"
                                          "Due today and in the next 14 days:\n"
                                          "  Mon 30 Nov, today: 1\n"
                                          "  nothing on the 14 other days\n"
                                          "\n"
                                          "Days of practice:\n"
                                          "  Mon 30 Nov: 1 answered, 1 right, 1 minute\n"
                                          "  Sat 28 Nov: 1 answered, 0 right, 1 minute\n"
                                          "  no practice on 1 day of the last 3\n"
                                          "\n"
                                          "Topics, the least mastered first:\n"
                                          "  red: 0 of 2 mastered, 1 seen\n"
                                          "  2 topics not begun: blue, green\n");
    buffer_finish(&out);
}

#define BOTH(test)                                                                                           \
    cmocka_unit_test_setup_teardown(test, set_up_memory, tear_down),                                         \
        cmocka_unit_test_setup_teardown(test, set_up_disk, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        BOTH(test_newcomer),    BOTH(test_empty_library), BOTH(test_day_boundary), BOTH(test_daylight_saving),
        BOTH(test_zone_change), BOTH(test_gaps),          BOTH(test_days),         BOTH(test_coming),
        BOTH(test_until),       BOTH(test_next),          BOTH(test_goes_on),      BOTH(test_topics),
        BOTH(test_backlog),     BOTH(test_ten_thousand),  BOTH(test_no_memory),    BOTH(test_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
