#include <quiztutor/kiosk_config.h>

#include "folder.h"
#include "kiosk_config_file.h"
#include "kiosk_watch.h"
#include "settings_file.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

/* What is read at once, from folders that stay open: all is of one moment, or *torn. */
struct reading {
    struct kiosk_draft draft;
    struct kiosk_watch *watch;
    struct diagnostics *list;
    int parent, folder; /* of kiosk.yaml; kiosk.d. -1: not there */
    const char *folder_path;
    bool torn; /* a file is no longer the one that was noted */
};

static bool read_file(struct reading *reading, int folder, const char *name, const char *path,
                      struct error *error)
{
    struct source source;
    struct error problem = { .code = ERROR_NONE };
    bool large;
    if (!watch_add(reading->watch, folder, name, path, false))
        return error_memory(error);
    if (!source_open_at(&source, folder, name, O_NOFOLLOW, SETTINGS_FILE, &large, &problem)) {
        if (large)
            return refuse_file(reading->list, path, "file-too-large", NULL,
                               tr("the file is larger than 1 MiB"));
        if (problem.code == ERROR_MEMORY)
            return error_memory(error);
        if (problem.code == ERROR_NOT_FOUND)
            return error_set(error, ERROR_NOT_FOUND, tr("%s: there is no such file"), path);
        return refuse_file(reading->list, path, "unreadable", tr("put a regular file there, or take it away"),
                           problem.message);
    }
    reading->torn = reading->torn || !watch_is(reading->watch, path, source.fd);
    bool done = kiosk_file_read(&reading->draft, path, &source, reading->list, error);
    source_finish(&source);
    return done;
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

/* Opens kiosk.d, if there is one. */
static bool open_folder(struct reading *reading, struct error *error)
{
    const char *path = reading->folder_path, *name = strrchr(path, '/') + 1;
    if (!watch_add(reading->watch, reading->parent, name, path, false))
        return error_memory(error);
    reading->folder =
        openat(reading->parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (reading->folder >= 0)
        reading->torn = reading->torn || !watch_is(reading->watch, path, reading->folder);
    else if (errno != ENOENT)
        return refuse_file(reading->list, path, "unreadable", tr("make a folder of it, or take it away"),
                           errno == ELOOP || errno == ENOTDIR ? tr("it is not a folder") : strerror(errno));
    return true;
}

/* Reads each file of kiosk.d by name, so that all that is wrong is told at once. */
static bool read_folder(struct reading *reading, struct error *error)
{
    struct arena *arena = &reading->draft.config->arena;
    struct folder_names names = { NULL, 0, 0 };
    struct error problem = { .code = ERROR_NONE };
    bool done = folder_list(&names, reading->folder, is_meant, KIOSK_FILES, arena, &problem);
    if (problem.code == ERROR_MEMORY)
        error_memory(error);
    else if (!done)
        refuse_file(reading->list, reading->folder_path, "unreadable", NULL, problem.message);
    for (ptrdiff_t i = 0; i < names.count && error->code != ERROR_MEMORY; i++) {
        const char *name = names.items[i], *path = arena_print(arena, "%s/%s", reading->folder_path, name);
        if (!path)
            done = error_memory(error);
        else if (ends_with(name, ".yml"))
            done = refuse_file(reading->list, path, "file-name", tr("give it a name that ends in .yaml"),
                               tr("a file that is called .yml is not read here"));
        else
            done = read_file(reading, reading->folder, name, path, error) && done;
    }
    memory_free(names.items);
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

static bool read_all(struct reading *reading, struct error *error)
{
    struct kiosk_config *config = reading->draft.config;
    const char *path = config->path, *slash = strrchr(path, '/');
    const char *parent = arena_text(&config->arena, path, slash - path + 1);
    if (!parent)
        return error_memory(error);
    reading->parent = open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (reading->parent < 0) {
        int number = errno;
        return watch_add(reading->watch, AT_FDCWD, path, path, false)
                   ? error_set(error, ERROR_NOT_FOUND, "%s: %s", path, strerror(number))
                   : error_memory(error);
    }
    bool done = read_file(reading, reading->parent, slash + 1, path, error);
    if (error->code != ERROR_MEMORY)
        done = open_folder(reading, error) && done;
    if (error->code != ERROR_MEMORY && reading->folder >= 0)
        done = read_folder(reading, error) && done;
    return done;
}

/* What is loaded, and by what. */
struct loading {
    struct kiosk_config *config;
    const char *path;
    const struct clock *clock;
};

static bool load(void *context, struct kiosk_watch *watch, struct diagnostics *list, bool *torn,
                 struct error *error)
{
    struct loading *loading = context;
    struct kiosk_config *config = loading->config = memory_zero(sizeof *config);
    struct reading reading = {
        .draft = { .config = config, .clock = loading->clock, .below = KIOSK_ROWS },
        .watch = watch,
        .list = list,
        .parent = -1,
        .folder = -1,
    };
    if (!config)
        return error_memory(error);
    config->path = whole_path(&config->arena, loading->path);
    reading.folder_path = config->path ? folder_path(&config->arena, config->path) : NULL;
    bool done = reading.folder_path && config_defaults(config);
    done = done ? read_all(&reading, error) : error_memory(error);
    done = done && (give_exams(&reading.draft) || error_memory(error));
    if (reading.parent >= 0)
        close(reading.parent);
    if (reading.folder >= 0)
        close(reading.folder);
    memory_free(reading.draft.exams);
    *torn = reading.torn;
    return list->failed ? error_memory(error) : done;
}

static void drop(void *context)
{
    struct loading *loading = context;
    kiosk_config_destroy(loading->config);
    loading->config = NULL;
}

bool kiosk_config_load(struct kiosk_config **config, struct kiosk_watch **watch, const char *path,
                       const struct clock *clock, struct diagnostics *list, struct error *error)
{
    struct loading loading = { .path = path, .clock = clock };
    char changing[sizeof error->message];
    snprintf(changing, sizeof changing, tr("%s: it kept changing while it was read"), path);
    const struct watch_reading reading = { &loading, load, drop, changing };
    bool done = watch_read(watch, &reading, list, error);
    *config = loading.config;
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
