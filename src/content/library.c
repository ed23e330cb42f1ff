#include <quiztutor/library.h>

#include "field.h"
#include "library_private.h"

#include <quiztutor/message.h>
#include <quiztutor/text.h>

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* One pack file that has been loaded, known by what the file system calls it. */
struct slot {
    dev_t device;
    ino_t inode;
    struct pack *pack;
};

struct library {
    struct arena arena;
    const char **folders;
    int folder_count;
    struct slot *slots;
    ptrdiff_t slot_count, slot_capacity;
};

/* Names or paths, grown one by one; the texts live in an arena. */
struct name_list {
    const char **items;
    ptrdiff_t count, capacity;
};

static bool names_add(struct name_list *names, const char *name)
{
    if (!name || !memory_grow(&names->items, &names->capacity, names->count + 1, sizeof *names->items))
        return false;
    names->items[names->count++] = name;
    return true;
}

bool library_create(struct library **library, const char *const *folders, int count, struct error *error)
{
    struct library *made = memory_zero(sizeof *made);
    *library = NULL;
    if (!made)
        return error_memory(error);
    arena_init(&made->arena);
    made->folders = arena_alloc(&made->arena, count * (ptrdiff_t)sizeof *made->folders);
    for (int i = 0; made->folders && i < count; i++) {
        const char *folder = arena_text(&made->arena, folders[i], (ptrdiff_t)strlen(folders[i]));
        if (!folder)
            break;
        made->folders[made->folder_count++] = folder;
    }
    if (!made->folders || made->folder_count < count) {
        library_destroy(made);
        return error_memory(error);
    }
    *library = made;
    return true;
}

void library_destroy(struct library *library)
{
    if (!library)
        return;
    for (ptrdiff_t i = 0; i < library->slot_count; i++)
        pack_destroy(library->slots[i].pack);
    memory_free(library->slots);
    arena_finish(&library->arena);
    memory_free(library);
}

bool library_is_pack(const char *name)
{
    size_t length = strlen(name);
    return (length > 5 && strcmp(name + length - 5, ".yaml") == 0) ||
           (length > 4 && strcmp(name + length - 4, ".yml") == 0);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int compare_names(const void *one, const void *other)
{
    return strcmp(*(const char *const *)one, *(const char *const *)other);
}

/* Adds the pack files of a folder, by name; a folder that is not there has none. False only without memory.
 */
static bool list_folder(const char *folder, struct arena *arena, struct name_list *paths)
{
    DIR *directory = opendir(folder);
    if (!directory)
        return true;
    ptrdiff_t before = paths->count;
    bool done = true;
    const char *slash = *folder && folder[strlen(folder) - 1] == '/' ? "" : "/";
    for (struct dirent *entry; done && (entry = readdir(directory)) != NULL;) {
        if (entry->d_name[0] == '.' || !library_is_pack(entry->d_name))
            continue;
        const char *path = arena_print(arena, "%s%s%s", folder, slash, entry->d_name);
        if (path && is_folder(path))
            continue;
        done = names_add(paths, path);
    }
    closedir(directory);
    if (paths->count - before > 1)
        qsort(paths->items + before, (size_t)(paths->count - before), sizeof *paths->items, compare_names);
    return done;
}

/* Loads a file, or finds that it has been loaded. NULL with the reasons in list and error. */
static const struct pack *load(struct library *library, const char *path, struct diagnostics *list,
                               struct error *error)
{
    struct stat status;
    bool known = stat(path, &status) == 0;
    for (ptrdiff_t i = 0; known && i < library->slot_count; i++)
        if (library->slots[i].device == status.st_dev && library->slots[i].inode == status.st_ino)
            return library->slots[i].pack;
    struct pack *pack;
    if (!pack_load(&pack, path, list, error))
        return NULL;
    if (!memory_grow(&library->slots, &library->slot_capacity, library->slot_count + 1,
                     sizeof *library->slots)) {
        pack_destroy(pack);
        error_memory(error);
        return NULL;
    }
    struct slot slot = { known ? status.st_dev : 0, known ? status.st_ino : 0, pack };
    library->slots[library->slot_count++] = slot;
    return pack;
}

const char *library_peek_id(struct source *source, const char *path, struct arena *arena)
{
    struct diagnostics list;
    struct report report;
    struct node key, value;
    const char *id = "";
    diagnostics_init(&list);
    report_init(&report, source, &list, path);
    struct reader *reader = reader_create(&report);
    if (reader) {
        reader_next(reader, &key);
        bool mapping = key.kind == NODE_MAPPING;
        while (mapping && !*id) {
            reader_next(reader, &key);
            bool found = key.kind == NODE_TEXT && strcmp(key.text, "id") == 0;
            if (key.kind == NODE_END || key.kind == NODE_STOP)
                break;
            reader_skip(reader, &key);
            reader_next(reader, &value);
            reader_skip(reader, &value);
            if (found && value.kind == NODE_TEXT)
                id = arena_text(arena, value.text, value.length);
            if (!id)
                break;
        }
    } else {
        id = NULL;
    }
    reader_destroy(reader);
    diagnostics_finish(&list);
    return id;
}

static const char *peek_id(const char *path, struct arena *arena)
{
    struct source source;
    struct error error = { .code = ERROR_NONE };
    bool large;
    if (!source_open(&source, path, PACK_FILE, &large, &error))
        return error.code == ERROR_MEMORY ? NULL : "";
    const char *id = library_peek_id(&source, path, arena);
    source_finish(&source);
    return id;
}

/* One line that says why a pack does not load. */
static const char *first_problem(struct library *library, const struct diagnostics *list,
                                 const struct error *error)
{
    if (error->code != ERROR_NONE)
        return arena_text(&library->arena, error->message, (ptrdiff_t)strlen(error->message));
    for (ptrdiff_t i = 0; i < list->count; i++) {
        const struct diagnostic *diagnostic = &list->items[i];
        if (diagnostic->severity == SEVERITY_ERROR)
            return arena_print(&library->arena, tr("line %d: %s"), diagnostic->line, diagnostic->message);
    }
    return "";
}

static bool list_entry(struct library *library, const char *path, struct library_entry *entry)
{
    struct diagnostics list;
    struct error error = { .code = ERROR_NONE };
    diagnostics_init(&list);
    entry->path = path;
    entry->pack = load(library, path, &list, &error);
    entry->problem = entry->pack ? NULL : first_problem(library, &list, &error);
    diagnostics_finish(&list);
    return entry->pack || (entry->problem && error.code != ERROR_MEMORY);
}

static const char *entry_title(const struct library_entry *entry)
{
    const char *slash = strrchr(entry->path, '/');
    return entry->pack ? entry->pack->title : slash ? slash + 1 : entry->path;
}

static int compare_entries(const void *one, const void *other)
{
    const struct library_entry *a = one, *b = other;
    int order = strcasecmp(entry_title(a), entry_title(b));
    return order ? order : strcmp(a->path, b->path);
}

static void mark_shadowed(struct library_entry *entries, ptrdiff_t count)
{
    for (ptrdiff_t i = 1; i < count; i++)
        for (ptrdiff_t k = 0; k < i && entries[i].pack && !entries[i].shadowed_by; k++)
            if (entries[k].pack && !entries[k].shadowed_by && entries[k].pack != entries[i].pack &&
                strcmp(entries[k].pack->id, entries[i].pack->id) == 0)
                entries[i].shadowed_by = entries[k].path;
}

bool library_list(struct library *library, const struct library_entry **entries, int *count,
                  struct error *error)
{
    struct name_list paths = { NULL, 0, 0 };
    bool done = true;
    for (int i = 0; done && i < library->folder_count; i++)
        done = list_folder(library->folders[i], &library->arena, &paths);
    struct library_entry *made = NULL;
    if (done)
        made = arena_alloc(&library->arena, paths.count * (ptrdiff_t)sizeof *made);
    ptrdiff_t filled = 0;
    for (ptrdiff_t i = 0; made && i < paths.count; i++, filled++) {
        if (!list_entry(library, paths.items[i], &made[filled])) {
            made = NULL;
            break;
        }
        /* the same file by two names, or in a folder named twice, is one pack */
        for (ptrdiff_t k = 0; k < filled; k++) {
            if (made[filled].pack && made[k].pack == made[filled].pack) {
                memset(&made[filled--], 0, sizeof *made);
                break;
            }
        }
    }
    memory_free(paths.items);
    if (!made)
        return error_memory(error);
    mark_shadowed(made, filled);
    qsort(made, (size_t)filled, sizeof *made, compare_entries);
    *entries = made;
    *count = (int)filled;
    return true;
}

/* The path of the pack with this id that wins; NULL with the nearest id in *near (or NULL), or *failed. */
static const char *find_id(struct library *library, const char *id, struct arena *arena, const char **near,
                           bool *failed)
{
    struct name_list paths = { NULL, 0, 0 }, ids = { NULL, 0, 0 };
    const char *found = NULL;
    *near = NULL;
    *failed = false;
    for (int i = 0; !*failed && i < library->folder_count; i++)
        *failed = !list_folder(library->folders[i], arena, &paths);
    for (ptrdiff_t i = 0; !*failed && !found && i < paths.count; i++) {
        const char *its = peek_id(paths.items[i], arena);
        if (its && strcmp(its, id) == 0)
            found = paths.items[i];
        *failed = !names_add(&ids, its);
    }
    if (!found && !*failed)
        *near = text_nearest(id, ids.items, (int)ids.count);
    memory_free(paths.items);
    memory_free(ids.items);
    return found;
}

static bool argument_paths(struct library *library, const char *argument, struct arena *arena,
                           struct name_list *paths, struct error *error)
{
    struct stat status;
    const char *path = argument, *near = NULL;
    if (!strchr(argument, '/') && !library_is_pack(argument)) {
        bool failed;
        const char *found = find_id(library, argument, arena, &near, &failed);
        if (failed)
            return error_memory(error);
        if (found)
            path = found;
        else if (stat(argument, &status) != 0 && near)
            return error_set(error, ERROR_NOT_FOUND, tr("there is no pack \"%s\"; did you mean \"%s\"?"),
                             argument, near);
        else if (stat(argument, &status) != 0)
            return error_set(error, ERROR_NOT_FOUND,
                             tr("there is no pack \"%s\"; quiztutor lists those there are, and a file is "
                                "named with its path"),
                             argument);
    }
    if (!is_folder(path))
        return names_add(paths, arena_text(arena, path, (ptrdiff_t)strlen(path))) || error_memory(error);
    ptrdiff_t before = paths->count;
    if (!list_folder(path, arena, paths))
        return error_memory(error);
    return paths->count > before ||
           error_set(error, ERROR_NOT_FOUND, tr("%s: there is no pack in this folder"), path);
}

static bool add_pack(const struct pack *pack, const struct pack ***packs, ptrdiff_t *count,
                     ptrdiff_t *capacity, struct error *error)
{
    for (ptrdiff_t i = 0; i < *count; i++) {
        if ((*packs)[i] == pack)
            return true;
        if (strcmp((*packs)[i]->id, pack->id) == 0)
            return error_set(error, ERROR_INPUT, tr("%s and %s have the same id \"%s\"; name one of them"),
                             (*packs)[i]->path, pack->path, pack->id);
    }
    if (!memory_grow(packs, capacity, *count + 1, sizeof **packs))
        return error_memory(error);
    (*packs)[(*count)++] = pack;
    return true;
}

bool library_find(struct library *library, const char *argument, const struct pack ***packs, ptrdiff_t *count,
                  ptrdiff_t *capacity, struct diagnostics *list, struct error *error)
{
    struct name_list paths = { NULL, 0, 0 };
    struct error problem = { .code = ERROR_NONE };
    bool done = argument_paths(library, argument, &library->arena, &paths, &problem);
    /* all packs of a folder are looked at, so that all that is wrong is told at once */
    for (ptrdiff_t i = 0; i < paths.count && problem.code != ERROR_MEMORY; i++) {
        struct error its = { .code = ERROR_NONE };
        const struct pack *pack = load(library, paths.items[i], list, &its);
        bool taken = pack && add_pack(pack, packs, count, capacity, &its);
        if (!taken && its.code == ERROR_NONE)
            error_set(&its, ERROR_INPUT, tr("%s: the pack has errors"), paths.items[i]);
        if (!taken && done)
            problem = its;
        done = done && taken;
    }
    memory_free(paths.items);
    if (!done && error)
        *error = problem;
    return done;
}

bool library_paths(struct library *library, const char *argument, struct arena *arena, const char ***paths,
                   ptrdiff_t *count, ptrdiff_t *capacity, struct error *error)
{
    struct name_list names = { *paths, *count, *capacity };
    bool done = argument_paths(library, argument, arena, &names, error);
    *paths = names.items;
    *count = names.count;
    *capacity = names.capacity;
    return done;
}
