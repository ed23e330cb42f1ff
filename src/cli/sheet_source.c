#include "sheet_source.h"

#include <quiztutor/message.h>

#include <string.h>

/* Looks at a file alone, from now on. */
static bool source_only(struct sheet_source_found *found, const struct invocation *invocation,
                        const char *argument, struct error *error)
{
    found->named = command_pack_file(invocation, argument, &found->arena, &found->name, &found->bytes, error);
    found->shelf.only = found->named;
    found->shelf.only_name = argument;
    return found->named != NULL;
}

/* The file is the one on record; a pack that was named must be that, in whatever state. */
static bool source_recorded(struct sheet_source_found *found, const char *argument, struct error *error)
{
    const struct printed *printed = &found->printed;
    found->name = printed->source.name;
    buffer_clear(&found->bytes);
    buffer_add(&found->bytes, printed->source.bytes, printed->source.length);
    if (found->bytes.failed)
        return error_memory(error);
    return !found->named || strcmp(found->named->id, printed->sheet.pack->id) == 0 ||
           error_set(error, ERROR_INPUT, tr("the sheet %s was made of the pack %s, not of %s"), printed->id,
                     printed->sheet.pack->id, argument);
}

/* Of the library's pack the file is read once more, for its bytes. */
static bool source_read(struct sheet_source_found *found, const struct invocation *invocation, const char *id,
                        const struct uuid *learner, struct error *error)
{
    const char *path = found->printed.path;
    printed_finish(&found->printed);
    return source_only(found, invocation, path, error) &&
           printed_find(&found->shelf, &found->printed, id, learner, error);
}

bool sheet_source_find(struct sheet_source_found *found, const struct invocation *invocation,
                       struct store *store, const char *id, const char *argument, const struct uuid *learner,
                       struct error *error)
{
    *found = (struct sheet_source_found){ 0 };
    arena_init(&found->arena);
    buffer_init(&found->bytes);
    if (!argument && !command_library(invocation, &found->library, error))
        return false;
    printed_shelf_init(&found->shelf, store, found->library);
    if ((argument && !source_only(found, invocation, argument, error)) ||
        !printed_find(&found->shelf, &found->printed, id, learner, error))
        return false;
    if (found->printed.known)
        return source_recorded(found, argument, error);
    return argument || source_read(found, invocation, id, learner, error);
}

void sheet_source_finish(struct sheet_source_found *found)
{
    printed_finish(&found->printed);
    printed_shelf_finish(&found->shelf);
    library_destroy(found->library);
    pack_destroy(found->named);
    buffer_finish(&found->bytes);
    arena_finish(&found->arena);
}
