/* Finding packs: by id, by path, in folders that shadow each other. */
#include <quiztutor/library.h>

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[] = "/tmp/test-library-XXXXXX";
static char one[64], two[64], missing[64];

static void put(const char *folder, const char *name, const char *id, const char *title)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file,
            "format: quiztutor/1\nid: %s\ntitle: %s\nquestions:\n  - {id: a, prompt: p, true_false: true, "
            "explanation: e}\n",
            id, title);
    fclose(file);
}

static int make(void **state)
{
    char path[128];
    (void)state;
    if (!mkdtemp(root))
        return -1;
    snprintf(one, sizeof one, "%s/one", root);
    snprintf(two, sizeof two, "%s/two", root);
    snprintf(missing, sizeof missing, "%s/missing", root);
    mkdir(one, 0700);
    mkdir(two, 0700);
    put(one, "b.yaml", "beta", "zeta title");
    put(one, "a.yml", "alpha", "Alpha");
    put(one, "same.yaml", "beta", "Beta again");
    put(two, "alpha.yaml", "alpha", "Alpha elsewhere");
    put(two, "gamma.yaml", "gamma", "Middle");
    put(two, "notes.txt", "notes", "Notes");
    put(two, ".hidden.yaml", "hidden", "Hidden");
    put(two, "broken.yaml", "broken", "[broken");
    snprintf(path, sizeof path, "%s/folder.yaml", two);
    mkdir(path, 0700);
    snprintf(path, sizeof path, "%s/fifo.yaml", two);
    return mkfifo(path, 0600);
}

static int clean(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

struct find {
    struct library *library;
    const struct pack **packs;
    ptrdiff_t count, capacity;
    struct diagnostics list;
    struct error error;
};

static void start(struct find *find)
{
    const char *folders[] = { missing, one, two };
    memset(find, 0, sizeof *find);
    diagnostics_init(&find->list);
    assert_true(library_create(&find->library, folders, 3, &find->error));
}

static bool ask(struct find *find, const char *argument)
{
    find->error.code = ERROR_NONE;
    find->error.message[0] = '\0';
    return library_find(find->library, argument, &find->packs, &find->count, &find->capacity, &find->list,
                        &find->error);
}

static void finish(struct find *find)
{
    library_destroy(find->library);
    memory_free(find->packs);
    diagnostics_finish(&find->list);
}

static void test_list(void **state)
{
    struct find find;
    const struct library_entry *entries;
    int count;
    (void)state;
    start(&find);
    for (int turn = 0; turn < 2; turn++) {
        assert_true(library_list(find.library, &entries, &count, &find.error));
        static const char *const titles[] = { "Alpha", "Alpha elsewhere", "Beta again", NULL,
                                              NULL,    "Middle",          "zeta title" };
        assert_int_equal(count, 7);
        for (int i = 0; i < count; i++) {
            assert_true(entries[i].pack != NULL || entries[i].problem != NULL);
            if (titles[i])
                assert_string_equal(entries[i].pack->title, titles[i]);
        }
        assert_null(entries[0].shadowed_by);
        assert_non_null(strstr(entries[1].shadowed_by, "one/a.yml"));
        assert_non_null(strstr(entries[2].shadowed_by, "one/b.yaml"));
        assert_non_null(strstr(entries[3].path, "broken.yaml"));
        assert_non_null(strstr(entries[3].problem, "line 3"));
        assert_non_null(strstr(entries[4].problem, "named pipe"));
    }
    finish(&find);
}

static void test_find(void **state)
{
    struct find find;
    char path[128];
    (void)state;
    start(&find);
    assert_true(ask(&find, "alpha"));
    assert_string_equal(find.packs[0]->title, "Alpha"); /* the first folder wins */
    assert_true(ask(&find, "gamma"));
    assert_true(ask(&find, "alpha"));
    snprintf(path, sizeof path, "%s/./a.yml", one);
    assert_true(ask(&find, path)); /* the same pack, named twice */
    assert_int_equal(find.count, 2);
    snprintf(path, sizeof path, "%s/alpha.yaml", two);
    assert_false(ask(&find, path));
    assert_int_equal(find.error.code, ERROR_INPUT);
    assert_non_null(strstr(find.error.message, "same id \"alpha\""));
    assert_int_equal(find.count, 2);
    finish(&find);
}

static void test_unknown(void **state)
{
    struct find find;
    char path[128];
    (void)state;
    start(&find);
    assert_false(ask(&find, "gama"));
    assert_int_equal(find.error.code, ERROR_NOT_FOUND);
    assert_non_null(strstr(find.error.message, "did you mean \"gamma\"?"));
    assert_false(ask(&find, "nothing-like-it"));
    assert_int_equal(find.error.code, ERROR_NOT_FOUND);
    assert_null(strstr(find.error.message, "did you mean"));
    assert_false(ask(&find, "gone.yaml"));
    assert_int_equal(find.error.code, ERROR_NOT_FOUND);
    assert_false(ask(&find, "hidden"));
    snprintf(path, sizeof path, "%s/folder.yaml", two);
    assert_false(ask(&find, path));
    assert_int_equal(find.error.code, ERROR_NOT_FOUND);
    assert_int_equal(find.count, 0);
    assert_int_equal(find.list.count, 0);
    finish(&find);
}

static void test_broken(void **state)
{
    struct find find;
    (void)state;
    start(&find);
    assert_false(ask(&find, "broken"));
    assert_int_equal(find.error.code, ERROR_INPUT);
    assert_true(find.list.errors > 0);
    finish(&find);
}

static void test_folder(void **state)
{
    struct find find;
    (void)state;
    start(&find);
    assert_false(ask(&find, two)); /* a broken one and a pipe are in it; the others are found all the same */
    assert_int_equal(find.error.code, ERROR_INPUT);
    assert_int_equal(find.count, 2);
    assert_string_equal(find.packs[0]->id, "alpha");
    assert_string_equal(find.packs[1]->id, "gamma");
    finish(&find);
}

static void test_paths(void **state)
{
    struct find find;
    struct arena arena;
    const char **paths = NULL;
    ptrdiff_t count = 0, capacity = 0;
    (void)state;
    start(&find);
    arena_init(&arena);
    assert_true(library_paths(find.library, "gone/x.yaml", &arena, &paths, &count, &capacity, &find.error));
    assert_string_equal(paths[0], "gone/x.yaml"); /* loading it tells what is wrong */
    assert_true(library_paths(find.library, two, &arena, &paths, &count, &capacity, &find.error));
    assert_int_equal(count, 5);
    assert_true(library_paths(find.library, "beta", &arena, &paths, &count, &capacity, &find.error));
    assert_non_null(strstr(paths[5], "one/b.yaml"));
    assert_false(library_paths(find.library, "betta", &arena, &paths, &count, &capacity, &find.error));
    assert_non_null(strstr(find.error.message, "\"beta\""));
    memory_free(paths);
    arena_finish(&arena);
    finish(&find);
}

/* Whatever allocation fails, nothing leaks and what fails says so. */
static void test_memory(void **state)
{
    (void)state;
    for (long n = 1;; n++) {
        const char *folders[] = { one, two };
        const struct library_entry *entries;
        const struct pack **packs = NULL;
        ptrdiff_t count = 0, capacity = 0;
        struct library *library;
        struct diagnostics list;
        struct error error = { .code = ERROR_NONE };
        int entry_count;
        diagnostics_init(&list);
        memory_fail_after(n);
        bool done = library_create(&library, folders, 2, &error) &&
                    library_list(library, &entries, &entry_count, &error) &&
                    library_find(library, "gamma", &packs, &count, &capacity, &list, &error);
        memory_fail_after(0);
        library_destroy(library);
        memory_free(packs);
        diagnostics_finish(&list);
        if (done)
            break;
        assert_int_equal(error.code, ERROR_MEMORY);
        assert_true(n < 10000);
    }
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_list),    cmocka_unit_test(test_find),
                                        cmocka_unit_test(test_unknown), cmocka_unit_test(test_broken),
                                        cmocka_unit_test(test_folder),  cmocka_unit_test(test_paths),
                                        cmocka_unit_test(test_memory) };
    return cmocka_run_group_tests(tests, make, clean);
}
