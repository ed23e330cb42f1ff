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
    memory_free(index->items);
    index_init(index);
}

/* FNV-1a begun with where the first table lay, which no author of a file can know: ids made to collide don't.
 */
static uint32_t index_hash(const struct index *index, const char *text)
{
    uint64_t hash = index->seed;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return (uint32_t)(hash ^ (hash >> 32));
}

/* Where a text is, or where it would go. */
static struct index_entry *index_slot(const struct index *index, const char *text, uint32_t hash)
{
    uint32_t mask = (uint32_t)index->size - 1, at = hash & mask;
    for (;; at = (at + 1) & mask) {
        struct index_entry *entry = &index->entries[at];
        if (entry->item == 0 ||
            (entry->hash == hash && strcmp(index->items[entry->item - 1].text, text) == 0))
            return entry;
    }
}

int index_find(const struct index *index, const char *text)
{
    if (index->count == 0)
        return -1;
    const struct index_entry *entry = index_slot(index, text, index_hash(index, text));
    return entry->item ? index->items[entry->item - 1].value : -1;
}

static bool index_widen(struct index *index)
{
    int32_t size = index->size ? index->size * 4 : 16;
    uint32_t mask = (uint32_t)size - 1;
    struct index_entry *entries = memory_zero((ptrdiff_t)size * (ptrdiff_t)sizeof *entries);
    if (!entries)
        return false;
    if (index->size == 0)
        index->seed = 0xcbf29ce484222325u ^ ((uint64_t)(uintptr_t)entries >> 4) * 0x9e3779b97f4a7c15u;
    for (int32_t i = 0; i < index->size; i++) {
        uint32_t at = index->entries[i].hash & mask;
        if (index->entries[i].item == 0)
            continue;
        while (entries[at].item)
            at = (at + 1) & mask;
        entries[at] = index->entries[i];
    }
    memory_free(index->entries);
    index->entries = entries;
    index->size = size;
    return true;
}

int index_add(struct index *index, const char *text, int value)
{
    if (index->count >= index->size / 4 * 3 && !index_widen(index))
        return -2;
    uint32_t hash = index_hash(index, text);
    struct index_entry *entry = index_slot(index, text, hash);
    if (entry->item)
        return index->items[entry->item - 1].value;
    if (!memory_grow(&index->items, &index->capacity, index->count + 1, sizeof *index->items))
        return -2;
    struct index_item item = { text, value };
    index->items[index->count++] = item;
    entry->hash = hash;
    entry->item = index->count;
    return -1;
}
