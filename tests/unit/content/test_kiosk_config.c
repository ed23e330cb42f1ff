/* A kiosk's files: what they say, what is wrong with them and where, and which files are read at all. */
#include <quiztutor/kiosk_config.h>

#include "../../slice.h"

#include <fcntl.h>
#include <locale.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD "format: quiztutor-kiosk/1\n"
#define CODE                                                                                                 \
    "$argon2id$v=19$m=19456,t=2,p=1$VjR6IfRKFTnaSHGdytHTJg$qY0RKAode+TubZctuKW8zbsHbslAmZxMliPX+dQib78"

static char root[] = "/tmp/test-kiosk-XXXXXX";
static char main_file[128], folder[128];

static struct kiosk_config *config;
static struct kiosk_watch *watch;
static struct diagnostics list;
static struct error error;

/* Writes a file below the root. */
static void put(const char *name, const char *text, size_t length)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", root, name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(text, 1, length, out), length);
    assert_int_equal(fclose(out), 0);
}

static void write_text(const char *name, const char *text)
{
    put(name, text, strlen(text));
}

static bool load_path(const char *path)
{
    struct clock clock = clock_system();
    diagnostics_init(&list);
    bool done = kiosk_config_load(&config, &watch, path, &clock, &list, &error);
    assert_true(done == (config != NULL));
    assert_true(!done || (list.errors == 0 && error.code == ERROR_NONE));
    assert_true(done || list.errors > 0 || error.code != ERROR_NONE);
    assert_true(watch || error.code == ERROR_MEMORY);
    return done;
}

static bool load(void)
{
    return load_path(main_file);
}

static void drop(void)
{
    kiosk_config_destroy(config);
    kiosk_watch_destroy(watch);
    diagnostics_finish(&list);
    config = NULL;
    watch = NULL;
}

/* What is told, with the root's path taken away. */
static void expect_told(const char *expected, const char *what)
{
    struct buffer out, told;
    buffer_init(&out);
    buffer_init(&told);
    diagnostics_print(&list, &out);
    if (error.code != ERROR_NONE)
        buffer_print(&out, "%s\n", error.message);
    size_t prefix = strlen(root) + 1;
    for (const char *at = buffer_get(&out); *at; at++) {
        if (strncmp(at, root, prefix - 1) == 0 && at[prefix - 1] == '/')
            at += prefix;
        buffer_char(&told, *at);
    }
    if (strcmp(buffer_get(&told), expected) != 0)
        fail_msg("%s\nexpected:\n%s\ntold:\n%s", what, expected, buffer_get(&told));
    buffer_finish(&out);
    buffer_finish(&told);
}

static int make(void **state)
{
    (void)state;
    if (!mkdtemp(root))
        return -1;
    snprintf(main_file, sizeof main_file, "%s/kiosk.yaml", root);
    snprintf(folder, sizeof folder, "%s/kiosk.d", root);
    return 0;
}

static int clean(void **state)
{
    char command[128];
    (void)state;
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

static void test_defaults(void **state)
{
    (void)state;
    write_text("kiosk.yaml", HEAD);
    assert_true(load());
    assert_string_equal(config->path, main_file);
    assert_null(config->welcome);
    assert_string_equal(config->store, "/var/lib/quiztutor/store.db");
    assert_int_equal(config->content.count, 1);
    assert_string_equal(config->content.items[0].text, QUIZTUTOR_CONTENTDIR);
    assert_int_equal(config->packs.count, 0);
    assert_int_equal(config->groups.count, 0);
    assert_true(config->practice && config->completion);
    assert_false(config->plain || config->certainty);
    assert_int_equal(config->roster, KIOSK_ROSTER_CLOSED);
    assert_int_equal(config->pin, KIOSK_PIN_ROSTER);
    assert_int_equal(config->idle, 5);
    assert_int_equal(config->countdown, 30);
    assert_null(config->tutor_code);
    assert_null(config->language);
    assert_int_equal(config->theme, 0);
    assert_int_equal(config->signs, 0);
    assert_int_equal(config->new_per_day, 20);
    assert_int_equal(config->day_starts, 240);
    assert_null(config->backups.folder);
    assert_int_equal(config->exam_count, 0);
    assert_true(kiosk_config_admits(config, NULL, 0));
    drop();
}

static void test_all(void **state)
{
    (void)state;
    write_text("kiosk.yaml",
               HEAD "welcome: |\n  Room 12.\n  Sign in with your name.\n\n  Ask if you are lost.\n"
                    "store: data/answers.db\ncontent: [packs, /srv/packs]\npacks: [algebra-1, poems]\n"
                    "practice: false\ngroups: 9a\nroster: open\ncompletion: false\npin: required\nidle: 120\n"
                    "countdown: 5\ntutor_code: " CODE "\nlanguage: de\ntheme: mono\nsigns: ascii\n"
                    "plain: true\ncertainty: true\nnew_per_day: 0\nday_starts: 05:30\n"
                    "backups: {folder: /srv/copies, keep: 30, every: 6 hours}\n"
                    "exams:\n  - {pack: algebra-1, from: 2026-12-01 09:00, until: 2026-12-01 12:00, "
                    "minutes: 45, groups: [9a, Straße]}\n"
                    "  - {pack: poems, from: 2027-06-15 9:30, until: 2027-06-15 09:31}\nx-own: 1\n");
    assert_true(load());
    char path[256];
    assert_string_equal(config->welcome, "Room 12.\nSign in with your name.\n\nAsk if you are lost.");
    snprintf(path, sizeof path, "%s/data/answers.db", root);
    assert_string_equal(config->store, path);
    assert_int_equal(config->content.count, 2);
    snprintf(path, sizeof path, "%s/packs", root);
    assert_string_equal(config->content.items[0].text, path);
    assert_string_equal(config->content.items[1].text, "/srv/packs");
    assert_int_equal(config->packs.count, 2);
    assert_string_equal(config->packs.items[1].text, "poems");
    assert_string_equal(config->packs.items[1].file, main_file);
    assert_int_equal(config->packs.items[1].line, 9);
    assert_int_equal(config->packs.items[1].column, 20);
    assert_int_equal(config->packs.items[1].end_column, 25);
    assert_false(config->practice || config->completion);
    assert_int_equal(config->roster, KIOSK_ROSTER_OPEN);
    assert_int_equal(config->pin, KIOSK_PIN_REQUIRED);
    assert_int_equal(config->idle, 120);
    assert_int_equal(config->countdown, 5);
    assert_string_equal(config->tutor_code, CODE);
    assert_string_equal(config->language, "de");
    assert_int_equal(config->theme, 3);
    assert_int_equal(config->signs, 3);
    assert_true(config->plain && config->certainty);
    assert_int_equal(config->new_per_day, 0);
    assert_int_equal(config->day_starts, 330);
    assert_string_equal(config->backups.folder, "/srv/copies");
    assert_int_equal(config->backups.keep, 30);
    assert_int_equal(config->backups.hours, 6);
    assert_int_equal(config->exam_count, 2);
    const struct kiosk_exam *exam = &config->exams[0];
    assert_string_equal(exam->pack.text, "algebra-1");
    assert_true(exam->from == INT64_C(1796112000000)); /* 08:00 UTC: winter time */
    assert_true(exam->until == INT64_C(1796122800000));
    assert_int_equal(exam->minutes, 45);
    assert_int_equal(exam->groups.count, 2);
    assert_true(config->exams[1].from == INT64_C(1813044600000)); /* 07:30 UTC: summer time */
    assert_int_equal(config->exams[1].minutes, 0);
    drop();
}

static void test_who(void **state)
{
    (void)state;
    write_text("kiosk.yaml",
               HEAD "groups: [Straße, 9A]\nexams:\n"
                    "  - {pack: a, from: 2026-12-01 09:00, until: 2026-12-01 12:00, groups: 9a}\n"
                    "  - {pack: b, from: 2026-12-01 09:00, until: 2026-12-01 12:00}\n");
    assert_true(load());
    const char *const nine[] = { "8c", "9a" }, *const street[] = { "STRASSE" }, *const other[] = { "9b" };
    const struct kiosk_exam *exam = &config->exams[0];
    assert_true(kiosk_config_admits(config, nine, 2));
    assert_true(kiosk_config_admits(config, street, 1));
    assert_false(kiosk_config_admits(config, other, 1));
    assert_false(kiosk_config_admits(config, nine, 1));
    assert_false(kiosk_config_admits(config, NULL, 0));
    assert_false(kiosk_exam_open(exam, exam->from - 1, nine, 2));
    assert_true(kiosk_exam_open(exam, exam->from, nine, 2));
    assert_true(kiosk_exam_open(exam, exam->until - 1, nine, 2));
    assert_false(kiosk_exam_open(exam, exam->until, nine, 2));
    assert_false(kiosk_exam_open(exam, exam->from, street, 1));
    assert_true(kiosk_exam_open(&config->exams[1], exam->from, NULL, 0));
    memory_fail_after(1); /* who can't be looked for is not let in */
    assert_false(kiosk_config_admits(config, nine, 2));
    memory_fail_after(0);
    drop();
}

/* Each kind of fault: the file behind its head, and all that is told. */
static const struct {
    const char *text, *told;
} faults[] = {
    { "idel: 3\n", "kiosk.yaml:2:1: error: the kiosk's file has no key \"idel\" [unknown-key]\n"
                   "idel: 3\n^~~~\nhint: did you mean \"idle\"?\n" },
    { "idle: 3\nidle: 4\n", "kiosk.yaml:3:1: error: the key \"idle\" stands here for the second time, first "
                            "in line 2 [duplicate-key]\n"
                            "idle: 4\n^~~~\nhint: keep one of them\n" },
    { "idle: 121\n",
      "kiosk.yaml:2:7: error: idle: a whole number from 1 to 120 belongs here, found \"121\" [setting]\n"
      "idle: 121\n      ^~~\n" },
    { "idle: 2.5\n",
      "kiosk.yaml:2:7: error: idle: a whole number from 1 to 120 belongs here, found \"2.5\" [setting]\n"
      "idle: 2.5\n      ^~~\n" },
    { "practice: maybe\n", "kiosk.yaml:2:11: error: practice: true or false belongs here, found \"maybe\" "
                           "[setting]\npractice: maybe\n          ^~~~~\n" },
    { "idle: [3]\n", "kiosk.yaml:2:7: error: idle: a text belongs here, found a list [wrong-kind]\n"
                     "idle: [3]\n      ^\nhint: a text that begins with { or [ must stand in quotes\n" },
    { "exams: later\n", "kiosk.yaml:2:8: error: exams: a list belongs here, found \"later\" [wrong-kind]\n"
                        "exams: later\n       ^~~~~\n"
                        "hint: write each item on a line of its own that begins with \"- \"\n" },
    { "exams:\n  - poems\n",
      "kiosk.yaml:3:5: error: exams: a mapping belongs here, found \"poems\" [wrong-kind]\n"
      "  - poems\n    ^~~~~\nhint: write \"key: value\" on lines of their own, indented\n" },
    { "backups: /srv/copies\n",
      "kiosk.yaml:2:10: error: backups: a mapping belongs here, found \"/srv/copies\" [wrong-kind]\n"
      "backups: /srv/copies\n         ^~~~~~~~~~~\n"
      "hint: write \"key: value\" on lines of their own, indented\n" },
    { "backups:\n  keep: 3\n", "kiosk.yaml:3:3: error: backups needs the key \"folder\" [missing-key]\n"
                               "  keep: 3\n  ^\nhint: add folder: …\n" },
    { "backups: {folder: /b, every: 3 months}\n",
      "kiosk.yaml:2:30: error: every: a span like 6 hours or 2 weeks belongs here, found \"3 months\" "
      "[setting]\n"
      "backups: {folder: /b, every: 3 months}\n                             ^~~~~~~~\n" },
    { "language: fr\n",
      "kiosk.yaml:2:11: error: language: one of en|de belongs here, found \"fr\" [setting]\n"
      "language: fr\n          ^~\n" },
    { "theme: drak\n",
      "kiosk.yaml:2:8: error: theme: one of auto|dark|light|mono belongs here, found \"drak\" [setting]\n"
      "theme: drak\n       ^~~~\nhint: did you mean \"dark\"?\n" },
    { "pin: always\n",
      "kiosk.yaml:2:6: error: pin: one of roster|required|none belongs here, found \"always\" [setting]\n"
      "pin: always\n     ^~~~~~\n" },
    { "day_starts: 24:00\n",
      "kiosk.yaml:2:13: error: day_starts: a time like 04:00 belongs here, found \"24:00\" [setting]\n"
      "day_starts: 24:00\n            ^~~~~\n" },
    { "packs: [a, B c]\n", "kiosk.yaml:2:12: error: packs: \"B c\" is not an id [id]\npacks: [a, B c]\n"
                           "           ^~~\nhint: write 1 to 64 of a-z, 0-9 and -, not beginning with -\n" },
    { "packs: [a, b, a]\n", "kiosk.yaml:2:15: error: packs: \"a\" stands in line 2 too [duplicate-item]\n"
                            "packs: [a, b, a]\n              ^\nhint: keep one of them\n" },
    { "groups: [9a, 9A]\n", "kiosk.yaml:2:14: error: groups: \"9A\" stands in line 2 too [duplicate-item]\n"
                            "groups: [9a, 9A]\n             ^~\nhint: keep one of them\n" },
    { "packs: []\n", "kiosk.yaml:2:8: error: packs: the list is empty [empty-list]\npacks: []\n       ^\n"
                     "hint: write an item, or delete the key\n" },
    { "store: ~/store.db\n",
      "kiosk.yaml:2:8: error: store: a path without ~ belongs here, found \"~/store.db\" [setting]\n"
      "store: ~/store.db\n       ^~~~~~~~~~\nhint: write the whole path: a kiosk has no home folder\n" },
    { "store: postgresql://db/x\n",
      "kiosk.yaml:2:8: error: store: a kiosk keeps its store on this machine; quiztutor sync sends it to "
      "a central one [setting]\n"
      "store: postgresql://db/x\n       ^~~~~~~~~~~~~~~~~\nhint: write the path of a file\n" },
    { "exams:\n  - {pack: a, from: 2026-12-01 09:00}\n",
      "kiosk.yaml:3:5: error: an exam needs the key \"until\" [missing-key]\n"
      "  - {pack: a, from: 2026-12-01 09:00}\n    ^\nhint: add until: …\n" },
    { "exams:\n  - pack: a\n    from: 2026-12-01 09:00\n    until: 2026-12-01 09:00\n",
      "kiosk.yaml:5:12: error: until: the exam would end before it begins [exam-window]\n"
      "    until: 2026-12-01 09:00\n           ^~~~~~~~~~~~~~~~\nhint: write a later time\n" },
    { "exams:\n  - pack: a\n    from: 2027-02-29 09:00\n    until: 2027-03-01 09:00\n",
      "kiosk.yaml:4:11: error: from: a local time like 2026-12-01 09:00 belongs here, found \"2027-02-29 "
      "09:00\" "
      "[moment]\n    from: 2027-02-29 09:00\n          ^~~~~~~~~~~~~~~~\n" },
    { "exams:\n  - pack: a\n    from: 2027-03-28 02:30\n    until: 2027-03-28 09:00\n",
      "kiosk.yaml:4:11: error: from: \"2027-03-28 02:30\" does not exist here, since the clocks are set "
      "forward "
      "then [moment]\n    from: 2027-03-28 02:30\n          ^~~~~~~~~~~~~~~~\nhint: write a time an hour "
      "later\n" },
    { "exams:\n  - pack: a\n    from: 2026-10-25 01:00\n    until: 2026-10-25 02:30\n",
      "kiosk.yaml:5:12: error: until: \"2026-10-25 02:30\" comes twice here, since the clocks are set back "
      "then "
      "[moment]\n    until: 2026-10-25 02:30\n           ^~~~~~~~~~~~~~~~\n"
      "hint: write a time an hour earlier or later\n" },
    { "exams:\n  - {pack: a, from: 2026-12-01 09:00, until: 2026-12-01 12:00}\n"
      "  - {pack: a, from: 2026-12-01 11:59, until: 2026-12-01 13:00, groups: x}\n",
      "kiosk.yaml:4:12: error: exams: \"a\" is open in the same time by kiosk.yaml:3 [exam-window]\n"
      "  - {pack: a, from: 2026-12-01 11:59, until: 2026-12-01 13:00, groups: x}\n           ^\n"
      "hint: let one end before the other begins, or give each groups of its own\n" },
    { "exams:\n  - {pack: a, from: 2026-12-01 09:00, until: 2026-12-01 12:00, minutes: 0}\n",
      "kiosk.yaml:3:73: error: minutes: a whole number from 1 to 1440 belongs here, found \"0\" [setting]\n"
      "  - {pack: a, from: 2026-12-01 09:00, until: 2026-12-01 12:00, minutes: 0}\n"
      "                                                                        ^\n" },
    /* the tutor's code, where it may not be, is never shown */
    { "tutor_code: 123456\n", "kiosk.yaml:2:13: error: tutor_code: what quiztutor kiosk --code makes of a "
                              "code belongs here [secret]\n"
                              "hint: run quiztutor kiosk --code, and write the line that it prints\n" },
    { "tutor_cod: 123456\n",
      "kiosk.yaml:2:1: error: the kiosk's file has no key \"tutor_cod\" [unknown-key]\n"
      "hint: did you mean \"tutor_code\"?\n" },
    { "tutor_code: " CODE "\ntutor_code: " CODE "\n",
      "kiosk.yaml:3:1: error: the key \"tutor_code\" stands here for the second time, first in line 2 "
      "[duplicate-key]\nhint: keep one of them\n" },
    { "tutor_code: [123456]\n",
      "kiosk.yaml:2:13: error: tutor_code: a text belongs here, found a list [wrong-kind]\n"
      "hint: a text that begins with { or [ must stand in quotes\n" },
};

static void test_faults(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        char text[2000];
        snprintf(text, sizeof text, "%s%s", HEAD, faults[i].text);
        write_text("kiosk.yaml", text);
        assert_false(load());
        expect_told(faults[i].told, faults[i].text);
        drop();
    }
}

/* However it is written: neither a line of the file nor a message repeats the tutor's code. */
static void test_code(void **state)
{
    (void)state;
    static const char *const ways[] = {
        "tutor_code 654321\n",
        "tutor_code: \"654321\nidle: 3\n",
        "tutor_code:654321\n",
        "tutor_code: 654321: 654321\n",
        "tutor_code: |\n  654321\n",
        "tutor_code:\n  654321\n",
        "tutor_code:\n  654321: 1\n",
        "tutor_code:\n\n  # here\n  - 654321\n",
        "tutor_code: 654321 # x\n",
        "tutor_code: >\n  654321\n\n  654321\n",
        "Tutor Code: 654321\n",
        "code: 654321\n",
        "tutor_code: @654321\n",
        "tutor_code: \"654321\\4654321\"\n",
        "tutor_code: '654321\n",
        "tutor_code: {654321: 654321}\n",
        "tutor_code: &a 654321\n",
        "tutor_code: !!int 654321\n",
        "tutor_code: [654321\n",
        "tutor_code: 654321\x01\n",
        " tutor_code: 654321\n",
        "backups: {tutor_code: 654321}\n",
        "exams:\n  - tutor_code: 654321\n",
        "tutor_code: 654321\ntutor_code: 654321\n",
    };
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        char text[500];
        struct buffer out;
        buffer_init(&out);
        snprintf(text, sizeof text, "%s%s", HEAD, ways[i]);
        write_text("kiosk.yaml", text);
        assert_false(load());
        diagnostics_print(&list, &out);
        if (strstr(buffer_get(&out), "654321"))
            fail_msg("%s\ntells the code:\n%s", ways[i], buffer_get(&out));
        buffer_finish(&out);
        drop();
    }
}

/* Faults of whole files. */
static void test_heads(void **state)
{
    (void)state;
    static const struct {
        const char *text, *told;
    } heads[] = {
        { "idle: 3\n", "kiosk.yaml:1:1: error: the kiosk's file needs the key \"format\" [missing-key]\n"
                       "idle: 3\n^\nhint: add format: …\n" },
        { "format: quiztutor/1\n", "kiosk.yaml:1:9: error: format: found \"quiztutor/1\" [format]\n"
                                   "format: quiztutor/1\n        ^~~~~~~~~~~\n"
                                   "hint: write format: quiztutor-kiosk/1\n" },
        { "format: quiztutor-kiosk/2\n",
          "kiosk.yaml:1:9: error: format: \"quiztutor-kiosk/2\" is not known to this release [format]\n"
          "format: quiztutor-kiosk/2\n        ^~~~~~~~~~~~~~~~~\n"
          "hint: update quiztutor, or write format: quiztutor-kiosk/1\n" },
        { "- format\n", "kiosk.yaml:1:1: error: kiosk: a mapping belongs here, found a list [wrong-kind]\n"
                        "- format\n^\nhint: write \"key: value\" on lines of their own, indented\n" },
    };
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        write_text("kiosk.yaml", heads[i].text);
        assert_false(load());
        expect_told(heads[i].told, heads[i].text);
        drop();
    }
    write_text("kiosk.yaml", "");
    assert_false(load());
    assert_int_equal(list.errors, 1);
    drop();
}

static void test_long(void **state)
{
    (void)state;
    struct buffer text;
    buffer_init(&text);
    buffer_text(&text, HEAD "packs:\n");
    for (int i = 0; i <= KIOSK_LISTED; i++)
        buffer_print(&text, "  - p%d\n", i);
    put("kiosk.yaml", text.data, (size_t)text.length);
    assert_false(load());
    expect_told("kiosk.yaml:1003:5: error: packs: at most 1000 items can be listed [too-many-items]\n"
                "  - p1000\n    ^~~~~\n",
                "a long list");
    drop();
    buffer_clear(&text);
    buffer_text(&text, HEAD "welcome: ");
    for (int i = 0; i <= KIOSK_WELCOME; i++)
        buffer_char(&text, 'x');
    put("kiosk.yaml", text.data, (size_t)text.length);
    assert_false(load());
    assert_string_equal(list.items[0].message, "welcome: a text of 2001 bytes; at most 2000 are allowed");
    drop();
    buffer_clear(&text);
    buffer_text(&text, HEAD);
    while (text.length <= 1024 * 1024)
        buffer_text(&text, "# a comment that makes the file long\n");
    put("kiosk.yaml", text.data, (size_t)text.length);
    assert_false(load());
    expect_told("kiosk.yaml:1:1: error: the file is larger than 1 MiB [file-too-large]\n", "a large file");
    drop();
    buffer_finish(&text);
}

static void test_folder(void **state)
{
    (void)state;
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text("kiosk.yaml", HEAD "idle: 1\ncountdown: 11\nbackups: {folder: /a, keep: 3}\n"
                                  "exams: [{pack: a, from: 2026-12-01 09:00, until: 2026-12-01 12:00}]\n");
    write_text("kiosk.d/9-first.yaml", HEAD "idle: 9\nnew_per_day: 9\n");
    write_text("kiosk.d/10-second.yaml", HEAD "idle: 10\nnew_per_day: 10\nstore: here.db\n"); /* before 9 */
    write_text("kiosk.d/Z.yaml",
               HEAD "backups: {folder: /z}\n"
                    "exams: [{pack: z, from: 2026-12-01 09:00, until: 2026-12-01 12:00}]\n");
    /* what editors, packagers and people leave there */
    write_text("kiosk.d/.hidden.yaml", "bad");
    write_text("kiosk.d/.#lock.yaml", "bad");
    write_text("kiosk.d/#auto.yaml#", "bad");
    write_text("kiosk.d/a.yaml~", "bad");
    write_text("kiosk.d/~a.yaml", "bad");
    write_text("kiosk.d/a.yaml.dpkg-old", "bad");
    write_text("kiosk.d/README", "bad");
    write_text("kiosk.d/.yaml", "bad");
    assert_true(load());
    char path[256];
    assert_int_equal(config->idle, 9);
    assert_int_equal(config->countdown, 11);
    assert_int_equal(config->new_per_day, 9);
    snprintf(path, sizeof path, "%s/here.db", root); /* beside kiosk.yaml, also said from kiosk.d */
    assert_string_equal(config->store, path);
    assert_string_equal(config->backups.folder, "/z");
    assert_int_equal(config->backups.keep, 14); /* a mapping is replaced whole */
    assert_int_equal(config->exam_count, 2);
    assert_string_equal(config->exams[0].pack.text, "a");
    assert_string_equal(config->exams[1].pack.text, "z");
    drop();
    /* faults of all files at once */
    write_text("kiosk.yaml", HEAD "idle: no\n");
    write_text("kiosk.d/9-first.yaml", "idle: 9\n");
    write_text("kiosk.d/Z.yml", HEAD);
    assert_false(load());
    expect_told(
        "kiosk.yaml:2:7: error: idle: a whole number from 1 to 120 belongs here, found \"no\" [setting]\n"
        "idle: no\n      ^~\n"
        "kiosk.d/9-first.yaml:1:1: error: the kiosk's file needs the key \"format\" [missing-key]\n"
        "idle: 9\n^\nhint: add format: …\n"
        "kiosk.d/Z.yml:1:1: error: a file that is called .yml is not read here [file-name]\n"
        "hint: give it a name that ends in .yaml\n",
        "three faults");
    drop();
}

static void test_other_names(void **state)
{
    (void)state;
    char path[256];
    write_text("room.yaml", HEAD "idle: 7\n");
    snprintf(path, sizeof path, "%s/room.d", root);
    assert_int_equal(mkdir(path, 0700), 0);
    write_text("room.d/a.yaml", HEAD "countdown: 17\n");
    char *before = getcwd(NULL, 0);
    assert_int_equal(chdir(root), 0);
    assert_true(load_path("room.yaml"));
    snprintf(path, sizeof path, "%s/room.yaml", root);
    assert_string_equal(config->path, path);
    assert_int_equal(config->idle, 7);
    assert_int_equal(config->countdown, 17);
    drop();
    assert_int_equal(chdir(before), 0);
    free(before);
}

static void test_no_file(void **state)
{
    (void)state;
    assert_false(load());
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    expect_told("kiosk.yaml: there is no such file\n", "no file");
    assert_false(kiosk_watch_changed(watch));
    write_text("kiosk.yaml", HEAD);
    assert_true(kiosk_watch_changed(watch));
    drop();
    char path[256];
    snprintf(path, sizeof path, "%s/nowhere/kiosk.yaml", root);
    assert_false(load_path(path));
    assert_int_equal(error.code, ERROR_NOT_FOUND);
    assert_false(kiosk_watch_changed(watch));
    *strrchr(path, '/') = '\0';
    assert_int_equal(mkdir(path, 0700), 0);
    write_text("nowhere/kiosk.yaml", HEAD);
    assert_true(kiosk_watch_changed(watch));
    drop();
}

static void make_socket(const char *path)
{
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    assert_true(strlen(path) < sizeof address.sun_path);
    memcpy(address.sun_path, path, strlen(path) + 1);
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    assert_true(fd >= 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
}

/* What is no regular file is refused without waiting for it: an alarm would end the test. */
static void test_no_regular_file(void **state)
{
    (void)state;
    char inside[256];
    alarm(20);
    snprintf(inside, sizeof inside, "%s/a.yaml", folder);
    for (int way = 0; way < 8; way++) {
        const char *path = way < 4 ? main_file : inside;
        static const char *const told[] = { "it is a named pipe, not a file", "it is a link, not a file",
                                            "it is a folder, not a file", NULL };
        char expected[300];
        clean_inside(NULL);
        assert_int_equal(mkdir(folder, 0700), 0);
        write_text("whole.yaml", HEAD);
        if (way >= 4)
            write_text("kiosk.yaml", HEAD);
        if (way % 4 == 0)
            assert_int_equal(mkfifo(path, 0600), 0);
        else if (way % 4 == 1)
            assert_int_equal(symlink("../whole.yaml", path), 0);
        else if (way % 4 == 2)
            assert_int_equal(mkdir(path, 0700), 0);
        else
            make_socket(path);
        assert_false(load());
        assert_int_equal(list.errors, 1);
        if (told[way % 4]) {
            snprintf(expected, sizeof expected,
                     "%s:1:1: error: %s [unreadable]\nhint: put a regular file there, or take it away\n",
                     path + strlen(root) + 1, told[way % 4]);
            expect_told(expected, told[way % 4]);
        }
        drop();
    }
    alarm(0);
}

static void test_no_folder(void **state)
{
    (void)state;
    char path[256];
    static const char told[] = "kiosk.d:1:1: error: it is not a folder [unreadable]\n"
                               "hint: make a folder of it, or take it away\n";
    alarm(20);
    write_text("kiosk.yaml", HEAD);
    snprintf(path, sizeof path, "%s/other", root);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(symlink("other", folder), 0);
    assert_false(load());
    expect_told(told, "a link");
    drop();
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(mkfifo(folder, 0600), 0);
    assert_false(load());
    expect_told(told, "a pipe");
    drop();
    assert_int_equal(unlink(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    for (int i = 0; i <= KIOSK_FILES; i++) {
        snprintf(path, sizeof path, "kiosk.d/%d.yaml", i);
        write_text(path, HEAD);
    }
    assert_false(load());
    expect_told("kiosk.d:1:1: error: more than 100 files are in it [unreadable]\n", "many files");
    drop();
    alarm(0);
}

/* Makes what lies there look as if it had been there for long. */
static void make_old(const char *name)
{
    char path[256];
    struct timespec times[2] = { { 1700000000, 5 }, { 1700000000, 5 } };
    snprintf(path, sizeof path, "%s/%s", root, name);
    assert_int_equal(utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW), 0);
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
    char path[256], other[256];
    assert_true(kiosk_watch_changed(NULL));
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text("kiosk.yaml", HEAD "idle: 1\n");
    write_text("kiosk.d/a.yaml", HEAD);
    assert_true(load());
    expect_change(false, "nothing");
    write_text("unrelated", "x");
    expect_change(false, "a file beside it");
    write_text("kiosk.yaml", HEAD "idle: 10\n");
    expect_change(true, "another size");
    make_old("kiosk.yaml");
    expect_change(true, "another time, the same bytes");
    write_text("new", HEAD "idle: 11\n");
    make_old("new");
    snprintf(path, sizeof path, "%s/new", root);
    assert_int_equal(rename(path, main_file), 0); /* the same size and time */
    expect_change(true, "replaced by rename");
    assert_int_equal(config->idle, 11);
    write_text("kiosk.d/b.yaml", HEAD "idle: 12\n");
    expect_change(true, "a file that came");
    assert_int_equal(config->idle, 12);
    snprintf(path, sizeof path, "%s/b.yaml", folder);
    assert_int_equal(unlink(path), 0);
    expect_change(true, "a file that went");
    assert_int_equal(config->idle, 11);
    write_text("kiosk.d/a.yaml", HEAD "idle: 13\n");
    expect_change(true, "a file that was written");
    snprintf(path, sizeof path, "%s/other", root);
    assert_int_equal(mkdir(path, 0700), 0);
    write_text("other/a.yaml", HEAD "idle: 14\n");
    snprintf(other, sizeof other, "%s/gone", root);
    assert_int_equal(rename(folder, other), 0);
    expect_change(true, "the folder went");
    assert_int_equal(rename(path, folder), 0);
    expect_change(true, "another folder came");
    assert_int_equal(config->idle, 14);
    assert_int_equal(chmod(main_file, 0600), 0);
    expect_change(true, "another mode");
    drop();
    /* a bad file is watched like a good one */
    write_text("kiosk.yaml", HEAD "idel: 1\n");
    assert_false(load());
    assert_false(kiosk_watch_changed(watch));
    write_text("kiosk.yaml", HEAD "idle: 2\n");
    assert_true(kiosk_watch_changed(watch));
    drop();
    assert_true(load());
    assert_int_equal(unlink(main_file), 0);
    assert_true(kiosk_watch_changed(watch));
    drop();
}

/* A file that was just written may be written again within the tick of its time: it is read once more. */
static void test_young(void **state)
{
    (void)state;
    write_text("kiosk.yaml", HEAD);
    assert_true(load());
    assert_false(kiosk_watch_changed(watch));
    time_t begun = time(NULL);
    while (!kiosk_watch_changed(watch)) {
        assert_true(time(NULL) < begun + 10);
        usleep(20000);
    }
    drop();
    assert_true(load()); /* old by now */
    begun = time(NULL);
    while (time(NULL) < begun + 4) {
        assert_false(kiosk_watch_changed(watch));
        usleep(20000);
    }
    drop();
}

/* Starts a process that does this until it is stopped, or the test ends. */
static pid_t begin(void (*work)(void))
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child)
        return child;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    work();
    _exit(1);
}

static void stop(pid_t child)
{
    int status;
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status)); /* it has worked all the while */
}

/* Another process swaps two whole configurations all the while: what is loaded is one of them. */
static void swap_for_ever(void)
{
    char link_path[256], fresh[256];
    snprintf(link_path, sizeof link_path, "%s/current", root);
    snprintf(fresh, sizeof fresh, "%s/fresh", root);
    for (int i = 0;; i++)
        if (symlink(i % 2 ? "two" : "one", fresh) != 0 || rename(fresh, link_path) != 0)
            _exit(1);
}

static void test_swapped(void **state)
{
    (void)state;
    char path[256];
    int seen[3] = { 0 }, busy = 0;
    static const char *const folders[] = { "one", "one/kiosk.d", "two", "two/kiosk.d" };
    for (int i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s/%s", root, folders[i]);
        assert_int_equal(mkdir(path, 0700), 0);
    }
    write_text("one/kiosk.yaml", HEAD "idle: 1\n");
    write_text("one/kiosk.d/a.yaml", HEAD "countdown: 10\n");
    write_text("one/kiosk.d/b.yaml", HEAD "new_per_day: 1\n");
    write_text("two/kiosk.yaml", HEAD "idle: 2\n");
    write_text("two/kiosk.d/a.yaml", HEAD "countdown: 20\n");
    write_text("two/kiosk.d/b.yaml", HEAD "new_per_day: 2\n");
    snprintf(path, sizeof path, "%s/current", root);
    assert_int_equal(symlink("one", path), 0);
    bool sound = true;
    pid_t child = begin(swap_for_ever);
    snprintf(path, sizeof path, "%s/current/kiosk.yaml", root);
    for (int i = 0; sound && i < 300000 && (i < slice_of(3000) || !seen[1] || !seen[2]); i++) {
        if (load_path(path)) {
            sound = config->countdown == 10 * config->idle && config->new_per_day == config->idle;
            seen[config->idle]++;
        } else {
            sound = list.errors == 0 && error.code == ERROR_BUSY;
            busy++;
        }
        drop();
    }
    stop(child);
    assert_true(sound && seen[1] && seen[2]);
    print_message("%d and %d loaded, %d given up\n", seen[1], seen[2], busy);
}

static void replace(const char *name, const char *text)
{
    char path[256], fresh[256];
    write_text("fresh", text);
    snprintf(fresh, sizeof fresh, "%s/fresh", root);
    snprintf(path, sizeof path, "%s/%s", root, name);
    if (rename(fresh, path) != 0)
        _exit(1);
}

/* One file, then another, with a growing number: at any moment the second is as old as the first, or one
 * older. */
static void count_for_ever(void)
{
    for (int i = 1;; i++) {
        char text[100];
        snprintf(text, sizeof text, HEAD "new_per_day: %d\n", i % 9999);
        replace("kiosk.d/a.yaml", text);
        snprintf(text, sizeof text, HEAD "welcome: \"%d\"\n", i % 9999);
        replace("kiosk.d/b.yaml", text);
        usleep(500); /* or every reading would be given up */
    }
}

static void test_one_moment(void **state)
{
    (void)state;
    int loaded = 0, last = -1, changes = 0;
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text("kiosk.yaml", HEAD);
    write_text("kiosk.d/a.yaml", HEAD "new_per_day: 0\n");
    write_text("kiosk.d/b.yaml", HEAD "welcome: \"0\"\n");
    bool sound = true;
    pid_t child = begin(count_for_ever);
    for (int i = 0; sound && i < 300000 && (i < slice_of(4000) || changes < 10); i++) {
        if (load()) {
            int older = (config->new_per_day - atoi(config->welcome) + 9999) % 9999;
            sound = older == 0 || older == 1;
            loaded++;
            changes += config->new_per_day != last;
            last = config->new_per_day;
        } else {
            sound = list.errors == 0 && error.code == ERROR_BUSY;
        }
        drop();
    }
    stop(child);
    assert_true(sound && changes >= 10);
    print_message("%d loaded, of %d moments\n", loaded, changes);
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
    assert_int_equal(mkdir(folder, 0700), 0);
    write_text("kiosk.yaml",
               HEAD "welcome: |\n  a\n\n  b\ncontent: [a, b]\npacks: [a, b]\ngroups: [x, y]\n"
                    "tutor_code: " CODE "\nlanguage: de\nbackups: {folder: b}\nexams:\n"
                    "  - {pack: a, from: 2026-12-01 09:00, until: 2026-12-01 12:00, groups: [x]}\n"
                    "  - {pack: b, from: 2026-12-01 09:00, until: 2026-12-01 12:00}\n");
    write_text("kiosk.d/a.yaml", HEAD "idle: 4\n");
    write_text("kiosk.d/b.yaml",
               HEAD "exams: [{pack: c, from: 2026-12-01 09:00, until: 2026-12-01 12:00}]\n");
    each_failure(true);
    write_text("kiosk.d/a.yaml", HEAD "idel: 4\nidle: x\ntheme: drak\ntutor_code: y\n");
    each_failure(false);
}

/* Takes the mark of a comment from lines with keys: what is shown as an example. */
static void uncomment(struct buffer *out, const char *text)
{
    for (const char *line = text, *end; *line; line = end + 1) {
        end = strchr(line, '\n');
        assert_non_null(end);
        bool example = strncmp(line, "# ", 2) == 0 && strchr("abcdefghijklmnopqrstuvwxyz ", line[2]);
        if (strncmp(line, "# tutor_code: ", 14) == 0)
            buffer_text(out, "tutor_code: " CODE "\n");
        else
            buffer_add(out, example ? line + 2 : line, end + 1 - (example ? line + 2 : line));
    }
}

/* The example that is shipped loads, as it is and with all its examples, and names every key. */
static void test_example(void **state)
{
    (void)state;
    static char text[20000];
    struct buffer whole;
    buffer_init(&whole);
    if (!load_path(getenv("QUIZTUTOR_KIOSK_EXAMPLE")))
        expect_told("", "the example");
    assert_int_equal(list.warnings, 0);
    drop();
    FILE *in = fopen(getenv("QUIZTUTOR_KIOSK_EXAMPLE"), "r");
    assert_non_null(in);
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    uncomment(&whole, text);
    write_text("kiosk.yaml", buffer_get(&whole));
    if (!load())
        expect_told("", "all of the example");
    assert_int_equal(list.warnings, 0);
    for (int i = 0; i < KIOSK_ROWS; i++) {
        char key[80];
        snprintf(key, sizeof key, "%s:", kiosk_rows[i].setting->name);
        if (!strstr(buffer_get(&whole), key))
            fail_msg("the example does not name %s", key);
    }
    /* what is shown as a default is one */
    assert_string_equal(config->store, kiosk_rows[KIOSK_KEY_STORE].setting->fallback);
    assert_true(config->practice && config->completion && !config->plain && !config->certainty);
    assert_true(config->idle == 5 && config->countdown == 30 && config->new_per_day == 20);
    assert_true(config->pin == 0 && config->roster == 0 && config->theme == 0 && config->signs == 0);
    assert_true(config->day_starts == 240 && config->backups.keep == 14 && config->backups.hours == 24);
    drop();
    buffer_finish(&whole);
}

static void test_rows(void **state)
{
    (void)state;
    for (int i = 0; i < KIOSK_ROWS; i++) {
        assert_non_null(kiosk_rows[i].setting);
        assert_true(*kiosk_rows[i].setting->name && *kiosk_rows[i].setting->help);
        assert_true((kiosk_rows[i].below == KIOSK_ROWS) == (i < KIOSK_KEYS));
    }
}

int main(void)
{
    setlocale(LC_ALL, "");
    setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3", 1); /* central Europe, without its file */
    tzset();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test_teardown(test_defaults, clean_inside),
        cmocka_unit_test_teardown(test_all, clean_inside),
        cmocka_unit_test_teardown(test_who, clean_inside),
        cmocka_unit_test_teardown(test_faults, clean_inside),
        cmocka_unit_test_teardown(test_code, clean_inside),
        cmocka_unit_test_teardown(test_heads, clean_inside),
        cmocka_unit_test_teardown(test_long, clean_inside),
        cmocka_unit_test_teardown(test_folder, clean_inside),
        cmocka_unit_test_teardown(test_other_names, clean_inside),
        cmocka_unit_test_teardown(test_no_file, clean_inside),
        cmocka_unit_test_teardown(test_no_regular_file, clean_inside),
        cmocka_unit_test_teardown(test_no_folder, clean_inside),
        cmocka_unit_test_teardown(test_watch, clean_inside),
        cmocka_unit_test_teardown(test_young, clean_inside),
        cmocka_unit_test_teardown(test_swapped, clean_inside),
        cmocka_unit_test_teardown(test_one_moment, clean_inside),
        cmocka_unit_test_teardown(test_memory, clean_inside),
        cmocka_unit_test_teardown(test_example, clean_inside),
    };
    return cmocka_run_group_tests(tests, make, clean);
}
