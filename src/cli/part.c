#include "part.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool fail(const struct part *part, struct error *error)
{
    int why = errno;
    if (why == ENOENT)
        return error_set(error, ERROR_NOT_FOUND, tr("%s can't be written: its folder is not there"),
                         part->path);
    return error_set(error, why == ENOSPC || why == EDQUOT ? ERROR_FULL : ERROR_IO,
                     tr("%s can't be written: %s"), part->path, strerror(why));
}

static ptrdiff_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 - path : 0;
}

bool part_start(struct part *part, const char *path, struct error *error)
{
    struct stat there;
    *part = (struct part){ .path = path, .file = -1 };
    buffer_init(&part->name);
    bool exists = stat(path, &there) == 0;
    if (exists && !S_ISREG(there.st_mode)) {
        part->file = open(path, O_WRONLY | O_CLOEXEC);
        return part->file >= 0 || fail(part, error);
    }
    part->mode = exists ? there.st_mode & 0777 : 0;
    buffer_print(&part->name, "%.*s.quiztutor-new-%ld", (int)folder_length(path), path, (long)getpid());
    if (part->name.failed)
        return error_memory(error);
    part->file = open(buffer_get(&part->name), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (part->file >= 0)
        return true;
    buffer_clear(&part->name); /* whatever is there is not ours to take away */
    return fail(part, error);
}

bool part_put(struct part *part, const char *bytes, ptrdiff_t length, struct error *error)
{
    while (length > 0) {
        ssize_t written = write(part->file, bytes, (size_t)length);
        if (written < 0 && errno != EINTR)
            return fail(part, error);
        bytes += written > 0 ? written : 0;
        length -= written > 0 ? written : 0;
    }
    return true;
}

void part_sync_folder(const char *path)
{
    char folder[4096];
    ptrdiff_t length = folder_length(path);
    if (length >= (ptrdiff_t)sizeof folder)
        return;
    memcpy(folder, length ? path : ".", (size_t)(length ? length : 1));
    folder[length ? length : 1] = '\0';
    int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file >= 0) {
        fsync(file);
        close(file);
    }
}

bool part_settle(struct part *part, struct error *error)
{
    bool beside = part->name.length > 0;
    bool done = !beside || (fsync(part->file) == 0 && (!part->mode || fchmod(part->file, part->mode) == 0));
    int file = part->file;
    part->file = -1;
    done = close(file) == 0 && done;
    done = done && (!beside || rename(buffer_get(&part->name), part->path) == 0);
    if (!done)
        return fail(part, error);
    if (beside)
        part_sync_folder(part->path);
    buffer_clear(&part->name);
    return true;
}

void part_end(struct part *part)
{
    if (part->file >= 0)
        close(part->file);
    if (part->name.length > 0)
        unlink(buffer_get(&part->name));
    buffer_finish(&part->name);
    part->file = -1;
}
