/*
 * Memory that comes to an end, for all that a program is made of: preloaded, it answers allocations with
 * nothing. $SHORT_MEMORY is "FROM COUNT": from the FROMth one on, COUNT of them fail. Those of libseccomp are
 * let through: its version 2.5 frees twice what it finds no memory for, while a kiosk starts and before
 * anybody can be there.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);

static long from, count, made;

__attribute__((constructor)) static void short_memory_begin(void)
{
    const char *text = getenv("SHORT_MEMORY");
    char *rest;
    if (!text)
        return;
    from = strtol(text, &rest, 10);
    count = strtol(rest, NULL, 10);
    made = 0;
}

static int fails(const void *caller)
{
    Dl_info who;
    made++;
    if (made < from || made >= from + count)
        return 0;
    if (dladdr(caller, &who) && who.dli_fname && strstr(who.dli_fname, "libseccomp"))
        return from++ < 0; /* the next one then */
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(number, size);
}

void *realloc(void *old, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}
