/*
 * Every row of `kiosk --check`, on a machine that is as it should be and on one that is not: what it says,
 * and what it says to do.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fake_machine.h"

#include <quiztutor/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The row says this state, and these words are in what was found or is to be done. */
static void says(const char *row, enum check_state state, const char *words)
{
    struct check_finding finding;
    char all[2 * CHECK_FOUND + 2];
    fake_look(row, &finding);
    snprintf(all, sizeof all, "%s\n%s", finding.found, finding.todo);
    if (finding.state != state || (words && !strstr(all, words)))
        fail_msg("%s: state %d instead of %d, or \"%s\" is not in: %s", row, (int)finding.state, (int)state,
                 words, all);
    assert_true(*finding.found);
    if (finding.state == CHECK_BAD)
        assert_true(*finding.todo);
    if (finding.state == CHECK_GOOD)
        assert_string_equal(finding.todo, "");
}

static struct fake machine;

static int setup(void **state)
{
    (void)state;
    fake_begin(&machine);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fake_end(&machine);
    return 0;
}

static void make_store(void)
{
    struct store *store;
    struct store_options options = { .clock = machine.machine.clock };
    struct error error;
    if (!store_open(&store, machine.store, &options, &error))
        fail_msg("%s", error.message);
    store_close(store);
}

static void make_kiosk(const char *arguments, int length, const char *status)
{
    char path[200];
    fake_write("root/proc/77/status", status);
    fake_write("root/proc/77/cmdline", "");
    snprintf(path, sizeof path, "%s/root/proc/77/cmdline", machine.folder);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fwrite(arguments, 1, (size_t)length, file), length);
    fclose(file);
}
#define KIOSK(text, status) make_kiosk(text, sizeof text, status)

static void test_good(void **state)
{
    static const char *const apart[] = { "user", "umask", NULL }, *const noted[] = { "tutor-code", NULL };
    (void)state;
    make_store();
    for (const struct check_row *row = check_rows; row->name; row++) {
        enum check_state wanted = CHECK_GOOD;
        for (int i = 0; apart[i]; i++)
            wanted = strcmp(row->name, apart[i]) == 0 ? CHECK_APART : wanted;
        for (int i = 0; noted[i]; i++)
            wanted = strcmp(row->name, noted[i]) == 0 ? CHECK_NOTE : wanted;
        says(row->name, wanted, NULL);
        for (const struct check_row *other = check_rows; other < row; other++)
            assert_string_not_equal(other->name, row->name);
    }
}

static void test_kernel(void **state)
{
    static const struct {
        const char *row, *file, *bad, *good, *todo;
    } cases[] = {
        { "sysrq", "root/proc/sys/kernel/sysrq", "438\n", "0\n",
          "write kernel.sysrq = 0 into /etc/sysctl.d" },
        { "sysrq", "root/proc/sys/kernel/sysrq", "1\n", "0\n", "kernel.sysrq = 0" },
        { "dmesg", "root/proc/sys/kernel/dmesg_restrict", "0\n", "1\n", "kernel.dmesg_restrict = 1" },
        { "yama", "root/proc/sys/kernel/yama/ptrace_scope", "0\n", "3\n", "kernel.yama.ptrace_scope = 1" },
        { "suid-dumpable", "root/proc/sys/fs/suid_dumpable", "2\n", "0\n", "fs.suid_dumpable = 0" },
        { "core", "root/proc/sys/kernel/core_pattern", "core\n", "\n", "kernel.core_pattern = |/bin/false" },
        { "core", "root/proc/sys/kernel/core_pattern", "|/lib/systemd/systemd-coredump %P\n", "|/bin/false\n",
          "|/bin/false" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fake_write(cases[i].file, cases[i].bad);
        says(cases[i].row, CHECK_BAD, cases[i].todo);
        fake_write(cases[i].file, cases[i].good);
        says(cases[i].row, CHECK_GOOD, NULL);
    }
    fake_write("root/proc/sys/kernel/sysrq", "much\n");
    says("sysrq", CHECK_UNKNOWN, "no number");
    fake_write("root/proc/sys/kernel/sysrq", "");
    says("sysrq", CHECK_UNKNOWN, "no number");
    fake_remove("root/proc/sys/kernel/sysrq");
    says("sysrq", CHECK_APART, "no kernel.sysrq");
    fake_write("root/proc/sys/kernel/core_pattern", "/tmp/\x1b[2J%e");
    says("core", CHECK_BAD, "\\x1b[2J");
}

static void test_keys(void **state)
{
    (void)state;
    fake_remove("root/etc/systemd/system/ctrl-alt-del.target");
    says("ctrl-alt-del", CHECK_BAD, "systemctl mask ctrl-alt-del.target");
    fake_link("root/etc/systemd/system/ctrl-alt-del.target", "/lib/systemd/system/reboot.target");
    says("ctrl-alt-del", CHECK_BAD, "restarts");
    fake_write("root/etc/systemd/system.conf.d/kiosk.conf", "#CtrlAltDelBurstAction=none\n");
    says("ctrl-alt-del-burst", CHECK_BAD, "reboot-force");
    fake_write("root/etc/systemd/system.conf", "CtrlAltDelBurstAction=none\n");
    says("ctrl-alt-del-burst", CHECK_GOOD, NULL);
    fake_write("root/etc/systemd/system.conf.d/zz.conf",
               "CtrlAltDelBurstAction = poweroff\n"); /* the last by name */
    fake_write("root/etc/systemd/system.conf.d/aa.conf", "CtrlAltDelBurstAction=none\n");
    fake_write("root/etc/systemd/system.conf.d/zzz.txt", "CtrlAltDelBurstAction=none\n");
    says("ctrl-alt-del-burst", CHECK_BAD, "poweroff");
    fake_remove("root/etc/systemd/system/debug-shell.service");
    says("debug-shell", CHECK_BAD, "systemctl mask debug-shell.service");
    fake_write("root/proc/sys/kernel/ctrl-alt-del", "1\n");
    says("ctrl-alt-del-kernel", CHECK_BAD, "kernel.ctrl-alt-del = 0");
    fake_remove("root/run/systemd/system/x");
    fake_remove("root/run/systemd/system");
    says("ctrl-alt-del", CHECK_NOTE, "systemd does not run here");
}

static void test_terminals(void **state)
{
    (void)state;
    fake_remove("root/etc/systemd/logind.conf.d/kiosk.conf");
    says("terminals", CHECK_BAD, "NAutoVTs=6");
    fake_write("root/etc/systemd/logind.conf", "[Login]\nNAutoVTs=0\n");
    says("terminals", CHECK_BAD, "ReserveVT=6");
    fake_link("root/etc/systemd/system/autovt@.service", "/dev/null");
    says("terminals", CHECK_GOOD, NULL);
    fake_remove("root/etc/systemd/system/getty@.service");
    says("gettys", CHECK_BAD, "after a restart");
    fake_link("root/etc/systemd/system/getty@.service", "/dev/null");
    fake_write("root/proc/5/comm", "agetty\n");
    says("gettys", CHECK_BAD, "1 program asks");
    fake_write("root/proc/6/comm", "agetty\n");
    fake_write("root/proc/x6/comm", "agetty\n");
    says("gettys", CHECK_BAD, "2 programs ask");
}

static void test_running(void **state)
{
    (void)state;
    KIOSK("/usr/bin/quiztutor\0kiosk",
          "Name:\tquiztutor\nUmask:\t0077\nUid:\t4711\t4711\t4711\t4711\nNoNewPrivs:\t1\nSeccomp:\t2\n");
    says("user", CHECK_GOOD, "4711");
    says("umask", CHECK_GOOD, "077");
    KIOSK("quiztutor\0kiosk\0--config\0/x",
          "Name:\tquiztutor\nUmask:\t0022\nUid:\t0\t0\t0\t0\nNoNewPrivs:\t1\nSeccomp:\t2\n");
    says("user", CHECK_BAD, "runs as root");
    says("umask", CHECK_BAD, "UMask=0077");
    KIOSK("quiztutor\0kiosk",
          "Name:\tquiztutor\nUmask:\t0077\nUid:\t4711\t4711\t4711\t4711\nNoNewPrivs:\t1\nSeccomp:\t0\n");
    says("user", CHECK_BAD, "not locked in");
    KIOSK("quiztutor\0kiosk",
          "Name:\tquiztutor\nUmask:\t0077\nUid:\t12\t12\t12\t12\nNoNewPrivs:\t1\nSeccomp:\t2\n");
    says("user", CHECK_BAD, "chown -R 12 ");
    KIOSK("quiztutor\0kiosk\0--check", "Umask:\t0022\nUid:\t0\n"); /* a look at it is none */
    says("user", CHECK_APART, NULL);
    KIOSK("vi\0quiztutor\0kiosk", "Umask:\t0022\nUid:\t0\n");
    says("user", CHECK_APART, NULL);
}

static void test_owners(void **state)
{
    (void)state;
    make_store();
    fake_set("/etc/kiosk.yaml", FAKE_USER, 0644);
    says("config-files", CHECK_BAD, "chown root");
    machine.change_count = 0;
    fake_set("/etc/kiosk.yaml", 0, 0664);
    says("config-files", CHECK_BAD, "chmod go-w");
    machine.change_count = 0;
    fake_write("etc/kiosk.d/a.yaml", "format: quiztutor-kiosk/1\n");
    says("config-files", CHECK_GOOD, NULL);
    fake_set("kiosk.d/a.yaml", 0, 0646);
    says("config-files", CHECK_BAD, "kiosk.d/a.yaml");
    machine.change_count = 0;
    fake_set(machine.folder, 0, 0777); /* who may rename a folder may replace what is in it */
    says("config-files", CHECK_BAD, "mode 0777");
    says("pack-files", CHECK_BAD, "mode 0777");
    says("data-files", CHECK_BAD, "mode 0777");
    machine.change_count = 0;
    fake_set(machine.folder, 0, 01777);
    says("config-files", CHECK_GOOD, NULL);
    machine.change_count = 0;
    fake_set("/packs/p.yaml", FAKE_USER, 0);
    says("pack-files", CHECK_BAD, "belongs to user 4711");
    machine.change_count = 0;
    fake_set("/packs", FAKE_USER, 0);
    says("pack-files", CHECK_BAD, "belongs to user 4711");
}

static void test_data(void **state)
{
    static const char *const files[] = { "/data/store.db", "/data/store.db-lock", "/data/store.db-reserve" };
    (void)state;
    make_store();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        machine.change_count = 0;
        fake_set(files[i], FAKE_USER, 0640);
        says("data-files", CHECK_BAD, "run chmod 600");
        machine.change_count = 0;
        fake_set(files[i], 0, 0600);
        says("data-files", CHECK_BAD, "run chown 4711");
    }
    machine.change_count = 0;
    fake_set("/data", FAKE_USER, 0750);
    says("data-files", CHECK_BAD, "run chmod 700");
    machine.change_count = 0;
    fake_set("/data", 0, 0700);
    says("data-files", CHECK_BAD, "belongs to root");
}

static void test_lists(void **state)
{
    static const char *const paths[] = { "/data", "/data/store.db", "/data/store.db-wal" };
    (void)state;
    make_store();
    says("data-lists", CHECK_GOOD, NULL);
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++) {
        machine.list = paths[i];
        machine.list_name = "system.posix_acl_access";
        says("data-lists", CHECK_BAD, paths[i]);
        says("data-lists", CHECK_BAD, "setfacl -bk");
        machine.list_name = "system.posix_acl_default";
        says("data-lists", CHECK_BAD, paths[i]);
    }
    machine.list_name = "user.comment";
    says("data-lists", CHECK_GOOD, NULL);
}

/* Not a failure, whatever is found. */
static void test_swap(void **state)
{
    static const char heading[] = "Filename\t\t\t\tType\t\tSize\tUsed\tPriority\n";
    char text[600];
    (void)state;
    says("swap", CHECK_GOOD, "this kernel has none");
    fake_write("root/proc/swaps", heading);
    says("swap", CHECK_GOOD, "there is none");
    snprintf(text, sizeof text, "%s/dev/sda2 partition 8 0 -2\n", heading);
    fake_write("root/proc/swaps", text);
    says("swap", CHECK_NOTE, "/dev/sda2 is not encrypted");
    snprintf(text, sizeof text, "%s/dev/zram0 partition 8 0 -2\n/dev/dm-1 partition 8 0 -3\n", heading);
    fake_write("root/proc/swaps", text);
    fake_write("root/sys/class/block/dm-1/dm/uuid", "LVM-abc\n");
    says("swap", CHECK_NOTE, "whether /dev/dm-1");
    fake_write("root/sys/class/block/dm-1/slaves/dm-0/x", "");
    fake_write("root/sys/class/block/dm-0/dm/uuid", "CRYPT-LUKS2-abc\n");
    says("swap", CHECK_GOOD, "encrypted");
    fake_write("root/sys/class/block/dm-1/slaves/sdb1/x", "");
    says("swap", CHECK_NOTE, "/dev/dm-1 is not encrypted");
    snprintf(text, sizeof text, "%s/dev/sda2 partition 8 0 -2\n/dev/dm-0 partition 8 0 -3\n", heading);
    fake_write("root/proc/swaps", text);
    says("swap", CHECK_NOTE, "/dev/sda2");
    snprintf(text, sizeof text, "%s/swap\\040file file 8 0 -2\n", heading);
    fake_write("root/proc/swaps", text);
    says("swap", CHECK_NOTE, "can't be told");
    snprintf(text, sizeof text, "%s%s/root/swapfile file 8 0 -2\n", heading, machine.folder);
    fake_write("root/proc/swaps", text);
    fake_write("root/swapfile", "");
    says("swap", CHECK_NOTE, "can't be told");
    fake_write("root/proc/swaps", "\n\n\n\xff\n");
    says("swap", CHECK_NOTE, NULL);
}

static void test_kind(void **state)
{
    static const struct {
        long type, flags;
        enum check_state state;
        const char *words;
    } cases[] = {
        { 0xef53, 0, CHECK_GOOD, NULL },
        { 0x01021994, 0, CHECK_BAD, "in memory" },
        { 0x858458f6, 0, CHECK_BAD, "in memory" },
        { 0x6969, 0, CHECK_BAD, "network" },
        { (int)0xff534d42, 0, CHECK_BAD, "network" },
        { 0x794c7630, 0, CHECK_BAD, "overlay" },
        { 0xef53, 1, CHECK_BAD, "rw in /etc/fstab" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        machine.type = cases[i].type;
        machine.flags = cases[i].flags;
        says("data-folder", cases[i].state, cases[i].words);
    }
    machine.no_files = true;
    says("data-folder", CHECK_UNKNOWN, "as root");
    says("space", CHECK_UNKNOWN, NULL);
}

static void test_space(void **state)
{
    (void)state;
    make_store();
    machine.room = 60000000;
    says("space", CHECK_BAD, "60.0 MB");
    machine.room = 100000000;
    says("space", CHECK_GOOD, NULL);
    fake_remove("data/store.db-reserve");
    says("space", CHECK_BAD, "reserve");
    machine.room = 1000;
    says("backup-space", CHECK_BAD, "make room");
}

static void test_clock(void **state)
{
    (void)state;
    says("clock", CHECK_GOOD, "plausible");
    machine.clock.wall = INT64_C(1000000000000);
    says("clock", CHECK_BAD, "before 2020");
    machine.clock.wall = INT64_C(5000000000000);
    says("clock", CHECK_BAD, "timedatectl");
}

static void test_backups(void **state)
{
    char text[300];
    (void)state;
    make_store();
    says("backups", CHECK_GOOD, "1, the newest 2 hours old");
    machine.clock.wall += INT64_C(3) * 86400000;
    says("backups", CHECK_BAD, "74 hours old");
    fake_remove("data/b/store.db-20261129T220000Z.backup");
    says("backups", CHECK_BAD, "there is none in");
    snprintf(text, sizeof text, "format: quiztutor-kiosk/1\nstore: %s\ncontent: %s/packs\n", machine.store,
             machine.folder);
    fake_write("etc/kiosk.yaml", text);
    says("backups", CHECK_BAD, "none are made");
    says("backup-space", CHECK_APART, NULL);
}

static void test_store(void **state)
{
    char page[3000];
    (void)state;
    says("store", CHECK_NOTE, "there is none yet");
    fake_write("data/store.db-attempts", "");
    says("store", CHECK_BAD, "it is gone");
    fake_remove("data/store.db-attempts");
    make_store();
    says("store", CHECK_GOOD, "sound");
    fake_write("data/store.db-damaged-20261101T080000Z-wal", "");
    fake_write("data/other-damaged-20261101T080000Z", "");
    says("store", CHECK_GOOD, "sound");
    fake_write("data/store.db-damaged-20261101T080000Z", "");
    says("store", CHECK_BAD, "1 damaged store was set aside: store.db-damaged-20261101T080000Z");
    memset(page, 'x', sizeof page - 1);
    page[sizeof page - 1] = '\0';
    fake_write("data/store.db", page);
    says("store", CHECK_BAD, "start the kiosk");
}

static void test_lock(void **state)
{
    (void)state;
    machine.no_lock = true;
    says("landlock", CHECK_BAD, "switch Landlock on");
    says("seccomp", CHECK_BAD, "build with seccomp");
}

static void test_config(void **state)
{
    static const char *const rows[] = { "packs", "pack-files", "data-folder",  "data-files", "store",
                                        "space", "backups",    "backup-space", "tutor-code", "font" };
    (void)state;
    fake_write("packs/p.yaml", "format: quiztutor/1\nid: p\n");
    says("config", CHECK_GOOD, NULL);
    says("packs", CHECK_BAD, "packs/p.yaml:");
    says("font", CHECK_APART, NULL);
    fake_write("etc/kiosk.yaml", "format: quiztutor-kiosk/1\nidel: 3\nfoo: 1\n");
    says("config", CHECK_BAD, "etc/kiosk.yaml:2:1");
    says("config", CHECK_BAD, "and 1 more");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        says(rows[i], CHECK_APART, NULL);
    fake_remove("etc/kiosk.yaml");
    says("config", CHECK_BAD, "no such file");
    snprintf(machine.config, sizeof machine.config, "%s/\x1b[2J\xff", machine.folder);
    says("config", CHECK_BAD, "/\\x1b[2J\\xff: there is no such file");
    says("config-files", CHECK_UNKNOWN, NULL);
}

static void test_code(void **state)
{
    char kept[SECRET_TEXT], text[600];
    struct error error;
    (void)state;
    assert_true(secret_make(kept, "open sesame", 11, 8, &error));
    snprintf(text, sizeof text,
             "format: quiztutor-kiosk/1\nstore: %s\ncontent: %s/packs\ntutor_code: \"%s\"\n", machine.store,
             machine.folder, kept);
    fake_write("etc/kiosk.yaml", text);
    says("tutor-code", CHECK_GOOD, NULL);
    says("config-files", CHECK_BAD, "chmod o-r");
    fake_set("/etc/kiosk.yaml", 0, 0640);
    says("config-files", CHECK_GOOD, NULL);
}

static void test_font(void **state)
{
    static const uint16_t font[] = { 0x2713, 0xe9, 0 };
    (void)state;
    fake_write("packs/p.yaml", "format: quiztutor/1\nid: p\ntitle: P\nquestions:\n  - id: q\n    prompt: "
                               "\"\\u2713 \xf0\x9f\x90\x8d\"\n"
                               "    choices: [{correct: yes}, caf\xc3\xa9]\n    explanation: \xe2\x86\x92\n");
    says("font", CHECK_BAD,
         "lacks 4 characters of the packs: U+00E9 \xc3\xa9, U+2192 \xe2\x86\x92, U+2713 \xe2\x9c\x93, "
         "U+1F40D \xf0\x9f\x90\x8d");
    machine.font = font;
    says("font", CHECK_BAD, "lacks 2 characters");
    machine.no_console = true;
    says("font", CHECK_APART, "no Linux console");
}

/* Without memory a row says so, or the whole does: nothing is called good that was not looked at. */
static void test_memory(void **state)
{
    (void)state;
    make_store();
    for (long n = 1;; n++) {
        struct check check;
        memory_fail_after(n);
        bool done = check_init(&check, &machine.machine, machine.config);
        if (done)
            for (const struct check_row *row = check_rows; row->name; row++) {
                struct check_finding finding = { .state = CHECK_UNKNOWN };
                row->look(&check, row, &finding);
            }
        check_finish(&check);
        void *left = memory_alloc(1); /* NULL: what was asked for ran out before the end */
        memory_fail_after(0);
        memory_free(left);
        if (left && done)
            break;
        assert_true(n < 100000);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_good),   TEST(test_kernel), TEST(test_keys),    TEST(test_terminals), TEST(test_running),
        TEST(test_owners), TEST(test_data),   TEST(test_lists),   TEST(test_swap),      TEST(test_kind),
        TEST(test_space),  TEST(test_clock),  TEST(test_backups), TEST(test_store),     TEST(test_lock),
        TEST(test_config), TEST(test_code),   TEST(test_font),    TEST(test_memory),
    };
    hash_start();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
