/* Processes, by /proc. */
#include "machine.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PROCESSES = 100000, ARGUMENTS = 4096 };

void machine_processes(const struct machine *machine, machine_visit *visit, void *context)
{
    char path[MACHINE_PATH];
    DIR *folder = machine_path(machine, path, "/proc") ? opendir(path) : NULL;
    struct dirent *entry;
    for (int i = 0; folder && i < PROCESSES && (entry = readdir(folder)) != NULL; i++) {
        if (*entry->d_name < '1' || *entry->d_name > '9')
            continue;
        snprintf(path, sizeof path, "/proc/%s", entry->d_name);
        if (!visit(context, machine, path))
            break;
    }
    if (folder)
        closedir(folder);
}

/* The arguments, each ended by a NUL; how many bytes. */
static ssize_t read_arguments(const struct machine *machine, const char *folder,
                              char arguments[static ARGUMENTS])
{
    char rest[MACHINE_PATH], path[MACHINE_PATH];
    if (snprintf(rest, sizeof rest, "%s/cmdline", folder) >= MACHINE_PATH ||
        !machine_path(machine, path, rest))
        return 0;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd < 0 ? 0 : read(fd, arguments, ARGUMENTS - 1);
    if (fd >= 0)
        close(fd);
    if (length <= 0)
        return 0;
    arguments[length] = '\0';
    return length;
}

/* `quiztutor kiosk`, and not one of the looks at it. */
static bool is_kiosk(const char *arguments, ssize_t length)
{
    static const char *const looks[] = { "--check", "--status", "--code", "--help" };
    bool found = false;
    int place = 0;
    for (const char *word = arguments; word < arguments + length; word += strlen(word) + 1, place++) {
        const char *slash = strrchr(word, '/');
        if (place == 0 && strcmp(slash ? slash + 1 : word, "quiztutor") != 0)
            return false;
        found = found || (place > 0 && strcmp(word, "kiosk") == 0);
        for (size_t i = 0; i < sizeof looks / sizeof *looks; i++)
            if (strcmp(word, looks[i]) == 0)
                return false;
    }
    return found;
}

/* The number after "NAME:" in /proc/PID/status. */
static unsigned status_number(const char *status, const char *name, int base)
{
    const char *line = strstr(status, name);
    return line ? (unsigned)strtoul(line + strlen(name), NULL, base) : 0;
}

static bool take(void *context, const struct machine *machine, const char *folder)
{
    struct machine_kiosk *kiosk = context;
    char arguments[ARGUMENTS], path[MACHINE_PATH];
    ssize_t length = read_arguments(machine, folder, arguments);
    if (!length || !is_kiosk(arguments, length))
        return true;
    snprintf(path, sizeof path, "%.100s/status", folder);
    char *status = machine_read(machine, path);
    if (!status)
        return true; /* it has ended */
    *kiosk = (struct machine_kiosk){
        .pid = (int)strtol(folder + strlen("/proc/"), NULL, 10),
        .uid = status_number(status, "\nUid:", 10),
        .umask = status_number(status, "\nUmask:", 8),
        .no_new_privs = status_number(status, "\nNoNewPrivs:", 10) == 1,
        .filtered = status_number(status, "\nSeccomp:", 10) == 2,
    };
    memory_free(status);
    return false;
}

void machine_find_kiosk(const struct machine *machine, struct machine_kiosk *kiosk)
{
    memset(kiosk, 0, sizeof *kiosk);
    machine_processes(machine, take, kiosk);
}
