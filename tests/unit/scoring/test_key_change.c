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

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_choices), cmocka_unit_test(test_others) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
