/*
 * The queue against what it promises: no item lost, the least remembered first, and neighbours of one topic
 * only where every order has as many. The least number of such neighbours is found by trying all orders of
 * topics, not by the queue's own rule.
 */
#include <quiztutor/memory.h>
#include <quiztutor/queue.h>
#include <quiztutor/random.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct queue_item item(double chance, const char *topic, int place)
{
    return (struct queue_item){ .retrievability = chance, .topic = topic, .place = place, .index = place };
}

static void check_order(struct queue_item *items, int count, const int *expected)
{
    assert_true(queue_order(items, count));
    for (int i = 0; i < count; i++)
        assert_int_equal(items[i].index, expected[i]);
}

static void test_order(void **state)
{
    (void)state;
    struct queue_item nothing[1] = { item(0.5, "a", 7) };
    assert_true(queue_order(NULL, 0));
    assert_true(queue_order(nothing, 1));
    assert_int_equal(nothing[0].index, 7);

    struct queue_item plain[] = { item(0.9, "a", 0), item(0.2, "b", 1), item(0.5, "c", 2) };
    check_order(plain, 3, (const int[]){ 1, 2, 0 });

    struct queue_item ties[] = { item(0.5, "a", 3), item(0.5, "b", 1), item(0.5, "c", 2) };
    check_order(ties, 3, (const int[]){ 1, 2, 3 });

    /* two of a topic that would meet: the next of another goes between */
    struct queue_item between[] = { item(0.1, "a", 0), item(0.2, "a", 1), item(0.3, "b", 2),
                                    item(0.4, "c", 3) };
    check_order(between, 4, (const int[]){ 0, 2, 1, 3 });

    /* left to the end, they would meet: the topic with most left comes first though it is remembered best */
    struct queue_item early[] = { item(0.1, "b", 0), item(0.2, "c", 1), item(0.8, "a", 2), item(0.85, "a", 3),
                                  item(0.9, "a", 4) };
    check_order(early, 5, (const int[]){ 2, 0, 3, 1, 4 });

    /* one topic only, and no topic at all */
    struct queue_item alone[] = { item(0.3, "a", 0), item(0.1, "a", 1), item(0.2, "a", 2) };
    check_order(alone, 3, (const int[]){ 1, 2, 0 });
    struct queue_item none[] = { item(0.3, NULL, 0), item(0.1, NULL, 1), item(0.2, "b", 2) };
    check_order(none, 3, (const int[]){ 1, 2, 0 });

    /* what is no number counts as forgotten */
    struct queue_item odd[] = { item(0.3, "a", 0), item(__builtin_nan(""), "b", 1), item(0.2, "c", 2) };
    check_order(odd, 3, (const int[]){ 1, 2, 0 });
}

/* The least number of neighbours alike over all orders of these numbers of topics. */
static int fewest(int left[4], int last)
{
    int best = 1000;
    bool any = false;
    for (int i = 0; i < 4; i++) {
        if (!left[i])
            continue;
        any = true;
        left[i]--;
        int rest = fewest(left, i) + (i == last);
        left[i]++;
        if (rest < best)
            best = rest;
    }
    return any ? best : 0;
}

static int alike(const struct queue_item *items, int count)
{
    int found = 0;
    for (int i = 1; i < count; i++)
        found += strcmp(items[i].topic, items[i - 1].topic) == 0;
    return found;
}

static void test_no_more_than_it_must(void **state)
{
    (void)state;
    static const char *const topics[] = { "one", "two", "three", "four" };
    struct random_stream random = { 11 };
    for (int turn = 0; turn < 3000; turn++) {
        struct queue_item items[9], again[9];
        int count = (int)random_below(&random, 10), left[4] = { 0 };
        int kinds = 1 + (int)random_below(&random, 4);
        for (int i = 0; i < count; i++) {
            int topic = (int)random_below(&random, (uint64_t)kinds);
            if (random_below(&random, 3) == 0)
                topic = 0;
            left[topic]++;
            items[i] = item((double)random_below(&random, 5) / 4, topics[topic], i);
            again[count - 1 - i] = items[i];
        }
        assert_true(queue_order(items, count));
        assert_int_equal(alike(items, count), fewest(left, -1));
        bool met[9] = { false };
        for (int i = 0; i < count; i++) {
            assert_false(met[items[i].index]);
            met[items[i].index] = true;
        }
        /* within a topic the least remembered first, ties by place */
        for (int i = 0; i < count; i++)
            for (int k = i + 1; k < count; k++)
                if (strcmp(items[i].topic, items[k].topic) == 0)
                    assert_true(items[i].retrievability < items[k].retrievability ||
                                (items[i].retrievability <= items[k].retrievability &&
                                 items[i].place < items[k].place));
        /* the same whatever order they come in */
        assert_true(queue_order(again, count));
        for (int i = 0; i < count; i++)
            assert_int_equal(again[i].index, items[i].index);
    }
}

/* Many items and many topics take no longer than sorting them: 100,000 would not end by a slow rule. */
static void test_many(void **state)
{
    (void)state;
    enum { COUNT = 100000 };
    struct queue_item *items = memory_alloc(COUNT * (ptrdiff_t)sizeof *items);
    char(*names)[8] = memory_alloc(COUNT * (ptrdiff_t)sizeof *names);
    struct random_stream random = { 5 };
    assert_non_null(items);
    assert_non_null(names);
    for (int shape = 0; shape < 2; shape++) {
        for (int i = 0; i < COUNT; i++) {
            int topic = shape ? i : i % 2;
            for (int k = 0; k < 6; k++, topic /= 10)
                names[i][k] = (char)('0' + topic % 10);
            names[i][6] = '\0';
            items[i] = item((double)random_below(&random, 1000) / 1000, names[i], i);
        }
        assert_true(queue_order(items, COUNT));
        assert_int_equal(alike(items, COUNT), 0);
    }
    memory_free(items);
    memory_free(names);
}

static void test_no_memory(void **state)
{
    (void)state;
    for (long n = 1; n < 20; n++) {
        struct queue_item items[] = { item(0.9, "a", 0), item(0.2, "b", 1), item(0.5, "c", 2) };
        memory_fail_after(n);
        bool done = queue_order(items, 3);
        memory_fail_after(0);
        if (done) {
            assert_in_range(n, 5, 19);
            return;
        }
        for (int i = 0; i < 3; i++)
            assert_int_equal(items[i].index, i); /* as it was */
    }
    fail_msg("never enough memory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_no_more_than_it_must),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
