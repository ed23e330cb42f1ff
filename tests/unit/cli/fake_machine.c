#include "fake_machine.h"
#include "command.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct fake *fake;

/* What the rest of the command line would say. */
int command_fail(const struct error *error)
{
    fprintf(stderr, "%s\n", error->message);
    return STATUS_FAILED;
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), its = strlen(end);
    return length >= its && strcmp(text + length - its, end) == 0;
}

/* Whoever runs the tests owns the files: what is root's and what the kiosk's is said here. */
static int fake_status(const char *path, struct stat *status)
{
    if (lstat(path, status) != 0)
        return -1;
    bool data = strstr(path, "/data") != NULL;
    status->st_uid = data ? FAKE_USER : 0;
    unsigned mode = S_ISDIR(status->st_mode) ? (data ? 0700u : 0755u) : (data ? 0600u : 0644u);
    for (int i = 0; i < fake->change_count; i++)
        if (ends_with(path, fake->changes[i].ending)) {
            status->st_uid = fake->changes[i].uid;
            mode = fake->changes[i].mode ? fake->changes[i].mode : mode;
        }
    status->st_mode = (status->st_mode & (mode_t)S_IFMT) | mode;
    return 0;
}

static int fake_files(const char *path, struct statfs *files)
{
    memset(files, 0, sizeof *files);
    if (fake->no_files) {
        errno = EACCES;
        return -1;
    }
    if (access(path, F_OK) != 0)
        return -1;
    files->f_type = fake->type;
    files->f_flags = fake->flags;
    files->f_bsize = 1000;
    files->f_bavail = (fsblkcnt_t)(fake->room / 1000);
    files->f_files = files->f_ffree = 1000;
    return 0;
}

static ssize_t fake_attribute(const char *path, const char *name, void *value, size_t size)
{
    (void)value, (void)size;
    errno = ENODATA;
    if (fake->list && ends_with(path, fake->list) && strcmp(name, fake->list_name) == 0)
        return 1;
    return -1;
}

static bool fake_font(struct machine_font *font)
{
    if (fake->no_console)
        return false;
    font->codes = memory_alloc(1000 * (ptrdiff_t)sizeof *font->codes);
    font->count = 0;
    if (!font->codes)
        return false;
    for (uint16_t code = 0x20; code < 0x7f; code++)
        font->codes[font->count++] = code;
    for (const uint16_t *code = fake->font; code && *code; code++)
        font->codes[font->count++] = *code;
    return true;
}

static void fake_lock(struct lock_report *report)
{
    memset(report, 0, sizeof *report);
    if (fake->no_lock) {
        strcpy(report->folders_why, "switch Landlock on");
        strcpy(report->calls_why, "build with seccomp");
        return;
    }
    report->folders = report->calls = true;
    report->abi = 3;
}

static void path_of(char path[static 300], const char *name)
{
    snprintf(path, 300, "%s/%s", fake->folder, name);
}

void fake_write(const char *name, const char *text)
{
    char path[300];
    path_of(path, name);
    for (char *slash = path + strlen(fake->folder) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(path, 0700);
        *slash = '/';
    }
    unlink(path);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void fake_remove(const char *name)
{
    char path[300];
    path_of(path, name);
    assert_int_equal(remove(path), 0);
}

void fake_link(const char *name, const char *target)
{
    char path[300];
    fake_write(name, "");
    path_of(path, name);
    unlink(path);
    assert_int_equal(symlink(target, path), 0);
}

void fake_set(const char *ending, unsigned uid, unsigned mode)
{
    assert_true(fake->change_count < FAKE_CHANGES);
    fake->changes[fake->change_count].ending = ending;
    fake->changes[fake->change_count].uid = uid;
    fake->changes[fake->change_count++].mode = mode;
}

static void write_machine(void)
{
    fake_write("root/proc/sys/kernel/sysrq", "0\n");
    fake_write("root/proc/sys/kernel/dmesg_restrict", "1\n");
    fake_write("root/proc/sys/kernel/yama/ptrace_scope", "1\n");
    fake_write("root/proc/sys/kernel/core_pattern", "|/bin/false\n");
    fake_write("root/proc/sys/fs/suid_dumpable", "0\n");
    fake_write("root/run/systemd/system/x", "");
    fake_link("root/etc/systemd/system/ctrl-alt-del.target", "/dev/null");
    fake_link("root/etc/systemd/system/getty@.service", "/dev/null");
    fake_link("root/etc/systemd/system/debug-shell.service", "/dev/null");
    fake_write("root/proc/sys/kernel/ctrl-alt-del", "0\n");
    fake_write("root/etc/systemd/system.conf.d/kiosk.conf", "[Manager]\nCtrlAltDelBurstAction=none\n");
    fake_write("root/etc/systemd/logind.conf", "[Login]\n#NAutoVTs=6\n");
    fake_write("root/etc/systemd/logind.conf.d/kiosk.conf", "[Login]\nNAutoVTs = 0\nReserveVT=0\n");
    fake_write("root/proc/1/comm", "systemd\n");
}

void fake_begin(struct fake *machine)
{
    char text[400];
    memset(machine, 0, sizeof *machine);
    fake = machine;
    strcpy(machine->folder, "/tmp/quiztutor-machine-XXXXXX");
    assert_non_null(mkdtemp(machine->folder));
    snprintf(machine->root, sizeof machine->root, "%s/root", machine->folder);
    snprintf(machine->config, sizeof machine->config, "%s/etc/kiosk.yaml", machine->folder);
    snprintf(machine->store, sizeof machine->store, "%s/data/store.db", machine->folder);
    machine->clock.wall = INT64_C(1796000000000); /* November 2026 */
    machine->type = 0xef53;                       /* ext4 */
    machine->room = INT64_C(10000000000);
    machine->machine = (struct machine){ .root = machine->root,
                                         .status = fake_status,
                                         .files = fake_files,
                                         .attribute = fake_attribute,
                                         .font = fake_font,
                                         .lock = fake_lock,
                                         .clock = clock_fake(&machine->clock) };
    write_machine();
    fake_write("packs/p.yaml",
               "format: quiztutor/1\nid: p\ntitle: P\nquestions:\n  - id: q\n    prompt: One?\n"
               "    choices: [{correct: yes}, no]\n    explanation: E\n");
    fake_write("data/x", "");
    snprintf(text, sizeof text,
             "format: quiztutor-kiosk/1\nstore: %s\ncontent: %s/packs\nbackups: {folder: %s/data/b, every: 1 "
             "day}\n",
             machine->store, machine->folder, machine->folder);
    fake_write("etc/kiosk.yaml", text);
    fake_write("data/b/store.db-20261129T220000Z.backup", "");
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *walk)
{
    (void)status, (void)kind, (void)walk;
    return remove(path);
}

void fake_end(struct fake *machine)
{
    nftw(machine->folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

void fake_look(const char *name, struct check_finding *finding)
{
    struct check check;
    const struct check_row *row = check_rows;
    while (row->name && strcmp(row->name, name) != 0)
        row++;
    assert_non_null(row->name);
    memset(finding, 0, sizeof *finding);
    assert_true(check_init(&check, &fake->machine, fake->config));
    row->look(&check, row, finding);
    check_finish(&check);
}
