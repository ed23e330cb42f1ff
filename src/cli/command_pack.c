/* Commands that take one pack: which file an argument names, and loading it. */
#include "command.h"
#include "file.h"

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

/* What is wrong with a pack, on standard error. */
static void tell(const struct diagnostics *list, const char *name, struct error *error)
{
    struct buffer out;
    buffer_init(&out);
    diagnostics_print(list, &out);
    fputs(buffer_get(&out), stderr);
    buffer_finish(&out);
    if (!error->code)
        error_set(error, ERROR_INPUT, tr("%s: the pack has errors"), name);
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
    if (path && !pack_load(&pack, path, &list, error) && list.errors)
        tell(&list, argument, error);
    library_destroy(library);
    arena_finish(&arena);
    diagnostics_finish(&list);
    return pack;
}

struct pack *command_pack_bytes(const char *name, const struct buffer *bytes, struct error *error)
{
    struct diagnostics list;
    struct pack *pack = NULL;
    diagnostics_init(&list);
    if (!pack_load_bytes(&pack, name, buffer_get(bytes), bytes->length, &list, error) && list.errors)
        tell(&list, name, error);
    diagnostics_finish(&list);
    return pack;
}

struct pack *command_pack_file(const struct invocation *invocation, const char *argument, struct arena *arena,
                               const char **path, struct buffer *bytes, struct error *error)
{
    struct library *library = NULL;
    *path = NULL;
    if (command_library(invocation, &library, error))
        *path = command_path(library, argument, arena, error);
    library_destroy(library);
    if (!*path || !file_read(bytes, *path, PACK_FILE, error))
        return NULL;
    return command_pack_bytes(*path, bytes, error);
}
