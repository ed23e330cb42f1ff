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

/* One run: where packs go, and which ids it has copied, from where. */
struct add {
    const char *folder;
    struct arena arena;
    struct add_copied {
        const char *id, *path;
    } * copied;
    ptrdiff_t count, capacity;
};

/* Two files of one id in one run would leave only the second. */
static bool add_is_first(const struct add *add, const char *id, const char *path, struct error *error)
{
    for (ptrdiff_t i = 0; i < add->count; i++)
        if (strcmp(add->copied[i].id, id) == 0)
            return error_set(error, ERROR_INPUT,
                             tr("%s is not added: it has the id \"%s\", as %s has; give one another id"),
                             path, id, add->copied[i].path);
    return true;
}

static bool add_remember(struct add *add, const char *id, const char *path, struct error *error)
{
    if (!memory_grow(&add->copied, &add->capacity, add->count + 1, sizeof *add->copied))
        return error_memory(error);
    const char *kept = arena_text(&add->arena, id, (ptrdiff_t)strlen(id));
    if (!kept)
        return error_memory(error);
    add->copied[add->count++] = (struct add_copied){ kept, path };
    return true;
}

static bool add_pack(struct add *add, const char *path, struct error *error)
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
    done = done && add_is_first(add, pack->id, path, error) && add_remember(add, pack->id, path, error);
    if (done) {
        buffer_print(&target, "%s/%s.yaml", add->folder, pack->id);
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
    struct add add = { 0 };
    struct error error = { 0 };
    const char **paths = NULL;
    ptrdiff_t count = 0, capacity = 0;
    int status = STATUS_DONE;
    arena_init(&add.arena);
    add.folder = settings_user_content(&add.arena);
    if (!add.folder)
        error_set(&error, ERROR_NOT_FOUND, "%s",
                  tr("there is no home folder to keep content in; set XDG_DATA_HOME"));
    if (!add.folder || !command_library(invocation, &library, &error) ||
        !add_make_folder(add.folder, &error)) {
        status = command_fail(&error);
        goto out;
    }
    for (int i = 0; i < invocation->argument_count; i++)
        if (!library_paths(library, invocation->arguments[i], &add.arena, &paths, &count, &capacity, &error))
            status = command_fail(&error);
    for (ptrdiff_t i = 0; i < count; i++) {
        error = (struct error){ 0 };
        if (!add_pack(&add, paths[i], &error))
            status = command_fail(&error);
    }
out:
    memory_free(paths);
    memory_free(add.copied);
    arena_finish(&add.arena);
    library_destroy(library);
    return status;
}
