/*
 * An index from texts to numbers: open addressing, at most three quarters full. The texts are the caller's
 * and must live as long as the index.
 */
#ifndef CONTENT_INDEX_H
#define CONTENT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_item {
    const char *text;
    int32_t value;
};

/* The table holds hashes and places in `items` only, so that it stays small enough for the processor's
 * caches. */
struct index_entry {
    uint32_t hash;
    int32_t item; /* from 1; 0: free */
};

struct index {
    struct index_entry *entries;
    struct index_item *items; /* in the order in which they came */
    ptrdiff_t capacity;
    int32_t size, count; /* size of the table: a power of two, or 0 */
    uint64_t seed;
};

void index_init(struct index *index);
void index_finish(struct index *index);

/* The value of a text, -1 if there is none. */
int index_find(const struct index *index, const char *text);

/* Adds a text. The value it had already, which stays; -1 when it is new; -2 without memory. */
int index_add(struct index *index, const char *text, int value);

#endif
