#include "cut_vfs.h"

#include "pass_vfs.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECTOR = 512, IMAGES = 64 };

struct pending {
    unsigned char *data; /* NULL: truncated to `at` */
    int64_t at;
    int length;
};

/* A file as it would be after a cut, and what was written since. */
struct image {
    dev_t device;
    ino_t inode;
    int fd;
    unsigned char *bytes;
    int64_t size;
    struct pending *pending;
    int count, capacity;
};

struct cut_file {
    struct pass_file base;
    struct image *image;
};

static sqlite3_vfs *real_vfs, cut_vfs;
static sqlite3_io_methods methods;
static struct image images[IMAGES];
static int image_count;
static long left = -1;
static uint64_t random_state;

static _Noreturn void die(const char *what)
{
    fprintf(stderr, "cut_vfs: %s\n", what);
    _exit(99);
}

/* SplitMix64 (Steele, Lea, Flood 2014) */
static uint64_t draw(void)
{
    uint64_t z = random_state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void cut_vfs_set(long n, uint32_t seed)
{
    left = n;
    random_state = seed;
}

static void *more(void *block, size_t size)
{
    void *grown = realloc(block, size ? size : 1);
    return grown ? grown : (die("no memory"), NULL);
}

static void resize(struct image *image, int64_t size)
{
    image->bytes = more(image->bytes, (size_t)size);
    if (size > image->size)
        memset(image->bytes + image->size, 0, (size_t)(size - image->size));
    image->size = size;
}

static void put(struct image *image, const unsigned char *data, int64_t at, int length)
{
    if (at + length > image->size)
        resize(image, at + length);
    memcpy(image->bytes + at, data, (size_t)length);
}

static void forget(struct image *image)
{
    for (int i = 0; i < image->count; i++)
        free(image->pending[i].data);
    image->count = 0;
}

static void settle(struct image *image)
{
    for (int i = 0; i < image->count; i++) {
        const struct pending *pending = &image->pending[i];
        if (pending->data)
            put(image, pending->data, pending->at, pending->length);
        else
            resize(image, pending->at);
    }
    forget(image);
}

/* Each sector of a write gets through, or does not. */
static void settle_some(struct image *image)
{
    for (int i = 0; i < image->count; i++) {
        const struct pending *pending = &image->pending[i];
        if (!pending->data) {
            if (draw() & 1)
                resize(image, pending->at);
            continue;
        }
        for (int at = 0; at < pending->length;) {
            int length = SECTOR - (int)((pending->at + at) % SECTOR);
            length = length < pending->length - at ? length : pending->length - at;
            if (draw() & 1)
                put(image, pending->data + at, pending->at + at, length);
            at += length;
        }
    }
}

static _Noreturn void cut(void)
{
    for (int i = 0; i < image_count; i++) {
        struct image *image = &images[i];
        settle_some(image);
        if (ftruncate(image->fd, 0) != 0)
            die("can't truncate");
        for (int64_t at = 0; at < image->size;) {
            ssize_t written = pwrite(image->fd, image->bytes + at, (size_t)(image->size - at), at);
            if (written <= 0)
                die("can't write");
            at += written;
        }
    }
    _exit(CUT_STATUS);
}

static void count(void)
{
    if (left > 0 && --left == 0)
        cut();
}

static struct image *image_of(const char *name)
{
    struct stat status;
    int fd = open(name, O_RDWR | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0)
        die("can't look at a file");
    for (int i = 0; i < image_count; i++) {
        /* this one stays open: closing it would take SQLite's locks away */
        if (images[i].device == status.st_dev && images[i].inode == status.st_ino)
            return &images[i];
    }
    if (image_count == IMAGES)
        die("too many files");
    struct image *image = &images[image_count++];
    *image = (struct image){ .device = status.st_dev, .inode = status.st_ino, .fd = fd };
    resize(image, status.st_size);
    if (pread(fd, image->bytes, (size_t)image->size, 0) != image->size)
        die("can't read");
    return image;
}

static void note(struct image *image, const void *data, int64_t at, int length)
{
    if (image->count == image->capacity) {
        image->capacity = image->capacity * 2 + 16;
        image->pending = more(image->pending, (size_t)image->capacity * sizeof *image->pending);
    }
    struct pending *pending = &image->pending[image->count++];
    *pending = (struct pending){ .at = at, .length = length };
    if (data)
        pending->data = memcpy(more(NULL, (size_t)length), data, (size_t)length);
}

static int f_write(sqlite3_file *file, const void *from, int length, sqlite3_int64 at)
{
    struct image *image = ((struct cut_file *)file)->image;
    if (image) {
        note(image, from, at, length);
        count(); /* some of it may be there */
    }
    return pass_real(file)->pMethods->xWrite(pass_real(file), from, length, at);
}

static int f_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    struct image *image = ((struct cut_file *)file)->image;
    if (image) {
        note(image, NULL, size, 0);
        count();
    }
    return pass_real(file)->pMethods->xTruncate(pass_real(file), size);
}

static int f_sync(sqlite3_file *file, int flags)
{
    struct image *image = ((struct cut_file *)file)->image;
    if (image) {
        count();
        settle(image);
    }
    (void)flags; /* the real disk need not be waited for */
    return SQLITE_OK;
}

static int v_open(sqlite3_vfs *vfs, sqlite3_filename name, sqlite3_file *base, int flags, int *out_flags)
{
    struct cut_file *file = (struct cut_file *)base;
    (void)vfs;
    file->image = NULL;
    int result =
        pass_open(real_vfs, &file->base, (int)sizeof(struct cut_file), &methods, name, flags, out_flags);
    if (result == SQLITE_OK && name && !(flags & SQLITE_OPEN_DELETEONCLOSE) &&
        (flags & SQLITE_OPEN_READWRITE))
        file->image = image_of(name);
    return result;
}

static int v_delete(sqlite3_vfs *vfs, const char *name, int sync)
{
    (void)vfs, (void)sync;
    count();
    return real_vfs->xDelete(real_vfs, name, 0);
}

void cut_vfs_start(void)
{
    methods = pass_methods;
    methods.xWrite = f_write;
    methods.xTruncate = f_truncate;
    methods.xSync = f_sync;
    cut_vfs.xOpen = v_open;
    cut_vfs.xDelete = v_delete;
    real_vfs = pass_vfs_start(&cut_vfs, "cut", (int)sizeof(struct cut_file));
}
