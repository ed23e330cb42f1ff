/*
 * Keys as the store reads them back: of questions of every type, loaded from packs as tutors write them, and
 * put through the log by instances where they are parametrised. What is overturned stands in the table; the
 * keys made of the questions themselves must say the same.
 */
#include "fixture.h"

#include <quiztutor/key_change.h>

static const struct change {
    const char *old, *now; /* the answer keys of a question */
    bool overturned;
} changes[] = {
    { "choices: [{correct: A}, B, C]", "choices: [C, {correct: A}, D]", false },
    { "choices: [{correct: A}, B, C]", "choices: [A, {correct: B}, C]", true },
    { "choices: [{correct: A}, {wrong: B, id: b}]", "choices: [{correct: A}, {wrong: Bee, id: b}]", false },
    { "choices: [{correct: A}, {wrong: B, id: b}]", "choices: [A, {correct: Bee, id: b}]", true },
    { "choices: [{correct: A}, B, C]", "choices: [{correct: A}, {correct: B}, C]", true },
    { "true_false: true", "true_false: true", false },
    { "true_false: true", "true_false: false", true },
    { "number: 0.50", "number: {answer: 0.5, tolerance: 1%, unit: s}", false },
    { "number: 5e2", "number: 500", false },
    { "number: \"\xe2\x88\x92"
      "5\"",
      "number: -5", false },
    { "number: 0.5", "number: 0.51", true },
    { "number: 5", "true_false: true", true },
    { "text: [colour, color]", "text: [color, colour, tint]", false },
    { "text: [colour, color]", "text: colour", true },
    { "text: colour", "text: COLOUR", false },
    { "text: colour", "text: {accept: [COLOUR], ignore: []}", true },
    { "text: {accept: [na\xc3\xafve], ignore: [accents]}", "text: {accept: [naive], ignore: [accents]}",
      false },
    { "text: 5", "number: 5", true },
    { "order: [a, b, c]", "order: [a, b, c]\n    marking: each-decision", false },
    { "order: [a, b, c]", "order: [a, c, b]", true },
    { "order: [a, b, c]", "order: [a, x, c, d]", false },
    { "order: [a, b, c, d]", "order: [a, b, d]", false },
    { "match: {l: A, m: B}", "match: {m: B, l: A}", false },
    { "match: {l: A, m: B}", "match: {l: B, m: A}", true },
    { "match: {l: A, m: B}", "match: {l: A, m: Bee, n: C}\n    extra: [D]", false },
    { "match: {l: A, m: B}\n    extra: [X]", "match: {l: X, m: B}", true },
    { "match: {l: A, m: A}", "match: {l: A, m: B}", true },
    { "recall: One", "recall: Two", false },
    { "recall: One", "text: One", true },
    /* parametrised: templates and expressions decide, not the values of the day */
    { "given: {p: [1, 2]}\n    derive: {s: p + 1}\n    number: s",
      "given: {p: [7, 8, 9]}\n    derive: {s: p+1, t: s * 2}\n    number: {answer: s, tolerance: 1}", false },
    { "given: {p: [1, 2]}\n    derive: {s: p + 1}\n    number: s",
      "given: {p: [1, 2]}\n    derive: {s: p + 2}\n    number: s", true },
    { "given: {p: [1, 2]}\n    derive: {s: p + 1}\n    number: s", "number: 2", true },
    { "given: {p: [1, 2]}\n    choices: [{correct: \"{p}\"}, \"x{p}\"]",
      "given: {p: [1, 2]}\n    choices: [\"x{p}\", {correct: \"{p}\"}, z]", false },
    { "given: {p: [1, 2]}\n    choices: [{correct: \"{p}\"}, \"x{p}\"]",
      "given: {p: [1, 2]}\n    choices: [{correct: \"x{p}\"}, \"{p}\"]", true },
    { "given: {p: [1, 2]}\n    order: [\"{p}\", b]", "given: {p: [1, 2]}\n    order: [b, \"{p}\"]", true },
    { "given: {p: [1, 2]}\n    match: {\"l{p}\": A, m: \"B{p}\"}",
      "given: {p: [1, 2]}\n    match: {\"l{p}\": A, m: \"B{p}\"}\n    extra: [x]", false },
    { "given: {p: [1, 2]}\n    match: {\"l{p}\": A, m: \"B{p}\"}",
      "given: {p: [1, 2]}\n    match: {\"l{p}\": \"B{p}\", m: A}", true },
    { "given: {p: [1, 2]}\n    text: \"n{p}\"", "given: {p: [1, 2]}\n    text: [\"N{p}\", other]", false },
    { "given: {p: [1, 2]}\n    text: \"n{p}\"", "given: {p: [1, 2]}\n    text: [\"m{p}\"]", true },
    { "given: {p: [1, 2]}\n    recall: \"n{p}\"", "given: {p: [1, 2]}\n    recall: \"m{p}\"", false },
    { "given: {p: [1, 2]}\n    true_false: true", "given: {p: [1, 2]}\n    true_false: false", true },
};

static struct fixture fixture;
static struct error error;

static int start(void **state)
{
    (void)state;
    fixture_start(&fixture);
    return 0;
}

static int end(void **state)
{
    (void)state;
    fixture_end(&fixture);
    return 0;
}

struct asked {
    struct pack *pack;
    struct arena arena;
    struct showing showing;
    struct buffer body;
    char revision[PACK_REVISION + 1];
};

static void ask(struct asked *asked, const char *key, uint32_t seed)
{
    static char text[2000];
    struct diagnostics list;
    diagnostics_init(&list);
    snprintf(text, sizeof text,
             "format: quiztutor/1\nid: tour\ntitle: T\nquestions:\n  - id: q1\n    prompt: P\n"
             "    explanation: E\n    %s\n",
             key);
    if (!pack_load_bytes(&asked->pack, "t", text, (ptrdiff_t)strlen(text), &list, &error))
        fail_msg("%s\n%s", text, list.count ? list.items[0].message : error.message);
    diagnostics_finish(&list);
    arena_init(&asked->arena);
    buffer_init(&asked->body);
    assert_true(showing_init(&asked->showing, asked->pack, asked->pack->questions, seed, &asked->arena));
    assert_true(question_body(asked->showing.question, &asked->body));
    assert_true(question_revision(asked->showing.question, asked->revision));
}

static void asked_finish(struct asked *asked)
{
    buffer_finish(&asked->body);
    arena_finish(&asked->arena);
    pack_destroy(asked->pack);
}

static struct store_attempt attempt_of(int number, const struct asked *asked)
{
    struct store_attempt attempt = fixture_attempt(number, "q1", OUTCOME_RIGHT);
    attempt.revision = asked->revision;
    attempt.body = buffer_get(&asked->body);
    hash_of(&attempt.content, attempt.body, asked->body.length);
    return attempt;
}

static bool overturned_by_model(const struct asked *old, const struct asked *now)
{
    struct key was, is;
    struct arena arena;
    arena_init(&arena);
    assert_true(key_of_question(&was, old->showing.question, &arena));
    assert_true(key_of_question(&is, now->showing.question, &arena));
    bool overturned = key_overturned(&was, &is);
    arena_finish(&arena);
    return overturned;
}

static void test_table(void **state)
{
    (void)state;
    struct store *stores[2];
    stores[0] = fixture_open(&fixture);
    assert_true(store_open_memory(&stores[1], &fixture.options, &error));
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const struct change *change = &changes[i];
        struct asked old, now, again;
        ask(&old, change->old, 5);
        ask(&now, change->now, 7);
        ask(&again, change->old, 6); /* the same question, with other values perhaps */
        if (overturned_by_model(&old, &now) != change->overturned)
            fail_msg("the questions: %s\n-> %s", change->old, change->now);
        for (int k = 0; k < 2; k++) {
            struct store_session session = fixture_session(100 + (int)i, 2, "Ann");
            struct store_attempt attempt = attempt_of(1000 + (int)i, &old);
            bool overturned = !change->overturned;
            fixture_add(stores[k], &session, &attempt);
            if (!store_key_overturned(stores[k], &attempt.content, buffer_get(&now.body), &overturned,
                                      &error))
                fail_msg("%s: %s", change->old, error.message);
            if (overturned != change->overturned)
                fail_msg("store %d: %s\n-> %s\n%s\n%s", k, change->old, change->now, buffer_get(&old.body),
                         buffer_get(&now.body));
            overturned = true;
            assert_true(store_key_overturned(stores[k], &attempt.content, buffer_get(&again.body),
                                             &overturned, &error));
            assert_false(overturned);
        }
        asked_finish(&old);
        asked_finish(&now);
        asked_finish(&again);
    }
    store_close(stores[0]);
    store_close(stores[1]);
}

/* Two instances of one question are one history; another expression begins a new one. */
static void test_schedule(void **state)
{
    (void)state;
    static const char first[] =
        "given: {p: {from: 1, to: 50, step: 1}}\n    derive: {s: p + 1}\n    number: s";
    static const char other[] =
        "given: {p: {from: 1, to: 50, step: 1}}\n    derive: {s: p + 2}\n    number: s";
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    struct store_schedule is;
    struct uuid learner;
    for (int i = 0; i < 3; i++) {
        struct asked asked;
        ask(&asked, i < 2 ? first : other, (uint32_t)(5 + i));
        struct store_attempt attempt = attempt_of(10 + i, &asked);
        fixture_add(store, &session, &attempt);
        learner = session.learner.id;
        assert_int_equal(store_schedule(store, &learner, "tour", "q1", &is, &error), 1);
        assert_int_equal(is.schedule.answers, i < 2 ? i + 1 : 1);
        asked_finish(&asked);
    }
    fixture_expect_in_step(store);
    store_close(store);
}

/* Without memory it says so, and finds out the next time. */
static void test_memory(void **state)
{
    (void)state;
    struct store *store = fixture_open(&fixture);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i += 3) {
        struct store_session session = fixture_session(100, 2, "Ann");
        struct asked old, now;
        ask(&old, changes[i].old, 5);
        ask(&now, changes[i].now, 7);
        struct store_attempt attempt = attempt_of(1000 + (int)i, &old);
        fixture_add(store, &session, &attempt);
        bool overturned = false, done = false;
        for (long n = 1; !done; n++) {
            memory_fail_after(n);
            done = store_key_overturned(store, &attempt.content, buffer_get(&now.body), &overturned, &error);
            memory_fail_after(0);
            assert_true(done || error.code == ERROR_MEMORY);
            assert_true(n < 10000);
        }
        assert_int_equal(overturned, changes[i].overturned);
        asked_finish(&old);
        asked_finish(&now);
    }
    store_close(store);
}

/* A store may hold anything as a body. */
static void test_hostile_bodies(void **state)
{
    (void)state;
    static const char *const bodies[] = {
        "1",
        "[]",
        "{}",
        "{\"type\":1}",
        "{\"type\":\"text\"}",
        "{\"type\":\"text\",\"text\":{\"accept\":7}}",
        "{\"type\":\"text\",\"text\":{\"accept\":[1,null,{}],\"ignore\":[\"case\",\"none\",3]}}",
        "{\"type\":\"order\",\"order\":[[],\"a\",{\"b\":1}]}",
        "{\"type\":\"match\",\"match\":{\"pairs\":[1,[],[1],[null,2]]}}",
        "{\"type\":\"match\",\"match\":{\"pairs\":[[\"a\"]],\"extra\":{}}}",
        "{\"type\":\"number\",\"number\":{\"value\":[1,2]}}",
        "{\"type\":\"number\",\"number\":\"5\"}",
        "{\"type\":\"single-choice\",\"choices\":[[],{},{\"text\":1,\"correct\":\"x\"}]}",
        "{\"type\":\"number\",\"key\":{\"answer\":7,\"derive\":[1]}}",
        "{\"type\":\"number\",\"key\":[1]}",
        "{\"type\":\"single-choice\",\"key\":{\"choices\":[[],[1],[\"a\",\"b\"]]}}",
        "{\"type\":\"no such type\",\"truth\":true}",
    };
    enum { BODIES = sizeof bodies / sizeof *bodies };
    struct store *store = fixture_open(&fixture);
    struct store_session session = fixture_session(1, 2, "Ann");
    for (int i = 0; i < BODIES; i++) {
        struct store_attempt attempt = fixture_attempt(10 + i, "q1", OUTCOME_RIGHT);
        char revision[20];
        snprintf(revision, sizeof revision, "%016d", i);
        attempt.revision = revision;
        attempt.body = bodies[i];
        hash_of(&attempt.content, attempt.body, (ptrdiff_t)strlen(attempt.body));
        fixture_add(store, &session, &attempt);
        for (int k = 0; k < BODIES; k++) {
            bool overturned;
            if (!store_key_overturned(store, &attempt.content, bodies[k], &overturned, &error))
                fail_msg("%s, %s: %s", bodies[i], bodies[k], error.message);
            assert_true(i != k || !overturned);
        }
    }
    fixture_expect_in_step(store);
    store_close(store);
}

int main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, start, end)
    const struct CMUnitTest tests[] = { T(test_table), T(test_schedule), T(test_memory),
                                        T(test_hostile_bodies) };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
