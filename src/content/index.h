/*
 * An index from texts to numbers: open addressing, at most half full. The texts are the caller's and must
 * live as long as the index.
 */
#ifndef CONTENT_INDEX_H
#define CONTENT_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct index_entry {
    const char *text; /* NULL: free */
    int32_t value;
};

struct index {
    struct index_entry *entries;
    int32_t size, count; /* size is a power of two, or 0 */
};

void index_init(struct index *index);
void index_finish(struct index *index);

/* The value of a text, -1 if there is none. */
int index_find(const struct index *index, const char *text);

/* Adds a text that is not yet there; false without memory. */
bool index_add(struct index *index, const char *text, int value);

#endif
