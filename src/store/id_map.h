/* What is known of ids, found by id: a table of open addressing. The places move when it grows. */
#ifndef QUIZTUTOR_STORE_ID_MAP_H
#define QUIZTUTOR_STORE_ID_MAP_H

#include <quiztutor/hash.h>

struct id_place {
    struct uuid id;
    bool used;
    /* all zero in a new place: */
    struct uuid here; /* another id for the same */
    int fate;
    int64_t count;
};

struct id_map { /* zeroed: empty */
    struct id_place *places;
    ptrdiff_t count, capacity; /* capacity: a power of two */
};

void id_map_finish(struct id_map *map);

/* The place of this id, a new one where there was none. NULL without memory. */
struct id_place *id_map_place(struct id_map *map, const struct uuid *id);

#endif
