/* Opening a store that looks after itself: looked through, held against its second log, made anew where it
 * must be. */
#include "sqlite_healing.h"
#include "store_file.h"

#include <errno.h>
#include <fcntl.h>
#include <quiztutor/message.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LOCK_WAIT_MS = 10000, NAMES = 100 /* of what is set aside, in one second */ };

/* ---- a store that opens ---- */

static bool take_lost(struct sqlite_store *store, int64_t lost, struct heal_report *report,
                      struct error *error)
{
    struct buffer path;
    if (lost == 0)
        return true;
    buffer_init(&path);
    buffer_print(&path, "%s%s", store->path, SECOND_ENDING);
    bool done =
        path.failed ? error_memory(error) : sqlite_second_take(store, buffer_get(&path), report, error);
    buffer_finish(&path);
    if (done && (report->taken || report->roster))
        report->outcome = HEAL_TAKEN;
    report->missing = done && report->refused > 0;
    return done;
}

/* Looks through it, and gives it back what it lost. ERROR_DAMAGED: it must be made anew. */
static bool look_through(struct sqlite_store *store, struct heal_report *report, struct error *error)
{
    struct store_rebuild rebuilt = { 0 };
    int64_t lost = 0;
    if (!sqlite_check(&store->base, error) || !sqlite_second_check(store, &lost, error) ||
        !take_lost(store, lost, report, error) || !sqlite_rebuild(&store->base, &rebuilt, error))
        return false;
    report->mended = rebuilt.different;
    return report->outcome == HEAL_SOUND || healing_tell(&store->base, report, error);
}

/* The second log is kept up from here on; made anew where rows came back by it. A full disk is no reason not
 * to open: it is behind then, and the next row tries again. */
static void keep_up(struct sqlite_store *store, const struct heal_report *report)
{
    struct second *second = &store->second;
    if (store->read_only)
        return;
    if (report->outcome != HEAL_SOUND) {
        sqlite_second_renew(store, NULL);
        return;
    }
    second->kept = second->wanted = second->ready = true;
    second->paused = false;
    if (lock_take(&store->lock, store->around->lock_wait_ms) == 0) {
        sqlite_second_follow(store);
        lock_give(&store->lock);
    }
}

/* What a store that may be written can't say by itself: that it is damaged. */
static void judge(struct healing *healing, bool writable, struct error *why)
{
    struct second_owner owner;
    bool known = sqlite_second_owner(healing->options->vfs, healing->log, &owner) > 0;
    bool late = why->code == ERROR_NEWER && known && owner.version <= schema_current.version;
    bool locked = why->code == ERROR_READ_ONLY && writable && access(healing->path, W_OK) == 0;
    if (late || locked || (why->code == ERROR_INPUT && writable))
        why->code = ERROR_DAMAGED;
}

/* 1: open and whole, 0: damaged (*why), −1: something else is wrong (*why). */
static int open_present(struct healing *healing, struct store **out, struct error *why)
{
    struct store_options options = *healing->options;
    struct store *store = NULL;
    options.second_log = true;
    options.second_paused = true;
    bool opened = sqlite_store_open(&store, healing->path, &options, &surroundings_system, why);
    struct sqlite_store *made = (struct sqlite_store *)store;
    bool writable = !opened || !made->read_only;
    if (opened && (made->read_only || look_through(made, healing->report, why))) {
        keep_up(made, healing->report);
        *out = store;
        return 1;
    }
    if (made)
        made->wrote = false; /* what is damaged is left as it is */
    store_close(store);
    judge(healing, writable, why);
    return why->code == ERROR_DAMAGED ? 0 : -1;
}

/* ---- one that does not ---- */

static bool name_kept(struct healing *healing)
{
    char digits[BACKUPS_DIGITS + 1];
    struct stat status;
    backups_digits(digits, clock_wall(&healing->options->clock));
    for (int i = 1; i < NAMES; i++) {
        healing->kept = i == 1 ? arena_print(&healing->arena, "%s-damaged-%s", healing->path, digits)
                               : arena_print(&healing->arena, "%s-damaged-%s-%d", healing->path, digits, i);
        if (!healing->kept)
            return error_memory(healing->error);
        if (lstat(healing->kept, &status) != 0)
            return true;
    }
    return healing_refuse(healing, healing->kept, EEXIST);
}

/* A file beside the store goes with it; `keep` false: it goes for good. */
static bool move_beside(struct healing *healing, const char *ending, bool keep)
{
    const char *from = arena_print(&healing->arena, "%s%s", healing->path, ending);
    const char *to = from ? arena_print(&healing->arena, "%s%s", healing->kept, ending) : NULL;
    if (!to)
        return error_memory(healing->error);
    if ((keep ? rename(from, to) : unlink(from)) == 0 || errno == ENOENT)
        return true;
    return healing_refuse(healing, from, errno);
}

/* Of a second log that was not taken in whole a copy stays. */
static void keep_log(struct healing *healing)
{
    const char *to = arena_print(&healing->arena, "%s%s", healing->kept, SECOND_ENDING);
    if (to && (healing->report->missing || healing->report->refused) && link(healing->log, to) != 0)
        errno = 0; /* it was a second one: nothing hangs on it */
}

/* SQLite would take a log that stays behind for the new store's: it goes before that comes. */
static bool take_place(struct healing *healing)
{
    keep_log(healing);
    if (!healing->gone && rename(healing->path, healing->kept) != 0)
        return healing_refuse(healing, healing->path, errno);
    if (!move_beside(healing, "-wal", !healing->gone) || !move_beside(healing, "-journal", !healing->gone) ||
        !move_beside(healing, "-shm", false) || !sqlite_sync_folder(healing->path))
        return false;
    if (rename(healing->fresh, healing->path) != 0)
        return healing_refuse(healing, healing->fresh, errno);
    sqlite_sync_folder(healing->path);
    if (!healing->gone)
        healing->report->kept = memory_text(healing->kept);
    return true;
}

/* While nobody else may use it. */
static bool make_anew(struct healing *healing)
{
    const char *path = arena_print(&healing->arena, "%s-lock", healing->path);
    if (!path)
        return error_memory(healing->error);
    struct lock lock = { open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) };
    if (lock.fd < 0)
        return healing_refuse(healing, path, errno);
    int number = lock_hold_sessions(&lock);
    if (number == 0)
        number = lock_take(&lock, LOCK_WAIT_MS);
    bool done = false;
    if (number == EAGAIN)
        error_set(healing->error, ERROR_BUSY, "%s",
                  tr("the store is damaged, and another program is using it: end that first"));
    else if (number)
        healing_refuse(healing, path, number);
    else
        done = name_kept(healing) && healing_build(healing) && take_place(healing);
    healing_clear(healing);
    close(lock.fd);
    return done;
}

static bool heal(struct healing *healing, const struct error *why, struct store **store)
{
    struct heal_report *report = healing->report;
    struct store_options options = *healing->options;
    heal_report_finish(report);
    *report = (struct heal_report){ .outcome = HEAL_RESTORED };
    snprintf(report->why, sizeof report->why, "%s", why->message);
    options.second_log = true;
    options.second_paused = false;
    return make_anew(healing) &&
           sqlite_store_open(store, healing->path, &options, &surroundings_system, healing->error);
}

/* ---- which of them it is ---- */

static bool find_paths(struct healing *healing, const char *path)
{
    struct stat status;
    char *real = realpath(path, NULL);
    const char *name = real ? real : path;
    struct buffer whole;
    buffer_init(&whole);
    if (!real && *path != '/') { /* its folder decides where it would be */
        char *folder = realpath(".", NULL);
        buffer_print(&whole, "%s/%s", folder ? folder : ".", path);
        name = buffer_get(&whole);
        free(folder); /* by libc */
    }
    healing->path = whole.failed ? NULL : arena_text(&healing->arena, name, (ptrdiff_t)strlen(name));
    buffer_finish(&whole);
    free(real); /* by libc */
    if (!healing->path)
        return error_memory(healing->error);
    healing->log = arena_print(&healing->arena, "%s%s", healing->path, SECOND_ENDING);
    healing->fresh = arena_print(&healing->arena, "%s-healing", healing->path);
    healing->gone = stat(healing->path, &status) != 0 || status.st_size == 0;
    return (healing->log && healing->fresh) || error_memory(healing->error);
}

/* A file of another kind, that no sign says was a store, is nobody's to set aside. `found`: as of
 * sqlite_second_owner, of the second log. */
static bool was_store(struct healing *healing, int found)
{
    struct stat status;
    int version;
    if (found > 0)
        return stat(healing->path, &status) != 0 || S_ISREG(status.st_mode);
    return sqlite_header_read(healing->path, healing->options->vfs, &version, NULL) == HEADER_STORE;
}

static bool open_or_heal(struct healing *healing, struct store **store)
{
    struct second_owner owner;
    struct error why = { 0 };
    int found = sqlite_second_owner(healing->options->vfs, healing->log, &owner);
    if (found < 0)
        return error_memory(healing->error);
    if (healing->gone && found > 0) {
        error_set(&why, ERROR_DAMAGED, "%s", tr("the store is gone, but its second log is there"));
        return heal(healing, &why, store);
    }
    int present = open_present(healing, store, &why);
    if (present > 0)
        return true;
    if (present == 0 && was_store(healing, found))
        return heal(healing, &why, store);
    *healing->error = why;
    return false;
}

bool heal_open(struct store **store, const char *path, const struct store_options *options,
               const char *backups, struct heal_report *report, struct error *error)
{
    struct error own;
    struct healing healing = {
        .options = options, .folder = backups, .report = report, .error = error ? error : &own
    };
    memset(report, 0, sizeof *report);
    *store = NULL;
    arena_init(&healing.arena);
    bool done = find_paths(&healing, path) && open_or_heal(&healing, store);
    arena_finish(&healing.arena);
    return done;
}
