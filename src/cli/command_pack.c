/* Commands that take one pack: which file an argument names, and loading it. */
#include "command.h"

#include <quiztutor/message.h>

#include <stdio.h>

const char *command_path(struct library *library, const char *argument, struct arena *arena,
                         struct error *error)
{
    const char **paths = NULL, *path = NULL;
    ptrdiff_t count = 0, capacity = 0;
    if (!library_paths(library, argument, arena, &paths, &count, &capacity, error))
        goto out;
    if (count == 1)
        path = paths[0]; /* its text is the arena's */
    else
        error_set(error, ERROR_INPUT, tr("%s is a folder of several packs; name one of them"), argument);
out:
    memory_free(paths);
    return path;
}

struct pack *command_pack(const struct invocation *invocation, const char *argument, struct error *error)
{
    struct library *library = NULL;
    struct diagnostics list;
    struct arena arena;
    struct pack *pack = NULL;
    const char *path = NULL;
    diagnostics_init(&list);
    arena_init(&arena);
    if (command_library(invocation, &library, error))
        path = command_path(library, argument, &arena, error);
    if (path && !pack_load(&pack, path, &list, error) && list.errors) {
        struct buffer out;
        buffer_init(&out);
        diagnostics_print(&list, &out);
        fputs(buffer_get(&out), stderr);
        buffer_finish(&out);
        if (!error->code)
            error_set(error, ERROR_INPUT, tr("%s: the pack has errors"), argument);
    }
    library_destroy(library);
    arena_finish(&arena);
    diagnostics_finish(&list);
    return pack;
}
