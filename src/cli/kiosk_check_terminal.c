/* What `kiosk --check` finds of the ways past the kiosk: keys of the console, and other terminals. */
#include "kiosk_check.h"

#include <quiztutor/message.h>

#include <stdio.h>
#include <string.h>

/* Whether systemd looks after this machine. */
static bool has_systemd(const struct check *check, struct check_finding *finding)
{
    char path[MACHINE_PATH];
    struct stat status;
    if (machine_path(check->machine, path, "/run/systemd/system") && stat(path, &status) == 0)
        return true;
    check_found(finding, CHECK_NOTE, "%s", tr("systemd does not run here: see to it in what does"));
    return false;
}

/* A unit that leads to nothing, also after the next start. */
static bool is_masked(const struct check *check, const char *unit)
{
    char path[MACHINE_PATH], target[MACHINE_PATH];
    snprintf(path, sizeof path, "/etc/systemd/system/%s", unit);
    return machine_link(check->machine, path, target) && strcmp(target, "/dev/null") == 0;
}

void check_keys(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    (void)row;
    if (!has_systemd(check, finding))
        return;
    if (is_masked(check, "ctrl-alt-del.target")) {
        check_found(finding, CHECK_GOOD, "%s", tr("does nothing"));
        return;
    }
    check_found(finding, CHECK_BAD, "%s", tr("restarts the machine"));
    check_todo(finding, tr("run %s"), "systemctl mask ctrl-alt-del.target");
}

/* Seven times within two seconds is another setting (systemd-system.conf(5)). */
void check_burst(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char value[MACHINE_VALUE];
    (void)row;
    if (!has_systemd(check, finding))
        return;
    machine_setting(check->machine, "system.conf", "CtrlAltDelBurstAction", value);
    if (strcmp(value, "none") == 0) {
        check_found(finding, CHECK_GOOD, "%s", tr("Ctrl-Alt-Del pressed seven times does nothing, either"));
        return;
    }
    check_found(finding, CHECK_BAD, tr("Ctrl-Alt-Del pressed seven times: %s"),
                *value ? value : "reboot-force");
    check_todo(finding,
               tr("write CtrlAltDelBurstAction=none below [Manager] in %s, then run systemctl daemon-reexec"),
               "/etc/systemd/system.conf.d/quiztutor-kiosk.conf");
}

/* Terminals that logind opens when someone goes there. */
void check_terminals(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    char number[MACHINE_VALUE], reserved[MACHINE_VALUE];
    (void)row;
    if (!has_systemd(check, finding))
        return;
    machine_setting(check->machine, "logind.conf", "NAutoVTs", number);
    machine_setting(check->machine, "logind.conf", "ReserveVT", reserved);
    bool masked = is_masked(check, "autovt@.service");
    if (masked || (strcmp(number, "0") == 0 && strcmp(reserved, "0") == 0)) {
        check_found(finding, CHECK_GOOD, "%s", tr("no login is offered on them"));
        return;
    }
    check_found(finding, CHECK_BAD, tr("a login comes up on other terminals: NAutoVTs=%s, ReserveVT=%s"),
                *number ? number : "6", *reserved ? reserved : "6");
    check_todo(finding,
               tr("write NAutoVTs=0 and ReserveVT=0 below [Login] in %s, then run systemctl restart "
                  "systemd-logind"),
               "/etc/systemd/logind.conf.d/quiztutor-kiosk.conf");
}

/* Programs that ask for a login. */
static bool take_getty(void *context, const struct machine *machine, const char *folder)
{
    static const char *const names[] = { "agetty", "getty", "mingetty", "fgetty", "fbgetty", "mgetty" };
    int *count = context;
    char path[MACHINE_PATH];
    snprintf(path, sizeof path, "%.100s/comm", folder);
    char *name = machine_read(machine, path);
    for (size_t i = 0; name && i < sizeof names / sizeof *names; i++)
        *count += strcmp(name, names[i]) == 0;
    memory_free(name);
    return true;
}

void check_gettys(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    int running = 0;
    (void)row;
    machine_processes(check->machine, take_getty, &running);
    if (running) {
        check_found(finding, CHECK_BAD,
                    ntr("%d program asks for a login on a terminal",
                        "%d programs ask for a login on terminals", running),
                    running);
        check_todo(finding, tr("run %s, then restart the machine"),
                   "systemctl mask getty@.service serial-getty@.service");
        return;
    }
    if (!has_systemd(check, finding))
        return;
    if (is_masked(check, "getty@.service")) {
        check_found(finding, CHECK_GOOD, "%s", tr("none is offered on terminals"));
        return;
    }
    check_found(finding, CHECK_BAD, "%s", tr("none is offered now, but can be after a restart"));
    check_todo(finding, tr("run %s"), "systemctl mask getty@.service");
}

/* A root shell on the ninth terminal, which a word on the kernel's command line brings up. */
void check_debug_shell(const struct check *check, const struct check_row *row, struct check_finding *finding)
{
    (void)row;
    if (!has_systemd(check, finding))
        return;
    if (is_masked(check, "debug-shell.service")) {
        check_found(finding, CHECK_GOOD, "%s", tr("never started"));
        return;
    }
    check_found(finding, CHECK_BAD, "%s",
                tr("whoever can change the kernel's command line gets a shell of root's on a terminal"));
    check_todo(finding, tr("run %s"), "systemctl mask debug-shell.service");
}
