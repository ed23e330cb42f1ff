/*
 * The corpus of packs: every good one loads without a word, every bad one is refused with exactly the places,
 * rules and words that the file `expected` lists. The fuzzer starts from the same files.
 */
#include <quiztutor/pack.h>

#include <dirent.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { LINES = 600, LINE = 300 };

struct expectation {
    char name[64], rule[40], fragment[160];
    int line, column;
    bool more; /* the rest is not listed */
};

static struct expectation expected[LINES];
static int expected_count;

static const char *corpus(void)
{
    return getenv("QUIZTUTOR_CORPUS");
}

static int read_expected(void **state)
{
    char path[4096], line[LINE];
    (void)state;
    if (!corpus())
        return -1;
    snprintf(path, sizeof path, "%s/expected", corpus());
    FILE *file = fopen(path, "r");
    if (!file)
        return -1;
    while (fgets(line, sizeof line, file) && expected_count < LINES) {
        struct expectation *one = &expected[expected_count];
        if (line[0] == '#')
            continue;
        one->more = sscanf(line, "%63s %39s", one->name, one->rule) == 2 && strcmp(one->rule, "...") == 0;
        if (one->more) {
            expected_count++;
            continue;
        }
        if (sscanf(line, "%63s %d:%d %39s %159[^\n]", one->name, &one->line, &one->column, one->rule,
                   one->fragment) < 4)
            return -1;
        expected_count++;
    }
    fclose(file);
    return 0;
}

/* Calls check for every pack in a part of the corpus; returns how many there were. */
static int each_pack(const char *part, void (*check)(const char *path, const char *name))
{
    char folder[4096], path[8192], name[256];
    snprintf(folder, sizeof folder, "%s/%s", corpus(), part);
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;) {
        size_t length = strlen(entry->d_name);
        if (length < 6 || strcmp(entry->d_name + length - 5, ".yaml") != 0)
            continue;
        snprintf(name, sizeof name, "%.*s", (int)length - 5, entry->d_name);
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        check(path, name);
        count++;
    }
    closedir(directory);
    return count;
}

static void check_good(const char *path, const char *name)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    bool loaded = pack_load(&pack, path, &list, &error);
    if (!loaded || list.count > 0)
        fail_msg("%s: %s", name, list.count > 0 ? list.items[0].message : error.message);
    pack_destroy(pack);
    diagnostics_finish(&list);
}

static void complain(const char *name, const struct diagnostics *list, const char *what)
{
    struct buffer out;
    buffer_init(&out);
    diagnostics_print(list, &out);
    fprintf(stderr, "%s", buffer_get(&out));
    buffer_finish(&out);
    fail_msg("%s: %s", name, what);
}

static void check_bad(const char *path, const char *name)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    struct pack *pack;
    diagnostics_init(&list);
    bool loaded = pack_load(&pack, path, &list, &error);
    if (loaded || pack || error.code != ERROR_NONE || list.errors == 0)
        complain(name, &list, "it was not refused with an error");
    ptrdiff_t at = 0;
    bool listed = false, more = false;
    for (int i = 0; i < expected_count; i++) {
        const struct expectation *one = &expected[i];
        if (strcmp(one->name, name) != 0)
            continue;
        listed = true;
        more = more || one->more;
        if (one->more)
            continue;
        if (at == list.count)
            complain(name, &list, "too little was told");
        const struct diagnostic *got = &list.items[at++];
        bool found = strstr(got->message, one->fragment) || (got->hint && strstr(got->hint, one->fragment));
        if (got->line != one->line || got->column != one->column || strcmp(got->rule, one->rule) != 0 ||
            !found) {
            fprintf(stderr, "%s: expected %d:%d %s %s\n", name, one->line, one->column, one->rule,
                    one->fragment);
            complain(name, &list, "something else was told");
        }
    }
    if (listed && !more && at < list.count)
        complain(name, &list, "too much was told");
    if (!listed)
        complain(name, &list, "it is not in the list of expectations");
    diagnostics_finish(&list);
}

static void test_good(void **state)
{
    (void)state;
    assert_true(each_pack("good", check_good) >= 15);
}

static void test_bad(void **state)
{
    (void)state;
    assert_true(each_pack("bad", check_bad) >= 100);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_good), cmocka_unit_test(test_bad) };
    return cmocka_run_group_tests(tests, read_expected, NULL);
}
