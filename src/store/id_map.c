#include "id_map.h"

#include <quiztutor/memory.h>

#include <string.h>

enum { SMALLEST = 64 };

void id_map_finish(struct id_map *map)
{
    memory_free(map->places);
    memset(map, 0, sizeof *map);
}

static struct id_place *find(struct id_place *places, ptrdiff_t capacity, const struct uuid *id)
{
    struct hash hash;
    size_t at;
    hash_of(&hash, id->bytes, sizeof id->bytes); /* ids come from outside: nobody may choose their places */
    memcpy(&at, hash.bytes, sizeof at);
    for (at &= (size_t)capacity - 1;; at = (at + 1) & ((size_t)capacity - 1))
        if (!places[at].used || uuid_equal(&places[at].id, id))
            return &places[at];
}

static bool grow(struct id_map *map)
{
    ptrdiff_t capacity = map->capacity ? map->capacity * 2 : SMALLEST;
    struct id_place *places = memory_zero(capacity * (ptrdiff_t)sizeof *places);
    if (!places)
        return false;
    for (ptrdiff_t i = 0; i < map->capacity; i++)
        if (map->places[i].used)
            *find(places, capacity, &map->places[i].id) = map->places[i];
    memory_free(map->places);
    map->places = places;
    map->capacity = capacity;
    return true;
}

struct id_place *id_map_place(struct id_map *map, const struct uuid *id)
{
    if (map->count * 2 >= map->capacity && !grow(map))
        return NULL;
    struct id_place *place = find(map->places, map->capacity, id);
    map->count += !place->used;
    place->used = true;
    place->id = *id;
    return place;
}
