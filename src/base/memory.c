#include <quiztutor/memory.h>

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static long fail_countdown; /* 0: off; n: the n-th allocation from now fails; -1: all fail */
static bool fail_single, has_failed;

static bool memory_denied(void)
{
    if (fail_countdown == 0)
        return false;
    if (fail_countdown > 0 && --fail_countdown > 0)
        return false;
    fail_countdown = fail_single ? 0 : -1;
    has_failed = true;
    return true;
}

void memory_fail_after(long allocations)
{
    fail_countdown = allocations;
    fail_single = has_failed = false;
}

void memory_fail_once(long allocations)
{
    memory_fail_after(allocations);
    fail_single = true;
}

bool memory_failed(void)
{
    return has_failed;
}

void *memory_alloc(ptrdiff_t size)
{
    if (size < 0 || memory_denied())
        return NULL;
    return malloc(size ? (size_t)size : 1);
}

void *memory_zero(ptrdiff_t size)
{
    if (size < 0 || memory_denied())
        return NULL;
    return calloc(1, size ? (size_t)size : 1);
}

void *memory_resize(void *block, ptrdiff_t size)
{
    if (size < 0 || memory_denied())
        return NULL;
    return realloc(block, size ? (size_t)size : 1);
}

void memory_free(void *block)
{
    free(block);
}

void memory_expect(void *block, ptrdiff_t size)
{
    enum { WORTH_A_CALL = 32 * 1024, PAGE = 4096 };
    if (size < WORTH_A_CALL)
        return;
    uintptr_t first = ((uintptr_t)block + PAGE - 1) & ~(uintptr_t)(PAGE - 1);
    uintptr_t end = ((uintptr_t)block + (uintptr_t)size) & ~(uintptr_t)(PAGE - 1);
#ifdef MADV_POPULATE_WRITE
    madvise((char *)block + (first - (uintptr_t)block), end - first, MADV_POPULATE_WRITE);
#else
    (void)first, (void)end;
#endif
}

char *memory_text(const char *text)
{
    if (!text)
        return NULL;
    ptrdiff_t size = (ptrdiff_t)strlen(text) + 1;
    char *copy = memory_alloc(size);
    if (copy)
        memcpy(copy, text, (size_t)size);
    return copy;
}

bool memory_grow(void *items_pointer, ptrdiff_t *capacity, ptrdiff_t needed, ptrdiff_t size)
{
    if (needed <= *capacity)
        return true;
    ptrdiff_t room = *capacity < 8 ? 8 : *capacity;
    while (room < needed) {
        if (room > PTRDIFF_MAX / 2)
            return false;
        room *= 2;
    }
    if (room > PTRDIFF_MAX / size)
        return false;
    void *items;
    memcpy(&items, items_pointer, sizeof items);
    items = memory_resize(items, room * size);
    if (!items)
        return false;
    memory_expect((char *)items + *capacity * size, (room - *capacity) * size);
    memcpy(items_pointer, &items, sizeof items);
    *capacity = room;
    return true;
}

/* Arena: blocks of growing size, newest first. */

enum { ARENA_FIRST = 4096, ARENA_LARGEST = 1 << 20, ARENA_ALIGN = 16 };

struct arena_block {
    struct arena_block *older;
    void *align;
};

void arena_init(struct arena *arena)
{
    memset(arena, 0, sizeof *arena);
}

void arena_finish(struct arena *arena)
{
    struct arena_block *block = arena->blocks;
    while (block) {
        struct arena_block *older = block->older;
        memory_free(block);
        block = older;
    }
    arena_init(arena);
}

static bool arena_more(struct arena *arena, ptrdiff_t size)
{
    ptrdiff_t room = arena->total < ARENA_FIRST ? ARENA_FIRST : arena->total;
    if (room > ARENA_LARGEST)
        room = ARENA_LARGEST;
    if (size > PTRDIFF_MAX - 64)
        return false;
    if (room < size + ARENA_ALIGN)
        room = size + ARENA_ALIGN;
    struct arena_block *block = memory_alloc((ptrdiff_t)sizeof *block + room);
    if (!block)
        return false;
    memory_expect(block, (ptrdiff_t)sizeof *block + room);
    block->older = arena->blocks;
    arena->blocks = block;
    arena->next = (char *)(block + 1);
    arena->end = arena->next + room;
    arena->total += room;
    return true;
}

void *arena_alloc(struct arena *arena, ptrdiff_t size)
{
    if (size < 0)
        return NULL;
    ptrdiff_t pad = (ptrdiff_t)(-(uintptr_t)arena->next & (ARENA_ALIGN - 1));
    if (!arena->next || arena->end - arena->next < size + pad) {
        if (!arena_more(arena, size))
            return NULL;
        pad = (ptrdiff_t)(-(uintptr_t)arena->next & (ARENA_ALIGN - 1));
    }
    char *block = arena->next + pad;
    arena->next = block + size;
    memset(block, 0, (size_t)size);
    return block;
}

char *arena_text(struct arena *arena, const char *text, ptrdiff_t length)
{
    if (length < 0)
        return NULL;
    if ((!arena->next || arena->end - arena->next < length + 1) && !arena_more(arena, length + 1))
        return NULL;
    char *copy = arena->next;
    memcpy(copy, text, (size_t)length);
    copy[length] = '\0';
    arena->next = copy + length + 1;
    return copy;
}

char *arena_print(struct arena *arena, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *text = length < 0 ? NULL : arena_alloc(arena, length + 1);
    if (text)
        vsnprintf(text, (size_t)length + 1, format, again);
    va_end(again);
    return text;
}
