#include <quiztutor/message.h>
#include <quiztutor/printed.h>

#include <string.h>

struct printed_pack {
    struct sheet_source source; /* in the shelf's arena */
    struct pack *pack;
};

void printed_shelf_init(struct printed_shelf *shelf, struct store *store, struct library *library)
{
    *shelf = (struct printed_shelf){ .store = store, .library = library };
    arena_init(&shelf->arena);
}

void printed_shelf_finish(struct printed_shelf *shelf)
{
    for (ptrdiff_t i = 0; i < shelf->count; i++)
        pack_destroy(shelf->packs[i].pack);
    memory_free(shelf->packs);
    arena_finish(&shelf->arena);
}

static bool keep_source(struct printed_shelf *shelf, struct sheet_source *kept,
                        const struct sheet_source *source)
{
    char *bytes = arena_alloc(&shelf->arena, source->length + 1);
    *kept = *source;
    kept->name = arena_text(&shelf->arena, source->name, (ptrdiff_t)strlen(source->name));
    kept->bytes = bytes;
    if (!bytes || !kept->name)
        return false;
    memcpy(bytes, source->bytes, (size_t)source->length);
    bytes[source->length] = '\0';
    return true;
}

/* The file on record and its pack; NULL with the reason. */
static const struct printed_pack *load_recorded(struct printed_shelf *shelf,
                                                const struct sheet_source *source, struct error *error)
{
    for (ptrdiff_t i = 0; i < shelf->count; i++)
        if (memcmp(&shelf->packs[i].source.content, &source->content, sizeof source->content) == 0)
            return &shelf->packs[i];
    struct diagnostics list;
    struct printed_pack made = { 0 };
    if (!keep_source(shelf, &made.source, source) ||
        !memory_grow(&shelf->packs, &shelf->capacity, shelf->count + 1, sizeof *shelf->packs)) {
        error_memory(error);
        return NULL;
    }
    diagnostics_init(&list);
    bool loaded =
        pack_load_bytes(&made.pack, made.source.name, made.source.bytes, made.source.length, &list, error);
    diagnostics_finish(&list);
    if (loaded) {
        shelf->packs[shelf->count] = made;
        return &shelf->packs[shelf->count++];
    }
    if (error->code == ERROR_INPUT)
        error_set(
            error, ERROR_INPUT,
            tr("%s can't be read as it was when this sheet was printed: this version of quiztutor takes "
               "other packs"),
            made.source.name);
    return NULL;
}

static bool keep_record(struct printed_shelf *shelf, struct printed *printed,
                        const struct sheet_record *record)
{
    const char **texts[] = { &printed->record.id, &printed->record.body, &printed->record.size,
                             &printed->record.tag };
    printed->record = *record;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        if (!*texts[i])
            continue;
        *texts[i] = arena_text(&shelf->arena, *texts[i], (ptrdiff_t)strlen(*texts[i]));
        if (!*texts[i])
            return false;
    }
    printed->tag = printed->record.tag;
    return true;
}

/* 1: the pack of its record, 0: there is none, −1: an error. */
static int look_at_record(struct printed_shelf *shelf, struct printed *printed, const struct sheet_id *id,
                          const struct uuid *learner, const struct pack **pack, struct error *error)
{
    struct sheet_record record;
    struct sheet_source source;
    struct arena arena; /* of the file, once its pack is loaded of no more use */
    if (!shelf->store)
        return 0;
    arena_init(&arena);
    int found =
        store_find_sheet(shelf->store, printed->id, id->body, learner, &arena, &record, &source, error);
    if (found > 0) {
        const struct printed_pack *loaded = load_recorded(shelf, &source, error);
        if (!loaded || (!keep_record(shelf, printed, &record) && !error_memory(error)))
            found = -1;
        printed->known = found > 0;
        printed->recorded = found > 0 && strcmp(record.id, printed->id) == 0;
        if (loaded) {
            *pack = loaded->pack;
            printed->source = loaded->source;
        }
    }
    arena_finish(&arena);
    return found;
}

static bool look_at_only(struct printed_shelf *shelf, struct printed *printed, const char *body,
                         const struct pack **pack, struct error *error)
{
    *pack = shelf->only;
    int found = sheet_body_find(shelf->only, body, &printed->tag);
    if (found < 0)
        return error_memory(error);
    return found > 0 ||
           error_set(
               error, ERROR_INPUT,
               tr("%s (%s) does not make the sheet %s: it has changed since, and no record of the sheet "
                  "is in the store"),
               shelf->only_name, shelf->only->title, printed->id);
}

static bool look_in_library(struct printed_shelf *shelf, struct printed *printed, const char *body,
                            const struct pack **pack, struct error *error)
{
    const struct library_entry *entries;
    int count, found = 0;
    if (shelf->only)
        return look_at_only(shelf, printed, body, pack, error);
    *pack = NULL;
    if (!library_list(shelf->library, &entries, &count, error))
        return false;
    for (int i = 0; found == 0 && i < count; i++) {
        found = entries[i].pack ? sheet_body_find(entries[i].pack, body, &printed->tag) : 0;
        *pack = found > 0 ? entries[i].pack : NULL;
        printed->path = found > 0 ? entries[i].path : NULL;
    }
    if (found < 0)
        return error_memory(error);
    return found > 0 ||
           error_set(
               error, ERROR_NOT_FOUND,
               tr("%s is not on record in this store, and no pack of the library has what is printed on "
                  "it: its pack was changed since, or is elsewhere (--content DIR)"),
               printed->id);
}

bool printed_find(struct printed_shelf *shelf, struct printed *printed, const char *text,
                  const struct uuid *learner, struct error *error)
{
    struct sheet_id id;
    const struct pack *pack = NULL;
    memset(printed, 0, sizeof *printed);
    if (!sheet_id_read(&id, text, error))
        return false;
    sheet_id_format(printed->id, &id);
    int found = look_at_record(shelf, printed, &id, learner, &pack, error);
    if (found < 0 || (found == 0 && !look_in_library(shelf, printed, id.body, &pack, error)))
        return false;
    const struct sheet_choice choice = { .seed = id.seed, .limit = id.limit, .tag = printed->tag };
    if (!sheet_make(&printed->sheet, pack, &choice, error))
        return false;
    return strcmp(printed->sheet.id.body, id.body) == 0 ||
           error_set(error, ERROR_INPUT,
                     tr("%s is on record, but this version of quiztutor makes another sheet of its pack"),
                     printed->id);
}

bool printed_changed(struct printed_shelf *shelf, const struct printed *printed, const struct pack **today,
                     struct error *error)
{
    const struct library_entry *entries;
    char body[SHEET_BODY + 1];
    int count;
    *today = NULL;
    if (!printed->known || !shelf->library)
        return true;
    if (!library_list(shelf->library, &entries, &count, error))
        return false;
    for (int i = 0; i < count; i++) {
        const struct pack *pack = entries[i].pack;
        if (!pack || entries[i].shadowed_by || strcmp(pack->id, printed->sheet.pack->id) != 0)
            continue;
        if (!sheet_body(body, pack, printed->tag))
            return error_memory(error);
        if (strcmp(body, printed->sheet.id.body) != 0)
            *today = pack;
        return true;
    }
    return true;
}

void printed_finish(struct printed *printed)
{
    sheet_finish(&printed->sheet);
}
