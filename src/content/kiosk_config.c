#include <quiztutor/kiosk_config.h>

#include "kiosk_config_file.h"
#include "kiosk_watch.h"
#include "settings_file.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool config_defaults(struct kiosk_config *config)
{
    for (int i = 0; i < KIOSK_ROWS; i++) {
        const struct kiosk_row *row = &kiosk_rows[i];
        const char *text = row->setting->fallback;
        char belongs[200];
        double number;
        if (row->below != KIOSK_ROWS || !text)
            continue;
        settings_judge(row->setting, text, &number, belongs, sizeof belongs);
        if (row->shape == KIOSK_SHAPE_LIST ? !kiosk_put_list(&config->arena, row, text, config)
                                           : !kiosk_put(&config->arena, row, text, number, config))
            return false;
    }
    return true;
}

/* What a kiosk's files are about when they can't be read as texts at all: told beside what is wrong in them.
 */
static bool refuse_file(struct diagnostics *list, const char *path, const char *rule, const char *hint,
                        const char *message)
{
    struct report report;
    struct place place = place_at(1, 1, 0);
    report_init(&report, NULL, list, path);
    report_error(&report, &place, rule, hint, "%s", message);
    return false;
}

static bool read_file(struct kiosk_draft *draft, int folder, const char *name, const char *path,
                      struct diagnostics *list, struct error *error)
{
    struct source source;
    struct error problem = { .code = ERROR_NONE };
    bool large;
    if (!source_open_at(&source, folder, name, O_NOFOLLOW, SETTINGS_FILE, &large, &problem)) {
        if (large)
            return refuse_file(list, path, "file-too-large", NULL, tr("the file is larger than 1 MiB"));
        if (problem.code == ERROR_MEMORY)
            return error_memory(error);
        if (problem.code == ERROR_NOT_FOUND && folder == AT_FDCWD)
            return error_set(error, ERROR_NOT_FOUND, tr("%s: there is no such file"), path);
        return refuse_file(list, path, "unreadable", tr("put a regular file there, or take it away"),
                           problem.message);
    }
    bool done = kiosk_file_read(draft, path, &source, list, error);
    source_finish(&source);
    return done;
}

/* The files of kiosk.d, by name. */
struct folder {
    int fd;
    const char *path;
    const char **names;
    ptrdiff_t count, capacity;
};

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

static bool ends_with(const char *name, const char *end)
{
    size_t length = strlen(name), its = strlen(end);
    return length > its && strcmp(name + length - its, end) == 0;
}

/* Hidden files, and what editors and packagers leave behind, are not meant. */
static bool is_meant(const char *name)
{
    return !strchr(".#~", *name) && (ends_with(name, ".yaml") || ends_with(name, ".yml"));
}

/* Opens and lists the folder; one that is not there is empty. */
static bool list_folder(struct folder *folder, struct arena *arena, struct diagnostics *list,
                        struct error *error)
{
    folder->fd = open(folder->path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (folder->fd < 0 && errno == ENOENT)
        return true;
    if (folder->fd < 0)
        return refuse_file(list, folder->path, "unreadable", tr("make a folder of it, or take it away"),
                           errno == ELOOP || errno == ENOTDIR ? tr("it is not a folder") : strerror(errno));
    int copy = fcntl(folder->fd, F_DUPFD_CLOEXEC, 0);
    DIR *directory = copy < 0 ? NULL : fdopendir(copy);
    if (!directory) {
        int number = errno;
        if (copy >= 0)
            close(copy);
        return error_set(error, ERROR_IO, "%s: %s", folder->path, strerror(number));
    }
    bool done = true;
    for (struct dirent *entry; done && (entry = readdir(directory)) != NULL;) {
        if (!is_meant(entry->d_name))
            continue;
        if (folder->count == KIOSK_FILES) {
            closedir(directory);
            return refuse_file(list, folder->path, "too-many-files", tr("put some of them into one"),
                               tr("more than 100 files are in it"));
        }
        const char *name = arena_text(arena, entry->d_name, (ptrdiff_t)strlen(entry->d_name));
        done = name && memory_grow(&folder->names, &folder->capacity, folder->count + 1, sizeof name);
        if (done)
            folder->names[folder->count++] = name;
    }
    closedir(directory);
    if (folder->count > 1)
        qsort(folder->names, (size_t)folder->count, sizeof *folder->names, compare_names);
    return done || error_memory(error);
}

/* Reads each, so that all that is wrong is told at once. */
static bool read_folder(struct kiosk_draft *draft, struct kiosk_watch *watch, struct folder *folder,
                        struct diagnostics *list, struct error *error)
{
    struct arena *arena = &draft->config->arena;
    if (!list_folder(folder, arena, list, error))
        return false;
    bool done = true;
    for (ptrdiff_t i = 0; i < folder->count; i++) {
        const char *name = folder->names[i], *path = arena_print(arena, "%s/%s", folder->path, name);
        if (!path || !watch_add(watch, path, false))
            return error_memory(error);
        if (ends_with(name, ".yml"))
            done = refuse_file(list, path, "file-name", tr("give it a name that ends in .yaml"),
                               tr("a file that is called .yml is not read here"));
        else
            done = read_file(draft, folder->fd, name, path, list, error) && done;
        if (error->code == ERROR_MEMORY)
            return false;
    }
    return done;
}

static bool give_exams(struct kiosk_draft *draft)
{
    struct kiosk_config *config = draft->config;
    ptrdiff_t size = draft->exam_count * (ptrdiff_t)sizeof *draft->exams;
    struct kiosk_exam *exams = arena_alloc(&config->arena, size);
    if (!exams)
        return false;
    if (size)
        memcpy(exams, draft->exams, (size_t)size);
    config->exams = exams;
    config->exam_count = (int)draft->exam_count;
    return true;
}

/* From / on: the folder of a process may change. */
static const char *whole_path(struct arena *arena, const char *path)
{
    char *folder = *path == '/' ? NULL : getcwd(NULL, 0);
    const char *whole = folder ? arena_print(arena, "%s/%s", strcmp(folder, "/") ? folder : "", path)
                               : arena_text(arena, path, (ptrdiff_t)strlen(path));
    free(folder);
    return whole;
}

/* "kiosk.d" for "kiosk.yaml". */
static const char *folder_path(struct arena *arena, const char *path)
{
    size_t length = strlen(path);
    if (ends_with(path, ".yaml"))
        length -= strlen(".yaml");
    return arena_print(arena, "%.*s.d", (int)length, path);
}

static bool load_once(struct kiosk_config *config, struct kiosk_watch *watch, const char *path,
                      const struct clock *clock, struct diagnostics *list, struct error *error)
{
    struct kiosk_draft draft = { .config = config, .clock = clock, .below = KIOSK_ROWS };
    struct folder folder = { .fd = -1 };
    config->path = whole_path(&config->arena, path);
    folder.path = config->path ? folder_path(&config->arena, config->path) : NULL;
    bool done = folder.path && config_defaults(config) && watch_add(watch, config->path, false) &&
                watch_add(watch, folder.path, false);
    if (!done) {
        error_memory(error);
        goto out;
    }
    done = read_file(&draft, AT_FDCWD, config->path, config->path, list, error);
    if (error->code != ERROR_MEMORY)
        done = read_folder(&draft, watch, &folder, list, error) && done;
    if (list->failed)
        done = error_memory(error);
    done = done && (give_exams(&draft) || error_memory(error));
out:
    if (folder.fd >= 0)
        close(folder.fd);
    memory_free(folder.names);
    memory_free(draft.exams);
    return done;
}

bool kiosk_config_load(struct kiosk_config **config, struct kiosk_watch **watch, const char *path,
                       const struct clock *clock, struct diagnostics *list, struct error *error)
{
    struct diagnostics_mark mark = diagnostics_here(list);
    struct error problem = { .code = ERROR_NONE };
    bool done = false, holds = false;
    *config = NULL;
    *watch = NULL;
    /* what changed while it was read may be half old and half new: it is read again */
    for (int i = 0; i < WATCH_TRIES && !holds && problem.code != ERROR_MEMORY; i++) {
        kiosk_config_destroy(*config);
        kiosk_watch_destroy(*watch);
        diagnostics_withdraw(list, mark);
        problem.code = ERROR_NONE;
        *config = memory_zero(sizeof **config);
        *watch = *config ? watch_create() : NULL;
        done = *watch && load_once(*config, *watch, path, clock, list, &problem);
        if (!*watch)
            error_memory(&problem);
        else
            holds = watch_holds(*watch);
    }
    if (!holds && problem.code != ERROR_MEMORY) {
        diagnostics_withdraw(list, mark);
        done = error_set(&problem, ERROR_BUSY, tr("%s: it kept changing while it was read"), path);
    }
    if (problem.code == ERROR_MEMORY) {
        kiosk_watch_destroy(*watch);
        *watch = NULL;
    }
    if (!done) {
        kiosk_config_destroy(*config);
        *config = NULL;
    }
    if (error)
        *error = problem;
    return done;
}

void kiosk_config_destroy(struct kiosk_config *config)
{
    if (!config)
        return;
    arena_finish(&config->arena);
    memory_free(config);
}

/* Whether one of the groups is among the names. Without memory nobody is let in. */
static bool are_among(const struct kiosk_names *names, const char *const *groups, int count)
{
    bool found = names->count == 0;
    for (int i = 0; !found && i < count; i++) {
        char *key = text_fold(groups[i]);
        for (int k = 0; key && !found && k < names->count; k++)
            found = strcmp(names->items[k].key, key) == 0;
        memory_free(key);
    }
    return found;
}

bool kiosk_config_admits(const struct kiosk_config *config, const char *const *groups, int count)
{
    return are_among(&config->groups, groups, count);
}

bool kiosk_exam_open(const struct kiosk_exam *exam, int64_t now, const char *const *groups, int count)
{
    return now >= exam->from && now < exam->until && are_among(&exam->groups, groups, count);
}
