#include "folder.h"

#include <quiztutor/message.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static bool add_name(struct folder_names *names, const char *name, struct arena *arena)
{
    const char *kept = arena_text(arena, name, (ptrdiff_t)strlen(name));
    if (!kept || !memory_grow(&names->items, &names->capacity, names->count + 1, sizeof *names->items))
        return false;
    names->items[names->count++] = kept;
    return true;
}

bool folder_list(struct folder_names *names, int folder, bool (*meant)(const char *name), ptrdiff_t most,
                 struct arena *arena, struct error *error)
{
    int own = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC); /* with a place of its own in it */
    DIR *directory = own < 0 ? NULL : fdopendir(own);
    bool done = true;
    if (!directory) {
        int number = errno;
        if (own >= 0)
            close(own);
        return error_set(error, ERROR_IO, "%s", strerror(number));
    }
    for (struct dirent *entry; done && (entry = readdir(directory)) != NULL;) {
        if (!meant(entry->d_name))
            continue;
        if (names->count == most)
            done = error_set(error, ERROR_INPUT, tr("more than %td files are in it"), most);
        else
            done = add_name(names, entry->d_name, arena) || error_memory(error);
    }
    closedir(directory);
    if (names->count > 1)
        qsort(names->items, (size_t)names->count, sizeof *names->items, compare_names);
    return done;
}
