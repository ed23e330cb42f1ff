#include "reserve.h"

#include <fcntl.h>
#include <quiztutor/memory.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { ROOM_FOR = 8 }; /* reserves that must still fit */

static char *reserve_path(const char *store_path)
{
    static const char ending[] = "-reserve";
    size_t length = strlen(store_path);
    char *path = memory_alloc((ptrdiff_t)(length + sizeof ending));
    if (path) {
        memcpy(path, store_path, length);
        memcpy(path + length, ending, sizeof ending);
    }
    return path;
}

bool reserve_free(const char *store_path)
{
    char *path = reserve_path(store_path);
    bool freed = path && unlink(path) == 0;
    memory_free(path);
    return freed;
}

static bool reserve_fill(int fd, ptrdiff_t size)
{
    struct statvfs disk;
    return fstatvfs(fd, &disk) == 0 && disk.f_bavail >= (unsigned long)size * ROOM_FOR / disk.f_frsize &&
           posix_fallocate(fd, 0, size) == 0;
}

bool reserve_make(const char *store_path, ptrdiff_t size)
{
    char *path = reserve_path(store_path);
    if (!path)
        return false;
    struct stat now;
    bool there = lstat(path, &now) == 0 && now.st_size >= size;
    if (!there) {
        int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
        if (fd >= 0) {
            there = reserve_fill(fd, size);
            if (!there)
                unlink(path);
            close(fd);
        }
    }
    memory_free(path);
    return there;
}
