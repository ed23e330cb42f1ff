/*
 * All heap memory of the program's own code. An allocation that fails returns NULL, never exits; tests make
 * the n-th one fail on demand. An arena hands out memory that lives until the arena ends: a pack is one
 * arena, a screen's texts are another.
 */
#ifndef QUIZTUTOR_MEMORY_H
#define QUIZTUTOR_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Like malloc, realloc, free; sizes in bytes, 0 counts as 1. memory_zero returns cleared memory. */
void *memory_alloc(ptrdiff_t size) __attribute__((malloc));
void *memory_zero(ptrdiff_t size) __attribute__((malloc));
void *memory_resize(void *block, ptrdiff_t size);
void memory_free(void *block);

/*
 * Says that all of a block will be written soon: the system then gives its pages in one step rather than at a
 * fault each. Only a hint, and only worth a call for large blocks; smaller ones are passed over.
 */
void memory_expect(void *block, ptrdiff_t size);

/* A copy of a NUL-terminated text; the caller frees it with memory_free. NULL for NULL or no memory. */
char *memory_text(const char *text);

/* Makes room for `needed` items of `size` bytes in *items, doubling; false (nothing changed) without memory.
 */
bool memory_grow(void *items_pointer, ptrdiff_t *capacity, ptrdiff_t needed, ptrdiff_t size);

/* Tests only: the n-th allocation from now fails, and every later one; 0 ends it. The other one: it alone
 * does. */
void memory_fail_after(long allocations);
void memory_fail_once(long allocations);
bool memory_failed(void); /* since it was asked for one of these, one has failed */

struct arena_block;
struct arena {
    struct arena_block *blocks;
    char *next, *end;
    ptrdiff_t total; /* bytes taken from the heap */
};

void arena_init(struct arena *arena);
void arena_finish(struct arena *arena);

/* Cleared memory aligned for any type, or NULL. Lives until arena_finish. */
void *arena_alloc(struct arena *arena, ptrdiff_t size);

/* A NUL-terminated copy of `length` bytes (unaligned, packed tightly), or NULL. */
char *arena_text(struct arena *arena, const char *text, ptrdiff_t length);

/* printf into the arena, or NULL. */
char *arena_print(struct arena *arena, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
