/* The packs of a kiosk: all that its configuration names, sound and of one moment, or none. */
#include <quiztutor/kiosk_config.h>

#include "folder.h"
#include "kiosk_watch.h"
#include "library_private.h"
#include "pack_loader.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A pack file: by its name in a folder that stays open, so that all are of one folder, whatever its path
 * leads to by then. */
struct pack_file {
    const char *path, *name;
    const char *id; /* as it stands in the head, "" for none; NULL while not needed */
    int folder;
};

/* A set being read; lives until it is whole, or refused. */
struct gathering {
    const struct kiosk_config *config;
    struct kiosk_packs *packs;
    ptrdiff_t capacity;
    struct kiosk_watch *watch;
    struct diagnostics *list;
    struct arena arena;
    int folders[KIOSK_LISTED];
    int folder_count;
    struct pack_file *files; /* of all folders, in their order */
    ptrdiff_t file_count, file_capacity;
    bool sound;  /* nothing has been reported */
    bool torn;   /* a file is no longer the one that was noted */
    bool failed; /* no memory */
};

static bool goes_on(const struct gathering *gathering)
{
    return !gathering->torn && !gathering->failed;
}

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

static bool is_meant(const char *name)
{
    return *name != '.' && library_is_pack(name);
}

/* Notes a file of the folder opened last; folders that are called like packs are none. */
static void note_file(struct gathering *gathering, int folder, const char *parent, const char *name)
{
    struct stat status;
    const char *path = arena_print(&gathering->arena, "%s/%s", parent, name);
    if (fstatat(folder, name, &status, 0) == 0 && S_ISDIR(status.st_mode))
        return;
    if (!path || !watch_add(gathering->watch, folder, name, path, true) ||
        !memory_grow(&gathering->files, &gathering->file_capacity, gathering->file_count + 1,
                     sizeof *gathering->files)) {
        gathering->failed = true;
        return;
    }
    gathering->files[gathering->file_count++] = (struct pack_file){ path, name, NULL, folder };
}

/* The pack files of one folder. */
static void list_folder(struct gathering *gathering, const struct kiosk_name *name)
{
    struct folder_names names = { NULL, 0, 0 };
    struct error error = { .code = ERROR_NONE };
    if (!watch_add(gathering->watch, AT_FDCWD, name->text, name->text, true)) {
        gathering->failed = true;
        return;
    }
    int folder = open(name->text, O_RDONLY | O_DIRECTORY | O_NONBLOCK | O_CLOEXEC), number = errno;
    if (folder < 0) {
        refuse(gathering, name, "content", tr("name the folder in which the packs are"), "content: %s: %s",
               name->text, strerror(number));
        return;
    }
    gathering->folders[gathering->folder_count++] = folder;
    gathering->torn = !watch_is(gathering->watch, name->text, folder);
    if (!folder_list(&names, folder, is_meant, PTRDIFF_MAX, &gathering->arena, &error)) {
        gathering->failed = error.code == ERROR_MEMORY;
        refuse(gathering, name, "content", NULL, "content: %s: %s", name->text, error.message);
    }
    for (ptrdiff_t i = 0; i < names.count && !gathering->failed; i++)
        note_file(gathering, folder, name->text, names.items[i]);
    memory_free(names.items);
}

const struct pack *kiosk_packs_find(const struct kiosk_packs *packs, const char *id)
{
    for (ptrdiff_t i = 0; i < packs->count; i++)
        if (strcmp(packs->items[i].pack->id, id) == 0)
            return packs->items[i].pack;
    return NULL;
}

/* Opens a file that is still what was noted; false with what is told of it, or torn. */
static bool open_file(struct gathering *gathering, const struct pack_file *file, struct source *source,
                      struct error *error)
{
    bool large;
    if (!source_open_at(source, file->folder, file->name, 0, PACK_FILE, &large, error))
        return large && pack_refuse_large(file->path, gathering->list, error);
    if (watch_is(gathering->watch, file->path, source->fd))
        return true;
    source_finish(source);
    gathering->torn = true;
    return false;
}

static bool add_pack(struct gathering *gathering, struct pack *pack, bool practice)
{
    struct kiosk_packs *packs = gathering->packs;
    if (!memory_grow(&packs->items, &gathering->capacity, packs->count + 1, sizeof *packs->items))
        return false;
    packs->items[packs->count++] = (struct kiosk_pack){ pack, practice };
    return true;
}

/* Loads a file and adds its pack, unless there is one with its id already; NULL after a report. */
static const struct pack *take_file(struct gathering *gathering, const struct pack_file *file, bool practice)
{
    struct error error = { .code = ERROR_NONE };
    struct source source;
    struct pack *pack = NULL;
    if (open_file(gathering, file, &source, &error)) {
        pack_load_source(&pack, file->path, &source, gathering->list, &error);
        source_finish(&source);
    }
    gathering->failed = gathering->failed || error.code == ERROR_MEMORY;
    if (!pack) {
        struct kiosk_name name = { .file = file->path, .line = 1, .column = 1, .end_column = 1 };
        if (error.code != ERROR_NONE)
            refuse(gathering, &name, "unreadable", NULL, "%s", error.message);
        gathering->sound = false;
        return NULL;
    }
    const struct pack *same = kiosk_packs_find(gathering->packs, pack->id);
    if (!same && add_pack(gathering, pack, practice))
        return pack;
    gathering->failed = gathering->failed || !same;
    pack_destroy(pack);
    return same;
}

static void read_id(struct gathering *gathering, struct pack_file *file)
{
    struct error error = { .code = ERROR_NONE };
    struct source source;
    bool large;
    file->id = "";
    if (source_open_at(&source, file->folder, file->name, 0, PACK_FILE, &large, &error)) {
        file->id = library_peek_id(&source, file->path, &gathering->arena);
        source_finish(&source);
    }
    gathering->failed = gathering->failed || !file->id || error.code == ERROR_MEMORY;
}

/* The file of a pack, by the ids in the heads; NULL after a report. */
static const struct pack_file *find_file(struct gathering *gathering, const struct kiosk_name *name)
{
    char hint[REPORT_HINT];
    for (ptrdiff_t i = 0; i < gathering->file_count && goes_on(gathering); i++) {
        struct pack_file *file = &gathering->files[i];
        if (!file->id)
            read_id(gathering, file);
        if (file->id && strcmp(file->id, name->text) == 0)
            return file;
    }
    const char **ids = memory_alloc(gathering->file_count * (ptrdiff_t)sizeof *ids);
    gathering->failed = gathering->failed || !ids;
    if (goes_on(gathering)) {
        for (ptrdiff_t i = 0; i < gathering->file_count; i++)
            ids[i] = gathering->files[i].id;
        const char *near = text_nearest(name->text, ids, (int)gathering->file_count);
        if (near && *near)
            snprintf(hint, sizeof hint, tr("did you mean \"%s\"?"), near);
        else
            snprintf(hint, sizeof hint, tr("put its file into %s"), gathering->config->content.items[0].text);
        refuse(gathering, name, "unknown-pack", hint, tr("there is no pack \"%s\""), name->text);
    }
    memory_free(ids);
    return NULL;
}

/* The pack that the configuration names here; NULL after a report. */
static const struct pack *take_name(struct gathering *gathering, const struct kiosk_name *name, bool practice)
{
    const struct pack *pack = kiosk_packs_find(gathering->packs, name->text);
    const struct pack_file *file = pack ? NULL : find_file(gathering, name);
    return file ? take_file(gathering, file, practice) : pack;
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
    for (int i = 0; i < config->packs.count && goes_on(gathering); i++)
        take_name(gathering, &config->packs.items[i], true);
    if (config->packs.count)
        return;
    for (ptrdiff_t i = 0; i < gathering->file_count && goes_on(gathering); i++)
        take_file(gathering, &gathering->files[i], true);
    for (ptrdiff_t i = 0; i < gathering->packs->count; i++) {
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
    for (int i = 0; i < config->exam_count && goes_on(gathering); i++) {
        const struct kiosk_name *name = &config->exams[i].pack;
        const struct pack *pack = take_name(gathering, name, false);
        if (pack && !can_be_examined(pack))
            refuse(gathering, name, "exam-pack", tr("name a pack with questions"),
                   tr("\"%s\" has only cards to recall, which no exam asks"), name->text);
    }
}

/* What is loaded, and by what. */
struct loading {
    struct kiosk_packs *packs;
    const struct kiosk_config *config;
};

static bool load(void *context, struct kiosk_watch *watch, struct diagnostics *list, bool *torn,
                 struct error *error)
{
    struct loading *loading = context;
    const struct kiosk_config *config = loading->config;
    struct kiosk_packs *packs = loading->packs = memory_zero(sizeof *packs);
    struct gathering gathering = {
        .config = config, .packs = packs, .watch = watch, .list = list, .sound = true
    };
    if (!packs)
        return error_memory(error);
    arena_init(&gathering.arena);
    for (int i = 0; i < config->content.count && goes_on(&gathering); i++)
        list_folder(&gathering, &config->content.items[i]);
    bool there = gathering.sound; /* else packs are missing for that reason */
    if (there && goes_on(&gathering))
        take_practised(&gathering);
    if (there && goes_on(&gathering))
        take_examined(&gathering);
    *torn = gathering.torn;
    for (int i = 0; i < gathering.folder_count; i++)
        close(gathering.folders[i]);
    memory_free(gathering.files);
    arena_finish(&gathering.arena);
    if (gathering.failed || list->failed)
        return error_memory(error);
    return gathering.sound && !gathering.torn;
}

static void drop(void *context)
{
    struct loading *loading = context;
    kiosk_packs_destroy(loading->packs);
    loading->packs = NULL;
}

bool kiosk_packs_load(struct kiosk_packs **packs, struct kiosk_watch **watch,
                      const struct kiosk_config *config, struct diagnostics *list, struct error *error)
{
    struct loading loading = { .config = config };
    const struct watch_reading reading = { &loading, load, drop,
                                           tr("the packs kept changing while they were read") };
    bool done = watch_read(watch, &reading, list, error);
    *packs = loading.packs;
    return done;
}

void kiosk_packs_destroy(struct kiosk_packs *packs)
{
    if (!packs)
        return;
    for (ptrdiff_t i = 0; i < packs->count; i++)
        pack_destroy(packs->items[i].pack);
    memory_free(packs->items);
    memory_free(packs);
}
