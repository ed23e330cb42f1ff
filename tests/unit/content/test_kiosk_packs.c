/* The packs of a kiosk: all that is named, sound, and of one moment, or what is wrong. */
#include <quiztutor/kiosk_config.h>

#include "../../slice.h"

#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD "format: quiztutor-kiosk/1\n"
#define OPEN "from: 2026-12-01 09:00, until: 2026-12-01 12:00"

static char root[] = "/tmp/test-packs-XXXXXX";

static struct kiosk_config *config;
static struct kiosk_packs *packs;
static struct kiosk_watch *watch;
static struct diagnostics list;
static struct error error;

static void write_text(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs(text, out);
    assert_int_equal(fclose(out), 0);
}

static void write_pack(const char *name, const char *id, const char *title)
{
    char text[400];
    snprintf(text, sizeof text,
             "format: quiztutor/1\nid: %s\ntitle: %s\nquestions:\n"
             "  - {id: q, prompt: p, true_false: true, explanation: e}\n",
             id, title);
    write_text(name, text);
}

static void make_folder(const char *name)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void move(const char *from, const char *to)
{
    char one[256], other[256];
    snprintf(one, sizeof one, "%s/%s", root, from);
    snprintf(other, sizeof other, "%s/%s", root, to);
    assert_int_equal(rename(one, other), 0);
}

/* Loads the configuration: HEAD and this. */
static void configure(const char *text)
{
    char path[256], whole[1000];
    struct clock clock = clock_system();
    struct kiosk_watch *its = NULL;
    kiosk_config_destroy(config);
    diagnostics_init(&list);
    snprintf(whole, sizeof whole, "%s%s", HEAD, text);
    write_text("kiosk.yaml", whole);
    snprintf(path, sizeof path, "%s/kiosk.yaml", root);
    if (!kiosk_config_load(&config, &its, path, &clock, &list, &error))
        fail_msg("%s", list.count ? list.items[0].message : error.message);
    kiosk_watch_destroy(its);
    diagnostics_finish(&list);
}

static bool load(void)
{
    diagnostics_init(&list);
    bool done = kiosk_packs_load(&packs, &watch, config, &list, &error);
    assert_true(done == (packs != NULL));
    assert_true(!done || (list.errors == 0 && error.code == ERROR_NONE));
    assert_true(done || list.errors > 0 || error.code != ERROR_NONE);
    assert_true(watch || error.code == ERROR_MEMORY);
    return done;
}

static void drop(void)
{
    kiosk_packs_destroy(packs);
    kiosk_watch_destroy(watch);
    diagnostics_finish(&list);
    packs = NULL;
    watch = NULL;
}

/* The ids of the set, those for exams only in brackets. */
static void expect_set(const char *expected)
{
    struct buffer set;
    buffer_init(&set);
    if (!load())
        fail_msg("%s", list.count ? list.items[0].message : error.message);
    for (ptrdiff_t i = 0; i < packs->count; i++)
        buffer_print(&set, packs->items[i].practice ? "%s " : "(%s) ", packs->items[i].pack->id);
    assert_string_equal(buffer_get(&set), expected);
    buffer_finish(&set);
    drop();
}

static void expect_told(const char *expected)
{
    struct buffer out, told;
    assert_false(load());
    assert_int_equal(error.code, ERROR_NONE);
    buffer_init(&out);
    buffer_init(&told);
    diagnostics_print(&list, &out);
    size_t prefix = strlen(root);
    for (const char *at = buffer_get(&out); *at; at++) {
        if (strncmp(at, root, prefix) == 0)
            at += prefix + (at[prefix] == '/');
        buffer_char(&told, *at);
    }
    assert_string_equal(buffer_get(&told), expected);
    buffer_finish(&out);
    buffer_finish(&told);
    drop();
}

static int make(void **state)
{
    (void)state;
    return mkdtemp(root) ? 0 : -1;
}

static int clean(void **state)
{
    char command[128];
    (void)state;
    kiosk_config_destroy(config);
    snprintf(command, sizeof command, "rm -rf '%s'", root);
    return system(command);
}

static int clean_inside(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'/*", root);
    return system(command);
}

static void test_sets(void **state)
{
    (void)state;
    make_folder("one");
    make_folder("two");
    make_folder("one/folder.yaml");
    write_pack("one/b.yaml", "beta", "B");
    write_pack("one/a.yml", "alpha", "A");
    write_pack("one/.hidden.yaml", "hidden", "H");
    write_pack("one/notes.txt", "notes", "N");
    write_pack("two/alpha.yaml", "alpha", "A elsewhere");
    write_pack("two/gamma.yaml", "gamma", "C");
    configure("content: [one, two]\n");
    expect_set("alpha beta gamma ");
    assert_true(load());
    assert_string_equal(kiosk_packs_find(packs, "alpha")->title, "A"); /* the first folder wins */
    assert_null(kiosk_packs_find(packs, "delta"));
    drop();
    configure("content: [two, one]\npacks: [gamma, alpha]\n");
    expect_set("gamma alpha ");
    assert_true(load());
    assert_string_equal(kiosk_packs_find(packs, "alpha")->title, "A elsewhere");
    drop();
    configure("content: [one, two]\nexams: [{pack: beta, " OPEN "}]\n");
    expect_set("alpha (beta) gamma ");
    configure("content: [one, two]\npacks: alpha\nexams: [{pack: beta, " OPEN "}, {pack: alpha, " OPEN
              "}]\n");
    expect_set("alpha (beta) ");
    /* a broken pack that nobody named does not matter, until it is asked for */
    write_text("one/broken.yaml", "format: quiztutor/1\nid: broken\n");
    expect_set("alpha (beta) ");
    make_folder("empty");
    configure("content: empty\n");
    expect_set("");
}

static void test_faults(void **state)
{
    (void)state;
    make_folder("one");
    write_pack("one/algebra.yaml", "algebra", "A");
    write_text("one/bad.yaml", "format: quiztutor/1\nid: bad\ntitle: T\nquestions:\n"
                               "  - {id: q, prompt: p, true_false: maybe, explanation: e}\n");
    configure("content: one\npacks: [algbra, algebra]\n");
    expect_told("kiosk.yaml:3:9: error: there is no pack \"algbra\" [unknown-pack]\n"
                "hint: did you mean \"algebra\"?\n");
    configure("content: one\npacks: algebra\nexams: [{pack: poems, " OPEN "}]\n");
    expect_told(
        "kiosk.yaml:4:16: error: there is no pack \"poems\" [unknown-pack]\nhint: put its file into one\n");
    static const char bad[] =
        "one/bad.yaml:5:36: error: true_false: true or false belongs here, found \"maybe\" [truth]\n"
        "  - {id: q, prompt: p, true_false: maybe, explanation: e}\n"
        "                                   ^~~~~\nhint: write true or false\n";
    configure("content: one\npacks: [algebra, bad]\n");
    expect_told(bad);
    configure("content: one\n"); /* all of them */
    expect_told(bad);
    configure("content: [one, nowhere, kiosk.yaml]\npacks: algebra\n");
    expect_told("kiosk.yaml:2:16: error: content: nowhere: No such file or directory [content]\n"
                "hint: name the folder in which the packs are\n"
                "kiosk.yaml:2:25: error: content: kiosk.yaml: Not a directory [content]\n"
                "hint: name the folder in which the packs are\n");
    write_text("one/cards.yaml", "format: quiztutor/1\nid: cards\ntitle: T\nquestions:\n"
                                 "  - {id: q, prompt: p, recall: r, explanation: e}\n");
    configure("content: one\npacks: algebra\nexams: [{pack: cards, " OPEN "}]\n");
    expect_told("kiosk.yaml:4:16: error: \"cards\" has only cards to recall, which no exam asks [exam-pack]\n"
                "hint: name a pack with questions\n");
}

/* What stands in the way of a pack is told, and never waited for. */
static void test_no_regular_file(void **state)
{
    (void)state;
    char path[256];
    alarm(20);
    make_folder("one");
    snprintf(path, sizeof path, "%s/one/a.yaml", root);
    assert_int_equal(mkfifo(path, 0600), 0);
    configure("content: one\n");
    expect_told("one/a.yaml:1:1: error: it is a named pipe, not a file [unreadable]\n");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("nowhere", path), 0);
    expect_told("one/a.yaml:1:1: error: there is no such file [unreadable]\n");
    assert_int_equal(unlink(path), 0);
    write_pack("real", "real", "R");
    assert_int_equal(symlink("../real", path), 0);
    expect_set("real ");
    alarm(0);
}

static void expect_change(bool expected, const char *what)
{
    if (kiosk_watch_changed(watch) != expected)
        fail_msg("%s: %s", what, expected ? "not noticed" : "noticed, though nothing changed");
    drop();
    assert_true(load());
}

static void test_watch(void **state)
{
    (void)state;
    char path[256];
    make_folder("one");
    make_folder("two");
    write_pack("one/a.yaml", "alpha", "A");
    write_pack("two/a.yaml", "alpha", "B");
    snprintf(path, sizeof path, "%s/packs", root);
    assert_int_equal(symlink("one", path), 0);
    configure("content: packs\n");
    assert_true(load());
    expect_change(false, "nothing");
    write_pack("one/a.yaml", "alpha", "A2");
    expect_change(true, "a pack that was written");
    write_pack("one/b.yaml", "beta", "B");
    expect_change(true, "a pack that came");
    move("one/b.yaml", "one/c.yaml");
    expect_change(true, "another name");
    snprintf(path, sizeof path, "%s/fresh", root);
    assert_int_equal(symlink("two", path), 0);
    move("fresh", "packs");
    expect_change(true, "the folder's link leads elsewhere");
    assert_string_equal(packs->items[0].pack->title, "B");
    move("two", "three");
    drop();
    assert_false(load());
    assert_false(kiosk_watch_changed(watch));
    move("one", "two");
    assert_true(kiosk_watch_changed(watch)); /* a folder that came */
    drop();
    expect_set("alpha beta ");
}

/* Another process swaps two whole sets all the while: what is loaded is one of them. */
static void swap_for_ever(bool links)
{
    char path[3][256];
    static const char *const names[] = { "packs", "fresh", "old" };
    for (int i = 0; i < 3; i++)
        snprintf(path[i], sizeof path[i], "%s/%s", root, names[i]);
    for (int i = 0;; i++) {
        if (links && (symlink(i % 2 ? "two" : "one", path[1]) != 0 || rename(path[1], path[0]) != 0))
            _exit(1);
        if (!links &&
            (rename(path[0], path[2]) != 0 || rename(path[1], path[0]) != 0 || rename(path[2], path[1]) != 0))
            _exit(1);
    }
}

static void expect_whole_sets(bool links)
{
    int seen[2] = { 0 }, refused = 0, status;
    bool sound = true;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        swap_for_ever(links);
    }
    for (int i = 0; sound && i < 200000 && (i < slice_of(1000) || !seen[0] || !seen[1]); i++) {
        if (load()) {
            sound = packs->count == 4;
            for (ptrdiff_t k = 1; sound && k < 4; k++)
                sound = strcmp(packs->items[k].pack->title, packs->items[0].pack->title) == 0;
            seen[strcmp(packs->items[0].pack->title, "old") == 0]++;
        } else { /* in between a folder is away: that is told, or it is busy */
            sound = error.code == ERROR_BUSY || (!links && list.errors == 1);
            refused++;
        }
        drop();
    }
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(sound && WIFSIGNALED(status) && seen[0] && seen[1]);
    print_message("%d and %d loaded, %d refused\n", seen[0], seen[1], refused);
}

static void make_sets(const char *one, const char *two)
{
    make_folder(one);
    make_folder(two);
    for (int i = 0; i < 4; i++) {
        char name[40], id[10];
        snprintf(id, sizeof id, "p%d", i);
        snprintf(name, sizeof name, "%s/%s.yaml", one, id);
        write_pack(name, id, "old");
        snprintf(name, sizeof name, "%s/%s.yaml", two, id);
        write_pack(name, id, "new");
    }
}

static void test_swapped_links(void **state)
{
    (void)state;
    char path[256];
    make_sets("one", "two");
    snprintf(path, sizeof path, "%s/packs", root);
    assert_int_equal(symlink("one", path), 0);
    configure("content: packs\n");
    expect_whole_sets(true);
}

static void test_swapped_folders(void **state)
{
    (void)state;
    make_sets("packs", "fresh");
    configure("content: packs\npacks: [p3, p2, p1, p0]\n");
    expect_whole_sets(false);
}

static void each_failure(bool expected)
{
    for (long n = 1;; n++) {
        assert_true(n < 20000);
        memory_fail_after(n);
        bool done = load();
        memory_fail_after(0);
        bool memory = error.code == ERROR_MEMORY;
        assert_true(memory ? !done && !watch : done == expected);
        drop();
        if (!memory)
            break;
    }
}

static void test_memory(void **state)
{
    (void)state;
    make_folder("one");
    write_pack("one/a.yaml", "alpha", "A");
    write_pack("one/b.yaml", "beta", "B");
    write_pack("one/c.yaml", "alpha", "C");
    configure("content: one\n");
    each_failure(true);
    configure("content: one\npacks: beta\nexams: [{pack: alpha, " OPEN "}]\n");
    each_failure(true);
    configure("content: [one, nowhere]\npacks: [beta, bets]\n");
    each_failure(false);
}

int main(void)
{
    setlocale(LC_ALL, "");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_sets, clean_inside),
        cmocka_unit_test_teardown(test_faults, clean_inside),
        cmocka_unit_test_teardown(test_no_regular_file, clean_inside),
        cmocka_unit_test_teardown(test_watch, clean_inside),
        cmocka_unit_test_teardown(test_swapped_links, clean_inside),
        cmocka_unit_test_teardown(test_swapped_folders, clean_inside),
        cmocka_unit_test_teardown(test_memory, clean_inside),
    };
    return cmocka_run_group_tests(tests, make, clean);
}
