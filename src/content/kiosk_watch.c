#include "kiosk_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/*
 * Times of files come from a clock that ticks every few milliseconds (every two seconds on FAT): a file that
 * is written twice within a tick has one time for both. What was this young when it was noted is therefore
 * called changed once when it is older, as git does with its index.
 */
enum { YOUNG_S = 2 };

struct watched {
    const char *path;
    bool follow, young;
    int missing; /* errno; 0: it was there */
    dev_t device;
    ino_t inode;
    mode_t mode;
    off_t size;
    struct timespec written, changed;
};

struct kiosk_watch {
    struct arena arena;
    struct watched *items;
    ptrdiff_t count, capacity;
    time_t made;
};

struct kiosk_watch *watch_create(void)
{
    struct kiosk_watch *watch = memory_zero(sizeof *watch);
    if (!watch)
        return NULL;
    arena_init(&watch->arena);
    watch->made = time(NULL);
    return watch;
}

void kiosk_watch_destroy(struct kiosk_watch *watch)
{
    if (!watch)
        return;
    memory_free(watch->items);
    arena_finish(&watch->arena);
    memory_free(watch);
}

static void take_status(struct watched *item, const struct stat *status)
{
    item->device = status->st_dev;
    item->inode = status->st_ino;
    item->mode = status->st_mode;
    item->size = status->st_size;
    item->written = status->st_mtim;
    item->changed = status->st_ctim;
}

static void look(struct watched *item, int folder, const char *name)
{
    struct stat status;
    if (fstatat(folder, name, &status, item->follow ? 0 : AT_SYMLINK_NOFOLLOW) == 0)
        take_status(item, &status);
    else
        item->missing = errno;
}

static bool is_young(time_t of, time_t now)
{
    return of >= now - YOUNG_S && of <= now + YOUNG_S;
}

bool watch_add(struct kiosk_watch *watch, int folder, const char *name, const char *path, bool follow)
{
    struct watched item = { .path = arena_text(&watch->arena, path, (ptrdiff_t)strlen(path)),
                            .follow = follow };
    if (!item.path || !memory_grow(&watch->items, &watch->capacity, watch->count + 1, sizeof *watch->items))
        return false;
    look(&item, folder, name);
    time_t now = time(NULL);
    item.young = !item.missing && (is_young(item.written.tv_sec, now) || is_young(item.changed.tv_sec, now));
    watch->items[watch->count++] = item;
    watch->made = now;
    return true;
}

static bool same_time(struct timespec one, struct timespec other)
{
    return one.tv_sec == other.tv_sec && one.tv_nsec == other.tv_nsec;
}

static bool is_same(const struct watched *one, const struct watched *other)
{
    return one->missing == other->missing && one->device == other->device && one->inode == other->inode &&
           one->mode == other->mode && one->size == other->size && same_time(one->written, other->written) &&
           same_time(one->changed, other->changed);
}

static bool is_still(const struct watched *item)
{
    struct watched now = { .follow = item->follow };
    look(&now, AT_FDCWD, item->path);
    return is_same(item, &now);
}

bool watch_is(const struct kiosk_watch *watch, const char *path, int file)
{
    struct stat status;
    struct watched now = { 0 };
    if (fstat(file, &status) != 0)
        return false;
    take_status(&now, &status);
    for (ptrdiff_t i = watch->count - 1; i >= 0; i--)
        if (strcmp(watch->items[i].path, path) == 0)
            return is_same(&watch->items[i], &now);
    return false;
}

bool watch_holds(const struct kiosk_watch *watch)
{
    for (ptrdiff_t i = 0; i < watch->count; i++)
        if (!is_still(&watch->items[i]))
            return false;
    return true;
}

bool kiosk_watch_changed(const struct kiosk_watch *watch)
{
    if (!watch)
        return true;
    time_t now = time(NULL);
    bool later = now > watch->made + YOUNG_S || now < watch->made;
    for (ptrdiff_t i = 0; i < watch->count; i++)
        if ((watch->items[i].young && later) || !is_still(&watch->items[i]))
            return true;
    return false;
}

bool watch_read(struct kiosk_watch **watch, const struct watch_reading *reading, struct diagnostics *list,
                struct error *error)
{
    struct diagnostics_mark mark = diagnostics_here(list);
    struct error problem = { .code = ERROR_NONE };
    bool done = false, holds = false;
    *watch = NULL;
    for (int i = 0; i < WATCH_TRIES && !holds && problem.code != ERROR_MEMORY; i++) {
        bool torn = false;
        reading->drop(reading->context);
        kiosk_watch_destroy(*watch);
        diagnostics_withdraw(list, mark);
        problem.code = ERROR_NONE;
        *watch = watch_create();
        done =
            *watch ? reading->read(reading->context, *watch, list, &torn, &problem) : error_memory(&problem);
        holds = *watch && !torn && watch_holds(*watch);
    }
    if (!holds && problem.code != ERROR_MEMORY) {
        diagnostics_withdraw(list, mark);
        done = error_set(&problem, ERROR_BUSY, "%s", reading->changing);
    }
    if (problem.code == ERROR_MEMORY) {
        kiosk_watch_destroy(*watch);
        *watch = NULL;
    }
    if (!done)
        reading->drop(reading->context);
    if (error)
        *error = problem;
    return done;
}
