/* The library, and packs in its place. */
#include "presenter_private.h"

#include <quiztutor/message.h>

#include <string.h>

static const char *present_list(struct arena *arena, const struct text_list *list)
{
    struct buffer out;
    const char *text = NULL;
    buffer_init(&out);
    for (int i = 0; i < list->count; i++)
        buffer_print(&out, "%s%s", i ? ", " : "", list->items[i]);
    present_text(arena, &out, &text);
    buffer_finish(&out);
    return text;
}

static bool present_row(struct presenter *presenter, struct library_row *row,
                        const struct library_entry *entry, struct store *store,
                        const struct store_learner *learner, struct error *error)
{
    struct arena *arena = &presenter->library_arena;
    const struct pack *pack = entry->pack;
    row->path = entry->path;
    row->problem = entry->problem;
    if (!pack)
        return true;
    row->id = pack->id;
    row->title = pack->title;
    row->strapline = pack->strapline;
    row->description = pack->description;
    row->subject = pack->subject;
    row->licence = present_list(arena, &pack->licence);
    row->authors = present_list(arena, &pack->authors);
    row->questions = pack->question_count;
    if (uuid_is_zero(&learner->id))
        return true;
    struct store_value parameters[] = { store_value_uuid(&learner->id), store_value_text(pack->id) };
    struct rows *rows;
    int step;
    if (!rows_open(&rows, store, QUERY_KNOWN, parameters, 2, error))
        return false;
    while ((step = rows_step(rows, error)) == 1) {
        struct store_schedule known;
        rows_schedule(rows, &known);
        if (!known.seen || pack_find(pack, rows_text(rows, 0)) < 0)
            continue;
        row->seen++;
        row->right += known.last == OUTCOME_RIGHT;
    }
    rows_close(rows);
    if (step < 0)
        return false;
    row->due = row->seen;
    return true;
}

/* A pack whose namesake comes first in the folders: listed, so that nobody wonders where it is. */
static bool present_shadowed(struct presenter *presenter, struct library_row *row,
                             const struct library_entry *entry, struct error *error)
{
    struct buffer path, problem;
    buffer_init(&path);
    buffer_init(&problem);
    text_visible(&path, entry->shadowed_by, (ptrdiff_t)strlen(entry->shadowed_by));
    buffer_print(&problem, tr("shadowed by %s, which has the same id"), buffer_get(&path));
    row->path = entry->path;
    row->problem =
        problem.failed ? NULL : arena_text(&presenter->library_arena, buffer_get(&problem), problem.length);
    buffer_finish(&problem);
    buffer_finish(&path);
    return row->problem || error_memory(error);
}

bool presenter_library(struct presenter *presenter, struct library *library, struct store *store,
                       const struct store_learner *learner, struct error *error)
{
    struct library_model *model = &presenter->library;
    const struct library_entry *entries;
    int count;
    arena_finish(&presenter->library_arena);
    *model = (struct library_model){ .learner = learner->name };
    if (!library_list(library, &entries, &count, error))
        return false;
    struct library_row *rows = arena_alloc(&presenter->library_arena, (count + 1) * (ptrdiff_t)sizeof *rows);
    if (!rows)
        return error_memory(error);
    model->rows = rows;
    for (int i = 0; i < count; i++) {
        struct library_row *row = &rows[model->count];
        if (entries[i].shadowed_by ? !present_shadowed(presenter, row, &entries[i], error)
                                   : !present_row(presenter, row, &entries[i], store, learner, error))
            return false;
        model->count++;
    }
    return true;
}

bool presenter_packs(struct presenter *presenter, const struct practice *practice, struct error *error)
{
    const struct practice_options *options = &practice->options;
    struct library_model *model = &presenter->library;
    arena_finish(&presenter->library_arena);
    *model = (struct library_model){ .learner = practice->record.learner.name };
    struct library_row *rows =
        arena_alloc(&presenter->library_arena, (options->pack_count + 1) * (ptrdiff_t)sizeof *rows);
    if (!rows)
        return error_memory(error);
    model->rows = rows;
    for (int i = 0; i < options->pack_count; i++) {
        struct library_entry entry = { .path = options->packs[i]->path, .pack = options->packs[i] };
        if (!present_row(presenter, &rows[i], &entry, practice->store, &practice->record.learner, error))
            return false;
        model->count++;
    }
    return true;
}
