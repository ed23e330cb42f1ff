#include "sheet_source.h"

#include "file.h"

#include <quiztutor/library.h>
#include <quiztutor/message.h>

#include <string.h>

static const char *source_keep(struct sheet_source_found *found, const char *text)
{
    return text ? arena_text(&found->arena, text, (ptrdiff_t)strlen(text)) : NULL;
}

/* Of the pack that was named. */
static bool source_of_argument(struct sheet_source_found *found, const struct invocation *invocation,
                               const struct sheet_id *id, const char *text, const char *argument,
                               struct error *error)
{
    found->pack = command_pack_file(invocation, argument, &found->arena, &found->name, &found->bytes, error);
    int matches = found->pack ? sheet_body_find(found->pack, id->body, &found->tag) : 0;
    if (!found->pack)
        return false;
    if (matches < 0)
        return error_memory(error);
    return matches || error_set(error, ERROR_INPUT,
                                tr("%s (%s) does not make the sheet %s: it has changed since, and no record "
                                   "of the sheet is in the store"),
                                argument, found->pack->title, text);
}

/* Of the library, the first that still makes it. */
static bool source_of_library(struct sheet_source_found *found, const struct invocation *invocation,
                              const struct sheet_id *id, const char *text, struct error *error)
{
    struct library *library = NULL;
    const struct library_entry *entries;
    const char *path = NULL, *tag;
    int count = 0, matches = 0;
    bool done =
        command_library(invocation, &library, error) && library_list(library, &entries, &count, error);
    for (int i = 0; done && i < count && matches == 0; i++) {
        matches = entries[i].pack ? sheet_body_find(entries[i].pack, id->body, &tag) : 0;
        if (matches > 0)
            path = source_keep(found, entries[i].path);
    }
    library_destroy(library);
    if (!done)
        return false;
    if (matches < 0 || (matches > 0 && !path))
        return error_memory(error);
    if (!matches)
        return error_set(error, ERROR_NOT_FOUND,
                         tr("no pack here makes the sheet %s, and no record of it is in the store: its pack "
                            "has changed since, or is elsewhere (--content DIR)"),
                         text);
    return source_of_argument(found, invocation, id, text, path, error);
}

/* Of the record: 1, 0 where there is none, or −1. */
static int source_of_record(struct sheet_source_found *found, struct store *store, const struct sheet_id *id,
                            const char *text, const struct uuid *learner, struct error *error)
{
    struct sheet_source source;
    char body[SHEET_BODY + 1];
    int there =
        store_find_sheet(store, text, id->body, learner, &found->arena, &found->record, &source, error);
    if (there <= 0)
        return there;
    found->known = true;
    found->recorded = strcmp(found->record.id, text) == 0;
    found->name = source.name;
    found->tag = found->record.tag;
    buffer_add(&found->bytes, source.bytes, source.length);
    if (found->bytes.failed) {
        error_memory(error);
        return -1;
    }
    found->pack = command_pack_bytes(found->name, &found->bytes, error);
    if (!found->pack)
        return -1;
    if (!sheet_body(body, found->pack, found->tag)) {
        error_memory(error);
        return -1;
    }
    if (strcmp(body, id->body) == 0)
        return 1;
    error_set(error, ERROR_INPUT,
              tr("the sheet %s is on record, but this release makes another one of its pack %s"), text,
              found->name);
    return -1;
}

/* The pack that was named must be the one on record, in whatever state. */
static bool source_same(const struct sheet_source_found *found, const struct invocation *invocation,
                        const char *text, const char *argument, struct error *error)
{
    if (!argument)
        return true;
    struct pack *named = command_pack(invocation, argument, error);
    bool same = named && strcmp(named->id, found->pack->id) == 0;
    if (named && !same)
        error_set(error, ERROR_INPUT, tr("the sheet %s was made of the pack %s, not of %s"), text,
                  found->pack->id, argument);
    pack_destroy(named);
    return same;
}

bool sheet_source_find(struct sheet_source_found *found, const struct invocation *invocation,
                       struct store *store, const struct sheet_id *id, const char *argument,
                       const struct uuid *learner, struct error *error)
{
    char text[SHEET_ID + 1];
    *found = (struct sheet_source_found){ 0 };
    arena_init(&found->arena);
    buffer_init(&found->bytes);
    sheet_id_format(text, id);
    int there = store ? source_of_record(found, store, id, text, learner, error) : 0;
    if (there < 0)
        return false;
    if (there)
        return source_same(found, invocation, text, argument, error);
    return argument ? source_of_argument(found, invocation, id, text, argument, error)
                    : source_of_library(found, invocation, id, text, error);
}

void sheet_source_finish(struct sheet_source_found *found)
{
    pack_destroy(found->pack);
    buffer_finish(&found->bytes);
    arena_finish(&found->arena);
}
