#include "twins.h"

#include <inttypes.h>

struct twins twins;

const struct twins_version twins_versions[VERSIONS] = {
    { "00000000000000aa", "{\"choices\":[{\"correct\":true,\"text\":\"one\"},{\"correct\":false,\"text\":"
                          "\"two\"}],\"explanation\":\"Becuase.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000aa", "{\"choices\":[{\"correct\":true,\"text\":\"one\"},{\"correct\":false,\"text\":"
                          "\"two\"}],\"explanation\":\"Because.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000bb", "{\"choices\":[{\"correct\":true,\"text\":\"one\"},{\"correct\":false,\"text\":"
                          "\"three\"}],\"explanation\":\"Because.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000cc", "{\"choices\":[{\"correct\":false,\"text\":\"one\"},{\"correct\":true,\"text\":"
                          "\"two\"}],\"explanation\":\"Because.\",\"prompt\":\"Q%d?\",\"type\":"
                          "\"single-choice\"}" },
    { "00000000000000dd", "{\"explanation\":\"So.\",\"prompt\":\"Q%d?\",\"truth\":true,\"type\":"
                          "\"true-false\"}" },
};

static int draw(int below)
{
    return (int)random_below(&twins.dice, (uint64_t)below);
}

int twins_start(void **state)
{
    (void)state;
    fixture_start(&twins.fixture);
    twins.dice.state = 7;
    twins.kept = fixture_open(&twins.fixture);
    return store_open_memory(&twins.folded, &twins.fixture.options, &twins.error) ? 0 : -1;
}

int twins_end(void **state)
{
    (void)state;
    store_close(twins.kept);
    store_close(twins.folded);
    fixture_end(&twins.fixture);
    return 0;
}

static void print_schedule(struct buffer *out, const struct store_schedule *is)
{
    const struct schedule *schedule = &is->schedule;
    buffer_print(out, "%d %d %a %a %d %d %d %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 " %d",
                 (int)schedule->phase, schedule->step, schedule->memory.stability,
                 schedule->memory.difficulty, schedule->answers, schedule->lapses, schedule->run,
                 schedule->run_day, schedule->last_at, schedule->last_day, schedule->due_day,
                 schedule->due_at, schedule->interval);
    buffer_print(out, " | %s %02x%02x %d %d %" PRId64 " %d %d %d %d\n", is->revision, is->content.bytes[0],
                 is->content.bytes[1], is->seen, (int)is->last, is->answered_at, is->counted, is->right,
                 is->starred, is->suspended);
}

/* All that a query of schedules says, as text. memory_free. */
static char *schedules(struct store *store, enum store_query query, const struct store_value *parameters,
                       int count)
{
    struct buffer out;
    struct rows *rows;
    buffer_init(&out);
    assert_true(rows_open(&rows, store, query, parameters, count, &twins.error));
    while (rows_step(rows, &twins.error) > 0) {
        struct store_schedule is;
        rows_schedule(rows, &is);
        assert_true(is.schedule.interval >= 0);
        if (is.schedule.phase == PHASE_REVIEW)
            assert_true(is.schedule.due_day == is.schedule.last_day + is.schedule.interval);
        buffer_print(&out, "%s: ", rows_text(rows, 0));
        print_schedule(&out, &is);
    }
    rows_close(rows);
    char *text = memory_text(buffer_get(&out));
    buffer_finish(&out);
    return text;
}

void twins_expect_text(char *one, char *other, const char *what)
{
    if (!one || !other || strcmp(one, other) != 0)
        fail_msg("%s: kept up\n%s\nfolded\n%s", what, one ? one : twins.error.message, other ? other : "?");
    memory_free(one);
    memory_free(other);
}

static void expect_same_rows(enum store_query query, const struct store_value *parameters, int count)
{
    char what[32];
    snprintf(what, sizeof what, "query %d", (int)query);
    twins_expect_text(fixture_query(twins.kept, query, parameters, count, &twins.error),
                      fixture_query(twins.folded, query, parameters, count, &twins.error), what);
}

/* What reports read of one learner (NULL: of everyone), in a pack (NULL: in any). */
static void expect_same_attempts(const struct store_value *learner, const char *pack)
{
    const struct store_value null = store_value_null();
    struct store_value of = learner ? *learner : null;
    struct store_value group = learner ? null : store_value_text("both");
    struct store_value stuck[] = { of, null, store_value_text(pack) };
    expect_same_rows(QUERY_STUCK, stuck, 3);
    stuck[1] = store_value_text("both");
    expect_same_rows(QUERY_STUCK, stuck, 3);
    for (int i = 0; i < 4; i++) {
        int64_t now = twins.fixture.time.wall;
        struct store_value attempts[] = { store_value_text(pack),
                                          of,
                                          i & 1 ? group : null,
                                          i & 2 ? store_value_integer(now - 40 * (int64_t)DAY) : null,
                                          i & 2 ? store_value_integer(now - 2 * (int64_t)DAY) : null,
                                          i & 2 ? store_value_text("practice") : null,
                                          i == 3 ? store_value_text("00000000000000aa") : null };
        expect_same_rows(QUERY_ATTEMPTS, attempts, 7);
        expect_same_rows(QUERY_ATTEMPT_LOG, attempts, 7);
        expect_same_rows(QUERY_ANSWERS, attempts, 7);
    }
}

static void expect_same_reports(void)
{
    static const char *const packs[] = { NULL, "tour", "other" };
    const struct store_value groups[] = { store_value_null(), store_value_text("both"),
                                          store_value_text("none") };
    for (int i = 0; i < 3; i++) {
        struct store_value pack = store_value_text(packs[i]);
        for (int k = 0; k < 3; k++)
            expect_same_rows(QUERY_CLASS, (struct store_value[]){ groups[k], pack }, 2);
        expect_same_attempts(NULL, packs[i]);
        for (int k = 0; k < 3; k++)
            for (int query = QUERY_UNDONE_COUNTS; query <= QUERY_GRADED_COUNTS; query++)
                expect_same_rows((enum store_query)query,
                                 (struct store_value[]){ pack, store_value_null(), groups[k] }, 3);
        expect_same_rows(QUERY_REPORTED, &pack, 1);
        expect_same_rows(QUERY_GROUP_MEMBERS, &groups[1 + (i > 1)], 1);
    }
    expect_same_rows(QUERY_GROUPS, NULL, 0);
    expect_same_rows(QUERY_TEXTS, NULL, 0);
    expect_same_rows(QUERY_PACKS, NULL, 0);
    for (int learner = 1; learner <= LEARNERS; learner++) {
        struct uuid id = fixture_id(1000 + learner);
        struct store_value of = store_value_uuid(&id);
        struct store_value days[] = { of, store_value_integer(-1000000) };
        expect_same_rows(QUERY_PROGRESS_PACKS, &of, 1);
        expect_same_rows(QUERY_TEXTS_KEPT, &of, 1);
        for (int k = 0; k < 3; k++)
            for (int query = QUERY_UNDONE_COUNTS; query <= QUERY_GRADED_COUNTS; query++)
                expect_same_rows((enum store_query)query,
                                 (struct store_value[]){ store_value_text(packs[k]), of, groups[k] }, 3);
        expect_same_rows(QUERY_PROGRESS_DAYS, days, 2);
        days[1] = store_value_integer(clock_day(twins.fixture.time.wall, 0, 240) - 9);
        expect_same_rows(QUERY_PROGRESS_DAYS, days, 2);
        expect_same_rows(QUERY_LEARNER_SCHEDULES, &of, 1);
        for (int i = 0; i < 3; i++) {
            struct store_value misses[] = { of, store_value_text(packs[i]), store_value_integer(4 + 40 * i) };
            expect_same_rows(QUERY_MISSES, misses, 3);
            expect_same_attempts(&of, packs[i]);
        }
    }
}

/* Both stores say the same of everyone, now. */
void twins_expect_same(void)
{
    static const char *const packs[] = { "tour", "other" };
    int64_t now = twins.fixture.time.wall, today = clock_day(now, 0, 240);
    for (int learner = 1; learner <= LEARNERS; learner++) {
        struct uuid id = fixture_id(1000 + learner);
        struct store_value of = store_value_uuid(&id);
        for (int i = 0; i < 2; i++) {
            struct store_value known[] = { of, store_value_text(packs[i]), store_value_integer(today),
                                           store_value_integer(now) };
            twins_expect_text(schedules(twins.kept, QUERY_KNOWN, known, 2),
                              schedules(twins.folded, QUERY_KNOWN, known, 2), "known");
            twins_expect_text(schedules(twins.kept, QUERY_DUE, known, 4),
                              schedules(twins.folded, QUERY_DUE, known, 4), "due");
        }
        struct store_value since[] = { of, store_value_integer(now - 3 * (int64_t)DAY) };
        struct store_value days[] = { of, store_value_integer(today - 20) };
        expect_same_rows(QUERY_NEW, since, 2);
        expect_same_rows(QUERY_REVIEWED, since, 2);
        expect_same_rows(QUERY_NEWEST, &of, 1);
        for (int i = -3; i < 3; i++) {
            struct store_value at[] = { of, store_value_integer(now + i * (int64_t)DAY) };
            expect_same_rows(QUERY_LATER, at, 2);
        }
        expect_same_rows(QUERY_DAYS, days, 2);
        expect_same_rows(QUERY_PRACTISED, &of, 1);
        for (int i = 0; i < 2; i++) {
            struct store_value coming[] = { of, store_value_text(packs[i]), store_value_integer(today - 3),
                                            store_value_integer(today + 14) };
            expect_same_rows(QUERY_COMING, coming, 4);
        }
    }
    expect_same_rows(QUERY_QUESTIONS, NULL, 0);
    for (int i = 0; i < 2; i++) {
        struct store_value pack = store_value_text(packs[i]);
        expect_same_rows(QUERY_RESPONSES, &pack, 1);
    }
    expect_same_reports();
}

void twins_expect_no_difference(void)
{
    struct store_rebuild one, other;
    if (!store_rebuild(twins.kept, &one, &twins.error))
        fail_msg("rebuild: %s", twins.error.message);
    assert_true(store_rebuild(twins.folded, &other, &twins.error));
    if (one.different || one.moved)
        fail_msg("%" PRId64 " differ, %" PRId64 " moved, the first %s", one.different, one.moved, one.first);
    assert_true(one.learners == other.learners && one.questions == other.questions &&
                one.answers == other.answers);
}

void twins_add(struct store_session session, const struct store_attempt *attempt)
{
    struct store_session same = session;
    fixture_add(twins.kept, &session, attempt);
    fixture_add(twins.folded, &same, attempt);
}

void twins_tell(struct store_session session, const struct store_event *event)
{
    struct store_session same = session;
    fixture_tell(twins.kept, &session, event);
    fixture_tell(twins.folded, &same, event);
}

struct store_session twins_session(int number)
{
    static const char *const names[LEARNERS] = { "Ann", "Bob", "Cy" };
    int learner = number % LEARNERS;
    return fixture_session(1 + number, 1001 + learner, names[learner]);
}

/* An answer in a version of its question, the texts in static buffers. */
struct store_attempt twins_attempt(int number, const char *pack, int question, int version)
{
    static char ids[100][8];
    static char bodies[VERSIONS][400];
    char *id = ids[question];
    snprintf(id, sizeof ids[0], "q%d", question);
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    snprintf(bodies[version], sizeof bodies[version], twins_versions[version].body, question);
#pragma GCC diagnostic pop
    struct store_attempt attempt = fixture_attempt(number, id, OUTCOME_RIGHT);
    attempt.pack_id = pack;
    attempt.revision = twins_versions[version].revision;
    attempt.body = bodies[version];
    hash_of(&attempt.content, attempt.body, (ptrdiff_t)strlen(attempt.body));
    attempt.answered_at = twins.fixture.time.wall;
    return attempt;
}

/* The clock goes on by anything from nothing to months, and now and then back. */
static void pass_time(void)
{
    static const int64_t steps[] = { 0,       1000, 60000,   600000,           3600000,
                                     DAY / 2, DAY,  3 * DAY, 9 * (int64_t)DAY, 40 * (int64_t)DAY };
    int64_t step = steps[draw(10)] * (1 + draw(3)) + draw(1000);
    twins.fixture.time.wall += draw(12) ? step : -step;
}

static void answer(int number)
{
    static const enum outcome outcomes[] = { OUTCOME_RIGHT, OUTCOME_RIGHT,  OUTCOME_RIGHT,
                                             OUTCOME_WRONG, OUTCOME_PARTLY, OUTCOME_OMITTED };
    int version = draw(8) ? draw(2) : draw(VERSIONS);
    struct store_attempt attempt =
        twins_attempt(number, draw(3) ? "tour" : "other", draw(QUESTIONS), version);
    attempt.verdict.outcome = outcomes[draw(6)];
    attempt.verdict.marks = draw(3);
    attempt.verdict.mark = attempt.verdict.marks * draw(4) / 3.0;
    attempt.showing = 1 + draw(3);
    attempt.certainty = draw(5);
    attempt.hints = draw(4) == 0;
    attempt.retried = draw(6) == 0;
    if (!draw(4)) { /* a card's */
        static const char *const grades[] = { "1", "2", "3", "4" };
        attempt.response = grades[draw(4)];
    }
    attempt.seed = (uint32_t)draw(1000000);
    attempt.utc_offset_s = (draw(28) - 14) * 3600;
    attempt.elapsed_ms = draw(5) ? draw(60000) : -1;
    twins_add(twins_session(draw(SESSIONS)), &attempt);
}

static void mark(int number)
{
    static char body[80];
    struct store_event event = fixture_event(number, draw(2) ? "starred" : "suspended", 0);
    snprintf(body, sizeof body, "{\"question\":[\"tour\",\"q%d\"],\"on\":%s}", draw(QUESTIONS + 2),
             draw(2) ? "true" : "false");
    static const char *const bad[] = { NULL, "[]", "{\"question\":[\"tour\",\"q1\"]}",
                                       "{\"question\":[\"tour\",\"q1\"],\"on\":1}",
                                       "{\"question\":[\"tour\",7],\"on\":true}" };
    event.body = draw(6) ? body : bad[draw(5)];
    twins_tell(twins_session(draw(SESSIONS)), &event);
}

/* Any answer so far graded anew, once more, or before it comes; by bodies that say much or little. */
static void grade(int number)
{
    static const char *const kinds[] = { "regraded", "regraded", "accepted", "voided" };
    static const char *const bodies[] = {
        "{\"by\":\"Tutor\",\"mark\":1,\"marks\":1,\"outcome\":\"right\",\"reason\":\"key\"}",
        "{\"mark\":0.5,\"marks\":1,\"outcome\":\"partly\"}",
        "{\"mark\":0,\"marks\":2.5,\"outcome\":\"wrong\"}",
        "{\"mark\":1e300,\"marks\":1,\"outcome\":\"right\"}",
        "{\"mark\":-1,\"marks\":3,\"outcome\":\"omitted\"}",
        "{\"mark\":\"1\",\"marks\":null,\"outcome\":\"best\"}",
        "{\"mark\":0,\"marks\":0}",
        "[1]",
        NULL,
    };
    int attempt = draw(20) ? TWINS_FIRST + draw(number - TWINS_FIRST + 1) : number + 5;
    struct store_event event = fixture_event(number, kinds[draw(4)], attempt);
    event.body = bodies[draw((int)(sizeof bodies / sizeof *bodies))];
    twins_tell(twins_session(draw(SESSIONS)), &event);
}

static void report(int number)
{
    static const char *const bodies[] = {
        "{\"question\":[\"tour\",\"q1\"],\"text\":\"two are right\"}",
        "{\"question\":[\"other\",\"q2\"],\"text\":\"\"}",
        "{\"question\":[\"other\",\"q2\"]}",
        "{}",
    };
    struct store_event event = fixture_event(number, "reported", 0);
    event.body = bodies[draw(4)];
    event.at = twins.fixture.time.wall;
    twins_tell(twins_session(draw(SESSIONS)), &event);
}

/* Into a group or out of it; not who is not there yet. */
static void join(void)
{
    static const char *const names[] = { "Both", "BOTH", "None" };
    struct uuid id = fixture_id(1001 + draw(LEARNERS));
    int name = draw(3);
    bool in = draw(3) > 0;
    bool kept = store_set_member(twins.kept, &id, names[name], in, &twins.error);
    assert_int_equal(kept, store_set_member(twins.folded, &id, names[name], in, &twins.error));
    assert_true(kept || twins.error.code == ERROR_NOT_FOUND);
}

static void set_parameters(void)
{
    struct fsrs_parameters parameters = fsrs_defaults;
    struct uuid id = fixture_id(1001 + draw(LEARNERS));
    for (int i = 0; i < FSRS_WEIGHTS; i++)
        parameters.weights[i] *= 0.9 + 0.2 * (double)draw(1000000) / 1e6;
    const struct uuid *whose = draw(3) ? &id : NULL;
    assert_true(store_set_parameters(twins.kept, whose, &parameters, "{\"log_loss\":0.3}", &twins.error));
    assert_true(store_set_parameters(twins.folded, whose, &parameters, NULL, &twins.error));
}

static void reopen(void)
{
    store_close(twins.kept);
    twins.kept = fixture_open(&twins.fixture);
}

void twins_operate(int number)
{
    pass_time();
    int which = draw(100);
    if (which < 66) {
        answer(number);
    } else if (which < 74) {
        grade(number);
    } else if (which < 75) {
        report(number);
    } else if (which < 76) {
        join();
    } else if (which < 86) { /* any answer so far, taken back already or not; or one that is yet to come */
        struct store_event event = fixture_event(
            number, "undone", draw(40) ? TWINS_FIRST + draw(number - TWINS_FIRST + 1) : number + 7);
        twins_tell(twins_session(draw(SESSIONS)), &event);
    } else if (which < 98) {
        mark(number);
    } else if (which < 99) {
        reopen();
    } else {
        set_parameters();
    }
}

struct store_schedule twins_schedule(const char *question)
{
    struct uuid id = fixture_id(1001);
    struct store_schedule is;
    if (store_schedule(twins.kept, &id, "tour", question, &is, &twins.error) < 0)
        fail_msg("%s", twins.error.message);
    return is;
}

/* As text, so that two can be compared; in a buffer good for four calls. */
const char *twins_shown(const struct store_schedule *is)
{
    static char texts[4][600];
    static int place;
    struct buffer out;
    buffer_init(&out);
    print_schedule(&out, is);
    char *text = texts[place = (place + 1) % 4];
    snprintf(text, sizeof texts[0], "%s", buffer_get(&out));
    buffer_finish(&out);
    return text;
}
