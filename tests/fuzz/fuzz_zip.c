/*
 * Any bytes at all as a zip archive: nothing crashes, a refused one has an error, the names of one that is
 * taken lie inside it, and what is read can be written and read again, the same.
 */
#include "archive.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST = 1024 * 1024 };

static void expect_name(struct archive *archive, int entry)
{
    const char *name = archive_name(archive, entry);
    if (!*name || *name == '/' || strchr(name, '\\') || strcmp(name, "..") == 0 ||
        strncmp(name, "../", 3) == 0 || strstr(name, "/../"))
        abort();
    if (archive_find(archive, name, false) != entry)
        abort();
}

static void expect_same(const struct buffer *packed, const char *name, const struct buffer *content)
{
    struct error error = { .code = ERROR_NONE };
    struct buffer again;
    struct archive *archive = archive_open(packed->data, packed->length, &error);
    buffer_init(&again);
    if (!archive || archive_count(archive) != 1 || archive_find(archive, name, false) != 0 ||
        !archive_read(archive, 0, 0, &again, &error) || again.length != content->length ||
        (again.length && memcmp(again.data, content->data, (size_t)again.length) != 0))
        abort();
    buffer_finish(&again);
    archive_close(archive);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct error error = { .code = ERROR_NONE };
    struct archive *archive = archive_open((const char *)bytes, (ptrdiff_t)size, &error);
    if (!archive != (error.code != ERROR_NONE) || (!archive && !*error.message))
        abort();
    for (int i = 0; archive && i < archive_count(archive); i++) {
        struct buffer content, packed;
        buffer_init(&content);
        buffer_init(&packed);
        error.code = ERROR_NONE;
        expect_name(archive, i);
        bool done = archive_read(archive, i, MOST, &content, &error);
        if (done != (error.code == ERROR_NONE) || content.length > MOST || (!done && content.length))
            abort();
        if (done && archive_name(archive, i)[strlen(archive_name(archive, i)) - 1] != '/' &&
            content.length < 4096) {
            struct archive_writer *writer = archive_write_begin();
            archive_write_add(writer, archive_name(archive, i), content.data ? content.data : "",
                              content.length);
            if (!archive_write_end(writer, &packed, &error))
                abort();
            expect_same(&packed, archive_name(archive, i), &content);
        }
        buffer_finish(&packed);
        buffer_finish(&content);
    }
    archive_close(archive);
    return 0;
}
