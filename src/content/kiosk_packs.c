/* The packs of a kiosk: all that its configuration names, sound and of one moment, or none. */
#include <quiztutor/kiosk_config.h>
#include <quiztutor/library.h>

#include "kiosk_watch.h"
#include "library_private.h"
#include "report.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* A set being read; lives until it is whole, or refused. */
struct gathering {
    const struct kiosk_config *config;
    struct kiosk_packs *packs;
    ptrdiff_t capacity;
    struct kiosk_watch *watch;
    struct diagnostics *list;
    struct arena arena;
    const char **paths; /* of all packs in the folders, in their order */
    const char **ids;   /* as they stand in the heads; NULL while not needed */
    ptrdiff_t path_count, path_capacity;
    bool sound;  /* nothing has been reported */
    bool failed; /* no memory */
};

static void refuse(struct gathering *gathering, const struct kiosk_name *name, const char *rule,
                   const char *hint, const char *format, ...) __attribute__((format(printf, 5, 6)));
static void refuse(struct gathering *gathering, const struct kiosk_name *name, const char *rule,
                   const char *hint, const char *format, ...)
{
    enum { MESSAGE = 600 };
    char message[MESSAGE];
    struct report report;
    struct place place = { name->line, name->column, name->line, name->end_column };
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    report_init(&report, NULL, gathering->list, name->file);
    report_error(&report, &place, rule, hint, "%s", message);
    gathering->sound = false;
}

/* The pack files of one folder; it must be one. */
static void list_folder(struct gathering *gathering, const struct kiosk_name *folder)
{
    struct stat status;
    struct error error = { .code = ERROR_NONE };
    if (!watch_add(gathering->watch, folder->text, true)) {
        gathering->failed = true;
    } else if (stat(folder->text, &status) != 0) {
        int number = errno;
        refuse(gathering, folder, "content", NULL,
               number == ENOENT ? tr("content: there is no folder %s") : tr("content: %s can't be read"),
               folder->text);
    } else if (!S_ISDIR(status.st_mode)) {
        refuse(gathering, folder, "content", tr("name the folder in which the packs are"),
               tr("content: %s is not a folder"), folder->text);
    } else if (!library_paths(gathering->packs->library, folder->text, &gathering->arena, &gathering->paths,
                              &gathering->path_count, &gathering->path_capacity, &error)) {
        gathering->failed = error.code == ERROR_MEMORY; /* an empty folder is fine: it may be filled later */
    }
}

static void list_folders(struct gathering *gathering)
{
    const struct kiosk_names *content = &gathering->config->content;
    for (int i = 0; i < content->count && !gathering->failed; i++)
        list_folder(gathering, &content->items[i]);
    for (ptrdiff_t i = 0; i < gathering->path_count && !gathering->failed; i++)
        gathering->failed = !watch_add(gathering->watch, gathering->paths[i], true);
}

const struct pack *kiosk_packs_find(const struct kiosk_packs *packs, const char *id)
{
    for (ptrdiff_t i = 0; i < packs->count; i++)
        if (strcmp(packs->items[i].pack->id, id) == 0)
            return packs->items[i].pack;
    return NULL;
}

/* Loads a file and adds its pack, unless there is one with its id already; NULL after a report. */
static const struct pack *take_path(struct gathering *gathering, const char *path, bool practice)
{
    struct kiosk_packs *packs = gathering->packs;
    struct error error = { .code = ERROR_NONE };
    const struct pack **found = NULL, *pack = NULL;
    ptrdiff_t count = 0, capacity = 0;
    int errors = gathering->list->errors + gathering->list->errors_left_out;
    if (library_find(packs->library, path, &found, &count, &capacity, gathering->list, &error) && count == 1)
        pack = found[0];
    memory_free(found);
    if (error.code == ERROR_MEMORY) {
        gathering->failed = true;
        return NULL;
    }
    if (!pack) {
        gathering->sound = false;
        struct kiosk_name name = { .file = path, .line = 1, .column = 1, .end_column = 1 };
        if (errors == gathering->list->errors + gathering->list->errors_left_out)
            refuse(gathering, &name, "unreadable", NULL, "%s",
                   error.code == ERROR_NONE ? tr("it is not one pack") : error.message);
        return NULL;
    }
    const struct pack *same = kiosk_packs_find(packs, pack->id);
    if (same)
        return same;
    if (!memory_grow(&packs->items, &gathering->capacity, packs->count + 1, sizeof *packs->items)) {
        gathering->failed = true;
        return NULL;
    }
    packs->items[packs->count++] = (struct kiosk_pack){ pack, practice };
    return pack;
}

static bool read_ids(struct gathering *gathering)
{
    if (gathering->ids)
        return true;
    gathering->ids =
        arena_alloc(&gathering->arena, gathering->path_count * (ptrdiff_t)sizeof *gathering->ids);
    for (ptrdiff_t i = 0; gathering->ids && i < gathering->path_count; i++) {
        gathering->ids[i] = library_peek_id(gathering->paths[i], &gathering->arena);
        if (!gathering->ids[i])
            gathering->ids = NULL;
    }
    gathering->failed = gathering->failed || !gathering->ids;
    return gathering->ids;
}

/* The pack that the configuration names here; NULL after a report. */
static const struct pack *take_name(struct gathering *gathering, const struct kiosk_name *name, bool practice)
{
    const struct pack *pack = kiosk_packs_find(gathering->packs, name->text);
    char hint[REPORT_HINT];
    if (pack)
        return pack;
    if (!read_ids(gathering))
        return NULL;
    for (ptrdiff_t i = 0; i < gathering->path_count; i++)
        if (strcmp(gathering->ids[i], name->text) == 0)
            return take_path(gathering, gathering->paths[i], practice);
    const char *near = text_nearest(name->text, gathering->ids, (int)gathering->path_count);
    if (near && *near)
        snprintf(hint, sizeof hint, tr("did you mean \"%s\"?"), near);
    else
        snprintf(hint, sizeof hint, tr("put its file into %s"), gathering->config->content.items[0].text);
    refuse(gathering, name, "unknown-pack", hint, tr("there is no pack \"%s\""), name->text);
    return NULL;
}

static bool is_examined(const struct kiosk_config *config, const char *id)
{
    for (int i = 0; i < config->exam_count; i++)
        if (strcmp(config->exams[i].pack.text, id) == 0)
            return true;
    return false;
}

static void take_practised(struct gathering *gathering)
{
    const struct kiosk_config *config = gathering->config;
    for (int i = 0; i < config->packs.count && !gathering->failed; i++)
        take_name(gathering, &config->packs.items[i], true);
    for (ptrdiff_t i = 0; i < gathering->path_count && config->packs.count == 0 && !gathering->failed; i++)
        take_path(gathering, gathering->paths[i], true);
    for (ptrdiff_t i = 0; i < gathering->packs->count && config->packs.count == 0; i++) {
        struct kiosk_pack *pack = &gathering->packs->items[i];
        pack->practice = !is_examined(config, pack->pack->id);
    }
}

static bool can_be_examined(const struct pack *pack)
{
    for (int i = 0; i < pack->question_count; i++)
        if (pack->questions[i].type != QUESTION_RECALL)
            return true;
    return false;
}

static void take_examined(struct gathering *gathering)
{
    const struct kiosk_config *config = gathering->config;
    for (int i = 0; i < config->exam_count && !gathering->failed; i++) {
        const struct kiosk_name *name = &config->exams[i].pack;
        const struct pack *pack = take_name(gathering, name, false);
        if (pack && !can_be_examined(pack))
            refuse(gathering, name, "exam-pack", tr("name a pack with questions"),
                   tr("\"%s\" has only cards to recall, which no exam asks"), name->text);
    }
}

static bool gather(struct gathering *gathering, struct error *error)
{
    struct kiosk_packs *packs = gathering->packs;
    if (!library_create(&packs->library, NULL, 0, error))
        return false;
    list_folders(gathering);
    if (!gathering->failed)
        take_practised(gathering);
    if (!gathering->failed)
        take_examined(gathering);
    if (gathering->failed || gathering->list->failed)
        return error_memory(error);
    return gathering->sound;
}

static bool load_once(struct kiosk_packs *packs, struct kiosk_watch *watch, const struct kiosk_config *config,
                      struct diagnostics *list, struct error *error)
{
    struct gathering gathering = {
        .config = config, .packs = packs, .watch = watch, .list = list, .sound = true
    };
    arena_init(&gathering.arena);
    bool done = gather(&gathering, error);
    memory_free(gathering.paths);
    arena_finish(&gathering.arena);
    return done;
}

bool kiosk_packs_load(struct kiosk_packs **packs, struct kiosk_watch **watch,
                      const struct kiosk_config *config, struct diagnostics *list, struct error *error)
{
    struct diagnostics_mark mark = diagnostics_here(list);
    struct error problem = { .code = ERROR_NONE };
    bool done = false, holds = false;
    *packs = NULL;
    *watch = NULL;
    for (int i = 0; i < WATCH_TRIES && !holds && problem.code != ERROR_MEMORY; i++) {
        kiosk_packs_destroy(*packs);
        kiosk_watch_destroy(*watch);
        diagnostics_withdraw(list, mark);
        problem.code = ERROR_NONE;
        *packs = memory_zero(sizeof **packs);
        *watch = *packs ? watch_create() : NULL;
        done = *watch && load_once(*packs, *watch, config, list, &problem);
        if (!*watch)
            error_memory(&problem);
        else
            holds = watch_holds(*watch);
    }
    if (!holds && problem.code != ERROR_MEMORY) {
        diagnostics_withdraw(list, mark);
        done = error_set(&problem, ERROR_BUSY, "%s", tr("the packs kept changing while they were read"));
    }
    if (problem.code == ERROR_MEMORY) {
        kiosk_watch_destroy(*watch);
        *watch = NULL;
    }
    if (!done) {
        kiosk_packs_destroy(*packs);
        *packs = NULL;
    }
    if (error)
        *error = problem;
    return done;
}

void kiosk_packs_destroy(struct kiosk_packs *packs)
{
    if (!packs)
        return;
    library_destroy(packs->library);
    memory_free(packs->items);
    memory_free(packs);
}
