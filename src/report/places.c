#include "places.h"

#include <string.h>

enum { PLACES_LEAST = 64, PLACES_MOST = 1 << 28 };

void places_init(struct places *places)
{
    *places = (struct places){ 0 };
    arena_init(&places->arena);
}

void places_finish(struct places *places)
{
    arena_finish(&places->arena);
    memory_free(places->keys);
    memory_free(places->slots);
    *places = (struct places){ 0 };
}

/* FNV-1a's steps (Fowler, Noll, Vo, 64 bits) over words of 8 bytes, the length before them, and at each the
 * bits above mixed into those below, which choose the slot. */
static uint64_t hash_of_key(const void *key, ptrdiff_t length)
{
    const unsigned char *bytes = key;
    uint64_t hash = 14695981039346656037u ^ (uint64_t)length;
    for (; length > 0; bytes += 8, length -= 8) {
        uint64_t word = 0;
        memcpy(&word, bytes, length < 8 ? (size_t)length : sizeof word);
        hash = (hash ^ word) * 1099511628211u;
        hash ^= hash >> 29;
    }
    hash *= 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 32;
}

/* The slot that holds the key, or the free one where it belongs. Never full, so there is one. */
static int slot_of(const struct places *places, uint64_t hash, const void *key, ptrdiff_t length)
{
    int mask = places->slot_count - 1, slot = (int)(hash & (uint64_t)mask);
    for (;; slot = (slot + 1) & mask) {
        int32_t held = places->slots[slot];
        if (!held)
            return slot;
        const struct places_key *there = &places->keys[held - 1];
        if (there->hash == hash && there->length == length && memcmp(there->bytes, key, (size_t)length) == 0)
            return slot;
    }
}

static bool widen(struct places *places)
{
    int count = places->slot_count ? 2 * places->slot_count : PLACES_LEAST, mask = count - 1;
    if (count > PLACES_MOST)
        return false;
    int32_t *slots = memory_zero(count * (ptrdiff_t)sizeof *slots);
    if (!slots)
        return false;
    for (int i = 0; i < places->count; i++) {
        int slot = (int)(places->keys[i].hash & (uint64_t)mask);
        while (slots[slot])
            slot = (slot + 1) & mask;
        slots[slot] = i + 1;
    }
    memory_free(places->slots);
    places->slots = slots;
    places->slot_count = count;
    return true;
}

int places_find(const struct places *places, const void *key, ptrdiff_t length)
{
    return places->slot_count ? places->slots[slot_of(places, hash_of_key(key, length), key, length)] - 1
                              : -1;
}

int places_add(struct places *places, const void *key, ptrdiff_t length, bool *fresh)
{
    uint64_t hash = hash_of_key(key, length);
    if (fresh)
        *fresh = false;
    if (4 * (places->count + 1) > 3 * places->slot_count && !widen(places))
        return -1;
    int slot = slot_of(places, hash, key, length);
    if (places->slots[slot])
        return places->slots[slot] - 1;
    char *copy = arena_text(&places->arena, key, length);
    if (!copy || !memory_grow(&places->keys, &places->key_capacity, places->count + 1, sizeof *places->keys))
        return -1;
    places->keys[places->count] = (struct places_key){ hash, copy, length };
    places->slots[slot] = ++places->count;
    if (fresh)
        *fresh = true;
    return places->count - 1;
}
