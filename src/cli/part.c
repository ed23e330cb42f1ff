#include "part.h"

#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
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

static const char *place_of(const struct part *part)
{
    return part->real.length ? buffer_get(&part->real) : part->path;
}

/* A link that leads to a file stays a link. */
static void follow_link(struct part *part)
{
    struct stat link;
    char *real = lstat(part->path, &link) == 0 && S_ISLNK(link.st_mode) ? realpath(part->path, NULL) : NULL;
    if (real)
        buffer_text(&part->real, real);
    free(real); /* by libc */
}

bool part_start(struct part *part, const char *path, struct error *error)
{
    struct stat there;
    *part = (struct part){ .path = path, .file = -1 };
    buffer_init(&part->name);
    buffer_init(&part->real);
    bool exists = stat(path, &there) == 0;
    if (exists && !S_ISREG(there.st_mode)) {
        part->file = open(path, O_WRONLY | O_CLOEXEC);
        return part->file >= 0 || fail(part, error);
    }
    part->mode = exists ? there.st_mode & 0777 : 0;
    if (exists)
        follow_link(part);
    path = place_of(part);
    buffer_print(&part->name, "%.*s.quiztutor-new-%ld", (int)folder_length(path), path, (long)getpid());
    if (part->name.failed || part->real.failed)
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
    done = done && (!beside || rename(buffer_get(&part->name), place_of(part)) == 0);
    if (!done)
        return fail(part, error);
    if (beside)
        part_sync_folder(place_of(part));
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
    buffer_finish(&part->real);
    part->file = -1;
}
