#include "index.h"

#include <quiztutor/memory.h>

#include <string.h>

void index_init(struct index *index)
{
    memset(index, 0, sizeof *index);
}

void index_finish(struct index *index)
{
    memory_free(index->entries);
    index_init(index);
}

/* FNV-1a begun with where the table lies, which no author of a file can know: ids made to collide don't. */
static uint32_t index_hash(const struct index *index, const char *text)
{
    uint64_t hash = 0xcbf29ce484222325u ^ ((uint64_t)(uintptr_t)index->entries >> 4) * 0x9e3779b97f4a7c15u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (uint32_t)(hash ^ (hash >> 32));
}

static struct index_entry *index_slot(const struct index *index, const char *text)
{
    uint32_t mask = (uint32_t)index->size - 1, at = index_hash(index, text) & mask;
    while (index->entries[at].text && strcmp(index->entries[at].text, text) != 0)
        at = (at + 1) & mask;
    return &index->entries[at];
}

int index_find(const struct index *index, const char *text)
{
    if (index->count == 0)
        return -1;
    const struct index_entry *entry = index_slot(index, text);
    return entry->text ? entry->value : -1;
}

static bool index_widen(struct index *index)
{
    struct index wide = { NULL, index->size ? index->size * 2 : 16, index->count };
    wide.entries = memory_zero((ptrdiff_t)wide.size * (ptrdiff_t)sizeof *wide.entries);
    if (!wide.entries)
        return false;
    for (int32_t i = 0; i < index->size; i++)
        if (index->entries[i].text)
            *index_slot(&wide, index->entries[i].text) = index->entries[i];
    memory_free(index->entries);
    *index = wide;
    return true;
}

bool index_add(struct index *index, const char *text, int value)
{
    if (index->count * 2 >= index->size && !index_widen(index))
        return false;
    struct index_entry *entry = index_slot(index, text);
    entry->text = text;
    entry->value = value;
    index->count++;
    return true;
}
