/* What `kiosk --check` looks at, in the order in which it is told. */
#include "kiosk_check.h"

#include <quiztutor/message.h>

enum { ANY = 1 << 30 };

const struct check_row check_rows[] = {
    { "config", N_("Configuration"), check_config, NULL, NULL, 0, 0, 0, NULL },
    { "config-files", N_("Its files"), check_config_files, NULL, NULL, 0, 0, 0, NULL },
    { "tutor-code", N_("Tutor's code"), check_code, NULL, NULL, 0, 0, 0, NULL },
    { "packs", N_("Packs"), check_packs, NULL, NULL, 0, 0, 0, NULL },
    { "pack-files", N_("Their files"), check_pack_files, NULL, NULL, 0, 0, 0, NULL },
    { "data-folder", N_("Data folder"), check_data_kind, NULL, NULL, 0, 0, 0, NULL },
    { "data-files", N_("Its files"), check_data_files, NULL, NULL, 0, 0, 0, NULL },
    { "data-lists", N_("Access lists"), check_data_lists, NULL, NULL, 0, 0, 0, NULL },
    { "store", N_("Store"), check_store, NULL, NULL, 0, 0, 0, NULL },
    { "space", N_("Free space"), check_space, NULL, NULL, 0, 0, 0, NULL },
    { "clock", N_("Clock"), check_clock, NULL, NULL, 0, 0, 0, NULL },
    { "backups", N_("Backups"), check_backups, NULL, NULL, 0, 0, 0, NULL },
    { "backup-space", N_("Room for them"), check_backup_space, NULL, NULL, 0, 0, 0, NULL },
    { "landlock", N_("Folders locked"), check_landlock, NULL, NULL, 0, 0, 0, NULL },
    { "seccomp", N_("System calls"), check_seccomp, NULL, NULL, 0, 0, 0, NULL },
    { "user", N_("User"), check_user, NULL, NULL, 0, 0, 0, NULL },
    { "umask", N_("New files"), check_umask, NULL, NULL, 0, 0, 0, NULL },
    { "sysrq", N_("SysRq keys"), check_kernel, "/proc/sys/kernel/sysrq", "kernel.sysrq", 0, 0, 0,
      N_("keys can kill programs or restart the machine") },
    { "dmesg", N_("Kernel's log"), check_kernel, "/proc/sys/kernel/dmesg_restrict", "kernel.dmesg_restrict",
      1, ANY, 1, N_("every user can read it") },
    { "yama", N_("Tracing"), check_kernel, "/proc/sys/kernel/yama/ptrace_scope", "kernel.yama.ptrace_scope",
      1, ANY, 1, N_("a user's programs can look into each other") },
    { "suid-dumpable", N_("Locked programs"), check_kernel, "/proc/sys/fs/suid_dumpable", "fs.suid_dumpable",
      0, 0, 0, N_("programs that must not leave their memory behind can do so") },
    { "core", N_("Crashes"), check_core, "/proc/sys/kernel/core_pattern", "kernel.core_pattern", 0, 0, 0,
      NULL },
    { "ctrl-alt-del-kernel", N_("Ctrl-Alt-Del"), check_kernel, "/proc/sys/kernel/ctrl-alt-del",
      "kernel.ctrl-alt-del", 0, 0, 0, N_("it restarts the machine at once") },
    { "swap", N_("Swap"), check_swap, NULL, NULL, 0, 0, 0, NULL },
    { "ctrl-alt-del", N_("And for systemd"), check_keys, NULL, NULL, 0, 0, 0, NULL },
    { "ctrl-alt-del-burst", N_("Pressed often"), check_burst, NULL, NULL, 0, 0, 0, NULL },
    { "terminals", N_("Other terminals"), check_terminals, NULL, NULL, 0, 0, 0, NULL },
    { "gettys", N_("Logins"), check_gettys, NULL, NULL, 0, 0, 0, NULL },
    { "debug-shell", N_("Debug shell"), check_debug_shell, NULL, NULL, 0, 0, 0, NULL },
    { "font", N_("Console font"), check_font, NULL, NULL, 0, 0, 0, NULL },
    { 0 },
};
