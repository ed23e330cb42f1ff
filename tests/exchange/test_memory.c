/*
 * Without memory: each file of the fuzzers' corpus is read, and written as a pack, with the n-th allocation
 * failing, for ever later n, until one is not reached. It must be told each time, and nothing may leak or
 * crash. Arguments: FORMAT FOLDER, pairs of them.
 */
#include <quiztutor/exchange.h>
#include <quiztutor/memory.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 1000000 };

static int files, tries;

static void broken(const char *path, long n, const char *what)
{
    fprintf(stderr, "%s, allocation %ld: %s\n", path, n, what);
    exit(1);
}

/* How a try ended. QUIET: nothing was told, and by now an allocation fails; the first to do so may be the
 * probe that finds it out. */
enum outcome { TOLD, QUIET, REACHED };

static enum outcome try(exchange_read *read, const char *path, const char *bytes, ptrdiff_t length, long n)
{
    struct import import;
    struct buffer out;
    struct error error = { .code = ERROR_NONE };
    buffer_init(&out);
    memory_fail_after(n);
    import_init(&import, path);
    bool done = read(&import, bytes, length, &error);
    if (done && !import.failed)
        import_name_pack(&import);
    if (done && !import.failed && !exchange_write_import(&out, &import))
        import.failed = true;
    void *probe = memory_alloc(1);
    bool none_failed = probe != NULL;
    memory_free(probe);
    memory_fail_after(0);
    bool told = import.failed || out.failed || error.code == ERROR_MEMORY;
    if (none_failed && told)
        broken(path, n, "memory is said to be short, which it is not");
    import_finish(&import);
    buffer_finish(&out);
    tries++;
    return none_failed ? REACHED : told ? TOLD : QUIET;
}

static void try_file(exchange_read *read, const char *path)
{
    FILE *file = fopen(path, "rb");
    static char bytes[1024 * 1024];
    ptrdiff_t length = file ? (ptrdiff_t)fread(bytes, 1, sizeof bytes, file) : -1;
    if (length < 0)
        broken(path, 0, "can't be read");
    fclose(file);
    enum outcome outcome = TOLD;
    for (long n = 1; n < MOST && outcome == TOLD; n += 1 + n / 40) {
        outcome = try(read, path, bytes, length, n);
        if (outcome == QUIET && try(read, path, bytes, length, n + 1) != REACHED)
            broken(path, n, "an allocation failed, and nobody was told");
    }
    files++;
}

int main(int argc, char **argv)
{
#ifdef HEAVY
    exchange_add_heavy();
#endif
    if (!hash_start())
        return 1;
    for (int i = 1; i + 1 < argc; i += 2) {
        const struct exchange_part *part = NULL;
        for (int format = 0; format < EXCHANGE_FORMATS; format++)
            if (strcmp(exchange_rows[format].name, argv[i]) == 0)
                part = exchange_part((enum exchange_format)format);
        DIR *folder = opendir(argv[i + 1]);
        if (!part || !part->read || !folder)
            broken(argv[i], 0, "no reader, or no corpus");
        for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i + 1], entry->d_name);
            if (entry->d_type == DT_REG)
                try_file(part->read, path);
        }
        closedir(folder);
    }
    printf("%d files, %d times\n", files, tries);
    return files == 0;
}
