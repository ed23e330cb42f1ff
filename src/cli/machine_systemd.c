/* Settings as systemd reads them. */
#include "machine.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

enum { FILES = 100 /* of one folder, that are read */, ENTRIES = 10000, NAME = 256 };

/* The last line that sets the key. */
static void read_key(const struct machine *machine, const char *path, const char *key,
                     char value[static MACHINE_VALUE])
{
    char *text = machine_read(machine, path), *rest = text;
    size_t length = strlen(key);
    while (rest) {
        char *line = rest + strspn(rest, " \t"), *end = strchr(rest, '\n');
        rest = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        if (strncmp(line, key, length) != 0)
            continue;
        line += length;
        line += strspn(line, " \t");
        if (*line++ != '=')
            continue;
        line += strspn(line, " \t");
        snprintf(value, MACHINE_VALUE, "%.*s", (int)strcspn(line, " \t\r"), line);
    }
    memory_free(text);
}

static bool is_conf(const char *name)
{
    size_t length = strlen(name);
    return *name != '.' && length > 5 && strcmp(name + length - 5, ".conf") == 0;
}

/* The name of the file that comes next after `name`, in its place; false at the end. */
static bool next_file(const char *path, char name[static NAME])
{
    char next[NAME] = "";
    DIR *folder = opendir(path);
    struct dirent *entry;
    for (int i = 0; folder && i < ENTRIES && (entry = readdir(folder)) != NULL; i++)
        if (is_conf(entry->d_name) && strcmp(entry->d_name, name) > 0 &&
            (!*next || strcmp(entry->d_name, next) < 0))
            strcpy(next, entry->d_name);
    if (folder)
        closedir(folder);
    strcpy(name, next);
    return *name;
}

/* The key in the *.conf of a folder, by name. */
static void read_folder(const struct machine *machine, const char *folder, const char *key,
                        char value[static MACHINE_VALUE])
{
    char path[MACHINE_PATH], file[MACHINE_PATH + NAME], name[NAME] = "";
    if (!machine_path(machine, path, folder))
        return;
    for (int i = 0; i < FILES && next_file(path, name); i++) {
        snprintf(file, sizeof file, "%s/%s", folder, name);
        read_key(machine, file, key, value);
    }
}

void machine_setting(const struct machine *machine, const char *file, const char *key,
                     char value[static MACHINE_VALUE])
{
    static const char *const places[] = { "/usr/lib/systemd", "/run/systemd", "/etc/systemd" };
    char path[MACHINE_PATH];
    *value = '\0';
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s", places[i], file);
        read_key(machine, path, key, value);
    }
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, sizeof path, "%s/%s.d", places[i], file);
        read_folder(machine, path, key, value);
    }
}
