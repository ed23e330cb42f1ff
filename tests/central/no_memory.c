/*
 * Preloaded into a program that uses libpq: of the pieces of memory that libpq asks for, the one whose number
 * $LIBPQ_FAILS is is not there. All others, and the program's own, are.
 */
#include <errno.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static uintptr_t first, last;
static long count, fails;

static int find(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    if (!info->dlpi_name || !strstr(info->dlpi_name, "libpq.so"))
        return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            first = start;
            last = start + info->dlpi_phdr[i].p_memsz;
        }
    }
    return 1;
}

__attribute__((constructor)) static void start(void)
{
    const char *text = getenv("LIBPQ_FAILS");
    fails = text ? atol(text) : 0;
    dl_iterate_phdr(find, NULL);
}

/* How many pieces it asked for, for whoever wants to know how far to go. */
__attribute__((destructor)) static void end(void)
{
    const char *path = getenv("LIBPQ_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%ld\n", count);
        fclose(file);
    }
}

static int failing(const void *caller)
{
    uintptr_t at = (uintptr_t)caller;
    if (at < first || at >= last || ++count != fails)
        return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return failing(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return failing(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
    return failing(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}

char *strdup(const char *text)
{
    size_t size = strlen(text) + 1;
    char *copy = failing(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
    return copy ? memcpy(copy, text, size) : NULL;
}
