/* A place (0, 1, 2, …) for each of many keys: questions by pack and id, packs, learners. Keys are bytes, kept
 * as copies. */
#ifndef REPORT_PLACES_H
#define REPORT_PLACES_H

#include <quiztutor/memory.h>
#include <stdint.h>

struct places_key {
    uint64_t hash;
    const char *bytes;
    ptrdiff_t length;
};

struct places {
    struct arena arena;
    struct places_key *keys; /* in the order they came */
    ptrdiff_t key_capacity;
    int32_t *slots; /* places plus 1; 0: free */
    int count, slot_count;
};

void places_init(struct places *places);
void places_finish(struct places *places);

/* Its place; −1 where it has none. */
int places_find(const struct places *places, const void *key, ptrdiff_t length);

/* Its place, given now where it had none (*fresh tells, may be NULL); −1 without memory. */
int places_add(struct places *places, const void *key, ptrdiff_t length, bool *fresh);

#endif
