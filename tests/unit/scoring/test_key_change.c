#include "fixture.h"

#include <quiztutor/key_change.h>

static const char *const single = "single-choice", *const multiple = "multiple-choice";

/* "+a -b" as texts; at most eight of them. */
static struct key read_key(const char *type, const char *words, struct key_text *texts, char *room)
{
    struct key key = { .type = type, .texts = texts };
    strcpy(room, words);
    for (char *word = strtok(room, " "); word; word = strtok(NULL, " "))
        texts[key.count++] = (struct key_text){ word + 1, *word == '+' };
    return key;
}

static void expect(const char *old_type, const char *old, const char *new_type, const char *now,
                   bool overturned)
{
    struct key_text texts[2][8];
    char room[2][100];
    struct key before = read_key(old_type, old, texts[0], room[0]);
    struct key after = read_key(new_type, now, texts[1], room[1]);
    if (key_overturned(&before, &after) != overturned)
        fail_msg("%s -> %s should %soverturn", old, now, overturned ? "" : "not ");
}

static void test_choices(void **state)
{
    (void)state;
    expect(single, "+a -b -c", single, "+a -b -c", false);
    expect(single, "+a -b -c", single, "-c +a -b", false);  /* another order */
    expect(single, "+a -b -c", single, "+a -b -d", false);  /* another distractor */
    expect(single, "+aa -b -c", single, "+a -b -c", false); /* the right one reworded */
    expect(single, "+a -b -c", single, "+a -b", false);     /* a distractor less */
    expect(single, "+a -b -c", single, "-a +b -c", true);   /* the key was wrong */
    expect(single, "+a -b -c", single, "+x -a -b", true);   /* what was right is wrong */
    expect(single, "+a -b -c", multiple, "+a +b -c", true); /* more is right: a alone no longer is */
    expect(multiple, "+a +b -c", single, "+a -b -c", true);
    expect(multiple, "+a +b -c", single, "+a -c", false); /* one of the right ones is gone */
    expect(multiple, "+a +b -c", multiple, "+a +b -d", false);
    expect(multiple, "+a +b -c", multiple, "+a +bb -c", false);
    expect(single, "", single, "+a -b", false);
}

static void test_others(void **state)
{
    (void)state;
    struct key yes = { .type = "true-false", .value = "true" },
               no = { .type = "true-false", .value = "false" };
    assert_false(key_overturned(&yes, &yes));
    assert_true(key_overturned(&yes, &no));
    struct key one = { .type = "number", .value = "1.5" }, two = { .type = "number", .value = "2" };
    assert_false(key_overturned(&one, &one));
    assert_true(key_overturned(&one, &two));
    assert_true(key_overturned(&yes, &one));
    struct key mended = { .type = "number", .value = "1.50" }, none = { .type = "number" };
    struct key unit = { .type = "number", .value = "1.5 GB" },
               other = { .type = "number", .value = "1.5 MB" };
    assert_false(key_overturned(&one, &mended)); /* the same number */
    assert_true(key_overturned(&one, &unit));
    assert_true(key_overturned(&unit, &other));
    assert_false(key_overturned(&unit, &unit));
    assert_true(key_overturned(&one, &none));
    assert_true(key_overturned(&none, &one));
    expect("text", "+colour", "text", "+colour +color", false);
    expect("text", "+colour +color", "text", "+colour", true);
    expect(single, "+a -b", "text", "+a", true);
}

static const char *const abc[] = { "a", "b", "c", "d" }, *const acb[] = { "a", "c", "b", "d" };
static const char *const abx[] = { "a", "b", "x", "d" };

static void expect_order(const char *const *old, int old_count, const char *const *now, int count,
                         bool overturned)
{
    struct key before = { .type = "order" }, after = { .type = "order" };
    struct arena arena;
    arena_init(&arena);
    assert_true(key_of_order(&before, &(struct text_list){ old, old_count }, &arena));
    assert_true(key_of_order(&after, &(struct text_list){ now, count }, &arena));
    assert_int_equal(key_overturned(&before, &after), overturned);
    arena_finish(&arena);
}

static void test_orders(void **state)
{
    (void)state;
    expect_order(abc, 4, abc, 4, false);
    expect_order(abc, 4, acb, 4, true);
    expect_order(abc, 4, abx, 4, false); /* reworded */
    expect_order(abc, 3, abc, 4, false); /* one more */
    expect_order(abc, 4, abc, 3, false);
    expect_order(abc, 2, acb, 4, false); /* something between them */
}

static void expect_match(const char *const *old, const char *old_extra, const char *const *now,
                         const char *extra, bool overturned)
{
    static const char *const lefts[] = { "l", "m", "n" };
    struct key before = { .type = "match" }, after = { .type = "match" };
    const struct text_list left = { lefts, 3 };
    struct arena arena;
    arena_init(&arena);
    assert_true(key_of_match(&before, &left, &(struct text_list){ old, 3 },
                             &(struct text_list){ &old_extra, old_extra != NULL }, &arena));
    assert_true(key_of_match(&after, &left, &(struct text_list){ now, 3 },
                             &(struct text_list){ &extra, extra != NULL }, &arena));
    assert_int_equal(key_overturned(&before, &after), overturned);
    arena_finish(&arena);
}

static void test_matches(void **state)
{
    (void)state;
    static const char *const twice[] = { "a", "b", "a" }, *const turned[] = { "a", "a", "b" };
    expect_match(abc, NULL, abc, NULL, false);
    expect_match(abc, NULL, acb, NULL, true);
    expect_match(abc, NULL, abx, NULL, false); /* reworded */
    expect_match(abc, NULL, abc, "x", false);
    expect_match(abc, "x", abx, NULL, true); /* what was wrong is right */
    expect_match(abx, NULL, abc, "x", true);
    expect_match(twice, NULL, twice, NULL, false);
    expect_match(twice, NULL, turned, NULL, true);
}

static void test_texts(void **state)
{
    (void)state;
    static const struct key_text big = { "Colour", true }, small = { "colour", true };
    struct key old = { .type = "text", .texts = &big, .count = 1, .ignore = IGNORE_CASE };
    struct key now = { .type = "text", .texts = &small, .count = 1, .ignore = IGNORE_CASE };
    assert_false(key_overturned(&old, &now));
    now.ignore = 0;
    assert_true(key_overturned(&old, &now));
}

static void test_derived(void **state)
{
    (void)state;
    static const struct key_derived old = { "s", "p * m" }, spaced = { "s", " p*m" },
                                    other = { "s", "p + m" }, more = { "t", "p + m" };
    struct key before = { .type = "number", .value = "s", .derived = &old, .derived_count = 1 };
    struct key after = before;
    after.derived = &spaced;
    assert_false(key_overturned(&before, &after));
    after.derived = &other;
    assert_true(key_overturned(&before, &after));
    after.derived = &more; /* renamed: the answer tells */
    assert_false(key_overturned(&before, &after));
    after.value = "t";
    assert_true(key_overturned(&before, &after));
}

static void test_cards(void **state)
{
    (void)state;
    struct question old = { .type = QUESTION_RECALL, .key.recall = "one" },
                    now = { .type = QUESTION_RECALL, .key.recall = "two" };
    struct key before, after;
    struct arena arena;
    arena_init(&arena);
    assert_true(key_of_question(&before, &old, &arena) && key_of_question(&after, &now, &arena));
    assert_false(key_overturned(&before, &after));
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_choices), cmocka_unit_test(test_others),
                                        cmocka_unit_test(test_orders),  cmocka_unit_test(test_matches),
                                        cmocka_unit_test(test_texts),   cmocka_unit_test(test_derived),
                                        cmocka_unit_test(test_cards) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
