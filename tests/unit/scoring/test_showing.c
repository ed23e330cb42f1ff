#include "fixture.h"
#include "golden_permutations.h"

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
        showing_init(&showing, &pack, &question, golden[i].seed);
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(showing.places[k], golden[i].order[k]);
        showing_init(&showing, &pack, &question, 1); /* the author's order */
        for (int k = 0; k < golden[i].count; k++)
            assert_int_equal(showing.places[k], k);
        question.shuffle = false;
        showing_init(&showing, &pack, &question, golden[i].seed);
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
        showing_init(&showing, &pack, &question, golden[i].seed);
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
        cmocka_unit_test(test_golden),         cmocka_unit_test(test_choices), cmocka_unit_test(test_pins),
        cmocka_unit_test(test_question_order), cmocka_unit_test(test_seeds),
    };
    return hash_start() ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
}
