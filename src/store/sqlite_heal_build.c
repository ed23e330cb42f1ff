/* The new store of a damaged one: the newest good backup, and what the second log has beyond it. */
#include "sqlite_healing.h"
#include "sqlite_roster.h"
#include "store_file.h"

#include <quiztutor/backup.h>
#include <quiztutor/json.h>
#include <quiztutor/message.h>

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CANDIDATES = 1000, BESIDE_FILES = 100000 };

struct candidate {
    const char *path;
    int64_t at;
};
struct candidates {
    struct candidate items[CANDIDATES];
    int count;
};

bool healing_refuse(struct healing *healing, const char *path, int number)
{
    char *shown = store_file_shown(path);
    error_set(healing->error, sqlite_error_code(SQLITE_CANTOPEN, number), "%s: %s", shown ? shown : "?",
              strerror(number));
    memory_free(shown);
    return false;
}

void healing_clear(const struct healing *healing)
{
    static const char *const endings[] = { "",
                                           "-wal",
                                           "-shm",
                                           "-journal",
                                           "-lock",
                                           "-reserve",
                                           "-restoring",
                                           "-restoring-wal",
                                           "-restoring-shm",
                                           "-restoring-journal",
                                           "-restoring-lock",
                                           "-restoring-reserve" };
    struct buffer path;
    buffer_init(&path);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        buffer_clear(&path);
        buffer_print(&path, "%s%s", healing->fresh, endings[i]);
        if (!path.failed)
            unlink(buffer_get(&path));
    }
    for (int version = 1; version < schema_current.version; version++) {
        buffer_clear(&path);
        buffer_print(&path, "%s-version-%d", healing->fresh, version);
        if (!path.failed)
            unlink(buffer_get(&path));
    }
    buffer_finish(&path);
}

/* ---- which backups there are ---- */

static bool add_candidate(struct candidates *candidates, const char *path, int64_t at)
{
    if (candidates->count < CANDIDATES && path)
        candidates->items[candidates->count++] = (struct candidate){ path, at };
    return path != NULL;
}

/* Copies that a restore or a migration left beside the store. */
static bool find_beside(struct healing *healing, struct candidates *candidates)
{
    const char *slash = strrchr(healing->path, '/'), *base = slash + 1;
    const char *folder =
        arena_text(&healing->arena, healing->path, slash > healing->path ? slash - healing->path : 1);
    DIR *directory = folder ? opendir(folder) : NULL;
    struct dirent *entry;
    size_t length = strlen(base);
    bool done = folder != NULL;
    for (int i = 0; directory && done && i < BESIDE_FILES && (entry = readdir(directory)); i++) {
        const char *name = entry->d_name, *rest = name + length;
        struct stat status;
        if (strncmp(name, base, length) != 0)
            continue;
        int64_t at = strncmp(rest, "-before-", 8) == 0 ? backups_moment(rest + 8) : -1;
        bool version =
            strncmp(rest, "-version-", 9) == 0 && strspn(rest + 9, "0123456789") == strlen(rest + 9);
        if (at >= 0 && strlen(rest) != 8 + BACKUPS_DIGITS)
            at = -1;
        const char *path = at >= 0 || version ? arena_print(&healing->arena, "%s/%s", folder, name) : NULL;
        if (path && version && stat(path, &status) == 0)
            at = (int64_t)status.st_mtime * 1000;
        if (at >= 0)
            done = add_candidate(candidates, path, at);
    }
    if (directory)
        closedir(directory);
    return done || error_memory(healing->error);
}

static int newest_first(const void *one, const void *other)
{
    const struct candidate *a = one, *b = other;
    return (a->at < b->at) - (a->at > b->at);
}

static bool find_candidates(struct healing *healing, struct candidates *candidates)
{
    struct backups backups;
    bool done = backups_read(&backups, healing->path, healing->folder, healing->error);
    for (ptrdiff_t i = 0; done && i < backups.count; i++) {
        const char *path = backups.files[i].path;
        done = add_candidate(candidates, arena_text(&healing->arena, path, (ptrdiff_t)strlen(path)),
                             backups.files[i].at) ||
               error_memory(healing->error);
    }
    backups_finish(&backups);
    done = done && find_beside(healing, candidates);
    qsort(candidates->items, (size_t)candidates->count, sizeof *candidates->items, newest_first);
    return done;
}

/* The newest that is good. False where another try could go better: no memory, no room. */
static bool restore_newest(struct healing *healing, const struct candidates *candidates)
{
    struct store_options options = *healing->options;
    options.second_log = false;
    options.second_paused = true;
    for (int i = 0; i < candidates->count; i++) {
        struct backup_restored restored;
        struct error why = { 0 };
        bool done = backup_restore(healing->fresh, candidates->items[i].path, &options, &restored, &why);
        memory_free(restored.kept);
        if (done) {
            healing->report->backup = memory_text(candidates->items[i].path);
            healing->report->backup_at = candidates->items[i].at;
            return healing->report->backup || error_memory(healing->error);
        }
        healing_clear(healing);
        if (why.code == ERROR_MEMORY || why.code == ERROR_FULL) {
            *healing->error = why;
            return false;
        }
    }
    return true;
}

/* ---- what came back ---- */

bool healing_tell(struct store *store, const struct heal_report *report, struct error *error)
{
    struct store_event event = { .kind = "kiosk", .at = clock_wall(&store->clock) };
    struct buffer body;
    struct json json;
    event.utc_offset_s = clock_offset(&store->clock, event.at);
    uuid_make(&event.id, event.at);
    buffer_init(&body);
    json_init(&json, &body);
    json_open(&json, '{');
    json_key(&json, "what");
    json_text(&json, "healed");
    json_key(&json, "restored");
    json_bool(&json, report->outcome == HEAL_RESTORED);
    json_key(&json, "taken");
    json_integer(&json, report->taken);
    json_key(&json, "attempts");
    json_integer(&json, report->attempts);
    json_key(&json, "roster");
    json_integer(&json, report->roster);
    json_key(&json, "backup_at");
    json_integer(&json, report->backup_at);
    json_key(&json, "missing");
    json_bool(&json, report->missing);
    json_key(&json, "since");
    json_integer(&json, report->since);
    json_close(&json, '}');
    event.body = buffer_get(&body);
    bool done = body.failed ? error_memory(error) : store_add_events(store, &event, 1, error);
    buffer_finish(&body);
    return done;
}

/* The new store knows what may still hold who is erased later. */
static bool know(struct healing *healing, struct sqlite_store *store, const struct candidates *candidates)
{
    bool done = healing->gone || sqlite_backup_note(store, healing->kept, false, healing->error);
    for (int i = 0; done && i < candidates->count; i++)
        done = sqlite_backup_note(store, candidates->items[i].path, false, healing->error);
    return done;
}

static bool take_log(struct healing *healing, struct sqlite_store *store)
{
    struct heal_report *report = healing->report;
    if (access(healing->log, F_OK) == 0) {
        if (!sqlite_second_take(store, healing->log, report, healing->error))
            return false;
    } else {
        report->missing = true;
    }
    report->missing = report->missing || report->refused > 0;
    report->since = report->missing ? report->backup_at : 0;
    return true;
}

static bool fill(struct healing *healing, struct sqlite_store *store, const struct candidates *candidates)
{
    struct error *error = healing->error;
    bool needed; /* who was erased since the backup is in free places of the file */
    return take_log(healing, store) && sqlite_roster_clean(&store->base, &needed, error) &&
           know(healing, store, candidates) && healing_tell(&store->base, healing->report, error) &&
           sqlite_check(&store->base, error) &&
           sqlite_exec(store, "PRAGMA journal_mode = DELETE", error); /* all of it in the one file */
}

static bool build(struct healing *healing, struct candidates *candidates)
{
    struct store_options options = *healing->options;
    struct store *store;
    options.second_log = false;
    options.second_paused = true;
    healing_clear(healing);
    if (!find_candidates(healing, candidates) || !restore_newest(healing, candidates) ||
        !sqlite_store_open(&store, healing->fresh, &options, &surroundings_system, healing->error))
        return false;
    struct sqlite_store *made = (struct sqlite_store *)store;
    bool done = fill(healing, made, candidates);
    made->wrote = false; /* nothing is left to be tidied */
    store_close(store);
    return done;
}

bool healing_build(struct healing *healing)
{
    struct candidates *candidates = memory_zero(sizeof *candidates);
    bool done = candidates ? build(healing, candidates) : error_memory(healing->error);
    memory_free(candidates);
    return done;
}
