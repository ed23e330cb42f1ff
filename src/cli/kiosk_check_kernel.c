/* What `kiosk --check` finds of the kernel: its settings, and what locks a program in. */
#include "kiosk_check.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYSCTL_FILE "/etc/sysctl.d/60-quiztutor-kiosk.conf"

static void todo_set(struct check_finding *finding, const char *setting, const char *value)
{
    check_todo(finding, tr("write %s = %s into %s, then run sysctl --system"), setting, value, SYSCTL_FILE);
}

/* A file that is not there is a part that the kernel lacks. */
static char *read_setting(const struct check *check, const struct check_row *row,
                          struct check_finding *finding)
{
    char *text = machine_read(check->machine, row->path);
    if (text)
        return text;
    if (errno == ENOENT)
        check_found(finding, CHECK_APART, tr("this kernel has no %s"), row->setting);
    else
        check_found(finding, CHECK_UNKNOWN, tr("%s can't be read: %s"), row->path, strerror(errno));
    return NULL;
}

void check_kernel(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char *text = read_setting(check, row, finding), *end;
    if (!text)
        return;
    long value = strtol(text, &end, 10);
    if (end == text || *end) {
        check_found(finding, CHECK_UNKNOWN, tr("%s holds no number"), row->path);
    } else if (value >= row->least && value <= row->most) {
        check_found(finding, CHECK_GOOD, "%s = %ld", row->setting, value);
    } else {
        char wanted[16];
        snprintf(wanted, sizeof wanted, "%d", row->wanted);
        check_found(finding, CHECK_BAD, "%s = %ld: %s", row->setting, value, tr(row->danger));
        todo_set(finding, row->setting, wanted);
    }
    memory_free(text);
}

/* A kiosk leaves no core file, whatever stands here; other programs may, and so may one that reports crashes.
 */
void check_core(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char *text = read_setting(check, row, finding);
    struct buffer shown;
    if (!text)
        return;
    buffer_init(&shown);
    text_visible(&shown, text, (ptrdiff_t)strnlen(text, 200));
    if (!*text || strcmp(text, "|/bin/false") == 0) {
        check_found(finding, CHECK_GOOD, tr("%s = %s: nothing is kept"), row->setting, buffer_get(&shown));
    } else {
        check_found(finding, CHECK_BAD,
                    tr("%s = %s: what a program had in memory may be kept when it crashes"), row->setting,
                    buffer_get(&shown));
        todo_set(finding, row->setting, "|/bin/false");
    }
    buffer_finish(&shown);
    memory_free(text);
}

void check_landlock(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    struct lock_report report = { 0 };
    (void)row;
    check->machine->lock(&report);
    if (report.folders) {
        check_found(finding, CHECK_GOOD, tr("Landlock, version %d"), report.abi);
        return;
    }
    check_found(finding, CHECK_BAD, "%s",
                tr("the kernel would not keep the kiosk to its folders: exams refuse to start"));
    check_todo(finding, "%s", report.folders_why);
}

void check_seccomp(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    struct lock_report report = { 0 };
    (void)row;
    check->machine->lock(&report);
    if (report.calls) {
        check_found(finding, CHECK_GOOD, "%s", tr("filtered (seccomp)"));
        return;
    }
    check_found(finding, CHECK_BAD, "%s",
                tr("the kernel would not refuse other programs and networks: exams refuse to start"));
    check_todo(finding, "%s", report.calls_why);
}
