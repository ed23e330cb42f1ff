#include "file.h"

#include "part.h"

#include <quiztutor/memory.h>
#include <quiztutor/message.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool file_read(struct buffer *bytes, const char *path, ptrdiff_t most, struct error *error)
{
    char part[65536];
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return error_set(error, errno == ENOENT ? ERROR_NOT_FOUND : ERROR_IO, tr("%s can't be read: %s"),
                         path, strerror(errno));
    bool done = fstat(file, &status) == 0;
    if (done && S_ISDIR(status.st_mode))
        done = error_set(error, ERROR_INPUT, tr("%s is a folder"), path);
    for (ssize_t got;
         done && bytes->length <= most && !bytes->failed && (got = read(file, part, sizeof part)) != 0;) {
        if (got > 0)
            buffer_add(bytes, part, got);
        else if (errno != EINTR)
            done = error_set(error, ERROR_IO, tr("%s can't be read: %s"), path, strerror(errno));
    }
    close(file);
    if (done && bytes->failed)
        return error_memory(error);
    if (done && bytes->length > most)
        return error_set(error, ERROR_INPUT, tr("%s is larger than %td MiB"), path, most / 1024 / 1024);
    return done;
}

static bool fail(const char *path, struct error *error)
{
    int why = errno;
    if (why == EEXIST)
        return error_set(error, ERROR_IO,
                         tr("%s is there already and was left as it is; choose another name"), path);
    if (why == ENOENT)
        return error_set(error, ERROR_NOT_FOUND, tr("%s can't be written: its folder is not there"), path);
    return error_set(error, why == ENOSPC || why == EDQUOT ? ERROR_FULL : ERROR_IO,
                     tr("%s can't be written: %s"), path, strerror(why));
}

static bool put(int file, const struct buffer *text)
{
    const char *at = buffer_get(text);
    for (ptrdiff_t left = text->length; left > 0;) {
        ssize_t written = write(file, at, (size_t)left);
        if (written < 0 && errno != EINTR)
            return false;
        at += written > 0 ? written : 0;
        left -= written > 0 ? written : 0;
    }
    return true;
}

/* The whole text on the disk. */
static bool fill(int file, const struct buffer *text)
{
    return put(file, text) && fsync(file) == 0;
}

/* Gives the finished file its name, unless that is taken. Some file systems know no links, others no such
 * renaming. */
static bool settle(const char *part, const char *path)
{
    if (link(part, path) == 0)
        return unlink(part) == 0;
    return errno != EEXIST && renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) == 0;
}

static bool write_new(const char *path, const struct buffer *text, mode_t mode, struct error *error)
{
    struct buffer part;
    struct stat there;
    buffer_init(&part);
    buffer_print(&part, "%.*s.quiztutor-new-%ld", (int)(base_name(path) - path), path, (long)getpid());
    if (part.failed) {
        buffer_finish(&part);
        return error_memory(error);
    }
    errno = EEXIST;
    bool taken = lstat(path, &there) == 0, done = false;
    int file = taken ? -1 : open(buffer_get(&part), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (file >= 0) {
        done = fill(file, text);
        done = close(file) == 0 && done;
        done = done && settle(buffer_get(&part), path);
    }
    if (!done)
        fail(path, error);
    if (!done && file >= 0)
        unlink(buffer_get(&part));
    if (done)
        part_sync_folder(path);
    buffer_finish(&part);
    return done;
}

bool file_write_new(const char *path, const struct buffer *text, struct error *error)
{
    return write_new(path, text, 0666, error);
}

bool file_write_private(const char *path, const struct buffer *text, struct error *error)
{
    return write_new(path, text, 0600, error);
}

bool file_write(const char *path, const struct buffer *text, struct error *error)
{
    struct part part;
    bool done = part_start(&part, path, error) && part_put(&part, buffer_get(text), text->length, error) &&
                part_settle(&part, error);
    part_end(&part);
    return done;
}

bool file_make_folder(const char *folder, struct error *error)
{
    char *path = memory_text(folder);
    if (!path)
        return error_memory(error);
    bool done = true;
    for (char *slash = path + 1; done && *path && *slash; slash++)
        if (*slash == '/') {
            *slash = '\0';
            done = mkdir(path, 0777) == 0 || errno == EEXIST;
            *slash = '/';
        }
    done = done && (mkdir(path, 0777) == 0 || errno == EEXIST);
    int why = errno;
    struct stat status;
    if (done && (stat(path, &status) != 0 || !S_ISDIR(status.st_mode)))
        done = false, why = ENOTDIR;
    memory_free(path);
    return done || error_set(error, ERROR_IO, tr("the folder %s can't be made: %s"), folder, strerror(why));
}
