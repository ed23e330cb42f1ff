/* `quiztutor add`: packs are checked, then copied whole into the user's content, one file a pack, named by
 * its id. */
#include "command.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Makes the folder and those above it, for the user alone. */
static bool add_make_folder(const char *folder, struct error *error)
{
    char *path = memory_text(folder);
    if (!path)
        return error_memory(error);
    bool done = true;
    for (char *slash = path + 1; done && *slash; slash++)
        if (*slash == '/') {
            *slash = '\0';
            done = mkdir(path, 0700) == 0 || errno == EEXIST;
            *slash = '/';
        }
    done = done && (mkdir(path, 0700) == 0 || errno == EEXIST);
    if (!done)
        error_set(error, ERROR_IO, tr("the folder %s can't be made: %s"), folder, strerror(errno));
    memory_free(path);
    return done;
}

static bool add_copy_bytes(int from, int to)
{
    char bytes[65536];
    ssize_t got;
    while ((got = read(from, bytes, sizeof bytes)) != 0) {
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        for (ssize_t at = 0; at < got;) {
            ssize_t put = write(to, bytes + at, (size_t)(got - at));
            if (put < 0 && errno != EINTR)
                return false;
            at += put > 0 ? put : 0;
        }
    }
    return fsync(to) == 0;
}

/* A copy beside the target, on disk, then renamed over it: the old file or the new one, never half of one. */
static bool add_copy(const char *from_path, const char *to_path, struct error *error)
{
    struct buffer part;
    bool done = false;
    int from = -1, to = -1;
    buffer_init(&part);
    buffer_print(&part, "%s.part-%ld", to_path, (long)getpid());
    if (part.failed) {
        error_memory(error);
        goto out;
    }
    from = open(from_path, O_RDONLY | O_CLOEXEC);
    to = open(buffer_get(&part), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    done = from >= 0 && to >= 0 && add_copy_bytes(from, to) && rename(buffer_get(&part), to_path) == 0;
    if (!done) {
        error_set(error, errno == ENOSPC ? ERROR_FULL : ERROR_IO, tr("%s can't be copied to %s: %s"),
                  from_path, to_path, strerror(errno));
        if (to >= 0)
            unlink(buffer_get(&part));
    }
out:
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    buffer_finish(&part);
    return done;
}

static bool add_pack(const char *path, const char *folder, struct error *error)
{
    struct diagnostics list;
    struct pack *pack;
    struct buffer out, target;
    diagnostics_init(&list);
    buffer_init(&out);
    buffer_init(&target);
    bool done = pack_load(&pack, path, &list, error);
    diagnostics_print(&list, &out);
    fputs(buffer_get(&out), stdout);
    if (!done && !error->code)
        error_set(error, ERROR_INPUT, tr("%s is not added: it has errors"), path);
    if (done) {
        buffer_print(&target, "%s/%s.yaml", folder, pack->id);
        bool replaced = access(buffer_get(&target), F_OK) == 0;
        done = add_copy(path, buffer_get(&target), error);
        if (done)
            printf(replaced ? tr("%s: replaced, %s\n") : tr("%s: added, %s\n"), pack->id,
                   buffer_get(&target));
    }
    pack_destroy(pack);
    buffer_finish(&out);
    buffer_finish(&target);
    diagnostics_finish(&list);
    return done;
}

int command_add(const struct invocation *invocation)
{
    struct library *library = NULL;
    struct arena arena;
    struct error error = { 0 };
    const char **paths = NULL;
    ptrdiff_t count = 0, capacity = 0;
    int status = STATUS_DONE;
    arena_init(&arena);
    const char *folder = settings_user_content(&arena);
    if (!folder)
        error_set(&error, ERROR_NOT_FOUND, "%s",
                  tr("there is no home folder to keep content in; set XDG_DATA_HOME"));
    if (!folder || !command_library(invocation, &library, &error) || !add_make_folder(folder, &error)) {
        status = command_fail(&error);
        goto out;
    }
    for (int i = 0; i < invocation->argument_count; i++)
        if (!library_paths(library, invocation->arguments[i], &arena, &paths, &count, &capacity, &error))
            status = command_fail(&error);
    for (ptrdiff_t i = 0; i < count; i++) {
        error = (struct error){ 0 };
        if (!add_pack(paths[i], folder, &error))
            status = command_fail(&error);
    }
out:
    memory_free(paths);
    arena_finish(&arena);
    library_destroy(library);
    return status;
}
