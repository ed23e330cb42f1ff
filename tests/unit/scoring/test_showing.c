#include "fixture.h"
#include "golden_permutations.h"

#include <stdio.h>

static void test_golden(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        struct random_stream stream = showing_stream(golden[i].pack, golden[i].question, golden[i].seed);
        int order[26];
        for (int k = 0; k < golden[i].count; k++)
            order[k] = k;
        showing_shuffle(&stream, order, golden[i].count);
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(order[k], golden[i].order[k]);
    }
}

static void test_choices(void **state)
{
    (void)state;
    struct choice items[26] = { { .text = "a", .correct = true }, { .text = "b" }, { .text = "c" } };
    for (int i = 3; i < 26; i++)
        items[i].text = "x";
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        if (!*golden[i].question)
            continue;
        struct question question = fixture_choices(golden[i].question, items, golden[i].count);
        struct pack pack = { .id = golden[i].pack, .questions = &question, .question_count = 1 };
        struct showing showing;
        showing_init(&showing, &pack, &question, golden[i].seed, NULL);
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(showing.places[k], golden[i].order[k]);
        showing_init(&showing, &pack, &question, 1, NULL); /* the author's order */
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(showing.places[k], k);
        question.shuffle = false;
        showing_init(&showing, &pack, &question, golden[i].seed, NULL);
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(showing.places[k], k);
    }
}

/* Pinned choices keep their place, and the others come in the order that a shuffle of just them gives. */
static void test_pins(void **state)
{
    (void)state;
    struct choice items[7] = { { .text = "first", .pin = PIN_FIRST },
                               { .text = "b", .correct = true },
                               { .text = "c" },
                               { .text = "d" },
                               { .text = "e" },
                               { .text = "f" },
                               { .text = "none", .pin = PIN_LAST } };
    struct question question = fixture_choices("b", items, 7);
    struct pack pack = { .id = "a", .questions = &question, .question_count = 1 };
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        if (golden[i].count != 5 || strcmp(golden[i].pack, "a") != 0)
            continue;
        struct showing showing;
        showing_init(&showing, &pack, &question, golden[i].seed, NULL);
        assert_int_equal(showing.places[0], 0);
        assert_int_equal(showing.places[6], 6);
        for (int k = 0; k < 5; k++)
            assert_int_equal(showing.places[k + 1], golden[i].order[k] + 1);
    }
}

static void test_question_order(void **state)
{
    (void)state;
    struct choice items[2] = { { .text = "a", .correct = true }, { .text = "b" } };
    struct question questions[26];
    struct pack pack = { .id = "tour", .questions = questions };
    for (int i = 0; i < 26; i++)
        questions[i] = fixture_choices("q", items, 2);
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++) {
        int order[26];
        if (*golden[i].question)
            continue;
        pack.question_count = golden[i].count;
        pack.shuffle = SHUFFLE_ALL;
        showing_question_order(&pack, golden[i].seed, order);
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(order[k], golden[i].order[k]);
        pack.shuffle = SHUFFLE_CHOICES;
        showing_question_order(&pack, golden[i].seed, order);
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(order[k], k);
    }
}

static const struct golden *golden_find(const char *question, uint32_t seed, int count)
{
    for (size_t i = 0; i < sizeof golden / sizeof *golden; i++)
        if (strcmp(golden[i].pack, "tour") == 0 && strcmp(golden[i].question, question) == 0 &&
            golden[i].seed == seed && golden[i].count == count)
            return &golden[i];
    fail_msg("no such order");
    return NULL;
}

/* Sections keep their order; each is shuffled by a stream of its own, and picks the first ones of that. */
static void test_sections(void **state)
{
    (void)state;
    struct choice items[2] = { { .text = "a", .correct = true }, { .text = "b" } };
    struct question questions[8];
    struct section sections[2] = { { "One", NULL, NULL, 0, 5, 2 }, { "Two", NULL, NULL, 5, 3, 3 } };
    struct pack pack = {
        .id = "tour", .questions = questions, .question_count = 8, .sections = sections, .section_count = 2
    };
    static const uint32_t seeds[] = { 2, 7, 42, 4294967295u };
    int order[8], picked[8];
    for (int i = 0; i < 8; i++) {
        questions[i] = fixture_choices("q", items, 2);
        questions[i].section = i < 5 ? 1 : 2;
    }
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        const struct golden *one = golden_find("#1", seeds[i], 5), *two = golden_find("#2", seeds[i], 3);
        showing_question_order(&pack, seeds[i], order);
        for (int k = 0; k < 8; k++)
            assert_int_equal(order[k], k < 5 ? one->order[k] : 5 + two->order[k - 5]);
        for (int k = 0; k < 8; k++)
            assert_int_equal(showing_is_picked(&pack, order, k), k < 2 || k >= 5);
        assert_int_equal(showing_picked_order(&pack, seeds[i], picked), 5);
        for (int k = 0; k < 5; k++)
            assert_int_equal(picked[k], k < 2 ? one->order[k] : 5 + two->order[k - 2]);
    }
    static const int first[] = { 0, 1, 5, 6, 7 };
    for (int shuffle = SHUFFLE_ALL; shuffle <= SHUFFLE_NONE; shuffle++) {
        pack.shuffle = (enum pack_shuffle)shuffle;
        assert_int_equal(showing_picked_order(&pack, shuffle == SHUFFLE_ALL ? 1 : 7, picked), 5);
        assert_memory_equal(picked, first, sizeof first);
    }
    sections[0].pick = 5;
    assert_int_equal(showing_picked_order(&pack, 1, picked), 8);
    pack.section_count = 0;
    assert_int_equal(showing_picked_order(&pack, 1, picked), 8);
}

static void test_items(void **state)
{
    (void)state;
    static const char *texts[26];
    static unsigned char pairs[26];
    struct question steps = { .id = "steps", .type = QUESTION_ORDER };
    struct question match = { .id = "pairs", .type = QUESTION_MATCH };
    struct pack pack = { .id = "tour", .shuffle = SHUFFLE_NONE }; /* which concerns choices only */
    int moved = 0;
    for (size_t i = 0; i < sizeof golden_items / sizeof *golden_items; i++) {
        const struct golden *row = &golden_items[i];
        struct showing showing;
        if (strcmp(row->question, "steps") == 0) {
            steps.key.order = (struct text_list){ texts, row->count };
            assert_true(showing_init(&showing, &pack, &steps, row->seed, NULL));
            assert_int_equal(showing.target_count, 0);
            for (int k = 0; k < row->count; k++)
                assert_int_equal(showing.places[k], row->order[k]);
            moved += row->order[row->count - 1] == 0;
        } else {
            match.key.match = (struct match_key){ { texts, 2 }, { texts, row->count }, pairs, 1 };
            assert_true(showing_init(&showing, &pack, &match, row->seed, NULL));
            assert_int_equal(showing.target_count, row->count);
            for (int k = 0; k < row->count; k++)
                assert_int_equal(showing.targets[k], row->order[k]);
            assert_true(showing.places[0] == 0 && showing.places[1] == 1); /* lefts stay */
        }
        assert_int_equal(showing.count, strcmp(row->question, "steps") ? 2 : row->count);
    }
    assert_true(moved > 0);
}

static const char given_pack[] =
    "format: quiztutor/1\nid: tour\ntitle: T\nquestions:\n"
    "  - id: free\n    given: { p: [2, 4, 8], m: { from: 8, to: 64, step: 8 } }\n    prompt: \"{p} {m}?\"\n"
    "    choices: [{ correct: \"{p}\" }, \"x{p}\", \"y{m}\", z]\n    explanation: e\n"
    "  - id: rows\n    given: { rows: [{ p: 2, m: 8 }, { p: 4, m: 16 }, { p: 8, m: 24 }] }\n"
    "    prompt: \"{p} {m}?\"\n    choices: [{ correct: \"{p}\" }, \"x{p}\", \"y{m}\", z]\n    explanation: "
    "e\n"
    "  - id: typed\n    given: { p: [2, 4, 8], m: { from: 8, to: 64, step: 8 } }\n    derive: { s: \"p * m\" "
    "}\n"
    "    prompt: \"{p} {m}?\"\n    number: s\n    explanation: e\n"
    "  - id: items\n    given: { p: [2, 4, 8], m: { from: 8, to: 64, step: 8 } }\n    prompt: \"{p} {m}?\"\n"
    "    order: [a, \"b{p}\", c, d]\n    explanation: e\n"
    "  - id: failing\n    given: { p: [2, 0] }\n    derive: { q: \"1 / p\" }\n    prompt: \"{p}?\"\n    "
    "number: q\n"
    "    explanation: e\n";

/* Draws of values come before the shuffle. */
static void test_given(void **state)
{
    (void)state;
    struct pack *pack;
    struct diagnostics list;
    struct error error = { 0 };
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, "given", given_pack, (ptrdiff_t)strlen(given_pack), &list, &error))
        fail_msg("%s", list.count ? list.items[0].message : error.message);
    for (size_t i = 0; i < sizeof golden_given / sizeof *golden_given; i++) {
        const struct golden_given *row = &golden_given[i];
        const struct question *question = &pack->questions[pack_find(pack, row->question)];
        struct arena arena;
        struct showing showing;
        char prompt[32], given[64];
        arena_init(&arena);
        assert_true(showing_init(&showing, pack, question, row->seed, &arena));
        assert_ptr_equal(showing.question->origin, question);
        snprintf(prompt, sizeof prompt, "%d %d?", row->p, row->m);
        snprintf(given, sizeof given, "{\"m\":%d,\"p\":%d}", row->m, row->p);
        assert_string_equal(showing.question->prompt, prompt);
        assert_string_equal(showing.question->given, given);
        for (int k = 0; k < showing.count; k++)
            assert_int_equal(showing.places[k], row->order[k]);
        if (question->type == QUESTION_NUMBER)
            assert_true(showing.question->key.number.value == row->p * row->m);
        arena_finish(&arena);
    }
    const struct question *failing = &pack->questions[pack_find(pack, "failing")];
    for (uint32_t seed = 1; seed < 40; seed++) { /* the one that can't be worked out gives way to the first */
        struct arena arena;
        struct showing showing;
        arena_init(&arena);
        assert_true(showing_init(&showing, pack, failing, seed, &arena));
        assert_string_equal(showing.question->prompt, "2?");
        arena_finish(&arena);
    }
    for (long n = 1;; n++) {
        struct arena arena;
        struct showing showing;
        arena_init(&arena);
        memory_fail_after(n);
        bool done = showing_init(&showing, pack, &pack->questions[0], 5, &arena);
        memory_fail_after(0);
        arena_finish(&arena);
        if (done)
            break;
        assert_true(n < 1000);
    }
    pack_destroy(pack);
    diagnostics_finish(&list);
}

static void test_seeds(void **state)
{
    (void)state;
    assert_int_equal(showing_seed(1, 9), 1);
    assert_int_equal(showing_seed(7, 1), 7);
    assert_int_equal(showing_seed(7, 3), 9);
    assert_true(showing_seed(4294967295u, 1) == 4294967295u);
    assert_int_equal(showing_seed(4294967295u, 2), 2);
    assert_int_equal(showing_seed(4294967294u, 4), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_golden),         cmocka_unit_test(test_choices),  cmocka_unit_test(test_pins),
        cmocka_unit_test(test_question_order), cmocka_unit_test(test_items),    cmocka_unit_test(test_given),
        cmocka_unit_test(test_seeds),          cmocka_unit_test(test_sections),
    };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
