#include "names.h"

#include <string.h>

void names_init(struct names *names)
{
    memset(names, 0, sizeof *names);
}

void names_finish(struct names *names)
{
    memory_free(names->entries);
    names_init(names);
}

/* FNV-1a begun with where the first table lay, which no author of a file can know. */
static uint64_t names_hash(const struct names *names, const char *text)
{
    uint64_t hash = names->seed;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    return hash ^ (hash >> 32);
}

/* Where a text is, or where it would go. */
static struct names_entry *names_slot(const struct names *names, const char *text)
{
    uint64_t mask = (uint64_t)names->size - 1, at = names_hash(names, text) & mask;
    while (names->entries[at].text && strcmp(names->entries[at].text, text) != 0)
        at = (at + 1) & mask;
    return &names->entries[at];
}

int names_find(const struct names *names, const char *text)
{
    if (!names->count)
        return -1;
    const struct names_entry *entry = names_slot(names, text);
    return entry->text ? entry->value : -1;
}

void names_set(struct names *names, const char *text, int value)
{
    if (names->count)
        names_slot(names, text)->value = value;
}

static bool names_widen(struct names *names)
{
    struct names wide = { .size = names->size ? names->size * 4 : 64, .seed = names->seed };
    wide.entries = memory_zero(wide.size * (ptrdiff_t)sizeof *wide.entries);
    if (!wide.entries)
        return false;
    if (!wide.seed)
        wide.seed = 0xcbf29ce484222325u ^ ((uint64_t)(uintptr_t)wide.entries >> 4) * 0x9e3779b97f4a7c15u;
    for (ptrdiff_t i = 0; i < names->size; i++)
        if (names->entries[i].text)
            *names_slot(&wide, names->entries[i].text) = names->entries[i];
    wide.count = names->count;
    memory_free(names->entries);
    *names = wide;
    return true;
}

bool names_add(struct names *names, const char *text, int value)
{
    if (names->count >= names->size / 4 * 3 && !names_widen(names))
        return false;
    *names_slot(names, text) = (struct names_entry){ text, value };
    names->count++;
    return true;
}
